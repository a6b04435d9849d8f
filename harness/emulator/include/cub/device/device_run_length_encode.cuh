// Runs of equal elements: each run's element, and its length.
#pragma once
#ifndef __clang__  // ../../device_functions.h
#pragma GCC system_header
#endif

#include "device_reduce.cuh"

namespace cub {

struct DeviceRunLengthEncode {
  template <class From, class Unique, class Lengths, class Runs, class Count>
  static SIMTLAB_CUB_HOST cudaError_t Encode(void* storage, size_t& bytes, From from, Unique unique, Lengths lengths,
                                             Runs runs, Count count, cudaStream_t stream = nullptr) {
    return DeviceReduce::by_key<int>(storage, bytes, "cub::DeviceRunLengthEncode::Encode", from, unique,
                                     thrust::constant_iterator<int>(1), lengths, runs, ::cub::Sum(),
                                     static_cast<size_t>(count), stream);
  }
};

}  // namespace cub
