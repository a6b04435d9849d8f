// What a criterion may measure. Each metric states its unit, its rule, and who can measure it.
//
// "Global", "shared" and "host" counters come from the emulator, deterministic and the same for everyone; time comes
// from a GPU. Counters are those of the benchmark case. A metric that its backend cannot measure leaves its criterion
// `not_measured`, and the criterion's weight goes to the others. A metric that could be measured but of which the
// program shows nothing (no access to `input`, no shared memory at all) counts as missed, with that sentence.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace simtlab {

enum class quantity : std::uint8_t {
  sector_efficiency,
  wavefronts_over_minimum,
  requested_bytes_per_operation,
  moved_bytes_per_operation,
  useful_share,
  lane_loads_per_operation,
  atomics_per_operation,
  atomics_per_block,
  same_address_lanes,
  shared_wavefronts_per_warp,
  constant_words_per_request,
  constant_share,
  texture_share,
  stores_per_thread,
  operations_per_pass,
  active_lanes,
  local_bytes_per_operation,
  resident_warps,
  copied_bytes_over_minimum,
  pages_migrated_over_minimum,
  prefetched_page_share,
  overlapped_copy_share,
  leaked_bytes,
  copy_bandwidth_fraction,
  ratio_to_baseline,
  time_among_anchors,
};

/// A quantity, of one argument or variable where it has one.
struct measurable {
  quantity what{};
  std::string_view of;  ///< argument, `__shared__` or `__constant__` variable, GPU, or baseline; empty: all of them
};

/// What a metric means, for reports and documentation.
struct metric_description {
  std::string_view name;  ///< as in facts: "sector_efficiency"
  std::string_view unit;  ///< "" for a plain ratio
  std::string_view rule;  ///< one sentence: how it is computed, from which counters
  std::string_view says;  ///< short, for a student's terminal: "sector efficiency"
  bool emulator = false;  ///< backends that can measure it
  bool gpu = false;
  bool higher_is_better = false;
};
[[nodiscard]] const metric_description& description_of(quantity);

