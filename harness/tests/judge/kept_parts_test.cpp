// What one evaluation says of correct, safe and fast serves three programs, each once, and only of the same runner.
#include "judge/kept_parts.h"

#include <chrono>

#include "tests/judge/real_judge.h"

using namespace simtlab;

namespace {

/// A runner's prefix that adds a line to a file whenever a runner starts.
std::string counting(const std::filesystem::path& file) {
  return json({"/bin/sh", "-c", "echo >>" + file.string() + "; exec \"$@\"", "sh"}).dump();
}

long lines_in(const std::filesystem::path& file) {
  const std::string text = contents(file);
  return std::count(text.begin(), text.end(), '\n');
}

}  // namespace

TEST_CASE("three programs run the cases once, and say what each alone says") {
  const example::temporary_folder folder;
  const std::filesystem::path runs = folder.path / "runs", parts = folder.path / "parts";
  for (const char* submission : {"right", "last_row_missing"}) {
    CAPTURE(submission);
    long of_one = 0, before = std::filesystem::exists(runs) ? lines_in(runs) : 0;
    for (const char* part : {"correct", "safe", "fast"}) {
      CAPTURE(part);
      const std::string wanted = std::string("--test-case=") + part;
      const process_outcome alone = run_judge("scale", submission, {wanted});
      const process_outcome one =
          run_judge("scale", submission, {wanted, "--together", parts.string(), "--runner-prefix", counting(runs)});
      CHECK(one.printed == alone.printed);
      CHECK(one.exit_code == alone.exit_code);
      if (of_one == 0) of_one = lines_in(runs) - before;
    }
    CHECK(of_one > 0);
    CHECK(lines_in(runs) == before + of_one);
  }
}

TEST_CASE("who asks for a part again wants another evaluation") {
  const example::temporary_folder folder;
  const std::filesystem::path runs = folder.path / "runs", parts = folder.path / "parts";
  const std::vector<std::string> words{"--test-case=safe", "--together", parts.string(), "--runner-prefix",
                                       counting(runs)};
  run_judge("scale", "right", words);
  const long once = lines_in(runs);
  run_judge("scale", "right", words);
  CHECK(lines_in(runs) == 2 * once);
}

TEST_CASE("a part is taken once, and not for another runner, seed or a file that is cut off") {
  const example::temporary_folder folder;
  judge_options options;
  options.together = folder.path / "parts";
  options.runner = folder.path / "runner";
  std::ofstream(options.runner) << "a program";
  const kept_parts kept(options);
  CHECK_FALSE(kept.take("safe").has_value());

  kept.keep("safe", {"no findings\n", 1});
  const std::optional<said_part> said = kept.take("safe");
  REQUIRE(said.has_value());
  CHECK(said->text == "no findings\n");
  CHECK(said->exit_code == 1);
  CHECK_FALSE(kept.take("safe").has_value());

  kept.keep("safe", {"no findings\n", 0});
  judge_options other = options;
  other.seed = 7;
  CHECK_FALSE(kept_parts(other).take("safe").has_value());

  kept.keep("safe", {"no findings\n", 0});
  std::ofstream(options.runner) << "another program";
  CHECK_FALSE(kept_parts(options).take("safe").has_value());

  std::filesystem::create_directories(options.together);
  for (const char* text : {"", "of nobody", "of nobody\n2\n"}) {
    std::ofstream(options.together / "fast") << text;
    CHECK_FALSE(kept.take("fast").has_value());
  }
}

TEST_CASE("a folder that cannot be written costs nothing but time") {
  judge_options options;
  options.together = "/proc/no/such/folder";
  const kept_parts kept(options);
  kept.keep("safe", {"no findings\n", 0});
  CHECK_FALSE(kept.take("safe").has_value());
}
