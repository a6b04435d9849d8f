// What bubblewrap is told: which namespaces, which mounts.
#pragma once

#include <string>
#include <vector>

#include "sandbox/options.h"

namespace simtlab::sandbox {

/// Options for `bwrap --args`. `sources[i]` is where `options.shown[i]` is bound from; empty: it is not there.
/// `status` and `filter` are descriptors that bubblewrap inherits.
[[nodiscard]] std::vector<std::string> bubblewrap_options(const launch_options&,
                                                          const std::vector<std::string>& sources, int status,
                                                          int filter);

/// The command with its limit of processes, which counts per sandbox when it is set inside.
[[nodiscard]] std::vector<std::string> limited_command(const launch_options&, std::size_t processes);

/// The whole environment of a command: nothing of ours but what was asked for.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> environment_of(const launch_options&);

}  // namespace simtlab::sandbox
