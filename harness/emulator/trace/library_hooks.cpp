// What a program's calls of the C library's functions become (library_functions.def): what the function is about to read
// and to store is logged, as a GPU's compiler would make it of the function's text: byte by byte, since nothing is known of
// the pointers' alignment, and no further than the function has to look. The functions that print: print_hooks.cpp.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <type_traits>

#include "trace/hook_state.h"
#include "trace/parameters.h"

using namespace simtlab::emulator;

parameter_memory simtlab::emulator::the_parameters;

namespace {

/// Bytes of a text with the zero at its end, of at most `most`.
std::size_t text_bytes(const char* text, std::size_t most, const void* caller) {
  const attribution_scope mark(caller);
  const std::size_t length = strnlen(text, most);
  return length < most ? length + 1 : most;
}
std::size_t text_bytes(const char* text, const void* caller) { return text_bytes(text, PTRDIFF_MAX, caller); }

/// What a search or a comparison has looked at when it ends at `end`, and the byte that `end` points to.
std::size_t bytes_until(const void* begin, const void* end) {
  return static_cast<std::size_t>(static_cast<const char*>(end) - static_cast<const char*>(begin)) + 1;
}

/// Bytes of each of two texts that tell which comes first.
std::size_t bytes_compared(const char* a, const char* b, std::size_t most, const void* caller) {
  const attribution_scope mark(caller);
  std::size_t at = 0;
  while (at < most && a[at] == b[at] && a[at] != '\0') ++at;
  return std::min(at + 1, most);
}

void load(const void* where, std::size_t bytes, const void* caller, std::uint32_t piece = 1) {
  if (bytes > 0) log_load(where, bytes, piece, caller);
}
void store(void* where, std::size_t bytes, const void* caller, std::uint32_t piece = 1) {
  if (bytes > 0) log_store(where, bytes, piece, caller);
}
template <class T>
void store_one(T* where, const void* caller) {
  store(where, sizeof *where, caller, std::min<std::uint32_t>(sizeof *where, 16));
}

/// What is there stays where the function fails, so it counts as read, too.
template <class T>
void may_store_one(T* where, const void* caller) {
  load(where, sizeof *where, caller, std::min<std::uint32_t>(sizeof *where, 16));
  store_one(where, caller);
}

/// `number` is the conversion, which tells where the number's text ends.
template <class Number>
auto convert(const char* text, char** end, const void* caller, Number number) {
  char* behind = nullptr;
  std::size_t looked_at = 0;
  auto value = [&] {
    const attribution_scope mark(caller);
    auto converted = number(&behind);
    looked_at = behind == text ? std::strspn(text, " \t\n\v\f\r") + 1 : bytes_until(text, behind);
    return converted;
  }();
  load(text, looked_at, caller);
  if (end != nullptr) {
    store_one(end, caller);
    *end = behind;
  }
  return value;
}

void refuse_in_kernel(const char* name, const void* caller) {
  if (hooks.in_kernel()) refuse_host_function(name, caller);
  library_runs();
}

}  // namespace

