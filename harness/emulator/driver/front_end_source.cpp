#include "driver/front_end_source.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>
#include <utility>

#include "translator/lexer.h"
#include "translator/take_line.h"

namespace simtlab::emulator {
namespace {

/// CUDA's words that are macros of the emulator's headers; with `(…)` where they take arguments.
constexpr std::array<std::string_view, 9> objects{"__host__",          "__device__",         "__global__",
                                                  "__shared__",        "__managed__",        "__forceinline__",
                                                  "__grid_constant__", "__device_builtin__", "__cudart_builtin__"};
constexpr std::array<std::string_view, 5> functions{"__launch_bounds__", "__maxnreg__", "__cluster_dims__", "__align__",
                                                    "__builtin_align__"};
/// The translator's words, no macros of the emulator's: `__noinline__` is one in attributes of the standard library.
constexpr std::array<std::string_view, 3> translated{"__constant__", "__noinline__", "__restrict__"};

bool is_qualifier(std::string_view word) {
  const auto is_in = [word](const auto& words) { return std::ranges::find(words, word) != words.end(); };
  return is_in(objects) || is_in(functions) || is_in(translated);
}

/// Names that no `#undef` may have.
bool is_of_the_preprocessor(std::string_view word) {
  constexpr std::array<std::string_view, 14> words{"defined", "__VA_ARGS__", "__VA_OPT__", "and",   "and_eq",
                                                   "bitand",  "bitor",       "compl",      "not",   "not_eq",
                                                   "or",      "or_eq",       "xor",        "xor_eq"};
  return std::ranges::find(words, word) != words.end() || word.starts_with("__has_");
}

/// `# 12 "kernel.cu" 2 3`
struct line_marker {
  int line = 0;
  std::string file;
  bool enters = false, leaves = false, system = false;

  /// Whether `text`, which begins outside of any token, is one.
  bool parse(std::string_view text) {
    if (!text.starts_with("# ")) return false;
    const char* const end = text.data() + text.size();
    const auto [behind, error] = std::from_chars(text.data() + 2, end, line);
    const std::size_t open = text.find('"'), close = text.rfind('"');
    if (error != std::errc() || behind == end || *behind != ' ' || open == close) return false;
    file.clear();
    for (std::size_t i = open + 1; i < close; ++i) file += text[i == close - 1 || text[i] != '\\' ? i : ++i];
    const std::string_view flags = text.substr(close + 1);
    enters = flags.find('1') != std::string_view::npos;
    leaves = flags.find('2') != std::string_view::npos;
    system = flags.find('3') != std::string_view::npos;
    return true;
  }
};

/// Reads lines of code token by token, as far as strings need it. There are no comments.
class token_reader {
 public:
  explicit token_reader(std::function<void(std::string_view)> name) : name_(std::move(name)) {}

  [[nodiscard]] bool is_in_raw_string() const { return !raw_end_.empty(); }
  [[nodiscard]] const std::vector<std::string>& strings() const { return strings_; }

  void read(std::string_view line) {
    std::size_t i = 0;
    if (is_in_raw_string()) {
      strings_.back() += '\n';
      i = raw_string(line, 0);
    }
    while (i < line.size()) i = token(line, i);
  }

 private:
  [[nodiscard]] static bool starts_name(char c) {
    return (is_in_name(c) && !is_digit(c)) || c == '$' || static_cast<unsigned char>(c) >= 0x80;
  }
  [[nodiscard]] static bool goes_on(char c) { return starts_name(c) || is_digit(c); }

  std::size_t token(std::string_view line, std::size_t i) {
    const char c = line[i];
    if (c == '"' || c == '\'') return quoted(line, i);
    if (is_digit(c)) return number(line, i);
    if (!starts_name(c)) return i + 1;
    std::size_t end = i;
    while (end < line.size() && goes_on(line[end])) ++end;
    const std::string_view word = line.substr(i, end - i);
    if (end < line.size() && line[end] == '"' &&
        (word == "R" || word == "LR" || word == "uR" || word == "UR" || word == "u8R")) {
      const std::size_t open = line.find('(', end);
      if (open == std::string_view::npos) return line.size();
      raw_end_ = ")" + std::string(line.substr(end + 1, open - end - 1)) + "\"";
      strings_.emplace_back(word);
      return raw_string(line, open + 1);
    }
    const bool is_prefix = end < line.size() && (line[end] == '"' || line[end] == '\'') &&
                           (word == "L" || word == "u" || word == "U" || word == "u8");
    if (!is_prefix) name_(word);
    return end;
  }

  std::size_t quoted(std::string_view line, std::size_t i) {
    std::size_t end = i + 1;
    while (end < line.size() && line[end] != line[i]) end += line[end] == '\\' ? 2 : 1;
    end = std::min(end + 1, line.size());
    if (line[i] == '"') strings_.emplace_back(line.substr(i, end - i));
    return end;
  }

