#include "spaces/program_dump.h"

#include <algorithm>
#include <charconv>

#include "translator/lexer.h"
#include "translator/take_line.h"

namespace simtlab::emulator {
namespace {

constexpr auto npos = std::string_view::npos;

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}

std::uint32_t number_at(std::string_view text, std::size_t at) {
  std::uint32_t n = 0;
  std::from_chars(text.data() + std::min(at, text.size()), text.data() + text.size(), n);
  return n;
}

/// `[file:12:34]` at `at`: its length and place; 0 where something else begins with a bracket.
std::size_t read_place(std::string_view line, std::size_t at, source_place& place) {
  const std::size_t close = line.find(']', at);
  if (close == npos) return 0;
  const std::string_view inside = line.substr(at + 1, close - at - 1);
  const std::size_t second = inside.rfind(':');
  if (second == npos || second == 0 || second + 1 >= inside.size() || !is_digit(inside[second + 1])) return 0;
  const std::size_t first = inside.rfind(':', second - 1);
  if (first == npos || first == 0 || !is_digit(inside[first + 1])) return 0;
  place = {inside.substr(0, first), number_at(inside, first + 1), number_at(inside, second + 1)};
  return close + 1 - at;
}

/// Behind the text or character that begins at `at`.
std::size_t behind_quotes(std::string_view line, std::size_t at) {
  const char quote = line[at];
  for (std::size_t i = at + 1; i < line.size(); ++i) {
    if (line[i] == '\\')
      ++i;
    else if (line[i] == quote)
      return i + 1;
  }
  return line.size();
}

class dump_reader {
 public:
  explicit dump_reader(std::string_view text) : text_(text) {}

  program_dump run() {
    while (!text_.empty()) read_line(take_line(text_));
    return std::move(out_);
  }

 private:
  enum class part : std::uint8_t { outside, header, body };

  void read_line(std::string_view line) {
    if (line.starts_with(";; Function ")) {
      begin_function(line);
    } else if (out_.functions.empty() || line.empty()) {
      return;
    } else if (part_ == part::header) {
      read_header(line);
    } else if (line == "}") {
      part_ = part::outside;
    } else if (part_ == part::body) {
      if (line.size() > 2 && line[2] != ' ' && !line.starts_with("  try") && !line.starts_with("  [") &&
          !line.starts_with("  <") && line.ends_with(';') && declares_) {
        read_local(line);
      } else {
        declares_ = false;
        read_statement(line);
      }
    }
  }

  /// `;; Function S::get (_ZNK1S3getEv, funcdef_no=8, decl_uid=2841, cgraph_uid=8, symbol_order=14)`
  void begin_function(std::string_view line) {
    const std::size_t end = line.find(", funcdef_no=");
    const std::size_t open = line.rfind('(', end);
    if (end == npos || open == npos || open < 13) return;
    dumped_function f;
    f.name = line.substr(12, open - 13);
    f.symbol = line.substr(open + 1, end - open - 1);
    f.declaration = number_at(line, line.find("decl_uid=") + 9);
    out_.functions.push_back(f);
    part_ = part::header;
    declares_ = true;
  }

  void read_header(std::string_view line) {
    dumped_function& f = out_.functions.back();
    if (line == "{") {
      part_ = part::body;
    } else if (line.starts_with("__attribute__((")) {
      f.attributes = line.substr(15, line.size() - 17);
    } else {
      f.result = line.substr(0, line.find(' '));
      f.has_object = line.find(" * const thisD.") != npos;
      note_declarations(line);
    }
  }

  /// Parameters: `(struct SD.1 * const thisD.2, intD.9 xD.3)`. The last number before a comma is the parameter's.
  void note_declarations(std::string_view line) {
    std::uint32_t last = 0;
    for (std::size_t i = 0; i + 2 < line.size(); ++i) {
      if (line[i] == ',' || (line[i] == ')' && i + 1 == line.size())) {
        if (last != 0) out_.locals.insert(last);
        last = 0;
      } else if (line[i] == 'D' && line[i + 1] == '.' && is_digit(line[i + 2])) {
        if (last != 0) out_.types.insert(last);
        last = number_at(line, i + 2);
      }
    }
    if (last != 0) out_.locals.insert(last);
  }

  /// `  static floatD.41 tileD.2873[16];`
  void read_local(std::string_view line) {
    line = line.substr(0, line.find(" = "));
    line = line.substr(0, line.find(" [value-expr"));
    std::uint32_t last = 0;
    for (std::size_t i = 0; i + 2 < line.size(); ++i) {
      if (line[i] != 'D' || line[i + 1] != '.' || !is_digit(line[i + 2])) continue;
      if (last != 0) out_.types.insert(last);
      last = number_at(line, i + 2);
    }
    if (last != 0) out_.locals.insert(last);
  }

