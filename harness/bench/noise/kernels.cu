// How much do process runs of the same kernel differ? One process run: six usual kernels by number, a share of their
// full size, 15 samples in milliseconds on one line. `simtlab compare` is tested on what this measured (docs/measuring.md).
//
//   nvcc -O2 -arch=sm_90 kernels.cu -o kernels
//   for run in $(seq 22); do for kernel in 0 1 2 3 4 5; do for share in 1 0.97; do ./kernels $kernel $share; done; done; done
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

namespace {

constexpr int elements = 1 << 26, threads = 256, side = 8192, product_side = 2048, tile = 32;
constexpr int warm_ups = 3, samples = 15, blocks = 2112;

__global__ void scale(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] * 2;
}

__global__ void saxpy(const float* x, const float* y, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = x[i] * 2 + y[i];
}

__global__ void transpose(const float* in, float* out) {
  __shared__ float part[tile][tile + 1];
  const int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
  for (int j = 0; j < tile; j += 8) part[threadIdx.y + j][threadIdx.x] = in[(y + j) * side + x];
  __syncthreads();
  for (int j = 0; j < tile; j += 8)
    out[(blockIdx.x * tile + threadIdx.y + j) * side + blockIdx.y * tile + threadIdx.x] =
        part[threadIdx.x][threadIdx.y + j];
}

__global__ void sum(const float* in, float* out, int count) {
  float total = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) total += in[i];
  if (total == 1) *out = total;  // never: keeps the loads without the cost of an atomic operation
}

__global__ void product(const float* a, const float* b, float* c) {
  __shared__ float left[tile][tile], right[tile][tile];
  const int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
  float total = 0;
  for (int p = 0; p < product_side; p += tile) {
    left[threadIdx.y][threadIdx.x] = a[y * product_side + p + threadIdx.x];
    right[threadIdx.y][threadIdx.x] = b[(p + threadIdx.y) * product_side + x];
    __syncthreads();
    for (int k = 0; k < tile; ++k) total += left[threadIdx.y][k] * right[k][threadIdx.x];
    __syncthreads();
  }
  c[y * product_side + x] = total;
}

__global__ void histogram(const float* in, int* bins, int count) {
  __shared__ int own[threads];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    atomicAdd(&own[__float_as_uint(in[i]) >> 8 & 255], 1);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

void launch(int kernel, double share, const float* a, const float* b, float* c) {
  const int count = static_cast<int>(elements * share) / threads * threads;
  if (kernel == 0) scale<<<count / threads, threads>>>(a, c);
  if (kernel == 1) saxpy<<<count / threads, threads>>>(a, b, c);
  if (kernel == 2) transpose<<<dim3(side / tile, static_cast<unsigned>(side / tile * share)), dim3(tile, 8)>>>(a, c);
  if (kernel == 3) sum<<<blocks, threads>>>(a, c, count);
  if (kernel == 4)
    product<<<dim3(product_side / tile, static_cast<unsigned>(product_side / tile * share + 0.1)), dim3(tile, tile)>>>(
        a, b, c);
  if (kernel == 5) histogram<<<blocks, threads>>>(a, reinterpret_cast<int*>(c), count);
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) return 2;
  const int kernel = std::atoi(words[1]);
  const double share = std::atof(words[2]);
  constexpr std::size_t bytes = elements * sizeof(float);
  float *a = nullptr, *b = nullptr, *c = nullptr;
  char* flushed = nullptr;
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMalloc(&c, bytes);
  cudaMalloc(&flushed, bytes);
  cudaMemset(a, 60, bytes);
  cudaMemset(b, 61, bytes);
  cudaEvent_t begin{}, end{};
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  std::printf("%d %g", kernel, share);
  for (int i = -warm_ups; i < samples; ++i) {
    cudaMemset(flushed, i, bytes);  // write, then read: dirty lines would be written back within the measurement
    cudaMemcpy(flushed, flushed + bytes / 2, bytes / 2, cudaMemcpyDeviceToDevice);
    cudaEventRecord(begin);
    launch(kernel, share, a, b, c);
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, begin, end);
    if (i >= 0) std::printf(" %.6f", static_cast<double>(milliseconds));
  }
  std::puts("");
  return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
