#pragma once
#include <cuda_runtime.h>
#include <stdexcept>
#include <string>
inline void check(cudaError_t status, const char* what) {
  if (status != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}
#define CHECK(call) check((call), #call)
