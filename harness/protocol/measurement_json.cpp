#include "protocol/measurement_json.h"

#include <array>
#include <map>
#include <span>
#include <utility>

#include "emulator/core/memory_names.h"

namespace simtlab {
namespace {

template <class Counters, class Table>
void write_table(json& to, const Counters& counters, const Table& table) {
  for (const auto& c : table) to[c.name] = counters.*c.value;
}

template <class Counters, class Table>
void read_table(const json_reader& from, Counters& counters, const Table& table) {
  for (const auto& c : table) counters.*c.value = from[c.name].count();
}

constexpr std::array<const char*, 3> severity_names{"note", "warning", "error"};

json to_json(const std::optional<coordinates>& at) { return at ? json(*at) : json(nullptr); }

coordinates extents_from(const json_reader& from) {
  const auto at = coordinates_from(from);
  if (!at) from.fail("three extents");
  return *at;
}

json to_json(const finding_place& place) {
  return json_object({{"file", place.file},
                      {"line", place.line},
                      {"thread", to_json(place.thread)},
                      {"block", to_json(place.block)},
                      {"action", place.action}});
}

finding_place place_from(const json_reader& from) {
  return {from["file"].text(), from["line"].small_count(), coordinates_from(from["thread"]),
          coordinates_from(from["block"]), from["action"].text()};
}

json to_json(const array_identity& a) { return json_object({{"id", a.id}, {"given", a.given}}); }
array_identity identity_from(const json_reader& from) { return {from["id"].count(), from["given"].boolean()}; }

json to_json(const access_counters& a) {
  json made = json_object({{"file", a.file},
                           {"line", a.line},
                           {"space", a.space},
                           {"access", a.access},
                           {"variable", a.variable},
                           {"array", to_json(a.array)},
                           {"width", a.width}});
  write_counters(made, a);
  return made;
}

// A value that the facts' schema knows; anything else a forged result might say is refused here.
std::string one_of(const json_reader& from, std::span<const char* const> known) {
  std::string text = from.text();
  for (const std::string_view k : known)
    if (text == k) return text;
  from.fail("a name that the protocol knows");
}

access_counters access_from(const json_reader& from) {
  access_counters a;
  a.file = from["file"].text();
  a.line = from["line"].small_count();
  a.space = one_of(from["space"], emulator::space_names);
  a.access = one_of(from["access"], emulator::access_names);
  a.variable = from["variable"].text();
  a.array = identity_from(from["array"]);
  a.width = from["width"].count();
  read_table(from, a, emulator::request_counter_table);
  return a;
}

json to_json(const request_example& e) {
  json made = json_object({{"reasons", e.reasons},
                           {"block", e.block},
                           {"warp", e.warp},
                           {"times", e.times},
                           {"active", e.active},
                           {"addresses", e.addresses}});
  write_counters(made, e.cost);
  return made;
}

request_example example_from(const json_reader& from) {
  request_example e;
  from["reasons"].for_each([&](const json_reader& r) { e.reasons.push_back(one_of(r, emulator::reason_names)); });
  if (e.reasons.empty()) from["reasons"].fail("one reason at least");
  e.block = extents_from(from["block"]);
  e.warp = from["warp"].count();
  e.times = from["times"].count();
  e.active = from["active"].count();
  if (e.active == 0 || e.active >> e.addresses.size() != 0) from["active"].fail("one bit for each of 32 lanes");
  if (from["addresses"].array_size() != e.addresses.size()) from["addresses"].fail("an address for each of 32 lanes");
  std::size_t lane = 0;
  from["addresses"].for_each([&](const json_reader& a) { e.addresses[lane++] = a.count(); });
  read_table(from, e.cost, emulator::request_counter_table);
  return e;
}

json to_json(const example_place& p) {
  json examples = json::array();
  for (const request_example& e : p.examples) examples.push_back(to_json(e));
  return json_object({{"file", p.file},
                      {"line", p.line},
                      {"space", p.space},
                      {"access", p.access},
                      {"variable", p.variable},
                      {"begin", p.begin},
                      {"bytes", p.bytes},
                      {"width", p.width},
                      {"patterns", p.patterns},
                      {"has_more_patterns", p.has_more_patterns},
                      {"examples", std::move(examples)}});
}

example_place example_place_from(const json_reader& from) {
  example_place p;
  p.file = from["file"].text();
  p.line = from["line"].small_count();
  p.space = one_of(from["space"], emulator::space_names);
  p.access = one_of(from["access"], emulator::access_names);
  p.variable = from["variable"].text();
  p.begin = from["begin"].count();
  p.bytes = from["bytes"].count();
  p.width = from["width"].count();
  p.patterns = from["patterns"].count();
  p.has_more_patterns = from["has_more_patterns"].boolean();
  from["examples"].for_each([&](const json_reader& e) { p.examples.push_back(example_from(e)); });
  return p;
}

// A row of numbers for each event: there are thousands.
json to_json(const traced_warp& w) {
  json events = json::array();
  for (const traced_event& e : w.events) events.push_back({e.place, e.epoch, e.active, e.cost, e.fewest});
  return json_object({{"lanes", w.lanes}, {"events_in_all", w.events_in_all}, {"events", std::move(events)}});
}

traced_event event_from(const json_reader& from, std::size_t places) {
  std::array<std::uint64_t, 5> numbers{};
  if (from.array_size() != numbers.size()) from.fail("place, epoch, active lanes, cost and fewest");
  std::size_t i = 0;
  from.for_each([&](const json_reader& n) { numbers.at(i++) = n.count(); });
  const auto& [place, epoch, active, cost, fewest] = numbers;
  if (place >= places) from.fail("a place of the trace");
  if (active == 0 || active >> 32 != 0) from.fail("one bit for each of 32 lanes");
  return {place, epoch, active, cost, fewest};
}

traced_warp traced_warp_from(const json_reader& from, std::size_t places) {
  traced_warp w;
  w.lanes = from["lanes"].count();
  if (w.lanes == 0 || w.lanes > 32) from["lanes"].fail("1 to 32 lanes");
  w.events_in_all = from["events_in_all"].count();
  from["events"].for_each([&](const json_reader& e) {
    w.events.push_back(event_from(e, places));
    if (w.events.size() > 1 && w.events.back().epoch < w.events[w.events.size() - 2].epoch)
      e.fail("an epoch that is not before the last one's");
  });
  if (w.events_in_all < w.events.size()) from["events_in_all"].fail("at least as many as there are");
  return w;
}

json to_json(const block_trace& t) {
  json places = json::array(), barriers = json::array(), warps = json::array();
  for (const traced_place& p : t.places)
    places.push_back(json_object({{"file", p.file},
                                  {"line", p.line},
                                  {"what", p.what},
                                  {"space", p.space},
                                  {"access", p.access},
                                  {"variable", p.variable}}));
  for (const traced_barrier& b : t.barriers)
    barriers.push_back(json_object({{"file", b.file}, {"line", b.line}, {"of_grid", b.of_grid}}));
  for (const traced_warp& w : t.warps) warps.push_back(to_json(w));
  return json_object({{"block", t.block},
                      {"places", std::move(places)},
                      {"barriers", std::move(barriers)},
                      {"barriers_in_all", t.barriers_in_all},
                      {"warps", std::move(warps)}});
}

block_trace trace_from(const json_reader& from) {
  constexpr std::size_t most_warps = 32;
  block_trace t;
  t.block = extents_from(from["block"]);
  from["places"].for_each([&](const json_reader& p) {
    traced_place made{p["file"].text(), p["line"].small_count(), one_of(p["what"], emulator::action_names), "", "", ""};
    if (made.what == "request") {
      made.space = one_of(p["space"], emulator::space_names);
      made.access = one_of(p["access"], emulator::access_names);
      made.variable = p["variable"].text();
    }
    t.places.push_back(std::move(made));
  });
  from["barriers"].for_each([&](const json_reader& b) {
    t.barriers.push_back({b["file"].text(), b["line"].small_count(), b["of_grid"].boolean()});
  });
  t.barriers_in_all = from["barriers_in_all"].count();
  if (t.barriers_in_all < t.barriers.size()) from["barriers_in_all"].fail("at least as many as there are");
  if (from["warps"].array_size() > most_warps) from["warps"].fail("at most 32 warps");
  from["warps"].for_each([&](const json_reader& w) { t.warps.push_back(traced_warp_from(w, t.places.size())); });
  return t;
}

// A row of numbers for each access: there are thousands.
json to_json(const element_sample& s) {
  json barriers = json::array(), accesses = json::array(), places = json::array();
  for (const traced_barrier& b : s.barriers) barriers.push_back(json_object({{"file", b.file}, {"line", b.line}}));
  std::map<std::string, std::size_t> numbers;
  for (const sampled_access& a : s.accesses) {
    json place = json_object({{"file", a.file},
                              {"line", a.line},
                              {"space", a.space},
                              {"access", a.access},
                              {"variable", a.variable},
                              {"bytes", a.variable_bytes},
                              {"width", a.width}});
    const auto [at, is_new] = numbers.try_emplace(to_text(place), places.size());
    if (is_new) places.push_back(std::move(place));
    accesses.push_back({a.thread, a.epoch, at->second, a.offset});
  }
  return json_object({{"block", s.block},
                      {"barriers", std::move(barriers)},
                      {"places", std::move(places)},
                      {"accesses", std::move(accesses)}});
}

constexpr std::array<const char*, 2> engines{"g++", "sass"};

bool is_rule_name(const std::string& text) {
  if (text.empty() || text[0] < 'a' || text[0] > 'z') return false;
  return text.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") == std::string::npos;
}

}  // namespace

std::optional<coordinates> coordinates_from(const json_reader& from) {
  if (from.is_null()) return std::nullopt;
  coordinates at{};
  if (from.array_size() != at.size()) from.fail("three coordinates");
  std::size_t i = 0;
  from.for_each([&](const json_reader& c) { at[i++] = c.count(); });
  return at;
}

void write_counters(json& to, const emulator::request_counters& counters) {
  write_table(to, counters, emulator::request_counter_table);
}

const char* name_of(severity level) { return severity_names.at(static_cast<std::size_t>(level)); }

severity severity_from(const json_reader& from) {
  const std::string text = from.text();
  for (std::size_t i = 0; i < severity_names.size(); ++i)
    if (text == severity_names[i]) return static_cast<severity>(i);
  from.fail("note, warning or error");
}

json to_json(const finding& f) {
  return json_object({{"rule", f.rule},
                      {"severity", name_of(f.level)},
                      {"message", f.message},
                      {"kernel", f.kernel},
                      {"variable", f.variable},
                      {"first", to_json(f.first)},
                      {"second", f.second ? to_json(*f.second) : json(nullptr)},
                      {"count", f.times}});
}

finding finding_from(const json_reader& from) {
  finding f;
  f.rule = from["rule"].text();
  if (!is_rule_name(f.rule)) from["rule"].fail("a rule's name in kebab case");
  f.level = severity_from(from["severity"]);
  f.message = from["message"].text();
  f.kernel = from["kernel"].text();
  f.variable = from["variable"].text();
  f.first = place_from(from["first"]);
  if (const json_reader second = from["second"]; !second.is_null()) f.second = place_from(second);
  f.times = from["count"].count();
  if (f.times == 0) from["count"].fail("at least 1");
  return f;
}

json to_json(const launch_counters& l) {
  json accesses = json::array();
  for (const access_counters& a : l.accesses) accesses.push_back(to_json(a));
  json made = json_object({{"kernel", l.kernel},
                           {"grid", l.grid},
                           {"block", l.block},
                           {"shared_bytes", l.shared_bytes},
                           {"times", l.times},
                           {"accesses", std::move(accesses)}});
  write_table(made, l, emulator::launch_counter_table);
  for (const example_place& p : l.examples) made["examples"].push_back(to_json(p));
  if (l.trace) made["trace"] = to_json(*l.trace);
  if (l.sample) made["sample"] = to_json(*l.sample);
  made["completed"] = l.completed;
  return made;
}

launch_counters launch_from(const json_reader& from) {
  launch_counters l;
  l.kernel = from["kernel"].text();
  l.grid = extents_from(from["grid"]);
  l.block = extents_from(from["block"]);
  l.shared_bytes = from["shared_bytes"].count();
  l.times = from["times"].count();
  from["accesses"].for_each([&](const json_reader& a) { l.accesses.push_back(access_from(a)); });
  read_table(from, l, emulator::launch_counter_table);
  if (from.has("examples"))
    from["examples"].for_each([&](const json_reader& p) { l.examples.push_back(example_place_from(p)); });
  if (from.has("trace")) l.trace = trace_from(from["trace"]);
  l.completed = from["completed"].boolean();
  return l;
}

json to_json(const device_copies& c) {
  return json_object({{"from", to_json(c.from)},
                      {"to", to_json(c.to)},
                      {"from_name", c.from_name},
                      {"to_name", c.to_name},
                      {"bytes", c.bytes},
                      {"sectors_read", c.sectors_read},
                      {"sectors_written", c.sectors_written}});
}

device_copies copies_from(const json_reader& from) {
  return {identity_from(from["from"]),    identity_from(from["to"]), from["from_name"].text(),
          from["to_name"].text(),         from["bytes"].count(),     from["sectors_read"].count(),
          from["sectors_written"].count()};
}

json to_json(const timed_operation& o) {
  const auto range = [](const copied_range& r) {
    return json_object({{"array", r.array}, {"id", r.id}, {"bytes", r.bytes}, {"offset", r.offset}});
  };
  json made = json_object({{"kind", o.kind},
                           {"what", o.what},
                           {"stream", o.stream},
                           {"bytes", o.bytes},
                           {"prefetch", o.is_prefetch},
                           {"begin", o.begin},
                           {"end", o.end},
                           {"issued", o.issued},
                           {"copy", nullptr}});
  if (o.copy)
    made["copy"] = json_object({{"file", o.copy->file},
                                {"line", o.copy->line},
                                {"on_host", range(o.copy->on_host)},
                                {"on_device", range(o.copy->on_device)},
                                {"page_locked", o.copy->is_page_locked}});
  return made;
}

timed_operation operation_from(const json_reader& from) {
  const auto range = [](const json_reader& of) {
    return copied_range{of["array"].text(), of["id"].count(), of["bytes"].count(), of["offset"].count()};
  };
  timed_operation o{from["kind"].text(),    from["what"].text(),        from["stream"].count(),
                    from["bytes"].count(),  from["prefetch"].boolean(), from["issued"].number(),
                    from["begin"].number(), from["end"].number(),       std::nullopt};
  if (const json_reader copy = from["copy"]; !copy.is_null())
    o.copy = timed_copy{copy["file"].text(), copy["line"].small_count(), range(copy["on_host"]),
                        range(copy["on_device"]), copy["page_locked"].boolean()};
  return o;
}

json to_json(const host_counters& h) {
  json made = json::object();
  write_table(made, h, emulator::host_counter_table);
  return made;
}

host_counters host_counters_from(const json_reader& from) {
  host_counters h;
  read_table(from, h, emulator::host_counter_table);
  return h;
}

json fidelity_json() {
  json made = json::object();
  for (const auto& c : emulator::request_counter_table) made[c.name] = emulator::fidelity_name(c.exact);
  for (const auto& c : emulator::launch_counter_table) made[c.name] = emulator::fidelity_name(c.exact);
  for (const auto& c : emulator::host_counter_table) made[c.name] = emulator::fidelity_name(c.exact);
  return made;
}

json to_json(const environment& e) {
  json made = json_object({{"compiler", e.compiler}, {"emulator", nullptr}, {"gpu", nullptr}});
  if (e.emulator)
    made["emulator"] = json_object(
        {{"version", e.emulator->version}, {"workers", e.emulator->workers}, {"engine", e.emulator->engine}});
  if (e.gpu)
    made["gpu"] = json_object({{"name", e.gpu->name},
                               {"driver", e.gpu->driver},
                               {"runtime", e.gpu->runtime},
                               {"compute_capability", e.gpu->compute_capability},
                               {"multiprocessors", e.gpu->multiprocessors},
                               {"memory_bytes", e.gpu->memory_bytes}});
  return made;
}

environment environment_from(const json_reader& from) {
  environment e;
  e.compiler = from["compiler"].text();
  if (const json_reader emulator = from["emulator"]; !emulator.is_null())
    e.emulator = {emulator["version"].text(), emulator["workers"].count(), one_of(emulator["engine"], engines)};
  if (const json_reader gpu = from["gpu"]; !gpu.is_null())
    e.gpu = {gpu["name"].text(),
             gpu["driver"].text(),
             gpu["runtime"].text(),
             gpu["compute_capability"].text(),
             gpu["multiprocessors"].count(),
             gpu["memory_bytes"].count()};
  return e;
}

}  // namespace simtlab
