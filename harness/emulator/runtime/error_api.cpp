// cudaGetLastError and the names of errors.
#include "include/cuda_runtime.h"
#include "runtime/api_call.h"

using namespace simtlab::emulator;

namespace {

struct error_text {
  int code;
  const char* name;
  const char* text;
};

constexpr error_text error_texts[] = {
#define SIMTLAB_CUDA_ERROR(name, number, text) {number, #name, text},
#include "include/simtlab/cuda_errors.def"
#undef SIMTLAB_CUDA_ERROR
};

const error_text* find(int code) {
  for (const error_text& e : error_texts)
    if (e.code == code) return &e;
  return nullptr;
}

}  // namespace

extern "C" {

cudaError_t cudaGetLastError() {
  const api_caller caller = SIMTLAB_API_CALLER;
  const emulator_call inside;
  caller.refuse_in_kernel();
  device& d = device::instance();
  const std::lock_guard guard(d.lock);
  ++d.host.api_calls;
  d.note_asked_launch();
  const auto e = static_cast<cudaError_t>(d.last_error);
  d.last_error = d.sticky_error;
  return e;
}

cudaError_t cudaPeekAtLastError() {
  const api_caller caller = SIMTLAB_API_CALLER;
  const emulator_call inside;
  caller.refuse_in_kernel();
  device& d = device::instance();
  const std::lock_guard guard(d.lock);
  ++d.host.api_calls;
  d.note_asked_launch();
  return static_cast<cudaError_t>(d.last_error);
}

const char* cudaGetErrorString(cudaError_t code) {
  const error_text* e = find(code);
  return e == nullptr ? "unrecognized error code" : e->text;
}

const char* cudaGetErrorName(cudaError_t code) {
  const error_text* e = find(code);
  return e == nullptr ? "unrecognized error code" : e->name;
}

}  // extern "C"
