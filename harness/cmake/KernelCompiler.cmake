# What the compiler of kernels must be able to do besides compiling.
#
# simtlab_find_libstdcxx(<variable> <folder> <compiler>...): how a program's libstdc++ is linked: "shared", "static", or "" where the
# compiler links no program at all. Works in <folder>.
function(simtlab_find_libstdcxx variable folder)
  set(${variable} "" PARENT_SCOPE)
  file(WRITE ${folder}/libstdcxx.cpp "#include <iostream>\nint main() { std::cout << 1; }\n")
  execute_process(COMMAND ${ARGN} ${folder}/libstdcxx.cpp -o ${folder}/libstdcxx RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  if(failed)
    return()
  endif()
  file(STRINGS ${folder}/libstdcxx needed LIMIT_COUNT 1 REGEX "^libstdc[+][+][.]so")
  set(${variable} static PARENT_SCOPE)
  if(needed)
    set(${variable} shared PARENT_SCOPE)
  endif()
endfunction()
