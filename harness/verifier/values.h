// What registers and stack slots hold, as sums of unknowns: a function's arguments, results of loads, products. Two places
// hold the same number wherever their sums are the same. All sums are modulo 2^64.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace simtlab::verifier {

/// A sum of unknowns, by its number in the table, and a constant.
struct value {
  int sum = 0;  ///< 0: no unknowns
  std::uint64_t constant = 0;
  bool operator==(const value&) const = default;
  [[nodiscard]] value plus(std::uint64_t more) const { return {sum, constant + more}; }
};

class value_table {
 public:
  enum kind : int {
    entry_register,  ///< what a register held when the function began; rsp: the place of the return address
    section_begin,   ///< an address: the section's number
    outside,         ///< an address: the symbol's number
    thread,          ///< where the thread's storage begins
    thread_section,  ///< a distance in it: the section's number
    thread_outside,  ///< a distance in it: the symbol's number
    result,          ///< of an instruction: its number, and which of its results
    merged,          ///< where ways meet: the block's number, and the location's
    low_half,        ///< the lower 32 bits of a sum, the others clear
    signed_half,     ///< the lower 32 bits, with their sign
    computed,        ///< an operation on values
  };
  struct unknown {
    kind what;
    long a;     ///< the first of its numbers
    int block;  ///< where it is made; -1: before the function
  };
  struct term {
    int unknown;
    std::uint64_t factor;
    auto operator<=>(const term&) const = default;
  };

  value_table();
  /// `block`: where it is made, for results and merged ones.
  value of(kind, long a = 0, long b = 0, long c = 0, long d = 0, int block = -1);
  value add(value, value);
  value times(value, std::uint64_t);
  /// An operation that depends on its operands alone.
  value compute(unsigned operation, value, value = {});
  value low(value);
  value with_sign(value);
  [[nodiscard]] bool is_constant(value v) const { return v.sum == 0; }
  [[nodiscard]] const std::vector<term>& terms(value v) const { return sums_[static_cast<std::size_t>(v.sum)].terms; }
  [[nodiscard]] const unknown& unknown_of(int n) const { return unknowns_[static_cast<std::size_t>(n)]; }
  /// The innermost of the blocks where the unknowns are made.
  [[nodiscard]] int block(value v) const { return sums_[static_cast<std::size_t>(v.sum)].block; }
  /// How deep each block lies in the tree of dominators; before the first value is made.
  void set_depths(std::vector<int> depths) { depths_ = std::move(depths); }

 private:
  struct sum {
    std::vector<term> terms;
    int block;
  };
  [[nodiscard]] int deeper(int a, int b) const { return depth(a) >= depth(b) ? a : b; }
  [[nodiscard]] int depth(int block) const { return block < 0 ? -1 : depths_[static_cast<std::size_t>(block)]; }
  int number_of(std::vector<term>);
  /// Modulo 2^32: without halves, whose lower bits are those of what they were made of.
  value shortened(value);
  value half(kind, value);

  using key = std::array<long, 5>;
  struct hash {
    std::size_t operator()(const key&) const;
    std::size_t operator()(const std::vector<term>&) const;
  };
  std::unordered_map<key, int, hash> unknown_numbers_;
  std::vector<unknown> unknowns_;
  std::unordered_map<std::vector<term>, int, hash> sum_numbers_;
  std::vector<sum> sums_;
  std::unordered_map<int, value> halved_;  ///< what a half was made of
  std::vector<int> depths_;
};

}  // namespace simtlab::verifier
