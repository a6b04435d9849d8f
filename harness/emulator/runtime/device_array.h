// Arrays of texels, which programs know by handles and only textures, surfaces and copies can read. In the emulator they lie row by row,
// without gaps, in an allocation of device memory that no program is told of.
#pragma once

#include <cstddef>
#include <map>
#include <memory>

#include "include/driver_types.h"
#include "runtime/array_kind.h"
#include "runtime/texel_format.h"

/// What a program's cudaArray_t points to, in host memory.
struct cudaArray {
  simtlab::emulator::texel_format format;
  cudaChannelFormatDesc description;
  cudaExtent extent;  ///< as asked for: a height or depth of 0 is a dimension less
  unsigned flags = 0;
  char* memory = nullptr;
  bool live = true;

  [[nodiscard]] std::size_t row_bytes() const { return extent.width * format.bytes(); }
  [[nodiscard]] std::size_t rows() const { return extent.height == 0 ? 1 : extent.height; }
  [[nodiscard]] std::size_t slices() const { return extent.depth == 0 ? 1 : extent.depth; }
  [[nodiscard]] std::size_t bytes() const { return row_bytes() * rows() * slices(); }
  [[nodiscard]] simtlab::emulator::array_kind kind() const {
    const bool layered = (flags & cudaArrayLayered) != 0, cubemap = (flags & cudaArrayCubemap) != 0;
    return {extent.depth != 0 && !layered && !cubemap ? 3U : extent.height != 0 ? 2U : 1U, layered, cubemap};
  }
};

namespace simtlab::emulator {

/// All arrays of the program, released ones too, so that their handles are known again.
class array_table {
 public:
  cudaArray* add(cudaArray a) {
    auto owned = std::make_unique<cudaArray>(a);
    cudaArray* const handle = owned.get();
    arrays_[handle] = std::move(owned);
    return handle;
  }
  /// Null if no array ever had this handle.
  [[nodiscard]] cudaArray* find(const void* handle) const {
    const auto found = arrays_.find(handle);
    return found == arrays_.end() ? nullptr : found->second.get();
  }
  /// The array whose texels begin there; null if none.
  [[nodiscard]] const cudaArray* at(const void* memory) const {
    for (const auto& [handle, array] : arrays_)
      if (array->memory == memory) return array.get();
    return nullptr;
  }
  void end_all() {
    for (auto& [handle, array] : arrays_) array->live = false;
  }

 private:
  std::map<const void*, std::unique_ptr<cudaArray>> arrays_;
};

}  // namespace simtlab::emulator
