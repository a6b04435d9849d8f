#include "costs/request_costs.h"

#include "costs/bank_conflicts.h"
#include "costs/coalescing.h"
#include "costs/constant_words.h"
#include "costs/contention.h"

namespace simtlab::emulator {

request_counters cost_of(const warp_request& request) {
  const packed_lanes lanes(request);
  request_counters cost;
  cost.requests = 1;
  cost.lanes = lanes.count;
  cost.bytes = std::uint64_t{lanes.count} * request.width;
  switch (request.space) {
    case memory_space::global:
      add_coalescing(request, lanes, cost);
      cost.generic_wavefronts = std::uint64_t{request.vain_passes} * wavefronts_of_atomic(request.atomic);
      break;
    case memory_space::shared:
      add_bank_conflicts(request, lanes, cost);
      if (request.is_copy) cost.copied_requests = cost.requests, cost.copied_wavefronts = cost.wavefronts;
      break;
    case memory_space::constant:
      add_constant_words(request, lanes, cost);
      break;
    case memory_space::texture:
      add_coalescing(request, packed_lanes(request, request.texels), cost);
      break;
    case memory_space::local:
      if (request.is_indexed) cost.indexed_bytes = cost.bytes;
      break;
    case memory_space::host:
    case memory_space::unmapped:
      break;  // counted as requests only: no rule of the memory system applies
  }
  if (request.kind == access::atomic) add_contention(lanes, cost);
  return cost;
}

}  // namespace simtlab::emulator
