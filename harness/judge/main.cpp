// A lab's judge. Exit codes: with --facts and --profile 0 unless we ourselves fail (3); with --changes and as a doctest program 0 when the
// selected test cases passed, 1 when one failed; 2 for wrong usage.
#include <doctest/doctest.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <memory>

#include "judge/kept_parts.h"
#include "judge/lab_name.h"
#include "judge/parts.h"
#include "judge/render/as_compiled.h"
#include "judge/render/documents.h"
#include "judge/render/nsight_csv.h"
#include "judge/render/own_pictures.h"
#include "judge/render/own_run.h"
#include "judge/render/problem_lines.h"
#include "judge/render/profile.h"
#include "judge/render/profile_page.h"
#include "judge/stage/netpbm.h"
#include "judge/stage/own_input.h"
#include "protocol/protocol_error.h"

simtlab::lab define_lab();

namespace simtlab {
namespace {

constexpr int success = 0, wrong_usage = 2, our_fault = 3;

std::size_t terminal_width() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 60) return size.ws_col;
  return 80;
}

constexpr std::array<const char*, 3> parts{"correct", "safe", "fast"};

int run_doctest(const std::vector<std::string>& options) {
  doctest::Context context;
  std::vector<const char*> words{"judge"};
  for (const std::string& word : options) words.push_back(word.c_str());
  context.applyCommandLine(static_cast<int>(words.size()), words.data());
  context.setOption("no-intro", true);
  context.setOption("no-version", true);
  context.addFilter("reporters", "simtlab");
  return context.run();
}

struct closing {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

/// What the part's test case writes to standard output.
said_part say(const char* part) {
  const std::unique_ptr<std::FILE, closing> file(std::tmpfile());
  if (!file) throw std::runtime_error("no temporary file can be made: is the disk full?");
  std::cout.flush();
  std::fflush(stdout);
  const int shown = dup(STDOUT_FILENO);
  dup2(fileno(file.get()), STDOUT_FILENO);
  said_part said;
  said.exit_code = run_doctest({std::string("--test-case=") + part});
  std::cout.flush();
  std::fflush(stdout);
  dup2(shown, STDOUT_FILENO);
  close(shown);
  std::rewind(file.get());
  for (int c = std::getc(file.get()); c != EOF; c = std::getc(file.get())) said.text += static_cast<char>(c);
  return said;
}

int run_parts(evaluation& of) {
  const judge_options& options = of.options();
  const auto asked = std::find_if(parts.begin(), parts.end(), [&](const char* part) {
    return options.for_doctest == std::vector{std::string("--test-case=") + part};
  });
  const bool together = !options.together.empty() && asked != parts.end();
  const kept_parts kept(options);
  if (together) {
    if (const std::optional<said_part> said = kept.take(*asked)) {
      std::cout << said->text << std::flush;
      return said->exit_code;
    }
  }
  const text_style style = text_style::of_standard_output();
  const source_text source = options.source.empty() ? source_text() : source_text(options.source);
  const part_report report(of, source, style);
  const judged_submission submission{of, report};
  set_judged_submission(&submission);
  const int code = run_doctest(options.for_doctest);
  if (together && of.overall().judged != verdict::internal_error)
    for (const char* part : parts)
      if (part != *asked) kept.keep(part, say(part));
  return code;
}

// The verdict, what changed, then the part that a student looks at next: the first that does not pass, or the counters.
int run_with_changes(evaluation& of) {
  const changed_run run = compared_with_last(of.options().facts, of);
  const text_style style = text_style::of_standard_output();
  std::cout << style(run.passed ? colour::green : colour::red, run.headline) << "\n" << run.changes;
  const source_text source = of.options().source.empty() ? source_text() : source_text(of.options().source);
  const part_report report(of, source, style);
  const bool wrong = of.correct().how == status::fail, unsafe = of.safe().how == status::fail;
  std::cout << "\n" << (wrong ? report.correct() : unsafe ? report.safe() : report.fast());
  if (wrong && unsafe) std::cout << "\n" << report.safe();
  if (problem_lines_are_asked_for()) std::cout << problem_lines(of.safe().findings);
  return run.passed ? success : 1;
}

int run_own_input(evaluation& of) {
  const bool picture = of.options().print && is_meant_as_picture(of.options().input);
  const case_outcome run = of.first_case();
  if (picture) std::cout << write_own_pictures(of.specification(), run, of.options().input);
  std::cout << own_run_text(of.specification(), run, of.options().print && !picture, text_style::of_standard_output(),
                            terminal_width());
  return is_right(run.judged) ? success : 1;
}

int run(const std::string& program, const std::vector<std::string>& words) {
  const judge_options options = parse_options(words);
  if (options.help) {
    std::cout << usage(program);
    return success;
  }
  const lab specified =
      options.input.empty() ? define_lab() : with_own_input(define_lab(), options.input, options.own_sizes);
  evaluation of(lab_name, specified, options);
  if (options.describe) {
    std::cout << description_text(of);
    return success;
  }
  if (!options.prepare.empty()) {
    of.prepare(options.case_name, options.prepare);
    return success;
  }
  if (!options.count.empty()) {
    write_document(options.count, counters_text(of));
    return success;
  }
  if (!options.input.empty()) return run_own_input(of);
  if (!options.profile.empty()) {
    const case_outcome run = of.profiled(options.as_compiled);
    const source_text source(options.profile);
    std::cout << profile_text(run, source, text_style::of_standard_output(), terminal_width());
    if (options.as_compiled)
      std::cout << as_compiled_text(run, of.profiled(), source, text_style::of_standard_output(), terminal_width());
    if (!options.page.empty()) write_document(options.page, profile_page(of.lab_name(), run, source));
    if (!options.nsight_csv.empty()) write_document(options.nsight_csv, nsight_csv(run.measured.launches));
    return success;
  }
  if (options.changes) return run_with_changes(of);
  if (!options.facts.empty()) {
    write_document(options.facts, facts_text(of));
    return success;
  }
  return run_parts(of);
}

}  // namespace
}  // namespace simtlab

int main(int count, char** words) {
  std::signal(SIGPIPE, SIG_IGN);
  // The seed, the reference and the hidden cases are in here: no process of the same user may look inside.
#ifndef __SANITIZE_ADDRESS__  // whose search for leaks does
  prctl(PR_SET_DUMPABLE, 0);
#endif
  const std::string program = std::filesystem::path(words[0]).filename().string();
  try {
    return simtlab::run(program, {words + 1, words + count});
  } catch (const simtlab::usage_error& e) {
    std::cerr << program << ": " << e.what() << "\n\n" << simtlab::usage(program);
    return simtlab::wrong_usage;
  } catch (const std::exception& e) {
    std::cerr << program << ": " << e.what() << "\n";
    return simtlab::our_fault;
  }
}
