// lab: 08-bank-conflicts
// row: 2
// expect: forbidden
// rule: function
// without-audit: forbidden
// caught-by: kernel_writes
// Lets the runtime call host code after the kernel, which then does the work.
#include <cuda_runtime.h>

#include <vector>

struct task {
  const float* from;
  float* to;
  int rows, cols;
};

__global__ void look_busy(float* output) { output[0] = 0.0f; }

void work(void* data) {
  const task* t = static_cast<const task*>(data);
  for (int row = 0; row < t->rows; ++row)
    for (int col = 0; col < t->cols; ++col) t->to[col * t->rows + row] = t->from[row * t->cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  const size_t bytes = static_cast<size_t>(rows) * cols * sizeof(float);
  std::vector<float> from(rows * cols), to(rows * cols);
  task t{from.data(), to.data(), rows, cols};
  look_busy<<<1, 1>>>(output);
  cudaMemcpy(from.data(), input, bytes, cudaMemcpyDeviceToHost);
  cudaLaunchHostFunc(0, work, &t);
  cudaDeviceSynchronize();
  cudaMemcpy(output, to.data(), bytes, cudaMemcpyHostToDevice);
}
