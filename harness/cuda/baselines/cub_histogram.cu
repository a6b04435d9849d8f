#include <cub/device/device_histogram.cuh>

#include "cuda/baselines/library.h"
#include "cuda/baselines/temporary_memory.h"

namespace simtlab {
namespace {

// A bin per value from 0.
template <class T>
library_call histogram_of(const device_array& from, const device_array& to) {
  const auto* samples = static_cast<const T*>(from.data);
  auto* counts = static_cast<unsigned*>(to.data);
  const auto n = static_cast<long long>(from.elements());
  const int bins = static_cast<int>(to.elements());
  return with_temporary_memory([=](void* temporary, std::size_t& bytes) {
    return cub::DeviceHistogram::HistogramEven(temporary, bytes, samples, counts, bins + 1, 0, bins, n);
  });
}

}  // namespace

library_call cub_histogram(const library_problem& p) {
  p.require("cub_histogram", {scalar_type::u8, scalar_type::i32, scalar_type::u32});
  const device_array &from = p.inputs.at(0), &to = p.outputs.at(0);
  if (to.of->element_bytes != 4) throw unfit_arguments("cub_histogram counts in 32-bit integers");
  return from.of->element_bytes == 1 ? histogram_of<unsigned char>(from, to) : histogram_of<unsigned>(from, to);
}

}  // namespace simtlab
