#include "judge/gpu/baseline_session.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <functional>

#include "judge/gpu/gpu_lock.h"
#include "judge/stage/process.h"
#include "judge/wording.h"
#include "protocol/protocol_error.h"

namespace simtlab {
namespace {

constexpr std::chrono::seconds longest_baseline{60};
const std::string copy = "copy", solution = "solution";
constexpr double shortest_look = 0.2;  // seconds: clocks and their neighbours' load differ from one tenth to the next
constexpr const char* unfinished = ".part";
constexpr std::size_t most_kept = 8, calls_of_each = 20;

// The lab's own kernels that the criteria compare with.
std::set<std::string> references_of(const lab& of) {
  std::set<std::string> names;
  for (const criterion& c : of.criteria) {
    for (const anchor& a : c.anchors) names.emplace(a.name);
    if (c.metric.what == quantity::ratio_to_baseline && c.metric.of == solution) names.insert(solution);
  }
  return names;
}

// The libraries' kernels; the copy is always measured, because floors follow from it.
std::set<std::string> libraries_of(const lab& of) {
  std::set<std::string> names;
  for (const criterion& c : of.criteria)
    if (c.metric.what == quantity::ratio_to_baseline && c.metric.of != solution) names.emplace(c.metric.of);
  if (names.empty()) names.insert(copy);  // each library's process measures the copy, too
  return names;
}

std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "";
}

}  // namespace

case_run timed_run(std::vector<double> thresholds) {
  timing_request timing;
  timing.until.least_seconds = shortest_look;
  timing.until.thresholds = std::move(thresholds);
  return {.counters = false, .checks = false, .timing = timing, .rounds = 2, .of = case_kind::benchmark};
}

baseline_session::baseline_session(const std::string& lab_name, const lab& of, const judge_options& options,
                                   const prepared_case& timed)
    : lab_name_(lab_name),
      lab_(of),
      options_(options),
      timed_(timed),
      request_(request_for(lab_name, of, options, timed.of(), timed_run(), timed.rounds().front())),
      libraries_(libraries_of(of)),
      references_(references_of(of)),
      folder_(options.timing_session) {
  // Behind a prefix any machine may answer: what one has measured is nothing to the next.
  if (!folder_.empty() && options.baseline_prefix.empty()) return;
  own_ = std::make_unique<scratch_folder>();
  folder_ = own_->path();
}

void baseline_session::before(timing_evidence& into, bool drifted) {
  std::set<std::string> all = libraries_;
  all.insert(references_.begin(), references_.end());
  for (const std::string& name : all) {
    std::vector<kept_result> found = kept(name);
    if (found.empty() || (drifted && references_.contains(name))) {
      std::string problem;
      std::optional<measurements> now = measure(name, problem);
      if (!now) {
        into.missing[name] = problem;
        continue;
      }
      found.insert(found.begin(), {std::move(*now), std::chrono::seconds(0)});
    }
    add_all(into, name, found);
  }
  if (const auto why = into.missing.find(*libraries_.begin()); !into.limits_before && why != into.missing.end())
    into.missing.try_emplace(copy, why->second);
}

void baseline_session::add_all(timing_evidence& into, const std::string& name, const std::vector<kept_result>& found) {
  std::vector<double> copies, reads, adds;
  for (const kept_result& one : found) {
    if (const auto& l = one.measured.limits) {
      copies.push_back(l->copy_gigabytes_per_second);
      reads.push_back(l->read_gigabytes_per_second);
      adds.push_back(l->giga_multiply_adds_per_second);
    }
    if (const auto& timed = one.measured.timed) {
      baseline_times& times = into.baselines[name];
      // Of each program the same number of calls, none outvotes the others; and from its beginning to its end, because
      // the first ones take up to 1 % longer.
      const std::size_t all = timed->milliseconds.size(), count = std::min<std::size_t>(all, calls_of_each);
      for (std::size_t i = 0; i < count; ++i) times.before.push_back(timed->milliseconds[i * all / count]);
      times.age = std::max(times.age, one.age);
    }
  }
  const measurements& latest = found.front().measured;
  if (latest.state) into.state = latest.state;
  if (!latest.limits) return;
  into.limits_before = device_limits{median(copies).value_or(0), median(reads).value_or(0), median(adds).value_or(0),
                                     latest.limits->cache_bytes};
  into.programs_before = copies.size();
}

