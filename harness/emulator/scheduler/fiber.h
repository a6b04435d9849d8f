// One lane's own stack and point of execution. A fiber is resumed by the scheduler and suspends itself; it is never
// unwound: a fiber that is not resumed again is simply started anew.
//
// On x86-64 the switch is a few instructions in the functions that resume and suspend. Boost.Context's, which serves
// elsewhere, also saves the floating-point modes, which kernels never change, and it is a function: every return from
// there on was predicted for the other stack. There, too, a fiber may go on in another one without the scheduler between.
#pragma once

#include <cstddef>

#include <boost/context/detail/fcontext.hpp>

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define SIMTLAB_OWN_SWITCH
#endif

namespace simtlab::emulator {

class fiber {
 public:
  using body = void (*)(void* argument);
  /// Where a stack was left: its pointer, to which the address to go on at was pushed.
  struct context {
    void* stack_pointer = nullptr;
  };

  fiber() = default;
  fiber(const fiber&) = delete;  // the running body refers to it
  fiber& operator=(const fiber&) = delete;
#ifdef __SANITIZE_THREAD__
  ~fiber();
#else
  ~fiber() = default;
#endif

  /// `stack` is the lowest address of `bytes` of writable memory that outlives the fiber.
  void set_stack(void* stack, std::size_t bytes);
  /// The next `resume` calls `run(argument)` on a fresh stack. When `run` returns the fiber is finished.
  /// `colour` shifts the stack's top by a few cache lines (lane_stacks::unused_at_top).
  void start(body run, void* argument, unsigned colour);
  /// From the scheduler: runs the fiber until it, or one that it passed on to, suspends itself.
  void resume();
  /// From the fiber itself: back to where `resume` was called.
  void suspend();
#ifdef SIMTLAB_OWN_SWITCH
  // For code that switches by itself: it leaves `own()` and goes on in what one of these names.
  [[nodiscard]] context& own() { return own_; }
  [[nodiscard]] context& scheduler() { return scheduler_; }
  /// `next` will suspend itself to where this fiber was resumed.
  [[nodiscard]] context& pass_on(fiber& next) {
    next.scheduler_ = scheduler_;
    return next.own_;
  }
  static void switch_stacks(context& from, context& to);
#endif

  [[nodiscard]] const void* stack_bottom() const { return stack_; }

 private:
#ifdef SIMTLAB_OWN_SWITCH
  static void enter(context* own);
#else
  static void enter(boost::context::detail::transfer_t);
#endif

  context own_, scheduler_;  // or fcontext_t; a fiber begins with its own
  void* stack_ = nullptr;
  std::size_t bytes_ = 0;
#ifndef SIMTLAB_OWN_SWITCH
  body run_ = nullptr;
  void* argument_ = nullptr;
  // What the address and thread sanitizers must be told about a switch; unused without them.
  void *own_fake_stack_ = nullptr, *scheduler_fake_stack_ = nullptr;
  const void* scheduler_stack_ = nullptr;
  std::size_t scheduler_bytes_ = 0;
  void *own_thread_ = nullptr, *scheduler_thread_ = nullptr;
  unsigned starts_ = 0;
#endif
};

#ifdef SIMTLAB_OWN_SWITCH
/// Leaves the address to go on at on top of the stack that it leaves, and finds one on the other; `to` reaches the
/// function that a fresh stack begins with. The red zone of the calling function stays untouched.
[[gnu::always_inline]] inline void fiber::switch_stacks(context& from, context& to) {
  context *left = &from, *entered = &to;
  __asm__ volatile(
      "leaq -128(%%rsp), %%rsp\n\t"
      "pushq %%rbp\n\t"
      "leaq 1f(%%rip), %%rcx\n\t"
      "pushq %%rcx\n\t"
      "movq %%rsp, (%%rsi)\n\t"
      "movq (%%rdi), %%rsp\n\t"
      "popq %%rcx\n\t"
      "jmp *%%rcx\n"
      "1:\n\t"
      "popq %%rbp\n\t"
      "leaq 128(%%rsp), %%rsp"
      : "+D"(entered), "+S"(left)
      :
      : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0", "xmm1", "xmm2",
        "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15",
        "cc", "memory");
}
[[gnu::always_inline]] inline void fiber::resume() { switch_stacks(scheduler_, own_); }
[[gnu::always_inline]] inline void fiber::suspend() { switch_stacks(own_, scheduler_); }
#endif

}  // namespace simtlab::emulator
