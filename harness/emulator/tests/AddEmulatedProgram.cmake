# A program of CUDA sources (.cu) and plain ones (.cpp, .o), compiled and linked by simtcc. Sets ${target}_PATH in the
# caller's scope and makes a target that `all` builds. Includes start at harness/emulator and harness/emulator/tests.
#
# Where clang is installed and the kernels' compiler is g++, the same program is compiled by clang, too: ${target}_CLANG_PATH,
# built by the test emulator.clang.build for those that simtlab_add_clang_test adds.
set(SIMTLAB_EMULATED_PROGRAM_ROOT ${CMAKE_CURRENT_LIST_DIR})

find_program(SIMTLAB_CLANG NAMES clang++-16 clang++-17 clang++-18 clang++-19 clang++)
mark_as_advanced(SIMTLAB_CLANG)
set(clang_name "")
if(SIMTLAB_CLANG AND NOT SIMTLAB_KERNEL_OPTIMISER AND NOT CMAKE_CROSSCOMPILING)
  simtlab_identify_compiler(${SIMTLAB_CLANG} clang_name clang_optimiser)
endif()
set(SIMTLAB_TEST_CLANG OFF)
if(clang_name MATCHES "^clang" AND EXISTS "${clang_optimiser}" AND NOT SIMTLAB_SANITIZER)
  set(SIMTLAB_TEST_CLANG ON)
endif()
get_property(known GLOBAL PROPERTY SIMTLAB_CLANG_TESTS)  # this file is included by several folders
set_property(GLOBAL PROPERTY SIMTLAB_CLANG_TESTS ON)
if(NOT known AND SIMTLAB_TEST_CLANG)
  simtlab_write_simtcc_conf(emulator-clang ${SIMTLAB_CLANG} ${clang_optimiser})
  add_custom_target(simtlab_clang_programs)
  add_test(NAME emulator.clang.build COMMAND ${CMAKE_COMMAND} --build ${CMAKE_BINARY_DIR} --target simtlab_clang_programs)
  set_tests_properties(emulator.clang.build PROPERTIES LABELS "project;long" TIMEOUT 900 FIXTURES_SETUP clang_programs)
elseif(NOT known AND NOT CMAKE_CROSSCOMPILING AND NOT SIMTLAB_SANITIZER AND NOT SIMTLAB_KERNEL_OPTIMISER)
  add_test(NAME emulator.clang.build COMMAND ${CMAKE_COMMAND} -E echo
    "SKIP: clang 16 or later with its opt not found (apt-get install clang-16 llvm-16)")
  set_tests_properties(emulator.clang.build PROPERTIES LABELS "project;long")
endif()

# The words of simtcc with clang in place of the kernels' compiler.
set(SIMTLAB_CLANG_SIMTCC ${CMAKE_COMMAND} -E env SIMTLAB_EMULATOR_ROOT=${CMAKE_BINARY_DIR}/emulator-clang $<TARGET_FILE:simtcc>)

function(simtlab_emulate target folder simtcc)
  cmake_parse_arguments(arg "" "" "SOURCES;OBJECTS;HEADERS" ${ARGN})
  set(tests ${SIMTLAB_EMULATED_PROGRAM_ROOT})
  list(TRANSFORM arg_HEADERS PREPEND ${tests}/)
  set(objects)
  foreach(source IN LISTS arg_SOURCES)
    cmake_path(GET source FILENAME name)
    set(object ${folder}/${name}.o)
    add_custom_command(OUTPUT ${object}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
      COMMAND ${simtcc} -std=c++20 --extended-lambda -Wall -Wextra -I ${tests} -I ${tests}/.. -c ${source} -o ${object}
      DEPENDS simtcc ${source} ${arg_HEADERS} WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
      COMMENT "simtcc ${name}" VERBATIM)
    list(APPEND objects ${object})
  endforeach()
  add_custom_command(OUTPUT ${folder}.run COMMAND ${simtcc} ${objects} ${arg_OBJECTS} -o ${folder}.run
    DEPENDS ${objects} ${arg_OBJECTS} simtcc simtlab_emulator_sealed
            ${CMAKE_BINARY_DIR}/emulator/simtlab_emulator.o COMMAND_EXPAND_LISTS COMMENT "simtcc ${target}" VERBATIM)
endfunction()

function(simtlab_add_emulated_program target)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target})
  simtlab_emulate(${target} ${folder} simtcc ${ARGN})
  add_custom_target(${target} ALL DEPENDS ${folder}.run)
  set(${target}_PATH ${folder}.run PARENT_SCOPE)
  if(SIMTLAB_TEST_CLANG)
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/clang/${target})
    simtlab_emulate(${target} ${folder} "${SIMTLAB_CLANG_SIMTCC}" ${ARGN})
    add_custom_target(${target}_clang DEPENDS ${folder}.run)
    set(${target}_CLANG_PATH ${folder}.run PARENT_SCOPE)
  endif()
endfunction()

# simtlab_add_clang_test(emulator.clang.bugs PROGRAMS planted_bugs COMMAND test ENVIRONMENT A=b): what a test of g++'s programs
# holds, of clang's.
function(simtlab_add_clang_test name)
  if(NOT SIMTLAB_TEST_CLANG)
    return()
  endif()
  cmake_parse_arguments(arg "" "" "PROGRAMS;COMMAND;ENVIRONMENT" ${ARGN})
  foreach(program IN LISTS arg_PROGRAMS)
    add_dependencies(simtlab_clang_programs ${program}_clang)
  endforeach()
  add_test(NAME ${name} COMMAND ${arg_COMMAND})
  set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED clang_programs ENVIRONMENT "${arg_ENVIRONMENT}"
    FAIL_REGULAR_EXPRESSION "test cases: +0 \\|" LABELS "project;long" TIMEOUT 300)
endfunction()
