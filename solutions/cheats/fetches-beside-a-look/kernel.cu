// lab: 02-global-coalescing
// row: 41
// expect: pass
// without-audit: pass
// caught-by: whole_work
// earns: 0..5
// else-earns: 45..55
// Fetches of a texture, which are strided like the stores, and a kernel that reads each matrix side by side for
// nothing.
#include <cuda_runtime.h>

__global__ void look(const float* x, float* seen, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] == 12345.0f) seen[0] = x[i];
}

__global__ void scale(cudaTextureObject_t t, const float* factors, float* to, int rows, int cols, bool row_major) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * cols) return;
  int row = row_major ? i % rows : i / cols, col = row_major ? i / rows : i % cols;
  int at = row_major ? row * cols + col : col * rows + row;
  to[at] = factors[row] * tex1Dfetch<float>(t, at);
}

static void one(const float* from, const float* factors, float* to, int rows, int cols, bool rm) {
  int n = rows * cols;
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeLinear;
  r.res.linear.devPtr = (void*)from;
  r.res.linear.desc = cudaCreateChannelDesc<float>();
  r.res.linear.sizeInBytes = n * sizeof(float);
  cudaTextureDesc d = {};
  d.readMode = cudaReadModeElementType;
  cudaTextureObject_t t = 0;
  cudaCreateTextureObject(&t, &r, &d, nullptr);
  look<<<(n + 255) / 256, 256>>>(from, to, n);
  scale<<<(n + 255) / 256, 256>>>(t, factors, to, rows, cols, rm);
  cudaDestroyTextureObject(t);
}

void scale_rows(const float* row_major, const float* column_major, const float* factors, float* scaled_row_major,
                float* scaled_column_major, int rows, int cols) {
  one(row_major, factors, scaled_row_major, rows, cols, true);
  one(column_major, factors, scaled_column_major, rows, cols, false);
}
