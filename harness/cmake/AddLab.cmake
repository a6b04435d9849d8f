# Labs are found by folder: labs/NN-name/lab.cpp. For each: the judge judge-NN-name, the runner's objects, the target
# lab_NN-name that builds the student's own runner, the CTest tests NN-name.correct, .safe and .fast with the fixture that
# builds first, and labs/NN-name/lab.json in the build tree, which is all that Python knows of the build.
# Nothing here needs solutions/ to exist.
set(SIMTLAB_BACKEND auto CACHE STRING "What the labs' tests run on: auto, cuda or emulator")
set_property(CACHE SIMTLAB_BACKEND PROPERTY STRINGS auto cuda emulator)
# Whose code of a kernel the student's own tests and profile run on the emulator: g++'s, or what nvcc makes of it.
set(SIMTLAB_ENGINE "g++" CACHE STRING "What the emulator runs of a student's kernel: g++ or sass")
set_property(CACHE SIMTLAB_ENGINE PROPERTY STRINGS g++ sass)
if(NOT SIMTLAB_ENGINE MATCHES "^(g[+][+]|sass)$")
  message(FATAL_ERROR "SIMTLAB_ENGINE is \"${SIMTLAB_ENGINE}\"; it is g++ or sass")
endif()
# A kernel may use what this machine's GPU has, __reduce_add_sync from 8.0 on, say: code for an older one would not compile.
find_program(SIMTLAB_NVIDIA_SMI nvidia-smi)
mark_as_advanced(SIMTLAB_NVIDIA_SMI)
set(gpu_code 75 80 90)
if(SIMTLAB_NVIDIA_SMI)
  execute_process(COMMAND ${SIMTLAB_NVIDIA_SMI} --query-gpu=compute_cap --format=csv,noheader
                  OUTPUT_VARIABLE capabilities RESULT_VARIABLE failed ERROR_QUIET TIMEOUT 20)
  string(REGEX MATCHALL "[0-9]+[.][0-9]" capabilities "${capabilities}")
  if(NOT failed AND capabilities)
    string(REPLACE "." "" gpu_code "${capabilities}")
    list(REMOVE_DUPLICATES gpu_code)
    list(SORT gpu_code COMPARE NATURAL)
  endif()
endif()
set(SIMTLAB_GPU_CODE ${gpu_code} CACHE STRING "Compute capabilities that nvcc makes code for: this machine's GPUs', else 75 80 90; newer GPUs compile the last one's PTX")
set(simtlab_gencode "")
foreach(capability IN LISTS SIMTLAB_GPU_CODE)
  list(APPEND simtlab_gencode -gencode arch=compute_${capability},code=sm_${capability})
endforeach()
list(GET SIMTLAB_GPU_CODE -1 capability)
list(APPEND simtlab_gencode -gencode arch=compute_${capability},code=compute_${capability})

