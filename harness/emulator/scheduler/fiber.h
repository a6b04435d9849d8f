// One lane's own stack and point of execution. A fiber is resumed by the scheduler and suspends itself; it is never
// unwound: a fiber that is not resumed again is simply started anew.
#pragma once

#include <cstddef>

#include <boost/context/detail/fcontext.hpp>

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
  static void enter(boost::context::detail::transfer_t);

  void* stack_ = nullptr;
  std::size_t bytes_ = 0;
  boost::context::detail::fcontext_t own_ = nullptr, scheduler_ = nullptr;
  body run_ = nullptr;
  void* argument_ = nullptr;
  // What the address and thread sanitizers must be told about a switch; unused without them.
  void *own_fake_stack_ = nullptr, *scheduler_fake_stack_ = nullptr;
  const void* scheduler_stack_ = nullptr;
  std::size_t scheduler_bytes_ = 0;
  void *own_thread_ = nullptr, *scheduler_thread_ = nullptr;
};

}  // namespace simtlab::emulator
