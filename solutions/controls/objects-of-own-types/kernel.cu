// lab: 08-bank-conflicts
// expect: pass
// Global objects of its own types with strings and vectors in them, made before main, with destructors of their own.
#include <cuda_runtime.h>

#include <map>
#include <string>
#include <vector>

struct shape {
  std::string name = "thirty-two by eight, as the lecture has it";
  std::vector<int> sizes{32, 8};
  std::map<std::string, int> by_name;
  shape() { by_name[name] = area(); }
  ~shape() { sizes.clear(); }
  int area() const { return sizes[0] * sizes[1]; }
};
static const shape tile;
shape others[2];

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  static std::vector<int> calls;
  calls.push_back(others[1].by_name.begin()->second);
  const int width = tile.sizes[0], height = tile.sizes[1];
  move<<<dim3((cols + width - 1) / width, (rows + height - 1) / height), dim3(width, height)>>>(input, output, rows,
                                                                                                cols);
}
