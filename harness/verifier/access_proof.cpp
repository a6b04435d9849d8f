#include "verifier/access_proof.h"

#include <elf.h>

#include <algorithm>
#include <utility>

#include "verifier/allowed_instructions.h"
#include "verifier/hook_contract.h"

namespace simtlab::verifier {
namespace {

constexpr std::uint64_t return_address = 8;
/// So often a block is visited in the hope that a value of its own will prove to be one that the loop leaves alone; from
/// then on what has a value of its own keeps one, so that each visit tells values apart that will never be one again.
constexpr int visits_in_hope = 40;
constexpr int visits_of_a_block = 1000;

}  // namespace

std::string direct_callee(const object_code& object, const code_range& f, const operation& i) {
  const operand& o = i.operands[0];
  if (o.kind != operand::immediate) return {};
  if (const auto inside = direct_target(object, f, i)) {
    const auto callee = object.functions().find(*inside);
    return callee == object.functions().end() ? std::string() : callee->second.name;
  }
  if (o.symbol == nullptr || (o.symbol->type != R_X86_64_PLT32 && o.symbol->type != R_X86_64_PC32)) return {};
  const bool whole = o.symbol->addend + static_cast<std::int64_t>(i.end - o.symbol->offset) == 0;
  return whole ? object.symbols()[o.symbol->symbol].name : std::string();
}

code_range range_of(place begin, const function& f) { return {f.name, begin, f.end - begin.offset, f.calls}; }

bool is_endless(const object_code& object, const code_range& f, const std::vector<operation>& code) {
  const bool ends = std::any_of(code.begin(), code.end(), [&](const operation& i) {
    if (i.id == X86_INS_RET) return true;
    if (!i.is_jump) return false;
    const auto to = direct_target(object, f, i);
    return !to || to->section != f.begin.section || to->offset - f.begin.offset >= f.size;
  });
  return !ends && !code.empty();
}

access_proof::access_proof(const object_code& object, code_range f, std::vector<operation> code, const decoder& d,
                           const std::set<place>& endless)
    : object_(object), function_(std::move(f)), decoder_(d), endless_(endless), code_(std::move(code)) {}

void access_proof::tell(const operation& i, std::string message) {
  if (is_telling_)
    problems_.push_back({problem::unproven, {function_.begin.section, i.at}, function_.name, std::move(message)});
}

std::vector<problem> access_proof::run() {
  if (code_.empty())
    return {{problem::unread, function_.begin, function_.name, "has bytes that are no known instructions"}};
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
  if (!settle())
    problems_.push_back({problem::unproven, function_.begin, function_.name, "is too tangled to be followed"});
  return problems_;
}

machine_state access_proof::begin_of(int b, const std::vector<ways>& behind, const machine_state& known,
                                     bool is_settling) {
  const auto& blocks = flow_->blocks();
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
      if (!to || to->section != function_.begin.section || to->offset == at ||
          to->offset - function_.begin.offset >= function_.size)
        before.push_back(&from.jumped);
    }
  }
  if (before.empty()) return {};
  machine_state made = meet(values_, *flow_, b, before, known, is_settling);
  bound_stack(made, before);
  return made;
}

std::optional<std::int64_t> access_proof::top_of(const machine_state& state) const {
  const value top = state.general[rsp];
  if (const auto place = in_frame(top)) return place;
  return state.moving && state.moving->holds(top) ? std::optional(state.moving->floor) : std::nullopt;
}

/// Where ways meet whose stack pointers differ, it is not above the highest of them.
void access_proof::bound_stack(machine_state& made, const std::vector<const machine_state*>& before) const {
  const value top = made.general[rsp];
  if (in_frame(top)) return;
  std::optional<std::int64_t> floor;
  value highest = top;  // that all ways let it go back up to
  const auto& allowed = before.front()->moving;
  if (std::all_of(before.begin(), before.end(), [&](const machine_state* b) { return b->moving == allowed; }) &&
      allowed && allowed->holds(top))
    highest = allowed->top;
  for (const machine_state* b : before) {
    const auto one = top_of(*b);
    if (!one) return;
    floor = std::max(floor.value_or(*one), *one);
  }
  made.moving = {highest, *floor};
  made.end_frame_at(*floor);
}

