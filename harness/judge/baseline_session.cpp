#include "judge/baseline_session.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "judge/gpu_turn.h"
#include "protocol/bounded_json.h"

namespace simtlab {
namespace {

constexpr std::chrono::seconds longest_baseline{60};
const std::string copy = "copy", solution = "solution";

// What is compared with, by the criteria; the copy is always measured, because floors follow from it.
std::set<std::string> baselines_of(const lab& of) {
  std::set<std::string> names;
  for (const criterion& c : of.criteria)
    if (c.metric.what == quantity::ratio_to_baseline) names.insert(std::string(c.metric.of));
  // Each library's process measures the copy, too.
  if (std::ranges::all_of(names, [](const auto& n) { return n == solution; })) names.insert(copy);
  return names;
}

std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "";
}

}  // namespace

case_run timed_run(std::vector<double> thresholds) {
  timing_request timing;
  timing.until.thresholds = std::move(thresholds);
  return {.counters = false, .checks = false, .timing = timing, .rounds = 2, .of = phase::benchmark};
}

baseline_session::baseline_session(const std::string& lab_name, const lab& of, const judge_options& options,
                                   const prepared_case& timed)
    : lab_name_(lab_name),
      lab_(of),
      options_(options),
      timed_(timed),
      trusted_(options),
      request_(request_for(lab_name, of, options, timed.of(), timed_run(), timed.rounds().front())),
      names_(baselines_of(of)),
      folder_(options.timing_session) {
  trusted_.runner = options.solution;
  trusted_.runner_prefix = options.baseline_prefix;
  // Behind a prefix any machine may answer: what one has measured is nothing to the next.
  if (!folder_.empty() && options.baseline_prefix.empty()) return;
  own_ = std::make_unique<scratch_folder>();
  folder_ = own_->path();
}

void baseline_session::before(timing_evidence& into, bool drifted) {
  for (const std::string& name : names_) {
    std::optional<kept_result> found;
    if (!drifted || name != solution) found = kept(name);
    if (!found) {
      std::string problem;
      std::optional<measurements> now = measure(name, problem);
      if (!now) {
        into.missing[name] = problem;
        continue;
      }
      found = kept_result{std::move(*now), std::chrono::seconds(0)};
    }
    if (found->measured.limits) into.limits_before = found->measured.limits;
    if (found->measured.state) into.state = found->measured.state;
    if (!found->measured.timed) continue;
    into.baselines[name].before = found->measured.timed->milliseconds;
    into.baselines[name].age = found->age;
  }
  if (!into.limits_before && !into.missing.empty()) into.missing.try_emplace(copy, into.missing.begin()->second);
}

void baseline_session::after(timing_evidence& into) {
  for (const std::string& name : names_) {
    if (into.missing.contains(name) || (name == solution && kept(name))) continue;
    std::string problem;
    const std::optional<measurements> now = measure(name, problem);
    if (!now) continue;  // what was measured before stands alone
    if (now->limits) into.limits_after = now->limits;
    if (now->state) into.state = now->state;
    if (now->timed) into.baselines[name].after = now->timed->milliseconds;
  }
}

std::filesystem::path baseline_session::slot(const std::string& name) const {
  std::string folder = fmt::format("{}.{}.gpu{}.{}", lab_name_, host_name(), gpu_turn::this_gpu(), name);
  for (const named_size& s : timed_.of().all_sizes()) folder += fmt::format(".{}{}", s.name, s.value);
  return folder_ / folder;
}

std::optional<baseline_session::kept_result> baseline_session::kept(const std::string& name) const {
  std::error_code none;
  const auto written = std::filesystem::last_write_time(slot(name) / "result.json", none);
  if (none) return std::nullopt;
  const auto age =
      std::chrono::duration_cast<std::chrono::seconds>(std::filesystem::file_time_type::clock::now() - written);
  if (age < std::chrono::seconds(0) || age > drift_window) return std::nullopt;
  try {
    case_result result = read_result(folder_handle(slot(name)), request_);
    return kept_result{std::move(result.measured), age};
  } catch (const protocol_error&) {  // of another version of ours
    return std::nullopt;
  }
}

void baseline_session::keep(const std::string& name, const measurements& measured) const {
  const std::filesystem::path to = slot(name);
  const std::filesystem::path unfinished = to.string() + fmt::format(".part{}", getpid());
  std::filesystem::create_directories(to);
  std::filesystem::create_directory(unfinished);
  case_result result;
  result.how = ending::fatal;  // the ending that has measurements and no outputs
  result.measured = measured;
  write_result(folder_handle(unfinished), request_, result);
  std::filesystem::rename(unfinished / "result.json", to / "result.json");
  std::filesystem::remove_all(unfinished);
}

std::optional<measurements> baseline_session::measure(const std::string& name, std::string& problem) const {
  std::optional<measurements> now = name == solution ? time_solution(problem) : time_library(name, problem);
  if (now) keep(name, *now);
  return now;
}

std::optional<measurements> baseline_session::time_library(const std::string& name, std::string& problem) const {
  if (options_.baselines.empty()) {
    problem = fmt::format("the baseline {} is not built here (target simtlab-baselines)", name);
    return std::nullopt;
  }
  const scratch_folder folder;
  begin_request(folder.path(), request_);  // sizes alone: the program fills its inputs itself
  std::vector<std::string> words = options_.baseline_prefix;
  words.insert(words.end(), {options_.baselines.string(), name, folder.path().string()});
  process_limits limits;
  limits.wall = longest_baseline;
  std::optional<gpu_turn> turn(std::in_place, gpu_turn::use::alone);
  const process_outcome ended = run_process(words, folder.path() / "result", limits, [] { return true; });
  turn.reset();
  const folder_handle result(folder.path() / "result");
  if (!result.has("result.json")) {
    problem = fmt::format("the baseline {} ended without a result: {}", name,
                          ended.text.empty() ? printable(ended.printed, 300) : ended.text);
    return std::nullopt;
  }
  case_result measured = read_result(result, request_);
  if (measured.how != ending::our_fault) return std::move(measured.measured);
  problem = fmt::format("the baseline {} could not be measured: {}", name, measured.detail.text);
  return std::nullopt;
}

std::optional<measurements> baseline_session::time_solution(std::string& problem) const {
  if (options_.solution.empty()) {
    problem = "the lab's own solution is not built here";
    return std::nullopt;
  }
  case_run run = timed_run();
  run.compare = false;
  case_outcome outcome = case_judge(lab_name_, lab_, trusted_).judge(timed_, run);
  if (is_right(outcome.judged) && outcome.measured.timed) return std::move(outcome.measured);
  problem = fmt::format("the lab's own solution could not be timed: {}", outcome.message);
  return std::nullopt;
}

}  // namespace simtlab
