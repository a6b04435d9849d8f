#include "scheduler/fiber.h"

#include <cstdint>
#include <cstdlib>

#include "core/lane_stacks.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

namespace simtlab::emulator {

#ifndef SIMTLAB_OWN_SWITCH
using namespace boost::context::detail;
#endif

#ifdef __SANITIZE_THREAD__
fiber::~fiber() {
  if (own_thread_ != nullptr) __tsan_destroy_fiber(own_thread_);
}
#endif

void fiber::set_stack(void* stack, std::size_t bytes) {
  stack_ = stack;
  bytes_ = bytes;
}

void fiber::start(body run, void* argument, unsigned colour) {
  const std::size_t shift = lane_stacks::unused_at_top(colour);
  char* top = static_cast<char*>(stack_) + bytes_ - shift;
#ifdef __SANITIZE_ADDRESS__
  __asan_unpoison_memory_region(stack_, bytes_);  // an abandoned body leaves its red zones behind
#endif
#ifdef __SANITIZE_THREAD__
  // A body that ends leaves the calls of its begin in ThreadSanitizer's stack, which has room for 65,535.
  constexpr unsigned most_starts = 4096;
  if (own_thread_ != nullptr && ++starts_ % most_starts == 0) {
    __tsan_destroy_fiber(own_thread_);
    own_thread_ = nullptr;
  }
  if (own_thread_ == nullptr) own_thread_ = __tsan_create_fiber(0);
#endif
#ifdef SIMTLAB_OWN_SWITCH
  // As if called: the stack is aligned when the address to begin at is taken off, and nobody is returned to.
  auto* const begin = reinterpret_cast<void**>(reinterpret_cast<std::uintptr_t>(top) & ~std::uintptr_t{15}) - 4;
  begin[0] = reinterpret_cast<void*>(&fiber::enter);
  begin[1] = nullptr;
  begin[2] = reinterpret_cast<void*>(run);
  begin[3] = argument;
  own_.stack_pointer = begin;
#else
  run_ = run;
  argument_ = argument;
  own_.stack_pointer = make_fcontext(top, bytes_ - shift, &fiber::enter);
#endif
}

#ifdef SIMTLAB_OWN_SWITCH
void fiber::enter(context* own) {
  void* const* const begin = static_cast<void**>(own->stack_pointer);
  reinterpret_cast<body>(begin[2])(begin[3]);
  reinterpret_cast<fiber*>(own)->suspend();
  std::abort();  // a finished fiber is never resumed
}
#else
void fiber::resume() {
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_start_switch_fiber(&scheduler_fake_stack_, stack_, bytes_);
#endif
#ifdef __SANITIZE_THREAD__
  scheduler_thread_ = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(own_thread_, 0);
#endif
  own_.stack_pointer = jump_fcontext(own_.stack_pointer, this).fctx;
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_finish_switch_fiber(scheduler_fake_stack_, nullptr, nullptr);
#endif
}

void fiber::suspend() {
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_start_switch_fiber(&own_fake_stack_, scheduler_stack_, scheduler_bytes_);
#endif
#ifdef __SANITIZE_THREAD__
  __tsan_switch_to_fiber(scheduler_thread_, 0);
#endif
  scheduler_.stack_pointer = jump_fcontext(scheduler_.stack_pointer, nullptr).fctx;
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_finish_switch_fiber(own_fake_stack_, &scheduler_stack_, &scheduler_bytes_);
#endif
}

void fiber::enter(transfer_t from) {
  auto* self = static_cast<fiber*>(from.data);
  self->scheduler_.stack_pointer = from.fctx;
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_finish_switch_fiber(nullptr, &self->scheduler_stack_, &self->scheduler_bytes_);
#endif
  self->run_(self->argument_);
  self->suspend();
  std::abort();  // a finished fiber is never resumed
}
#endif

}  // namespace simtlab::emulator
