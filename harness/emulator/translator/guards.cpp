#include "translator/guards.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <unordered_map>
#include <utility>

#include "trace/added_access.h"
#include "translator/code_outline.h"
#include "translator/known_values.h"
#include "translator/memory_operands.h"
#include "translator/take_line.h"

namespace simtlab::emulator {
namespace {

constexpr std::string_view thread_segment = "%fs:";
constexpr std::string_view call_by_memory = "simtlab_indirect_call_at";  ///< of what %r11 points to

class guard_placer {
 public:
  explicit guard_placer(std::string_view text) : text_(text), outline_(text) {
    out_.reserve(text.size() + text.size() / 16);
  }

  std::string run() {
    each_line(text_, [this](std::string_view line, std::string_view following) { rewrite(line, following); });
    return std::move(out_);
  }

 private:
  struct voucher {
    known_sum at;
    long bytes;
    bool is_write;
    bool is_used = false;  ///< by an access; the next hook ends it
  };
  struct way {
    known_values::state values;
    std::vector<voucher> vouchers;
    unsigned seen = 0;
  };

  /// Behind a loop's begin only that is known which every way into the loop brings and nothing in it changes.
  void enter_loop(std::string_view label) {
    const code_outline::loop loop = outline_.loop_at(label);
    if (outline_.is_landed(loop)) return forget_all();
    const auto rsp_now = frame_;
    bool known = reached_;
    for (const auto& [to, from] : ways_) {
      if (!outline_.is_inside(to, loop)) continue;
      if (known)
        values_.meet(from.values);
      else
        values_.set(from.values);
      known = true;
    }
    if (!known) return forget_all();
    const auto changed = outline_.changed_in(loop);
    values_.forget(changed.registers, changed.frame);
    for (const auto& store : outline_.stores_in(loop))
      values_.forget_places(store.distance - frame_.depth, store.bytes);
    if (!values_.frame_bytes()) values_.stand_at(rsp_now.depth, rsp_now.by_rbp);
    vouchers_.clear();
    reached_ = true;
  }

  void rewrite(std::string_view line, std::string_view following) {
    if (line.starts_with("\t.pushsection")) ++elsewhere_;
    if (line.starts_with("\t.popsection")) --elsewhere_;
    if (elsewhere_ == 0) look_at(line, following);
    if (text_.data() + text_.size() != line.data() + line.size() || !line.empty()) (out_ += line) += '\n';
  }

  void look_at(std::string_view line, std::string_view following) {
    if (line.starts_with("\t.loc")) loc_ = line.substr(0, line.find(" view "));
    if (line.starts_with("\t.cfi_endproc")) out_ += std::exchange(halves_, {});
    if (line.starts_with("\t.cfi_")) {
      follow_rule(line.substr(6));
    } else if (!line.starts_with('\t') && line.ends_with(':')) {
      at_label(line.substr(0, line.size() - 1));
    } else if (line.size() > 1 && line[0] == '\t' && line[1] != '.' && line[1] != '#' && in_function_) {
      at_instruction(line, following);
    }
  }

  void follow_rule(std::string_view rule) {
    const std::size_t space = std::min(rule.find(' '), rule.size());
    const std::string_view name = rule.substr(0, space), rest = rule.substr(std::min(space + 1, rule.size()));
    if (name == "startproc") {
      in_function_ = true;
      frame_ = {};
      remembered_.clear();
      ways_.clear();
      forget_all();
    } else if (name == "endproc") {
      in_function_ = false;
    } else if (name == "def_cfa_offset") {
      frame_.depth = number_in(rest) - 8;
      if (is_fresh_) forget_all();
    } else if (name == "def_cfa") {
      frame_.by_rbp = rest.starts_with("6,");
      frame_.depth = number_in(rest.substr(
                         std::min(rest.find(", "), rest.size()) == rest.size() ? rest.size() : rest.find(", ") + 2)) -
                     8;
      if (is_fresh_) forget_all();
    } else if (name == "def_cfa_register") {
      frame_.by_rbp = rest.starts_with("6");
    } else if (name == "remember_state") {
      remembered_.push_back(frame_);
    } else if (name == "restore_state" && !remembered_.empty()) {
      frame_ = remembered_.back();
      remembered_.pop_back();
      if (is_fresh_) forget_all();
    }
  }

