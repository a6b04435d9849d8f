// Lab 04: the product of two matrices, straight from global memory.
//
// P = M · N, where M has j × k floats, N has k × l and P has j × l, all stored row after row in device memory.
// The sizes are any positive numbers.
#include <cuda_runtime.h>

// The place of element (row, col) in memory, where each row of the matrix is `width` elements long.
__device__ int place(int row, int width, int col) {
  int at = 0;
  //@@ begin solution
  at = row * width + col;
  //@@ end solution
  return at;
}

__global__ void multiply(const float* m, const float* n, float* p, int j, int k, int l) {
  // Which element of P is this thread's? Let neighbouring threads, by threadIdx.x, have neighbouring elements in memory.
  //@@ begin solution
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  //@@ end solution

  // If P has that element: add up k products, a row of M by a column of N, and store the sum. How long is a row of each
  // matrix?
  //@@ begin solution
  if (row < j && col < l) {
    float sum = 0.0f;
    for (int i = 0; i < k; ++i) {
      sum += m[place(row, k, i)] * n[place(i, l, col)];
    }
    p[place(row, l, col)] = sum;
  }
  //@@ end solution
}

// Called by the tests. `m`, `n` and `p` are device pointers.
void matrix_multiply(const float* m, const float* n, float* p, int j, int k, int l) {
  // Choose blocks of some hundred threads in two dimensions and a grid of them that covers P, and launch the kernel.
  //@@ begin solution
  const dim3 block(16, 16);
  const dim3 grid((l + block.x - 1) / block.x, (j + block.y - 1) / block.y);
  multiply<<<grid, block>>>(m, n, p, j, k, l);
  //@@ end solution
}
