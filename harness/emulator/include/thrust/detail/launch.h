// How an algorithm runs: work for each index, or work that one thread does from begin to end. On a device both are kernels, which
// carry the algorithm's name.
#pragma once
#ifndef __clang__  // ../../device_functions.h
#pragma GCC system_header
#endif

#include <new>

#include "place.h"

namespace thrust::detail {

template <class Work>
__global__ void each_index(size_t count, Work work) {
  const size_t index = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  if (index < count) work(index);
}
template <class Work>
__global__ void one_thread(Work work) {
  work();
}

inline constexpr unsigned threads_per_block = 256;

SIMTLAB_THRUST_HOST void end_work(const stream_policy& policy, const char* name) {
  check(cudaPeekAtLastError(), name);
  if (policy.waits) check(cudaStreamSynchronize(policy.stream), name);
}

/// `work(index)` for each index below `count`, in no order.
template <class Work>
SIMTLAB_THRUST_HOST void run_each(const host_policy&, const char*, size_t count, const Work& work) {
  for (size_t index = 0; index < count; ++index) work(index);
}
template <class Work>
SIMTLAB_THRUST_HOST void run_each(const stream_policy& policy, const char* name, size_t count, const Work& work) {
  if (count == 0) return;
  const dim3 blocks(static_cast<unsigned>((count + threads_per_block - 1) / threads_per_block));
  const simtlab::kernel_launch<simtlab::plain_kernel<size_t, Work>, simtlab::no_defaults> launch{
      name, {&each_index<Work>}, {}};
  launch._(blocks, dim3(threads_per_block), 0, policy.stream)._(count, work);
  end_work(policy, name);
}

/// `work()`, once.
template <class Work>
SIMTLAB_THRUST_HOST void run_once(const host_policy&, const char*, const Work& work) {
  work();
}
template <class Work>
SIMTLAB_THRUST_HOST void run_once(const stream_policy& policy, const char* name, const Work& work) {
  const simtlab::kernel_launch<simtlab::plain_kernel<Work>, simtlab::no_defaults> launch{name, {&one_thread<Work>}, {}};
  launch._(dim3(1), dim3(1), 0, policy.stream)._(work);
  end_work(policy, name);
}

/// Memory that an algorithm needs for itself, where its policy has memory.
template <class Policy, class Type>
class scratch {
 public:
  SIMTLAB_THRUST_HOST explicit scratch(size_t count) {
    if (count == 0) return;
    if constexpr (Policy::is_device) {
      void* where = nullptr;
      check(cudaMalloc(&where, count * sizeof(Type)), "thrust");
      at_ = static_cast<Type*>(where);
    } else {
      at_ = static_cast<Type*>(::operator new(count * sizeof(Type)));
    }
  }
  SIMTLAB_THRUST_HOST ~scratch() {
    if (at_ == nullptr) return;
    if constexpr (Policy::is_device) {
      cudaFree(at_);
    } else {
      ::operator delete(at_);
    }
  }
  scratch(const scratch&) = delete;  // it owns
  scratch& operator=(const scratch&) = delete;

  SIMTLAB_THRUST_HOST Type* get() const { return at_; }
  /// The element, in host code.
  SIMTLAB_THRUST_HOST Type fetch(size_t index = 0) const {
    if constexpr (Policy::is_device) {
      alignas(Type) unsigned char bytes[sizeof(Type)];
      check(cudaMemcpy(bytes, at_ + index, sizeof(Type), cudaMemcpyDeviceToHost), "thrust");
      return *std::launder(reinterpret_cast<Type*>(bytes));
    } else {
      return at_[index];
    }
  }

 private:
  Type* at_ = nullptr;
};

template <class Iterator>
SIMTLAB_THRUST size_t length(const Iterator& first, const Iterator& last) {
  return static_cast<size_t>(last - first);
}

}  // namespace thrust::detail
