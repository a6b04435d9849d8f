#include "verifier/control_flow.h"

#include <elf.h>

#include <algorithm>
#include <unordered_map>

namespace simtlab::verifier {
namespace {

bool is_return(unsigned id) { return id == X86_INS_RET; }
bool stops(unsigned id) { return id == X86_INS_UD2 || id == X86_INS_HLT || is_return(id); }

}  // namespace

std::optional<place> direct_target(const object_code& object, const code_range& f, const operation& i) {
  const operand& o = i.operands[0];
  if (o.kind != operand::immediate) return std::nullopt;
  if (o.symbol == nullptr) return place{f.begin.section, static_cast<std::uint64_t>(o.value)};
  if (o.symbol->type != R_X86_64_PLT32 && o.symbol->type != R_X86_64_PC32) return std::nullopt;
  if (!object.symbols()[o.symbol->symbol].is_defined) return std::nullopt;
  place p = object.target(*o.symbol);
  p.offset += i.end - o.symbol->offset;
  return p;
}

control_flow::control_flow(const object_code& object, const code_range& f, const std::vector<operation>& code,
                           const std::vector<bool>& ends)
    : object_(object), function_(f) {
  find_blocks(f, code, ends);
  find_dominators();
}

/// `jmp *table(,%reg,8)`: the places in the table, up to the first entry that is no place of this function.
std::optional<std::vector<std::uint64_t>> control_flow::table_of(const object_code& object, const code_range& f,
                                                                 const std::vector<operation>& code,
                                                                 std::size_t at) const {
  const operand& o = code[at].operands[0];
  if (code[at].id != X86_INS_JMP || o.kind != operand::memory || o.base != no_register || o.index == no_register ||
      o.scale != 8 || o.symbol == nullptr || o.symbol->type != R_X86_64_32S ||
      !object.symbols()[o.symbol->symbol].is_defined)
    return std::nullopt;
  const place table = object.target(*o.symbol);
  // g++ writes: cmp $last, %reg; ja default; jmp *table(,%reg,8), perhaps with a copy of the register in between.
  std::optional<std::uint64_t> last;
  for (std::size_t back = at; back-- > 0 && at - back <= 4 && !last;)
    if (code[back].id == X86_INS_JA && back > 0 && code[back - 1].id == X86_INS_CMP &&
        code[back - 1].operands[1].kind == operand::immediate)
      last = static_cast<std::uint64_t>(code[back - 1].operands[1].value);
  if (!last || *last > 0xffff || object.sections()[table.section].is_writable) return std::nullopt;
  std::vector<std::uint64_t> targets;
  for (std::uint64_t n = 0; n <= *last; ++n) {
    const relocation* r = object.relocation_in(table.section, table.offset + 8 * n, table.offset + 8 * n + 1);
    if (r == nullptr || r->type != R_X86_64_64 || !object.symbols()[r->symbol].is_defined) return std::nullopt;
    const place p = object.target(*r);
    if (p.section != f.begin.section || p.offset - f.begin.offset >= f.size) return std::nullopt;
    targets.push_back(p.offset);
  }
  return targets;
}

void control_flow::tell(std::uint64_t at, std::string message) {
  problems_.push_back({problem::unproven, {function_.begin.section, at}, function_.name, std::move(message)});
}

void control_flow::find_blocks(const code_range& f, const std::vector<operation>& code, const std::vector<bool>& ends) {
  std::unordered_map<std::uint64_t, std::size_t> index;
  for (std::size_t n = 0; n < code.size(); ++n) index.emplace(code[n].at, n);
  std::vector<bool> begins(code.size() + 1);
  std::vector<std::vector<std::size_t>> targets(code.size());
  std::vector<std::uint64_t> landing(code.size());
  begins[0] = true;
  const auto is_astray = [&](const operation& i) {  // behind the end of a table
    const relocation* const to = i.operands[0].symbol;
    return to != nullptr && object_.symbols()[to->symbol].name == "simtlab_jump_astray";
  };
  const auto inside = [&](std::size_t n, std::uint64_t to) {
    const auto found = index.find(to);
    if (found == index.end()) {
      tell(code[n].at, "jumps into the middle of an instruction, or out of its function");
      return;
    }
    begins[found->second] = true;
    targets[n].push_back(found->second);
  };
  for (std::size_t n = 0; n < code.size(); ++n) {
    const operation& i = code[n];
    if (i.is_jump) {
      begins[n + 1] = true;
      const auto to = direct_target(object_, f, i);
      const bool stays =
          to && to->section == f.begin.section && to->offset - f.begin.offset < f.size && to->offset != f.begin.offset;
      if (stays) {
        inside(n, to->offset);
      } else if (const auto table = table_of(object_, f, code, n)) {
        for (const std::uint64_t one : *table) inside(n, one);
      } else if (i.is_conditional && !is_astray(i)) {
        tell(i.at, "jumps out of its function on a condition");
      }
    } else if (stops(i.id) || ends[n]) {
      begins[n + 1] = true;
    }
    for (const auto& g : f.calls)
      if (i.id == X86_INS_CALL && i.at >= g.begin && i.at < g.end) {
        landing[n] = g.landing;
        begins[n + 1] = true;
      }
  }
  for (const auto& g : f.calls)
    if (const auto found = index.find(g.landing); found != index.end()) begins[found->second] = true;
  blocks_.emplace_back();
  std::vector<int> of(code.size() + 1, -1);
  for (std::size_t n = 0; n < code.size(); ++n) {
    if (begins[n]) blocks_.push_back({n, n, {}, {}, -1});
    blocks_.back().last = n + 1;
    of[n] = static_cast<int>(blocks_.size()) - 1;
  }
  blocks_[entry].next.push_back(1);
  for (int b = 1; b < static_cast<int>(blocks_.size()); ++b) {
    block& one = blocks_[static_cast<std::size_t>(b)];
    const std::size_t n = one.last - 1;
    const operation& i = code[n];
    for (const std::size_t to : targets[n]) one.next.push_back(of[to]);
    const bool goes_on = !stops(i.id) && !ends[n] && (!i.is_jump || i.is_conditional);
    if (goes_on && one.last == code.size())
      tell(i.at, "runs over the end of its function");
    else if (goes_on)
      one.next.push_back(b + 1);
    if (landing[n] == 0) continue;
    if (const auto found = index.find(landing[n]); found != index.end()) {
      one.landing = of[found->second];
      one.next.push_back(one.landing);
    } else {
      tell(i.at, "lands an exception outside of its function");
    }
  }
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    auto& next = blocks_[b].next;
    std::sort(next.begin(), next.end());
    next.erase(std::unique(next.begin(), next.end()), next.end());
    for (const int to : next) blocks_[static_cast<std::size_t>(to)].before.push_back(static_cast<int>(b));
  }
}

