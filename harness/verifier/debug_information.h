// What the compiler's debug information says of an object's code, read with libdw when somebody asks.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "verifier/object_code.h"

namespace simtlab::verifier {

struct source_line {
  std::string file;
  int line = 0;
};

class debug_information {
 public:
  explicit debug_information(std::filesystem::path);
  ~debug_information();
  debug_information(const debug_information&) = delete;  // owns libdw's session
  debug_information& operator=(const debug_information&) = delete;

  [[nodiscard]] std::optional<source_line> line_of(place);
  /// How far a function's own arguments reach on its caller's stack, counted from its return address; 8 when it has none there.
  [[nodiscard]] std::uint64_t arguments_end(place function);

 private:
  struct session;
  session& opened();

  std::filesystem::path path_;
  std::unique_ptr<session> session_;
};

}  // namespace simtlab::verifier