/// Whether a block that nothing leads to is padding, or loads a sum's mirror behind a call that does not return.
bool access_proof::is_idle(const block& b) const {
  for (std::size_t n = b.first; n < b.last; ++n) {
    const operation& i = code_[n];
    const operand &to = i.operands[0], &from = i.operands[1];
    const bool loads = (i.id == X86_INS_MOVSS || i.id == X86_INS_MOVSD) && to.kind == operand::other_register &&
                       from.kind == operand::memory && from.base == rsp && from.index == no_register;
    if (i.id != X86_INS_NOP && !loads) return false;
  }
  return true;
}

/// Walks the blocks until nothing new is learned, then once more to tell what is wrong.
bool access_proof::settle() {
  const auto& blocks = flow_->blocks();
  std::vector<ways> behind(blocks.size());
  machine_state first;
  first.is_reached = true;
  for (int r = 0; r < static_cast<int>(machine_state::registers); ++r)
    first.general[static_cast<std::size_t>(r)] = values_.of(value_table::entry_register, r);
  for (int r = 0; r < static_cast<int>(machine_state::logs); ++r)
    first.log[static_cast<std::size_t>(r)] = values_.of(value_table::entry_register, 100 + r);
  behind[control_flow::entry].on = first;

  std::vector<std::size_t> position(blocks.size());
  for (std::size_t n = 0; n < flow_->order().size(); ++n) position[static_cast<std::size_t>(flow_->order()[n])] = n;
  std::set<std::size_t> waiting;  // blocks by their place in the order
  const auto wait_behind = [&](int b) {
    for (const int to : blocks[static_cast<std::size_t>(b)].next)
      waiting.insert(position[static_cast<std::size_t>(to)]);
  };
  wait_behind(control_flow::entry);
  std::vector<machine_state> begins(blocks.size());
  std::vector<int> visits(blocks.size());
  while (!waiting.empty()) {
    const int b = flow_->order()[*waiting.begin()];
    waiting.erase(waiting.begin());
    auto& known = begins[static_cast<std::size_t>(b)];
    int& visited = visits[static_cast<std::size_t>(b)];
    machine_state begin = begin_of(b, behind, known, visited > visits_in_hope);
    if (!begin.is_reached || (known.is_reached && begin == known)) continue;
    if (++visited > visits_of_a_block) return false;
    known = begin;
    behind[static_cast<std::size_t>(b)] = walk(b, std::move(begin));
    wait_behind(b);
  }
  is_telling_ = true;
  for (std::size_t b = 1; b < blocks.size(); ++b)
    if (begins[b].is_reached)
      (void)walk(static_cast<int>(b), begins[b]);
    else if (!is_idle(blocks[b]))
      tell(code_[blocks[b].first], "is code that no way is known to lead to");
  return true;
}

access_proof::ways access_proof::walk(int b, machine_state state) {
  block_ = b;
  const block& one = flow_->blocks()[static_cast<std::size_t>(b)];
  if (std::exchange(state.is_broken, false))
    tell(code_[one.first], "is reached by ways whose hooks have logged differently");
  for (std::size_t n = one.first; n < one.last; ++n) step(state, n);
  ways out;
  const std::size_t n = one.last - 1;
  const operation& last = code_[n];
  const auto called = last.id == X86_INS_CALL ? effect_of(direct_callee(object_, function_, last)) : std::nullopt;
  if (one.landing >= 0 && (!called || called->kind == hook_effect::indirect_call)) {  // hooks throw nothing
    out.landed = state;
    for (const int r : {rax, rdx}) out.landed.general[static_cast<std::size_t>(r)] = unknown(n, 50 + r);
  }
  if (last.is_jump) {
    out.jumped = state;
    learn(state, out.jumped, last.id);
  }
  out.on = std::move(state);
  return out;
}