  void forget_all() {
    values_.forget_all(frame_.depth, frame_.by_rbp);
    vouchers_.clear();
    is_fresh_ = true;
    reached_ = true;
  }

  void at_label(std::string_view label) {
    if (is_of_hook(label)) {
      values_.forget_after_call(true, true);
      if (label == last_site_ && !last_site_.empty())
        read_ = hooked_read{out_.size() + label.size() + 2, outline_.bytes_at(label), values_.now().registers,
                            values_.frame_bytes()};
      last_site_ = {};
      return;
    }
    if (!label.starts_with(".L")) function_ = label;
    const unsigned jumps = outline_.jumps_to(label);
    if (jumps != 0 || outline_.is_landed(label)) read_.reset();
    if (outline_.is_landed(label)) return forget_all();
    if (jumps == 0) {
      if (!reached_) forget_all();
      return;
    }
    const auto known = ways_.find(label);
    if (known == ways_.end() || known->second.seen != jumps) {
      enter_loop(label);
      ways_.erase(label);
      return;
    }
    if (!reached_) {
      values_.set(std::move(known->second.values));
      vouchers_ = std::move(known->second.vouchers);
    } else {
      values_.meet(known->second.values);
      meet(vouchers_, known->second.vouchers);
    }
    ways_.erase(known);
    reached_ = true;
  }

  static void meet(std::vector<voucher>& into, const std::vector<voucher>& other) {
    std::erase_if(into, [&](voucher& v) {
      return std::none_of(other.begin(), other.end(), [&](const voucher& o) {
        const bool is_same = o.at == v.at && o.bytes == v.bytes && o.is_write == v.is_write;
        v.is_used |= is_same && o.is_used;
        return is_same;
      });
    });
  }

  void jump_to(std::string_view label) {
    if (!label.starts_with(".L") || is_of_hook(label)) return;
    const auto [one, is_new] = ways_.try_emplace(label, way{values_.now(), vouchers_, 0});
    ++one->second.seen;
    if (is_new) return;
    known_values::state mine = values_.now();
    values_.meet(one->second.values);
    one->second.values = values_.now();
    values_.set(std::move(mine));
    meet(one->second.vouchers, vouchers_);
  }

  void at_instruction(std::string_view line, std::string_view following) {
    is_fresh_ = false;
    const std::size_t tab = std::min(line.find('\t', 1), line.size());
    std::string_view name = line.substr(1, tab - 1);
    while (name.ends_with(' ')) name.remove_suffix(1);
    const auto operands = operands_in(line.substr(std::min(tab + 1, line.size())));
    if (name.empty() || (operands.empty() && (name == "call" || name == "movq"))) return;  // no assembly of g++'s
    if (operands.size() == 1 && operands[0] == call_by_memory) access("(%r11)", {8, false}, {});
    if (name.starts_with('j')) {
      if (!operands.empty()) jump_to(operands[0]);
      if (name == "jmp") reached_ = false;
      return;
    }
    if (name == "call") {
      read_.reset();
      return call(operands[0]);
    }
    if (name == "ret" || name == "ud2" || name == "hlt") reached_ = false;
    if (line.find("simtlab_hooks@tpoff") != nowhere || line.find("simtlab_no_template") != nowhere) {
      if (name == "cmpq") end_used();
      if (name == "movq") values_.follow(name, {"(%rip)", operands.back()});
      return;
    }
    if (name == "movq" && operands[0] == "%rdi" && following.starts_with(".Lsimtlab_site")) {
      const std::string_view site = following.substr(0, following.find(':'));
      vouch(values_.in_register("%rdi"), outline_.bytes_at(site), false);
      last_site_ = site;
      return;
    }
    if (operands.empty() && name.find("stos") != nowhere) return copy(name, false);
    if (operands.empty() && name.find("movs") != nowhere) return copy(name, true);
    if (!name.starts_with("lea") && !name.starts_with("nop"))
      for (std::size_t n = 0; n < operands.size(); ++n)
        if (known_values::is_memory(operands[n]))
          access(operands[n], use_of(name, operands, n),
                 text_.substr(static_cast<std::size_t>(line.data() - text_.data())));
    values_.follow(name, operands);
  }

