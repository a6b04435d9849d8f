# A compiler cache keeps what another tree, or the commit before, has compiled. SIMTLAB_CCACHE= (empty) leaves it out.
find_program(SIMTLAB_CCACHE ccache DOC "ccache; empty: no compiler cache")
if(SIMTLAB_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${SIMTLAB_CCACHE}")
endif()

# What a program does for moments need not be fast, and its compile time is what everybody waits for.
#
# simtlab_build_quickly(target [HEADERS <header>...]): -O1, which takes half the time of -O2 where nlohmann-json is used, and the
# headers parsed once for the target. The sanitizers' presets choose their own -O.
function(simtlab_build_quickly target)
  cmake_parse_arguments(arg "" "" "HEADERS" ${ARGN})
  if(NOT SIMTLAB_SANITIZER)
    # At -O1, g++ 12 takes sums of strings for copies out of bounds, as it does in the bug that Warnings.cmake names.
    target_compile_options(${target} PRIVATE -O1 -g1 "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-array-bounds;-Wno-stringop-overflow>")
  endif()
  if(arg_HEADERS)
    target_precompile_headers(${target} PRIVATE ${arg_HEADERS})
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)  # ccache asks for it
  endif()
endfunction()
