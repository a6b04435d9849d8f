#include "trace/constant_memory.h"

#include <link.h>

#include <algorithm>
#include <vector>

#include "core/private_memory.h"

namespace simtlab::emulator {
namespace {

std::vector<address_range> read_only_parts() {
  const private_allocation own;
  std::vector<address_range> found;
  dl_iterate_phdr(
      [](dl_phdr_info* program, std::size_t, void* result) {
        for (int i = 0; i < program->dlpi_phnum; ++i) {
          const auto& p = program->dlpi_phdr[i];
          const address begin = program->dlpi_addr + p.p_vaddr;
          const bool is_closed = p.p_type == PT_LOAD && (p.p_flags & (PF_W | PF_X)) == 0;
          if (is_closed || p.p_type == PT_GNU_RELRO)
            static_cast<std::vector<address_range>*>(result)->push_back({begin, begin + p.p_memsz});
        }
        return 0;
      },
      &found);
  return found;
}

}  // namespace

bool is_constant(address where, std::size_t bytes) {
  static const std::vector<address_range> parts = read_only_parts();
  return std::any_of(parts.begin(), parts.end(), [&](const address_range& s) {
    return where >= s.begin && where <= s.end && bytes <= s.end - where;
  });
}

}  // namespace simtlab::emulator
