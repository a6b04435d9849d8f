#include "runtime/machine_launch.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "runtime/device.h"
#include "runtime/machine_order.h"
#include "runtime/machine_surroundings.h"
#include "sass/block_runner.h"
#include "scheduler/block_scheduler.h"
#include "scheduler/other_threads.h"
#include "scheduler/schedule.h"
#include "scheduler/worker.h"

namespace simtlab::emulator {
namespace {

/// Warp instructions after which a block that has not ended lets others run.
constexpr std::uint64_t instructions_of_turn = 20'000'000;
/// The same where all blocks wait for one another again and again.
constexpr std::uint64_t instructions_of_short_turn = 2000;
constexpr std::size_t most_waiting_blocks = 128;

sass::launch_parameters described(const machine_kernel& k, const running_launch& l,
                                  std::span<const std::byte> parameters) {
  sass::launch_parameters p;
  p.code = k.code;
  p.kernel = k.function;
  p.grid = l.info.grid;
  p.block = l.info.block;
  p.dynamic_shared_bytes = l.info.dynamic_shared_bytes;
  p.has_dynamic_shared = p.dynamic_shared_bytes > 0 || !k.dynamic_name.empty();
  p.parameters = parameters;
  p.symbols = k.symbols;
  p.grid_workspace = l.grid_workspace;
  p.first_site = k.first_site;
  return p;
}

/// A block on its way.
struct running_block {
  machine_order order;
  machine_surroundings surroundings;
  sass::block_runner runner;
  coordinates where;
  std::uint64_t begun_at = 0;  ///< the runner's clock

