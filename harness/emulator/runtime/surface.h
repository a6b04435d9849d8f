// What a surface object reads and writes: an array of cudaMallocArray, by bytes.
//
// Rules: CUDA C++ Programming Guide, "Surface Object API": the array was made with cudaArraySurfaceLoadStore; x is in bytes, a
// multiple of the access' width; a coordinate outside ends the kernel (trap), is moved to the nearest texel inside (clamp), or
// reads 0 and writes nothing (zero).
#pragma once

#include <algorithm>
#include <deque>

#include "core/types.h"
#include "include/driver_types.h"
#include "include/surface_types.h"
#include "runtime/device_array.h"

namespace simtlab::emulator {

struct surface {
  const cudaArray* array = nullptr;
  variable_id memory = 0;
  bool live = true;
};

/// All surface objects of the program, destroyed ones too.
class surface_table {
 public:
  /// Handles begin here: no program's number looks like one.
  static constexpr cudaSurfaceObject_t first = 0x5f'0000'0000'0000;

  cudaSurfaceObject_t add(const surface& s) {
    surfaces_.push_back(s);
    return first + surfaces_.size() - 1;
  }
  /// Null if no object ever had this handle.
  [[nodiscard]] surface* find(cudaSurfaceObject_t handle) {
    return handle < first || handle - first >= surfaces_.size() ? nullptr : &surfaces_[handle - first];
  }
  /// Whether kernels may write to that memory.
  [[nodiscard]] bool write(variable_id memory) const {
    return std::ranges::any_of(surfaces_, [&](const surface& s) { return s.live && s.memory == memory; });
  }
  void end_all() {
    for (surface& s : surfaces_) s.live = false;
  }

 private:
  std::deque<surface> surfaces_;
};

}  // namespace simtlab::emulator
