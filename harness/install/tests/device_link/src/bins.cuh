#pragma once
constexpr int BINS = 64;
__device__ int bin_of(unsigned value);
extern __device__ unsigned long long seen;
void histogram(const unsigned* values, int count, unsigned* bins);
