// The layers of protection, by the names that facts, reports and `simtlab doctor` use. docs/security.md says what each
// stops.
#pragma once

namespace simtlab::sandbox::layer {

inline constexpr const char *user_namespace = "user-namespace", *mount_namespace = "mount-namespace",
                            *pid_namespace = "pid-namespace", *network_namespace = "network-namespace",
                            *seccomp = "seccomp", *rlimits = "rlimits", *unprivileged_user = "unprivileged-user",
                            *cgroup_memory = "cgroup-memory", *cgroup_processes = "cgroup-processes";

}  // namespace simtlab::sandbox::layer
