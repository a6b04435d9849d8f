// Where the program's own variables end (boundary.cpp).
#pragma once

struct simtlab_boundary {
  const char *data, *zeroed;  ///< the first addresses behind the program's initialised and zeroed variables
  const char *thread_data, *thread_zeroed;  ///< the same for the calling thread's variables
};

/// Absent from programs that no embedder guards itself against.
extern "C" simtlab_boundary simtlab_find_boundary() __attribute__((weak));

/// Of the emulator: the program's static initialisers have run.
extern "C" void simtlab_initialisers_end() __attribute__((weak));
