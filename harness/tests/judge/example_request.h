// A request of lanes that ask for these bytes, with the emulator's own costs.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "costs/request_costs.h"
#include "judge/render/request_picture.h"

namespace simtlab::example {

inline constexpr std::uint64_t start_of_array = 0x7000'0000'0000;

using place_of_lane = std::function<std::optional<std::uint64_t>(unsigned)>;

struct drawn {
  example_place place;
  request_example example;

  [[nodiscard]] std::string text(std::size_t rows = 4) const { return picture_text(picture_of(place, example), rows); }
};

/// Lane l asks for the bytes from `offset(l)` of an array on, if for any; the costs are the emulator's own.
inline drawn request(const char* space, const char* access, std::uint64_t width, const place_of_lane& offset) {
  namespace em = emulator;
  drawn made;
  made.place.space = space;
  made.place.access = access;
  made.place.variable = "a";
  made.place.begin = std::string(space) == "shared" ? 0 : start_of_array;
  made.place.bytes = 4096;
  made.place.width = width;
  made.place.patterns = 1;
  made.example.reasons = {"most frequent"};
  made.example.times = 64;
  std::array<em::address, em::warp_size> at{};
  for (unsigned lane = 0; lane < em::warp_size; ++lane)
    if (const auto o = offset(lane)) {
      made.example.active |= std::uint64_t{1} << lane;
      at.at(lane) = made.example.addresses.at(lane) = made.place.begin + *o;
    }
  em::warp_request r;
  r.space = made.place.space == "shared"     ? em::memory_space::shared
            : made.place.space == "constant" ? em::memory_space::constant
                                             : em::memory_space::global;
  r.kind = made.place.access == "read"    ? em::access::read
           : made.place.access == "write" ? em::access::write
                                          : em::access::atomic;
  r.width = static_cast<std::uint32_t>(width);
  r.active = static_cast<em::lane_mask>(made.example.active);
  r.addresses = at.data();
  made.example.cost = em::cost_of(r);
  return made;
}

}  // namespace simtlab::example
