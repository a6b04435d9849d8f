// The copies from one array of the device to another, those included that go by way of the host: a table of the caller's that
// host code reads back and passes on, by a copy or as a parameter, is the same table.
#pragma once

#include <cstddef>
#include <vector>

#include "core/memory_map.h"
#include "report/report.h"

namespace simtlab::emulator {

struct wide_parameter;

class device_copy_counts {
 public:
  /// Counts in `counts.copies_on_device`.
  device_copy_counts(const memory_map& map, host_report& counts) : map_(map), counts_(counts) {}

  /// A copy inside the device, which was made already.
  void on_device(const void* to, const void* from, std::size_t bytes);
  /// Host code gets a copy of an argument: what is small enough for a table is remembered.
  void to_host(const void* to, const void* from, std::size_t bytes);
  void from_host(const void* to, const void* from, std::size_t bytes);
  /// Whether a table that host code has read stands in the parameter, which is a copy of it then.
  [[nodiscard]] bool holds_table(const wide_parameter&);
  /// Another case begins.
  void forget() { read_.clear(); }

 private:
  struct table {
    const void* at;  // in device memory
    std::vector<char> content;
  };

  const memory_map& map_;
  host_report& counts_;
  std::vector<table> read_;  // by host code, of arguments
};

}  // namespace simtlab::emulator
