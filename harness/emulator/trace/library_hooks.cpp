// Functions of the C library that store through a pointer. Their insides carry no hooks, so the assembly rewriter sends
// calls of them here, where the store is logged first.
#include <cmath>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>

#include "trace/hook_state.h"

using namespace simtlab::emulator;

#define SIMTLAB_CALLER __builtin_return_address(0)

namespace {

/// Elements of `piece` bytes are about to be stored.
void look_at(void* where, std::size_t bytes, const void* return_address, std::uint32_t piece = 1) {
  if (bytes > 0) log_store(where, bytes, piece, return_address);
}

}  // namespace

#define SIMTLAB_SPLITTING(name, number, part)                    \
  number simtlab_##name(number x, std::add_pointer_t<part> to) { \
    look_at(to, sizeof *to, SIMTLAB_CALLER, sizeof *to);         \
    return ::name(x, to);                                        \
  }
#define SIMTLAB_REMAINDER(name, number)                  \
  number simtlab_##name(number x, number y, int* to) {   \
    look_at(to, sizeof *to, SIMTLAB_CALLER, sizeof *to); \
    return ::name(x, y, to);                             \
  }
#define SIMTLAB_SINE_AND_COSINE(name, number)                                                         \
  void simtlab_##name(number x, std::add_pointer_t<number> sine, std::add_pointer_t<number> cosine) { \
    look_at(sine, sizeof *sine, SIMTLAB_CALLER, sizeof *sine);                                        \
    look_at(cosine, sizeof *cosine, SIMTLAB_CALLER, sizeof *cosine);                                  \
    ::name(x, sine, cosine);                                                                          \
  }

extern "C" {

SIMTLAB_SPLITTING(frexp, double, int)
SIMTLAB_SPLITTING(frexpf, float, int)
SIMTLAB_SPLITTING(modf, double, double)
SIMTLAB_SPLITTING(modff, float, float)
SIMTLAB_REMAINDER(remquo, double)
SIMTLAB_REMAINDER(remquof, float)
SIMTLAB_SINE_AND_COSINE(sincos, double)
SIMTLAB_SINE_AND_COSINE(sincosf, float)

char* simtlab_strcpy(char* to, const char* from) {
  look_at(to, std::strlen(from) + 1, SIMTLAB_CALLER);
  return std::strcpy(to, from);
}
char* simtlab_strncpy(char* to, const char* from, std::size_t bytes) {
  look_at(to, bytes, SIMTLAB_CALLER);
  return std::strncpy(to, from, bytes);
}
char* simtlab_stpcpy(char* to, const char* from) {
  look_at(to, std::strlen(from) + 1, SIMTLAB_CALLER);
  return stpcpy(to, from);
}
char* simtlab_strcat(char* to, const char* from) {
  look_at(to + std::strlen(to), std::strlen(from) + 1, SIMTLAB_CALLER);
  return std::strcat(to, from);
}
char* simtlab_strncat(char* to, const char* from, std::size_t most) {
  look_at(to + std::strlen(to), strnlen(from, most) + 1, SIMTLAB_CALLER);
  return std::strncat(to, from, most);
}
void* simtlab_mempcpy(void* to, const void* from, std::size_t bytes) {
  look_at(to, bytes, SIMTLAB_CALLER);
  return mempcpy(to, from, bytes);
}

void simtlab_qsort(void* elements, std::size_t count, std::size_t bytes, int (*compare)(const void*, const void*)) {
  look_at(elements, count * bytes, SIMTLAB_CALLER);
  std::qsort(elements, count, bytes, compare);
}

int simtlab_vsnprintf(char* to, std::size_t room, const char* format, std::va_list arguments) {
  std::va_list again;
  va_copy(again, arguments);
  const int needed = std::vsnprintf(nullptr, 0, format, again);
  va_end(again);
  const std::size_t whole = needed < 0 ? 1 : static_cast<std::size_t>(needed) + 1;
  look_at(to, whole < room ? whole : room, SIMTLAB_CALLER);
  return std::vsnprintf(to, room, format, arguments);
}
int simtlab_snprintf(char* to, std::size_t room, const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  const int result = simtlab_vsnprintf(to, room, format, arguments);
  va_end(arguments);
  return result;
}
int simtlab_sprintf(char* to, const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  const int result = simtlab_vsnprintf(to, SIZE_MAX / 2, format, arguments);
  va_end(arguments);
  return result;
}
int simtlab_vsprintf(char* to, const char* format, std::va_list arguments) {
  return simtlab_vsnprintf(to, SIZE_MAX / 2, format, arguments);
}

}  // extern "C"