/// Cooper, Harvey and Kennedy's iteration.
void control_flow::find_dominators() {
  std::vector<int> position(blocks_.size(), -1);
  std::vector<std::pair<int, std::size_t>> stack{{entry, 0}};
  std::vector<bool> seen(blocks_.size());
  seen[entry] = true;
  while (!stack.empty()) {
    const int b = stack.back().first;
    const auto& next = blocks_[static_cast<std::size_t>(b)].next;
    if (stack.back().second < next.size()) {
      const int to = next[stack.back().second++];
      if (!seen[static_cast<std::size_t>(to)]) {
        seen[static_cast<std::size_t>(to)] = true;
        stack.emplace_back(to, 0);
      }
    } else {
      order_.push_back(b);
      stack.pop_back();
    }
  }
  std::reverse(order_.begin(), order_.end());
  for (std::size_t n = 0; n < order_.size(); ++n) position[static_cast<std::size_t>(order_[n])] = static_cast<int>(n);
  dominator_.assign(blocks_.size(), -1);
  dominator_[entry] = entry;
  for (bool changed = true; changed;) {
    changed = false;
    for (const int b : order_) {
      if (b == entry) continue;
      int chosen = -1;
      for (int p : blocks_[static_cast<std::size_t>(b)].before) {
        if (dominator_[static_cast<std::size_t>(p)] < 0) continue;
        while (chosen >= 0 && p != chosen) {
          while (position[static_cast<std::size_t>(p)] > position[static_cast<std::size_t>(chosen)])
            p = dominator_[static_cast<std::size_t>(p)];
          while (position[static_cast<std::size_t>(chosen)] > position[static_cast<std::size_t>(p)])
            chosen = dominator_[static_cast<std::size_t>(chosen)];
        }
        chosen = p;
      }
      if (dominator_[static_cast<std::size_t>(b)] != chosen) {
        dominator_[static_cast<std::size_t>(b)] = chosen;
        changed = true;
      }
    }
  }
  const auto above = [this](int b) { return static_cast<std::size_t>(dominator_[static_cast<std::size_t>(b)]); };
  depths_.assign(blocks_.size(), 0);
  below_.assign(blocks_.size(), {});
  for (auto b = order_.rbegin(); b != order_.rend(); ++b) {
    ++below_[static_cast<std::size_t>(*b)].size;
    if (*b != entry) below_[above(*b)].size += below_[static_cast<std::size_t>(*b)].size;
  }
  std::vector<int> next(blocks_.size(), 1);
  for (const int b : order_) {
    if (b == entry) continue;
    const auto at = static_cast<std::size_t>(b);
    depths_[at] = depths_[above(b)] + 1;
    below_[at].begin = next[above(b)];
    next[above(b)] += below_[at].size;
    next[at] = below_[at].begin + 1;
  }
}

bool control_flow::leads_through(int b, int a) const {
  if (a < 0) return true;
  const range &of_a = below_[static_cast<std::size_t>(a)], &of_b = below_[static_cast<std::size_t>(b)];
  return of_a.begin < of_b.begin && of_b.begin < of_a.begin + of_a.size;
}

}  // namespace simtlab::verifier
