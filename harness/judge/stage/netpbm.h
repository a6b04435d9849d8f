// Pictures in files: PGM (P5, grey) and PPM (P6, RGB) with one byte a channel, the two formats that need no library. Every
// viewer opens them, and `convert photo.png photo.ppm` makes one. The format is that of the manual pages pgm(5) and ppm(5)
// of Netpbm. The bytes come from anywhere: whatever they are, the reader returns a picture or says what is wrong.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace simtlab {

struct netpbm_image {
  int width = 0, height = 0, channels = 0;  ///< channels: 1 grey, 3 RGB
  std::vector<std::byte> bytes;             ///< width × height × channels, row after row, from 0 to 255
};
inline constexpr std::size_t most_picture_bytes = std::size_t{1} << 26;

/// The picture in `content`; `name` is the file's, for messages. Values of a file whose maximum is less than 255 are
/// scaled. Throws usage_error, saying what was expected and what was found.
[[nodiscard]] netpbm_image netpbm_from(std::string_view content, const std::string& name);
/// The same of a file. Throws usage_error where it cannot be read, too.
[[nodiscard]] netpbm_image read_netpbm(const std::filesystem::path&);

/// Throws std::runtime_error when the file cannot be written.
void write_netpbm(const netpbm_image&, const std::filesystem::path&);

/// Whether somebody means this file as a picture: by its first bytes, whatever format they are of, or by its name.
[[nodiscard]] bool is_meant_as_picture(const std::filesystem::path&);

}  // namespace simtlab
