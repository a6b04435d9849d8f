#include "core/closed_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

#include "core/memory_calls.h"

namespace simtlab::emulator {
namespace {

constexpr address page_bytes = 4096;

/// Lies among what is closed: it changes while memory is open.
struct closing {
  bool is_on = false, is_closed = false;
  std::array<private_range, 8> variables{};
  unsigned variable_stretches = 0;
  private_range heap, stack;  ///< as they were closed last
  private_range code;

  template <class Visit>
  void each(Visit visit) const {
    for (unsigned i = 0; i < variable_stretches; ++i) visit(variables[i]);
    visit(heap);
    visit(stack);
  }
};
constinit closing the{};

private_range whole_pages(private_range r) {
  r.begin = rounded_up(r.begin, page_bytes);
  r.end = std::max(r.begin, r.end / page_bytes * page_bytes);
  return r;
}

void protect_all(int protection) {
  bool done = true;
  the.each([&](const private_range& r) {
    if (r.begin < r.end) done &= protect(reinterpret_cast<void*>(r.begin), r.end - r.begin, protection);
  });
  if (done) return;
  constexpr std::string_view text =
      "The emulator's memory cannot be opened again: the program has used up the memory that its process may have.\n";
  static_cast<void>(write(STDERR_FILENO, text.data(), text.size()) == 0);
  std::_Exit(70);
}

}  // namespace

void prepare_to_close(const private_range* stretches, unsigned count, private_range code) {
  the.code = code;
  the.variable_stretches = std::min<unsigned>(count, static_cast<unsigned>(the.variables.size()));
  std::transform(stretches, stretches + the.variable_stretches, the.variables.begin(), whole_pages);
  the.is_on = true;
}

void look_at_opener(const void* return_address) {
  if (the.is_closed && the.code.begin != the.code.end && !the.code.contains(reinterpret_cast<address>(return_address)))
    std::_Exit(70);
}

void stop_closing() {
  if (the.is_closed) std::_Exit(70);
  the.is_on = false;
}

bool may_be_closed() { return the.is_on; }
bool is_memory_closed() { return the.is_closed; }

bool is_closable(address a) {
  bool found = false;
  the.each([&](const private_range& r) { found |= r.contains(a); });
  return found;
}

void close_stack_too(private_range stack) { the.stack = whole_pages(stack); }

void close_memory() {
  if (!the.is_on || the.is_closed) return;
  the.heap = accessible_private_memory();
  the.is_closed = true;
  protect_all(PROT_READ);
}

bool open_memory() {
  if (!the.is_closed) return false;
  look_at_opener(__builtin_return_address(0));
  protect_all(PROT_READ | PROT_WRITE);
  the.is_closed = false;
  return true;
}

}  // namespace simtlab::emulator
