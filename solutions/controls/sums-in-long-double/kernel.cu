// lab: 08-bank-conflicts
// expect: pass
// Host code computes in `long double`, compares, sorts and clamps such numbers, uses complex and random numbers, and
// takes the time.
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <complex>
#include <numeric>
#include <random>
#include <vector>

constexpr int width = 32, height = 8;

__global__ void transpose_tile(const float* input, float* output, int rows, int cols) {
  __shared__ float tile[width][width + 1];
  const int col = blockIdx.x * width + threadIdx.x, first_row = blockIdx.y * width;
  for (int y = threadIdx.y; y < width; y += height)
    if (first_row + y < rows && col < cols) tile[y][threadIdx.x] = input[(first_row + y) * cols + col];
  __syncthreads();
  for (int y = threadIdx.y; y < width; y += height) {
    const int output_row = blockIdx.x * width + y, output_col = first_row + threadIdx.x;
    if (output_row < cols && output_col < rows) output[output_row * rows + output_col] = tile[threadIdx.x][y];
  }
}

bool is_near(double a, double b) {
  long double difference = a;
  difference -= b;
  return fabsl(difference) <= 1e-9L * std::max(fabsl(a), fabsl(b));
}

long double median(std::vector<long double> numbers) {
  std::sort(numbers.begin(), numbers.end(), [](long double a, long double b) { return a > b; });
  return std::clamp(numbers[numbers.size() / 2], 0.0L, 10.0L);
}

bool numbers_are_as_expected(int n) {
  std::mt19937 engine(7);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  std::normal_distribution<long double> normal;
  std::vector<long double> numbers(static_cast<std::size_t>(n % 9 + 3));
  for (long double& one : numbers) one = uniform(engine);
  const long double sum = std::accumulate(numbers.begin(), numbers.end(), 0.0L);
  const long double drawn = normal(engine), turn = 3.14159265358979323846264338327950288L;
  const std::complex<long double> unit = std::polar(1.0L, turn);
  if (std::isnan(drawn) || sum < 0 || sum >= numbers.size()) return false;
  if (median(numbers) == sum + 1 || unit.real() >= 0) return false;
  return is_near(static_cast<double>(std::sqrt(sum * sum)), static_cast<double>(sum));
}

void transpose(const float* input, float* output, int rows, int cols) {
  const auto begin = std::chrono::steady_clock::now();
  if (!numbers_are_as_expected(rows)) return;
  const dim3 blocks((cols + width - 1) / width, (rows + width - 1) / width);
  transpose_tile<<<blocks, dim3(width, height)>>>(input, output, rows, cols);
  const std::chrono::duration<long double> passed = std::chrono::steady_clock::now() - begin;
  if (passed.count() < 0.0L) cudaDeviceSynchronize();
}
