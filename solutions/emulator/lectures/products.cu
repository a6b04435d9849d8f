// The product of matrices, from one thread an element to tiles in shared memory, with and without borders, with a structure
// passed by value, and coarsened.
#include "lecture.h"

constexpr int tile_width = 16, coarsening = 4;

// width x width, no borders to look after: the grid has exactly as many threads as elements.
__global__ void simple_square(const float* m, const float* n, float* p, int width) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < width; ++k) sum += m[row * width + k] * n[k * width + col];
  p[row * width + col] = sum;
}

__global__ void simple(const float* m, const float* n, float* p, int j, int k, int l) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= j || col >= l) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += m[row * k + i] * n[i * l + col];
  p[row * l + col] = sum;
}

__global__ void tiled_square(const float* m, const float* n, float* p, int width) {
  __shared__ float ds_m[tile_width][tile_width], ds_n[tile_width][tile_width];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * tile_width + ty, col = blockIdx.x * tile_width + tx;
  float sum = 0;
  for (int phase = 0; phase < width / tile_width; ++phase) {
    ds_m[ty][tx] = m[row * width + phase * tile_width + tx];
    ds_n[ty][tx] = n[(phase * tile_width + ty) * width + col];
    __syncthreads();
    for (int k = 0; k < tile_width; ++k) sum += ds_m[ty][k] * ds_n[k][tx];
    __syncthreads();
  }
  p[row * width + col] = sum;
}

__global__ void tiled(const float* m, const float* n, float* p, int j, int k, int l) {
  __shared__ float ds_m[tile_width][tile_width], ds_n[tile_width][tile_width];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * tile_width + ty, col = blockIdx.x * tile_width + tx;
  float sum = 0;
  for (int begin = 0; begin < k; begin += tile_width) {
    ds_m[ty][tx] = row < j && begin + tx < k ? m[row * k + begin + tx] : 0;
    ds_n[ty][tx] = begin + ty < k && col < l ? n[(begin + ty) * l + col] : 0;
    __syncthreads();
    for (int i = 0; i < tile_width; ++i) sum += ds_m[ty][i] * ds_n[i][tx];
    __syncthreads();
  }
  if (row < j && col < l) p[row * l + col] = sum;
}

// The tile's width is the block's, so the shared memory comes with the launch.
__global__ void tiled_dynamic(const float* m, const float* n, float* p, int j, int k, int l) {
  extern __shared__ float tiles[];
  const int w = blockDim.x, tx = threadIdx.x, ty = threadIdx.y;
  float *ds_m = tiles, *ds_n = tiles + w * w;
  const int row = blockIdx.y * w + ty, col = blockIdx.x * w + tx;
  float sum = 0;
  for (int begin = 0; begin < k; begin += w) {
    ds_m[ty * w + tx] = row < j && begin + tx < k ? m[row * k + begin + tx] : 0;
    ds_n[ty * w + tx] = begin + ty < k && col < l ? n[(begin + ty) * l + col] : 0;
    __syncthreads();
    for (int i = 0; i < w; ++i) sum += ds_m[ty * w + i] * ds_n[i * w + tx];
    __syncthreads();
  }
  if (row < j && col < l) p[row * l + col] = sum;
}

// A matrix, or a part of a larger one: `stride` elements from one row to the next.
struct Matrix {
  int rows, cols, stride;
  float* elements;
  __device__ float& at(int r, int c) const { return elements[r * stride + c]; }
  __device__ Matrix tile(int r, int c) const {
    return {tile_width, tile_width, stride, elements + r * tile_width * stride + c * tile_width};
  }
};

__global__ void tiled_matrices(Matrix a, Matrix b, Matrix c) {
  __shared__ float of_a[tile_width][tile_width], of_b[tile_width][tile_width];
  const Matrix mine = c.tile(blockIdx.y, blockIdx.x);
  const int row = threadIdx.y, col = threadIdx.x;
  float sum = 0;
  for (int phase = 0; phase < a.cols / tile_width; ++phase) {
    const Matrix part_a = a.tile(blockIdx.y, phase), part_b = b.tile(phase, blockIdx.x);
    of_a[row][col] = part_a.at(row, col);
    of_b[row][col] = part_b.at(row, col);
    __syncthreads();
    for (int k = 0; k < tile_width; ++k) sum += of_a[row][k] * of_b[k][col];
    __syncthreads();
  }
  mine.at(row, col) = sum;
}

