# Every C++ library that simtlab stands on; docs/architecture.md gives the reason for each.
#
# The distribution's packages come first; `make setup` installs them. Where root is not to be had, the header-only and
# static ones are downloaded in pinned versions, checked by their hash (SIMTLAB_FETCH=OFF forbids it). elfutils has no
# CMake build and must be there. A machine without network can point FETCHCONTENT_SOURCE_DIR_<NAME> at unpacked sources.
include(FetchContent)
option(SIMTLAB_FETCH "Download pinned versions of missing libraries" ON)
set(simtlab_missing "")
set(BUILD_SHARED_LIBS OFF)

# For a machine that has g++ and nothing else, which the wheel is made for: programs, and the emulator that programs are
# linked with, hold the libraries that such a machine lacks.
option(SIMTLAB_SELF_CONTAINED "Link statically whatever a machine with g++ alone does not have" OFF)
set(SIMTLAB_FMT fmt::fmt)
set(SIMTLAB_SEALED_LIBRARIES "")  # what goes into the sealed emulator (emulator/runtime/CMakeLists.txt)
if(SIMTLAB_SELF_CONTAINED)
  set(SIMTLAB_FMT fmt::fmt-header-only)  # Debian has no static one
  set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
  add_link_options(-static-libstdc++ -static-libgcc)
endif()

# simtlab_fetch(NAME TARGET target PACKAGE debian-package URL address SHA256 hash): call it where find_package(NAME) has
# just failed; afterwards `target` is there, its headers as a system's, whose warnings are not ours.
macro(simtlab_fetch name)
  cmake_parse_arguments(fetch "" "TARGET;PACKAGE;URL;SHA256" "" ${ARGN})
  string(TOUPPER ${name} fetch_upper)
  if(SIMTLAB_FETCH OR FETCHCONTENT_SOURCE_DIR_${fetch_upper})
    message(STATUS "${name} not found (Debian: ${fetch_PACKAGE}); downloading ${fetch_URL}")
    FetchContent_Declare(${name} URL ${fetch_URL} URL_HASH SHA256=${fetch_SHA256} DOWNLOAD_EXTRACT_TIMESTAMP FALSE)
    FetchContent_MakeAvailable(${name})
    get_target_property(fetch_include ${fetch_TARGET} INTERFACE_INCLUDE_DIRECTORIES)
    set_target_properties(${fetch_TARGET} PROPERTIES INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${fetch_include}")
  else()
    list(APPEND simtlab_missing ${fetch_PACKAGE})
  endif()
endmacro()

find_package(Threads REQUIRED)

find_package(doctest QUIET)
if(NOT doctest_FOUND)
  set(DOCTEST_WITH_TESTS OFF)
  set(DOCTEST_WITH_MAIN_IN_STATIC_LIB OFF)
  simtlab_fetch(doctest TARGET doctest PACKAGE doctest-dev
    URL https://github.com/doctest/doctest/archive/refs/tags/v2.4.11.tar.gz
    SHA256 632ed2c05a7f53fa961381497bf8069093f0d6628c5f26286161fbd32a560186)
endif()

find_package(nlohmann_json 3.10 QUIET)
if(NOT nlohmann_json_FOUND)
  simtlab_fetch(nlohmann_json TARGET nlohmann_json PACKAGE nlohmann-json3-dev
    URL https://github.com/nlohmann/json/releases/download/v3.11.3/json.tar.xz
    SHA256 d6c65aca6b1ed68e7a182f4757257b107ae403032760ed6ef121c9d55e81757d)
endif()

find_package(fmt QUIET)
if(NOT fmt_FOUND)
  simtlab_fetch(fmt TARGET fmt PACKAGE libfmt-dev
    URL https://github.com/fmtlib/fmt/archive/refs/tags/10.2.1.tar.gz
    SHA256 1250e4cc58bf06ee631567523f48848dc4596133e163f02615c97f78bab6c811)
endif()

set(Boost_USE_STATIC_LIBS ON)
find_package(Boost QUIET COMPONENTS context)
if(NOT Boost_FOUND)
  set(BOOST_ENABLE_CMAKE ON)
  set(BOOST_INCLUDE_LIBRARIES context)
  simtlab_fetch(Boost TARGET boost_context PACKAGE libboost-context-dev
    URL https://github.com/boostorg/boost/releases/download/boost-1.84.0/boost-1.84.0.tar.xz
    SHA256 2e64e5d79a738d0fa6fb546c6e5c2bd28f88d268a2a080546f74e5ff98f29d0e)
endif()

find_library(SIMTLAB_LIBDW NAMES dw)
find_path(SIMTLAB_LIBDW_INCLUDE elfutils/libdw.h)
if(NOT SIMTLAB_LIBDW OR NOT SIMTLAB_LIBDW_INCLUDE)
  list(APPEND simtlab_missing libdw-dev)
endif()
find_library(SIMTLAB_LIBELF NAMES elf)
if(NOT SIMTLAB_LIBELF)
  list(APPEND simtlab_missing libelf-dev)
endif()
if(SIMTLAB_SELF_CONTAINED)
  foreach(library IN ITEMS z lzma bz2)  # what libdw.a and libelf.a stand on
    find_library(SIMTLAB_STATIC_${library} NAMES ${library})
    mark_as_advanced(SIMTLAB_STATIC_${library})
    if(SIMTLAB_STATIC_${library})
      list(APPEND libraries ${SIMTLAB_STATIC_${library}})
    else()
      list(APPEND simtlab_missing zlib1g-dev liblzma-dev libbz2-dev)
    endif()
  endforeach()
  set(SIMTLAB_SEALED_LIBRARIES ${SIMTLAB_LIBDW} ${SIMTLAB_LIBELF} ${libraries})
  set(SIMTLAB_LIBELF ${SIMTLAB_LIBELF} ${libraries})
endif()

if(simtlab_missing)
  list(JOIN simtlab_missing " " simtlab_missing)
  message(FATAL_ERROR "missing libraries; on Debian or Ubuntu install them with\n"
                      "  sudo apt-get install -y ${simtlab_missing}\n"
                      "on other systems install the packages that hold them (elfutils-devel, boost-devel, ...).")
endif()
unset(BUILD_SHARED_LIBS)

find_program(SIMTLAB_NVCC nvcc HINTS $ENV{CUDA_PATH}/bin /usr/local/cuda/bin DOC "The CUDA compiler; empty: no CUDA backend")
