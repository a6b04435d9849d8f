#include "translator/ptx_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>

#include "translator/lexer.h"
#include "translator/ptx_refusals.h"

namespace simtlab::emulator {
namespace {

struct named {
  std::string_view ptx, cpp;
};

constexpr std::array special_registers{
    named{"laneid", "laneid()"},
    named{"warpid", "warpid()"},
    named{"nwarpid", "nwarpid()"},
    named{"smid", "smid()"},
    named{"nsmid", "nsmid()"},
    named{"clock", "clock32()"},
    named{"clock_hi", "clock_high()"},
    named{"clock64", "clock()"},
    named{"globaltimer", "clock()"},
    named{"globaltimer_lo", "clock32()"},
    named{"globaltimer_hi", "clock_high()"},
    named{"lanemask_eq", "lanemask_eq()"},
    named{"lanemask_lt", "lanemask_lt()"},
    named{"lanemask_le", "lanemask_le()"},
    named{"lanemask_gt", "lanemask_gt()"},
    named{"lanemask_ge", "lanemask_ge()"},
    named{"tid.x", "word(threadIdx.x)"},
    named{"tid.y", "word(threadIdx.y)"},
    named{"tid.z", "word(threadIdx.z)"},
    named{"ntid.x", "word(blockDim.x)"},
    named{"ntid.y", "word(blockDim.y)"},
    named{"ntid.z", "word(blockDim.z)"},
    named{"ctaid.x", "word(blockIdx.x)"},
    named{"ctaid.y", "word(blockIdx.y)"},
    named{"ctaid.z", "word(blockIdx.z)"},
    named{"nctaid.x", "word(gridDim.x)"},
    named{"nctaid.y", "word(gridDim.y)"},
    named{"nctaid.z", "word(gridDim.z)"},
};

constexpr std::array register_types{
    named{"pred", "bool"}, named{"b16", "b16"}, named{"u16", "b16"}, named{"s16", "b16"}, named{"f16", "b16"},
    named{"b32", "b32"},   named{"u32", "b32"}, named{"s32", "b32"}, named{"f32", "b32"}, named{"f16x2", "b32"},
    named{"b64", "b64"},   named{"u64", "b64"}, named{"s64", "b64"}, named{"f64", "b64"}};

template <std::size_t Count>
std::string_view cpp_of(const std::array<named, Count>& table, std::string_view ptx) {
  const auto found = std::ranges::find(table, ptx, &named::ptx);
  return found == table.end() ? std::string_view() : found->cpp;
}

constexpr std::string_view ask_ptx = "See the PTX ISA's chapter on syntax, or let nvcc compile the file";

class ptx_parser {
 public:
  ptx_parser(std::string_view text, std::string_view operands) : text_(text), operands_(operands), scopes_(1) {
    for (std::size_t i = 0; i < operands.size(); ++i)
      if (operands[i] == 'f' || operands[i] == 'd') held_["simtlab_" + std::to_string(i)] = ptx_held::floating;
    open_scope();
  }

  std::vector<ptx_statement> parse() {
    for (skip(); at_ < text_.size(); skip()) {
      if (take('{')) {
        scopes_.emplace_back();
        open_scope();
      } else if (take('}')) {
        if (scopes_.size() == 1) fail("a `}` without its `{` in inline PTX", std::string(ask_ptx));
        scopes_.pop_back();
        labels_in_.pop_back();
        add("}");
      } else if (take(';')) {
        continue;
      } else if (text_[at_] == '.') {
        directive();
      } else {
        instruction();
      }
    }
    if (scopes_.size() != 1) fail("a `{` without its `}` in inline PTX", std::string(ask_ptx));
    aim_branches();
    if (labels_.front().names.empty())
      statements_.erase(statements_.begin());
    else
      add("}");
    return std::move(statements_);
  }

 private:
  [[noreturn]] void fail(const std::string& found, std::string advice) const {
    throw ptx_error(std::min(begin_, text_.size()), found, std::move(advice));
  }
  void add(std::string cpp) { statements_.push_back({std::move(cpp), {}}); }

