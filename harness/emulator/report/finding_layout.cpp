#include "report/finding_layout.h"

#include <array>
#include <set>

namespace simtlab::emulator {
namespace {

constexpr std::size_t text_width = 100;

std::string line_text(const source_line& at) {
  if (at.file.empty()) return "unknown line";
  return at.line == 0 ? at.file : at.file + ":" + std::to_string(at.line);
}

std::string triple(const coordinates& c) {
  return "(" + std::to_string(c.x) + "," + std::to_string(c.y) + "," + std::to_string(c.z) + ")";
}

std::string place_text(const finding& f, const finding_place& p) {
  const std::string who = !p.has_thread && !f.kernel.empty() ? "a thread" : thread_text(p);
  const std::string where = p.where.line == 0 ? "" : line_text(p.where) + ": ";
  if (f.what == rule::unsynchronised_host_access) return "  " + where + p.action + "\n";
  return "  " + where + who + " " + p.action + "\n";
}

/// Breaks at spaces so that no line is longer than `text_width` unless one word is.
std::string wrapped(const std::string& text, const std::string& indent) {
  std::string result, line = indent;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = text.find_first_of(" \n", at);
    const std::string word = text.substr(at, end - at);
    if (line.size() > indent.size() && line.size() + 1 + word.size() > text_width) {
      result += line + "\n";
      line = indent;
    }
    if (line.size() > indent.size()) line += ' ';
    line += word;
    if (end == std::string::npos) break;
    if (text[end] == '\n') {
      result += line + "\n";
      line = indent;
    }
    at = end + 1;
  }
  return line.size() > indent.size() ? result + line + "\n" : result;
}

}  // namespace

std::string thread_text(const finding_place& p) {
  if (p.has_thread) return "thread " + triple(p.thread) + " of block " + triple(p.block);
  return "the program";
}

std::string counted_text(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : noun.ends_with("ch") ? "es" : "s");
}

namespace {

std::string heading_text(const finding& f) {
  std::string text = line_text(f.first.where) + ": " + severity_name(f.level) + ": " + title_text(f) + "\n";
  for (const finding_place* p : {&f.first, &f.second}) {
    if (!p->action.empty()) text += place_text(f, *p);
  }
  return text;
}

}  // namespace

std::string title_text(const finding& f) {
  std::string text = rule_name(f.what);
  if (!f.variable.empty()) text += " of " + f.variable;
  if (!f.kernel.empty()) text += " in kernel " + f.kernel;
  if (f.count > 1) text += " (" + std::to_string(f.count) + " times)";
  return text;
}

std::string details_text(const finding& f) {
  std::string text;
  for (const finding_place* p : {&f.first, &f.second})
    if (!p->action.empty()) text += place_text(f, *p).substr(2);
  return text + f.message;
}

std::string finding_text(const finding& f) { return heading_text(f) + wrapped(f.message, "    "); }

std::string findings_text(const std::vector<finding>& findings) {
  std::set<std::string> told;
  std::string text;
  for (const finding& f : findings) {
    text += told.insert(f.message).second ? finding_text(f) : heading_text(f) + "    As said above.\n";
    text += "\n";
  }
  return text;
}

std::string summary_text(const report& r) {
  std::array<std::size_t, 3> of_severity{};
  for (const finding& f : r.findings) ++of_severity[static_cast<std::size_t>(f.level)];
  std::set<std::string> kernels;
  for (const launch_report& l : r.launches) kernels.insert(l.kernel);
  std::string text = "simtlab: " + counted_text(of_severity[static_cast<std::size_t>(severity::error)], "error") +
                     ", " + counted_text(of_severity[static_cast<std::size_t>(severity::warning)], "warning");
  if (const std::size_t notes = of_severity[static_cast<std::size_t>(severity::note)]; notes > 0)
    text += ", " + counted_text(notes, "note");
  return text + "; " + counted_text(r.launches.size(), "launch") + " of " + counted_text(kernels.size(), "kernel") +
         "\n";
}

}  // namespace simtlab::emulator
