#include "driver/front_end_source.h"

#include <charconv>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "translator/lexer.h"

namespace simtlab::emulator {
namespace {

std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

/// `# 12 "kernel.cu" 2 3`
struct line_marker {
  int line = 0;
  std::string file;
  bool enters = false, leaves = false, system = false;

  /// Whether `text` is one.
  bool parse(std::string_view text) {
    if (!text.starts_with("# ")) return false;
    const char* const end = text.data() + text.size();
    const auto [behind, error] = std::from_chars(text.data() + 2, end, line);
    const std::size_t open = text.find('"'), close = text.rfind('"');
    if (error != std::errc() || behind == end || *behind != ' ' || open == close) return false;
    file = text.substr(open + 1, close - open - 1);
    const std::string_view flags = text.substr(close + 1);
    enters = flags.find('1') != std::string_view::npos;
    leaves = flags.find('2') != std::string_view::npos;
    system = flags.find('3') != std::string_view::npos;
    return true;
  }
  [[nodiscard]] bool is_own() const { return !system && !file.starts_with('<'); }
};

/// The `number`-th line.
std::string_view line_of(std::string_view text, int number) {
  std::string_view line;
  for (int i = 0; i < number && !text.empty(); ++i) line = take_line(text);
  return line;
}

bool names_a_header(std::string_view directive) {
  const std::size_t hash = directive.find_first_not_of(" \t");
  if (hash == std::string_view::npos || directive[hash] != '#') return false;
  const std::size_t word = directive.find_first_not_of(" \t", hash + 1);
  if (word == std::string_view::npos || !directive.substr(word).starts_with("include")) return false;
  const std::size_t name = directive.find_first_not_of(" \t", word + 7);
  return name != std::string_view::npos && (directive[name] == '<' || directive[name] == '"');
}

bool is_of_clang(std::string_view name) {
  return name.starts_with("__clang") || name.starts_with("__llvm") || name == "__CUDA__";
}

class own_text {
 public:
  explicit own_text(const file_reader& read) : read_(read) {}

  std::string write(std::string_view text) {
    for (std::string_view rest = text; !rest.empty();) note(take_line(rest));
    at_ = {};
    for (const auto& [name, value] : mentioned_) take_over(name, value);
    while (!text.empty()) {
      const std::string_view line = take_line(text);
      if (!follow(line)) write_line(line);
    }
    return std::move(out_);
  }

 private:
  /// First reading: what g++ predefines, and what of it the program mentions.
  void note(std::string_view line) {
    if (line_marker m; m.parse(line)) {
      at_ = std::move(m);
      return;
    }
    constexpr std::string_view define = "#define ";
    if ((at_.file == "<built-in>" || at_.file == "<command-line>") && line.starts_with(define)) {
      const std::string_view macro = line.substr(define.size());
      const std::size_t end = macro.find_first_of(" (");
      if (end == std::string_view::npos || macro[end] == ' ')
        predefined_[macro.substr(0, end)] = end == std::string_view::npos ? std::string_view() : macro.substr(end + 1);
      return;
    }
    if (!at_.is_own()) return;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (!is_in_name(line[i])) continue;
      const std::size_t begin = i;
      while (i < line.size() && is_in_name(line[i])) ++i;
      const std::string_view name = line.substr(begin, i - begin);
      if (const auto known = predefined_.find(name); known != predefined_.end())
        mentioned_[name] = " " + std::string(known->second);
      else if (is_of_clang(name))
        mentioned_[name] = "";
    }
  }

  void take_over(std::string_view name, const std::string& value) {
    out_ += "#pragma push_macro(\"" + std::string(name) + "\")\n#undef " + std::string(name) + "\n";
    if (!value.empty()) out_ += "#define " + std::string(name) + value + "\n";
  }

  /// Second reading. Whether the line is a marker.
  bool follow(std::string_view line) {
    line_marker m;
    if (!m.parse(line)) return false;
    if (inside_ == 0 && m.enters && m.system && at_.is_own() && !at_.file.empty()) {
      header_ = m.file;
      inside_ = 1;
    } else if (inside_ > 0) {
      inside_ += m.enters ? 1 : m.leaves ? -1 : 0;
      if (inside_ == 0) include(m);
    }
    at_ = std::move(m);
    return true;
  }

  /// Headers come as the program names them, so that they are the system's for clang, too.
  void include(const line_marker& back) {
    for (const auto& [name, value] : mentioned_) out_ += "#pragma pop_macro(\"" + std::string(name) + "\")\n";
    const auto [text, is_new] = files_.try_emplace(back.file);
    if (is_new) text->second = read_(back.file);
    const std::string_view directive = line_of(text->second, back.line - 1);
    out_ += names_a_header(directive) ? std::string(directive) : "#include \"" + header_ + "\"";
    out_ += '\n';
    for (const auto& [name, value] : mentioned_) take_over(name, value);
    written_ = {};
  }

  void write_line(std::string_view line) {
    const int number = at_.line++;
    if (inside_ > 0 || !at_.is_own() || at_.file.empty() || line.empty()) return;
    if (written_ != std::pair(at_.file, number)) out_ += "# " + std::to_string(number) + " \"" + at_.file + "\"\n";
    (out_ += line) += '\n';
    written_ = {at_.file, number + 1};
  }

  const file_reader& read_;
  std::string out_;
  std::map<std::string_view, std::string_view> predefined_;
  std::map<std::string_view, std::string> mentioned_;  ///< with the value that g++ gives; empty: not defined
  std::map<std::string, std::string> files_;
  line_marker at_;
  std::string header_;
  int inside_ = 0;                       ///< depth in a header of the system
  std::pair<std::string, int> written_;  ///< the place of the next line, if it follows the last
};

}  // namespace

std::string front_end_source(std::string_view preprocessed, const file_reader& read) {
  return own_text(read).write(preprocessed);
}

}  // namespace simtlab::emulator
