// cuda::pipeline: what is copied for a stage may be used once the consumer has waited for it. One thread's stages are groups of
// copies. A block's stages have two barriers each, one that producers arrive at and one for consumers.
#pragma once       // IWYU pragma: private, include <cuda/pipeline>
#ifndef __clang__  // ../device_functions.h
#pragma GCC system_header
#endif

#include "thread_barrier.h"

#include <cstdint>

#define SIMTLAB_SYNC __device__ inline __attribute__((always_inline, artificial))

namespace cuda {

enum class pipeline_role { producer, consumer };

template <thread_scope Scope>
struct pipeline_stage {
  barrier<Scope> produced, consumed;
};
/// In shared memory; make_pipeline() gives it its values.
template <thread_scope Scope, ::std::uint8_t Stages>
class pipeline_shared_state {
 public:
  pipeline_shared_state() = default;
  pipeline_shared_state(const pipeline_shared_state&) = delete;
  pipeline_shared_state& operator=(const pipeline_shared_state&) = delete;

  pipeline_stage<Scope> _stages[Stages];
  atomic<unsigned, Scope> _producers;
};

template <thread_scope Scope>
class pipeline {
 public:
  pipeline(pipeline&&) = default;
  pipeline(const pipeline&) = delete;
  pipeline& operator=(const pipeline&) = delete;

  SIMTLAB_SYNC void producer_acquire() {
    if (filled_ != 0) stages_[head_].consumed._wait_for(filled_ - 1);
  }
  SIMTLAB_SYNC void producer_commit() {
    static_cast<void>(stages_[head_].produced.arrive());
    head_ = head_ + 1 == count_ ? 0 : head_ + 1;
    if (head_ == 0) ++filled_;
  }
  SIMTLAB_SYNC void consumer_wait() { stages_[tail_].produced._wait_for(consumed_); }
  SIMTLAB_SYNC void consumer_release() {
    static_cast<void>(stages_[tail_].consumed.arrive());
    tail_ = tail_ + 1 == count_ ? 0 : tail_ + 1;
    if (tail_ == 0) ++consumed_;
  }

  /// For make_pipeline().
  SIMTLAB_SYNC pipeline(pipeline_stage<Scope>* stages, unsigned count) : stages_(stages), count_(count) {}

 private:
  pipeline_stage<Scope>* stages_;
  unsigned count_, head_ = 0, tail_ = 0;
  uint64_t filled_ = 0, consumed_ = 0;  ///< how often all stages were, which are the phases of their barriers
};

template <>
class pipeline<thread_scope_thread> {
 public:
  SIMTLAB_SYNC void producer_acquire() {}
  SIMTLAB_SYNC void producer_commit() {
    simtlab_copies_committed();
    ++committed_;
  }
  /// For the oldest stage that was not waited for.
  SIMTLAB_SYNC void consumer_wait() {
    if (waited_ == committed_) return;
    ++waited_;
    simtlab_copies_waited(committed_ - waited_);
  }
  SIMTLAB_SYNC void consumer_release() {}
  SIMTLAB_SYNC bool quit() { return true; }

 private:
  unsigned committed_ = 0, waited_ = 0;
};
SIMTLAB_SYNC pipeline<thread_scope_thread> make_pipeline() { return {}; }

/// All threads of the group call these; so many of them produce, and so many consume.
template <class Group, thread_scope Scope, ::std::uint8_t Stages>
SIMTLAB_SYNC pipeline<Scope> _make_pipeline(const Group& group, pipeline_shared_state<Scope, Stages>* state,
                                            ::std::size_t producers, ::std::size_t consumers) {
  if (group.thread_rank() == 0)
    for (pipeline_stage<Scope>& stage : state->_stages) {
      init(&stage.produced, static_cast<::std::ptrdiff_t>(producers));
      init(&stage.consumed, static_cast<::std::ptrdiff_t>(consumers));
    }
  group.sync();
  return {state->_stages, Stages};
}
/// Every thread does both.
template <class Group, thread_scope Scope, ::std::uint8_t Stages>
SIMTLAB_SYNC pipeline<Scope> make_pipeline(const Group& group, pipeline_shared_state<Scope, Stages>* state) {
  return _make_pipeline(group, state, group.size(), group.size());
}
/// The group's first threads produce.
template <class Group, thread_scope Scope, ::std::uint8_t Stages>
SIMTLAB_SYNC pipeline<Scope> make_pipeline(const Group& group, pipeline_shared_state<Scope, Stages>* state,
                                           ::std::size_t producers) {
  return _make_pipeline(group, state, producers, group.size() - producers);
}
template <class Group, thread_scope Scope, ::std::uint8_t Stages>
SIMTLAB_SYNC pipeline<Scope> make_pipeline(const Group& group, pipeline_shared_state<Scope, Stages>* state,
                                           pipeline_role role) {
  if (group.thread_rank() == 0) state->_producers.store(0, memory_order_relaxed);
  group.sync();
  if (role == pipeline_role::producer) state->_producers.fetch_add(1, memory_order_relaxed);
  group.sync();
  const ::std::size_t producers = state->_producers.load(memory_order_relaxed);
  return _make_pipeline(group, state, producers, group.size() - producers);
}

/// Until all but the last `Prior` stages have been copied.
template <::std::uint8_t Prior>
SIMTLAB_SYNC void pipeline_consumer_wait_prior(pipeline<thread_scope_thread>&) {
  simtlab_copies_waited(Prior);
}

}  // namespace cuda

#undef SIMTLAB_SYNC
