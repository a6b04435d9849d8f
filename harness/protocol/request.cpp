#include "protocol/request.h"

#include <array>

#include "protocol/bounded_json.h"
#include "protocol/file.h"
#include "protocol/measurement_json.h"

namespace simtlab {
namespace {

constexpr std::size_t longest_request = 1 << 20;
constexpr unsigned most_rounds = 16;
constexpr std::size_t greatest_argument = std::size_t{16} << 30;
constexpr std::array<const char*, 4> role_names{"input", "output", "in_out", "scalar"};
constexpr std::array<const char*, 2> kind_names{"device", "host"};
constexpr std::array<const char*, 10> scalar_names{"f32", "f64", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"};

template <std::size_t N>
std::size_t index_in(const std::array<const char*, N>& names, const json_reader& from) {
  const std::string text = from.text();
  for (std::size_t i = 0; i < N; ++i)
    if (text == names[i]) return i;
  from.fail(std::string("one of \"") + names[0] + "\" … \"" + names[N - 1] + "\"");
}

request_argument argument_from(const json_reader& from) {
  request_argument a;
  a.name = from["name"].text();
  a.role = static_cast<argument_role>(index_in(role_names, from["role"]));
  a.element_bytes = from["element_bytes"].count();
  a.elements = from["elements"].count();
  a.scalar = static_cast<scalar_type>(index_in(scalar_names, from["scalar"]));
  from["extents"].for_each([&](const json_reader& extent) { a.extents.push_back(extent.count()); });
  if (a.element_bytes == 0 || a.elements > greatest_argument / a.element_bytes)
    from.fail("an argument of at most 16 GiB");
  return a;
}

json to_json(const std::optional<timing_request>& t) {
  if (!t) return nullptr;
  return json_object({{"warm_ups", t->warm_ups},
                      {"fewest", t->until.fewest},
                      {"most", t->until.most},
                      {"seconds", t->until.seconds},
                      {"least_seconds", t->until.least_seconds},
                      {"relative_width", t->until.relative_width},
                      {"thresholds", t->until.thresholds}});
}

timing_request timing_from(const json_reader& from) {
  timing_request t;
  t.warm_ups = static_cast<unsigned>(from["warm_ups"].small_count());
  t.until.fewest = static_cast<unsigned>(from["fewest"].small_count());
  t.until.most = static_cast<unsigned>(from["most"].small_count());
  t.until.seconds = from["seconds"].number();
  t.until.least_seconds = from["least_seconds"].number();
  t.until.relative_width = from["relative_width"].number();
  from["thresholds"].for_each([&](const json_reader& at) { t.until.thresholds.push_back(at.number()); });
  return t;
}

}  // namespace

std::string input_file(unsigned round, std::size_t argument) {
  return "input-" + std::to_string(round) + "-" + std::to_string(argument) + ".bin";
}

void write_values(const std::filesystem::path& folder, const case_request& r, unsigned round,
                  const round_view& values) {
  const folder_handle to(folder);
  for (std::size_t i = 0; i < r.arguments.size(); ++i)
    if (r.arguments[i].role != argument_role::output) to.write(input_file(round, i), values[i]);
}

void begin_request(const std::filesystem::path& folder, const case_request& r) {
  std::filesystem::create_directory(folder / "request");
  std::filesystem::create_directory(folder / "result");
  const folder_handle to(folder / "request");
  json arguments = json::array();
  for (const request_argument& a : r.arguments) {
    arguments.push_back(json_object({{"name", a.name},
                                     {"role", role_names[static_cast<std::size_t>(a.role)]},
                                     {"element_bytes", a.element_bytes},
                                     {"elements", a.elements},
                                     {"scalar", scalar_names.at(static_cast<std::size_t>(a.scalar))},
                                     {"extents", a.extents}}));
  }
  json severities = json::object();
  for (const auto& [rule, level] : r.severities) severities[rule] = name_of(level);
  to.write("request.json",
           to_text(json_object({{"format", "simtlab-request"},
                                {"version", protocol_version},
                                {"lab", r.lab},
                                {"kind", kind_names[static_cast<std::size_t>(r.kind)]},
                                {"arguments", std::move(arguments)},
                                {"rounds", r.rounds},
                                {"workers", r.workers},
                                {"as_compiled", r.as_compiled},
                                {"counters", r.counters},
                                {"checks", r.checks},
                                {"foreign_reads", r.foreign_reads},
                                {"examples", r.examples},
                                {"traced_block", r.traced_block ? json(*r.traced_block) : json(nullptr)},
                                {"traced_kernel", r.traced_kernel},
                                {"names_racing_threads", r.names_racing_threads},
                                {"samples", r.samples},
                                {"launch_block", r.launch_block ? json(*r.launch_block) : json(nullptr)},
                                {"fail_api_call", r.fail_api_call},
                                {"severities", std::move(severities)},
                                {"timing", to_json(r.timing)},
                                {"without", r.without}})));
}

void link_values(const std::filesystem::path& values, const std::filesystem::path& folder) {
  for (const auto& file : std::filesystem::directory_iterator(values)) {
    const std::filesystem::path to = folder / "request" / file.path().filename();
    std::error_code refused;
    std::filesystem::create_hard_link(file.path(), to, refused);
    if (refused) std::filesystem::copy_file(file.path(), to);
  }
}

std::filesystem::path nth_case(const std::filesystem::path& folder, std::size_t n) {
  return folder / "request" / "cases" / std::to_string(n);
}

std::filesystem::path nth_result(const std::filesystem::path& folder, std::size_t n) {
  return folder / "result" / std::to_string(n);
}

void make_nth_case(const std::filesystem::path& folder, std::size_t n) {
  std::filesystem::create_directories(nth_case(folder, n));
  const std::filesystem::path result = nth_result(folder, n);
  std::filesystem::create_directories(result);
  std::filesystem::permissions(result, std::filesystem::perms::all);
}

case_request read_request(const std::filesystem::path& folder) {
  const folder_handle from(folder / "request");
  const json document = parse_bounded(from.read_text("request.json", longest_request), "request.json");
  const json_reader root(document, "request");
  if (root["format"].text() != "simtlab-request") root["format"].fail("simtlab-request");
  if (root["version"].count() != protocol_version)
    root["version"].fail("version " + std::to_string(protocol_version) +
                         " (judge and runner come from different builds)");

  case_request r;
  r.lab = root["lab"].text();
  r.kind = static_cast<entry_kind>(index_in(kind_names, root["kind"]));
  root["arguments"].for_each([&](const json_reader& a) { r.arguments.push_back(argument_from(a)); });
  r.rounds = static_cast<unsigned>(root["rounds"].small_count());
  if (r.rounds == 0 || r.rounds > most_rounds) root["rounds"].fail("1 to " + std::to_string(most_rounds));
  r.workers = static_cast<unsigned>(root["workers"].small_count());
  r.as_compiled = root["as_compiled"].boolean();
  r.counters = root["counters"].boolean();
  r.checks = root["checks"].boolean();
  r.foreign_reads = root["foreign_reads"].boolean();
  r.examples = root["examples"].boolean();
  r.traced_block = coordinates_from(root["traced_block"]);
  r.traced_kernel = root["traced_kernel"].text();
  r.names_racing_threads = root["names_racing_threads"].boolean();
  r.samples = root["samples"].boolean();
  r.launch_block = coordinates_from(root["launch_block"]);
  r.fail_api_call = root["fail_api_call"].count();
  root["severities"].for_each_member(
      [&](const std::string& rule, const json_reader& level) { r.severities[rule] = severity_from(level); });
  if (const json_reader timing = root["timing"]; !timing.is_null()) r.timing = timing_from(timing);
  if (r.timing && r.rounds < 2) root["rounds"].fail("two sets of values for timed calls");
  root["without"].for_each([&](const json_reader& layer) { r.without.insert(layer.text()); });
  return r;
}

mapped_round::mapped_round(const std::filesystem::path& folder, const case_request& r, unsigned round) {
  const folder_handle from(folder / "request");
  for (std::size_t i = 0; i < r.arguments.size(); ++i) {
    const request_argument& a = r.arguments[i];
    files_.push_back(a.role == argument_role::output ? mapped_file()
                                                     : from.map(input_file(round, i), a.element_bytes * a.elements));
    values_.push_back(files_.back().bytes());
  }
}

}  // namespace simtlab
