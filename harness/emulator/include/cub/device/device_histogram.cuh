// How many samples fall into each bin, by atomic additions to the histogram.
#pragma once
#ifndef __clang__  // ../../device_functions.h
#pragma GCC system_header
#endif

#include "../detail/device_work.h"

namespace cub {
namespace detail {

template <class From, class Count, class Level>
struct counts_even {
  From from;
  Count* histogram;
  int bins;
  Level lower, upper;
  SIMTLAB_THRUST void operator()(size_t index) const {
    const auto sample = static_cast<Level>(from[index]);
    if (!(sample >= lower && sample < upper)) return;
    int bin;
    if constexpr (std::is_integral<Level>::value)
      bin = static_cast<int>((static_cast<unsigned long long>(sample) - static_cast<unsigned long long>(lower)) *
                             static_cast<unsigned long long>(bins) /
                             (static_cast<unsigned long long>(upper) - static_cast<unsigned long long>(lower)));
    else
      bin = static_cast<int>((sample - lower) * (static_cast<Level>(bins) / (upper - lower)));
    atomicAdd(histogram + (bin < bins ? bin : bins - 1), static_cast<Count>(1));
  }
};
template <class From, class Count, class Level>
struct counts_between {
  From from;
  Count* histogram;
  int bins;
  const Level* levels;
  SIMTLAB_THRUST void operator()(size_t index) const {
    const auto sample = static_cast<Level>(from[index]);
    if (sample < levels[0] || !(sample < levels[bins])) return;
    int low = 0, high = bins;  // levels[low] <= sample < levels[high]
    while (high - low > 1) {
      const int middle = (low + high) / 2;
      (sample < levels[middle] ? high : low) = middle;
    }
    atomicAdd(histogram + low, static_cast<Count>(1));
  }
};

}  // namespace detail

struct DeviceHistogram {
  /// `levels - 1` bins of equal width from `lower` on, without `upper`.
  template <class From, class Counter, class Level, class Count>
  static SIMTLAB_CUB_HOST cudaError_t HistogramEven(void* storage, size_t& bytes, From samples, Counter* histogram,
                                                    int levels, Level lower, Level upper, Count count,
                                                    cudaStream_t stream = nullptr) {
    const auto from = detail::on_device(samples);
    return counted(
        storage, bytes, "cub::DeviceHistogram::HistogramEven", histogram, levels - 1,
        detail::counts_even<std::decay_t<decltype(from)>, Counter, Level>{from, histogram, levels - 1, lower, upper},
        count, stream);
  }
  /// Bin i holds samples from levels[i] to below levels[i + 1].
  template <class From, class Counter, class Level, class Count>
  static SIMTLAB_CUB_HOST cudaError_t HistogramRange(void* storage, size_t& bytes, From samples, Counter* histogram,
                                                     int levels, const Level* bounds, Count count,
                                                     cudaStream_t stream = nullptr) {
    const auto from = detail::on_device(samples);
    return counted(
        storage, bytes, "cub::DeviceHistogram::HistogramRange", histogram, levels - 1,
        detail::counts_between<std::decay_t<decltype(from)>, Counter, Level>{from, histogram, levels - 1, bounds},
        count, stream);
  }

 private:
  template <class Counter, class Work, class Count>
  static SIMTLAB_CUB_HOST cudaError_t counted(void* storage, size_t& bytes, const char* name, Counter* histogram,
                                              int bins, Work each, Count count, cudaStream_t stream) {
    detail::device_work work(storage, bytes, stream);
    if (bins < 1) return cudaErrorInvalidValue;
    return work.run([&] {
      detail::fill(work, name, histogram, static_cast<size_t>(bins), Counter{0});
      thrust::detail::run_each(work.policy(), name, static_cast<size_t>(count), each);
    });
  }
};

}  // namespace cub
