// Stops a debugger in one thread of one block, as in the device-emulation mode that CUDA once had.
//
// SIMTLAB_DEBUG_BLOCK=x[,y[,z]] and SIMTLAB_DEBUG_THREAD=x[,y[,z]] choose the thread. Just before it enters a kernel,
// `simtlab_debug_stop` is called, and `simtlab_debug_kernel` holds the kernel's name: a debugger with a breakpoint on the
// one sets its next on the other. harness/setup/debug_lab.sh does so with gdb.
#pragma once

#include <string>

#include "scheduler/launch.h"

namespace simtlab::emulator {

/// Whether the environment chooses a thread. All blocks then run in the thread of the host that launches, one after the
/// other: a debugger finds threadIdx and its kin there.
[[nodiscard]] bool is_thread_chosen();

/// Makes the launch stop in the chosen thread; says so on stderr when the launch has none. `symbol` is the kernel's name for
/// a debugger. Without a choice in the environment nothing happens. One launch at a time.
void stop_in_chosen_thread(running_launch&, const std::string& symbol);

}  // namespace simtlab::emulator
