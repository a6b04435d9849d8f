// Types, assertions and allocation.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

// simtcc links the library's functions compiled (emulator/course/wb.cpp): half of a program's compile would be theirs. Another
// compiler, and one that has std::string in its old form, finds them inline, in functions/.
#if defined(SIMTLAB_COURSE_LIBRARY) && _GLIBCXX_USE_CXX11_ABI && !defined(_GLIBCXX_DEBUG)
#define SIMTLAB_WB_COMPILED 1
#define SIMTLAB_WB_FUNCTION
#else
#define SIMTLAB_WB_FUNCTION inline
#endif

typedef float wbReal_t;
typedef char wbChar_t;
typedef unsigned char wbByte_t;
typedef bool wbBool;
#define wbTrue true
#define wbFalse false

namespace simtlab_wb {

/// Ends the program: what is missing cannot be made up. `file` may be null.
[[noreturn]] SIMTLAB_WB_FUNCTION void give_up(const char* file, const char* what);

/// Memory that the program releases by `free`.
SIMTLAB_WB_FUNCTION void* allocate(size_t bytes);

SIMTLAB_WB_FUNCTION void assert_that(bool holds, const char* text, const char* file, int line);

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
