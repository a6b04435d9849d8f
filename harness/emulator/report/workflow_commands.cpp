#include "report/workflow_commands.h"

#include "report/escapes.h"
#include "report/finding_layout.h"

namespace simtlab::emulator {
namespace {

const char* command_of(severity s) {
  switch (s) {
    case severity::note:
      return "notice";
    case severity::warning:
      return "warning";
    case severity::error:
      return "error";
  }
  return "error";
}

}  // namespace

std::string workflow_commands(const std::vector<finding>& findings, const source_paths& paths) {
  std::string text;
  for (const finding& f : findings) {
    text += std::string("::") + command_of(f.level) + " file=" + command_property(paths.path_of(f.first));
    if (f.first.where.line > 0) text += ",line=" + std::to_string(f.first.where.line);
    text += ",title=" + command_property("simtlab: " + title_text(f)) + "::" + command_message(details_text(f)) + "\n";
  }
  return text;
}

}  // namespace simtlab::emulator
