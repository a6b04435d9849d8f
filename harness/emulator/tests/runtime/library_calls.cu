// Every function of the C library that a program's kernel could call with a pointer: what it reads and stores is counted, both
// sides, byte for byte. A function of trace/library_functions.def without a test here fails the last test case.
#include <doctest/doctest.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <set>
#include <string>

#include "claims/device_array.h"
#include "claims/measurement.h"

using namespace simtlab::emulator;
using namespace simtlab::emulator::claims;

// Declared by the library where a program asks for it.
extern "C" {
void* __memcpy_chk(void*, const void*, std::size_t, std::size_t);
void* __memmove_chk(void*, const void*, std::size_t, std::size_t);
void* __memset_chk(void*, int, std::size_t, std::size_t);
char* __strcpy_chk(char*, const char*, std::size_t);
char* __strcat_chk(char*, const char*, std::size_t);
int __printf_chk(int, const char*, ...);
int __vprintf_chk(int, const char*, std::va_list);
int __fprintf_chk(std::FILE*, int, const char*, ...);
int __vfprintf_chk(std::FILE*, int, const char*, std::va_list);
int __sprintf_chk(char*, int, std::size_t, const char*, ...);
int __vsprintf_chk(char*, int, std::size_t, const char*, std::va_list);
int __snprintf_chk(char*, std::size_t, int, std::size_t, const char*, ...);
int __vsnprintf_chk(char*, std::size_t, int, std::size_t, const char*, std::va_list);
long __isoc23_strtol(const char*, char**, int);
long long __isoc23_strtoll(const char*, char**, int);
unsigned long __isoc23_strtoul(const char*, char**, int);
unsigned long long __isoc23_strtoull(const char*, char**, int);
}

namespace {

struct memory {
  char *a, *b, *to;
  std::size_t n;    ///< a number that the compiler does not know: 3
  std::FILE* file;  ///< that nobody reads
};

__host__ __device__ int compare_bytes(const void* x, const void* y) {
  return *static_cast<const char*>(x) - *static_cast<const char*>(y);
}

std::set<std::string>& tested() {
  static std::set<std::string> names;
  return names;
}

/// Bytes of `a` ("12345" behind a blank), `b` ("1234x") and `to` (begins with "12") that one thread's call reads and stores.
struct expected {
  std::uint64_t a = 0, b = 0, to = 0, stored = 0;
  bool to_or_more =
      false;  ///< how many bytes of `to` are read is the library's choice, and more under AddressSanitizer
};

template <class Call>
__global__ void in_kernel(memory m, long* result) {
  *result = (long)Call::call(m);
}

template <class Call>
void launch(memory m, long* result) {
  in_kernel<Call><<<1, 1>>>(m, result);
}

/// No template, because six checks in each of seventy instances took half a minute to compile.
void check(const std::string& name, void (*launch)(memory, long*), expected e) {
  CAPTURE(name);
  tested().insert(name);
  std::vector<char> text(64);
  std::strcpy(text.data(), " 12345");
  device_array<char> a("a", text);
  std::strcpy(text.data(), " 1234x");
  device_array<char> b("b", text);
  std::strcpy(text.data(), "12");
  device_array<char> to("to", text);
  device_array<long> result("result", 1);
  std::FILE* const file = std::fopen("/dev/null", "w");
  const measurement m([&] { launch(memory{a.data(), b.data(), to.data(), 3, file}, result.data()); });
  std::fclose(file);
  for (const finding& f : m.whole().findings) FAIL_CHECK(f.message);
  CHECK(m.reads_of("a").bytes == e.a);
  CHECK(m.reads_of("b").bytes == e.b);
  const std::uint64_t read = m.reads_of("to").bytes;
  CHECK((read == e.to || (e.to_or_more && read > e.to)));
  CHECK(m.writes_of("to").bytes == e.stored);
  CHECK(m.writes_of("a").bytes + m.writes_of("b").bytes == 0);
}

}  // namespace

