// Starts a command that is not trusted, and leaves nothing of it behind.
//
// Theory of operation. Four processes stand in a row, and each can end the ones behind it:
//
//   launcher ── bwrap ── bwrap as process 1 of its own world ── prlimit, then the command
//
// The launcher stays outside, as whoever started it. It makes a control group where it may, and forks a starter, which joins the
// group, binds what the command may see into mounts of its own, becomes an unprivileged user if it was root (before
// bubblewrap: inside a user namespace it would still be root to the host), empties its environment (/proc/1/environ is
// the command's to read) and becomes bwrap. bwrap makes the namespaces and mounts, loads the filter of system calls,
// and tells through --json-status-fd that it did: without an exit code there, the command never ran, and the fault is
// ours. The limit of processes is set inside, where it counts this sandbox alone. Limits of processor time, memory and
// files are inherited from our caller; so are standard output and error. The wall clock and the bound on output are
// the caller's: it ends us by SIGTERM.
//
// The end. Every process of the row dies with the one before (PR_SET_PDEATHSIG), and with process 1 of a process id
// namespace all others in it; so a SIGKILL of the launcher leaves no process, and its control group is swept by the
// next. The launcher adopts orphans (it is a subreaper) and collects every one before it ends itself.
//
// Without namespaces (`launch_options::namespaces` false) the starter becomes the command itself: filter, limits, and
// the control group remain, and the user if root may become another; whatever the command may read is not held back.
#pragma once

#include "sandbox/options.h"
#include "sandbox/status.h"

namespace simtlab::sandbox {

/// What the caller of the launcher sees when the command was not started.
inline constexpr int not_started = 125;

/// Runs the command. Never throws: what went wrong on our side is in the status.
[[nodiscard]] launch_status launch(launch_options);

}  // namespace simtlab::sandbox
