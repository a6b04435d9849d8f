// The control panel (emulator.h), and what host code's accesses lead to.
#include "emulator.h"

#include <string>

#include "runtime/device.h"
#include "trace/hook_state.h"
#include "trace/text_base.h"

namespace simtlab::emulator {

std::uint64_t text_base = 0;

void configure(const options& wanted) {
  device& d = device::instance();
  const std::lock_guard guard(d.lock);
  d.settings = wanted;
  d.host.fallible_calls = 0;
}

void name_memory(const void* where, std::size_t bytes, std::string_view name) {
  device& d = device::instance();
  const std::lock_guard guard(d.lock);
  d.name_memory(where, bytes, name);
}

report take_report(bool final) { return device::instance().take_report(final); }

void on_fatal(void (*handler)(const report&)) { device::instance().fatal_handler = handler; }

void host_access(const void* where, std::uint32_t, bool is_write, const void* return_address) {
  device& d = device::instance();
  const auto a = reinterpret_cast<address>(where);
  if (!d.is_device_address(where) || d.is_managed(a)) return;
  const std::lock_guard guard(d.lock);
  const memory_region* r = d.map.find(a);
  const bool symbol = !d.memory.range().contains(a);
  d.report_host(
      rule::host_access_to_device, site_at(return_address), r == nullptr ? "" : r->name,
      std::string("Host code ") + (is_write ? "writes to" : "reads from") + " device memory. " +
          (symbol ? "The host reaches a __device__ or __constant__ variable with cudaMemcpyToSymbol and "
                    "cudaMemcpyFromSymbol only."
                  : "Device memory is another memory: copy it with cudaMemcpy, or move this work into a kernel."));
}

}  // namespace simtlab::emulator
