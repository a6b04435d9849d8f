// Which bytes of global memory one launch or copy touches, by code site and kind of access: a bit a byte.
//
// Collected only in programs that have more than the default stream, to compare operations that may run at the same time, and of
// memory that host code shares, to compare what host code does with operations that it has not waited for.
#pragma once

#include <bitset>
#include <map>
#include <vector>

#include "observers/observer.h"

namespace simtlab::emulator {

class footprint {
 public:
  void add(site, access, address begin, std::uint64_t bytes);
  void merge(const footprint&);
  [[nodiscard]] bool empty() const { return sides_.empty(); }

  struct side {
    site where = 0;
    access kind = access::read;
    friend auto operator<=>(const side&, const side&) = default;
  };
  struct conflict {
    side mine, other;
    address at = 0;  ///< the lowest byte that both touch
  };
  /// Calls `found(conflict)` for each pair of sides that touch a common byte, one of them writing plainly.
  template <class Found>
  void each_conflict(const footprint& other, Found&& found) const {
    for (const auto& [mine, own_bytes] : sides_) {
      for (const auto& [theirs, bytes] : other.sides_) {
        if (mine.kind == theirs.kind && mine.kind != access::write) continue;
        if (const address at = lowest_common(own_bytes, bytes); at != 0) found(conflict{mine, theirs, at});
      }
    }
  }

 private:
  static constexpr address page_bytes = 4096;
  using page = std::bitset<page_bytes>;
  using pages = std::map<address, page>;  // by number
  static address lowest_common(const pages&, const pages&);

  std::map<side, pages> sides_;
};

/// Adds what one worker's blocks touch to the launch's footprint when the launch is over.
class footprint_taker final : public observer {
 public:
  /// Of accesses in `ranges` alone, unless that is null.
  footprint_taker(footprint& of_launch, const std::vector<address_range>* ranges)
      : of_launch_(of_launch), ranges_(ranges) {}
  void request(const warp_request&) override;
  void launch_ends() override { of_launch_.merge(own_); }

 private:
  [[nodiscard]] bool is_wanted(address) const;

  footprint& of_launch_;
  const std::vector<address_range>* ranges_;
  footprint own_;
};

}  // namespace simtlab::emulator
