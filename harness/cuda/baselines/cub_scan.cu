#include <cub/device/device_scan.cuh>

#include "cuda/baselines/library.h"
#include "cuda/baselines/temporary_memory.h"

namespace simtlab {
namespace {

template <class T>
library_call scan_of(const device_array& from, void* to) {
  const auto* in = static_cast<const T*>(from.data);
  auto* out = static_cast<T*>(to);
  const auto n = static_cast<long long>(from.elements());
  return with_temporary_memory(
      [=](void* temporary, std::size_t& bytes) { return cub::DeviceScan::InclusiveSum(temporary, bytes, in, out, n); });
}

}  // namespace

library_call cub_scan(const library_problem& p) {
  p.require("cub_scan", {scalar_type::f32, scalar_type::i32, scalar_type::u32});
  const device_array& from = p.inputs.at(0);
  if (p.outputs.at(0).elements() < from.elements())
    throw unfit_arguments("the output has fewer elements than the input");
  void* to = p.outputs.at(0).data;
  return from.of->scalar == scalar_type::f32 ? scan_of<float>(from, to) : scan_of<int>(from, to);
}

}  // namespace simtlab
