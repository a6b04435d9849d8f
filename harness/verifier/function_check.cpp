#include "verifier/function_check.h"

#include <elf.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "verifier/hook_contract.h"
#include "verifier/instruction_rules.h"

namespace simtlab::verifier {
namespace {

constexpr std::uint16_t kept_by_calls = 1U << rbx | 1U << rsp | 1U << rbp | 1U << r12 | 1U << r13 | 1U << r14 | 1U << r15;
constexpr std::uint64_t red_zone = 128, return_address = 8, largest_pack = 1U << 16, largest_copy = 1U << 24;
constexpr std::size_t token = 0, row = 1, depth = 2;  // the words of simtlab_hooks

}  // namespace

std::string direct_callee(const object_code& object, const function& f, const instruction& i) {
  const operand& o = i.operands[0];
  if (o.kind != operand::immediate) return {};
  if (const auto inside = direct_target(object, f, i)) {
    const function* const callee = object.function_at(*inside);
    return callee == nullptr ? std::string() : callee->name;
  }
  if (o.symbol == nullptr || (o.symbol->type != R_X86_64_PLT32 && o.symbol->type != R_X86_64_PC32)) return {};
  const bool whole = o.symbol->addend + static_cast<std::int64_t>(i.end - o.symbol->offset) == 0;
  return whole ? object.symbols()[o.symbol->symbol].name : std::string();
}

std::set<place> endless_functions(const object_code& object, const disassembler& machine) {
  std::set<place> endless;
  for (const function& f : object.functions()) {
    const auto code = machine.take_apart(object, f);
    const bool ends = std::any_of(code.begin(), code.end(), [&](const instruction& i) {
      if (i.id == X86_INS_RET) return true;
      if (!i.is_jump) return false;
      const auto to = direct_target(object, f, i);
      return !to || to->section != f.begin.section || to->offset - f.begin.offset >= f.size;
    });
    if (!ends && !code.empty()) endless.insert(f.begin);
  }
  return endless;
}

function_check::function_check(const object_code& object, const function& f, const disassembler& d,
                               const std::set<place>& endless, std::function<std::uint64_t()> arguments_end)
    : object_(object), function_(f), disassembler_(d), endless_(endless), arguments_end_(std::move(arguments_end)) {}

void function_check::tell(problem::kind_of_problem kind, const instruction& i, std::string message) {
  if (is_telling_) problems_.push_back({kind, i.at, std::move(message)});
}

std::vector<problem> function_check::run() {
  code_ = disassembler_.take_apart(object_, function_);
  if (code_.empty()) return {{problem::unproven, function_.begin.offset, "has bytes that are no known instructions"}};
  ends_.resize(code_.size());
  for (std::size_t n = 0; n < code_.size(); ++n) {
    if (code_[n].id != X86_INS_CALL) continue;
    const auto inside = direct_target(object_, function_, code_[n]);
    ends_[n] = inside ? endless_.contains(*inside) : never_returns(direct_callee(object_, function_, code_[n]));
  }
  flow_.emplace(object_, function_, code_, ends_);
  values_.set_depths(flow_->depths());
  stack_ = values_.of(value_table::entry_register, rsp);
  problems_ = flow_->problems();
  if (!problems_.empty()) return problems_;
  if (!settle()) problems_.push_back({problem::unproven, function_.begin.offset, "is too tangled to be followed"});
  return problems_;
}

/// Walks the blocks until nothing new is learned, then once more to tell what is wrong.
bool function_check::settle() {
  const auto& blocks = flow_->blocks();
  std::vector<ways> behind(blocks.size());
  machine_state first;
  first.is_reached = true;
  for (int r = 0; r < static_cast<int>(machine_state::registers); ++r)
    first.general[static_cast<std::size_t>(r)] = values_.of(value_table::entry_register, r);
  for (int r = 0; r < static_cast<int>(machine_state::logs); ++r)
    first.log[static_cast<std::size_t>(r)] = values_.of(value_table::entry_register, 100 + r);
  behind[control_flow::entry].on = first;
  const auto begin_of = [&](int b) {
    std::vector<const machine_state*> before;
    for (const int p : blocks[static_cast<std::size_t>(b)].before) {
      const ways& from = behind[static_cast<std::size_t>(p)];
      const block& source = blocks[static_cast<std::size_t>(p)];
      const bool is_next = p == control_flow::entry || b == p + 1;
      if (source.landing == b && from.landed.is_reached) before.push_back(&from.landed);
      if (is_next && from.on.is_reached) before.push_back(&from.on);
      const bool jumps = source.last > source.first && code_[source.last - 1].is_jump;
      if (jumps && from.jumped.is_reached) {
        const auto to = direct_target(object_, function_, code_[source.last - 1]);
        const auto at = code_[blocks[static_cast<std::size_t>(b)].first].at;
        if (!to || to->section != function_.begin.section || to->offset == at || to->offset - function_.begin.offset >= function_.size)
          before.push_back(&from.jumped);
      }
    }
    return before.empty() ? machine_state() : meet(values_, *flow_, b, before);
  };
  const auto same = [](const machine_state& a, const machine_state& b) {
    const auto slots = [](const slot& x, const slot& y) { return x.at == y.at && x.bytes == y.bytes && x.holds == y.holds; };
    const auto vouchers = [](const vouched& x, const vouched& y) {
      return x.kind == y.kind && x.at == y.at && x.bytes == y.bytes && x.is_used == y.is_used;
    };
    return a.is_reached == b.is_reached && a.general == b.general && a.log == b.log && a.nonzero == b.nonzero &&
           a.bounds == b.bounds && a.bundle == b.bundle && a.matched == b.matched && a.is_broken == b.is_broken &&
           std::equal(a.slots.begin(), a.slots.end(), b.slots.begin(), b.slots.end(), slots) &&
           std::equal(a.vouchers.begin(), a.vouchers.end(), b.vouchers.begin(), b.vouchers.end(), vouchers);
  };
  std::vector<machine_state> begins(blocks.size());
  bool changed = true;
  for (int round = 0; changed; ++round) {
    if (round == most_rounds) return false;
    changed = false;
    for (const int b : flow_->order()) {
      if (b == control_flow::entry) continue;
      machine_state begin = begin_of(b);
      if (!begin.is_reached) continue;
      auto& known = begins[static_cast<std::size_t>(b)];
      if (known.is_reached && same(begin, known)) continue;
      known = begin;
      behind[static_cast<std::size_t>(b)] = walk(b, std::move(begin));
      changed = true;
    }
  }
  is_telling_ = true;
  for (const int b : flow_->order())
    if (b != control_flow::entry && begins[static_cast<std::size_t>(b)].is_reached)
      (void)walk(b, begins[static_cast<std::size_t>(b)]);
  return true;
}

function_check::ways function_check::walk(int b, machine_state state) {
  block_ = b;
  const block& one = flow_->blocks()[static_cast<std::size_t>(b)];
  if (std::exchange(state.is_broken, false))
    tell(problem::unproven, code_[one.first], "is reached by ways whose hooks have logged differently");
  for (std::size_t n = one.first; n < one.last; ++n) step(state, n);
  ways out;
  const std::size_t n = one.last - 1;
  const instruction& last = code_[n];
  const auto called = last.id == X86_INS_CALL ? effect_of(direct_callee(object_, function_, last)) : std::nullopt;
  if (one.landing >= 0 && (!called || called->kind == hook_effect::indirect_call)) {  // hooks throw nothing
    out.landed = state;
    for (const int r : {rax, rdx}) out.landed.general[static_cast<std::size_t>(r)] = unknown(n, 50 + r);
  }
  if (last.is_jump) {
    out.jumped = state;
    const bool on_equal = last.id == X86_INS_JE, on_unequal = last.id == X86_INS_JNE;
    machine_state& unequal = on_equal ? state : out.jumped;
    machine_state& equal = on_equal ? out.jumped : state;
    if (on_equal || on_unequal) {
      if (state.compared.kind == comparison::with_zero) unequal.nonzero.push_back(state.compared.compared);
      if (state.compared.kind == comparison::with_template) equal.matched = in_section(values_.add(state.compared.compared, values_.times(state.log[depth], ~0ULL)));
    } else if (state.compared.kind == comparison::with_number && (last.id == X86_INS_JA || last.id == X86_INS_JBE)) {
      (last.id == X86_INS_JA ? state : out.jumped).bounds.push_back({state.compared.compared, state.compared.number});
    }
  }
  out.on = std::move(state);
  return out;
}

std::optional<std::int64_t> function_check::in_frame(value v) const {
  if (v.sum != stack_.sum) return std::nullopt;
  return static_cast<std::int64_t>(v.constant);
}

std::optional<place> function_check::in_section(value v) const {
  const auto& terms = values_.terms(v);
  if (terms.size() != 1 || terms.front().factor != 1) return std::nullopt;
  const auto& u = values_.unknown_of(terms.front().unknown);
  if (u.what != value_table::section_begin) return std::nullopt;
  return place{static_cast<std::size_t>(u.a), v.constant};
}

value function_check::symbol_address(const relocation& r, bool in_thread) {
  const symbol& s = object_.symbols()[r.symbol];
  const auto addend = static_cast<std::uint64_t>(r.addend);
  if (!s.is_defined)
    return values_.of(in_thread ? value_table::thread_outside : value_table::outside, static_cast<long>(r.symbol)).plus(addend);
  const value begin = values_.of(in_thread ? value_table::thread_section : value_table::section_begin,
                                 static_cast<long>(s.where.section));
  return begin.plus(s.where.offset + addend);
}

value function_check::address(const machine_state& state, const instruction& i, const operand& o) {
  value v{0, static_cast<std::uint64_t>(o.value)};
  if (o.symbol != nullptr) {
    const bool in_thread = o.symbol->type == R_X86_64_TPOFF32;
    v = symbol_address(*o.symbol, in_thread);
    if (o.is_rip) v = v.plus(i.end - o.symbol->offset);
  } else if (o.is_rip) {
    v = values_.of(value_table::section_begin, static_cast<long>(function_.begin.section)).plus(i.end + static_cast<std::uint64_t>(o.value));
  }
  if (o.is_fs) v = values_.add(v, values_.of(value_table::thread));
  if (o.base != no_register) v = values_.add(v, state.general[static_cast<std::size_t>(o.base)]);
  if (o.index != no_register)
    v = values_.add(v, values_.times(state.general[static_cast<std::size_t>(o.index)], static_cast<std::uint64_t>(o.scale)));
  return v;
}

std::optional<value> function_check::value_of(machine_state& state, const instruction& i, const operand& o, std::size_t n) {
  if (o.kind == operand::immediate) return o.symbol == nullptr ? value{0, static_cast<std::uint64_t>(o.value)} : symbol_address(*o.symbol, false);
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
  if (o.is_rip && o.symbol != nullptr && (o.symbol->type == R_X86_64_GOTPCRELX || o.symbol->type == R_X86_64_REX_GOTPCRELX || o.symbol->type == R_X86_64_GOTPCREL))
    return symbol_address(*o.symbol, false).plus(i.end - o.symbol->offset);
  const value at = address(state, i, o);
  if (const auto place = in_frame(at)) {
    if (auto held = state.load(values_, *place, o.bytes)) return held;
  }
  if (o.is_fs && o.symbol != nullptr && o.base == no_register && o.index == no_register && !object_.symbols()[o.symbol->symbol].is_defined &&
      object_.symbols()[o.symbol->symbol].name == hook_variable && o.symbol->addend >= 0 && o.symbol->addend <= 16 && o.symbol->addend % 8 == 0 && o.bytes == 8)
    return state.log[static_cast<std::size_t>(o.symbol->addend / 8)];
  const value loaded = unknown(n, 40);
  return o.bytes == 4 ? values_.low(loaded) : o.bytes == 8 ? std::optional(loaded) : std::nullopt;
}

void function_check::step(machine_state& state, std::size_t n) {
  const instruction& i = code_[n];
  if (const auto string = string_operation_of(i)) return copy(state, i, *string, n);
  if (!is_allowed(i)) {
    tell(problem::forbidden, i, "is an instruction `" + disassembler_.name_of(i.id) + "`, which CUDA C++ does not come to");
    return;
  }
  if (i.id == X86_INS_CALL) return call(state, i, n);
  if (i.is_jump) return jump(state, i);
  if (i.id == X86_INS_RET) return leave(state, i);
  if (i.id == X86_INS_PUSH || i.id == X86_INS_POP || i.id == X86_INS_LEAVE) return move_stack(state, i, n);
  if (i.id == X86_INS_NOP || i.id == X86_INS_ENDBR64) return;
  if (log_step(state, i, n)) return;
  if (const operand* const m = i.memory(); m != nullptr && i.id != X86_INS_LEA) {
    const memory_use use = use_of_memory(i);
    if (use.reads || use.writes) access(state, i, *m, use.reads, use.writes, use.bytes);
  }
  calculate(state, i, n);
}

void function_check::copy(machine_state& state, const instruction& i, const string_operation& what, std::size_t n) {
  const value count = what.repeats ? state.general[rcx] : value{0, 1};
  if (!values_.is_constant(count) || count.constant > largest_copy)
    return tell(problem::unproven, i, "copies or fills an unknown number of bytes");
  const std::uint64_t bytes = count.constant * what.bytes;
  if (what.copies) look_at_address(state, i, state.general[rsi], true, false, bytes);
  look_at_address(state, i, state.general[rdi], false, true, bytes);
  if (const auto at = in_frame(state.general[rdi]))
    state.store(values_, *at, static_cast<int>(bytes), unknown(n, 60), static_cast<long>(n), block_);
  state.general[rdi] = state.general[rdi].plus(bytes);
  if (what.copies) state.general[rsi] = state.general[rsi].plus(bytes);
  if (what.repeats) state.general[rcx] = {};
}

void function_check::move_stack(machine_state& state, const instruction& i, std::size_t n) {
  value& top = state.general[rsp];
  if (i.id == X86_INS_LEAVE) {
    top = state.general[rbp];
    const auto at = in_frame(top);
    if (!at) return tell(problem::unproven, i, "takes its frame down from a place that is not known");
    state.general[rbp] = state.load(values_, *at, 8).value_or(unknown(n, 1));
    top = top.plus(8);
    return;
  }
  const operand& o = i.operands[0];
  const bool is_push = i.id == X86_INS_PUSH;
  if (o.kind == operand::memory) access(state, i, o, is_push, !is_push, 8);
  if (is_push) {
    const value pushed = value_of(state, i, o, n).value_or(unknown(n, 1));
    top = top.plus(~7ULL);
    if (const auto at = in_frame(top))
      state.store(values_, *at, 8, pushed, static_cast<long>(n), block_);
    else
      tell(problem::unproven, i, "pushes to a stack whose place is not known");
    return;
  }
  const auto at = in_frame(top);
  if (!at) return tell(problem::unproven, i, "pops from a stack whose place is not known");
  const value popped = state.load(values_, *at, 8).value_or(unknown(n, 1));
  top = top.plus(8);
  if (o.kind == operand::general_register) state.general[static_cast<std::size_t>(o.reg)] = popped;
}

/// Loads, stores and sums of the hooks' own words; everything else is left to the caller.
bool function_check::log_step(machine_state& state, const instruction& i, std::size_t n) {
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
    const bool adds = i.id == X86_INS_ADD && i.operands[0].kind == operand::memory && i.operands[0].bytes == 8 && i.operands[1].kind == operand::immediate &&
                      i.operands[1].symbol == nullptr;
    const auto count = state.matched ? event_word({state.matched, 0, 0}, 0, 0, 8) : std::nullopt;
    const auto added = static_cast<std::uint64_t>(i.operands[1].value);
    if (adds && count && word == 0 && added == *count * token_bytes && !state.is_claimed) {
      state.log[token] = unknown(n, 2);
      state.is_claimed = true;
    } else if (adds && count && word == 8 && added == *count * row_bytes && state.is_claimed) {
      state.log[row] = unknown(n, 2);
      state.is_claimed = false;
      state.bundle = {state.matched, *count, 0};
      if (event_word(state.bundle, 0, 6, 2) == bundle_event::step_kind) state.bundle.next = 1;
      state.matched.reset();
    } else {
      tell(problem::unproven, i, "changes the log of the hooks otherwise than a hook does");
    }
    state.compared = {};
    return true;
  }
  if (i.id == X86_INS_CMP && i.operands[0].kind == operand::memory && m->symbol != nullptr &&
      object_.symbols()[m->symbol->symbol].name == template_variable && m->symbol->addend == 0) {
    const value expected = values_.add(symbol_address(*m->symbol, false), state.log[token]);
    if (address(state, i, *m) != expected || i.operands[1].kind != operand::general_register || i.operands[1].bytes != 8) {
      tell(problem::unproven, i, "compares with another place of the log than the next");
      return true;
    }
    if (!state.bundle.is_complete()) tell(problem::unproven, i, "begins to log before the reads in front of it are logged");
    new_event(state);
    state.bundle = {};
    state.compared = {comparison::with_template, state.general[static_cast<std::size_t>(i.operands[1].reg)], 0};
    return true;
  }
  // A read's address into its row.
  if (i.id == X86_INS_MOV && i.operands[0].kind == operand::memory && m->base != no_register && m->index == no_register &&
      m->symbol == nullptr && state.general[static_cast<std::size_t>(m->base)] == state.log[row] && i.operands[1].kind == operand::general_register &&
      i.operands[1].bytes == 8) {
    log_read(state, i, state.general[static_cast<std::size_t>(i.operands[1].reg)], static_cast<std::uint64_t>(-m->value),
             values_.of(value_table::section_begin, static_cast<long>(function_.begin.section)).plus(i.end));
    return true;
  }
  return false;
}

