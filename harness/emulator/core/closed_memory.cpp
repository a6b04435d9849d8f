#include "core/closed_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

#include "core/memory_calls.h"

namespace simtlab::emulator {

bool memory_is_closed = false;

namespace {

/// Where the processor cannot be told to stop behind one instruction, private memory stays readable.
#ifdef __x86_64__
constexpr int hidden = PROT_NONE;
#else
constexpr int hidden = PROT_READ;
#endif

/// Lies among what is closed: it changes while memory is open.
struct closing {
  bool is_on = false;
  std::array<address_range, 12> variables{};
  unsigned variable_stretches = 0;
  address_range heap, stack;  ///< as they were closed last
  std::array<address_range, 2> code{};
  std::array<address, 4> read_once{};  ///< pages that are readable for one instruction
  unsigned pages_read_once = 0;

  template <class Visit>
  void each(Visit visit) const {
    for (unsigned i = 0; i < variable_stretches; ++i) visit(variables[i]);
    visit(heap);
    visit(stack);
  }
};
constinit closing the{};

address_range whole_pages(address_range r) {
  r.begin = rounded_up(r.begin, page_bytes);
  r.end = std::max(r.begin, r.end / page_bytes * page_bytes);
  return r;
}

bool protect_range(const address_range& r, int protection) {
  return r.begin >= r.end || protect_closable(reinterpret_cast<void*>(r.begin), r.end - r.begin, protection);
}

void protect_all(int of_heap, int of_others) {
  bool done = true;
  the.each([&](const address_range& r) { done &= protect_range(r, &r == &the.heap ? of_heap : of_others); });
  if (done) return;
  constexpr std::string_view text =
      "The emulator's memory cannot be opened again: the program has used up the memory that its process may have.\n";
  static_cast<void>(write(STDERR_FILENO, text.data(), text.size()) == 0);
  std::_Exit(70);
}

}  // namespace

void prepare_to_close(const address_range* stretches, unsigned count, const std::array<address_range, 2>& code) {
  the.code = code;
  the.variable_stretches = std::min<unsigned>(count, static_cast<unsigned>(the.variables.size()));
  std::transform(stretches, stretches + the.variable_stretches, the.variables.begin(), whole_pages);
  the.is_on = true;
}

void look_at_opener(const void* return_address) {
  if (!memory_is_closed || (the.code[0].begin == the.code[0].end && the.code[1].begin == the.code[1].end)) return;
  const auto a = reinterpret_cast<address>(return_address);
  if (!the.code[0].contains(a) && !the.code[1].contains(a)) std::_Exit(70);
}

void stop_closing() {
  if (memory_is_closed) std::_Exit(70);
  the.is_on = false;
}

bool may_be_closed() { return the.is_on; }

bool is_closable(address a) {
  bool found = false;
  the.each([&](const address_range& r) { found |= r.contains(a); });
  return found;
}

bool touches_closable(address begin, std::uint64_t bytes) {
  bool found = false;
  the.each([&](const address_range& r) { found |= begin < r.end && r.begin < begin + bytes; });
  return found;
}

void close_stack_too(address_range stack) { the.stack = whole_pages(stack); }

void close_memory() {
  if (!the.is_on || memory_is_closed) return;
  the.heap = accessible_private_memory();
  memory_is_closed = true;
  protect_all(hidden, PROT_READ);
  for (unsigned i = 0; i < the.pages_read_once; ++i)
    protect_range({the.read_once[i], the.read_once[i] + page_bytes}, PROT_READ);
}

[[gnu::noinline]] bool open_memory() {  // who returns here is asked for
  if (!memory_is_closed) return false;
  look_at_opener(__builtin_return_address(0));
  protect_all(PROT_READ | PROT_WRITE, PROT_READ | PROT_WRITE);
  look_at_opener(__builtin_return_address(0));  // nor did anybody come in behind the first look
  memory_is_closed = false;
  return true;
}

bool let_read_once(address a) {
  if (hidden != PROT_NONE || memory_is_closed || !the.heap.contains(a)) return false;
  if (the.pages_read_once == the.read_once.size()) return false;
  the.read_once[the.pages_read_once++] = a / page_bytes * page_bytes;
  return true;
}

void end_reading() { the.pages_read_once = 0; }

}  // namespace simtlab::emulator
