#include "judge/evaluation.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <map>
#include <thread>
#include <tuple>

#include "judge/gpu/hardware_counters.h"
#include "judge/gpu/sanitizer.h"
#include "judge/gpu/timed_benchmark.h"
#include "judge/render/race_paths.h"
#include "judge/stage/hidden_cases.h"
#include "judge/wording.h"

namespace simtlab {
namespace {

constexpr int most_timeouts = 2;  // after so many, the remaining cases would only cost time
constexpr const char* a_case_failed = "not run: a case before it failed";
constexpr unsigned rounds_of_a_case = 2;
constexpr unsigned most_cases_at_a_time = 4;
constexpr std::size_t most_traced_blocks = 4;  // of races; each takes one more run
constexpr std::size_t most_drawn_races = 8;    // a page of many findings stays small

double milliseconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

auto key_of(const finding& f) {
  auto first = std::pair(f.first.file, f.first.line);
  auto second = f.second ? std::pair(f.second->file, f.second->line) : std::pair(std::string(), 0);
  if (second < first) std::swap(first, second);
  return std::tuple(f.rule, first, second, f.variable);
}

std::vector<finding> merged_findings(const std::vector<const case_outcome*>& cases) {
  std::vector<finding> all;
  std::map<decltype(key_of(finding{})), std::size_t> known;
  for (const case_outcome* c : cases) {
    for (const finding& f : c->measured.findings) {
      const auto [at, is_new] = known.try_emplace(key_of(f), all.size());
      if (is_new)
        all.push_back(f);
      else
        all[at->second].times += f.times;
    }
  }
  std::ranges::stable_sort(all, [](const finding& a, const finding& b) { return a.level > b.level; });
  return all;
}

std::vector<argument_size> array_sizes(const lab& of, const test_case& c) {
  random_source random(0, c.name());
  const auto values = of.make_arguments(c, random);
  std::vector<argument_size> sizes;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (const argument_description& a = of.arguments[i]; is_array(a.role))
      sizes.push_back({a.name, a.role, static_cast<double>(values[i].bytes.size()), a.element_bytes});
  return sizes;
}

double bytes_of_arguments(const lab& of, const test_case& c) {
  double bytes = 0;
  for (const argument_size& a : array_sizes(of, c)) bytes += a.bytes * (a.role == argument_role::in_out ? 2 : 1);
  return bytes;
}

}  // namespace

bool is_same(const finding& a, const finding& b) { return key_of(a) == key_of(b); }

const char* name_of(status s) { return s == status::pass ? "pass" : s == status::fail ? "fail" : "not_measured"; }

evaluation::evaluation(std::string lab_name, lab of, judge_options options)
    : lab_name_(std::move(lab_name)),
      lab_(std::move(of)),
      options_(std::move(options)),
      judge_(lab_name_, lab_, options_) {
  const auto wrong = contradictions(lab_);
  if (!wrong.empty())
    throw specification_error(fmt::format("lab.cpp of {} contradicts itself: {}.", lab_name_, fmt::join(wrong, "; ")));
  if (!options_.hidden.empty())
    for (test_case& c : read_hidden_cases(options_.hidden, lab_)) lab_.cases.push_back(std::move(c));
}

// A planted fault counts the calls of one call of the entry.
case_run evaluation::run_of(const test_case& c) const {
  const bool once = c.fault().nth > 0 || options_.without.contains("rounds");
  return {.rounds = once ? 1 : rounds_of_a_case, .of = c.hidden() ? case_kind::hidden : case_kind::visible};
}

const sizes& evaluation::benchmark_of_backend() const {
  return options_.backend == backend_kind::emulator ? lab_.benchmark.emulator : lab_.benchmark.gpu;
}

const std::vector<case_outcome>& evaluation::cases() {
  if (cases_) return *cases_;
  cases_.emplace();
  const auto begin = std::chrono::steady_clock::now();
  if (takes_times() && !options_.facts.empty()) prefetch_benchmark();
  run_cases();
  cases_milliseconds_ = milliseconds_since(begin);
  return *cases_;
}

void evaluation::prefetch_benchmark() {
  benchmark_ = std::async(std::launch::async, [this] {
    return prepare_benchmark(lab_name_, lab_, options_, judge_, test_case("benchmark", benchmark_of_backend()));
  });
}

// On a GPU, and behind a sandbox, most of a case's time goes by while its program starts: so one program gets all cases,
// one after the other. A case that it does not decide runs again in a program of its own, which alone decides what became
// of it: what another case left behind, a lost context or a program that ended, is no case's verdict. Nor can a case pass
// by what another left: each has values of its own, its program gets no right answer of any, and it is called twice.
void evaluation::run_cases() {
  const unsigned at_a_time = options_.backend == backend_kind::cuda && !options_.until_failure
                                 ? std::clamp(std::thread::hardware_concurrency(), 1U, most_cases_at_a_time)
                                 : 1;
  std::vector<const test_case*> wanted;
  for (const test_case& c : lab_.cases) {
    if (c.fault().nth > 0 && options_.backend == backend_kind::cuda)
      skipped_.push_back({c.name(), "a CUDA call can be made to fail on the emulator only"});
    else if (options_.only_times)
      skipped_.push_back({c.name(), "only times were asked for"});
    else
      wanted.push_back(&c);
  }
  std::vector<std::optional<case_outcome>> together(wanted.size());
  const bool starts_slowly = options_.backend == backend_kind::cuda || !options_.runner_prefix.empty();
  if (starts_slowly && !options_.until_failure && wanted.size() > 1) {
    std::vector<case_run> runs;
    runs.reserve(wanted.size());
    for (const test_case* c : wanted) runs.push_back(run_of(*c));
    together = judge_.judge_batch(wanted, runs);
  }
  std::deque<std::future<case_outcome>> running;
  std::size_t next = 0;
  int timeouts = 0;
  for (const test_case* c : wanted) {
    if (options_.until_failure && !cases_->empty() && cases_->back().judged != verdict::pass) {
      skipped_.push_back({c->name(), a_case_failed});
      continue;
    }
    if (timeouts == most_timeouts) {
      case_outcome not_run;
      not_run.name = c->name();
      not_run.of = c->all_sizes();
      not_run.hidden = c->hidden();
      not_run.judged = verdict::timeout;
      not_run.message = not_run.summary = "Not run, because two cases before it did not finish.";
      cases_->push_back(std::move(not_run));
      continue;
    }
    for (; next < wanted.size() && running.size() < at_a_time; ++next)
      running.push_back(std::async(at_a_time > 1 && !together[next] ? std::launch::async : std::launch::deferred,
                                   [this, next, &wanted, &together] {
                                     return together[next] ? std::move(*together[next])
                                                           : judge_.judge(*wanted[next], run_of(*wanted[next]));
                                   }));
    cases_->push_back(running.front().get());
    running.pop_front();
    if (options_.backend == backend_kind::cuda && !options_.sanitizer.empty())
      add_sanitizer_findings(*c, cases_->back());
    if (cases_->back().judged == verdict::timeout) ++timeouts;
  }
  keep_shared_call_before(*cases_);
}

// Once a tool could not be started it is not asked again.
void evaluation::add_sanitizer_findings(const test_case& c, case_outcome& outcome) {
  if (!unsanitized_.empty()) return;
  sanitizer_findings found = sanitize(lab_name_, lab_, options_, c);
  unsanitized_ = std::move(found.problem);
  for (finding& f : found.findings) outcome.measured.findings.push_back(std::move(f));
  const auto why = std::ranges::find(outcome.measured.findings, severity::error, &finding::level);
  if (outcome.judged != verdict::pass || why == outcome.measured.findings.end()) return;
  outcome.judged = verdict::unsafe;
  outcome.message = describe(*why);
}

const std::vector<skipped_case>& evaluation::skipped() {
  cases();
  return skipped_;
}

const correct_result& evaluation::correct() {
  if (correct_) return *correct_;
  correct_.emplace();
  correct_->total = cases().size();
  correct_->passed = static_cast<std::size_t>(
      std::ranges::count_if(cases(), [](const case_outcome& c) { return is_right(c.judged); }));
  correct_->how = correct_->passed == correct_->total ? status::pass : status::fail;
  return *correct_;
}

bool evaluation::is_unsolved() {
  if (options_.only_times) return false;
  const auto never_wrote = [](const case_outcome& c) {
    return (c.judged == verdict::wrong_answer && c.untouched) || c.measured.injected_error != 0;
  };
  return std::ranges::all_of(cases(), never_wrote) &&
         std::ranges::any_of(cases(), [](const case_outcome& c) { return c.untouched; });
}

const safe_result& evaluation::safe() {
  if (safe_) return *safe_;
  safe_.emplace();
  std::vector<const case_outcome*> checked;
  for (const case_outcome& c : cases()) checked.push_back(&c);
  if (options_.backend == backend_kind::emulator && fast().benchmark) checked.push_back(&*fast().benchmark);
  safe_->findings = merged_findings(checked);
  safe_->unsanitized = unsanitized_;
  const bool any_ran = std::ranges::any_of(cases(), [](const case_outcome& c) { return c.where.has_value(); });
  const bool has_error =
      std::ranges::any_of(safe_->findings, [](const finding& f) { return f.level == severity::error; });
  if (is_unsolved()) {
    safe_->reason = "nothing is there to check yet";
  } else if (!any_ran) {
    safe_->reason = "no case ran to its end";
  } else {
    safe_->how = has_error ? status::fail : status::pass;
  }
  return *safe_;
}

const fast_result& evaluation::fast() {
  if (!fast_) fast_ = run_fast();
  return *fast_;
}

fast_result evaluation::run_fast() {
  fast_result result;
  const test_case benchmark("benchmark", benchmark_of_backend());
  result.measurable = std::ranges::any_of(
      lab_.criteria, [&](const criterion& c) { return unsupported_reason(c, options_.backend, lab_.kind).empty(); });
  if (correct().how != status::pass) {
    result.reason = "correct fails";
  } else if (options_.until_failure && cases().back().judged != verdict::pass) {
    result.reason = a_case_failed;
  } else {
    if (takes_times()) {
      const auto begin = std::chrono::steady_clock::now();
      if (!benchmark_.valid()) prefetch_benchmark();
      const std::unique_ptr<prepared_case> prepared = benchmark_.get();
      result.phases = {{"cases", cases_milliseconds_}, {"inputs", milliseconds_since(begin)}};
      timed_benchmark timed = time_benchmark(lab_name_, lab_, options_, judge_, *prepared);
      result.phases.merge(timed.evidence.phases);
      result.phases["all"] = milliseconds_since(begin_);
      result.benchmark = std::move(timed.outcome);
      if (result.benchmark->measured.timed) result.timing = std::move(timed.evidence);
      if (!options_.counters.empty() && is_right(result.benchmark->judged)) {
        hardware_counters counted = count_on_hardware(lab_name_, lab_, options_, smallest_benchmark());
        result.benchmark->measured.launches = std::move(counted.launches);
        result.benchmark->uncounted = std::move(counted.problem);
      }
    } else {
      // With checks, as any case: a program can tell this one by its size.
      const bool draws = !options_.facts.empty() && !options_.changes;
      result.benchmark = judge_.judge(benchmark, {.examples = draws, .of = case_kind::benchmark});
    }
    if (!is_right(result.benchmark->judged)) {
      result.how = status::fail;
      result.reason = fmt::format("at the benchmark's size ({}): {}", words_for(result.benchmark->judged),
                                  result.benchmark->message);
    }
  }
  if (!result.reason.empty()) {
    for (const criterion& c : lab_.criteria) {
      evaluated_criterion e;
      e.of = &c;
      e.reason = result.reason;
      result.criteria.push_back(std::move(e));
    }
    return result;
  }
  const double bytes = lab_.kind == entry_kind::host ? bytes_of_arguments(lab_, benchmark) : 0;
  result.criteria = evaluate(
      lab_.criteria, {result.benchmark->measured, lab_.model(benchmark), bytes, options_.backend, lab_.kind,
                      result.timing ? &*result.timing : nullptr,
                      lab_.kind == entry_kind::device ? array_sizes(lab_, benchmark) : std::vector<argument_size>(),
                      !options_.without.contains("whole_work")});
  if (const auto score = score_of(result.criteria)) {
    result.score = *score;
    if (*score < lab_.pass_at && best_score_of(result.criteria).value_or(0) >= lab_.pass_at) {
      result.score = lab_.pass_at;
      result.favour =
          fmt::format("The times leave open whether the score reaches {:g}; the doubt counts in favour.", lab_.pass_at);
    }
    result.how = result.score >= lab_.pass_at ? status::pass : status::fail;
  } else {
    result.reason =
        fmt::format("no criterion of this lab can be measured on the {} backend", name_of(options_.backend));
  }
  return result;
}

// The emulator's: a tool runs each kernel some ten times.
test_case evaluation::smallest_benchmark() const { return {"benchmark", lab_.benchmark.emulator}; }

// Which threads race is known behind the run alone, and of two blocks only where it is asked for. The same values once more give the
// same order of events.
void evaluation::trace_races(case_outcome& run, case_run again) {
  std::vector<finding> races;
  std::ranges::copy_if(run.measured.findings, std::back_inserter(races), is_race);
  if (races.empty()) return;
  again.counters = again.examples = false;
  again.traced_block = std::nullopt;
  again.as_written = true;  // by the clocks that name threads
  if (!std::ranges::all_of(races, names_both_threads)) {
    again.names_racing_threads = true;
    const case_outcome named = judge_.judge(smallest_benchmark(), again);
    for (finding& f : races) {
      const auto same = std::ranges::find_if(
          named.measured.findings, [&](const finding& n) { return names_both_threads(n) && is_same_race(f, n); });
      if (same != named.measured.findings.end()) f = *same;
    }
    again.names_racing_threads = false;
  }
  again.checks = false;
  std::map<std::pair<std::string, coordinates>, std::optional<launch_counters>> traced;
  if (!run.measured.launches.empty() && run.measured.launches.front().trace)
    traced[{run.measured.launches.front().kernel, options_.traced_block}] = run.measured.launches.front();
  std::size_t further = 0;
  const auto launch_of = [&](const finding& f, const coordinates& block) {
    const auto [at, is_new] = traced.try_emplace({f.kernel, block});
    if (is_new && further < most_traced_blocks) {
      ++further;
      again.traced_block = block;
      again.traced_kernel = f.kernel;
      case_outcome with_trace = judge_.judge(smallest_benchmark(), again);
      const auto one =
          std::ranges::find_if(with_trace.measured.launches, [](const auto& l) { return l.trace.has_value(); });
      if (one != with_trace.measured.launches.end()) at->second = std::move(*one);
    }
    return at->second;
  };
  for (const finding& f : races) {
    if (run.traced_races.size() == most_drawn_races) return;
    if (!names_both_threads(f)) continue;
    const auto first = launch_of(f, *f.first.block), second = launch_of(f, *f.second->block);
    if (first && second) run.traced_races.push_back({f, first->block, *first->trace, *second->trace});
  }
}

case_outcome evaluation::profiled(bool as_written) {
  const bool draws_block = options_.backend == backend_kind::emulator && !options_.page.empty();
  const case_run plain{.checks = !options_.launch_block,  // nor compared: what another shape breaks is nobody's fault
                       .examples = options_.backend == backend_kind::emulator && !options_.profile.empty(),
                       .traced_block = draws_block ? std::optional(options_.traced_block) : std::nullopt,
                       .samples = options_.samples,
                       .of = case_kind::benchmark,
                       .as_written = as_written,
                       .compare = !options_.launch_block};
  if (options_.backend == backend_kind::emulator || options_.counters.empty()) {
    case_outcome run = judge_.judge(smallest_benchmark(), plain);
    if (draws_block) trace_races(run, plain);
    return run;
  }
  case_outcome outcome;
  hardware_counters counted = count_on_hardware(lab_name_, lab_, options_, smallest_benchmark(), &outcome);
  if (counted.problem.empty()) return outcome;
  outcome = judge_.judge(smallest_benchmark(), plain);  // the tool's trouble is not the program's
  outcome.uncounted = std::move(counted.problem);
  return outcome;
}

case_outcome evaluation::first_case() {
  return judge_.judge(lab_.cases.front(), {.of = case_kind::visible, .keep = true});
}

void evaluation::prepare(const std::string& name, const std::filesystem::path& folder) const {
  std::string known;
  for (const test_case& c : lab_.cases) {
    if (name.empty() || c.name() == name)
      return judge_.prepare(c, c.hidden() ? case_kind::hidden : case_kind::visible, folder);
    known += fmt::format("{}\"{}\"", known.empty() ? "" : ", ", c.name());
  }
  const test_case benchmark = smallest_benchmark();
  if (name == benchmark.name()) return judge_.prepare(benchmark, case_kind::benchmark, folder);
  throw usage_error(
      fmt::format("{} has no case \"{}\"; its cases are {}, \"{}\"", lab_name_, name, known, benchmark.name()));
}

environment evaluation::where() {
  for (const case_outcome& c : cases())
    if (c.where) return *c.where;
  if (fast_ && fast_->benchmark && fast_->benchmark->where) return *fast_->benchmark->where;
  return {};
}

// Values that do not say for certain what made them are explained by what `safe` found.
std::string evaluation::message_of(const case_outcome& c) {
  const bool is_explained =
      !c.likely.empty() && (c.likely.front().how == certainty::certain || c.likely.front().how == certainty::finding);
  if (c.judged != verdict::wrong_answer || !c.wrong || is_explained) return c.message;
  const std::vector<finding>& found = safe().findings;
  const auto error = std::ranges::find(found, severity::error, &finding::level);
  if (error == found.end()) return c.message;
  return fmt::format("{} Begin with what safe reports, {}{}: {}", c.summary, error->rule,
                     error->variable.empty() ? "" : " of " + error->variable, describe(*error));
}

lab_verdict evaluation::overall() {
  if (is_unsolved())
    return {
        verdict::unsolved,
        "No output element of any case was written. Either kernel.cu is still the stub: begin where it says `//@@ your "
        "code here`. Or the entry launches no kernel that stores its results."};
  const auto& all = cases();
  if (fast_ && fast_->benchmark && fast_->benchmark->judged == verdict::implausible)
    return {verdict::implausible, fast_->benchmark->message};
  const auto worst = std::ranges::max_element(all, {}, &case_outcome::judged);  // the first of the worst
  case_outcome passed;
  passed.judged = verdict::pass;
  const case_outcome* decides = worst == all.end() ? &passed : &*worst;
  // What is wrong at the benchmark's size is wrong. A program that does not end there in time is slow, which is another
  // matter when it is right in every case.
  if (decides->judged == verdict::pass && fast_ && fast_->benchmark && fast_->benchmark->judged != verdict::timeout)
    decides = &*fast_->benchmark;
  if (decides->judged == verdict::pass) return {};
  return {decides->judged, fmt::format("{} ({}): {}", decides->name, sizes_text(decides->of), message_of(*decides))};
}

}  // namespace simtlab
