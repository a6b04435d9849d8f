// The one emulated device of this process: its memory, symbols, error state, and what has been counted and found so far.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/memory_map.h"
#include "costs/managed_pages.h"
#include "emulator.h"
#include "include/simtlab/emulator_entry.h"
#include "observers/observer_set.h"
#include "report/finding_log.h"
#include "report/report.h"
#include "report/source_map.h"
#include "runtime/arena.h"
#include "runtime/device_array.h"
#include "runtime/device_copy_counts.h"
#include "runtime/device_heap.h"
#include "runtime/host_names.h"
#include "runtime/host_ranges.h"
#include "runtime/host_watch.h"
#include "runtime/host_work.h"
#include "runtime/machine_kernels.h"
#include "runtime/managed_accesses.h"
#include "runtime/memory_pool.h"
#include "runtime/overlap_reports.h"
#include "runtime/parameter_space.h"
#include "runtime/program_image.h"
#include "runtime/stream_handles.h"
#include "runtime/stream_order.h"
#include "runtime/surface.h"
#include "runtime/texture.h"
#include "scheduler/fault.h"
#include "scheduler/launch.h"
#include "scheduler/worker.h"

namespace simtlab::emulator {

/// A CUDA error number (driver_types.h); 0 is success.
using error_code = int;

class device;
class kept_launch;

/// While it exists, copies belong to the stream, and nobody waits for them.
class in_stream {
 public:
  in_stream(device&, stream_handle);
  ~in_stream();
  in_stream(const in_stream&) = delete;  // it restores
  in_stream& operator=(const in_stream&) = delete;

 private:
  device& device_;
};

/// The error that an injected failure gives.
enum class failure : int { out_of_memory = 2, launch_out_of_resources = 701 };

/// Members are used by the runtime API's functions, one host thread at a time (`lock`).
class device {
 public:
  static device& instance();

  std::recursive_mutex lock;
  options settings;
  memory_map map;
  arena memory;
  device_heap heap{memory.reserve_stretch(device_heap::address_space)};
  array_table arrays;
  texture_table textures;
  surface_table surfaces;
  handle_table<CUstream_st> stream_handles;
  handle_table<CUevent_st> events;
  handle_table<CUmemPoolHandle_st> pools;
  CUmemPoolHandle_st *default_pool = nullptr, *current_pool = nullptr;
  /// The one that allocations in streams come from where none is named.
  [[nodiscard]] CUmemPoolHandle_st* pool_in_use();
  /// The allocation that begins there is the pool's.
  void take_from(CUmemPoolHandle_st&, const void* where);
  /// The host has waited: pools give back what exceeds their thresholds.
  void release_of_pools();
  std::map<address, variable_id> registered;  ///< what cudaHostRegister was given, by where it begins
  [[nodiscard]] bool is_registered(const void*, std::size_t bytes) const;
  address_range registered_span;  ///< from the first byte of all that to the last
  finding_log findings;
  source_map& sources;
  shared_state shadow;  ///< what observers of all workers share
  host_ranges host_memory;
  host_work work{shadow.stored_by_host()};
  managed_accesses noted;  ///< of managed memory, by host code, since memory was closed
  stream_order streams;
  stream_handle stream = nullptr;  ///< that the present copy belongs to; see `in_stream`
  bool is_asynchronous = false;    ///< the present copy: its caller does not wait for it
  host_report host;
  managed_pages pages{host};
  host_watch host_reads{memory, map, reinterpret_cast<address>(heap.begin()), host_memory, work, noted};
  parameter_space parameters{map};
  device_copy_counts table_copies{map, host};
  machine_kernels machine{map, sources, shadow.initialised()};
  std::vector<launch_report> launches;

