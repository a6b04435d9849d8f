// Predict, then measure: what labs/NN-name/predict.cu says. A question asks what a fixed snippet makes of the memory
// system; its numbers are drawn for each student, and its answer is what the emulator counts when the snippet runs.
// docs/lab-handout.md is the guide.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "emulator.h"

namespace simtlab::predict {

/// What a snippet's number may be. The first value is that of a student without a name.
struct number {
  std::string name;
  std::vector<int> values;
};

/// One value for each number of a question.
class drawn {
 public:
  explicit drawn(std::map<std::string, int> values) : values_(std::move(values)) {}
  /// Throws std::out_of_range when the question has no such number.
  [[nodiscard]] int operator[](const std::string& name) const { return values_.at(name); }
  [[nodiscard]] const std::map<std::string, int>& values() const { return values_; }

 private:
  std::map<std::string, int> values_;
};

struct question {
  std::string name;  ///< as in predict.toml: lower case, digits and `_`
  std::string text;  ///< `{stride}` stands for the number of that name
  std::vector<number> numbers;
  std::function<void(const drawn&)> run;                       ///< launches the snippet
  std::function<double(const emulator::report&)> measurement;  ///< the answer, from what the emulator counted
};

/// Counters of all accesses of one kind to a variable: a device_array by its name, a `__shared__` variable by its own.
/// Throws std::runtime_error when there were none.
[[nodiscard]] emulator::request_counters reads_of(const emulator::report&, std::string_view variable);
[[nodiscard]] emulator::request_counters writes_of(const emulator::report&, std::string_view variable);

/// For `.measurement`: 32-byte sectors, 128-byte lines, wavefronts or lanes of one request, averaged over all.
[[nodiscard]] std::function<double(const emulator::report&)> sectors_per_read(std::string variable);
[[nodiscard]] std::function<double(const emulator::report&)> lines_per_read(std::string variable);
[[nodiscard]] std::function<double(const emulator::report&)> wavefronts_per_read(std::string variable);
[[nodiscard]] std::function<double(const emulator::report&)> sectors_per_write(std::string variable);
[[nodiscard]] std::function<double(const emulator::report&)> wavefronts_per_write(std::string variable);

}  // namespace simtlab::predict

/// Implemented by predict.cu.
std::vector<simtlab::predict::question> define_questions();
