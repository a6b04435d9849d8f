#include "sass/handlers/opcode_rule.h"

namespace simtlab::emulator::sass {

namespace plain {
const opcode_rule* find_here(std::string_view name);
}
#ifdef SIMTLAB_SASS_HAS_AVX2
namespace avx2 {
const opcode_rule* find_here(std::string_view name);
}
#endif

const opcode_rule* find_plain_opcode(std::string_view name) { return plain::find_here(name); }

const opcode_rule* find_opcode(std::string_view name) {
#ifdef SIMTLAB_SASS_HAS_AVX2
  static const bool has_vectors = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  if (has_vectors) return avx2::find_here(name);
#endif
  return plain::find_here(name);
}

}  // namespace simtlab::emulator::sass