namespace metric {

/// Global memory: fewest sectors that could hold the distinct bytes asked for, over the sectors touched; summed over the
/// requests to `argument`. 1 is ideal, 1/8 is one useful word per sector.
constexpr measurable sector_efficiency(std::string_view argument) { return {quantity::sector_efficiency, argument}; }

/// Shared memory: passes through the banks over the fewest that width and active lanes allow. 1 is free of conflicts, 32
/// a full conflict. Of all shared accesses, or of one variable: `wavefronts_over_minimum("tile")`.
struct wavefronts_over_minimum_metric {
  // NOLINTNEXTLINE(google-explicit-constructor): the shape of a criterion, {metric::wavefronts_over_minimum, …}
  constexpr operator measurable() const { return {quantity::wavefronts_over_minimum, {}}; }
  constexpr measurable operator()(std::string_view variable) const {
    return {quantity::wavefronts_over_minimum, variable};
  }
};
inline constexpr wavefronts_over_minimum_metric wavefronts_over_minimum;

/// Global memory: bytes that the source asks for in `argument` (lanes × width) per operation of the model.
constexpr measurable requested_bytes_per_operation(std::string_view argument) {
  return {quantity::requested_bytes_per_operation, argument};
}

/// Global memory: bytes of the sectors touched in `argument` (32 each) per operation of the model; of all global memory,
/// scratch of the program's own included, when `argument` is empty. What coalescing and a second pass change together.
constexpr measurable moved_bytes_per_operation(std::string_view argument = {}) {
  return {quantity::moved_bytes_per_operation, argument};
}

/// Global memory: the bytes that the model needs over those of the sectors touched (32 each), in all global memory, scratch
/// of the program's own and copies inside the device included. 1 is ideal, 1/8 is one useful word per sector; a second
/// pass and a conversion from one data layout to another cost what they move.
inline constexpr measurable useful_share{quantity::useful_share, {}};

/// Global memory and textures: reads by single threads of `argument` per operation of the model, a texture fetch being one
/// whatever its filter takes; of all inputs when `argument` is
/// empty. 1 for each operand of a naive product, 1/16 with 16-wide tiles. Blocks of more threads fetch less without
/// giving a thread more to do. So of all inputs, nothing is earned by what blocks of that many threads fetch of a
/// product's two operands with one result a thread: 2 / √threads.
constexpr measurable lane_loads_per_operation(std::string_view argument = {}) {
  return {quantity::lane_loads_per_operation, argument};
}

/// Global memory: atomic operations by single threads on `argument` per operation of the model. 0 when there are none.
constexpr measurable atomics_per_operation(std::string_view argument) {
  return {quantity::atomics_per_operation, argument};
}

/// Global memory: atomic operations by single threads on `argument` per block of the launches that make them. 0 when
/// there are none.
constexpr measurable atomics_per_block(std::string_view argument) { return {quantity::atomics_per_block, argument}; }

/// Shared memory: wavefronts per warp, in the launches that read `argument` and add up over their warps; an atomic takes
/// as many as it has lanes at one address. What a block pays to carry values from thread to thread when it does not
/// carry them by warp primitives; launches without a single shuffle, match or reduce show nothing.
constexpr measurable shared_wavefronts_per_warp(std::string_view argument) {
  return {quantity::shared_wavefronts_per_warp, argument};
}

/// Atomics on `variable` (global or shared): lanes of a warp at the most contended address, averaged over requests.
constexpr measurable same_address_lanes(std::string_view variable) { return {quantity::same_address_lanes, variable}; }

/// Constant memory: distinct words per request of `variable`. 1 is a broadcast.
constexpr measurable constant_words_per_request(std::string_view variable) {
  return {quantity::constant_words_per_request, variable};
}

/// Reads by single threads of constant memory over these and those of `argument` in global memory: 1 when nothing reads
/// `argument` where it came from, 0 when constant memory is not used.
constexpr measurable constant_share(std::string_view argument) { return {quantity::constant_share, argument}; }

/// Texture fetches by single threads of `argument` over these and loads of it: 1 when nothing reads it by a pointer, 0 when
/// nothing fetches it. One plain copy of it is free.
constexpr measurable texture_share(std::string_view argument) { return {quantity::texture_share, argument}; }

/// Global memory: elements of `argument` that a thread stores or adds to, averaged over the threads of the launches that
/// store any. Warps that make no request have no threads.
constexpr measurable stores_per_thread(std::string_view argument) { return {quantity::stores_per_thread, argument}; }

/// All memory that kernels touch: operations of the model per pass, a warp's turn of 128 bytes at memory. A shared request
/// takes its wavefronts, any other one, or one for every four sectors; a value of another lane's register takes one; an
/// array of a thread's own none. 16 for a product of tiles with one result a thread, which reads two operands for each
/// multiply-add; more where registers hold what is used again. Without an argument: work in copies counts as well.
inline constexpr measurable operations_per_pass{quantity::operations_per_pass, {}};

/// Lanes that take part in a memory request, on average: 32 is a full warp. Of global and shared requests.
inline constexpr measurable active_lanes{quantity::active_lanes, {}};

/// Local memory: bytes of requests whose lanes index a local array differently (`indexed_bytes`), per operation of the model. 0
/// when every local array can stand in registers. What threads keep in global memory instead counts, too, beyond three passes
/// over the model's bytes.
inline constexpr measurable local_bytes_per_operation{quantity::local_bytes_per_operation, {}};

/// Warps that fit on one multiprocessor of the GPU with that key (core/gpu_model.h) at once, by CUDA's rules for the launch's
/// threads and shared memory; no more than the grid has, and in proportion to the warps that make a request. The fewest of all
/// launches that touch global memory. Registers are the GPU compiler's choice: they limit where code of nvcc has run
/// (`--engine sass`), and nothing otherwise.
constexpr measurable resident_warps(std::string_view gpu) { return {quantity::resident_warps, gpu}; }

/// Host entries: bytes copied in either direction over the bytes of the arguments (inputs once, outputs once). Where the model says
/// `copied_bytes`, over these; of a program that copies fewer, the model over its bytes.
inline constexpr measurable copied_bytes_over_minimum{quantity::copied_bytes_over_minimum, {}};

/// Host entries: pages of managed memory that move, either way, over the model's `migrated_pages`. Of a program that moves fewer, what
/// is missing counts as well: the model over the pages.
inline constexpr measurable pages_migrated_over_minimum{quantity::pages_migrated_over_minimum, {}};

/// Host entries: the share of these pages that cudaMemPrefetchAsync moves, and no fault.
inline constexpr measurable prefetched_page_share{quantity::prefetched_page_share, {}};

/// Host entries: bytes that copies in the program's streams move while a kernel runs or a copy goes the other way, over the model's
/// `streamed_bytes`, or over all that such copies move if that is more.
inline constexpr measurable overlapped_copy_share{quantity::overlapped_copy_share, {}};

/// Host entries: device memory never freed, in bytes.
inline constexpr measurable leaked_bytes{quantity::leaked_bytes, {}};

/// GPU: the model's bytes over the median time, as a fraction of the bandwidth of a device-to-device copy that was
/// measured in the same run. By plain event timing.
inline constexpr measurable copy_bandwidth_fraction{quantity::copy_bandwidth_fraction, {}};

/// GPU: time of the named baseline over the student's time, measured in the same run.
constexpr measurable ratio_to_baseline(std::string_view baseline) { return {quantity::ratio_to_baseline, baseline}; }

/// GPU: where the student's speed lies among those of the criterion's anchors (anchor.h), measured in the same run: 1 at
/// the fastest anchor's, each anchor's mark at its own speed, linear in the speed in between.
inline constexpr measurable time_among_anchors{quantity::time_among_anchors, {}};

}  // namespace metric

/// Full points at this value or beyond.
struct full_at {
  constexpr explicit full_at(double v) : value(v) {}
  double value;
};
/// No points at this value or beyond in the other direction; linear in between.
struct none_at {
  constexpr explicit none_at(double v) : value(v) {}
  double value;
};
/// Share of the criterion in the lab's `fast` score, relative to the others'.
struct weight {
  constexpr explicit weight(double v) : value(v) {}
  double value;
};

/// The fraction of full points that `value` earns: 1 at or beyond `full`, 0 at or beyond `none`, linear in between.
/// Higher is better when full > none.
[[nodiscard]] double fraction_earned(double value, double full, double none);

}  // namespace simtlab