std::optional<std::uint64_t> function_check::event_word(const open_bundle& b, std::uint64_t event, unsigned at, unsigned bytes) const {
  if (!b.table) return std::nullopt;
  const section& s = object_.sections()[b.table->section];
  const std::uint64_t begin = b.table->offset + (bytes == 8 ? 0 : bundle_event::first + event * bundle_event::bytes + at);
  if (s.is_writable || begin + bytes > s.bytes.size()) return std::nullopt;
  std::uint64_t word = 0;
  for (unsigned n = bytes; n-- > 0;) word = word << 8 | s.bytes[begin + n];
  return word;
}

std::optional<place> function_check::event_site(const open_bundle& b, std::uint64_t event) const {
  if (!b.table) return std::nullopt;
  const std::uint64_t at = b.table->offset + bundle_event::first + event * bundle_event::bytes;
  const relocation* const r = object_.relocation_in(b.table->section, at, at + 1);
  if (r == nullptr || !object_.symbols()[r->symbol].is_defined) return std::nullopt;
  return object_.target(*r);
}

void function_check::log_read(machine_state& state, const instruction& i, value at, std::uint64_t distance, value site) {
  open_bundle& b = state.bundle;
  if (!b.table || b.next >= b.count || event_word(b, b.next, 6, 2) != bundle_event::read_kind)
    return tell(problem::unproven, i, "logs a read that its hook has not claimed");
  if (distance != 0 && (distance != (b.count - b.next) * row_bytes || std::find(state.nonzero.begin(), state.nonzero.end(), state.log[row]) == state.nonzero.end()))
    return tell(problem::unproven, i, "logs a read in another's row");
  const auto expected = event_site(b, b.next);
  const auto place_of = [this](place p) { return values_.of(value_table::section_begin, static_cast<long>(p.section)).plus(p.offset); };
  if (!expected || values_.low(site) != values_.low(place_of(*expected))) return tell(problem::unproven, i, "logs a read of another line");
  new_event(state);
  state.vouchers.push_back({vouched::read, at, *event_word(b, b.next, 4, 2), false});
  ++b.next;
}

