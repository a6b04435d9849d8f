// What a texture object reads, and the value that a fetch returns.
//
// Rules: CUDA C++ Programming Guide, "Texture Object API" and the appendix "Texture Fetching". A coordinate x is floor(x) with the
// point filter. The linear filter takes x - 0.5: its whole part names the lower of two texels of each dimension, its fraction is
// the weight of the upper, "stored in 9-bit fixed point format with 8 bits of fractional value". Coordinates outside are clamped,
// give the border's colour (0 as a rule), or, if they are normalised, wrap or mirror; wrap and mirror without normalised
// coordinates clamp. What the guide leaves open is as an H100 answers (docs/internals/textures.md): normalised coordinates are cut
// to 21 bits of fraction, a fraction is rounded to the nearest of its 8 bits, and so is each texel's weight. A cubemap's face is
// filtered by itself, at its borders by the address modes, or with seamlessCubemap across its edges: then the fourth texel, which a
// corner lacks, leaves its weight to the three others.
#pragma once

#include <array>
#include <cstdint>
#include <deque>

#include "core/types.h"
#include "include/driver_types.h"
#include "include/texture_types.h"
#include "runtime/array_kind.h"
#include "runtime/texel_format.h"

namespace simtlab::emulator {

struct texture {
  cudaResourceDesc resource;
  cudaTextureDesc description;
  texel_format format;
  const char* base = nullptr;
  std::size_t pitch = 0, slice = 0;             ///< in bytes, from row to row and from slice to slice
  std::array<std::int64_t, 3> extent{1, 1, 1};  ///< in texels
  array_kind kind;                              ///< of layers and faces the third extent is the number
  bool elements_only = false;                   ///< linear memory, which tex1Dfetch alone reads
  variable_id memory = 0;
  bool live = true;

  /// Whether fetches return floats: as stored, or made of whole numbers.
  [[nodiscard]] bool gives_floats() const {
    return format.kind == texel_kind::floating || description.readMode == cudaReadModeNormalizedFloat;
  }
  [[nodiscard]] std::uint64_t bytes() const {
    const auto row = static_cast<std::uint64_t>(extent[0]) * format.bytes();
    return static_cast<std::uint64_t>(extent[2] - 1) * slice + static_cast<std::uint64_t>(extent[1] - 1) * pitch + row;
  }
};

/// Where a fetch reads: coordinates, of a cubemap a direction, and the layer.
struct fetch_place {
  std::array<float, 3> coordinates;
  std::uint32_t layer = 0;  ///< one outside is the last: an H200 takes a negative one for a large one, too
};

/// The texels that a fetch reads, with their weights.
struct texel_sample {
  static constexpr int one = 256;  ///< the weights are 256ths, and add up to it
  struct part {
    const char* where = nullptr;  ///< null: outside, and the border's colour counts
    int weight = one;
  };
  std::array<part, 8> parts;
  unsigned count = 1;
};
[[nodiscard]] texel_sample sample_of(const texture&, const fetch_place&);
/// tex1Dfetch's; null outside.
[[nodiscard]] texel_sample element_of(const texture&, std::int64_t index);

/// All texture objects of the program, destroyed ones too.
class texture_table {
 public:
  /// Handles begin here: no program's number looks like one.
  static constexpr cudaTextureObject_t first = 0x7e'0000'0000'0000;

  cudaTextureObject_t add(const texture& t) {
    textures_.push_back(t);
    return first + textures_.size() - 1;
  }
  /// Null if no object ever had this handle.
  [[nodiscard]] texture* find(cudaTextureObject_t handle) {
    return handle < first || handle - first >= textures_.size() ? nullptr : &textures_[handle - first];
  }
  [[nodiscard]] const std::deque<texture>& all() const { return textures_; }
  void end_all() {
    for (texture& t : textures_) t.live = false;
  }

 private:
  std::deque<texture> textures_;
};

}  // namespace simtlab::emulator
