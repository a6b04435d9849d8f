#include "spaces/header_names.h"

#include <filesystem>
#include <map>
#include <set>

#include "core/characters.h"
#include "translator/file_content.h"

namespace simtlab::emulator {
namespace {

/// Every word before a parenthesis.
void add_names(const std::string& text, std::set<std::string, std::less<>>& names) {
  for (std::size_t open = text.find('('); open != std::string::npos; open = text.find('(', open + 1)) {
    std::size_t begin = open;
    while (begin > 0 && is_in_name(text[begin - 1])) --begin;
    if (begin < open) names.emplace(text, begin, open - begin);
  }
}

}  // namespace

bool device_headers_have(const std::string& folder, std::string_view name) {
  static std::map<std::string, std::set<std::string, std::less<>>> known;
  const auto [at, is_new] = known.try_emplace(folder);
  if (is_new)
    for (const char* header : {"device_functions.h", "device_atomic_functions.h", "math_functions.h", "cuda_fp16.h",
                               "cuda_bf16.h", "cuda_fp8.h", "texture_indirect_functions.h", "curand_kernel.h"})
      add_names(content_of(std::filesystem::path(folder) / header), at->second);
  return at->second.contains(name);
}

}  // namespace simtlab::emulator