/// A hook: what earlier ones vouched for has been used, or waits.
void function_check::new_event(machine_state& state) {
  std::erase_if(state.vouchers, [](const vouched& v) { return v.is_used || v.kind == vouched::local; });
}

void function_check::calculate(machine_state& state, const instruction& i, std::size_t n) {
  if (i.id == X86_INS_CMP || i.id == X86_INS_TEST) {
    state.compared = {};
    const operand &a = i.operands[0], &b = i.operands[1];
    if (i.id == X86_INS_TEST && a.kind == operand::general_register && b.kind == operand::general_register && a.reg == b.reg && a.bytes == 8)
      state.compared = {comparison::with_zero, state.general[static_cast<std::size_t>(a.reg)], 0};
    if (i.id == X86_INS_CMP && b.kind == operand::immediate && b.symbol == nullptr)
      if (const auto v = value_of(state, i, a, n)) state.compared = {comparison::with_number, *v, static_cast<std::uint64_t>(b.value) & (a.bytes == 4 ? 0xffffffffULL : ~0ULL)};
    return;
  }
  const operand& to = i.operands[0];
  const auto result = computed(state, i, n);
  // What capstone tells as written, the destination, and what goes beyond one of them.
  const value stack = state.general[rsp];
  for (int r = 0; r < static_cast<int>(machine_state::registers); ++r)
    if ((i.written >> r & 1) != 0) state.general[static_cast<std::size_t>(r)] = unknown(n, r);
  if (i.id == X86_INS_DIV || i.id == X86_INS_IDIV || i.id == X86_INS_MUL || (i.id == X86_INS_IMUL && i.count == 1))
    for (const int r : {rax, rdx}) state.general[static_cast<std::size_t>(r)] = unknown(n, r);
  if (i.id != X86_INS_LEA && i.id != X86_INS_MOV && i.id != X86_INS_MOVABS) state.compared = {};
  if (i.id == X86_INS_XCHG)
    for (int k = 0; k < 2; ++k)
      if (const int r = i.operands[static_cast<std::size_t>(k)].reg; r != no_register) state.general[static_cast<std::size_t>(r)] = unknown(n, r);
  if (i.id == X86_INS_CDQE || i.id == X86_INS_CDQ || i.id == X86_INS_CQO || i.id == X86_INS_CWDE || i.id == X86_INS_CWD || i.id == X86_INS_CBW) {
    const std::size_t r = i.id == X86_INS_CDQ || i.id == X86_INS_CQO || i.id == X86_INS_CWD ? rdx : rax;
    state.general[r] = result.value_or(unknown(n, static_cast<long>(r)));
    return;
  }
  if (to.kind == operand::general_register && i.count > 0) {
    value& register_to = state.general[static_cast<std::size_t>(to.reg)];
    const bool is_whole = to.bytes >= 4;
    register_to = result && is_whole ? *result : to.bytes == 4 ? values_.low(unknown(n, to.reg)) : unknown(n, to.reg);
    if (to.reg == rsp && !in_frame(register_to)) {
      tell(problem::unproven, i, "moves the stack pointer by an unknown number of bytes");
      register_to = stack;
    }
  } else if (to.kind == operand::memory) {
    const memory_use use = use_of_memory(i);
    if (!use.writes) return;
    if (const auto at = in_frame(address(state, i, to)))
      state.store(values_, *at, static_cast<int>(use.bytes), result.value_or(unknown(n, 60)), static_cast<long>(n), block_);
  }
}

