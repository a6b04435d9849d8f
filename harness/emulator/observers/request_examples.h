// A few requests of each place in the source, whole, for pictures (options::request_examples): which lane asked for what.
//
// Two requests of a place have the same pattern when they have the same active lanes and the same distances between the lanes'
// addresses, and begin at the same place of a line of 128 bytes: they look alike, and cost the same. Examples don't depend on the
// number of workers, because each choice is a least or a most of something that a request has by itself.
#pragma once

#include <functional>
#include <map>
#include <unordered_map>
#include <vector>

#include "core/memory_map.h"
#include "costs/access_place.h"
#include "observers/observer.h"
#include "report/report.h"

namespace simtlab::emulator {

class request_examples final : public observer {
 public:
  /// Of a place with more patterns, those of the smallest hashes are counted. A line of a course's kernel has a handful; one that
  /// follows data has as many as requests, and none of them matters more than others.
  static constexpr std::size_t most_patterns = 64;

  [[nodiscard]] detail request_detail() const override { return detail::aggregate; }
  void launch_begins(const launch_info&) override;
  void block_begins(const block_info& b) override;
  void request(const warp_request&) override;
  void repeated(std::uint32_t pattern_id, std::uint64_t times) override;

  /// Adds what another worker has kept of the same launch.
  void merge(const request_examples& other);
  /// By place, as `launch_report::accesses` is.
  [[nodiscard]] std::vector<example_place> resolve(const std::function<source_line(site)>& line_of,
                                                   const memory_map& names) const;

 private:
  /// When a request was made: blocks and warps in their order, then the requests of a warp in theirs.
  struct moment {
    std::uint64_t block = 0;
    std::uint32_t warp = 0;
    std::uint64_t nth = 0;
    friend auto operator<=>(const moment&, const moment&) = default;
  };
  struct kept {
    moment when;
    coordinates block;
    std::uint64_t pattern = 0, draw = 0;
    lane_mask active = 0;
    bool is_partial = false;
    std::array<address, warp_size> at{};
    request_counters cost{};
    std::uint64_t times = 0;  ///< of the pattern, where it stands among a place's patterns
  };
  struct kept_of_place {
    std::map<std::uint64_t, kept> patterns;  ///< by hash
    bool has_more = false;                   ///< patterns than are counted
    kept worst, first_partial, at_random;    ///< `active` 0: none yet
  };

  static bool is_worse(const kept&, const kept& than);
  static void take(kept_of_place&, const kept&);
  static void take_all(kept_of_place&, const kept_of_place& theirs);
  [[nodiscard]] static std::vector<request_example> chosen(const kept_of_place&);

  std::unordered_map<access_place, kept_of_place, access_place::hash> places_;
  struct place_and_pattern {
    kept_of_place* of = nullptr;  ///< none: of a request that no picture is drawn of
    std::uint64_t pattern = 0;
  };
  std::vector<place_and_pattern> last_;  // by pattern_id
  const block_info* block_ = nullptr;
  std::uint64_t nth_ = 0;
};

}  // namespace simtlab::emulator
