#include "translator/frame_checks.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "translator/code_outline.h"
#include "translator/memory_operands.h"
#include "translator/take_line.h"

namespace simtlab::emulator {
namespace {

bool is_instruction(std::string_view line) {
  return line.size() > 1 && line[0] == '\t' && line[1] != '.' && line[1] != '#' && line[1] != '\t';
}

/// A label that jumps may lead to; others mark places for debuggers.
bool is_target(std::string_view line) {
  return line.starts_with(".L") && line.ends_with(':') && line.size() > 3 && line[2] >= '0' && line[2] <= '9';
}

std::string_view first_operand(std::string_view line) {
  const std::size_t tab = line.find('\t', 1);
  return tab == nowhere ? std::string_view() : line.substr(tab + 1);
}

bool returns(std::string_view line) {
  const std::string_view word = line.substr(1);
  return word.starts_with("ret") || word.starts_with("rep ret") || word.starts_with("repz ret");
}

/// A jump to another function, or by way of the check of where it leads.
bool leaves(std::string_view line) {
  if (!line.starts_with("\tjmp\t")) return false;
  const std::string_view to = first_operand(line);
  return !to.starts_with(".L") && !to.starts_with('*');
}

/// Whether the instruction may change the frame's control words: by a store through a pointer, or because it calls what may.
bool reaches_frames(std::string_view line) {
  if (line.starts_with("\tcall\t")) {
    const std::string_view callee = first_operand(line);
    if (!is_hook(callee) && !callee.starts_with("simtlab_local_")) return true;
    constexpr std::array<std::string_view, 4> words{"write", "update", "atomic", "init"};
    return std::any_of(words.begin(), words.end(), [&](std::string_view w) { return callee.find(w) != nowhere; });
  }
  if (line.ends_with("%fs:simtlab_hooks@tpoff+32")) return true;  // a guard of a store that is a comparison
  if (line.starts_with("\trep") || line.starts_with("\tstos")) return true;
  return line.ends_with(", %rsp") && line.find('$') == nowhere &&
         (line.starts_with("\tsub") || line.starts_with("\tmov"));
}

/// A number behind a `$`; 0 for other operands.
long immediate(std::string_view operand) { return operand.starts_with('$') ? number_in(operand.substr(1)) : 0; }

class check_placer {
 public:
  explicit check_placer(std::string_view text) : text_(text) { out_.reserve(text.size() + text.size() / 16); }

  std::string run() {
    constexpr std::string_view begin = "\t.cfi_startproc\n", end = "\t.cfi_endproc\n";
    std::size_t at = 0;
    for (;;) {
      const std::size_t first = text_.find(begin, at);
      const std::size_t last = first == nowhere ? nowhere : text_.find(end, first);
      if (last == nowhere) break;
      out_ += text_.substr(at, first + begin.size() - at);
      write_function(text_.substr(first + begin.size(), last - first - begin.size()));
      at = last;
    }
    out_ += text_.substr(at);
    return std::move(out_);
  }

 private:
  [[nodiscard]] static bool reaches(std::string_view body) {
    int elsewhere = 0;
    while (!body.empty()) {
      const std::string_view line = take_line(body);
      follow_sections(line, elsewhere);
      if (elsewhere == 0 && is_instruction(line) && reaches_frames(line)) return true;
    }
    return false;
  }

  void write_function(std::string_view body) {
    const bool has_record = reaches(body);
    bool has_begun = !has_record;
    int elsewhere = 0;
    depth_.reset();
    in_prologue_ = is_aligned_ = false;
    way_back_ = {};
    rest_ = body;
    each_line(body, [&](std::string_view line, std::string_view) {
      follow_sections(line, elsewhere);
      if (elsewhere != 0 || line.size() < 2 || line[1] == '.') return;
      const bool is_code = is_instruction(line);
      if (!has_begun && line != "\tendbr64" && (is_code || is_target(line))) {
        copy_up_to(line) += "\tcall\tsimtlab_frame_begin\n";
        has_begun = true;
      }
      if (!is_code) return;
      if (has_record && (returns(line) || leaves(line))) copy_up_to(line) += "\tcall\tsimtlab_frame_end\n";
      if (has_record) follow_way_back(line);
      follow_stack(line);
    });
    out_ += rest_;
  }

  /// The function's text in front of the line, as far as it has not been copied.
  std::string& copy_up_to(std::string_view line) {
    const auto length = static_cast<std::size_t>(line.data() - rest_.data());
    out_ += rest_.substr(0, length);
    rest_.remove_prefix(length);
    return out_;
  }