  /// `rep stosq` and its like, where their number of bytes is known.
  void copy(std::string_view name, bool with_source) {
    const known_sum count = values_.in_register("%rcx");
    const long width = name.back() == 'q' ? 8 : name.back() == 'l' ? 4 : name.back() == 'w' ? 2 : 1;
    const long bytes = !name.starts_with("rep") ? width : is_number(count) ? count.constant * width : 0;
    if (bytes > 0 && bytes <= static_cast<long>(added_access::most_bytes)) {
      if (with_source) access("(%rsi)", {bytes, false}, {});
      access("(%rdi)", {bytes, true}, {});
    }
    values_.forget(1U << 1 | 1U << 6 | 1U << 7, true);
  }

  void access(std::string_view operand, memory_use use, std::string_view here) {
    if (use.bytes == 0 || is_free(operand, use) || is_vouched(values_.address(operand), use)) return;
    if (!compare(operand, use) && !compare_write(operand, use, here)) guard(operand, use, out_, values_.frame_bytes());
    vouch(values_.address(operand), use.bytes, use.writes);
    vouchers_.back().is_used = true;
  }

  void end_used() {
    std::erase_if(vouchers_, [](const voucher& v) { return v.is_used; });
  }
  void vouch(known_sum at, long bytes, bool is_write) {
    end_used();
    vouchers_.push_back({std::move(at), bytes, is_write});
  }

  /// Behind the last hook of a read nothing is in use that a call may change: there a comparison of the operand's address with the
  /// hook's takes the place of a guard, if the operand's registers hold the same there and here.
  bool compare(std::string_view operand, memory_use use) {
    constexpr std::string_view thread = thread_segment;
    if (!read_ || use.writes || use.bytes > read_->bytes || operand.find("%rax") != nowhere ||
        operand.find("%rsp") != nowhere)
      return false;
    for (std::size_t at = operand.find('%', operand.find('(')); at != nowhere; at = operand.find('%', at + 1)) {
      const auto name = operand.substr(at, operand.find_first_of(",)", at) - at);
      const auto r = known_values::register_of(name);
      if (r.number < 0 || values_.now().registers[static_cast<std::size_t>(r.number)] !=
                              read_->registers[static_cast<std::size_t>(r.number)])
        return false;
    }
    const bool in_thread = operand.starts_with(thread);
    const std::string number = std::to_string(++compared_);
    std::string code = "\tleaq\t" + std::string(operand.substr(in_thread ? thread.size() : 0)) + ", %rax\n";
    if (in_thread) code += "\taddq\t%fs:0, %rax\n";
    code += "\tcmpq\t%rax, %rdi\n\tjne\t.Lsimtlab_other" + number + "\n.Lsimtlab_same" + number + ":\n";
    out_.insert(read_->position, code);
    halves_ += ".Lsimtlab_other" + number + ":\n";
    if (!loc_.empty()) (halves_ += loc_) += '\n';
    guard(operand, use, halves_, read_->frame);
    halves_ += "\tjmp\t.Lsimtlab_same" + number + "\n";
    return true;
  }

  /// Where nobody needs the flags any more, a store's address is compared with the last one that a hook of a write has told.
  bool compare_write(std::string_view operand, memory_use use, std::string_view here) {
    if (!use.writes || use.bytes > 16 || is_in_frame(values_.address(operand)) || !flags_are_free(here)) return false;
    const bool in_thread = operand.starts_with(thread_segment);
    const std::string number = std::to_string(++compared_);
    out_ += "\tpushq\t%rdi\n\tleaq\t" + below_pushed(operand) + ", %rdi\n";
    if (in_thread) out_ += "\taddq\t%fs:0, %rdi\n";
    out_ += "\tcmpq\t%rdi, %fs:simtlab_hooks@tpoff+32\n\tjne\t.Lsimtlab_other" + number + "\n\tcmpl\t$" +
            std::to_string(use.bytes) + ", %fs:simtlab_hooks@tpoff+40\n\tjb\t.Lsimtlab_other" + number +
            "\n.Lsimtlab_same" + number + ":\n\tpopq\t%rdi\n";
    halves_ += ".Lsimtlab_other" + number + ":\n";
    if (!loc_.empty()) (halves_ += loc_) += '\n';
    halves_ += "\tpushq\t$" + std::to_string(code_of(use, false)) +
               "\n\tcall\tsimtlab_guard_write\n\tleaq\t8(%rsp), %rsp\n\tjmp\t.Lsimtlab_same" + number + "\n";
    return true;
  }

