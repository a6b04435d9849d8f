// lab: 08-bank-conflicts
// expect: pass
// Splits a text of its own into lines and numbers, and passes an exception on, as a library's host code does.
#include <cuda_runtime.h>

#include <exception>
#include <sstream>
#include <stdexcept>
#include <string>

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

static dim3 block_from(const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  int sides[2] = {1, 1};
  for (int i = 0; i < 2 && std::getline(lines, line); ++i) sides[i] = std::stoi(line);
  return dim3(sides[0], sides[1]);
}

static dim3 block_or_default(const std::string& text) {
  std::exception_ptr failed;
  try {
    return block_from(text);
  } catch (...) {
    failed = std::current_exception();
  }
  try {
    std::rethrow_exception(failed);
  } catch (const std::invalid_argument&) {
    return dim3(32, 8);
  }
}

void transpose(const float* input, float* output, int rows, int cols) {
  const dim3 first = block_or_default("thirty\ntwo"), block = block_or_default("32\n8");
  move<<<dim3((cols + first.x - 1) / first.x, (rows + block.y - 1) / block.y), block>>>(input, output, rows, cols);
}