  void skip() {
    while (at_ < text_.size()) {
      if (std::isspace(static_cast<unsigned char>(text_[at_])) != 0)
        ++at_;
      else if (text_.substr(at_, 2) == "//")
        at_ = std::min(text_.find('\n', at_), text_.size());
      else if (text_.substr(at_, 2) == "/*")
        at_ = std::min(text_.find("*/", at_ + 2), text_.size() - 2) + 2;
      else
        break;
    }
    begin_ = at_;
  }
  bool take(char c) {
    skip();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c))
      fail("inline PTX where `" + std::string(1, c) + "` is missing in front of `" + word_there() + "`",
           std::string(ask_ptx));
  }
  [[nodiscard]] std::string word_there() const {
    return at_ >= text_.size() ? "the end" : std::string(text_.substr(at_, text_.find_first_of("\n;", at_) - at_));
  }
  template <class Accept>
  std::string_view take_while(Accept accept) {
    skip();
    const std::size_t from = at_;
    while (at_ < text_.size() && accept(text_[at_])) ++at_;
    return text_.substr(from, at_ - from);
  }
  static bool is_of_name(char c) { return is_in_name(c) || c == '$'; }
  static bool is_of_opcode(char c) { return is_in_name(c) || c == '.' || c == ':'; }

  /// A register's name without its percent signs, which a string with operands doubles.
  std::string_view name() {
    take_while([](char c) { return c == '%'; });
    return take_while(is_of_name);
  }

  void directive() {
    const std::string_view opcode = take_while(is_of_opcode);
    if (opcode != ".reg")
      fail("the directive `" + std::string(opcode) + "` in inline PTX",
           "The emulator knows `.reg` there: declare other variables in C++ and hand them over as operands");
    const std::string_view type = take_while(is_of_opcode);
    const std::string_view cpp = cpp_of(register_types, type.substr(type.empty() ? 0 : 1));
    if (cpp.empty())
      fail("a register of type `" + std::string(type) + "` in inline PTX",
           "The emulator knows .pred and types of 16, 32 and 64 bits");
    do declare(std::string(cpp), held_by(type[1]));
    while (take(','));
    expect(';');
  }
  static ptx_held held_by(char type) {
    return type == 'f' ? ptx_held::floating : type == 'u' || type == 's' ? ptx_held::integer : ptx_held::anything;
  }
  void declare(const std::string& type, ptx_held held) {
    const std::string base(name());
    if (base.empty()) fail("a register without a name in inline PTX", std::string(ask_ptx));
    if (!take('<')) return declare(type, base, held);
    const std::string count(take_while(is_digit));
    if (!take('>') || count.empty() || count.size() > 3)
      fail("a list of registers in inline PTX that is not `name<number>`", "Declare at most 999 at a time");
    for (int i = 0; i < std::stoi(count); ++i) declare(type, base + std::to_string(i), held);
  }
  void declare(const std::string& type, const std::string& name, ptx_held held) {
    std::string cpp = "simtlab_r" + std::to_string(++registers_) + "_" + name;
    std::ranges::replace(cpp, '$', '_');
    add((type == "bool" ? "[[maybe_unused]] bool " : "[[maybe_unused]] ::simtlab::ptx::" + type + " ") + cpp + "{};");
    held_[cpp] = held;
    scopes_.back()[name] = std::move(cpp);
  }

  // Labels are known in their scope and in those inside of it, also in front of where they stand.
  void open_scope() {
    labels_in_.push_back(labels_.size());
    labels_.push_back({statements_.size(), {}});
    add("{");
  }
  /// `name:`, if that stands there.
  bool label() {
    const std::size_t from = at_;
    const std::string name(this->name());
    if (name.empty() || is_digit(name[0]) || !take(':') || (at_ < text_.size() && text_[at_] == ':')) {
      at_ = from;
      return false;
    }
    label_scope& scope = labels_[labels_in_.back()];
    std::string cpp = "simtlab_l" + std::to_string(++registers_) + "_" + name;
    std::ranges::replace(cpp, '$', '_');
    if (scope.names.contains(name)) fail("the label `" + name + "` twice in inline PTX", std::string(ask_ptx));
    add(cpp + ":;");
    scope.names[name] = std::move(cpp);
    return true;
  }
  void branch(const std::string& guard) {
    const std::string target(name());
    branches_.push_back({statements_.size(), begin_, target, labels_in_});
    add(guard.empty() ? "goto " : "if (" + guard + ") goto ");
    expect(';');
  }
  void aim_branches() {
    for (const branch_there& b : branches_) {
      const auto scope = std::find_if(b.scopes.rbegin(), b.scopes.rend(),
                                      [&](std::size_t s) { return labels_[s].names.contains(b.target); });
      begin_ = b.offset;
      if (scope == b.scopes.rend())
        fail("a branch to `" + b.target + "` in inline PTX", "No label of this asm statement has that name there");
      statements_[b.statement].cpp += labels_[*scope].names[b.target] + ";";
    }
    for (const label_scope& scope : labels_)
      for (const auto& [name, cpp] : scope.names) statements_[scope.begin].cpp += " __label__ " + cpp + ";";
  }

