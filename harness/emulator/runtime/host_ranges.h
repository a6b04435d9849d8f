// Which addresses host code of the program may touch.
//
// Its own: variables of its own objects, its stack, the ordinary heap and what it maps, and the memory it was handed. Not its
// own: variables of the emulator, of its embedder and of the libraries, the thread's variables behind its own, private memory
// (core/private_memory.h), and the stack above the frame that called it. Libraries' variables may be read, because inline
// functions of the standard library do so, and those that the program has copies of may be written (std::cout).
//
// A list of what is refused, so that memory the program gets from the system needs no book-keeping. Made once: at that point
// everything that is not the program's is mapped, and what comes later is either private or the program's.
#pragma once

#include <vector>

#include "core/inline_list.h"
#include "core/types.h"
#include "trace/request_emitter.h"

namespace simtlab::emulator {

class host_ranges {
 public:
  /// From now on `allows` may say no. False when the program was linked without a boundary (boundary.h).
  bool guard();
  void unguard() { guarded_ = false; }
  /// Of the thread that switched the guard on, in all; empty before.
  [[nodiscard]] address_range whole_stack() const { return whole_stack_; }
  [[nodiscard]] bool is_guarded() const { return guarded_; }

  /// The frame that calls the program: what lies above it on the stack is not the program's.
  void set_frame(address frame) { stack_.begin = frame; }
  /// The return address of the function of the program's that was called by others: there and above nothing is stored.
  void set_outermost(address place) { outermost_ = place; }
  [[nodiscard]] address outermost() const { return outermost_; }
  /// Memory that the program may access although it is private.
  void hand_over(address begin, std::uint64_t bytes) { handed_.push_back({begin, begin + bytes}); }
  void forget_handed() { handed_.clear(); }

  /// All that `allows` refuses to be written, but for the stack.
  [[nodiscard]] std::vector<address_range> closed() const;
  /// Variables of the emulator and its embedder, but for the pages of `__device__` and `__constant__` variables.
  [[nodiscard]] std::vector<address_range> variables() const;
  /// The stack above the frame that calls the program, to its top.
  [[nodiscard]] address_range stack() const { return {stack_.begin, top_of_stack_}; }
  [[nodiscard]] bool allows(address, std::uint64_t bytes, bool is_write) const;

 private:
  void add_program();
  void add_libraries();

  bool guarded_ = false;
  address_range private_;
  address top_of_stack_ = 0;
  address_range whole_stack_;
  address outermost_ = 0;
  address_range stack_;  ///< from the caller's frame to the environment's strings
  // Hooks ask while memory is closed, so nothing of this lies in private memory.
  inline_list<address_range, 16> refused_;     ///< to read and write
  inline_list<address_range, 256> read_only_;  ///< to write
  inline_list<address_range, 16> variables_;
  inline_list<address_range, 256> handed_;
};

}  // namespace simtlab::emulator
