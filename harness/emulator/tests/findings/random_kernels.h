// Random kernels of two kinds, clean and racy: some that nothing but barriers order, others that atomic operations, fences,
// flags, tickets, locks and volatile accesses do. What they read decides neither which way they go nor where they store, but
// for what they wait for. Many stand in one program, because compiling is what takes time.
#pragma once

#include <random>
#include <string>
#include <vector>

namespace simtlab::emulator::tests {

enum class kernel_kind : unsigned char { barriers, ordered };

struct random_kernel {
  std::string text;
  bool is_clean = false;  ///< nothing in it is an error
};

class kernel_generator {
 public:
  kernel_generator(unsigned seed, kernel_kind kind) : random_(seed), kind_(kind) {}

  /// `__global__ void kernelN(int* g, int* out)`: for a grid of 3 blocks of 48 threads, 64 numbers at `g`, 256 at `out`.
  [[nodiscard]] random_kernel next(unsigned number);

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool chance(unsigned n) { return below(n) == 0; }
  std::string one_of(const std::vector<std::string>& texts) {
    return texts[below(static_cast<unsigned>(texts.size()))];
  }
  // Where nothing but barriers orders threads.
  std::string place();
  std::string statement();
  std::string barrier_part();
  std::string clean_exchange();
  // Pieces of code that order threads, each with a mistake now and then; `fine_` is false once one was made.
  std::string unless(unsigned n, const std::string& right, const std::string& wrong = "");
  std::string flag(unsigned at);
  std::string ticket(unsigned at);
  std::string lock(unsigned at);
  std::string counter(unsigned at);
  std::string turns(unsigned at);
  std::string messages(unsigned at);

  std::mt19937 random_;
  kernel_kind kind_;
  bool fine_ = true;
};

}  // namespace simtlab::emulator::tests