  // Memory.
  /// Null when there is no room.
  void* allocate(std::size_t bytes, memory_kind, site caller);
  /// What cudaFree does, which waits for all streams, or cudaFreeAsync; and cudaFreeHost.
  error_code free(void* where, site caller, bool waits = true);
  error_code free_page_locked(void* where, site caller);
  /// What cudaHostRegister and cudaHostUnregister do, with memory of the program's own.
  error_code register_memory(void* where, std::size_t bytes, site caller);
  error_code unregister_memory(const void* where);
  /// The program frees what begins there, which it may have registered: no kernel is to touch it any more.
  void freed_on_host(const void* where);
  /// What cudaDeviceReset does; what was not freed before is told as leaked.
  void free_everything();
  /// The live allocation or device symbol that holds [where, where + bytes); null if none.
  [[nodiscard]] const memory_region* live_region(const void* where, std::size_t bytes) const;
  /// Of device or managed memory, or of a variable of the device.
  [[nodiscard]] bool is_device_address(const void* where) const;
  /// Whether any of these bytes is memory that a kernel can reach.
  [[nodiscard]] bool touches_device_memory(address begin, std::uint64_t bytes) const;
  /// Managed memory, by cudaMallocManaged or `__managed__`, and memory of cudaMallocHost: host code and kernels may access both.
  [[nodiscard]] bool is_managed(address a) const {
    return memory.range_of(memory_kind::managed).contains(a) || is_managed_symbol(a);
  }
  [[nodiscard]] bool is_page_locked(address a) const { return memory.range_of(memory_kind::page_locked).contains(a); }
  [[nodiscard]] bool is_shared_with_host(address a) const { return is_managed(a) || is_page_locked(a); }
  [[nodiscard]] bool shares_memory() const { return pages.any() || page_locked_ > 0; }
  /// Copies and keeps account; `to` and `from` were checked.
  void copy_to_device(void* to, const void* from, std::size_t bytes, site caller);
  void copy_to_host(void* to, const void* from, std::size_t bytes, site caller);
  void copy_on_device(void* to, const void* from, std::size_t bytes);
  void set(void* where, int value, std::size_t bytes, site caller);
  /// For running_launch::grid_workspace, in the heap of kernels, which gets it back; 0 where that is full.
  [[nodiscard]] address new_grid_workspace();
  /// Whether what touches device memory is compared with what other streams do at the same time, and the host.
  [[nodiscard]] bool compares_streams() const {
    return settings.checks && (streams.has_streams() || shares_memory() || !registered.empty());
  }
  /// Host code touches memory that it shares with kernels.
  void host_touches(address, std::uint64_t bytes, bool is_write, site caller);
  /// The same of an access in the program's source: reports what lies outside of all shared memory, or was freed.
  void host_code_touches(address, std::uint64_t bytes, bool is_write, site caller);
  /// The same of memory of the host's own, which copies that the host has not waited for may be at work on when it is registered.
  /// A loop's accesses of one stretch of 256 bytes are one: this may be asked while the emulator's memory is closed.
  [[nodiscard]] bool may_meet_copies(address at, bool is_write, site caller) const {
    return registered_span.contains(at) && streams.may_run() && callbacks == 0 &&
           !(last_registered_ == registered_access{at, is_write, caller, host.api_calls + host.launches});
  }
  void host_touches_registered(address, std::uint64_t bytes, bool is_write, site caller);
  /// Host code looks by itself, atomically or as volatile, at what a kernel may be at work on: as good as waiting for the kernel.
  void host_waits_at(address, std::uint64_t bytes, site caller);
  /// cudaMemPrefetchAsync of managed memory.
  void prefetch(page_place to, const void* where, std::size_t bytes, stream_handle);
  /// What host code has stored to managed memory without a hook is told now.
  void look_for_host_stores();
  unsigned callbacks = 0;  ///< of streams, that run now: host code which the stream waits for
  /// A copy, a fill or a library's function (`what` is its name) in the present stream touches device memory.
  void operate(stream_order::operation);
  void name_memory(const void* where, std::size_t bytes, std::string_view name);
  /// Which array a side of a copy lies in: one of the device's, page-locked memory, or memory of the host that has a name.
  [[nodiscard]] copied_range range_of(const void* where) const;
  [[nodiscard]] host_work::share stored_by_host(const void* where, std::size_t bytes);

  // Launches.
  site launch_site = 0;  ///< where the program makes the launch that comes next, if not where simtlab_launch is called
  std::shared_ptr<const kept_launch>* recorded =
      nullptr;  ///< the launch that comes next is kept here, and does not run

  // Errors.
  /// Remembers `e` as the last error unless it is success, and returns it.
  error_code record(error_code e);
  /// True when the settings say that this fallible API call must fail; counts the call.
  bool must_fail();
  /// The call that must fail does so, and the report will name it.
  error_code inject(failure, std::string call, site where);
  error_code last_error = 0;
  error_code sticky_error = 0;        ///< the context is lost: every later call gives this
  bool unasked_launch_error = false;  ///< a launch failed and the program has not looked
  void report_unasked_launch();       ///< if there is one
  void note_asked_launch();           ///< the program asks for the last error: keeps which launch it was, if one failed
  std::optional<failed_launch> asked_launch;
  site failed_launch_site = 0;
  std::string failed_kernel, failed_launch_reason;

