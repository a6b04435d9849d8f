// What a fetch or a surface's access takes an array for: as functions are named, tex2DLayered or surfCubemapread.
#pragma once

#include <string>

namespace simtlab::emulator {

struct array_kind {
  unsigned dimensions = 1;  ///< of a layer, or of a face
  bool layered = false;     ///< a coordinate more is the layer
  bool cubemap = false;     ///< a coordinate more is the face, or a direction leads to it

  /// As the functions of include/ say it (simtlab_fetch in simtlab/emulator_entry.h).
  static array_kind from_code(unsigned code) { return {code & 3, (code & 4) != 0, (code & 8) != 0}; }
  [[nodiscard]] unsigned faces() const { return cubemap ? 6 : 1; }
  /// `2DLayered`, `Cubemap`.
  [[nodiscard]] std::string name() const {
    return (cubemap ? "Cubemap" : std::to_string(dimensions) + "D") + (layered ? "Layered" : "");
  }
  bool operator==(const array_kind&) const = default;
};

}  // namespace simtlab::emulator
