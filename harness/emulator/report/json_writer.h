// JSON text, written from the first member to the last. The emulator has no library for it (docs/architecture.md).
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <utility>

#include "report/escapes.h"

namespace simtlab::emulator {

/// Members of an object, or elements of an array, one after the other.
class json_writer {
 public:
  json_writer& begin(char bracket) {
    text_ += bracket;
    first_ = true;
    return *this;
  }
  json_writer& end(char bracket) {
    text_ += bracket;
    first_ = false;
    return *this;
  }
  json_writer& key(std::string_view name) {
    separate();
    text_ += json_quoted(name) + ": ";
    first_ = true;
    return *this;
  }
  json_writer& value(std::string_view v) { return raw(json_quoted(v)); }
  json_writer& value(const char* v) { return raw(json_quoted(v)); }
  json_writer& value(bool v) { return raw(v ? "true" : "false"); }
  json_writer& value(std::integral auto v) { return raw(std::to_string(v)); }
  json_writer& null() { return raw("null"); }
  template <class T>
  json_writer& member(std::string_view name, const T& v) {
    return key(name).value(v);
  }
  /// Each element begins a line of its own.
  json_writer& element() {
    separate();
    text_ += "\n    ";
    first_ = true;
    return *this;
  }
  std::string take() { return std::move(text_) + "\n"; }

 private:
  json_writer& raw(const std::string& v) {
    separate();
    text_ += v;
    return *this;
  }
  void separate() {
    if (!first_) text_ += ", ";
    first_ = false;
  }
  std::string text_;
  bool first_ = true;
};

}  // namespace simtlab::emulator