extern "C" {

// --- Bytes ---------------------------------------------------------------------------------------------------------

void* simtlab_memcpy(void* to, const void* from, std::size_t bytes) {
  if (hooks.in_kernel() && the_parameters.contains(from, bytes) && is_on_own_stack(to)) {
    look_below_caller(to, bytes, SIMTLAB_CALLED_FROM);
    look_at_store(to, static_cast<std::uint32_t>(bytes));
    return std::memcpy(to, from, bytes);
  }
  return copy_with_hooks(to, from, bytes, 1, SIMTLAB_CALLED_FROM);
}
void* simtlab_mempcpy(void* to, const void* from, std::size_t bytes) {
  copy_with_hooks(to, from, bytes, 1, SIMTLAB_CALLED_FROM);
  return static_cast<char*>(to) + bytes;
}
void* simtlab_memmove(void* to, const void* from, std::size_t bytes) {
  load(from, bytes, SIMTLAB_CALLED_FROM);
  store(to, bytes, SIMTLAB_CALLED_FROM);
  const attribution_scope mark(SIMTLAB_CALLED_FROM);
  return std::memmove(to, from, bytes);
}
void* simtlab_memset(void* to, int value, std::size_t bytes) {
  store(to, bytes, SIMTLAB_CALLED_FROM);
  const attribution_scope mark(SIMTLAB_CALLED_FROM);
  return std::memset(to, value, bytes);
}
int simtlab_memcmp(const void* a, const void* b, std::size_t bytes) {
  load(a, bytes, SIMTLAB_CALLED_FROM);
  load(b, bytes, SIMTLAB_CALLED_FROM);
  const attribution_scope mark(SIMTLAB_CALLED_FROM);
  return std::memcmp(a, b, bytes);
}
int simtlab_bcmp(const void* a, const void* b, std::size_t bytes) {
  load(a, bytes, SIMTLAB_CALLED_FROM);
  load(b, bytes, SIMTLAB_CALLED_FROM);
  const attribution_scope mark(SIMTLAB_CALLED_FROM);
  return std::memcmp(a, b, bytes);
}
void* simtlab_memchr(const void* where, int byte, std::size_t bytes) {
  const void* const found = [&, caller = SIMTLAB_CALLED_FROM] {
    const attribution_scope mark(caller);
    return std::memchr(where, byte, bytes);
  }();
  load(where, found == nullptr ? bytes : bytes_until(where, found), SIMTLAB_CALLED_FROM);
  return const_cast<void*>(found);
}

// With a bound that the compiler knows: the object's size is the library's to check.
void* __memcpy_chk(void*, const void*, std::size_t, std::size_t);
void* __memmove_chk(void*, const void*, std::size_t, std::size_t);
void* __memset_chk(void*, int, std::size_t, std::size_t);
char* __strcpy_chk(char*, const char*, std::size_t);
char* __strcat_chk(char*, const char*, std::size_t);

void* simtlab___memcpy_chk(void* to, const void* from, std::size_t bytes, std::size_t room) {
  load(from, bytes, SIMTLAB_CALLED_FROM);
  store(to, bytes, SIMTLAB_CALLED_FROM);
  const attribution_scope mark(SIMTLAB_CALLED_FROM);
  return __memcpy_chk(to, from, bytes, room);
}
void* simtlab___memmove_chk(void* to, const void* from, std::size_t bytes, std::size_t room) {
  load(from, bytes, SIMTLAB_CALLED_FROM);
  store(to, bytes, SIMTLAB_CALLED_FROM);
  const attribution_scope mark(SIMTLAB_CALLED_FROM);
  return __memmove_chk(to, from, bytes, room);
}
void* simtlab___memset_chk(void* to, int value, std::size_t bytes, std::size_t room) {
  store(to, bytes, SIMTLAB_CALLED_FROM);
  const attribution_scope mark(SIMTLAB_CALLED_FROM);
  return __memset_chk(to, value, bytes, room);
}

// --- Texts ---------------------------------------------------------------------------------------------------------

std::size_t simtlab_strlen(const char* text) {
  const std::size_t bytes = text_bytes(text, SIMTLAB_CALLED_FROM);
  load(text, bytes, SIMTLAB_CALLED_FROM);
  return bytes - 1;
}
std::size_t simtlab_strnlen(const char* text, std::size_t most) {
  load(text, text_bytes(text, most, SIMTLAB_CALLED_FROM), SIMTLAB_CALLED_FROM);
  const attribution_scope mark(SIMTLAB_CALLED_FROM);
  return strnlen(text, most);
}
int simtlab_strcmp(const char* a, const char* b) {
  const std::size_t bytes = bytes_compared(a, b, SIZE_MAX, SIMTLAB_CALLED_FROM);
  load(a, bytes, SIMTLAB_CALLED_FROM);
  load(b, bytes, SIMTLAB_CALLED_FROM);
  const attribution_scope mark(SIMTLAB_CALLED_FROM);
  return std::strcmp(a, b);
}
int simtlab_strncmp(const char* a, const char* b, std::size_t most) {
  const std::size_t bytes = bytes_compared(a, b, most, SIMTLAB_CALLED_FROM);
  load(a, bytes, SIMTLAB_CALLED_FROM);
  load(b, bytes, SIMTLAB_CALLED_FROM);
  const attribution_scope mark(SIMTLAB_CALLED_FROM);
  return std::strncmp(a, b, most);
}
char* simtlab_strchr(const char* text, int wanted) {
  const char* const found = [&, caller = SIMTLAB_CALLED_FROM] {
    const attribution_scope mark(caller);
    return std::strchr(text, wanted);
  }();
  load(text, found == nullptr ? text_bytes(text, SIMTLAB_CALLED_FROM) : bytes_until(text, found), SIMTLAB_CALLED_FROM);
  return const_cast<char*>(found);
}
char* simtlab_strrchr(const char* text, int wanted) {
  load(text, text_bytes(text, SIMTLAB_CALLED_FROM), SIMTLAB_CALLED_FROM);
  const attribution_scope mark(SIMTLAB_CALLED_FROM);
  return const_cast<char*>(std::strrchr(text, wanted));
}
char* simtlab_strstr(const char* text, const char* wanted) {
  const std::size_t length = text_bytes(wanted, SIMTLAB_CALLED_FROM);
  const char* const found = [&, caller = SIMTLAB_CALLED_FROM] {
    const attribution_scope mark(caller);
    return std::strstr(text, wanted);
  }();
  const std::size_t looked_at =
      found == nullptr ? text_bytes(text, SIMTLAB_CALLED_FROM) : static_cast<std::size_t>(found - text) + length - 1;
  load(text, looked_at, SIMTLAB_CALLED_FROM);
  load(wanted, length, SIMTLAB_CALLED_FROM);
  return const_cast<char*>(found);
}
char* simtlab_strcpy(char* to, const char* from) {
  const std::size_t bytes = text_bytes(from, SIMTLAB_CALLED_FROM);
  load(from, bytes, SIMTLAB_CALLED_FROM);
  store(to, bytes, SIMTLAB_CALLED_FROM);
  const attribution_scope mark(SIMTLAB_CALLED_FROM);
  return std::strcpy(to, from);
}
char* simtlab___strcpy_chk(char* to, const char* from, std::size_t room) {
  const std::size_t bytes = text_bytes(from, SIMTLAB_CALLED_FROM);
  load(from, bytes, SIMTLAB_CALLED_FROM);
  store(to, bytes, SIMTLAB_CALLED_FROM);
  const attribution_scope mark(SIMTLAB_CALLED_FROM);
  return __strcpy_chk(to, from, room);
}
char* simtlab_strncpy(char* to, const char* from, std::size_t bytes) {
  load(from, text_bytes(from, bytes, SIMTLAB_CALLED_FROM), SIMTLAB_CALLED_FROM);
  store(to, bytes, SIMTLAB_CALLED_FROM);
  const attribution_scope mark(SIMTLAB_CALLED_FROM);
  return std::strncpy(to, from, bytes);
}
char* simtlab_stpcpy(char* to, const char* from) {
  const std::size_t bytes = text_bytes(from, SIMTLAB_CALLED_FROM);
  load(from, bytes, SIMTLAB_CALLED_FROM);
  store(to, bytes, SIMTLAB_CALLED_FROM);
  const attribution_scope mark(SIMTLAB_CALLED_FROM);
  return stpcpy(to, from);
}
char* simtlab_strcat(char* to, const char* from) {
  const std::size_t there = text_bytes(to, SIMTLAB_CALLED_FROM), bytes = text_bytes(from, SIMTLAB_CALLED_FROM);
  load(to, there, SIMTLAB_CALLED_FROM);
  load(from, bytes, SIMTLAB_CALLED_FROM);
  store(to + there - 1, bytes, SIMTLAB_CALLED_FROM);
  const attribution_scope mark(SIMTLAB_CALLED_FROM);
  return std::strcat(to, from);
}
char* simtlab___strcat_chk(char* to, const char* from, std::size_t room) {
  const std::size_t there = text_bytes(to, SIMTLAB_CALLED_FROM), bytes = text_bytes(from, SIMTLAB_CALLED_FROM);
  load(to, there, SIMTLAB_CALLED_FROM);
  load(from, bytes, SIMTLAB_CALLED_FROM);
  store(to + there - 1, bytes, SIMTLAB_CALLED_FROM);
  const attribution_scope mark(SIMTLAB_CALLED_FROM);
  return __strcat_chk(to, from, room);
}
char* simtlab_strncat(char* to, const char* from, std::size_t most) {
  const std::size_t there = text_bytes(to, SIMTLAB_CALLED_FROM), bytes = text_bytes(from, most, SIMTLAB_CALLED_FROM);
  load(to, there, SIMTLAB_CALLED_FROM);
  load(from, bytes, SIMTLAB_CALLED_FROM);
  const attribution_scope mark(SIMTLAB_CALLED_FROM);
  store(to + there - 1, strnlen(from, most) + 1, SIMTLAB_CALLED_FROM);
  return std::strncat(to, from, most);
}

// --- Numbers -------------------------------------------------------------------------------------------------------

#define SIMTLAB_WHOLE(name, number)                                                                               \
  number simtlab_##name(const char* text, char** end, int base) {                                                 \
    return convert(text, end, SIMTLAB_CALLED_FROM, [=](char** behind) { return std::name(text, behind, base); }); \
  }                                                                                                               \
  /* the same, under the name that newer libraries give it */                                                     \
  number simtlab___isoc23_##name(const char* text, char** end, int base) {                                        \
    return convert(text, end, SIMTLAB_CALLED_FROM, [=](char** behind) { return std::name(text, behind, base); }); \
  }
