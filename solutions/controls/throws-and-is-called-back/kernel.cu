// lab: 08-bank-conflicts
// expect: pass
// Host code is called back by the library, counts there in its caller's locals, throws from there and from frames that use many
// registers, and goes on: sorts, a stream's buffer of its own, destructors that an exception passes, an allocation that fails.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <new>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <streambuf>
#include <string>
#include <vector>

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

static int* compared = nullptr;

int compare(const void* a, const void* b) {
  int local[4] = {1, 2, 3, 4};
  int* volatile any = local;
  for (int i = 0; i < 4; ++i) any[i] += i;
  ++*compared;
  const int left = *static_cast<const int*>(a), right = *static_cast<const int*>(b);
  return left < right ? -1 : left > right;
}

class counted_buffer : public std::streambuf {
 public:
  counted_buffer(int* count, bool throws) : count_(count), throws_(throws) {}

 protected:
  int overflow(int c) override {
    ++*count_;
    if (throws_ && *count_ > 3) throw std::runtime_error("no room");
    return c;
  }

 private:
  int* count_;
  bool throws_;
};

struct counts_its_end {
  int* ended;
  ~counts_its_end() {
    int local[8] = {};
    int* volatile any = local;
    for (int i = 0; i < 8; ++i) any[i] = i;
    *ended += any[1];
  }
};

int deeper(int depth, int* ended, const std::string& text) {
  const counts_its_end one{ended};
  if (depth == 0) throw std::out_of_range(text + std::to_string(depth));
  const int below = deeper(depth - 1, ended, text + "!");
  return below + static_cast<int>(text.size());
}

int uses_its_locals(int n) {
  int local[64];
  int* volatile any = local;
  for (int i = 0; i < 64; ++i) any[i] = n + i;
  return any[n % 64];
}

void transpose(const float* input, float* output, int rows, int cols) {
  int count = 0, written = 0, ended = 0, caught = 0;
  compared = &count;
  int numbers[16];
  for (int i = 0; i < 16; ++i) numbers[i] = (i * 7 + rows) % 16;
  qsort(numbers, 16, sizeof numbers[0], compare);
  const int key = numbers[3];
  if (bsearch(&key, numbers, 16, sizeof numbers[0], compare) == nullptr) ++caught;
  counted_buffer quiet(&written, false), loud(&written, true);
  std::ostream(&quiet) << "text " << rows << '\n';
  std::ostream out(&loud);
  out << "text " << cols;  // the stream catches what its buffer throws
  const int first = uses_its_locals(cols);
  out.clear();
  try {
    out.exceptions(std::ios::badbit);
    out << "more";
  } catch (const std::exception&) {
    ++caught;
  }
  const int second = uses_its_locals(cols);
  for (int i = 0; i < 3; ++i) {
    try {
      caught += deeper(5 + i, &ended, "depth");
    } catch (const std::out_of_range& e) {
      try {
        throw;
      } catch (const std::logic_error&) {
        ++caught;
      }
    }
  }
  try {
    std::string("short").at(static_cast<size_t>(rows) + 5);
  } catch (const std::out_of_range&) {
    ++caught;
  }
  try {
    std::vector<double> all(static_cast<size_t>(rows) << 50);
  } catch (const std::bad_alloc&) {
    ++caught;
  } catch (const std::length_error&) {
    ++caught;
  }
  if (first != second || caught != 6 || ended != 21 || count < 16 || written < 8) {
    std::printf("%d %d %d %d %d %d\n", first, second, caught, ended, count, written);
    return;
  }
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}
