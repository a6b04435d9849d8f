#include "driver/expanded_text.h"

#include "driver/compiler.h"
#include "driver/process.h"

namespace simtlab::emulator {

void expand_macros(const std::filesystem::path& file, const std::filesystem::path& result, const command_line& options,
                   const installation& where, const std::vector<std::string>& more) {
  std::vector<std::string> words{where.compiler,      "-E", "-x", "c++", "-std=" + options.standard, "-fpreprocessed",
                                 "-fdirectives-only", "-w"};
  append(words, more);
  append(words, {file.string(), "-o", result.string()});
  const process_result made = run_process(words);
  if (made.exit_code != 0) throw program_error(made.errors);
}

}  // namespace simtlab::emulator
