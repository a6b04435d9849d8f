#include "translator/missing_hooks.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "trace/added_access.h"
#include "translator/access_notes.h"
#include "translator/edit_list.h"
#include "translator/joined_stores.h"
#include "translator/memory_operands.h"
#include "translator/type_alignment.h"

namespace simtlab::emulator {
namespace {

/// The memory operand of an instruction in AT&T syntax; empty if it has none.
std::string_view memory_operand(std::string_view line) {
  const std::size_t words = line.find('\t', 1);
  if (words == std::string_view::npos) return {};
  for (const std::string_view operand : operands_in(line.substr(words + 1))) {
    if (operand.empty() || operand.front() == '$' || operand.front() == '*') continue;
    if (operand.front() != '%' || operand.starts_with("%fs:")) return operand;
  }
  return {};
}

/// One spelling for one place: `(%rbx)` for `0(%rbx)`, `kept` for `kept(%rip)`.
std::string_view normal(std::string_view operand) {
  if (operand.starts_with("0(")) operand.remove_prefix(1);
  if (operand.ends_with("(%rip)")) operand.remove_suffix(6);
  return operand;
}

/// The place that `%rdi` holds behind the instruction, if it says so; `known` stays if it leaves `%rdi` alone.
std::string place_in_rdi(std::string_view line, std::string known) {
  if (!line.ends_with(", %rdi") && !line.ends_with(", %edi")) return known;
  const std::size_t begin = line.find('\t', 1);
  if (begin == std::string_view::npos) return {};
  const std::string_view from = line.substr(begin + 1, line.size() - begin - 1 - 6);
  if (line.starts_with("\tleaq")) return std::string(normal(from));
  if (line.starts_with("\tmov") && from.starts_with('%')) return "(" + std::string(from) + ")";
  if (line.starts_with("\tmov") && from.starts_with('$')) return std::string(from.substr(1));
  return {};
}

/// `operand`, `distance` bytes further on.
std::string moved(std::string_view operand, long distance) {
  if (distance == 0) return std::string(operand);
  const std::size_t registers = std::min(operand.find('('), operand.size());
  const std::string sign = distance > 0 && registers > 0 ? "+" : "";
  return std::string(operand.substr(0, registers)) + sign + std::to_string(distance) +
         std::string(operand.substr(registers));
}

/// File, line and column of `.loc 1 4 28 is_stmt 0 view .LVU1`.
std::string_view place_of(std::string_view loc) {
  loc.remove_prefix(std::string_view("\t.loc\t").size());
  std::size_t end = 0;
  for (int words = 0; words < 3 && end < loc.size(); ++words) end = std::min(loc.find(' ', end + 1), loc.size());
  return loc.substr(0, end);
}

class hook_placer {
 public:
  explicit hook_placer(noted_assembly noted) : noted_(std::move(noted)), text_(noted_.text) {}

  std::string run() {
    std::size_t at = 0;
    auto next = noted_.lines.begin();
    while (at < text_.size()) {
      const std::size_t end = std::min(text_.find('\n', at), text_.size());
      const std::string_view line = text_.substr(at, end - at);
      bool calls_pure = false;
      if (next != noted_.lines.end() && next->begin == at) {
        const std::string_view operand = memory_operand(line);
        for (const noted_access& a : next->accesses) accesses_.push_back({at, operand, &a, false});
        calls_pure = next->calls_pure;
        ++next;
      }
      look_at(line, at, calls_pure);
      at = end + 1;
    }
    end_function();
    return edits_.apply(text_);
  }

 private:
  /// A hook of g++'s whose access has not come yet.
  struct awaited {
    std::size_t at;  ///< of the call
    std::string_view name;
    std::string place;
    std::string_view line_and_column;
    unsigned block;
    bool is_write, is_range;
    bool met = false;
  };
  struct access {
    std::size_t at;  ///< of the instruction
    std::string_view operand;
    const noted_access* what;
    bool hooked;
  };

  /// A hook to be.
  struct addition {
    std::size_t at;
    std::string code;
  };

