#include "report/junit.h"

#include <cstddef>
#include <set>

#include "report/escapes.h"
#include "report/finding_layout.h"

namespace simtlab::emulator {
namespace {

std::string attribute(const char* name, const std::string& value) {
  return std::string(" ") + name + "=\"" + xml_escaped(value) + "\"";
}

class junit_writer {
 public:
  junit_writer(const report& r, const program_end& end, const source_paths& paths)
      : report_(r), end_(end), paths_(paths), suite_(std::filesystem::path(end.program).filename().string()) {}

  std::string write() {
    write_end();
    write_kernels();
    std::string others;
    for (const finding& f : report_.findings) {
      if (f.level == severity::error)
        write_failure(f);
      else
        others += finding_text(f) + "\n";
    }
    const std::string counts = attribute("tests", std::to_string(tests_)) +
                               attribute("failures", std::to_string(failures_)) +
                               attribute("errors", end_.ended ? "0" : "1");
    std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" + counts + ">\n  <testsuite" +
                       attribute("name", suite_) + counts + attribute("skipped", "0") + ">\n" + cases_;
    if (!others.empty()) text += "    <system-out>" + xml_escaped(others) + "</system-out>\n";
    return text + "  </testsuite>\n</testsuites>\n";
  }

 private:
  void write_case(const std::string& group, const std::string& name, const std::string& inside,
                  const std::string& more = "") {
    ++tests_;
    cases_ += "    <testcase" + attribute("classname", suite_ + "." + group) + attribute("name", name) + more;
    cases_ += inside.empty() ? "/>\n" : ">\n      " + inside + "\n    </testcase>\n";
  }

  void write_end() {
    write_case("program", "the program ends",
               end_.ended ? "" : "<error" + attribute("message", "a fault or a signal ended the program") + "/>");
  }

  void write_kernels() {
    std::set<std::string> kernels;
    for (const launch_report& l : report_.launches) kernels.insert(l.kernel);
    for (const finding& f : report_.findings)
      if (f.level == severity::error) kernels.erase(f.kernel);
    for (const std::string& kernel : kernels) write_case(kernel, "no error", "");
  }

  void write_failure(const finding& f) {
    ++failures_;
    const std::string path = paths_.path_of(f.first);
    const std::string line = std::to_string(f.first.where.line);
    const bool has_line = f.first.where.line > 0;
    const std::string what = rule_name(f.what) + (f.variable.empty() ? "" : " of " + f.variable);
    write_case(f.kernel.empty() ? "host" : f.kernel, what + " at " + path + (has_line ? ":" + line : ""),
               "<failure" + attribute("type", rule_name(f.what)) + attribute("message", title_text(f)) + ">" +
                   xml_escaped(details_text(f)) + "</failure>",
               attribute("file", path) + (has_line ? attribute("line", line) : ""));
  }

  const report& report_;
  const program_end& end_;
  const source_paths& paths_;
  std::string suite_, cases_;
  std::size_t tests_ = 0, failures_ = 0;
};

}  // namespace

std::string junit_report(const report& r, const program_end& end, const source_paths& paths) {
  return junit_writer(r, end, paths).write();
}

}  // namespace simtlab::emulator