/// What a comparison tells, on the way straight on and where it jumps to.
void access_proof::learn(machine_state& on, machine_state& jumped, unsigned jump) {
  const comparison compared = on.compared;
  if (jump == X86_INS_JB || jump == X86_INS_JAE) {
    machine_state& enough = jump == X86_INS_JB ? on : jumped;
    if (compared.kind == comparison::with_last_width && enough.last_write)
      enough.vouchers.push_back({vouched::write, *enough.last_write, compared.number, false});
    return;
  }
  if (jump != X86_INS_JE && jump != X86_INS_JNE) return;
  machine_state& unequal = jump == X86_INS_JE ? on : jumped;
  machine_state& equal = jump == X86_INS_JE ? jumped : on;
  switch (compared.kind) {
    case comparison::with_zero:
      unequal.nonzero.push_back(compared.compared);
      break;
    case comparison::with_template:
      equal.matched = in_section(values_.add(compared.compared, values_.times(on.log[depth], ~0ULL)));
      break;
    case comparison::with_last_write:
      new_event(equal);
      equal.last_write = compared.compared;
      break;
    case comparison::with_value: {
      const std::vector<vouched> known = equal.vouchers;
      for (const vouched& v : known) {
        if (v.at == compared.compared) equal.vouchers.push_back({v.kind, compared.other, v.bytes, false});
        if (v.at == compared.other) equal.vouchers.push_back({v.kind, compared.compared, v.bytes, false});
      }
      break;
    }
    default:
      break;
  }
}

