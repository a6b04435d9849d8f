#include "judge/stage/netpbm.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <fstream>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

#include "emulator/core/characters.h"
#include "judge/options.h"

namespace simtlab {
namespace {

constexpr int largest_byte = 255, largest_maximum = 65535, largest_extent = 1 << 20;
constexpr std::size_t magic_length = 2;

/// Formats that people have, by how their files begin.
constexpr std::array<std::pair<std::string_view, std::string_view>, 9> other_formats{
    {{"\x89PNG", "a PNG"},
     {"\xff\xd8\xff", "a JPEG"},
     {"GIF8", "a GIF"},
     {"BM", "a BMP"},
     {"RIFF", "a WebP"},
     {"II*", "a TIFF"},
     {std::string_view("MM\0*", 4), "a TIFF"},
     {"P1", "a bitmap of black and white as text (P1)"},
     {"P4", "a bitmap of black and white (P4)"}}};
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> text_and_wider{
    {{"P2", "a PGM as text (P2)"},
     {"P3", "a PPM as text (P3)"},
     {"P7", "a PAM (P7)"},
     {"PF", "a picture of floating-point numbers (PF)"}}};
constexpr std::array<std::string_view, 11> endings{".ppm", ".pgm",  ".pnm", ".pbm", ".pam", ".png",
                                                   ".jpg", ".jpeg", ".gif", ".bmp", ".webp"};

using emulator::is_digit;
bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

std::optional<std::string_view> other_format(std::string_view content) {
  const auto begins = [&](const auto& format) { return content.starts_with(format.first); };
  if (const auto* found = std::ranges::find_if(other_formats, begins); found != other_formats.end())
    return found->second;
  if (const auto* found = std::ranges::find_if(text_and_wider, begins); found != text_and_wider.end())
    return found->second;
  return std::nullopt;
}

bool is_netpbm(std::string_view content) { return content.starts_with("P5") || content.starts_with("P6"); }

/// The first characters of a file as a message may show them.
std::string beginning_of(std::string_view content) {
  std::string shown;
  for (const char c : content.substr(0, 8)) shown += c >= ' ' && c <= '~' ? c : '?';
  return shown;
}

class netpbm_reader {
 public:
  netpbm_reader(std::string_view content, const std::string& name) : content_(content), name_(name) {}

