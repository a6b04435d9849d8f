#include "translator/conditional_groups.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

namespace simtlab::emulator {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

/// Takes the first word off `text`.
std::string_view take_word(std::string_view& text) {
  text.remove_prefix(static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_blank) - text.begin()));
  const auto length = static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_word) - text.begin());
  const std::string_view word = text.substr(0, length);
  text.remove_prefix(length);
  return word;
}

/// Whether a line begins inside a comment or a raw string, where it holds no directive.
class line_state {
 public:
  [[nodiscard]] bool is_inside() const { return in_comment_ || !raw_end_.empty(); }

  void pass(std::string_view line) {
    for (std::size_t at = 0; at < line.size();) {
      const std::string_view rest = line.substr(at);
      if (is_inside()) {
        const std::string_view end = in_comment_ ? std::string_view("*/") : std::string_view(raw_end_);
        const std::size_t found = rest.find(end);
        if (found == std::string_view::npos) return;
        at += found + end.size();
        in_comment_ = false;
        raw_end_.clear();
      } else if (rest.starts_with("//")) {
        return;
      } else if (rest.starts_with("/*")) {
        in_comment_ = true;
        at += 2;
      } else if (rest.starts_with("R\"") && rest.find('(') != std::string_view::npos) {
        raw_end_ = ")" + std::string(rest.substr(2, rest.find('(') - 2)) + "\"";
        at += rest.find('(') + 1;
      } else if (rest[0] == '"' || (rest[0] == '\'' && (at == 0 || !is_word(line[at - 1])))) {
        at += literal(rest);
      } else {
        ++at;
      }
    }
  }

 private:
  static std::size_t literal(std::string_view text) {
    for (std::size_t i = 1; i < text.size(); ++i) {
      if (text[i] == '\\')
        ++i;
      else if (text[i] == text[0])
        return i + 1;
    }
    return text.size();
  }

  bool in_comment_ = false;
  std::string raw_end_;  ///< `)delimiter"`; empty outside of raw strings
};

class filter {
 public:
  explicit filter(std::string_view predefined) {
    for_lines(predefined, [this](std::string_view line) {
      if (line.starts_with("#define")) define(line.substr(7));
    });
  }

  std::string run(std::string_view text) {
    out_.reserve(text.size());
    bool continues = false;
    for_lines(text, [&](std::string_view line) {
      const bool may_direct = !state_.is_inside() && !continues;
      if (!(may_direct && is_condition(line)) && is_active()) out_ += line;
      out_ += '\n';
      state_.pass(line);
      continues = line.ends_with('\\');
    });
    return std::move(out_);
  }

 private:
  struct group {
    bool active, taken;
  };

  template <class Visit>
  static void for_lines(std::string_view text, Visit visit) {
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      visit(text.substr(at, end - at));
      at = end + 1;
    }
  }

  [[nodiscard]] bool is_active() const { return groups_.empty() || groups_.back().active; }
  void define(std::string_view rest) { defined_.emplace(take_word(rest)); }

  /// True if the line is a condition, which is acted upon; macros that come and go are noted.
  bool is_condition(std::string_view line) {
    line.remove_prefix(static_cast<std::size_t>(std::find_if_not(line.begin(), line.end(), is_blank) - line.begin()));
    if (!line.starts_with('#')) return false;
    line.remove_prefix(1);
    const std::string_view word = take_word(line);
    if (word == "define" && is_active()) {
      define(line);
    } else if (word == "undef" && is_active()) {
      defined_.erase(std::string(take_word(line)));
    } else if (word == "if" || word == "ifdef" || word == "ifndef") {
      const bool holds = is_active() && condition(word, line);
      groups_.push_back({holds, holds || !is_active()});
      return true;
    } else if (word.starts_with("el") && !groups_.empty()) {
      group& g = groups_.back();
      g.active = !g.taken && (word == "else" || condition(word.substr(2), line));
      g.taken |= g.active;
      return true;
    } else if (word == "endif" && !groups_.empty()) {
      groups_.pop_back();
      return true;
    }
    return false;
  }

  [[nodiscard]] bool condition(std::string_view kind, std::string_view rest) const {
    const std::string_view word = take_word(rest);
    if (kind == "ifdef") return defined_.contains(std::string(word));
    if (kind == "ifndef") return !defined_.contains(std::string(word));
    return word != "0";
  }

  std::unordered_set<std::string> defined_;
  std::vector<group> groups_;
  line_state state_;
  std::string out_;
};

}  // namespace

std::string without_inactive_groups(std::string_view text, std::string_view predefined) {
  return filter(predefined).run(text);
}

}  // namespace simtlab::emulator
