// What one request costs on average, the same for every reader of counters: the terminal, pages (by the facts) and simtcc. Which
// figure belongs to which memory is decided here alone:
//   - sectors, and the lines of 128 bytes that older lectures count, are of global memory;
//   - wavefronts are of shared memory, and of constant memory one for each different word, because words are served one after the
//     other;
//   - local memory has no figures in a table of lines: whether a variable lies there or in a register is the compiler's choice.
#pragma once

#include <cstdint>
#include <optional>

#include "counters.h"
#include "memory_geometry.h"
#include "types.h"

namespace simtlab::emulator {

/// Whether accesses of this memory stand in tables of source lines.
constexpr bool is_shown_by_line(memory_space space) { return space != memory_space::local; }

/// Sums over requests to any memory, and the averages of them.
struct request_figures {
  std::uint64_t requests = 0, lanes = 0;
  std::uint64_t sector_requests = 0, sectors = 0, ideal_sectors = 0, lines = 0, global_bytes = 0;
  std::uint64_t wavefront_requests = 0, wavefronts = 0, ideal_wavefronts = 0;

  constexpr request_figures& operator+=(const request_figures& other) {
    requests += other.requests;
    lanes += other.lanes;
    sector_requests += other.sector_requests;
    sectors += other.sectors;
    ideal_sectors += other.ideal_sectors;
    lines += other.lines;
    global_bytes += other.global_bytes;
    wavefront_requests += other.wavefront_requests;
    wavefronts += other.wavefronts;
    ideal_wavefronts += other.ideal_wavefronts;
    return *this;
  }

  /// Sectors and wavefronts together: the fewest that would do, and what there are beyond.
  [[nodiscard]] constexpr std::uint64_t fewest() const { return ideal_sectors + ideal_wavefronts; }
  [[nodiscard]] constexpr std::uint64_t excess() const {
    return beyond(sectors, ideal_sectors) + beyond(wavefronts, ideal_wavefronts);
  }

  /// Nothing where no request has such a cost.
  [[nodiscard]] std::optional<double> lanes_per_request() const { return average(lanes, requests); }
  [[nodiscard]] std::optional<double> sectors_per_request() const { return average(sectors, sector_requests); }
  [[nodiscard]] std::optional<double> ideal_sectors_per_request() const {
    return average(ideal_sectors, sector_requests);
  }
  /// Nothing on a GPU, too, whose counters know no lines.
  [[nodiscard]] std::optional<double> lines_per_request() const {
    return lines == 0 ? std::nullopt : average(lines, sector_requests);
  }
  /// Bytes that the lanes ask for, over the bytes of the sectors: nvprof's `gld_efficiency` (of loads) and `gst_efficiency`
  /// (of stores), as a fraction. Above 1 where lanes share bytes.
  [[nodiscard]] std::optional<double> efficiency() const { return average(global_bytes, sectors * sector_bytes); }
  /// The same over the bytes of the lines, as lectures of the first GPUs count.
  [[nodiscard]] std::optional<double> line_efficiency() const { return average(global_bytes, lines * line_bytes); }
  [[nodiscard]] std::optional<double> wavefronts_per_request() const { return average(wavefronts, wavefront_requests); }
  [[nodiscard]] std::optional<double> ideal_wavefronts_per_request() const {
    return average(ideal_wavefronts, wavefront_requests);
  }

 private:
  static constexpr std::uint64_t beyond(std::uint64_t all, std::uint64_t fewest) {
    return all > fewest ? all - fewest : 0;  // a GPU's counters are rounded
  }
  static std::optional<double> average(std::uint64_t sum, std::uint64_t of) {
    if (of == 0) return std::nullopt;
    return static_cast<double>(sum) / static_cast<double>(of);
  }
};

constexpr request_figures figures_of(memory_space space, const request_counters& c) {
  request_figures f;
  f.requests = c.requests;
  f.lanes = c.lanes;
  if (space == memory_space::global) {
    f.sector_requests = c.requests;
    f.sectors = c.sectors;
    f.ideal_sectors = c.ideal_sectors;
    f.lines = c.lines;
    f.global_bytes = c.bytes;
  } else if (space == memory_space::shared) {
    f.wavefront_requests = c.requests;
    f.wavefronts = c.wavefronts;
    f.ideal_wavefronts = c.ideal_wavefronts;
  } else if (space == memory_space::constant) {
    f.wavefront_requests = f.ideal_wavefronts = c.requests;
    f.wavefronts = c.distinct_words;
  }
  return f;
}

}  // namespace simtlab::emulator
