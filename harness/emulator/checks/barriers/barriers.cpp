#include "checks/barriers/barriers.h"

#include <array>
#include <bit>
#include <cstdio>

namespace simtlab::emulator {
namespace {

std::string threads_text(std::uint32_t n) { return std::to_string(n) + (n == 1 ? " thread" : " threads"); }
const char* waits(std::uint32_t n) { return n == 1 ? " waits" : " wait"; }

constexpr const char* barrier_advice =
    " Every thread of the block must reach the same __syncthreads(): move it out of the branch, and let threads that "
    "have "
    "nothing to do skip the work, not the barrier.";

const char* name(warp_operation o) {
  switch (o) {
    case warp_operation::syncwarp:
      return "__syncwarp";
    case warp_operation::shuffle:
      return "shuffle";
    case warp_operation::vote:
      return "vote";
    case warp_operation::match:
      return "match";
    case warp_operation::reduce:
      return "reduction";
  }
  return "primitive";
}

std::string hexadecimal(lane_mask mask) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "0x%08x", mask);
  return text.data();
}

}  // namespace

raw_place barriers::place(site where, std::uint32_t thread, std::string action) const {
  return {where, true, coordinates_of(thread, block_.launch->block), block_.where, std::move(action)};
}

void barriers::report(raw_finding found, std::uint32_t thread) {
  const sighting rank{block_.launch->ordinal, block_.index, thread};
  if (!findings_.first_time(found.what, found.first.where, found.second.where, 0, rank)) return;
  found.kernel = block_.launch->kernel;
  findings_.add(std::move(found), 0, rank);
}

void barriers::tell_left(bool more_follows) {
  if (!left_) return;
  left l = std::move(*left_);
  left_.reset();
  if (!more_follows) {  // they did not leave early: they went around the barrier, and nothing was left to do
    l.found.what = rule::divergent_barrier;
    l.found.second = {};
    l.found.message =
        "Only some threads of the block come to this barrier; " + threads_text(l.exited) +
        (l.exited == 1 ? " goes" : " go") +
        " around it and to the end of the kernel. A barrier inside a branch must be reached by all threads "
        "of the block or by none." +
        barrier_advice;
  }
  report(std::move(l.found), l.thread);
}

void barriers::barrier(const barrier_event& e) {
  tell_left(true);
  if (e.arrivals.empty() || split_) return;
  const barrier_arrival& first = e.arrivals.front();
  if (e.arrivals.size() > 1) {
    split_ = true;
    const barrier_arrival& second = e.arrivals[1];
    std::string message = "The block has split: " + threads_text(first.threads) + waits(first.threads) + " here, " +
                          threads_text(second.threads) + waits(second.threads) + " at the other barrier";
    if (e.exited > 0) message += ", " + threads_text(e.exited) + " returned";
    report({rule::divergent_barrier, "", "", place(first.where, first.first_thread, "waits at this barrier"),
            place(second.where, second.first_thread, "waits at another barrier"),
            message + ", of " + std::to_string(e.threads) + "." + barrier_advice},
           first.first_thread);
    return;
  }
  if (e.exited > 0) {
    raw_place gone = place(0, e.first_exited, "has returned from the kernel");
    left_ = left{
        {rule::exited_before_barrier, "", "", place(first.where, first.first_thread, "waits at this barrier"),
         std::move(gone),
         threads_text(first.threads) + " of " + std::to_string(e.threads) + " came to this barrier; " +
             threads_text(e.exited) +
             " had returned from the kernel before. A GPU goes on without them, and without their part of the work "
             "(since Volta a barrier waits for every thread that has not returned, before that it counted warps). "
             "Every thread of the block must reach the same __syncthreads(): remove the early return, or take the "
             "barrier "
             "out of the if that they went around; an if around the loads and the store alone keeps threads without an "
             "element from working."},
        first.first_thread,
        e.exited};
  } else if (first.threads < e.threads) {
    report({rule::divergent_barrier,
            "",
            "",
            place(first.where, first.first_thread, "waits at this barrier"),
            {},
            threads_text(first.threads) + " of " + std::to_string(e.threads) + " came to this barrier; " +
                threads_text(e.threads - first.threads) + " stopped elsewhere." + barrier_advice},
           first.first_thread);
  }
}

void barriers::warp_primitive(const warp_primitive_event& e) {
  tell_left(true);
  const auto thread_of = [&e](unsigned lane) { return e.warp * warp_size + lane; };
  if (const lane_mask outside = e.arrived & ~e.mask; outside != 0) {
    const std::uint32_t thread = thread_of(static_cast<unsigned>(std::countr_zero(outside)));
    report(
        {rule::mask_without_caller,
         "",
         "",
         place(e.where, thread, std::string("calls a ") + name(e.operation)),
         {},
         e.of_group ? "This call is of a group that lane " + std::to_string(thread % warp_size) +
                          " is no part of, although it makes the call: a group object belongs to the threads that made "
                          "it, so copy none to other threads."
                    : "The mask of this call is " + hexadecimal(e.mask) + ", which does not name lane " +
                          std::to_string(thread % warp_size) +
                          ", although it makes the call: the language forbids that. The mask of a whole warp is "
                          "0xffffffff; where only some lanes come, name those."},
        thread);
  }
  if (e.operation != warp_operation::shuffle) return;
  for (lane_mask rest = e.arrived; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const unsigned source = e.source[lane];
    if (source >= warp_size || (e.arrived >> source & 1) != 0) continue;
    const std::uint32_t thread = thread_of(lane);
    const bool gone = (e.exited >> source & 1) != 0;
    report({rule::inactive_lane,
            "",
            "",
            place(e.where, thread, "reads from lane " + std::to_string(source)),
            {},
            "Lane " + std::to_string(lane) + " takes the value of lane " + std::to_string(source) + ", which " +
                (gone ? "has returned from the kernel or gone around this call to its end"
                      : "does not take part in this shuffle") +
                ": the value is undefined. " +
                (e.of_group ? "All threads of the tile or group must make the call, so keep it outside of branches and "
                              "give threads without work a neutral value."
                            : "All lanes that are read from must make the call, so keep the shuffle outside of "
                              "branches and give lanes without work a neutral value.")},
           thread);
    break;  // one example tells it
  }
}

}  // namespace simtlab::emulator