SIMTLAB_WHOLE(strtol, long)
SIMTLAB_WHOLE(strtoll, long long)
SIMTLAB_WHOLE(strtoul, unsigned long)
SIMTLAB_WHOLE(strtoull, unsigned long long)

#define SIMTLAB_FRACTION(name, number)                                                                      \
  number simtlab_##name(const char* text, char** end) {                                                     \
    return convert(text, end, SIMTLAB_CALLED_FROM, [=](char** behind) { return std::name(text, behind); }); \
  }
SIMTLAB_FRACTION(strtof, float)
SIMTLAB_FRACTION(strtod, double)

int simtlab_atoi(const char* text) {
  return static_cast<int>(
      convert(text, nullptr, SIMTLAB_CALLED_FROM, [=](char** behind) { return std::strtol(text, behind, 10); }));
}
long simtlab_atol(const char* text) {
  return convert(text, nullptr, SIMTLAB_CALLED_FROM, [=](char** behind) { return std::strtol(text, behind, 10); });
}
long long simtlab_atoll(const char* text) {
  return convert(text, nullptr, SIMTLAB_CALLED_FROM, [=](char** behind) { return std::strtoll(text, behind, 10); });
}
double simtlab_atof(const char* text) {
  return convert(text, nullptr, SIMTLAB_CALLED_FROM, [=](char** behind) { return std::strtod(text, behind); });
}

