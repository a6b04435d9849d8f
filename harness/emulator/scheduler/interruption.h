// Signals that ask the program to end (SIGINT, SIGTERM, SIGALRM, SIGHUP, the limit of processor time) let it speak first.
//
// While a kernel runs, the handler does nothing but stop the launch: lanes notice when their logs are full, which a loop
// with any access or branch leads to at once, and the launch's caller then tells what was found and where the warps stood. A lane
// that logs nothing, since its loop is empty once compiled, is pulled out after a while as by a fault. While host code
// runs, it is moved to a function on a stack of its own, as for a fault. Speaking has ten seconds; then, or at a second
// signal, the program ends without.
#pragma once

#include "scheduler/launch.h"

namespace simtlab::emulator {

/// Once per process, for the signals that the program does not handle or ignore. `on_host` must not return.
void install_interruption_handlers(void (*on_host)(int signal));

/// While it exists a signal stops this launch.
class interruptible_launch {
 public:
  explicit interruptible_launch(running_launch&);
  ~interruptible_launch();
  interruptible_launch(const interruptible_launch&) = delete;  // the handler knows its address
  interruptible_launch& operator=(const interruptible_launch&) = delete;
};

/// The signal that came; 0: none.
[[nodiscard]] int interruption();
/// Ends the process by the signal, as if nobody had handled it.
[[noreturn]] void end_by_signal(int signal);
/// "Ctrl-C (SIGINT)", "The limit of processor time (SIGXCPU)".
[[nodiscard]] const char* interruption_in_words(int signal);

}  // namespace simtlab::emulator
