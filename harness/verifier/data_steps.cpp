// Of an access_proof: where operands lie, and what instructions make of registers and of places in the frame.
#include <elf.h>

#include <algorithm>
#include <utility>

#include "verifier/access_proof.h"
#include "verifier/allowed_instructions.h"
#include "verifier/hook_contract.h"

namespace simtlab::verifier {
namespace {

constexpr std::uint64_t largest_copy = 1U << 24;
// Without a look at the stack's end neither a frame nor a gap in it leads over the guard page there, of 4,096 bytes.
constexpr std::int64_t deepest_unasked = 2560, largest_gap = 1024;

}  // namespace

std::optional<std::int64_t> access_proof::in_frame(value v) const {
  const auto distance = static_cast<std::int64_t>(v.constant);
  if (gap_ && v.sum == gap_->below.sum) return distance <= 0 ? std::optional(gap_->at + distance) : std::nullopt;
  if (v.sum != stack_.sum || (gap_ && distance < gap_->at)) return std::nullopt;
  return distance;
}

std::optional<value> access_proof::on_stack(const machine_state& state, value at, int bytes) {
  const auto place = in_frame(at);
  return place ? state.load(values_, *place, bytes) : state.load_pushed(values_, at, bytes);
}

/// g++ aligns a frame once, in front of all that it keeps there (`alignas(64) float v[16];`).
void access_proof::align_stack(machine_state& state, const operation& i, value top) {
  const std::int64_t by = -i.operands[1].value;
  const bool is_known = i.operands[1].kind == operand::immediate && i.operands[1].symbol == nullptr && by > 0 &&
                        by <= largest_gap && (by & (by - 1)) == 0;
  if (!is_known || top.sum != stack_.sum) return;
  const gap made{static_cast<std::int64_t>(top.constant), state.general[rsp]};
  if (!gap_) gap_ = made;
  if (*gap_ == made) std::erase_if(state.slots, [&](const slot& s) { return s.at < made.at; });
}

std::optional<place> access_proof::in_section(value v) const {
  const auto& terms = values_.terms(v);
  if (terms.size() != 1 || terms.front().factor != 1) return std::nullopt;
  const auto& u = values_.unknown_of(terms.front().unknown);
  if (u.what != value_table::section_begin) return std::nullopt;
  return place{static_cast<std::size_t>(u.a), v.constant};
}

value access_proof::symbol_address(const relocation& r, bool in_thread) {
  const symbol& s = object_.symbols()[r.symbol];
  const auto addend = static_cast<std::uint64_t>(r.addend);
  if (!s.is_defined)
    return values_.of(in_thread ? value_table::thread_outside : value_table::outside, static_cast<long>(r.symbol))
        .plus(addend);
  const value begin = values_.of(in_thread ? value_table::thread_section : value_table::section_begin,
                                 static_cast<long>(s.where.section));
  return begin.plus(s.where.offset + addend);
}

value access_proof::address(const machine_state& state, const operation& i, const operand& o) {
  value v{0, static_cast<std::uint64_t>(o.value)};
  if (o.symbol != nullptr) {
    const bool in_thread = o.symbol->type == R_X86_64_TPOFF32;
    v = symbol_address(*o.symbol, in_thread);
    if (o.is_rip) v = v.plus(i.end - o.symbol->offset);
  } else if (o.is_rip) {
    v = values_.of(value_table::section_begin, static_cast<long>(function_.begin.section))
            .plus(i.end + static_cast<std::uint64_t>(o.value));
  }
  if (o.is_fs) v = values_.add(v, values_.of(value_table::thread));
  if (o.base != no_register) v = values_.add(v, state.general[static_cast<std::size_t>(o.base)]);
  if (o.index != no_register)
    v = values_.add(
        v, values_.times(state.general[static_cast<std::size_t>(o.index)], static_cast<std::uint64_t>(o.scale)));
  return v;
}

std::optional<value> access_proof::value_of(machine_state& state, const operation& i, const operand& o, std::size_t n) {
  if (o.kind == operand::immediate)
    return o.symbol == nullptr ? value{0, static_cast<std::uint64_t>(o.value)}
                               : symbol_address(*o.symbol, o.symbol->type == R_X86_64_TPOFF32);
  if (o.kind == operand::general_register) {
    const value v = state.general[static_cast<std::size_t>(o.reg)];
    if (o.bytes == 8) return v;
    return o.bytes == 4 ? std::optional(values_.low(v)) : std::nullopt;
  }
  if (o.kind != operand::memory) return std::nullopt;
  if (o.is_fs && o.base == no_register && o.index == no_register && o.value == 0 && o.symbol == nullptr && o.bytes == 8)
    return values_.of(value_table::thread);
  if (o.is_rip && o.symbol != nullptr && o.symbol->type == R_X86_64_GOTTPOFF)
    return symbol_address(*o.symbol, true).plus(i.end - o.symbol->offset);
  if (o.is_rip && o.symbol != nullptr &&
      (o.symbol->type == R_X86_64_GOTPCRELX || o.symbol->type == R_X86_64_REX_GOTPCRELX ||
       o.symbol->type == R_X86_64_GOTPCREL))
    return symbol_address(*o.symbol, false).plus(i.end - o.symbol->offset);
  const value at = address(state, i, o);
  if (const auto place = in_frame(at)) {
    if (auto held = state.load(values_, *place, o.bytes)) return held;
    if (o.bytes != 4 && o.bytes != 8) return std::nullopt;
    const value made = o.bytes == 4 ? values_.low(unknown(n, 41)) : unknown(n, 41);
    state.store(*place, o.bytes, made);
    return made;
  }
  if (o.is_fs && o.symbol != nullptr && o.base == no_register && o.index == no_register &&
      !object_.symbols()[o.symbol->symbol].is_defined && object_.symbols()[o.symbol->symbol].name == hook_variable &&
      o.symbol->addend >= 0 && o.symbol->addend <= 16 && o.symbol->addend % 8 == 0 && o.bytes == 8)
    return state.log[static_cast<std::size_t>(o.symbol->addend / 8)];
  const value loaded = unknown(n, 40);
  return o.bytes == 4 ? values_.low(loaded) : o.bytes == 8 ? std::optional(loaded) : std::nullopt;
}

void access_proof::copy(machine_state& state, const operation& i, const string_operation& what) {
  const value count = what.repeats ? state.general[rcx] : value{0, 1};
  if (!values_.is_constant(count) || count.constant > largest_copy)
    return tell(i, "copies or fills an unknown number of bytes");
  const std::uint64_t bytes = count.constant * what.bytes;
  if (what.copies) look_at_address(state, i, state.general[rsi], true, false, bytes);
  look_at_address(state, i, state.general[rdi], false, true, bytes);
  if (const auto at = in_frame(state.general[rdi]))
    state.store(*at, static_cast<std::int64_t>(bytes), std::nullopt);
  else
    state.expose();
  state.general[rdi] = state.general[rdi].plus(bytes);
  if (what.copies) state.general[rsi] = state.general[rsi].plus(bytes);
  if (what.repeats) state.general[rcx] = {};
}

void access_proof::move_stack(machine_state& state, const operation& i, std::size_t n) {
  value& top = state.general[rsp];
  if (i.id == X86_INS_LEAVE) {
    top = state.general[rbp];
    const auto at = in_frame(top);
    if (!at) return tell(i, "takes its frame down from a place that is not known");
    state.general[rbp] = state.load(values_, *at, 8).value_or(unknown(n, 1));
    top = top.plus(8);
    return look_at_stack(state, i);
  }
  const operand& o = i.operands[0];
  const bool is_push = i.id == X86_INS_PUSH;
  if (o.kind == operand::memory) access(state, i, o, is_push, !is_push, 8);
  if (is_push) {
    const value pushed = value_of(state, i, o, n).value_or(unknown(n, 1));
    top = top.plus(~7ULL);
    if (const auto at = in_frame(top))
      state.store(*at, 8, pushed);
    else if (!state.store_pushed(top, 8, pushed))
      state.expose();
    return look_at_stack(state, i);
  }
  const value popped = on_stack(state, top, 8).value_or(unknown(n, 1));
  top = top.plus(8);
  if (o.kind == operand::general_register) state.general[static_cast<std::size_t>(o.reg)] = popped;
  look_at_stack(state, i);
}

void access_proof::look_at_stack(machine_state& state, const operation& i) {
  const value top = state.general[rsp];
  const bool is_allowed = state.allowed && state.allowed->top == top;
  if (const auto place = in_frame(top)) {
    if (*place > 0) return tell(i, "moves the stack pointer above its frame");
    if (*place < -deepest_unasked && !is_allowed && !(state.deepest && *place >= *state.deepest - deepest_unasked))
      return tell(i, "moves the stack pointer far without a look at the stack's end");
    if (is_allowed) state.deepest = std::min(*place, state.deepest.value_or(*place));
    state.move_to(std::nullopt);
    state.end_frame_at(*place);
  } else if (is_allowed) {
    state.move_to(state.allowed);
    state.end_frame_at(state.moving->floor);
  } else if (!state.moving || !state.moving->holds(top) ||
             state.moving->top.constant - top.constant > deepest_unasked) {
    tell(i, "moves the stack pointer without a look at the stack's end");
  } else {
    state.end_pushed_at(top);
  }
}

void access_proof::calculate(machine_state& state, const operation& i, std::size_t n) {
  if (i.id == X86_INS_CMP || i.id == X86_INS_TEST) {
    state.compared = {};
    const operand &a = i.operands[0], &b = i.operands[1];
    if (a.kind != operand::general_register || b.kind != operand::general_register || a.bytes != 8) return;
    const value x = state.general[static_cast<std::size_t>(a.reg)], y = state.general[static_cast<std::size_t>(b.reg)];
    if (i.id == X86_INS_TEST && a.reg == b.reg) state.compared = {comparison::with_zero, x, {}, 0};
    if (i.id == X86_INS_CMP) state.compared = {comparison::with_value, x, y, 0};
    return;
  }
  const operand& to = i.operands[0];
  const value top = state.general[rsp];
  const auto look = [&] {
    if (state.general[rsp] != top) look_at_stack(state, i);
  };
  const auto result = computed(state, i, n);
  // What capstone tells as written, the destination, and what goes beyond one of them.
  for (int r = 0; r < static_cast<int>(machine_state::registers); ++r)
    if ((i.written >> r & 1) != 0) state.general[static_cast<std::size_t>(r)] = unknown(n, r);
  if (i.id == X86_INS_DIV || i.id == X86_INS_IDIV || i.id == X86_INS_MUL || (i.id == X86_INS_IMUL && i.count == 1))
    for (const int r : {rax, rdx}) state.general[static_cast<std::size_t>(r)] = unknown(n, r);
  if (i.id != X86_INS_LEA && i.id != X86_INS_MOV && i.id != X86_INS_MOVABS) state.compared = {};
  if (i.id == X86_INS_XCHG)
    for (int k = 0; k < 2; ++k)
      if (const int r = i.operands[static_cast<std::size_t>(k)].reg; r != no_register)
        state.general[static_cast<std::size_t>(r)] = unknown(n, r);
  if (i.id == X86_INS_CDQE || i.id == X86_INS_CDQ || i.id == X86_INS_CQO || i.id == X86_INS_CWDE ||
      i.id == X86_INS_CWD || i.id == X86_INS_CBW) {
    const std::size_t r = i.id == X86_INS_CDQ || i.id == X86_INS_CQO || i.id == X86_INS_CWD ? rdx : rax;
    state.general[r] = result.value_or(unknown(n, static_cast<long>(r)));
    return;
  }
  if (to.kind == operand::general_register && i.count > 0) {
    value& register_to = state.general[static_cast<std::size_t>(to.reg)];
    const bool is_whole = to.bytes >= 4;
    register_to = result && is_whole ? *result : to.bytes == 4 ? values_.low(unknown(n, to.reg)) : unknown(n, to.reg);
    if (i.id == X86_INS_AND && to.reg == rsp && to.bytes == 8) align_stack(state, i, top);
    look();
  } else if (to.kind == operand::memory) {
    const memory_use use = use_of_memory(i);
    if (!use.writes) return;
    const value at = address(state, i, to);
    if (const auto place = in_frame(at))
      state.store(*place, use.bytes, result);
    else if (!state.store_pushed(at, use.bytes, result) && !is_static(at))
      state.expose();  // it may point there
  }
}

/// What the instruction stores to its destination, where that is a sum.
std::optional<value> access_proof::computed(machine_state& state, const operation& i, std::size_t n) {
  const operand &to = i.operands[0], &from = i.operands[1];
  const auto fit = [&](std::optional<value> v) { return v && to.bytes == 4 ? std::optional(values_.low(*v)) : v; };
  const auto both = [&](auto combine) -> std::optional<value> {
    const auto a = value_of(state, i, to, n);
    const auto b = value_of(state, i, from, n);
    return a && b && to.bytes >= 4 ? fit(combine(*a, *b)) : std::nullopt;
  };
  switch (i.id) {
    case X86_INS_MOV:
    case X86_INS_MOVABS:
      return to.bytes >= 4 ? fit(value_of(state, i, from, n)) : std::nullopt;
    case X86_INS_LEA:
      return fit(address(state, i, from));
    case X86_INS_MOVSXD: {
      const auto v = value_of(state, i, from, n);
      return v && from.bytes == 4 && to.bytes == 8 ? std::optional(values_.with_sign(*v)) : std::nullopt;
    }
    case X86_INS_CDQE:
      return values_.with_sign(state.general[rax]);
    case X86_INS_CDQ:
      return values_.low(values_.compute(i.id, values_.low(state.general[rax])));
    case X86_INS_CQO:
      return values_.compute(i.id, state.general[rax]);
    case X86_INS_MOVZX:
    case X86_INS_MOVSX:
      if (from.kind != operand::general_register || from.is_high) return std::nullopt;
      return fit(
          values_.compute(i.id * 100 + from.bytes * 10 + to.bytes, state.general[static_cast<std::size_t>(from.reg)]));
    case X86_INS_ADD:
      return both([&](value a, value b) { return values_.add(a, b); });
    case X86_INS_SUB:
      return both([&](value a, value b) { return values_.add(a, values_.times(b, ~0ULL)); });
    case X86_INS_XOR:
      if (to.kind == operand::general_register && from.kind == operand::general_register && to.reg == from.reg &&
          to.bytes >= 4)
        return value{};
      [[fallthrough]];
    case X86_INS_AND:
    case X86_INS_OR:
      return both([&](value a, value b) {
        if (std::pair(a.sum, a.constant) > std::pair(b.sum, b.constant)) std::swap(a, b);
        return values_.compute(i.id * 100 + to.bytes, a, b);
      });
    case X86_INS_INC:
    case X86_INS_DEC:
    case X86_INS_NEG:
    case X86_INS_NOT: {
      const auto a = value_of(state, i, to, n);
      if (!a || to.bytes < 4) return std::nullopt;
      if (i.id == X86_INS_INC) return fit(a->plus(1));
      if (i.id == X86_INS_DEC) return fit(a->plus(~0ULL));
      const value negated = values_.times(*a, ~0ULL);
      return fit(i.id == X86_INS_NEG ? negated : negated.plus(~0ULL));
    }
    case X86_INS_IMUL: {
      if (i.count == 1 || to.bytes < 4) return std::nullopt;
      const auto a = value_of(state, i, i.operands[static_cast<std::size_t>(i.count - 2)], n);
      const auto b = value_of(state, i, i.operands[static_cast<std::size_t>(i.count - 1)], n);
      if (!a || !b) return std::nullopt;
      if (values_.is_constant(*b)) return fit(values_.times(*a, b->constant));
      if (values_.is_constant(*a)) return fit(values_.times(*b, a->constant));
      const bool ordered = std::pair(a->sum, a->constant) <= std::pair(b->sum, b->constant);
      return fit(values_.compute(i.id * 100 + to.bytes, ordered ? *a : *b, ordered ? *b : *a));
    }
    case X86_INS_SHL:
    case X86_INS_SAL:
    case X86_INS_SHR:
    case X86_INS_SAR: {
      const auto a = value_of(state, i, to, n);
      if (!a || to.bytes < 4 || (i.count > 1 && from.kind != operand::immediate)) return std::nullopt;
      const auto by = i.count > 1 ? static_cast<std::uint64_t>(from.value) & (to.bytes == 8 ? 63 : 31) : 1;
      if (i.id == X86_INS_SHL || i.id == X86_INS_SAL) return fit(values_.times(*a, std::uint64_t{1} << by));
      return fit(values_.compute(i.id * 100 + to.bytes, *a, {0, by}));
    }
    default:
      return std::nullopt;
  }
}

}  // namespace simtlab::verifier
