// Which accesses count for the argument that a criterion speaks of: its own, and those of arrays that stand for it.
//
// Reads of an array that holds the argument's bytes count like reads of the argument, and writes of an array whose bytes reach it
// like writes of it (array_flow.h), copies inside the device included. A criterion that speaks of no argument is about all of
// them.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "judge/score/argument_size.h"
#include "judge/score/array_flow.h"
#include "judge/score/criteria.h"

namespace simtlab {

class argument_accesses {
 public:
  /// Refers to all three.
  argument_accesses(const criterion&, const criterion_input&, const array_flow&);

  /// Every access of the program, those of copies inside the device included.
  [[nodiscard]] const std::vector<access_counters>& all() const { return all_; }
  /// Null: the criterion speaks of none, or of no array.
  [[nodiscard]] const argument_size* argument() const { return argument_; }
  /// Names of arrays of the program's own that count.
  [[nodiscard]] const std::set<std::string>& through() const { return through_; }
  /// Whether the criterion is about loads of all inputs together.
  [[nodiscard]] bool are_of_all_inputs() const;

  /// What lanes read or write, in elements of the argument; of all inputs, in the smallest of theirs.
  [[nodiscard]] double elements(const access_counters&) const;

  /// Of the argument itself; of an input, whichever it is.
  [[nodiscard]] bool is_itself(const access_counters&) const;
  [[nodiscard]] bool is_of_an_input(const access_counters&) const;
  /// Of the argument or of what stands for it: reads, writes, either, and atomic operations.
  [[nodiscard]] bool reads_it(const access_counters&) const;
  [[nodiscard]] bool writes_it(const access_counters&) const;
  [[nodiscard]] bool is_of_it(const access_counters&) const;
  [[nodiscard]] bool is_atomic_of_it(const access_counters&) const;
  /// Of the inputs, or of what holds bytes of one: once, however many it holds.
  [[nodiscard]] bool reads_an_input(const access_counters&) const;
  /// A texture over an array that a copy alone has filled from an argument: fetches there are fetches of the argument, and no
  /// launch brings a result back by them.
  [[nodiscard]] bool is_fetched_argument(const access_counters&) const;

 private:
  [[nodiscard]] bool leads_to_it(const array_identity&) const;
  [[nodiscard]] bool stands_for_it(const access_counters&) const;

  const criterion& criterion_;
  const criterion_input& in_;
  const array_flow& flow_;
  std::string_view of_;
  const argument_size* argument_;
  std::size_t element_bytes_ = 0;
  std::vector<access_counters> all_;
  std::set<std::string> through_;
};

}  // namespace simtlab
