// An object file as the verifier sees it: sections, functions and relocations, read with libelf. Places are (section, offset)
// pairs, because in an object file every section begins at 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace simtlab::verifier {

struct place {
  std::size_t section = 0;
  std::uint64_t offset = 0;
  auto operator<=>(const place&) const = default;
};

struct section {
  std::string name;
  std::vector<std::uint8_t> bytes;  ///< empty for zeroed data
  std::uint64_t size = 0;
  bool is_loaded = false, is_writable = false, is_code = false;
};

struct symbol {
  std::string name;
  bool is_defined = false, is_section = false, is_function = false;
  place where;  ///< of a defined one
  std::uint64_t size = 0;
};

struct relocation {
  std::uint64_t offset = 0;
  std::uint32_t type = 0, symbol = 0;
  std::int64_t addend = 0;
};

struct function {
  std::string name;
  place begin;
  std::uint64_t size = 0;
  std::vector<std::uint64_t> landings;  ///< offsets where exceptions land, and
  struct guarded {
    std::uint64_t begin, end, landing;
  };
  std::vector<guarded> calls;  ///< the stretches of code whose calls lead there
};

/// Throws std::runtime_error for what is no object file of x86-64.
class object_code {
 public:
  explicit object_code(const std::filesystem::path&);

  [[nodiscard]] const std::vector<section>& sections() const { return sections_; }
  [[nodiscard]] const std::vector<symbol>& symbols() const { return symbols_; }
  [[nodiscard]] const std::vector<function>& functions() const { return functions_; }
  /// Of a section, by offset.
  [[nodiscard]] const std::vector<relocation>& relocations(std::size_t section) const;
  /// The relocation that begins inside [begin, end) of a section, or null.
  [[nodiscard]] const relocation* relocation_in(std::size_t section, std::uint64_t begin, std::uint64_t end) const;
  /// The function that begins there, or null.
  [[nodiscard]] const function* function_at(place) const;
  /// The object that covers a place, or null.
  [[nodiscard]] const symbol* object_at(place) const;
  /// The place that a relocation names; only for a symbol that is defined here.
  [[nodiscard]] place target(const relocation&) const;

 private:
  void read_landings(std::size_t frames);
  void read_table(function&, place table) const;

  std::vector<section> sections_;
  std::vector<symbol> symbols_;
  std::vector<function> functions_;
  std::map<place, std::size_t> function_begins_;
  std::map<place, std::size_t> objects_;
  std::vector<std::vector<relocation>> relocations_;
};

}  // namespace simtlab::verifier