  void instruction() {
    ptx_instruction made;
    made.offset = at_;
    if (label()) return;
    if (take('@')) {
      const bool negated = take('!');
      made.guard = (negated ? "!" : "") + std::string("::simtlab::ptx::is(") + variable() + ")";
      skip();
    }
    made.written = std::string(take_while(is_of_opcode));
    if (made.written.empty())
      fail("`" + word_there() + "` in inline PTX, which is no instruction", std::string(ask_ptx));
    if (made.written == "bra" || made.written == "bra.uni") return branch(made.guard);
    refuse_known_instruction(made.written, made.offset);
    split(made);
    if (!take(';')) {
      do made.operands.push_back(operand());
      while (take(','));
      expect(';');
    }
    statements_.push_back({{}, std::move(made)});
  }
  static void split(ptx_instruction& made) {
    std::size_t from = 0;
    for (std::size_t to = 0; from <= made.written.size(); from = to + 1) {
      to = std::min(made.written.find('.', from), made.written.size());
      (from == 0 ? made.name : made.modifiers.emplace_back()) = made.written.substr(from, to - from);
    }
  }

  ptx_operand operand() {
    ptx_operand made;
    if (take('[')) {
      made.kind = ptx_operand_kind::address;
      made.value = value(made.is_literal);
      if (take('+'))
        made.value += ", " + std::string(take('-') ? "-" : "") + number();
      else if (take('-'))
        made.value += ", -" + number();
      else
        made.value += ", 0";
      expect(']');
      return made;
    }
    if (take('{')) {
      made.kind = ptx_operand_kind::vector;
      do {
        bool is_literal = false;
        made.members.push_back(is_sink() ? std::string() : value(is_literal));
      } while (take(','));
      expect('}');
      return made;
    }
    if (is_sink()) {
      made.kind = ptx_operand_kind::sink;
    } else {
      made.value = value(made.is_literal);
      if (const auto known = held_.find(made.value); known != held_.end()) made.held = known->second;
    }
    if (take('|')) made.predicate = is_sink() ? std::string() : variable();
    return made;
  }
  bool is_sink() {
    skip();
    if (at_ >= text_.size() || text_[at_] != '_' || (at_ + 1 < text_.size() && is_of_name(text_[at_ + 1])))
      return false;
    ++at_;
    return true;
  }
  std::string number() {
    const std::string digits(take_while(is_of_name));
    if (digits.empty() || !is_digit(digits[0]))
      fail("an address in inline PTX that is not `[register+number]`", std::string(ask_ptx));
    return integer(digits);
  }
  std::string integer(std::string digits) const {
    const auto fits = [&](std::string_view allowed, std::size_t from) {
      return digits.size() > from && digits.find_first_not_of(allowed, from) == std::string::npos;
    };
    if (digits.back() == 'U') digits.pop_back();
    const bool is_hex = digits.starts_with("0x") || digits.starts_with("0X");
    if (is_hex ? fits("0123456789abcdefABCDEF", 2) && digits.size() <= 18
               : fits("0123456789", 0) && (digits.size() == 1 || digits[0] != '0') && digits.size() <= 18)
      return digits;
    fail("the number `" + digits + "` in inline PTX", "Write a decimal or hexadecimal one of at most 64 bits");
  }
  /// A register, `%0`, a number or a special register, as C++.
  std::string value(bool& is_literal) {
    skip();
    if (take('!')) return "!::simtlab::ptx::is(" + variable() + ")";
    const bool negative = take('-');
    skip();
    if (at_ >= text_.size() || !is_digit(text_[at_])) {
      if (negative) fail("a `-` in front of a register in inline PTX", "Use `neg`");
      std::string found = variable();
      constexpr std::string_view prefix = "simtlab_";
      is_literal = is_digit(found[std::min(prefix.size(), found.size() - 1)]) &&
                   operands_[static_cast<std::size_t>(std::stoi(found.substr(prefix.size())))] == 'n';
      return found;
    }
    is_literal = true;
    const std::string_view prefix = text_.substr(at_, 2);
    if (prefix == "0f" || prefix == "0F" || prefix == "0d" || prefix == "0D") return floating_bits();
    const std::string digits(take_while([](char c) { return is_of_name(c) || c == '.'; }));
    if (digits.find('.') == std::string::npos)
      return "::simtlab::ptx::number{" + std::string(negative ? "-" : "") + integer(digits) + "}";
    if (digits.find_first_not_of("0123456789.") != std::string::npos)
      fail("the number `" + digits + "` in inline PTX",
           "Write its bits, `0f3f800000` for 1, or a plain decimal number");
    return "::simtlab::ptx::real{" + std::string(negative ? "-" : "") + digits + "}";
  }
  std::string floating_bits() {
    const std::string digits(take_while(is_of_name));
    const bool is_float = digits[1] == 'f' || digits[1] == 'F';
    if (digits.size() != (is_float ? 10 : 18) ||
        digits.find_first_not_of("0123456789abcdefABCDEF", 2) != std::string::npos)
      fail("the number `" + digits + "` in inline PTX", "`0f` takes 8 hexadecimal digits, `0d` 16");
    return (is_float ? "::simtlab::ptx::b32{0x" : "::simtlab::ptx::b64{0x") + digits.substr(2) + "}";
  }
  /// A register, `%0`, or a special register.
  std::string variable() {
    skip();
    const std::size_t from = at_;
    std::string name(this->name());
    if (name == "tid" || name == "ntid" || name == "ctaid" || name == "nctaid") name += take_while(is_of_opcode);
    const std::string_view spelled = text_.substr(from, at_ - from);
    if (name.empty()) fail("`" + word_there() + "` in inline PTX, where an operand was expected", std::string(ask_ptx));
    if (std::ranges::all_of(name, is_digit)) {
      if (name.size() > 3 || static_cast<std::size_t>(std::stoi(name)) >= operands_.size())
        fail("the operand `%" + name + "` of an asm statement with " + std::to_string(operands_.size()) + " operands",
             "They are counted from %0, outputs first");
      return "simtlab_" + name;
    }
    const auto inner =
        std::find_if(scopes_.rbegin(), scopes_.rend(), [&](const auto& scope) { return scope.contains(name); });
    if (inner != scopes_.rend()) return inner->at(name);
    if (name == "WARP_SZ") return "::simtlab::ptx::number{32}";
    if (const std::string_view special = cpp_of(special_registers, name); !special.empty())
      return "::simtlab::ptx::" + std::string(special);
    fail(
        "`" + std::string(spelled) + "` in inline PTX",
        "It is neither a register that `.reg` declares nor a special register that the emulator has: %laneid, %warpid, "
        "%smid, %clock, %clock64, %globaltimer, %lanemask_*, %tid, %ntid, %ctaid, %nctaid");
  }

  std::string_view text_;
  std::string_view operands_;
  std::size_t at_ = 0, begin_ = 0;  // `begin_`: of what is read
  int registers_ = 0;
  std::vector<std::map<std::string, std::string, std::less<>>> scopes_;  // register to C++
  std::map<std::string, ptx_held> held_;                                 // by C++; others hold anything
  std::vector<ptx_statement> statements_;
  struct label_scope {
    std::size_t begin;  ///< its brace among the statements
    std::map<std::string, std::string, std::less<>> names;
  };
  struct branch_there {
    std::size_t statement, offset;
    std::string target;
    std::vector<std::size_t> scopes;
  };
  std::vector<label_scope> labels_;
  std::vector<std::size_t> labels_in_;  // scopes that are open
  std::vector<branch_there> branches_;
};

}  // namespace

std::vector<ptx_statement> parse_ptx(std::string_view text, std::string_view operands) {
  return ptx_parser(text, operands).parse();
}

}  // namespace simtlab::emulator
