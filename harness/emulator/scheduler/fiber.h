// One lane's own stack and point of execution. A fiber is resumed by the scheduler and suspends itself; it is never
// unwound: a fiber that is not resumed again is simply started anew.
//
// On x86-64 the switch is a few instructions in the functions that resume and suspend. Boost.Context's, which serves
// elsewhere, also saves the floating-point modes, which kernels never change, and it is a function: every return from
// there on was predicted for the other stack. Inlined, a lane's return to its kernel is predicted from the lane before it.
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
  /// `colour` shifts the stack's top by a few cache lines, so that many fibers do not meet in the same cache sets.
  void start(body run, void* argument, unsigned colour);
  /// From the scheduler: runs the fiber until it suspends itself or finishes.
  void resume();
  /// From the fiber itself: back to where `resume` was called.
  void suspend();

  [[nodiscard]] const void* stack_bottom() const { return stack_; }
  [[nodiscard]] std::size_t stack_bytes() const { return bytes_; }

 private:
#ifdef SIMTLAB_OWN_SWITCH
  static void enter(fiber* self);
  static void switch_stacks(void** from, void* to, fiber* self);
#else
  static void enter(boost::context::detail::transfer_t);
#endif

  void* stack_ = nullptr;
  std::size_t bytes_ = 0;
  void *own_ = nullptr, *scheduler_ = nullptr;  // stack pointers, or fcontext_t
  body run_ = nullptr;
  void* argument_ = nullptr;
  // What the address and thread sanitizers must be told about a switch; unused without them.
  void *own_fake_stack_ = nullptr, *scheduler_fake_stack_ = nullptr;
  const void* scheduler_stack_ = nullptr;
  std::size_t scheduler_bytes_ = 0;
  void *own_thread_ = nullptr, *scheduler_thread_ = nullptr;
};

#ifdef SIMTLAB_OWN_SWITCH
/// Leaves the address to go on at on top of the stack that it leaves, and finds one on the other; `self` reaches the
/// function that a fresh stack begins with. The red zone of the calling function stays untouched.
[[gnu::always_inline]] inline void fiber::switch_stacks(void** from, void* to, fiber* self) {
  __asm__ volatile(
      "leaq -128(%%rsp), %%rsp\n\t"
      "pushq %%rbp\n\t"
      "leaq 1f(%%rip), %%rcx\n\t"
      "pushq %%rcx\n\t"
      "movq %%rsp, (%%rsi)\n\t"
      "movq %%rdx, %%rsp\n\t"
      "popq %%rcx\n\t"
      "jmp *%%rcx\n"
      "1:\n\t"
      "popq %%rbp\n\t"
      "leaq 128(%%rsp), %%rsp"
      : "+D"(self), "+S"(from), "+d"(to)
      :
      : "rax", "rbx", "rcx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0", "xmm1", "xmm2", "xmm3",
        "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "cc",
        "memory");
}
[[gnu::always_inline]] inline void fiber::resume() { switch_stacks(&scheduler_, own_, this); }
[[gnu::always_inline]] inline void fiber::suspend() { switch_stacks(&own_, scheduler_, this); }
#endif

}  // namespace simtlab::emulator
