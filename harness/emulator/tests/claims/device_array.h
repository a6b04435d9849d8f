// An array in device memory that the emulator's report calls by a name.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "emulator.h"

namespace simtlab::emulator::claims {

inline void expect_success(cudaError_t error) {
  if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}

template <class T>
class device_array {
 public:
  /// `count` copies of `value`.
  device_array(const char* name, std::size_t count, T value = T{}) : device_array(name, std::vector<T>(count, value)) {}
  device_array(const char* name, const std::vector<T>& contents) : count_(contents.size()) {
    expect_success(cudaMalloc(&data_, bytes()));
    expect_success(cudaMemcpy(data_, contents.data(), bytes(), cudaMemcpyHostToDevice));
    name_memory(data_, bytes(), name);
  }
  ~device_array() { cudaFree(data_); }
  device_array(const device_array&) = delete;  // owns the allocation
  device_array& operator=(const device_array&) = delete;

  T* data() { return data_; }
  [[nodiscard]] std::vector<T> contents() const {
    std::vector<T> copy(count_);
    expect_success(cudaMemcpy(copy.data(), data_, bytes(), cudaMemcpyDeviceToHost));
    return copy;
  }

 private:
  [[nodiscard]] std::size_t bytes() const { return count_ * sizeof(T); }
  T* data_ = nullptr;
  std::size_t count_;
};

}  // namespace simtlab::emulator::claims
