#include "translator/known_values.h"

#include <algorithm>
#include <charconv>

namespace simtlab::emulator {
namespace {

constexpr int rax = 0, rcx = 1, rdx = 2, rbx = 3, rsp = 4, rbp = 5, rdi = 7;

bool starts(std::string_view text, std::string_view with) { return text.substr(0, with.size()) == with; }

std::optional<long> number_of(std::string_view text) {
  long n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error == std::errc{} && end == text.data() + text.size()) return n;
  unsigned long large = 0;  // of 64 bits
  const auto [stop, wrong] = std::from_chars(text.data(), text.data() + text.size(), large);
  if (wrong == std::errc{} && stop == text.data() + text.size()) return static_cast<long>(large);
  return std::nullopt;
}

std::string spelled(const known_sum& s) {
  std::string text = std::to_string(s.constant);
  for (const auto& [unknown, times] : s.terms) text += "+" + std::to_string(times) + "u" + std::to_string(unknown);
  return text;
}

bool is_kept_by_calls(std::size_t r) { return r == rbx || r == rsp || r == rbp || r >= 12; }

}  // namespace

known_sum sum_of(const known_sum& a, const known_sum& b, long times) {
  known_sum made;
  made.constant = static_cast<long>(static_cast<unsigned long>(a.constant) +
                                    static_cast<unsigned long>(b.constant) * static_cast<unsigned long>(times));
  auto x = a.terms.begin();
  auto y = b.terms.begin();
  while (x != a.terms.end() || y != b.terms.end()) {
    if (y == b.terms.end() || (x != a.terms.end() && x->first < y->first)) {
      made.terms.push_back(*x++);
    } else if (x == a.terms.end() || y->first < x->first) {
      made.terms.emplace_back(y->first, y->second * times);
      ++y;
    } else {
      if (const long both = x->second + y->second * times; both != 0) made.terms.emplace_back(x->first, both);
      ++x, ++y;
    }
  }
  return made;
}

known_values::register_name known_values::register_of(std::string_view name) {
  if (!starts(name, "%")) return {};
  name.remove_prefix(1);
  static const std::unordered_map<std::string_view, register_name> all = [] {
    std::unordered_map<std::string_view, register_name> made;
    static const char* const old[8][4] = {{"al", "ax", "eax", "rax"},  {"cl", "cx", "ecx", "rcx"},
                                          {"dl", "dx", "edx", "rdx"},  {"bl", "bx", "ebx", "rbx"},
                                          {"spl", "sp", "esp", "rsp"}, {"bpl", "bp", "ebp", "rbp"},
                                          {"sil", "si", "esi", "rsi"}, {"dil", "di", "edi", "rdi"}};
    for (int r = 0; r < 8; ++r)
      for (int w = 0; w < 4; ++w) made[old[r][w]] = {r, 1 << w};
    static const char* const high[4] = {"ah", "ch", "dh", "bh"};
    for (int r = 0; r < 4; ++r) made[high[r]] = {r, 1};
    static std::vector<std::string> names;
    names.reserve(32);
    for (int r = 8; r < 16; ++r)
      for (const auto& [suffix, bytes] : {std::pair("b", 1), {"w", 2}, {"d", 4}, {"", 8}})
        made[names.emplace_back("r" + std::to_string(r) + suffix)] = {r, bytes};
    return made;
  }();
  const auto found = all.find(name);
  return found == all.end() ? register_name{} : found->second;
}

bool known_values::is_memory(std::string_view operand) {
  return !operand.empty() && operand.front() != '$' &&
         (operand.front() != '%' || starts(operand, "%fs:") || starts(operand, "%gs:"));
}

known_sum known_values::fresh() { return {{{next_++, 1}}, 0}; }
known_sum known_values::made(const std::string& how) {
  const auto [one, is_new] = unknowns_.emplace(how, next_);
  if (is_new) ++next_;
  return {{{one->second, 1}}, 0};
}
known_sum known_values::low(const known_sum& s) {
  return is_number(s) ? known_sum{{}, static_cast<long>(static_cast<unsigned>(s.constant))} : made("low" + spelled(s));
}

void known_values::forget_all(std::optional<long> depth, bool by_rbp) {
  for (known_sum& r : state_.registers) r = fresh();
  state_.places.clear();
  if (depth) state_.registers[by_rbp ? rbp : rsp] = {{{frame, 1}}, -*depth};
}

void known_values::stand_at(long depth, bool by_rbp) { state_.registers[by_rbp ? rbp : rsp] = {{{frame, 1}}, -depth}; }

void known_values::forget_after_call(bool keeps_rdi, bool keeps_frame) {
  for (std::size_t r = 0; r < state_.registers.size(); ++r)
    if (!is_kept_by_calls(r) && !(keeps_rdi && r == rdi)) state_.registers[r] = fresh();
  if (!keeps_frame) state_.places.clear();
}

