// What the emulator says of a run: plain data, in the order of the launches, ready to be printed or serialised.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/copied_range.h"
#include "core/counters.h"
#include "core/occupancy.h"
#include "core/types.h"

namespace simtlab::emulator {

struct source_line {
  std::string file;  ///< as named in the source (`kernel.cu`); empty when unknown
  int line = 0;      ///< 1-based; 0 when unknown
  friend auto operator<=>(const source_line&, const source_line&) = default;
};

enum class severity : std::uint8_t { note, warning, error };

/// A rule that a program can break. The names (`rule_name`) are part of the facts' format: kebab case, never reused.
enum class rule : std::uint8_t {
  shared_race,       ///< two threads of a block, no barrier between, at least one plain write
  global_race,       ///< the same in global memory, inside a block or between blocks
  same_value_race,   ///< a race whose writers all stored the same value (a warning by default)
  first_guess_race,  ///< a plain read that is nothing but the first guess of a compare-and-swap (a note)
  out_of_bounds,     ///< outside every live allocation, past an array's declared size, past shared memory
  use_after_free,
  misaligned,
  uninitialised_global,
  uninitialised_shared,
  divergent_barrier,           ///< threads of one block wait at different barriers
  exited_before_barrier,       ///< threads returned while others of the block wait at a barrier
  deadlock,                    ///< threads look for a value that nobody is left to store
  livelock,                    ///< threads change memory without end, and none gets any further
  warp_deadlock,               ///< a warp primitive waits for lanes that will not come
  inactive_lane,               ///< a shuffle reads from a lane that does not take part
  mask_without_caller,         ///< a warp primitive's mask leaves out the lane that calls it
  host_access_to_device,       ///< host code dereferences a device pointer
  unsynchronised_host_access,  ///< host code touches memory that a kernel or a copy may still work on
  device_access_to_host,       ///< a kernel dereferences a host pointer
  invalid_address,             ///< null or wild pointer: the hardware would stop the kernel
  stack_overflow,
  endless_loop,  ///< the watchdog's event limit was reached
  interrupted,   ///< a signal or a time limit ended the program while a kernel ran
  failed_assertion,
  missing_return,        ///< of a function that is not void
  leak,                  ///< device memory never freed
  invalid_free,          ///< double free, or a pointer that cudaMalloc never returned
  unchecked_error,       ///< an API call or a launch failed and the program never asked
  foreign_local_memory,  ///< a thread follows a pointer to a local variable of another thread
  foreign_memory,        ///< host code was about to touch memory of the emulator, its embedder or a library
  stale_texel,           ///< a texture fetch of what the same launch has written before: undefined
  texture_mismatch,      ///< a texture object that cannot be, or a fetch of another kind than its texture
  shift_out_of_range,    ///< by a negative amount, or by as many bits as there are or more
  division_by_zero,      ///< of integers: a GPU goes on with a meaningless value (a warning)
  texture_range,         ///< tex1Dfetch outside of its memory, where it returns 0 (a warning)
  unsupported,           ///< the program uses what the emulator does not have
  not_as_compiled,       ///< a kernel ran as g++ compiled it, because its machine code can't be executed (a note)
  incomplete_check       ///< a check ran out of room and may have missed something: a note, never silence
};
inline constexpr int rule_count = static_cast<int>(rule::incomplete_check) + 1;

[[nodiscard]] const char* rule_name(rule);
/// A sentence.
[[nodiscard]] const char* rule_description(rule);
[[nodiscard]] severity default_severity(rule);
[[nodiscard]] const char* severity_name(severity);

/// One thread's part in a finding.
struct finding_place {
  source_line where;
  bool has_thread = false;  ///< false for host code
  coordinates thread, block;
  std::string action;  ///< "writes", "reads", "waits"; a verb that follows "thread (1,0,0) of block (0,0,0)"
  std::string path{};  ///< absolute, of `where.file` when it was compiled; empty when unknown
};

/// Findings are equal as (rule, unordered pair of lines, variable); everything else is an example of where it happened.
struct finding {
  rule what{};
  severity level = severity::error;
  std::string kernel;    ///< empty for host code
  std::string variable;  ///< empty when no name is known
  finding_place first;
  finding_place second;     ///< `second.where.line == 0` when the rule concerns one place only
  std::string message;      ///< one or two sentences: what happened, what was expected, what to do
  std::uint64_t count = 1;  ///< how often it was seen
};

/// Which piece of memory a name stands for: two arrays may be called alike.
struct array_identity {
  variable_id id = 0;  ///< the same for all launches of a program; 0: no array is known
  bool given = false;  ///< handed to the program, so that its name is not the program's choice
  friend auto operator<=>(const array_identity&, const array_identity&) = default;
};

/// Copies inside the device from one array to another, added up.
struct device_copies {
  array_identity from, to;
  std::string from_name, to_name;
  std::uint64_t bytes = 0;
  std::uint64_t sectors_read = 0, sectors_written = 0;  ///< 32-byte pieces touched by each contiguous stretch
};

/// Counters of one place in the source, for one kind of access to one variable.
struct access_counters {
  source_line where;
  memory_space space{};
  access kind{};
  std::string variable;
  array_identity array;
  std::uint32_t width = 0;  ///< bytes per lane; 0 when the places merged into this line differ
  request_counters counters;
};

/// One access of one thread, for tables of small launches.
struct recorded_access {
  std::uint64_t block = 0;   ///< linear, x fastest
  std::uint32_t thread = 0;  ///< linear in its block
  std::uint64_t epoch = 0;   ///< how many barriers the block had passed: accesses of two epochs are ordered
  source_line where;
  memory_space space{};
  access kind{};
  std::string variable;              ///< empty where no name is known
  std::uint64_t variable_bytes = 0;  ///< 0 where the access hit no variable
  std::uint64_t offset = 0;          ///< of its first byte in the variable
  std::uint32_t width = 0;           ///< bytes
  bool stores_zero = false;          ///< a store of at most eight bytes that are all zero
};

/// All accesses of one block to some elements.
struct element_sample {
  coordinates block;
  std::vector<source_line> barriers;      ///< that it passed: an access of epoch n comes behind the first n
  std::vector<recorded_access> accesses;  ///< in the order in which warps made them; `block` is left out
};

/// One request, whole: which lane asked for what.
struct request_example {
  std::vector<kept_for> reasons;  ///< at least one
  std::uint64_t pattern = 0;      ///< the same for requests of a place that look alike (observers/request_examples.h)
  coordinates block;
  std::uint32_t warp = 0;  ///< in its block
  std::uint64_t times =
      0;  ///< how many requests of the launch have the pattern; 0: nobody counted, as there are too many patterns
  lane_mask active = 0;
  std::array<address, warp_size> addresses{};  ///< by lane; 0 where not active
  request_counters cost{};
};

/// A place in the source, with one kind of access to one variable, and a few of its requests.
struct example_place {
  source_line where;
  memory_space space{};
  access kind{};
  std::string variable;     ///< empty where no name is known
  address begin = 0;        ///< of the variable
  std::uint64_t bytes = 0;  ///< of the variable; 0 where none is known
  std::uint32_t width = 0;  ///< bytes per lane
  std::uint32_t patterns = 0;
  bool has_more_patterns = false;  ///< than are counted
  std::vector<request_example> examples;
};

/// A place in the source where warps of a traced block did something.
struct traced_place {
  source_line where;
  traced_action what{};
  memory_space space{};  ///< of a request, as `kind` and `variable` are
  access kind{};
  std::string variable{};  ///< empty where no name is known
  friend auto operator<=>(const traced_place&, const traced_place&) = default;
};

struct traced_event {
  std::uint32_t place = 0;  ///< in block_trace::places
  std::uint64_t epoch = 0;  ///< how many barriers the block had passed
  lane_mask active = 0;
  /// Of a request: its sectors of global memory, or its passes through shared or constant memory, and the fewest that would do
  /// (core/request_figures.h).
  std::uint64_t cost = 0, fewest = 0;
};

struct traced_warp {
  std::uint32_t lanes = 0;           ///< threads of the block that it has
  std::uint64_t events_in_all = 0;   ///< those that were not kept, too
  std::vector<traced_event> events;  ///< the first ones, in the warp's order
};

struct traced_barrier {
  source_line where;
  bool of_grid = false;  ///< every block of the launch has come to it
};

/// What the warps of one block did between which barriers.
struct block_trace {
  coordinates block;
  std::vector<traced_place> places;      ///< sorted
  std::vector<traced_barrier> barriers;  ///< the first ones that the block passed
  std::uint64_t barriers_in_all = 0;
  std::vector<traced_warp> warps;  ///< empty: the launch has no such block, or it did not run
};

struct launch_report : launch_totals {
  std::string kernel;
  extents grid, block;
  std::uint64_t dynamic_shared_bytes = 0;
  std::uint64_t static_shared_bytes = 0;
  std::vector<access_counters> accesses;  ///< sorted by (file, line, space, kind, variable, array)
  /// As many as options::recorded_accesses says, local memory left out: by block, epoch and thread, then as the thread made them.
  std::vector<recorded_access> recorded;
  /// With options::request_examples, local memory left out: sorted as `accesses` is.
  std::vector<example_place> examples;
  std::optional<block_trace> trace;      ///< with options::traced_block
  std::optional<element_sample> sample;  ///< with options::sampled_accesses, of the first launch
  occupancy fits;                        ///< on the virtual GPU; registers count where they are known
  bool completed = true;                 ///< false when a fault or the watchdog stopped it
};

/// What an operation of the timeline keeps busy. In the order of the timeline's rows.
enum class timed_operation_kind : std::uint8_t { to_device, kernel, to_host };
inline constexpr std::size_t timed_operation_kinds = 3;

/// What is known of a copy between host and device beside its size.
struct timed_copy {
  site code_offset = 0;  ///< of the call, of which `where` is the line
  source_line where;
  copied_range on_host, on_device;
  bool is_page_locked = false;  ///< the host's memory
};

/// A copy or a launch, and when it would run by the model of runtime/timeline.h, in nanoseconds.
struct timed_operation {
  timed_operation_kind kind{};
  std::string what;     ///< the kernel; empty for a copy
  unsigned stream = 0;  ///< 0: the default stream; others in the order in which they were created
  std::uint64_t bytes = 0;
  bool is_prefetch = false;
  timed_copy copy{};
  double issued = 0;  ///< when the host had made the call
  double begin = 0, end = 0;
};

/// What the host side did.
struct host_report : host_counters {
  std::vector<device_copies> copies_on_device;
  std::vector<timed_operation> timeline;  ///< in the order of the calls
  std::uint64_t fallible_calls = 0;       ///< calls that options::fail_api_call counts
  int injected_error = 0;                 ///< the CUDA error that such a call was made to return; 0: none was
  std::string injected_call;              ///< "cudaMalloc", or "the launch of scale"
  source_line injected_at;
};

struct report {
  std::string gpu;  ///< name of the virtual GPU
  std::vector<launch_report> launches;
  /// Sorted by (severity descending, first line, rule); a barrier that not all threads reach comes before its kernel's races.
  std::vector<finding> findings;
  host_report host;
  /// Where the files that lines name lay when they were compiled, by those names: as the debug information says it, which
  /// is absolute unless an option such as -ffile-prefix-map made it relative. Two files of one name have both paths.
  std::map<std::string, std::set<std::string>> source_files;
};

/// How the program ended whose report it is.
struct program_end {
  std::string program;  ///< the path by which it was started
  bool ended = true;    ///< false: a fault or a signal ended it
};

}  // namespace simtlab::emulator
