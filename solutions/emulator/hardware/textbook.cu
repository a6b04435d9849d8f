// The kernels of textbooks and courses, one launch each. Measured on a GPU and held against the emulator.
#include "launches.h"

__global__ void vector_add(const float* a, const float* b, float* sum, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) sum[i] = a[i] + b[i];
}

__global__ void scaled_sum(float factor, const float* x, float* y, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    y[i] = factor * x[i] + y[i];
}

__global__ void strided_copy(const float* in, float* out, int count, int stride, int offset) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = in[i * stride + offset];
}

__global__ void wide_copy(const float4* in, float4* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = in[i];
}

struct particle {
  float x, y, z, mass;
};

__global__ void weigh_structures(const particle* all, float* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = (all[i].x + all[i].y + all[i].z) * all[i].mass;
}

__global__ void weigh_arrays(const float* x, const float* y, const float* z, const float* mass, float* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = (x[i] + y[i] + z[i]) * mass[i];
}

__global__ void to_grey(const unsigned char* rgb, unsigned char* grey, int width, int height) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column < width && row < height) {
    const int pixel = row * width + column;
    const unsigned char red = rgb[3 * pixel];
    const unsigned char green = rgb[3 * pixel + 1];
    const unsigned char blue = rgb[3 * pixel + 2];
    grey[pixel] = static_cast<unsigned char>(0.21f * red + 0.71f * green + 0.07f * blue);
  }
}

__global__ void box_blur(const unsigned char* in, unsigned char* out, int width, int height) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height) return;
  int sum = 0, pixels = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      const int y = row + dy, x = column + dx;
      if (y >= 0 && y < height && x >= 0 && x < width) {
        sum += in[y * width + x];
        ++pixels;
      }
    }
  }
  out[row * width + column] = static_cast<unsigned char>(sum / pixels);
}

__global__ void product(const float* a, const float* b, float* c, int width) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < width && column < width) {
    float sum = 0;
    for (int k = 0; k < width; ++k) sum += a[row * width + k] * b[k * width + column];
    c[row * width + column] = sum;
  }
}

__global__ void product_with_transposed(const float* a, const float* b, float* c, int width) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < width && column < width) {
    float sum = 0;
    for (int k = 0; k < width; ++k) sum += a[row * width + k] * b[column * width + k];
    c[row * width + column] = sum;
  }
}

template <int tile>
__global__ void tiled_product(const float* a, const float* b, float* c, int width) {
  __shared__ float tile_a[tile][tile];
  __shared__ float tile_b[tile][tile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * tile + ty, column = blockIdx.x * tile + tx;
  float sum = 0;
  for (int first = 0; first < width; first += tile) {
    tile_a[ty][tx] = a[row * width + first + tx];
    tile_b[ty][tx] = b[(first + ty) * width + column];
    __syncthreads();
    for (int k = 0; k < tile; ++k) sum += tile_a[ty][k] * tile_b[k][tx];
    __syncthreads();
  }
  c[row * width + column] = sum;
}

template <int tile>
__global__ void tiled_product_with_borders(const float* a, const float* b, float* c, int width) {
  __shared__ float tile_a[tile][tile];
  __shared__ float tile_b[tile][tile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * tile + ty, column = blockIdx.x * tile + tx;
  float sum = 0;
  for (int first = 0; first < width; first += tile) {
    tile_a[ty][tx] = row < width && first + tx < width ? a[row * width + first + tx] : 0.0f;
    tile_b[ty][tx] = first + ty < width && column < width ? b[(first + ty) * width + column] : 0.0f;
    __syncthreads();
    for (int k = 0; k < tile; ++k) sum += tile_a[ty][k] * tile_b[k][tx];
    __syncthreads();
  }
  if (row < width && column < width) c[row * width + column] = sum;
}

template <int tile, int columns>
__global__ void coarsened_product(const float* a, const float* b, float* c, int width) {
  __shared__ float tile_a[tile][tile];
  __shared__ float tile_b[tile][tile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * tile + ty, first_column = blockIdx.x * tile * columns + tx;
  float sum[columns] = {};
  for (int first = 0; first < width; first += tile) {
    tile_a[ty][tx] = a[row * width + first + tx];
    for (int j = 0; j < columns; ++j) {
      tile_b[ty][tx] = b[(first + ty) * width + first_column + j * tile];
      __syncthreads();
      for (int k = 0; k < tile; ++k) sum[j] += tile_a[ty][k] * tile_b[k][tx];
      __syncthreads();
    }
  }
  for (int j = 0; j < columns; ++j) c[row * width + first_column + j * tile] = sum[j];
}

__global__ void matrix_times_vector(const float* matrix, const float* x, float* y, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int k = 0; k < columns; ++k) sum += matrix[row * columns + k] * x[k];
  y[row] = sum;
}

__global__ void transpose(const float* in, float* out, int width) {
  const int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
  out[column * width + row] = in[row * width + column];
}

template <int pitch>
__global__ void tiled_transpose(const float* in, float* out, int width) {
  __shared__ float tile[32][pitch];
  int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8) tile[threadIdx.y + i][threadIdx.x] = in[(row + i) * width + column];
  __syncthreads();
  column = blockIdx.y * 32 + threadIdx.x, row = blockIdx.x * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8) out[(row + i) * width + column] = tile[threadIdx.x][threadIdx.y + i];
}

