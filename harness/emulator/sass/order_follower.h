// Whoever follows what orders the threads of a block: hears of fences, and of each access to global or shared memory before observers
// are told of it and when it is made.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/types.h"

namespace simtlab::emulator::sass {

struct followed_access {
  site where = 0;
  access kind = access::read;
  std::uint32_t width = 4, warp = 0;
  lane_mask lanes = 0;
  lane_mask in_shared = 0;       ///< of these, the ones whose addresses are of shared memory
  lane_mask stands_for = 0;      ///< lanes whose atomic operations nvcc has made this one of, beside those of `lanes`
  bool in_block = false;         ///< of the block's scope
  bool is_asked = false;         ///< an atomic operation whose result is used
  bool changes_nothing = false;  ///< an atomic operation that leaves whatever stands there
  const address* addresses = nullptr;       ///< [32], as observers see them
  const std::byte* const* bytes = nullptr;  ///< [32], where they are
  // Of atomic operations that are made, [32]: what stood there and stands there now; and what it was compared with, where it was.
  const std::uint64_t *before = nullptr, *after = nullptr, *compared = nullptr;
};

class order_follower {
 public:
  order_follower() = default;
  order_follower(const order_follower&) = delete;  // blocks point to it
  order_follower& operator=(const order_follower&) = delete;
  virtual ~order_follower() = default;

  virtual void fence(site, std::uint32_t warp, lane_mask, bool in_block) = 0;
  /// Lanes come to a NOP: what nvcc leaves of an acquiring operation of block scope, among others.
  virtual void passes_nop(site, std::uint32_t warp, lane_mask) = 0;
  virtual void begins(const followed_access&) = 0;
  /// Of loads and stores as soon as it is known that they may be made. Whether the warp has looked in vain so often that others should
  /// run.
  virtual bool is_made(const followed_access&) = 0;
};

}  // namespace simtlab::emulator::sass
