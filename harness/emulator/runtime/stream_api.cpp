// Streams, events and synchronisation. Every operation has ended when its call returns, so streams need no queue and an
// event is the time of its record; elapsed times are those of the emulator, not of a GPU.
#include <chrono>

#include "include/cuda_runtime.h"
#include "runtime/api_call.h"

using namespace simtlab::emulator;

// The types that the API hands out pointers to.
struct CUstream_st {
  int number;
};
struct CUevent_st {
  bool recorded = false;
  stream_order::clock order;  // what had ended when it was recorded, or would have
  std::chrono::steady_clock::time_point when;
};

namespace {

cudaError_t succeed() {
  return static_cast<cudaError_t>(api_call([](device&) -> error_code { return cudaSuccess; }));
}

/// `wait(streams)` tells the streams' order for what the host has waited.
template <class Wait>
cudaError_t synchronise(Wait wait) {
  return static_cast<cudaError_t>(api_call([&](device& d) -> error_code {
    ++d.host.synchronisations;
    wait(d.streams);
    // An impossible configuration is told by the launch's own error alone: waiting succeeds.
    if (d.failed_launch_reason.empty()) d.unasked_launch_error = false;
    return cudaSuccess;
  }));
}

template <class Handle, class Made>
cudaError_t create(Handle* handle, Made made) {
  return static_cast<cudaError_t>(api_call([&](device&) -> error_code {
    if (handle == nullptr) return cudaErrorInvalidValue;
    *handle = new Made(made);
    return cudaSuccess;
  }));
}

cudaError_t create_stream(cudaStream_t* stream, unsigned flags) {
  const cudaError_t made = create(stream, CUstream_st{1});
  if (made != cudaSuccess) return made;
  return static_cast<cudaError_t>(api_call([&](device& d) -> error_code {
    d.streams.created(*stream, (flags & cudaStreamNonBlocking) != 0);
    return cudaSuccess;
  }));
}

template <class Handle>
cudaError_t destroy(Handle handle) {
  return static_cast<cudaError_t>(api_call([&](device&) -> error_code {
    if (handle == nullptr) return cudaErrorInvalidResourceHandle;
    delete handle;
    return cudaSuccess;
  }));
}

}  // namespace

extern "C" {

cudaError_t cudaDeviceSynchronize() {
  return synchronise([](stream_order& s) { s.wait_for_all(); });
}
cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return synchronise([&](stream_order& s) { s.wait_for(stream); });
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return static_cast<cudaError_t>(api_call([&](device& d) -> error_code {
    d.streams.wait_for(stream);  // it says that the stream is done, and it is
    return cudaSuccess;
  }));
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  return static_cast<cudaError_t>(api_call([&](device& d) -> error_code {
    if (event != nullptr) d.streams.wait_in(stream, event->order);
    return cudaSuccess;
  }));
}
cudaError_t cudaStreamCreate(cudaStream_t* stream) { return create_stream(stream, 0); }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) { return create_stream(stream, flags); }
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int) {
  return create_stream(stream, flags);
}
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned) {
  callback(stream, succeed(), data);
  return cudaSuccess;
}
cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t function, void* data) {
  function(data);
  return succeed();
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least != nullptr) *least = 0;
  if (greatest != nullptr) *greatest = 0;
  return succeed();
}
cudaError_t cudaStreamGetPriority(cudaStream_t, int* priority) {
  return cudaDeviceGetStreamPriorityRange(priority, nullptr);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) { return destroy(stream); }

cudaError_t cudaEventCreate(cudaEvent_t* event) { return create(event, CUevent_st{}); }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) { return create(event, CUevent_st{}); }
cudaError_t cudaEventDestroy(cudaEvent_t event) { return destroy(event); }
cudaError_t cudaEventQuery(cudaEvent_t event) {
  return static_cast<cudaError_t>(api_call([&](device& d) -> error_code {
    if (event != nullptr) d.streams.wait_for(event->order);  // as with a stream
    return cudaSuccess;
  }));
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return synchronise([&](stream_order& s) {
    if (event != nullptr) s.wait_for(event->order);
  });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return static_cast<cudaError_t>(api_call([&](device& d) -> error_code {
    if (event == nullptr) return cudaErrorInvalidResourceHandle;
    event->recorded = true;
    event->order = d.streams.now_in(stream);
    event->when = std::chrono::steady_clock::now();
    return cudaSuccess;
  }));
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
  return static_cast<cudaError_t>(api_call([&](device&) -> error_code {
    if (milliseconds == nullptr) return cudaErrorInvalidValue;
    if (begin == nullptr || end == nullptr || !begin->recorded || !end->recorded) return cudaErrorInvalidResourceHandle;
    *milliseconds = std::chrono::duration<float, std::milli>(end->when - begin->when).count();
    return cudaSuccess;
  }));
}

}  // extern "C"
