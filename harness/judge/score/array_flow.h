// Whose bytes an array holds, and whose result they become.
//
// A launch carries bytes from each array that it reads to each array that it writes, and a copy inside the device from one array
// to the other. So an array that is no argument of the entry is derived from the arguments from which such steps lead to it, and
// it leads to the arguments that such steps reach. The relation says at most too much: no byte gets into an array of the device
// by another way, but for the few that host code may read back (runner/entry_outcome.h).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "protocol/measurement.h"

namespace simtlab {

/// Memory that all threads share and that a kernel reaches by pointers or textures.
[[nodiscard]] bool is_device_memory(const access_counters&);
/// Device memory, and constant memory, to which a copy may bring an argument.
[[nodiscard]] bool holds_data(const access_counters&);
/// Parameters of kernels, which lie in constant memory. Each is called after its name in the kernel's text, behind a word that no
/// variable's name begins with.
[[nodiscard]] bool is_parameter(std::string_view variable);
/// An atomic does both.
[[nodiscard]] bool reads(const access_counters&);
[[nodiscard]] bool writes(const access_counters&);
/// A launch that stores at least what it reads, and adds nothing up.
[[nodiscard]] bool only_moves(const launch_counters&);
/// The same where stores may be atomic operations on memory of the program's own at which no lanes of a request meet: what is
/// added to zeros there has only moved.
[[nodiscard]] bool only_carries(const launch_counters&);
/// Bytes of the arguments, by name.
using argument_bytes = std::map<std::string, double, std::less<>>;
/// A launch that moves results from memory of the program's own to arguments: it stores no more than these have, and what it stores it
/// has from nobody but that memory, so that it uses no shared memory.
[[nodiscard]] bool only_brings_back(const launch_counters&, const argument_bytes&);

/// Bytes of the sectors that plain copies touch, no more than one copy of each argument takes to read and store: from an
/// argument to memory of the program's own, or from there to a result, by a copy inside the device or a launch that only
/// moves. Plain is what touches hardly a sector too many on either side and uses no shared memory: a conversion from one
/// data layout to another is no such copy.
[[nodiscard]] double moved_by_plain_copies(const measurements&, const argument_bytes&);

class array_flow {
 public:
  explicit array_flow(const measurements&);

  /// Arguments whose bytes may lie in the array, which is none of them.
  [[nodiscard]] const std::set<std::string>& origins(const array_identity&) const;
  [[nodiscard]] bool holds(const array_identity& array, std::string_view argument) const;
  /// Whether bytes of the array may become bytes of the argument.
  [[nodiscard]] bool reaches(const array_identity& array, std::string_view argument) const;
  /// Whether an argument that kernels write is memory of another argument's result, too: bytes of `array` become bytes of `argument`, by
  /// a copy or by a launch that reads more of the array than it stores there. A launch that works on both in place, or that adds
  /// to both what it makes of the inputs, carries nothing from one to the other.
  [[nodiscard]] bool is_scratch_for(const array_identity& array, std::string_view argument) const;

 private:
  using names = std::map<std::uint64_t, std::set<std::string>>;
  names origins_, ends_, borrowed_;
};

}  // namespace simtlab