void access_proof::step(machine_state& state, std::size_t n) {
  const operation& i = code_[n];
  if (const auto string = string_operation_of(i)) return copy(state, i, *string);
  if (!is_allowed(i)) {
    tell(i, "is an instruction `" + decoder_.name_of(i.id) + "`, which CUDA C++ does not come to");
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

void access_proof::jump(machine_state& state, const operation& i) {
  const operand& o = i.operands[0];
  const auto to = direct_target(object_, function_, i);
  if (to && to->section == function_.begin.section && to->offset - function_.begin.offset < function_.size &&
      to->offset != function_.begin.offset)
    return;
  if (o.kind == operand::immediate) {
    const auto effect = to ? std::nullopt : effect_of(direct_callee(object_, function_, i));
    if (effect && effect->kind != hook_effect::indirect_call) tell(i, "jumps to a hook");
    if (effect && effect->bytes != 0) look_at_address(state, i, state.general[r11], true, false, effect->bytes);
    if (!i.is_conditional) leave(state, i);
  }
}

void access_proof::leave(machine_state& state, const operation& i) {
  if (state.general[rsp] != stack_) tell(i, "leaves its function with the stack pointer elsewhere than where it began");
  if (!state.bundle.is_complete()) tell(i, "leaves its function before all its reads are logged");
  if (state.is_exposed && !state.is_compared) tell(i, "leaves its function without a look at what its frame has kept");
  for (const int r : of_callers)
    if (state.general[static_cast<std::size_t>(r)] != values_.of(value_table::entry_register, r))
      return tell(i, "leaves its function with other values in its caller's registers");
}

/// An address of a variable that is no stack's: a store there changes no slot.
bool access_proof::is_static(value at) const {
  const auto& terms = values_.terms(at);
  return std::all_of(terms.begin(), terms.end(), [this](const auto& t) {
    const auto what = values_.unknown_of(t.unknown).what;
    return what == value_table::section_begin || what == value_table::outside || what == value_table::thread ||
           what == value_table::thread_section || what == value_table::thread_outside;
  });
}

bool access_proof::is_vouched(machine_state& state, value at, std::uint64_t bytes, bool write) {
  const auto top = top_of(state), place = in_frame(at);
  if (place && top && *place >= *top && *place + static_cast<std::int64_t>(bytes) <= end_of_frame(at)) return true;
  if (place == 0 && bytes == return_address && !write) return true;
  // Below an array of variable length: a call's arguments.
  const value lowest = state.general[rsp];
  if (state.moving && state.moving->holds(lowest) && state.moving->holds(at, bytes) &&
      at.constant - lowest.constant <= state.moving->top.constant - lowest.constant)
    return true;
  for (vouched& v : state.vouchers) {
    if (v.at.sum != at.sum || (write && v.kind != vouched::write)) continue;
    if (at.constant - v.at.constant > v.bytes || at.constant - v.at.constant + bytes > v.bytes) continue;
    v.is_used = true;
    if (write && !is_static(at)) state.expose();  // it may point into the frame
    return true;
  }
  return false;
}

void access_proof::access(machine_state& state, const operation& i, const operand& o, bool reads, bool writes,
                          unsigned bytes) {
  if (o.is_odd) return tell(i, "uses a segment of memory that CUDA C++ does not know");
  if (o.is_fs && o.base == no_register && o.index == no_register && o.value == 0 && o.symbol == nullptr && !writes)
    return;
  if (o.is_rip && o.symbol != nullptr && !writes &&
      (o.symbol->type == R_X86_64_GOTTPOFF || o.symbol->type == R_X86_64_GOTPCRELX ||
       o.symbol->type == R_X86_64_REX_GOTPCRELX || o.symbol->type == R_X86_64_GOTPCREL))
    return;
  look_at_address(state, i, address(state, i, o), reads, writes, bytes);
}

/// Whether it is a part of where the thread is in its grid, which the emulator keeps for each.
bool access_proof::is_coordinate(value at, std::uint64_t bytes) {
  const value distance = values_.add(at, values_.times(values_.of(value_table::thread), ~0ULL));
  const auto& terms = values_.terms(distance);
  if (terms.size() != 1 || terms.front().factor != 1) return false;
  const auto& u = values_.unknown_of(terms.front().unknown);
  if (u.what != value_table::thread_outside) return false;
  const std::uint64_t size = readable_bytes(object_.symbols()[static_cast<std::size_t>(u.a)].name);
  return distance.constant <= size && bytes <= size - distance.constant;
}

void access_proof::look_at_address(machine_state& state, const operation& i, value at, bool reads, bool writes,
                                   std::uint64_t bytes) {
  if (reads && !writes) {
    if (const auto constant = in_section(at)) {
      const section& s = object_.sections()[constant->section];
      const bool is_closed = !s.is_writable || s.name.starts_with(".data.rel.ro");
      if (is_closed && s.is_loaded && constant->offset <= s.size && bytes <= s.size - constant->offset) return;
    }
    if (is_coordinate(at, bytes)) return;
  }
  const bool read_ok = !reads || is_vouched(state, at, bytes, false);
  const bool write_ok = !writes || is_vouched(state, at, bytes, true);
  if (!read_ok || !write_ok)
    tell(i, std::string(write_ok ? "reads from" : "stores to") + " memory without a hook for it");
}

std::vector<problem> prove_accesses(const object_code& object) {
  const decoder machine;
  std::set<place> endless;
  std::vector<std::pair<code_range, std::vector<operation>>> functions;
  for (const auto& [begin, one] : object.functions()) {
    const auto& [f, code] = functions.emplace_back(range_of(begin, one), std::vector<operation>());
    functions.back().second = machine.take_apart(object, f);
    if (is_endless(object, f, code)) endless.insert(begin);
  }
  std::vector<problem> found;
  for (auto& [f, code] : functions) {
    const auto problems = access_proof(object, std::move(f), std::move(code), machine, endless).run();
    found.insert(found.end(), problems.begin(), problems.end());
  }
  return found;
}

}  // namespace simtlab::verifier
