#include "checks/region_text.h"

#include "core/heap_blocks.h"

namespace simtlab::emulator {

const char* verb(access kind) {
  switch (kind) {
    case access::read:
      return "reads";
    case access::write:
      return "writes";
    case access::atomic:
      return "atomically updates";
  }
  return "accesses";
}

const memory_region* region_of(const memory_map& map, memory_space space, address a) {
  if (space == memory_space::shared) return map.find_shared(a);
  const memory_region* const r = map.find(a);
  if (r == nullptr || r->blocks == nullptr) return r;
  const heap_block* const block = r->blocks->find(a);
  return block == nullptr ? nullptr : &r->blocks->region(*block);
}

std::string region_name(const memory_region& r) {
  if (!r.name.empty()) return r.name;
  const std::string bytes = std::to_string(r.bytes) + " bytes";
  switch (r.space) {
    case memory_space::shared:
      return "a shared array of " + bytes;
    case memory_space::constant:
      return "a constant array of " + bytes;
    default:
      return "an allocation of " + bytes;
  }
}

std::string element_text(const memory_region* r, memory_space space, address a, std::uint32_t width) {
  if (r == nullptr) return space == memory_space::shared ? "shared memory" : "device memory";
  if (width == 0 || (r->bytes <= width && a == r->begin)) return region_name(*r);
  const std::string index = std::to_string((a - r->begin) / width);
  if (r->block != nullptr) return "element " + index + " of an allocation of " + std::to_string(r->bytes) + " bytes";
  return r->name.empty() ? "element " + index + " of " + region_name(*r) : r->name + "[" + index + "]";
}

std::string shadow_text(const memory_region& r) {
  const std::string kind = r.space == memory_space::constant ? "__constant__" : "__device__";
  return "the name of the " + kind + " variable " + r.name +
         ". In host code that name stands for a shadow of the variable in host memory";
}

}  // namespace simtlab::emulator
