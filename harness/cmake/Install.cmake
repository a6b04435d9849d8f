# `cmake --install` puts simtcc, its headers, what programs are linked with, a CMake package and completions in place, and CPack
# makes a package of the same files (harness/install). All of it is the component `simtcc`:
#
#   cmake --build build/default --target simtcc_files && cmake --install build/default --component simtcc --prefix DIR
#
#   bin/simtcc
#   include/simtlab/               cuda_runtime.h and the other headers of CUDA
#   lib/simtlab/                   simtcc.conf, and the objects that programs are linked with
#   lib/simtlab/toolkit/           the same as a CUDA Toolkit: bin/nvcc, include, lib64
#   lib/cmake/simtlab/             find_package(simtlab), simtlab-toolchain.cmake
#   share/                         completions, manual page, licence, the schema of reports
#
# simtcc finds the rest from its own place (driver/installation.h), so the folder may be moved. lib is lib everywhere: nothing
# here is looked for by a linker.
if(SIMTLAB_SANITIZER OR NOT EXISTS ${CMAKE_SOURCE_DIR}/harness/install)
  return()  # nobody installs a sanitizer's simtcc; a students' copy builds labs alone
endif()
set(from ${CMAKE_SOURCE_DIR}/harness/install)
set(made ${CMAKE_BINARY_DIR}/install)

# The libraries by the names that programs load them by: no package with headers is needed to link.
set(simtlab_link_libraries "link -l:libdw.so.1\nlink -l:libelf.so.1\n")
if(SIMTLAB_SELF_CONTAINED)  # they are sealed with the emulator
  set(simtlab_link_libraries "")
endif()
file(WRITE ${made}/simtcc.conf "include ../../include/simtlab
compiler g++
course libsimtlab_course.a
link simtlab_startup.o
link simtlab_emulator.o
${simtlab_link_libraries}link -pthread
link -ldl
")

# A toolkit's libraries. simtcc links the emulator into every program and passes over these; find_package(CUDAToolkit) and
# makefiles look for them.
set(stub ${made}/libcudart_static.a)
file(WRITE ${stub} "!<arch>\n")

add_custom_target(simtcc_files DEPENDS simtcc simtcc_startup simtlab_course simtlab_emulator_sealed COMMENT "What cmake --install needs")

include(CMakePackageConfigHelpers)
write_basic_package_version_file(${made}/simtlabConfigVersion.cmake VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)

install(TARGETS simtcc RUNTIME DESTINATION bin COMPONENT simtcc)
install(DIRECTORY ${SIMTLAB_EMULATOR_INCLUDE}/ DESTINATION include/simtlab COMPONENT simtcc)
install(FILES ${made}/simtcc.conf ${CMAKE_BINARY_DIR}/emulator/simtlab_emulator.o DESTINATION lib/simtlab COMPONENT simtcc)
install(FILES $<TARGET_OBJECTS:simtcc_startup> DESTINATION lib/simtlab RENAME simtlab_startup.o COMPONENT simtcc)
install(TARGETS simtlab_course ARCHIVE DESTINATION lib/simtlab COMPONENT simtcc)
install(PROGRAMS ${from}/nvcc DESTINATION lib/simtlab/toolkit/bin COMPONENT simtcc)
foreach(name IN ITEMS libcudart_static.a libcudart.so libcudadevrt.a)
  install(FILES ${stub} DESTINATION lib/simtlab/toolkit/lib64 RENAME ${name} COMPONENT simtcc)
endforeach()
install(FILES ${stub} DESTINATION lib/simtlab/toolkit/lib64/stubs RENAME libcuda.so COMPONENT simtcc)
file(CREATE_LINK ../../../include/simtlab ${made}/include SYMBOLIC)
install(FILES ${made}/include DESTINATION lib/simtlab/toolkit COMPONENT simtcc)
install(FILES ${made}/simtlabConfigVersion.cmake ${from}/simtlabConfig.cmake ${from}/simtlab-toolchain.cmake
        DESTINATION lib/cmake/simtlab COMPONENT simtcc)
install(FILES ${from}/completions/simtcc.bash DESTINATION share/bash-completion/completions RENAME simtcc COMPONENT simtcc)
install(FILES ${from}/completions/_simtcc DESTINATION share/zsh/vendor-completions COMPONENT simtcc)
install(FILES ${from}/completions/simtcc.fish DESTINATION share/fish/vendor_completions.d COMPONENT simtcc)
find_program(SIMTLAB_GZIP gzip)
mark_as_advanced(SIMTLAB_GZIP)
configure_file(${from}/simtcc.1 ${made}/simtcc.1 COPYONLY)
set(page ${made}/simtcc.1)
if(SIMTLAB_GZIP)
  execute_process(COMMAND ${SIMTLAB_GZIP} -9nf ${made}/simtcc.1)
  set(page ${made}/simtcc.1.gz)
endif()
install(FILES ${page} DESTINATION share/man/man1 COMPONENT simtcc)
install(FILES ${CMAKE_SOURCE_DIR}/harness/emulator/report/report.schema.json DESTINATION share/simtlab COMPONENT simtcc)
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE ${from}/debian/copyright DESTINATION share/doc/simtlab COMPONENT simtcc)

# `cpack --config build/default/CPackConfig.cmake` makes a .deb. One built on Debian 12 installs on Ubuntu 24.04, too: it needs
# the older g++ and libraries, which each of the two has under one of the names.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME simtlab)
set(CPACK_PACKAGE_CONTACT "simtlab developers <simtlab@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL simtcc)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_SIMTCC_PACKAGE_NAME simtlab)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
if(CMAKE_CROSSCOMPILING AND CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)  # else that of this machine
endif()
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)  # simtcc's own libraries; those of the programs that it links follow
set(CPACK_DEBIAN_PACKAGE_DEPENDS "g++ (>= 4:12), libdw1t64 | libdw1, libelf1t64 | libelf1")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake (>= 3.25), gdb")
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "CUDA C++ on a CPU, counted and checked")
set(CPACK_DEBIAN_SIMTCC_DESCRIPTION "simtcc takes nvcc's options and builds CUDA C++ for an emulator. Programs need
no GPU and no CUDA Toolkit. They count what the memory system of a GPU would
do, find races, accesses out of bounds and divergent barriers, and name the
line. A toolchain file lets CMake projects use it unchanged.")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${from}/debian/postinst ${from}/debian/prerm ${from}/debian/triggers)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
include(CPack)
