#include "translator/code_outline.h"

#include <charconv>

#include "translator/known_values.h"
#include "translator/memory_operands.h"

namespace simtlab::emulator {
namespace {

constexpr unsigned anywhere = 1U << 16;  ///< beside the registers' bits

bool is_label(std::string_view line) { return line.ends_with(':') && !line.starts_with('\t'); }

bool only_compares(std::string_view name) {
  return name.starts_with("test") || (name.starts_with("cmp") && !name.starts_with("cmpxchg"));
}

bool is_constant(std::string_view section) {
  return section.starts_with(".rodata") || section.starts_with(".data.rel.ro");
}

}  // namespace

bool is_of_hook(std::string_view label) {
  return label.starts_with(".Lsimtlab_site") || label.starts_with(".Lsimtlab_begun");
}

bool is_hook(std::string_view callee) {
  return callee.starts_with("simtlab_tsan_") || callee.starts_with("simtlab_ubsan_") ||
         callee.starts_with("simtlab_guard_") || callee.starts_with("simtlab_added_") ||
         callee == "simtlab_log_bundle" || callee == "simtlab_host_read";
}

long number_in(std::string_view text) {
  long n = 0;
  std::from_chars(text.data(), text.data() + text.size(), n);
  return n;
}

code_outline::code_outline(std::string_view text) {
  each_line(text, [this](std::string_view line, std::string_view following) { note(line, following); });
}

void code_outline::note(std::string_view line, std::string_view following) {
  note_written(line);
  if (is_label(line)) lines_[line.substr(0, line.size() - 1)] = written_.size();
  note_section(line);
  if (line.starts_with("\t.long .Lsimtlab_site")) {
    constexpr std::string_view value = "\t.value ";
    if (following.starts_with(value)) widths_[line.substr(7)] = number_in(following.substr(value.size()));
  }
  note_target(line);
}

void code_outline::note_section(std::string_view line) {
  if (line.starts_with("\t.pushsection ")) outer_ = std::exchange(section_, line.substr(14));
  if (line.starts_with("\t.popsection")) section_ = outer_;
  if (line.starts_with("\t.section\t"))
    section_ = line.substr(10);
  else if (line == "\t.text" || line == "\t.data" || line == "\t.bss")
    section_ = {};
  else if (is_label(line) && emulator::is_constant(section_))
    constants_.insert(line.substr(0, line.size() - 1));
  constexpr std::string_view part_of_constant = "\t.set\t.LC";
  if (line.starts_with(part_of_constant)) constants_.insert(line.substr(6, line.find(',') - 6));
}

void code_outline::note_target(std::string_view line) {
  if (line.starts_with("\tj")) {
    const std::string_view label = line.substr(line.rfind('\t') + 1);
    if (!label.starts_with(".L")) return;
    ++jumps_[label];
    if (!is_of_hook(label) && lines_.contains(label)) loops_.emplace_back(lines_[label], written_.size());
  } else if ((line.starts_with("\t.quad\t.L") && emulator::is_constant(section_)) ||
             (line.starts_with("\t.uleb128 .L") && section_.starts_with(".gcc_except_table"))) {
    const std::size_t begin = line.find(".L");
    const bool is_of_code = begin + 2 < line.size() && line[begin + 2] >= '0' && line[begin + 2] <= '9';
    if (is_of_code)  // others mark stretches of code
      landed_.insert(line.substr(begin, line.find_first_of("-+\n", begin) - begin));
  }
}

/// Notes of each label and instruction which registers it changes, and whether it may store anywhere in the frame.
void code_outline::note_written(std::string_view line) {
  const bool is_instruction = line.size() > 1 && line[0] == '\t' && line[1] != '.' && line[1] != '#';
  if (!is_label(line) && !is_instruction) return;
  constexpr unsigned by_calls = 0x0fc7;
  unsigned changed = 0;
  if (is_of_hook(line)) changed = by_calls;
  if (is_instruction) {
    const std::size_t tab = std::min(line.find('\t', 1), line.size());
    const std::string_view name = line.substr(1, tab - 1);
    if (name == "call") changed = by_calls;
    const auto operands = operands_in(line.substr(std::min(tab + 1, line.size())));
    if (operands.size() < 2 && name != "call" && !name.starts_with("push") && !name.starts_with('j'))
      changed = 0x0005;  // %rax and %rdx
    if (name.starts_with("rep") || name.starts_with("x") || name.starts_with("lock") || name.starts_with("cmpxchg"))
      changed |= by_calls;
    for (const std::string_view& o : operands)  // the last one is written; an exchange writes both
      if (const auto r = known_values::register_of(o);
          r.number >= 0 && !only_compares(name) && (&o == &operands.back() || name.starts_with("x")))
        changed |= 1U << static_cast<unsigned>(r.number);
    if (name == "leave") changed |= 0x0030;
    if (note_stored(name, operands)) changed |= anywhere;
  }
  written_.push_back(changed);
}

/// Whether the instruction may store anywhere in the frame; where it stores at a known distance from the stack pointer.
bool code_outline::note_stored(std::string_view name, const std::vector<std::string_view>& operands) {
  if (name == "call") return operands.empty() || !is_hook(operands.front());
  if (name.starts_with("push") || name.starts_with("pop") || name.starts_with("rep") || name == "leave") return true;
  if (name.starts_with('j') || operands.empty()) return false;
  for (std::size_t n = 0; n < operands.size(); ++n) {
    if (!known_values::is_memory(operands[n]) || name.starts_with("lea")) continue;
    const memory_use use = use_of(name, operands, n);
    if (!use.writes || operands[n].find("simtlab_hooks@tpoff") != nowhere || operands[n].starts_with("-")) continue;
    long distance = 0;
    const auto [end, error] = std::from_chars(operands[n].data(), operands[n].data() + operands[n].size(), distance);
    const std::size_t digits = static_cast<std::size_t>(end - operands[n].data());
    if (operands[n].substr(digits) != "(%rsp)" || use.bytes == 0) return true;
    stores_.push_back({written_.size(), distance, use.bytes});
  }
  return false;
}

code_outline::loop code_outline::loop_at(std::string_view label) const {
  const std::size_t begin = of(lines_, label);
  std::size_t end = begin;
  for (bool grows = true; grows;) {
    grows = false;
    for (const auto& [to, from] : loops_)
      if (to >= begin && to <= end && from > end) end = from, grows = true;
  }
  return {begin, end};
}

bool code_outline::is_landed(loop l) const {
  return std::any_of(landed_.begin(), landed_.end(), [&](std::string_view label) { return is_inside(label, l); });
}

code_outline::changes code_outline::changed_in(loop l) const {
  unsigned changed = 0;
  for (std::size_t n = l.begin; n < l.end && n < written_.size(); ++n) changed |= written_[n];
  return {changed & ~anywhere, (changed & anywhere) != 0};
}

std::span<const code_outline::frame_store> code_outline::stores_in(loop l) const {
  const auto comes_before = [](const frame_store& s, std::size_t line) { return s.line < line; };
  const auto first = std::lower_bound(stores_.begin(), stores_.end(), l.begin, comes_before);
  const auto last = std::lower_bound(first, stores_.end(), l.end, comes_before);
  return {first, last};
}

}  // namespace simtlab::emulator
