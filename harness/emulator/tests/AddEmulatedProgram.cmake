# A program of CUDA sources (.cu) and plain ones (.cpp, .o), compiled and linked by simtcc. Sets ${target}_PATH in the
# caller's scope and makes a target that `all` builds. Includes start at harness/emulator and harness/emulator/tests.
# SHARED: plain sources below harness/emulator/tests that other programs have, too, compiled once for all of them.
set(SIMTLAB_EMULATED_PROGRAM_ROOT ${CMAKE_CURRENT_LIST_DIR})
# doctest's macros without a handler of exceptions in each: a fifth of the time that these sources take, which are compiled as kernels are.
set(simtlab_emulated_options -std=c++20 --extended-lambda -Wall -Wextra -DDOCTEST_CONFIG_SUPER_FAST_ASSERTS)

function(simtlab_add_emulated_program target)
  cmake_parse_arguments(arg "" "" "SOURCES;SHARED;OBJECTS;HEADERS" ${ARGN})
  set(tests ${SIMTLAB_EMULATED_PROGRAM_ROOT})
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target})
  list(TRANSFORM arg_HEADERS PREPEND ${tests}/)
  set(objects)
  foreach(source IN LISTS arg_SOURCES)
    cmake_path(GET source FILENAME name)
    set(object ${folder}/${name}.o)
    add_custom_command(OUTPUT ${object}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
      COMMAND simtcc ${simtlab_emulated_options} -I ${tests} -I ${tests}/.. -c ${source} -o ${object}
      DEPENDS simtcc ${source} ${arg_HEADERS} WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
      COMMENT "simtcc ${name}" VERBATIM)
    list(APPEND objects ${object})
  endforeach()
  set(shared)
  foreach(source IN LISTS arg_SHARED)
    cmake_path(GET source STEM name)
    set(object ${CMAKE_BINARY_DIR}/emulator/tests/${name}.o)
    if(NOT TARGET simtcc-shared-${name})
      add_custom_command(OUTPUT ${object}
        COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/emulator/tests
        COMMAND simtcc ${simtlab_emulated_options} -I . -I .. -c ${source} -o ${object}
        DEPENDS simtcc ${tests}/${source} ${arg_HEADERS} WORKING_DIRECTORY ${tests} COMMENT "simtcc ${source}" VERBATIM)
      add_custom_target(simtcc-shared-${name} DEPENDS ${object})
    endif()
    list(APPEND objects ${object})
    list(APPEND shared simtcc-shared-${name})
  endforeach()
  add_custom_command(OUTPUT ${folder}.run COMMAND simtcc ${objects} ${arg_OBJECTS} -o ${folder}.run
    DEPENDS ${objects} ${shared} ${arg_OBJECTS} simtcc simtlab_emulator_sealed
            ${CMAKE_BINARY_DIR}/emulator/simtlab_emulator.o COMMAND_EXPAND_LISTS COMMENT "simtcc ${target}" VERBATIM)
  add_custom_target(${target} ALL DEPENDS ${folder}.run)
  set(${target}_PATH ${folder}.run PARENT_SCOPE)
endfunction()
