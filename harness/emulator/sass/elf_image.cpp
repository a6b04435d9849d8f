#include "sass/elf_image.h"

#include <elf.h>

#include <cstring>

namespace simtlab::emulator::sass {
namespace {

template <class T>
T read(std::span<const std::byte> from, std::uint64_t offset) {
  if (offset > from.size() || from.size() - offset < sizeof(T))
    throw elf_error("expected " + std::to_string(sizeof(T)) + " bytes at offset " + std::to_string(offset) +
                    ", found the end of " + std::to_string(from.size()));
  T value;
  std::memcpy(&value, from.data() + offset, sizeof value);
  return value;
}

std::span<const std::byte> part(std::span<const std::byte> of, std::uint64_t offset, std::uint64_t bytes) {
  if (offset > of.size() || bytes > of.size() - offset)
    throw elf_error("a section of " + std::to_string(bytes) + " bytes at offset " + std::to_string(offset) +
                    " leaves the file, which has " + std::to_string(of.size()));
  return of.subspan(offset, bytes);
}

std::string_view text_at(std::span<const std::byte> strings, std::uint64_t offset) {
  if (offset >= strings.size()) return {};
  const auto* const begin = reinterpret_cast<const char*>(strings.data()) + offset;
  return {begin, strnlen(begin, strings.size() - offset)};
}

}  // namespace

elf_image::elf_image(std::span<const std::byte> file) {
  const auto header = read<Elf64_Ehdr>(file, 0);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != ELFDATA2LSB)
    throw elf_error("expected an ELF file of 64 bits, little-endian");
  machine_ = header.e_machine;
  std::vector<Elf64_Shdr> raw;
  for (unsigned i = 0; i < header.e_shnum; ++i)
    raw.push_back(read<Elf64_Shdr>(file, header.e_shoff + i * sizeof(Elf64_Shdr)));
  if (header.e_shstrndx >= raw.size()) throw elf_error("expected names of sections, found none");
  const auto names = part(file, raw[header.e_shstrndx].sh_offset, raw[header.e_shstrndx].sh_size);
  for (const Elf64_Shdr& s : raw) {
    const bool has_content = s.sh_type != SHT_NOBITS && s.sh_type != SHT_NULL;
    sections_.push_back({text_at(names, s.sh_name), s.sh_type, s.sh_link, s.sh_info, s.sh_size, s.sh_addralign,
                         has_content ? part(file, s.sh_offset, s.sh_size) : std::span<const std::byte>{}});
  }
  for (const elf_section& s : sections_) {
    if (s.type != SHT_SYMTAB || s.link >= sections_.size()) continue;
    for (std::uint64_t at = 0; at + sizeof(Elf64_Sym) <= s.content.size(); at += sizeof(Elf64_Sym)) {
      const auto symbol = read<Elf64_Sym>(s.content, at);
      symbols_.push_back({text_at(sections_[s.link].content, symbol.st_name),
                          static_cast<unsigned>(ELF64_ST_TYPE(symbol.st_info)), symbol.st_shndx, symbol.st_value,
                          symbol.st_size});
    }
  }
}

const elf_section* elf_image::section(std::string_view name) const {
  for (const elf_section& s : sections_)
    if (s.name == name) return &s;
  return nullptr;
}

std::vector<elf_relocation> elf_image::relocations(std::string_view name) const {
  std::vector<elf_relocation> result;
  for (const elf_section& s : sections_) {
    const bool adds = s.type == SHT_RELA;
    if ((!adds && s.type != SHT_REL) || s.info >= sections_.size() || sections_[s.info].name != name) continue;
    const std::uint64_t bytes = adds ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
    for (std::uint64_t at = 0; at + bytes <= s.content.size(); at += bytes) {
      const auto r = read<Elf64_Rel>(s.content, at);
      const std::int64_t addend = adds ? read<Elf64_Rela>(s.content, at).r_addend : 0;
      result.push_back(
          {r.r_offset, static_cast<std::uint32_t>(r.r_info >> 32), static_cast<std::uint32_t>(r.r_info), addend});
    }
  }
  return result;
}

}  // namespace simtlab::emulator::sass
