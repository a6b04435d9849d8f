// Where the lanes of a memory instruction access, and the bytes there.
#pragma once

#include "sass/handlers/lanes.h"

namespace simtlab::emulator::sass::SIMTLAB_SASS_LEVEL {

enum class address_kind : std::uint8_t { global, shared, local, generic };

/// The operand's address of each lane: 64 bits of global and generic memory, 32 of the other two.
SIMTLAB_LANES void lane_addresses(const warp& w, address_kind kind, const operand& o, address (&to)[warp_size]) {
  const bool is_long = kind == address_kind::global || kind == address_kind::generic;
  std::uint64_t base = o.value;
  if (o.uniform != no_register && o.uniform != zero_uniform) {
    base += w.uniforms[o.uniform];
    if (is_long) base += std::uint64_t{w.uniforms[o.uniform + 1U]} << 32;
  }
  if (o.index == no_register || o.index == zero_register) {
    for (address& each : to) each = is_long ? base : static_cast<std::uint32_t>(base);
    return;
  }
  const row low = w.registers[o.index].lane;
  if (is_long && (o.is_wide || o.uniform == no_register)) {
    const row high = w.registers[o.index + 1U].lane;
    for (unsigned l = 0; l < warp_size; ++l) to[l] = wide(low, high, l) + base;
  } else if (is_long) {
    for (unsigned l = 0; l < warp_size; ++l) to[l] = std::uint64_t{low[l]} + base;
  } else {
    const auto offset = static_cast<std::uint32_t>(base);
    for (unsigned l = 0; l < warp_size; ++l) to[l] = low[l] * o.scale + offset;
  }
}

/// The lanes' addresses, by space. Lanes that are off have none.
class resolved_addresses {
 public:
  resolved_addresses(warp& w, const instruction& i, address_kind kind, const operand& o, std::uint32_t width)
      : w_(w),
        i_(i),
        width_(width),
        in_shared_(kind == address_kind::shared ? w.on : 0),
        in_local_(kind == address_kind::local ? w.on : 0) {
    lane_addresses(w, kind, o, given_);
    if (kind == address_kind::generic)
      for (lane_mask rest = w.on; rest != 0; rest &= rest - 1) {
        const auto window = static_cast<std::uint32_t>(given_[lowest_lane(rest)] >> 32);
        if (window == shared_window) in_shared_ |= rest & -rest;
        if (window == local_window) in_local_ |= rest & -rest;
      }
    resolve();
  }

  /// One request for each space that lanes address. Takes the rest from `a`.
  void tell(memory_access& a) {
    block_context& block = *w_.block;
    a.instruction = i_.number;
    a.where = block.of.site_of(i_.number);
    a.warp = w_.number;
    a.addresses = seen_;
    const auto part = [&](memory_space space, lane_mask lanes) {
      if (lanes == 0) return;
      a.space = space;
      a.lanes = lanes;
      block.requests.tell(a);
    };
    part(memory_space::global, w_.on & ~(in_shared_ | in_local_));
    part(memory_space::shared, in_shared_);
    part(memory_space::local, in_local_);
  }

  /// What is told to who follows the access, whose own part `a` says.
  [[nodiscard]] followed_access followed(const memory_access& a) const {
    const lane_mask lanes = w_.on & ~in_local_;
    return {.where = w_.block->of.site_of(i_.number),
            .kind = a.kind,
            .width = width_,
            .warp = w_.number,
            .lanes = lanes,
            .in_shared = in_shared_,
            .stands_for = i_.is_for_all ? w_.active & ~w_.on : 0,
            .in_block = a.in_block,
            .changes_nothing = a.changes_nothing,
            .addresses = seen_,
            .bytes = bytes};
  }
  /// Tells who follows the access, if somebody does, that it is made.
  void is_made(const followed_access& a) {
    if (w_.block->follower->is_made(a)) w_.block->looks_in_vain = true, w_.block->end_of_turn = 0;
  }

