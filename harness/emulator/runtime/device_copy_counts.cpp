#include "runtime/device_copy_counts.h"

#include <algorithm>
#include <cstring>

#include "core/memory_geometry.h"
#include "trace/parameters.h"

namespace simtlab::emulator {
namespace {

constexpr std::size_t largest_table = 512, most_tables = 512;

/// Whether the words of a table stand there in their order, others between them or not: rows may have been padded.
bool holds_words_of(const char* value, std::size_t bytes, const std::vector<char>& table) {
  constexpr std::size_t word = 4;
  std::size_t found = 0;
  for (std::size_t at = 0; at + word <= bytes && found + word <= table.size(); at += word)
    if (std::memcmp(value + at, &table[found], word) == 0) found += word;
  return found > 0 && found + word > table.size();
}

std::uint64_t sectors_of(const void* at, std::size_t bytes) {
  const auto a = reinterpret_cast<address>(at);
  return (a + bytes - 1) / sector_bytes - a / sector_bytes + 1;
}

}  // namespace

void device_copy_counts::on_device(const void* to, const void* from, std::size_t bytes) {
  const memory_region* const target = map_.find_live(reinterpret_cast<address>(to), bytes);
  const memory_region* const origin = map_.find_live(reinterpret_cast<address>(from), bytes);
  if (bytes == 0 || target == nullptr || origin == nullptr) return;
  std::vector<device_copies>& all = counts_.copies_on_device;
  auto known = std::ranges::find_if(
      all, [&](const device_copies& c) { return c.from.id == origin->id && c.to.id == target->id; });
  if (known == all.end())
    known = all.insert(known, {{origin->id, origin->given}, {target->id, target->given}, origin->name, target->name});
  known->bytes += bytes;
  known->sectors_read += sectors_of(from, bytes);
  known->sectors_written += sectors_of(to, bytes);
}

void device_copy_counts::to_host(const void* to, const void* from, std::size_t bytes) {
  if (bytes <= largest_table && read_.size() < most_tables)
    read_.push_back({from, {static_cast<const char*>(to), static_cast<const char*>(to) + bytes}});
}

void device_copy_counts::from_host(const void* to, const void* from, std::size_t bytes) {
  const auto is_it = [&](const table& t) {
    return t.content.size() == bytes && std::memcmp(t.content.data(), from, bytes) == 0;
  };
  const auto known = std::ranges::find_if(read_, is_it);
  if (known != read_.end()) on_device(to, known->at, bytes);
}

bool device_copy_counts::holds_table(const wide_parameter& p) {
  const memory_region* const target = map_.find(p.counted);
  bool holds_any = false;
  for (const table& t : read_) {
    const memory_region* const origin = map_.find_live(reinterpret_cast<address>(t.at), t.content.size());
    if (origin == nullptr || !holds_words_of(p.value, p.bytes, t.content)) continue;
    holds_any = true;
    const auto is_known = [&](const device_copies& c) { return c.from.id == origin->id && c.to.id == target->id; };
    if (std::ranges::none_of(counts_.copies_on_device, is_known))
      on_device(reinterpret_cast<const void*>(p.counted), t.at, t.content.size());
  }
  return holds_any;
}

}  // namespace simtlab::emulator
