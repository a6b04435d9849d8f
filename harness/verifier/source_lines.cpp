#include "verifier/source_lines.h"

#include <elfutils/libdwfl.h>

#include <stdexcept>

namespace simtlab::verifier {
namespace {

char* no_paths = nullptr;
const Dwfl_Callbacks offline = {dwfl_build_id_find_elf, dwfl_standard_find_debuginfo, dwfl_offline_section_address,
                                &no_paths};

}  // namespace

source_lines::source_lines(const std::filesystem::path& path) : session_(dwfl_begin(&offline), dwfl_end) {
  if (session_ == nullptr) throw std::runtime_error("libdw does not start");
  dwfl_report_begin(session_.get());
  module_ = dwfl_report_offline(session_.get(), "", path.c_str(), -1);
  dwfl_report_end(session_.get(), nullptr, nullptr);
  GElf_Addr bias = 0;
  Elf* const elf = module_ == nullptr ? nullptr : dwfl_module_getelf(module_, &bias);
  if (elf == nullptr) throw std::runtime_error("libdw cannot read " + path.string());
  sections_.push_back(0);
  for (Elf_Scn* s = elf_nextscn(elf, nullptr); s != nullptr; s = elf_nextscn(elf, s)) {
    GElf_Shdr header;
    sections_.push_back(gelf_getshdr(s, &header) == nullptr ? 0 : header.sh_addr + bias);
  }
}

source_line source_lines::of(place p) const {
  Dwfl_Line* const found = dwfl_module_getsrc(module_, sections_.at(p.section) + p.offset);
  source_line line;
  const char* const file =
      found == nullptr ? nullptr : dwfl_lineinfo(found, nullptr, &line.line, nullptr, nullptr, nullptr);
  if (file == nullptr) return {};
  line.file = file;
  return line;
}

}  // namespace simtlab::verifier