  /// `goto _2;` and `goto pD.7;`, where a jump to a label is `goto oneD.8;` or `goto <D.9>;`.
  void note_computed_jump(std::string_view statement, const source_place& place) {
    constexpr std::string_view jump = " goto ";
    if (!statement.starts_with(jump)) return;
    const std::string_view to = statement.substr(jump.size());
    const std::size_t number = to.find("D.");
    const bool is_variable = !to.starts_with('<') && number != npos && out_.locals.contains(number_at(to, number + 2));
    if (to.starts_with('_') || is_variable) out_.computed_jumps.push_back(place);
  }

  void read_statement(std::string_view line) {
    if (line.find("<<<eh_") != npos) return;  // where exceptions end: nobody wrote it
    dumped_function& f = out_.functions.back();
    ++statement_;
    source_place place;
    std::size_t begin = 0;  // of what may be a name with blanks: `operator new`
    for (std::size_t i = 0; i < line.size(); ++i) {
      const char c = line[i];
      if (c == '[') {
        if (const std::size_t length = read_place(line, i, place); length != 0) {
          if (f.begin.line == 0) f.begin = place;
          if (begin == 0) note_computed_jump(line.substr(i + length), place);
          i += length - 1;
          begin = i + 1;
        }
      } else if (c == '"' || c == '\'') {
        i = behind_quotes(line, i) - 1;
      } else if (c == '/' && line.substr(i).starts_with("// ")) {
        return;
      } else if (c == '=' || c == ',' || c == '(' || c == '&' || c == '*') {
        begin = i + 1;
        if (c == '(' && is_cast(line, i)) i = note_type(line, i, ')');
      } else if (c == '<') {
        if (line.substr(0, i).ends_with("VIEW_CONVERT_EXPR") || line.substr(0, i).ends_with("MEM "))
          i = note_type(line, i, '>');
      } else if (c == 'D' && i + 2 < line.size() && line[i + 1] == '.' && is_digit(line[i + 2])) {
        i = read_name(f, line, begin, i, place);
      }
    }
  }

  /// `(long unsigned intD.16) x` and `MEM[(struct S *)x]`, not `f (x)` nor `if (x)`.
  static bool is_cast(std::string_view line, std::size_t open) {
    const std::string_view before = line.substr(0, open);
    return before.ends_with("= ") || before.ends_with("MEM[") || before.ends_with(";") ||
           before.ends_with("TARGET_MEM_REF[");
  }

  std::size_t note_type(std::string_view line, std::size_t open, char close) {
    const char opener = line[open];
    int depth = 0;
    for (std::size_t i = open; i < line.size(); ++i) {
      if (line[i] == opener) ++depth;
      if (line[i] == close && --depth == 0) return i;
      if (line[i] == 'D' && i + 2 < line.size() && line[i + 1] == '.' && is_digit(line[i + 2]))
        out_.types.insert(number_at(line, i + 2));
    }
    return line.size();
  }

  /// The name that ends with the `D.` at `at`, of which nothing lies before `begin`. Returns its last character.
  std::size_t read_name(dumped_function& f, std::string_view line, std::size_t begin, std::size_t at,
                        const source_place& place) {
    std::size_t end = at + 2;
    while (end < line.size() && is_digit(line[end])) ++end;
    std::size_t first = at;
    while (first > begin && is_word(line[first - 1])) --first;
    const std::string_view rest = line.substr(end);
    const bool is_call = rest.starts_with(" (");
    const char before = first > 0 ? line[first - 1] : ' ';
    const bool is_member = before == '.' || (before == '>' && first > 1 && line[first - 2] == '-');
    const bool is_label = rest.starts_with(":") || before == '<' || line.substr(0, first).ends_with("goto ") ||
                          line.substr(0, first).ends_with("struct ");
    std::string_view name = line.substr(first, at - first);
    if (is_call) {  // `operator() D.5 (`, `operator new[]D.7 (`
      name = line.substr(begin, at - begin);
      while (name.starts_with(' ')) name.remove_prefix(1);
      while (name.ends_with(' ')) name.remove_suffix(1);
      if (const std::size_t op = line.rfind("operator", at); op != npos && op >= last_statement_part(line, at))
        name = line.substr(op, at - op);
    }
    if (!is_member && !is_label && !(name.empty() && !is_call))
      f.uses.push_back(
          {number_at(line, at + 2), name, is_call, is_call && !rest.starts_with(" ()"), statement_, place});
    return end - 1;
  }

  /// Behind the last `=` with blanks around it, or the last place, before `at`.
  static std::size_t last_statement_part(std::string_view line, std::size_t at) {
    const std::size_t equals = line.rfind(" = ", at);
    const std::size_t place = line.rfind("] ", at);
    return std::max(equals == npos ? 0 : equals, place == npos ? 0 : place);
  }

  std::string_view text_;
  std::size_t statement_ = 0;
  part part_ = part::outside;
  bool declares_ = false;
  program_dump out_;
};

}  // namespace

std::string dump_option(const std::string& file) { return "-fdump-tree-lower-lineno-asmname-uid=" + file; }

program_dump read_dump(std::string_view text) { return dump_reader(text).run(); }

}  // namespace simtlab::emulator
