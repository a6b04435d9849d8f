#include "verifier/debug_information.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <vector>

namespace simtlab::verifier {
namespace {

constexpr std::uint64_t return_address = 8;

constexpr char* no_paths = nullptr;
const Dwfl_Callbacks offline = {dwfl_build_id_find_elf, dwfl_standard_find_debuginfo, dwfl_offline_section_address,
                                const_cast<char**>(&no_paths)};

std::uint64_t size_of(Dwarf_Die* of) {
  Dwarf_Attribute a;
  Dwarf_Die type, peeled;
  Dwarf_Word bytes = 0;
  if (dwarf_attr_integrate(of, DW_AT_type, &a) == nullptr || dwarf_formref_die(&a, &type) == nullptr ||
      dwarf_peel_type(&type, &peeled) != 0 || dwarf_aggregate_size(&peeled, &bytes) != 0)
    return return_address;
  return bytes;
}

/// Where a parameter lies, counted from the caller's frame, if that is on the stack all the while or at first.
std::optional<std::int64_t> place_on_stack(Dwarf_Die* parameter) {
  Dwarf_Attribute a;
  if (dwarf_attr_integrate(parameter, DW_AT_location, &a) == nullptr) return std::nullopt;
  const auto of = [](const Dwarf_Op* words, std::size_t count) -> std::optional<std::int64_t> {
    if (count == 0 || words[0].atom != DW_OP_fbreg) return std::nullopt;
    return static_cast<std::int64_t>(words[0].number);
  };
  Dwarf_Op* words = nullptr;
  std::size_t count = 0;
  if (dwarf_getlocation(&a, &words, &count) == 0) return of(words, count);
  Dwarf_Addr base = 0, begin = 0, end = 0;
  for (std::ptrdiff_t at = 0; (at = dwarf_getlocations(&a, at, &base, &begin, &end, &words, &count)) > 0;)
    if (const auto found = of(words, count)) return found;
  return std::nullopt;
}

std::uint64_t end_of_parameters(Dwarf_Die* function) {
  std::uint64_t end = return_address;
  Dwarf_Die parameter;
  if (dwarf_child(function, &parameter) != 0) return end;
  do {
    if (dwarf_tag(&parameter) == DW_TAG_GNU_formal_parameter_pack) end = std::max(end, end_of_parameters(&parameter));
    if (dwarf_tag(&parameter) != DW_TAG_formal_parameter) continue;
    const auto at = place_on_stack(&parameter);
    // Counted from the caller's frame, which begins behind the return address.
    if (at && *at >= 0)
      end = std::max(end, return_address + static_cast<std::uint64_t>(*at) + (size_of(&parameter) + 7) / 8 * 8);
  } while (dwarf_siblingof(&parameter, &parameter) == 0);
  return end;
}

void look_for_functions(Dwarf_Die* die, std::map<Dwarf_Addr, std::uint64_t>& ends) {
  Dwarf_Die child;
  if (dwarf_child(die, &child) != 0) return;
  do {
    const int tag = dwarf_tag(&child);
    Dwarf_Addr begin = 0;
    if (tag == DW_TAG_subprogram && dwarf_lowpc(&child, &begin) == 0) {
      std::uint64_t& end = ends[begin];
      end = std::max(end, return_address);
      end = std::max(end, end_of_parameters(&child));
    } else if (tag == DW_TAG_namespace || tag == DW_TAG_structure_type || tag == DW_TAG_class_type) {
      look_for_functions(&child, ends);
    }
  } while (dwarf_siblingof(&child, &child) == 0);
}

}  // namespace

struct debug_information::session {
  Dwfl* dwfl = nullptr;
  Dwfl_Module* module = nullptr;
  std::vector<Dwarf_Addr> sections;
  std::optional<std::map<Dwarf_Addr, std::uint64_t>> argument_ends;

  explicit session(const std::filesystem::path& path) : dwfl(dwfl_begin(&offline)) {
    if (dwfl == nullptr) throw std::runtime_error("libdw does not start");
    dwfl_report_begin(dwfl);
    module = dwfl_report_offline(dwfl, "", path.c_str(), -1);
    dwfl_report_end(dwfl, nullptr, nullptr);
    GElf_Addr bias = 0;
    Elf* const elf = module == nullptr ? nullptr : dwfl_module_getelf(module, &bias);
    if (elf == nullptr) throw std::runtime_error("libdw cannot read " + path.string());
    sections.push_back(0);
    for (Elf_Scn* s = elf_nextscn(elf, nullptr); s != nullptr; s = elf_nextscn(elf, s)) {
      GElf_Shdr h;
      sections.push_back(gelf_getshdr(s, &h) == nullptr ? 0 : h.sh_addr + bias);
    }
  }
  ~session() { dwfl_end(dwfl); }
  session(const session&) = delete;
  session& operator=(const session&) = delete;
};

debug_information::debug_information(std::filesystem::path path) : path_(std::move(path)) {}
debug_information::~debug_information() = default;

debug_information::session& debug_information::opened() {
  if (session_ == nullptr) session_ = std::make_unique<session>(path_);
  return *session_;
}

std::optional<source_line> debug_information::line_of(place p) {
  session& s = opened();
  Dwfl_Line* const found = dwfl_module_getsrc(s.module, s.sections.at(p.section) + p.offset);
  if (found == nullptr) return std::nullopt;
  source_line line;
  const char* const file = dwfl_lineinfo(found, nullptr, &line.line, nullptr, nullptr, nullptr);
  if (file == nullptr) return std::nullopt;
  line.file = file;
  return line;
}

std::uint64_t debug_information::arguments_end(place function) {
  session& s = opened();
  if (!s.argument_ends) {
    s.argument_ends.emplace();
    Dwarf_Addr bias = 0;
    for (Dwarf_Die* unit = dwfl_module_nextcu(s.module, nullptr, &bias); unit != nullptr;
         unit = dwfl_module_nextcu(s.module, unit, &bias)) {
      std::map<Dwarf_Addr, std::uint64_t> ends;
      look_for_functions(unit, ends);
      for (const auto& [begin, end] : ends) (*s.argument_ends)[begin + bias] = end;
    }
  }
  const auto found = s.argument_ends->find(s.sections.at(function.section) + function.offset);
  return found == s.argument_ends->end() ? return_address : found->second;
}

}  // namespace simtlab::verifier
