#include "verifier/object_code.h"

#include <elf.h>
#include <fcntl.h>
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
  file(const file&) = delete;  // owns the descriptor
  file& operator=(const file&) = delete;
  int descriptor;
};

struct end_elf {
  void operator()(Elf* e) const { elf_end(e); }
};

GElf_Shdr header_of(Elf_Scn* s) {
  GElf_Shdr header;
  if (gelf_getshdr(s, &header) == nullptr) throw std::runtime_error("a section has no header");
  return header;
}

/// Of a table of exceptions.
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

std::string text(const char* or_null) { return or_null == nullptr ? "" : or_null; }

}  // namespace

object_code::object_code(const std::filesystem::path& path) {
  elf_version(EV_CURRENT);
  const file opened(path);
  const std::unique_ptr<Elf, end_elf> elf(elf_begin(opened.descriptor, ELF_C_READ, nullptr));
  GElf_Ehdr header;
  std::size_t names = 0;
  if (elf == nullptr || gelf_getehdr(elf.get(), &header) == nullptr || header.e_type != ET_REL ||
      header.e_machine != EM_X86_64 || elf_getshdrstrndx(elf.get(), &names) != 0)
    throw std::runtime_error(path.string() + " is no object file of x86-64");
  sections_.emplace_back();  // the first one of every object is none
  for (Elf_Scn* s = elf_nextscn(elf.get(), nullptr); s != nullptr; s = elf_nextscn(elf.get(), s))
    read_section(s, elf_strptr(elf.get(), names, header_of(s).sh_name));
  relocations_.resize(sections_.size());
  for (Elf_Scn* s = elf_nextscn(elf.get(), nullptr); s != nullptr; s = elf_nextscn(elf.get(), s))
    if (header_of(s).sh_type == SHT_SYMTAB) read_symbols(elf.get(), s);
  for (Elf_Scn* s = elf_nextscn(elf.get(), nullptr); s != nullptr; s = elf_nextscn(elf.get(), s))
    if (header_of(s).sh_type == SHT_RELA) read_relocations(s);
  for (std::size_t s = 0; s < sections_.size(); ++s)
    if (sections_[s].name == ".eh_frame") read_landings(s);
}

void object_code::read_section(Elf_Scn* s, const char* name) {
  const GElf_Shdr header = header_of(s);
  if (header.sh_type == SHT_REL) throw std::runtime_error("relocations without addends, which g++ does not write");
  section& made = sections_.emplace_back();
  made.name = text(name);
  made.size = header.sh_size;
  made.is_loaded = (header.sh_flags & SHF_ALLOC) != 0;
  made.is_writable = (header.sh_flags & SHF_WRITE) != 0;
  made.is_code = (header.sh_flags & SHF_EXECINSTR) != 0;
  if (!made.is_loaded || header.sh_type == SHT_NOBITS) return;
  const Elf_Data* const data = elf_getdata(s, nullptr);
  if (data == nullptr || data->d_buf == nullptr) return;
  const auto* const bytes = static_cast<const std::uint8_t*>(data->d_buf);
  made.bytes.assign(bytes, bytes + data->d_size);
}

void object_code::read_symbols(Elf* elf, Elf_Scn* s) {
  const GElf_Shdr header = header_of(s);
  Elf_Data* const data = elf_getdata(s, nullptr);
  GElf_Sym raw;
  for (int i = 0; data != nullptr && gelf_getsym(data, i, &raw) != nullptr; ++i) {
    symbol& made = symbols_.emplace_back();
    made.name = text(elf_strptr(elf, header.sh_link, raw.st_name));
    made.is_defined = raw.st_shndx != SHN_UNDEF && raw.st_shndx < sections_.size();
    if (!made.is_defined) continue;
    made.where = {raw.st_shndx, raw.st_value};
    if (GELF_ST_TYPE(raw.st_info) != STT_FUNC) continue;
    const std::uint64_t end = raw.st_value + raw.st_size;
    function& one = functions_.try_emplace(made.where, function{made.name, end, {}}).first->second;
    one.end = std::max(one.end, end);  // one function may have several names
  }
}

void object_code::read_relocations(Elf_Scn* s) {
  const GElf_Shdr header = header_of(s);
  if (header.sh_info >= sections_.size() || !sections_[header.sh_info].is_loaded) return;
  Elf_Data* const data = elf_getdata(s, nullptr);
  auto& all = relocations_[header.sh_info];
  GElf_Rela raw;
  for (int i = 0; data != nullptr && gelf_getrela(data, i, &raw) != nullptr; ++i) {
    const std::uint64_t of = GELF_R_SYM(raw.r_info);
    if (of >= symbols_.size()) throw std::runtime_error("a relocation names no symbol");
    all.push_back({raw.r_offset, static_cast<std::uint32_t>(GELF_R_TYPE(raw.r_info)), static_cast<std::uint32_t>(of),
                   raw.r_addend});
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.offset < b.offset; });
}

const relocation* object_code::relocation_in(std::size_t section, std::uint64_t begin, std::uint64_t end) const {
  const auto& all = relocations_.at(section);
  const auto found =
      std::lower_bound(all.begin(), all.end(), begin, [](const auto& r, auto at) { return r.offset < at; });
  return found != all.end() && found->offset < end ? &*found : nullptr;
}

place object_code::target(const relocation& r) const {
  const symbol& s = symbols_[r.symbol];
  return {s.where.section, s.where.offset + static_cast<std::uint64_t>(r.addend)};
}

/// In .eh_frame each function's entry names the function, then its table of exceptions if it has one.
void object_code::read_landings(std::size_t frames) {
  auto of = functions_.end();
  for (const relocation& r : relocations_[frames]) {
    if (!symbols_[r.symbol].is_defined) continue;
    const place p = target(r);
    if (sections_[p.section].is_code)
      of = functions_.find(p);
    else if (of != functions_.end() && sections_[p.section].name.starts_with(".gcc_except_table"))
      read_table(of->first, of->second, p);
  }
}

void object_code::read_table(place begin_of, function& of, place table) const {
  constexpr std::uint8_t omitted = 0xff, variable_length = 0x01;
  reader in(sections_[table.section].bytes, table.offset);
  if (in.byte() != omitted) throw std::runtime_error("a table of exceptions that counts from elsewhere");
  if (in.byte() != omitted) in.number();
  if (in.byte() != variable_length) throw std::runtime_error("a table of exceptions in a form that g++ does not write");
  const std::uint64_t bytes = in.number();
  for (const std::uint64_t end = in.at() + bytes; in.at() < end;) {
    const std::uint64_t begin = in.number(), length = in.number(), landing = in.number();
    in.number();
    if (landing != 0)
      of.calls.push_back({begin_of.offset + begin, begin_of.offset + begin + length, begin_of.offset + landing});
  }
}

}  // namespace simtlab::verifier
