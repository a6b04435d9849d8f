#include "judge/render/facts.h"

#include <cmath>

#include "judge/decide/product_proof.h"
#include "judge/render/line_pictures.h"
#include "judge/score/array_flow.h"
#include "judge/score/line_counters.h"
#include "protocol/measurement_json.h"

namespace simtlab {
namespace {

// Of arrays that are no arguments: whose bytes they hold.
json to_json(const launch_counters& l, const array_flow& flow) {
  json made = to_json(l);
  made.erase("examples");  // drawn at their lines
  made.erase("trace");     // of no use but for the page of a profile, which has no facts
  for (std::size_t i = 0; i < l.accesses.size(); ++i) {
    const access_counters& a = l.accesses[i];
    made["accesses"][i]["derived_from"] = a.array.given ? std::set<std::string>() : flow.origins(a.array);
  }
  return made;
}

// A GPU's own counts are no one's rule and no one's model.
json fidelity_on(backend_kind backend) { return backend == backend_kind::emulator ? fidelity_json() : json::object(); }

json figure_json(std::optional<double> figure) { return figure ? json(*figure) : json(nullptr); }

json to_json(const emulator::request_figures& f) {
  return json_object({{"lanes", f.lanes_per_request().value_or(0)},
                      {"sectors", figure_json(f.sectors_per_request())},
                      {"ideal_sectors", figure_json(f.ideal_sectors_per_request())},
                      {"lines", figure_json(f.lines_per_request())},
                      {"wavefronts", figure_json(f.wavefronts_per_request())},
                      {"ideal_wavefronts", figure_json(f.ideal_wavefronts_per_request())}});
}

json to_json(const line_row& r) {
  json made = json_object({{"space", r.space},
                           {"access", r.kind},
                           {"variable", r.variable},
                           {"derived_from", r.derived_from},
                           {"width", r.width},
                           {"per_request", to_json(r.figures())},
                           {"efficiency", figure_json(r.figures().efficiency())},
                           {"line_efficiency", figure_json(r.figures().line_efficiency())},
                           {"excess", r.excess()}});
  write_counters(made, r);
  return made;
}

json to_json(const source_line_counters& l, const std::vector<drawn_request>& drawn) {
  json rows = json::array(), pictures = json::array();
  for (const drawn_request& d : drawn) pictures.push_back(to_json(d));
  for (const line_row& r : l.rows) rows.push_back(to_json(r));
  return json_object({{"file", l.file},
                      {"line", l.line},
                      {"requests", l.figures.requests},
                      {"per_request", to_json(l.figures)},
                      {"excess", l.figures.excess()},
                      {"share", l.share},
                      {"accesses", std::move(rows)},
                      {"pictures", std::move(pictures)}});
}

json number_json(double number) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
  return number;
}

json to_json(const sizes& of) {
  json made = json::object();
  for (const named_size& s : of) made[s.name] = s.value;
  return made;
}

json to_json(const std::vector<wrong_element>& elements) {
  json list = json::array();
  for (const wrong_element& w : elements)
    list.push_back(json_object({{"index", w.index},
                                {"expected", number_json(w.expected)},
                                {"actual", number_json(w.actual)},
                                {"never_written", w.never_written}}));
  return list;
}

json to_json(const std::optional<output_picture>& p) {
  if (!p) return nullptr;
  json image = nullptr;
  if (p->image)
    image = json_object({{"channels", p->image->channels},
                         {"input", p->image->input},
                         {"expected", p->image->expected},
                         {"found", p->image->found}});
  return json_object({{"rows", p->rows},
                      {"cols", p->cols},
                      {"lowest", p->lowest},
                      {"highest", p->highest},
                      {"expected", p->expected},
                      {"found", p->found},
                      {"wrong", p->wrong},
                      {"image", image}});
}

json to_json(const std::optional<mismatch>& m) {
  if (!m) return nullptr;
  return json_object({{"argument", m->argument},
                      {"wrong", m->wrong},
                      {"total", m->total},
                      {"never_written", m->never_written},
                      {"first", to_json(m->first)},
                      {"good_before", to_json(m->good_before)},
                      {"picture", to_json(m->picture)}});
}

json to_json(const std::vector<finding>& findings) {
  json list = json::array();
  for (const finding& f : findings) list.push_back(to_json(f));
  return list;
}

json to_json(const case_outcome& c) {
  return json_object({{"name", c.name},
                      {"hidden", c.hidden},
                      {"sizes", to_json(c.of)},
                      {"verdict", name_of(c.judged)},
                      {"message", c.message},
                      {"printed", c.printed},
                      {"mismatch", to_json(c.wrong)},
                      {"findings", to_json(c.measured.findings)}});
}

json to_json(const evaluated_criterion& e) {
  const metric_description& d = description_of(e.of->metric.what);
  return json_object(
      {{"metric", d.name},
       {"argument", e.of->metric.of},
       {"unit", d.unit},
       {"status", e.measured ? "measured" : "not_measured"},
       {"reason", e.reason},
       {"value", e.value ? json(*e.value) : json(nullptr)},
       {"full_at", e.of->full_value},
       {"none_at", e.of->none_value},
       {"weight", e.percent},
       {"fraction", e.fraction},
       {"interval", e.bounds ? json{e.bounds->low, e.bounds->high} : json(nullptr)},
       {"favoured", e.favoured},
       {"hint", idea_of(e)},
       {"where", e.where ? json_object({{"file", e.where->file}, {"line", e.where->line}}) : json(nullptr)}});
}

json to_json(const fast_result& fast, const lab& of, const sizes& benchmark) {
  json criteria = json::array();
  const work least = of.model(test_case("benchmark", benchmark));
  for (const evaluated_criterion& e : fast.criteria) criteria.push_back(to_json(e));
  return json_object({{"status", name_of(fast.how)},
                      {"reason", fast.reason},
                      {"score", fast.score},
                      {"pass_at", of.pass_at},
                      {"favour", fast.favour},
                      {"sizes", to_json(benchmark)},
                      {"work", json_object({{"bytes_read", least.bytes_read},
                                            {"bytes_written", least.bytes_written},
                                            {"operations", least.operations}})},
                      {"criteria", std::move(criteria)}});
}

json median_json(const std::vector<double>& samples) {
  const auto middle = median(samples);
  return middle ? json(*middle) : json(nullptr);
}

json to_json(const gpu_state& s) {
  return json_object({{"sm_megahertz", s.sm_megahertz},
                      {"memory_megahertz", s.memory_megahertz},
                      {"celsius", s.celsius},
                      {"other_processes", s.other_processes},
                      {"throttled", s.throttled}});
}

json to_json(const timing_evidence& e, bool is_proof, const std::string& uncounted) {
  std::vector<std::string> remarks = remarks_on(e);
  if (!uncounted.empty()) remarks.push_back(uncounted);
  json baselines = json::array();
  for (const auto& [name, times] : e.baselines)
    baselines.push_back(json_object({{"name", name},
                                     {"before_milliseconds", median_json(times.before)},
                                     {"after_milliseconds", median_json(times.after)},
                                     {"age_seconds", times.age.count()}}));
  const auto bounds = median_interval(e.calls.milliseconds, median_confidence);
  const auto& limits = e.limits_before;
  return json_object(
      {{"median_milliseconds", median_json(e.calls.milliseconds)},
       {"interval_milliseconds", bounds ? json{bounds->low, bounds->high} : json(nullptr)},
       {"confidence", median_confidence},
       {"state", e.calls.state},
       {"host_milliseconds", e.calls.host_milliseconds},
       {"floor_milliseconds", limits ? json(floor_milliseconds(e.model, *limits)) : json(nullptr)},
       {"checked_call", e.calls.checked},
       {"check", is_proof ? "product proof" : "reference"},
       {"check_error_probability", is_proof ? proof_error_probability : 0.0},
       {"drift", drift_of(e)},
       {"attempts", e.attempts},
       {"baselines", std::move(baselines)},
       {"read_gigabytes_per_second", limits ? json(limits->read_gigabytes_per_second) : json(nullptr)},
       {"giga_multiply_adds_per_second", limits ? json(limits->giga_multiply_adds_per_second) : json(nullptr)},
       {"gpu", e.state ? to_json(*e.state) : json(nullptr)},
       {"remarks", remarks}});
}

}  // namespace

