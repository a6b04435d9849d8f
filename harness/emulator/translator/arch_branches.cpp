#include "translator/arch_branches.h"

#include <cctype>
#include <cstdint>
#include <functional>

#include "translator/lexer.h"

namespace simtlab::emulator {
namespace {

constexpr std::string_view chosen_by = "__CUDA_ARCH__";

bool has(std::string_view text, std::string_view what) { return text.find(what) != std::string_view::npos; }

enum class scope : std::uint8_t { file, host, both, device };

/// What a brace opens, by the text in front of it.
scope opened_by(std::string_view head, scope around) {
  if (around != scope::file) return around;
  if (has(head, "__global__")) return scope::device;
  if (has(head, "__device__")) return has(head, "__host__") ? scope::both : scope::device;
  return has(head, "(") && !has(head, "=") ? scope::host : scope::file;
}

class branch_scanner {
 public:
  explicit branch_scanner(std::string_view source) : source_(source) {}

  arch_choices run() {
    while (at_ < source_.size()) step();
    return std::move(found_);
  }

 private:
  struct condition {
    bool by_arch = false;
    int line = 0;
    bool told = false;
    std::vector<scope> scopes;  ///< where it begins
  };

  void step() {
    const char c = source_[at_];
    if (c == '\n') {
      ++line_;
      line_begins_ = true;
      ++at_;
    } else if (source_.substr(at_, 2) == "//") {
      at_ = std::min(source_.find('\n', at_), source_.size());
    } else if (source_.substr(at_, 2) == "/*") {
      skip_to(std::min(source_.find("*/", at_ + 2), source_.size() - 2) + 2);
    } else if (c == '"' || c == '\'') {
      skip_quoted(c);
    } else if (c == '#' && line_begins_) {
      directive();
    } else if (is_in_name(c)) {
      word();
    } else {
      line_begins_ = line_begins_ && std::isspace(static_cast<unsigned char>(c)) != 0;
      if (c == '{') open();
      if (c == '}' && !scopes_.empty()) scopes_.pop_back();
      if (c == '{' || c == '}' || c == ';')
        head_.clear();
      else
        head_ += c;
      ++at_;
    }
  }

  void skip_to(std::size_t end) {
    for (; at_ < end && at_ < source_.size(); ++at_) line_ += source_[at_] == '\n' ? 1 : 0;
  }

  void skip_quoted(char quote) {
    const std::size_t begin = at_;
    for (++at_; at_ < source_.size() && source_[at_] != quote && source_[at_] != '\n'; ++at_)
      if (source_[at_] == '\\') ++at_;
    at_ = std::max(begin + 1, std::min(at_ + 1, source_.size()));
    if (source_[at_ - 1] == '\n') --at_;
    line_begins_ = false;
  }

  void word() {
    const std::size_t begin = at_;
    while (at_ < source_.size() && is_in_name(source_[at_])) ++at_;
    const std::string_view text = source_.substr(begin, at_ - begin);
    head_ += text;
    line_begins_ = false;
    if (here() == scope::device) return;
    const bool is_chosen_macro = macros_.contains(text);
    if (is_chosen_macro || in_choice()) found_.lines.insert(line_);
    const bool on_host = here() == scope::host || here() == scope::both;
    if (on_host && is_chosen_macro && told_macros_.emplace(text).second)
      tell(line_, "'" + std::string(text) + "' is chosen by __CUDA_ARCH__: host code gets the device's here, too");
  }

  [[nodiscard]] scope here() const { return scopes_.empty() ? scope::file : scopes_.back(); }

  void open() {
    scopes_.push_back(opened_by(head_, here()));
    if (scopes_.back() != scope::host || (scopes_.size() > 1 && scopes_[scopes_.size() - 2] == scope::host)) return;
    tell_group("what it declares for the host is left out where it is the host's branch");
  }

  void tell_group(const std::string& what) {
    for (condition& c : conditions_) {
      if (!c.by_arch || c.told) continue;
      c.told = true;
      tell(c.line, what);
    }
  }

  void tell(int line, const std::string& what) {
    found_.met_by_host.push_back({line,
                                  "host and device code are compiled in one pass, which takes the device's branch of "
                                  "`__CUDA_ARCH__`: " +
                                      what});
  }

  void directive() {
    const int line = line_;
    std::string text;
    for (; at_ < source_.size() && source_[at_] != '\n'; ++at_) {
      if (source_[at_] == '\\' && at_ + 1 < source_.size() && source_[at_ + 1] == '\n') {
        ++at_;
        ++line_;
      }
      text += source_[at_];
    }
    std::size_t begin = text.find_first_not_of(" \t", 1);
    if (begin == std::string::npos) return;
    std::size_t end = begin;
    while (end < text.size() && is_in_name(text[end])) ++end;
    const std::string name = text.substr(begin, end - begin);
    if (name.starts_with("if")) {
      conditions_.push_back({has(text, chosen_by), line, false, scopes_});
      if (conditions_.back().by_arch) enter(conditions_.back());
    } else if ((name == "else" || name.starts_with("elif")) && !conditions_.empty()) {
      scopes_ = conditions_.back().scopes;
    } else if (name == "endif" && !conditions_.empty()) {
      conditions_.pop_back();
    } else if (name == "define" && in_choice()) {
      begin = text.find_first_not_of(" \t", end);
      end = begin;
      while (end < text.size() && is_in_name(text[end])) ++end;
      if (begin != std::string::npos) macros_.insert(text.substr(begin, end - begin));
    }
  }

  [[nodiscard]] bool in_choice() const {
    for (const condition& c : conditions_)
      if (c.by_arch) return true;
    return false;
  }

  void enter(condition& c) {
    c.told = here() == scope::host || here() == scope::both;
    if (here() == scope::host)
      tell(c.line, "this host function runs it, too. Write the host's version without the condition");
    if (here() == scope::both)
      tell(c.line,
           "where the host calls this function, it runs it, too. Give the host's version a function of its own");
  }

  std::string_view source_;
  std::size_t at_ = 0;
  int line_ = 1;
  bool line_begins_ = true;
  std::string head_;
  std::vector<scope> scopes_;
  std::vector<condition> conditions_;
  std::set<std::string, std::less<>> macros_, told_macros_;
  arch_choices found_;
};

}  // namespace

arch_choices arch_branches(std::string_view source) {
  if (!has(source, chosen_by)) return {};
  return branch_scanner(source).run();
}

}  // namespace simtlab::emulator
