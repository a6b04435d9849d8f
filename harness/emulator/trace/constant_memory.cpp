#include "trace/constant_memory.h"

#include <link.h>

#include <algorithm>
#include <vector>

#include "core/private_memory.h"

namespace simtlab::emulator {
namespace {

struct stretch {
  address begin, end;
};

std::vector<stretch> read_only_parts() {
  const private_allocation own;
  std::vector<stretch> found;
  dl_iterate_phdr(
      [](dl_phdr_info* program, std::size_t, void* result) {
        for (int i = 0; i < program->dlpi_phnum; ++i) {
          const auto& p = program->dlpi_phdr[i];
          const address begin = program->dlpi_addr + p.p_vaddr;
          const bool is_closed = p.p_type == PT_LOAD && (p.p_flags & (PF_W | PF_X)) == 0;
          if (is_closed || p.p_type == PT_GNU_RELRO)
            static_cast<std::vector<stretch>*>(result)->push_back({begin, begin + p.p_memsz});
        }
        return 0;
      },
      &found);
  return found;
}

}  // namespace

bool is_constant(address where, std::size_t bytes) {
  static const std::vector<stretch> parts = read_only_parts();
  return std::any_of(parts.begin(), parts.end(),
                     [&](const stretch& s) { return where >= s.begin && where <= s.end && bytes <= s.end - where; });
}

}  // namespace simtlab::emulator
