// What registers and places of the frame hold in straight-line code, as sums of unknowns: enough to tell that two operands are one
// address. Assembly in AT&T syntax for x86-64.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace simtlab::emulator {

/// A constant and multiples of unknowns, sorted.
struct known_sum {
  std::vector<std::pair<int, long>> terms;
  long constant = 0;
  bool operator==(const known_sum&) const = default;
};

class known_values {
 public:
  static constexpr int frame = 0;  ///< the unknown that is the place of the return address

  struct place {
    known_sum at;
    long bytes = 0;
    known_sum holds;
  };
  struct state {
    std::array<known_sum, 16> registers;
    std::vector<place> places;  ///< of the frame
  };

  /// Nothing is known but where the frame is: `depth` bytes below the return address by the stack pointer or by %rbp.
  void forget_all(std::optional<long> depth, bool by_rbp);
  /// Only the stack pointer is known anew.
  void stand_at(long depth, bool by_rbp);
  /// As behind a call.
  void forget_after_call(bool keeps_rdi, bool keeps_frame);
  /// The registers whose bits are set, and perhaps the places of the frame.
  void forget(unsigned registers, bool places);
  /// Places of the frame that overlap these bytes, `at` counted from the return address.
  void forget_places(long at, long bytes);
  /// What both ways agree on.
  void meet(const state&);
  [[nodiscard]] const state& now() const { return state_; }
  void set(state s) { state_ = std::move(s); }

  /// The address that an operand in memory stands for.
  [[nodiscard]] known_sum address(std::string_view operand);
  [[nodiscard]] known_sum in_register(std::string_view name) const;
  /// What the number on top of the stack is; none if it is not known.
  [[nodiscard]] std::optional<long> frame_bytes() const;
  /// Learns what the instruction changes. `operands` as written.
  void follow(std::string_view name, const std::vector<std::string_view>& operands);

  /// The number of a general register, its first byte's width, or -1.
  struct register_name {
    int number = -1, bytes = 0;
  };
  [[nodiscard]] static register_name register_of(std::string_view);
  [[nodiscard]] static bool is_memory(std::string_view operand);
  /// The unknown of a thread-local variable's distance from the thread pointer.
  [[nodiscard]] known_sum in_thread(std::string_view variable) {
    return made("symbol" + std::string(variable) + "@tpoff");
  }

 private:
  [[nodiscard]] known_sum fresh();
  [[nodiscard]] known_sum made(const std::string& how);
  [[nodiscard]] known_sum low(const known_sum&);
  [[nodiscard]] std::optional<known_sum> value_of(std::string_view operand, int bytes);
  void assign(std::string_view to, std::optional<known_sum>, int bytes);

  state state_;
  int next_ = 1;
  std::unordered_map<std::string, int> unknowns_;
};

[[nodiscard]] known_sum sum_of(const known_sum&, const known_sum&, long times = 1);
[[nodiscard]] inline bool is_number(const known_sum& s) { return s.terms.empty(); }

}  // namespace simtlab::emulator
