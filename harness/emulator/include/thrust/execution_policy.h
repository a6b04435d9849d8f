// Where an algorithm runs: a host loop, or kernels, in a stream.
#pragma once
#ifndef __clang__  // ../device_functions.h
#pragma GCC system_header
#endif

#include "detail/config.h"

namespace thrust {

/// Every policy derives from this with itself.
template <class Policy>
struct execution_policy {
  SIMTLAB_THRUST constexpr const Policy& self() const { return static_cast<const Policy&>(*this); }
};

namespace detail {

struct host_policy : execution_policy<host_policy> {
  static constexpr bool is_device = false;
};
struct stream_policy : execution_policy<stream_policy> {
  static constexpr bool is_device = true;
  cudaStream_t stream = nullptr;
  bool waits = true;

  constexpr stream_policy() = default;
  constexpr explicit stream_policy(cudaStream_t in, bool waits_for_end = true) : stream(in), waits(waits_for_end) {}
  constexpr stream_policy on(cudaStream_t in) const { return stream_policy(in, waits); }
  template <class Allocator>
  constexpr stream_policy operator()(Allocator&&) const {
    return *this;
  }
};

}  // namespace detail

inline constexpr detail::host_policy host{}, seq{};
inline constexpr detail::stream_policy device{};

namespace cuda {
inline constexpr detail::stream_policy par{};
inline constexpr detail::stream_policy par_nosync{nullptr, false};
template <class Policy>
using execution_policy = thrust::execution_policy<Policy>;
}  // namespace cuda
namespace cpp {
inline constexpr detail::host_policy par{};
}
namespace omp {
inline constexpr detail::host_policy par{};
}

using host_execution_policy = detail::host_policy;
struct host_system_tag : detail::host_policy {};
struct device_system_tag : detail::stream_policy {};

}  // namespace thrust