# Sets `result` to cuda or emulator and says why.
function(simtlab_choose_backend result)
  set(gpu "")
  if(SIMTLAB_NVIDIA_SMI)
    execute_process(COMMAND ${SIMTLAB_NVIDIA_SMI} --query-gpu=name --format=csv,noheader
                    OUTPUT_VARIABLE gpus RESULT_VARIABLE failed ERROR_QUIET TIMEOUT 20 OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(NOT failed)
      string(REGEX REPLACE "\n.*" "" gpu "${gpus}")
    endif()
  endif()
  if(SIMTLAB_BACKEND STREQUAL "emulator")
    set(chosen emulator)
    set(why "asked for")
  elseif(SIMTLAB_BACKEND STREQUAL "cuda")
    if(NOT TARGET simtlab_runner_cuda)
      message(FATAL_ERROR "SIMTLAB_BACKEND=cuda needs nvcc, and there is none in PATH or /usr/local/cuda/bin. "
                          "Install the CUDA Toolkit, set SIMTLAB_NVCC, or choose SIMTLAB_BACKEND=emulator.")
    endif()
    set(chosen cuda)
    set(why "asked for")
  elseif(NOT SIMTLAB_BACKEND STREQUAL "auto")
    message(FATAL_ERROR "SIMTLAB_BACKEND is \"${SIMTLAB_BACKEND}\"; it is auto, cuda or emulator")
  elseif(NOT TARGET simtlab_runner_cuda)
    set(chosen emulator)
    set(why "there is no nvcc")
  elseif(gpu STREQUAL "")
    set(chosen emulator)
    set(why "there is no usable GPU")
  else()
    set(chosen cuda)
    set(why "there are nvcc and ${gpu}")
  endif()
  message(STATUS "simtlab: the labs' tests run on the ${chosen} backend, because ${why}")
  set(${result} ${chosen} PARENT_SCOPE)
endfunction()

# lab.cpp as the runner sees it. Optimised and without debug information: that is what drops reference, cases and hints.
# -Wmissing-declarations: a function with external linkage would stay.
function(simtlab_add_runner_lab target source backend includes)
  add_library(${target} OBJECT EXCLUDE_FROM_ALL ${source})
  target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR}/harness)
  target_include_directories(${target} SYSTEM PRIVATE ${includes})
  target_compile_definitions(${target} PRIVATE SIMTLAB_RUNNER)
  target_compile_options(${target} PRIVATE -O2 -g0 -Wmissing-declarations)
  set_target_properties(${target} PROPERTIES UNITY_BUILD OFF)  # messages name lab.cpp alone
  target_link_libraries(${target} PRIVATE simtlab_warnings)
  simtlab_parse_lab_header_once(${target} simtlab_lab_header_of_${backend}s ${source})
endfunction()

function(simtlab_add_judge target name source)
  add_executable(${target} EXCLUDE_FROM_ALL ${source} ${CMAKE_SOURCE_DIR}/harness/judge/lab_name.cpp)
  target_compile_options(${target} PRIVATE -Wmissing-declarations)
  simtlab_build_quickly(${target})  # references of cases so small take no longer for it
  set_target_properties(${target} PROPERTIES UNITY_BUILD OFF)  # messages name lab.cpp alone
  target_link_libraries(${target} PRIVATE simtlab_judge simtlab_judge_face simtlab_warnings)
  simtlab_parse_lab_header_once(${target} simtlab_lab_header_of_judges ${source})
  target_compile_definitions(${target} PRIVATE SIMTLAB_LAB_NAME="${name}")
endfunction()

# Where every lab is built, all sources that are compiled with the options of `target` share its one header, parsed once as
# `shared`: it is most of their compile time. A user builds few labs and parses it with each. Every lab.cpp names the header
# all the same, or a student's tree does not build.
function(simtlab_parse_lab_header_once target shared source)
  file(STRINGS ${source} named REGEX "^#include \"spec/lab.h\"" LIMIT_COUNT 1)
  if(NOT named)
    message(FATAL_ERROR "${source} has no line `#include \"spec/lab.h\"`: put it before all else")
  endif()
  if(NOT SIMTLAB_WHOLE OR SIMTLAB_SANITIZER)
    return()
  endif()
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)  # ccache asks for it
  if(NOT TARGET ${shared})
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/lab_header.cpp CONTENT "// nothing but its precompiled header\n")
    add_library(${shared} OBJECT EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/lab_header.cpp)
    foreach(property IN ITEMS COMPILE_OPTIONS COMPILE_DEFINITIONS INCLUDE_DIRECTORIES LINK_LIBRARIES)
      get_target_property(value ${target} ${property})
      if(value)
        set_target_properties(${shared} PROPERTIES ${property} "${value}")
      endif()
    endforeach()
    target_precompile_headers(${shared} PRIVATE ${CMAKE_SOURCE_DIR}/harness/spec/lab.h)
  endif()
  target_precompile_headers(${target} REUSE_FROM ${shared})
endfunction()

# A JSON array of strings.
function(simtlab_json_words result)
  set(words "")
  foreach(word IN LISTS ARGN)
    string(APPEND words "${words_separator}\"${word}\"")
    set(words_separator ", ")
  endforeach()
  set(${result} "[${words}]" PARENT_SCOPE)
