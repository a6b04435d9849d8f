// An object file as the verifier sees it: sections, functions and relocations, read with libelf. Places are (section, offset)
// pairs, because in an object file every section begins at 0.
#pragma once

#include <gelf.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
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
  bool is_defined = false;
  place where;  ///< of a defined one
};

struct relocation {
  std::uint64_t offset = 0;
  std::uint32_t type = 0, symbol = 0;
  std::int64_t addend = 0;
};

/// A stretch of code whose calls, if they throw, go on at `landing`.
struct catching {
  std::uint64_t begin, end, landing;
};

struct function {
  std::string name;
  std::uint64_t end = 0;
  std::vector<catching> calls;
};

/// Throws std::runtime_error for what is no object file of x86-64.
class object_code {
 public:
  explicit object_code(const std::filesystem::path&);

  [[nodiscard]] const std::vector<section>& sections() const { return sections_; }
  [[nodiscard]] const std::vector<symbol>& symbols() const { return symbols_; }
  /// By where they begin.
  [[nodiscard]] const std::map<place, function>& functions() const { return functions_; }
  /// Of a section, by offset.
  [[nodiscard]] const std::vector<relocation>& relocations(std::size_t section) const {
    return relocations_.at(section);
  }
  /// The relocation that begins inside [begin, end) of a section, or null.
  [[nodiscard]] const relocation* relocation_in(std::size_t section, std::uint64_t begin, std::uint64_t end) const;
  /// The place that a relocation names; only for a symbol that is defined here.
  [[nodiscard]] place target(const relocation&) const;

 private:
  void read_section(Elf_Scn*, const char* name);
  void read_symbols(Elf*, Elf_Scn*);
  void read_relocations(Elf_Scn*);
  void read_landings(std::size_t frames);
  void read_table(place of, function&, place table) const;

  std::vector<section> sections_;
  std::vector<symbol> symbols_;
  std::map<place, function> functions_;
  std::vector<std::vector<relocation>> relocations_;
};

}  // namespace simtlab::verifier