// Each thread makes `coarsening` elements of a row of tiles and loads its element of m once for all of them.
__global__ void coarsened(const float* m, const float* n, float* p, int width) {
  __shared__ float ds_m[tile_width][tile_width], ds_n[tile_width][tile_width];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * tile_width + ty, first = blockIdx.x * tile_width * coarsening + tx;
  float sums[coarsening] = {};
  for (int phase = 0; phase < width / tile_width; ++phase) {
    ds_m[ty][tx] = m[row * width + phase * tile_width + tx];
    for (int c = 0; c < coarsening; ++c) {
      ds_n[ty][tx] = n[(phase * tile_width + ty) * width + first + c * tile_width];
      __syncthreads();
      for (int k = 0; k < tile_width; ++k) sums[c] += ds_m[ty][k] * ds_n[k][tx];
      __syncthreads();
    }
  }
  for (int c = 0; c < coarsening; ++c) p[row * width + first + c * tile_width] = sums[c];
}

/// Small whole numbers, so that every order of the sums gives the same.
struct operands {
  int j, k, l;
  float *m, *n, *p, *d_m, *d_n, *d_p;

  operands(int rows, int inner, int cols) : j(rows), k(inner), l(cols) {
    m = new float[j * k];
    n = new float[k * l];
    p = new float[j * l];
    for (int i = 0; i < j * k; ++i) m[i] = i % 7 - 3;
    for (int i = 0; i < k * l; ++i) n[i] = i % 5 - 2;
    d_m = on_device(m, j * k);
    d_n = on_device(n, k * l);
    d_p = on_device(nullptr, j * l);
  }
  ~operands() {
    for (float* d : {d_m, d_n, d_p}) CHECK(cudaFree(d));
    for (float* h : {m, n, p}) delete[] h;
  }
  operands(const operands&) = delete;
  operands& operator=(const operands&) = delete;

  dim3 grid(int width) const { return dim3(blocks_for(l, width), blocks_for(j, width)); }
  bool right() const {
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(p, d_p, j * l * sizeof(float), cudaMemcpyDeviceToHost));
    for (int r = 0; r < j; ++r) {
      for (int c = 0; c < l; ++c) {
        float sum = 0;
        for (int i = 0; i < k; ++i) sum += m[r * k + i] * n[i * l + c];
        if (p[r * l + c] != sum) return false;
      }
    }
    return true;
  }
};

const dim3 tile_of_threads(tile_width, tile_width);

bool simple_product() {
  const operands o(48, 48, 48);
  simple_square<<<o.grid(tile_width), tile_of_threads>>>(o.d_m, o.d_n, o.d_p, o.k);
  return o.right();
}
bool simple_product_with_borders() {
  const operands o(33, 21, 50);
  simple<<<o.grid(tile_width), tile_of_threads>>>(o.d_m, o.d_n, o.d_p, o.j, o.k, o.l);
  return o.right();
}
bool tiled_product() {
  const operands o(64, 64, 64);
  tiled_square<<<o.grid(tile_width), tile_of_threads>>>(o.d_m, o.d_n, o.d_p, o.k);
  return o.right();
}
bool tiled_product_with_borders() {
  const operands o(35, 41, 29);
  tiled<<<o.grid(tile_width), tile_of_threads>>>(o.d_m, o.d_n, o.d_p, o.j, o.k, o.l);
  return o.right();
}
bool dynamic_shared_memory() {
  const operands o(19, 23, 27);
  const int width = 8;
  tiled_dynamic<<<o.grid(width), dim3(width, width), 2 * width * width * sizeof(float)>>>(o.d_m, o.d_n, o.d_p, o.j, o.k,
                                                                                          o.l);
  return o.right();
}
bool strided_matrices() {
  const operands o(32, 48, 64);
  tiled_matrices<<<o.grid(tile_width), tile_of_threads>>>(Matrix{o.j, o.k, o.k, o.d_m}, Matrix{o.k, o.l, o.l, o.d_n},
                                                          Matrix{o.j, o.l, o.l, o.d_p});
  return o.right();
}
bool coarsened_product() {
  const operands o(64, 64, 64);
  coarsened<<<dim3(64 / tile_width / coarsening, 64 / tile_width), tile_of_threads>>>(o.d_m, o.d_n, o.d_p, o.k);
  return o.right();
}

int main(int argc, char** argv) {
  const part parts[] = {{"simple_product", simple_product},
                        {"simple_product_with_borders", simple_product_with_borders},
                        {"tiled_product", tiled_product},
                        {"tiled_product_with_borders", tiled_product_with_borders},
                        {"dynamic_shared_memory", dynamic_shared_memory},
                        {"strided_matrices", strided_matrices},
                        {"coarsened_product", coarsened_product}};
  return run_parts(parts, 7, argc, argv);
}
