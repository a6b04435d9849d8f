// Walks all ways through one function and proves of each instruction that it does nothing unseen.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "verifier/control_flow.h"
#include "verifier/instruction_rules.h"
#include "verifier/machine_state.h"

namespace simtlab::verifier {

class function_check {
 public:
  /// `arguments_end`: how many bytes of the caller's frame, from the return address on, are the function's own; asked for only
  /// where code goes there.
  function_check(const object_code&, const function&, const disassembler&, const std::set<place>& endless,
                 std::function<std::uint64_t()> arguments_end);

  [[nodiscard]] std::vector<problem> run();

 private:
  struct ways {
    machine_state on, jumped, landed;
  };
  static constexpr int most_rounds = 60;

  [[nodiscard]] bool settle();
  [[nodiscard]] ways walk(int block, machine_state);
  void step(machine_state&, std::size_t);
  void copy(machine_state&, const instruction&, const string_operation&, std::size_t);
  void look_at_address(machine_state&, const instruction&, value at, bool reads, bool writes, std::uint64_t bytes);
  void move_stack(machine_state&, const instruction&, std::size_t);
  void calculate(machine_state&, const instruction&, std::size_t);
  [[nodiscard]] std::optional<value> computed(machine_state&, const instruction&, std::size_t);
  void call(machine_state&, const instruction&, std::size_t);
  void apply(machine_state&, const instruction&, std::size_t, std::string_view name);
  void leave(machine_state&, const instruction&);
  void jump(machine_state&, const instruction&);
  bool log_step(machine_state&, const instruction&, std::size_t);
  void access(machine_state&, const instruction&, const operand&, bool reads, bool writes, unsigned bytes);
  [[nodiscard]] bool is_vouched(machine_state&, value at, std::uint64_t bytes, bool write);
  [[nodiscard]] std::string refusal(const machine_state&, value at, bool writes) const;
  void frame_access(machine_state&, const instruction&, std::int64_t at, std::uint64_t bytes, bool writes);
  void begin_bundle(machine_state&, const instruction&, value token);
  void log_read(machine_state&, const instruction&, value at, std::uint64_t row_distance, value site);
  [[nodiscard]] std::optional<std::uint64_t> event_word(const open_bundle&, std::uint64_t event, unsigned at, unsigned bytes) const;
  [[nodiscard]] std::optional<place> event_site(const open_bundle&, std::uint64_t event) const;
  void new_event(machine_state&);
  void new_call(machine_state&, std::size_t, std::string_view name, unsigned kept);

  [[nodiscard]] value address(const machine_state&, const instruction&, const operand&);
  [[nodiscard]] value symbol_address(const relocation&, bool in_thread);
  [[nodiscard]] std::optional<value> value_of(machine_state&, const instruction&, const operand&, std::size_t);
  [[nodiscard]] value unknown(std::size_t instruction, long which) {
    return values_.of(value_table::result, static_cast<long>(instruction), which, 0, 0, block_);
  }
  /// The place of a value that is an address in the frame, counted from the return address.
  [[nodiscard]] std::optional<std::int64_t> in_frame(value) const;
  [[nodiscard]] std::optional<place> in_section(value) const;
  void tell(problem::kind_of_problem, const instruction&, std::string message);

  const object_code& object_;
  const function& function_;
  const disassembler& disassembler_;
  const std::set<place>& endless_;
  std::function<std::uint64_t()> arguments_end_;
  std::vector<instruction> code_;
  std::vector<bool> ends_;
  value_table values_;
  std::optional<control_flow> flow_;
  value stack_;  ///< of the return address' place
  int block_ = 0;
  bool is_telling_ = false;
  std::vector<problem> problems_;
};

/// Functions of the object that end by none of their instructions, so that nothing follows a call of them.
[[nodiscard]] std::set<place> endless_functions(const object_code&, const disassembler&);

/// The name of the function that an instruction calls or jumps to directly; empty when it is not direct.
[[nodiscard]] std::string direct_callee(const object_code&, const function&, const instruction&);

}  // namespace simtlab::verifier