  netpbm_image read() {
    netpbm_image made;
    made.channels = channels();
    made.width = number("the width", 1, largest_extent);
    made.height = number("the height", 1, largest_extent);
    const int maximum = number("the largest value", 1, largest_maximum);
    if (maximum > largest_byte)
      refuse(
          fmt::format("expected one byte a channel, a largest value of at most 255, and found {}: two bytes a "
                      "channel. `convert {} -depth 8 {}` makes it fit",
                      maximum, name_, made.channels == 1 ? "other.pgm" : "other.ppm"));
    if (at_ == content_.size() || !is_blank(content_[at_]))
      refuse("expected one blank between the largest value and the pixels, and found none");
    ++at_;
    take_pixels(made, maximum);
    return made;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const { throw usage_error(fmt::format("{}: {}", name_, why)); }

  int channels() {
    if (content_.empty()) refuse("expected a picture, PGM (P5) or PPM (P6), and found an empty file");
    if (!is_netpbm(content_)) {
      const auto format = other_format(content_);
      refuse(fmt::format(
          "expected a picture, PGM (P5) or PPM (P6), and found {}. `convert {} picture.ppm` (ImageMagick) "
          "or an image editor's export as raw PPM makes one",
          format ? std::string(*format) : fmt::format("a file that begins with \"{}\"", beginning_of(content_)),
          name_));
    }
    at_ = magic_length;
    return content_[1] == '5' ? 1 : 3;
  }

  /// Blanks, and comments from # to the end of the line.
  void skip_blanks() {
    while (at_ < content_.size() && (is_blank(content_[at_]) || content_[at_] == '#')) {
      if (content_[at_] == '#')
        at_ = std::min(content_.find_first_of("\r\n", at_), content_.size());
      else
        ++at_;
    }
  }

  int number(std::string_view what, int least, int most) {
    const std::size_t before = at_;
    skip_blanks();
    if (at_ == content_.size()) refuse(fmt::format("expected {}, and found the end of the file", what));
    if (at_ == before || !is_digit(content_[at_]))
      refuse(fmt::format("expected {}, a whole number from {} to {}, and found \"{}\"", what, least, most,
                         beginning_of(content_.substr(at_))));
    long long value = 0;
    for (; at_ < content_.size() && is_digit(content_[at_]); ++at_)
      value = std::min<long long>(10 * value + (content_[at_] - '0'), std::numeric_limits<int>::max());
    if (value < least || value > most)
      refuse(fmt::format("expected {}, a whole number from {} to {}, and found {}", what, least, most,
                         value == std::numeric_limits<int>::max() ? "a larger one" : std::to_string(value)));
    return static_cast<int>(value);
  }

  void take_pixels(netpbm_image& made, int maximum) const {
    const std::size_t expected = static_cast<std::size_t>(made.width) * static_cast<std::size_t>(made.height) *
                                 static_cast<std::size_t>(made.channels);
    const std::string extents = fmt::format("{} x {} pixels of {} byte{}", made.width, made.height, made.channels,
                                            made.channels == 1 ? "" : "s");
    if (expected > most_picture_bytes)
      refuse(
          fmt::format("expected at most {} bytes of pixels, and found {}, which are {}. Make it smaller: `convert {} "
                      "-resize 640x640 small.ppm`",
                      most_picture_bytes, extents, expected, name_));
    const std::string_view pixels = content_.substr(at_);
    if (pixels.size() < expected)
      refuse(fmt::format("expected {} bytes behind the header, for {}, and found {}: the file is cut off", expected,
                         extents, pixels.size()));
    made.bytes.resize(expected);
    std::memcpy(made.bytes.data(), pixels.data(), expected);
    if (maximum == largest_byte) return;
    for (std::byte& b : made.bytes) {
      const int value = std::to_integer<int>(b);
      if (value > maximum)
        refuse(fmt::format("expected values up to {}, as the header says, and found {}", maximum, value));
      b = static_cast<std::byte>((value * largest_byte + maximum / 2) / maximum);
    }
  }

  std::string_view content_;
  const std::string& name_;
  std::size_t at_ = 0;
};

std::string content_of(const std::filesystem::path& file, std::size_t most) {
  std::ifstream from(file, std::ios::binary);
  std::string content(most, '\0');
  from.read(content.data(), static_cast<std::streamsize>(most));
  content.resize(static_cast<std::size_t>(from.gcount()));
  return content;
}

}  // namespace

netpbm_image netpbm_from(std::string_view content, const std::string& name) {
  return netpbm_reader(content, name).read();
}

netpbm_image read_netpbm(const std::filesystem::path& file) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  if (error || !std::ifstream(file))
    throw usage_error(fmt::format("{}: cannot be read. Is the name right? It is looked for from the folder you are in",
                                  file.string()));
  constexpr std::size_t header_at_most = 1 << 16;  // comments, too; what is behind the pixels nobody reads
  return netpbm_from(content_of(file, std::min<std::uintmax_t>(size, most_picture_bytes + header_at_most)),
                     file.string());
}

void write_netpbm(const netpbm_image& image, const std::filesystem::path& file) {
  std::ofstream to(file, std::ios::binary);
  to << fmt::format("P{}\n{} {}\n255\n", image.channels == 1 ? 5 : 6, image.width, image.height);
  to.write(reinterpret_cast<const char*>(image.bytes.data()), static_cast<std::streamsize>(image.bytes.size()));
  to.close();
  if (!to)
    throw std::runtime_error(file.string() + " cannot be written. Is there room, and may you write to its folder?");
}

bool is_meant_as_picture(const std::filesystem::path& file) {
  std::string ending = file.extension().string();
  std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (std::ranges::find(endings, ending) != endings.end()) return true;
  const std::string first = content_of(file, 8);
  if (is_netpbm(first)) return first.size() > magic_length && (is_blank(first[2]) || first[2] == '#');
  const auto is_it = [&](const auto& format) { return first.starts_with(format.first); };
  // BM, P1 and their like may begin a text: by their name alone.
  return std::ranges::any_of(other_formats, [&](const auto& f) { return f.first.size() > magic_length && is_it(f); });
}

}  // namespace simtlab
