#include "scheduler/block_scheduler.h"

#include <algorithm>
#include <fstream>
#include <new>
#include <thread>

#include "scheduler/interruption.h"
#include "scheduler/schedule.h"
#include "scheduler/worker.h"

namespace simtlab::emulator {

block_scheduler::block_scheduler(running_launch& launch, worker& first, const std::vector<observer*>& observers)
    : launch_(launch), free_{&first} {
  first.prepare(launch, observers, progress_);
}

std::size_t block_scheduler::threads_at_a_time() {
  constexpr std::size_t of_the_program = 4096;
  std::size_t mappings = 0;
  if (std::ifstream limit("/proc/sys/vm/max_map_count"); !(limit >> mappings)) mappings = 0;
  return std::max(most_waiting_threads - of_the_program, mappings / 2 - std::min(mappings / 2, of_the_program));
}

bool block_scheduler::take_next(std::uint64_t& index) {
  const std::uint64_t blocks = launch_.info.grid.count();
  const std::uint64_t turn = launch_.order_of_blocks.take();
  any_left_ = turn < blocks;
  if (any_left_) index = place_of_turn(launch_.order_of_turns, turn, blocks, 0);
  return any_left_;
}

worker* block_scheduler::free_worker() {
  if (!free_.empty()) {
    worker* w = free_.back();
    free_.pop_back();
    return w;
  }
  const std::size_t threads = launch_.info.block.count();
  const bool is_full = waiting_.size() >= most_waiting_blocks || (waiting_.size() + 1) * threads > most_waiting_threads;
  if (is_full && !launch_.cooperative) return nullptr;
  try {
    const auto [spare, observers] = launch_.spare();
    spare->prepare(launch_, *observers, progress_);
    return spare;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

bool block_scheduler::start_next() {
  if (!any_left_) return false;
  worker* w = free_worker();
  if (w == nullptr) return false;
  for (std::uint64_t index = 0; !launch_.is_stopped() && take_next(index);) {
    w->begin_block(index);
    if (!w->run_on()) {
      w->park_block();
      waiting_.push_back(w);
      launch_.order_of_blocks.leave();
      return true;
    }
    note_standing(*w);
    w->end_block();
    if (!waiting_.empty()) break;  // what others wait for may have happened
  }
  launch_.order_of_blocks.leave();
  free_.push_back(w);
  return any_left_ || !waiting_.empty();
}

void block_scheduler::rest(bool resting) {
  if (resting == resting_) return;
  resting_ = resting;
  launch_.resting.fetch_add(resting ? 1 : -1);
}

void block_scheduler::run() {
  const std::uint64_t patience = std::min(looks_without_advance, launch_.events_per_thread / 2);
  std::uint64_t rounds = 0;
  progress at_change, at_advance;
  while (!launch_.is_stopped()) {
    const progress before = progress_;
    std::erase_if(waiting_, [this](worker* w) {
      if (launch_.is_stopped()) return false;
      if (w->waits_for_grid()) {
        ++progress_.looks;
        return false;
      }
      w->resume_block();
      const bool has_ended = w->run_on();
      if (has_ended) {
        note_standing(*w);
        w->end_block();
        free_.push_back(w);
      } else {
        w->park_block();
      }
      return has_ended;
    });
    const bool started = !launch_.is_stopped() && start_next();
    if (waiting_.empty() && !any_left_) break;
    const bool advanced = started || progress_.advances != before.advances;
    if (advanced) at_advance = progress_;
    if (advanced || progress_.changes != before.changes) {
      at_change = progress_;
      rounds = 0;
      rest(false);
    } else {
      rest(true);
    }
    if (++rounds < fewest_rounds && progress_.looks - at_advance.looks < patience) continue;
    if (launch_.resting == launch_.threads && progress_.looks - at_change.looks > looks_without_change) {
      report(rule::deadlock);
    } else if (progress_.looks - at_advance.looks > patience) {
      report(rule::livelock);
    }
    if (launch_.threads > 1) std::this_thread::yield();
  }
  rest(true);
  for (const worker* w : waiting_) note_standing(*w);
  if (!standing_.empty()) report_interruption();
  for (worker* w : waiting_) w->end_block();
  worker::leave_thread();
}

void block_scheduler::note_standing(const worker& w) {
  constexpr std::size_t enough = 16;  // for people to read
  if (launch_.is_interrupted() && standing_.size() < enough) w.describe_standing(standing_);
}

void block_scheduler::report_interruption() {
  const auto first =
      std::find_if(standing_.begin(), standing_.end(), [](const standing_warps& s) { return s.place.where != 0; });
  raw_place place = first == standing_.end() ? raw_place{} : first->place;
  place.action = first == standing_.end() ? "" : first->how;
  if (!launch_.findings->first_time(rule::interrupted, place.where, 0, 0)) return;
  std::string message = std::string(interruption_in_words(interruption())) +
                        " ended the program while this kernel ran. " + standing_text(standing_, launch_.line_of);
  if (std::any_of(standing_.begin(), standing_.end(), [](const standing_warps& s) { return !s.loop.empty(); }))
    message += " Does the loop's condition ever become false, and does its counter change?";
  launch_.findings->add({rule::interrupted, launch_.info.kernel, "", std::move(place), {}, std::move(message)}, 0);
}

namespace {

std::string grid_begins(std::uint64_t threads) {
  return "The grid can never go on: " + std::to_string(threads) +
         " threads wait at the grid's barrier for blocks that ";
}

}  // namespace

std::string grid_deadlock_text(std::uint64_t threads, const std::string& what_others_do) {
  return grid_begins(threads) + what_others_do +
         ". Every thread of every block must come to the same grid.sync(): move it out of the branch, and let blocks "
         "that have nothing to do skip the work, not the barrier.";
}

void block_scheduler::report_grid(const waiting_threads& first, std::uint64_t threads, const waiting_threads* other) {
  std::string message =
      any_left_ ? grid_begins(threads) + "the emulator has no memory to begin: fewer blocks, or smaller ones, run."
                : grid_deadlock_text(
                      threads, other == nullptr ? "have returned from the kernel" : "wait elsewhere, or have returned");
  launch_.findings->add({rule::deadlock, launch_.info.kernel, "", first.place,
                         other == nullptr ? raw_place{} : other->place, std::move(message)},
                        0);
}

void block_scheduler::report(rule what) {
  std::vector<waiting_threads> all;
  std::uint64_t looking = 0, standing = 0;
  for (const worker* w : waiting_) w->describe_waiting(all);
  for (const waiting_threads& w : all) (w.looks ? looking : standing) += w.threads;
  const bool none_started = any_left_;
  launch_.stop(stop_reason::timeout);
  const auto first = std::find_if(all.begin(), all.end(), [](const waiting_threads& w) { return w.looks; });
  if (first == all.end()) return;
  const auto other = std::find_if(all.begin(), all.end(),
                                  [&](const waiting_threads& w) { return w.place.where != first->place.where; });
  const bool two = other != all.end();
  if (!launch_.findings->first_time(what, first->place.where, two ? other->place.where : 0, 0)) return;
  const auto threads = [](std::uint64_t n) { return std::to_string(n) + (n == 1 ? " thread" : " threads"); };
  if (first->at_grid) return report_grid(*first, looking, other == all.end() ? nullptr : &*other);
  std::string message =
      what == rule::deadlock
          ? "No thread can go on: " + threads(looking) + (looking == 1 ? " looks" : " look") +
                " again and again for a value that nobody is left to store"
          : threads(looking) + (looking == 1 ? " looks" : " look") +
                " again and again for a value, others change memory meanwhile, and no thread gets any further";
  if (standing > 0)
    message += ", " + threads(standing) + (standing == 1 ? " waits" : " wait") + " at a barrier or warp primitive";
  message += ", in " + std::to_string(waiting_.size()) + (waiting_.size() == 1 ? " block. " : " blocks. ");
  if (none_started) {
    message +=
        "Blocks of the grid have not begun yet: a GPU, too, runs only as many blocks at a time as it has room for, so "
        "a "
        "block must not wait for one that begins later.";
  } else if (what == rule::deadlock) {
    message +=
        "Is the value stored on every way through the kernel, by a thread that does not itself wait? Two locks must be "
        "taken in the same order by everyone, and a lock must be given back on every way out.";
  } else {
    message += "Let one of the threads that are in each other's way go first.";
  }
  launch_.findings->add(
      {what, launch_.info.kernel, "", first->place, two ? other->place : raw_place{}, std::move(message)}, 0);
}

}  // namespace simtlab::emulator
