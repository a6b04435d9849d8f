// What the command is shown, made reachable for the user that it runs as; and becoming that user.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "sandbox/options.h"

namespace simtlab::sandbox {

/// "nobody" of every Linux: the host's user that commands run as when we are root. Inside they are 1000.
inline constexpr uid_t unprivileged_user = 65534;
inline constexpr gid_t unprivileged_group = 65534;

/// Gives the folders to be written to the user that the command runs as. For root only.
void give_away_folders(const std::vector<shown_path>&);

/// Where each path is to be bound from; "" for one that may be missing and is. As root a namespace of mounts of our own is
/// entered first, and every path bound into it below a folder that all may pass: the folders above it may be closed to
/// the unprivileged user, as temporary folders are. Throws launch_error naming the path that cannot be shown.
[[nodiscard]] std::vector<std::string> stage(const std::vector<shown_path>&, bool is_root);

/// Becomes the unprivileged user, without groups and capabilities, for good. Throws launch_error.
void drop_privileges();

/// Throws launch_error for a path that this user may not read.
void check_readable(const std::vector<shown_path>&, const std::vector<std::string>& sources);

}  // namespace simtlab::sandbox
