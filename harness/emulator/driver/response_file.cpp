#include "driver/response_file.h"

#include <fstream>
#include <iterator>

#include "driver/command_line.h"

namespace simtlab::emulator {
namespace {

constexpr int deepest = 16;  // files that name files

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::string text_of(const std::string& file, const std::string& option) {
  std::ifstream in(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) throw usage_error(option + ": the file of options " + file + " cannot be read. Is the path right");
  return text;
}

void expand(const std::vector<std::string>& words, std::vector<std::string>& to, int depth) {
  if (depth > deepest) throw usage_error("the files of options name each other without an end");
  const auto add = [&](const std::string& files, const std::string& option) {
    std::size_t begin = 0;
    while (begin <= files.size()) {
      const std::size_t end = std::min(files.find(',', begin), files.size());
      expand(words_of(text_of(files.substr(begin, end - begin), option)), to, depth + 1);
      begin = end + 1;
    }
  };
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& w = words[i];
    if (w == "--options-file" || w == "-optf") {
      if (i + 1 == words.size()) throw usage_error(w + " needs a file behind it");
      add(words[++i], w);
    } else if (w.starts_with("--options-file=") || w.starts_with("-optf=")) {
      add(w.substr(w.find('=') + 1), w.substr(0, w.find('=')));
    } else if (w.size() > 1 && w[0] == '@') {
      expand(words_of(text_of(w.substr(1), w)), to, depth + 1);
    } else {
      to.push_back(w);
    }
  }
}

}  // namespace

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  bool inside = false;  // of a word, perhaps an empty one
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote == 0 && is_blank(c)) {
      inside = false;
      continue;
    }
    if (!inside) words.emplace_back();
    inside = true;
    if (c == '\\' && quote != '\'' && i + 1 < text.size())
      words.back() += text[++i];
    else if (c == quote)
      quote = 0;
    else if (quote == 0 && (c == '"' || c == '\''))
      quote = c;
    else
      words.back() += c;
  }
  return words;
}

std::vector<std::string> with_response_files(const std::vector<std::string>& words) {
  std::vector<std::string> result;
  expand(words, result, 0);
  return result;
}

}  // namespace simtlab::emulator