constexpr int radius = 2;
__constant__ float weights[2 * radius + 1][2 * radius + 1];

__global__ void convolution(const float* in, float* out, int width, int height) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height) return;
  float sum = 0;
  for (int dy = 0; dy < 2 * radius + 1; ++dy) {
    for (int dx = 0; dx < 2 * radius + 1; ++dx) {
      const int y = row + dy - radius, x = column + dx - radius;
      if (y >= 0 && y < height && x >= 0 && x < width) sum += weights[dy][dx] * in[y * width + x];
    }
  }
  out[row * width + column] = sum;
}

__global__ void tiled_convolution(const float* in, float* out, int width, int height) {
  constexpr int tile = 16, inner = tile - 2 * radius;
  __shared__ float values[tile][tile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int column = blockIdx.x * inner + tx - radius, row = blockIdx.y * inner + ty - radius;
  values[ty][tx] = row >= 0 && row < height && column >= 0 && column < width ? in[row * width + column] : 0.0f;
  __syncthreads();
  if (row >= 0 && row < height && column >= 0 && column < width && tx >= radius && tx < tile - radius && ty >= radius &&
      ty < tile - radius) {
    float sum = 0;
    for (int dy = 0; dy < 2 * radius + 1; ++dy) {
      for (int dx = 0; dx < 2 * radius + 1; ++dx) sum += weights[dy][dx] * values[ty + dy - radius][tx + dx - radius];
    }
    out[row * width + column] = sum;
  }
}

__global__ void seven_point_stencil(const float* in, float* out, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= 1 && x < n - 1 && y >= 1 && y < n - 1 && z >= 1 && z < n - 1) {
    out[(z * n + y) * n + x] =
        0.4f * in[(z * n + y) * n + x] +
        0.1f * (in[(z * n + y) * n + x - 1] + in[(z * n + y) * n + x + 1] + in[(z * n + y - 1) * n + x] +
                in[(z * n + y + 1) * n + x] + in[((z - 1) * n + y) * n + x] + in[((z + 1) * n + y) * n + x]);
  }
}

__global__ void line_stencil(const float* in, float* out, int count) {
  __shared__ float values[256 + 2];
  const int i = blockIdx.x * 256 + threadIdx.x, t = threadIdx.x + 1;
  values[t] = i < count ? in[i] : 0.0f;
  if (threadIdx.x == 0) values[0] = i > 0 ? in[i - 1] : 0.0f;
  if (threadIdx.x == 255) values[257] = i + 1 < count ? in[i + 1] : 0.0f;
  __syncthreads();
  if (i < count) out[i] = values[t - 1] + values[t] + values[t + 1];
}

constexpr int bins = 7;

__global__ void histogram(const unsigned char* text, int count, unsigned* bin) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    const int letter = text[i] - 'a';
    if (letter >= 0 && letter < 26) atomicAdd(&bin[letter / 4], 1u);
  }
}