  /// A preprocessor's number: `1'000.5e+3f`.
  static std::size_t number(std::string_view line, std::size_t i) {
    while (i < line.size()) {
      const char next = i + 1 < line.size() ? line[i + 1] : ' ';
      const bool has_sign =
          std::string_view("eEpP").find(line[i]) != std::string_view::npos && (next == '+' || next == '-');
      if (has_sign || (line[i] == '\'' && goes_on(next)))
        i += 2;
      else if (goes_on(line[i]) || line[i] == '.')
        ++i;
      else
        break;
    }
    return i;
  }

  std::size_t raw_string(std::string_view line, std::size_t i) {
    const std::size_t end = line.find(raw_end_, i);
    strings_.back() += line.substr(i, end == std::string_view::npos ? end : end - i);
    if (end == std::string_view::npos) return line.size();
    const std::size_t behind = end + raw_end_.size();
    raw_end_.clear();
    return behind;
  }

  std::function<void(std::string_view)> name_;
  std::vector<std::string> strings_;
  std::string raw_end_;  ///< what ends the raw string that the last line left open
};

/// The `number`-th line.
std::string_view line_of(std::string_view text, int number) {
  std::string_view line;
  for (int i = 0; i < number && !text.empty(); ++i) line = take_line(text);
  return line;
}

/// `<vector>` of a directive that includes by that name, else nothing.
std::string_view header_in(std::string_view directive) {
  const std::size_t hash = directive.find_first_not_of(" \t");
  if (hash == std::string_view::npos || directive[hash] != '#') return {};
  const std::size_t word = directive.find_first_not_of(" \t", hash + 1);
  if (word == std::string_view::npos || !directive.substr(word).starts_with("include")) return {};
  const std::size_t open = directive.find_first_not_of(" \t", word + 7);
  if (open == std::string_view::npos || (directive[open] != '<' && directive[open] != '"')) return {};
  const std::size_t close = directive.find(directive[open] == '<' ? '>' : '"', open + 1);
  return close == std::string_view::npos ? std::string_view() : directive.substr(open, close - open + 1);
}

bool is_file_of(std::string_view header, std::string_view file) {
  return header.size() > 2 && file.ends_with("/" + std::string(header.substr(1, header.size() - 2)));
}

/// Walks through the expanded text and hands on what is the program's own.
class own_text {
 public:
  own_text(std::string_view own_headers, const file_reader& read)
      : own_headers_(own_headers), read_(read), tokens_([this](std::string_view name) { note(name); }) {}

  void walk(std::string_view text) {
    while (!text.empty()) {
      const std::string_view line = take_line(text);
      const bool is_outside = !tokens_.is_in_raw_string();
      if (line_marker m; is_outside && m.parse(line)) {
        follow(std::move(m));
      } else if (is_outside && line.starts_with("#")) {
        if (is_own()) directive(line);
        ++at_.line;
      } else {
        code(line);
      }
    }
  }

  [[nodiscard]] const std::vector<std::string>& strings() const { return tokens_.strings(); }

  [[nodiscard]] std::string written() const {
    std::string text = known_headers() + hide(names_);
    for (const piece& p : pieces_) {
      if (p.header.empty()) {
        text += p.text;
        continue;
      }
      // Its own macros are what a header of the system may see of a program.
      std::set<std::string_view> others;
      for (const std::string_view name : names_)
        if (!p.macros.contains(name)) others.insert(name);
      for (const std::string_view name : others) text += "#pragma pop_macro(\"" + std::string(name) + "\")\n";
      for (const auto& [name, definition] : p.macros) (text += "#define ").append(definition) += '\n';
      text += "#include " + p.header + '\n';
      for (const auto& [name, definition] : p.macros) (text += "#undef ").append(name) += '\n';
      text += hide(others);
    }
    return text;
  }

 private:
  /// A stretch of text, or a header of the system with the program's macros at that place.
  struct piece {
    std::string text, header;
    std::map<std::string_view, std::string_view> macros = {};
  };

  /// Those that the program includes, and that the emulator's headers had included before: a front end's own may not have.
  [[nodiscard]] std::string known_headers() const {
    std::string text;
    for (const std::string& own : own_files_) {
      const std::string written = read_(own);
      for (std::string_view rest = written; !rest.empty();) {
        const std::string_view header = header_in(take_line(rest));
        const auto is_it = [header](const std::string& file) { return is_file_of(header, file); };
        if (!header.empty() && std::ranges::any_of(entered_, is_it) && std::ranges::none_of(direct_, is_it))
          (text += "#include ").append(header) += '\n';
      }
    }
    return text;
  }

  static std::string hide(const std::set<std::string_view>& names) {
    std::string text;
    for (const std::string_view name : names)
      ((text += "#pragma push_macro(\"").append(name) += "\")\n#undef ").append(name) += '\n';
    return text;
  }

  void note(std::string_view name) {
    if (!is_qualifier(name) && !is_of_the_preprocessor(name)) names_.insert(name);
  }

  /// What the preprocessor takes from a macro of a header carries that header's mark, and is the program's all the same.
  [[nodiscard]] bool is_own() const { return inside_ == 0 && own_files_.contains(at_.file); }

