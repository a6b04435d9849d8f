// What findings depend on, over random kernels: of one schedule on nothing, whatever the number of workers. Where nothing but
// barriers orders threads, no schedule decides which variables have errors, and by which rule; which of a variable's lines are
// told may depend on it. Where more orders threads, in order and in reverse together find what any other order does. Clean
// kernels have no finding.
#include <doctest/doctest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "findings/random_kernels.h"

namespace simtlab::emulator::tests {
namespace {

constexpr std::array schedules = {"in-order", "reverse", "random:1", "random:2", "random:3"};

/// Prints a line a kernel and schedule: their numbers, whether two and four workers find just the same, and the findings.
constexpr const char* program_end = R"(
#include <algorithm>
#include <cstdio>
#include <string>
#include "emulator.h"
using namespace simtlab::emulator;
using kernel = void (*)(int*, int*);
static std::string text_of(const report& r, bool whole) {
  std::string text;
  for (const finding& f : r.findings) {
    const auto [low, high] = std::minmax(f.first.where.line, f.second.where.line);
    text += std::string(rule_name(f.what)) + " " + severity_name(f.level) + " " + f.variable + " " +
            std::to_string(low) + "-" + std::to_string(high) + ";";
    if (whole) text += std::to_string(f.count) + f.first.action + f.second.action + f.message;
  }
  return text;
}
template <class Launch>
static report run(unsigned workers, const char* turns, Launch&& launch) {
  options wanted;
  wanted.workers = workers;
  wanted.turns = *schedule_from(turns);
  configure(wanted);
  (void)take_report();
  int *g, *out;
  cudaMalloc(&g, 256);
  cudaMalloc(&out, 1024);
  cudaMemset(g, 0, 256);
  launch(g, out);
  cudaDeviceSynchronize();
  cudaFree(g);
  cudaFree(out);
  return take_report();
}
template <class Launch>
static void try_all(int number, Launch&& launch) {
  int place = 0;
  for (const char* turns : {"in-order", "reverse", "random:1", "random:2", "random:3"}) {
    const report one = run(1, turns, launch);
    bool same = true;
    for (unsigned workers : {2U, 4U}) same = same && text_of(run(workers, turns, launch), true) == text_of(one, true);
    std::printf("%d %d %d %s\n", number, place++, same, text_of(one, false).c_str());
  }
}
)";

struct outcome {
  bool same_with_workers = false;
  std::set<std::string> findings;
};
using outcomes = std::map<unsigned, std::array<outcome, schedules.size()>>;

std::set<std::string> parts_of(const std::string& text) {
  std::set<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, ';');) parts.insert(part);
  return parts;
}

std::string joined(const std::set<std::string>& parts) {
  std::string text;
  for (const std::string& p : parts) text += p + "; ";
  return text;
}

/// Rule and variable of each error, and the variables that have anything else.
std::set<std::string> without_lines(const std::set<std::string>& findings) {
  std::set<std::string> all;
  for (const std::string& f : findings) {
    const std::string whole = f.substr(0, f.rfind(' '));
    const bool is_error = whole.find(" error ") != std::string::npos;
    all.insert(is_error ? whole : "something of " + whole.substr(whole.rfind(' ') + 1));
    if (is_error) all.insert("something of " + whole.substr(whole.rfind(' ') + 1));
  }
  return all;
}

bool has_error(const std::set<std::string>& findings) {
  for (const std::string& f : findings)
    if (f.find(" error ") != std::string::npos) return true;
  return false;
}

/// Kernels in programs of 100, compiled and run in a folder of their own, which stays if something is wrong.
class trial {
 public:
  trial(unsigned seed, kernel_kind kind, unsigned count) : generator_(seed, kind) {
    std::string name = std::filesystem::temp_directory_path() / "simtlab-findings-XXXXXX";
    REQUIRE(mkdtemp(name.data()) != nullptr);
    folder = name;
    constexpr unsigned in_program = 100;
    for (unsigned first = 0; first < count; first += in_program) run(first, std::min(count, first + in_program));
  }

  std::filesystem::path folder;
  std::map<unsigned, random_kernel> kernels;
  outcomes found;