/// What the instruction stores to its destination, where that is a sum.
std::optional<value> function_check::computed(machine_state& state, const instruction& i, std::size_t n) {
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
      return fit(values_.compute(i.id * 100 + from.bytes * 10 + to.bytes, state.general[static_cast<std::size_t>(from.reg)]));
    case X86_INS_ADD:
      return both([&](value a, value b) { return values_.add(a, b); });
    case X86_INS_SUB:
      return both([&](value a, value b) { return values_.add(a, values_.times(b, ~0ULL)); });
    case X86_INS_XOR:
      if (to.kind == operand::general_register && from.kind == operand::general_register && to.reg == from.reg && to.bytes >= 4) return value{};
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

void function_check::jump(machine_state& state, const instruction& i) {
  const operand& o = i.operands[0];
  const auto to = direct_target(object_, function_, i);
  if (to && to->section == function_.begin.section && to->offset - function_.begin.offset < function_.size && to->offset != function_.begin.offset)
    return;
  if (o.kind == operand::immediate) {
    leave(state, i);
    const std::string callee = direct_callee(object_, function_, i);
    if (callee.empty()) tell(problem::forbidden, i, "jumps to a place that is no function's begin");
    else if (to == std::nullopt && effect_of(callee) && effect_of(callee)->kind != hook_effect::indirect_call) tell(problem::unproven, i, "jumps to a hook");
    return;
  }
  // A table of places in the function, whose index is below its end.
  const block& one = flow_->blocks()[static_cast<std::size_t>(block_)];
  if (one.next.empty() || o.index == no_register)
    return tell(problem::unproven, i, "jumps to wherever a number says, unchecked");
  const value index = state.general[static_cast<std::size_t>(o.index)];
  const bool is_bound = std::any_of(state.bounds.begin(), state.bounds.end(), [&](const auto& b) { return b.what == index || values_.low(b.what) == index; });
  if (!is_bound) tell(problem::unproven, i, "jumps through a table whose end is not looked for");
}

void function_check::leave(machine_state& state, const instruction& i) {
  if (in_frame(state.general[rsp]) != 0) tell(problem::unproven, i, "leaves its function with the stack pointer elsewhere than where it began");
  for (const int r : {rbx, rbp, r12, r13, r14, r15})
    if (state.general[static_cast<std::size_t>(r)] != values_.of(value_table::entry_register, r))
      tell(problem::unproven, i, "leaves its function with registers that it should have kept");
  if (!state.bundle.is_complete()) tell(problem::unproven, i, "leaves its function before all its reads are logged");
}

void function_check::call(machine_state& state, const instruction& i, std::size_t n) {
  state.compared = {};
  const operand& o = i.operands[0];
  const auto inside = direct_target(object_, function_, i);
  const std::string callee = direct_callee(object_, function_, i);
  if (o.kind != operand::immediate) {
    tell(problem::unproven, i, "calls whatever function a number says, unchecked");
  } else if (callee.empty()) {
    tell(problem::forbidden, i, "calls a place that is no function's begin");
  }
  if (!inside && !callee.empty() && effect_of(callee)) return apply(state, i, n, callee);
  new_call(state, n, callee, kept_by_calls);
}

void function_check::new_call(machine_state& state, std::size_t n, std::string_view name, unsigned kept) {
  const bool pure = is_pure(name);
  std::erase_if(state.vouchers, [pure](const vouched& v) { return !pure || v.kind != vouched::read || v.is_used; });
  for (int r = 0; r < static_cast<int>(machine_state::registers); ++r)
    if ((kept >> r & 1) == 0) state.general[static_cast<std::size_t>(r)] = unknown(n, r);
  for (std::size_t w = 0; w < machine_state::logs; ++w) state.log[w] = unknown(n, 30 + static_cast<long>(w));
  state.matched.reset();
  state.is_claimed = false;
}

void function_check::apply(machine_state& state, const instruction& i, std::size_t n, std::string_view name) {
  const hook_effect effect = *effect_of(name);
  const value first = state.general[rdi], second = state.general[rsi], third = state.general[rdx];
  const auto forget = [&](unsigned kept) {
    const std::vector<vouched> vouchers = state.vouchers;
    new_call(state, n, name, kept);
    state.vouchers = vouchers;
  };
  const auto vouch = [&](vouched::kind_of_voucher kind, value at, std::uint64_t bytes) {
    new_event(state);
    state.vouchers.push_back({kind, at, bytes, false});
  };
  switch (effect.kind) {
    case hook_effect::read:
    case hook_effect::write: {
      const auto kind = effect.kind == hook_effect::read ? vouched::read : vouched::write;
      if (effect.bytes == 0 && !values_.is_constant(second))
        tell(problem::unproven, i, "is a hook for an unknown number of bytes");
      vouch(kind, first, effect.bytes != 0 ? effect.bytes : values_.is_constant(second) ? second.constant : 0);
      return forget(kept_by_calls);
    }
    case hook_effect::added_read:
    case hook_effect::added_write: {
      const auto top = in_frame(state.general[rsp]);
      const auto code = top ? state.load(values_, *top, 8) : std::nullopt;
      if (!code || !values_.is_constant(*code)) return tell(problem::unproven, i, "is a hook for an unknown number of bytes");
      const added_code what(code->constant);
      const value at = what.in_thread_storage ? values_.add(first, values_.of(value_table::thread)) : first;
      vouch(effect.kind == hook_effect::added_read ? vouched::read : vouched::write, at, what.bytes);
      return forget(0xffff);
    }
    case hook_effect::local_read:
    case hook_effect::local_write: {
      const auto top = in_frame(state.general[rsp]);
      const auto code = top ? state.load(values_, *top, 8) : std::nullopt;
      const auto second_code = top ? state.load(values_, *top + 8, 8) : std::nullopt;
      if (!code || !second_code || !values_.is_constant(*code) || !values_.is_constant(*second_code))
        return tell(problem::unproven, i, "is a hook for an unknown number of bytes");
      const added_code what(code->constant);
      const frame_code bounds(second_code->constant);
      const std::int64_t base = *top + 24;  // above both codes and %rdi
      if (base + bounds.end > 0) return tell(problem::unproven, i, "is a hook for more than its function's frame");
      vouch(effect.kind == hook_effect::local_read ? vouched::read : vouched::write, first, what.bytes);
      if (effect.kind == hook_effect::local_write)
        for (slot& s : state.slots)  // any of them may be stored to behind the hook
          if (s.at < base + bounds.end && base + bounds.begin < s.at + s.bytes) s.holds = unknown(n, 2000 + s.at * 8 + s.bytes);
      return forget(0xffff);
    }
    case hook_effect::host_read: {
      log_read(state, i, first, 0, second);
      if (!state.vouchers.empty() && (!values_.is_constant(third) || third.constant != state.vouchers.back().bytes))
        tell(problem::unproven, i, "tells another width than its hook");
      return forget(kept_by_calls);
    }
    case hook_effect::begin_bundle:
      begin_bundle(state, i, third);
      return forget(kept_by_calls | 1U << rdi);
    case hook_effect::plain_copy:
    case hook_effect::plain_fill:
      if (!values_.is_constant(third) || !is_vouched(state, first, third.constant, true) ||
          (effect.kind == hook_effect::plain_copy && !is_vouched(state, second, third.constant, false)))
        tell(problem::unproven, i, "copies or fills memory for which no hook stands");
      return new_call(state, n, name, kept_by_calls);
    case hook_effect::report:
      return forget(kept_by_calls);
    case hook_effect::indirect_call:
      return new_call(state, n, name, kept_by_calls);
  }
}

void function_check::begin_bundle(machine_state& state, const instruction& i, value named) {
  const auto table = in_section(values_.add(named, values_.times(state.log[depth], ~0ULL)));
  const auto count = table ? event_word({table, 0, 0}, 0, 0, 8) : std::nullopt;
  if (!count) return tell(problem::unproven, i, "names no bundle of hooks");
  new_event(state);
  state.bundle = {table, *count, 0};
  if (event_word(state.bundle, 0, 6, 2) == bundle_event::step_kind) state.bundle.next = 1;
}

bool function_check::is_vouched(machine_state& state, value at, std::uint64_t bytes, bool write) {
  const auto top = in_frame(state.general[rsp]), place = in_frame(at);
  if (top && place && *place >= *top && *place + static_cast<std::int64_t>(bytes) <= 0) return true;
  for (vouched& v : state.vouchers) {
    if (v.at.sum != at.sum || (write && v.kind != vouched::write) || v.kind == vouched::local) continue;
    if (at.constant - v.at.constant > v.bytes || at.constant - v.at.constant + bytes > v.bytes) continue;
    v.is_used = true;
    return true;
  }
  return false;
}

void function_check::frame_access(machine_state& state, const instruction& i, std::int64_t at, std::uint64_t bytes, bool writes) {
  const auto top = in_frame(state.general[rsp]);
  const std::int64_t lowest = top ? *top - static_cast<std::int64_t>(red_zone) : 0;
  const auto end = at + static_cast<std::int64_t>(bytes);
  if (at >= lowest && end <= 0) return;
  if (at == 0 && bytes == return_address && !writes) return;
  if (at >= static_cast<std::int64_t>(return_address) && static_cast<std::uint64_t>(end) <= arguments_end_()) return;
  tell(problem::unproven, i, std::string(writes ? "writes to" : "reads from") + " the stack outside of its function's frame");
}

void function_check::access(machine_state& state, const instruction& i, const operand& o, bool reads, bool writes, unsigned bytes) {
  if (o.is_odd) return tell(problem::forbidden, i, "uses a segment of memory that CUDA C++ does not know");
  if (o.is_fs && o.base == no_register && o.index == no_register && o.value == 0 && o.symbol == nullptr && !writes) return;
  if (o.is_rip && o.symbol != nullptr && !writes &&
      (o.symbol->type == R_X86_64_GOTTPOFF || o.symbol->type == R_X86_64_GOTPCRELX || o.symbol->type == R_X86_64_REX_GOTPCRELX || o.symbol->type == R_X86_64_GOTPCREL))
    return;
  look_at_address(state, i, address(state, i, o), reads, writes, bytes);
}

void function_check::look_at_address(machine_state& state, const instruction& i, value at, bool reads, bool writes, std::uint64_t bytes) {
  if (const auto place = in_frame(at)) return frame_access(state, i, *place, bytes, writes);
  if (reads && !writes) {
    if (const auto constant = in_section(at)) {
      const section& s = object_.sections()[constant->section];
      if (!s.is_writable && s.is_loaded && constant->offset + bytes <= s.size) return;
    }
    const auto& terms = values_.terms(at);
    if (terms.size() == 2)
      for (const auto& t : terms) {
        const auto& u = values_.unknown_of(t.unknown);
        if (u.what == value_table::thread_outside && t.factor == 1 &&
            at.constant + bytes <= readable_bytes(object_.symbols()[static_cast<std::size_t>(u.a)].name))
          return;
      }
  }
  if (reads && !writes && is_launch_glue(function_.name) && at.sum == values_.of(value_table::entry_register, rdi).sum &&
      at.constant < largest_pack)
    return;
  const bool read_ok = !reads || is_vouched(state, at, bytes, false);
  const bool write_ok = !writes || is_vouched(state, at, bytes, true);
  if (!read_ok || !write_ok) tell(is_launch_glue(function_.name) ? problem::forbidden : problem::unproven, i, refusal(state, at, !write_ok));
}

std::string function_check::refusal(const machine_state& state, value at, bool writes) const {
  std::string words = std::string(writes ? "stores to" : "reads from") + " memory without a hook for it";
  if (std::getenv("VDEBUG") != nullptr) {
    const auto show = [&](value v) {
      std::string t;
      for (const auto& x : values_.terms(v)) { const auto& u = values_.unknown_of(x.unknown); t += " + " + std::to_string(static_cast<long>(x.factor)) + "*u" + std::to_string(x.unknown) + "(k" + std::to_string(u.what) + " a" + std::to_string(u.a) + " b" + std::to_string(u.block) + ")"; }
      return t + " + " + std::to_string(static_cast<long>(v.constant));
    };
    words += "\n     at " + show(at);
    for (const auto& v : state.vouchers) words += "\n     vouched " + std::to_string(v.kind) + show(v.at) + " bytes " + std::to_string(v.bytes);
  }
  return words;
}

}  // namespace simtlab::verifier
