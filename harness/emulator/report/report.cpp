#include "report/report.h"

#include <algorithm>
#include <array>

namespace simtlab::emulator {
namespace {

struct rule_words {
  const char* name;
  severity level;
};

// In the order of the enumeration.
constexpr std::array<rule_words, rule_count> rules{{
    {"shared-race", severity::error},
    {"global-race", severity::error},
    {"same-value-race", severity::warning},  // benign on the hardware at hand, undefined by the language
    {"first-guess-race", severity::note},    // the swap verifies what was read
    {"out-of-bounds", severity::error},
    {"use-after-free", severity::error},
    {"misaligned", severity::error},
    {"uninitialised-global", severity::error},
    {"uninitialised-shared", severity::error},
    {"divergent-barrier", severity::error},
    {"exited-before-barrier", severity::error},
    {"deadlock", severity::error},
    {"livelock", severity::error},
    {"warp-deadlock", severity::error},
    {"inactive-lane", severity::error},
    {"mask-without-caller", severity::error},
    {"host-access-to-device", severity::error},
    {"device-access-to-host", severity::error},
    {"invalid-address", severity::error},
    {"stack-overflow", severity::error},
    {"endless-loop", severity::error},
    {"interrupted", severity::error},
    {"failed-assertion", severity::error},
    {"leak", severity::warning},  // the answer is right all the same; labs about memory raise it
    {"invalid-free", severity::error},
    {"unchecked-error", severity::error},
    {"foreign-local-memory", severity::error},
    {"foreign-memory", severity::error},
    {"stale-texel", severity::error},
    {"texture-mismatch", severity::error},
    {"division-by-zero", severity::warning},  // where the value is used, the result is wrong all the same
    {"texture-range", severity::warning},     // current hardware returns 0; the guide does not promise it
    {"unsupported", severity::error},
    {"incomplete-check", severity::note},
}};

}  // namespace

const char* rule_name(rule r) { return rules[static_cast<std::size_t>(r)].name; }
severity default_severity(rule r) { return rules[static_cast<std::size_t>(r)].level; }

const char* severity_name(severity s) {
  switch (s) {
    case severity::note:
      return "note";
    case severity::warning:
      return "warning";
    case severity::error:
      return "error";
  }
  return "error";
}

request_counters& request_counters::operator+=(const request_counters& other) {
  requests += other.requests;
  lanes += other.lanes;
  bytes += other.bytes;
  sectors += other.sectors;
  minimum_sectors += other.minimum_sectors;
  lines += other.lines;
  wavefronts += other.wavefronts;
  minimum_wavefronts += other.minimum_wavefronts;
  distinct_words += other.distinct_words;
  same_address_lanes += other.same_address_lanes;
  largest_wavefronts = std::max(largest_wavefronts, other.largest_wavefronts);
  return *this;
}

}  // namespace simtlab::emulator