void known_values::forget(unsigned registers, bool places) {
  for (std::size_t r = 0; r < state_.registers.size(); ++r)
    if ((registers >> r & 1) != 0 && r != rsp) state_.registers[r] = fresh();
  if (places) state_.places.clear();
}

void known_values::forget_places(long at, long bytes) {
  std::erase_if(state_.places,
                [&](const place& p) { return p.at.constant < at + bytes && at < p.at.constant + p.bytes; });
}

void known_values::meet(const state& other) {
  for (std::size_t r = 0; r < state_.registers.size(); ++r)
    if (state_.registers[r] != other.registers[r]) state_.registers[r] = fresh();
  std::erase_if(state_.places, [&](const place& p) {
    return std::none_of(other.places.begin(), other.places.end(),
                        [&](const place& o) { return o.at == p.at && o.bytes == p.bytes && o.holds == p.holds; });
  });
}

known_sum known_values::in_register(std::string_view name) const {
  return state_.registers[static_cast<std::size_t>(register_of(name).number)];
}

known_sum known_values::address(std::string_view operand) {
  known_sum sum;
  if (starts(operand, "%fs:") || starts(operand, "%gs:")) {
    sum = made(std::string(operand.substr(0, 4)));
    operand.remove_prefix(4);
  }
  const std::size_t open = std::min(operand.find('('), operand.size());
  std::string_view distance = operand.substr(0, open);
  if (const auto number = number_of(distance)) {
    sum.constant += *number;
  } else if (!distance.empty()) {
    const std::size_t sign = distance.find_last_of("+-");
    const auto added = sign == std::string_view::npos || sign == 0
                           ? std::nullopt
                           : number_of(distance.substr(sign + (distance[sign] == '+')));
    sum = sum_of(sum, made("symbol" + std::string(added ? distance.substr(0, sign) : distance)));
    sum.constant += added.value_or(0);
  }
  if (open == operand.size()) return sum;
  std::string_view inside = operand.substr(open + 1, operand.size() - open - 2);
  const std::size_t comma = std::min(inside.find(','), inside.size());
  if (const auto base = register_of(inside.substr(0, comma)); base.number >= 0)
    sum = sum_of(sum, state_.registers[static_cast<std::size_t>(base.number)]);
  if (comma == inside.size()) return sum;
  inside.remove_prefix(comma + 1);
  const std::size_t second = std::min(inside.find(','), inside.size());
  const long scale = second == inside.size() ? 1 : number_of(inside.substr(second + 1)).value_or(1);
  if (const auto index = register_of(inside.substr(0, second)); index.number >= 0)
    sum = sum_of(sum, state_.registers[static_cast<std::size_t>(index.number)], scale);
  return sum;
}

std::optional<long> known_values::frame_bytes() const {
  const known_sum& top = state_.registers[rsp];
  if (top.terms.size() != 1 || top.terms.front() != std::pair(frame, 1L)) return std::nullopt;
  return -top.constant;
}

std::optional<known_sum> known_values::value_of(std::string_view operand, int bytes) {
  if (starts(operand, "$")) {
    if (const auto n = number_of(operand.substr(1))) return known_sum{{}, *n};
    return address(operand.substr(1));
  }
  if (const auto r = register_of(operand); r.number >= 0) {
    const known_sum& whole = state_.registers[static_cast<std::size_t>(r.number)];
    if (bytes == 8) return whole;
    return bytes == 4 ? std::optional(low(whole)) : std::nullopt;
  }
  if (!is_memory(operand) || bytes < 4) return std::nullopt;
  constexpr std::string_view by_table = "@gottpoff(%rip)";
  if (operand == "%fs:0") return made("%fs:");
  if (operand.ends_with(by_table))
    return made("symbol" + std::string(operand.substr(0, operand.size() - by_table.size())) + "@tpoff");
  const known_sum at = address(operand);
  if (at.terms.size() != 1 || at.terms.front() != std::pair(frame, 1L)) return std::nullopt;
  for (const place& p : state_.places)
    if (p.at == at && p.bytes == bytes) return p.holds;
  std::erase_if(state_.places, [&](const place& p) {
    return p.at.constant < at.constant + bytes && at.constant < p.at.constant + p.bytes;
  });
  state_.places.push_back({at, bytes, fresh()});
  return state_.places.back().holds;
}

void known_values::assign(std::string_view to, std::optional<known_sum> what, int bytes) {
  if (const auto r = register_of(to); r.number >= 0) {
    known_sum& whole = state_.registers[static_cast<std::size_t>(r.number)];
    if (!what || bytes < 4)
      whole = fresh();
    else
      whole = bytes == 4 ? low(*what) : *what;
    return;
  }
  if (!is_memory(to)) return;
  const known_sum at = address(to);
  const bool is_frame = at.terms.size() == 1 && at.terms.front() == std::pair(frame, 1L);
  const bool is_static = at.terms.empty() || (to.find('(') == std::string_view::npos || to.ends_with("(%rip)"));
  if (is_static) return;
  const long width = bytes == 0 ? 64 : bytes;
  std::erase_if(state_.places, [&](const place& p) {
    return !is_frame || (p.at.constant < at.constant + width && at.constant < p.at.constant + p.bytes);
  });
  if (is_frame && what && bytes >= 4) state_.places.push_back({at, bytes, *what});
}

