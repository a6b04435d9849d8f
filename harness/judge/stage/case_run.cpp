#include "judge/stage/case_run.h"

#include <algorithm>

namespace simtlab {
namespace {

// Whether threads hand values to one another in shared memory (score/whole_work.cpp).
bool asks_for_foreign_reads(const lab& of) {
  return std::ranges::any_of(of.criteria,
                             [](const criterion& c) { return c.metric.what == quantity::wavefronts_over_minimum; });
}

}  // namespace

case_request request_for(const std::string& lab_name, const lab& of, const judge_options& o, const test_case& c,
                         const case_run& run, const std::vector<argument_value>& values) {
  case_request r;
  r.lab = lab_name;
  r.kind = of.kind;
  for (std::size_t i = 0; i < of.arguments.size(); ++i) {
    const argument_description& a = of.arguments[i];
    r.arguments.push_back(
        {a.name, a.role, a.element_bytes, values[i].bytes.size() / a.element_bytes, a.scalar, values[i].extents});
  }
  r.rounds = run.rounds;
  r.without = o.without;
  r.workers = o.workers;
  r.as_compiled = o.as_compiled && !run.as_written;
  r.counters = run.counters;
  r.checks = run.checks;
  r.foreign_reads = run.counters && asks_for_foreign_reads(of);
  r.examples = run.examples;
  r.traced_block = run.traced_block;
  r.traced_kernel = run.traced_kernel;
  r.names_racing_threads = run.names_racing_threads;
  r.samples = run.samples;
  r.launch_block = o.launch_block;
  r.fail_api_call = c.fault().nth;
  for (const severity_override& s : of.severities) r.severities[s.rule] = s.level;
  r.timing = run.timing;
  return r;
}

}  // namespace simtlab
