// lab: 14-occupancy
// expect: pass
// earns: 95..100
// A variable for each symbol, and a switch that chooses one: registers, whatever the branches cost. The grid strides.
#include <cuda_runtime.h>

#define FOR_ALL(what)                                                                                                 \
  what(0) what(1) what(2) what(3) what(4) what(5) what(6) what(7) what(8) what(9) what(10) what(11) what(12) what(13) \
      what(14) what(15)

__global__ void count(const unsigned char* symbols, int* counts, int sequences, int length) {
  for (int s = blockIdx.x * blockDim.x + threadIdx.x; s < sequences; s += gridDim.x * blockDim.x) {
#define BEGIN(k) int of_##k = 0;
    FOR_ALL(BEGIN)
    for (int i = 0; i < length; ++i) {
      switch (symbols[i * sequences + s]) {
#define ADD(k) \
  case k:      \
    ++of_##k;  \
    break;
        FOR_ALL(ADD)
      }
    }
#define STORE(k) counts[k * sequences + s] = of_##k;
    FOR_ALL(STORE)
  }
}

void tally(const unsigned char* symbols, int* counts, int sequences, int length) {
  const int needed = (sequences + 191) / 192, blocks = needed < 400 ? needed : 400;
  count<<<blocks, 192>>>(symbols, counts, sequences, length);
}
