// Streams, events and synchronisation. Every operation has ended when its call returns, so streams need no queue and an
// event is the time of its record; elapsed times are those of the emulator, not of a GPU.
#include <algorithm>
#include <chrono>

#include "include/cuda_runtime.h"
#include "runtime/api_call.h"
#include "runtime/graph.h"
#include "runtime/outermost_frame.h"
#include "runtime/running_callback.h"

using namespace simtlab::emulator;

namespace {

/// The host waits: for what, `wait(device&)` tells the streams' order, and returns an error number.
template <class Wait>
cudaError_t synchronise(const api_caller& caller, Wait wait) {
  return cuda_call(caller, [&](device& d) -> error_code {
    ++d.host.synchronisations;
    d.look_for_host_stores();
    if (const error_code e = wait(d); e != cudaSuccess) return e;
    d.release_of_pools();
    // An impossible configuration is told by the launch's own error alone: waiting succeeds.
    if (d.failed_launch_reason.empty()) d.unasked_launch_error = false;
    return cudaSuccess;
  });
}

cudaError_t wait_for_everything(const api_caller& caller) {
  return synchronise(caller, [](device& d) -> error_code {
    if (const auto refused = graph_tables::instance().captures.refuse_everywhere(); refused) return *refused;
    d.streams.wait_for_all();
    return cudaSuccess;
  });
}

error_code wait_for_stream(device& d, const api_caller& caller, cudaStream_t stream) {
  if (!caller.is_stream(d, stream)) return cudaErrorInvalidResourceHandle;
  if (const auto refused = refused_in_capture(stream); refused) return *refused;
  d.streams.wait_for(stream);
  return cudaSuccess;
}

error_code wait_for_event(device& d, const api_caller& caller, cudaEvent_t event) {
  const CUevent_st* const e = caller.event_of(d, event);
  if (e == nullptr) return cudaErrorInvalidResourceHandle;
  d.streams.wait_for(e->order);
  return cudaSuccess;
}

/// What GPUs tell of themselves.
constexpr int least_priority = 0, greatest_priority = -5;

cudaError_t create_stream(const api_caller& caller, cudaStream_t* stream, unsigned flags, int priority = 0) {
  return cuda_call(caller, [&](device& d) -> error_code {
    if (!caller.may_set(d, stream)) return cudaErrorInvalidValue;
    *stream = d.stream_handles.make();
    (*stream)->flags = flags;
    (*stream)->priority = std::clamp(priority, greatest_priority, least_priority);
    d.streams.created(*stream, (flags & cudaStreamNonBlocking) != 0);
    return cudaSuccess;
  });
}

cudaError_t create_event(const api_caller& caller, cudaEvent_t* event) {
  return cuda_call(caller, [&](device& d) -> error_code {
    if (!caller.may_set(d, event)) return cudaErrorInvalidValue;
    *event = d.events.make();
    return cudaSuccess;
  });
}

/// Whether host code in the stream may be called. Everything before it has ended.
cudaError_t may_call_back(const api_caller& caller, cudaStream_t stream, const void* function) {
  return cuda_call(caller, [&](device& d) -> error_code {
    if (!caller.is_stream(d, stream)) return cudaErrorInvalidResourceHandle;
    if (function == nullptr) return cudaErrorInvalidValue;
    caller.look_at_callback(d, function);
    return cudaSuccess;
  });
}

cudaError_t record(const api_caller& caller, cudaEvent_t event, cudaStream_t stream) {
  return cuda_call(caller, [&](device& d) -> error_code {
    CUevent_st* const e = caller.event_of(d, event);
    if (e == nullptr || !caller.is_stream(d, stream)) return cudaErrorInvalidResourceHandle;
    if (graph_tables::instance().captures.record(stream, e)) return cudaSuccess;
    e->record_now(d.streams.now_in(stream));
    return cudaSuccess;
  });
}

/// Host memory that `to` points to gets what the stream has.
template <class T>
cudaError_t tell(const api_caller& caller, cudaStream_t stream, T* to, T value) {
  return cuda_call(caller, [&](device& d) -> error_code {
    if (!caller.is_stream(d, stream)) return cudaErrorInvalidResourceHandle;
    if (!caller.may_set(d, to)) return cudaErrorInvalidValue;
    *to = value;
    return cudaSuccess;
  });
}

/// The same of what a stream was made with; the streams that always are were made with zeros.
template <class T>
cudaError_t tell_of_made(const api_caller& caller, cudaStream_t stream, T* to, T CUstream_st::*what) {
  return cuda_call(caller, [&](device& d) -> error_code {
    if (!caller.is_stream(d, stream)) return cudaErrorInvalidResourceHandle;
    if (!caller.may_set(d, to)) return cudaErrorInvalidValue;
    const CUstream_st* const made = d.stream_handles.find(stream);
    *to = made == nullptr ? T{} : made->*what;
    return cudaSuccess;
  });
}

}  // namespace

