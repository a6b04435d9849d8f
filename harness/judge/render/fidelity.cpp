#include "judge/render/fidelity.h"

#include <fmt/format.h>

#include <stdexcept>
#include <string>

namespace simtlab {

std::string_view fidelity_of(std::string_view request_counter) {
  for (const auto& c : emulator::request_counter_table)
    if (request_counter == c.name) return fidelity_of(c.exact);
  throw std::logic_error(fmt::format("counters.def has no counter of requests called {}", request_counter));
}

std::string_view fidelity_sentence() {
  static const std::string sentence = fmt::format(
      "requests and lanes are {}, sectors {}, wavefronts a {}; times and caches are not modelled (`make profile "
      "HTML=1` "
      "explains each figure)",
      fidelity_of("requests"), fidelity_of("sectors"), fidelity_of("wavefronts"));
  return sentence;
}

}  // namespace simtlab
