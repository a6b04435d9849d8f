#include "checks/memory/bounds.h"

#include <algorithm>

#include <bit>

#include "checks/region_text.h"
#include "report/source_map.h"

namespace simtlab::emulator {
namespace {

/// An address further than this from any allocation is not an index that ran off.
constexpr address reach = address{1} << 20;
/// No program owns memory below: a null pointer plus an index.
constexpr address smallest_address = 0x10000;

struct neighbours {
  const memory_region* below = nullptr;  ///< ends at or before the address, or overlaps the access
  const memory_region* above = nullptr;  ///< begins behind the address
};

neighbours neighbours_of(const memory_map& map, memory_space space, address a) {
  const auto below = [&](address at) { return space == memory_space::shared ? map.below_shared(at) : map.below(at); };
  neighbours n;
  n.below = below(a);
  for (const memory_region* r = below(a + reach); r != nullptr && r->begin > a; r = below(r->begin - 1)) n.above = r;
  return n;
}

std::string elements_text(const memory_region& r, std::uint32_t width) {
  if (width == 0 || r.bytes % width != 0) return std::to_string(r.bytes) + " bytes";
  const std::uint64_t count = r.bytes / width;
  return std::to_string(count) + (count == 1 ? " element of " : " elements of ") + std::to_string(width) +
         (width == 1 ? " byte" : " bytes");
}

/// Whether the array ends amid an element, or has as many bytes as the launch has elements to work on, the last block filled
/// up. Of one block that would be true of every small array.
bool counts_elements(const memory_region& region, std::uint32_t width, const launch_info& launch) {
  if (region.space == memory_space::global && width > 1 && region.bytes % width != 0) return true;
  const std::uint64_t threads = launch.grid.count() * launch.block.count();
  return region.space == memory_space::global && width > 1 && launch.grid.count() > 1 && region.bytes <= threads &&
         threads - region.bytes < launch.block.count();
}

std::string explain_outside(const warp_request& r, address at, const memory_region* region, const launch_info& launch) {
  if (region->space == memory_space::shared && region->bytes == launch.dynamic_shared_bytes && region->bytes == 0) {
    return "The kernel uses dynamic shared memory, but the launch asked for none. Give the number of bytes as the "
           "third "
           "launch parameter: kernel<<<grid, block, bytes>>>.";
  }
  const std::uint32_t width = r.source_width();
  at -= std::min<address>(at, r.offset);  // where the structure begins
  std::string text = region_name(*region) + " has " + elements_text(*region, width) + "; ";
  if (at < region->begin) {
    const std::uint64_t before = region->begin - at;
    text += "this access lies " + std::to_string(before) + " bytes before its begin";
    if (width != 0 && before % width == 0) text += ", at index -" + std::to_string(before / width);
  } else {
    const std::uint64_t index = width == 0 ? 0 : (at - region->begin) / width;
    const std::uint64_t end = at - region->begin + width;
    text += "this access, at index " + std::to_string(index) + ", ends " + std::to_string(end - region->bytes) +
            " bytes past its end";
    if (counts_elements(*region, width, launch)) {
      return text +
             ". It seems to have as many bytes as it should have elements: cudaMalloc takes bytes, so multiply the "
             "number of elements by sizeof, here by " +
             std::to_string(width) + ".";
    }
  }
  if (is_dynamic_shared(*region) && at >= region->begin)
    return text + ". The launch asked for " + std::to_string(region->bytes) +
           " bytes of dynamic shared memory, its third parameter: kernel<<<grid, block, bytes>>>. Ask there for the "
           "bytes "
           "of all arrays that lie in it, each its number of elements times sizeof.";
  if (region->space == memory_space::shared)
    return text + ". Compare the index with the array's length: a loop over a tile ends at the tile's width.";
  if (at == region->begin + region->bytes && width != 0)
    return text + ". Compare the index with the size before the access, with <: the last index is " +
           std::to_string(region->bytes / width - 1) + ".";
  return text +
         ". Compare the index with the size before the access: the threads of the last block or tile often have "
         "nothing to do.";
}

std::string explain_freed(const warp_request&, address, const memory_region* region, const launch_info&) {
  if (region->block != nullptr)
    return "This memory was given back by free or delete before. Free it after the last access, and set every pointer "
           "to "
           "it to nullptr then; what is needed of it later, such as the next element of a list, is read before.";
  if (region->of_host)
    return "This memory of the host's was freed before the kernel ran, though cudaHostRegister had been given it. Free "
           "it "
           "after the last kernel that uses it, behind cudaHostUnregister.";
  return "This memory was given back by cudaFree before the kernel ran. Free it after the last kernel that uses it.";
}

std::string explain_misaligned(const warp_request& r, address at, const memory_region* region, const launch_info&) {
  const std::string width = std::to_string(r.width);
  const address from = region == nullptr ? at : at - region->begin;
  return "An access of " + width + " bytes needs an address that is a multiple of " + width + "; this one lies " +
         std::to_string(from) + " bytes behind the begin of " +
         (region == nullptr ? std::string("its memory") : region_name(*region)) +
         ". A pointer may only be cast to a wider type where it is aligned for that type.";
}

/// The argument of the launch that is likely to have led to the address in host memory.
const named_pointer* origin_of(address at, const launch_info& launch) {
  constexpr std::uint64_t largest_array = std::uint64_t{1} << 30;
  const named_pointer* best = nullptr;
  for (const named_pointer& p : launch.host_pointers)
    if (p.value <= at && at - p.value < largest_array && (best == nullptr || best->value < p.value)) best = &p;
  return best;
}

std::string explain_host(const warp_request&, address at, const memory_region*, const launch_info& launch) {
  const named_pointer* const from = origin_of(at, launch);
  return (from == nullptr ? "The pointer belongs" : "The pointer " + from->name + " belongs") +
         std::string(
             " to host memory, which a kernel cannot reach. Allocate device memory with cudaMalloc, copy to it with "
             "cudaMemcpy, and pass that pointer to the kernel. A pointer whose cudaMalloc failed may point anywhere.");
}

/// The registered memory of the host's that an index has left, so far as to reach other memory of the host's: none where an
/// argument of the launch points there. Null: none.
const memory_region* left_registered(const memory_map& map, address at, const launch_info& launch) {
  const memory_region* const r = map.below(at);
  if (r == nullptr || !r->of_host || !r->live || at - r->begin - r->bytes >= reach) return nullptr;
  const named_pointer* const from = origin_of(at, launch);
  return from != nullptr && from->value >= r->begin ? nullptr : r;
}

/// Whether a lane was stopped for the access, which says what there is to say.
bool is_told(address at, std::uint32_t width, const launch_info& launch) {
  if (launch.last_fault == 0) return false;
  const std::int64_t upper = static_cast<std::int64_t>(at) >> 47;
  if (upper != 0 && upper != -1) return launch.last_fault == launch_info::wild_fault;
  return at <= launch.last_fault && launch.last_fault - at < std::max<std::uint32_t>(width, 1);
}

std::string explain_nowhere(const warp_request& r, address at, const memory_region*, const launch_info&) {
  if (at < smallest_address) return "The pointer is null. Was the allocation made, and did it succeed?";
  if (r.space == memory_space::shared) return "The address lies outside the block's shared memory.";
  return "The pointer belongs to no memory of the device: it was never set, or the index is far outside of its array.";
}

/// As nvcc compiles it, an atomic operation on one byte or two is one on the word around, and an array may end amid its last word.
bool is_word_at_end(const warp_request& r, const memory_region* region, address at) {
  return source_map::is_machine_site(r.where) && r.width == 4 && at % 4 == 0 && region != nullptr && region->live &&
         region->contains(at);
}

/// nvcc reads and writes shared variables that lie side by side with one instruction, up to 16 bytes of them at once.
bool joins_variables(const warp_request& r, const memory_map& map, const memory_region* region, address at) {
  if (!source_map::is_machine_site(r.where) || r.space != memory_space::shared || r.width <= 4) return false;
  const memory_region* const last = map.below_shared(at + r.width - 1);
  return region != nullptr && region->contains(at) && last != nullptr && last->contains(at + r.width - 1) &&
         !is_dynamic_shared(*last);
}

}  // namespace

void bounds::report(const warp_request& r, unsigned lane, rule what, const memory_region* region,
                    explanation* explain) {
  const variable_id id = region == nullptr ? 0 : region->id;
  const launch_info& launch = *block_->launch;
  const sighting rank{launch.ordinal, block_->index, r.thread(lane)};
  const heap_block* const block = region == nullptr ? nullptr : region->block;
  const bool names_free = what == rule::use_after_free && block != nullptr && block->freed_at != 0;
  const site second = block == nullptr ? 0 : names_free ? block->freed_at : block->allocated_at;
  if (!findings_.first_time(what, r.where, second, id, rank)) return;
  const address at = r.addresses[lane];
  const bool has_index = region != nullptr && at >= region->begin;
  const named_pointer* const from =
      what == rule::device_access_to_host ? origin_of(r.addresses[lane], launch) : nullptr;
  raw_finding found{
      what,
      launch.kernel,
      from != nullptr     ? from->name
      : region == nullptr ? ""
                          : region->name,
      {r.where, true, coordinates_of(r.thread(lane), launch.block), block_->where,
       verb(r.kind) + (has_index
                           ? " " + element_text(region, r.space, at - std::min<address>(at - region->begin, r.offset),
                                                r.source_width())
                           : "")},
      {},
      explain(r, at, region, launch)};
  if (second != 0) found.second = {second, false, {}, {}, names_free ? "freed it" : "allocated it"};
  findings_.add(std::move(found), id, rank);
}

void bounds::note_frees(const heap_frees& f) {
  for (lane_mask rest = f.active; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const address begin = f.begins[lane];
    const memory_region* const heap = map_.find(begin);
    if (heap == nullptr || heap->blocks == nullptr) continue;
    if (heap_block* const block = heap->blocks->find(begin)) block->note_free(now(f.warp * warp_size + lane));
  }
}

bool bounds::are_in_blocks(const warp_request& r, const heap_blocks& blocks) const {
  heap_moment moment = now(0);
  const heap_block* last = nullptr;
  for (lane_mask rest = r.active; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const address at = r.addresses[lane];
    if (last == nullptr || !last->contains(at, r.width)) last = blocks.find(at);
    if (last == nullptr || !last->contains(at, r.width)) return false;
    moment.thread = r.thread(lane);
    if (last->is_freed_before(moment)) return false;
  }
  return true;
}

bool bounds::is_freed(const memory_region& r, std::uint32_t thread) const {
  return !r.live || (r.block != nullptr && r.block->is_freed_before(now(thread)));
}

void bounds::report_outside(const warp_request& r, unsigned lane) {
  const address at = r.addresses[lane];
  if (const memory_region* const heap = r.space == memory_space::global ? map_.find(at) : nullptr;
      heap != nullptr && heap->blocks != nullptr) {
    const heap_block* const block = heap->blocks->nearest(at);
    return report(r, lane, rule::out_of_bounds, block == nullptr ? heap : &heap->blocks->region(*block),
                  explain_outside);
  }
  const auto [below, above] = neighbours_of(map_, r.space, at);
  const bool below_near = below != nullptr && at - below->begin < below->bytes + reach;
  const bool above_nearer =
      above != nullptr && (!below_near || above->begin - at < (at - below->begin + r.width) - below->bytes);
  const memory_region* nearest = above_nearer ? above : below_near ? below : nullptr;
  if (nearest == nullptr) return report(r, lane, rule::invalid_address, nullptr, explain_nowhere);
  report(r, lane, rule::out_of_bounds, nearest, explain_outside);
}

lane_mask bounds::check_lanes(const warp_request& r) {
  if (r.space == memory_space::local) return r.active;
  const bool needs_alignment = has_natural_alignment(r.width);
  lane_mask good = 0;
  const memory_region* last = nullptr;
  for (lane_mask rest = r.active; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const address at = r.addresses[lane];
    if (r.space == memory_space::host) {
      if (is_told(at, r.width, *block_->launch)) continue;
      if (const memory_region* left = left_registered(map_, at, *block_->launch); left != nullptr) {
        report(r, lane, rule::out_of_bounds, left, explain_outside);
        continue;
      }
      const bool null = at < smallest_address;
      report(r, lane, null ? rule::invalid_address : rule::device_access_to_host, nullptr,
             null ? explain_nowhere : explain_host);
      continue;
    }
    if (last == nullptr || !last->contains(at, r.width)) last = region_of(map_, r.space, at);
    const bool is_misaligned = needs_alignment && at % r.width != 0;  // what a GPU looks at first
    if (is_misaligned && last != nullptr && last->live) {
      report(r, lane, rule::misaligned, last, explain_misaligned);
    } else if (last == nullptr || !last->contains(at, r.width)) {
      if (joins_variables(r, map_, last, at))
        good |= lane_mask{1} << lane;
      else if (!is_word_at_end(r, last, at))
        report_outside(r, lane);
    } else if (is_freed(*last, r.thread(lane))) {
      report(r, lane, rule::use_after_free, last, explain_freed);
    } else {
      good |= lane_mask{1} << lane;
    }
  }
  return good;
}

}  // namespace simtlab::emulator
