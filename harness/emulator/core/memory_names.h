// The names of memory spaces, kinds of access, reasons to keep a request and what a warp did: the same in every report, part of its
// format.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "types.h"

namespace simtlab::emulator {

/// In the order of the enumeration.
inline constexpr std::array<const char*, 7> space_names{"global", "shared",   "constant", "local",
                                                        "host",   "unmapped", "texture"};
static_assert(static_cast<std::size_t>(memory_space::texture) + 1 == space_names.size());
/// In the order of the enumeration.
inline constexpr std::array<const char*, 3> access_names{"read", "write", "atomic"};
static_assert(static_cast<std::size_t>(access::atomic) + 1 == access_names.size());

constexpr const char* space_name(memory_space space) { return space_names[static_cast<std::size_t>(space)]; }
constexpr const char* access_name(access kind) { return access_names[static_cast<std::size_t>(kind)]; }

/// Why a request was kept; in the order of the enumeration.
inline constexpr std::array<const char*, 4> reason_names{"most frequent", "worst", "first partial", "at random"};
static_assert(static_cast<std::size_t>(kept_for::at_random) + 1 == reason_names.size());
constexpr const char* reason_name(kept_for why) { return reason_names[static_cast<std::size_t>(why)]; }

/// What a warp did; in the order of the enumeration.
inline constexpr std::array<const char*, 7> action_names{"request", "branch", "syncwarp", "shuffle",
                                                         "vote",    "match",  "reduce"};
static_assert(static_cast<std::size_t>(traced_action::reduce) + 1 == action_names.size());
constexpr const char* action_name(traced_action what) { return action_names[static_cast<std::size_t>(what)]; }

/// Nothing where no space has that name.
constexpr std::optional<memory_space> space_called(std::string_view name) {
  for (std::size_t i = 0; i < space_names.size(); ++i)
    if (name == space_names[i]) return static_cast<memory_space>(i);
  return std::nullopt;
}

}  // namespace simtlab::emulator
