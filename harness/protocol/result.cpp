#include "protocol/result.h"

#include <array>

#include "protocol/bounded_json.h"
#include "protocol/measurement_json.h"

namespace simtlab {
namespace {

constexpr std::size_t longest_result = std::size_t{32} << 20;
constexpr std::size_t most_samples = 100'000;
constexpr std::array<const char*, 5> ending_names{"returned", "error", "exception", "fatal", "our_fault"};

bool has_outputs(ending how) { return how == ending::returned || how == ending::error; }

ending ending_from(const json_reader& from) {
  const std::string text = from.text();
  for (std::size_t i = 0; i < ending_names.size(); ++i)
    if (text == ending_names[i]) return static_cast<ending>(i);
  from.fail("a way to end");
}

double positive_from(const json_reader& from) {
  const double number = from.number();
  if (!(number > 0)) from.fail("a number above 0");
  return number;
}

double milliseconds_from(const json_reader& from) {
  const double ms = from.number();
  if (ms < 0) from.fail("a time that is not negative");
  return ms;
}

json to_json(const std::optional<timed_calls>& t) {
  if (!t) return nullptr;
  return json_object({{"milliseconds", t->milliseconds},
                      {"host_milliseconds", t->host_milliseconds},
                      {"checked", t->checked},
                      {"key", t->key},
                      {"state", t->state}});
}

timed_calls timed_from(const json_reader& from) {
  timed_calls t;
  const json_reader all = from["milliseconds"];
  if (all.array_size() == 0 || all.array_size() > most_samples) all.fail("at least one time, and not too many");
  all.for_each([&](const json_reader& ms) { t.milliseconds.push_back(milliseconds_from(ms)); });
  t.host_milliseconds = milliseconds_from(from["host_milliseconds"]);
  t.checked = from["checked"].count();
  if (t.checked >= t.milliseconds.size()) from["checked"].fail("the number of a timed call");
  t.key = from["key"].count();
  t.state = from["state"].text();
  if (t.state != "settled" && t.state != "undecided" && t.state != "noisy") from["state"].fail("why the calls ended");
  return t;
}

json to_json(const std::optional<device_limits>& l) {
  if (!l) return nullptr;
  return json_object({{"copy_gigabytes_per_second", l->copy_gigabytes_per_second},
                      {"read_gigabytes_per_second", l->read_gigabytes_per_second},
                      {"giga_multiply_adds_per_second", l->giga_multiply_adds_per_second},
                      {"cache_bytes", l->cache_bytes}});
}

device_limits limits_from(const json_reader& from) {
  return {positive_from(from["copy_gigabytes_per_second"]), positive_from(from["read_gigabytes_per_second"]),
          positive_from(from["giga_multiply_adds_per_second"]), from["cache_bytes"].count()};
}

json to_json(const std::optional<gpu_state>& s) {
  if (!s) return nullptr;
  return json_object({{"sm_megahertz", s->sm_megahertz},
                      {"memory_megahertz", s->memory_megahertz},
                      {"celsius", s->celsius},
                      {"other_processes", s->other_processes},
                      {"throttled", s->throttled}});
}

gpu_state state_from(const json_reader& from) {
  gpu_state s{from["sm_megahertz"].count(),
              from["memory_megahertz"].count(),
              from["celsius"].count(),
              from["other_processes"].count(),
              {}};
  from["throttled"].for_each([&](const json_reader& why) { s.throttled.push_back(why.text()); });
  return s;
}

json to_json(const measurements& m) {
  json launches = json::array(), findings = json::array(), copies = json::array(), timeline = json::array();
  for (const launch_counters& l : m.launches) launches.push_back(to_json(l));
  for (const finding& f : m.findings) findings.push_back(to_json(f));
  for (const device_copies& c : m.copies) copies.push_back(to_json(c));
  for (const timed_operation& o : m.timeline) timeline.push_back(to_json(o));
  return json_object({{"launches", std::move(launches)},
                      {"findings", std::move(findings)},
                      {"host", to_json(m.host)},
                      {"copies", std::move(copies)},
                      {"injected_error", m.injected_error},
                      {"timed", to_json(m.timed)},
                      {"limits", to_json(m.limits)},
                      {"state", to_json(m.state)},
                      {"timeline", std::move(timeline)},
                      {"injected_call", m.injected_call}});
}

measurements measurements_from(const json_reader& from) {
  measurements m;
  from["launches"].for_each([&](const json_reader& l) { m.launches.push_back(launch_from(l)); });
  from["findings"].for_each([&](const json_reader& f) { m.findings.push_back(finding_from(f)); });
  m.host = host_counters_from(from["host"]);
  from["copies"].for_each([&](const json_reader& c) { m.copies.push_back(copies_from(c)); });
  from["timeline"].for_each([&](const json_reader& o) { m.timeline.push_back(operation_from(o)); });
  m.injected_error = from["injected_error"].count();
  m.injected_call = from["injected_call"].text();
  if (const json_reader timed = from["timed"]; !timed.is_null()) m.timed = timed_from(timed);
  if (const json_reader limits = from["limits"]; !limits.is_null()) m.limits = limits_from(limits);
  if (const json_reader state = from["state"]; !state.is_null()) m.state = state_from(state);
  return m;
}

}  // namespace

std::string output_file(std::size_t round, std::size_t argument) {
  return "output-" + std::to_string(round) + "-" + std::to_string(argument) + ".bin";
}

std::size_t rounds_with_outputs(const case_result& result) {
  return has_outputs(result.how) ? result.rounds.size() : 0;
}

std::string result_text(const case_result& result) {
  return to_text(json_object({{"format", "simtlab-result"},
                              {"version", protocol_version},
                              {"ended", ending_names[static_cast<std::size_t>(result.how)]},
                              {"detail", json_object({{"code", result.detail.code},
                                                      {"name", result.detail.name},
                                                      {"text", result.detail.text},
                                                      {"returned", result.detail.returned}})},
                              {"rounds", rounds_with_outputs(result)},
                              {"environment", to_json(result.where)},
                              {"fidelity", result.where.emulator ? fidelity_json() : json::object()},
                              {"measured", to_json(result.measured)}}));
}

void write_result(const folder_handle& to, const case_request& request, const case_result& result) {
  for (std::size_t round = 0; round < rounds_with_outputs(result); ++round)
    for (std::size_t i = 0; i < request.arguments.size(); ++i)
      if (is_written(request.arguments[i].role)) to.write(output_file(round, i), result.rounds[round][i]);
  to.write("result.json", result_text(result));
}

case_result read_result(const folder_handle& from, const case_request& request) {
  const json document = parse_bounded(from.read_text("result.json", longest_result), "result.json");
  const json_reader root(document, "result");
  if (root["format"].text() != "simtlab-result") root["format"].fail("simtlab-result");
  if (root["version"].count() != protocol_version) root["version"].fail("version " + std::to_string(protocol_version));

  case_result result;
  result.how = ending_from(root["ended"]);
  const json_reader detail = root["detail"];
  const std::int64_t code = detail["code"].integer();
  if (code < 0 || code > 99'999) detail["code"].fail("the number of a CUDA error");
  result.detail = {static_cast<int>(code), detail["name"].text(), detail["text"].text(), detail["returned"].boolean()};
  result.where = environment_from(root["environment"]);
  result.measured = measurements_from(root["measured"]);

  if (!has_outputs(result.how)) return result;
  const std::uint64_t rounds = root["rounds"].count();
  const unsigned expected = request.timing ? 1 : request.rounds;
  if (rounds == 0 || rounds > expected || (result.how == ending::returned && rounds != expected))
    root["rounds"].fail("the outputs of " + std::to_string(expected) + " rounds");
  if (request.timing && result.how == ending::returned && !result.measured.timed)
    root["measured"].fail("the times that the request asks for");
  for (std::uint64_t round = 0; round < rounds; ++round) {
    result.rounds.emplace_back();
    for (std::size_t i = 0; i < request.arguments.size(); ++i) {
      const request_argument& a = request.arguments[i];
      result.rounds.back().emplace_back();
      if (is_written(a.role))
        result.rounds.back().back() = from.read_bytes(output_file(round, i), a.element_bytes * a.elements);
    }
  }
  return result;
}

}  // namespace simtlab
