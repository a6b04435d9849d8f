#include "scheduler/worker.h"

#include <link.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <utility>

#include "checks/region_text.h"
#include "scheduler/device_coordinates.h"
#include "scheduler/other_threads.h"
#include "scheduler/schedule.h"
#include "trace/hook_state.h"
#include "trace/parameters.h"
#include "trace/text_base.h"

namespace simtlab::emulator {

__thread worker* current_worker;

namespace {

/// Where this thread's copy of the executable's thread-local segment begins.
address_range thread_local_segment() {
  address_range found;
  dl_iterate_phdr(
      [](dl_phdr_info* program, std::size_t, void* result) {
        for (int i = 0; i < program->dlpi_phnum; ++i) {
          if (program->dlpi_phdr[i].p_type != PT_TLS) continue;
          const auto begin = reinterpret_cast<address>(program->dlpi_tls_data);
          *static_cast<address_range*>(result) = {begin, begin + program->dlpi_phdr[i].p_memsz};
        }
        return 1;  // the first entry is the executable itself
      },
      &found);
  return found;
}

}  // namespace

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
      dynamic_shared_(
          static_cast<char*>(::operator new (largest_dynamic_shared + 2 * dynamic_slack, std::align_val_t{1024}))),
      rescue_stack_(new char[rescue_bytes]),
      emitter_(map, text_bytes),
      log_(emitter_) {}

worker::~worker() { ::operator delete (dynamic_shared_, std::align_val_t{1024}); }

void worker::prepare(running_launch& launch, const std::vector<observer*>& observers, progress& p) {
  launch_ = &launch;
  traced_ = launch.traced;
  progress_ = &p;
  parameter_copies_.forget();
  stacks_.prepare(lanes_.get(), launch.info.block.count());
  const address_range tls = thread_local_segment();
  address_layout layout = launch.layout;
  layout.static_shared = tls;
  const auto dynamic = reinterpret_cast<address>(dynamic_shared_);
  layout.dynamic_shared = {dynamic, dynamic + largest_dynamic_shared + 2 * dynamic_slack};
  layout.dynamic_shared_offset = dynamic_shared_window - dynamic_slack;
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

void worker::copy_shared(bool out) {
  auto* const tls = reinterpret_cast<char*>(thread_local_segment().begin);
  std::size_t bytes = 0;
  for (const memory_region* r : launch_->static_shared) bytes += r->bytes;
  parked_shared_.resize(bytes);
  char* kept = parked_shared_.data();
  for (const memory_region* r : launch_->static_shared) {
    std::memcpy(out ? kept : tls + r->begin, out ? tls + r->begin : kept, r->bytes);
    kept += r->bytes;
  }
}

void worker::park_block() { copy_shared(true); }

void worker::resume_block() {
  make_current();
  copy_shared(false);
}

void worker::forget_shared() {
  const address tls = thread_local_segment().begin;
  for (const memory_region* r : launch_->static_shared)
    std::memset(reinterpret_cast<char*>(tls + r->begin), 0xff, r->bytes);
}

void worker::poison_dynamic_shared() {
  std::memset(dynamic_shared_ + dynamic_slack, 0xff, launch_->info.dynamic_shared_bytes);
}

void worker::forget_block() {
  poison_dynamic_shared();
  if (!launch_->local_memory_apart) return;
  for (std::size_t i = 0; i < launch_->info.block.count(); ++i) stack_memory::poison(lanes_[i], 0);
}

void worker::begin_block(std::uint64_t index) {
  const extents& shape = launch_->info.block;
  block_ = {&launch_->info, index, coordinates_of(index, launch_->info.grid), static_cast<unsigned>(shape.count()),
            stacks_.places()};
  make_current();
  forget_shared();
  poison_dynamic_shared();
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

void worker::stop_endless_loop() {
  if (launch_->is_stopped() || launch_->is_stopped_earlier()) return;
  const site where = log_.last_site(running_lane_);
  if (launch_->findings->first_time(rule::endless_loop, where, 0, 0)) {
    launch_->findings->add(
        {rule::endless_loop,
         launch_->info.kernel,
         "",
         place_of_running(where, "is still running"),
         {},
         "The kernel was stopped: this thread ran through " + std::to_string(launch_->events_per_thread) +
             " memory accesses and branches without ending. Does the loop's condition ever become "
             "false, and does its counter change?"},
        0);
  }
  launch_->stop(stop_reason::timeout);
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

void worker::report_deadlock() {
  const lane* stuck = nullptr;
  const lane* other = nullptr;
  std::uint32_t at_primitive = 0, at_barrier = 0, exited = 0;
  for (std::uint32_t i = 0; i < block_.threads; ++i) {
    const lane_state s = state_of(i);
    if (s == lane_state::at_primitive && at_primitive++ == 0) stuck = &lanes_[i];
    if (s == lane_state::at_barrier && at_barrier++ == 0) other = &lanes_[i];
    exited += s == lane_state::exited;
  }
  // The lanes that it waits for, if they wait elsewhere.
  const std::uint32_t warp_begin = thread_of(*stuck) / warp_size * warp_size;
  const char* waits = "waits at a block barrier";
  for (std::uint32_t i = std::min(warp_begin + warp_size, block_.threads); i-- > warp_begin;)
    if (state_of(i) == lane_state::at_primitive && lanes_[i].where != stuck->where) {
      other = &lanes_[i];
      waits = "waits at another call";
    }
  if (launch_->is_stopped_earlier()) return;
  launch_->stop(stop_reason::timeout);
  if (!launch_->findings->first_time(rule::warp_deadlock, stuck->where, other == nullptr ? 0 : other->where, 0)) return;
  raw_finding found{rule::warp_deadlock,
                    launch_->info.kernel,
                    "",
                    place_of(*stuck, stuck->where, "waits for lanes of its warp"),
                    {},
                    ""};
  if (other != nullptr) found.second = place_of(*other, other->where, waits);
  const bool of_group = stuck->call.of_group;
  found.message = "The block can never go on: " + std::to_string(at_primitive) + " of " +
                  std::to_string(block_.threads) + " threads wait " +
                  (of_group ? "here for threads of their tile or coalesced group that do not come ("
                            : "at a warp primitive for lanes named in its mask that do not come (") +
                  std::to_string(at_barrier) + " wait at a block barrier, " + std::to_string(exited) +
                  " have returned). " +
                  (of_group ? "All threads of a group must make each of the group's calls, sync(), shuffles, votes and "
                              "reductions: move the call out of the branch, or make a group of the threads that come "
                              "with coalesced_threads() or binary_partition()."
                            : "Every lane named in the mask must call the same primitive with the same mask.");
  launch_->findings->add(std::move(found), 0);
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
  const auto a = reinterpret_cast<address>(at);
  if (layout_.static_shared.contains(a)) return static_cast<std::uint32_t>(a - layout_.static_shared.begin);
  if (!layout_.dynamic_shared.contains(a)) return not_shared;
  return static_cast<std::uint32_t>(a - layout_.dynamic_shared.begin + layout_.dynamic_shared_offset);
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
  sync_location where{at, block_.index + 1};
  if (layout_.static_shared.contains(at)) {
    where.at -= layout_.static_shared.begin;
  } else if (layout_.dynamic_shared.contains(at)) {
    where.at += layout_.dynamic_shared_offset - layout_.dynamic_shared.begin;
  } else {
    where.block = 0;
  }
  return where;
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

std::string worker::element_at(address a, std::uint32_t width) const {
  if (layout_.static_shared.contains(a)) {
    const address offset = a - layout_.static_shared.begin;
    return element_text(launch_->map->find_shared(offset), memory_space::shared, offset, width);
  }
  if (layout_.dynamic_shared.contains(a)) {
    const address offset = a - layout_.dynamic_shared.begin + layout_.dynamic_shared_offset;
    return element_text(launch_->map->find_shared(offset), memory_space::shared, offset, width);
  }
  return element_text(launch_->map->find(a), memory_space::global, a, width);
}

void worker::describe_waiting(std::vector<waiting_threads>& all) const {
  const std::size_t first_of_block = all.size();
  for (std::uint32_t i = 0; i < block_.threads; ++i) {
    const lane& l = lanes_[i];
    const lane_state s = state_of(i);
    if (s == lane_state::exited) continue;
    const bool looks = s <= lane_state::spinning, at_grid = looks && grid_target_ != 0;
    if (grid_target_ != 0 && !at_grid) continue;  // behind the one that speaks for the block
    const auto same =
        std::find_if(all.begin() + static_cast<std::ptrdiff_t>(first_of_block), all.end(),
                     [&](const waiting_threads& w) { return w.place.where == l.where && w.looks == looks; });
    if (same != all.end()) {
      ++same->threads;
      continue;
    }
    all.push_back({place_of(l, l.where,
                            at_grid ? "waits at the grid's barrier"
                            : looks ? "looks in vain at " + element_at(l.looks_at, l.looks_at_width)
                            : s == lane_state::at_barrier ? "waits at a block barrier"
                                                          : "waits at a warp primitive"),
                   at_grid ? block_.threads : 1, looks, at_grid});
  }
}

void worker::note_stopped(std::uint32_t warp) {
  if (!traced_ || stopped_lane_.known) return;
  const site where = log_.last_site(running_lane_);
  if (where != 0) stopped_lane_ = {true, warp * warp_size + running_lane_, where, log_.repeated_sites(running_lane_)};
}

void worker::describe_standing(std::vector<standing_warps>& all) const {
  for (std::uint32_t warp = 0; warp < warps(); ++warp) {
    const lane_states& states = states_[warp];
    const auto stand = [&](const char* how, std::uint32_t thread, site where) {
      const bool runs = stopped_lane_.known && thread == stopped_lane_.thread;
      add_standing(
          all, {warp, warp, how, place_of(lanes_[thread], where, ""), runs ? stopped_lane_.loop : std::vector<site>{}});
    };
    const auto first_in = [&](lane_state s) {
      return warp * warp_size + static_cast<std::uint32_t>(std::countr_zero(states.in(s)));
    };
    if (stopped_lane_.known && stopped_lane_.thread / warp_size == warp) {
      stand("runs", stopped_lane_.thread, stopped_lane_.where);
    } else if (states.in(lane_state::spinning) != 0) {
      const std::uint32_t thread = first_in(lane_state::spinning);
      stand("looks for a value in vain", thread, lanes_[thread].where);
    } else if (states.in(lane_state::at_primitive) != 0) {
      const std::uint32_t thread = first_in(lane_state::at_primitive);
      stand("waits at a warp primitive", thread, lanes_[thread].where);
    } else if (states.in(lane_state::at_barrier) != 0) {
      const std::uint32_t thread = first_in(lane_state::at_barrier);
      stand("waits at a block barrier", thread, lanes_[thread].where);
    } else if (states.may_run() == 0) {
      stand("has returned", warp * warp_size, 0);
    } else {
      stand("has its turn to come", warp * warp_size, 0);
    }
  }
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
