// The source line of a place in an object's code, read with libdw when somebody asks.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "verifier/object_code.h"

struct Dwfl;
struct Dwfl_Module;

namespace simtlab::verifier {

struct source_line {
  std::string file;  ///< empty when it is not known
  int line = 0;
};

class source_lines {
 public:
  explicit source_lines(const std::filesystem::path&);
  [[nodiscard]] source_line of(place) const;

 private:
  std::unique_ptr<Dwfl, void (*)(Dwfl*)> session_;
  Dwfl_Module* module_ = nullptr;
  std::vector<std::uint64_t> sections_;  ///< where libdw puts each
};

}  // namespace simtlab::verifier
