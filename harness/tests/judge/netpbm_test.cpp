// Pictures in files: what PGM and PPM may say, what is told of a file that is none, and that no file breaks the reader.
#include "judge/stage/netpbm.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <random>

#include "emulator/tests/has.h"
#include "judge/options.h"
#include "tests/protocol/example.h"

using namespace simtlab;

namespace {

std::string text_of(const std::vector<std::byte>& bytes) {
  std::string text;
  std::ranges::transform(bytes, std::back_inserter(text), [](std::byte b) { return std::to_integer<char>(b); });
  return text;
}

/// What is told of a file with that content; empty when it is a picture.
std::string told(const std::string& content) {
  try {
    static_cast<void>(netpbm_from(content, "photo.ppm"));
    return "";
  } catch (const usage_error& e) {
    return e.what();
  }
}

}  // namespace

TEST_CASE("grey and RGB pictures are read, with comments and any blanks in the header") {
  const netpbm_image grey = netpbm_from("P5 3 2 255\nabcdef", "photo.pgm");
  CHECK(grey.width == 3);
  CHECK(grey.height == 2);
  CHECK(grey.channels == 1);
  CHECK(text_of(grey.bytes) == "abcdef");
  const netpbm_image rgb = netpbm_from("P6# of a camera\n\t1#wide\r\n 2 \n255\n#bcdef and more", "photo.ppm");
  CHECK(rgb.channels == 3);
  CHECK(text_of(rgb.bytes) == "#bcdef");  // behind the one blank begin the pixels, whatever they are
}

TEST_CASE("values of a smaller range fill all of it") {
  const std::string content = std::string("P5 3 1 15\n") + '\0' + '\7' + '\17';
  CHECK(text_of(netpbm_from(content, "photo.pgm").bytes) == std::string("\0\x77\xff", 3));
  CHECK(has(told("P5 1 1 15\n\x10"), "expected values up to 15, as the header says, and found 16"));
}

TEST_CASE("what is no picture is told with what was expected and what was found") {
  CHECK(has(told(""), "found an empty file"));
  CHECK(has(told("\x89PNG\r\n"), "expected a picture, PGM (P5) or PPM (P6), and found a PNG. `convert photo.ppm "));
  CHECK(has(told("\xff\xd8\xff\xe0"), "found a JPEG"));
  CHECK(has(told("P3 1 1 255 1 2 3"), "found a PPM as text (P3)"));
  CHECK(has(told("rows\n2"), "found a file that begins with \"rows?2\""));
  CHECK(has(told("P6 1 1 65535\nabcdef"), "a largest value of at most 255, and found 65535: two bytes a channel"));
  CHECK(has(told("P6 4 4 255\nabc"), "expected 48 bytes behind the header, for 4 x 4 pixels of 3 bytes, and found 3"));
  CHECK(has(told("P5 4"), "expected the height, and found the end of the file"));
  CHECK(has(told("P5 -4 4 255\n"), "expected the width, a whole number from 1 to 1048576, and found \"-4 4 255\""));
  CHECK(has(told("P5 0 4 255\n"), "and found 0"));
  CHECK(has(told("P5 99999999999999999999 4 255\n"), "and found a larger one"));
  CHECK(has(told("P5 1000000 1000000 255\n"), "expected at most 67108864 bytes of pixels"));
  CHECK(has(told("P5 1 1 255"), "expected one blank between the largest value and the pixels"));
  CHECK_THROWS_WITH_AS(static_cast<void>(read_netpbm("/no/such.ppm")), doctest::Contains("cannot be read"),
                       usage_error);
}

TEST_CASE("a picture that was written is read again as it was") {
  const example::temporary_folder folder;
  for (const int channels : {1, 3}) {
    netpbm_image made{5, 3, channels, {}};
    for (int i = 0; i < 15 * channels; ++i) made.bytes.push_back(static_cast<std::byte>(17 * i));
    write_netpbm(made, folder.path / "a.ppm");
    const netpbm_image again = read_netpbm(folder.path / "a.ppm");
    CHECK(again.channels == channels);
    CHECK(again.bytes == made.bytes);
  }
  CHECK_THROWS_AS(write_netpbm({1, 1, 1, {std::byte{}}}, folder.path / "none" / "a.ppm"), std::runtime_error);
}

TEST_CASE("a file is meant as a picture by its name or by its first bytes") {
  const example::temporary_folder folder;
  const auto is_meant = [&](const std::string& name, const std::string& content) {
    std::ofstream(folder.path / name, std::ios::binary) << content;
    return is_meant_as_picture(folder.path / name);
  };
  CHECK(is_meant("photo.PPM", "hello"));
  CHECK(is_meant("photo.txt", "P6\n1 1"));
  CHECK(is_meant("photo", "\x89PNG\r\n"));
  CHECK_FALSE(is_meant("mine.txt", "rows 2\n"));
  CHECK_FALSE(is_meant("mine.txt", "P5x 2\n"));  // a size may be called so
  CHECK_FALSE(is_meant("mine.txt", "BM 2\n"));
  CHECK_FALSE(is_meant("mine.txt", ""));
}

// The bytes come from anywhere. Changed at random, they are a picture of the size that it says, or refused in words.
TEST_CASE("no file breaks the reader") {
  std::mt19937 random(5);
  const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  const std::vector<std::string> seeds{"P5 3 2 255\nabcdef", "P6 # c\n2 1\n15\n\1\2\3\4\5\6", "P6\n1 1 65535\nabcdef"};
  const std::string pieces = "P56 \n\r#0123456789-+\xff";
  int pictures = 0, refused = 0;
  for (int file = 0; file < 20000; ++file) {
    std::string content = seeds[below(seeds.size())];
    for (std::size_t change = 0; change <= below(4); ++change) {
      const std::size_t at = below(content.size() + 1);
      const char other = pieces[below(pieces.size())];
      if (below(3) == 0)
        content.resize(at);
      else if (below(2) == 0 || at == content.size())
        content.insert(at, below(8) + 1, other);
      else
        content[at] = other;
    }
    try {
      const netpbm_image made = netpbm_from(content, "photo.ppm");
      REQUIRE(made.bytes.size() == static_cast<std::size_t>(made.width) * made.height * made.channels);
      REQUIRE(made.bytes.size() <= content.size());
      ++pictures;
    } catch (const usage_error& e) {
      REQUIRE(std::string(e.what()).starts_with("photo.ppm: expected "));
      ++refused;
    }
  }
  CHECK(pictures > 500);
  CHECK(refused > 5000);
}
