// Sums of request costs by place in the code, space, kind, variable and width.
//
// A table belongs to one worker; the tables of all workers are added up at the end of a launch. Equal consecutive
// requests of one pattern, by far the most frequent case, come as a number.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "costs/access_place.h"
#include "observers/observer.h"
#include "report/report.h"

namespace simtlab::emulator {

class counter_table {
 public:
  /// Counts the request last added with this pattern_id, of which there must be one, `times` more times.
  void repeat(std::uint32_t pattern_id, std::uint64_t times);
  /// Adds one request with its cost.
  void add(const warp_request&, const request_counters& cost);

  /// Adds the rows of `other`.
  void merge(const counter_table& other);
  void clear();

  /// One entry per (line, space, kind, variable), sorted as `launch_report::accesses` documents.
  [[nodiscard]] std::vector<access_counters> resolve(const std::function<source_line(site)>& line_of,
                                                     const std::function<std::string(variable_id)>& name_of,
                                                     const std::function<bool(variable_id)>& is_given = {}) const;

 private:
  struct row {
    access_place what;
    request_counters sum;
  };
  /// The last request of a pattern.
  struct added {
    std::uint32_t row = no_row;
    request_counters cost;
  };
  static constexpr std::uint32_t no_row = ~std::uint32_t{0};

  [[nodiscard]] std::uint32_t row_of(const access_place&);

  std::vector<added> last_;  // by pattern_id
  std::vector<row> rows_;
  std::unordered_map<access_place, std::uint32_t, access_place::hash> index_;
};

}  // namespace simtlab::emulator
