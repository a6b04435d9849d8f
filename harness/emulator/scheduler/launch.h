// One kernel launch: the grid's blocks are handed to the workers in order, and the workers' results are added up.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "checks/races/cas_probe_reads.h"
#include "checks/races/vector_clock/happens_before.h"
#include "checks/races/volatile_sites.h"
#include "core/memory_map.h"
#include "emulator.h"
#include "observers/observer.h"
#include "report/finding_log.h"
#include "report/report.h"
#include "scheduler/turns.h"
#include "trace/request_emitter.h"

namespace simtlab::emulator {

class worker;
class machine_launch;
class other_threads;

/// Why a launch ended before all of its blocks had run.
enum class stop_reason : std::uint8_t {
  none,
  illegal_address,
  misaligned,
  assertion,
  timeout,
  stack,
  unsupported,
  interrupted,
  undefined
};

/// What the blocks of one host thread have done, for telling whether they get on.
struct progress {
  std::uint64_t advances = 0;  ///< threads that came to an end, a barrier or a warp primitive
  std::uint64_t changes = 0;   ///< atomic operations and volatile writes that changed memory
  std::uint64_t looks = 0;     ///< of threads that found nothing new
};

/// A worker to run one more block at the same time, and its observers.
struct spare_worker {
  worker* runs = nullptr;
  const std::vector<observer*>* observers = nullptr;
};

/// What the workers need to know of the launch they run.
struct running_launch {
  launch_info info;
  void (*invoke)(void* pack) = nullptr;  ///< calls the kernel with its arguments, once per thread
  void* pack = nullptr;
  const void* stream = nullptr;  ///< as the program names it
  std::uint64_t events_per_thread = 0;
  bool traced = true;              ///< false: the program has no hooks, so that lanes log nothing
  bool local_memory_apart = true;  ///< a thread on another one's stack stops the launch
  bool values = true;              ///< writes log the bytes they stored
  finding_log* findings = nullptr;
  std::function<source_line(site)> line_of;
  const memory_map* map = nullptr;
  address_layout layout;  ///< the ranges that are the same for every worker
  /// Guarded programs: whether a lane may store to an address outside of device memory, and where on the calling thread the
  /// program's own thread-local variables end, its shared memory. Null: nothing is refused.
  bool (*may_store)(address, std::uint32_t width) = nullptr;
  address (*end_of_shared)() = nullptr;
  const void* function = nullptr;                   ///< the kernel's code; null when not known
  const machine_launch* machine = nullptr;          ///< what nvcc made of the kernel runs; null: what g++ made
  std::vector<const memory_region*> static_shared;  ///< regions to poison when a block begins

  bool cooperative = false;                     ///< all blocks run at a time, and may wait for one another
  std::atomic<std::uint64_t> grid_arrivals{0};  ///< of blocks, at the grid's barrier
  /// What blocks hand on to one another at the grid's barriers, in turn: a block that leaves one barrier late takes nothing from
  /// those that have come to the next.
  std::array<char, 2> grid_barriers{};
  address grid_workspace = 0;  ///< by which the grid's barrier works as nvcc compiles it; 0: the launch needs none

  schedule order_of_turns;
  happens_before* order = nullptr;      ///< null where nothing but barriers orders threads, or nobody checks
  cas_probe_reads* probes = nullptr;    ///< null where nobody checks
  volatile_sites* volatiles = nullptr;  ///< null where nobody checks
  std::function<spare_worker()> spare;  ///< safe to call from several threads; may throw std::bad_alloc
  int threads = 1;                      ///< host threads that run blocks
  other_threads* others = nullptr;      ///< that may join in; null: none
  std::atomic<int> resting{0};          ///< of them, that have nothing to run but blocks that wait

  turns order_of_blocks;
  std::atomic<stop_reason> stopped{stop_reason::none};

  /// The first reason wins. Workers finish the block they run as far as they must and take no other.
  void stop(stop_reason why) {
    auto expected = stop_reason::none;
    stopped.compare_exchange_strong(expected, why);
  }
  /// Before the calling thread's block stops the launch: waits for the blocks of earlier turns, and says whether one of them has
  /// stopped it meanwhile. So it is the first block that tells, on however many threads.
  [[nodiscard]] bool is_stopped_earlier() const {
    const bool before = is_stopped();
    turns::await_earlier();
    return !before && is_stopped();
  }
  [[nodiscard]] bool is_interrupted() const {
    return stopped.load(std::memory_order_relaxed) == stop_reason::interrupted;
  }
  [[nodiscard]] bool is_stopped() const { return stopped.load(std::memory_order_relaxed) != stop_reason::none; }
};

}  // namespace simtlab::emulator
