#include "translator/cold_paths.h"

#include <algorithm>
#include <array>
#include <utility>

namespace simtlab::emulator {
namespace {

/// Whether what follows lies in another section or function, where no unwind rules tell the function's end.
bool ends_code(std::string_view line) {
  constexpr std::array<std::string_view, 5> ends{"\t.size\t", "\t.section\t", "\t.text", "\t.data", "\t.bss"};
  return std::any_of(ends.begin(), ends.end(), [line](std::string_view e) { return line.starts_with(e); });
}

/// Without `view .LVU7`, which may be written once.
std::string_view without_view(std::string_view line) { return line.substr(0, line.find(" view ")); }

}  // namespace

void cold_paths::look_at(std::string_view line, std::string& out) {
  if (!line.starts_with("\t.")) return;
  if (line.starts_with("\t.cfi_endproc") || (!in_function_ && ends_code(line))) write(out);
  if (line.starts_with("\t.loc\t") || line.starts_with("\t.loc ")) line_ = without_view(line);
  if (line.starts_with("\t.cfi_")) look_at_rule(line);
}

void cold_paths::look_at_rule(std::string_view directive) {
  if (directive.starts_with("\t.cfi_startproc")) {
    in_function_ = true;
    rules_.clear();
    remembered_.clear();
  } else if (directive.starts_with("\t.cfi_remember_state")) {
    remembered_.push_back(rules_);
  } else if (directive.starts_with("\t.cfi_restore_state")) {
    if (remembered_.empty()) return;
    rules_ = std::move(remembered_.back());
    remembered_.pop_back();
  } else if (directive.starts_with("\t.cfi_endproc")) {
    in_function_ = false;
    rules_.clear();
  } else if (!directive.starts_with("\t.cfi_personality") && !directive.starts_with("\t.cfi_lsda")) {
    rules_.push_back(directive);
  }
}

void cold_paths::add(std::string code) { paths_.push_back({line_, rules_, std::move(code)}); }

void cold_paths::write(std::string& out) {
  for (const path& p : paths_) {
    if (p.rules != rules_) {
      out += "\t.cfi_def_cfa 7, 8\n";  // as at a function's first instruction
      for (const std::string_view rule : p.rules) (out += rule) += '\n';
      rules_ = p.rules;
    }
    if (!p.line.empty()) (out += p.line) += '\n';
    out += p.code;
  }
  paths_.clear();
}

}  // namespace simtlab::emulator
