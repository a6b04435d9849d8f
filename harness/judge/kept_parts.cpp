#include "judge/kept_parts.h"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <system_error>

#include "judge/render/problem_lines.h"

namespace simtlab {
namespace {

std::string version_of(const std::filesystem::path& file) {
  std::error_code fault;
  const auto bytes = std::filesystem::file_size(file, fault);
  const auto changed = std::filesystem::last_write_time(file, fault).time_since_epoch().count();
  return fault ? std::string("none") : fmt::format("{}:{}", bytes, changed);
}

}  // namespace

kept_parts::kept_parts(const judge_options& options) : folder_(options.together) {
  of_ = fmt::format("{} {} {} {} {} {} {} {} {} {}", options.runner.string(), version_of(options.runner),
                    version_of("/proc/self/exe"), options.source.string(), version_of(options.source),
                    name_of(options.backend), options.as_compiled, options.seed, problem_lines_are_asked_for(),
                    isatty(STDOUT_FILENO));
  for (const std::string& word : options.runner_prefix) of_ += " " + word;
  for (char& c : of_)
    if (c == '\n') c = ' ';
}

std::optional<said_part> kept_parts::take(const std::string& part) const {
  const std::filesystem::path kept = folder_ / part, taken = folder_ / fmt::format("{}.{}", part, getpid());
  std::error_code fault;
  std::filesystem::rename(kept, taken, fault);  // one of several programs gets it
  if (fault) return std::nullopt;
  std::ifstream from(taken);
  std::string of, code;
  std::getline(from, of);
  std::getline(from, code);
  std::stringstream text;
  text << from.rdbuf();
  const bool is_whole = from.good() || from.eof();
  from.close();
  std::filesystem::remove(taken, fault);
  if (!is_whole || of != of_ || (code != "0" && code != "1")) return std::nullopt;
  return said_part{text.str(), code == "1" ? 1 : 0};
}

void kept_parts::keep(const std::string& part, const said_part& said) const {
  std::error_code fault;
  std::filesystem::create_directories(folder_, fault);
  const std::filesystem::path unfinished = folder_ / fmt::format("{}.{}", part, getpid());
  std::ofstream to(unfinished);
  to << of_ << "\n" << said.exit_code << "\n" << said.text;
  to.close();
  if (to) std::filesystem::rename(unfinished, folder_ / part, fault);
  if (!to || fault) std::filesystem::remove(unfinished, fault);
}

}  // namespace simtlab
