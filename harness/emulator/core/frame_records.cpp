#include "core/frame_records.h"

#include <sys/mman.h>

#include <new>

#include "core/memory_calls.h"
#include "core/private_memory.h"

namespace simtlab::emulator {
#ifdef __x86_64__
namespace {

constexpr std::uint64_t record_bytes = 64;
/// Return addresses lie 8 bytes from a multiple of 16: so records begin where lines of the cache do.
constexpr std::uint64_t shift = 32;

std::uint64_t memory_for(std::uint64_t stack_bytes) { return stack_bytes * 4 + shift + record_bytes; }

}  // namespace

frame_records::frame_records(address begin, std::uint64_t bytes) : memory_(map_privately(memory_for(bytes), false)) {
  if (!protect(memory_, memory_for(bytes), PROT_READ | PROT_WRITE)) throw std::bad_alloc();
  stack_ = {begin, bytes, reinterpret_cast<address>(memory_) + shift};
}

frame_records::~frame_records() { unmap_privately(memory_, memory_for(stack_.bytes)); }
#else  // no code makes records there
frame_records::frame_records(address, std::uint64_t) {}
frame_records::~frame_records() = default;
#endif

}  // namespace simtlab::emulator
