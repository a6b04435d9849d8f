#include "translator/joined_stores.h"

#include <algorithm>
#include <bit>
#include <charconv>

#include "translator/lexer.h"
#include "translator/type_alignment.h"

namespace simtlab::emulator {
namespace {

/// `sym@tpoff` and 4 of `%fs:sym@tpoff+4`; nothing and 8 of `8`.
long distance_in(std::string_view& before_registers) {
  const std::size_t sign = before_registers.find_last_of("+-");
  const std::size_t begin = sign == std::string_view::npos ? 0 : sign;
  const char* const end = before_registers.data() + before_registers.size();
  long value = 0;
  const char* first = before_registers.data() + begin;
  if (first != end && *first == '+') ++first;
  const auto [stop, error] = std::from_chars(first, end, value);
  if (error != std::errc{} || stop != end) return 0;
  before_registers = before_registers.substr(0, begin);
  return value;
}

/// The register that an instruction changes, as far as addresses are made of it: its last operand.
std::string_view changed_register(std::string_view line) {
  const std::size_t last = line.find_last_of(", \t");
  if (last == std::string_view::npos || last + 1 >= line.size() || line[last + 1] != '%') return {};
  return line.substr(last + 1);
}

/// Whether `%rbx` is among `(%rbx,%rax,4)`, under its name or that of a part: `%ebx`.
bool is_among(std::string_view changed, std::string_view registers) {
  if (changed.size() < 3 || registers.empty()) return false;
  const std::string_view letters =
      changed.substr(changed.size() > 3 && (changed[1] == 'r' || changed[1] == 'e') ? 2 : 1);
  return registers.find(letters.substr(0, 2)) != std::string_view::npos;
}

}  // namespace

std::string structure_of(std::string_view object) {
  bool has_member = false;
  while (!object.empty()) {
    if (object.back() == ']') {  // of an array that is a member
      const std::size_t open = object.rfind('[');
      const std::string_view index = object.substr(std::min(open + 1, object.size()));
      if (open == std::string_view::npos || !std::all_of(index.begin(), index.end() - 1, is_digit)) break;
      const std::string_view rest = object.substr(0, open);
      const std::size_t name =
          rest.size() - std::min<std::size_t>(
                            rest.size(), static_cast<std::size_t>(
                                             std::find_if_not(rest.rbegin(), rest.rend(), is_in_name) - rest.rbegin()));
      if (name == 0 || (rest[name - 1] != '.' && rest[name - 1] != '>' && rest[name - 1] != ']')) break;
      object = rest;
      continue;
    }
    std::size_t name = object.size();
    while (name > 0 && is_in_name(object[name - 1])) --name;
    if (name == object.size() || name == 0) break;
    if (object[name - 1] == '.') {
      object = object.substr(0, name - 1);
      has_member = true;
    } else if (name > 1 && object.substr(name - 2, 2) == "->") {
      return "*" + std::string(object.substr(0, name - 2));
    } else {
      break;
    }
  }
  return has_member ? std::string(object) : std::string();
}

joined_stores::location joined_stores::location_of(std::string_view address) {
  const std::size_t registers = std::min(address.find('('), address.size());
  std::string_view root = address.substr(0, registers);
  const long distance = distance_in(root);
  return {std::string(root), std::string(address.substr(registers)), distance};
}

void joined_stores::look_at(std::string_view line, std::size_t at) {
  if (const std::string_view changed = changed_register(line); !changed.empty()) changes_.push_back({at, changed});
}

std::optional<long> joined_stores::continues(const hooked_store& s) const {
  if (run_.empty()) return std::nullopt;
  const hooked_store &first = run_.front(), &last = run_.back();
  if (s.place != last.place || s.block != last.block) return std::nullopt;
  const std::string structure = structure_of(s.object), begun = structure_of(first.object);
  if (structure.empty() || structure != (begun.empty() ? std::string(first.object) : begun)) return std::nullopt;
  for (std::size_t i = run_.size(); i-- > 0;) {  // one place has several spellings
    const std::optional<long> between = distance(run_[i], s);
    if (!between) continue;
    const long from_first = distances_[i] + *between;
    if (from_first >= 0 && from_first <= end_) return from_first;
  }
  return std::nullopt;
}

std::optional<long> joined_stores::distance(const hooked_store& from, const hooked_store& to) const {
  const auto since = std::lower_bound(changes_.begin(), changes_.end(), from.hook_begin,
                                      [](const change& c, std::size_t begin) { return c.at < begin; });
  for (const std::string_view one : {std::string_view(from.address), from.operand}) {
    for (const std::string_view other : {std::string_view(to.address), to.operand}) {
      if (one.empty() || other.empty()) continue;
      const location a = location_of(one), b = location_of(other);
      if (a.root != b.root || a.registers != b.registers) continue;
      const bool changed = std::any_of(
          since, changes_.end(), [&](const change& c) { return c.at < to.at && is_among(c.changed, a.registers); });
      if (!changed) return b.distance - a.distance;
    }
  }
  return std::nullopt;
}

void joined_stores::add(const hooked_store& s) {
  const std::optional<long> distance = continues(s);
  if (!distance) {
    end_run();
    end_ = 0;
  }
  run_.push_back(s);
  distances_.push_back(distance.value_or(0));
  end_ = std::max(end_, distances_.back() + static_cast<long>(s.bytes));
}

/// A run's stores in groups that one piece holds, or one store that zeros the structure.
void joined_stores::end_run() {
  if (run_.size() > 1) {
    const unsigned alignment =
        std::bit_floor(std::clamp(std::max(run_[0].alignment, alignment_of_cast(run_[0].object)), 1U, 16U));
    const auto piece_of = [&](std::size_t i) { return distances_[i] / static_cast<long>(alignment); };
    for (std::size_t first = 0, last = 0; first < run_.size(); first = last) {
      const long group_end = run_[first].bytes > alignment ? distances_[first] + static_cast<long>(run_[first].bytes)
                                                           : (piece_of(first) + 1) * static_cast<long>(alignment);
      last = first + 1;
      while (last < run_.size() && distances_[last] >= distances_[first] &&
             distances_[last] + static_cast<long>(run_[last].bytes) <= group_end)
        ++last;
      join(first, last, alignment);
    }
  }
  run_.clear();
  distances_.clear();
}

/// The hook of the first one stands for all.
void joined_stores::join(std::size_t first, std::size_t last, unsigned alignment) {
  if (last - first < 2) return;
  long end = 0;
  for (std::size_t i = first; i < last; ++i) {
    end = std::max(end, distances_[i] + static_cast<long>(run_[i].bytes));
    if (i > first) edits_.replace(run_[i].hook_begin, run_[i].hook_end, "");
  }
  edits_.replace(run_[first].hook_begin, run_[first].hook_end,
                 "\tmovl\t$" + std::to_string(alignment) + ", %edx\n\tmovl\t$" +
                     std::to_string(end - distances_[first]) + ", %esi\n\tcall\t__tsan_write_pieces");
}

void joined_stores::end_function() {
  end_run();
  changes_.clear();
}

}  // namespace simtlab::emulator
