#include "runtime/api_caller.h"

#include <string>

#include "runtime/call_targets.h"
#include "scheduler/worker.h"

namespace simtlab::emulator {
namespace {

/// More of the stack than the API's functions take below their caller's frame.
constexpr std::size_t own_frames = std::size_t{1} << 20;

}  // namespace

bool api_caller::may_access(device& d, const void* begin, std::size_t bytes, bool is_write) const {
  if (bytes == 0 || !is_program_) return true;
  const auto a = reinterpret_cast<address>(begin);
  const auto call = [&] { return std::string(function) + (is_write ? " stores " : " reads ") + bytes_text(bytes); };
  if (d.is_shared_with_host(a) && d.live_region(begin, bytes) != nullptr) {
    d.work.accessed_managed(a, bytes, is_write, where);
    return true;
  }
  if (d.touches_device_memory(a, bytes)) {
    const memory_region* r = d.map.find(a);
    d.report_host(rule::host_access_to_device, where, r == nullptr ? "" : r->name,
                  call() + (is_write ? " to" : " of") +
                      " device memory, where it takes a pointer to host memory. Give it the address of a variable of "
                      "the host.");
    return false;
  }
  if (!d.host_memory.is_guarded()) return true;
  const bool own = a < frame_ && a + bytes > frame_ - own_frames;
  if (own || !d.host_memory.allows(a, bytes, is_write))
    d.refuse_host_call(call() + (is_write ? " to" : " of") +
                           " memory that is neither the program's own nor handed to it. Which pointer is it, and does "
                           "its array have that many bytes?",
                       where, d.sources.symbol_at(a));
  return true;
}

void api_caller::report_handle(device& d, bool was_destroyed, const char* kind, const char* maker) const {
  d.report_host(
      was_destroyed ? rule::use_after_free : rule::invalid_address, where, "",
      std::string(function) + ": " +
          (was_destroyed ? std::string("the ") + kind + " was already destroyed. Destroy it after its last use."
                         : std::string("this is no ") + kind + " that " + maker +
                               " made. Is its variable set, and did the call that makes it succeed?"));
}

bool api_caller::is_stream(device& d, cudaStream_t stream) const {
  if (stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread) return true;
  if (d.stream_handles.find(stream) != nullptr) return true;
  report_handle(d, d.stream_handles.knew(stream), "stream", "cudaStreamCreate");
  return false;
}

CUevent_st* api_caller::event_of(device& d, cudaEvent_t event) const {
  CUevent_st* const living = d.events.find(event);
  if (living == nullptr) report_handle(d, d.events.knew(event), "event", "cudaEventCreate");
  return living;
}

void api_caller::look_at_callback(device& d, const void* target) const {
  if (!may_call(d, reinterpret_cast<std::uintptr_t>(target)))
    d.refuse_host_call(std::string(function) +
                           " calls a function through a pointer that holds no function's address. Where does the "
                           "pointer get its value?",
                       where);
}

void api_caller::refuse_in_kernel() const {
  if (worker* w = worker::current(); w != nullptr && w->in_lane())
    w->end_lane(rule::unsupported, where,
                std::string("A kernel calls ") + function +
                    ", which only host code may call. Move the call in front of the launch or behind it.",
                stop_reason::unsupported);
}

}  // namespace simtlab::emulator