#define SIMTLAB_SPLITTING(name, number, part)                    \
  number simtlab_##name(number x, std::add_pointer_t<part> to) { \
    store_one(to, SIMTLAB_CALLED_FROM);                          \
    return ::name(x, to);                                        \
  }
SIMTLAB_SPLITTING(frexp, double, int)
SIMTLAB_SPLITTING(frexpf, float, int)
SIMTLAB_SPLITTING(frexpl, long double, int)
SIMTLAB_SPLITTING(modf, double, double)
SIMTLAB_SPLITTING(modff, float, float)
SIMTLAB_SPLITTING(modfl, long double, long double)

#define SIMTLAB_REMAINDER(name, number)                \
  number simtlab_##name(number x, number y, int* to) { \
    store_one(to, SIMTLAB_CALLED_FROM);                \
    return ::name(x, y, to);                           \
  }
SIMTLAB_REMAINDER(remquo, double)
SIMTLAB_REMAINDER(remquof, float)
SIMTLAB_REMAINDER(remquol, long double)

#define SIMTLAB_SINE_AND_COSINE(name, number)                                                         \
  void simtlab_##name(number x, std::add_pointer_t<number> sine, std::add_pointer_t<number> cosine) { \
    store_one(sine, SIMTLAB_CALLED_FROM);                                                             \
    store_one(cosine, SIMTLAB_CALLED_FROM);                                                           \
    ::name(x, sine, cosine);                                                                          \
  }
