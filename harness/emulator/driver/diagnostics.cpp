#include "driver/diagnostics.h"

#include <fstream>
#include <set>
#include <sstream>
#include <string_view>
#include <vector>

#include "driver/hints.h"
#include "translator/unsupported_headers.h"

namespace simtlab::emulator {
namespace {

bool contains(std::string_view text, std::string_view what) { return text.find(what) != std::string_view::npos; }

/// ld's `(.text._Z1kv+0x4): ` behind the name of an object.
std::string without_places_in_objects(std::string text) {
  for (std::size_t at = text.find("(.text"); at != std::string::npos; at = text.find("(.text", at)) {
    const std::size_t close = text.find(')', at);
    if (close != std::string::npos && text.compare(close, 3, "): ") == 0) text.replace(at, close + 3 - at, " ");
    ++at;
  }
  return text;
}

/// A line of context that is indented as excerpts are: `    inlined from 'int main()' at a.cu:3:28:`.
bool is_inlined(std::string_view line) { return line.starts_with("    inlined from "); }

/// `file:line:column: rest` or `file:line: rest`.
struct place {
  std::string file;
  int line = 0, column = 0;
  std::string rest;
  bool valid = false;
};

int take_number(std::string_view text, std::size_t& at) {
  int n = 0;
  const std::size_t begin = at;
  while (at < text.size() && text[at] >= '0' && text[at] <= '9' && at - begin < 9) n = n * 10 + (text[at++] - '0');
  return at == begin ? 0 : n;
}

place place_of(const std::string& text) {
  place p;
  for (std::size_t colon = text.find(':'); colon != std::string::npos; colon = text.find(':', colon + 1)) {
    std::size_t at = colon + 1;
    const int line = take_number(text, at);
    if (line == 0 || at >= text.size() || (text[at] != ':' && text[at] != ',')) continue;
    p.file = text.substr(0, colon);
    p.line = line;
    std::size_t behind = at + 1;
    const int column = take_number(text, behind);
    if (column != 0 && behind < text.size() && text[behind] == ':') {
      p.column = column;
      at = behind;
    }
    p.rest = text.substr(std::min(at + 1, text.size()));
    p.valid = !p.file.empty();
    return p;
  }
  return p;
}

struct message {
  std::vector<std::string> context;  ///< lines above: `In function ..`, `required from ..`, `In file included from ..`
  place where;
  std::string kind;  ///< error, warning, note; empty: a line of another form, in `text`
  std::string text;
  std::vector<std::string> excerpt;
};

/// g++'s output as messages.
class reader {
 public:
  explicit reader(const std::string& text) {
    std::istringstream in(text);
    std::string line;
    while (std::getline(in, line)) read(line);
    for (const std::string& c : context_) messages.push_back(plain(c));
  }
  std::vector<message> messages;

 private:
  static message plain(const std::string& line) { return {{}, {}, {}, line, {}}; }

  static bool is_context(const std::string& line) {
    return line.starts_with("In file included from") || line.starts_with("                 from ") ||
           contains(line, ": In ") || contains(line, ": At global scope") || contains(line, ":   required ") ||
           contains(line, ": recursively required") || contains(line, ": in function `") || is_inlined(line) ||
           (line.starts_with("In ") && line.ends_with("',"));  // of what is inlined in the file of the message before
  }

  void read(const std::string& line) {
    if (line.empty() || line == "compilation terminated.") return;
    if (line[0] == ' ' && !line.starts_with("                 from ") && !is_inlined(line)) {
      if (!messages.empty()) messages.back().excerpt.push_back(line);
      return;
    }
    place p = place_of(line);
    for (const std::string_view kind : {"fatal error", "error", "warning", "note", "sorry, unimplemented"}) {
      const std::string mark = " " + std::string(kind) + ": ";
      if (!p.valid || !p.rest.starts_with(mark)) continue;
      message m{std::move(context_),
                p,
                kind == "note" || kind == "warning" ? std::string(kind) : "error",
                p.rest.substr(mark.size()),
                {}};
      context_.clear();
      messages.push_back(std::move(m));
      return;
    }
    if (is_context(line)) {
      context_.push_back(line);
    } else if (const std::size_t first = line.find("; ");
               contains(line, "multiple definition of") && first != line.npos) {
      read_second_definition(line, line.substr(first + 2));
    } else if (p.valid && (contains(line, "undefined reference to") || contains(line, "multiple definition of"))) {
      messages.push_back({{}, p, "error", p.rest.substr(p.rest.find_first_not_of(' ')), {}});
      context_.clear();
    } else {
      messages.push_back(plain(line));
    }
  }

