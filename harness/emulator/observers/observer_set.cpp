#include "observers/observer_set.h"

#include "checks/access_checks.h"
#include "checks/barriers/barriers.h"
#include "checks/memory/kernel_stores.h"
#include "checks/races/footprint.h"
#include "costs/execution_counters.h"
#include "costs/foreign_reads.h"
#include "costs/managed_touches.h"
#include "costs/request_costs.h"
#include "observers/access_recorder.h"
#include "observers/block_tracer.h"
#include "observers/element_sampler.h"
#include "observers/request_examples.h"

namespace simtlab::emulator {

observer_set::observer_set(shared_state& shared, finding_log& findings, observer_options wanted) {
  if (wanted.counters) {
    auto costs = std::make_unique<request_costs>();
    auto execution = std::make_unique<execution_counters>();
    costs_ = costs.get();
    execution_ = execution.get();
    owned_.push_back(std::move(costs));
    owned_.push_back(std::move(execution));
    if (wanted.foreign_reads) {
      auto foreign = std::make_unique<foreign_reads>();
      foreign_ = foreign.get();
      owned_.push_back(std::move(foreign));
    }
  }
  if (wanted.recorded_accesses > 0) {
    auto recorder = std::make_unique<access_recorder>(wanted.recorded_accesses);
    recorder_ = recorder.get();
    owned_.push_back(std::move(recorder));
  }
  if (wanted.request_examples) {
    auto examples = std::make_unique<request_examples>();
    examples_ = examples.get();
    owned_.push_back(std::move(examples));
  }
  if (wanted.traced_block) {
    auto tracer = std::make_unique<block_tracer>(*wanted.traced_block);
    tracer_ = tracer.get();
    owned_.push_back(std::move(tracer));
  }
  if (wanted.sampled_accesses > 0) {
    auto sampler = std::make_unique<element_sampler>(wanted.sampled_accesses);
    sampler_ = sampler.get();
    owned_.push_back(std::move(sampler));
  }
  if (wanted.checks) {
    owned_.push_back(std::make_unique<access_checks>(shared, findings));
    owned_.push_back(std::make_unique<barriers>(findings));
  }
  if (wanted.touched != nullptr)
    owned_.push_back(std::make_unique<footprint_taker>(*wanted.touched, wanted.touched_of));
  if (wanted.managed != nullptr) owned_.push_back(std::make_unique<managed_touches>(*wanted.managed, *wanted.pages));
  if (wanted.kernel_stores)
    owned_.push_back(std::make_unique<kernel_stores>(shared.stored_by_host(), wanted.carried, wanted.made));
  for (const auto& o : owned_) calls_.push_back(o.get());
}

observer_set::~observer_set() = default;

void collect(std::span<observer_set* const> workers, const std::function<source_line(site)>& line_of,
             const memory_map& names, launch_report& result) {
  counter_table all;
  request_examples examples;
  for (const observer_set* w : workers) {
    if (w->recorder_ != nullptr) w->recorder_->add_to(result.recorded, line_of, names);
    if (w->examples_ != nullptr) examples.merge(*w->examples_);
    if (w->tracer_ != nullptr && (!result.trace || w->tracer_->has_seen_block()))
      result.trace = w->tracer_->resolve(line_of, names);
    if (w->sampler_ != nullptr && w->sampler_->has_seen_block()) result.sample = w->sampler_->resolve(line_of, names);
    if (w->costs_ == nullptr) continue;
    all.merge(w->costs_->table());
    result += w->execution_->totals();
    if (w->foreign_ != nullptr) result.foreign_bytes += w->foreign_->bytes();
  }
  put_in_order(result.recorded);
  result.examples = examples.resolve(line_of, names);
  result.accesses = all.resolve(
      line_of, [&names](variable_id v) { return names.name(v); },
      [&names](variable_id v) { return v != 0 && names.region(v).given; });
}

}  // namespace simtlab::emulator
