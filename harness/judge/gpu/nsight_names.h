// nsight_names.def as a table.
#pragma once

#include <array>

#include "protocol/measurement.h"

namespace simtlab {

struct nsight_name {
  const char *memory, *access, *counter;
  std::uint64_t access_counters::*value;
  const char* name;
};

inline constexpr auto nsight_names = std::to_array<nsight_name>({
#define SIMTLAB_NSIGHT_NAME(memory, access, counter, name) \
  {#memory, #access, #counter, &access_counters::counter, name},
#include "judge/gpu/nsight_names.def"
});

struct nsight_absence {
  const char *name, *what;
};

inline constexpr auto nsight_not_modelled = std::to_array<nsight_absence>({
#define SIMTLAB_NSIGHT_NOT_MODELLED(name, what) {name, what},
#include "judge/gpu/nsight_names.def"
});

}  // namespace simtlab
