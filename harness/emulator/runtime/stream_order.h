// What the program's streams may do at the same time, and whether it touches the same memory.
//
// In this emulator every operation is over when its call returns; on a GPU operations of different streams overlap unless
// something orders them. So each stream and the host keep a clock: how many operations of every stream have ended for them.
// An operation begins when what its stream did before and what the host had waited for has ended (CUDA C++ Programming
// Guide, "Streams" and "Implicit Synchronization"): the default stream waits for all streams that were not created with
// cudaStreamNonBlocking, and these wait for it. Events carry a clock from stream to stream or to the host. A clock also says when
// all of that would be over (timeline.h).
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <string>
#include <vector>

#include "checks/races/footprint.h"
#include "runtime/timeline.h"

namespace simtlab::emulator {

/// What the API calls a stream by; null is the default stream.
using stream_handle = const void*;

class stream_order {
 public:
  struct clock {
    std::map<unsigned, std::uint64_t> ended;  ///< by stream: its operations that have ended
    double at = 0;                            ///< nanoseconds of the timeline
  };

  void created(stream_handle, bool non_blocking);
  /// Whether operations can overlap at all, so that footprints are wanted.
  [[nodiscard]] bool has_streams() const { return has_streams_; }

  /// A launch (`what` is its kernel) or a copy (empty).
  struct operation {
    std::string what;
    footprint touched;
    timed_operation_kind kind = timed_operation_kind::kernel;
    std::uint64_t bytes = 0;
    double takes = 0;  ///< nanoseconds
    bool is_prefetch = false;
    timed_copy copy{};
  };
  struct overlap {
    const operation* earlier;
    footprint::conflict conflict;  ///< `mine` is the later operation's
  };
  /// Takes the operation into account and gives its conflicts with operations that may run at the same time. They are valid
  /// until the next call.
  std::vector<overlap> add(stream_handle, operation);
  /// The conflicts of what the host does now with operations that it has not waited for. Valid until the next call.
  [[nodiscard]] std::vector<overlap> of_host(const footprint&) const;
  /// The host has looked by itself whether what touches these bytes is over.
  void wait_for_what_touches(const footprint&);
  [[nodiscard]] bool may_run() const { return !running_.empty(); }

  void wait_for_all();
  void wait_for(stream_handle);
  [[nodiscard]] clock now_in(stream_handle);
  void wait_for(const clock&);                ///< the host
  void wait_in(stream_handle, const clock&);  ///< a stream
  /// The host does nothing else until what the stream has to do now is over, but does not know it: a copy of memory that is not
  /// page-locked goes through memory of the driver's.
  void hold_host(stream_handle);
  /// The host itself takes time.
  void host_spends(double nanoseconds) { host_.at += nanoseconds; }
  [[nodiscard]] timeline& times() { return times_; }

 private:
  static constexpr unsigned default_stream = 0;
  struct stream {
    unsigned number = default_stream;
    bool non_blocking = false;
    std::uint64_t operations = 0;
    std::uint64_t marked = 0;  ///< of these, when an event was last recorded
    clock ended;
  };
  struct running {
    unsigned stream = 0;
    std::uint64_t number = 0;
    operation what;
  };
  stream& of(stream_handle);
  /// What has ended when the stream's next operation begins.
  [[nodiscard]] clock begin_of_next(const stream&) const;
  void forget_ended();
  /// Whether an operation that still runs stands for this one, too, in a program that has one stream and launches it again and again.
  bool joins_running(const stream&, const operation&);

  bool has_streams_ = false;
  unsigned next_number_ = 1;
  std::map<stream_handle, stream> streams_;
  clock host_;
  timeline times_;
  std::list<running> running_;  // operations that the host has not waited for
};

}  // namespace simtlab::emulator
