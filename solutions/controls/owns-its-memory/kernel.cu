// lab: 08-bank-conflicts
// expect: pass
// A class of its own owns scratch memory within the call.
#include <cuda_runtime.h>

class device_buffer {
 public:
  explicit device_buffer(size_t count) { cudaMalloc(&data_, count * sizeof(float)); }
  ~device_buffer() { cudaFree(data_); }
  device_buffer(const device_buffer&) = delete;
  device_buffer& operator=(const device_buffer&) = delete;
  float* get() const { return data_; }

 private:
  float* data_ = nullptr;
};

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  const device_buffer scratch(static_cast<size_t>(rows) * cols);
  const dim3 grid((cols + 31) / 32, (rows + 7) / 8);
  move<<<grid, dim3(32, 8)>>>(input, scratch.get(), rows, cols);
  cudaMemcpy(output, scratch.get(), static_cast<size_t>(rows) * cols * sizeof(float), cudaMemcpyDeviceToDevice);
}
