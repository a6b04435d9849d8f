// What the lecture programs share: each part is a function that says whether its results are right, and is run by its name.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

struct part {
  const char* name;
  bool (*run)();
};

#define CHECK(call)                                                              \
  do {                                                                           \
    const cudaError_t error = (call);                                            \
    if (error != cudaSuccess) {                                                  \
      std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      std::exit(1);                                                              \
    }                                                                            \
  } while (0)

/// Runs the part that the first argument names, or all of them.
inline int run_parts(const part* parts, int count, int argc, char** argv) {
  int wrong = 0, ran = 0;
  for (int i = 0; i < count; ++i) {
    if (argc > 1 && std::strcmp(argv[1], parts[i].name) != 0) continue;
    const bool right = parts[i].run();
    std::printf("%s: %s\n", parts[i].name, right ? "right" : "wrong");
    wrong += !right;
    ++ran;
  }
  return wrong > 0 || ran == 0;
}

/// Device memory with a copy of `host` in it (nothing if null).
inline float* on_device(const float* host, int count) {
  float* device = nullptr;
  CHECK(cudaMalloc(&device, count * sizeof(float)));
  if (host != nullptr) CHECK(cudaMemcpy(device, host, count * sizeof(float), cudaMemcpyHostToDevice));
  return device;
}

inline int blocks_for(int elements, int threads) { return (elements + threads - 1) / threads; }
