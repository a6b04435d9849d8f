#include "driver/support_check.h"

#include <algorithm>
#include <fstream>
#include <set>

#include "driver/compiler.h"
#include "translator/file_content.h"
#include "translator/lexer.h"
#include "translator/take_line.h"
#include "translator/unsupported_headers.h"
#include "translator/unsupported_names.h"

namespace simtlab::emulator {
namespace {

/// Words that are CUDA's as the name of a namespace alone.
bool is_namespace_alone(std::string_view name) { return name == "cutlass"; }

void add_names(const lexed_source& source, const token_list& list, std::vector<unsupported_use>& uses) {
  for (std::size_t i = 0; i < list.tokens.size(); ++i) {
    const token& t = list.tokens[i];
    if (t.kind != token_kind::identifier) continue;
    const std::string_view name = source.spelling(t);
    const std::string_view why = why_unsupported_name(name);
    if (why.empty()) continue;
    const auto is = [&](std::size_t at, std::string_view text) {
      return at < list.tokens.size() && source.spelling(list.tokens[at]) == text;
    };
    const bool qualifies = is(i + 1, "::");
    // `using namespace N`, `namespace n = N`, `N::M`; an index that falls below 0 is none.
    const bool is_named = is(i - 1, "namespace") || is(i - 1, "::") || (is(i - 1, "=") && is(i - 3, "namespace"));
    if (!is_namespace_alone(name) || qualifies || is_named)
      uses.push_back({static_cast<int>(t.line), std::string(name), why});
  }
}

/// The header of `#include <name>` or `#include "name"`; empty for other lines.
std::string_view included(std::string_view line) {
  const auto skip = [&line] { line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size())); };
  skip();
  if (!line.starts_with('#')) return {};
  line.remove_prefix(1);
  skip();
  constexpr std::string_view word = "include";
  if (!line.starts_with(word)) return {};
  line.remove_prefix(word.size());
  skip();
  if (line.empty() || (line[0] != '<' && line[0] != '"')) return {};
  const std::size_t end = line.find(line[0] == '<' ? '>' : '"', 1);
  return end == std::string_view::npos ? std::string_view() : line.substr(1, end - 1);
}

void add_headers(std::string_view text, std::vector<unsupported_use>& uses) {
  int number = 0;
  while (!text.empty()) {
    ++number;
    const std::string_view header = included(take_line(text));
    if (const std::string_view why = why_unsupported(header); !header.empty() && !why.empty())
      uses.push_back({number, "#include <" + std::string(header) + ">", why});
  }
}

/// The line of `messages` that has the character `at`.
std::string line_at(const std::string& messages, std::size_t at) {
  const std::size_t begin = messages.rfind('\n', at) + 1;  // npos + 1 is 0
  return messages.substr(begin, messages.find('\n', at) - begin);
}

/// Of what the compiler wrote, the first error's line, and a hint if one follows before the next error.
std::string first_error_of(const std::string& messages) {
  constexpr std::string_view error = "error: ", hint = "hint: ";
  const std::size_t at = messages.find(error);
  if (at == std::string::npos) return messages.substr(0, messages.find('\n'));
  const std::size_t helped = messages.find(hint, at);
  if (helped == std::string::npos || helped > messages.find(error, at + 1)) return line_at(messages, at);
  return line_at(messages, at) + "\n    " + line_at(messages, helped);
}

/// Headers are compiled as if a source included them and nothing before.
std::filesystem::path source_of(const std::filesystem::path& file, const std::filesystem::path& folder) {
  if (file.extension() == ".cu") return file;
  std::filesystem::path source = folder / "includes-it.cu";
  std::ofstream(source) << "#include \"" << std::filesystem::absolute(file).string() << "\"\n";
  return source;
}

}  // namespace

std::vector<unsupported_use> unsupported_uses(std::string_view text) {
  std::vector<unsupported_use> uses;
  add_headers(text, uses);
  const lexed_source source = lex(text, "");
  add_names(source, source.code, uses);
  for (const token_list& macro : source.macros) add_names(source, macro, uses);
  std::ranges::stable_sort(uses, {}, &unsupported_use::line);
  std::set<std::string> known;
  std::erase_if(uses, [&](const unsupported_use& u) { return !known.insert(u.name).second; });
  return uses;
}

std::string support_table(const std::vector<file_support>& files) {
  std::size_t widest = 0;
  for (const file_support& f : files) widest = std::max(widest, f.file.size());
  std::string table;
  std::size_t compile = 0;
  for (const file_support& f : files) {
    const bool compiles = f.first_error.empty();
    compile += compiles ? 1 : 0;
    table +=
        f.file + std::string(widest - f.file.size() + 2, ' ') + (compiles ? "compiles" : "does not compile") + "\n";
    if (compiles) continue;
    for (const unsupported_use& u : f.uses)
      table += "    line " + std::to_string(u.line) + ": " + u.name + ". " + std::string(u.why) + ".\n";
    if (f.uses.empty()) table += "    " + f.first_error + "\n";
  }
  return table + std::to_string(compile) + " of " + std::to_string(files.size()) + " CUDA files compile with simtcc " +
         SIMTLAB_VERSION + ".\n";
}

std::vector<file_support> check_support(const command_line& options, const installation& where,
                                        const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  const fs::path given = options.check_support;
  const bool is_folder = fs::is_directory(given);
  const fs::path root = is_folder ? given : fs::absolute(given).parent_path();
  std::vector<fs::path> found;
  if (fs::is_regular_file(given)) found.push_back(fs::absolute(given));
  for (auto at = is_folder ? fs::recursive_directory_iterator(root) : fs::recursive_directory_iterator();
       at != fs::recursive_directory_iterator(); ++at) {
    const bool hidden = at->path().filename().string().starts_with('.');
    if (at->is_directory() && hidden) at.disable_recursion_pending();
    const fs::path ending = at->path().extension();
    if (at->is_regular_file() && !hidden && (ending == ".cu" || ending == ".cuh")) found.push_back(at->path());
  }
  if (found.empty())
    throw program_error(
        given.string() +
        (is_folder ? ": error: no .cu and no .cuh is in this folder" : ": error: there is no such file or folder") +
        ". --check-support takes a project's folder, and looks at each .cu and .cuh in it, or one file.\n");
  std::ranges::sort(found);
  command_line quiet = options;
  quiet.warnings = {"-w"};
  quiet.makes = product::objects;
  quiet.preprocessing.push_back("-I" + root.string());
  std::vector<file_support> files;
  for (const fs::path& file : found) {
    file_support f{fs::relative(file, root).string(), "", unsupported_uses(content_of(file))};
    try {
      compiler(quiet, where, folder).compile(source_of(file, folder), folder / "checked.o");
    } catch (const program_error& e) {
      f.first_error = first_error_of(e.what());
    }
    files.push_back(std::move(f));
  }
  return files;
}

}  // namespace simtlab::emulator
