// Sums of request costs by place in the code, space, kind, variable and width.
//
// A table belongs to one worker; the tables of all workers are added up at the end of a launch. Equal consecutive
// requests at one site, by far the most frequent case, only count a repetition: their cost is multiplied in later.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "observers/observer.h"
#include "report/report.h"

namespace simtlab::emulator {

class counter_table {
 public:
  /// Counts the request last added at this site once more; false if there is none, and the cost must be worked out.
  bool repeat(site where) {
    const slot& s = slots_[slot_of(where)];
    if (s.row == 0 || s.where != where) return false;
    ++rows_[s.row - 1].repetitions;
    return true;
  }
  /// Adds one request with its cost.
  void add(const warp_request&, const request_counters& cost);

  /// Adds the rows of `other`.
  void merge(const counter_table& other);
  void clear();

  /// One entry per (line, space, kind, variable name), sorted as `launch_report::accesses` documents.
  [[nodiscard]] std::vector<access_counters> resolve(const std::function<source_line(site)>& line_of,
                                                     const std::function<std::string(variable_id)>& name_of) const;

 private:
  struct key {
    site where = 0;
    variable_id variable = 0;
    std::uint32_t width = 0;
    memory_space space{};
    access kind{};
    friend bool operator==(const key&, const key&) = default;
  };
  struct key_hash {
    std::size_t operator()(const key&) const;
  };
  struct row {
    key what;
    request_counters sum, last;
    std::uint64_t repetitions = 0;  ///< of `last`, not yet in `sum`
    [[nodiscard]] request_counters total() const;
  };
  /// The row of the last request at a site; row 0 is an empty slot, so rows count from 1.
  struct slot {
    site where = 0;
    std::uint32_t row = 0;
  };

  [[nodiscard]] std::size_t slot_of(site where) const {
    std::size_t at = (where * std::size_t{0x9e3779b9} >> 8) & (slots_.size() - 1);
    while (slots_[at].row != 0 && slots_[at].where != where) at = (at + 1) & (slots_.size() - 1);
    return at;
  }
  row& row_of(const key&);
  void grow();

  std::vector<slot> slots_ = std::vector<slot>(256);
  std::size_t sites_ = 0;
  std::vector<row> rows_;
  std::unordered_map<key, std::uint32_t, key_hash> index_;
};

}  // namespace simtlab::emulator
