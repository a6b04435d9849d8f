// What is known at one place of a function: what registers and stack slots hold, which accesses hooks have vouched for, and
// how far the hooks' log is.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "verifier/control_flow.h"
#include "verifier/values.h"

namespace simtlab::verifier {

/// Bytes that somebody has vouched for.
struct vouched {
  enum kind_of_voucher : std::uint8_t { read, write };
  kind_of_voucher kind = read;
  value at;
  std::uint64_t bytes = 0;
  bool is_used = false;
  bool operator==(const vouched&) const = default;
};

/// A place in the stack frame; `at` counts from the return address.
struct slot {
  std::int64_t at = 0;
  int bytes = 0;
  value holds;
  bool operator==(const slot&) const = default;
};

/// The bundle of hooks that is being written.
struct open_bundle {
  std::optional<place> table;
  std::uint64_t count = 0, next = 0;
  bool operator==(const open_bundle&) const = default;
  [[nodiscard]] bool is_complete() const { return !table || next == count; }
};

/// What the last comparison compared.
struct comparison {
  enum kind_of_comparison : std::uint8_t {
    none,
    with_zero,
    with_template,
    with_value,
    with_last_write,
    with_last_width
  };
  kind_of_comparison kind = none;
  value compared, other;
  std::uint64_t number = 0;
  bool operator==(const comparison&) const = default;
};

/// A stack pointer at a distance that is not known from the return address: not above `top`, which is not above `floor`, counted
/// as slots are. Below the floor no place of the frame is known.
struct moving_stack {
  value top;
  std::int64_t floor = 0;
  bool operator==(const moving_stack&) const = default;
  [[nodiscard]] bool holds(value v) const {
    return v.sum == top.sum && static_cast<std::int64_t>(v.constant - top.constant) <= 0;
  }
  /// All of these bytes.
  [[nodiscard]] bool holds(value v, std::uint64_t bytes) const {
    return holds(v) && bytes <= top.constant - v.constant;
  }
};

struct machine_state {
  static constexpr std::size_t registers = 16, logs = 3;
  bool is_reached = false;
  std::array<value, registers> general;
  std::array<value, logs> log;  ///< the words of `simtlab_hooks`: distance of the token, row, depth
  std::vector<slot> slots;
  std::vector<slot> pushed;  ///< below the top of `moving`; `at` is the constant of the place's sum
  std::vector<vouched> vouchers;
  std::vector<value> nonzero;
  open_bundle bundle;
  std::optional<place> matched;  ///< the bundle whose token was the template's next
  bool is_claimed = false;       ///< half of the claim for it is made
  comparison compared;
  std::optional<value> last_write;      ///< what the last hook of a write told, where a comparison has said so
  std::optional<moving_stack> moving;   ///< where the stack pointer is not at a known place of the frame
  std::optional<moving_stack> allowed;  ///< where the last look at the stack's end lets it go
  std::optional<std::int64_t> deepest;  ///< so far down the stack has room, as a look has said
  bool is_exposed = false;  ///< a store, or a callee, may have reached the frame's return address and saved registers
  /// What a place of the frame held when a second record was made there: g++'s way back out of an aligned frame.
  std::optional<slot> noted;
  bool is_recorded = false;  ///< both are written down where none of them gets to
  bool is_compared = false;  ///< they are as written down, and nothing has got there since
  bool is_broken = false;    ///< ways meet that disagree on the log or the stack pointer

  /// What a slot holds; nothing when that is not known.
  [[nodiscard]] std::optional<value> load(value_table& table, std::int64_t at, int bytes) const {
    return load_from(slots, table, at, bytes);
  }
  /// The same of what has been pushed below a stack pointer at an unknown distance.
  [[nodiscard]] std::optional<value> load_pushed(value_table&, value at, int bytes) const;
  /// A store through a pointer, or a call: no place in the frame is known any more.
  void expose() {
    slots.clear();
    pushed.clear();
    is_exposed = true;
    is_compared = false;
  }
  /// What overlaps is unknown from then on.
  void store(std::int64_t at, std::int64_t bytes, std::optional<value> v) { store_to(slots, at, bytes, v); }
  /// The same below a stack pointer at an unknown distance. False where that is no place of its.
  bool store_pushed(value at, std::uint64_t bytes, std::optional<value>);
  /// Signals and callees store below the stack pointer: nothing is known there. The frame's part, by its place.
  void end_frame_at(std::int64_t at) {
    std::erase_if(slots, [at](const slot& s) { return s.at < at; });
  }
  void end_pushed_at(value top) {
    std::erase_if(pushed, [top](const slot& s) { return s.at < static_cast<std::int64_t>(top.constant); });
  }
  /// The stack pointer moves by what has been looked at, or back to a known place.
  void move_to(std::optional<moving_stack> to) {
    if (moving != to) pushed.clear();
    moving = to;
  }
  bool operator==(const machine_state&) const = default;

 private:
  static std::optional<value> load_from(const std::vector<slot>&, value_table&, std::int64_t at, int bytes);
  static void store_to(std::vector<slot>&, std::int64_t at, std::int64_t bytes, std::optional<value>);
};

/// The state at the begin of a block: what holds on every way to it. `before`: the states that ways come
/// from; `known`: what was found there when the block was last looked at, if it was. `is_settling`: what was told
/// apart there stays so.
[[nodiscard]] machine_state meet(value_table&, const control_flow&, int block,
                                 const std::vector<const machine_state*>& before, const machine_state& known,
                                 bool is_settling);

}  // namespace simtlab::verifier
