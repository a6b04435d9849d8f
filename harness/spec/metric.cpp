#include "spec/metric.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace simtlab {
namespace {

// In the order of `quantity`; the last three members: emulator, GPU, higher is better.
constexpr std::array<metric_description, 26> descriptions{{
    {"sector_efficiency", "", "ideal sectors / sectors over the global requests to the argument", "sector efficiency",
     true, false, true},
    {"wavefronts_over_minimum", "", "wavefronts / ideal wavefronts over the shared requests", "wavefronts over minimum",
     true, false, false},
    {"requested_bytes_per_operation", "B", "lanes x width of the global requests to the argument / operations",
     "requested bytes per operation", true, false, false},
    {"moved_bytes_per_operation", "B", "32 x sectors of the global requests to the argument / operations",
     "bytes moved per operation", true, false, false},
    {"useful_share", "", "model bytes / (32 x sectors of all global requests)", "useful bytes over bytes moved", true,
     false, true},
    {"lane_loads_per_operation", "",
     "lanes of the global reads and texture fetches of the argument, or of all inputs / operations",
     "lane loads per operation", true, false, false},
    {"atomics_per_operation", "", "lanes of the global atomics on the argument / operations", "atomics per operation",
     true, false, false},
    {"atomics_per_block", "", "lanes of the global atomics on the argument / blocks of the launches that make them",
     "atomics per block", true, false, false},
    {"same_address_lanes", "lanes", "lanes at the most contended address, averaged over the atomic requests",
     "lanes per address", true, false, false},
    {"shared_wavefronts_per_warp", "",
     "shared wavefronts / warps of the launches that read the argument; an atomic counts its lanes at one address",
     "shared wavefronts per warp", true, false, false},
    {"constant_words_per_request", "words", "distinct words / requests of the constant variable",
     "constant words per request", true, false, false},
    {"constant_share", "", "lanes of the constant reads / lanes of these and of the global reads of the argument",
     "share read from constant memory", true, false, true},
    {"texture_share", "", "lanes of the texture fetches of the argument / lanes of these and of its global reads",
     "share of reads by texture fetches", true, false, true},
    {"stores_per_thread", "",
     "lanes of the global writes to the argument / threads of the working warps of the launches that write it",
     "stores per thread", true, false, true},
    {"operations_per_pass", "",
     "operations / passes of warps at memory: shared wavefronts, other requests by 4 sectors, values from other lanes",
     "operations per pass", true, false, true},
    {"active_lanes", "lanes", "lanes / requests over global and shared requests", "active lanes", true, false, true},
    {"local_bytes_per_operation", "B", "bytes of local requests with different indices in a warp / operations",
     "local bytes per operation", true, false, false},
    {"resident_warps", "warps",
     "warps that fit on a multiprocessor of the GPU at once, by block size and shared memory", "resident warps", true,
     false, true},
    {"copied_bytes_over_minimum", "", "bytes copied either way / bytes of the arguments", "copied bytes over minimum",
     true, false, false},
    {"pages_migrated_over_minimum", "", "pages of managed memory moved either way / pages that the model needs",
     "pages migrated over minimum", true, false, false},
    {"prefetched_page_share", "", "pages moved by cudaMemPrefetchAsync / pages moved", "share of pages prefetched",
     true, false, true},
    {"overlapped_copy_share", "", "bytes copied in streams beside a kernel or another copy / bytes copied in streams",
     "share of copies overlapped", true, false, true},
    {"leaked_bytes", "B", "device memory never freed", "leaked bytes", true, false, false},
    {"copy_bandwidth_fraction", "", "model bytes / median time / bandwidth of a device copy in the same run",
     "fraction of copy bandwidth", false, true, true},
    {"ratio_to_baseline", "", "baseline time / student time in the same run", "ratio to baseline", false, true, true},
    {"time_among_anchors", "", "the anchors' marks, interpolated at the student's speed in the same run",
     "time among the lab's kernels", false, true, true},
}};

}  // namespace

const metric_description& description_of(quantity q) { return descriptions.at(static_cast<std::size_t>(q)); }

double fraction_earned(double value, double full, double none) {
  if (std::isnan(value)) return 0;
  return std::clamp((value - none) / (full - none), 0.0, 1.0) + 0.0;  // never the -0 that 0 / (full - none) may be
}

}  // namespace simtlab
