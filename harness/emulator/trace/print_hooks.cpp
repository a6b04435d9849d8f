// The C library's functions that print and scan: beside the text that they are given they read every text that a `%s` of the
// format names, and a `%n` stores.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cwchar>
#include <string_view>
#include <vector>

#include "core/private_memory.h"
#include "trace/hook_state.h"

using namespace simtlab::emulator;

bool simtlab::emulator::kernels_print_apart = false;

extern "C" {
// Where the program's code and constants begin and end, as every linker says.
extern const char __executable_start[] __attribute__((visibility("hidden")));
extern const char __init_array_start[] __attribute__((visibility("hidden")));
}

namespace {

/// A text that stands in the program, a literal: a GPU's compiler gives the host its address.
bool is_literal(const void* text) { return text >= __executable_start && text < __init_array_start; }

void load_text(const void* text, std::size_t bytes, const void* caller, std::uint32_t piece = 1) {
  if (!is_literal(text)) log_load(text, bytes, piece, caller);
}
void load_text(const char* text, const void* caller) {
  std::size_t bytes = 1;
  {
    const attribution_scope mark(caller);
    bytes += std::strlen(text);
  }
  load_text(text, bytes, caller);
}

/// Walks over the arguments of one call.
class arguments {
 public:
  /// `list` is left as it is.
  arguments(const char* format, std::va_list list, const void* caller) : at_(format), caller_(caller) {
    va_copy(list_, list);
  }
  ~arguments() { va_end(list_); }
  arguments(const arguments&) = delete;  // one per call
  arguments& operator=(const arguments&) = delete;

  void look() {
    while ((at_ = std::strchr(at_, '%')) != nullptr) {
      ++at_;
      if (!look_at_one()) return;
    }
  }

 private:
  /// What stands behind a `%`; false at the format's end.
  bool look_at_one() {
    at_ += std::strspn(at_, "-+ #0'I");
    number();  // width
    long precision = -1;
    if (*at_ == '.') {
      ++at_;
      precision = number();
    }
    if (*at_ == '$') return refuse();
    const char* const length = at_;
    at_ += std::strspn(at_, "hlqjztL");
    const std::string_view size(length, static_cast<std::size_t>(at_ - length));
    const char conversion = *at_;
    if (conversion == '\0') return false;
    ++at_;
    take(conversion, size, precision);
    return true;
  }

  /// Digits, or `*` for an argument. Nothing is 0.
  long number() {
    if (*at_ == '*') {
      ++at_;
      return va_arg(list_, int);
    }
    long value = 0;
    while (*at_ >= '0' && *at_ <= '9') value = std::min(value * 10 + (*at_++ - '0'), 1L << 30);
    return value;
  }

  void take(char conversion, std::string_view size, long precision) {
    switch (conversion) {
      case '%':
      case 'm':
        return;
      case 's':
      case 'S':
        return take_text(conversion == 'S' || size == "l", precision);
      case 'n':
        return take_count(size);
      case 'a':
      case 'A':
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G':
        return size == "L" || size == "ll" || size == "q" ? skip<long double>() : skip<double>();
      case 'p':
        return skip<void*>();
      default:  // all integers that are no int are as wide as one another
        return size.empty() || size.front() == 'h' ? skip<int>() : skip<long long>();
    }
  }

  template <class T>
  void skip() {
    static_cast<void>(va_arg(list_, T));
  }

  void take_text(bool wide, long precision) {
    const void* const text = va_arg(list_, const void*);
    if (text == nullptr) return;  // printed as (null)
    const std::size_t most = precision < 0 ? PTRDIFF_MAX / sizeof(wchar_t) : static_cast<std::size_t>(precision);
    std::size_t length = 0;
    {
      const attribution_scope mark(caller_);
      length = wide ? wcsnlen(static_cast<const wchar_t*>(text), most) : strnlen(static_cast<const char*>(text), most);
    }
    if (length < most) ++length;  // the zero that ends it
    const std::uint32_t unit = wide ? sizeof(wchar_t) : 1;
    if (length > 0) load_text(text, length * unit, caller_, unit);
  }

  void take_count(std::string_view size) {
    const std::uint32_t bytes = size.empty() ? 4 : size == "hh" ? 1 : size == "h" ? 2 : 8;
    log_store(va_arg(list_, void*), bytes, bytes, caller_);
  }

  /// `%1$s`: arguments by number, which a kernel's printf does not have.
  bool refuse() {
    if (hooks.in_kernel()) refuse_host_function("printf with numbered arguments", caller_);
    return false;
  }

