#include "translator/spill_promotion.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "translator/lexer.h"
#include "translator/memory_operands.h"
#include "translator/take_line.h"

namespace simtlab::emulator {
namespace {

constexpr long widest_access = 64;
/// What marks an inlined hook's code.
constexpr std::string_view hook_mark = ".Lsimtlab_begun";

bool contains(std::string_view text, std::string_view what) { return text.find(what) != nowhere; }

bool is_among(std::string_view name, const auto& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::optional<long> number_in(std::string_view text) {
  long value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  constexpr long most = 1L << 30;  // so that sums of them stay numbers
  if (error != std::errc{} || stop != text.data() + text.size() || value > most || value < -most) return std::nullopt;
  return value;
}

bool is_plain_label(std::string_view label) {  // `.L17`, which code or a table of exceptions refers to
  return label.size() > 2 && label.starts_with(".L") && std::all_of(label.begin() + 2, label.end(), is_digit);
}

struct operation {
  std::string_view name;
  std::vector<std::string_view> operands;

  /// `\tname\toperand, operand`.
  explicit operation(std::string_view line) {
    line.remove_prefix(1);
    const std::size_t end = std::min(line.find('\t'), line.size());
    name = line.substr(0, end);
    std::string_view rest = line.substr(std::min(end + 1, line.size()));
    while (!rest.empty()) {
      std::size_t at = 0, depth = 0;
      while (at < rest.size() && (rest[at] != ',' || depth > 0)) {
        depth += rest[at] == '(';
        depth -= rest[at] == ')' && depth > 0;
        ++at;
      }
      operands.push_back(rest.substr(0, at));
      rest.remove_prefix(std::min(at + 1, rest.size()));
      while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
    }
  }
  [[nodiscard]] bool is_call() const { return name == "call"; }
};

/// Bytes of a scalar in memory that a mirror can stand for, in an instruction that reads it as its first operand.
long scalar_width(const operation& i) {
  constexpr std::array<std::string_view, 15> floats{"movss",    "addss",      "subss",      "mulss",     "divss",
                                                    "minss",    "maxss",      "sqrtss",     "comiss",    "ucomiss",
                                                    "cvtss2sd", "cvttss2sil", "cvttss2siq", "cvtss2sil", "cvtss2siq"};
  constexpr std::array<std::string_view, 15> doubles{"movsd",    "addsd",      "subsd",      "mulsd",     "divsd",
                                                     "minsd",    "maxsd",      "sqrtsd",     "comisd",    "ucomisd",
                                                     "cvtsd2ss", "cvttsd2sil", "cvttsd2siq", "cvtsd2sil", "cvtsd2siq"};
  if (i.operands.size() != 2 || !i.operands[1].starts_with('%')) return 0;
  if (is_among(i.name, floats)) return 4;
  return is_among(i.name, doubles) ? 8 : 0;
}

/// `16` of `16(%rsp)`.
std::optional<long> slot_in(std::string_view operand) {
  constexpr std::string_view base = "(%rsp)";
  if (!operand.ends_with(base)) return std::nullopt;
  operand.remove_suffix(base.size());
  return operand.empty() ? 0 : number_in(operand);
}

/// Bytes that an instruction may store to its last operand, which is memory; 0 if it only reads it.
long stored_width(const operation& i) {
  constexpr std::array<std::string_view, 9> readers{"cmpb",  "cmpw",  "cmpl",  "cmpq", "testb",
                                                    "testw", "testl", "testq", "pushq"};
  if (is_among(i.name, readers)) return 0;
  constexpr std::array<std::pair<std::string_view, long>, 17> writers{{{"movb", 1},
                                                                       {"movw", 2},
                                                                       {"movl", 4},
                                                                       {"movq", 8},
                                                                       {"movss", 4},
                                                                       {"movsd", 8},
                                                                       {"movd", 4},
                                                                       {"movaps", 16},
                                                                       {"movups", 16},
                                                                       {"movapd", 16},
                                                                       {"movdqa", 16},
                                                                       {"movdqu", 16},
                                                                       {"addl", 4},
                                                                       {"addq", 8},
                                                                       {"subl", 4},
                                                                       {"subq", 8},
                                                                       {"orl", 4}}};
  for (const auto& [name, width] : writers)
    if (i.name == name) return width;
  return widest_access;
}

bool is_scalar_move(const operation& i) { return i.name == "movss" || i.name == "movsd"; }
bool is_scalar_store(const operation& i) {
  return is_scalar_move(i) && i.operands.size() == 2 && i.operands[0].starts_with("%xmm");
}

struct slot {
  long at = 0, width = 0;
  std::string mirror;
  bool is_loaded = false;  ///< in a loop by plain loads, which clear the rest of a register

  [[nodiscard]] std::string load() const {
    return (width == 4 ? "\tmovss\t" : "\tmovsd\t") + std::to_string(at) + "(%rsp), " + mirror + "\n";
  }
  /// Mirrors what `source` stores.
  [[nodiscard]] std::string follow(std::string_view source) const {
    const std::string from(source);
    if (!is_loaded) return "\tmovaps\t" + from + ", " + mirror + "\n";
    if (width == 8) return "\tmovq\t" + from + ", " + mirror + "\n";
    return "\txorps\t" + mirror + ", " + mirror + "\n\tmovss\t" + from + ", " + mirror + "\n";
  }
};

/// One function's lines, from `.cfi_startproc` to `.cfi_endproc`.
class function_body {
 public:
  function_body(std::string_view text, const std::unordered_set<std::string_view>& landings) : landings_(landings) {
    for (std::string_view rest = text; !rest.empty();) {
      const std::string_view line = take_line(rest);
      if (line.ends_with(':')) labels_.emplace(line.substr(0, line.size() - 1), lines_.size());
      lines_.push_back(line);
    }
    if (contains(text, hook_mark) && is_known()) choose(text);
  }

  /// Whether a jump goes to a label elsewhere, so that others may come from there, too.
  [[nodiscard]] bool jumps_out() const {
    return std::any_of(lines_.begin(), lines_.end(), [this](std::string_view line) {
      if (!line.starts_with("\tj")) return false;
      const operation i(line);
      return i.operands.size() == 1 && i.operands[0].starts_with(".L") && !labels_.contains(i.operands[0]);
    });
  }

  [[nodiscard]] bool has_mirrors() const { return !slots_.empty(); }

  void write(std::string& out) const {
    std::string pending;  // behind labels that only debug information refers to
    bool landed = false;
    for (const std::string_view line : lines_) {
      if (!pending.empty() && !line.starts_with(".LVL")) out += std::exchange(pending, {});
      if (is_code(line)) {
        if (std::exchange(landed, false)) load_all(out);
        write_instruction(line, out, pending);
      } else {
        landed |= is_landing(line);
        (out += line) += '\n';
      }
    }
    out += pending;
  }

 private:
  static bool is_code(std::string_view line) {
    return line.size() > 1 && line[0] == '\t' && line[1] != '.' && line[1] != '#';
  }

  /// Finds the frame's size; false if something in the function is not known to be harmless.
  bool is_known() {
    long depth = 8;
    std::vector<long> remembered;
    std::optional<long> moved;  // the depth that the next directive must tell
    bool landed = false;
    for (const std::string_view line : lines_) {
      if (line.starts_with("#APP") || contains(line, ";")) return false;
      if (line.starts_with("\t.cfi_")) {
        const long before = depth;
        if (!follow_rule(line, depth, remembered)) return false;
        if (depth != before && moved && std::exchange(moved, {}) != depth) return false;
      } else if (is_code(line)) {
        const operation i(line);
        if (moved || !is_known(i, line)) return false;
        const bool in_frame = i.is_call() || mentions_stack(line) || std::exchange(landed, false);
        moved = step_of(i);
        if (moved) {
          *moved += depth;
        } else if (in_frame) {
          if (frame_ == 0) frame_ = depth;
          if (depth != frame_) return false;
        }
      } else {
        landed |= is_landing(line);
      }
    }
    return !moved && frame_ > 8;
  }

  static bool mentions_stack(std::string_view line) {
    return contains(line, "%rsp") || contains(line, "%esp") || contains(line, "%sp");
  }

  [[nodiscard]] bool is_landing(std::string_view line) const {
    return line.ends_with(':') && landings_.contains(line.substr(0, line.size() - 1));
  }

  /// By how much an instruction moves the stack pointer away from the caller's frame.
  static std::optional<long> step_of(const operation& i) {
    if (i.name == "pushq") return 8;
    if (i.name == "popq") return -8;
    if ((i.name != "subq" && i.name != "addq") || i.operands.size() != 2 || i.operands[1] != "%rsp")
      return std::nullopt;
    const auto bytes = i.operands[0].starts_with('$') ? number_in(i.operands[0].substr(1)) : std::nullopt;
    if (!bytes) return std::nullopt;
    return i.name == "subq" ? *bytes : -*bytes;
  }

  /// Whether it reaches the frame only by the name of a place in it, or moves the stack pointer by a number.
  static bool is_known(const operation& i, std::string_view line) {
    constexpr std::array<std::string_view, 4> far{"bt", "fx", "xs", "xr"};  // store far from where their operands point
    if (std::any_of(far.begin(), far.end(), [&](std::string_view f) { return i.name.starts_with(f); })) return false;
    if (i.name == "leave" || i.name == "enter" || contains(line, "%ymm") || contains(line, "%zmm")) return false;
    if (!mentions_stack(line)) return true;
    if (step_of(i)) return std::none_of(i.operands.begin(), i.operands.end(), slot_in);
    return !i.name.starts_with("lea") && std::all_of(i.operands.begin(), i.operands.end(), [](std::string_view o) {
      return !mentions_stack(o) || slot_in(o.substr(o.starts_with('*') ? 1 : 0));
    });
  }

  static bool follow_rule(std::string_view line, long& depth, std::vector<long>& remembered) {
    const std::size_t space = std::min(line.find(' '), line.size());
    const std::string_view rule = line.substr(6, space - 6);
    const std::string_view rest = line.substr(std::min(space + 1, line.size()));
    if (rule == "def_cfa_offset" || (rule == "def_cfa" && rest.starts_with("7, "))) {
      const auto told = number_in(rule == "def_cfa" ? rest.substr(3) : rest);
      if (told) depth = *told;
      return told.has_value();
    }
    if (rule == "remember_state") {
      remembered.push_back(depth);
    } else if (rule == "restore_state") {
      if (remembered.empty()) return false;
      depth = remembered.back();
      remembered.pop_back();
    } else {
      constexpr std::array<std::string_view, 6> others{"startproc", "endproc",     "offset",
                                                       "restore",   "personality", "lsda"};
      return std::find(others.begin(), others.end(), rule) != others.end();
    }
    return true;
  }

  /// The slots whose mirrors pay: read and stored to in a loop that calls nothing, perhaps but for reports.
  void choose(std::string_view text) {
    std::vector<std::string> free;
    for (int n = 8; n <= 15; ++n)
      if (std::string name = "%xmm" + std::to_string(n); !contains(text, name)) free.push_back(std::move(name));
    for (std::size_t n = 0; n < lines_.size(); ++n) {
      if (!lines_[n].starts_with("\tj")) continue;
      const operation i(lines_[n]);
      const auto target = i.operands.size() == 1 ? labels_.find(i.operands[0]) : labels_.end();
      if (target != labels_.end() && target->second < n) choose_in_loop(target->second, n, free);
    }
  }

  void choose_in_loop(std::size_t begin, std::size_t end, std::vector<std::string>& free) {
    struct scalar_read {
      long place, width;
      bool is_load;
    };
    std::vector<scalar_read> read;
    std::vector<std::pair<long, long>> stored;  // place and width
    for (std::size_t n = begin; n <= end; ++n) {
      if (!is_code(lines_[n])) continue;
      const operation i(lines_[n]);
      if (i.is_call() && !contains(lines_[n], "\tsimtlab_ubsan_")) return;
      if (i.operands.size() != 2) continue;
      if (const auto place = slot_in(i.operands[0]); place && scalar_width(i) != 0)
        read.push_back({*place, scalar_width(i), is_scalar_move(i)});
      if (const auto place = slot_in(i.operands[1]); place && is_scalar_store(i))
        stored.emplace_back(*place, stored_width(i));
    }
    for (const auto& [place, width, is_load] : read) {
      const bool in_frame = place >= 0 && place + width <= frame_ - 8;
      if (!in_frame || std::find(stored.begin(), stored.end(), std::pair(place, width)) == stored.end()) continue;
      auto mirrored = find_slot(place, width);
      if (mirrored == slots_.end()) {
        if (free.empty()) continue;
        mirrored = slots_.insert(mirrored, {place, width, std::move(free.back())});
        free.pop_back();
      }
      slots_[static_cast<std::size_t>(mirrored - slots_.begin())].is_loaded |= is_load;
    }
  }

  [[nodiscard]] std::vector<slot>::const_iterator find_slot(long place, long width) const {
    return std::find_if(slots_.begin(), slots_.end(), [&](const slot& s) { return s.at == place && s.width == width; });
  }

  /// The slot whose mirror the instruction is to read; null if there is none.
  [[nodiscard]] const slot* read_by(const operation& i) const {
    const auto place = i.operands.size() == 2 ? slot_in(i.operands[0]) : std::nullopt;
    const auto found = place ? find_slot(*place, scalar_width(i)) : slots_.end();
    return found == slots_.end() || (is_scalar_move(i) && !found->is_loaded) ? nullptr : &*found;
  }

  void load_all(std::string& out) const {
    for (const slot& s : slots_) out += s.load();
  }

  void write_instruction(std::string_view line, std::string& out, std::string& behind) const {
    const operation i(line);
    if (const slot* const s = read_by(i)) {
      ((out += "\t") += is_scalar_move(i) ? "movaps" : i.name) += "\t" + s->mirror + ", ";
      (out += i.operands[1]) += '\n';
      return;
    }
    (out += line) += '\n';
    if (i.is_call()) load_all(behind);
    const bool exchanges = i.name.starts_with("xchg") || i.name.starts_with("pop");
    for (std::size_t n = 0; n < i.operands.size(); ++n) {
      const auto place = slot_in(i.operands[n]);
      if (!place || (n + 1 != i.operands.size() && !exchanges)) continue;
      const long width = exchanges ? widest_access : stored_width(i);
      for (const slot& s : slots_) {
        if (*place >= s.at + s.width || *place + width <= s.at) continue;
        out += is_scalar_store(i) && *place == s.at && width == s.width ? s.follow(i.operands[0]) : s.load();
      }
    }
  }

  const std::unordered_set<std::string_view>& landings_;
  std::vector<std::string_view> lines_;
  std::unordered_map<std::string_view, std::size_t> labels_;  // and the lines where they stand
  long frame_ = 0;                                            // bytes from the stack pointer to the caller's frame
  std::vector<slot> slots_;
};

/// The labels `.L17` of `\t.uleb128 .L17-.LFB1`: where exceptions land.
std::unordered_set<std::string_view> landings_in(std::string_view text) {
  std::unordered_set<std::string_view> found;
  constexpr std::string_view number = "\t.uleb128 .L";
  for (std::size_t at = text.find(number); at != nowhere; at = text.find(number, at + 1)) {
    const std::size_t begin = at + number.size() - 2, end = text.find_first_of("-\n", begin);
    if (const auto label = text.substr(begin, end - begin); is_plain_label(label)) found.insert(label);
  }
  return found;
}

}  // namespace

std::string promote_spills(std::string_view text) {
  constexpr std::string_view begin_mark = "\n\t.cfi_startproc\n", end_mark = "\n\t.cfi_endproc\n";
  const auto landings = landings_in(text);
  std::string out;
  out.reserve(text.size() + text.size() / 64);
  std::size_t copied = 0;
  for (std::size_t at = text.find(begin_mark); at != nowhere; at = text.find(begin_mark, at + 1)) {
    const std::size_t begin = at + 1, last = text.find(end_mark, at);
    if (last == nowhere) break;
    const function_body f(text.substr(begin, last + 1 - begin), landings);
    if (f.jumps_out()) return std::string(text);
    if (!f.has_mirrors()) continue;
    out += text.substr(copied, begin - copied);
    f.write(out);
    copied = last + 1;
  }
  out += text.substr(copied);
  return out;
}

}  // namespace simtlab::emulator
