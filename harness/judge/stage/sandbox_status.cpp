#include "judge/stage/sandbox_status.h"

#include <algorithm>

#include "protocol/bounded_json.h"
#include "protocol/file.h"

namespace simtlab {
namespace {

constexpr std::size_t longest_status = 64 * 1024;

}  // namespace

std::optional<sandbox_status> read_sandbox_status(const std::filesystem::path& case_folder) {
  const folder_handle folder(case_folder);
  if (!folder.has(sandbox_status_file)) return std::nullopt;
  const json document = parse_bounded(folder.read_text(sandbox_status_file, longest_status), sandbox_status_file);
  const json_reader root(document, "sandbox");
  if (root["format"].text() != "simtlab-sandbox" || root["version"].count() != 1)
    root["format"].fail("simtlab-sandbox, version 1 (judge and launcher come from different builds)");
  sandbox_status s;
  s.started = root["started"].boolean();
  s.why = root["why"].text();
  s.signal = static_cast<int>(root["signal"].small_count());
  s.disk_full = root["disk_full"].boolean();
  s.memory_kills = root["memory_kills"].count();
  s.refused_processes = root["refused_processes"].count();
  s.processes = root["processes"].count();
  s.peak_bytes = root["peak_bytes"].count();
  s.processor_seconds = root["processor_seconds"].number();
  return s;
}

process_outcome inside(process_outcome o, const sandbox_status& s, const process_limits& limits) {
  using way = process_outcome::way;
  o.peak_bytes = std::max(o.peak_bytes, s.peak_bytes);
  if (o.how != way::exited && o.how != way::signalled) return o;
  if (!s.started) {
    o.how = way::not_executed;
    o.text = "The sandbox did not start the runner: " + s.why;
    if (const std::string said = o.printed.substr(0, o.printed.find('\n')); !said.empty()) o.text += " (" + said + ")";
  } else if (s.disk_full) {
    o.how = way::wrote_too_much;
  } else if (s.memory_kills > 0) {
    o.how = way::out_of_memory;
  } else if (is_out_of_processor_time(s.signal, std::chrono::duration<double>(s.processor_seconds), limits)) {
    o.how = way::out_of_processor_time;
  } else if (s.signal != 0) {
    o.how = way::signalled;
    o.signal = s.signal;
  }
  return o;
}

}  // namespace simtlab