SIMTLAB_SINE_AND_COSINE(sincos, double)
SIMTLAB_SINE_AND_COSINE(sincosf, float)
SIMTLAB_SINE_AND_COSINE(sincosl, long double)

#define SIMTLAB_NOT_A_NUMBER(name, number)                                \
  number simtlab_##name(const char* tag) {                                \
    load(tag, text_bytes(tag, SIMTLAB_CALLED_FROM), SIMTLAB_CALLED_FROM); \
    return ::name(tag);                                                   \
  }
SIMTLAB_NOT_A_NUMBER(nan, double)
SIMTLAB_NOT_A_NUMBER(nanf, float)
SIMTLAB_NOT_A_NUMBER(nanl, long double)

// --- Others --------------------------------------------------------------------------------------------------------

void simtlab_qsort(void* elements, std::size_t count, std::size_t bytes, int (*compare)(const void*, const void*)) {
  load(elements, count * bytes, SIMTLAB_CALLED_FROM);
  store(elements, count * bytes, SIMTLAB_CALLED_FROM);
  look_at_callback(reinterpret_cast<std::uintptr_t>(compare), SIMTLAB_CALLED_FROM);
  library_runs();
  std::qsort(elements, count, bytes, compare);
}
std::time_t simtlab_time(std::time_t* to) {
  if (to != nullptr) store_one(to, SIMTLAB_CALLED_FROM);
  return std::time(to);
}
int simtlab_clock_gettime(clockid_t clock, timespec* to) {
  timespec now{};
  if (const int failed = clock_gettime(clock, &now); failed != 0) return failed;  // and nothing is stored
  store(to, sizeof *to, SIMTLAB_CALLED_FROM, alignof(timespec));
  *to = now;
  return 0;
}

void* simtlab_calloc(std::size_t count, std::size_t bytes) {
  refuse_in_kernel("calloc", SIMTLAB_CALLED_FROM);
  return std::calloc(count, bytes);  // NOLINT(cppcoreguidelines-no-malloc): the program's own call
}
void* simtlab_realloc(void* where, std::size_t bytes) {
  refuse_in_kernel("realloc", SIMTLAB_CALLED_FROM);
  return std::realloc(where, bytes);  // NOLINT(cppcoreguidelines-no-malloc): the program's own call
}
void* simtlab_aligned_alloc(std::size_t alignment, std::size_t bytes) {
  refuse_in_kernel("aligned_alloc", SIMTLAB_CALLED_FROM);
  return std::aligned_alloc(alignment, bytes);
}
int simtlab_posix_memalign(void** to, std::size_t alignment, std::size_t bytes) {
  refuse_in_kernel("posix_memalign", SIMTLAB_CALLED_FROM);
  may_store_one(to, SIMTLAB_CALLED_FROM);
  return posix_memalign(to, alignment, bytes);
}
char* simtlab_strdup(const char* text) {
  refuse_in_kernel("strdup", SIMTLAB_CALLED_FROM);
  load(text, text_bytes(text, SIMTLAB_CALLED_FROM), SIMTLAB_CALLED_FROM);
  return strdup(text);
}
void* simtlab_bsearch(const void* key, const void* elements, std::size_t count, std::size_t bytes,
                      int (*compare)(const void*, const void*)) {
  refuse_in_kernel("bsearch", SIMTLAB_CALLED_FROM);
  look_at_callback(reinterpret_cast<std::uintptr_t>(compare), SIMTLAB_CALLED_FROM);
  return std::bsearch(key, elements, count, bytes, compare);
}

}  // extern "C"
