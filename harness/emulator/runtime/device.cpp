#include "runtime/device.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <new>
#include <utility>

#include "report/finding_layout.h"
#include "runtime/library_frames.h"
#include "runtime/program_image.h"
#include "scheduler/interruption.h"
#include "trace/text_base.h"

namespace simtlab::emulator {
namespace {

constexpr error_code invalid_value = 1, already_registered = 712, not_registered = 713;

}  // namespace

device& device::instance() {
  // Never destroyed: kernels may run in a program's own static destructors. Among the variables, which hooks may read while memory
  // is closed (core/closed_memory.h).
  alignas(device) static std::array<std::byte, sizeof(device)> room;
  static auto* const the = new (room.data()) device;
  return *the;
}

device::device() : sources(source_map::of_this_program()), shadow(map) {
  text_base = sources.text_base();
  install_fault_handlers(&device::host_fault, memory.range().begin, memory.range().end);
  ask_about_touches({[](const fault& f, address instruction, address stack_pointer) {
                       return instance().host_reads.touched(f, instruction, stack_pointer);
                     },
                     [] { instance().host_reads.stepped(); }, &is_own_code, &opens_records});
  memory.tell_changes(&device::host_changed);
  memory.share(device_symbol_pages());
  memory.share(constant_symbol_pages());
  install_interruption_handlers(&device::host_interrupted);
  device_symbols_ = device_symbol_range();
  constant_symbols_ = constant_symbol_range();
  register_symbols();
  heap_ = map.add({0, memory_space::global, reinterpret_cast<address>(heap.begin()), device_heap::address_space,
                   "the heap of kernels", true, false, false, &heap.blocks()});
  heap.blocks().write_lines_by([this](site s) {
    const source_line line = sources.line_of(s);
    return line.line == 0 ? "" : line.file + ":" + std::to_string(line.line);
  });
}

void device::register_symbols() {
  shared_with_host_.push_back(memory.shared_range());
  for (const device_symbol& s : sources.device_symbols()) {
    const variable_id id = map.add({0, s.space, s.begin, s.bytes, s.name, true});
    if (s.space == memory_space::shared) static_shared_.push_back(&map.region(id));
    if (s.space == memory_space::global)
      shadow.initialised().mark(s.begin, s.bytes);  // a variable without initialiser is zero
    if (!is_managed_symbol(s.begin)) continue;
    pages.allocated(s.begin, s.bytes);
    shared_with_host_.push_back({s.begin, s.begin + s.bytes});
  }
  always_shared_ = shared_with_host_.size();
  dynamic_shared_ = map.add({0, memory_space::shared, dynamic_shared_window, 0, "dynamic shared memory", true});
}

void* device::allocate(std::size_t bytes, memory_kind kind, site caller) {
  void* where = memory.allocate(bytes, kind);
  if (where == nullptr) return nullptr;
  const variable_id id = map.add({0, memory_space::global, reinterpret_cast<address>(where), bytes, "", true});
  allocation_sites_[id] = caller;
  if (kind != memory_kind::device)
    shadow.initialised().mark(reinterpret_cast<address>(where), bytes);  // host writes to it are not seen
  if (kind == memory_kind::managed) pages.allocated(reinterpret_cast<address>(where), bytes);
  if (kind == memory_kind::page_locked) {
    ++page_locked_;
    return where;
  }
  ++host.allocations;
  host.allocated_bytes += bytes;
  return where;
}

error_code device::free(void* where, site caller, bool waits) {
  if (where == nullptr) return 0;
  const memory_region* r = map.find(reinterpret_cast<address>(where));
  if (r != nullptr && r->of_host) r = nullptr;
  if (arrays.find(where) != nullptr) {
    report_host(rule::invalid_free, caller, "", "This is an array's handle: cudaFreeArray releases it.");
    return invalid_value;
  }
  if (is_page_locked(reinterpret_cast<address>(where))) {
    report_host(rule::invalid_free, caller, r == nullptr ? "" : r->name,
                "This is page-locked memory of the host: what cudaMallocHost or cudaHostAlloc returned goes back to "
                "cudaFreeHost.");
    return invalid_value;
  }
  if (heap.contains(where)) {
    report_host(rule::invalid_free, caller, r->name,
                "This memory was allocated by malloc or new in a kernel, and a kernel gives it back, with free or "
                "delete: cudaFree takes what cudaMalloc returned.");
    return invalid_value;
  }
  if (r == nullptr || r->begin != reinterpret_cast<address>(where) || !memory.range().contains(r->begin)) {
    report_host(rule::invalid_free, caller, r == nullptr ? "" : r->name,
                r == nullptr
                    ? unset_by_failure("This pointer was never returned by cudaMalloc.")
                    : "This pointer lies inside an allocation; cudaFree takes the pointer that cudaMalloc returned.");
    return invalid_value;
  }
  if (!r->live) {
    report_host(rule::invalid_free, caller, r->name,
                is_managed(r->begin)
                    ? "This managed memory was already freed. A cudaMallocManaged has one cudaFree, which all pointers "
                      "to its memory share: the host's and the kernels' are the same. Set the pointer to nullptr "
                      "behind the first cudaFree: freeing that does nothing."
                    : "This device memory was already freed.",
                is_managed(r->begin) ? allocation_site(*r) : 0);
    return invalid_value;
  }
  release(*r, waits);
  ++host.frees;
  return 0;
}

error_code device::free_page_locked(void* where, site caller) {
  if (where == nullptr) return 0;
  const memory_region* r = map.find(reinterpret_cast<address>(where));
  if (r == nullptr || r->begin != reinterpret_cast<address>(where) || !is_page_locked(r->begin) || !r->live) {
    report_host(rule::invalid_free, caller, r == nullptr ? "" : r->name,
                "cudaFreeHost: this pointer was never returned by cudaMallocHost or cudaHostAlloc, or was freed "
                "before. What malloc or new returned goes back to free or delete, what cudaMalloc returned to "
                "cudaFree.");
    return invalid_value;
  }
  release(*r, true);
  --page_locked_;
  return 0;
}

error_code device::register_memory(void* where, std::size_t bytes, site caller) {
  const auto begin = reinterpret_cast<address>(where);
  const auto touches = [&](const auto& r) {
    const memory_region& known = map.region(r.second);
    return begin < known.begin + known.bytes && known.begin < begin + bytes;
  };
  if (touches_device_memory(begin, bytes)) return invalid_value;
  if (std::ranges::any_of(registered, touches)) return already_registered;
  const host_name* const named = host_names_.of(where);
  const variable_id id = map.add({.space = memory_space::global,
                                  .begin = begin,
                                  .bytes = bytes,
                                  .name = named == nullptr ? "" : named->name,
                                  .of_host = true});
  registered[begin] = id;
  allocation_sites_[id] = caller;
  shadow.initialised().mark(begin, bytes);  // host writes to it are not seen
  work.begin_sharing(begin, bytes, caller);
  note_registered();
  return 0;
}

error_code device::unregister_memory(const void* where) {
  const auto found = registered.find(reinterpret_cast<address>(where));
  if (found == registered.end())
    return is_registered(where, 1) || touches_device_memory(reinterpret_cast<address>(where), 1) ? invalid_value
                                                                                                 : not_registered;
  const memory_region& r = map.region(found->second);
  work.end_sharing(r.begin);
  shadow.initialised().forget(r.begin, r.bytes);
  map.release(r.id);
  map.withdraw(r.id);
  registered.erase(found);
  note_registered();
  return 0;
}

void device::freed_on_host(const void* where) {
  const auto found = registered.lower_bound(reinterpret_cast<address>(where));
  if (found == registered.end()) return;
  // What the program registers is often less than it allocated, from its begin on.
  constexpr address near = 64;
  if (found->first - reinterpret_cast<address>(where) >= near) return;
  work.end_sharing(found->first);
  map.release(found->second);
}

CUmemPoolHandle_st* device::pool_in_use() {
  if (default_pool == nullptr) default_pool = current_pool = pools.make();
  return current_pool;
}

void device::take_from(CUmemPoolHandle_st& pool, const void* where) {
  const memory_region& taken = *map.find(reinterpret_cast<address>(where));
  pool_of_[taken.id] = &pool;
  pool.takes(taken.bytes);
}

void device::release_of_pools() {
  pools.for_each([](CUmemPoolHandle_st& p) { p.keep(p.values[cudaMemPoolAttrReleaseThreshold]); });
}

void device::release(const memory_region& r, bool waits) {
  const arena::access open(memory);
  if (is_shared_with_host(r.begin)) work.remember(r.begin, r.bytes);
  if (waits) {
    streams.wait_for_all();
    release_of_pools();
  }
  pages.released(r.begin);
  map.release(r.id);
  if (const auto from = pool_of_.find(r.id); from != pool_of_.end()) {
    from->second->gets_back(r.bytes);
    pool_of_.erase(from);
  }
  shadow.initialised().forget(r.begin, r.bytes);
  memory.release(reinterpret_cast<void*>(r.begin), r.bytes);
}

void device::report_leaks() {
  if (sticky_error != 0) return;  // the context is lost: no cudaFree works any more
  for (std::uint32_t id = 1; id <= map.size(); ++id) {
    const memory_region& r = map.region(id);
    if (r.space != memory_space::global || !r.live || r.id == heap_ || !memory.range().contains(r.begin)) continue;
    if (is_page_locked(r.begin)) continue;  // the host's: it ends with the process
    if (!leaks_told_.insert(r.id).second) continue;
    host.leaked_bytes += r.bytes;
    report_host(rule::leak, allocation_site(r), r.name,
                std::to_string(r.bytes) +
                    (r.bytes == 1 ? " byte of device memory was" : " bytes of device memory were") +
                    " never freed. Every " +
                    (arrays.at(reinterpret_cast<const void*>(r.begin)) == nullptr
                         ? "cudaMalloc needs its cudaFree, "
                         : "cudaMallocArray needs its cudaFreeArray, ") +
                    "also on the way out after an error.");
  }
  for (const heap_blocks::leak& l : heap.blocks().take_leaks()) {
    host.leaked_bytes += l.bytes;
    report_host(rule::leak, l.where, l.name,
                counted_text(l.bytes, "byte") + " in " + counted_text(l.blocks, "allocation") + " of " +
                    counted_text(l.threads, "thread") +
                    " were never freed. What malloc or new gives to a kernel outlives the launch: each needs its free "
                    "or delete, in this kernel or in a later one, or the heap of kernels fills up "
                    "(cudaLimitMallocHeapSize).");
  }
}

void device::free_everything() {
  report_leaks();
  shadow.initialised().forget(reinterpret_cast<address>(heap.begin()), heap.reset());
  for (std::uint32_t id = 1; id <= map.size(); ++id) {
    const memory_region& r = map.region(id);
    if (!r.live || r.id == heap_ || !memory.range().contains(r.begin)) continue;
    const auto where = reinterpret_cast<void*>(r.begin);
    is_page_locked(r.begin) ? free_page_locked(where, 0) : free(where, 0);
  }
  while (!registered.empty()) unregister_memory(reinterpret_cast<const void*>(registered.begin()->first));
  arrays.end_all();
  textures.end_all();
  surfaces.end_all();
}

bool device::is_device_address(const void* where) const {
  const auto a = reinterpret_cast<address>(where);
  return (memory.range().contains(a) && !is_page_locked(a)) || device_symbols_.contains(a) ||
         constant_symbols_.contains(a);
}

bool device::touches_device_memory(address begin, std::uint64_t bytes) const {
  const address end = begin + bytes < begin ? ~address{0} : begin + bytes;
  const auto touches = [&](const address_range& r) { return begin < r.end && r.begin < end; };
  return touches(memory.range()) || touches(device_symbols_) || touches(constant_symbols_);
}

const memory_region* device::live_region(const void* where, std::size_t bytes) const {
  return map.find_live(reinterpret_cast<address>(where), bytes);
}

void device::name_memory(const void* where, std::size_t bytes, std::string_view name) {
  host_reads.watch();
  if (const memory_region* r = map.find(reinterpret_cast<address>(where)); r != nullptr && r->live && !r->of_host) {
    map.give(r->id, std::string(name));
    work.hand_over_device(reinterpret_cast<address>(where), bytes);
    return;
  }
  work.hand_over_host(where, bytes);
  host_names_.give(where, bytes, name);
}

host_work::share device::stored_by_host(const void* where, std::size_t bytes) {
  const arena::access open(memory);
  const auto a = reinterpret_cast<address>(where);
  if (is_device_address(where)) return work.stored_on_device(a, bytes);
  std::vector<address_range> holds_data;
  for (std::uint32_t id = 1; id <= map.size(); ++id)
    if (const memory_region& r = map.region(id); r.space == memory_space::global && r.live && !r.of_host)
      holds_data.push_back({r.begin, r.begin + (r.id == heap_ ? heap.used() : r.bytes)});
  return work.stored_on_host(where, bytes, holds_data);
}

copied_range device::range_of(const void* where) const {
  const auto at = reinterpret_cast<address>(where);
  if (const memory_region* r = map.find(at); r != nullptr && !r->of_host)
    return {r->name, r->id, r->bytes, at - r->begin};
  const host_name* const named = host_names_.of(where);
  if (named == nullptr) return {};
  return {named->name, 0, named->bytes, static_cast<std::uint64_t>(static_cast<const char*>(where) - named->begin)};
}

void device::name_after_copy(const memory_region& r, const void* host_side) {
  const host_name* const named = host_names_.of(host_side);
  if (named == nullptr || r.name == named->name) return;
  // An output is copied after the launches that wrote it: their counters spoke of it by the parameter's name.
  for (launch_report& launch : launches) {
    for (access_counters& a : launch.accesses)
      if (a.space == memory_space::global && !r.name.empty() && a.variable == r.name) a.variable = named->name;
  }
  map.rename(r.id, named->name);
}

void device::copy_to_device(void* to, const void* from, std::size_t bytes, site caller) {
  if (bytes == 0) return;
  const arena::access open(memory);
  const memory_region* r = live_region(to, bytes);
  const auto a = reinterpret_cast<address>(to);
  if (shadow.initialised().all(a, bytes) && std::memcmp(to, from, bytes) == 0) host.redundant_bytes += bytes;
  std::memcpy(to, from, bytes);
  shadow.initialised().mark(a, bytes);
  work.copied_to_device(a, from, bytes, caller);
  table_copies.from_host(to, from, bytes);
  if (r != nullptr && r->begin == a) name_after_copy(*r, from);
  ++host.copies_to_device;
  host.bytes_to_device += bytes;
}

void device::copy_to_host(void* to, const void* from, std::size_t bytes, site caller) {
  if (bytes == 0) return;
  const arena::access open(memory);
  if (std::memcmp(to, from, bytes) == 0) host.redundant_bytes += bytes;
  std::memcpy(to, from, bytes);
  work.copied_to_host(to, reinterpret_cast<address>(from), bytes, caller);
  const memory_region* r = live_region(from, bytes);
  if (r != nullptr && r->begin == reinterpret_cast<address>(from)) name_after_copy(*r, to);
  if (r != nullptr && r->given) table_copies.to_host(to, from, bytes);
  ++host.copies_to_host;
  host.bytes_to_host += bytes;
}

void device::copy_on_device(void* to, const void* from, std::size_t bytes) {
  const arena::access open(memory);
  std::memmove(to, from, bytes);
  shadow.initialised().mark(reinterpret_cast<address>(to), bytes);
  table_copies.on_device(to, from, bytes);
  work.copied_on_device(reinterpret_cast<address>(to), reinterpret_cast<address>(from), bytes);
  if (is_registered(to, bytes))
    work.copied_to_host(to, reinterpret_cast<address>(from), bytes,
                        allocation_site(*map.find(reinterpret_cast<address>(to))));
  host_reads.close();
}

address device::new_grid_workspace() {
  constexpr std::size_t bytes = 8;
  const arena::access open(memory);
  void* const where = heap.allocate(bytes, {});
  if (where == nullptr) return 0;
  std::memset(where, 0, bytes);
  shadow.initialised().mark(reinterpret_cast<address>(where), bytes);
  return reinterpret_cast<address>(where);
}

void device::set(void* where, int value, std::size_t bytes, site caller) {
  const arena::access open(memory);
  std::memset(where, value, bytes);
  shadow.initialised().mark(reinterpret_cast<address>(where), bytes);
  work.set(reinterpret_cast<address>(where), value, bytes, caller);
}

in_stream::in_stream(device& d, stream_handle stream) : device_(d) {
  d.stream = stream;
  d.is_asynchronous = true;
}
in_stream::~in_stream() {
  device_.stream = nullptr;
  device_.is_asynchronous = false;
}

void device::operate(stream_order::operation done) {
  const std::string what = done.what;
  overlaps_.between_streams(streams.add(stream, std::move(done)), what);
}

bool device::is_registered(const void* where, std::size_t bytes) const {
  const auto at = reinterpret_cast<address>(where);
  const auto behind = registered.upper_bound(at);
  return behind != registered.begin() && map.region(std::prev(behind)->second).contains(at, bytes);
}

void device::host_touches(address at, std::uint64_t bytes, bool is_write, site caller) {
  work.accessed_managed(at, bytes, is_write, caller);
  if (const std::uint64_t moved = pages.touched(page_place::host, at, bytes); moved > 0)
    streams.host_spends(timeline::over_the_bus(moved * managed_pages::page_bytes));
  if (!streams.may_run() || callbacks > 0 || sticky_error != 0) return;  // after that error no call waits
  footprint touched;
  touched.add(caller, is_write ? access::write : access::read, at, bytes);
  overlaps_.with_host(streams.of_host(touched));
}

void device::host_touches_registered(address at, std::uint64_t bytes, bool is_write, site caller) {
  if (sticky_error != 0) return;
  last_registered_ = {at, is_write, caller, host.api_calls + host.launches};
  footprint touched;
  touched.add(caller, is_write ? access::write : access::read, at, bytes);
  overlaps_.with_host(streams.of_host(touched));
}

void device::note_registered() {
  registered_span = {};
  shared_with_host_.resize(always_shared_);
  for (const auto& [begin, id] : registered) {
    const address end = begin + map.region(id).bytes;
    shared_with_host_.push_back({begin, end});
    if (registered_span.begin == 0) registered_span.begin = begin;
    registered_span.end = std::max(registered_span.end, end);
  }
}

void device::host_code_touches(address at, std::uint64_t bytes, bool is_write, site caller) {
  for (address a = at; a < at + bytes;) {  // neighbouring variables may be one stretch of accesses
    const memory_region* const r = map.find(a);
    if (r == nullptr || !r->live) {
      report_host_outside(a, at + bytes, is_write, caller);
      break;
    }
    a = r->begin + r->bytes;
  }
  host_touches(at, bytes, is_write, caller);
}

void device::host_waits_at(address at, std::uint64_t bytes, site caller) {
  if (!streams.may_run()) return;
  footprint looked_at;
  looked_at.add(caller, access::write, at, bytes);  // which meets readers as well
  streams.wait_for_what_touches(looked_at);
}

void device::prefetch(page_place to, const void* where, std::size_t bytes, stream_handle in) {
  look_for_host_stores();
  const std::uint64_t moved = managed_pages::page_bytes * pages.prefetched(to, reinterpret_cast<address>(where), bytes);
  if (moved == 0) return;
  const timed_operation_kind kind =
      to == page_place::device ? timed_operation_kind::to_device : timed_operation_kind::to_host;
  overlaps_.between_streams(streams.add(in, {"", {}, kind, moved, timeline::over_the_bus(moved), true, {}}), "");
}

void device::look_for_host_stores() {
  if (shares_memory()) const arena::access open(memory);
}

error_code device::record(error_code e) {
  if (e != 0) last_error = e;
  return e;
}

bool device::must_fail() { return settings.fail_api_call != 0 && ++host.fallible_calls == settings.fail_api_call; }

error_code device::inject(failure how, std::string call, site where) {
  host.injected_call = std::move(call);
  host.injected_at = sources.line_of(where);
  return host.injected_error = static_cast<int>(how);
}

void device::report_host(rule what, site caller, std::string variable, std::string message, site allocated) {
  if (!findings.first_time(what, caller, 0, 0)) return;
  raw_finding found{what, "", std::move(variable), {caller, false, {}, {}, ""}, {}, std::move(message)};
  if (allocated != 0) found.second = {allocated, false, {}, {}, "allocated it here"};
  findings.add(std::move(found), 0);
}

std::string device::unset_by_failure(std::string otherwise) const {
  return host.injected_error == 0
             ? std::move(otherwise)
             : "An earlier call failed, as this case makes it, and left this pointer unset: check what each call "
               "returns before you go on.";
}

site device::allocation_site(const memory_region& r) const {
  const auto at = allocation_sites_.find(r.id);
  return at == allocation_sites_.end() ? 0 : at->second;
}

std::size_t device::shared_limit(const void* function) const {
  const auto raised = shared_limits_.find(function);
  return raised == shared_limits_.end() ? settings.gpu->shared_per_block : raised->second;
}

const memory_region* device::unasked_symbol(address a) const {
  if (!device_symbols_.contains(a) && !constant_symbols_.contains(a)) return nullptr;
  if (is_managed_symbol(a)) return nullptr;
  const memory_region* r = map.find(a);
  return r == nullptr || asked_symbols_.contains(r) ? nullptr : r;
}

void device::report_unasked_launch() {
  if (!std::exchange(unasked_launch_error, false)) return;
  std::string text = "The launch of " + failed_kernel + " failed";
  if (!failed_launch_reason.empty()) text += ": " + failed_launch_reason;
  if (text.back() != '?') text += ".";
  report_host(rule::unchecked_error, failed_launch_site, "",
              text + " Nothing ran. (The program did not ask: cudaGetLastError() after the launch returns the error.)");
}

void device::note_asked_launch() {
  if (!std::exchange(unasked_launch_error, false) || failed_launch_reason.empty()) return;
  if (asked_launch) return;
  asked_launch = {sources.line_of(failed_launch_site), "The launch of " + failed_kernel +
                                                           " failed: " + failed_launch_reason +
                                                           (failed_launch_reason.back() == '?' ? "" : ".")};
}

report device::take_report(bool final) {
  const std::lock_guard guard(lock);
  if (final && streams.may_run() && sticky_error == 0) overlaps_.unfinished_copies(streams);
  if (final) report_leaks();
  report_unasked_launch();
  report result;
  result.gpu = settings.gpu->name;
  result.launches = std::exchange(launches, {});
  result.findings = findings.take([this](site s) { return sources.line_of(s); }, settings.severities,
                                  [this](site s) { return sources.path_of(s); });
  result.source_files = sources.named_files();
  const timeline::overlap overlap = streams.times().overlapped_copies();
  host.stream_copy_bytes = overlap.bytes;
  host.overlapped_copy_bytes = overlap.overlapped;
  host.timeline = streams.times().operations();
  for (timed_operation& o : host.timeline)
    if (o.copy.code_offset != 0) o.copy.where = sources.line_of(o.copy.code_offset);
  streams.times().forget();
  result.host = std::exchange(host, {});
  work.restart();
  table_copies.forget();
  if (final) {
    work.forget_handed();
    host_memory.forget_handed();
  }
  return result;
}

void device::host_changed(address begin, std::uint64_t bytes, site where) {
  instance().host_touches(begin, bytes, true, where);
}

void device::take_noted_accesses() {
  noted.take(
      [this](const managed_accesses::stretch& s) { host_code_touches(s.begin, s.end - s.begin, s.is_write, s.first); });
}

}  // namespace simtlab::emulator
