#include "judge/gpu/sanitizer.h"

#include <fmt/format.h>

#include <algorithm>

#include "judge/gpu/sanitizer_report.h"
#include "judge/stage/scratch_folder.h"

namespace simtlab {
namespace {

constexpr double tool_seconds = 60;  // it slows kernels down by up to some hundred times
constexpr std::size_t longest_report = std::size_t{16} << 20;

}  // namespace

sanitizer_findings sanitize(const std::string& lab_name, const lab& of, const judge_options& options,
                            const test_case& c) {
  sanitizer_findings all;
  for (const char* tool : sanitizer_tools) {
    const scratch_folder folder;
    const std::filesystem::path log = folder.path() / "log";
    judge_options under_tool = options;
    for (const std::string& word :
         {options.sanitizer.string(), std::string("--tool"), std::string(tool), std::string("--print-limit"),
          std::string("100"), std::string("--log-file"), log.string()})
      under_tool.runner_prefix.push_back(word);
    under_tool.limit_seconds = tool_seconds;
    const case_run run{.counters = false, .checks = false, .of = c.hidden() ? case_kind::hidden : case_kind::visible};
    const case_outcome ran = case_runner(lab_name, of, under_tool).judge(c, run);
    const std::string text = folder.beginning_of("log", longest_report);
    if (!is_complete_log(text)) {
      all.problem = text.empty() ? fmt::format(
                                       "compute-sanitizer ({}) could not be started. It comes with the CUDA "
                                       "Toolkit; is its folder in PATH?",
                                       options.sanitizer.string())
                                 : fmt::format("compute-sanitizer's {} did not finish on \"{}\".", tool, c.name());
      if (text.empty()) return all;
    }
    for (finding& f : findings_of_sanitizer(text)) {
      const auto own = std::ranges::find(of.severities, f.rule, &severity_override::rule);
      if (own != of.severities.end()) f.level = own->level;
      all.findings.push_back(std::move(f));
    }
  }
  return all;
}

}  // namespace simtlab
