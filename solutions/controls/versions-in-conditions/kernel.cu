// lab: 08-bank-conflicts
// expect: pass
// Asks which compiler and standard it is.
#include <cuda_runtime.h>
#define VERSION(major, minor) ((major)*100 + (minor))
#if defined(__GNUC__) && VERSION(__GNUC__, __GNUC_MINOR__) >= VERSION(9, 1)
#define INLINE inline __attribute__((always_inline))
#else
#define INLINE inline
#endif
#if __cplusplus >= 201703L
#define UNUSED [[maybe_unused]]
#else
#define UNUSED
#endif
UNUSED static INLINE int blocks(int n, int width) { return (n + width - 1) / width; }

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}
