// What the programs share whose counters were measured on a GPU: device arrays, numbers that are the same everywhere, and
// the names of the launches, one a line on stdout in the order of the launches.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

/// Ends the program when a call failed.
inline void require(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

/// Device memory that starts as a copy of `host`, or as zeros.
template <typename T>
class device_array {
 public:
  explicit device_array(const std::vector<T>& host) : device_array(host.size()) {
    require(cudaMemcpy(data_, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
  }
  explicit device_array(std::size_t count) {
    require(cudaMalloc(&data_, count * sizeof(T)), "cudaMalloc");
    require(cudaMemset(data_, 0, count * sizeof(T)), "cudaMemset");
  }
  ~device_array() { cudaFree(data_); }
  device_array(const device_array&) = delete;  // one owner frees
  device_array& operator=(const device_array&) = delete;

  operator T*() const { return data_; }

 private:
  T* data_ = nullptr;
};

/// The same numbers on every machine.
class numbers {
 public:
  explicit numbers(unsigned seed) : state_(seed) {}
  /// Below `bound`, which is at most 65536.
  int below(int bound) {
    state_ = state_ * 1664525u + 1013904223u;
    return static_cast<int>((state_ >> 16) % static_cast<unsigned>(bound));
  }
  std::vector<int> list(int count, int bound) {
    std::vector<int> all(count);
    for (int& one : all) one = below(bound);
    return all;
  }
  /// Multiples of 1/1024 between -0.5 and 0.5.
  std::vector<float> fractions(int count) {
    std::vector<float> all(count);
    for (float& one : all) one = static_cast<float>(below(1024) - 512) / 1024.0f;
    return all;
  }

 private:
  unsigned state_;
};

/// Names the launch that has just been made, and waits for its end.
inline void launched(const char* name) {
  require(cudaGetLastError(), name);
  require(cudaDeviceSynchronize(), name);
  std::printf("%s\n", name);
}