  running_block(device& d, const machine_kernel& k, const sass::launch& l, const std::vector<observer*>& observers,
                running_launch& launch)
      : order(k, launch),
        surroundings(d, k, order.is_needed() ? &order : nullptr),
        runner(l, surroundings, observers, launch.info) {}
};

struct fault_words {
  rule what;
  stop_reason stop;
  const char* action;
};

fault_words words_for(sass::machine_fault::reason why) {
  using enum sass::machine_fault::reason;
  switch (why) {
    case address:
      return {rule::invalid_address, stop_reason::illegal_address, "accesses memory"};
    case alignment:
      return {rule::misaligned, stop_reason::misaligned, "accesses memory"};
    case deadlock:
      return {rule::deadlock, stop_reason::timeout, "waits"};
    case warp:
      return {rule::warp_deadlock, stop_reason::timeout, "waits"};
    case trap:
      return {rule::failed_assertion, stop_reason::undefined, "stopped"};
    case assertion:
      return {rule::failed_assertion, stop_reason::assertion, "stopped"};
    case call:
      return {rule::unsupported, stop_reason::unsupported, "calls"};
    case free:
      return {rule::invalid_free, stop_reason::illegal_address, "stopped"};
    case local:
      return {rule::invalid_address, stop_reason::illegal_address, "accesses memory"};
    case stack:
      return {rule::stack_overflow, stop_reason::stack, "stopped"};
  }
  return {rule::unsupported, stop_reason::unsupported, "stops"};
}

void report_fault(running_launch& l, const running_block& b, const sass::machine_fault& f) {
  if (l.is_stopped_earlier()) return;
  const auto [what, stop, action] = words_for(f.why);
  using enum sass::machine_fault::reason;
  // Of an address that is wrong the observers have told, where anybody checks.
  const bool is_told = f.why == address || f.why == alignment;
  if (!(is_told && l.values) && l.findings->first_time(what, f.where, 0, 0)) {
    const raw_place place{f.where, true, coordinates_of(f.thread, l.info.block), b.where, action};
    l.findings->add({what, l.info.kernel, "", place, {}, f.why == stack ? worker::full_stack_text() : f.what()}, 0);
  }
  l.stop(stop);
}

void report_endless(running_launch& l, const running_block& b) {
  const auto [at, thread] = b.runner.standing();
  const raw_place place =
      at == 0 ? raw_place{} : raw_place{at, true, coordinates_of(thread, l.info.block), b.where, "runs"};
  if (l.findings->first_time(rule::endless_loop, 0, 0, 0))
    l.findings->add(
        {rule::endless_loop,
         l.info.kernel,
         "",
         place,
         {},
         "The kernel was stopped: a block ran through " + std::to_string(l.events_per_thread) +
             " instructions of its warps without ending. Does a loop's condition ever become false, and does "
             "every thread that another waits for come?"},
        0);
  l.stop(stop_reason::timeout);
}

/// Whether a block waits at the grid's barrier. Arrivals add up to 2^31 (cooperative_groups/details/sync.h, sync_grids): between the
/// first and the last one the lower bits are not zero.
bool is_waited_for_at_grid(const running_launch& l) {
  if (l.grid_workspace == 0) return false;
  std::uint32_t arrivals = 0;
  std::memcpy(&arrivals, reinterpret_cast<const std::byte*>(l.grid_workspace) + sizeof arrivals, sizeof arrivals);
  return (arrivals & 0x7fffffffU) != 0;
}

void report_grid(running_launch& l, const std::vector<std::unique_ptr<running_block>>& waiting) {
  const auto [at, thread] = waiting.front()->runner.standing();
  const raw_place place{at, at != 0, coordinates_of(thread, l.info.block), waiting.front()->where,
                        "waits at the grid's barrier"};
  const std::uint64_t threads = waiting.size() * l.info.block.count();
  if (l.findings->first_time(rule::deadlock, at, 0, 0))
    l.findings->add(
        {rule::deadlock, l.info.kernel, "", place, {}, grid_deadlock_text(threads, "have returned from the kernel")},
        0);
  l.stop(stop_reason::timeout);
}

/// So many turns in a row in which all blocks only looked for what nobody changed.
constexpr std::uint64_t turns_without_change = 20'000;

void report_looking(running_launch& l, const std::vector<std::unique_ptr<running_block>>& waiting) {
  const auto [at, thread] = waiting.front()->order.looking();
  const raw_place place{at, at != 0, coordinates_of(thread, l.info.block), waiting.front()->where, "looks at memory"};
  if (l.findings->first_time(rule::deadlock, at, 0, 0))
    l.findings->add({rule::deadlock,
                     l.info.kernel,
                     "",
                     place,
                     {},
                     "No thread can go on: the threads of " + std::to_string(waiting.size()) +
                         (waiting.size() == 1 ? " block" : " blocks") +
                         " look again and again for a value that nobody is left to store, or wait for those that "
                         "do. Is the value stored on every way through the kernel, by a thread that does not itself "
                         "wait? Two locks must be taken in the same order by everyone, and a lock must be given back "
                         "on every way out."},
                    0);
  l.stop(stop_reason::timeout);
}

}  // namespace

std::vector<std::byte> machine_launch::parameters_of(const sass::function& f, const void* const* arguments,
                                                     const unsigned* bytes, unsigned count, std::string& problem) {
  std::vector<std::byte> block(f.parameter_bytes);
  bool fits = count == f.parameters.size();
  for (unsigned i = 0; fits && i < count; ++i) {
    const sass::parameter& p = f.parameters[i];
    fits = p.bytes == bytes[i] && p.offset + p.bytes <= block.size();
    if (fits) std::memcpy(block.data() + p.offset, arguments[i], bytes[i]);
  }
  if (!fits) problem = "its parameters have other sizes there than g++ gives them";
  return block;
}

machine_launch::machine_launch(const machine_kernel& kernel, const running_launch& launch,
                               std::span<const std::byte> parameters)
    : kernel_(kernel), prepared_(described(kernel, launch, parameters)) {}

void machine_launch::run(device& d, running_launch& launch, const lender& lend) const {
  std::vector<std::unique_ptr<running_block>> idle, waiting;
  const std::uint64_t blocks = launch.info.grid.count();
  const std::uint64_t turn_takes = launch.cooperative ? instructions_of_short_turn : instructions_of_turn;
  std::uint64_t in_vain = 0;
  const std::uint64_t most_instructions = std::max(turn_takes, launch.events_per_thread);
  const auto begun = [&]() -> std::unique_ptr<running_block> {
    const std::uint64_t turn = launch.order_of_blocks.take();
    if (turn >= blocks) return nullptr;
    const std::uint64_t index = place_of_turn(launch.order_of_turns, turn, blocks, 0);
    if (idle.empty()) {
      const std::vector<observer*>& observers = lend();
      for (observer* o : observers) o->launch_begins(launch.info);
      idle.push_back(std::make_unique<running_block>(d, kernel_, prepared_, observers, launch));
    }
    std::unique_ptr<running_block> block = std::move(idle.back());
    idle.pop_back();
    block->where = coordinates_of(index, launch.info.grid);
    block->begun_at = block->runner.clock();
    block->order.block_begins(index, static_cast<unsigned>(launch.info.block.count()));
    block->runner.begin(block->where, index);
    return block;
  };
  const auto advance = [&](std::unique_ptr<running_block>& block) {
    try {
      const bool has_ended = block->runner.advance(turn_takes);
      in_vain = has_ended || block->order.takes_part() || !block->runner.only_looked() ? 0 : in_vain + 1;
      if (has_ended) block->order.block_ends();
      if (!has_ended && block->runner.clock() - block->begun_at >= most_instructions) report_endless(launch, *block);
      return has_ended;
    } catch (const sass::machine_fault& f) {
      report_fault(launch, *block, f);
      return true;
    }
  };
  while (!launch.is_stopped()) {
    if (launch.others != nullptr) launch.others->begin_if_long();
    const bool has_room = launch.cooperative || waiting.size() < most_waiting_blocks;
    std::unique_ptr<running_block> block = has_room ? begun() : nullptr;
    if (block == nullptr) launch.order_of_blocks.leave();
    if (block == nullptr && waiting.empty()) break;
    if (block != nullptr) {
      std::unique_ptr<running_block> taken = std::move(block);
      const bool has_ended = advance(taken);
      launch.order_of_blocks.leave();
      (has_ended ? idle : waiting).push_back(std::move(taken));
      if (has_ended || launch.cooperative) continue;
    }
    for (std::unique_ptr<running_block>& w : waiting)
      if (!launch.is_stopped() && advance(w)) idle.push_back(std::move(w));
    std::erase(waiting, nullptr);
    if (!waiting.empty() && waiting.size() < blocks && is_waited_for_at_grid(launch)) report_grid(launch, waiting);
    if (block == nullptr && in_vain > turns_without_change) report_looking(launch, waiting);
  }
  for (const auto& b : idle) b->runner.settle();
  for (const auto& b : waiting) b->runner.settle();
}

}  // namespace simtlab::emulator
