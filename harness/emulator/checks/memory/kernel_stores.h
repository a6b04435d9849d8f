// Takes the mark of host code's values from the bytes that a kernel stores to (runtime/host_work.h), and notes what a launch
// stores that reads nothing but marked bytes: what it stores is then host code's values, too. Wanted only while there are
// marks: programs whose data stays on the device have none.
#pragma once

#include <atomic>
#include <bit>
#include <mutex>
#include <vector>

#include "checks/memory/host_made_reads.h"
#include "checks/memory/initialised_bytes.h"
#include "observers/observer.h"

namespace simtlab::emulator {

/// What one launch carries from marked bytes elsewhere; safe to use from several workers at once.
class carried_values {
 public:
  explicit carried_values(const initialised_bytes& marks) : marks_(marks) {}

  /// Whether nothing is carried, whatever is still read or stored: the launch has read bytes that are no host code's.
  [[nodiscard]] bool is_settled() const { return reads_others_.load(std::memory_order_relaxed); }
  void read(address begin, std::uint32_t bytes) {
    if (marks_.all(begin, bytes))
      reads_marked_.store(true, std::memory_order_relaxed);
    else if (!stored_.all(begin, bytes))
      reads_others_.store(true, std::memory_order_relaxed);
  }
  void stored(address begin, std::uint32_t bytes) {
    if (stored_.mark_and_tell(begin, bytes)) return;
    const std::lock_guard guard(lock_);
    if (!ranges_.empty() && ranges_.back().end == begin)
      ranges_.back().end += bytes;
    else
      ranges_.push_back({begin, begin + bytes});
  }

  struct range {
    address begin = 0, end = 0;
  };
  /// After the launch: where host code's values lie by its doing.
  [[nodiscard]] std::vector<range> carried() const {
    return reads_marked_ && !reads_others_ ? ranges_ : std::vector<range>{};
  }

 private:
  const initialised_bytes& marks_;
  initialised_bytes stored_;
  std::atomic<bool> reads_marked_ = false, reads_others_ = false;
  std::mutex lock_;
  std::vector<range> ranges_;
};

class kernel_stores final : public observer {
 public:
  /// `carried` and `made` may be null.
  kernel_stores(initialised_bytes& marks, carried_values* carried, host_made_reads* made)
      : marks_(marks), carried_(carried), made_(made) {}

  void request(const warp_request& r) override {
    const bool on_device = r.space == memory_space::global || r.space == memory_space::texture;
    if (!on_device && r.space != memory_space::constant) return;
    const bool carries = carried_ != nullptr && !carried_->is_settled();
    for (lane_mask rest = r.active; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      const bool has_texel = r.space != memory_space::texture || (r.texels >> lane & 1) != 0;
      if (r.kind != access::write && !r.reads_nothing && has_texel) {
        if (carries) carried_->read(r.addresses[lane], r.width);
        if (made_ != nullptr) made_->read(r.addresses[lane], r.width);
      }
      if (r.kind == access::read || r.space != memory_space::global) continue;
      marks_.forget(r.addresses[lane], r.width);
      if (carries) carried_->stored(r.addresses[lane], r.width);
    }
  }

 private:
  initialised_bytes& marks_;
  carried_values* carried_;
  host_made_reads* made_;
};

}  // namespace simtlab::emulator
