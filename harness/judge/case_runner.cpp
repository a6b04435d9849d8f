#include "judge/case_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <string>

#include "judge/decide/verdict_rules.h"
#include "judge/stage/runner_process.h"
#include "judge/stage/scratch_folder.h"
#include "judge/wording.h"

namespace simtlab {
namespace {

constexpr std::size_t most_printed = 4096;
constexpr double most_seconds_in_batch =
    2;  // a case on the emulator; what takes longer, or never ends, starts anew alone

case_outcome outcome_of(const test_case& c) {
  case_outcome out;
  out.name = c.name();
  out.of = c.all_sizes();
  out.hidden = c.hidden();
  return out;
}

bool was_ended(verdict v) {
  return v == verdict::crash || v == verdict::timeout || v == verdict::memory_limit || v == verdict::output_limit;
}

/// What one call printed: every call prints the same, with other values. Where a call was ended, the last one's words.
std::string printed_by_one_call(const std::string& by_all, verdict judged) {
  const std::size_t begin = by_all.find_first_not_of(end_of_call), end = by_all.find_last_not_of(end_of_call);
  if (begin == std::string::npos) return "";
  const std::size_t first_end = by_all.find(end_of_call, begin), last_begin = by_all.rfind(end_of_call, end);
  if (!was_ended(judged)) return by_all.substr(begin, first_end - begin);
  return last_begin == std::string::npos ? by_all : by_all.substr(last_begin + 1, end - last_begin);
}

}  // namespace

case_runner::case_runner(const std::string& lab_name, const lab& of, const judge_options& options)
    : lab_name_(lab_name), lab_(of), options_(options) {}

void case_runner::prepare(const test_case& c, case_kind of_case, const std::filesystem::path& folder) const {
  const case_run run{.counters = false, .checks = false, .rounds = 1, .of = of_case};
  const prepared_case made = prepared(c, run);
  made.place_in(folder, request_for(lab_name_, lab_, options_, c, run, made.rounds().front()));
}

prepared_case case_runner::prepared(const test_case& c, const case_run& run) const {
  return prepared_case(lab_, options_.seed, c, run.of, run.rounds);
}

case_outcome case_runner::judge(const test_case& c, const case_run& run) const { return judge(prepared(c, run), run); }

case_outcome case_runner::judge(const prepared_case& prepared, const case_run& run) const {
  std::string printed;
  case_outcome out = judge(prepared, run, printed);
  out.printed = printable(printed_by_one_call(printed, out.judged), most_printed);
  return out;
}

case_outcome case_runner::judge(const prepared_case& prepared, const case_run& run, std::string& printed) const {
  const test_case& c = prepared.of();
  const std::vector<round_arguments>& rounds = prepared.rounds();
  const case_request request = request_for(lab_name_, lab_, options_, c, run, rounds.front());

  const scratch_folder folder;
  prepared.place_in(folder.path(), request);
  const folder_handle result(folder.path() / "result");  // opened before the submission could replace it
  const ended_runner ended = run_runner(lab_, options_, folder.path(), result, run, prepared.largest_output());

  case_outcome out = outcome_of(c);
  out.had_turn = ended.had_turn;
  out.waited_milliseconds = ended.waited_milliseconds;
  printed = ended.process.printed;
  out.milliseconds = ended.process.wall.count();

  const judged_run judged{lab_, options_, c, run};
  if (decide_by_process(judged, ended.process, ended.limits, result.has(started_file), result.has("result.json"),
                        out)) {
    if (ended.sandboxed && ended.sandboxed->refused_processes > 0)
      out.message +=
          fmt::format(" It asked for more than {} processes or threads at a time.", ended.sandboxed->processes);
    if (out.judged == verdict::timeout && result.has("result.json")) {
      try {
        add_last_words(read_result(result, request), out);
      } catch (const protocol_error&) {  // it was ended in the middle of a word
      }
    }
    return out;
  }
  try {
    decide_by_result(judged, read_result(result, request), rounds, out);
  } catch (const protocol_error& e) {
    decide_by_broken_result(e, out);
  }
  return out;
}

std::vector<std::optional<case_outcome>> case_runner::judge_batch(const std::vector<const test_case*>& cases,
                                                                  const std::vector<case_run>& runs) const {
  const bool has_own_process = options_.backend == backend_kind::emulator;
  const scratch_folder folder;
  std::vector<prepared_case> all;
  std::vector<case_request> requests;
  std::deque<folder_handle> results;  // opened before the submission could replace them
  std::size_t largest_output = 0;
  for (std::size_t n = 0; n < cases.size(); ++n) {
    all.push_back(prepared(*cases[n], runs[n]));
    requests.push_back(request_for(lab_name_, lab_, options_, *cases[n], runs[n], all[n].rounds().front()));
    make_nth_case(folder.path(), n);
    all[n].place_in(nth_case(folder.path(), n), requests[n]);
    results.emplace_back(nth_result(folder.path(), n));
    largest_output = std::max(largest_output, all[n].largest_output());
  }
  const folder_handle result(folder.path() / "result");
  case_run run = runs.front();
  if (has_own_process) run.processor_seconds = most_seconds_in_batch;
  const ended_runner ended = run_runner(lab_, options_, folder.path(), result, run, largest_output);

  std::vector<std::optional<case_outcome>> decided(cases.size());
  if (has_own_process && ended.process.how != process_outcome::way::exited)
    return decided;  // a limit was reached, nobody knows by which case
  if (ended.process.printed.find_first_not_of(end_of_call) != std::string::npos)
    return decided;  // nobody knows which case printed it
  for (std::size_t n = 0; n < cases.size() && results[n].has("result.json"); ++n) {
    case_outcome out = outcome_of(*cases[n]);
    out.had_turn = ended.had_turn;
    out.milliseconds = ended.process.wall.count() / static_cast<double>(cases.size());
    bool stands = false;
    try {
      const case_result found = read_result(results[n], requests[n]);
      stands = has_own_process && found.how != ending::fatal && found.how != ending::our_fault;
      decide_by_result({lab_, options_, *cases[n], runs[n]}, found, all[n].rounds(), out);
    } catch (const protocol_error&) {  // the process of its own tells what is wrong
      break;
    }
    if (stands || out.judged == verdict::pass) decided[n] = std::move(out);
  }
  return decided;
}

}  // namespace simtlab
