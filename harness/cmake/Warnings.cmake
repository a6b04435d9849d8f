# Warnings are one INTERFACE target that everything of ours carries; student code never does. They are errors, because a
# warning that is let through today hides tomorrow's; a packager with an unknown compiler sets SIMTLAB_WERROR=OFF.
option(SIMTLAB_WERROR "Treat warnings in simtlab's own code as errors" ON)
add_library(simtlab_warnings INTERFACE)
target_compile_options(simtlab_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wconversion -Wshadow $<$<BOOL:${SIMTLAB_WERROR}>:-Werror>>)
# g++ 12 takes inlined std::string operations for overlapping copies of 2^63 bytes (GCC bug 105651, repaired in 13).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(simtlab_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
endif()
# The sanitizers' trees and a student's compile sources in batches (QuickBuild.cmake). What warns of a batch alone is off
# there: one file's names hide another's. A developer's default tree compiles every file by itself.
if(CMAKE_UNITY_BUILD)
  target_compile_options(simtlab_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-shadow -Wno-subobject-linkage>)
endif()
