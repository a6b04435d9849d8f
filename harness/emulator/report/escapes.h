// Texts of a program (names, paths, messages) as the formats of reports can hold them. Bytes that are no UTF-8 become U+FFFD.
#pragma once

#include <string>
#include <string_view>

namespace simtlab::emulator {

[[nodiscard]] std::string utf8(std::string_view);
/// With the quotes.
[[nodiscard]] std::string json_quoted(std::string_view);
/// For text and attributes; characters that XML 1.0 cannot have become U+FFFD.
[[nodiscard]] std::string xml_escaped(std::string_view);
/// A path as part of a URI (RFC 3986): slashes stay.
[[nodiscard]] std::string uri_path(std::string_view);
/// What stands behind `::error …::` in a workflow command of GitHub Actions.
[[nodiscard]] std::string command_message(std::string_view);
/// The value of a property of such a command.
[[nodiscard]] std::string command_property(std::string_view);

}  // namespace simtlab::emulator