  void look_at(std::string_view line, std::size_t at, bool calls_pure) {
    constexpr std::string_view call = "\tcall\t";
    if (line.starts_with(call)) {
      called(line.substr(call.size()), at, calls_pure);
      place_.clear();
    } else if (line.starts_with("\tret") || (line.starts_with("\tjmp\t") && !line.starts_with("\tjmp\t.L"))) {
      settle();
      awaited_.clear();
    } else if (line.starts_with("\t.cfi_endproc")) {
      end_function();
    } else if (line.starts_with("\t.loc\t") || line.starts_with("\t.loc ")) {
      loc_ = place_of(line);
      if (const std::size_t is_stmt = line.find(" is_stmt "); is_stmt != std::string_view::npos)
        marks_statements_ = line.substr(is_stmt + 9, 1) == "1";
      if (marks_statements_) ++block_;
    } else if (line.starts_with(".L") || line.starts_with("\tj")) {
      if (!line.starts_with(".LVL") && !line.starts_with(".LBB") && !line.starts_with(".LBE") &&
          !line.starts_with(".LBI"))
        ++block_;
    } else {
      joined_.look_at(line, at);
      place_ = place_in_rdi(line, std::move(place_));
    }
  }

  void called(std::string_view name, std::size_t at, bool pure) {
    if (name.starts_with("__ubsan_handle_")) return;  // a way around it leads to what comes behind
    const bool is_read = name.find("read") != std::string_view::npos,
               is_write = name.find("write") != std::string_view::npos || name.find("update") != std::string_view::npos;
    if (name.starts_with("__tsan_") && (is_read || is_write)) {
      if (!accesses_.empty()) settle();
      behind_call_ = false;
      awaited_.push_back({at, name, place_, loc_, block_, is_write, name.ends_with("_range")});
      return;
    }
    const bool copies = name == "memcpy" || name == "memset" || name == "memmove";
    if (copies && accesses_.empty() && !awaited_.empty() && awaited_.back().is_range) {
      // A large structure's assignment, which has its hooks.
      const auto begin = static_cast<std::uint32_t>(at + std::string_view("\tcall\t").size());
      edits_.replace(begin, begin + static_cast<std::uint32_t>(name.size()), "simtlab_plain_" + std::string(name));
    }
    const bool is_hook = name.starts_with("__tsan_") || name == "__sanitizer_cov_trace_pc";
    instrumented_ |= name == "__sanitizer_cov_trace_pc";
    settle(!is_hook);
    ++block_;
    behind_call_ = !is_hook;
    std::erase_if(awaited_, [pure](const awaited& a) { return !pure || a.is_write; });
  }

  void end_function() {
    settle();
    awaited_.clear();
    joined_.end_function();
    ++block_;
    if (instrumented_)
      for (addition& a : additions_) edits_.insert(static_cast<std::uint32_t>(a.at), std::move(a.code));
    additions_.clear();
    instrumented_ = false;
  }

  /// Until the next call only what is awaited has a hook.
  void settle(bool before_call = false) {
    for (awaited& a : awaited_) {  // first those whose place is spelled alike
      const auto exact = std::find_if(accesses_.begin(), accesses_.end(), [&](const access& b) {
        return !b.hooked && b.what->is_write == a.is_write && !a.place.empty() && normal(b.operand) == a.place;
      });
      if (exact != accesses_.end()) cover(a, exact->what->object);
    }
    for (awaited& a : awaited_) {
      if (a.met) continue;
      const auto first = std::find_if(accesses_.begin(), accesses_.end(),
                                      [&](const access& b) { return !b.hooked && b.what->is_write == a.is_write; });
      if (first != accesses_.end()) cover(a, first->what->object);
    }
    for (auto first = accesses_.begin(); first != accesses_.end(); ++first)
      if (!first->hooked && may_be_unseen(*first->what, before_call)) add_hook(first);
    std::erase_if(awaited_, [](const awaited& a) { return a.met; });
    accesses_.clear();
  }

  /// What is left is an argument, a result or a copy; or a variable of this thread alone, which needs no hook.
  [[nodiscard]] bool may_be_unseen(const noted_access& what, bool before_call) const {
    if (what.object.starts_with("MEM <") || what.object.starts_with("<retval>")) return true;
    return what.is_write ? behind_call_ : before_call;
  }

