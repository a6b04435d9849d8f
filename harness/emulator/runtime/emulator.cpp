// The control panel (emulator.h), and what host code's accesses lead to.
#include "emulator.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <exception>
#include <new>
#include <string>
#include <utility>

#include "core/closed_memory.h"
#include "core/memory_calls.h"
#include "core/private_memory.h"
#include "runtime/boundary.h"
#include "runtime/call_targets.h"
#include "runtime/device.h"
#include "runtime/emulator_call.h"
#include "runtime/library_frames.h"
#include "runtime/machine_kernels.h"
#include "runtime/outermost_frame.h"
#include "trace/hook_state.h"
#include "trace/text_base.h"

namespace simtlab::emulator {

std::uint64_t text_base = 0;

namespace {

/// Of host code on this thread, from now on. A stack without bounds has records as far down as anybody needs.
void record_frames(const address_range& stack) {
  constexpr std::uint64_t most = std::uint64_t{256} << 20;
  const std::uint64_t bytes = std::min(stack.end - stack.begin, most);
  static const frame_records records = records_of_host(stack.end - bytes, bytes);
  if (records.stack().bytes > 0) watch_library_frames(records);
  host_stack = records.stack();
  outermost_frame::await();
}

}  // namespace

bool has_machine_code() { return machine_kernels::are_there(); }
std::string machine_code_tools() { return machine_kernels::tools(); }

bool guard_host_memory(bool on) {
  const private_allocation own;
  device& d = device::instance();
  const std::lock_guard guard(d.lock);
  if (!on) {
    stop_closing();
    d.host_memory.unguard();
    hooks.stack = host_stack = {};
    return kernels_print_apart = false;
  }
  make_lists_of_targets();
  if (!d.host_memory.guard()) return false;
  record_frames(d.host_memory.whole_stack());
  return kernels_print_apart = true;
}

void close_host_memory(bool on) {
  const private_allocation own;
  const device& d = device::instance();
  if (!on || !d.host_memory.is_guarded()) return stop_closing();
  std::vector<address_range> all = d.host_memory.variables();
  const auto of_hooks = reinterpret_cast<address>(&hooks);  // of this thread, which runs host code
  all.push_back({of_hooks, of_hooks + sizeof hooks});
  prepare_to_close(all.data(), static_cast<unsigned>(all.size()), own_code());
}

void initialisers_begin() {
#ifdef __x86_64__
  __builtin_cpu_init();  // or the compiler's own initialiser would do it once memory is closed
#endif
  allocates_privately = false;
  close_memory();
}

void* memory_for_program(std::size_t bytes) {
  void* const begin = map_privately(std::max<std::size_t>(bytes, 1), false);
  if (!protect(begin, rounded_up(std::max<std::size_t>(bytes, 1), page_bytes), PROT_READ | PROT_WRITE))
    throw std::bad_alloc();
  let_host_access(begin, bytes);
  return begin;
}

void release_memory_for_program(void* begin, std::size_t bytes) {
  unmap_privately(begin, std::max<std::size_t>(bytes, 1));
}

void let_host_access(const void* begin, std::size_t bytes) {
  device& d = device::instance();
  const std::lock_guard guard(d.lock);
  d.host_memory.hand_over(reinterpret_cast<address>(begin), bytes);
}

namespace {
bool allocated_before;  // not in the frame of a call, which stays open
}

program_call::program_call(const void* frame) {
  allocated_before = allocates_privately;
  host_ranges& ranges = device::instance().host_memory;
  ranges.set_frame(reinterpret_cast<address>(frame));
  ranges.set_outermost(0);
  outermost_frame::await();
  allocates_privately = false;
  close_stack_too({ranges.stack().begin, ranges.stack().end});
  close_memory();
}

program_call::~program_call() {
  look_at_opener(__builtin_return_address(0));
  if (open_memory()) enter_from_program();
  close_stack_too({});
  allocates_privately = allocated_before;
  device::instance().host_memory.set_outermost(0);
  outermost_frame::await();
}

namespace {

std::exception_ptr thrown;

/// Stores to nothing above its own frame while memory is closed; so nothing is thrown through its caller's frame, either.
[[gnu::noinline]] int call_below(const std::function<int()>& entry) {
  try {
    const program_call running(__builtin_frame_address(0));
    return entry();
  } catch (...) {
    thrown = std::current_exception();
    return 0;
  }
}

}  // namespace

int call_program(const std::function<int()>& entry) {
  // Between the frames of this function's callers and that of what it calls a page begins: from there on the stack is closed.
  void* const gap = __builtin_alloca(2 * page_bytes);
  asm volatile("" : : "r"(gap) : "memory");
  const int value = call_below(entry);
  if (thrown) std::rethrow_exception(std::exchange(thrown, nullptr));
  return value;
}

std::optional<schedule> schedule_from(std::string_view text) {
  if (text == "in-order") return schedule{};
  if (text == "reverse") return schedule{schedule::reverse, 0};
  if (text == "random") return schedule{schedule::random, 0};
  constexpr std::string_view random = "random:";
  if (!text.starts_with(random)) return std::nullopt;
  schedule chosen{schedule::random, 0};
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data() + random.size(), end, chosen.seed);
  if (error != std::errc{} || rest != end) return std::nullopt;
  return chosen;
}

