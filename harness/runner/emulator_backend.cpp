// The emulator as a backend: its report in the protocol's words.
#include <emulator.h>

#include <algorithm>
#include <array>
#include <utility>

#include "emulator/core/memory_names.h"
#include "protocol/protocol_error.h"
#include "runner/backend.h"

namespace simtlab {
namespace {

namespace em = emulator;

constexpr std::size_t most_launches = 64;
constexpr std::size_t sampled_accesses = 1 << 13;  // enough elements for questions, and a text of some 200 kB

coordinates coordinates_from(const em::coordinates& c) { return {c.x, c.y, c.z}; }
coordinates coordinates_from(const em::extents& e) { return {e.x, e.y, e.z}; }

finding_place place_from(const em::finding_place& p) {
  finding_place place{p.where.file, p.where.line, {}, {}, p.action};
  if (p.has_thread) {
    place.thread = coordinates_from(p.thread);
    place.block = coordinates_from(p.block);
  }
  return place;
}

finding finding_from(const em::finding& f) {
  finding made;
  made.rule = em::rule_name(f.what);
  made.level = static_cast<severity>(f.level);
  made.message = f.message;
  made.kernel = f.kernel;
  made.variable = f.variable;
  made.first = place_from(f.first);
  if (f.second.where.line != 0) made.second = place_from(f.second);
  made.times = f.count;
  return made;
}
static_assert(static_cast<int>(em::severity::note) == static_cast<int>(severity::note) &&
              static_cast<int>(em::severity::error) == static_cast<int>(severity::error));

array_identity identity_from(const em::array_identity& a) { return {a.id, a.given}; }

access_counters access_from(const em::access_counters& a) {
  access_counters made;
  static_cast<em::request_counters&>(made) = a.counters;
  made.file = a.where.file;
  made.line = a.where.line;
  made.space = em::space_name(a.space);
  made.access = em::access_name(a.kind);
  made.variable = a.variable;
  made.array = identity_from(a.array);
  made.width = a.width;
  return made;
}

request_example example_from(const em::request_example& e) {
  request_example made{{}, coordinates_from(e.block), e.warp, e.times, e.active, e.addresses, e.cost};
  for (const em::kept_for why : e.reasons) made.reasons.emplace_back(em::reason_name(why));
  return made;
}

example_place example_place_from(const em::example_place& p) {
  example_place made{p.where.file,
                     p.where.line,
                     em::space_name(p.space),
                     em::access_name(p.kind),
                     p.variable,
                     p.begin,
                     p.bytes,
                     p.width,
                     p.patterns,
                     p.has_more_patterns,
                     {}};
  for (const em::request_example& e : p.examples) made.examples.push_back(example_from(e));
  return made;
}

em::coordinates emulated(const coordinates& c) {
  const auto part = [](std::uint64_t n) { return static_cast<unsigned>(std::min<std::uint64_t>(n, ~0U)); };
  return {part(c[0]), part(c[1]), part(c[2])};
}

em::extents block_from(const coordinates& c) {
  const em::coordinates e = emulated(c);
  return {e.x, e.y, e.z};
}

block_trace trace_from(const em::block_trace& t) {
  block_trace made{coordinates_from(t.block), {}, {}, t.barriers_in_all, {}};
  for (const em::traced_place& p : t.places) {
    const bool is_request = p.what == em::traced_action::request;
    made.places.push_back({p.where.file, p.where.line, em::action_name(p.what),
                           is_request ? em::space_name(p.space) : "", is_request ? em::access_name(p.kind) : "",
                           p.variable});
  }
  for (const em::traced_barrier& b : t.barriers) made.barriers.push_back({b.where.file, b.where.line, b.of_grid});
  for (const em::traced_warp& w : t.warps) {
    traced_warp& one = made.warps.emplace_back(traced_warp{w.lanes, w.events_in_all, {}});
    for (const em::traced_event& e : w.events) one.events.push_back({e.place, e.epoch, e.active, e.cost, e.fewest});
  }
  return made;
}

element_sample sample_from(const em::element_sample& s) {
  element_sample made{coordinates_from(s.block), {}, {}};
  for (const em::source_line& b : s.barriers) made.barriers.push_back({b.file, b.line});
  for (const em::recorded_access& a : s.accesses)
    made.accesses.push_back({a.thread, a.epoch, a.where.file, a.where.line, em::space_name(a.space),
                             em::access_name(a.kind), a.variable, a.variable_bytes, a.offset, a.width});
  return made;
}

launch_counters launch_from(const em::launch_report& l) {
  launch_counters made;
  static_cast<em::launch_totals&>(made) = l;  // NOLINT(cppcoreguidelines-slicing): the totals alone
  made.kernel = l.kernel;
  made.grid = coordinates_from(l.grid);
  made.block = coordinates_from(l.block);
  made.shared_bytes = l.dynamic_shared_bytes + l.static_shared_bytes;
  for (const em::access_counters& a : l.accesses) made.accesses.push_back(access_from(a));
  for (const em::example_place& p : l.examples) made.examples.push_back(example_place_from(p));
  if (l.trace) made.trace = trace_from(*l.trace);
  if (l.sample) made.sample = sample_from(*l.sample);
  made.completed = l.completed;
  return made;
}

bool same_place(const access_counters& a, const access_counters& b) {
  return a.file == b.file && a.line == b.line && a.space == b.space && a.access == b.access &&
         a.variable == b.variable && a.array == b.array && a.width == b.width;
}

void add(launch_counters& to, const launch_counters& l) {
  ++to.times;
  for (const access_counters& a : l.accesses) {
    const auto known = std::ranges::find_if(to.accesses, [&](const auto& b) { return same_place(a, b); });
    if (known == to.accesses.end())
      to.accesses.push_back(a);
    else
      *known += a;
  }
  to += l;
  to.completed = to.completed && l.completed;
}

// A program with thousands of launches is told in few: equal ones are added up beyond the first `most_launches`.
std::vector<launch_counters> launches_from(const std::vector<em::launch_report>& reports) {
  std::vector<launch_counters> made;
  for (const em::launch_report& report : reports) {
    launch_counters l = launch_from(report);
    const auto equal = std::ranges::find_if(made, [&](const launch_counters& m) { return are_alike(m, l); });
    if (reports.size() > most_launches && equal != made.end())
      add(*equal, l);
    else
      made.push_back(std::move(l));
  }
  return made;
}

std::optional<timed_copy> copy_from(const em::timed_operation& o) {
  if (o.kind == em::timed_operation_kind::kernel || o.is_prefetch) return std::nullopt;
  const em::timed_copy& c = o.copy;
  return timed_copy{c.where.file, c.where.line, c.on_host, c.on_device, c.is_page_locked};
}

measurements measurements_from(const em::report& r) {
  measurements m;
  m.launches = launches_from(r.launches);
  for (const em::finding& f : r.findings) m.findings.push_back(finding_from(f));
  if (const auto failed = em::take_failed_launch()) {
    finding asked;  // no rule of the emulator: the program has asked for the error
    asked.rule = "failed-launch";
    asked.level = severity::note;
    asked.message = failed->says;
    asked.first = {failed->where.file, failed->where.line, {}, {}, ""};
    m.findings.push_back(std::move(asked));
  }
  static_cast<em::host_counters&>(m.host) = r.host;  // NOLINT(cppcoreguidelines-slicing): the counters alone
  for (const em::device_copies& c : r.host.copies_on_device)
    m.copies.push_back({identity_from(c.from), identity_from(c.to), c.from_name, c.to_name, c.bytes, c.sectors_read,
                        c.sectors_written});
  constexpr std::array kinds{"to_device", "kernel", "to_host"};  // in the order of timed_operation_kind
  static_assert(kinds.size() == em::timed_operation_kinds);
  for (const em::timed_operation& o : r.host.timeline)
    if (m.timeline.size() < measurements::most_operations)
      m.timeline.push_back({kinds.at(static_cast<std::size_t>(o.kind)), o.what, o.stream, o.bytes, o.is_prefetch,
                            o.issued, o.begin, o.end, copy_from(o)});
  m.injected_error = static_cast<std::uint64_t>(r.host.injected_error);
  m.injected_call = r.host.injected_call;
  if (const em::source_line& at = r.host.injected_at; at.line > 0)
    m.injected_call += " (" + at.file + ":" + std::to_string(at.line) + ")";
  return m;
}

host_share share_from(const em::host_share& s) { return {s.bytes, s.where.file, s.where.line}; }

em::rule rule_called(const std::string& name) {
  for (int i = 0; i < em::rule_count; ++i)
    if (name == em::rule_name(static_cast<em::rule>(i))) return static_cast<em::rule>(i);
  throw protocol_error("lab.cpp gives a severity to the rule \"" + name + "\", which the emulator does not have");
}

class emulator_backend final : public backend {
 public:
  environment describe(const case_request& r) override {
    std::string compiler = SIMTLAB_KERNEL_COMPILER_NAME;
    if (r.as_compiled) compiler += ", " + em::machine_code_tools();
    return {compiler, emulator_description{SIMTLAB_VERSION, r.workers, r.as_compiled ? "sass" : "g++"}, std::nullopt};
  }
  std::size_t guard_bytes() const override { return 0; }
  bool fills_fresh_memory() const override { return true; }
  bool starts_quickly() const override { return true; }
  void name_memory(const void* address, std::size_t bytes, std::string_view name) override {
    em::name_memory(address, bytes, name);
  }
  host_share stored_by_host(const void* address, std::size_t bytes) const override {
    return share_from(em::stored_by_host(address, bytes));
  }
  host_share read_by_host() const override { return share_from(em::read_by_host()); }
  void guard_memory() override { is_guarded_ = em::guard_host_memory(true); }
  void runner_begins() override {
    em::allocate_privately();
    if (!is_guarded_) throw protocol_error("this runner was linked without the object that ends the submission's own");
  }
  void submission_begins() override { em::initialisers_begin(); }
  std::optional<process_outline> outline(const case_request& r) override {
    em::open_files_for_reports();
    process_outline p;
    p.memory_calls = em::memory_calls_return_to();
    for (const em::memory_span& s : em::closed_memory()) p.not_written.push_back({s.begin, s.end});
    p.threads = r.workers > 1;
    close_memory(r);
    return p;
  }
  void* memory_for_submission(std::size_t bytes) override { return em::memory_for_program(bytes); }
  void release_for_submission(void* begin, std::size_t bytes) override { em::release_memory_for_program(begin, bytes); }
  int run_submission(const std::function<int()>& entry) override { return em::call_program(entry); }
  void begin(const case_request& r) override {
    if (r.without.contains("host_accesses")) em::guard_host_memory(false);
    close_memory(r);
    em::options& options = options_ = {};
    if (r.as_compiled && !em::has_machine_code())
      throw protocol_error("this runner carries no machine code: compile it with simtcc --engine sass");
    options.as_compiled = r.as_compiled;
    options.workers = std::max(1U, r.workers);
    options.counters = r.counters;
    options.checks = r.checks;
    options.foreign_reads = r.foreign_reads;
    options.request_examples = r.examples;
    if (r.traced_block) options.traced_block = emulated(*r.traced_block);
    options.traced_kernel = r.traced_kernel;
    if (r.samples) options.sampled_accesses = sampled_accesses;
    if (r.launch_block) options.launch_block = block_from(*r.launch_block);
    options.names_racing_threads = r.names_racing_threads;
    options.fail_api_call = r.fail_api_call;
    for (const auto& [rule, level] : r.severities)
      options.severities[rule_called(rule)] = static_cast<em::severity>(level);
    if (r.without.contains("local_memory")) {
      options.local_memory_apart = false;
      options.severities[em::rule::foreign_local_memory] = em::severity::note;
    }
    em::configure(options);
  }
  void begin_round(unsigned number) override {
    options_.turns.kind = number % 2 == 0 ? em::schedule::in_order : em::schedule::reverse;
    em::configure(options_);
  }
  measurements take(bool final) override { return measurements_from(em::take_report(final)); }
  void on_fatal(std::function<void(measurements)> f) override {
    fatal_ = std::move(f);
    em::on_fatal([](const em::report& r) { the().fatal_(measurements_from(r)); });
  }

  static emulator_backend& the() {
    static emulator_backend backend;
    return backend;
  }

 private:
  static void close_memory(const case_request& r) {
    em::close_host_memory(!r.without.contains("host_accesses") && !r.without.contains("closed_memory"));
  }

  std::function<void(measurements)> fatal_;
  em::options options_;
  bool is_guarded_ = false;
};

}  // namespace

backend& this_backend() { return emulator_backend::the(); }

}  // namespace simtlab
