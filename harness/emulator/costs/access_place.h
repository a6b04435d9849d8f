// Which accesses are counted, and shown, together: those of one place in the code, space, kind, variable and width.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/mix64.h"
#include "observers/observer.h"

namespace simtlab::emulator {

struct access_place {
  site where = 0;
  variable_id variable = 0;
  std::uint32_t width = 0;
  memory_space space{};
  access kind{};

  access_place() = default;
  explicit access_place(const warp_request& r)
      : where(r.where), variable(r.variable), width(r.width), space(r.space), kind(r.kind) {}
  friend bool operator==(const access_place&, const access_place&) = default;

  struct hash {
    std::size_t operator()(const access_place& p) const {
      const auto of_access =
          std::uint64_t{p.width} << 16 | static_cast<std::uint64_t>(p.space) << 8 | static_cast<std::uint64_t>(p.kind);
      return mix64(mix64(std::uint64_t{p.where} << 32 | p.variable) ^ of_access);
    }
  };
};

}  // namespace simtlab::emulator