endfunction()

# Sets `commands` to what makes `program` of a source in three steps: compiled, closed, linked. Closed: all names but the entry
# are local. So a submission may call a variable `error` or `write` without putting it in the place of a function that the
# C library or the runner calls, and templates that both sides instantiate are not merged.
function(simtlab_runner_commands commands compiler options source closing link program)
  set(object ${program}.dir/kernel.o)
  set(${commands}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${program}.dir
      COMMAND ${compiler} ${options} -c ${source} -o ${object}
      COMMAND ${simtlab_joining} ${object} -o ${program}.dir/joined.o
      COMMAND ${simtlab_closing}${closing} ${program}.dir/joined.o ${program}.dir/closed.o
      COMMAND ${compiler} ${options} ${program}.dir/closed.o ${link} -o ${program}
      PARENT_SCOPE)
endfunction()
set(simtlab_joining ${CMAKE_LINKER} -r --force-group-allocation)
set(simtlab_closing ${CMAKE_OBJCOPY} --keep-global-symbols=)

function(simtlab_add_lab name backend)
  set(folder ${CMAKE_SOURCE_DIR}/labs/${name})
  set(tree ${CMAKE_BINARY_DIR}/labs/${name})
  file(MAKE_DIRECTORY ${tree})

  simtlab_add_judge(judge-${name} ${name} ${folder}/lab.cpp)
  set_target_properties(judge-${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${tree})
  add_dependencies(simtlab_judges judge-${name})

  set(backends_json "")
  set(known_backends "")
  if(TARGET simtcc)
    list(APPEND known_backends emulator)
    simtlab_add_runner_lab(runner-lab-${name}-emulator ${folder}/lab.cpp emulator ${CMAKE_SOURCE_DIR}/harness/emulator/include)
    set(compiler_emulator ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:simtcc> --submission)
    # What simtcc brings in unasked: the grader's keys change when the emulator does.
    set(depends_emulator ${CMAKE_BINARY_DIR}/emulator/simtlab_emulator.o ${CMAKE_BINARY_DIR}/emulator/simtcc.conf
                         $<TARGET_OBJECTS:simtcc_startup> $<TARGET_FILE:simtlab_course>
                         ${CMAKE_SOURCE_DIR}/harness/emulator/include)
    set(built_first_emulator simtcc simtlab_emulator_sealed simtlab_emulator_boundary simtlab_emulator_headers)
    set(first_emulator $<TARGET_OBJECTS:simtlab_emulator_boundary>)  # behind the submission's objects, before ours
  endif()
  if(TARGET simtlab_runner_cuda)
    list(APPEND known_backends cuda)
    get_target_property(includes simtlab_runner_cuda INCLUDE_DIRECTORIES)
    simtlab_add_runner_lab(runner-lab-${name}-cuda ${folder}/lab.cpp cuda "${includes}")
    set(compiler_cuda ${SIMTLAB_NVCC} -std=c++20 -O3 -lineinfo ${simtlab_gencode})
    set(built_first_cuda "")
  endif()
  simtlab_references(references ${name})
  foreach(known IN LISTS known_backends)
    set(link_${known} ${first_${known}} $<TARGET_OBJECTS:runner-lab-${name}-${known}> $<TARGET_OBJECTS:simtlab_runner_main_${known}>
                      $<TARGET_FILE:simtlab_runner_${known}>)
    set(entries_${known} ${tree}/entries-${known}.txt)
    add_custom_command(OUTPUT ${entries_${known}}
      COMMAND ${CMAKE_SOURCE_DIR}/harness/cmake/entry_names.sh ${CMAKE_NM} $<TARGET_OBJECTS:runner-lab-${name}-${known}>
              ${entries_${known}}
      DEPENDS runner-lab-${name}-${known} $<TARGET_OBJECTS:runner-lab-${name}-${known}>
              ${CMAKE_SOURCE_DIR}/harness/cmake/entry_names.sh
      VERBATIM COMMENT "Naming the entry of ${name}")
    add_custom_target(entries-${name}-${known} DEPENDS ${entries_${known}})
    list(APPEND built_first_${known} entries-${name}-${known})
    add_dependencies(simtlab_judges runner-lab-${name}-${known} simtlab_runner_main_${known} simtlab_runner_${known}
                     ${built_first_${known}})
    simtlab_json_words(compiler_json ${compiler_${known}})
    simtlab_json_words(link_json ${link_${known}})
    simtlab_json_words(depends_json ${depends_${known}} ${entries_${known}})
    simtlab_json_words(join_json ${simtlab_joining})
    simtlab_json_words(close_json ${simtlab_closing}${entries_${known}})
    set(baselines_json "")
    set(precompiled_json "")
    if(known STREQUAL "emulator")
      set(precompiled_json ",\n      \"precompiled\": \"${CMAKE_BINARY_DIR}/emulator/precompiled\",\n      \"expanded_text\": \"--expanded-text=\"")
      if(SIMTLAB_FRONT_END_NAME AND SIMTLAB_ASK_FRONT_END)
        string(APPEND precompiled_json ",\n      \"front_ends\": [${SIMTLAB_FRONT_END_JSON}]")
      endif()
      if(TARGET simtlab-verifier)
        string(APPEND precompiled_json ",\n      \"verifier\": \"$<TARGET_FILE:simtlab-verifier>\"")
        add_dependencies(simtlab_judges simtlab-verifier)
      endif()
    endif()
    if(known STREQUAL "cuda" AND TARGET simtlab-baselines)
      set(baselines_json ",\n      \"baselines\": \"$<TARGET_FILE:simtlab-baselines>\"")
    endif()
    if(known STREQUAL "cuda" AND references)
      set(words ${references})
      list(TRANSFORM words REPLACE "^(.*)=(.*)$" "\"\\1\": \"\\2\"")
      list(JOIN words ", " words)
      string(APPEND baselines_json ",\n      \"references\": {${words}}")
    endif()
    string(APPEND backends_json "${separator}\n    \"${known}\": {\"compiler\": ${compiler_json},\n      \"link\": ${link_json}, \"depends\": ${depends_json},\n      \"join\": ${join_json}, \"close\": ${close_json}${precompiled_json}${baselines_json}}")
    set(separator ",")
  endforeach()
  if(EXISTS ${folder}/phases.cu AND TARGET simtlab_phases)
    simtlab_add_phases(${name} phases ${folder}/kernel.cu)
    if(EXISTS ${CMAKE_SOURCE_DIR}/solutions/${name}/kernel.cu)
      simtlab_add_phases(${name} phases-solution ${CMAKE_SOURCE_DIR}/solutions/${name}/kernel.cu)
      simtlab_add_phases_test(${name})
    endif()
  endif()
  set(predict_json "")
  if(EXISTS ${folder}/predict.cu AND TARGET simtlab_predict)
    simtlab_add_predictions(${name})
    set(predict_json "\"predict\": \"${tree}/predict\",\n  ")
  endif()
  file(GENERATE OUTPUT ${tree}/lab.json CONTENT
"{\"name\": \"${name}\",
  \"judge\": \"$<TARGET_FILE:judge-${name}>\",
  ${predict_json}  \"backends\": {${backends_json}},
  \"files\": [\"kernel.cu\"]}
")

  if(TARGET simtlab_runner_cuda)
    simtlab_add_cuda_test(${name})
  endif()
  if(NOT backend IN_LIST known_backends)
    message(STATUS "simtlab: ${name} has no runner yet, because the ${backend} backend is not built here")
    return()
  endif()

  # The student's own runner. Not part of `all`: one broken file must not stop the other labs.
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cu ${folder}/*.cuh ${folder}/*.h)
  set(front_end "")
  set(engine "")
  if(backend STREQUAL "emulator")
    set(engine --engine ${SIMTLAB_ENGINE})
  endif()
  set(read_by "")
  if(backend STREQUAL "emulator" AND SIMTLAB_FRONT_END_NAME AND SIMTLAB_ASK_FRONT_END)  # on a GPU nvcc compiles
    set(front_end --front-end)
    set(read_by ", which ${SIMTLAB_FRONT_END_NAME} reads as CUDA, too")
  endif()
  simtlab_runner_commands(commands "${compiler_${backend}}" "${front_end};${engine}" kernel.cu ${entries_${backend}}
                          "${link_${backend}}" ${tree}/runner)
  add_custom_command(OUTPUT ${tree}/runner ${commands}
    DEPENDS ${sources} ${entries_${backend}} ${link_${backend}} ${built_first_${backend}}
    WORKING_DIRECTORY ${folder} COMMENT "Building ${name} with kernel.cu${read_by}" VERBATIM COMMAND_EXPAND_LISTS)
  add_custom_target(lab_${name} DEPENDS ${tree}/runner)
  add_dependencies(lab_${name} judge-${name})
  if(TARGET simtlab_editor_database)
    add_dependencies(lab_${name} simtlab_editor_database)
  endif()

  # `make profile` shows the emulator's counters, also where the tests run on a GPU.
  if("emulator" IN_LIST known_backends)
    simtlab_runner_commands(commands "${compiler_emulator}" "--engine;${SIMTLAB_ENGINE}" kernel.cu ${entries_emulator}
                            "${link_emulator}" ${tree}/profile-runner)
    add_custom_command(OUTPUT ${tree}/profile-runner ${commands}
      DEPENDS ${sources} ${entries_emulator} ${link_emulator} ${built_first_emulator}
      WORKING_DIRECTORY ${folder} COMMENT "Building ${name} for its profile" VERBATIM COMMAND_EXPAND_LISTS)
    add_custom_target(profile_${name} DEPENDS ${tree}/profile-runner)
    add_dependencies(profile_${name} judge-${name})
    # `make debug`: to step through, not to measure.
    simtlab_runner_commands(commands "${compiler_emulator}" --for-gdb kernel.cu ${entries_emulator} "${link_emulator}"
                            ${tree}/debug-runner)
    add_custom_command(OUTPUT ${tree}/debug-runner ${commands}
      DEPENDS ${sources} ${entries_emulator} ${link_emulator} ${built_first_emulator}
      WORKING_DIRECTORY ${folder} COMMENT "Building ${name} for the debugger" VERBATIM COMMAND_EXPAND_LISTS)
    add_custom_target(debug_${name} DEPENDS ${tree}/debug-runner)
    add_dependencies(debug_${name} judge-${name})
  endif()

  add_test(NAME ${name}.build
           COMMAND ${CMAKE_COMMAND} -E env --unset=MAKEFLAGS --unset=MFLAGS --unset=MAKELEVEL
                   ${CMAKE_COMMAND} --build ${CMAKE_BINARY_DIR} --target lab_${name})
  set_tests_properties(${name}.build PROPERTIES FIXTURES_SETUP build_${name} RESOURCE_LOCK cmake_build TIMEOUT 3600
                       LABELS lab)
  # What the grader refuses, by the same audit where the grader's own code for that is there.
  if(EXISTS ${CMAKE_SOURCE_DIR}/grading/simtlab/home)
    add_test(NAME ${name}.allowed
             COMMAND ${CMAKE_SOURCE_DIR}/harness/setup/audit_lab.sh ${CMAKE_BINARY_DIR} ${name} ${backend})
    set_tests_properties(${name}.allowed PROPERTIES FIXTURES_REQUIRED build_${name} SKIP_RETURN_CODE 77 TIMEOUT 300
                         LABELS lab)
  endif()
  set(comparison "")
  if(backend STREQUAL "cuda" AND TARGET simtlab-baselines)
    list(APPEND comparison --baselines $<TARGET_FILE:simtlab-baselines>)
    add_dependencies(lab_${name} simtlab-baselines)
    add_dependencies(simtlab_judges simtlab-baselines)
  endif()
  if(backend STREQUAL "cuda")
    add_dependencies(simtlab_judges simtlab-canary)
  endif()
  if(backend STREQUAL "cuda" AND references)
    foreach(reference IN LISTS references)
      list(APPEND comparison --reference ${reference})
    endforeach()
    add_dependencies(lab_${name} cuda_${name})
    add_dependencies(simtlab_judges cuda_${name})
  endif()
  # What `make test WATCH=1` gives to the judge, a word per line.
  set(judge_words --runner ${tree}/runner --backend ${backend} --source ${folder}/kernel.cu ${engine} ${comparison})
  list(JOIN judge_words "\n" judge_words)
  file(GENERATE OUTPUT ${tree}/judge.words CONTENT "${judge_words}\n")
  foreach(phase IN ITEMS correct safe fast)
    add_test(NAME ${name}.${phase}
             COMMAND judge-${name} --runner ${tree}/runner --backend ${backend} --source ${folder}/kernel.cu
                     --test-case=${phase} ${engine} --together ${tree}/parts ${comparison})
    set_tests_properties(${name}.${phase} PROPERTIES FIXTURES_REQUIRED build_${name}
                         FAIL_REGULAR_EXPRESSION "test cases: +0 \\|" TIMEOUT 600 LABELS lab)
    if(phase STREQUAL "fast")
      set_tests_properties(${name}.fast PROPERTIES SKIP_REGULAR_EXPRESSION "SKIP: no criterion of this lab")
    endif()
    if(backend STREQUAL "cuda")
      set_tests_properties(${name}.${phase} PROPERTIES RESOURCE_LOCK gpu)
    endif()
  endforeach()
endfunction()

set(simtlab_predict_options -std=c++20 -I ${CMAKE_SOURCE_DIR}/harness -I ${CMAKE_SOURCE_DIR}/harness/emulator)

# The lab's questions: predict.cu with the program that asks them. Counters are the emulator's, whatever the tests run on.
function(simtlab_add_predictions name)
  set(tree ${CMAKE_BINARY_DIR}/labs/${name})
  set(source ${CMAKE_SOURCE_DIR}/labs/${name}/predict.cu)
  add_custom_command(OUTPUT ${tree}/predict
    COMMAND ${compiler_emulator} ${simtlab_predict_options} -c predict.cu -o ${tree}/predict.o
    COMMAND ${compiler_emulator} ${tree}/predict.o $<TARGET_OBJECTS:simtlab_predict> -o ${tree}/predict
    DEPENDS ${source} simtlab_predict $<TARGET_OBJECTS:simtlab_predict> ${CMAKE_SOURCE_DIR}/harness/predict/question.h
            ${CMAKE_SOURCE_DIR}/harness/predict/device_array.h ${built_first_emulator} ${depends_emulator}
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}/labs/${name}
    COMMENT "Building the questions of ${name}" VERBATIM COMMAND_EXPAND_LISTS)
  add_custom_target(predict_${name} DEPENDS ${tree}/predict)
  add_dependencies(simtlab_judges predict_${name})
endfunction()

# `make phases`: phases.cu with a kernel whose tile is two wide, and the program that prints the table.
function(simtlab_add_phases name program kernel)
  set(tree ${CMAKE_BINARY_DIR}/labs/${name})
  set(folder ${tree}/${program}.dir)
  set(narrowed ${folder}/kernel.cu)
  set(narrow_tile ${CMAKE_SOURCE_DIR}/harness/setup/narrow_tile.sh)
  cmake_path(GET kernel PARENT_PATH beside)
  add_custom_command(OUTPUT ${tree}/${program}
    COMMAND ${narrow_tile} ${kernel} 2 ${narrowed}
    COMMAND ${compiler_emulator} -I ${beside} -c ${narrowed} -o ${folder}/kernel.o
    COMMAND ${compiler_emulator} ${simtlab_predict_options} -c phases.cu -o ${folder}/phases.o
    COMMAND ${compiler_emulator} ${folder}/kernel.o ${folder}/phases.o $<TARGET_OBJECTS:simtlab_phases> -o ${tree}/${program}
    DEPENDS ${kernel} ${narrow_tile} ${CMAKE_SOURCE_DIR}/labs/${name}/phases.cu ${CMAKE_SOURCE_DIR}/harness/phases/toy.h
            simtlab_phases $<TARGET_OBJECTS:simtlab_phases> ${built_first_emulator} ${depends_emulator}
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}/labs/${name}
    COMMENT "Building the phases of ${name}" VERBATIM COMMAND_EXPAND_LISTS)
  add_custom_target(${program}_${name} DEPENDS ${tree}/${program})
endfunction()

# The solution's table is the one that a person drew.
function(simtlab_add_phases_test name)
  add_test(NAME ${name}.phases-build
           COMMAND ${CMAKE_COMMAND} -E env --unset=MAKEFLAGS --unset=MFLAGS --unset=MAKELEVEL
                   ${CMAKE_COMMAND} --build ${CMAKE_BINARY_DIR} --target phases-solution_${name})
  set_tests_properties(${name}.phases-build PROPERTIES FIXTURES_SETUP phases_${name} RESOURCE_LOCK cmake_build TIMEOUT 600
                       LABELS project)
  add_test(NAME ${name}.phases
           COMMAND ${CMAKE_COMMAND} -DPROGRAM=${CMAKE_BINARY_DIR}/labs/${name}/phases-solution
                   -DEXPECTED=${CMAKE_SOURCE_DIR}/solutions/${name}/phases.txt
                   -P ${CMAKE_SOURCE_DIR}/harness/cmake/SameOutput.cmake)
  set_tests_properties(${name}.phases PROPERTIES FIXTURES_REQUIRED phases_${name} TIMEOUT 60 LABELS project)
endfunction()

# The lab's own kernels that times are compared with, as NAME=RUNNER: the solution, and the anchors that lab.cpp names.
# Empty where there are no solutions.
function(simtlab_references result name)
  set(found "")
  set(solutions ${CMAKE_SOURCE_DIR}/solutions/${name})
  if(EXISTS ${solutions}/kernel.cu)
    set(specification ${CMAKE_SOURCE_DIR}/labs/${name}/lab.cpp)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${specification})
    set(found "solution=${CMAKE_BINARY_DIR}/labs/${name}/cuda-runner")
    file(READ ${specification} text)
    string(REGEX MATCHALL "anchor\\(\"[a-z0-9-]+\"" anchors "${text}")
    foreach(anchor IN LISTS anchors)
      string(REGEX REPLACE "anchor\\(\"([a-z0-9-]+)\"" "\\1" anchor ${anchor})
      if(anchor STREQUAL "solution")
        continue()
      endif()
      if(NOT EXISTS ${solutions}/variants/${anchor}.cu)
        message(FATAL_ERROR "labs/${name}/lab.cpp: anchor(\"${anchor}\", ...) names no kernel: there is no "
                            "solutions/${name}/variants/${anchor}.cu. An anchor is \"solution\", or a variant of the lab that is a "
                            "whole file; `simtlab variant ${name} ${anchor}` prints one that stands in variants.diff.")
      endif()
      list(APPEND found "${anchor}=${CMAKE_BINARY_DIR}/labs/${name}/anchors/${anchor}")
    endforeach()
  endif()
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

# Proves that the lab builds with nvcc for the architectures that courses have: with the model solution where it is.
function(simtlab_add_cuda_test name)
  set(source ${CMAKE_SOURCE_DIR}/solutions/${name}/kernel.cu)
  if(NOT EXISTS ${source})
    set(source ${CMAKE_SOURCE_DIR}/labs/${name}/kernel.cu)
  endif()
  set(program ${CMAKE_BINARY_DIR}/labs/${name}/cuda-runner)
  simtlab_runner_commands(commands "${compiler_cuda}" "-Xcompiler;-Wall" ${source} ${entries_cuda} "${link_cuda}" ${program})
  add_custom_command(OUTPUT ${program} ${commands}
    DEPENDS ${source} ${entries_cuda} ${link_cuda} ${built_first_cuda} COMMENT "Building ${name} with nvcc" VERBATIM COMMAND_EXPAND_LISTS)
  set(anchors "")
  foreach(reference IN LISTS references)
    string(REGEX REPLACE "^(.*)=(.*)$" "\\1;\\2" words ${reference})
    list(GET words 0 anchor)
    list(GET words 1 runner)
    if(NOT anchor STREQUAL "solution")
      set(variant ${CMAKE_SOURCE_DIR}/solutions/${name}/variants/${anchor}.cu)
      file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/labs/${name}/anchors)
      simtlab_runner_commands(commands "${compiler_cuda}" "-Xcompiler;-Wall" ${variant} ${entries_cuda} "${link_cuda}" ${runner})
      add_custom_command(OUTPUT ${runner} ${commands}
        DEPENDS ${variant} ${entries_cuda} ${link_cuda} ${built_first_cuda}
        COMMENT "Building the anchor ${anchor} of ${name} with nvcc" VERBATIM COMMAND_EXPAND_LISTS)
      list(APPEND anchors ${runner})
    endif()
  endforeach()
  add_custom_target(cuda_solution_${name} DEPENDS ${program})
  add_custom_target(cuda_${name} DEPENDS ${program} ${anchors})
  add_dependencies(cuda_${name} judge-${name})
  foreach(part IN ITEMS "cuda-compiles;cuda_solution_${name};project" "cuda-anchors-compile;cuda_${name};project;long")
    list(POP_FRONT part test target)
    add_test(NAME ${name}.${test}
             COMMAND ${CMAKE_COMMAND} -E env --unset=MAKEFLAGS --unset=MFLAGS --unset=MAKELEVEL
                     ${CMAKE_COMMAND} --build ${CMAKE_BINARY_DIR} --target ${target})
    # One at a time, so they begin early: none is to wait for the others at the end.
    set_tests_properties(${name}.${test} PROPERTIES RESOURCE_LOCK cmake_build COST 10 TIMEOUT 600 LABELS "${part}")
  endforeach()
endfunction()

# How an editor's clangd reads kernels and questions: compile_commands.json at the top, beside .clangd, made anew when a source comes
# or goes. No source is compiled for it. The project's own C++ is in the build tree's database, which .clangd names.
function(simtlab_add_editor_database)
  set(database ${CMAKE_SOURCE_DIR}/compile_commands.json)
  file(GLOB kernels CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/labs/*/*.cu ${CMAKE_SOURCE_DIR}/labs/*/*.cuh)
  file(GLOB_RECURSE solutions CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/solutions/*.cu)
  set(questions ${kernels})
  list(FILTER questions INCLUDE REGEX "/(predict|phases)\\.cu$")
  list(FILTER kernels EXCLUDE REGEX "/(predict|phases)\\.cu$")
  set(commands COMMAND ${CMAKE_COMMAND} -E rm -f ${database}
               COMMAND simtcc --compile-commands ${database} ${kernels} ${solutions})
  if(questions)
    list(APPEND commands COMMAND simtcc --compile-commands ${database} ${simtlab_predict_options} ${questions})
  endif()
  add_custom_command(OUTPUT ${database} ${commands} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} DEPENDS simtcc
    COMMENT "Telling editors how kernels are read" VERBATIM)
  add_custom_target(simtlab_editor_database DEPENDS ${database})
endfunction()

function(simtlab_add_labs)
  add_custom_target(simtlab_judges)
  if(TARGET simtcc AND NOT SIMTLAB_SANITIZER)
    simtlab_add_editor_database()
    add_dependencies(simtlab_judges simtlab_editor_database)
  endif()
  if(TARGET simtlab-sandbox)
    add_dependencies(simtlab_judges simtlab-sandbox)
  endif()
  simtlab_choose_backend(backend)
  set(SIMTLAB_CHOSEN_BACKEND ${backend} CACHE INTERNAL "What the labs' tests run on; harness/setup/profile_lab.sh asks")
  set_property(TARGET simtlab_judge PROPERTY BACKEND ${backend})
  file(GLOB specifications CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/labs ${CMAKE_SOURCE_DIR}/labs/*/lab.cpp)
  foreach(specification IN LISTS specifications)
    cmake_path(GET specification PARENT_PATH name)
    simtlab_add_lab(${name} ${backend})
  endforeach()
endfunction()