  const char* at_;
  std::va_list list_;
  const void* caller_;
};

void look_at(const char* format, std::va_list list, const void* caller) {
  load_text(format, caller);
  arguments(format, list, caller).look();
  library_runs();
}

/// What is about to be stored, of `room` bytes at most.
void look_at_store(char* to, std::size_t room, const char* format, std::va_list list, const void* caller) {
  look_at(format, list, caller);
  std::va_list again;
  va_copy(again, list);
  const int needed = std::vsnprintf(nullptr, 0, format, again);
  va_end(again);
  const std::size_t whole = needed < 0 ? 1 : static_cast<std::size_t>(needed) + 1;
  if (const std::size_t bytes = std::min(whole, room); bytes > 0) log_store(to, bytes, 1, caller);
}

/// What a scan may store: numbers, and characters as many as the text has for them. All arguments are pointers.
class results {
 public:
  results(const char* text, std::va_list list, const void* caller)
      : all_(std::strlen(text)), word_(longest_word(text)), caller_(caller) {
    va_copy(list_, list);
  }
  ~results() { va_end(list_); }
  results(const results&) = delete;  // one per call
  results& operator=(const results&) = delete;

  void look(const char* at) {
    std::size_t next = 0;
    while ((at = std::strchr(at, '%')) != nullptr) {
      ++at;
      std::size_t width = number(at), chosen = 0;
      if (*at == '$') {  // its argument by number
        chosen = width;
        width = number(++at);
      }
      const bool skipped = *at == '*';
      if (skipped) width = number(++at);
      const std::size_t letters = std::strspn(at, "hlqjztLm");
      const std::string_view size(at, letters);
      const char conversion = *(at += letters);
      if (conversion == '\0') return;
      ++at;
      if (conversion == '[') {
        at += *at == '^' ? 1 : 0;
        at += *at == ']' ? 1 : 0;
        if ((at = std::strchr(at, ']')) == nullptr) return;
      }
      if (skipped || conversion == '%') continue;
      const std::size_t bytes = bytes_of(conversion, size, width);
      void* const where = argument(chosen > 0 ? chosen - 1 : next++);
      log_load(where, bytes, 1, caller_);  // what is there may stay
      log_store(where, bytes, 1, caller_);
    }
  }

 private:
  static std::size_t longest_word(const char* text) {
    std::size_t longest = 0;
    for (text += std::strspn(text, space); *text != '\0'; text += std::strspn(text, space)) {
      const std::size_t length = std::strcspn(text, space);
      longest = std::max(longest, length);
      text += length;
    }
    return longest;
  }
  static std::size_t number(const char*& at) {
    std::size_t value = 0;
    while (*at >= '0' && *at <= '9')
      value = std::min<std::size_t>(value * 10, 1U << 30) + static_cast<unsigned>(*at++ - '0');
    return value;
  }

  [[nodiscard]] std::size_t bytes_of(char conversion, std::string_view size, std::size_t width) const {
    if (size.find('m') != std::string_view::npos) return sizeof(char*);
    const std::size_t unit = conversion == 'S' || conversion == 'C' || size == "l" ? sizeof(wchar_t) : 1;
    switch (conversion) {
      case 'c':
      case 'C':
        return std::max<std::size_t>(width, 1) * unit;
      case 's':
      case 'S':
      case '[': {
        const std::size_t most = conversion == '[' ? all_ : word_;
        return ((width == 0 ? most : std::min(width, most)) + 1) * unit;
      }
      case 'a':
      case 'A':
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G':
        return size.empty() ? sizeof(float) : size == "l" ? sizeof(double) : sizeof(long double);
      case 'p':
        return sizeof(void*);
      default:
        return size.empty() ? sizeof(int) : size == "hh" ? 1 : size == "h" ? sizeof(short) : sizeof(long long);
    }
  }

  void* argument(std::size_t which) {
    std::va_list list;
    va_copy(list, list_);
    void* pointer = va_arg(list, void*);
    for (; which > 0; --which) pointer = va_arg(list, void*);
    va_end(list);
    return pointer;
  }

  static constexpr const char* space = " \t\n\v\f\r";
  std::size_t all_, word_;  ///< characters of the text, and of its longest word
  const void* caller_;
  std::va_list list_;
};

constexpr std::size_t any_room = PTRDIFF_MAX;

void write_whole(const char* text, std::size_t bytes) {
  while (bytes > 0) {
    const ssize_t put = write(STDOUT_FILENO, text, bytes);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return;
    text += put;
    bytes -= static_cast<std::size_t>(put);
  }
}

/// What a kernel prints, past the C library's `stdout`: its buffer is the program's to read, and to lead elsewhere.
int print_apart(const char* format, std::va_list list) {
  std::array<char, 512> few{};
  std::va_list again;
  va_copy(again, list);
  const int length = std::vsnprintf(few.data(), few.size(), format, again);
  va_end(again);
  if (length < 0) return length;
  if (const auto bytes = static_cast<std::size_t>(length); bytes < few.size()) {
    write_whole(few.data(), bytes);
  } else {
    const private_allocation own;
    std::vector<char> all(bytes + 1);
    std::vsnprintf(all.data(), all.size(), format, list);
    write_whole(all.data(), bytes);
  }
  return length;
}

/// A kernel's text waits for that of earlier blocks. Returns whether it goes past the C library.
bool begin_print() {
  if (!hooks.in_kernel()) return false;
  await_earlier_blocks();
  return kernels_print_apart;
}

int print(const char* format, std::va_list list) {
  return begin_print() ? print_apart(format, list) : std::vprintf(format, list);
}

}  // namespace

