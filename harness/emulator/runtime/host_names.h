// Names of memory of the host's own: who calls an entry gives its arrays the names of the arguments (simtlab/emulator_entry.h).
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace simtlab::emulator {

struct host_name {
  const char* begin = nullptr;
  std::size_t bytes = 0;
  std::string name;
};

class host_names {
 public:
  void give(const void* where, std::size_t bytes, std::string_view name) {
    all_.push_back({static_cast<const char*>(where), bytes, std::string(name)});
  }
  /// The latest name of the memory; null if it has none.
  [[nodiscard]] const host_name* of(const void* where) const {
    const auto* at = static_cast<const char*>(where);
    const auto named = std::find_if(all_.rbegin(), all_.rend(),
                                    [&](const host_name& n) { return at >= n.begin && at < n.begin + n.bytes; });
    return named == all_.rend() ? nullptr : &*named;
  }
  [[nodiscard]] const std::vector<host_name>& all() const { return all_; }

 private:
  std::vector<host_name> all_;
};

}  // namespace simtlab::emulator
