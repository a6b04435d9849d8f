# Runs PROGRAM and compares what it says with the file EXPECTED; where they differ both are shown.
separate_arguments(ARGUMENTS)
unset(ENV{GITHUB_ACTIONS})  # or findings would be there as annotations, too
execute_process(COMMAND ${PROGRAM} ${ARGUMENTS} OUTPUT_VARIABLE output ERROR_VARIABLE errors RESULT_VARIABLE code)
# AddressSanitizer does not know fibers' stacks where a fault leaves them.
string(REGEX REPLACE "==[0-9]+==WARNING: ASan is ignoring[^\n]*\n(False positive[^\n]*\n)?(For details[^\n]*\n)?" "" errors "${errors}")
string(REGEX REPLACE "[0-9.]+ ms" "T ms" said "${output}")
if(NOT errors STREQUAL "")
  string(APPEND said "-- on stderr\n${errors}")
endif()
if(NOT code EQUAL 0)
  string(APPEND said "-- exit code ${code}\n")
endif()
if(DEFINED ENV{SIMTLAB_WRITE_EXPECTED})
  file(WRITE ${EXPECTED} "${said}")
endif()
file(READ ${EXPECTED} expected)
if(NOT said STREQUAL expected)
  message(FATAL_ERROR "${PROGRAM} says\n${said}\nbut expected was (${EXPECTED})\n${expected}"
                      "If that is right now, run the test with SIMTLAB_WRITE_EXPECTED=1.")
endif()
