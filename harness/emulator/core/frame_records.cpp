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

constexpr std::uint64_t page = 4096;

std::uint64_t memory_for(std::uint64_t stack_bytes) { return rounded_up(stack_bytes * 4 + shift + record_bytes, page); }

}  // namespace

frame_records::frame_records(address begin, std::uint64_t bytes, std::uint64_t more)
    : memory_(map_privately(memory_for(bytes) + more, false)), more_(more) {
  if (!protect(memory_, memory_for(bytes) + more, PROT_READ | PROT_WRITE)) throw std::bad_alloc();
  stack_ = {begin, bytes, reinterpret_cast<address>(memory_) + shift};
}

frame_records::~frame_records() { unmap_privately(memory_, memory_for(stack_.bytes) + more_); }
void* frame_records::more() const { return static_cast<char*>(memory_) + memory_for(stack_.bytes); }
#else  // no code makes records there
frame_records::frame_records(address, std::uint64_t, std::uint64_t) {}
frame_records::~frame_records() = default;
void* frame_records::more() const { return nullptr; }
#endif

}  // namespace simtlab::emulator
