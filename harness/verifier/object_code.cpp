#include "verifier/object_code.h"

#include <elf.h>
#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

namespace simtlab::verifier {
namespace {

struct file {
  explicit file(const std::filesystem::path& path) : descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (descriptor < 0) throw std::runtime_error("cannot read " + path.string());
  }
  ~file() { close(descriptor); }
  file(const file&) = delete;
  file& operator=(const file&) = delete;
  int descriptor;
};

struct end_elf {
  void operator()(Elf* e) const { elf_end(e); }
};

/// Numbers of a table of exceptions, which are all of variable length.
class reader {
 public:
  reader(const std::vector<std::uint8_t>& bytes, std::uint64_t at) : bytes_(bytes), at_(at) {}
  [[nodiscard]] std::uint64_t at() const { return at_; }
  std::uint8_t byte() {
    if (at_ >= bytes_.size()) throw std::runtime_error("a table of exceptions ends too early");
    return bytes_[at_++];
  }
  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint8_t b = byte();
      value |= static_cast<std::uint64_t>(b & 0x7f) << shift;
      if ((b & 0x80) == 0) return value;
    }
    throw std::runtime_error("a table of exceptions has a number that does not end");
  }

 private:
  const std::vector<std::uint8_t>& bytes_;
  std::uint64_t at_;
};

}  // namespace

object_code::object_code(const std::filesystem::path& path) {
  elf_version(EV_CURRENT);
  const file opened(path);
  const std::unique_ptr<Elf, end_elf> elf(elf_begin(opened.descriptor, ELF_C_READ_MMAP, nullptr));
  GElf_Ehdr header;
  if (elf == nullptr || gelf_getehdr(elf.get(), &header) == nullptr || header.e_type != ET_REL ||
      header.e_machine != EM_X86_64)
    throw std::runtime_error(path.string() + " is no object file of x86-64");
  std::size_t names = 0;
  elf_getshdrstrndx(elf.get(), &names);
  sections_.emplace_back();
  std::size_t frames = 0;
  std::vector<std::pair<Elf_Scn*, GElf_Shdr>> tables;
  for (Elf_Scn* s = elf_nextscn(elf.get(), nullptr); s != nullptr; s = elf_nextscn(elf.get(), s)) {
    GElf_Shdr h;
    if (gelf_getshdr(s, &h) == nullptr) throw std::runtime_error("a section has no header");
    section& made = sections_.emplace_back();
    const char* name = elf_strptr(elf.get(), names, h.sh_name);
    made.name = name == nullptr ? "" : name;
    made.size = h.sh_size;
    made.is_loaded = (h.sh_flags & SHF_ALLOC) != 0;
    made.is_writable = (h.sh_flags & SHF_WRITE) != 0;
    made.is_code = (h.sh_flags & SHF_EXECINSTR) != 0;
    if (made.name == ".eh_frame") frames = sections_.size() - 1;
    if (made.is_loaded && h.sh_type != SHT_NOBITS) {
      const Elf_Data* data = elf_getdata(s, nullptr);
      const auto* const bytes = data == nullptr ? nullptr : static_cast<const std::uint8_t*>(data->d_buf);
      if (bytes != nullptr) made.bytes.assign(bytes, bytes + data->d_size);
    }
    if (h.sh_type == SHT_SYMTAB || h.sh_type == SHT_RELA) tables.emplace_back(s, h);
    if (h.sh_type == SHT_REL) throw std::runtime_error("relocations without addends, which g++ does not write");
  }
  relocations_.resize(sections_.size());
  for (const auto& [s, h] : tables) {
    Elf_Data* const data = elf_getdata(s, nullptr);
    if (data == nullptr || h.sh_entsize == 0) continue;
    const auto count = static_cast<int>(h.sh_size / h.sh_entsize);
    for (int i = 0; h.sh_type == SHT_SYMTAB && i < count; ++i) {
      GElf_Sym raw;
      gelf_getsym(data, i, &raw);
      symbol& made = symbols_.emplace_back();
      const char* name = elf_strptr(elf.get(), h.sh_link, raw.st_name);
      made.name = name == nullptr ? "" : name;
      made.is_defined = raw.st_shndx != SHN_UNDEF && raw.st_shndx < sections_.size();
      made.is_section = GELF_ST_TYPE(raw.st_info) == STT_SECTION;
      made.is_function = GELF_ST_TYPE(raw.st_info) == STT_FUNC;
      made.size = raw.st_size;
      if (!made.is_defined) continue;
      made.where = {raw.st_shndx, raw.st_value};
      const int type = GELF_ST_TYPE(raw.st_info);
      if (made.is_function && function_begins_.emplace(made.where, functions_.size()).second)
        functions_.push_back({made.name, made.where, made.size, {}, {}});
      if (type == STT_OBJECT || type == STT_TLS || type == STT_NOTYPE)
        objects_.emplace(made.where, symbols_.size() - 1);
    }
  }
  for (const auto& [s, h] : tables) {
    if (h.sh_type != SHT_RELA || h.sh_info >= sections_.size() || !sections_[h.sh_info].is_loaded) continue;
    Elf_Data* const data = elf_getdata(s, nullptr);
    if (data == nullptr || h.sh_entsize == 0) continue;
    auto& made = relocations_[h.sh_info];
    for (int i = 0; i < static_cast<int>(h.sh_size / h.sh_entsize); ++i) {
      GElf_Rela raw;
      gelf_getrela(data, i, &raw);
      if (GELF_R_SYM(raw.r_info) >= symbols_.size()) throw std::runtime_error("a relocation names no symbol");
      made.push_back({raw.r_offset, static_cast<std::uint32_t>(GELF_R_TYPE(raw.r_info)),
                      static_cast<std::uint32_t>(GELF_R_SYM(raw.r_info)), raw.r_addend});
    }
    std::sort(made.begin(), made.end(), [](const auto& a, const auto& b) { return a.offset < b.offset; });
  }
  if (frames != 0) read_landings(frames);
}

