# Lets any CMake project of LANGUAGES CUDA build and run on simtlab's emulator, unedited:
#
#   cmake -S . -B build -DCMAKE_TOOLCHAIN_FILE=/usr/lib/cmake/simtlab/simtlab-toolchain.cmake
#
# find_package(simtlab) reads this file, too. Executables and shared libraries are linked by simtcc, those without a .cu file,
# too: they may use a library, or have objects, that come of some.
get_filename_component(simtlab_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(simtlab_SIMTCC "${simtlab_prefix}/bin/simtcc")
set(CMAKE_CUDA_COMPILER "${simtlab_prefix}/lib/simtlab/toolkit/bin/nvcc" CACHE FILEPATH "simtlab's emulator" FORCE)
set(CUDA_TOOLKIT_ROOT_DIR "${simtlab_prefix}/lib/simtlab/toolkit" CACHE PATH "for find_package(CUDA) of older projects" FORCE)
foreach(simtlab_language IN ITEMS C CXX)
  set(CMAKE_${simtlab_language}_LINK_EXECUTABLE
      "\"${simtlab_SIMTCC}\" <FLAGS> <CMAKE_${simtlab_language}_LINK_FLAGS> <LINK_FLAGS> <OBJECTS> -o <TARGET> <LINK_LIBRARIES>")
  set(CMAKE_${simtlab_language}_CREATE_SHARED_LIBRARY
      "\"${simtlab_SIMTCC}\" <CMAKE_SHARED_LIBRARY_${simtlab_language}_FLAGS> <LANGUAGE_COMPILE_FLAGS> <LINK_FLAGS> <CMAKE_SHARED_LIBRARY_CREATE_${simtlab_language}_FLAGS> <SONAME_FLAG><TARGET_SONAME> -o <TARGET> <OBJECTS> <LINK_LIBRARIES>")
endforeach()
unset(simtlab_language)
