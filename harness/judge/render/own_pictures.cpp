#include "judge/render/own_pictures.h"

#include <fmt/format.h>

#include <cstdlib>

#include "judge/stage/netpbm.h"

namespace simtlab {
namespace {

constexpr int least_difference_shown = 127;

netpbm_image picture_of(const argument_value& value, std::vector<std::byte> bytes) {
  return {static_cast<int>(value.extents[1]), static_cast<int>(value.extents[0]), static_cast<int>(value.extents[2]),
          std::move(bytes)};
}

std::vector<std::byte> difference(const std::vector<std::byte>& expected, const std::vector<std::byte>& found) {
  std::vector<std::byte> shown(found.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const int apart = std::abs(std::to_integer<int>(expected[i]) - std::to_integer<int>(found[i]));
    shown[i] = static_cast<std::byte>(apart == 0 ? 0 : least_difference_shown + (apart + 1) / 2);
  }
  return shown;
}

std::filesystem::path beside(const std::filesystem::path& input, const std::string& what, std::size_t channels) {
  return input.parent_path() / (input.stem().string() + "-" + what + (channels == 1 ? ".pgm" : ".ppm"));
}

std::string written(const netpbm_image& image, const std::filesystem::path& input, const std::string& what) {
  const std::filesystem::path file = beside(input, what, static_cast<std::size_t>(image.channels));
  write_netpbm(image, file);
  return fmt::format("{} is in {} ({} x {}, {})\n", what, file.string(), image.width, image.height,
                     image.channels == 1 ? "grey" : "RGB");
}

}  // namespace

std::string write_own_pictures(const lab& of, const case_outcome& run, const std::filesystem::path& input) {
  std::string text;
  for (const named_size& s : run.of) text += fmt::format("{}{} {}", text.empty() ? "ran with " : ", ", s.name, s.value);
  text += "\n";
  std::vector<argument_value> expected;
  for (std::size_t i = 0; i < of.arguments.size() && i < run.returned.size(); ++i) {
    if (!is_written(of.arguments[i].role) || !run.given[i].is_image || run.returned[i].empty()) continue;
    text += written(picture_of(run.given[i], run.returned[i]), input, of.arguments[i].name);
    if (!run.wrong || run.wrong->position != i) {  // of an earlier run
      std::filesystem::remove(beside(input, "difference", run.given[i].extents[2]));
      continue;
    }
    if (expected.empty()) {
      expected = run.given;
      of.run_reference(expected);
    }
    text += written(picture_of(run.given[i], difference(expected[i].bytes, run.returned[i])), input, "difference");
  }
  return text;
}

}  // namespace simtlab