const std::vector<relocation>& object_code::relocations(std::size_t section) const {
  return relocations_.at(section);
}

const relocation* object_code::relocation_in(std::size_t section, std::uint64_t begin, std::uint64_t end) const {
  const auto& all = relocations_.at(section);
  const auto found =
      std::lower_bound(all.begin(), all.end(), begin, [](const relocation& r, std::uint64_t at) { return r.offset < at; });
  return found != all.end() && found->offset < end ? &*found : nullptr;
}

const function* object_code::function_at(place p) const {
  const auto found = function_begins_.find(p);
  return found == function_begins_.end() ? nullptr : &functions_[found->second];
}

const symbol* object_code::object_at(place p) const {
  auto found = objects_.upper_bound(p);
  if (found == objects_.begin()) return nullptr;
  const symbol& s = symbols_[std::prev(found)->second];
  return s.where.section == p.section && p.offset - s.where.offset < s.size ? &s : nullptr;
}

place object_code::target(const relocation& r) const {
  const symbol& s = symbols_[r.symbol];
  return {s.where.section, s.where.offset + static_cast<std::uint64_t>(r.addend)};
}

/// In .eh_frame each function's entry names the function, then its table of exceptions if it has one.
void object_code::read_landings(std::size_t frames) {
  function* of = nullptr;
  for (const relocation& r : relocations_[frames]) {
    if (!symbols_[r.symbol].is_defined) continue;
    const place p = target(r);
    if (p.section < sections_.size() && sections_[p.section].is_code) {
      const auto found = function_begins_.find(p);
      of = found == function_begins_.end() ? nullptr : &functions_[found->second];
    } else if (of != nullptr && sections_[p.section].name.starts_with(".gcc_except_table")) {
      read_table(*of, p);
    }
  }
}

void object_code::read_table(function& of, place table) const {
  constexpr std::uint8_t omitted = 0xff, variable_length = 0x01;
  reader in(sections_[table.section].bytes, table.offset);
  if (in.byte() != omitted) throw std::runtime_error("a table of exceptions that counts from elsewhere");
  if (in.byte() != omitted) in.number();
  if (in.byte() != variable_length) throw std::runtime_error("a table of exceptions in a form that g++ does not write");
  const std::uint64_t bytes = in.number();
  for (const std::uint64_t end = in.at() + bytes; in.at() < end;) {
    const std::uint64_t begin = in.number(), length = in.number(), landing = in.number();
    in.number();
    if (landing == 0) continue;
    const std::uint64_t base = of.begin.offset;
    of.landings.push_back(base + landing);
    of.calls.push_back({base + begin, base + begin + length, base + landing});
  }
}

}  // namespace simtlab::verifier
