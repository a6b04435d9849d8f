#include "sandbox/status.h"

#include <fstream>
#include <nlohmann/json.hpp>

#include "sandbox/descriptor.h"

namespace simtlab::sandbox {

void write_status(const launch_status& s, const std::filesystem::path& file) {
  const nlohmann::json document = {{"format", "simtlab-sandbox"},
                                   {"version", 1},
                                   {"started", s.started},
                                   {"why", s.why},
                                   {"exit_code", s.exit_code},
                                   {"signal", s.signal},
                                   {"stopped", s.stopped},
                                   {"disk_full", s.disk_full},
                                   {"memory_kills", s.memory_kills},
                                   {"refused_processes", s.refused_processes},
                                   {"processes", s.processes},
                                   {"memory_mb", s.memory_mb},
                                   {"peak_bytes", s.peak_bytes},
                                   {"processor_seconds", s.processor_seconds},
                                   {"layers", s.layers}};
  const std::filesystem::path unfinished = file.string() + ".part";
  std::ofstream to(unfinished);
  to << document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
  to.close();
  if (!to || rename(unfinished.c_str(), file.c_str()) != 0) throw system_failure(file.string() + " cannot be written");
}

}  // namespace simtlab::sandbox
