#include "scheduler/worker.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "scheduler/device_coordinates.h"
#include "scheduler/other_threads.h"
#include "scheduler/schedule.h"
#include "trace/hook_state.h"
#include "trace/parameters.h"
#include "trace/text_base.h"

namespace simtlab::emulator {

__thread worker* current_worker;

void check_store(address where, std::uint32_t width) { current_worker->check_store(where, width); }
void suspend_full_lane() {
  const address kept = caller_frame;
  current_worker->suspend(lane_state::log_full);
  caller_frame = kept;
}

void refuse_host_function(const char* function, const void* return_address) {
  current_worker->end_lane(
      rule::unsupported, site_at(return_address),
      std::string("The kernel calls ") + function +
          "(), a function of the host. nvcc refuses it in device code: use what CUDA has for "
          "kernels (malloc, free, memcpy, memset, printf, the mathematical functions), or write it.",
      stop_reason::unsupported);
}

void refuse_call(std::string message, const void* return_address) {
  current_worker->end_lane(rule::invalid_address, site_at(return_address), std::move(message),
                           stop_reason::illegal_address);
}

bool is_on_own_stack(const void* where) { return current_worker->is_own_local(where); }

address counted_parameter(const void* where, std::size_t bytes) {
  if (the_parameters.wide.empty()) return 0;
  worker& w = *current_worker;
  return w.parameters().counted(reinterpret_cast<address>(where), bytes, w.running().frame);
}

void volatile_access(const void* where, std::uint32_t width, bool is_write, const void* return_address) {
  worker& w = *current_worker;
  const site from = site_at(return_address);
  if (w.is_local(where)) return;
  if (w.launch().volatiles != nullptr) w.launch().volatiles->mark(from);
  std::uint64_t value = 0;
  attributed_site = from;
  std::memcpy(&value, where, std::min<std::size_t>(width, sizeof value));
  attributed_site = 0;
  if (is_write)
    w.change(from, where, width);
  else
    w.poll(from, where, width, value);
  w.synchronise(where, {.reads = !is_write, .writes = is_write, .replaces = is_write, .is_volatile = true},
                is_write ? nullptr : return_address);
}

void volatile_store_begins(const void* where, const void* return_address) {
  worker& w = *current_worker;
  if (!w.is_local(where)) w.store_begins(where, return_address);
}

void cas_probe_read(const void* where, std::uint32_t width, const void* return_address) {
  current_worker->probe(site_at(return_address), where, width);
}

void worker::probe(site where, const void* at, std::uint32_t width) {
  if (launch_->probes == nullptr || is_local(at)) return;
  std::uint64_t value = 0;
  attributed_site = where;
  std::memcpy(&value, at, std::min<std::size_t>(width, sizeof value));
  attributed_site = 0;
  launch_->probes->probe(running_->probe, {where, reinterpret_cast<address>(at), width, value});
}

worker::worker(const memory_map& map, std::uint64_t text_bytes)
    : lanes_(new lane[largest_block]),
      stacks_(largest_block),
      rescue_stack_(new char[rescue_bytes]),
      emitter_(map, text_bytes),
      log_(emitter_) {}

void worker::prepare(running_launch& launch, const std::vector<observer*>& observers, progress& p) {
  launch_ = &launch;
  traced_ = launch.traced;
  progress_ = &p;
  parameter_copies_.forget();
  stacks_.prepare(lanes_.get(), launch.info.block.count());
  address_layout layout = launch.layout;
  shared_.lay_out(layout);
  layout.stacks = stacks_.places();
  layout.local = stacks_.all();
  emitter_.prepare(layout, observers);
  layout_ = layout;
  const bool guarded = launch.may_store != nullptr;
  if (guarded) layout_.static_shared.end = launch.end_of_shared();
  hooks.open_begin = guarded ? layout.global.begin : 0;
  hooks.open_bytes = guarded ? layout.global.end - layout.global.begin : ~address{0};
  log_.log_values(launch.values);
  device_coordinates::set_launch(launch.info.grid, launch.info.block);
  for (observer* o : observers) o->launch_begins(launch.info);
}

void worker::end_launch() {
  emitter_.settle();
  for (observer* o : emitter_.observers()) o->launch_ends();
  emitter_.prepare(layout_, {});
}

void worker::make_current() {
  current_worker = this;
  current_log = &log_;
  if (!traced_) log_.ignore_hooks();
  device_coordinates::set_block(block_.where);
  hooks.stack = launch_->local_memory_apart ? stacks_.recorded() : recorded_stack();
}

void worker::leave_thread() {
  current_worker = nullptr;
  current_log = nullptr;
  hooks.row = nullptr;
  hooks.stack = host_stack;
}

void worker::park_block() { shared_.park(launch_->static_shared); }

void worker::resume_block() {
  make_current();
  shared_.unpark(launch_->static_shared);
}

void worker::forget_shared() { shared_.forget_static(launch_->static_shared); }

void worker::forget_block() {
  shared_.forget_dynamic(launch_->info.dynamic_shared_bytes);
  if (!launch_->local_memory_apart) return;
  for (std::size_t i = 0; i < launch_->info.block.count(); ++i) stack_memory::poison(lanes_[i], 0);
}

void worker::begin_block(std::uint64_t index) {
  const extents& shape = launch_->info.block;
  block_ = {&launch_->info, index, coordinates_of(index, launch_->info.grid), static_cast<unsigned>(shape.count()),
            stacks_.places()};
  make_current();
  forget_shared();
  shared_.forget_dynamic(launch_->info.dynamic_shared_bytes);
  for (unsigned i = 0; i < warp_size; ++i)
    turns_[i] = static_cast<std::uint8_t>(place_of_turn(launch_->order_of_turns, i, warp_size, index + 1));
  for (std::uint32_t i = 0; i < block_.threads; ++i) {
    lane& l = lanes_[i];
    l.thread = coordinates_of(i, shape);
    l.depth = 0;
    l.events = 0;
    l.watch = {};
    l.probe = {};
    if (launch_->local_memory_apart) stack_memory::poison(l, lane_stacks::unused_at_top(i));
    l.execution.start(&worker::lane_body, this, i);
  }
  for (std::uint32_t warp = 0; warp < warps(); ++warp) {
    const unsigned lanes = lanes_in(warp);
    states_[warp].start(lanes == warp_size ? full_warp : (lane_mask{1} << lanes) - 1);
  }
  if (traced_) log_.start_block();
  arrived_ = {};
  grid_target_ = 0;
  meetings_ = {};
  stopped_lane_ = {};
  if (launch_->order != nullptr) order_ = &launch_->order->block_begins(index, block_.threads);
  for (observer* o : emitter_.observers()) o->block_begins(block_);
}

bool worker::any_in(lane_state s) const {
  return std::any_of(states_.begin(), states_.begin() + warps(), [s](const lane_states& of) { return of.in(s) != 0; });
}

bool worker::run_on() {
  for (;;) {
    const std::uint64_t before = progress_->advances, looked = progress_->looks;
    for (std::uint32_t turn = 0; turn < warps() && !launch_->is_stopped(); ++turn) {
      run_warp(static_cast<std::uint32_t>(place_of_turn(launch_->order_of_turns, turn, warps(), block_.index)));
      if (launch_->others != nullptr) launch_->others->begin_if_long();
    }
    if (launch_->is_stopped()) return true;
    if (progress_->looks != looked && any_in(lane_state::spinning)) {
      if (progress_->advances == before) return false;
    } else if (!release_barrier()) {
      return true;
    }
  }
}

void worker::end_block() {
  for (observer* o : emitter_.observers()) o->block_ends();
  if (order_ != nullptr) launch_->order->block_ends(block_.index);
  order_ = nullptr;
}

void worker::lane_body(void* self) {
  auto* w = static_cast<worker*>(self);
#ifdef __x86_64__
  __asm__("movq %%rsp, %0" : "=r"(w->running_->frame));  // the same at the call
#else
  w->running_->frame = reinterpret_cast<address>(__builtin_frame_address(0));
#endif
  w->launch_->invoke(w->launch_->pack);
  w->suspend(lane_state::exited);
  std::abort();  // an exited lane is never resumed
}

std::uint32_t worker::warps() const { return (block_.threads + warp_size - 1) / warp_size; }

unsigned worker::lanes_in(std::uint32_t warp) const { return std::min(warp_size, block_.threads - warp * warp_size); }

inline lane* worker::resume_lane() {
  while (to_run_ != 0 && !launch_->is_stopped()) {
    const unsigned i = turns_[turn_++];
    const lane_mask bit = lane_mask{1} << i;
    if ((to_run_ & bit) == 0) continue;
    to_run_ &= ~bit;
    running_lane_ = i;
    running_ = &warp_lanes_[i];
#ifdef SIMTLAB_OWN_SWITCH
    __builtin_prefetch(warp_lanes_[(i + 2) % warp_size].execution.own().stack_pointer);
    __builtin_prefetch(static_cast<const char*>(warp_lanes_[(i + 2) % warp_size].execution.own().stack_pointer) + 64);
#endif
    device_coordinates::set_thread(running_->thread);
    if (traced_) log_.enter_lane(i, running_->depth);
    return running_;
  }
  running_ = nullptr;
  return nullptr;
}

#ifdef SIMTLAB_OWN_SWITCH
fiber::context& worker::yield_lane(lane_state state) {
#else
void worker::yield_lane(lane_state state) {
#endif
  lane& l = *running_;
  warp_states_->suspend(running_lane_, state);
  if (traced_) {
    l.depth = hooks.call_depth();
    l.events += log_.leave_lane(running_lane_);
    if (l.events > launch_->events_per_thread && state != lane_state::exited) stop_endless_loop();
  }
  if (state > lane_state::spinning) ++progress_->advances;
#ifdef SIMTLAB_OWN_SWITCH
  lane* const next = resume_lane();
  return next == nullptr ? l.execution.scheduler() : l.execution.pass_on(next->execution);
#endif
}

bool worker::run_lanes(std::uint32_t warp) {
  warp_lanes_ = &lane_of(warp, 0);
  warp_states_ = &states_[warp];
  lane_mask resumed = 0;
  for (lane_mask full = warp_states_->in(lane_state::log_full); full != 0; full &= full - 1) {
    const auto i = static_cast<unsigned>(std::countr_zero(full));
    if (log_.has_room(i)) resumed |= lane_mask{1} << i;
  }
  warp_states_->make_ready(lane_state::log_full, resumed);
  to_run_ = warp_states_->in(lane_state::ready);
  turn_ = 0;
  lane* l = resume_lane();
  const bool any = l != nullptr;
  for (; l != nullptr; l = resume_lane()) l->execution.resume();
  return any;
}

void worker::run_warp(std::uint32_t warp) {
  lane_states& states = states_[warp];
  if (states.may_run() == 0) return;
  if (traced_) log_.start_warp(warp);
  states.make_ready(lane_state::spinning);
  for (unsigned round = 0;; ++round) {
    const progress before = *progress_;
    const bool ran = run_lanes(warp);
    if (launch_->is_interrupted()) note_stopped(warp);
    const lane_mask full = states.in(lane_state::log_full), spinning = states.in(lane_state::spinning);
    // What a lane that waits will do next can be merged with the others only while these can run on.
    const bool is_stuck = launch_->is_stopped() || full == 0 || !ran;
    if (traced_) log_.merge(is_stuck ? 0 : full | spinning);
    if (emitter_.take_touched_host()) launch_->stop(stop_reason::illegal_address);
    if (emitter_.take_touched_foreign_local() && launch_->local_memory_apart)
      launch_->stop(stop_reason::illegal_address);
    if (emitter_.take_misaligned()) launch_->stop(stop_reason::misaligned);
    if (launch_->is_stopped()) {
      if (launch_->is_interrupted()) note_stopped(warp);  // while the log was merged
      return;
    }
    if (full == 0) {
      const bool gets_on = progress_->changes != before.changes && round < most_rounds_of_warp;
      if (!release_primitives(warp) && (spinning == 0 || !gets_on)) break;
    }
    states.make_ready(lane_state::spinning);
  }
  if (order_ != nullptr) order_->forget_marks();
}

void worker::describe_arrivals(barrier_event& event) const {
  event.arrivals.clear();
  event.exited = event.first_exited = 0;
  event.threads = block_.threads;
  for (std::uint32_t i = 0; i < block_.threads; ++i) {
    const lane_state s = state_of(i);
    if (s == lane_state::exited && event.exited++ == 0) event.first_exited = i;
    if (s != lane_state::at_barrier) continue;
    const site where = lanes_[i].where;
    auto arrival = std::find_if(event.arrivals.begin(), event.arrivals.end(),
                                [&](const barrier_arrival& a) { return a.where == where; });
    if (arrival == event.arrivals.end()) arrival = event.arrivals.insert(arrival, {where, 0, i});
    ++arrival->threads;
  }
  std::sort(event.arrivals.begin(), event.arrivals.end(),
            [](const barrier_arrival& a, const barrier_arrival& b) { return a.where < b.where; });
}

bool worker::release_barrier() {
  if (any_in(lane_state::at_primitive)) {
    report_deadlock();
    return false;
  }
  if (arrived_.threads == 0) return false;
  if (!emitter_.observers().empty()) {
    if (arrived_.threads == block_.threads && !arrived_.elsewhere) {
      barrier_event_.arrivals.assign(1, {arrived_.where, arrived_.threads, 0});
      barrier_event_.exited = barrier_event_.first_exited = 0;
      barrier_event_.threads = block_.threads;
    } else {
      describe_arrivals(barrier_event_);
    }
    barrier_event_.of_grid = leaves_grid_barrier_;
    for (observer* o : emitter_.observers()) o->barrier(barrier_event_);
  }
  leaves_grid_barrier_ = false;
  const std::uint32_t holds = arrived_.predicates;
  reductions_ = {static_cast<int>(holds), holds == arrived_.threads, holds > 0};
  arrived_ = {};
  for (std::uint32_t warp = 0; warp < warps(); ++warp) states_[warp].make_ready(lane_state::at_barrier);
  return true;
}

void worker::check_store(address where, std::uint32_t width) {
  const auto holds = [&](const address_range& r) { return r.contains(where) && r.end - where >= width; };
  if (holds(layout_.local) && !launch_->local_memory_apart) return;
  if (holds(layout_.local)) {
    const auto bottom = reinterpret_cast<address>(running_->execution.stack_bottom());
    // Between the frames of the emulator's that have called the kernel, and those that the kernel has called.
    if (holds({reinterpret_cast<address>(__builtin_frame_address(0)), running_->frame})) return;
    if (where - bottom < stack_memory::bytes_of_one)
      end_lane(
          rule::invalid_address, last_site(),
          "The kernel stores to its stack where no variable of its own is. Which pointer to a local variable is it, "
          "and does an index leave its array?",
          stop_reason::illegal_address);
  }  // else another lane's
  if (holds(layout_.static_shared) || holds(layout_.dynamic_shared) || holds(layout_.device) ||
      holds(layout_.constant) || launch_->may_store(where, width))
    return;
  hooks.pending = nullptr;  // there will be no value to look at
  launch_->stop(stop_reason::illegal_address);
  abandon_lane();
}

std::uint32_t worker::shared_offset(const void* at) const {
  const auto offset = layout_.shared_offset(reinterpret_cast<address>(at));
  return offset ? static_cast<std::uint32_t>(*offset) : not_shared;
}

void* worker::shared_address(std::uint32_t offset) const {
  address a = layout_.static_shared.begin + offset;
  if (offset >= layout_.dynamic_shared_offset)
    a = layout_.dynamic_shared.begin + (offset - layout_.dynamic_shared_offset);
  const bool is_shared = layout_.static_shared.contains(a) || layout_.dynamic_shared.contains(a);
  return reinterpret_cast<void*>(is_shared ? a : address{offset});
}

void worker::wait_at(site where, address at, std::uint32_t width) {
  lane& l = *running_;
  l.where = where;
  l.looks_at = at;
  l.looks_at_width = width;
  suspend(lane_state::spinning);
}

void worker::change(site where, const void* at, std::uint32_t width) {
  ++progress_->changes;
  ++progress_->looks;
  const auto a = reinterpret_cast<address>(at);
  if (running_->watch.change(a)) wait_at(where, a, width);
}

void worker::poll(site where, const void* at, std::uint32_t width, std::uint64_t value) {
  ++progress_->looks;
  const auto a = reinterpret_cast<address>(at);
  if (running_->watch.poll(a, value)) wait_at(where, a, width);
}

sync_location worker::location_of(address at) const {
  const auto offset = layout_.shared_offset(at);
  return offset ? sync_location{*offset, block_.index + 1} : sync_location{at, 0};
}

void worker::hand_on(address at, const sync_access& what, const void* return_address) {
  const auto mark = order_->access(thread_of(*running_), location_of(at), what);
  if (mark && return_address != nullptr) log_order(*mark, return_address);
}

void worker::separate_stores(address at, const void* return_address) {
  const auto mark = order_->store_begins(thread_of(*running_), location_of(at));
  if (mark) log_order(*mark, return_address);
}

void worker::phase_arrival(const void* at, std::uint64_t phase, bool in_block, const void* return_address) {
  if (order_ == nullptr) return;
  const sync_location barrier = location_of(reinterpret_cast<address>(at));
  log_order(order_->arrive(thread_of(*running_), barrier, phase, in_block), return_address);
}
void worker::phase_end(const void* at, std::uint64_t phase, bool in_block, const void* return_address) {
  if (order_ == nullptr) return;
  const sync_location barrier = location_of(reinterpret_cast<address>(at));
  log_order(order_->phase_ends(thread_of(*running_), barrier, phase, in_block), return_address);
}

void worker::fence(bool device_scope, const void* return_address) {
  if (order_ != nullptr) log_order(order_->fence(thread_of(*running_), device_scope), return_address);
}

const primitive_call& worker::warp_primitive(site where, const primitive_call& call) {
  lane& l = *running_;
  l.where = where;
  l.call = call;
  suspend(lane_state::at_primitive);
  return l.call;
}

void worker::grid_barrier(site where, const void* return_address) {
  barrier(where, false, 0);
  std::uint32_t first = 0;  // thread of the block that has not returned speaks for it
  while (state_of(first) == lane_state::exited) ++first;
  if (thread_of(*running_) == first) {
    const std::uint64_t blocks = launch_->info.grid.count();
    const std::uint64_t completed = launch_->grid_arrivals.load() / blocks;
    const void* const place = &launch_->grid_barriers[completed % 2];
    fence(true, return_address);
    synchronise(place, {.reads = true, .writes = true}, return_address);
    launch_->grid_arrivals.fetch_add(1);
    grid_target_ = (completed + 1) * blocks;
    ++progress_->changes;
    while (waits_for_grid()) {
      ++progress_->looks;
      wait_at(where, 0, 0);
    }
    grid_target_ = 0;
    synchronise(place, {.reads = true}, return_address);
    fence(true, return_address);
  }
  leaves_grid_barrier_ = true;
  barrier(where, false, 0);
}

void worker::named_barrier(site where, unsigned number, unsigned threads, bool waits, const void* return_address) {
  meeting& m = meetings_.at(number);
  if (m.arrived == 0) m.expected = threads;
  if (threads == 0 || threads % warp_size != 0 || m.expected != threads)
    end_lane(rule::failed_assertion, where,
             "Barrier " + std::to_string(number) + " is to wait for " + std::to_string(threads) + " threads" +
                 (m.expected != threads ? ", for others of its threads for " + std::to_string(m.expected) +
                                              ". All of them name the same number."
                                        : ". The number is a multiple of a warp's 32, and not 0."),
             stop_reason::assertion);
  fence(false, return_address);
  const std::uint64_t phase = m.phase;
  const void* const place = &m.of_phase.at(phase % 2);  // who comes for the next one has not come for this one
  synchronise(place, {.reads = true, .writes = true}, return_address);
  if (++m.arrived == m.expected) {
    m.arrived = 0;
    ++m.phase;
  }
  ++progress_->changes;
  if (!waits) return;
  while (m.phase == phase) {
    ++progress_->looks;
    wait_at(where, reinterpret_cast<address>(&m.phase), sizeof m.phase);
  }
  synchronise(place, {.reads = true}, return_address);
  fence(false, return_address);
}

std::uint32_t worker::thread_of(const lane& l) const { return static_cast<std::uint32_t>(&l - lanes_.get()); }

raw_place worker::place_of(const lane& l, site where, std::string action) const {
  return {where, true, l.thread, block_.where, std::move(action)};
}

raw_place worker::place_of_running(site where, std::string action) const {
  return place_of(*running_, where, std::move(action));
}

void worker::report_running(rule what, site where, const char* action, std::string message) {
  if (!launch_->findings->first_time(what, where, 0, 0)) return;
  launch_->findings->add({what, launch_->info.kernel, "", place_of_running(where, action), {}, std::move(message)}, 0);
}

void worker::report_stop(rule what, site where, std::string message, stop_reason why) {
  if (launch_->is_stopped_earlier()) return;
  report_running(what, where, "stopped", std::move(message));
  launch_->stop(why);
}

void worker::abandon_lane() {
  hooks.pending = nullptr;  // the write that faulted never happened
  suspend(lane_state::exited);
  std::abort();  // an exited lane is never resumed
}

void worker::end_lane(rule what, site where, std::string message, stop_reason why) {
  report_stop(what, where, std::move(message), why);
  abandon_lane();
}

}  // namespace simtlab::emulator
