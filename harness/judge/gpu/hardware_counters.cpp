#include "judge/gpu/hardware_counters.h"

#include <fmt/format.h>

#include <algorithm>

#include "judge/gpu/nsight_report.h"
#include "judge/stage/process.h"
#include "judge/stage/scratch_folder.h"
#include "protocol/protocol_error.h"

namespace simtlab {
namespace {

// Loading the tool takes seconds, and each kernel runs some ten times.
constexpr double profile_seconds = 120;
constexpr std::chrono::seconds longest_import{60};
constexpr std::size_t longest_page = std::size_t{64} << 20, longest_log = 1 << 16;

}  // namespace

hardware_counters count_on_hardware(const std::string& lab_name, const lab& of, const judge_options& options,
                                    const test_case& benchmark, case_outcome* outcome) {
  const scratch_folder folder;
  const std::string tool = options.counters.string();
  const std::filesystem::path profile = folder.path() / "profile.ncu-rep", log = folder.path() / "log";
  judge_options under_tool = options;
  for (const std::string& word :
       {tool, std::string("--clock-control"), std::string("none"), std::string("--cache-control"), std::string("none"),
        std::string("--import-source"), std::string("yes"), std::string("--metrics"), nsight_metrics(),
        std::string("--log-file"), log.string(), std::string("--force-overwrite"), std::string("--export"),
        profile.string()})
    under_tool.runner_prefix.push_back(word);
  under_tool.limit_seconds = profile_seconds;
  case_outcome ran = case_runner(lab_name, of, under_tool)
                         .judge(benchmark, {.counters = false, .checks = false, .of = case_kind::benchmark});

  hardware_counters counted;
  const auto page = [&](std::vector<std::string> more) {
    std::vector<std::string> words{tool, "--import", profile.string(), "--csv", "--print-units", "base"};
    words.insert(words.end(), more.begin(), more.end());
    process_limits limits;
    limits.wall = longest_import;
    limits.printed_bytes = longest_page;
    return run_process(words, folder.path(), limits, [] { return true; }).printed;
  };
  if (std::filesystem::exists(profile)) {
    try {
      counted.launches =
          launches_of_nsight(page({"--page", "raw"}), page({"--page", "source", "--print-source", "cuda,sass"}));
    } catch (const protocol_error& e) {
      counted.problem = fmt::format("{}.", e.what());
    }
  } else if (std::filesystem::exists(log)) {
    counted.problem = refusal_of_nsight(folder.beginning_of("log", longest_log));
  } else {
    counted.problem = fmt::format(
        "Nsight Compute ({}) could not be started. It comes with the CUDA Toolkit; is its folder in PATH?", tool);
  }
  if (outcome != nullptr) {
    *outcome = std::move(ran);
    outcome->measured.launches = counted.launches;
  }
  return counted;
}

}  // namespace simtlab
