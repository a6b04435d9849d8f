"""`%%simt`: a notebook's cell is a CUDA program, compiled and run on the emulator, with its findings and counters."""
