// Two engines, one oracle: random kernels (tests/findings) compute the same as g++ compiled them and as nvcc did, where they are right,
// and those that nothing but barriers order have the same errors.
#include <doctest/doctest.h>

#include <cstdlib>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "findings/random_kernels.h"
#include "gpu_tools.h"
#include "tests/driver/workplace.h"

namespace simtlab::emulator::tests {
namespace {

/// Prints a line a kernel and engine: their numbers, a hash of what the kernel leaves, and the errors' rules and variables.
constexpr const char* program_end = R"(
#include <cstdio>
#include <set>
#include <string>
#include "emulator.h"
using namespace simtlab::emulator;
static unsigned long long hash_of(const int* values, int n, unsigned long long hash) {
  for (int i = 0; i < n; ++i) hash = (hash ^ static_cast<unsigned>(values[i])) * 1099511628211ULL;
  return hash;
}
static void try_both(int number, void (*launch)(int*, int*)) {
  for (const bool as_compiled : {false, true}) {
    options wanted;
    wanted.as_compiled = as_compiled;
    configure(wanted);
    (void)take_report();
    int *g, *out, of_g[64], of_out[144];
    cudaMalloc(&g, 256);
    cudaMalloc(&out, 1024);
    cudaMemset(g, 0, 256);
    launch(g, out);
    cudaMemcpy(of_g, g, sizeof of_g, cudaMemcpyDeviceToHost);
    cudaMemcpy(of_out, out, sizeof of_out, cudaMemcpyDeviceToHost);
    cudaFree(g);
    cudaFree(out);
    std::set<std::string> errors;
    for (const finding& f : take_report().findings)
      if (f.level == severity::error || f.what == rule::not_as_compiled)
        errors.insert(std::string(rule_name(f.what)) + " of " + f.variable);
    std::printf("%d %d %llu ", number, as_compiled, hash_of(of_out, 144, hash_of(of_g, 64, 14695981039346656037ULL)));
    for (const std::string& e : errors) std::printf("%s; ", e.c_str());
    std::printf("\n");
  }
}
)";

/// Whether nvcc may lift a load out of its condition: all lanes make it then, and a race that this makes is told.
bool has_conditional_load(const std::string& kernel) {
  std::istringstream in(kernel);
  for (std::string line; std::getline(in, line);)
    if (has(line, "if (") && has(line, ") v += ")) return true;
  return false;
}

/// What a kernel does by one engine.
struct outcome {
  std::string values, errors;
};

unsigned number_from(const char* variable, unsigned otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : static_cast<unsigned>(std::strtoul(text, nullptr, 10));
}

const unsigned seed = number_from("SIMTLAB_RANDOM_SEED", 23), count = number_from("SIMTLAB_RANDOM_PROGRAMS", 24);

/// Kernels of one kind, and what they do by g++'s code and by nvcc's.
struct trial {
  std::map<unsigned, random_kernel> kernels;
  std::map<unsigned, outcome> written, compiled;

  explicit trial(kernel_kind kind) {
    const workplace here;
    kernel_generator generator(seed, kind);
    constexpr unsigned in_program = 100;
    for (unsigned first = 0; first < count; first += in_program)
      run(generator, first, std::min(count, first + in_program));
  }

 private:
  void run(kernel_generator& generator, unsigned first, unsigned end) {
    std::string text, calls;
    for (unsigned n = first; n < end; ++n) {
      text += (kernels[n] = generator.next(n)).text;
      const std::string number = std::to_string(n);
      calls += "  try_both(" + number + ", [](int* g, int* out) { kernel" + number + "<<<3, 48>>>(g, out); });\n";
    }
    workplace::write("random.cu", text + program_end + "int main() {\n" + calls + "}\n");
    const process_result made = workplace::simtcc(
        {"--engine", "sass", "-std=c++20", "-w", "-I", SIMTLAB_EMULATOR_TESTS "/..", "random.cu", "-o", "random"});
    REQUIRE_MESSAGE(made.exit_code == 0, made.errors);
    REQUIRE(run_process({"./random"}, "said").exit_code == 0);
    std::istringstream in(workplace::read("said"));
    for (std::string line; std::getline(in, line);) {
      std::istringstream words(line);
      unsigned number = 0;
      int as_compiled = 0;
      outcome o;
      words >> number >> as_compiled >> o.values;
      std::getline(words >> std::ws, o.errors);
      (as_compiled != 0 ? compiled : written)[number] = o;
    }
    REQUIRE(compiled.size() == end);
  }
};

}  // namespace

TEST_CASE("random kernels that nothing but barriers order have the same errors by both engines") {
  REQUIRE(has_tools);
  const trial t(kernel_kind::barriers);
  for (const auto& [number, kernel] : t.kernels) {
    CAPTURE(kernel.text);
    const std::string &compiled = t.compiled.at(number).errors, &written = t.written.at(number).errors;
    CAPTURE(compiled);
    CAPTURE(written);
    CHECK((compiled == written || (written.empty() && has_conditional_load(kernel.text))));
    if (kernel.is_clean) CHECK(t.compiled.at(number).values == t.written.at(number).values);
  }
}

TEST_CASE("random kernels that are ordered by atomic operations, fences and volatile accesses compute the same") {
  const trial t(kernel_kind::ordered);
  for (const auto& [number, kernel] : t.kernels) {
    CAPTURE(kernel.text);
    if (!kernel.is_clean) continue;  // with fences the engine sass looks for no race (docs/internals/sass.md)
    CHECK(t.compiled.at(number).errors.empty());
    CHECK(t.compiled.at(number).values == t.written.at(number).values);
  }
}

}  // namespace simtlab::emulator::tests
