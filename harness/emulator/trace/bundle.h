// What the assembly rewriter's inline hooks and the log agree on (translator/inline_hooks.h writes the other side).
//
// A bundle is a piece of straight-line code with its events: perhaps the entry of a basic block, then the reads up to the
// next call, jump or label. Whoever enters it executes all of it, so one comparison serves all its events: the code
// compares the bundle's token with the template's, claims its rows, and every read then stores its address into its row
// by one instruction. Rows of entries of basic blocks hold nothing.
#pragma once

#include <cstddef>
#include <cstdint>

#include "trace/record.h"

namespace simtlab::emulator {

/// In the program's read-only data.
struct bundle {
  static constexpr std::size_t most_events = 32;

  std::uint64_t count;   ///< 1 to `most_events`
  record_key events[1];  ///< [count]; addresses instead of sites, depth 0
};

/// Where the call depth stands in a record_key; the rest of a token is the bundle's address, which has 32 bits.
inline constexpr record_key depth_bits = record_key{0xff} << 56;
/// A token is a bundle's, or the key of a lone event, which has a width or is the entry of a basic block.
constexpr bool is_bundle(record_key token) { return (token & ~depth_bits) >> 32 == 0; }
inline const bundle& bundle_of(record_key token) { return *reinterpret_cast<const bundle*>(token & ~depth_bits); }

}  // namespace simtlab::emulator
