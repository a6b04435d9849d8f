// Where the program's own variables end (boundary.cpp).
#pragma once

#include <cstdint>

struct simtlab_boundary {
  const char *data, *zeroed;  ///< the first addresses behind the program's initialised and zeroed variables
  const char *thread_data, *thread_zeroed;  ///< the same for the calling thread's variables
};

/// Where in each section for code that of the emulator and the embedder begins.
struct simtlab_boundaries_of_code {
  std::uintptr_t unlikely, startup, text;
};

/// Absent from programs that no embedder guards itself against.
extern "C" simtlab_boundary simtlab_find_boundary() __attribute__((weak));
extern "C" simtlab_boundaries_of_code simtlab_find_boundaries_of_code() __attribute__((weak));

/// Of the emulator: the program's static initialisers have run.
extern "C" void simtlab_initialisers_end() __attribute__((weak));
/// Of the emulator: an exception is about to leave frames. The return address of who says so lies at `place`.
extern "C" void simtlab_look_at_unwinding(std::uintptr_t place) __attribute__((weak));