 private:
  void run(unsigned first, unsigned end) {
    std::string text = "#include <cuda_runtime.h>\n", calls;
    for (unsigned n = first; n < end; ++n) {
      text += (kernels[n] = generator_.next(n)).text;
      const std::string number = std::to_string(n);
      calls += "  try_all(" + number + ", [](int* g, int* out) { kernel" + number + "<<<3, 48>>>(g, out); });\n";
    }
    const std::string name = "random" + std::to_string(first);
    std::ofstream(folder / (name + ".cu")) << text << program_end << "int main() {\n" << calls << "}\n";
    const std::string command = "cd " + folder.string() +
                                " && " SIMTLAB_SIMTCC " -std=c++20 -w -I " SIMTLAB_EMULATOR " " + name + ".cu -o " +
                                name + " && ./" + name + " > " + name + ".txt";
    REQUIRE(std::system(command.c_str()) == 0);
    std::ifstream in(folder / (name + ".txt"));
    for (std::string line; std::getline(in, line);) {
      std::istringstream words(line);
      unsigned number = 0, schedule = 0;
      int same = 0;
      words >> number >> schedule >> same;
      std::string rest;
      std::getline(words >> std::ws, rest);
      found[number].at(schedule) = {same != 0, parts_of(rest)};
    }
    REQUIRE(found.size() == end);
  }

  kernel_generator generator_;
};

unsigned number_from(const char* variable, unsigned otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : static_cast<unsigned>(std::strtoul(text, nullptr, 10));
}

const unsigned seed = number_from("SIMTLAB_RANDOM_SEED", 16), count = number_from("SIMTLAB_RANDOM_PROGRAMS", 24);

}  // namespace

TEST_CASE("random kernels that nothing but barriers order") {
  const trial t(seed, kernel_kind::barriers, count);
  unsigned racy = 0, clean = 0, wrong = 0, other_lines = 0;
  for (const auto& [number, by_schedule] : t.found) {
    bool same_lines = true;
    const outcome& first = by_schedule[0];
    (has_error(first.findings) ? racy : clean) += 1;
    if (t.kernels.at(number).is_clean && !first.findings.empty()) ++wrong;
    for (std::size_t i = 0; i < schedules.size(); ++i) {
      CAPTURE(number);
      CAPTURE(std::string(schedules[i]));
      const std::string found = joined(without_lines(by_schedule[i].findings));
      const std::string expected = joined(without_lines(first.findings));
      wrong += !by_schedule[i].same_with_workers || found != expected;
      CHECK(by_schedule[i].same_with_workers);
      CHECK(found == expected);
      same_lines = same_lines && by_schedule[i].findings == first.findings;
    }
    other_lines += !same_lines;
  }
  CHECK(wrong == 0);
  CHECK(racy > count / 5);
  CHECK(clean > count / 10);
  if (wrong == 0) std::filesystem::remove_all(t.folder);
  MESSAGE(count, " kernels, seed ", seed, ": ", racy, " racy, ", clean, " clean, ", other_lines,
          " told by other lines in some order; in ", t.folder.string());
}

TEST_CASE("random kernels that atomic operations, fences and volatile accesses order") {
  const trial t(seed, kernel_kind::ordered, count);
  unsigned racy = 0, clean = 0, wrong = 0;
  for (const auto& [number, by_schedule] : t.found) {
    std::set<std::string> both = by_schedule[0].findings;
    both.insert(by_schedule[1].findings.begin(), by_schedule[1].findings.end());
    const bool is_clean = t.kernels.at(number).is_clean;
    CAPTURE(number);
    (is_clean ? clean : racy) += 1;
    wrong += has_error(both) == is_clean;
    CHECK(has_error(both) == !is_clean);
    for (std::size_t i = 0; i < schedules.size(); ++i) {
      CAPTURE(std::string(schedules[i]));
      wrong += !by_schedule[i].same_with_workers;
      CHECK(by_schedule[i].same_with_workers);
      for (const std::string& f : by_schedule[i].findings) {
        wrong += !both.contains(f);
        CHECK_MESSAGE(both.contains(f), f, " is not among ", joined(both));
      }
    }
  }
  CHECK(wrong == 0);
  CHECK(racy > count / 5);
  CHECK(clean > count / 10);
  if (wrong == 0) std::filesystem::remove_all(t.folder);
  MESSAGE(count, " kernels, seed ", seed, ": ", racy, " racy, ", clean, " clean; in ", t.folder.string());
}

}  // namespace simtlab::emulator::tests
