#include <cub/device/device_reduce.cuh>

#include "cuda/baselines/library.h"
#include "cuda/baselines/temporary_memory.h"

namespace simtlab {
namespace {

template <class T>
library_call reduce_of(const device_array& from, void* to) {
  const auto* in = static_cast<const T*>(from.data);
  auto* out = static_cast<T*>(to);
  const auto n = static_cast<long long>(from.elements());
  return with_temporary_memory(
      [=](void* temporary, std::size_t& bytes) { return cub::DeviceReduce::Sum(temporary, bytes, in, out, n); });
}

}  // namespace

library_call cub_reduce(const library_problem& p) {
  p.require("cub_reduce", {scalar_type::f32, scalar_type::i32, scalar_type::u32});
  const device_array& from = p.inputs.at(0);
  void* to = p.outputs.at(0).data;
  return from.of->scalar == scalar_type::f32 ? reduce_of<float>(from, to) : reduce_of<int>(from, to);
}

}  // namespace simtlab
