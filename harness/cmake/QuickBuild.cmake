# A compiler cache keeps what another tree, or the commit before, has compiled. SIMTLAB_CCACHE= (empty) leaves it out.
find_program(SIMTLAB_CCACHE ccache DOC "ccache; empty: no compiler cache")
if(SIMTLAB_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${SIMTLAB_CCACHE}")
endif()

# With CMAKE_UNITY_BUILD (harness/setup/configure.sh: `batches`) so many sources are compiled as one. Headers and the templates
# they instantiate take most of the time, and are then taken once: few processors compile each library as one batch, which
# takes a third less of their time, and many get batches enough to be busy. A compiler of a batch takes up to 900 MB, of a
# library 1,600 MB: little memory gets batches, too, and so does a sanitizer, which takes several times as much; no more run at a
# time than fit. g++ collects garbage late, which saves a sixth of its time.
option(SIMTLAB_WHOLE "In batches, too, build what tests alone reach: what only a GPU has, the engine sass, programs that are not closed" OFF)
if(CMAKE_UNITY_BUILD)
  cmake_host_system_information(RESULT processors QUERY NUMBER_OF_LOGICAL_CORES)
  cmake_host_system_information(RESULT megabytes QUERY TOTAL_PHYSICAL_MEMORY)
  if(processors LESS_EQUAL 4 AND megabytes GREATER_EQUAL 3500 AND NOT SIMTLAB_SANITIZER)
    set(CMAKE_UNITY_BUILD_BATCH_SIZE 0)  # without a limit
    set(megabytes_of_a_batch 1600)
  else()
    set(CMAKE_UNITY_BUILD_BATCH_SIZE 16)
    set(megabytes_of_a_batch 1000)
  endif()
  add_compile_options("$<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=524288>")
  math(EXPR compilers "${megabytes} / ${megabytes_of_a_batch}")
  if(compilers LESS 1)
    set(compilers 1)
  endif()
  set_property(GLOBAL PROPERTY JOB_POOLS compilers=${compilers})
  set(CMAKE_JOB_POOL_COMPILE compilers)
  if(NOT SIMTLAB_SANITIZER)
    add_compile_options(-g0)  # a user's tree: nobody looks into the harness with a debugger
  endif()
endif()

# What a program does for moments need not be fast, and its compile time is what everybody waits for.
#
# simtlab_build_quickly(target [HEADERS <header>...]): -O1, which takes half the time of -O2 where nlohmann-json is used, and the
# headers parsed once for the target. In batches -Og, which takes three quarters of the time of -O1. The sanitizers' presets
# choose their own -O.
function(simtlab_build_quickly target)
  cmake_parse_arguments(arg "" "" "HEADERS" ${ARGN})
  if(NOT SIMTLAB_SANITIZER)
    # Here g++ 12 takes sums of strings for copies out of bounds, as it does in the bug that Warnings.cmake names.
    target_compile_options(${target} PRIVATE $<IF:$<BOOL:${CMAKE_UNITY_BUILD}>,-Og,-O1> "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread>")
  endif()
  if(arg_HEADERS AND NOT CMAKE_UNITY_BUILD)  # a batch parses them once, too, and the next can begin without waiting
    target_precompile_headers(${target} PRIVATE ${arg_HEADERS})
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)  # ccache asks for it
  endif()
endfunction()