  /// g++ writes: leaq 8(%rsp), %r10; andq $-64, %rsp; pushq -8(%r10); … leaq -8(%r10), %rsp.
  void follow_way_back(std::string_view line) {
    constexpr std::string_view copies = "\tpushq\t-8(", end = "), %rsp";
    if (std::exchange(is_aligned_, line.starts_with("\tandq\t$-") && line.ends_with(", %rsp")) &&
        line.starts_with(copies) && line.ends_with(')')) {
      way_back_ = line.substr(copies.size(), line.size() - copies.size() - 1);
      copy_up_to({line.data() + line.size() + 1, 0}) +=
          "\tpushq\t" + std::string(way_back_) + "\n\tcall\tsimtlab_frame_begin\n\tleaq\t8(%rsp), %rsp\n";
    } else if (!way_back_.empty() && line.starts_with("\tleaq\t-") && line.ends_with(end) &&
               line.substr(0, line.size() - end.size()).ends_with("(" + std::string(way_back_))) {
      const std::string name(way_back_);
      copy_up_to(line) += "\tpushq\t" + name + "\n\tcall\tsimtlab_frame_end\n\tpopq\t" + name + "\n";
    }
  }

  /// In front of an instruction that moves the stack pointer far, or by what is not known here, stands a look at the stack's end.
  void follow_stack(std::string_view line) {
    if (!in_prologue_ && !line.ends_with(", %rsp") && line != begins_frame) return;
    const auto operands = operands_in(first_operand(line));
    const bool is_push = line.starts_with("\tpush"), is_sub = line.starts_with("\tsubq\t") && line.ends_with(", %rsp");
    if (line == begins_frame) {
      depth_ = 0;
      in_prologue_ = true;
    } else if (in_prologue_ && is_push) {
      *depth_ += 8;
    } else if (in_prologue_ && is_sub && immediate(operands[0]) > 0) {
      *depth_ += immediate(operands[0]);
    } else {
      in_prologue_ = false;
    }
    if (is_sub && (!operands[0].starts_with('$') || immediate(operands[0]) > largest_unasked)) {
      copy_up_to(line);
      look_down_to(operands[0]);
    } else if (line.starts_with("\tmovq\t") && line.ends_with(", %rsp") && operands[0] != "%rbp" && depth_) {
      copy_up_to(line);
      look_up_to(operands[0]);
    }
  }

  void look_down_to(std::string_view by) {
    out_ += "\tpushq\t%rsi\n\tpushq\t%rdi\n\tleaq\t16(%rsp), %rsi\n\tmovq\t%rsi, %rdi\n\tsubq\t" +
            std::string(by == "%rdi"   ? "(%rsp)"
                        : by == "%rsi" ? "8(%rsp)"
                                       : by) +
            ", %rdi\n" + std::string(look);
  }
  void look_up_to(std::string_view to) {
    out_ += "\tpushq\t%rsi\n\tpushq\t%rdi\n\tmovq\t" + std::string(to) + ", %rdi\n\tleaq\t-" + std::to_string(*depth_) +
            "(%rbp), %rsi\n" + std::string(look);
  }

  static void follow_sections(std::string_view line, int& elsewhere) {
    if (line.starts_with("\t.pushsection")) ++elsewhere;
    if (line.starts_with("\t.popsection")) --elsewhere;
  }

  static constexpr std::string_view look = "\tcall\tsimtlab_stack_to\n\tpopq\t%rdi\n\tpopq\t%rsi\n";
  static constexpr std::string_view begins_frame = "\tmovq\t%rsp, %rbp";
  static constexpr long largest_unasked = 2048;
  std::string_view text_;
  std::string_view rest_;  ///< of the function: what is still to be copied
  std::string out_;
  std::optional<long> depth_;  ///< of the fixed part of a frame, below where %rbp points
  bool in_prologue_ = false;
  std::string_view way_back_;  ///< the register with the address above the return address; empty where there is none
  bool is_aligned_ = false;    ///< the instruction before has aligned the stack pointer
};

}  // namespace

std::string place_frame_checks(std::string_view text) {
  const bool is_instrumented = text.find("\tcall\tsimtlab_tsan_init") != nowhere;
  return is_instrumented && text.find("%rsp") != nowhere ? check_placer(text).run() : std::string(text);
}

}  // namespace simtlab::emulator