  void follow(line_marker m) {
    if (m.enters && m.system) entered_.insert(m.file);
    if (own_files_.empty() && !m.file.starts_with('<')) own_files_.insert(m.file);
    if (inside_ == 0 && m.enters && is_own()) {
      if (m.system) {
        header_ = m.file;
        direct_.insert(m.file);
        inside_ = 1;
      } else {
        own_files_.insert(m.file);
      }
    } else if (inside_ > 0) {
      inside_ += m.enters ? 1 : m.leaves ? -1 : 0;
      if (inside_ == 0) include(m);
    }
    at_ = std::move(m);
  }

  /// Headers come as the program names them, so that they are the system's for a front end, too.
  void include(const line_marker& back) {
    const auto [text, is_new] = files_.try_emplace(back.file);
    if (is_new) text->second = read_(back.file);
    std::string name(header_in(line_of(text->second, back.line - 1)));
    if (!is_file_of(name, header_)) name.clear();
    if (name.empty() && header_.starts_with(own_headers_) && header_.size() > own_headers_.size())
      name = "<" + header_.substr(own_headers_.size() + 1) + ">";
    if (name.empty()) name = "\"" + header_ + "\"";
    pieces_.push_back({"", name, macros_});
    written_ = {};
  }

  void directive(std::string_view line) {
    constexpr std::string_view define = "#define ", undef = "#undef ", pragma = "#pragma ";
    const auto name_in = [](std::string_view rest) { return rest.substr(0, rest.find_first_of(" (")); };
    if (line.starts_with(define))
      macros_[name_in(line.substr(define.size()))] = line.substr(define.size());
    else if (line.starts_with(undef))
      macros_.erase(name_in(line.substr(undef.size())));
    else if (line.starts_with(pragma) && !line.starts_with("#pragma push_macro") &&
             !line.starts_with("#pragma pop_macro"))
      write(line, at_.line);
  }

  void code(std::string_view line) {
    const int number = at_.line++;
    if (!is_own()) return;
    if (!tokens_.is_in_raw_string() && line.find_first_not_of(" \t") == std::string_view::npos) return;
    write(line, number);
    tokens_.read(line);
  }

  void write(std::string_view line, int number) {
    if (pieces_.empty() || !pieces_.back().header.empty()) pieces_.emplace_back();
    std::string& out = pieces_.back().text;
    if (!tokens_.is_in_raw_string() && written_ != std::pair(at_.file, number)) {
      std::string name;
      for (const char c : at_.file) (c == '"' || c == '\\' ? name += '\\' : name) += c;
      out += "# " + std::to_string(number) + " \"" + name + "\"\n";
    }
    (out += line) += '\n';
    written_ = {at_.file, number + 1};
  }

  std::string_view own_headers_;
  const file_reader& read_;
  token_reader tokens_;
  std::vector<piece> pieces_;
  std::set<std::string_view> names_;  ///< the program's own, no macros any more
  std::map<std::string_view, std::string_view> macros_;
  std::map<std::string, std::string> files_;
  std::set<std::string> own_files_;
  std::set<std::string> entered_, direct_;  ///< headers of the system, and those that the program includes itself
  line_marker at_;
  std::string header_;
  int inside_ = 0;                       ///< depth in a header of the system
  std::pair<std::string, int> written_;  ///< the place of the next line, if it follows the last
};

}  // namespace

std::string with_qualifiers_kept(std::string_view preprocessed, const std::string& source) {
  std::string name;
  for (const char c : source) (c == '"' || c == '\\' ? name += '\\' : name) += c;
  const std::string begin = "\n# 1 \"" + name + "\"\n";
  const std::size_t own = preprocessed.find(begin);
  if (own == std::string_view::npos) return std::string(preprocessed);
  std::string text(preprocessed.substr(0, own + 1));
  text += "# 1 \"<qualifiers>\"\n";
  const auto keep = [&text](std::string_view word, std::string_view parameters, std::string_view arguments) {
    for (const std::string_view part : {std::string_view("#undef "), word, std::string_view("\n#define "), word,
                                        parameters, std::string_view(" "), word, arguments, std::string_view("\n")})
      text += part;
  };
  for (const std::string_view word : objects) keep(word, "", "");
  for (const std::string_view word : functions) keep(word, "(...)", "(__VA_ARGS__)");
  return text.append(preprocessed.substr(own + 1));
}

std::string front_end_source(std::string_view expanded, std::string_view own_headers, const file_reader& read) {
  own_text text(own_headers, read);
  text.walk(expanded);
  return text.written();
}

std::vector<std::string> strings_of(std::string_view expanded) {
  const file_reader nothing = [](const std::string&) { return std::string(); };
  own_text text("", nothing);
  text.walk(expanded);
  return text.strings();
}

bool hold_qualifiers(const std::vector<std::string>& strings) {
  const auto has = [](const std::string& text, const auto& words) {
    return std::ranges::any_of(words, [&](std::string_view word) { return text.find(word) != std::string::npos; });
  };
  return std::ranges::any_of(strings, [&](const std::string& s) { return has(s, objects) || has(s, functions); });
}

}  // namespace simtlab::emulator