  /// `lab.o: multiple definition of `main'; program.o:kernel.cu:60: first defined here`: the program's own objects come
  /// first on the linker's command line, so that what is first defined is the user's.
  void read_second_definition(const std::string& line, std::string_view own) {
    if (const std::size_t object = own.rfind(".o:"); object != own.npos) own.remove_prefix(object + 3);
    const std::size_t begin = line.find("multiple definition of");
    messages.push_back(
        {{}, place_of(std::string(own)), "error", line.substr(begin, line.find(';', begin) - begin), {}});
    context_.clear();
  }

  std::vector<std::string> context_;
};

class writer {
 public:
  explicit writer(const diagnostic_context& context) : context_(context) {}

  void write(message m) {
    if (m.kind.empty()) return write_other(m.text);
    if (contains(m.text, "'no_icf'") || contains(m.text, "'no_profile_instrument_function'")) return;  // a qualifier's
    const bool ours = is_ours(m.where.file);
    if (m.kind == "note") {
      // What is indented explains the note above it.
      const bool detail = m.text.starts_with("  ");
      const bool internal = ours || contains(m.text, "simtlab") || contains(m.text, "<lambda(auto");
      note_hidden_ = internal || (detail && note_hidden_);
      if (!last_was_hidden_ && !note_hidden_) print(m);
      return;
    }
    last_was_hidden_ = false;
    note_hidden_ = false;
    if (contains(m.text, "No such file")) move_to_unsupported_header(m);
    if (ours && !move_to_user(m)) {
      // g++ tells of each overload that does not fit; the error itself was told before.
      last_was_hidden_ = !seen_.empty();
      if (last_was_hidden_) return;
      m.excerpt.clear();
    }
    const std::string line = m.where.file + ':' + std::to_string(m.where.line) + ':';
    if (line == misspelled_launch_) {
      last_was_hidden_ = true;
      return;
    }
    if (std::string told = in_cuda_words(m.text); told != m.text) {
      if (told == misspelled_launch) misspelled_launch_ = line;
      m.text = std::move(told);
      m.excerpt = excerpt_of(m.where);
      last_was_hidden_ = true;
    }
    const std::string key = line + m.kind + m.text;
    if (!seen_.insert(key).second) {
      last_was_hidden_ = true;
      return;
    }
    print(m);
    print_hint(shown(m.where.file) + ':' + std::to_string(m.where.line) + ": ", m.text);
  }

  std::ostringstream out;

 private:
  [[nodiscard]] bool is_ours(const std::string& file) const {
    return (!context_.include.empty() && file.starts_with(context_.include)) ||
           (!context_.folder.empty() && file.starts_with(context_.folder));
  }

  /// The file as the user named it.
  [[nodiscard]] std::string shown(const std::string& file) const {
    for (const std::string& source : context_.sources)
      if (file.size() > source.size() && file.ends_with("/" + source)) return source;
    return file.starts_with("/usr/bin/ld: ") ? file.substr(13) : file;
  }

  /// The place that a line of context names.
  static place place_in(const std::string& line) {
    return place_of(line.starts_with("                 from ")   ? line.substr(22)
                    : line.starts_with("In file included from ") ? line.substr(22)
                    : is_inlined(line)                           ? line.substr(line.rfind("' at ") + 5)
                                                                 : line);
  }

  /// Some machines have headers of libraries that the emulator does not have. What these miss in turn is not the program's
  /// fault: the message is about the first of them, at the line that includes it.
  static void move_to_unsupported_header(message& m) {
    for (std::size_t i = 0; i + 1 < m.context.size(); ++i) {
      const std::string file = place_in(m.context[i]).file;
      const std::string_view why = why_unsupported(file);
      const place user = place_in(m.context[i + 1]);
      if (why.empty() || !user.valid || !why_unsupported(user.file).empty()) continue;
      m.where = user;
      m.text = "the header " + file.substr(file.rfind('/') + 1) + ". " + std::string(why);
      m.excerpt = excerpt_of(user);
      m.context.clear();
      return;
    }
  }

