#include "bins.cuh"
__device__ unsigned long long seen;
__device__ int bin_of(unsigned value) { return static_cast<int>(value % BINS); }
