#include "scheduler/parameter_copies.h"

#include <algorithm>

#include "trace/parameters.h"

namespace simtlab::emulator {
namespace {

/// Looks at stacks, red zones included.
#ifdef __SANITIZE_ADDRESS__
__attribute__((no_sanitize("address")))
#endif
bool holds(address at, const char* value, std::size_t bytes) {
  const auto* const there = reinterpret_cast<const volatile char*>(at);
  for (std::size_t i = 0; i < bytes; ++i)
    if (there[i] != value[i]) return false;
  return true;
}

/// How far below the frame the parameter's copy begins. Looks between this function's own frame and that one.
std::uint64_t distance_of(const wide_parameter& p, address frame) {
  constexpr std::uint64_t around = 1024;  // the frame between, and what else lies on the stack
  std::uint64_t most = around;
  for (const wide_parameter& other : the_parameters.wide) most += rounded_up(other.bytes, 16);
  most = std::min(most, frame - reinterpret_cast<address>(__builtin_frame_address(0)));
  for (std::uint64_t distance = rounded_up(p.bytes, 8); distance <= most; distance += 8)
    if (holds(frame - distance, p.value, p.bytes)) return distance;
  return 0;
}

}  // namespace

address parameter_copies::counted(address at, std::size_t bytes, address frame) {
  const std::vector<wide_parameter>& wide = the_parameters.wide;
  if (distances_.empty())
    for (const wide_parameter& p : wide) distances_.push_back(distance_of(p, frame));
  for (std::size_t i = 0; i < wide.size(); ++i) {
    const std::uint64_t offset = at - (frame - distances_[i]);
    if (distances_[i] == 0 || offset >= wide[i].bytes || bytes > wide[i].bytes - offset) continue;
    return holds(at, wide[i].value + offset, bytes) ? wide[i].counted + offset : 0;
  }
  return 0;
}

}  // namespace simtlab::emulator
