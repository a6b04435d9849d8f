#include "core/memory_calls.h"

#include <sys/mman.h>
#include <sys/syscall.h>

#include <cstdlib>

#include "core/closed_memory.h"
#include "core/system_call_stub.h"

SIMTLAB_SYSTEM_CALL_STUB(emulator_memory_call);
extern "C" {
long emulator_memory_call(long number, long, long, long, long, long, long);
extern const char emulator_memory_call_end[];
}

namespace simtlab::emulator {
namespace {

long call(long number, void* at, std::size_t bytes, int how, int flags = 0, int file = 0) {
  return emulator_memory_call(number, reinterpret_cast<long>(at), static_cast<long>(bytes), how, flags, file, 0);
}

/// While memory is closed it is opened by one function alone (closed_memory.cpp), whoever else a program gets to ask for it.
void refuse_closed(const void* at, std::size_t bytes) {
  if (is_memory_closed() && touches_closable(reinterpret_cast<address>(at), bytes)) std::_Exit(70);
}

}  // namespace

bool map_fixed(void* at, std::size_t bytes, int protection) {
  refuse_closed(at, bytes);
  constexpr int flags = MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  return call(SYS_mmap, at, bytes, protection, flags, -1) == reinterpret_cast<long>(at);
}

bool protect(void* at, std::size_t bytes, int protection) {
  refuse_closed(at, bytes);
  return call(SYS_mprotect, at, bytes, protection) == 0;
}

[[gnu::noinline]] bool protect_closable(void* at, std::size_t bytes, int protection) {
  look_at_opener(__builtin_return_address(0));
  return call(SYS_mprotect, at, bytes, protection) == 0;
}

void discard(void* at, std::size_t bytes) {
  refuse_closed(at, bytes);
  call(SYS_madvise, at, bytes, MADV_DONTNEED);
}

std::uintptr_t memory_calls_return_to() { return reinterpret_cast<std::uintptr_t>(emulator_memory_call_end); }

}  // namespace simtlab::emulator
