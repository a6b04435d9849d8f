// Reading JSON that a stranger may have written. Size and depth are bounded, every member is asked for by name and type,
// and what does not fit is a protocol_error that names the member and what was found instead.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "protocol/protocol_error.h"

namespace simtlab {

using json = nlohmann::ordered_json;

/// One member of an object that is written.
struct json_member {
  const char* name;
  mutable json value;  // an initialiser list is const, and the value moves out of it
};

/// An object of these members. nlohmann-json's own initialiser lists are compiled anew for each length of a name.
[[nodiscard]] json json_object(std::initializer_list<json_member> members);

/// Deepest nesting that any document of ours has, with room to spare.
inline constexpr int greatest_depth = 16;
inline constexpr std::size_t longest_string = 1 << 16;
inline constexpr std::size_t longest_array = 1 << 20;

/// Throws protocol_error. `what` names the document in messages.
[[nodiscard]] json parse_bounded(std::string_view text, std::string_view what);

/// One value of a document and its path. Does not own the value.
class json_reader {
 public:
  json_reader(const json& value, std::string path) : value_(&value), path_(std::move(path)) {}

  [[nodiscard]] json_reader operator[](std::string_view member) const;
  /// Whether an object has a member that may be left out.
  [[nodiscard]] bool has(std::string_view member) const { return value_->is_object() && value_->contains(member); }
  [[nodiscard]] bool is_null() const { return value_->is_null(); }
  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::uint64_t count() const;
  /// A count that fits an int, such as a line number.
  [[nodiscard]] int small_count() const;
  [[nodiscard]] std::int64_t integer() const;
  [[nodiscard]] double number() const;  ///< finite
  [[nodiscard]] bool boolean() const;

  /// Calls `f(json_reader)` for each element.
  template <class F>
  void for_each(F f) const {
    const std::size_t n = array_size();
    for (std::size_t i = 0; i < n; ++i) f(json_reader((*value_)[i], path_ + "[" + std::to_string(i) + "]"));
  }
  /// Calls `f(name, json_reader)` for each member.
  template <class F>
  void for_each_member(F f) const {
    expect(value_->is_object(), "an object");
    for (const auto& [name, member] : value_->items()) f(name, json_reader(member, path_ + "." + name));
  }
  [[noreturn]] void fail(const std::string& expected) const;
  [[nodiscard]] std::size_t array_size() const;

 private:
  void expect(bool fulfilled, const char* what) const {
    if (!fulfilled) fail(what);
  }
  const json* value_;
  std::string path_;
};

/// Text for a file: invalid UTF-8 is replaced, one value a line where that helps a reader.
[[nodiscard]] std::string to_text(const json&);

/// The text with each byte replaced that belongs to no character of UTF-8, one cut off at the end included.
[[nodiscard]] std::string as_utf8(std::string_view text);

}  // namespace simtlab
