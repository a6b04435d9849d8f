#include "driver/gpu_architectures.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "driver/command_line.h"

namespace simtlab::emulator {
namespace {

/// Of CUDA 1 to 13.
constexpr std::array known{10, 11, 12, 13, 20, 21, 30, 32, 35, 37,  50,  52,  53,  60,  61, 62,
                           70, 72, 75, 80, 86, 87, 88, 89, 90, 100, 101, 103, 110, 120, 121};

/// 90 of `sm_90a`.
std::optional<int> number_in(std::string_view word) {
  const std::size_t line = word.find('_');
  if (line == std::string_view::npos) return std::nullopt;
  const std::string_view kind = word.substr(0, line);
  if (kind != "sm" && kind != "compute" && kind != "lto") return std::nullopt;
  int number = 0;
  const char* const end = word.data() + word.size();
  const auto [rest, error] = std::from_chars(word.data() + line + 1, end, number);
  const std::string_view suffix(rest, static_cast<std::size_t>(end - rest));
  const bool is_known = std::find(known.begin(), known.end(), number) != known.end();
  if (error != std::errc() || !is_known || (!suffix.empty() && suffix != "a" && suffix != "f")) return std::nullopt;
  return number;
}

[[noreturn]] void refuse(std::string_view option, const std::string& given, std::string_view word) {
  std::string list;
  for (const int k : known) list += (list.empty() ? "sm_" : ", sm_") + std::to_string(k);
  throw usage_error(std::string(option) + "=" + given + ": no nvcc knows an architecture \"" + std::string(word) +
                    "\". There are " + list + ", the same as compute_NN, and for -arch native, all and all-major");
}

}  // namespace

std::vector<int> architectures_in(std::string_view option, const std::string& given) {
  if (given == "native" || given == "all" || given == "all-major") return {};
  constexpr std::string_view between = ",=[]\"' ";
  std::vector<int> result;
  for (std::size_t begin = 0; (begin = given.find_first_not_of(between, begin)) != std::string::npos;) {
    const std::size_t end = std::min(given.find_first_of(between, begin), given.size());
    const std::string_view word = std::string_view(given).substr(begin, end - begin);
    begin = end;
    if (option == "-gencode" && (word == "arch" || word == "code")) continue;
    const auto number = number_in(word);
    if (!number) refuse(option, given, word);
    result.push_back(*number * 10);
  }
  if (result.empty()) refuse(option, given, given);
  return result;
}

}  // namespace simtlab::emulator