  /// Whether the instruction at the text's begin and those behind it set the flags before one of them reads any.
  static bool flags_are_free(std::string_view text) {
    constexpr std::array<std::string_view, 16> setting{"add",  "sub", "cmp",  "test",  "and",  "or",  "xor", "neg",
                                                       "imul", "mul", "call", "ucomi", "comi", "ret", "inc", "dec"};
    constexpr std::array<std::string_view, 9> reading{"j", "set", "cmov", "adc", "sbb", "rc", "pushf", "cmc", "lahf"};
    for (int lines = 0; lines < 40 && !text.empty(); ++lines) {
      const std::string_view line = take_line(text);
      if (line.size() < 2 || line[0] != '\t' || line[1] == '.' || line[1] == '#') continue;
      const std::string_view name = line.substr(1);
      const auto begins = [&](auto word) { return name.starts_with(word); };
      if (std::any_of(reading.begin(), reading.end(), begins)) return false;
      if (std::any_of(setting.begin(), setting.end(), begins) && !begins("inc") && !begins("dec") && !begins("addss") &&
          !begins("addsd") && !begins("addp") && !begins("subss") && !begins("subsd") && !begins("subp") &&
          !begins("mulss") && !begins("mulsd") && !begins("mulp") && !begins("andp") && !begins("andnp") &&
          !begins("orp") && !begins("xorp"))
        return true;
    }
    return false;
  }

  [[nodiscard]] static bool is_in_frame(const known_sum& at) {
    return std::any_of(at.terms.begin(), at.terms.end(), [](const auto& t) { return t.first == known_values::frame; });
  }

  static std::uint32_t code_of(memory_use use, bool in_thread) {
    added_access what{static_cast<std::uint32_t>(use.bytes), 1, in_thread};
    while (what.piece < 16 && what.bytes % (2 * what.piece) == 0) what.piece *= 2;
    return what.code();
  }

  /// The operand's address where one register more has been pushed.
  static std::string below_pushed(std::string_view operand) {
    if (operand.starts_with(thread_segment)) operand.remove_prefix(thread_segment.size());
    if (operand.find("(%rsp") == nowhere) return std::string(operand);
    const std::size_t open = operand.find('(');
    long distance = 0;
    const auto [end, error] = std::from_chars(operand.data(), operand.data() + open, distance);
    if (open != 0 && (error != std::errc{} || end != operand.data() + open)) return "8+" + std::string(operand);
    return std::to_string(distance + 8) + std::string(operand.substr(open));
  }

  /// Constants, what the thread pointer and the guard of the stack are read by, and where a thread is.
  [[nodiscard]] bool is_free(std::string_view operand, memory_use use) {
    const known_sum at = values_.address(operand);
    if (!use.writes && operand.starts_with("%fs:") && at.constant >= 0 && at.constant + use.bytes <= 12)
      for (const std::string_view name :
           {"simtlab_thread_index", "simtlab_block_index", "simtlab_block_dim", "simtlab_grid_dim"})
        if (at.terms == sum_of(values_.address("%fs:0"), values_.in_thread(name)).terms) return true;
    if (operand.find("@GOT") != nowhere || operand.find("@gottpoff") != nowhere) return true;
    if (operand == "%fs:0" || operand == "%fs:40") return !use.writes;
    if (use.writes || (operand.find('(') != nowhere && !operand.ends_with("(%rip)"))) return false;
    if (operand.starts_with("%fs:")) return operand.substr(4).starts_with("simtlab_");
    return outline_.is_constant(operand.substr(0, operand.find_first_of("+-(")));
  }

