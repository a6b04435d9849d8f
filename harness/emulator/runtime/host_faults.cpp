// The part of the device that tells what host code did to memory that is not its own, or how else it came to its end, and ends the
// program where nothing may run on.
#include <csignal>
#include <cstdlib>
#include <string>
#include <utility>

#include "core/private_memory.h"
#include "runtime/api_caller.h"
#include "runtime/device.h"
#include "scheduler/interruption.h"

namespace simtlab::emulator {
namespace {

constexpr const char* full_host_stack =
    "The stack of the host code is full: a recursion that does not end, or a local array that is too large. Large "
    "arrays belong on the heap: std::vector, or malloc.";

}  // namespace

void device::report_host_outside(address at, address end, bool is_write, site caller) {
  const memory_region* const r = map.below(at);
  if (r == nullptr || !is_shared_with_host(r->begin)) return;
  const std::string does = is_write ? "Host code writes " : "Host code reads ";
  const std::string kind = is_managed(r->begin) ? "managed memory" : "page-locked memory";
  if (r->contains(at))
    report_host(rule::use_after_free, caller, r->name,
                does + kind + " that was already freed: " +
                    (is_managed(r->begin) ? "cudaFree takes it from the host, too."
                                          : "touch it before cudaFreeHost, or free it later."),
                allocation_site(*r));
  else
    report_host(rule::out_of_bounds, caller, r->name,
                does + bytes_text(end - at) + " beyond the end of " + kind + " that has " + bytes_text(r->bytes) +
                    ". Does a loop go on for one element too many?",
                allocation_site(*r));
}

void device::tell_what_was_found() {
  if (fatal_handler != nullptr) fatal_handler(take_report(false));
}

void device::end_refused() {
  tell_what_was_found();
  std::_Exit(70);
}

void device::end_interrupted(int signal) {
  tell_what_was_found();
  end_by_signal(signal);
}

void device::host_interrupted(int signal) {
  const private_allocation own;
  instance().end_interrupted(signal);
}

void device::refuse_host_access(const void* where, std::uint32_t width, bool is_write, site caller) {
  report_host(rule::foreign_memory, caller, sources.symbol_at(reinterpret_cast<address>(where)),
              std::string("Host code ") + (is_write ? "writes to " : "reads from ") + std::to_string(width) +
                  (width == 1 ? " byte" : " bytes") +
                  " of memory that is neither the program's own nor handed to it. Which pointer is it, and does an "
                  "index leave its array?");
  end_refused();
}

void device::refuse_host_call(std::string message, site caller, std::string variable) {
  report_host(rule::foreign_memory, caller, std::move(variable), std::move(message));
  end_refused();
}

void device::refuse_host_stack(site where) {
  const private_allocation own;
  const std::lock_guard guard(lock);
  report_host(rule::stack_overflow, where, "", full_host_stack);
  end_refused();
}

void device::host_fault(const fault& f) {
  const private_allocation own;
  device& d = instance();
  if (f.was_closed) {
    d.report_host(rule::foreign_memory, host_watch::calling_site(f.stack_pointer), d.sources.symbol_at(f.where),
                  std::string("A function of a library, called here, ") + (f.stores ? "writes to" : "reads from") +
                      " memory that is neither the program's own nor handed to it. Which object, pointer or iterator "
                      "is it given, and does that hold what its type says?");
  } else if (worker::current() == nullptr && f.signal != SIGABRT) {
    const auto where = reinterpret_cast<const void*>(f.where);
    if (d.memory.range().contains(f.where)) {
      const memory_region* r = d.map.find(f.where);
      d.report_host(
          rule::host_access_to_device, f.instruction, r == nullptr ? "" : r->name,
          "Host code dereferences a device pointer. Device memory is another memory: copy it with cudaMemcpy, or "
          "move this work into a kernel.");
    } else if (f.signal == SIGFPE) {
      d.report_host(rule::invalid_address, f.instruction, "", "Host code divides an integer by zero.");
    } else if (f.stack_full) {
      d.report_host(rule::stack_overflow, f.instruction, "", full_host_stack);
    } else {
      d.report_host(rule::invalid_address, f.instruction, d.sources.symbol_at(reinterpret_cast<address>(where)),
                    f.where < 0x10000 ? "Host code dereferences a null pointer."
                                      : "Host code accesses memory that it does not own.");
    }
  }
  d.tell_what_was_found();
}

}  // namespace simtlab::emulator
