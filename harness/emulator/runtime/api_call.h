// What every function of the runtime API does before and after its own work: one host thread at a time, calls counted,
// failures injected, a lost context reported, the last error remembered.
#pragma once

#include <mutex>
#include <string>

#include "core/private_memory.h"
#include "runtime/device.h"
#include "trace/text_base.h"

namespace simtlab::emulator {

/// The error that an injected failure gives.
enum class failure : int { out_of_memory = 2, launch_out_of_resources = 701 };

/// Runs `body(device&)`, which returns a CUDA error number, as the API call it is.
template <class Body>
error_code api_call(Body&& body) {
  const private_allocation own;
  device& d = device::instance();
  const std::lock_guard guard(d.lock);
  ++d.host.api_calls;
  if (d.sticky_error != 0) return d.record(d.sticky_error);
  return d.record(body(d));
}

/// The same for a call that options::fail_api_call counts.
template <class Body>
error_code fallible_call(Body&& body, failure how = failure::out_of_memory) {
  return api_call([&](device& d) {
    if (d.must_fail()) return d.host.injected_error = static_cast<int>(how);
    return body(d);
  });
}

#define SIMTLAB_CALL_SITE ::simtlab::emulator::site_at(__builtin_return_address(0))

}  // namespace simtlab::emulator
