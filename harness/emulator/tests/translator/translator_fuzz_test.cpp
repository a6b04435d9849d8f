// Both rewrites, fed with pieces of real programs that were cut, mixed and changed, for SIMTLAB_FUZZ_SECONDS: whatever the
// text, an answer or a refusal, and soon. The inputs are made in child processes, so that a crash names its input.
#include <doctest/doctest.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "translator/assembly_rewriter.h"
#include "translator/restrictions.h"
#include "translator/source_translator.h"

using namespace simtlab::emulator;

namespace {

constexpr int most_processor_seconds = 10;  // of one input; the longest takes some milliseconds
constexpr std::size_t largest_piece = 20'000;
constexpr unsigned inputs_of_child = 500;

std::vector<std::string> texts(const std::string& folder, const std::string& ending) {
  std::vector<std::string> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ending) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    found.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  std::sort(found.begin(), found.end());  // the order of folders is nobody's
  return found;
}

constexpr std::array<std::string_view, 58> words{"<<<",
                                                 ">>>",
                                                 "<< <",
                                                 "(",
                                                 ")",
                                                 "[",
                                                 "]",
                                                 "{",
                                                 "}",
                                                 ";",
                                                 ",",
                                                 "\"",
                                                 "'",
                                                 "R\"(",
                                                 "/*",
                                                 "*/",
                                                 "//",
                                                 "\\\n",
                                                 "\n",
                                                 "\n# 1 \"a.cu\" 1\n",
                                                 "\n#define A(x) ",
                                                 "#pragma ",
                                                 "template <",
                                                 "extern __shared__ ",
                                                 "__device__ ",
                                                 "__constant__ ",
                                                 "__attribute__((",
                                                 "asm(",
                                                 "operator",
                                                 "\t",
                                                 "\tcall\t__tsan_read4\n",
                                                 "\tcall\t__tsan_write_range\n",
                                                 "\tcall\t__sanitizer_cov_trace_pc\n",
                                                 "\tcall\tmemcpy\n",
                                                 "\tcall\t__ubsan_handle_out_of_bounds\n",
                                                 "\tcall\tsimtlab_compare_and_swap\n",
                                                 "\tjmp\t.L2\n",
                                                 "\tjbe\t.L2\n",
                                                 ".L2:\n",
                                                 "\t.section\t.tbss,\"awTR\",@nobits\n",
                                                 "\t.section\tsimtlab_constant,\"awG\",@progbits,k,comdat\n",
                                                 "\t.size\tk, 4\n",
                                                 "k:\n",
                                                 "\t.zero\t4\n",
                                                 "\t.cfi_endproc\n",
                                                 "(%rbx)",
                                                 "%fs:",
                                                 "$",
                                                 "#(insn 1 2 3 4 (set (mem:DI (reg:DI 3 bx) [3 *_5+8 S8 A32])\n",
                                                 "#(call_insn/u 1 2 3 4 (call (nil))\n",
                                                 "#        (mem/v:BLK ",
                                                 " S16 A128 AS1]",
                                                 "+99999999999999999999",
                                                 " S99999999999",
                                                 "_ZGVZ1kvE1s",
                                                 "\xff\xfe",
                                                 std::string_view("\0", 1),
                                                 ""};

class input_maker {
 public:
  input_maker(const std::vector<std::string>& seeds, std::uint64_t number) : seeds_(seeds), random_(number) {}

  std::string make() {
    std::string text = piece();
    for (std::size_t n = below(6); n > 0; --n) change(text);
    return text;
  }

 private:
  std::size_t below(std::size_t n) { return n == 0 ? 0 : random_() % n; }
  /// Some lines of a seed.
  std::string piece() {
    const std::string& seed = seeds_[below(seeds_.size())];
    const std::size_t begin = seed.find('\n', below(seed.size()));
    return begin == std::string::npos ? seed.substr(0, largest_piece) : seed.substr(begin + 1, below(largest_piece));
  }
  void change(std::string& text) {
    const std::size_t at = below(text.size() + 1), length = below(std::min<std::size_t>(text.size() - at, 200) + 1);
    switch (below(7)) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(at, words[below(words.size())]);
        break;
      case 2:
        text.insert(below(text.size() + 1), text.substr(at, length));
        break;
      case 3:
        text.insert(at, piece().substr(0, 2000));
        break;
      case 4:
        if (at < text.size()) text[at] = static_cast<char>(random_());
        break;
      case 5:
        text.replace(at, length, words[below(words.size())]);
        break;
      default:
        for (std::size_t n = below(2000); n > 0; --n) text.insert(at, words[below(words.size())]);
    }
  }

  const std::vector<std::string>& seeds_;
  std::mt19937_64 random_;
};

void translate(const std::string& text) {
  try {
    pasted_pieces pieces;
    pieces.add(text, "a.cu");
    check_file(text, "a.cu", pieces);
    (void)translate_source(text, "a.cu");
  } catch (const refusal&) {
  }
}

void rewrite(const std::string& text) {
  try {
    (void)rewrite_assembly(text);
  } catch (const refusal&) {
  }
}

/// The first number of the inputs from `first` on whose child did not end well; 0 if all did.
std::uint64_t failing(const std::vector<std::string>& seeds, void (*subject)(const std::string&), std::uint64_t first) {
  auto* const current = static_cast<std::uint64_t*>(
      mmap(nullptr, sizeof(std::uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  REQUIRE(current != MAP_FAILED);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    for (std::uint64_t number = first; number < first + inputs_of_child; ++number) {
      *current = number;
      const std::string text = input_maker(seeds, number).make();
      const itimerval limit{{0, 0}, {most_processor_seconds, 0}};
      setitimer(ITIMER_PROF, &limit, nullptr);
      subject(text);
    }
    _exit(0);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  const std::uint64_t last = *current;
  munmap(current, sizeof(std::uint64_t));
  return status == 0 ? 0 : last;
}

void fuzz(const char* name, const std::vector<std::string>& seeds, void (*subject)(const std::string&),
          double seconds) {
  REQUIRE_FALSE(seeds.empty());
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  const char* const begin = std::getenv("SIMTLAB_FUZZ_SEED");
  std::uint64_t number = begin == nullptr ? 1 : std::strtoull(begin, nullptr, 10);
  const std::uint64_t start = number;
  do {
    const std::uint64_t bad = failing(seeds, subject, number);
    if (bad != 0) {
      std::ofstream(std::string("fuzz-") + name, std::ios::binary) << input_maker(seeds, bad).make();
      FAIL("input ", bad, " crashes or hangs; it is in the file fuzz-", std::string(name));
    }
    number += inputs_of_child;
  } while (std::chrono::steady_clock::now() < end);
  MESSAGE(std::string(name), ": ", number - start, " inputs");
}

double seconds() {
  const char* const given = std::getenv("SIMTLAB_FUZZ_SECONDS");
  return given == nullptr ? 600 : std::strtod(given, nullptr);
}

}  // namespace

TEST_CASE("the source rewrite survives what it cannot read") {
  fuzz("source", texts(SIMTLAB_TEST_FOLDER "/..", ".cu"), translate, seconds() / 2);
}

TEST_CASE("the assembly rewrite survives what it cannot read") {
  fuzz("assembly", texts(SIMTLAB_FUZZ_ASSEMBLY, ".s"), rewrite, seconds() / 2);
}
