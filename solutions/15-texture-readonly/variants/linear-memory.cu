// expect: correct=pass safe=pass fast=55..65
// A texture of linear memory has neither filter nor borders: four fetches by index.
#include <cuda_runtime.h>

__global__ void resample_pixels(cudaTextureObject_t input, int width, int height, int pitch, float* output,
                                int new_width, int new_height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < new_width && y < new_height) {
    const float from_x = (x + 0.5f) * width / new_width - 0.5f;
    const float from_y = (y + 0.5f) * height / new_height - 0.5f;
    const int left = static_cast<int>(floorf(from_x)), top = static_cast<int>(floorf(from_y));
    const float a = from_x - left, b = from_y - top;
    const int x0 = max(left, 0), x1 = min(left + 1, width - 1);
    const int y0 = max(top, 0), y1 = min(top + 1, height - 1);
    const float above =
        (1 - a) * tex1Dfetch<float>(input, y0 * pitch + x0) + a * tex1Dfetch<float>(input, y0 * pitch + x1);
    const float below =
        (1 - a) * tex1Dfetch<float>(input, y1 * pitch + x0) + a * tex1Dfetch<float>(input, y1 * pitch + x1);
    output[y * new_width + x] = (1 - b) * above + b * below;
  }
}

void resample(const float* input, int width, int height, int pitch, float* output, int new_width, int new_height) {
  cudaResourceDesc memory = {};
  memory.resType = cudaResourceTypeLinear;
  memory.res.linear.devPtr = const_cast<float*>(input);
  memory.res.linear.desc = cudaCreateChannelDesc<float>();
  memory.res.linear.sizeInBytes = pitch * height * sizeof(float);
  cudaTextureDesc reading = {};
  reading.readMode = cudaReadModeElementType;
  cudaTextureObject_t elements = 0;
  if (cudaCreateTextureObject(&elements, &memory, &reading, nullptr) != cudaSuccess) return;
  const dim3 block(32, 8);
  const dim3 grid((new_width + block.x - 1) / block.x, (new_height + block.y - 1) / block.y);
  resample_pixels<<<grid, block>>>(elements, width, height, pitch, output, new_width, new_height);
  cudaDeviceSynchronize();
  cudaDestroyTextureObject(elements);
}