extern "C" {

int __vprintf_chk(int, const char*, std::va_list);
static int print(int flag, const char* format, std::va_list list) {
  return begin_print() ? print_apart(format, list) : __vprintf_chk(flag, format, list);
}
int __vfprintf_chk(std::FILE*, int, const char*, std::va_list);
int __vsprintf_chk(char*, int, std::size_t, const char*, std::va_list);
int __vsnprintf_chk(char*, std::size_t, int, std::size_t, const char*, std::va_list);

// Each first as a list, then with its arguments.
#define SIMTLAB_PRINTING(name, listed, does, look, parameters, ...) \
  int simtlab_##listed(parameters, std::va_list list) {             \
    look;                                                           \
    return does(__VA_ARGS__, list);                                 \
  }                                                                 \
  int simtlab_##name(parameters, ...) {                             \
    std::va_list list;                                              \
    va_start(list, format);                                         \
    look;                                                           \
    const int result = does(__VA_ARGS__, list);                     \
    va_end(list);                                                   \
    return result;                                                  \
  }
#define SIMTLAB_COMMA ,
#define SIMTLAB_LOOK look_at(format, list, SIMTLAB_CALLED_FROM)
#define SIMTLAB_LOOK_STORE(room) look_at_store(to, room, format, list, SIMTLAB_CALLED_FROM)

SIMTLAB_PRINTING(printf, vprintf, print, SIMTLAB_LOOK, const char* format, format)
SIMTLAB_PRINTING(fprintf, vfprintf, vfprintf, SIMTLAB_LOOK, std::FILE* file SIMTLAB_COMMA const char* format, file,
                 format)
SIMTLAB_PRINTING(sprintf, vsprintf, vsprintf, SIMTLAB_LOOK_STORE(any_room), char* to SIMTLAB_COMMA const char* format,
                 to, format)
SIMTLAB_PRINTING(snprintf, vsnprintf, vsnprintf, SIMTLAB_LOOK_STORE(room),
                 char* to SIMTLAB_COMMA std::size_t room SIMTLAB_COMMA const char* format, to, room, format)
SIMTLAB_PRINTING(__printf_chk, __vprintf_chk, print, SIMTLAB_LOOK, int flag SIMTLAB_COMMA const char* format, flag,
                 format)
SIMTLAB_PRINTING(__fprintf_chk, __vfprintf_chk, __vfprintf_chk, SIMTLAB_LOOK,
                 std::FILE* file SIMTLAB_COMMA int flag SIMTLAB_COMMA const char* format, file, flag, format)
SIMTLAB_PRINTING(__sprintf_chk, __vsprintf_chk, __vsprintf_chk, SIMTLAB_LOOK_STORE(any_room),
                 char* to SIMTLAB_COMMA int flag SIMTLAB_COMMA std::size_t all SIMTLAB_COMMA const char* format, to,
                 flag, all, format)
SIMTLAB_PRINTING(__snprintf_chk, __vsnprintf_chk, __vsnprintf_chk, SIMTLAB_LOOK_STORE(room),
                 char* to SIMTLAB_COMMA std::size_t room SIMTLAB_COMMA int flag SIMTLAB_COMMA std::size_t all
                     SIMTLAB_COMMA const char* format,
                 to, room, flag, all, format)

int simtlab_puts(const char* text) {
  load_text(text, SIMTLAB_CALLED_FROM);
  const attribution_scope mark(SIMTLAB_CALLED_FROM);
  library_runs();
  return std::puts(text);
}
int simtlab_fputs(const char* text, std::FILE* file) {
  load_text(text, SIMTLAB_CALLED_FROM);
  const attribution_scope mark(SIMTLAB_CALLED_FROM);
  library_runs();
  return std::fputs(text, file);
}
std::size_t simtlab_fwrite(const void* from, std::size_t bytes, std::size_t count, std::FILE* file) {
  if (bytes * count > 0) load_text(from, bytes * count, SIMTLAB_CALLED_FROM);
  const attribution_scope mark(SIMTLAB_CALLED_FROM);
  library_runs();
  return std::fwrite(from, bytes, count, file);
}
void simtlab_perror(const char* text) {
  if (text != nullptr) load_text(text, SIMTLAB_CALLED_FROM);
  const attribution_scope mark(SIMTLAB_CALLED_FROM);
  library_runs();
  std::perror(text);
}

#define SIMTLAB_SCANNING(name)                                                  \
  int simtlab_##name(const char* text, const char* format, ...) {               \
    if (hooks.in_kernel()) refuse_host_function("sscanf", SIMTLAB_CALLED_FROM); \
    load_text(text, SIMTLAB_CALLED_FROM);                                       \
    load_text(format, SIMTLAB_CALLED_FROM);                                     \
    std::va_list list;                                                          \
    va_start(list, format);                                                     \
    results(text, list, SIMTLAB_CALLED_FROM).look(format);                      \
    const int result = std::vsscanf(text, format, list);                        \
    va_end(list);                                                               \
    return result;                                                              \
  }
SIMTLAB_SCANNING(__isoc99_sscanf)
SIMTLAB_SCANNING(__isoc23_sscanf)

}  // extern "C"
