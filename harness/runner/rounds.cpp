#include "runner/rounds.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <utility>

#include "protocol/result.h"
#include "runner/cuda_check.h"
#include "runner/entry_call.h"
#include "runner/entry_outcome.h"
#include "runner/timed_calls.h"

namespace simtlab {
namespace {

bool same_place(const finding_place& a, const finding_place& b) { return a.file == b.file && a.line == b.line; }

bool same_defect(const finding& a, const finding& b) {
  if (a.rule != b.rule || a.variable != b.variable || a.second.has_value() != b.second.has_value()) return false;
  if (!a.second) return same_place(a.first, b.first);
  return (same_place(a.first, b.first) && same_place(*a.second, *b.second)) ||
         (same_place(a.first, *b.second) && same_place(*a.second, b.first));
}

void add_round(case_result& to, case_result round) {
  to.how = round.how;
  to.detail = std::move(round.detail);
  std::ranges::move(round.rounds, std::back_inserter(to.rounds));
  for (finding& f : round.measured.findings)
    if (std::ranges::none_of(to.measured.findings, [&](const finding& known) { return same_defect(known, f); }))
      to.measured.findings.push_back(std::move(f));
}

// What follows is printed by a further call.
void end_of_call_in_output() {
  std::fputc(end_of_call, stdout);
  std::fflush(stdout);
}

}  // namespace

case_result call_in_rounds(backend& on, const lab& of, const case_files& files) {
  const case_request& request = files.request();
  if (request.timing && of.kind == entry_kind::device) {
    on.begin(request);
    const mapped_round first = files.map_round(0), second = files.map_round(1);
    return time_device_entry(on, of, request, first.values(), second.values());
  }
  const auto call = of.kind == entry_kind::device ? &call_device_entry : &call_host_entry;
  on.begin(request);
  case_result result;
  for (unsigned number = 0; number < request.rounds && result.how == ending::returned; ++number) {
    const round_values values = files.read_round(number);
    on.begin_round(number);
    if (number > 0) end_of_call_in_output();
    try {
      case_result round = call(on, of, {request, values, number});
      if (number == 0)
        result = std::move(round);
      else
        add_round(result, std::move(round));
    } catch (const cuda_failure& left_behind) {  // by work of the submission that outlived its call
      if (number == 0) throw;
      record_error(result, left_behind.code, false);
    }
  }
  return result;
}

}  // namespace simtlab
