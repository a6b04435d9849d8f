#include "runtime/emulator_call.h"

#include "core/closed_memory.h"
#include "runtime/device.h"
#include "scheduler/worker.h"
#include "trace/hook_state.h"

namespace simtlab::emulator {

void enter_from_program() {
  worker::leave_thread();
  hooks.leave_template();
  hooks.pending = nullptr;
  attributed_site = 0;
  device::instance().take_noted_accesses();
}

emulator_call::emulator_call() : closes_((look_at_opener(__builtin_return_address(0)), open_memory())) {
  if (!closes_) return;
  enter_from_program();
}

emulator_call::~emulator_call() {
  if (closes_) close_memory();
}

bool emulator_call::program_calls() { return is_memory_closed() || !allocates_privately; }

}  // namespace simtlab::emulator
