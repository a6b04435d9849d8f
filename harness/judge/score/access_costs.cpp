#include "judge/score/access_costs.h"

#include <algorithm>

#include "core/memory_geometry.h"
#include "judge/score/number.h"
#include "judge/score/threads.h"

namespace simtlab {
namespace {

static_assert(sector == emulator::sector_bytes && wavefront == emulator::bank_count * emulator::bank_bytes);

access_counters with_full_requests(std::uint64_t bytes, std::uint64_t sectors, const char* access,
                                   const std::string& variable, const array_identity& array) {
  access_counters a;
  a.space = "global";
  a.access = access;
  a.variable = variable;
  a.array = array;
  a.bytes = bytes;
  a.sectors = sectors;
  a.ideal_sectors = (bytes + emulator::sector_bytes - 1) / emulator::sector_bytes;
  return a;
}

}  // namespace

access_counters reads_of(const device_copies& c) {
  return with_full_requests(c.bytes, c.sectors_read, "read", c.from_name, c.from);
}

access_counters stores_of(const device_copies& c) {
  return with_full_requests(c.bytes, c.sectors_written, "write", c.to_name, c.to);
}

bool has_sectors(const access_counters& a) { return a.space == "global" || a.space == "texture"; }

double moved_bytes(const access_counters& a) {
  const double sectors = sector * number(a.sectors);
  return a.space == "texture" ? std::max(sectors, number(a.bytes)) : sectors;
}

double wasted_sectors(const access_counters& a) {
  return number(a.sectors) - number(std::min(a.sectors, a.ideal_sectors));
}

double wasted_passes(const access_counters& a) {
  if (a.space != "constant") return wasted_sectors(a);
  return number(a.distinct_words) - number(std::min(a.distinct_words, a.requests));
}

double sectors_asked_for(const access_counters& a) {
  return std::max(number(a.sectors) - wasted_sectors(a), number(a.bytes) / sector);
}

double working_lanes(const access_counters& a) {
  const double lanes = number(a.lanes);
  if (a.space != "global" || a.access != "write" || a.width == 0) return lanes;
  return std::min(lanes, sector * number(a.ideal_sectors) / number(a.width));
}

double idle_lanes(const access_counters& a) { return std::max(0.0, warp * number(a.requests) - working_lanes(a)); }

double waiting_lanes(const access_counters& a) {
  const double turns = warp * number(a.same_address_lanes) - number(a.lanes);
  return std::max(idle_lanes(a), a.access == "atomic" ? turns : 0);
}

}  // namespace simtlab
