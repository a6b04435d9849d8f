// lab: 05-image-blur
// expect: pass
// earns: 70..80
// Takes the colours apart first, so that a thread for each pixel reads neighbouring bytes, and puts the means together again.
#include <cuda_runtime.h>

__global__ void take_apart(const unsigned char* input, unsigned char* planes, int pixels, int channels) {
  const int byte = blockIdx.x * blockDim.x + threadIdx.x;
  if (byte < pixels * channels) planes[byte % channels * pixels + byte / channels] = input[byte];
}

__global__ void blur_plane(const unsigned char* plane, unsigned char* means, int width, int height, int radius) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int sum = 0, pixels = 0;
  for (int r = max(y - radius, 0); r <= min(y + radius, height - 1); ++r) {
    for (int c = x - radius; c <= x + radius; ++c) {
      if (c < 0 || c >= width) continue;
      sum += plane[r * width + c];
      ++pixels;
    }
  }
  means[y * width + x] = (sum + pixels / 2) / pixels;
}

__global__ void put_together(const unsigned char* means, unsigned char* output, int pixels, int channels) {
  const int byte = blockIdx.x * blockDim.x + threadIdx.x;
  if (byte < pixels * channels) output[byte] = means[byte % channels * pixels + byte / channels];
}

void blur(const unsigned char* input, unsigned char* output, int width, int height, int channels, int radius) {
  const int pixels = width * height, bytes = pixels * channels;
  unsigned char *planes = nullptr, *means = nullptr;
  cudaMalloc(&planes, bytes);
  cudaMalloc(&means, bytes);
  take_apart<<<(bytes + 255) / 256, 256>>>(input, planes, pixels, channels);
  const dim3 block(32, 8), grid((width + 31) / 32, (height + 7) / 8);
  for (int channel = 0; channel < channels; ++channel)
    blur_plane<<<grid, block>>>(planes + channel * pixels, means + channel * pixels, width, height, radius);
  put_together<<<(bytes + 255) / 256, 256>>>(means, output, pixels, channels);
  cudaFree(planes);
  cudaFree(means);
}
