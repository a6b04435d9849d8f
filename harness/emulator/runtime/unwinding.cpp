#include "runtime/unwinding.h"

#include <unwind.h>

#include <array>
#include <cstring>

#include "core/closed_memory.h"
#include "runtime/program_image.h"
#include "trace/hook_state.h"

namespace simtlab::emulator {
namespace {

bool is_program(address instruction) { return program_code().contains(instruction) && !is_own_code(instruction); }

/// One step of a walk. A frame's end is known when its caller's turn has come.
struct walk {
  bool (*looks)(walk&, address place,
                _Unwind_Context*) = nullptr;  ///< at a frame of the program's; false ends the walk
  address from = 0;                           ///< frames whose return address lies there or lower are not looked at
  address wanted = 0;
  address instruction = 0;  ///< of the frame before
  bool found = false, is_complete = false;
};

_Unwind_Reason_Code step(_Unwind_Context* context, void* data) {
  walk& w = *static_cast<walk*>(data);
  const address place = _Unwind_GetCFA(context) - sizeof(address);
  const bool was_program = w.instruction != 0 && is_program(w.instruction);
  w.instruction = _Unwind_GetIP(context) - 1;  // of the call
  if (place >= host_stack.begin + host_stack.bytes) {
    w.is_complete = true;
    return _URC_END_OF_STACK;
  }
  if (place <= w.from || place < host_stack.begin || !was_program) return _URC_NO_REASON;
  return w.looks(w, place, context) ? _URC_NO_REASON : _URC_END_OF_STACK;
}

/// Whether the frame is as its record says.
bool is_as_recorded(walk& w, address place, _Unwind_Context* context) {
#ifdef __x86_64__
  constexpr std::array registers{3, 6, 12, 13, 14, 15};  // %rbx, %rbp, %r12 to %r15, by the numbers of DWARF
  std::array<address, registers.size() + 1> record{};
  std::memcpy(record.data(), reinterpret_cast<const void*>(host_stack.records + (place - host_stack.begin) * 4),
              sizeof record);
  bool is_same = std::memcmp(record.data(), reinterpret_cast<const void*>(place), sizeof(address)) == 0;
  for (std::size_t i = 0; i < registers.size(); ++i) is_same &= record[i + 1] == _Unwind_GetGR(context, registers[i]);
  w.found |= !is_same;
  return is_same;
#else
  static_cast<void>(w), static_cast<void>(place), static_cast<void>(context);
  return true;
#endif
}

}  // namespace

bool is_running(address place) {
  walk w{.looks = [](walk& of, address at, _Unwind_Context*) { return !(of.found = at == of.wanted); },
         .wanted = place};
  _Unwind_Backtrace(step, &w);
  return w.found || !w.is_complete;
}

}  // namespace simtlab::emulator

/// Called by what unwinds, whose return address lies at `place`.
extern "C" void simtlab_look_at_unwinding(simtlab::emulator::address place) {
  using namespace simtlab::emulator;
  if (!is_memory_closed() || host_stack.records == 0) return;
  walk w{.looks = is_as_recorded, .from = place};
  _Unwind_Backtrace(step, &w);
  if (!w.found) return;
  refuse_frame(
      "throws an exception, and has stored before to where a frame keeps its return address or its caller's registers. "
      "Which pointer to a local variable is it, and does an index leave its array?",
      reinterpret_cast<const void*>(w.instruction + 1));
  __builtin_trap();
}