__global__ void private_histogram(const unsigned char* text, int count, unsigned* bin) {
  __shared__ unsigned own[bins];
  for (unsigned b = threadIdx.x; b < bins; b += blockDim.x) own[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    const int letter = text[i] - 'a';
    if (letter >= 0 && letter < 26) atomicAdd(&own[letter / 4], 1u);
  }
  __syncthreads();
  for (unsigned b = threadIdx.x; b < bins; b += blockDim.x) {
    const unsigned found = own[b];
    if (found > 0) atomicAdd(&bin[b], found);
  }
}

__global__ void sum_of_neighbours(const float* in, float* out) {
  __shared__ float partial[256];
  const unsigned t = threadIdx.x;
  partial[t] = in[blockIdx.x * 256 + t];
  for (unsigned distance = 1; distance < blockDim.x; distance *= 2) {
    __syncthreads();
    if (t % (2 * distance) == 0) partial[t] += partial[t + distance];
  }
  if (t == 0) out[blockIdx.x] = partial[0];
}

__global__ void sum_of_strided_index(const float* in, float* out) {
  __shared__ float partial[256];
  const unsigned t = threadIdx.x;
  partial[t] = in[blockIdx.x * 256 + t];
  __syncthreads();
  for (unsigned distance = 1; distance < blockDim.x; distance *= 2) {
    const unsigned i = 2 * distance * t;
    if (i < blockDim.x) partial[i] += partial[i + distance];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = partial[0];
}

__global__ void sum_of_halves(const float* in, float* out) {
  __shared__ float partial[256];
  const unsigned t = threadIdx.x;
  partial[t] = in[blockIdx.x * 512 + t] + in[blockIdx.x * 512 + 256 + t];
  for (unsigned distance = blockDim.x / 2; distance >= 1; distance /= 2) {
    __syncthreads();
    if (t < distance) partial[t] += partial[t + distance];
  }
  if (t == 0) atomicAdd(out, partial[0]);
}

__global__ void sum_by_shuffles(const float* in, float* out, int count) {
  __shared__ float of_warp[32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float sum = i < count ? in[i] : 0.0f;
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffffu, sum, distance);
  if (lane == 0) of_warp[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    sum = lane < static_cast<int>(blockDim.x / 32) ? of_warp[lane] : 0.0f;
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (lane == 0) atomicAdd(out, sum);
  }
}

__global__ void dot_product(const float* a, const float* b, float* out, int count) {
  __shared__ float partial[256];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) sum += a[i] * b[i];
  partial[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (static_cast<int>(threadIdx.x) < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
}

__global__ void scan_by_kogge_and_stone(const float* in, float* out) {
  __shared__ float values[256];
  const unsigned t = threadIdx.x;
  values[t] = in[blockIdx.x * 256 + t];
  for (unsigned distance = 1; distance < 256; distance *= 2) {
    __syncthreads();
    float sum = 0;
    if (t >= distance) sum = values[t] + values[t - distance];
    __syncthreads();
    if (t >= distance) values[t] = sum;
  }
  out[blockIdx.x * 256 + t] = values[t];
}

__global__ void scan_by_brent_and_kung(const float* in, float* out) {
  __shared__ float values[512];
  const unsigned t = threadIdx.x, first = blockIdx.x * 512;
  values[t] = in[first + t];
  values[t + 256] = in[first + 256 + t];
  for (unsigned distance = 1; distance <= 256; distance *= 2) {
    __syncthreads();
    const unsigned i = (t + 1) * 2 * distance - 1;
    if (i < 512) values[i] += values[i - distance];
  }
  for (unsigned distance = 128; distance > 0; distance /= 2) {
    __syncthreads();
    const unsigned i = (t + 1) * 2 * distance - 1;
    if (i + distance < 512) values[i + distance] += values[i];
  }
  __syncthreads();
  out[first + t] = values[t];
  out[first + 256 + t] = values[t + 256];
}

__global__ void rows_times_vector(const int* row_start, const int* column, const float* value, const float* x, float* y,
                                  int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    float sum = 0;
    for (int i = row_start[row]; i < row_start[row + 1]; ++i) sum += value[i] * x[column[i]];
    y[row] = sum;
  }
}

__global__ void padded_rows_times_vector(const int* entries, const int* column, const float* value, const float* x,
                                         float* y, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    float sum = 0;
    for (int k = 0; k < entries[row]; ++k) sum += value[k * rows + row] * x[column[k * rows + row]];
    y[row] = sum;
  }
}

