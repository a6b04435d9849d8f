// For programs whose numbers are compared with a GPU's: many inputs from a fixed generator, each function's results as one
// hash. With a function's name as the argument its results are printed one by one.
#pragma once
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(call)                                                                \
  {                                                                                \
    const cudaError_t error = call;                                                \
    if (error != cudaSuccess) {                                                    \
      printf("Error: %s:%d, %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      exit(1);                                                                     \
    }                                                                              \
  }

typedef unsigned long long word;
#ifndef INPUTS  // on a GPU: 131072
#define INPUTS 8192
#endif

static word lcg = 20240229;
static word nextRandom() {
  lcg = lcg * 6364136223846793005ull + 1442695040888963407ull;
  return lcg >> 16 ^ lcg >> 40;
}

// Any NaN is one NaN: a GPU and a processor choose different ones.
__device__ inline word bitsOf(float x) { return x != x ? 0x7fffffffu : __float_as_uint(x); }
__device__ inline word bitsOf(double x) { return x != x ? 0x7fffffffffffffffull : (word)__double_as_longlong(x); }
__device__ inline word bitsOf(int x) { return (unsigned int)x; }
__device__ inline word bitsOf(bool x) { return x; }
__device__ inline word bitsOf(short x) { return (unsigned short)x; }
__device__ inline word bitsOf(unsigned short x) { return x; }
__device__ inline word bitsOf(unsigned int x) { return x; }
__device__ inline word bitsOf(long long x) { return (word)x; }
__device__ inline word bitsOf(unsigned long long x) { return x; }

// An input's value: its low bits.
template <class T>
__device__ T from(word bits) {
  return (T)bits;
}
template <>
__device__ inline float from<float>(word bits) {
  return __uint_as_float((unsigned int)bits);
}
template <>
__device__ inline double from<double>(word bits) {
  return __longlong_as_double((long long)bits);
}

template <class Call>
__global__ void callAll(const word *in, word *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < INPUTS) out[i] = bitsOf(Call::of(in[3 * i], in[3 * i + 1], in[3 * i + 2]));
}

static word *d_in, *d_out, *h_in, *h_out;
static void makeInputs(word (*make)(word)) {
  h_in = (word *)malloc(3 * INPUTS * sizeof(word));
  h_out = (word *)malloc(INPUTS * sizeof(word));
  for (int i = 0; i < 3 * INPUTS; i++) h_in[i] = make(nextRandom());
  CHECK(cudaMalloc(&d_in, 3 * INPUTS * sizeof(word)));
  CHECK(cudaMalloc(&d_out, INPUTS * sizeof(word)));
}
static void freeInputs() {
  free(h_in);
  free(h_out);
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

static void report(const char *name, const char *wanted, void (*kernel)(const word *, word *)) {
  CHECK(cudaMemcpy(d_in, h_in, 3 * INPUTS * sizeof(word), cudaMemcpyHostToDevice));
  kernel<<<(INPUTS + 255) / 256, 256>>>(d_in, d_out);
  CHECK(cudaMemcpy(h_out, d_out, INPUTS * sizeof(word), cudaMemcpyDeviceToHost));
  word hash = 0;
  for (int i = 0; i < INPUTS; i++) hash = (hash ^ h_out[i]) * 0x100000001b3ull + 0x9e3779b97f4a7c15ull;
  printf("%s: %016llx, %llx %llx %llx\n", name, hash, h_out[0], h_out[1], h_out[2]);
  if (strcmp(name, wanted) != 0) return;
  for (int i = 0; i < INPUTS; i++) printf("  %llx %llx %llx -> %llx\n", h_in[3 * i], h_in[3 * i + 1], h_in[3 * i + 2], h_out[i]);
}
