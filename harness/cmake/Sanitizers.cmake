# SIMTLAB_SANITIZER=address|undefined|address,undefined|thread instruments simtlab's own code. Student code never carries these flags:
# its own instrumentation is part of the emulator and must be the same in every preset.
# What the sanitizers do at run time (stop at the first report, leaks) is set in the test presets.
set(SIMTLAB_SANITIZER "" CACHE STRING "address, undefined, both with a comma between, thread or empty")
set_property(CACHE SIMTLAB_SANITIZER PROPERTY STRINGS "" address undefined address,undefined thread)
if(NOT SIMTLAB_SANITIZER MATCHES "^(|address|undefined|address,undefined|thread)$")
  message(FATAL_ERROR "SIMTLAB_SANITIZER=${SIMTLAB_SANITIZER} is unknown; use address, undefined, address,undefined, thread or nothing")
endif()
add_library(simtlab_sanitizer INTERFACE)
if(SIMTLAB_SANITIZER)
  target_compile_options(simtlab_sanitizer INTERFACE -fsanitize=${SIMTLAB_SANITIZER} -fno-omit-frame-pointer)
  if(SIMTLAB_SANITIZER MATCHES "undefined")
    target_compile_options(simtlab_sanitizer INTERFACE -fno-sanitize-recover=undefined)
  endif()
  # Whether an object's table of functions can be read, it asks the system by a pipe, which a runner has closed (docs/security.md); it
  # then calls a sound object none. The preset `asan` asks, where no runner closes anything.
  if(SIMTLAB_SANITIZER STREQUAL "undefined")
    target_compile_options(simtlab_sanitizer INTERFACE -fno-sanitize=vptr)
  endif()
  # With a sanitizer, g++ takes members of std::regex for uninitialised (its manual: false positives are to be expected).
  target_compile_options(simtlab_sanitizer INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>)
  # ThreadSanitizer does not model fences; ours stand for those of student code and order nothing of our own.
  if(SIMTLAB_SANITIZER STREQUAL "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(simtlab_sanitizer INTERFACE -Wno-tsan)
  endif()
  target_link_options(simtlab_sanitizer INTERFACE -fsanitize=${SIMTLAB_SANITIZER})
endif()
