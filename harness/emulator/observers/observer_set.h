// The observers of one worker for one launch, and the sum of what the workers' observers counted.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "checks/shared_state.h"
#include "observers/observer.h"
#include "report/finding_log.h"
#include "report/report.h"

namespace simtlab::emulator {

class access_recorder;
class block_tracer;
class element_sampler;
class carried_values;
class execution_counters;
class footprint;
class foreign_reads;
class host_made_reads;
class managed_pages;
class request_costs;
class request_examples;

struct observer_options {
  bool counters = true;
  bool checks = true;
  footprint* touched = nullptr;       ///< what the launch touches is wanted there
  bool kernel_stores = false;         ///< takes marks from shared_state::stored_by_host
  carried_values* carried = nullptr;  ///< what the launch carries of marked bytes is wanted there
  host_made_reads* made = nullptr;    ///< what it reads of them is wanted there
  /// Where the pages of managed memory that the launch touches are wanted; null: nowhere.
  std::set<address>* managed = nullptr;
  const managed_pages* pages = nullptr;                    ///< which those are
  const std::vector<address_range>* touched_of = nullptr;  ///< what `touched` is wanted of; null: of all memory
  bool foreign_reads = false;                              ///< counted, beside the other counters
  std::size_t recorded_accesses = 0;                       ///< how many are kept
  bool request_examples = false;
  std::optional<coordinates> traced_block = {};
  std::size_t sampled_accesses = 0;
};

class observer_set {
 public:
  /// `shared` and `findings` must outlive the set. Cheap enough to build for every launch.
  observer_set(shared_state& shared, finding_log& findings, observer_options);
  ~observer_set();
  observer_set(const observer_set&) = delete;  // the trace holds pointers to its observers
  observer_set& operator=(const observer_set&) = delete;

  /// In the order in which they want to be called; empty if nothing is wanted.
  [[nodiscard]] const std::vector<observer*>& observers() const { return calls_; }

 private:
  std::vector<std::unique_ptr<observer>> owned_;
  std::vector<observer*> calls_;
  request_costs* costs_ = nullptr;  // null when counters are off
  execution_counters* execution_ = nullptr;
  foreign_reads* foreign_ = nullptr;     // null where nobody asks
  access_recorder* recorder_ = nullptr;  // null where nobody asks
  request_examples* examples_ = nullptr;
  block_tracer* tracer_ = nullptr;
  element_sampler* sampler_ = nullptr;

  friend void collect(std::span<observer_set* const>, const std::function<source_line(site)>&, const memory_map&,
                      launch_report&);
};

/// After `launch_ends`: adds the counters of all workers up into accesses, steps, divergent steps and barriers, and puts what
/// they recorded in order.
void collect(std::span<observer_set* const> workers, const std::function<source_line(site)>& line_of,
             const memory_map& names, launch_report& result);

}  // namespace simtlab::emulator
