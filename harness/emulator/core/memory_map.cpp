#include "core/memory_map.h"

#include <algorithm>

namespace simtlab::emulator {

variable_id memory_map::add(memory_region r) {
  r.id = static_cast<variable_id>(regions_.size() + 1);
  regions_.push_back(std::move(r));
  put_back(regions_.back().id);
  return regions_.back().id;
}

void memory_map::put_back(variable_id id) {
  const memory_region* added = &regions_[id - 1];
  index& sorted = index_of(added->space);
  sorted.insert(std::upper_bound(sorted.begin(), sorted.end(), added,
                                 [](const auto* a, const auto* b) { return a->begin < b->begin; }),
                added);
}

void memory_map::withdraw(variable_id id) { std::erase(index_of(regions_[id - 1].space), &regions_[id - 1]); }

void memory_map::release(variable_id id) { regions_[id - 1].live = false; }
void memory_map::rename(variable_id id, std::string name) { regions_[id - 1].name = std::move(name); }
void memory_map::give(variable_id id, std::string name) {
  rename(id, std::move(name));
  regions_[id - 1].given = true;
}
void memory_map::resize(variable_id id, std::uint64_t bytes) { regions_[id - 1].bytes = bytes; }

const memory_region* memory_map::below(const index& sorted, address a) {
  auto after = std::upper_bound(sorted.begin(), sorted.end(), a,
                                [](address value, const memory_region* r) { return value < r->begin; });
  return after == sorted.begin() ? nullptr : *std::prev(after);
}

const memory_region* memory_map::below(address a) const { return below(process_, a); }
const memory_region* memory_map::below_shared(address offset) const { return below(shared_, offset); }

const memory_region* memory_map::find(address a) const {
  const memory_region* r = below(process_, a);
  return r != nullptr && r->contains(a) ? r : nullptr;
}

const memory_region* memory_map::find_live(address a, std::uint64_t bytes) const {
  const memory_region* r = find(a);
  return r != nullptr && r->live && r->contains(a, bytes) ? r : nullptr;
}

const memory_region* memory_map::of_host_in_page(address a) const {
  constexpr address page = 4096;
  const address begin = a / page * page;
  const memory_region* r = below(process_, begin + page - 1);
  return r != nullptr && r->of_host && r->begin + r->bytes > begin ? r : nullptr;
}

const memory_region* memory_map::find_shared(address offset) const {
  const memory_region* r = below(shared_, offset);
  return r != nullptr && r->contains(offset) ? r : nullptr;
}

const std::string& memory_map::name(variable_id id) const {
  static const std::string none;
  return id == 0 ? none : region(id).name;
}

}  // namespace simtlab::emulator
