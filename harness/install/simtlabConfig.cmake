# find_package(simtlab): simtcc as the CUDA compiler of a project that has not chosen one. Call it before CUDA is enabled:
#
#   project(x LANGUAGES CXX)
#   find_package(simtlab REQUIRED)
#   enable_language(CUDA)
#
# Sets simtlab_SIMTCC, the program, and simtlab_TOOLCHAIN_FILE; defines the executable simtlab::simtcc.
set(simtlab_TOOLCHAIN_FILE "${CMAKE_CURRENT_LIST_DIR}/simtlab-toolchain.cmake")
get_filename_component(simtlab_SIMTCC "${CMAKE_CURRENT_LIST_DIR}/../../../bin/simtcc" ABSOLUTE)
if(NOT TARGET simtlab::simtcc)
  add_executable(simtlab::simtcc IMPORTED)
  set_target_properties(simtlab::simtcc PROPERTIES IMPORTED_LOCATION "${simtlab_SIMTCC}")
endif()
if(NOT CMAKE_CUDA_COMPILER_LOADED)
  include("${simtlab_TOOLCHAIN_FILE}")
elseif(NOT CMAKE_CUDA_COMPILER MATCHES "/simtlab/toolkit/bin/nvcc$")
  set(simtlab_FOUND FALSE)
  set(simtlab_NOT_FOUND_MESSAGE
      "CUDA is enabled already, with ${CMAKE_CUDA_COMPILER}. Call find_package(simtlab) before enable_language(CUDA), or choose "
      "the emulator for all of the project with -DCMAKE_TOOLCHAIN_FILE=${simtlab_TOOLCHAIN_FILE} in a new build folder.")
  string(CONCAT simtlab_NOT_FOUND_MESSAGE ${simtlab_NOT_FOUND_MESSAGE})
endif()
