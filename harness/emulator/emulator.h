// The emulator's control panel: what a program that embeds it (the runner, a test, simtcc's start-up code) may do.
// Student code never includes this; it sees `include/cuda_runtime.h` alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/gpu_model.h"
#include "core/memory_calls.h"
#include "report/report.h"

namespace simtlab::emulator {

/// In which order blocks, warps and lanes that may all run take their turns. A correct program gives the same results,
/// findings and counters under all of them (but for the number of times that a thread looks for a value in vain).
struct schedule {
  enum kind_of_order : std::uint8_t { in_order, reverse, random };
  kind_of_order kind = in_order;
  std::uint64_t seed = 0;  ///< of `random`
};
/// `in-order`, `reverse`, `random:SEED` or `random`; nothing for any other text.
[[nodiscard]] std::optional<schedule> schedule_from(std::string_view text);

struct options {
  /// Host threads that run blocks; results do not depend on it. One runs them while checks are on, and where the program's
  /// code has atomic operations, fences or volatile reads: what a racing thread reads, and what an atomic operation returns,
  /// depends on who came first. All but the first begin when a launch turns out to be long.
  unsigned workers = 1;
  schedule turns;
  bool counters = true;
  bool checks = true;  ///< races, bounds, initialisation, barriers
  /// Whether `foreign_bytes` are counted, too, which takes a look at each access to shared memory.
  bool foreign_reads = false;
  /// How many accesses of single threads the reports of a launch keep at most (launch_report::recorded), which takes a look at
  /// each access. 0: none.
  std::size_t recorded_accesses = 0;
  /// Whether the reports of the first launches keep a few requests of each place in the source (launch_report::examples).
  bool request_examples = false;
  /// The block of which the report says what each warp did between which barriers (launch_report::trace): of the first launch of
  /// `traced_kernel`, or of the program where that is empty.
  std::optional<coordinates> traced_block;
  std::string traced_kernel;
  /// How many accesses the report keeps of the second block of the first launch, or of its only one: all that it makes to a sample of
  /// elements (launch_report::sample). 0: none.
  std::size_t sampled_accesses = 0;
  /// Every launch gets blocks of this shape, and not the program's: what would change?
  std::optional<extents> launch_block;
  /// Whether findings of races name both threads wherever they are, also of two blocks, as one order of execution has them. Takes
  /// the vector clocks, and so more time and memory.
  bool names_racing_threads = false;
  /// Whether a kernel is stopped where a thread follows a pointer to a local variable of another one, which a GPU cannot do.
  bool local_memory_apart = true;
  /// Whether kernels run as nvcc compiled them, where the program carries that along (simtcc --engine sass), or as g++ did.
  bool as_compiled = true;
  /// The watchdog: accesses and basic blocks that one thread may run through in one launch.
  std::uint64_t events_per_thread = 200'000'000;
  /// Makes the n-th fallible CUDA API call (1-based: allocations, copies, sets, launches) fail; 0 = none.
  std::uint64_t fail_api_call = 0;
  std::map<rule, severity> severities;         ///< overrides of default_severity
  const gpu_model* gpu = gpu_models().data();  ///< whose limits and properties the program sees
};

/// Takes effect at the next launch. Call from the host thread, outside any kernel.
void configure(const options&);

/// Whether the program carries along what nvcc made of its kernels.
[[nodiscard]] bool has_machine_code();

/// The releases of nvcc and nvdisasm that made it, and for what: "nvcc 13.0.88 for sm_90, nvdisasm 13.5.37"; empty: there is none.
[[nodiscard]] std::string machine_code_tools();

/// Hands memory to the program: what it holds now is given. Counters and findings will speak of this device allocation, or
/// of the device memory that is copied from or to this host range, as `name`. `address` is the start of the range. Device
/// memory may be named before or after it is copied to; host memory is handed over until the final report.
void name_memory(const void* address, std::size_t bytes, std::string_view name);

// An embedder that shares its process with the program keeps the program's host code to the program's own memory. Accesses
// are looked at before they happen, as far as simtcc compiled them; one that is refused ends the program as a fault does.

/// Whether the guard is on now: it can't be when the program was linked without the object `simtlab_emulator_boundary` behind
/// the program's own. Call from a constructor, so that it is on before the program's.
bool guard_host_memory(bool on);
/// What this thread allocates with operator new from now on lies where the program's host code may not go.
void allocate_privately();
/// Memory of the embedder that host code may access all the same, until the final report.
void let_host_access(const void* begin, std::size_t bytes);
/// Whether the processor, too, keeps host code of a guarded program from storing to the emulator's memory and the embedder's: for
/// code of libraries, which nobody looks at (core/closed_memory.h). From then on host code may run between `initialisers_begin`
/// and the end of the program's static initialisers, and inside of a `program_call`.
void close_host_memory(bool on);
/// What this thread runs now are static initialisers, the program's first. The embedder's run with memory open again.
void initialisers_begin();
/// Zeroed memory, in pages of its own, that host code may store to; `let_host_access` is called.
[[nodiscard]] void* memory_for_program(std::size_t bytes);
void release_memory_for_program(void*, std::size_t bytes);
/// Calls `entry`, code of the program, as a `program_call`: with the whole stack of the caller closed. Throws what `entry` throws.
int call_program(const std::function<int()>& entry);
// An embedder that closes its process to system calls while the program runs has to know:

/// A stretch of memory.
struct memory_span {
  std::uintptr_t begin = 0, end = 0;
};
/// What host code of the program may not store to: the emulator's, its embedder's and the libraries' memory.
[[nodiscard]] std::vector<memory_span> closed_memory();
/// Opens now what reports read of files.
void open_files_for_reports();

/// While it exists the program runs: its allocations are its own, and the stack above `frame` is not. One at a time.
class program_call {
 public:
  explicit program_call(const void* frame);
  [[gnu::noinline]] ~program_call();           // its return address is to be the emulator's
  program_call(const program_call&) = delete;  // it restores
  program_call& operator=(const program_call&) = delete;
};

/// What host code did of a kernel's work: how many bytes, and the first line that did it (unknown when there is none).
struct host_share {
  std::uint64_t bytes = 0;
  source_line where;
};
/// Bytes of named memory whose value host code has put there. Device memory: copied from host memory that is no copy of what
/// was handed over, set to anything but zero, or stored to managed memory, and since then stored to by no kernel. Host
/// memory: changed by anything but a copy of what kernels have stored.
[[nodiscard]] host_share stored_by_host(const void* address, std::size_t bytes);
/// Bytes of device memory that host code copied to the host, or read in managed memory, since the last report.
[[nodiscard]] host_share read_by_host();

/// Everything since the program began or since the last call, and a fresh start: counts zero, findings forgotten.
/// Device memory that is still allocated is reported as leaked if `final`.
[[nodiscard]] report take_report(bool final = false);

/// Whether take_report was called.
[[nodiscard]] bool has_taken_report();
/// Whether the program has called the CUDA runtime or launched a kernel since the last report.
[[nodiscard]] bool has_used_device();

/// A launch that failed, and whose error the program asked for: no finding, for the program knows, but an embedder may say which
/// launch it was and why.
struct failed_launch {
  source_line where;
  std::string says;  ///< a sentence
};
/// The first since the program began or since the last call.
[[nodiscard]] std::optional<failed_launch> take_failed_launch();

/// Called once when a fault ends the program (a segmentation fault in host code, say), from a context in which normal
/// code may run, with the report so far; the process ends with exit code 70 when it returns.
void on_fatal(void (*handler)(const report&));

}  // namespace simtlab::emulator