  /// A message inside the emulator's headers belongs to the line that used them.
  bool move_to_user(message& m) const {
    for (const std::string& line : m.context) {
      const place p = place_in(line);
      if (!p.valid || is_ours(p.file)) continue;
      m.where = p;
      m.excerpt = excerpt_of(p);
      m.context.clear();
      return true;
    }
    return false;
  }

  static std::vector<std::string> excerpt_of(const place& p) {
    std::istringstream lines(diagnostic(p.file, p.line, p.column, "", ""));
    std::vector<std::string> result;
    std::string line;
    std::getline(lines, line);  // the message
    while (std::getline(lines, line)) result.push_back(line);
    return result;
  }

  [[nodiscard]] bool is_internal(const std::string& context) const {
    return contains(context, "simtlab") || is_inlined(context) || contains(context, "In lambda function") ||
           contains(context, "<lambda(auto") || is_ours(place_of(context).file) ||
           (!context_.include.empty() && contains(context, context_.include));
  }

  void print(const message& m) {
    bool inside = false;  // a launch's own code: what it was instantiated from is the launch itself
    for (const std::string& c : m.context) inside = inside || is_internal(c);
    for (const std::string& c : m.context) {
      if (is_internal(c) || c == last_context_ || (inside && contains(c, "required from"))) continue;
      out << c << '\n';
      last_context_ = c;
    }
    out << shown(m.where.file) << ':' << m.where.line << ':';
    if (m.where.column > 0) out << m.where.column << ':';
    out << ' ' << m.kind << ": " << m.text << '\n';
    for (const std::string& line : m.excerpt)
      if (!contains(line, "simtlab")) out << line << '\n';
  }

  void print_hint(const std::string& where, const std::string& text) {
    const std::string hint = hint_for(text);
    if (hint.empty() || !hinted_.insert(hint).second) return;
    out << where << "hint: " << hint << (hint.back() == '?' ? "\n" : ".\n");
  }

  void write_other(const std::string& text) {
    if (contains(text, "collect2: error") || contains(text, ": in function `") ||
        contains(text, "cc1plus: some warnings"))
      return;
    if (contains(text, "undefined reference to") || contains(text, "cannot find")) {
      if (!seen_.insert(text).second) return;
      out << "error: " << without_places_in_objects(text.substr(contains(text, "ld: ") ? text.find("ld: ") + 4 : 0))
          << '\n';
      print_hint("", text);
      return;
    }
    out << text << '\n';
  }

  const diagnostic_context& context_;
  std::set<std::string> seen_, hinted_;
  std::string last_context_;
  std::string misspelled_launch_;  ///< `file:line:` of the last one
  bool last_was_hidden_ = false;   ///< of the last error or warning
  bool note_hidden_ = false;
};

}  // namespace

std::string readable_diagnostics(const std::string& text, const diagnostic_context& context) {
  if (text.empty()) return {};
  reader in(text);
  writer out(context);
  for (message& m : in.messages) out.write(std::move(m));
  return out.out.str();
}

std::string diagnostic(const std::string& file, int line, int column, const std::string& kind,
                       const std::string& message) {
  std::ostringstream out;
  out << file << ':';
  if (line > 0) out << line << ':';
  if (column > 0) out << column << ':';
  out << ' ' << kind << ": " << message << '\n';
  std::ifstream in(file);
  std::string text;
  for (int i = 0; i < line && in; ++i) std::getline(in, text);
  if (!in || line <= 0) return out.str();
  const std::string number = std::to_string(line);
  const std::string margin(number.size() < 5 ? 5 - number.size() : 0, ' ');
  out << margin << number << " | " << text << '\n';
  if (column > 0 && static_cast<std::size_t>(column) <= text.size() + 1) {
    std::string blanks = text.substr(0, static_cast<std::size_t>(column) - 1);
    for (char& c : blanks)
      if (c != '\t') c = ' ';
    out << std::string(margin.size() + number.size(), ' ') << " | " << blanks << "^\n";
  }
  return out.str();
}

}  // namespace simtlab::emulator
