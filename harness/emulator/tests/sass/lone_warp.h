// One warp that executes one instruction, given as nvdisasm prints it, by the handlers of both levels of the processor.
#pragma once

#include <doctest/doctest.h>

#include <bit>
#include <functional>
#include <string>

#include "machine.h"
#include "sass/block_context.h"
#include "sass/handlers/opcode_rule.h"
#include "sass/instruction_text.h"
#include "sass/warp.h"

namespace simtlab::emulator::testing {

/// A member of "sass-instructions": {"predicate":"@!P0","opcode":"BRA","operands":"0x320"}.
sass::instruction_line line_of(std::string_view json);

class lone_warp {
 public:
  explicit lone_warp(lane_mask lanes = full_warp, std::span<observer* const> observers = {})
      : launch_({.code = test_kernels(),
                 .kernel = test_kernels()->find("vector_add"),
                 .grid = {5, 4, 3},
                 .block = {8, 2, 2},
                 .dynamic_shared_bytes = 256,
                 .parameters = {},
                 .symbols = {}}),
        context_(launch_, memory, observers) {
    context_.where = {1, 2, 0};
    context_.shared.resize(launch_.shared_bytes());
    context_.barrier_votes.resize(1);
    context_.arrived.resize(1);
    context_.thread_coordinates.resize(3);
    local_.resize(33 * 8192);
    context_.stacks = {reinterpret_cast<address>(local_.data()), 8192, 32};
    for (unsigned t = 0; t < warp_size; ++t) {
      const coordinates c = coordinates_of(t, launch_.block());
      context_.thread_coordinates[0].lane[t] = c.x;
      context_.thread_coordinates[1].lane[t] = c.y;
      context_.thread_coordinates[2].lane[t] = c.z;
    }
    state.begin(context_, 0, lanes, 100);
  }

  /// R`number` of each lane.
  template <class Of>
  lone_warp& set(unsigned number, Of of) {
    for (unsigned l = 0; l < warp_size; ++l) state.registers[number].lane[l] = static_cast<std::uint32_t>(of(l));
    return *this;
  }
  lone_warp& set_float(unsigned number, float v) {
    return set(number, [&](unsigned) { return std::bit_cast<std::uint32_t>(v); });
  }
  lone_warp& set_wide(unsigned number, std::uint64_t v) {
    set(number, [&](unsigned) { return static_cast<std::uint32_t>(v); });
    return set(number + 1, [&](unsigned) { return static_cast<std::uint32_t>(v >> 32); });
  }

  /// Executes it; what the two levels leave in registers and predicates must be the same.
  lone_warp& run(const std::string& json) {
    const sass::instruction_line line = line_of(json);
    sass::instruction i = sass::read_instruction(line, 99, 1, [](std::string_view) { return std::nullopt; });
    i.number = 1;  // one that the code has
    const sass::warp before = state;
    const std::vector<std::byte> shared = context_.shared;
    const auto name = line.opcode.substr(0, line.opcode.find('.'));
    i.run = sass::find_plain_opcode(name)->run;
    execute(i);
    const sass::warp plain = state;
    state = before;
    if (!has_effects) context_.shared = shared;
    if (has_effects) {
      state = plain;
      return *this;
    }
    i.run = sass::find_opcode(name)->run;
    execute(i);
    for (unsigned r = 0; r < 255; ++r)
      for (unsigned l = 0; l < warp_size; ++l)
        if (plain.registers[r].lane[l] != state.registers[r].lane[l]) FAIL("the two levels differ: " << line.text());
    CHECK(plain.predicates == state.predicates);
    CHECK(plain.uniforms == state.uniforms);
    return *this;
  }

  [[nodiscard]] std::uint32_t at(unsigned number, unsigned lane = 0) const {
    return state.registers[number].lane[lane];
  }
  [[nodiscard]] float float_at(unsigned number, unsigned lane = 0) const {
    return std::bit_cast<float>(at(number, lane));
  }
  [[nodiscard]] std::uint64_t wide_at(unsigned number, unsigned lane = 0) const {
    return std::uint64_t{at(number + 1, lane)} << 32 | at(number, lane);
  }
  [[nodiscard]] sass::block_context& context() { return context_; }

  own_memory memory;
  sass::warp state;
  bool has_effects = false;  ///< on memory outside: run at one level only

 private:
  void execute(const sass::instruction& i) {
    lane_mask on = state.active;
    const auto& g = i.guard;
    if (g.index != sass::true_predicate || g.is_negated) {
      const lane_mask guard =
          g.kind == sass::operand_kind::predicate ? state.predicates[g.index] : state.uniform_predicates[g.index];
      on &= g.is_negated ? ~guard : guard;
    }
    state.put_on(on);
    if (on != 0) i.run(state, i);
  }

  sass::launch launch_;
  std::vector<std::byte> local_;
  sass::block_context context_;
};

}  // namespace simtlab::emulator::testing