#define CALL(name, expression, ...)                                            \
  do {                                                                         \
    struct this_call {                                                         \
      __host__ __device__ static auto call([[maybe_unused]] const memory& m) { \
        const auto returned = expression;                                      \
        return (long)returned;                                                 \
      }                                                                        \
    };                                                                         \
    check(#name, launch<this_call>, expected{__VA_ARGS__});                    \
  } while (false)
/// A function that takes its arguments as a list.
#define LISTED(name, expression, ...)                                                                    \
  do {                                                                                                   \
    struct this_call {                                                                                   \
      __host__ __device__ static int listed(const memory& m, [[maybe_unused]] const char* format, ...) { \
        std::va_list list;                                                                               \
        va_start(list, format);                                                                          \
        const int result = expression;                                                                   \
        va_end(list);                                                                                    \
        return result;                                                                                   \
      }                                                                                                  \
      __host__ __device__ static long call(const memory& m) { return listed(m, "%d%s", 7, m.a); }        \
    };                                                                                                   \
    check(#name, launch<this_call>, expected{__VA_ARGS__});                                              \
  } while (false)

TEST_CASE("bytes") {
  CALL(memcpy, memcpy(m.to, m.a, m.n), .a = 3, .stored = 3);
  CALL(memmove, memmove(m.to, m.a, m.n), .a = 3, .stored = 3);
  CALL(mempcpy, mempcpy(m.to, m.a, m.n), .a = 3, .stored = 3);
  CALL(memset, memset(m.to, 1, m.n), .stored = 3);
  CALL(memcmp, memcmp(m.a, m.b, m.n), .a = 3, .b = 3);
  CALL(bcmp, bcmp(m.a, m.b, m.n), .a = 3, .b = 3);
  CALL(memcmp, memcmp(m.a, m.b, 16) == 0, .a = 16, .b = 16);
  CALL(memchr, memchr(m.a, '1', m.n), .a = 2);
  CALL(memchr, memchr(m.a, 'x', m.n), .a = 3);
  CALL(__memcpy_chk, __memcpy_chk(m.to, m.a, m.n, m.n), .a = 3, .stored = 3);
  CALL(__memmove_chk, __memmove_chk(m.to, m.a, m.n, m.n), .a = 3, .stored = 3);
  CALL(__memset_chk, __memset_chk(m.to, 1, m.n, m.n), .stored = 3);
  CALL(qsort, (qsort(m.to, m.n, 1, compare_bytes), 0), .to = 7, .stored = 3,
       .to_or_more = true);  // at least two comparisons
}

TEST_CASE("texts") {
  CALL(strlen, strlen(m.a), .a = 7);
  CALL(strnlen, strnlen(m.a, m.n), .a = 3);
  CALL(strcmp, strcmp(m.a, m.b), .a = 6, .b = 6);
  CALL(strncmp, strncmp(m.a, m.b, m.n), .a = 3, .b = 3);
  CALL(strchr, strchr(m.a, '2'), .a = 3);
  CALL(strchr, strchr(m.a, 'x'), .a = 7);
  CALL(strrchr, strrchr(m.a, '2'), .a = 7);
  CALL(strstr, strstr(m.a, m.to), .a = 3, .to = 3);
  CALL(strstr, strstr(m.a, m.b), .a = 7, .b = 7);
  CALL(strcpy, strcpy(m.to, m.a), .a = 7, .stored = 7);
  CALL(strncpy, strncpy(m.to, m.a, 1), .a = 1, .stored = 1);
  CALL(strncpy, strncpy(m.to, m.a, m.n), .a = 3, .stored = 3);
  CALL(strncpy, strncpy(m.to, m.a, 3 * m.n), .a = 7, .stored = 9);
  CALL(stpcpy, stpcpy(m.to, m.a), .a = 7, .stored = 7);
  CALL(strcat, strcat(m.to, m.a), .a = 7, .to = 3, .stored = 7);
  CALL(strncat, strncat(m.to, m.a, m.n), .a = 3, .to = 3, .stored = 4);
  CALL(__strcpy_chk, __strcpy_chk(m.to, m.a, 20 * m.n), .a = 7, .stored = 7);
  CALL(__strcat_chk, __strcat_chk(m.to, m.a, 20 * m.n), .a = 7, .to = 3, .stored = 7);
}

TEST_CASE("numbers") {
  CALL(atoi, atoi(m.a), .a = 7);
  CALL(atol, atol(m.a), .a = 7);
  CALL(atoll, atoll(m.b), .b = 6);
  CALL(atof, atof(m.a), .a = 7);
  CALL(strtol, strtol(m.b, (char**)m.to, 10), .b = 6, .stored = 8);
  CALL(strtol, strtol(m.to + 2, nullptr, 10), .to = 1);
  CALL(strtoll, strtoll(m.b, (char**)m.to, 10), .b = 6, .stored = 8);
  CALL(strtoul, strtoul(m.b, (char**)m.to, 10), .b = 6, .stored = 8);
  CALL(strtoull, strtoull(m.b, (char**)m.to, 10), .b = 6, .stored = 8);
  CALL(__isoc23_strtol, __isoc23_strtol(m.b, (char**)m.to, 10), .b = 6, .stored = 8);
  CALL(__isoc23_strtoll, __isoc23_strtoll(m.b, (char**)m.to, 10), .b = 6, .stored = 8);
  CALL(__isoc23_strtoul, __isoc23_strtoul(m.b, (char**)m.to, 10), .b = 6, .stored = 8);
  CALL(__isoc23_strtoull, __isoc23_strtoull(m.b, (char**)m.to, 10), .b = 6, .stored = 8);
  CALL(strtof, strtof(m.b, (char**)m.to), .b = 6, .stored = 8);
  CALL(strtod, strtod(m.b, (char**)m.to), .b = 6, .stored = 8);
  CALL(frexp, frexp((double)m.n, (int*)m.to), .stored = 4);
  CALL(frexpf, frexpf((float)m.n, (int*)m.to), .stored = 4);
  CALL(frexpl, frexpl((long double)m.n, (int*)m.to), .stored = 4);
  CALL(modf, modf((double)m.n, (double*)m.to), .stored = 8);
  CALL(modff, modff((float)m.n, (float*)m.to), .stored = 4);
  CALL(modfl, modfl((long double)m.n, (long double*)m.to), .stored = sizeof(long double));
  CALL(remquo, remquo((double)m.n, 2.0, (int*)m.to), .stored = 4);
  CALL(remquof, remquof((float)m.n, 2.0f, (int*)m.to), .stored = 4);
  CALL(remquol, remquol((long double)m.n, 2.0l, (int*)m.to), .stored = 4);
  CALL(sincos, (sincos((double)m.n, (double*)m.to, (double*)m.to + 1), 0), .stored = 16);
  CALL(sincosf, (sincosf((float)m.n, (float*)m.to, (float*)m.to + 1), 0), .stored = 8);
  CALL(sincosl, (sincosl((long double)m.n, (long double*)m.to, (long double*)m.to + 1), 0),
       .stored = 2 * sizeof(long double));
  CALL(nan, nan(m.a) != 0, .a = 7);
  CALL(nanf, nanf(m.a) != 0, .a = 7);
  CALL(nanl, nanl(m.a) != 0, .a = 7);
  CALL(time, time((time_t*)m.to) != 0, .stored = sizeof(time_t));
  CALL(clock_gettime, clock_gettime(CLOCK_MONOTONIC, (timespec*)m.to), .stored = sizeof(timespec));
}

TEST_CASE("what is printed") {
  CALL(fprintf, fprintf(m.file, "%d%s%c", 7, m.a, 'x'), .a = 7);
  CALL(fprintf, fprintf(m.file, m.a), .a = 7);
  CALL(fprintf, fprintf(m.file, "%-8s %.*s %5.2s %%", m.a, 2, m.b, m.to), .a = 7, .b = 2, .to = 2);
  CALL(fprintf, fprintf(m.file, "%ld %hhd %zu %Lf %f %p %s", 1L, 2, m.n, 3.0L, 4.0, (void*)m.a, m.b), .b = 7);
  CALL(fprintf, fprintf(m.file, "12345%hn", (short*)m.to), .stored = 2);
  CALL(fprintf, fprintf(m.file, "%s", "a literal that is no memory of the kernel's"), );
  CALL(fprintf, fprintf(m.file, "%ls", (wchar_t*)(m.a + 8)), .a = 4);
  CALL(printf, printf("%.*s", 0, m.a), );
  CALL(printf, printf(m.to + 2), .to = 1);
  CALL(__printf_chk, __printf_chk(1, m.to + 2), .to = 1);
  CALL(__fprintf_chk, __fprintf_chk(m.file, 1, "%d%s", 7, m.a), .a = 7);
  CALL(sprintf, sprintf(m.to, "%d%s!", 7, m.a), .a = 7, .stored = 9);
  CALL(__sprintf_chk, __sprintf_chk(m.to, 1, 64, "%d%s!", 7, m.a), .a = 7, .stored = 9);
  CALL(snprintf, snprintf(m.to, m.n, "%d%s!", 7, m.a), .a = 7, .stored = 3);
  CALL(__snprintf_chk, __snprintf_chk(m.to, m.n, 1, 64, "%d%s!", 7, m.a), .a = 7, .stored = 3);
  LISTED(vprintf, vprintf(m.to + 2, list), .to = 1);
  LISTED(__vprintf_chk, __vprintf_chk(1, m.to + 2, list), .to = 1);
  LISTED(vfprintf, vfprintf(m.file, format, list), .a = 7);
  LISTED(__vfprintf_chk, __vfprintf_chk(m.file, 1, format, list), .a = 7);
  LISTED(vsprintf, vsprintf(m.to, format, list), .a = 7, .stored = 8);
  LISTED(__vsprintf_chk, __vsprintf_chk(m.to, 1, 64, format, list), .a = 7, .stored = 8);
  LISTED(vsnprintf, vsnprintf(m.to, m.n, format, list), .a = 7, .stored = 3);
  LISTED(__vsnprintf_chk, __vsnprintf_chk(m.to, m.n, 1, 64, format, list), .a = 7, .stored = 3);
  CALL(fputs, fputs(m.a, m.file), .a = 7);
  CALL(fwrite, fwrite(m.a, 2, m.n, m.file), .a = 6);
  CALL(puts, puts(m.to + 2), .to = 1);
  CALL(perror, (perror(m.to + 2), 0), .to = 1);
}

namespace {

void check_refused(const std::string& name, void (*launch)(memory, long*)) {
  cudaDeviceReset();  // what stopped the kernel before is not forgotten otherwise
  CAPTURE(name);
  tested().insert(name);
  device_array<char> a("a", 64);
  device_array<long> result("result", 1);
  const measurement m([&] {
    launch(memory{a.data(), a.data(), a.data(), 3, nullptr}, result.data());
    cudaDeviceSynchronize();
    cudaGetLastError();
  });
  const auto found = m.findings(rule::unsupported);
  REQUIRE(found.size() == 1);
  CHECK(found[0].message.find("a function of the host") != std::string::npos);
  CHECK(found[0].first.where.line > 0);
}

}  // namespace

#define REFUSED(name, expression)                                                                      \
  do {                                                                                                 \
    struct this_call {                                                                                 \
      __host__ __device__ static long call(const memory& m) { return (long)(expression) + (long)m.n; } \
    };                                                                                                 \
    check_refused(#name, launch<this_call>);                                                           \
  } while (false)

extern "C" {
int __isoc99_sscanf(const char*, const char*, ...);
int __isoc23_sscanf(const char*, const char*, ...);
}

TEST_CASE("functions of the host, called in a kernel") {
  REFUSED(calloc, calloc(m.n, 1));
  REFUSED(realloc, realloc(m.a, m.n));
  REFUSED(aligned_alloc, aligned_alloc(16, 16 * m.n));
  REFUSED(posix_memalign, posix_memalign((void**)m.a, 16, 16));
  REFUSED(strdup, strdup(m.a));
  REFUSED(bsearch, bsearch(m.a, m.a, m.n, 1, compare_bytes));
  REFUSED(__isoc99_sscanf, __isoc99_sscanf(m.a, "%c", m.a));
  REFUSED(__isoc23_sscanf, __isoc23_sscanf(m.a, "%c", m.a));
  REFUSED(printf with numbered arguments, printf("%1$s", m.a));
}

TEST_CASE("every function that the emulator stands in for was tested") {
  for (const std::string name : {
#define SIMTLAB_HOOKED(name) #name,
#define SIMTLAB_HOST_ONLY(name) #name,
#define SIMTLAB_UNTOUCHING(name)
#include "trace/library_functions.def"
       }) {
    CAPTURE(name);
    CHECK(tested().count(name) == 1);
  }
}