void allocate_privately() { allocates_privately = true; }

std::vector<memory_span> closed_memory() {
  std::vector<memory_span> spans;
  for (const address_range& r : device::instance().host_memory.closed()) spans.push_back({r.begin, r.end});
  return spans;
}

void open_files_for_reports() { source_map::open_executable(); }

void configure(const options& wanted) {
  device& d = device::instance();
  const std::lock_guard guard(d.lock);
  d.settings = wanted;
  d.host.fallible_calls = 0;
}

void name_memory(const void* where, std::size_t bytes, std::string_view name) {
  device& d = device::instance();
  const std::lock_guard guard(d.lock);
  d.name_memory(where, bytes, name);
}

namespace {
host_share told(const host_work::share& s) { return {s.bytes, device::instance().sources.line_of(s.where)}; }
}  // namespace

host_share stored_by_host(const void* where, std::size_t bytes) {
  device& d = device::instance();
  const std::lock_guard guard(d.lock);
  return told(d.stored_by_host(where, bytes));
}

host_share read_by_host() {
  device& d = device::instance();
  const std::lock_guard guard(d.lock);
  return told(d.work.read());
}

std::optional<failed_launch> take_failed_launch() {
  device& d = device::instance();
  const std::lock_guard guard(d.lock);
  return std::exchange(d.asked_launch, std::nullopt);
}

namespace {
std::atomic<bool> taken_report{false};
}

report take_report(bool final) {
  taken_report = true;
  return device::instance().take_report(final);
}

bool has_taken_report() { return taken_report; }

bool has_used_device() {
  const device& d = device::instance();
  return d.host.api_calls != 0 || !d.launches.empty();
}

void on_fatal(void (*handler)(const report&)) { device::instance().fatal_handler = handler; }

void host_access(const void* where, std::uint32_t width, bool is_write, const void* return_address) {
  device& d = device::instance();
  const auto a = reinterpret_cast<address>(where);
  if (!d.touches_device_memory(a, width)) {
    if (d.may_meet_copies(a, is_write, site_at(return_address))) {
      const emulator_call inside;
      const std::lock_guard guard(d.lock);
      d.host_touches_registered(a, width, is_write, site_at(return_address));
    }
    if (!d.host_memory.is_guarded()) return;
    if (d.host_memory.allows(a, width, is_write) && !(is_write && is_in_library_frame(a, width))) return;
    const emulator_call inside;
    const std::lock_guard guard(d.lock);
    d.refuse_host_access(where, width, is_write, site_at(return_address));
  }
  if (is_memory_closed() && d.is_shared_with_host(a)) {
    if (d.noted.note(a, width, is_write, site_at(return_address))) return;
    {
      const emulator_call inside;  // takes the notes
    }
    if (d.noted.note(a, width, is_write, site_at(return_address))) return;
  }
  const emulator_call inside;
  const std::lock_guard guard(d.lock);
  if (d.is_shared_with_host(a)) {
    struct told {
      address at;
      std::uint32_t bytes;
      bool is_write;
      std::uint64_t behind;  // so many calls and launches
    };
    thread_local std::array<told, 16> last{};
    thread_local std::size_t next = 0;
    const std::uint64_t behind = d.host.api_calls + d.host.launches;
    if (makes_up && std::any_of(last.begin(), last.end(), [&](const told& t) {
          return t.behind == behind && t.at <= a && a + width <= t.at + t.bytes && (t.is_write || !is_write);
        }))
      return;
    last[next++ % last.size()] = {a, width, is_write, behind};
  }
  if (d.is_shared_with_host(a)) return d.host_code_touches(a, width, is_write, site_at(return_address));
  const memory_region* r = d.map.find(a);
  const bool symbol = !d.memory.range().contains(a);
  d.report_host(
      rule::host_access_to_device, site_at(return_address), r == nullptr ? "" : r->name,
      std::string("Host code ") + (is_write ? "writes to" : "reads from") + " device memory. " +
          (symbol ? "The host reaches a __device__ or __constant__ variable with cudaMemcpyToSymbol and "
                    "cudaMemcpyFromSymbol only."
                  : "Device memory is another memory: copy it with cudaMemcpy, or move this work into a kernel."));
}

/// That is how host code looks for a flag of a running kernel's (CUDA C++ Programming Guide, "Coherency and Concurrency").
void host_looks_at(const void* where, std::uint32_t width, const void* return_address) {
  device& d = device::instance();
  const auto at = reinterpret_cast<address>(where);
  if (!d.is_shared_with_host(at) && !d.registered_span.contains(at)) return;
  const emulator_call inside;
  const std::lock_guard guard(d.lock);
  d.host_waits_at(at, width, site_at(return_address));
}

}  // namespace simtlab::emulator

extern "C" void simtlab_initialisers_end() {
  using namespace simtlab::emulator;
  look_at_opener(__builtin_return_address(0));
  if (!open_memory()) return;
  enter_from_program();
  allocates_privately = true;
}
