#include "core/characters.h"

#include <doctest/doctest.h>

#include <string_view>

using namespace simtlab::emulator;

TEST_CASE("a name has letters, digits and underscores of ASCII, whatever the locale") {
  constexpr std::string_view in_names = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz";
  for (int code = -128; code < 128; ++code) {
    const char c = static_cast<char>(code);
    CAPTURE(code);
    CHECK(is_in_name(c) == (in_names.find(c) != std::string_view::npos));
    CHECK(is_digit(c) == (in_names.substr(0, 10).find(c) != std::string_view::npos));
  }
}
