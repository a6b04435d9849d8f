# The component `grader`: what grading needs beside simtcc, in the shape of a build tree, for the wheel (harness/wheels).
#
#   cmake --build build/wheel --target grader_files && cmake --install build/wheel --component grader --prefix DIR
#
#   lib/simtlab/grader/labs/NN-name/   lab.json, the judge, the questions, and what a submission is linked with
#   lib/simtlab/grader/runner/         the runner, which every lab's submissions are linked with
#   lib/simtlab/grader/sandbox/        simtlab-sandbox
#   lib/simtlab/grader/verifier/       simtlab-verifier
#
# In lab.json `@PREFIX@` stands for DIR, wherever it is (grading/simtlab/labs/build_description.py). Grading there is by the
# emulator alone.
if(NOT TARGET simtcc OR NOT TARGET simtlab-sandbox OR SIMTLAB_SANITIZER)
  return()  # a students' copy has no grader
endif()
set(grader lib/simtlab/grader)
set(at "@PREFIX@/${grader}")
set(emulator "@PREFIX@/lib/simtlab")

add_custom_target(grader_files DEPENDS simtcc_files simtlab_judges simtlab-sandbox)
install(PROGRAMS $<TARGET_FILE:simtlab-sandbox> DESTINATION ${grader}/sandbox COMPONENT grader EXCLUDE_FROM_ALL)
set(verifier_json "")
if(TARGET simtlab-verifier)
  install(PROGRAMS $<TARGET_FILE:simtlab-verifier> DESTINATION ${grader}/verifier COMPONENT grader EXCLUDE_FROM_ALL)
  set(verifier_json ", \"verifier\": \"${at}/verifier/simtlab-verifier\"")
endif()
install(FILES $<TARGET_OBJECTS:simtlab_emulator_boundary> DESTINATION ${grader}/runner RENAME boundary.o COMPONENT grader EXCLUDE_FROM_ALL)
install(FILES $<TARGET_OBJECTS:simtlab_runner_main_emulator> DESTINATION ${grader}/runner RENAME main.o COMPONENT grader EXCLUDE_FROM_ALL)
install(FILES $<TARGET_FILE:simtlab_runner_emulator> DESTINATION ${grader}/runner RENAME runner.a COMPONENT grader EXCLUDE_FROM_ALL)

file(GLOB specifications RELATIVE ${CMAKE_SOURCE_DIR}/labs ${CMAKE_SOURCE_DIR}/labs/*/lab.cpp)
foreach(specification IN LISTS specifications)
  cmake_path(GET specification PARENT_PATH name)
  set(lab ${at}/labs/${name})
  set(tree ${CMAKE_BINARY_DIR}/labs/${name})
  set(predict_json "")
  if(TARGET predict_${name})
    set(predict_json "\"predict\": \"${lab}/predict\", ")
    install(PROGRAMS ${tree}/predict DESTINATION ${grader}/labs/${name} COMPONENT grader EXCLUDE_FROM_ALL)
  endif()
  file(WRITE ${CMAKE_BINARY_DIR}/install/labs/${name}/lab.json
"{\"name\": \"${name}\", \"judge\": \"${lab}/judge-${name}\", ${predict_json}\"files\": [\"kernel.cu\"],
  \"backends\": {\"emulator\": {
    \"compiler\": [\"@PREFIX@/bin/simtcc\"],
    \"link\": [\"${at}/runner/boundary.o\", \"${lab}/lab.o\", \"${at}/runner/main.o\", \"${at}/runner/runner.a\"],
    \"depends\": [\"${emulator}/simtlab_emulator.o\", \"${emulator}/simtcc.conf\", \"${emulator}/simtlab_startup.o\", \"${emulator}/libsimtlab_course.a\",
                \"@PREFIX@/include/simtlab\", \"${lab}/entries-emulator.txt\"],
    \"join\": [\"ld\", \"-r\", \"--force-group-allocation\"],
    \"close\": [\"objcopy\", \"--keep-global-symbols=${lab}/entries-emulator.txt\"]${verifier_json}}}}
")
  install(FILES ${CMAKE_BINARY_DIR}/install/labs/${name}/lab.json ${tree}/entries-emulator.txt
          DESTINATION ${grader}/labs/${name} COMPONENT grader EXCLUDE_FROM_ALL)
  install(FILES $<TARGET_OBJECTS:runner-lab-${name}-emulator> DESTINATION ${grader}/labs/${name} RENAME lab.o COMPONENT grader EXCLUDE_FROM_ALL)
  install(PROGRAMS $<TARGET_FILE:judge-${name}> DESTINATION ${grader}/labs/${name} COMPONENT grader EXCLUDE_FROM_ALL)
endforeach()
