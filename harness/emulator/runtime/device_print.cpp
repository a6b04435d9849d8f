#include "runtime/device_print.h"

#include <array>
#include <cstdio>
#include <cstring>
#include <optional>

namespace simtlab::emulator {
namespace {

/// Takes one argument after the other.
class arguments_reader {
 public:
  explicit arguments_reader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <class T>
  std::optional<T> next() {
    at_ = rounded_up(at_, sizeof(T));
    if (at_ + sizeof(T) > bytes_.size()) return std::nullopt;
    T value;
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof(T);
    return value;
  }

 private:
  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
};

template <class T>
std::string printed(const std::string& conversion, const T& value) {
  std::array<char, 512> text{};
  const int length = std::snprintf(text.data(), text.size(), conversion.c_str(), value);
  return {text.data(), std::min(text.size() - 1, static_cast<std::size_t>(std::max(length, 0)))};
}

bool is_flag(char c) { return std::strchr("-+ #0123456789.", c) != nullptr && c != '\0'; }

/// One conversion, `kind` its last letter: `%-8.3lf`. Nothing: its argument is not there.
std::optional<std::string> converted(std::string spelling, char kind, bool is_long, arguments_reader& arguments,
                                     const std::function<std::string(address)>& text_at) {
  const auto as_long_long = [&] {
    spelling.pop_back();
    spelling.append("ll").push_back(kind);
  };
  switch (kind) {
    case 'd':
    case 'i':
      if (!is_long) {
        const auto value = arguments.next<int>();
        return value ? std::optional(printed(spelling, *value)) : std::nullopt;
      }
      [[fallthrough]];
    case 'u':
    case 'x':
    case 'X':
    case 'o':
      if (is_long) {
        const auto value = arguments.next<long long>();
        as_long_long();
        return value ? std::optional(printed(spelling, *value)) : std::nullopt;
      }
      [[fallthrough]];
    case 'c': {
      const auto value = arguments.next<unsigned>();
      return value ? std::optional(printed(spelling, *value)) : std::nullopt;
    }
    case 'p': {
      const auto value = arguments.next<void*>();
      return value ? std::optional(printed(spelling, *value)) : std::nullopt;
    }
    case 's': {
      const auto value = arguments.next<address>();
      if (!value) return std::nullopt;
      const std::string text = text_at(*value);
      return printed(spelling, text.c_str());
    }
    default: {
      const auto value = arguments.next<double>();
      return value ? std::optional(printed(spelling, *value)) : std::nullopt;
    }
  }
}

}  // namespace

std::string device_print(std::string_view format, std::span<const std::byte> arguments,
                         const std::function<std::string(address)>& text_at) {
  std::string result;
  arguments_reader reader(arguments);
  for (std::size_t i = 0; i < format.size();) {
    if (format[i] != '%') {
      result += format[i++];
      continue;
    }
    std::size_t end = i + 1;
    std::string spelling = "%";
    while (end < format.size() && (is_flag(format[end]) || format[end] == '*')) {
      if (format[end] == '*')
        spelling += std::to_string(reader.next<int>().value_or(0));
      else
        spelling += format[end];
      ++end;
    }
    bool is_long = false;
    for (; end < format.size() && std::strchr("hlqjztL", format[end]) != nullptr; ++end)
      is_long |= format[end] != 'h' && format[end] != 'L';
    const char kind = end < format.size() ? format[end] : '\0';
    const std::string_view as_written = format.substr(i, end + 1 - i);
    i = end + 1;
    if (kind == '%') {
      result += '%';
    } else if (kind == '\0' || std::strchr("diuxXocpsfFeEgGaA", kind) == nullptr) {
      result += as_written;
    } else {
      const auto text = converted(spelling + kind, kind, is_long, reader, text_at);
      result += text ? *text : std::string(as_written);
    }
  }
  return result;
}

}  // namespace simtlab::emulator
