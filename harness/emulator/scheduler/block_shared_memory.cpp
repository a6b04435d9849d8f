#include "scheduler/block_shared_memory.h"

#include <link.h>

#include <cstring>
#include <new>

namespace simtlab::emulator {
namespace {

constexpr std::align_val_t alignment{1024};

/// Where this thread's copy of the executable's thread-local segment begins.
address_range thread_local_segment() {
  address_range found;
  dl_iterate_phdr(
      [](dl_phdr_info* program, std::size_t, void* result) {
        for (int i = 0; i < program->dlpi_phnum; ++i) {
          if (program->dlpi_phdr[i].p_type != PT_TLS) continue;
          const auto begin = reinterpret_cast<address>(program->dlpi_tls_data);
          *static_cast<address_range*>(result) = {begin, begin + program->dlpi_phdr[i].p_memsz};
        }
        return 1;  // the first entry is the executable itself
      },
      &found);
  return found;
}

char* shared_variable(const memory_region* variable, address segment) {
  return reinterpret_cast<char*>(segment + variable->begin);
}

}  // namespace

block_shared_memory::block_shared_memory()
    : dynamic_(static_cast<char*>(::operator new(largest_dynamic + 2 * slack, alignment))) {}

block_shared_memory::~block_shared_memory() { ::operator delete(dynamic_, alignment); }

void block_shared_memory::lay_out(address_layout& layout) const {
  const auto dynamic = reinterpret_cast<address>(dynamic_);
  layout.static_shared = thread_local_segment();
  layout.dynamic_shared = {dynamic, dynamic + largest_dynamic + 2 * slack};
  layout.dynamic_shared_offset = dynamic_shared_window - slack;
}

void block_shared_memory::forget_static(const variables& all) const {
  const address segment = thread_local_segment().begin;
  for (const memory_region* r : all) std::memset(shared_variable(r, segment), 0xff, r->bytes);
}

void block_shared_memory::forget_dynamic(std::size_t bytes) const { std::memset(dynamic_ + slack, 0xff, bytes); }

void block_shared_memory::park(const variables& all) {
  const address segment = thread_local_segment().begin;
  parked_.clear();
  for (const memory_region* r : all) {
    const char* const at = shared_variable(r, segment);
    parked_.insert(parked_.end(), at, at + r->bytes);
  }
}

void block_shared_memory::unpark(const variables& all) const {
  const address segment = thread_local_segment().begin;
  const char* kept = parked_.data();
  for (const memory_region* r : all) {
    std::memcpy(shared_variable(r, segment), kept, r->bytes);
    kept += r->bytes;
  }
}

}  // namespace simtlab::emulator
