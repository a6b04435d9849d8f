// Reads JSON text from its begin to its end, once, without building anything: what nvdisasm prints has some megabytes. Strict, bounded
// in depth, and safe with any bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace simtlab::emulator::sass {

/// Says at which byte the text stops to be JSON, or what stands there instead of what was expected.
class json_error : public std::runtime_error {
  using runtime_error::runtime_error;
};

class json_reader {
 public:
  explicit json_reader(std::string_view text) : text_(text) {}

  /// Calls `member(name)` for each member of the object that stands here; it must read the value.
  template <class Member>
  void object(const Member& member) {
    open('{');
    for (bool first = true; next_in('}', first); first = false) {
      const std::string name = string();
      expect(':');
      member(std::string_view(name));
    }
  }
  /// Calls `element(index)` for each element of the array that stands here; it must read the element.
  template <class Element>
  void array(const Element& element) {
    open('[');
    std::size_t index = 0;
    for (bool first = true; next_in(']', first); first = false) element(index++);
  }
  [[nodiscard]] std::string string();
  /// Digits alone.
  [[nodiscard]] std::uint64_t number();
  void skip();
  /// Throws unless nothing but space follows.
  void end();

 private:
  [[noreturn]] void fail(std::string_view expected) const;
  char peek();
  void expect(char);
  void open(char);
  /// Whether another element comes; otherwise the closing bracket was read.
  bool next_in(char close, bool first);

  std::string_view text_;
  std::size_t at_ = 0;
  unsigned depth_ = 0;
};

}  // namespace simtlab::emulator::sass