extern "C" {

cudaError_t cudaDeviceSynchronize() { return wait_for_everything(SIMTLAB_API_CALLER); }
cudaError_t cudaThreadSynchronize() { return wait_for_everything(SIMTLAB_API_CALLER); }
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return synchronise(caller, [&](device& d) { return wait_for_stream(d, caller, stream); });
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  const api_caller caller = SIMTLAB_API_CALLER;  // it says that the stream is done, and it is
  return cuda_call(caller, [&](device& d) { return wait_for_stream(d, caller, stream); });
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    const CUevent_st* const e = caller.event_of(d, event);
    if (e == nullptr || !caller.is_stream(d, stream)) return cudaErrorInvalidResourceHandle;
    stream_captures& captures = graph_tables::instance().captures;
    if (captures.wait(stream, e)) return cudaSuccess;
    if (captures.of(stream) != nullptr) return cudaErrorStreamCaptureIsolation;
    d.streams.wait_in(stream, e->order);
    return cudaSuccess;
  });
}
cudaError_t cudaStreamCreate(cudaStream_t* stream) { return create_stream(SIMTLAB_API_CALLER, stream, 0); }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return create_stream(SIMTLAB_API_CALLER, stream, flags);
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  return create_stream(SIMTLAB_API_CALLER, stream, flags, priority);
}
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned) {
  const api_caller caller = SIMTLAB_API_CALLER;
  cudaError_t e = may_call_back(caller, stream, reinterpret_cast<const void*>(callback));
  if (e == cudaSuccess)
    e = cuda_call(caller, [&](device&) { return refused_in_capture(stream).value_or(cudaSuccess); });
  if (e != cudaSuccess) return e;
  const running_callback its_accesses_are_ordered;
  const outermost_frame called_back;
  callback(stream, cudaSuccess, data);
  return e;
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  const api_caller caller = SIMTLAB_API_CALLER;
  cudaError_t e = may_call_back(caller, stream, reinterpret_cast<const void*>(function));
  bool is_captured = false;
  if (e == cudaSuccess)
    e = cuda_call(caller, [&](device&) {
      const auto taken = captured(stream, caller, cudaHostNodeParams{function, data});
      is_captured = taken.has_value();
      return taken.value_or(cudaSuccess);
    });
  if (e != cudaSuccess || is_captured) return e;
  const running_callback its_accesses_are_ordered;
  const outermost_frame called_back;
  function(data);
  return e;
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    for (int* const to : {least, greatest}) {
      if (to == nullptr) continue;
      if (!caller.may_set(d, to)) return cudaErrorInvalidValue;
      *to = to == least ? least_priority : greatest_priority;
    }
    return cudaSuccess;
  });
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return tell_of_made(SIMTLAB_API_CALLER, stream, priority, &CUstream_st::priority);
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
  return tell_of_made(SIMTLAB_API_CALLER, stream, flags, &CUstream_st::flags);
}
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  return tell(SIMTLAB_API_CALLER, stream, id,
              static_cast<unsigned long long>(reinterpret_cast<std::uintptr_t>(stream)));
}
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* number) {
  return tell(SIMTLAB_API_CALLER, stream, number, 0);
}
/// Attributes are hints that change nothing here.
cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    return caller.is_stream(d, to) && caller.is_stream(d, from) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID, cudaStreamAttrValue* value) {
  return tell(SIMTLAB_API_CALLER, stream, value, cudaStreamAttrValue{});
}
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID, const cudaStreamAttrValue* value) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    if (!caller.is_stream(d, stream)) return cudaErrorInvalidResourceHandle;
    return caller.may_load(d, value) ? cudaSuccess : cudaErrorInvalidValue;
  });
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    if (!caller.is_stream(d, stream) || !d.stream_handles.knew(stream)) return cudaErrorInvalidResourceHandle;
    d.stream_handles.destroy(stream);
    return cudaSuccess;
  });
}

cudaError_t cudaEventCreate(cudaEvent_t* event) { return create_event(SIMTLAB_API_CALLER, event); }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) { return create_event(SIMTLAB_API_CALLER, event); }
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    if (caller.event_of(d, event) == nullptr) return cudaErrorInvalidResourceHandle;
    d.events.destroy(event);
    return cudaSuccess;
  });
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  const api_caller caller = SIMTLAB_API_CALLER;  // as with a stream
  return cuda_call(caller, [&](device& d) { return wait_for_event(d, caller, event); });
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return synchronise(caller, [&](device& d) { return wait_for_event(d, caller, event); });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return record(SIMTLAB_API_CALLER, event, stream);
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned) {
  return record(SIMTLAB_API_CALLER, event, stream);
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    if (!caller.may_set(d, milliseconds)) return cudaErrorInvalidValue;
    const CUevent_st* const first = caller.event_of(d, begin);
    const CUevent_st* const last = caller.event_of(d, end);
    if (first == nullptr || last == nullptr || !first->recorded || !last->recorded)
      return cudaErrorInvalidResourceHandle;
    *milliseconds = std::chrono::duration<float, std::milli>(last->when - first->when).count();
    return cudaSuccess;
  });
}

}  // extern "C"
