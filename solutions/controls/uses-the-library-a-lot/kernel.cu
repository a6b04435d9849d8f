// lab: 08-bank-conflicts
// expect: pass
// Strings, streams, files and containers of the library, filled and emptied between calls of the runtime and in initialisers.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <list>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

static std::string names = [] {
  std::ostringstream text;
  for (int i = 0; i < 200; ++i) text << "name " << i << ' ';
  return text.str();
}();
static std::map<std::string, std::vector<int>> table{{"tile", {32, 8}}, {"block", {256}}};

static int numbers_in(const std::string& text) {
  std::istringstream in(text);
  std::string word;
  int number = 0, sum = 0;
  while (in >> word >> number) sum += number;
  return sum;
}

static bool fails(const std::string& text) {
  try {
    return std::stoi(text) < 0;
  } catch (const std::invalid_argument&) {
    return true;
  }
}

void transpose(const float* input, float* output, int rows, int cols) {
  std::vector<char> buffer(names.size());
  std::istringstream(names).read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
  std::string copy(buffer.begin(), buffer.end());
  for (int i = 0; i < 100; ++i) {
    copy.append(", ").append(std::to_string(i)).insert(0, "x");
    copy.assign(copy, 1, std::string::npos);
  }
  copy.resize(names.size());
  std::list<std::string> words{"c", "a", "b"};
  words.sort();
  words.splice(words.begin(), std::list<std::string>{"first"});
  std::set<int> seen(buffer.begin(), buffer.end());
  int devices = 0;
  cudaGetDeviceCount(&devices);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaEvent_t mark;
  cudaEventCreate(&mark);
  table["grid"] = {(cols + 31) / 32, (rows + 7) / 8};
  char* text = strdup(copy.c_str());
  std::vector<int> order(table["grid"]);
  std::sort(order.begin(), order.end());
  qsort(text, strlen(text), 1, [](const void* a, const void* b) { return *(const char*)a - *(const char*)b; });
  const bool is_good = numbers_in(names) == 19900 && fails("no number") && copy == names && words.front() == "first" &&
                       seen.count('n') == 1 && devices == 1 && text[0] == ' ';
  free(text);
  if (!is_good) return;
  std::ostringstream line;
  line << rows << " x " << cols << '\n';
  for (const char c : line.str()) fputc(c, stderr);
  std::cerr << line.str() << std::flush;
  printf("%s", line.str().c_str());
  const std::vector<int>& grid = table.at("grid");
  move<<<dim3(grid[0], grid[1]), dim3(32, 8), 0, stream>>>(input, output, rows, cols);
  cudaEventRecord(mark, stream);
  cudaStreamSynchronize(stream);
  cudaEventDestroy(mark);
  cudaStreamDestroy(stream);
}
