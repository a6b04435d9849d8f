// Images and filters: a blur with borders, weights in constant memory, neighbours in static shared memory.
#include "lecture.h"

constexpr int radius = 2, taps = 2 * radius + 1, block = 64;
__constant__ float weights[taps];

__global__ void blur(const unsigned char* in, unsigned char* out, int width, int height) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= width || row >= height) return;
  int sum = 0, pixels = 0;
  for (int r = row - radius; r <= row + radius; ++r) {
    for (int c = col - radius; c <= col + radius; ++c) {
      if (r < 0 || r >= height || c < 0 || c >= width) continue;
      sum += in[r * width + c];
      ++pixels;
    }
  }
  out[row * width + col] = (unsigned char)(sum / pixels);
}

bool box_blur() {
  const int width = 45, height = 30, n = width * height;
  static unsigned char in[n], out[n];
  for (int i = 0; i < n; ++i) in[i] = (unsigned char)(i * 37);
  unsigned char *d_in, *d_out;
  CHECK(cudaMalloc((void**)&d_in, n));
  CHECK(cudaMalloc((void**)&d_out, n));
  CHECK(cudaMemcpy(d_in, in, n, cudaMemcpyHostToDevice));
  blur<<<dim3(blocks_for(width, 16), blocks_for(height, 16)), dim3(16, 16)>>>(d_in, d_out, width, height);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(out, d_out, n, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
  for (int at = 0; at < n; ++at) {
    int sum = 0, pixels = 0;
    for (int r = 0; r < height; ++r) {
      for (int c = 0; c < width; ++c) {
        if (abs(r - at / width) > radius || abs(c - at % width) > radius) continue;
        sum += in[r * width + c];
        ++pixels;
      }
    }
    if (out[at] != sum / pixels) return false;
  }
  return true;
}

// Every lane reads the same weight at the same time; the block's elements and its borders are loaded once.
__global__ void convolve(const float* in, float* out, int n) {
  __shared__ float near[block + 2 * radius];
  const int i = blockIdx.x * block + threadIdx.x, at = threadIdx.x + radius;
  near[at] = i < n ? in[i] : 0;
  if (threadIdx.x < radius) {
    near[threadIdx.x] = i >= radius ? in[i - radius] : 0;
    near[at + block] = i + block < n ? in[i + block] : 0;
  }
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < taps; ++k) sum += weights[k] * near[threadIdx.x + k];
  if (i < n) out[i] = sum;
}

bool constant_memory() {
  const int n = 300;
  const float w[taps] = {1, 2, 3, 4, 5};
  float in[n], out[n];
  for (int i = 0; i < n; ++i) in[i] = i % 9;
  float *d_in = on_device(in, n), *d_out = on_device(nullptr, n);
  CHECK(cudaMemcpyToSymbol(weights, w, sizeof w));
  convolve<<<blocks_for(n, block), block>>>(d_in, d_out, n);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
  for (int i = 0; i < n; ++i) {
    float sum = 0;
    for (int k = 0; k < taps; ++k)
      if (i + k >= radius && i + k - radius < n) sum += w[k] * in[i + k - radius];
    if (out[i] != sum) return false;
  }
  return true;
}

// Each block turns its elements round, through shared memory.
__global__ void reverse_blocks(float* a) {
  __shared__ float s[block];
  const int i = blockIdx.x * block + threadIdx.x;
  s[threadIdx.x] = a[i];
  __syncthreads();
  a[i] = s[block - 1 - threadIdx.x];
}

bool static_shared_memory() {
  const int n = 4 * block;
  float a[n];
  for (int i = 0; i < n; ++i) a[i] = i;
  float* d = on_device(a, n);
  reverse_blocks<<<n / block, block>>>(d);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(a, d, sizeof a, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d));
  for (int i = 0; i < n; ++i)
    if (a[i] != i / block * block + block - 1 - i % block) return false;
  return true;
}

int main(int argc, char** argv) {
  const part parts[] = {
      {"box_blur", box_blur}, {"constant_memory", constant_memory}, {"static_shared_memory", static_shared_memory}};
  return run_parts(parts, 3, argc, argv);
}
