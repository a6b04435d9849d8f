// An array in device memory, filled and named, for the snippets of predict.cu.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "emulator.h"

namespace simtlab::predict {

/// `count` elements that are all T{}; counters speak of it as `name`. Throws std::runtime_error when CUDA refuses.
template <class T>
class device_array {
 public:
  device_array(const char* name, std::size_t count) {
    const std::vector<T> zeros(count);
    const std::size_t bytes = count * sizeof(T);
    check(cudaMalloc(&data_, bytes));
    check(cudaMemcpy(data_, zeros.data(), bytes, cudaMemcpyHostToDevice));
    emulator::name_memory(data_, bytes, name);
  }
  ~device_array() { cudaFree(data_); }
  device_array(const device_array&) = delete;  // owns the allocation
  device_array& operator=(const device_array&) = delete;
  [[nodiscard]] T* data() { return data_; }

 private:
  static void check(cudaError_t error) {
    if (error != cudaSuccess) throw std::runtime_error(std::string("predict.cu: ") + cudaGetErrorString(error));
  }
  T* data_ = nullptr;
};

}  // namespace simtlab::predict