void baseline_session::after(timing_evidence& into) {
  for (const std::string& name : libraries_) {
    if (into.missing.contains(name)) continue;
    std::string problem;
    const std::optional<measurements> now = measure(name, problem);
    if (!now) continue;  // what was measured before stands alone
    if (now->limits) into.limits_after = now->limits;
    if (now->state) into.state = now->state;
    if (now->timed) into.baselines[name].after = now->timed->milliseconds;
  }
}

std::filesystem::path baseline_session::slot(const std::string& name) const {
  std::string folder = fmt::format("{}.{}.gpu{}.{}", lab_name_, host_name(), gpu_lock::this_gpu(), name);
  for (const named_size& s : timed_.of().all_sizes()) folder += fmt::format(".{}{}", s.name, s.value);
  return folder_ / folder;
}

std::vector<std::filesystem::path> baseline_session::results_of(const std::string& name) const {
  std::vector<std::filesystem::path> all;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(slot(name), none))
    if (entry.path().extension() != unfinished) all.push_back(entry.path());
  std::ranges::sort(all, std::greater());  // names begin with the time
  return all;
}

std::vector<baseline_session::kept_result> baseline_session::kept(const std::string& name) const {
  std::vector<kept_result> found;
  for (const std::filesystem::path& folder : results_of(name)) {
    std::error_code none;
    const auto written = std::filesystem::last_write_time(folder / "result.json", none);
    if (none) continue;
    const auto age =
        std::chrono::duration_cast<std::chrono::seconds>(std::filesystem::file_time_type::clock::now() - written);
    if (age < std::chrono::seconds(0) || age > drift_window || found.size() == most_kept) continue;
    try {
      found.push_back({read_result(folder_handle(folder), request_).measured, age});
    } catch (const protocol_error&) {  // of another version of ours
    }
  }
  return found;
}

void baseline_session::keep(const std::string& name, const measurements& measured) const {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const std::filesystem::path to =
      slot(name) /
      fmt::format("{:020}-{}", std::chrono::duration_cast<std::chrono::nanoseconds>(now).count(), getpid());
  const std::filesystem::path part = to.string() + unfinished;
  std::filesystem::create_directories(part);
  case_result result;
  result.how = ending::fatal;  // the ending that has measurements and no outputs
  result.measured = measured;
  write_result(folder_handle(part), request_, result);
  std::filesystem::rename(part, to);
}

std::optional<measurements> baseline_session::measure(const std::string& name, std::string& problem) const {
  std::optional<measurements> now =
      references_.contains(name) ? time_reference(name, problem) : time_library(name, problem);
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
  std::optional<gpu_lock> turn(std::in_place, gpu_lock::use::alone);
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

std::optional<measurements> baseline_session::time_reference(const std::string& name, std::string& problem) const {
  const std::string what = name == solution ? "the lab's own solution" : fmt::format("the lab's own kernel {}", name);
  const auto runner = options_.references.find(name);
  if (runner == options_.references.end()) {
    problem = what + " is not built here";
    return std::nullopt;
  }
  judge_options trusted = options_;
  trusted.runner = runner->second;
  trusted.runner_prefix = options_.baseline_prefix;
  case_run run = timed_run();
  run.compare = false;
  case_outcome outcome = case_runner(lab_name_, lab_, trusted).judge(timed_, run);
  if (is_right(outcome.judged) && outcome.measured.timed) return std::move(outcome.measured);
  problem = fmt::format("{} could not be timed: {}", what, outcome.message);
  return std::nullopt;
}

}  // namespace simtlab
