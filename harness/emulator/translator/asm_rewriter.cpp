// `asm volatile("add.s32 %0, %1, %2;" : "=r"(a) : "r"(b), "r"(c));` becomes an expression of statements: operands are read into
// registers, instructions run, and outputs are written. Operands stay where they stand, so that what they do keeps its place, and each
// instruction gets the place of its string.
#include <algorithm>

#include "translator/ptx_instructions.h"
#include "translator/source_rewriter.h"

namespace simtlab::emulator {
namespace {

constexpr std::string_view registers = "::simtlab::ptx::";

struct asm_operand {
  std::size_t open = 0;    ///< the parenthesis in front of its expression
  char letter = 0;         ///< of the constraint
  bool is_output = false;  ///< written
  bool is_input = false;   ///< read
};

/// An asm statement's text, and where each piece of it stands.
struct asm_text {
  struct piece {
    std::size_t offset, token;
  };
  std::string text;
  std::vector<piece> pieces;

  [[nodiscard]] std::size_t token_at(std::size_t offset) const {
    std::size_t token = pieces.front().token;
    for (const piece& p : pieces)
      if (p.offset <= offset) token = p.token;
    return token;
  }
};

class asm_statement {
 public:
  asm_statement(const rewrite_context& context, std::size_t i, bool resync)
      : context_(context), walk_(context.walk), asm_(i), resync_(resync) {}

  bool rewrite(asm_texts texts) {
    std::size_t open = asm_ + 1;
    while (walk_.is(open, "volatile") || walk_.is(open, "__volatile__") || walk_.is(open, "__volatile")) ++open;
    close_ = walk_.is(open, "(") ? walk_.closing(open) : token_walk::none;
    if (close_ == token_walk::none) {
      if (texts == asm_texts::ptx_or_host) return false;
      context_.refuse(asm_, "`asm` without `(` and `)`", "Write asm volatile(\"...\" : outputs : inputs)");
    }
    at_ = open + 1;
    while (walk_.at(at_).kind == token_kind::string) read_string();
    if (context_.in_macro && !ends_section()) {  // spelled out wherever it is used (spelled_out_macros.h)
      context_.edits.replace(walk_.at(asm_).begin, walk_.at(asm_).end, "simtlab_asm_of_a_macro");
      return true;
    }
    if (texts == asm_texts::ptx_or_host && !looks_like_ptx()) return false;
    if (text_.pieces.empty() || !ends_section())
      context_.refuse(at_, "inline PTX whose text is not all in string literals",
                      "Write it in string literals, or in macros that stand for such");
    for (int section = 0; at_ < close_; ++section) read_section(section);
    std::string letters;
    for (const asm_operand& o : operands_) letters += o.letter;
    write(instructions(letters));
    return true;
  }

 private:
  void read_string() {
    const std::string_view spelled = walk_.text(at_);
    text_.pieces.push_back({text_.text.size(), at_++});
    const std::size_t quote = spelled.find('"');
    const bool is_raw = quote > 0 && quote != std::string_view::npos && spelled[quote - 1] == 'R';
    if (quote == std::string_view::npos || spelled.size() < quote + 2) return;
    if (is_raw) {
      const std::size_t open = spelled.find('('), close = spelled.rfind(')');
      if (open < close && close != std::string_view::npos) text_.text += spelled.substr(open + 1, close - open - 1);
    } else {
      for (std::size_t c = quote + 1; c + 1 < spelled.size(); ++c) {
        if (spelled[c] != '\\') {
          text_.text += spelled[c];
        } else {
          const char escaped = spelled[++c];
          text_.text += escaped == 'n' || escaped == 't' || escaped == 'r' || escaped == '\n' ? ' ' : escaped;
          if (escaped == 'n') text_.text.back() = '\n';
        }
      }
    }
  }
  /// Its first instruction has a point in its name, as nearly all of a GPU's have and none of the host's.
  [[nodiscard]] bool looks_like_ptx() const {
    const std::size_t begin = text_.text.find_first_not_of(" \t\n{");
    if (begin == std::string::npos) return false;
    const std::string_view word =
        std::string_view(text_.text).substr(begin, text_.text.find_first_of(" \t\n;", begin) - begin);
    return !word.empty() && (word[0] == '@' || word.find('.', word[0] == '.' ? 0 : 1) != std::string_view::npos);
  }
  [[nodiscard]] bool ends_section() const { return at_ == close_ || walk_.is(at_, ":") || walk_.is(at_, "::"); }

