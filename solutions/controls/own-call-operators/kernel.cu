// lab: 08-bank-conflicts
// expect: pass
// Function objects and lambdas, on both sides.
#include <cuda_runtime.h>

#include <functional>

template <class T>
struct times {
  T factor;
  __host__ __device__ T operator()(T value) const { return factor * value; }
};

template <class Operation>
__global__ void move(const float* input, float* output, int rows, int cols, Operation operation) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = operation(input[row * cols + col]);
}

void transpose(const float* input, float* output, int rows, int cols) {
  const std::function<int(int, int)> blocks = [](int n, int width) { return (n + width - 1) / width; };
  const times<float> same{1.0f};
  move<<<dim3(blocks(cols, 32), blocks(rows, 8)), dim3(32, 8)>>>(input, output, rows, cols, same);
}
