#include "driver/compile_commands.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "driver/compiler.h"
#include "driver/diagnostics.h"
#include "driver/front_end.h"
#include "translator/file_content.h"

namespace simtlab::emulator {
namespace {

constexpr std::string_view entry_begins = R"({"file": ")";

std::string in_quotes(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      (quoted += '\\') += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      std::array<char, 8> code{};
      std::snprintf(code.data(), code.size(), "\\u%04x", static_cast<unsigned>(c));
      quoted += code.data();
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

/// Up to the end of the file's name, which no other entry shares.
std::string_view key_of(std::string_view entry) {
  std::size_t at = entry_begins.size();
  while (at < entry.size() && entry[at] != '"') at += entry[at] == '\\' ? 2 : 1;
  return entry.substr(0, at);
}

std::vector<std::string> entries_of(const std::string& text) {
  std::vector<std::string> entries;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (line == "[" || line == "]" || line == "[]") continue;
    if (!line.starts_with(entry_begins)) throw std::invalid_argument("not simtcc's");
    if (line.ends_with(',')) line.pop_back();
    entries.push_back(std::move(line));
  }
  return entries;
}

/// In one step: clangd may read it meanwhile.
void replace_file(const std::filesystem::path& file, const std::string& text) {
  const std::filesystem::path unfinished = file.string() + ".part";
  std::ofstream out(unfinished, std::ios::binary);
  out << text;
  out.close();
  std::error_code error;
  if (out) std::filesystem::rename(unfinished, file, error);
  if (!out || error)
    throw program_error(file.string() +
                        ": error: the compile database cannot be written. May you write in that folder, and is "
                        "there room on its disk?\n");
}

}  // namespace

std::string compile_command(const std::string& directory, const std::string& file,
                            const std::vector<std::string>& words) {
  std::string entry = std::string(entry_begins);
  entry.pop_back();
  entry += in_quotes(file) + ", \"directory\": " + in_quotes(directory) + ", \"arguments\": [";
  for (const std::string& word : words) entry += in_quotes(word) + ", ";
  return entry + in_quotes(file) + "]}";
}

std::string with_compile_commands(const std::string& text, const std::vector<std::string>& entries) {
  std::vector<std::string> all = entries_of(text);
  for (const std::string& entry : entries) {
    const auto same = std::ranges::find_if(all, [&](const std::string& e) { return key_of(e) == key_of(entry); });
    if (same == all.end())
      all.push_back(entry);
    else
      *same = entry;
  }
  std::string database = "[\n";
  for (std::size_t i = 0; i < all.size(); ++i) database += all[i] + (i + 1 < all.size() ? ",\n" : "\n");
  return database + "]\n";
}

void add_compile_commands(const command_line& options, const installation& where) {
  std::vector<std::string> words{"clang++"};
  append(words, options.preprocessing);  // a header of the user's own comes before one of ours
  append(words, clang_cuda_words(options, where, "-I"));
  append(words, {"-include", "cuda_runtime.h"});
  append(words, options.warnings);
  const std::string directory = std::filesystem::current_path().string();
  std::vector<std::string> entries;
  for (const std::string& input : options.inputs)
    if (const std::filesystem::path file(input); file.extension() == ".cu" || file.extension() == ".cuh")
      entries.push_back(compile_command(directory, std::filesystem::absolute(file).lexically_normal().string(), words));
  const std::filesystem::path database = options.compile_commands;
  try {
    replace_file(database, with_compile_commands(content_of(database), entries));
  } catch (const std::invalid_argument&) {
    throw program_error(
        database.string() +
        ": error: another program wrote this compile database, and simtcc adds to its own alone. Give another "
        "folder, or remove the file.\n");
  }
}

}  // namespace simtlab::emulator