  /// Dynamic shared memory that a launch of the kernel at `function` may ask for.
  [[nodiscard]] std::size_t shared_limit(const void* function) const;
  /// Whether options::traced_block means a block of this launch.
  [[nodiscard]] bool is_traced(const launch_info&) const;
  /// What the kernel's own `__shared__` variables take; 0 when the kernel is not known.
  [[nodiscard]] std::uint64_t static_shared_bytes(const void* function) const;
  void set_shared_limit(const void* function, std::size_t bytes) { shared_limits_[function] = bytes; }

  /// Runs the kernel to its end (kernel_run.cpp). The configuration is valid. Returns the sticky error, 0 if all went well.
  error_code run(running_launch&);
  /// The program has asked for the device address of the variable that `symbol` stands for.
  void remember_asked(const void* symbol) { asked_symbols_.insert(map.find(reinterpret_cast<address>(symbol))); }
  /// The `__device__` or `__constant__` variable at `a` whose device address nobody has asked for; null if there is none.
  [[nodiscard]] const memory_region* unasked_symbol(address a) const;
  /// Reports a defect of host code at the call `caller`; `allocated` is the call that made the memory, where that helps.
  void report_host(rule, site caller, std::string variable, std::string message, site allocated = 0);
  [[nodiscard]] site allocation_site(const memory_region&) const;
  /// Why a pointer may not be what it should: a call that failed has left it unset, or `otherwise`.
  [[nodiscard]] std::string unset_by_failure(std::string otherwise) const;
  report take_report(bool final);
  // End the program because its host code was about to touch what is not its own (host_faults.cpp).
  /// Host code lets its stack grow beyond its end.
  [[noreturn]] void refuse_host_stack(site where);
  [[noreturn]] void refuse_host_access(const void* where, std::uint32_t width, bool is_write, site caller);
  [[noreturn]] void refuse_host_call(std::string message, site caller, std::string variable = "");

  void take_noted_accesses();

  void (*fatal_handler)(const report&) = nullptr;

 private:
  device();
  void register_symbols();
  void report_leaks();
  void release(const memory_region&, bool waits);
  /// What a thread reads of a parameter at places that are known before the kernel runs makes no request. One request stands for
  /// it, so that the launch has read the table.
  void count_passed_tables(launch_report&);
  /// [at, end) lies in no shared memory that lives.
  void report_host_outside(address at, address end, bool is_write, site caller);
  void name_after_copy(const memory_region&, const void* host_side);
  static void host_fault(const fault&);
  /// What a library's code has stored to shared memory is the host's.
  static void host_changed(address begin, std::uint64_t bytes, site where);
  void tell_what_was_found();
  /// Both tell what was found so far. The signal ends the program.
  [[noreturn]] void end_interrupted(int signal);
  [[noreturn]] void end_refused();
  static void host_interrupted(int signal);

  struct registered_access {
    address stretch = 0;
    bool is_write = false;
    site caller = 0;
    std::uint64_t behind = 0;  ///< so many calls and launches
    registered_access() = default;
    registered_access(address at, bool write, site where, std::uint64_t calls)
        : stretch(at / 256), is_write(write), caller(where), behind(calls) {}
    bool operator==(const registered_access&) const = default;
  };
  registered_access last_registered_;
  host_names host_names_;
  overlap_reports overlaps_{findings, map, host_names_, memory.range_of(memory_kind::page_locked), host};
  std::vector<const memory_region*> static_shared_;
  address_range device_symbols_, constant_symbols_;
  void note_registered();                        // it has changed
  std::vector<address_range> shared_with_host_;  // where such memory can be; what is registered comes last
  std::size_t always_shared_ = 0;                // of these, whatever is registered
  std::size_t page_locked_ = 0;                  // allocations
  std::set<const memory_region*> asked_symbols_;
  variable_id dynamic_shared_ = 0, heap_ = 0;
  std::atomic<std::uint64_t> dynamic_shared_named_ = 0;  // launch that gave it its name
  std::map<variable_id, site> allocation_sites_;
  std::map<variable_id, CUmemPoolHandle_st*> pool_of_;
  std::set<variable_id> leaks_told_;
  std::map<const void*, std::size_t> shared_limits_;  // raised by cudaFuncSetAttribute
  std::vector<std::unique_ptr<worker>> workers_;
  std::vector<std::unique_ptr<observer_set>> observers_;

  friend void* name_dynamic_shared(const char*);
  std::mutex naming_;
};

}  // namespace simtlab::emulator
