// The counters of counters.def as structs, with their addition, and as tables for whoever writes or reads them by name. The harness
// carries them on in the same structs (protocol/measurement.h): nothing here but the standard library.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace simtlab::emulator {

/// How two values of a counter become one.
enum class addition : std::uint8_t { sum, maximum };
/// Which requests count: those of one memory space, of all, atomic ones alone; `none`: it is no counter of requests.
enum class counted_memory : std::uint8_t { any, global, shared, constant, local, atomic, none };
/// Whether a GPU must come to the same number, or the emulator follows a model of what decides there (docs/counters.md).
enum class exactness : std::uint8_t { exact, model };

/// How far a counter may be believed, in the word that every document says of it.
constexpr const char* fidelity_name(exactness e) { return e == exactness::exact ? "exact" : "model"; }

template <addition adds>
constexpr std::uint64_t combined(std::uint64_t a, std::uint64_t b) {
  return adds == addition::sum ? a + b : std::max(a, b);
}
/// The counter of `times` equal requests, at least one.
template <addition adds>
constexpr std::uint64_t repeated(std::uint64_t value, std::uint64_t times) {
  return adds == addition::sum ? value * times : value;
}

/// Of warp requests. Derived figures (request_figures.h): sector efficiency = ideal_sectors / sectors, wavefronts over the
/// minimum = wavefronts / ideal_wavefronts, active lanes = lanes / requests.
struct request_counters {
#define SIMTLAB_REQUEST_COUNTER(name, unit, addition, memory, exactness, meaning) std::uint64_t name = 0;
#include "counters.def"

  constexpr request_counters& operator+=(const request_counters& other) {
#define SIMTLAB_REQUEST_COUNTER(name, unit, adds, memory, exactness, meaning) \
  name = combined<addition::adds>(name, other.name);
#include "counters.def"
    return *this;
  }
  /// The sum of `n` equal ones, at least one.
  [[nodiscard]] constexpr request_counters times(std::uint64_t n) const {
    request_counters made;
#define SIMTLAB_REQUEST_COUNTER(name, unit, adds, memory, exactness, meaning) \
  made.name = repeated<addition::adds>(name, n);
#include "counters.def"
    return made;
  }
  friend bool operator==(const request_counters&, const request_counters&) = default;
};

/// Of a launch, beside its accesses.
struct launch_totals {
#define SIMTLAB_LAUNCH_COUNTER(name, unit, addition, memory, exactness, meaning) std::uint64_t name = 0;
#include "counters.def"

  constexpr launch_totals& operator+=(const launch_totals& other) {
#define SIMTLAB_LAUNCH_COUNTER(name, unit, adds, memory, exactness, meaning) \
  name = combined<addition::adds>(name, other.name);
#include "counters.def"
    return *this;
  }
  friend bool operator==(const launch_totals&, const launch_totals&) = default;
};

/// Of a program's host side.
struct host_counters {
#define SIMTLAB_HOST_COUNTER(name, unit, addition, memory, exactness, meaning) std::uint64_t name = 0;
#include "counters.def"
  friend bool operator==(const host_counters&, const host_counters&) = default;
};

/// One line of counters.def.
template <class Counters>
struct counter_definition {
  const char* name;  ///< also of its member in every JSON document
  const char* unit;
  addition adds;
  counted_memory memory;
  exactness exact;
  const char* meaning;
  std::uint64_t Counters::*value;
};

#define SIMTLAB_COUNTER_DEFINITION(counters, name, unit, adds, memory, exact, meaning)                            \
  counter_definition<counters>{#name,   unit,           addition::adds, counted_memory::memory, exactness::exact, \
                               meaning, &counters::name},

inline constexpr std::array request_counter_table{
#define SIMTLAB_REQUEST_COUNTER(...) SIMTLAB_COUNTER_DEFINITION(request_counters, __VA_ARGS__)
#include "counters.def"
};
inline constexpr std::array launch_counter_table{
#define SIMTLAB_LAUNCH_COUNTER(...) SIMTLAB_COUNTER_DEFINITION(launch_totals, __VA_ARGS__)
#include "counters.def"
};
inline constexpr std::array host_counter_table{
#define SIMTLAB_HOST_COUNTER(...) SIMTLAB_COUNTER_DEFINITION(host_counters, __VA_ARGS__)
#include "counters.def"
};
#undef SIMTLAB_COUNTER_DEFINITION

}  // namespace simtlab::emulator
