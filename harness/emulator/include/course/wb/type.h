// Types, assertions and allocation.
#pragma once

#include <cstdio>
#include <cstdlib>

typedef float wbReal_t;
typedef char wbChar_t;
typedef unsigned char wbByte_t;
typedef bool wbBool;
#define wbTrue true
#define wbFalse false

namespace simtlab_wb {

/// Ends the program: what is missing cannot be made up. `file` may be null.
[[noreturn]] inline void give_up(const char* file, const char* what) {
  fflush(stdout);
  if (file != nullptr)
    fprintf(stderr, "wb.h: %s: %s\n", file, what);
  else
    fprintf(stderr, "wb.h: %s\n", what);
  exit(1);
}

/// Memory that the program releases by `free`.
inline void* allocate(size_t bytes) {
  void* const memory = malloc(bytes == 0 ? 1 : bytes);
  if (memory == nullptr) give_up(nullptr, "there is not enough memory on the host");
  return memory;
}

inline void assert_that(bool holds, const char* text, const char* file, int line) {
  if (holds) return;
  fflush(stdout);
  fprintf(stderr, "%s:%d: wbAssert(%s) does not hold\n", file, line, text);
  abort();
}

}  // namespace simtlab_wb

#define wbAssert(condition) simtlab_wb::assert_that(static_cast<bool>(condition), #condition, __FILE__, __LINE__)
#define wbAssertMessage(message, condition) \
  simtlab_wb::assert_that(static_cast<bool>(condition), message, __FILE__, __LINE__)

#define wbMalloc(bytes) simtlab_wb::allocate(bytes)
#define wbNew(type) static_cast<type*>(simtlab_wb::allocate(sizeof(type)))
#define wbNewArray(type, count) static_cast<type*>(simtlab_wb::allocate(sizeof(type) * (count)))
#define wbFree(pointer) (free(pointer), pointer = nullptr)
#define wbDelete(pointer) wbFree(pointer)

template <class A, class B>
auto wbMin(const A& a, const B& b) -> decltype(a < b ? a : b) {
  return a < b ? a : b;
}
template <class A, class B>
auto wbMax(const A& a, const B& b) -> decltype(a > b ? a : b) {
  return a > b ? a : b;
}
