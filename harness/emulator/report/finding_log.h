// Collects findings while kernels run. Safe to call from several workers.
//
// Formatting a message is far dearer than seeing a defect once more, so an observer first asks `first_time`; only when
// that says yes does it build the finding. Sites become lines when the report is taken, and findings that then are
// equal (rule, unordered pair of lines, variable) are merged, their counts added.
//
// Of all sightings of a finding the one with the lowest rank is kept as the example, so that the report does not depend
// on which worker came first.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/types.h"
#include "report/report.h"

namespace simtlab::emulator {

/// What makes sightings one finding, before sites are lines.
struct finding_key {
  rule what;
  site low, high;
  variable_id variable;
  friend bool operator==(const finding_key&, const finding_key&) = default;
};
struct finding_key_hash {
  std::size_t operator()(const finding_key&) const;
};

/// Who did what, before sites are lines.
struct raw_place {
  site where = 0;
  bool has_thread = false;
  coordinates thread, block;
  std::string action;
};

struct raw_finding {
  rule what{};
  std::string kernel, variable;
  raw_place first, second;  ///< `second.where == 0`: one place only
  std::string message;      ///< with barrier_gap_mark and warp_advice_mark where those sentences belong
  site barrier = 0;         ///< the block barrier passed last before both places
};

/// Stands in the message of a race inside one warp where its advice goes: what orders one warp alone is none where threads of
/// different warps race in the same kernel, too.
inline constexpr const char* warp_advice_mark = "{warp advice}";
/// What stands behind the advice to have a barrier: that less may be enough.
inline constexpr const char* warp_alternative =
    " Where only the lanes of one warp exchange values, a __syncwarp() is enough.";
/// Stands where that goes, unless threads of different warps race in the same kernel, too.
inline constexpr const char* warp_alternative_mark = "{warp alternative}";

/// Where in the order of a program's launches, blocks and threads something was seen.
struct sighting {
  std::uint64_t launch = 0, block = 0, thread = 0;
  friend auto operator<=>(const sighting&, const sighting&) = default;
};

class finding_log {
 public:
  /// Counts the sighting; true if (rule, unordered {first, second}, variable) was not seen before, or only with a
  /// higher rank. After true the caller must `add` with the same rank.
  bool first_time(rule, site first, site second, variable_id, const sighting& rank = {}, std::uint64_t times = 1);
  void add(raw_finding, variable_id, const sighting& rank = {});
  /// Threads of different warps of a block race for shared memory in the kernel.
  void note_race_between_warps(const std::string& kernel);

  /// All findings with lines and severities, merged and sorted as `report::findings` documents; the log is then empty.
  /// A race swallows the same-value race and the first-guess race of the same lines and variable.
  /// `path_of` gives finding_place::path; without it the paths are empty.
  [[nodiscard]] std::vector<finding> take(const std::function<source_line(site)>& line_of,
                                          const std::map<rule, severity>& overrides,
                                          const std::function<std::string(site)>& path_of = {});

 private:
  static finding_key key_of(rule, site, site, variable_id);

  struct entry {
    std::uint64_t count = 0;
    sighting best;  // the lowest rank announced so far
    bool known = false;
    raw_finding example;
    sighting rank;  // of `example`
  };

  std::mutex mutex_;
  std::unordered_map<finding_key, entry, finding_key_hash> entries_;
  std::set<std::string> race_between_warps_;  // kernels
};

}  // namespace simtlab::emulator
