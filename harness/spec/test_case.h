// One input of a lab: a name, named sizes, and perhaps a fault that the emulator plants.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace simtlab {

/// The lab's specification contradicts itself: the lab author's fault, never the student's.
class specification_error : public std::runtime_error {
  using runtime_error::runtime_error;
};

struct named_size {
  std::string name;
  int value = 0;
};

/// Named integers: `{{"rows", 33}, {"cols", 65}}`.
class sizes {
 public:
  sizes() = default;
  sizes(std::initializer_list<named_size> list) : list_(list) {}
  explicit sizes(std::vector<named_size> list) : list_(std::move(list)) {}
  /// Throws specification_error, naming the sizes there are, when `name` is not one.
  [[nodiscard]] int operator[](std::string_view name) const;
  [[nodiscard]] auto begin() const { return list_.begin(); }
  [[nodiscard]] auto end() const { return list_.end(); }
  [[nodiscard]] bool empty() const { return list_.empty(); }

 private:
  std::vector<named_size> list_;
};

/// Makes the n-th fallible CUDA API call of a host entry fail (1-based). The entry must return an error and leak nothing.
/// An entry that makes fewer calls is judged by its answer. Emulator only; the CUDA backend counts the case as skipped.
struct fail_api_call {
  constexpr fail_api_call() = default;
  constexpr explicit fail_api_call(std::uint64_t call) : nth(call) {}
  std::uint64_t nth = 0;  ///< 0: no fault
};

class test_case {
 public:
  test_case(std::string name, sizes of, fail_api_call fault = {}, bool hidden = false)
      : name_(std::move(name)), sizes_(std::move(of)), fault_(fault), hidden_(hidden) {}
  /// The size of that name.
  [[nodiscard]] int operator[](std::string_view size) const { return sizes_[size]; }

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const sizes& all_sizes() const { return sizes_; }
  [[nodiscard]] fail_api_call fault() const { return fault_; }
  [[nodiscard]] bool hidden() const { return hidden_; }

 private:
  std::string name_;
  sizes sizes_;
  fail_api_call fault_;
  bool hidden_;
};

/// Sizes of the one timed or counted case on each backend: seconds on the emulator, at least 100 µs on a GPU.
struct benchmark_sizes {
  sizes emulator;
  sizes gpu;
};

}  // namespace simtlab
