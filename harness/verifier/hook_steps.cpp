// Of an access_proof: what hooks, guards and other calls do to what is known.
#include <elf.h>

#include <algorithm>

#include "verifier/access_proof.h"
#include "verifier/hook_contract.h"

namespace simtlab::verifier {
namespace {

constexpr std::uint16_t kept_by_calls =
    1U << rbx | 1U << rsp | 1U << rbp | 1U << r12 | 1U << r13 | 1U << r14 | 1U << r15;
/// Records of frames have room for one per 16 bytes of stack: a callee's return address lies as far below the function's own.
constexpr std::int64_t least_frame = 8, record_bytes = 16;

}  // namespace

/// Loads, stores and sums of the hooks' own words; everything else is left to the caller.
bool access_proof::log_step(machine_state& state, const operation& i, std::size_t n) {
  const operand* const m = i.memory();
  if (m == nullptr || i.id == X86_INS_LEA) return false;
  if (m->is_fs && m->symbol != nullptr && m->base == no_register && m->index == no_register &&
      object_.symbols()[m->symbol->symbol].name == hook_variable && !object_.symbols()[m->symbol->symbol].is_defined) {
    const std::int64_t word = m->symbol->addend;
    if (i.id == X86_INS_MOV && i.operands[0].kind == operand::general_register && i.operands[0].bytes == 8 &&
        (word == 0 || word == 8 || word == 16)) {
      state.general[static_cast<std::size_t>(i.operands[0].reg)] = state.log[static_cast<std::size_t>(word / 8)];
      return true;
    }
    if (i.id == X86_INS_CMP && i.operands[0].kind == operand::memory && word == last_write_word &&
        i.operands[0].bytes == 8 && i.operands[1].kind == operand::general_register) {
      state.compared = {comparison::with_last_write, state.general[static_cast<std::size_t>(i.operands[1].reg)], {}, 0};
      return true;
    }
    if (i.id == X86_INS_CMP && i.operands[0].kind == operand::memory && word == last_width_word &&
        i.operands[0].bytes == 4 && i.operands[1].kind == operand::immediate) {
      state.compared = {comparison::with_last_width, {}, {}, static_cast<std::uint64_t>(i.operands[1].value)};
      return true;
    }
    const bool adds = i.id == X86_INS_ADD && i.operands[0].kind == operand::memory && i.operands[0].bytes == 8 &&
                      i.operands[1].kind == operand::immediate && i.operands[1].symbol == nullptr;
    const std::uint64_t count = event_word({state.matched, 0, 0}, 0, 0, 8).value_or(0);
    const auto added = static_cast<std::uint64_t>(i.operands[1].value);
    const auto rows_claimed = [&]() -> std::uint64_t {
      if (adds) return added;
      const bool stores = i.id == X86_INS_MOV && i.operands[0].kind == operand::memory && i.operands[0].bytes == 8 &&
                          i.operands[1].kind == operand::general_register && i.operands[1].bytes == 8;
      const value stored = stores ? state.general[static_cast<std::size_t>(i.operands[1].reg)] : value{};
      return stores && stored.sum == state.log[row].sum ? stored.constant - state.log[row].constant : 0;
    };
    if (adds && count != 0 && word == 0 && added == count * token_bytes && !state.is_claimed) {
      state.log[token] = unknown(n, 2);
      state.is_claimed = true;
    } else if (count != 0 && word == 8 && state.is_claimed && rows_claimed() == count * row_bytes) {
      state.log[row] = adds ? unknown(n, 2) : state.general[static_cast<std::size_t>(i.operands[1].reg)];
      state.is_claimed = false;
      state.bundle = {state.matched, count, 0};
      if (event_word(state.bundle, 0, 6, 2) == bundle_event::step_kind) state.bundle.next = 1;
      state.matched.reset();
    } else {
      tell(i, "changes the log of the hooks otherwise than a hook does");
    }
    state.compared = {};
    return true;
  }
  if (i.id == X86_INS_CMP && i.operands[0].kind == operand::memory && m->symbol != nullptr &&
      object_.symbols()[m->symbol->symbol].name == template_variable && m->symbol->addend == 0) {
    const value expected = values_.add(symbol_address(*m->symbol, false), state.log[token]);
    if (address(state, i, *m) != expected || i.operands[1].kind != operand::general_register ||
        i.operands[1].bytes != 8) {
      tell(i, "compares with another place of the log than the next");
      return true;
    }
    if (!state.bundle.is_complete()) tell(i, "begins to log before the reads in front of it are logged");
    new_event(state);
    state.bundle = {};
    state.compared = {comparison::with_template, state.general[static_cast<std::size_t>(i.operands[1].reg)], {}, 0};
    return true;
  }
  // A read's address into its row.
  if (i.id == X86_INS_MOV && i.operands[0].kind == operand::memory && m->base != no_register &&
      m->index == no_register && m->symbol == nullptr &&
      state.general[static_cast<std::size_t>(m->base)] == state.log[row] &&
      i.operands[1].kind == operand::general_register && i.operands[1].bytes == 8) {
    log_read(state, i, state.general[static_cast<std::size_t>(i.operands[1].reg)],
             static_cast<std::uint64_t>(-m->value),
             values_.of(value_table::section_begin, static_cast<long>(function_.begin.section)).plus(i.end));
    return true;
  }
  return false;
}

std::optional<std::uint64_t> access_proof::event_word(const open_bundle& b, std::uint64_t event, unsigned at,
                                                      unsigned bytes) const {
  if (!b.table) return std::nullopt;
  const section& s = object_.sections()[b.table->section];
  const std::uint64_t begin =
      b.table->offset + (bytes == 8 ? 0 : bundle_event::first + event * bundle_event::bytes + at);
  if (s.is_writable || begin + bytes > s.bytes.size()) return std::nullopt;
  std::uint64_t word = 0;
  for (unsigned n = bytes; n-- > 0;) word = word << 8 | s.bytes[begin + n];
  return word;
}

std::optional<place> access_proof::event_site(const open_bundle& b, std::uint64_t event) const {
  if (!b.table) return std::nullopt;
  const std::uint64_t at = b.table->offset + bundle_event::first + event * bundle_event::bytes;
  const relocation* const r = object_.relocation_in(b.table->section, at, at + 1);
  if (r == nullptr || !object_.symbols()[r->symbol].is_defined) return std::nullopt;
  return object_.target(*r);
}

void access_proof::log_read(machine_state& state, const operation& i, value at, std::uint64_t distance, value site) {
  open_bundle& b = state.bundle;
  if (!b.table || b.next >= b.count || event_word(b, b.next, 6, 2) != bundle_event::read_kind)
    return tell(i, "logs a read that its hook has not claimed");
  if (distance != 0 && (distance != (b.count - b.next) * row_bytes ||
                        std::find(state.nonzero.begin(), state.nonzero.end(), state.log[row]) == state.nonzero.end()))
    return tell(i, "logs a read in another's row");
  const auto expected = event_site(b, b.next);
  const auto place_of = [this](place p) {
    return values_.of(value_table::section_begin, static_cast<long>(p.section)).plus(p.offset);
  };
  if (!expected || values_.low(site) != values_.low(place_of(*expected))) return tell(i, "logs a read of another line");
  new_event(state);
  state.vouchers.push_back({vouched::read, at, *event_word(b, b.next, 4, 2), false});
  ++b.next;
}

/// A hook: what earlier ones vouched for has been used, or waits.
void access_proof::new_event(machine_state& state) {
  std::erase_if(state.vouchers, [](const vouched& v) { return v.is_used; });
  state.last_write.reset();
}

void access_proof::call(machine_state& state, const operation& i, std::size_t n) {
  state.compared = {};
  const auto inside = direct_target(object_, function_, i);
  const std::string callee = direct_callee(object_, function_, i);
  const auto top = top_of(state);
  const auto effect = inside || callee.empty() ? std::nullopt : effect_of(callee);
  const bool has_frame = !effect || effect->kind == hook_effect::indirect_call;
  const std::int64_t lowest_record = state.noted ? state.noted->at : 0;
  if (has_frame && (!top || *top > lowest_record - least_frame))
    tell(i, "calls a function whose frame would begin in its own");
  if (!inside && !callee.empty() && effect_of(callee)) return apply(state, i, n, callee);
  forget(state, n);
}

/// Whether the stack pointer and the caller's registers are as they were when the function was called.
bool access_proof::is_as_called(const machine_state& state) {
  return state.general[rsp] == stack_ && std::all_of(of_callers.begin(), of_callers.end(), [&](int r) {
           return state.general[static_cast<std::size_t>(r)] == values_.of(value_table::entry_register, r);
         });
}

/// A second record, of what lies at the stack pointer, far enough below the first for both to last.
bool access_proof::note(machine_state& state) {
  const value top = state.general[rsp];
  const auto at = in_frame(top);
  const auto held = on_stack(state, top, 8);
  if (!at || *at > -record_bytes || !held) return false;
  state.noted = {*at, 8, *held};
  return true;
}

/// Behind a call of anything but a hook.
void access_proof::forget(machine_state& state, std::size_t n) {
  state.vouchers.clear();
  state.expose();
  forget_registers(state, n, kept_by_calls);
}

/// Behind a hook, which leaves the frame alone.
void access_proof::forget_registers(machine_state& state, std::size_t n, unsigned kept) {
  state.last_write.reset();
  for (int r = 0; r < static_cast<int>(machine_state::registers); ++r)
    if ((kept >> r & 1) == 0) state.general[static_cast<std::size_t>(r)] = unknown(n, r);
  for (std::size_t w = 0; w < machine_state::logs; ++w) state.log[w] = unknown(n, 30 + static_cast<long>(w));
  state.matched.reset();
  state.is_claimed = false;
}

void access_proof::apply(machine_state& state, const operation& i, std::size_t n, std::string_view name) {
  const hook_effect effect = *effect_of(name);
  const value first = state.general[rdi], second = state.general[rsi], third = state.general[rdx];
  const auto vouch = [&](vouched::kind_of_voucher kind, value at, std::uint64_t bytes) {
    new_event(state);
    state.vouchers.push_back({kind, at, bytes, false});
  };
  switch (effect.kind) {
    case hook_effect::read:
    case hook_effect::write: {
      const auto kind = effect.kind == hook_effect::read ? vouched::read : vouched::write;
      if (effect.bytes == 0 && !values_.is_constant(second)) tell(i, "is a hook for an unknown number of bytes");
      vouch(kind, first, effect.bytes != 0 ? effect.bytes : values_.is_constant(second) ? second.constant : 0);
      return forget_registers(state, n, kept_by_calls);
    }
    case hook_effect::added_read:
    case hook_effect::added_write: {
      const auto code = on_stack(state, state.general[rsp], 8);
      if (!code || !values_.is_constant(*code)) return tell(i, "is a hook for an unknown number of bytes");
      const added_code what(code->constant);
      const value at = what.in_thread_storage ? values_.add(first, values_.of(value_table::thread)) : first;
      return vouch(effect.kind == hook_effect::added_read ? vouched::read : vouched::write, at, what.bytes);
    }
    case hook_effect::local_read:
    case hook_effect::local_write: {
      const auto top = in_frame(state.general[rsp]);
      const auto code = top ? state.load(values_, *top, 8) : std::nullopt;
      const auto places = top ? state.load(values_, *top + 8, 8) : std::nullopt;
      if (!code || !places || !values_.is_constant(*code) || !values_.is_constant(*places))
        return tell(i, "is a hook for an unknown number of bytes");
      const added_code what(code->constant);
      const std::int64_t base = *top + 24;  // above both numbers and %rdi
      if (places->constant > 1U << 30 ||
          base + static_cast<std::int64_t>(places->constant) - 1 + static_cast<std::int64_t>(what.bytes) >
              end_of_frame(state.general[rsp]))
        return tell(i, "is a guard for more than its function's frame");
      return vouch(effect.kind == hook_effect::local_read ? vouched::read : vouched::write, first, what.bytes);
    }
    case hook_effect::host_read: {
      log_read(state, i, first, 0, second);
      if (!state.vouchers.empty() && (!values_.is_constant(third) || third.constant != state.vouchers.back().bytes))
        tell(i, "tells another width than its hook");
      return forget_registers(state, n, kept_by_calls | 1U << rdi);
    }
    case hook_effect::begin_bundle:
      begin_bundle(state, i, third);
      return forget_registers(state, n, kept_by_calls | 1U << rdi);
    case hook_effect::plain_copy:
    case hook_effect::plain_fill:
      if (!values_.is_constant(third) || !is_vouched(state, first, third.constant, true) ||
          (effect.kind == hook_effect::plain_copy && !is_vouched(state, second, third.constant, false)))
        tell(i, "copies or fills memory for which no hook stands");
      return forget(state, n);
    case hook_effect::report:
      return forget_registers(state, n, kept_by_calls);
    case hook_effect::frame_begin:
      if (state.is_recorded && !state.noted && note(state)) return;
      state.is_recorded = !state.is_exposed && is_as_called(state);
      if (!state.is_recorded) tell(i, "writes its frame's record elsewhere than at its begin");
      return;
    case hook_effect::frame_end:
      if (state.noted && in_frame(state.general[rsp]) == state.noted->at)
        return state.store(state.noted->at, state.noted->bytes, state.noted->holds);
      if (!state.is_recorded || state.general[rsp] != stack_)
        return tell(i, "looks at another record than its frame's");
      for (const int r : of_callers)
        state.general[static_cast<std::size_t>(r)] = values_.of(value_table::entry_register, r);
      state.is_compared = true;
      return;
    case hook_effect::stack_to: {
      machine_state from = state;
      from.general[rsp] = second;
      const auto floor = top_of(from);
      if (!floor || *floor > 0) return tell(i, "looks at the stack's end from a place that is not known");
      state.allowed = {first, *floor};
      return;
    }
    case hook_effect::indirect_call:
      if (effect.bytes != 0) look_at_address(state, i, state.general[r11], true, false, effect.bytes);
      return forget(state, n);
  }
}

void access_proof::begin_bundle(machine_state& state, const operation& i, value named) {
  const auto table = in_section(values_.add(named, values_.times(state.log[depth], ~0ULL)));
  const auto count = table ? event_word({table, 0, 0}, 0, 0, 8) : std::nullopt;
  if (!count) return tell(i, "names no bundle of hooks");
  new_event(state);
  state.bundle = {table, *count, 0};
  if (event_word(state.bundle, 0, 6, 2) == bundle_event::step_kind) state.bundle.next = 1;
}

}  // namespace simtlab::verifier
