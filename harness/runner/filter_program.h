// An assembler for filters of system calls (seccomp(2)): programs of the kernel's classic BPF over one call's number,
// arguments and instruction pointer. Every piece of code either ends with an answer or falls through to what comes next.
#pragma once

#include <linux/filter.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

namespace simtlab {

/// A stretch of memory that a call may not reach into.
struct closed_span {
  std::uintptr_t begin = 0, end = 0;
};

class filter_program {
 public:
  using code = std::vector<sock_filter>;

  // Conditions on the call; where one does not hold, the answer is EPERM.
  filter_program& argument_is(unsigned argument, std::uint64_t value);
  /// Of its lower 32 bits, those in `mask`.
  filter_program& argument_is_one_of(unsigned argument, std::initializer_list<std::uint32_t> values,
                                     std::uint32_t mask = ~0U);
  filter_program& argument_is_at_least(unsigned argument, std::uint32_t least);
  /// The stretch that was taken last lies outside all of `spans`.
  filter_program& lies_outside(const std::vector<closed_span>& spans);

  /// Takes the stretch of `bytes` from the address in `argument` on; or of as many bytes as another argument says.
  filter_program& take(unsigned argument, std::uint32_t bytes);
  filter_program& take_stretch(unsigned argument, unsigned bytes_argument);

  /// `then` for calls that return to `place`; others fall through.
  filter_program& if_returns_to(std::uintptr_t place, const filter_program& then);
  /// `then` for the call of this number; others fall through.
  filter_program& if_call(long number, const filter_program& then);
  /// For each of the calls its own code, then `last`, which all of them share; others fall through.
  filter_program& if_calls(const std::vector<std::pair<long, filter_program>>& calls, const filter_program& last);
  /// Falls through for this process's own kind of system calls only.
  filter_program& own_architecture();

  filter_program& allow();
  filter_program& refuse(int error);

  [[nodiscard]] const code& instructions() const { return code_; }

 private:
  void load(std::size_t offset);
  void add(std::uint16_t operation, std::uint32_t k, std::uint8_t yes = 0, std::uint8_t no = 0);
  void append(const filter_program& then);

  code code_;
};

}  // namespace simtlab