json counters_of(evaluation& of) {
  const case_outcome run = of.profiled();
  json launches = json::array();
  const array_flow flow(run.measured);
  for (const launch_counters& l : run.measured.launches) launches.push_back(to_json(l, flow));
  return json_object({{"format", "simtlab-counters"},
                      {"version", 1},
                      {"lab", of.lab_name()},
                      {"backend", name_of(of.options().backend)},
                      {"problem", is_right(run.judged) ? run.uncounted : run.message},
                      {"fidelity", fidelity_on(of.options().backend)},
                      {"launches", std::move(launches)}});
}

json facts_of(evaluation& of) {
  json cases = json::array(), skipped = json::array(), launches = json::array(), lines = json::array(),
       times = json::array();
  for (const case_outcome& c : of.cases()) {
    cases.push_back(to_json(c));
    times.push_back(json_object({{"name", c.name}, {"milliseconds", c.milliseconds}}));
  }
  for (const skipped_case& s : of.skipped()) skipped.push_back(json_object({{"name", s.name}, {"reason", s.reason}}));

  const fast_result& fast = of.fast();
  const measurements benchmark = fast.benchmark ? fast.benchmark->measured : measurements{};
  if (fast.benchmark)
    times.push_back(json_object({{"name", "benchmark"}, {"milliseconds", fast.benchmark->milliseconds}}));
  const array_flow flow(benchmark);
  for (const launch_counters& l : benchmark.launches) launches.push_back(to_json(l, flow));
  const std::vector<source_line_counters> counted = lines_of(line_counters(benchmark));
  for (const source_line_counters& l : counted)
    lines.push_back(to_json(l, is_drawn(l, counted) ? drawn_requests(benchmark, l) : std::vector<drawn_request>()));

  json where = to_json(of.where());
  where["front_end"] = of.options().front_end.empty() ? json(nullptr) : json(of.options().front_end);
  where["sandbox_layers"] = of.options().sandbox_layers;
  where["without"] = of.options().without;
  const lab_verdict overall = of.overall();
  const correct_result& correct = of.correct();
  const safe_result& safe = of.safe();
  const bool copied = fast.timing && fast.timing->limits_before;
  return json_object(
      {{"format", "simtlab-facts"},
       {"version", facts_version},
       {"lab", of.lab_name()},
       {"submission", of.options().submission},
       {"backend", name_of(of.options().backend)},
       {"verdict", name_of(overall.judged)},
       {"message", overall.message},
       {"seed", of.options().seed},
       {"environment", std::move(where)},
       {"cases", std::move(cases)},
       {"skipped", std::move(skipped)},
       {"correct",
        json_object({{"status", name_of(correct.how)}, {"passed", correct.passed}, {"total", correct.total}})},
       {"safe", json_object({{"status", name_of(safe.how)},
                             {"reason", safe.reason + safe.unsanitized},
                             {"findings", to_json(safe.findings)}})},
       {"fast", to_json(fast, of.specification(), of.benchmark_of_backend())},
       {"launches", std::move(launches)},
       {"lines", std::move(lines)},
       {"host", to_json(benchmark.host)},
       {"fidelity", fidelity_on(of.options().backend)},
       {"timing", json_object({{"cases", std::move(times)},
                               {"samples", fast.timing ? fast.timing->calls.milliseconds : std::vector<double>()},
                               {"copy_gigabytes_per_second",
                                copied ? json(fast.timing->limits_before->copy_gigabytes_per_second) : json(nullptr)},
                               {"phases", fast.phases},
                               {"measurement", fast.timing ? to_json(*fast.timing, of.specification().proof.has_value(),
                                                                     fast.benchmark->uncounted)
                                                           : json(nullptr)}})}});
}

}  // namespace simtlab
