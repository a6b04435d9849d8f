// What a library asks for beside its arguments, made before the clock starts.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <memory>

#include "runner/cuda_check.h"

namespace simtlab {

class temporary_memory {
 public:
  explicit temporary_memory(std::size_t bytes) { SIMTLAB_CHECKED(cudaMalloc(&data_, bytes > 0 ? bytes : 1)); }
  ~temporary_memory() { cudaFree(data_); }
  temporary_memory(const temporary_memory&) = delete;  // it owns device memory
  temporary_memory& operator=(const temporary_memory&) = delete;
  [[nodiscard]] void* data() const { return data_; }

 private:
  void* data_ = nullptr;
};

/// Calls `f(temporary, bytes)` as CUB wants it: once to ask how much memory it takes, then, later, with that memory.
template <class F>
auto with_temporary_memory(F f) {
  std::size_t bytes = 0;
  SIMTLAB_CHECKED(f(nullptr, bytes));
  return [f, bytes, memory = std::make_shared<temporary_memory>(bytes)]() mutable {
    SIMTLAB_CHECKED(f(memory->data(), bytes));
  };
}

}  // namespace simtlab
