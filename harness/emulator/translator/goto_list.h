// Where a token list says `goto name;`, by name.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "translator/token_walk.h"

namespace simtlab::emulator {

class goto_list {
 public:
  explicit goto_list(const token_walk&);
  /// The `goto`s to `name` among the tokens [begin, end), in their order.
  [[nodiscard]] std::span<const std::size_t> between(std::string_view name, std::size_t begin, std::size_t end) const;

 private:
  std::unordered_map<std::string_view, std::vector<std::size_t>> places_;
};

}  // namespace simtlab::emulator
