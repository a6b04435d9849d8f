#include <cub/device/device_transform.cuh>
#include <cuda/std/tuple>

#include "cuda/baselines/library.h"
#include "cuda/baselines/temporary_memory.h"

namespace simtlab {
namespace {

struct same {
  template <class T>
  __device__ T operator()(T a) const {
    return a;
  }
};
struct sum {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return a + b;
  }
};

}  // namespace

library_call cub_transform(const library_problem& p) {
  p.require("cub_transform", {scalar_type::f32});
  const device_array& to = p.outputs.at(0);
  const auto n = static_cast<long long>(to.elements());
  auto* out = static_cast<float*>(to.data);
  const auto* a = static_cast<const float*>(p.inputs.at(0).data);
  for (const device_array& from : p.inputs)
    if (from.elements() < to.elements()) throw unfit_arguments("an input has fewer elements than the output");
  if (p.inputs.size() == 1)
    return [=] { SIMTLAB_CHECKED(cub::DeviceTransform::Transform(cuda::std::make_tuple(a), out, n, same{})); };
  const auto* b = static_cast<const float*>(p.inputs.at(1).data);
  return [=] { SIMTLAB_CHECKED(cub::DeviceTransform::Transform(cuda::std::make_tuple(a, b), out, n, sum{})); };
}

}  // namespace simtlab
