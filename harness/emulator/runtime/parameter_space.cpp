#include "runtime/parameter_space.h"

#include <algorithm>

#include "core/private_memory.h"

namespace simtlab::emulator {

address parameter_space::place_of(const void* kernel, unsigned index, std::size_t bytes, const std::string& name) {
  constexpr std::size_t room = std::size_t{16} << 20, apart = 256;
  if (range_.end == 0) {
    range_.begin = reinterpret_cast<address>(map_privately(room, false));
    range_.end = range_.begin + room;
    next_ = range_.begin;
  }
  const auto [known, is_new] = places_.try_emplace({kernel, index}, next_);
  if (!is_new) return known->second;
  if (bytes > range_.end - next_) return known->second = 0;
  memory_region region;
  region.space = memory_space::constant;
  region.begin = next_;
  region.bytes = bytes;
  region.name = "parameter " + (name.empty() ? std::to_string(index + 1) : name);
  map_.add(std::move(region));
  next_ += std::min(rounded_up(bytes, apart), range_.end - next_);
  return known->second;
}

}  // namespace simtlab::emulator
