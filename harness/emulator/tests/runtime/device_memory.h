// Device memory for the tests of the runtime: allocated, copied and freed through the API under test.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <vector>

template <class T>
class device_memory {
 public:
  explicit device_memory(std::size_t count, T fill = T{}) : count_(count) {
    cudaMalloc(&data_, count * sizeof(T));
    const std::vector<T> host(count, fill);
    cudaMemcpy(data_, host.data(), count * sizeof(T), cudaMemcpyHostToDevice);
  }
  explicit device_memory(const std::vector<T>& from) : count_(from.size()) {
    cudaMalloc(&data_, count_ * sizeof(T));
    cudaMemcpy(data_, from.data(), count_ * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~device_memory() { cudaFree(data_); }
  device_memory(const device_memory&) = delete;
  device_memory& operator=(const device_memory&) = delete;

  T* get() { return data_; }
  std::vector<T> host() const {
    std::vector<T> result(count_);
    cudaMemcpy(result.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost);
    return result;
  }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};
