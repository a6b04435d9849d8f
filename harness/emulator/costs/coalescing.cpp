#include "costs/coalescing.h"

#include <algorithm>

namespace simtlab::emulator {
namespace {

/// Touched bytes as ranges [first, last], ordered by first and then by last.
struct byte_ranges {
  std::array<address, warp_size> first, last;
  unsigned count = 0;
};

byte_ranges ordered_ranges(const packed_lanes& lanes, std::uint32_t width) {
  byte_ranges r;
  r.count = lanes.count;
  std::copy_n(lanes.at.begin(), lanes.count, r.first.begin());
  if (!std::is_sorted(r.first.begin(), r.first.begin() + lanes.count)) {
    std::sort(r.first.begin(), r.first.begin() + lanes.count);
  }
  for (unsigned i = 0; i < r.count; ++i) r.last[i] = r.first[i] + width - 1;
  return r;
}

/// Distinct pieces of 2^shift bytes that ordered ranges touch.
std::uint64_t pieces(const byte_ranges& r, unsigned shift) {
  std::uint64_t count = 0;
  address next = 0;  // the lowest piece that is not counted yet
  for (unsigned i = 0; i < r.count; ++i) {
    const address low = std::max(r.first[i] >> shift, next);
    const address high = (r.last[i] >> shift) + 1;
    if (high > low) {
      count += high - low;
      next = high;
    }
  }
  return count;
}

std::uint64_t atomic_sectors(const byte_ranges& r) {
  std::uint64_t total = 0, highest = 0, lanes = 0;
  for (unsigned i = 0; i < r.count; ++i) {
    if (i > 0 && r.first[i] / sector_bytes != r.first[i - 1] / sector_bytes) {
      total += highest;
      highest = 0;
    }
    lanes = i > 0 && r.first[i] == r.first[i - 1] ? lanes + 1 : 1;
    highest = std::max(highest, lanes);
  }
  return total + highest;
}

}  // namespace

void add_coalescing(const warp_request& request, const packed_lanes& lanes, request_counters& cost) {
  const byte_ranges ranges = ordered_ranges(lanes, request.width);
  const std::uint64_t distinct_bytes = pieces(ranges, 0);
  cost.ideal_sectors += (distinct_bytes + sector_bytes - 1) / sector_bytes;
  cost.lines += pieces(ranges, 7);
  cost.sectors += request.kind == access::atomic ? atomic_sectors(ranges) : pieces(ranges, 5);
}

}  // namespace simtlab::emulator