  /// Behind a colon: 0 outputs, 1 inputs, 2 what else changes. `::` leaves a section out.
  void read_section(int& section) {
    if (walk_.is(at_, "::")) ++section;
    ++at_;
    if (section > 2)
      context_.refuse(at_ - 1, "an `asm` with more than three lists", "Write outputs : inputs : clobbers");
    while (at_ < close_ && !walk_.is(at_, ":") && !walk_.is(at_, "::")) {
      if (walk_.at(at_).kind != token_kind::string)
        context_.refuse(at_, "`" + std::string(walk_.text(at_)) + "` in an `asm`, where a constraint was expected",
                        "Write \"=r\"(output), \"r\"(input), \"n\"(constant), \"memory\"");
      if (section == 2) {
        if (walk_.text(at_) == "\"memory\"") orders_memory_ = true;
        ++at_;
      } else {
        read_operand(section == 0);
      }
      if (at_ < close_ && walk_.is(at_, ",")) ++at_;
    }
  }
  void read_operand(bool is_output) {
    const std::string_view constraint = walk_.text(at_);
    asm_operand made;
    std::size_t letter = 1;
    if (is_output) {
      made.is_output = constraint.size() > 1 && (constraint[1] == '=' || constraint[1] == '+');
      made.is_input = constraint.size() > 1 && constraint[1] == '+';
      letter = 2;
      if (constraint.size() > 2 && constraint[2] == '&') letter = 3;
    } else {
      made.is_input = true;
    }
    const bool is_known =
        constraint.size() == letter + 2 && made.is_output == is_output &&
        std::string_view(is_output ? "hrlfd" : "hrlfdn").find(constraint[letter]) != std::string_view::npos;
    if (!is_known)
      context_.refuse(at_, "the constraint " + std::string(constraint) + " of inline PTX",
                      "CUDA has h, r, l, f, d and, for constant inputs, n; `=` or `+` in front for outputs");
    made.letter = constraint[letter];
    made.open = at_ + 1;
    if (!walk_.is(made.open, "(") || walk_.closing(made.open) == token_walk::none)
      context_.refuse(at_, "a constraint of `asm` without its operand", "Write the operand in parentheses behind it");
    at_ = walk_.closing(made.open) + 1;
    operands_.push_back(made);
  }

  std::string instructions(const std::string& letters) const {
    try {
      std::string made;
      for (const ptx_statement& s : parse_ptx(text_.text, letters)) {
        if (!s.cpp.empty()) {
          made += s.cpp + " ";
          continue;
        }
        if (resync_) made += context_.back_to(text_.token_at(s.instruction.offset));
        made += ptx_to_cpp(s.instruction) + " ";
      }
      if (made.find("simtlab_carry") != std::string::npos) made.insert(0, "bool simtlab_carry = false; ");
      return made;
    } catch (const ptx_error& e) {
      context_.refuse(text_.token_at(e.offset), e.what(), e.advice);
    }
  }

  void write(const std::string& body) const {
    const std::string barrier = orders_memory_ ? "__asm__ volatile(\"\" : : : \"memory\"); " : "";
    std::string made = "({ ";
    std::size_t from = asm_;
    for (std::size_t i = 0; i < operands_.size(); ++i) {
      const asm_operand& o = operands_[i];
      const std::string name = "simtlab_" + std::to_string(i);
      if (o.is_output)
        made += "auto& simtlab_to_" + std::to_string(i) + " = ";
      else if (o.letter == 'n')
        made += "constexpr " + std::string(registers) + "number " + name + "{static_cast<long long>";
      else
        made += "const auto " + name + " = " + std::string(registers) + "in<'" + o.letter + "'>";
      replace(from, o.open, made);
      made = !o.is_output && o.letter == 'n' ? "}; " : "; ";
      from = walk_.closing(o.open) + 1;
    }
    for (std::size_t i = 0; i < operands_.size(); ++i)
      if (operands_[i].is_output) made += declaration_of(i);
    for (std::size_t i = 0; i < operands_.size(); ++i)
      if (!operands_[i].is_output) made += "static_cast<void>(simtlab_" + std::to_string(i) + "); ";
    made += barrier + body + barrier;
    for (std::size_t i = 0; i < operands_.size(); ++i)
      if (operands_[i].is_output) made += write_back_of(i);
    replace(from, close_, made + "})", true);
  }
  /// The register of an output, with what stands there before where it is read, too.
  [[nodiscard]] std::string declaration_of(std::size_t i) const {
    const std::string number = std::to_string(i), letter(1, operands_[i].letter), space(registers);
    const std::string value =
        operands_[i].is_input ? " = " + space + "in<'" + letter + "'>(simtlab_to_" + number + "); " : "{}; ";
    return space + "bits_of<" + space + "bytes_of<'" + letter + "'>> simtlab_" + number + value;
  }
  [[nodiscard]] std::string write_back_of(std::size_t i) const {
    const std::string number = std::to_string(i), letter(1, operands_[i].letter);
    return std::string(registers) + "out<'" + letter + "'>(simtlab_to_" + number + ", simtlab_" + number + "); ";
  }
  /// Of the tokens from `from` up to `to`, which stays unless `with_last`; lines keep their numbers.
  void replace(std::size_t from, std::size_t to, std::string with, bool with_last = false) const {
    const std::uint32_t begin = walk_.at(from).begin, end = with_last ? walk_.at(to).end : walk_.at(to).begin;
    const std::string_view gone = context_.source.text.substr(begin, end - begin);
    const std::size_t behind = with_last ? to + 1 : to;
    if (resync_ && behind < walk_.size())
      with += context_.back_to(behind);
    else
      for (auto n = std::ranges::count(gone, '\n'); n > 0; --n) with += context_.in_macro ? "\\\n" : "\n";
    context_.edits.replace(begin, end, std::move(with));
  }

  const rewrite_context& context_;
  const token_walk& walk_;
  std::size_t asm_;
  bool resync_;
  std::size_t close_ = 0, at_ = 0;  // `at_`: the token that is read
  asm_text text_;
  std::vector<asm_operand> operands_;
  bool orders_memory_ = false;
};

}  // namespace

bool rewrite_asm(const rewrite_context& context, std::size_t i, asm_texts texts, bool resync) {
  return asm_statement(context, i, resync).rewrite(texts);
}

}  // namespace simtlab::emulator
