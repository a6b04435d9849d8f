// What host code of an honest program touches: variables of every kind, the heap, the standard library's objects and tables.
#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

void scale(const float* input, float* output, int rows, int cols);

namespace {

int initialised = 7;
int zeroed[1000];
const int table[] = {1, 2, 3};
thread_local int of_thread;
std::string global_text = "a text that is too long for the string object itself";
std::vector<int> global_numbers(100, 1);

template <class T>
struct counted {
  static inline int count = 0;
  counted() { ++count; }
};

struct shape {
  virtual ~shape() = default;
  virtual int sides() const { return 0; }
};
struct triangle : shape {
  int sides() const override { return 3; }
};

int compare(const void* a, const void* b) { return *static_cast<const int*>(a) - *static_cast<const int*>(b); }

int recursive(int n) { return n == 0 ? 0 : 1 + recursive(n - 1); }

void use_everything() {
  static int calls = 0;
  static const std::map<std::string, int> names{{"one", 1}, {"two", 2}};
  initialised += ++calls + names.at("two") + table[calls % 3] + of_thread++;
  std::iota(std::begin(zeroed), std::end(zeroed), 0);
  std::qsort(zeroed, 1000, sizeof zeroed[0], compare);
  std::sort(global_numbers.begin(), global_numbers.end());
  global_text += " and grows";
  const counted<float> one;
  const std::unique_ptr<shape> made = std::make_unique<triangle>();
  assert(made->sides() == 3 && counted<float>::count > 0);
  const auto shared = std::make_shared<std::vector<double>>(100'000, 0.5);
  const std::function<double(int)> at = [shared](int i) { return (*shared)[i]; };
  std::unordered_map<int, std::string> numbers;
  for (int i = 0; i < 1000; ++i) numbers[i] = std::to_string(at(i));
  try {
    throw std::runtime_error("a message that is long enough for the heap, surely");
  } catch (const std::exception& e) {
    assert(std::strlen(e.what()) > 20);
  }
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(0, 1);
  std::ostringstream text;
  text << std::setw(10) << std::setprecision(3) << std::fixed << uniform(random) << std::endl;
  std::cout << std::setw(12) << std::left << std::hex << 255 << std::dec << text.str();
  std::cout.precision(9);
  std::cerr << std::boolalpha << true << '\n';
  errno = 0;
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%d %s", recursive(100), "text");
  for (char& c : buffer) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  const char* path = std::getenv("PATH");
  assert(path == nullptr || path[0] != '\0');
  const std::time_t now = std::time(nullptr);
  assert(std::localtime(&now)->tm_year > 100);
  assert(std::chrono::steady_clock::now().time_since_epoch().count() > 0);
  auto* large = static_cast<char*>(std::malloc(8 << 20));
  std::memset(large, 1, 8 << 20);
  large = static_cast<char*>(std::realloc(large, 16 << 20));
  large[(16 << 20) - 1] = 2;
  std::free(large);
  std::array<std::array<int, 50>, 50> matrix{};
  matrix[49][49] = initialised;
  float* pinned = nullptr;
  cudaMallocHost(&pinned, 4096);
  pinned[1023] = matrix[49][49];
  cudaFreeHost(pinned);
  std::fflush(stdout);
}

__global__ void multiply(const float* input, float* output, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) output[i] = 2 * input[i];
}

}  // namespace

void scale(const float* input, float* output, int rows, int cols) {
  const int n = rows * cols;
  use_everything();
  multiply<<<(n + 127) / 128, 128>>>(input, output, n);
}
