// Lab 02: which thread touches which address?
//
// Two matrices of rows × cols floats are scaled row by row: element (r, c) of each result is factors[r] times element
// (r, c) of its matrix. The first is stored row after row, the second column after column, results like their matrices.
// All pointers are device memory; the sizes are any positive numbers.
#include <cuda_runtime.h>

__global__ void scale_row_major(const float* matrix, const float* factors, float* scaled, int rows, int cols) {
  // Which row and column are this thread's? Let neighbouring threads get neighbouring addresses.
  //@@ your code here

  // If there is such an element, where in memory is it? Read it, scale it, store it.
  //@@ your code here
}

__global__ void scale_column_major(const float* matrix, const float* factors, float* scaled, int rows, int cols) {
  // The same questions: which row and column now, so that neighbouring threads get neighbouring addresses?
  //@@ your code here

  // And where in memory is this element?
  //@@ your code here
}

// Called by the tests.
void scale_rows(const float* row_major, const float* column_major, const float* factors, float* scaled_row_major,
                float* scaled_column_major, int rows, int cols) {
  // Choose a block, and for each kernel a grid that covers its matrix. Are the two grids the same?
  //@@ your code here
}