  /// Throws a machine_fault where a lane must not access.
  void check() {
    block_context& block = *w_.block;
    std::uint32_t low_bits = 0;
    for (unsigned l = 0; l < warp_size; ++l) low_bits |= static_cast<std::uint32_t>(given_[l]) & w_.on_row.lane[l];
    if ((low_bits & (width_ - 1)) != 0) [[unlikely]]
      fail_alignment();
    if (outside_ != 0) [[unlikely]] {
      const unsigned lane = lowest_lane(outside_);
      if ((in_local_ >> lane & 1) != 0) block.fail_local(w_, i_, lane, given_[lane]);
      block.fail_address(w_, i_, lane, given_[lane], "the block's shared memory");
    }
    const lane_mask in_process = w_.on & ~(in_shared_ | in_local_);
    if (in_process == 0) return;
    if (in_process == w_.on) {  // mostly where the last access was
      const address begin = block.reachable.begin, room = block.reachable.end - begin;
      const address most = room >= width_ ? room - width_ : 0;
      std::uint64_t beyond = room < width_;
      for (unsigned l = 0; l < warp_size; ++l)
        beyond |= (given_[l] - begin > most ? std::uint64_t{1} : 0) & w_.on_row.lane[l];
      if (beyond == 0) [[likely]]
        return;
    }
    block.check_process(w_, i_, in_process, seen_, width_);
  }

  [[nodiscard]] lane_mask in_shared() const { return in_shared_; }

  std::byte* bytes[warp_size];  ///< in this process; of lanes that are on, after `check`

 private:
  [[noreturn, gnu::noinline]] void fail_alignment() {
    lane_mask wrong = w_.on;
    while ((given_[lowest_lane(wrong)] & (width_ - 1)) == 0) wrong &= wrong - 1;
    w_.block->fail_alignment(w_, i_, lowest_lane(wrong), given_[lowest_lane(wrong)], width_);
  }

  void resolve() {
    block_context& block = *w_.block;
    if ((in_shared_ | in_local_) == 0) {
      for (unsigned l = 0; l < warp_size; ++l) {
        seen_[l] = given_[l];
        bytes[l] = reinterpret_cast<std::byte*>(given_[l]);
      }
      return;
    }
    if (in_shared_ == w_.on) {
      std::byte* const begin = block.shared.data();
      const auto end = static_cast<std::uint32_t>(block.shared.size());
      const std::uint32_t fixed = block.of.dynamic_begin();
      std::uint32_t most = 0;
      for (unsigned l = 0; l < warp_size; ++l) {
        const auto offset = static_cast<std::uint32_t>(given_[l]);
        const std::uint32_t here = offset & w_.on_row.lane[l];
        most = most > here ? most : here;
      }
      for (unsigned l = 0; l < warp_size; ++l) {
        const std::uint64_t offset = given_[l] & 0xffffffffU;
        seen_[l] = offset + (offset < fixed ? 0 : dynamic_shared_window - fixed);
        bytes[l] = begin + offset;
      }
      if (most < end && end - most >= width_) return;
    }
    for (lane_mask rest = w_.on; rest != 0; rest &= rest - 1) {
      const unsigned l = lowest_lane(rest);
      const auto offset = static_cast<std::uint32_t>(given_[l]);
      seen_[l] = given_[l];
      if ((in_shared_ >> l & 1) != 0) {
        seen_[l] = block.shared_address(offset);
        if (offset > block.shared.size() || block.shared.size() - offset < width_) outside_ |= rest & -rest;
        bytes[l] = block.shared.data() + offset;
        continue;
      }
      if ((in_local_ >> l & 1) != 0) {
        if (offset > block.of.local_bytes() || block.of.local_bytes() - offset < width_) outside_ |= rest & -rest;
        seen_[l] = block.local_address(w_.number * warp_size + l, offset);
      }
      bytes[l] = reinterpret_cast<std::byte*>(seen_[l]);
    }
  }

  warp& w_;
  const instruction& i_;
  std::uint32_t width_;
  address given_[warp_size], seen_[warp_size];
  lane_mask in_shared_, in_local_, outside_ = 0;
};

}  // namespace simtlab::emulator::sass::SIMTLAB_SASS_LEVEL
