# One way to write a C++ test: simtlab_add_test(emulator.trace SOURCES merge_test.cpp LIBRARIES simtlab_emulator).
#
# The test is a doctest program `test_emulator_trace` and a CTest test `emulator.trace` with the label `project`.
#   LONG                 adds the label `long`: only `make check-full` runs it
#   ENVIRONMENT A=b ...  for the program
#   TIMEOUT seconds      default 120
#   COST seconds         of a long test: CTest begins with those of the highest cost, so that none runs alone at the end
#   UNTRUSTED            adds the label `untrusted`: what it tests reads bytes that others wrote, and `make check` runs it
#                        with sanitizers, too; all others run with them in `make check-full`
# A test that cannot run where it is exits with 77 after printing a line `SKIP: reason`; `make check` counts it and wants
# it on harness/check/known-skips.toml. doctest's own skip() leaves no reason, so a program that used it fails, as does
# one in which no test case ran.
#
# In batches the sources of a test are compiled as one, as a library's are: no two helpers of one test share a name. Tests
# for which SIMTLAB_TESTS_TOGETHER names a program are even one program there, of which each runs the cases of its source.
if(NOT EXISTS ${CMAKE_SOURCE_DIR}/harness/tests/main.cpp)
  return()  # a students' copy: nothing in it calls simtlab_add_test
endif()
add_custom_target(simtlab_untrusted_tests)
add_library(simtlab_test_main OBJECT ${CMAKE_SOURCE_DIR}/harness/tests/main.cpp)
target_link_libraries(simtlab_test_main PUBLIC doctest::doctest PRIVATE simtlab_warnings simtlab_sanitizer)
target_compile_options(simtlab_test_main PRIVATE -O0)

# Of a test's own code UndefinedBehaviorSanitizer does not ask each pointer whether it is null or lies right, which is a third
# of its compile time: a null pointer is AddressSanitizer's, too. The code under test is asked everything. Linked last.
add_library(simtlab_test_code INTERFACE)
if(SIMTLAB_SANITIZER MATCHES "undefined")
  target_compile_options(simtlab_test_code INTERFACE -fno-sanitize=null,alignment,object-size,vptr)
endif()

# The headers that the harness's tests begin with, parsed once for all of them.
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/test_headers.cpp CONTENT "// nothing but its precompiled headers\n")
add_library(simtlab_test_headers OBJECT ${CMAKE_BINARY_DIR}/test_headers.cpp)
target_precompile_headers(simtlab_test_headers PRIVATE <doctest/doctest.h> <nlohmann/json.hpp>)
target_compile_options(simtlab_test_headers PRIVATE -O0 $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
target_link_libraries(simtlab_test_headers PRIVATE doctest::doctest nlohmann_json::nlohmann_json simtlab_warnings simtlab_sanitizer
                      simtlab_test_code)

# How many times as long a test may take in this tree as in build/default.
if(CMAKE_CROSSCOMPILING)
  set(simtlab_test_slowness 10)  # an emulated processor
elseif(SIMTLAB_SANITIZER STREQUAL "thread")
  set(simtlab_test_slowness 5)
elseif(SIMTLAB_SANITIZER)
  set(simtlab_test_slowness 2)
else()
  set(simtlab_test_slowness 1)
endif()

# simtlab_limit_tests(120 NAME ...): after so many seconds in build/default, and in proportion elsewhere, the tests hang.
function(simtlab_limit_tests seconds)
  math(EXPR limit "${seconds} * ${simtlab_test_slowness}")
  set_tests_properties(${ARGN} PROPERTIES TIMEOUT ${limit})
endfunction()

function(simtlab_add_test name)
  cmake_parse_arguments(arg "LONG;UNTRUSTED" "TIMEOUT;COST" "SOURCES;LIBRARIES;ENVIRONMENT" ${ARGN})
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_SOURCES)
    message(FATAL_ERROR "simtlab_add_test(${name}): SOURCES missing, or unknown words: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  set(labels project)
  if(arg_LONG)
    list(APPEND labels long)
  endif()
  if(arg_UNTRUSTED)
    list(APPEND labels untrusted)
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  string(REPLACE "." "_" target "test_${name}")
  set(command ${target})
  list(LENGTH arg_SOURCES sources)
  if(SIMTLAB_TESTS_TOGETHER AND CMAKE_UNITY_BUILD AND NOT SIMTLAB_SANITIZER)
    set(target ${SIMTLAB_TESTS_TOGETHER})
    set(command ${target} "--source-file=*/${arg_SOURCES}")
  endif()
  if(TARGET ${target})
    target_sources(${target} PRIVATE ${arg_SOURCES})
  else()
    add_executable(${target} ${arg_SOURCES})
    set_target_properties(${target} PROPERTIES UNITY_BUILD_BATCH_SIZE 13)  # parts enough for two processors
    # A test's own code runs once and is compiled often: unoptimised it compiles in half the time.
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-O0>)
    if(NOT name MATCHES "^emulator[.]")  # those read no JSON
      target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>)
      target_precompile_headers(${target} REUSE_FROM simtlab_test_headers)
    endif()
    if(sources EQUAL 1 AND NOT target STREQUAL SIMTLAB_TESTS_TOGETHER)
      set_target_properties(${target} PROPERTIES UNITY_BUILD OFF)
    endif()
  endif()
  target_link_libraries(${target} PRIVATE simtlab_test_main ${arg_LIBRARIES} simtlab_warnings simtlab_sanitizer simtlab_test_code)
  if(arg_UNTRUSTED)
    add_dependencies(simtlab_untrusted_tests ${target})
  endif()
  add_test(NAME ${name} COMMAND ${command})
  set_tests_properties(${name} PROPERTIES
    SKIP_RETURN_CODE 77
    FAIL_REGULAR_EXPRESSION "test cases: +0 \\|;skipped without a reason"
    LABELS "${labels}" ENVIRONMENT "${arg_ENVIRONMENT}")
  if(arg_COST)
    set_tests_properties(${name} PROPERTIES COST ${arg_COST})
  endif()
  simtlab_limit_tests(${arg_TIMEOUT} ${name})
endfunction()
