#include "runner/filter_program.h"

#include <linux/audit.h>
#include <linux/seccomp.h>

#include <cerrno>

namespace simtlab {
namespace {

constexpr std::size_t low_half(unsigned argument) { return offsetof(seccomp_data, args) + 8 * argument; }
constexpr std::size_t high_half(unsigned argument) { return low_half(argument) + 4; }  // both kinds of processors
constexpr std::uint32_t low(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
constexpr std::uint32_t high(std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32); }

#ifdef __x86_64__
constexpr std::uint32_t architecture = AUDIT_ARCH_X86_64;
#else
constexpr std::uint32_t architecture = AUDIT_ARCH_AARCH64;
#endif

constexpr std::uint16_t add_constant = BPF_ALU;  // BPF_ADD and BPF_K are 0

// Words of the program's memory: begin and end of a stretch.
enum scratch : std::uint32_t { begin_low, begin_high, end_low, end_high };

}  // namespace

void filter_program::add(std::uint16_t operation, std::uint32_t k, std::uint8_t yes, std::uint8_t no) {
  code_.push_back({operation, yes, no, k});
}

void filter_program::load(std::size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)); }

void filter_program::append(const filter_program& then) {
  code_.insert(code_.end(), then.code_.begin(), then.code_.end());
}

filter_program& filter_program::argument_is(unsigned argument, std::uint64_t value) {
  load(low_half(argument));
  add(BPF_JMP | BPF_JEQ | BPF_K, low(value), 1, 0);
  refuse(EPERM);
  load(high_half(argument));
  add(BPF_JMP | BPF_JEQ | BPF_K, high(value), 1, 0);
  return refuse(EPERM);
}

filter_program& filter_program::argument_is_one_of(unsigned argument, std::initializer_list<std::uint32_t> values,
                                                   std::uint32_t mask) {
  load(low_half(argument));
  add(BPF_ALU | BPF_AND | BPF_K, mask);
  auto left = static_cast<std::uint8_t>(values.size());
  for (const std::uint32_t value : values) add(BPF_JMP | BPF_JEQ | BPF_K, value, left--, 0);
  return refuse(EPERM);
}

filter_program& filter_program::argument_is_at_least(unsigned argument, std::uint32_t least) {
  load(low_half(argument));
  add(BPF_JMP | BPF_JGE | BPF_K, least, 1, 0);
  return refuse(EPERM);
}

// A stretch is outside of a span when it begins at its end or later, or ends at its begin or before.
filter_program& filter_program::lies_outside(const std::vector<closed_span>& spans) {
  for (const closed_span& span : spans) {
    add(BPF_LD | BPF_MEM, begin_high);
    add(BPF_JMP | BPF_JGT | BPF_K, high(span.end), 10, 0);
    add(BPF_JMP | BPF_JEQ | BPF_K, high(span.end), 0, 2);
    add(BPF_LD | BPF_MEM, begin_low);
    add(BPF_JMP | BPF_JGE | BPF_K, low(span.end), 7, 0);
    add(BPF_LD | BPF_MEM, end_high);
    add(BPF_JMP | BPF_JGT | BPF_K, high(span.begin), 4, 0);
    add(BPF_JMP | BPF_JEQ | BPF_K, high(span.begin), 0, 4);
    add(BPF_LD | BPF_MEM, end_low);
    add(BPF_JMP | BPF_JGT | BPF_K, low(span.begin), 1, 0);
    add(BPF_JMP | BPF_JA, 1);
    refuse(EPERM);
  }
  return *this;
}

filter_program& filter_program::take(unsigned argument, std::uint32_t bytes) {
  load(high_half(argument));
  add(BPF_ST, begin_high);
  add(BPF_ST, end_high);  // of so few bytes that only the lower half can grow
  load(low_half(argument));
  add(BPF_ST, begin_low);
  add(add_constant, bytes);
  add(BPF_ST, end_low);
  add(BPF_JMP | BPF_JGE | BPF_K, bytes, 3, 0);
  add(BPF_LD | BPF_MEM, end_high);
  add(add_constant, 1);
  add(BPF_ST, end_high);
  return *this;
}

filter_program& filter_program::take_stretch(unsigned argument, unsigned bytes_argument) {
  load(high_half(argument));
  add(BPF_ST, begin_high);
  add(BPF_MISC | BPF_TAX, 0);
  load(high_half(bytes_argument));
  add(BPF_ALU | BPF_ADD | BPF_X, 0);
  add(BPF_ST, end_high);
  load(low_half(argument));
  add(BPF_ST, begin_low);
  add(BPF_MISC | BPF_TAX, 0);
  load(low_half(bytes_argument));
  add(BPF_ALU | BPF_ADD | BPF_X, 0);
  add(BPF_ST, end_low);
  add(BPF_JMP | BPF_JGE | BPF_X, 0, 3, 0);  // no carry: the sum is no less than what was added to
  add(BPF_LD | BPF_MEM, end_high);
  add(add_constant, 1);
  add(BPF_ST, end_high);
  return *this;
}

filter_program& filter_program::if_returns_to(std::uintptr_t place, const filter_program& then) {
  const auto beyond = static_cast<std::uint32_t>(then.code_.size());
  load(offsetof(seccomp_data, instruction_pointer));
  add(BPF_JMP | BPF_JEQ | BPF_K, low(place), 1, 0);
  add(BPF_JMP | BPF_JA, beyond + 3);
  load(offsetof(seccomp_data, instruction_pointer) + 4);
  add(BPF_JMP | BPF_JEQ | BPF_K, high(place), 1, 0);
  add(BPF_JMP | BPF_JA, beyond);
  append(then);
  return *this;
}

filter_program& filter_program::if_call(long number, const filter_program& then) {
  load(offsetof(seccomp_data, nr));
  add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number), 1, 0);
  add(BPF_JMP | BPF_JA, static_cast<std::uint32_t>(then.code_.size()));
  append(then);
  return *this;
}

filter_program& filter_program::if_calls(const std::vector<std::pair<long, filter_program>>& calls,
                                         const filter_program& last) {
  filter_program all;  // made from its end, since every jump to `last` has to know how far that is
  all.add(BPF_JMP | BPF_JA, static_cast<std::uint32_t>(last.code_.size()));
  for (std::size_t i = calls.size(); i-- > 0;) {
    filter_program own = calls[i].second;
    own.add(BPF_JMP | BPF_JA, static_cast<std::uint32_t>(all.code_.size()));
    filter_program with_own;
    with_own.if_call(calls[i].first, own);
    with_own.append(all);
    all = std::move(with_own);
  }
  append(all);
  append(last);
  return *this;
}

filter_program& filter_program::own_architecture() {
  load(offsetof(seccomp_data, arch));
  add(BPF_JMP | BPF_JEQ | BPF_K, architecture, 1, 0);
  return refuse(EPERM);
}

filter_program& filter_program::allow() {
  add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  return *this;
}

filter_program& filter_program::refuse(int error) {
  add(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error));
  return *this;
}

}  // namespace simtlab
