// What every function of the runtime API does before and after its own work: one host thread at a time, calls counted,
// failures injected, a lost context reported, the last error remembered.
#pragma once

#include <mutex>

#include "runtime/api_caller.h"
#include "runtime/device.h"
#include "runtime/emulator_call.h"

namespace simtlab::emulator {

/// Runs `body(device&)`, which returns a CUDA error number, as the API call it is. The body asks `caller` of every pointer and
/// handle before it uses one.
template <class Body>
error_code api_call(const api_caller& caller, Body&& body) {
  const emulator_call inside;
  caller.refuse_in_kernel();
  device& d = device::instance();
  const std::lock_guard guard(d.lock);
  ++d.host.api_calls;
  if (d.sticky_error != 0) return d.record(d.sticky_error);
  return d.record(body(d));
}

/// The same as the API's own type.
template <class Body>
cudaError_t cuda_call(const api_caller& caller, Body&& body) {
  return static_cast<cudaError_t>(api_call(caller, body));
}

/// The same for a call that options::fail_api_call counts.
template <class Body>
error_code fallible_call(const api_caller& caller, Body&& body, failure how = failure::out_of_memory) {
  return api_call(caller, [&](device& d) {
    if (d.must_fail()) return d.inject(how, caller.function, caller.where);
    return body(d);
  });
}

}  // namespace simtlab::emulator
