// What a run measured and found, as plain data: the words that runner and judge share, whatever the backend.
// The counters are the emulator's own (harness/emulator/core/counters.def); a GPU's counts are put into them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "emulator/core/copied_range.h"
#include "emulator/core/counters.h"
#include "spec/work.h"

namespace simtlab {

using coordinates = std::array<std::uint64_t, 3>;

/// One thread's part in a finding. Line 0: unknown. No thread: host code.
struct finding_place {
  std::string file;
  int line = 0;
  std::optional<coordinates> thread, block;
  std::string action;
};

/// An input does not hold what the caller passed, or was stored to meanwhile.
inline constexpr const char* input_changed_rule = "input-changed";
/// Host code did what is a kernel's to do. The one finding that is a verdict by itself: `forbidden`.
inline constexpr const char* host_computation_rule = "host-computation";

struct finding {
  std::string rule;  ///< kebab case; the emulator's rules, or the runner's `guard-band`, `input-changed` and the above
  severity level = severity::error;
  std::string message, kernel, variable;
  finding_place first;
  std::optional<finding_place> second;
  std::uint64_t times = 1;
};

/// Which piece of memory a name stands for: two arrays may be called alike.
struct array_identity {
  std::uint64_t id = 0;  ///< the same for all launches; 0: no array is known
  bool given = false;    ///< an argument of the entry, so that its name is not the program's choice
  friend bool operator==(const array_identity&, const array_identity&) = default;
};

/// Copies inside the device from one array to another, added up.
struct device_copies {
  array_identity from, to;
  std::string from_name, to_name;
  std::uint64_t bytes = 0, sectors_read = 0, sectors_written = 0;
};

/// Of one place in the source, for one kind of access to one variable.
struct access_counters : emulator::request_counters {
  std::string file;
  int line = 0;
  std::string space, access, variable;  ///< "global", "shared", …; "read", "write", "atomic"
  array_identity array;
  std::uint64_t width = 0;
};

/// One request of a warp, whole.
struct request_example {
  std::vector<std::string> reasons;  ///< of emulator::reason_names
  coordinates block{};
  std::uint64_t warp = 0;
  std::uint64_t times = 0;   ///< requests of the launch that look alike; 0: not counted, as too many do not
  std::uint64_t active = 0;  ///< a bit per lane, of which there is one at least
  std::array<std::uint64_t, 32> addresses{};  ///< by lane; 0 where not active
  emulator::request_counters cost{};
};

/// A place in the source, with one kind of access to one variable, and a few of its requests.
struct example_place {
  std::string file;
  int line = 0;
  std::string space, access, variable;
  std::uint64_t begin = 0, bytes = 0;  ///< of the variable; 0 bytes: none is known
  std::uint64_t width = 0;             ///< bytes per lane
  std::uint64_t patterns = 0;
  bool has_more_patterns = false;  ///< than are counted
  std::vector<request_example> examples;
};

/// A place in the source where warps of a traced block did something.
struct traced_place {
  std::string file;
  int line = 0;
  std::string what;                     ///< of emulator::action_names
  std::string space, access, variable;  ///< of a "request"; space and access are empty otherwise
};

struct traced_event {
  std::size_t place = 0;               ///< in block_trace::places
  std::uint64_t epoch = 0;             ///< how many barriers the block had passed
  std::uint64_t active = 0;            ///< a bit per lane, of which there is one at least
  std::uint64_t cost = 0, fewest = 0;  ///< of a request: sectors, or passes; and the fewest that would do
};

struct traced_warp {
  std::uint64_t lanes = 0;           ///< threads of the block that it has
  std::uint64_t events_in_all = 0;   ///< those that were not kept, too
  std::vector<traced_event> events;  ///< the first ones, in the warp's order
};

struct traced_barrier {
  std::string file;
  int line = 0;
  bool of_grid = false;  ///< every block of the launch has come to it
};

/// What the warps of one block did between which barriers.
struct block_trace {
  coordinates block{};
  std::vector<traced_place> places;
  std::vector<traced_barrier> barriers;  ///< the first ones that the block passed
  std::uint64_t barriers_in_all = 0;
  std::vector<traced_warp> warps;  ///< empty: the launch has no such block, or it did not run
};

/// One access of one thread.
struct sampled_access {
  std::uint64_t thread = 0, epoch = 0;  ///< linear in the block; how many barriers the block had passed
  std::string file;
  int line = 0;
  std::string space, access, variable;
  std::uint64_t variable_bytes = 0, offset = 0, width = 0;  ///< the offset is in the variable, in bytes
};

/// All accesses of one block to some elements.
struct element_sample {
  coordinates block{};
  std::vector<traced_barrier> barriers;
  std::vector<sampled_access> accesses;
};

struct launch_counters : emulator::launch_totals {
  std::string kernel;
  coordinates grid{1, 1, 1}, block{1, 1, 1};
  std::uint64_t shared_bytes = 0;
  std::uint64_t times = 1;  ///< launches of the same kernel and configuration that were added up
  std::vector<access_counters> accesses;
  std::vector<example_place> examples;  ///< where the request asks for them
  std::optional<block_trace> trace;     ///< where the request asks for it
  /// Where the request asks for it: for whoever reads the result's text (grading/simtlab/viva). The judge does not.
  std::optional<element_sample> sample;
  bool completed = true;
};

/// Whether both are launches of one kernel and configuration, which may be added up.
[[nodiscard]] inline bool are_alike(const launch_counters& a, const launch_counters& b) {
  return a.kernel == b.kernel && a.grid == b.grid && a.block == b.block && a.shared_bytes == b.shared_bytes;
}

struct host_counters : emulator::host_counters {};

using emulator::copied_range;

/// A copy between host and device, beside its size.
struct timed_copy {
  std::string file;
  int line = 0;
  copied_range on_host, on_device;
  bool is_page_locked = false;  ///< the host's memory
};

/// A copy, a prefetch or a launch, and when it would run by the emulator's model (docs/unified-memory.md), in nanoseconds.
struct timed_operation {
  std::string kind;          ///< "to_device", "kernel", "to_host"
  std::string what;          ///< the kernel; empty for a copy
  std::uint64_t stream = 0;  ///< 0: the default stream
  std::uint64_t bytes = 0;
  bool is_prefetch = false;
  double issued = 0;  ///< when the host had made the call
  double begin = 0, end = 0;
  std::optional<timed_copy> copy;
};

struct gpu_description {
  std::string name, driver, runtime, compute_capability;
  std::uint64_t multiprocessors = 0, memory_bytes = 0;
};

struct emulator_description {
  std::string version;
  std::uint64_t workers = 1;
  std::string engine = "g++";  ///< whose code kernels ran as: "g++", or "sass", nvcc's
};

/// Where a runner ran.
struct environment {
  std::string compiler;
  std::optional<emulator_description> emulator;
  std::optional<gpu_description> gpu;
};

/// Calls of the entry one after the other, each with other values at other addresses.
struct timed_calls {
  std::vector<double> milliseconds;  ///< of each call by GPU events, all of the device's streams joined
  double host_milliseconds = 0;      ///< median of the same calls by the host's clock
  std::uint64_t checked = 0;  ///< the call whose outputs are returned, from 0: drawn at random as the calls went by
  std::uint64_t key = 0;      ///< of that call's values (timing/fresh_values.h)
  std::string state;          ///< why it ended there (timing/stopping_rule.h)
};

/// What this GPU can do, measured by code of ours alone.
struct device_limits {
  double copy_gigabytes_per_second = 0;  ///< 10^9 bytes read plus bytes written, by a kernel with 16-byte accesses
  double read_gigabytes_per_second = 0;
  double giga_multiply_adds_per_second = 0;  ///< single precision, from registers
  std::uint64_t cache_bytes = 0;             ///< L2
};

/// Just after a measurement, by the driver's management library; nothing where that cannot be asked.
struct gpu_state {
  std::uint64_t sm_megahertz = 0, memory_megahertz = 0, celsius = 0, other_processes = 0;
  std::vector<std::string> throttled;  ///< why its clocks are held down; empty: they are not
};

/// Everything a backend tells of one call of the entry.
struct measurements {
  /// Operations of the timeline that a runner tells; what any behind them did is not known.
  static constexpr std::size_t most_operations = 256;

  std::vector<launch_counters> launches;
  std::vector<finding> findings;
  host_counters host;
  std::vector<device_copies> copies;
  std::vector<timed_operation> timeline;
  std::uint64_t injected_error = 0;  ///< the CUDA error that a planted fault returned; 0: none was planted
  std::string injected_call;         ///< by which call: "cudaMalloc (kernel.cu:12)"
  std::optional<timed_calls> timed;
  std::optional<device_limits> limits;
  std::optional<gpu_state> state;
};

}  // namespace simtlab