  /// The hook stands for the accesses to `object`. A store to a part of a word reads the word first.
  void cover(awaited& hook, std::string_view object) {
    hook.met = true;
    unsigned alignment = alignment_of_cast(object), bytes = 0;
    bool stored = false, from_begin = false;
    std::string_view operand;
    std::size_t stored_at = hook.at;
    for (access& a : accesses_) {
      if (a.what->object != object) continue;
      if (a.what->is_write == hook.is_write) {
        if (!stored) operand = a.operand, stored_at = a.at;
        a.hooked = stored = true;
        alignment = std::max(alignment, a.what->alignment);  // what is known of an inner part is less
        from_begin |= !a.what->has_offset || a.what->offset == 0;
        bytes += a.what->bytes;
      } else if (!a.what->is_write && !stored) {
        a.hooked = true;
      }
    }
    const auto call_end = static_cast<std::uint32_t>(hook.at + std::string_view("\tcall\t").size() + hook.name.size());
    if (hook.is_write && stored && hook.name.find("volatile") == std::string_view::npos)
      joined_.add({static_cast<std::uint32_t>(hook.at), call_end, stored_at, hook.line_and_column, hook.block, object,
                   normal(operand), hook.place, bytes, std::max(alignment, 1U)});
    const unsigned piece = std::bit_floor(std::clamp(alignment, 1U, 16U));
    // Where only a part of the structure is used, nothing is known but that g++ found it aligned.
    const bool is_half_aligned =
        hook.name.ends_with("16") && piece < 16 && from_begin && hook.name.find("volatile") == std::string_view::npos;
    if (!hook.is_range && !is_half_aligned) return;
    std::string code = "\tmovl\t$" + std::to_string(piece) + ", %edx\n";
    if (is_half_aligned) code += "\tmovl\t$16, %esi\n";
    code += std::string("\tcall\t__tsan_") + (hook.is_write ? "write" : "read") + "_pieces";
    edits_.replace(static_cast<std::uint32_t>(hook.at), call_end, code);
  }

  /// One hook for what the instructions from `first` on access of its object.
  void add_hook(std::vector<access>::iterator first) {
    const noted_access& what = *first->what;
    long begin = what.offset, end = what.offset + what.bytes;
    unsigned alignment = what.alignment;
    first->hooked = true;
    for (auto other = first + 1; other != accesses_.end() && what.has_offset; ++other) {
      const noted_access& more = *other->what;
      if (other->hooked || more.object != what.object || more.is_write != what.is_write || !more.has_offset) continue;
      other->hooked = true;
      begin = std::min(begin, more.offset);
      end = std::max(end, more.offset + more.bytes);
      alignment = std::max(alignment, more.alignment);
    }
    std::string_view operand = first->operand;
    if (operand.empty() || operand.find("%rsp") != std::string_view::npos || end - begin > added_access::most_bytes)
      return;
    constexpr std::string_view thread = "%fs:";
    added_access added{static_cast<std::uint32_t>(end - begin), std::bit_floor(std::min(alignment, 16U)),
                       operand.starts_with(thread)};
    if (added.thread_local_) operand.remove_prefix(thread.size());
    while (added.piece > 1 && added.bytes % added.piece != 0) added.piece /= 2;
    additions_.push_back({first->at, "\tpushq\t%rdi\n\tleaq\t" + moved(operand, begin - what.offset) +
                                         ", %rdi\n\tpushq\t$" + std::to_string(added.code()) +
                                         "\n\tcall\tsimtlab_added_" + (what.is_write ? "write" : "read") +
                                         "\n\tleaq\t8(%rsp), %rsp\n\tpopq\t%rdi\n"});
  }

  noted_assembly noted_;
  std::string_view text_;
  edit_list edits_;
  joined_stores joined_{edits_};
  std::string place_;             ///< in %rdi
  std::string_view loc_;          ///< file, line and column
  bool marks_statements_ = true;  ///< whether places of the source are told because a statement begins
  unsigned block_ = 0;            ///< counts statements, labels and jumps
  std::vector<awaited> awaited_;
  std::vector<access> accesses_;     ///< since the last call
  std::vector<addition> additions_;  ///< to the function
  bool behind_call_ = false;         ///< since the last call, which was no hook's
  bool instrumented_ = false;        ///< whether the function has hooks of g++'s
};

}  // namespace

std::string place_missing_hooks(std::string_view annotated) { return hook_placer(read_access_notes(annotated)).run(); }

}  // namespace simtlab::emulator
