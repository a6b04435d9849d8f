// Lab 04: the product of two matrices, straight from global memory.
//
// P = M · N, where M has j × k floats, N has k × l and P has j × l, all stored row after row in device memory.
// The sizes are any positive numbers.
#include <cuda_runtime.h>

// The place of element (row, col) in memory, where each row of the matrix is `width` elements long.
__device__ int place(int row, int width, int col) {
  int at = 0;
  //@@ your code here
  return at;
}

__global__ void multiply(const float* m, const float* n, float* p, int j, int k, int l) {
  // Which element of P is this thread's? Let neighbouring threads, by threadIdx.x, have neighbouring elements in memory.
  //@@ your code here

  // If P has that element: add up k products, a row of M by a column of N, and store the sum. How long is a row of each
  // matrix?
  //@@ your code here
}

// Called by the tests. `m`, `n` and `p` are device pointers.
void matrix_multiply(const float* m, const float* n, float* p, int j, int k, int l) {
  // Choose blocks of some hundred threads in two dimensions and a grid of them that covers P, and launch the kernel.
  //@@ your code here
}
