// Lab 14: how often does each symbol occur in each sequence?
//
// There are `sequences` sequences of `length` symbols, each symbol a number from 0 to 15. Symbol i of sequence s is
// symbols[i * sequences + s], so that symbol i of all sequences stands side by side. counts[k * sequences + s] becomes
// the number of symbols k in sequence s. Both pointers are device memory; the sizes are any positive numbers.
#include <cuda_runtime.h>

constexpr int kinds = 16;

// Choose how many threads a block has. What limits the blocks of an RTX 3090's multiprocessor then?
//@@ begin solution
constexpr int block_threads = 256;
//@@ end solution

// Write the kernel. One thread takes one sequence. Where do its 16 counts stand, and which index chooses among them?
// Promise the compiler what you launch: __launch_bounds__(threads), or (threads, blocks that are to fit), stands between
// `void` and the kernel's name.
//@@ begin solution
__global__ void __launch_bounds__(block_threads, 6)
    tally_sequences(const unsigned char* symbols, int* counts, int sequences, int length) {
  const int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= sequences) return;
  int mine[kinds] = {};
  for (int i = 0; i < length; ++i) {
    const int symbol = symbols[static_cast<size_t>(i) * sequences + s];
#pragma unroll
    for (int k = 0; k < kinds; ++k) mine[k] += symbol == k;
  }
#pragma unroll
  for (int k = 0; k < kinds; ++k) counts[static_cast<size_t>(k) * sequences + s] = mine[k];
}
//@@ end solution

// Called by the tests. `symbols` and `counts` are device pointers.
void tally(const unsigned char* symbols, int* counts, int sequences, int length) {
  // Launch enough blocks for all sequences.
  //@@ begin solution
  const int blocks = (sequences + block_threads - 1) / block_threads;
  tally_sequences<<<blocks, block_threads>>>(symbols, counts, sequences, length);
  //@@ end solution
}
