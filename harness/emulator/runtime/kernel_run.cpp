// The part of the device that runs a kernel to its end and keeps account of it: what the launch is told of memory and rules, who
// observes it, and what it did, as the report has it. Before it the launcher has checked the launch (launcher.h); the blocks run in
// the scheduler (block_scheduler.h), or on the machine (machine_launch.h).
#include <algorithm>
#include <utility>

#include "checks/memory/kernel_stores.h"
#include "core/memory_geometry.h"
#include "core/private_memory.h"
#include "runtime/boundary.h"
#include "runtime/device.h"
#include "runtime/machine_launch.h"
#include "runtime/program_image.h"
#include "scheduler/block_scheduler.h"
#include "scheduler/interruption.h"
#include "scheduler/other_threads.h"
#include "trace/hook_state.h"
#include "trace/parameters.h"
#include "trace/text_base.h"

namespace simtlab::emulator {
namespace {

constexpr std::uint64_t most_launches_with_examples = 64;  // a person looks at the first

error_code error_of(stop_reason why) {
  switch (why) {
    case stop_reason::none:
      return 0;
    case stop_reason::illegal_address:
      return 700;  // cudaErrorIllegalAddress
    case stop_reason::misaligned:
      return 716;  // cudaErrorMisalignedAddress
    case stop_reason::assertion:
      return 710;  // cudaErrorAssert
    case stop_reason::timeout:
    case stop_reason::interrupted:
      return 702;  // cudaErrorLaunchTimeout
    case stop_reason::stack:
    case stop_reason::undefined:
      return 719;  // cudaErrorLaunchFailure
    case stop_reason::unsupported:
      return 801;  // cudaErrorNotSupported
  }
  return 719;
}

}  // namespace

void device::count_passed_tables(launch_report& result) {
  for (const wide_parameter& p : the_parameters.wide) {
    if (!p.holds_table) continue;
    const memory_region* const region = map.find(p.counted);
    access_counters read;
    read.space = memory_space::constant;
    read.kind = access::read;
    read.variable = region->name;
    read.array = {region->id, false};
    read.width = 4;
    read.counters.requests = read.counters.distinct_words = 1;
    read.counters.lanes = warp_size;
    read.counters.bytes = std::uint64_t{read.width} * warp_size;
    result.accesses.insert(result.accesses.begin(), std::move(read));
  }
}

/// Static locals of a function are mangled as `_ZZ<function>E<name>`.
std::uint64_t device::static_shared_bytes(const void* function) const {
  if (function == nullptr) return 0;
  const std::string kernel = sources.linkage_name_at(reinterpret_cast<address>(function));
  if (kernel.size() < 2) return 0;
  const std::string prefix = "_ZZ" + kernel.substr(2) + "E";
  std::uint64_t bytes = 0;
  for (const device_symbol& s : sources.device_symbols())
    if (s.space == memory_space::shared && s.linkage_name.starts_with(prefix)) bytes += s.bytes;
  return bytes;
}

bool device::is_traced(const launch_info& launch) const {
  if (!settings.traced_block) return false;
  if (settings.traced_kernel.empty()) return launch.ordinal == 1;
  return launch.kernel == settings.traced_kernel &&
         std::ranges::none_of(launches, [](const launch_report& l) { return l.trace.has_value(); });
}

error_code device::run(running_launch& launch) {
  const arena::access open(memory);
  if (const std::size_t used = heap.reset_if_worn(); used != 0)
    shadow.initialised().forget(reinterpret_cast<address>(heap.begin()), used);
  launch.info.ordinal = ++host.launches;
  launch.info.names_racing_threads = settings.names_racing_threads;
  for (const texture& t : textures.all())
    if (t.live && map.region(t.memory).live &&
        (t.resource.resType != cudaResourceTypeArray || surfaces.write(t.memory)))
      launch.info.textures.push_back({reinterpret_cast<address>(t.base), t.bytes()});
  launch.events_per_thread = settings.events_per_thread;
  launch.local_memory_apart = settings.local_memory_apart;
  launch.traced = program_has_hooks();  // even if nothing is counted or checked: the watchdog needs the trace
  launch.values = settings.checks;
  launch.findings = &findings;
  launch.line_of = [this](site s) { return sources.line_of(s); };
  launch.map = &map;
  launch.layout.global = memory.range();
  launch.layout.device = device_symbols_;
  launch.layout.constant = constant_symbols_;
  launch.layout.parameters = parameters.range();
  launch.layout.read_only = read_only_range();
  if (!registered.empty())  // whole pages are mapped
    launch.layout.registered = {registered_span.begin / arena::page * arena::page,
                                rounded_up(registered_span.end, address{arena::page})};
  launch.static_shared = static_shared_;
  if (host_memory.is_guarded()) {
    launch.may_store = [](address a, std::uint32_t width) {
      const host_ranges& ranges = instance().host_memory;
      const bool is_stack = a < ranges.whole_stack().end && a + width > ranges.whole_stack().begin;
      if (is_stack) return instance().is_registered(reinterpret_cast<const void*>(a), width);
      return ranges.allows(a, width, true);
    };
    launch.end_of_shared = [] { return reinterpret_cast<address>(simtlab_find_boundary().thread_zeroed); };
  }
  map.resize(dynamic_shared_, launch.info.dynamic_shared_bytes);
  const machine_kernel* const compiled = launch.machine == nullptr ? nullptr : &launch.machine->kernel();
  machine.enter(compiled, static_shared_);
  if (compiled != nullptr && !compiled->dynamic_name.empty()) map.rename(dynamic_shared_, compiled->dynamic_name);

  work.kernel_begins();
  stream_order::operation in_stream{launch.info.kernel, {}};
  std::set<address> touched_pages;
  const bool overlaps = compares_streams();
  carried_values carried(shadow.stored_by_host());
  const bool may_carry = work.has_marks() && work.was_handed_device_memory();
  const observer_options wanted{settings.counters,
                                settings.checks,
                                overlaps ? &in_stream.touched : nullptr,
                                work.has_marks(),
                                may_carry ? &carried : nullptr,
                                work.reads_of_kernels(),
                                pages.any() ? &touched_pages : nullptr,
                                &pages,
                                streams.has_streams() ? nullptr : &shared_with_host_,
                                settings.foreign_reads,
                                settings.recorded_accesses,
                                settings.request_examples && host.launches <= most_launches_with_examples,
                                is_traced(launch.info) ? settings.traced_block : std::nullopt,
                                host.launches == 1 ? settings.sampled_accesses : 0};
  const synchronisation_used& used = synchronisation_of_program();
  // What an atomic operation returns, and what a racing thread reads, depends on who came first.
  const bool by_one = settings.checks || launch.cooperative || used.fences || used.strong_accesses;
  const bool has_fences = used.fences || (compiled != nullptr && compiled->function->has_fences);
  const bool ordered = settings.checks && (has_fences || launch.cooperative || settings.names_racing_threads);
  const unsigned count = by_one ? 1 : std::max(1U, settings.workers);
  std::vector<std::unique_ptr<observer_set>> sets;
  std::mutex lending;
  const auto lend_observers = [&]() -> const std::vector<observer*>& {
    const std::lock_guard guard(lending);
    sets.push_back(std::make_unique<observer_set>(shadow, findings, wanted));
    return sets.back()->observers();
  };
  const auto lend = [&]() -> spare_worker {
    const std::lock_guard guard(lending);
    if (workers_.size() == sets.size()) workers_.push_back(std::make_unique<worker>(map, text_bytes()));
    sets.push_back(std::make_unique<observer_set>(shadow, findings, wanted));
    return {workers_[sets.size() - 1].get(), &sets.back()->observers()};
  };
  shadow.launch_begins(launch.info, ordered);
  launch.order = shadow.order();
  launch.probes = settings.checks ? &shadow.probes() : nullptr;
  launch.volatiles = settings.checks ? &shadow.volatiles() : nullptr;
  launch.order_of_turns = settings.turns;
  launch.spare = lend;
  const auto run_blocks = [&] {
    if (compiled != nullptr) return launch.machine->run(*this, launch, lend_observers);
    const spare_worker first = lend();
    block_scheduler(launch, *first.runs, *first.observers).run();
    if (host_memory.is_guarded()) first.runs->forget_shared();  // host code finds nothing that a kernel left
  };
  other_threads others(launch, count - 1, [&] {
    const private_allocation own;
    prepare_thread_for_faults();
    run_blocks();
  });
  if (count > 1) launch.others = &others;
  {
    const interruptible_launch while_it_runs(launch);
    run_blocks();
    others.join();
  }

  launch_report result;
  result.kernel = launch.info.kernel;
  result.grid = launch.info.grid;
  result.block = launch.info.block;
  result.dynamic_shared_bytes = launch.info.dynamic_shared_bytes;
  result.static_shared_bytes = static_shared_bytes(launch.function);
  if (compiled != nullptr) {
    result.static_shared_bytes = compiled->function->static_shared - compiled->function->reserved_shared;
    result.registers = compiled->registers;
    result.stack_bytes = compiled->stack_bytes;
    result.spill_bytes = compiled->spill_bytes;
  }
  result.fits =
      occupancy_of(*settings.gpu, {static_cast<unsigned>(launch.info.block.count()), result.static_shared_bytes,
                                   result.dynamic_shared_bytes, static_cast<unsigned>(result.registers)});
  result.completed = !launch.is_stopped();
  for (std::size_t i = 0; i < sets.size(); ++i) {
    if (compiled != nullptr) {
      for (observer* o : sets[i]->observers()) o->launch_ends();
      continue;
    }
    workers_[i]->end_launch();
    if (host_memory.is_guarded()) workers_[i]->forget_block();
  }
  std::vector<address_range> stored;
  for (const carried_values::range& r : carried.carried()) stored.push_back({r.begin, r.end});
  work.carried_by_kernel(stored);
  work.kernel_ends();
  std::vector<observer_set*> all;
  all.reserve(sets.size());
  for (const auto& set : sets) all.push_back(set.get());
  collect(
      all, [this](site s) { return sources.line_of(s); }, map, result);
  std::uint64_t moved = 0;
  for (const address page : touched_pages) moved += pages.touched(page_place::device, page, 1);
  for (const access_counters& a : result.accesses) in_stream.bytes += sector_bytes * a.counters.sectors;
  in_stream.takes = timeline::launch_ns + timeline::on_the_device(in_stream.bytes) +
                    timeline::over_the_bus(moved * managed_pages::page_bytes);
  overlaps_.between_streams(streams.add(launch.stream, std::move(in_stream)), result.kernel);
  if (settings.counters) count_passed_tables(result);
  launches.push_back(std::move(result));
  host_reads.close();
  if (host_memory.is_guarded()) {  // nor what its last access was
    hooks = {};
    hooks.stack = host_stack;
  }
  sticky_error = error_of(launch.stopped.load());
  if (launch.is_interrupted()) end_interrupted(interruption());
  return sticky_error;
}

}  // namespace simtlab::emulator
