# SIMTLAB_SANITIZER=address|undefined|thread instruments simtlab's own code. Student code never carries these flags:
# its own instrumentation is part of the emulator and must be the same in every preset.
# What the sanitizers do at run time (stop at the first report, leaks) is set in the test presets.
set(SIMTLAB_SANITIZER "" CACHE STRING "address, undefined, thread or empty")
set_property(CACHE SIMTLAB_SANITIZER PROPERTY STRINGS "" address undefined thread)
if(NOT SIMTLAB_SANITIZER MATCHES "^(|address|undefined|thread)$")
  message(FATAL_ERROR "SIMTLAB_SANITIZER=${SIMTLAB_SANITIZER} is unknown; use address, undefined, thread or nothing")
endif()
add_library(simtlab_sanitizer INTERFACE)
if(SIMTLAB_SANITIZER)
  target_compile_options(simtlab_sanitizer INTERFACE -fsanitize=${SIMTLAB_SANITIZER} -fno-omit-frame-pointer
    $<$<STREQUAL:${SIMTLAB_SANITIZER},undefined>:-fno-sanitize-recover=all>)
  # With a sanitizer, g++ takes members of std::regex for uninitialised (its manual: false positives are to be expected).
  target_compile_options(simtlab_sanitizer INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>)
  # ThreadSanitizer does not model fences; ours stand for those of student code and order nothing of our own.
  target_compile_options(simtlab_sanitizer INTERFACE
    $<$<AND:$<STREQUAL:${SIMTLAB_SANITIZER},thread>,$<CXX_COMPILER_ID:GNU>>:-Wno-tsan>)
  target_link_options(simtlab_sanitizer INTERFACE -fsanitize=${SIMTLAB_SANITIZER})
endif()
