#include "runtime/host_ranges.h"

#include <link.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>

#include "core/private_memory.h"
#include "runtime/arena.h"
#include "runtime/boundary.h"
#include "runtime/program_image.h"

// The linker's names for the parts of a program.
extern "C" {
extern char __data_start[] __attribute__((weak));  // NOLINT(bugprone-reserved-identifier)
extern char __bss_start[] __attribute__((weak));   // NOLINT(bugprone-reserved-identifier)
}

namespace simtlab::emulator {
namespace {

address at(const char* p) { return reinterpret_cast<address>(p); }

bool overlaps(const address_range& r, address begin, address end) { return begin < r.end && r.begin < end; }

bool any_overlaps(const auto& ranges, address begin, address end) {
  return std::any_of(ranges.begin(), ranges.end(), [&](const address_range& r) { return overlaps(r, begin, end); });
}

/// Calls `visit(object, segment, range)` for every segment of every loaded object, the program's own first.
template <class Visit>
void each_segment(Visit visit) {
  struct walk {
    Visit& visit;
    int object = 0;
  } state{visit};
  dl_iterate_phdr(
      [](dl_phdr_info* program, std::size_t, void* data) {
        auto& w = *static_cast<walk*>(data);
        for (int i = 0; i < program->dlpi_phnum; ++i) {
          const auto& p = program->dlpi_phdr[i];
          const address base =
              p.p_type == PT_TLS ? reinterpret_cast<address>(program->dlpi_tls_data) : program->dlpi_addr + p.p_vaddr;
          w.visit(w.object, p, address_range{base, base + p.p_memsz});
        }
        ++w.object;
        return 0;
      },
      &state);
}

address_range stack_of_thread() {
  pthread_attr_t attributes;
  void* lowest = nullptr;
  std::size_t bytes = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return {};
  pthread_attr_getstack(&attributes, &lowest, &bytes);
  pthread_attr_destroy(&attributes);
  return {reinterpret_cast<address>(lowest), reinterpret_cast<address>(lowest) + bytes};
}

/// Where the strings of the environment begin, which the system puts at the top of the stack; `top` when there are none.
address begin_of_environment(address top) {
  address lowest = top;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable)
    if (at(*variable) < top && at(*variable) > top - (std::size_t{1} << 20)) lowest = std::min(lowest, at(*variable));
  return lowest;
}

}  // namespace

bool host_ranges::guard() {
  if (simtlab_find_boundary == nullptr) return false;
  private_ = private_memory();
  whole_stack_ = stack_of_thread();
  const address top = whole_stack_.end, environment = begin_of_environment(top);
  stack_ = {environment, environment};
  top_of_stack_ = top;
  refused_.clear();
  variables_.clear();
  read_only_.clear();
  read_only_.push_back({environment, top});
  add_program();
  add_libraries();
  guarded_ = true;
  return true;
}

void host_ranges::add_program() {
  const simtlab_boundary own = simtlab_find_boundary();
  each_segment([&](int object, const auto& segment, const address_range& r) {
    if (object != 0) return;
    if (segment.p_type == PT_LOAD && (segment.p_flags & PF_W) != 0) {
      // Tables of the linker and loader | own data | others' data | copies of libraries' variables, own zeroed | others'.
      read_only_.push_back({r.begin, std::max(r.begin, at(__data_start))});
      refused_.push_back({at(own.data), at(__bss_start)});
      refused_.push_back({at(own.zeroed), r.end});
      // In whole pages: the boundary's objects begin and end where pages do, and so do the zeroed variables, since one of them
      // is aligned so. Behind the last of those the page is nobody's.
      constexpr address page = arena::page;
      variables_.push_back({at(own.data), rounded_up(at(__bss_start), page)});
      variables_.push_back({at(own.zeroed), rounded_up(r.end, page)});
    } else if (segment.p_type == PT_TLS) {
      refused_.push_back({at(own.thread_data), r.begin + segment.p_filesz});
      refused_.push_back({at(own.thread_zeroed), r.end});
    }
  });
}

void host_ranges::add_libraries() {
  each_segment([&](int object, const auto& segment, const address_range& r) {
    if (object != 0 && segment.p_type == PT_LOAD && (segment.p_flags & PF_W) != 0) read_only_.push_back(r);
  });
}

std::vector<address_range> host_ranges::variables() const {
  std::vector<address_range> all(variables_.begin(), variables_.end());
  for (const address_range& shared : {device_symbol_pages(), constant_symbol_pages()}) {
    if (shared.begin >= shared.end) continue;
    const auto around = std::ranges::find_if(
        all, [&](const address_range& r) { return shared.begin >= r.begin && shared.end <= r.end; });
    if (around == all.end()) continue;
    const address_range behind{shared.end, around->end};
    around->end = shared.begin;
    all.push_back(behind);
  }
  return all;
}

std::vector<address_range> host_ranges::closed() const {
  std::vector<address_range> all{private_};
  all.insert(all.end(), refused_.begin(), refused_.end());
  all.insert(all.end(), read_only_.begin(), read_only_.end());
  std::erase_if(all, [](const address_range& r) { return r.begin >= r.end; });
  return all;
}

bool host_ranges::allows(address begin, std::uint64_t bytes, bool is_write) const {
  const address end = begin + bytes;
  if (end < begin) return false;
  if (overlaps(private_, begin, end))
    return std::any_of(handed_.begin(), handed_.end(),
                       [&](const address_range& h) { return begin >= h.begin && end <= h.end; });
  if (overlaps(stack_, begin, end) || any_overlaps(refused_, begin, end)) return false;
  if (is_write && outermost_ != 0 && overlaps({outermost_, whole_stack_.end}, begin, end)) return false;
  return !is_write || !any_overlaps(read_only_, begin, end);
}

}  // namespace simtlab::emulator
