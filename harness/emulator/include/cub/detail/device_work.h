// What algorithms of the device share: the protocol of temporary storage, and Thrust's kernels in a stream, whose errors come back as
// codes.
#pragma once
#ifndef __clang__  // ../../device_functions.h
#pragma GCC system_header
#endif

#include "../../thrust/detail/serial.h"
#include "../../thrust/detail/sorting.h"
#include "config.h"

#define SIMTLAB_CUB_HOST inline __attribute__((always_inline, artificial))

namespace cub::detail {

/// One call of an algorithm. The first call, without storage, asks how many bytes the algorithm needs and does nothing else.
class device_work {
 public:
  SIMTLAB_CUB_HOST device_work(void* storage, size_t& bytes, cudaStream_t stream)
      : storage_(static_cast<char*>(storage)), given_(bytes), asked_(bytes), policy_(stream, false) {}

  /// Room for `count` elements, of which the address is known in the second call.
  template <class T>
  SIMTLAB_CUB_HOST T* room(size_t count) {
    const size_t begin = used_;
    used_ += (count * sizeof(T) + 255) / 256 * 256;
    return reinterpret_cast<T*>(storage_ + begin);
  }
  /// `work` does all that there is to do, by Thrust's kernels in `policy()`. Behind all calls of `room`.
  template <class Work>
  SIMTLAB_CUB_HOST cudaError_t run(Work work) {
    const size_t needed = used_ > 0 ? used_ : 1;
    if (storage_ == nullptr) {
      asked_ = needed;
      return cudaSuccess;
    }
    if (given_ < needed) return cudaErrorInvalidValue;
    try {
      work();
    } catch (const thrust::system_error& error) {
      return static_cast<cudaError_t>(error.code().value());
    } catch (const std::bad_alloc&) {
      return cudaErrorMemoryAllocation;
    }
    return cudaPeekAtLastError();
  }
  SIMTLAB_CUB_HOST const thrust::detail::stream_policy& policy() const { return policy_; }

 private:
  char* storage_;
  size_t given_;
  size_t& asked_;
  size_t used_ = 0;
  thrust::detail::stream_policy policy_;
};

template <class At>
using element_of = typename std::iterator_traits<At>::value_type;
/// What an output's elements are; of outputs without a type, those of the input.
template <class To, class From>
using output_of = std::conditional_t<std::is_void<element_of<To>>::value ||
                                         std::is_same<element_of<To>, thrust::detail::discarded>::value,
                                     element_of<From>, element_of<To>>;
template <class At>
SIMTLAB_CUB_HOST auto on_device(At at) {
  return thrust::detail::on_device(at);
}
template <class At>
using device_iterator = std::decay_t<decltype(thrust::detail::on_device(std::declval<At>()))>;

/// Elements as they are, from one place to another.
template <class From, class To>
SIMTLAB_CUB_HOST void copy(const device_work& work, const char* name, From from, To to, size_t count) {
  thrust::detail::run_each(work.policy(), name, count,
                           thrust::detail::transforms<device_iterator<From>, device_iterator<To>, thrust::identity<>>{
                               on_device(from), on_device(to), thrust::identity<>()});
}
template <class To, class T>
SIMTLAB_CUB_HOST void fill(const device_work& work, const char* name, To to, size_t count, T value) {
  thrust::detail::run_each(work.policy(), name, count,
                           thrust::detail::stores<device_iterator<To>, T>{on_device(to), value});
}

}  // namespace cub::detail
