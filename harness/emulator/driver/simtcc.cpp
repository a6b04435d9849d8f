// simtcc: an nvcc-like driver that compiles CUDA C++ for the emulator. See docs/architecture.md for its contract.
#include "driver/simtcc_program.h"

int main(int argc, char** argv) { return simtlab::emulator::run_simtcc({argv + 1, argv + argc}); }
