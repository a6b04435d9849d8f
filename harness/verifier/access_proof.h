// Walks all ways through one function and proves of each instruction that it does nothing unseen.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "verifier/allowed_instructions.h"
#include "verifier/control_flow.h"
#include "verifier/machine_state.h"

namespace simtlab::verifier {

/// A function gives them back to its caller as they were.
inline constexpr std::array<int, 6> of_callers{rbx, rbp, r12, r13, r14, r15};

class access_proof {
 public:
  /// `code`: the function, taken apart; empty where that failed.
  access_proof(const object_code&, code_range, std::vector<operation> code, const decoder&,
               const std::set<place>& endless);

  [[nodiscard]] std::vector<problem> run();

 private:
  static constexpr std::size_t token = 0, row = 1, depth = 2;  ///< the words of simtlab_hooks

  struct ways {
    machine_state on, jumped, landed;
  };
  [[nodiscard]] bool is_idle(const block&) const;
  [[nodiscard]] bool settle();
  [[nodiscard]] machine_state begin_of(int block, const std::vector<ways>& behind, const machine_state& known,
                                       bool is_settling);
  void learn(machine_state& on, machine_state& jumped, unsigned jump);
  [[nodiscard]] ways walk(int block, machine_state);
  void step(machine_state&, std::size_t);
  void copy(machine_state&, const operation&, const string_operation&);
  void look_at_address(machine_state&, const operation&, value at, bool reads, bool writes, std::uint64_t bytes);
  void move_stack(machine_state&, const operation&, std::size_t);
  void calculate(machine_state&, const operation&, std::size_t);
  [[nodiscard]] std::optional<value> computed(machine_state&, const operation&, std::size_t);
  void call(machine_state&, const operation&, std::size_t);
  void apply(machine_state&, const operation&, std::size_t, std::string_view name);
  void leave(machine_state&, const operation&);
  [[nodiscard]] bool is_as_called(const machine_state&);
  void jump(machine_state&, const operation&);
  bool log_step(machine_state&, const operation&, std::size_t);
  void access(machine_state&, const operation&, const operand&, bool reads, bool writes, unsigned bytes);
  [[nodiscard]] bool is_static(value) const;
  [[nodiscard]] bool is_coordinate(value at, std::uint64_t bytes);
  [[nodiscard]] bool is_vouched(machine_state&, value at, std::uint64_t bytes, bool write);
  void begin_bundle(machine_state&, const operation&, value token);
  void log_read(machine_state&, const operation&, value at, std::uint64_t row_distance, value site);
  [[nodiscard]] std::optional<std::uint64_t> event_word(const open_bundle&, std::uint64_t event, unsigned at,
                                                        unsigned bytes) const;
  [[nodiscard]] std::optional<place> event_site(const open_bundle&, std::uint64_t event) const;
  void new_event(machine_state&);
  [[nodiscard]] bool note(machine_state&);
  void forget(machine_state&, std::size_t);
  void forget_registers(machine_state&, std::size_t, unsigned kept);

  [[nodiscard]] value address(const machine_state&, const operation&, const operand&);
  [[nodiscard]] value symbol_address(const relocation&, bool in_thread);
  [[nodiscard]] std::optional<value> value_of(machine_state&, const operation&, const operand&, std::size_t);
  [[nodiscard]] value unknown(std::size_t instruction, long which) {
    return values_.of(value_table::result, static_cast<long>(instruction), which, 0, 0, block_);
  }
  /// The place of a value that is an address in the frame, counted from the return address.
  /// In a frame that has been aligned, what lies under the gap counts as if the gap had no bytes.
  [[nodiscard]] std::optional<std::int64_t> in_frame(value) const;
  /// What was pushed there, or is known of that place of the frame.
  [[nodiscard]] std::optional<value> on_stack(const machine_state&, value at, int bytes);
  /// Where the part of the frame ends that the value points into.
  [[nodiscard]] std::int64_t end_of_frame(value v) const { return gap_ && v.sum == gap_->below.sum ? gap_->at : 0; }
  /// The highest place of the frame, counted as slots are, that the state's stack pointer can be at.
  [[nodiscard]] std::optional<std::int64_t> top_of(const machine_state&) const;
  /// Behind a change of the stack pointer: it is where the frame has room.
  void look_at_stack(machine_state&, const operation&);
  void bound_stack(machine_state&, const std::vector<const machine_state*>& before) const;
  void align_stack(machine_state&, const operation&, value top);
  [[nodiscard]] std::optional<place> in_section(value) const;
  void tell(const operation&, std::string message);

  const object_code& object_;
  code_range function_;
  const decoder& decoder_;
  const std::set<place>& endless_;
  std::vector<operation> code_;
  std::vector<bool> ends_;
  value_table values_;
  std::optional<control_flow> flow_;
  value stack_;  ///< of the return address' place
  /// `and $-64, %rsp` leaves a gap of a size that is not known, from `at` down to what it makes of the stack pointer.
  struct gap {
    std::int64_t at;
    value below;
    bool operator==(const gap&) const = default;
  };
  std::optional<gap> gap_;
  int block_ = 0;
  bool is_telling_ = false;
  std::vector<problem> problems_;
};

/// Whether the function ends by none of its instructions, so that nothing follows a call of it.
[[nodiscard]] bool is_endless(const object_code&, const code_range&, const std::vector<operation>&);

/// All functions of the object.
[[nodiscard]] std::vector<problem> prove_accesses(const object_code&);

[[nodiscard]] code_range range_of(place begin, const function&);

/// The name of the function that an instruction calls or jumps to directly; empty when it is not direct.
[[nodiscard]] std::string direct_callee(const object_code&, const code_range&, const operation&);

}  // namespace simtlab::verifier
