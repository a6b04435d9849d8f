// The half of the worker that answers warp primitives: __syncwarp, shuffles, votes, match, reduce, __activemask, and the operations
// on fragments of matrices.
//
// Lanes meet when they call the same primitive with the same mask. They go on when every lane named in the mask has
// come, lanes that have returned from the kernel not counted (CUDA C++ Programming Guide, "Warp Shuffle Functions":
// all non-exited threads named in mask must execute the same intrinsic with the same mask). __activemask has no mask:
// it answers with the lanes that reach the same call when the warp can do nothing else.
#include <array>
#include <bit>

#include "scheduler/worker.h"

namespace simtlab::emulator {
namespace {

constexpr std::uint64_t undefined_value = ~std::uint64_t{0};  // what a lane that does not take part gives: a NaN

unsigned source_lane(const primitive_call& c, unsigned lane) {
  const unsigned width = c.width == 0 || c.width > warp_size ? warp_size : c.width;
  const unsigned first = lane & ~(width - 1), last = first + width - 1;
  switch (c.kind) {
    case 0:
      return first + (c.source & (width - 1));
    case 1:
      return c.source > lane - first ? lane : lane - c.source;
    case 2:
      return c.source > last - lane ? lane : lane + c.source;
    default: {
      const unsigned other = lane ^ c.source;
      return other > last ? lane : other;
    }
  }
}

std::uint32_t reduced(unsigned kind, std::uint32_t a, std::uint32_t b) {
  const auto sa = static_cast<std::int32_t>(a), sb = static_cast<std::int32_t>(b);
  switch (kind) {
    case 0:
      return a + b;
    case 1:
      return a < b ? a : b;
    case 2:
      return a > b ? a : b;
    case 3:
      return sa < sb ? a : b;
    case 4:
      return sa > sb ? a : b;
    case 5:
      return a & b;
    case 6:
      return a | b;
    default:
      return a ^ b;
  }
}

constexpr warp_operation operation_of(primitive p) {
  switch (p) {
    case primitive::shuffle:
      return warp_operation::shuffle;
    case primitive::vote:
      return warp_operation::vote;
    case primitive::match:
      return warp_operation::match;
    case primitive::reduce:
      return warp_operation::reduce;
    default:
      return warp_operation::syncwarp;
  }
}

}  // namespace

bool worker::release_primitives(std::uint32_t warp) {
  const unsigned lanes = lanes_in(warp);
  const lane_mask present = lanes == warp_size ? full_warp : (lane_mask{1} << lanes) - 1;
  lane_states& states = states_[warp];
  const lane_mask waiting = states.in(lane_state::at_primitive), exited = states.in(lane_state::exited);
  if (waiting == 0) return false;
  bool released = false;
  lane_mask asking = 0;  // lanes at __activemask
  for (lane_mask left = waiting; left != 0;) {
    const primitive_call& first = lane_of(warp, static_cast<unsigned>(std::countr_zero(left))).call;
    lane_mask group = 0;
    for (lane_mask m = left; m != 0; m &= m - 1) {
      const auto i = static_cast<unsigned>(std::countr_zero(m));
      const primitive_call& c = lane_of(warp, i).call;
      if (c.what == first.what && c.kind == first.kind && c.mask == first.mask && c.work == first.work)
        group |= lane_mask{1} << i;
    }
    left &= ~group;
    if (first.what == primitive::activemask) {
      asking = group;
      continue;
    }
    const lane_mask named = first.mask & present;
    if (((group | exited) & named) != named) continue;
    if (first.what == primitive::together)
      work_together(warp, group);
    else
      answer(warp, group, exited, present);
    released = true;
  }
  if (released || asking == 0) return released;
  lane* first = &lane_of(warp, static_cast<unsigned>(std::countr_zero(asking)));
  for (lane_mask m = asking; m != 0; m &= m - 1) {
    lane& l = lane_of(warp, static_cast<unsigned>(std::countr_zero(m)));
    if (l.where < first->where) first = &l;
  }
  lane_mask together = 0;
  for (lane_mask m = asking; m != 0; m &= m - 1) {
    const auto i = static_cast<unsigned>(std::countr_zero(m));
    if (lane_of(warp, i).where == first->where) together |= lane_mask{1} << i;
  }
  for (lane_mask m = together; m != 0; m &= m - 1) {
    lane_of(warp, static_cast<unsigned>(std::countr_zero(m))).call.result = together;
  }
  states.make_ready(lane_state::at_primitive, together);
  return true;
}

void worker::work_together(std::uint32_t warp, lane_mask group) {
  std::array<void*, warp_size> values{};
  for (lane_mask m = group; m != 0; m &= m - 1) {
    const auto i = static_cast<unsigned>(std::countr_zero(m));
    primitive_call& c = lane_of(warp, i).call;
    values[i] = reinterpret_cast<void*>(c.value);
    c.result = group;
  }
  const lane& leader = lane_of(warp, static_cast<unsigned>(std::countr_zero(group)));
  if (group == full_warp && leader.call.work != nullptr) leader.call.work(values.data());
  states_[warp].make_ready(lane_state::at_primitive, group);
}

void worker::answer(std::uint32_t warp, lane_mask group, lane_mask exited, lane_mask present) {
  const lane& leader = lane_of(warp, static_cast<unsigned>(std::countr_zero(group)));
  warp_primitive_event event{.where = leader.where,
                             .operation = operation_of(leader.call.what),
                             .warp = warp,
                             .mask = leader.call.mask & present,
                             .of_group = leader.call.of_group,
                             .arrived = group,
                             .exited = exited,
                             .source = {}};
  lane_mask ballot = 0;
  std::uint32_t sum = 0;
  for (lane_mask m = group; m != 0; m &= m - 1) {
    const auto i = static_cast<unsigned>(std::countr_zero(m));
    const primitive_call& c = lane_of(warp, i).call;
    if (c.value != 0) ballot |= lane_mask{1} << i;
    const auto value = static_cast<std::uint32_t>(c.value);
    sum = &c == &leader.call ? value : reduced(c.kind, sum, value);
  }
  for (lane_mask m = group; m != 0; m &= m - 1) {
    const auto i = static_cast<unsigned>(std::countr_zero(m));
    primitive_call& c = lane_of(warp, i).call;
    switch (c.what) {
      case primitive::shuffle: {
        const unsigned source = source_lane(c, i);
        event.source[i] = static_cast<std::uint8_t>(source);
        c.result = (group >> source & 1) != 0 ? lane_of(warp, source).call.value : undefined_value;
        break;
      }
      case primitive::vote:
        c.result = c.kind == 0 ? ballot : c.kind == 1 ? ballot == group : ballot != 0;
        break;
      case primitive::match: {
        lane_mask equal = 0;
        for (lane_mask o = group; o != 0; o &= o - 1) {
          const auto j = static_cast<unsigned>(std::countr_zero(o));
          if (lane_of(warp, j).call.value == c.value) equal |= lane_mask{1} << j;
        }
        c.all_equal = equal == group;
        c.result = c.kind == 0 ? equal : c.all_equal ? group : 0;
        break;
      }
      case primitive::reduce:
        c.result = sum;
        break;
      default:
        break;
    }
  }
  states_[warp].make_ready(lane_state::at_primitive, group);
  for (observer* o : emitter_.observers()) o->warp_primitive(event);
}

}  // namespace simtlab::emulator
