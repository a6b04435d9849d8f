// The sections, symbols and relocations of an ELF file of 64 bits in memory, every offset checked: the file may be anybody's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace simtlab::emulator::sass {

class elf_error : public std::runtime_error {
  using runtime_error::runtime_error;
};

struct elf_section {
  std::string_view name;
  std::uint32_t type = 0, link = 0, info = 0;
  std::uint64_t bytes = 0, alignment = 1;
  std::span<const std::byte> content;  ///< empty where the file has none (NOBITS)
};

struct elf_symbol {
  std::string_view name;
  unsigned type = 0;
  std::uint16_t section = 0;
  std::uint64_t value = 0, bytes = 0;
};

struct elf_relocation {
  std::uint64_t offset = 0;
  std::uint32_t symbol = 0, type = 0;
  std::int64_t addend = 0;
};

inline constexpr unsigned elf_object = 1, elf_function = 2;  ///< types of symbols

class elf_image {
 public:
  /// Throws elf_error; keeps pointing to `file`.
  explicit elf_image(std::span<const std::byte> file);

  [[nodiscard]] std::uint16_t machine() const { return machine_; }
  [[nodiscard]] const std::vector<elf_section>& sections() const { return sections_; }
  [[nodiscard]] const std::vector<elf_symbol>& symbols() const { return symbols_; }
  /// Null where there is none.
  [[nodiscard]] const elf_section* section(std::string_view name) const;
  /// Of the section `name`; none where there are none.
  [[nodiscard]] std::vector<elf_relocation> relocations(std::string_view name) const;

 private:
  std::uint16_t machine_ = 0;
  std::vector<elf_section> sections_;
  std::vector<elf_symbol> symbols_;
};

}  // namespace simtlab::emulator::sass
