#include "runtime/device_heap.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "core/private_memory.h"
#include "runtime/device.h"
#include "runtime/emulator_call.h"
#include "runtime/library_frames.h"
#include "trace/hook_state.h"
#include "trace/text_base.h"

namespace simtlab::emulator {

namespace {

/// What a block takes of the heap, and of its limit.
constexpr std::size_t taken_by(std::size_t bytes) {
  return (std::max(bytes, std::size_t{1}) + device_heap::alignment - 1) / device_heap::alignment *
         device_heap::alignment;
}

}  // namespace

void* device_heap::allocate(std::size_t bytes, const heap_blocks::origin& from) {
  const private_allocation own;
  const std::lock_guard guard(lock_);
  const std::size_t taken = taken_by(bytes);
  if (taken < bytes || taken > limit_ - std::min(limit_, live_bytes_)) return nullptr;
  const std::size_t advance = taken_by(std::max(bytes, std::size_t{1}) + gap);
  if (advance > address_space - next_) return nullptr;
  if (!std::exchange(is_used_, true)) device::instance().memory.use_stretch(begin_, address_space);
  void* where = begin_ + next_;
  next_ += advance;
  live_bytes_ += taken;
  blocks_.add(reinterpret_cast<address>(where), bytes, from);
  return where;
}

bool device_heap::free(void* where, site caller) {
  const private_allocation own;
  const std::lock_guard guard(lock_);
  const heap_block* const freed = contains(where) ? blocks_.release(reinterpret_cast<address>(where), caller) : nullptr;
  if (freed == nullptr) return false;
  live_bytes_ -= taken_by(freed->bytes);
  return true;
}

std::string device_heap::refusal(const void* where) const {
  const private_allocation own;
  const auto at = reinterpret_cast<address>(where);
  const heap_block* const inside = contains(where) ? blocks_.find(at) : nullptr;
  const heap_block* const freed = contains(where) ? blocks_.at(at) : nullptr;
  if (freed != nullptr) {
    const std::string line = blocks_.line(freed->freed_at);
    return "The kernel frees " + blocks_.name(*freed) + " once more: it was freed" +
           (line.empty() ? " before" : " at " + line) +
           ". Of several threads that share memory one frees it; set the pointer to nullptr behind that: freeing "
           "nullptr does nothing.";
  }
  if (inside != nullptr)
    return "The kernel frees a place " + std::to_string(at - inside->begin) + " bytes inside of " +
           blocks_.name(*inside) + ". free and delete take the pointer that malloc or new returned.";
  return "The kernel frees what no malloc or new of a kernel returned. What cudaMalloc returned goes back to cudaFree "
         "in "
         "host code, and a variable is never freed.";
}

std::size_t device_heap::reset() {
  const private_allocation own;
  const std::lock_guard guard(lock_);
  blocks_.clear();
  live_bytes_ = 0;
  return std::exchange(next_, first_gap);
}

std::size_t device_heap::reset_if_worn() { return live_bytes_ == 0 && next_ > quarantine ? reset() : 0; }

namespace {

/// Whether a kernel's thread allocates or frees, at the frame that begins at `frame`. If host code does, the C library's heap is
/// next, whose lists the program may have written over.
bool in_kernel(const void* frame) {
  const worker* w = worker::current();
  if (w != nullptr && w->in_lane()) return true;
  if (is_memory_closed()) note_library_call(reinterpret_cast<address>(frame) - sizeof(address));
  return false;
}

void* allocate_in_kernel(std::size_t bytes, const void* return_address) {
  worker& w = *worker::current();
  const launch_info& launch = w.launch().info;
  return device::instance().heap.allocate(
      bytes, {site_at(return_address), launch.kernel, launch.ordinal, w.block().index, w.running_thread()});
}

void free_in_kernel(void* where, const void* return_address) {
  if (where == nullptr) return;
  device_heap& heap = device::instance().heap;
  if (heap.free(where, site_at(return_address))) return log_free(where, return_address);
  worker::current()->end_lane(rule::invalid_free, site_at(return_address), heap.refusal(where),
                              stop_reason::illegal_address);
}

/// Host code gives back, with free or delete, what it can't have allocated.
bool freed_by_host(void* where, const void* return_address) {
  device& d = device::instance();
  const bool is_page_locked = d.is_page_locked(reinterpret_cast<address>(where));
  if (d.registered_span.begin != 0) {
    const emulator_call inside;
    const std::lock_guard guard(d.lock);
    d.freed_on_host(where);
  }
  if (!d.is_device_address(where) && !is_page_locked) return false;
  const emulator_call inside;
  const std::lock_guard guard(d.lock);
  d.report_host(rule::invalid_free, site_at(return_address), "",
                is_page_locked ? "Host code frees page-locked memory with free or delete; cudaFreeHost gives back what "
                                 "cudaMallocHost or cudaHostAlloc returned."
                               : "Host code frees device memory with free or delete; cudaFree gives back what "
                                 "cudaMalloc returned.");
  return true;
}

}  // namespace
}  // namespace simtlab::emulator

using namespace simtlab::emulator;

#define SIMTLAB_CALLER __builtin_return_address(0)

extern "C" {

// What the assembly rewriter makes of malloc, free, operator new and operator delete in the program's CUDA files.
void* simtlab_malloc(std::size_t bytes) {
  return in_kernel(__builtin_dwarf_cfa()) ? allocate_in_kernel(bytes, SIMTLAB_CALLER) : std::malloc(bytes);  // NOLINT
}
void simtlab_free(void* where) {
  if (in_kernel(__builtin_dwarf_cfa())) return free_in_kernel(where, SIMTLAB_CALLER);
  if (!freed_by_host(where, SIMTLAB_CALLER)) std::free(where);  // NOLINT
}
void* simtlab_new(std::size_t bytes) {
  return in_kernel(__builtin_dwarf_cfa()) ? allocate_in_kernel(bytes, SIMTLAB_CALLER) : ::operator new(bytes);
}
void simtlab_delete(void* where) {
  if (in_kernel(__builtin_dwarf_cfa())) return free_in_kernel(where, SIMTLAB_CALLER);
  if (!freed_by_host(where, SIMTLAB_CALLER)) ::operator delete(where);
}

/// An array's size is negative, or beyond all memory.
[[noreturn]] void simtlab_bad_array_size() {
  if (in_kernel(__builtin_dwarf_cfa()))
    worker::current()->end_lane(rule::invalid_address, site_at(SIMTLAB_CALLER),
                                "new is asked for an array of a negative size, or of more bytes than there are. On a "
                                "GPU it returns a null pointer. Where does the size come from?",
                                stop_reason::illegal_address);
  __cxxabiv1::__cxa_throw_bad_array_new_length();
}

}  // extern "C"
