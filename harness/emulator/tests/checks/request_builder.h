// Warp requests for tests, from a lane's number to its address.
#pragma once

#include <array>
#include <functional>
#include <optional>

#include "observers/observer.h"

namespace simtlab::emulator::testing {

/// Owns the addresses and values that its request points to.
class request_builder {
 public:
  request_builder() = default;
  request_builder(memory_space space, access kind, site where = 1) {
    r_.space = space;
    r_.kind = kind;
    r_.where = where;
    r_.pattern_id = where % (1U << 16);
  }

  request_builder& width(std::uint32_t bytes) { return r_.width = bytes, *this; }
  request_builder& warp(std::uint32_t w) { return r_.warp = w, *this; }
  request_builder& variable(variable_id v) { return r_.variable = v, *this; }
  request_builder& atomic(atomic_kind kind) { return r_.atomic = kind, *this; }
  request_builder& pattern_id(std::uint32_t s) { return r_.pattern_id = s, *this; }
  request_builder& repeats(bool yes = true) { return r_.repeats = yes, *this; }

  /// Lane l accesses `at(l)`; lanes without an answer are inactive.
  request_builder& lanes(const std::function<std::optional<address>(unsigned)>& at) {
    r_.active = 0;
    for (unsigned l = 0; l < warp_size; ++l) {
      if (const auto a = at(l)) {
        addresses_[l] = *a;
        r_.active |= lane_mask{1} << l;
      }
    }
    return *this;
  }
  /// Lane `l` alone.
  request_builder& lane(unsigned l, address at) {
    return lanes([=](unsigned i) { return i == l ? std::optional(at) : std::nullopt; });
  }
  /// What the lanes' writes stored.
  request_builder& values(const std::function<std::uint64_t(unsigned)>& of) {
    for (unsigned l = 0; l < warp_size; ++l) values_[l] = of(l);
    has_values_ = true;
    return *this;
  }
  request_builder& mask(lane_mask m) { return r_.active &= m, *this; }

  /// Valid as long as the builder.
  [[nodiscard]] const warp_request& get() {
    r_.addresses = addresses_.data();
    r_.values = has_values_ ? values_.data() : nullptr;
    return r_;
  }

 private:
  warp_request r_;
  std::array<address, warp_size> addresses_{};
  std::array<std::uint64_t, warp_size> values_{};
  bool has_values_ = false;
};

}  // namespace simtlab::emulator::testing
