#include "protocol/bounded_json.h"

#include <cmath>
#include <limits>

namespace simtlab {

json json_object(std::initializer_list<json_member> members) {
  json made = json::object();
  for (const json_member& m : members) made[m.name] = std::move(m.value);
  return made;
}

json parse_bounded(std::string_view text, std::string_view what) {
  bool too_deep = false;
  const auto stop_at_depth = [&](int depth, json::parse_event_t, json&) {
    if (depth > greatest_depth) too_deep = true;
    return !too_deep;  // false: the value is dropped as it is read, so depth costs no memory
  };
  try {
    json parsed = json::parse(text, stop_at_depth);
    if (too_deep) throw protocol_error(std::string(what) + " is nested deeper than any document of the protocol");
    return parsed;
  } catch (const json::exception& e) {
    throw protocol_error(std::string(what) + " is not JSON: " + e.what());
  }
}

void json_reader::fail(const std::string& expected) const {
  std::string found = value_->is_structured() ? std::string(value_->type_name())
                                              : value_->dump(-1, ' ', false, json::error_handler_t::replace);
  if (found.size() > 60) found = found.substr(0, 60) + "…";
  throw protocol_error(path_ + ": expected " + expected + ", found " + found);
}

json_reader json_reader::operator[](std::string_view member) const {
  expect(value_->is_object(), "an object");
  const auto found = value_->find(std::string(member));
  if (found == value_->end()) throw protocol_error(path_ + ": the member \"" + std::string(member) + "\" is missing");
  return {*found, path_ + "." + std::string(member)};
}

std::string json_reader::text() const {
  expect(value_->is_string(), "a string");
  const auto& text = value_->get_ref<const std::string&>();
  if (text.size() > longest_string) fail("a string of at most " + std::to_string(longest_string) + " bytes");
  return text;
}

std::uint64_t json_reader::count() const {
  expect(value_->is_number_unsigned(), "a whole number that is not negative");
  return value_->get<std::uint64_t>();
}

int json_reader::small_count() const {
  const std::uint64_t n = count();
  if (n > std::numeric_limits<int>::max()) fail("a whole number below 2^31");
  return static_cast<int>(n);
}

std::int64_t json_reader::integer() const {
  expect(value_->is_number_integer(), "a whole number");
  if (value_->is_number_unsigned() && value_->get<std::uint64_t>() > std::uint64_t{1} << 62) fail("a smaller number");
  return value_->get<std::int64_t>();
}

double json_reader::number() const {
  expect(value_->is_number(), "a number");
  const double number = value_->get<double>();
  if (!std::isfinite(number)) fail("a finite number");
  return number;
}

bool json_reader::boolean() const {
  expect(value_->is_boolean(), "true or false");
  return value_->get<bool>();
}

std::size_t json_reader::array_size() const {
  expect(value_->is_array(), "an array");
  if (value_->size() > longest_array) fail("an array of at most " + std::to_string(longest_array) + " elements");
  return value_->size();
}

std::string as_utf8(std::string_view text) {
  const std::string written = json(text).dump(-1, ' ', false, json::error_handler_t::replace);  // the library knows how
  return json::parse(std::string_view(written)).get<std::string>();
}

std::string to_text(const json& document) {
  return document.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace simtlab
