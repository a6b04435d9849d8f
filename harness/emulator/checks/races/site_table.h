// A value for each site of code, of which few have one: g++'s code begins at 0, machine code at source_map::first_machine_site.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "core/types.h"
#include "report/source_map.h"

namespace simtlab::emulator {

template <class T>
class site_table {
 public:
  /// T{} where nothing was set.
  [[nodiscard]] T of(site where) const {
    const std::vector<T>& values = parts_[source_map::is_machine_site(where)];
    const std::size_t place = place_of(where);
    return place < values.size() ? values[place] : T{};
  }
  T& at(site where) {
    std::vector<T>& values = parts_[source_map::is_machine_site(where)];
    const std::size_t place = place_of(where);
    if (place >= values.size()) values.resize(place + std::size_t{1024});
    return values[place];
  }
  void clear() {
    for (std::vector<T>& values : parts_) values.assign(values.size(), T{});
  }

 private:
  static std::size_t place_of(site where) { return where & ~source_map::first_machine_site; }
  std::array<std::vector<T>, 2> parts_;
};

}  // namespace simtlab::emulator
