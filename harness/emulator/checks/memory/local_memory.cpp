#include "checks/memory/local_memory.h"

#include "checks/region_text.h"

namespace simtlab::emulator {
namespace {

/// `thread (1,0,0)`; of another block nobody knows the thread.
std::string owner_text(const block_info& block, address at) {
  const lane_stacks& stacks = block.stacks;
  if (!stacks.contains(at)) return "a thread of another block";
  const std::uint32_t thread = stacks.thread_of(at);
  if (thread >= block.threads) return "a thread that has ended";
  const coordinates c = coordinates_of(thread, block.launch->block);
  return "thread (" + std::to_string(c.x) + "," + std::to_string(c.y) + "," + std::to_string(c.z) + ")";
}

const char* what_a_gpu_does(access kind) {
  switch (kind) {
    case access::read:
      return "would go on with what its own local memory holds there";
    case access::write:
      return "would overwrite its own local memory there";
    case access::atomic:
      return "would change its own local memory there";
  }
  return "";
}

}  // namespace

void local_memory::look_closer(const warp_request& r, unsigned lane) {
  const address at = r.addresses[lane];
  if (!block_->stacks.contains(at) && !is_on_lane_stack(at)) return;  // a literal or a table of the program
  const launch_info& launch = *block_->launch;
  const sighting rank{launch.ordinal, block_->index, r.thread(lane)};
  if (!findings_.first_time(rule::foreign_local_memory, r.where, 0, 0, rank)) return;
  const std::string owner = owner_text(*block_, at);
  raw_finding found{
      rule::foreign_local_memory,
      launch.kernel,
      "",
      {r.where, true, coordinates_of(r.thread(lane), launch.block), block_->where,
       verb(r.kind) + (" local memory of " + owner)},
      {},
      "The pointer is the address of a local variable of " + owner +
          ". Local memory is each thread's own: on a GPU the same address means another place in every "
          "thread, and this one " +
          what_a_gpu_does(r.kind) +
          ", so the kernel is stopped here. Pass the value instead of its address: by __shfl_sync in a warp, through "
          "a __shared__ array in a block, through global memory between blocks."};
  findings_.add(std::move(found), 0, rank);
}

}  // namespace simtlab::emulator