__global__ void every_other_double(const double* in, double* out) {
  __shared__ double values[512];
  const int t = threadIdx.x;
  values[t] = in[blockIdx.x * 512 + t];
  values[t + 256] = in[blockIdx.x * 512 + 256 + t];
  __syncthreads();
  out[blockIdx.x * 256 + t] = values[2 * t];
}

/// The accesses that an exercise asks about: which are coalesced, which have bank conflicts?
__global__ void access_exercise(const float* a, const float* b, const float* c, float* d, float* e) {
  __shared__ float of_a[256];
  __shared__ float of_b_and_c[4 * 256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  of_a[threadIdx.x] = a[i];
  for (int j = 0; j < 4; ++j) of_b_and_c[j * 256 + threadIdx.x] = b[j * blockDim.x * gridDim.x + i] + c[i * 4 + j];
  __syncthreads();
  d[i + 8] = of_a[threadIdx.x];
  e[i * 8] = of_b_and_c[threadIdx.x * 4];
}

void vectors(numbers& random) {
  constexpr int count = 1 << 14;
  const device_array<float> a(random.fractions(32 * count + 32)), b(random.fractions(4 * count)), out(4 * count);
  vector_add<<<(count + 255) / 256, 256>>>(a, b, out, count);
  launched("vector addition");
  vector_add<<<4, 256>>>(a, b, out, 1000);
  launched("vector addition, 1000 elements");
  scaled_sum<<<16, 128>>>(2.0f, a, out, count - 77);
  launched("scaled sum, grid-stride loop");
  for (const int stride : {1, 2, 8, 32}) {
    strided_copy<<<count / 256, 256>>>(a, out, count, stride, 0);
    launched(("copy with stride " + std::to_string(stride)).c_str());
  }
  strided_copy<<<count / 256, 256>>>(a, out, count, 1, 1);
  launched("copy with offset 1");
  wide_copy<<<count / 256, 256>>>(reinterpret_cast<float4*>(static_cast<float*>(a)),
                                  reinterpret_cast<float4*>(static_cast<float*>(out)), count);
  launched("copy of float4");
  weigh_structures<<<count / 256, 256>>>(reinterpret_cast<particle*>(static_cast<float*>(a)), out, count);
  launched("array of structures");
  weigh_arrays<<<count / 256, 256>>>(a, a + count, a + 2 * count, a + 3 * count, out, count);
  launched("structure of arrays");
  every_other_double<<<8, 256>>>(reinterpret_cast<double*>(static_cast<float*>(a)),
                                 reinterpret_cast<double*>(static_cast<float*>(out)));
  launched("every other double of shared memory");
  const device_array<float> scattered(8 * count);
  access_exercise<<<8, 256>>>(a, b, a, out, scattered);
  launched("exercise on accesses");
}

void images(numbers& random) {
  constexpr int width = 100, height = 75;
  std::vector<unsigned char> pixels(3 * width * height);
  for (unsigned char& one : pixels) one = static_cast<unsigned char>(random.below(256));
  const device_array<unsigned char> rgb(pixels), grey(width * height);
  const dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
  to_grey<<<grid, block>>>(rgb, grey, width, height);
  launched("colours to grey");
  box_blur<<<grid, block>>>(rgb, grey, width, height);
  launched("box blur");
  require(cudaMemcpyToSymbol(weights, random.fractions(25).data(), 25 * sizeof(float)), "cudaMemcpyToSymbol");
  const device_array<float> in(random.fractions(width * height)), out(width * height);
  convolution<<<grid, block>>>(in, out, width, height);
  launched("convolution");
  tiled_convolution<<<dim3((width + 11) / 12, (height + 11) / 12), block>>>(in, out, width, height);
  launched("tiled convolution");
  const device_array<float> cube(random.fractions(32 * 32 * 32)), next(32 * 32 * 32);
  seven_point_stencil<<<dim3(4, 4, 4), dim3(8, 8, 8)>>>(cube, next, 32);
  launched("stencil of seven points");
  line_stencil<<<30, 256>>>(in, out, width * height);
  launched("stencil of three points");
}

void matrices(numbers& random) {
  constexpr int width = 64;
  const device_array<float> a(random.fractions(128 * 128)), b(random.fractions(128 * 128)), c(128 * 128);
  const dim3 block(16, 16), grid(width / 16, width / 16), large(width / 32, width / 32), large_block(32, 32);
  product<<<grid, block>>>(a, b, c, width);
  launched("product");
  product<<<grid, block>>>(a, b, c, 61);
  launched("product, ragged");
  product_with_transposed<<<grid, block>>>(a, b, c, width);
  launched("product with the transposed");
  tiled_product<16><<<grid, block>>>(a, b, c, width);
  launched("tiled product, 16");
  tiled_product<32><<<large, large_block>>>(a, b, c, width);
  launched("tiled product, 32");
  tiled_product_with_borders<16><<<grid, block>>>(a, b, c, 61);
  launched("tiled product with borders");
  coarsened_product<16, 4><<<dim3(1, 4), block>>>(a, b, c, width);
  launched("coarsened product");
  matrix_times_vector<<<2, 64>>>(a, b, c, 100, 64);
  launched("matrix times vector");
  transpose<<<dim3(4, 4), large_block>>>(a, c, 128);
  launched("transpose");
  tiled_transpose<32><<<dim3(4, 4), dim3(32, 8)>>>(a, c, 128);
  launched("tiled transpose");
  tiled_transpose<33><<<dim3(4, 4), dim3(32, 8)>>>(a, c, 128);
  launched("tiled transpose, padded");
}

void reductions(numbers& random) {
  constexpr int count = 1 << 14;
  const device_array<float> in(random.fractions(count)), other(random.fractions(count)), out(count);
  sum_of_neighbours<<<16, 256>>>(in, out);
  launched("sum of neighbours");
  sum_of_strided_index<<<16, 256>>>(in, out);
  launched("sum with a strided index");
  sum_of_halves<<<16, 256>>>(in, out);
  launched("sum of halves");
  sum_by_shuffles<<<16, 256>>>(in, out, 4000);
  launched("sum by shuffles");
  dot_product<<<8, 256>>>(in, other, out, count);
  launched("dot product");
  scan_by_kogge_and_stone<<<16, 256>>>(in, out);
  launched("scan by Kogge and Stone");
  scan_by_brent_and_kung<<<16, 256>>>(in, out);
  launched("scan by Brent and Kung");
  std::vector<unsigned char> letters(count);
  for (unsigned char& one : letters) one = static_cast<unsigned char>('a' + random.below(28));
  const device_array<unsigned char> text(letters);
  const device_array<unsigned> bin(bins);
  histogram<<<count / 256, 256>>>(text, count, bin);
  launched("histogram");
  private_histogram<<<16, 256>>>(text, count - 100, bin);
  launched("histogram, private");
}

void sparse_matrices(numbers& random) {
  constexpr int rows = 2048, widest = 12;
  std::vector<int> row_start{0}, entries, column;
  for (int row = 0; row < rows; ++row) {
    entries.push_back(random.below(widest + 1));
    for (int k = 0; k < entries.back(); ++k) column.push_back(random.below(rows));
    row_start.push_back(static_cast<int>(column.size()));
  }
  const device_array<int> starts(row_start), columns(column), lengths(entries),
      padded(random.list(rows * widest, rows));
  const device_array<float> values(random.fractions(rows * widest)), x(random.fractions(rows)), y(rows);
  rows_times_vector<<<rows / 256, 256>>>(starts, columns, values, x, y, rows);
  launched("sparse rows times vector");
  padded_rows_times_vector<<<rows / 256, 256>>>(lengths, padded, values, x, y, rows);
  launched("padded sparse rows times vector");
}

int main() {
  numbers random(4);
  vectors(random);
  images(random);
  matrices(random);
  reductions(random);
  sparse_matrices(random);
}
