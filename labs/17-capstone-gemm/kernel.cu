// Lab 17: the fastest product of two matrices, in single precision and without tensor cores.
//
// C = A · B, where A has j × k floats, B has k × l and C has j × l, all stored row after row in device memory.
// The sizes are any positive numbers; nothing promises that a tile divides them, or that a row begins at 16 bytes.
#include <cuda_runtime.h>

// How large is the part of C of a block, of a warp and of a thread? How deep are the slices of A and B that a block brings
// to shared memory at a time?
//@@ your code here

// Your kernel, or kernels. Which loads and stores can move four floats at once, and for which sizes?
//@@ your code here

// Called by the tests. `a`, `b` and `c` are device pointers.
void gemm(const float* a, const float* b, float* c, int j, int k, int l) {
  // Choose a grid that covers C, and the kernel that fits the sizes.
  //@@ your code here
}