void known_values::follow(std::string_view name, const std::vector<std::string_view>& operands) {
  if (name.empty()) return;
  if (operands.empty()) {
    if (name == "cltq") return assign("%rax", made("signed" + spelled(low(state_.registers[rax]))), 8);
    if (name == "leave" || name == "ret" || name == "nop") {
      if (name == "leave") {
        state_.registers[rsp] = sum_of(state_.registers[rbp], {{}, 8});
        state_.registers[rbp] = fresh();
      }
      return;
    }
    state_.registers[rax] = fresh();  // cltd, cqto and their like
    state_.registers[rdx] = fresh();
    return;
  }
  const std::string_view last = operands.back(), first = operands.front();
  known_sum& top = state_.registers[rsp];
  if (starts(name, "push")) {
    const auto what = value_of(first, 8);
    top.constant -= 8;
    return assign("(%rsp)", what ? what : std::optional(fresh()), 8);
  }
  if (starts(name, "pop")) {
    const auto what = value_of("(%rsp)", 8);
    top.constant += 8;
    return assign(first, what, 8);
  }
  if (starts(name, "cmp") || starts(name, "test") || starts(name, "ucomis") || starts(name, "comis") ||
      starts(name, "nop"))
    return;
  const auto into = register_of(last);
  const int suffix = name.back() == 'q'   ? 8
                     : name.back() == 'l' ? 4
                     : name.back() == 'w' ? 2
                     : name.back() == 'b' ? 1
                                          : 0;
  const int bytes = into.number >= 0 ? into.bytes : suffix;
  if (operands.size() == 1) {
    if (starts(name, "mul") || starts(name, "imul") || starts(name, "div") || starts(name, "idiv")) {
      state_.registers[rax] = fresh();
      state_.registers[rdx] = fresh();
      return;
    }
    const auto old = into.number >= 0 ? value_of(last, bytes) : std::nullopt;
    if (old && starts(name, "inc")) return assign(last, sum_of(*old, {{}, 1}), bytes);
    if (old && starts(name, "dec")) return assign(last, sum_of(*old, {{}, -1}), bytes);
    if (old && starts(name, "neg")) return assign(last, sum_of({}, *old, -1), bytes);
    if (old && (starts(name, "sal") || starts(name, "shl"))) return assign(last, sum_of({}, *old, 2), bytes);
    return assign(last, std::nullopt, bytes);
  }
  if (name == "movq" || name == "movl" || name == "movabsq") {
    const bool is_general = into.number >= 0 || register_of(first).number >= 0 || starts(first, "$");
    return assign(last, is_general ? value_of(first, bytes) : std::nullopt, bytes);
  }
  if (name == "leaq" || name == "leal") return assign(last, address(first), bytes);
  if (name == "movslq") {
    const auto from = value_of(first, 4);
    return assign(last, from ? std::optional(made("signed" + spelled(*from))) : std::nullopt, 8);
  }
  const auto a = bytes >= 4 && into.number >= 0 ? value_of(first, bytes) : std::nullopt;
  const auto b = bytes >= 4 && into.number >= 0 ? value_of(last, bytes) : std::nullopt;
  if (operands.size() == 2 && a && b) {
    if (name == "addq" || name == "addl") return assign(last, sum_of(*b, *a), bytes);
    if (name == "subq" || name == "subl") return assign(last, sum_of(*b, *a, -1), bytes);
    if ((name == "xorl" || name == "xorq") && first == last) return assign(last, known_sum{}, bytes);
    if ((name == "salq" || name == "sall" || name == "shlq" || name == "shll") && starts(first, "$") && is_number(*a))
      return assign(last, sum_of({}, *b, 1L << (a->constant & (bytes == 8 ? 63 : 31))), bytes);
  }
  if (starts(name, "xchg") || starts(name, "xadd") || starts(name, "cmpxchg")) {
    assign(first, std::nullopt, bytes);
    state_.registers[rax] = fresh();
  }
  if (starts(name, "rep") || starts(name, "lock") || starts(name, "stos") || starts(name, "movs")) {
    if (starts(name, "movs") && (into.number >= 0 || starts(last, "%xmm") || is_memory(last))) {
      if (is_memory(last)) return assign(last, std::nullopt, name == "movsd" ? 8 : name == "movss" ? 4 : 0);
      return assign(last, std::nullopt, 8);
    }
    for (const std::size_t r : {std::size_t{rax}, std::size_t{rcx}, std::size_t{6}, std::size_t{7}})
      state_.registers[r] = fresh();
    state_.places.clear();
    return;
  }
  assign(last, std::nullopt, into.number >= 0 ? 8 : bytes);
}

}  // namespace simtlab::emulator