  [[nodiscard]] bool is_vouched(const known_sum& at, memory_use use) {
    if (at.terms.size() == 1 && at.terms[0] == std::pair(known_values::frame, 1L)) {
      const auto top = values_.frame_bytes();
      if (at.constant + use.bytes <= 0 && (!top || at.constant >= -*top)) return true;
      if (at.constant == 0 && use.bytes == 8 && !use.writes) return true;
    }
    for (voucher& v : vouchers_) {
      if (v.at.terms != at.terms || (use.writes && !v.is_write) || at.constant < v.at.constant ||
          at.constant + use.bytes > v.at.constant + v.bytes)
        continue;
      return v.is_used = true;
    }
    return false;
  }

  /// `frame`: the bytes between stack pointer and return address where the guard runs.
  void guard(std::string_view operand, memory_use use, std::string& out, std::optional<long> frame) {
    const bool in_thread = operand.starts_with(thread_segment);
    const bool is_local =
        is_in_frame(values_.address(operand)) && !in_thread && frame && *frame >= use.bytes && *frame < (1L << 30);
    out += "\tpushq\t%rdi\n\tleaq\t" + below_pushed(operand) + ", %rdi\n";
    if (is_local) out += "\tpushq\t$" + std::to_string(*frame - use.bytes + 1) + "\n";
    out += "\tpushq\t$" + std::to_string(code_of(use, in_thread)) + "\n\tcall\tsimtlab_" +
           (is_local ? "local_" : "guard_") + (use.writes ? "write" : "read") + "\n\tleaq\t" + (is_local ? "16" : "8") +
           "(%rsp), %rsp\n\tpopq\t%rdi\n";
  }

  void call(std::string_view name) {
    if (name.starts_with("simtlab_added_") || name.starts_with("simtlab_guard_")) {
      const auto code = top_of_stack();
      const added_access what = added_access::from(static_cast<std::uint32_t>(code));
      vouch(what.thread_local_ ? sum_of(values_.in_register("%rdi"), values_.address("%fs:0"))
                               : values_.in_register("%rdi"),
            static_cast<long>(what.bytes), name.ends_with("write"));
      return;
    }
    const bool is_hooks = is_hook(name);
    if (name.starts_with("simtlab_tsan_")) {
      const bool reads = name.find("read") != nowhere || name.find("probe") != nowhere,
                 writes = name.find("write") != nowhere;
      const std::size_t digits = name.find_first_of("0123456789");
      long bytes = digits == nowhere ? 8 : number_in(name.substr(digits));
      if (name.ends_with("_range") || name.ends_with("_pieces")) {
        const known_sum told = values_.in_register("%rsi");
        bytes = is_number(told) ? told.constant : 0;
      }
      if (reads || writes || name.ends_with("vptr_update")) vouch(values_.in_register("%rdi"), bytes, !reads);
    }
    if (!is_hooks) vouchers_.clear();
    values_.forget_after_call(name == "simtlab_log_bundle", is_hooks);
  }

  [[nodiscard]] long top_of_stack() {
    const known_sum top = values_.address("(%rsp)");
    for (const known_values::place& p : values_.now().places)
      if (p.at == top && is_number(p.holds)) return p.holds.constant;
    return 0;
  }

  struct frame_rule {
    long depth = 0;
    bool by_rbp = false;
  };

  std::string_view text_;
  std::string out_;
  code_outline outline_;
  known_values values_;
  std::vector<voucher> vouchers_;
  std::unordered_map<std::string_view, way> ways_;
  std::string_view function_;
  frame_rule frame_;
  std::vector<frame_rule> remembered_;
  struct hooked_read {
    std::size_t position;  ///< behind it, in `out_`
    long bytes;
    std::array<known_sum, 16> registers;
    std::optional<long> frame;
  };
  std::optional<hooked_read> read_;  ///< in this straight-line code
  std::string_view last_site_, loc_;
  std::string halves_;  ///< seldom executed, for the function's end
  unsigned compared_ = 0;
  int elsewhere_ = 0;
  bool in_function_ = false, is_fresh_ = false, reached_ = true;
};

}  // namespace

std::string place_guards(std::string_view text) {
  const bool is_instrumented = text.find("\tcall\tsimtlab_tsan_init") != nowhere;
  return is_instrumented && text.find("%rsp") != nowhere ? guard_placer(text).run() : std::string(text);
}

}  // namespace simtlab::emulator
