#include "predict/drawing.h"

#include <cctype>
#include <cstdint>

namespace simtlab::predict {
namespace {

// FNV-1a, and SplitMix64's last step so that all bits of the remainder depend on all letters.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  hash = (hash ^ (hash >> 30U)) * 0xbf58476d1ce4e5b9;
  hash = (hash ^ (hash >> 27U)) * 0x94d049bb133111eb;
  return hash ^ (hash >> 31U);
}

// Bytes beyond ASCII are letters, too: a name in any script draws numbers of its own.
std::string plain(std::string_view name) {
  std::string letters;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80 || std::isalnum(byte) != 0) letters += static_cast<char>(byte < 0x80 ? std::tolower(byte) : byte);
  }
  return letters;
}

}  // namespace

drawn numbers_for(const question& of, std::string_view student) {
  const std::string name = plain(student);
  std::map<std::string, int> values;
  for (const number& n : of.numbers) {
    const std::uint64_t lot = name.empty() ? 0 : hash_of(name + '/' + of.name + '/' + n.name);
    values[n.name] = n.values.at(lot % n.values.size());
  }
  return drawn(values);
}

std::string text_of(const question& of, const drawn& numbers) {
  std::string text = of.text;
  for (const auto& [name, value] : numbers.values()) {
    const std::string place = "{" + name + "}";
    for (std::size_t at = text.find(place); at != std::string::npos; at = text.find(place))
      text.replace(at, place.size(), std::to_string(value));
  }
  return text;
}

}  // namespace simtlab::predict
