// lab: 08-bank-conflicts
// expect: pass
// The standard library on the host, in the entry and in static storage.
#include <cuda_runtime.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

static std::vector<int> seen;
static const std::string name = "a transpose with a name that is long enough to be allocated";

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  static std::map<std::string, int> calls;
  std::unordered_map<int, std::unique_ptr<int>> owned;
  owned[rows] = std::make_unique<int>(cols);
  seen.push_back(rows);
  std::sort(seen.begin(), seen.end());
  std::ostringstream text;
  text << name << ' ' << ++calls[std::to_string(rows)] << ' ' << std::accumulate(seen.begin(), seen.end(), 0);
  std::cerr << text.str() << std::endl;
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}
