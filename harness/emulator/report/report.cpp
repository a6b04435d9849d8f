#include "report/report.h"

#include <array>

namespace simtlab::emulator {
namespace {

struct rule_words {
  const char* name;
  severity level;
  const char* description;
};

// In the order of the enumeration.
constexpr std::array<rule_words, rule_count> rules{{
    {"shared-race", severity::error,
     "Two threads of a block use the same shared memory without a barrier between, and at least one writes."},
    {"global-race", severity::error,
     "Two threads use the same global memory without an order between, and at least one writes."},
    // benign on the hardware at hand, undefined by the language
    {"same-value-race", severity::warning,
     "Several threads write the same value to the same memory without an order between."},
    // the swap verifies what was read
    {"first-guess-race", severity::note,
     "A plain read beside atomic operations is the first guess of a compare-and-swap."},
    {"out-of-bounds", severity::error, "An access lies outside of the memory that it belongs to."},
    {"use-after-free", severity::error, "An access lies in device memory that was freed."},
    {"misaligned", severity::error, "An address is no multiple of the size of what is accessed there."},
    {"uninitialised-global", severity::error, "A kernel reads global memory that nobody has written."},
    {"uninitialised-shared", severity::error, "A kernel reads shared memory that no thread of the block has written."},
    {"divergent-barrier", severity::error, "Threads of one block wait at different barriers."},
    {"exited-before-barrier", severity::error, "Threads returned while others of their block wait at a barrier."},
    {"deadlock", severity::error, "Threads wait for a value that nobody is left to store."},
    {"livelock", severity::error, "Threads change memory without end, and none gets any further."},
    {"warp-deadlock", severity::error, "A warp primitive waits for lanes that will not come."},
    {"inactive-lane", severity::error, "A shuffle reads from a lane that does not take part."},
    {"mask-without-caller", severity::error, "A warp primitive's mask leaves out the lane that calls it."},
    {"host-access-to-device", severity::error, "Host code dereferences a device pointer."},
    {"unsynchronised-host-access", severity::error,
     "Host code touches memory that a kernel or a copy may still work on."},
    {"device-access-to-host", severity::error, "A kernel dereferences a host pointer."},
    {"invalid-address", severity::error, "A null or wild pointer is dereferenced."},
    {"stack-overflow", severity::error, "A stack is full."},
    {"endless-loop", severity::error, "A thread ran longer than the watchdog allows."},
    {"interrupted", severity::error, "A signal or a time limit ended the program while a kernel ran."},
    {"failed-assertion", severity::error, "An assertion failed in a kernel."},
    {"missing-return", severity::error, "A function that returns a value ended without a return statement."},
    // the answer is right all the same; labs about memory raise it
    {"leak", severity::warning, "Device memory was never freed."},
    {"invalid-free", severity::error, "Memory was freed twice, or a pointer that no allocation returned was freed."},
    {"unchecked-error", severity::error, "A call of the CUDA API or a launch failed, and the program never asked."},
    {"foreign-local-memory", severity::error, "A thread follows a pointer to a local variable of another thread."},
    {"foreign-memory", severity::error, "Host code was about to touch memory that is not the program's."},
    {"stale-texel", severity::error, "A texture fetch reads what the same launch has written before."},
    {"texture-mismatch", severity::error,
     "A texture object cannot be, or a fetch is of another kind than its texture."},
    // a GPU clamps the amount; C++ does not promise it
    {"shift-out-of-range", severity::warning,
     "A kernel shifts an integer by a negative amount, or by its width or more."},
    // where the value is used, the result is wrong all the same
    {"division-by-zero", severity::warning, "A kernel divides an integer by zero."},
    // current hardware returns 0; the guide does not promise it
    {"texture-range", severity::warning, "tex1Dfetch reads outside of its memory."},
    {"unsupported", severity::error, "The program uses what the emulator does not have."},
    {"not-as-compiled", severity::note,
     "A kernel ran as g++ compiled it, because what nvcc made of it cannot be executed here."},
    {"incomplete-check", severity::note, "A check ran out of room and may have missed something."},
}};

}  // namespace

const char* rule_name(rule r) { return rules[static_cast<std::size_t>(r)].name; }
const char* rule_description(rule r) { return rules[static_cast<std::size_t>(r)].description; }
severity default_severity(rule r) { return rules[static_cast<std::size_t>(r)].level; }

const char* severity_name(severity s) {
  switch (s) {
    case severity::note:
      return "note";
    case severity::warning:
      return "warning";
    case severity::error:
      return "error";
  }
  return "error";
}

}  // namespace simtlab::emulator
