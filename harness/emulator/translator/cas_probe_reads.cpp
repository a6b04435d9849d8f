#include "translator/cas_probe_reads.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <unordered_map>
#include <vector>

#include "translator/take_line.h"

namespace simtlab::emulator {
namespace {

constexpr std::string_view read_hook = "__tsan_read", probe_hook = "__tsan_probe", swap = "simtlab_compare_and_swap";

/// An instruction's first word and what follows, without tabs.
struct instruction {
  std::string_view name, operands;
  explicit instruction(std::string_view line) {
    line.remove_prefix(1);
    const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
    name = line.substr(0, end);
    operands = line.substr(std::min(line.find_first_not_of(" \t", end), line.size()));
  }
  [[nodiscard]] bool is_call() const { return name == "call" || name == "bl"; }
  [[nodiscard]] bool is_read() const {
    constexpr std::string_view widths = "248";
    return is_call() && operands.size() == read_hook.size() + 1 && operands.starts_with(read_hook) &&
           widths.find(operands.back()) != std::string_view::npos;
  }
  // x86-64 and AArch64.
  [[nodiscard]] bool always_jumps() const { return name == "jmp" || name == "b" || name == "br"; }
  [[nodiscard]] bool may_jump() const {
    return name.starts_with('j') || name == "cbz" || name == "cbnz" || name == "tbz" || name == "tbnz" ||
           is_conditional_branch();
  }
  /// AArch64's `b.ne`, which g++ writes as `bne`.
  [[nodiscard]] bool is_conditional_branch() const {
    constexpr std::array<std::string_view, 16> conditions{"eq", "ne", "cs", "hs", "cc", "lo", "mi", "pl",
                                                          "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le"};
    if (name.starts_with("b.")) return true;
    return name.starts_with('b') && std::find(conditions.begin(), conditions.end(), name.substr(1)) != conditions.end();
  }
  [[nodiscard]] bool ends() const { return name.starts_with("ret") || name == "ud2" || name == "hlt" || name == "brk"; }
  [[nodiscard]] std::string_view target() const { return operands.substr(operands.find_last_of(" \t,") + 1); }
};

/// The lines of the text, and where control goes from one to the next.
class code {
 public:
  explicit code(std::string_view text) {
    while (!text.empty()) {
      const std::string_view line = take_line(text);
      if (line.ends_with(':') && !line.starts_with('\t')) labels_[line.substr(0, line.size() - 1)] = lines_.size();
      lines_.push_back(line);
    }
    seen_.resize(lines_.size(), 0);
  }

  [[nodiscard]] const std::vector<std::string_view>& lines() const { return lines_; }

  [[nodiscard]] bool is_probe(std::size_t read) {
    ++search_;
    std::vector<std::size_t> open{read + 1};
    while (!open.empty()) {
      std::size_t at = open.back();
      open.pop_back();
      for (;; ++at) {
        if (at >= lines_.size() || at == read) return false;
        if (seen_[at] == search_) break;
        seen_[at] = search_;
        const std::string_view line = lines_[at];
        if (leaves_function(line)) return false;
        if (!is_instruction(line)) continue;
        const instruction i(line);
        if (i.is_call() && i.operands == swap) break;
        if (i.ends()) return false;
        const bool always = i.always_jumps();
        if (!always && !i.may_jump()) continue;
        const auto target = labels_.find(i.target());
        if (target == labels_.end() || !i.target().starts_with(".L")) return false;
        open.push_back(target->second);
        if (always) break;
      }
    }
    return true;
  }

  static bool is_instruction(std::string_view line) {
    return line.size() > 1 && line[0] == '\t' && line[1] != '.' && line[1] != '#';
  }

 private:
  static bool leaves_function(std::string_view line) {
    return line == "\t.cfi_endproc" || line == "\t.text" || line.starts_with("\t.section");
  }

  std::vector<std::string_view> lines_;
  std::unordered_map<std::string_view, std::size_t> labels_;
  std::vector<unsigned> seen_;  // by line: the last search that came there
  unsigned search_ = 0;
};

}  // namespace

std::string mark_cas_probe_reads(std::string_view text) {
  if (text.find(swap) == std::string_view::npos) return std::string(text);
  code all(text);
  std::string out;
  out.reserve(text.size() + 64);
  for (std::size_t i = 0; i < all.lines().size(); ++i) {
    const std::string_view line = all.lines()[i];
    if (code::is_instruction(line) && instruction(line).is_read() && all.is_probe(i)) {
      out += line.substr(0, line.size() - read_hook.size() - 1);
      out += probe_hook;
      out += line.back();
    } else {
      out += line;
    }
    out += '\n';
  }
  return out;
}

}  // namespace simtlab::emulator
