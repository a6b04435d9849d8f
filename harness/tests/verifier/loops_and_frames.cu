// Ordinary code that is hard to follow: loops in loops with branches, and frames that are aligned beyond what calls do.
#include <cuda_runtime.h>

__constant__ float weights[81];

/// One thread makes everything: four loops in each other, and branches in the innermost.
__global__ void columns_first(const float* input, float* output, int rows, int cols, int radius) {
  for (int col = 0; col < cols; ++col)
    for (int row = 0; row < rows; ++row) {
      const int width = 2 * radius + 1;
      float sum = 0.0f;
      for (int y = 0; y < width; ++y)
        for (int x = 0; x < width; ++x) {
          const int r = row + y - radius, c = col + x - radius;
          if (r >= 0 && r < rows && c >= 0 && c < cols) sum += weights[y * width + x] * input[r * cols + c];
        }
      if (row < rows && col < cols) output[row * cols + col] = sum;
    }
}

__global__ void by_strides(const float* input, float* output, int rows, int cols, int radius) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  for (int row = blockIdx.y * blockDim.y + threadIdx.y; row < rows; row += gridDim.y * blockDim.y) {
    const int width = 2 * radius + 1;
    float sum = 0.0f;
    for (int y = 0; y < width; ++y)
      for (int x = 0; x < width; ++x) {
        const int r = row + y - radius, c = col + x - radius;
        if (r >= 0 && r < rows && c >= 0 && c < cols) sum += weights[y * width + x] * input[r * cols + c];
      }
    if (row < rows && col < cols) output[row * cols + col] = sum;
  }
}

__global__ void six_deep(const float* in, float* out, int n, int m, int radius) {
  for (int image = blockIdx.z; image < n; image += gridDim.z)
    for (int channel = 0; channel < m; ++channel)
      for (int row = threadIdx.y; row < n; row += blockDim.y)
        for (int col = threadIdx.x; col < n; col += blockDim.x) {
          float sum = 0.0f;
          for (int y = -radius; y <= radius; ++y)
            for (int x = -radius; x <= radius; ++x) {
              if (row + y < 0 || row + y >= n) continue;
              if (col + x < 0 || col + x >= n) break;
              sum += in[((image * m + channel) * n + row + y) * n + col + x] * weights[(y + radius) * 9 + x + radius];
            }
          out[((image * m + channel) * n + row) * n + col] = sum;
        }
}

__device__ __noinline__ void fill(float* p, int n) {
  for (int i = 0; i < n; ++i) p[i] = i * 0.5f;
}
__global__ void aligned_locals(float* out, int n) {
  alignas(32) float v[8];
  alignas(64) float w[16];
  fill(v, n);
  fill(w, n + 3);
  for (int i = 0; i < 8; ++i) v[i] += out[i] * n;
  float sum = 0;
  for (int i = 0; i < 8; ++i) sum += v[(i + n) & 7] * w[(i * n) & 15];
  out[threadIdx.x] = sum;
}

struct alignas(32) wide {
  double values[4];
};
__device__ __noinline__ wide twice(const wide& w) {
  wide made = w;
  for (double& x : made.values) x *= 2;
  return made;
}
__global__ void aligned_results(wide* out, const wide* in, int n) {
  wide b = twice(in[n]);
  if (n > 4) b = twice(b);
  out[threadIdx.x] = twice(b);
}
__device__ __noinline__ int many(int a, int b, int c, int d, int e, int f, int g, int h, const int* p) {
  alignas(32) int own[32];
  for (int i = 0; i < 32; ++i) own[i] = p[i] * a + h;
  return own[g & 31] + b + c + d + e + f;
}
__global__ void arguments_on_the_stack(int* out) { out[0] = many(1, 2, 3, 4, 5, 6, out[1], out[2], out); }

int by_host(int n) {
  alignas(64) int own[32];
  for (int i = 0; i < n; ++i) own[i & 31] = i * n;
  try {
    if (own[n & 31] == 77) throw 5;
    return own[(n * 3) & 31];
  } catch (int x) {
    return own[x];
  }
}

// The seventh argument goes on through the stack: the guard of its read runs before the stack pointer is moved for it.
void seven(const float* v, float* s, unsigned int* n, int a, const float* i, float* p, int b);
void hands_the_seventh_on(const float* values, float* sum, unsigned int* negatives, int value_count, const float* items,
                          float* prefix, int item_count) {
  float* own_values;
  cudaMalloc(&own_values, 4);
  cudaMemcpy(own_values, values, 4, cudaMemcpyDeviceToDevice);
  float* own_prefix;
  cudaMalloc(&own_prefix, 4);
  seven(own_values, sum, negatives, value_count, items, own_prefix, item_count);
  cudaMemcpy(prefix, own_prefix, 4, cudaMemcpyDeviceToDevice);
}
