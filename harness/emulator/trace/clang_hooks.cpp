// Hooks that clang places and g++ does not: it takes threadIdx and its like, which are constant to a program, for memory that
// may change. The assembly rewriter sends clang's reads here, where those are left out.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "trace/hook_state.h"

using namespace simtlab::emulator;

extern "C" {
extern __thread const char simtlab_thread_index[12];
extern __thread const char simtlab_block_index[12];
extern __thread const char simtlab_block_dim[12];
extern __thread const char simtlab_grid_dim[12];
}

namespace {

bool is_builtin_variable(const void* where) {
  const auto is_in = [a = reinterpret_cast<address>(where)](const char* variable) {
    return a - reinterpret_cast<address>(variable) < sizeof simtlab_thread_index;
  };
  return is_in(simtlab_thread_index) || is_in(simtlab_block_index) || is_in(simtlab_block_dim) ||
         is_in(simtlab_grid_dim);
}

void read(const void* where, std::uint32_t width, const void* return_address) {
  if (!is_builtin_variable(where)) log_access(where, width, record_kind::read, return_address);
}

void guess(const void* where, std::uint32_t width, const void* return_address) {
  if (is_builtin_variable(where)) return;
  log_access(where, width, record_kind::read, return_address);
  if (hooks.in_kernel()) first_guess(where, width, return_address);
}

}  // namespace

namespace {

/// A structure's copy, in pieces of its alignment (translator/clang_accesses.h), but no wider than divides it: clang copies twelve
/// bytes between variables of its own that it has aligned by eight.
void copy_pieces(void* to, const void* from, std::size_t bytes, std::uint32_t alignment, const void* return_address) {
  const std::uint32_t piece = std::min(alignment, 1U << static_cast<unsigned>(std::countr_zero(bytes | alignment)));
  if (!is_builtin_variable(from) || bytes > sizeof simtlab_thread_index) {
    copy_with_hooks(to, from, bytes, piece, return_address);
    return;
  }
  char copy[sizeof simtlab_thread_index];
  std::memcpy(copy, from, bytes);
  copy_with_hooks(to, copy, bytes, piece, return_address);
}

}  // namespace

#define SIMTLAB_CALLER __builtin_return_address(0)
#define SIMTLAB_READ(width)                                                         \
  void simtlab_clang_read##width(const void* a) { read(a, width, SIMTLAB_CALLER); } \
  void simtlab_clang_unaligned_read##width(const void* a) { read(a, width, SIMTLAB_CALLER); }
#define SIMTLAB_COPY(piece)                                                                          \
  void simtlab_clang_copy##piece(void* to, const void* from, std::size_t bytes, bool /*volatile*/) { \
    copy_pieces(to, from, bytes, piece, SIMTLAB_CALLER);                                             \
  }

extern "C" {

SIMTLAB_READ(1)
SIMTLAB_READ(2)
SIMTLAB_READ(4)
SIMTLAB_READ(8)
SIMTLAB_READ(16)

void simtlab_clang_guess2(const void* a) { guess(a, 2, SIMTLAB_CALLER); }
void simtlab_clang_guess4(const void* a) { guess(a, 4, SIMTLAB_CALLER); }
void simtlab_clang_guess8(const void* a) { guess(a, 8, SIMTLAB_CALLER); }

SIMTLAB_COPY(1)
SIMTLAB_COPY(2)
SIMTLAB_COPY(4)
SIMTLAB_COPY(8)
SIMTLAB_COPY(16)

}  // extern "C"
