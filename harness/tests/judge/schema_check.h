// As much of JSON Schema (draft 2020-12) as facts.schema.json uses.
#pragma once

#include <algorithm>
#include <regex>
#include <string>

#include "protocol/bounded_json.h"

namespace simtlab {

inline bool has_type(const json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "integer") return value.is_number_integer();
  if (type == "number") return value.is_number();
  return type == "null" && value.is_null();
}

class schema_check {
 public:
  explicit schema_check(const json& root) : root_(root) {}

  /// A sentence about the first violation; empty when there is none.
  [[nodiscard]] std::string violation(const json& schema, const json& value, const std::string& path) const {
    if (schema.contains("$ref")) {
      const auto name = schema["$ref"].get<std::string>().substr(std::string("#/$defs/").size());
      if (std::string v = violation(root_["$defs"].at(name), value, path); !v.empty()) return v;
    }
    if (schema.contains("oneOf")) {
      const auto fits =
          std::ranges::count_if(schema["oneOf"], [&](const json& s) { return violation(s, value, path).empty(); });
      if (fits != 1) return path + ": fits " + std::to_string(fits) + " of the alternatives";
    }
    if (schema.contains("const") && schema["const"] != value) return path + ": is not " + schema["const"].dump();
    if (schema.contains("enum") && std::ranges::find(schema["enum"], value) == schema["enum"].end())
      return path + ": " + value.dump() + " is not in the list";
    if (schema.contains("type") && !type_fits(schema["type"], value)) return path + ": has the wrong type";
    if (value.is_number() && schema.contains("minimum") && value.get<double>() < schema["minimum"].get<double>())
      return path + ": below the minimum";
    if (value.is_number() && schema.contains("maximum") && value.get<double>() > schema["maximum"].get<double>())
      return path + ": above the maximum";
    if (value.is_string() && schema.contains("minLength") &&
        value.get<std::string>().size() < schema["minLength"].get<std::size_t>())
      return path + ": too short";
    if (value.is_string() && schema.contains("pattern") &&
        !std::regex_search(value.get<std::string>(), std::regex(schema["pattern"].get<std::string>())))
      return path + ": does not match the pattern";
    if (value.is_object()) return object_violation(schema, value, path);
    if (value.is_array()) return array_violation(schema, value, path);
    return "";
  }

 private:
  static bool type_fits(const json& type, const json& value) {
    if (type.is_string()) return has_type(value, type.get<std::string>());
    return std::ranges::any_of(type, [&](const json& t) { return has_type(value, t.get<std::string>()); });
  }

  [[nodiscard]] static std::string member_of(const std::string& path, const std::string& name) {
    return std::string(path).append(".").append(name);
  }

  [[nodiscard]] std::string object_violation(const json& schema, const json& value, const std::string& path) const {
    if (schema.contains("required"))
      for (const json& name : schema["required"])
        if (!value.contains(name.get<std::string>())) return member_of(path, name.get<std::string>()) + ": is lacking";
    const json properties = schema.value("properties", json::object());
    for (const auto& [name, member] : value.items()) {
      if (properties.contains(name)) {
        if (std::string v = violation(properties[name], member, member_of(path, name)); !v.empty()) return v;
      } else if (schema.contains("additionalProperties")) {
        const json& more = schema["additionalProperties"];
        if (more.is_boolean() && !more.get<bool>()) return member_of(path, name) + ": is unknown";
        if (more.is_object())
          if (std::string v = violation(more, member, member_of(path, name)); !v.empty()) return v;
      } else if (schema.contains("unevaluatedProperties") && !is_named(schema, name)) {
        return member_of(path, name) + ": is unknown";
      }
    }
    return "";
  }

  /// By the schema itself or by the one that it builds on: what `unevaluatedProperties: false` asks.
  [[nodiscard]] bool is_named(const json& schema, const std::string& name) const {
    if (schema.contains("properties") && schema["properties"].contains(name)) return true;
    if (!schema.contains("$ref")) return false;
    return is_named(root_["$defs"].at(schema["$ref"].get<std::string>().substr(std::string("#/$defs/").size())), name);
  }

  [[nodiscard]] std::string array_violation(const json& schema, const json& value, const std::string& path) const {
    if (schema.contains("minItems") && value.size() < schema["minItems"].get<std::size_t>())
      return path + ": too few items";
    if (schema.contains("maxItems") && value.size() > schema["maxItems"].get<std::size_t>())
      return path + ": too many items";
    if (schema.contains("items"))
      for (std::size_t i = 0; i < value.size(); ++i)
        if (std::string v = violation(schema["items"], value[i], path + "[" + std::to_string(i) + "]"); !v.empty())
          return v;
    return "";
  }

  const json& root_;
};

inline std::string first_violation(const json& schema, const json& value) {
  return schema_check(schema).violation(schema, value, "facts");
}

}  // namespace simtlab
