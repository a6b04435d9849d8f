#include "judge/options.h"

#include <doctest/doctest.h>

#include <array>
#include <cstdlib>

using namespace simtlab;

TEST_CASE("a prefix is words, or a JSON array of words that may hold spaces") {
  const auto prefix = [](const char* text) {
    return parse_options({"--runner", "/r", "--runner-prefix", text}).runner_prefix;
  };
  CHECK(prefix("nice  -n 5") == std::vector<std::string>{"nice", "-n", "5"});
  CHECK(prefix(R"(["/a folder/sandbox", "--"])") == std::vector<std::string>{"/a folder/sandbox", "--"});
  CHECK_THROWS_AS(prefix("[1, 2]"), usage_error);
  CHECK_THROWS_AS(prefix("[\"open"), usage_error);
}

TEST_CASE("compute-sanitizer is asked where findings are told, not where speed is") {
  setenv("SIMTLAB_SANITIZE", "1", 1);
  const auto asked = [](const char* part) { return parse_options({"--runner", "/r", part}).sanitizer; };
  CHECK(asked("--test-case=safe") == "compute-sanitizer");
  CHECK(asked("--test-case=correct") == "compute-sanitizer");
  CHECK(asked("--test-case=fast").empty());
  unsetenv("SIMTLAB_SANITIZE");
  CHECK(asked("--test-case=safe").empty());
}

TEST_CASE("a block is one to three numbers; what is left out is 0") {
  const auto block = [](const char* text) { return parse_options({"--runner", "/r", "--block", text}).traced_block; };
  CHECK(block("2") == std::array<std::uint64_t, 3>{2, 0, 0});
  CHECK(block("2,1,4") == std::array<std::uint64_t, 3>{2, 1, 4});
  for (const char* wrong : {"", "1,2,3,4", "a", "-1", "1,b"}) CHECK_THROWS_AS(block(wrong), usage_error);
}

TEST_CASE("a shape of blocks is one to three numbers from 1 on, of a profile's run") {
  const auto shape = [](const char* text) {
    return parse_options({"--runner", "/r", "--profile", "kernel.cu", "--launch-block", text}).launch_block;
  };
  CHECK(shape("16,16") == std::array<std::uint64_t, 3>{16, 16, 1});
  CHECK(shape("64") == std::array<std::uint64_t, 3>{64, 1, 1});
  for (const char* wrong : {"", "0", "16,0", "1,2,3,4"}) CHECK_THROWS_AS(shape(wrong), usage_error);
  CHECK(parse_options({"--runner", "/r", "--profile", "kernel.cu", "--samples"}).samples);
  CHECK_THROWS_AS(parse_options({"--runner", "/r", "--samples"}), usage_error);
  CHECK_THROWS_AS(parse_options({"--runner", "/r", "--launch-block", "16"}), usage_error);
}

TEST_CASE("references are named, once each") {
  const auto references =
      parse_options({"--runner", "/r", "--reference", "solution=/a/s=1", "--reference", "naive=/n"}).references;
  REQUIRE(references.size() == 2);
  CHECK(references.at("solution") == "/a/s=1");
  CHECK(references.at("naive") == "/n");
  for (const char* wrong : {"solution", "=/a", "solution="})
    CHECK_THROWS_WITH_AS(parse_options({"--runner", "/r", "--reference", wrong}), doctest::Contains("NAME=PATH"),
                         usage_error);
}

TEST_CASE("everything that the architecture promises is understood") {
  const judge_options o = parse_options({"--runner",
                                         "/r",
                                         "--runner-prefix",
                                         "bwrap  --ro {case} --",
                                         "--backend",
                                         "cuda",
                                         "--facts",
                                         "f.json",
                                         "--submission",
                                         "ada",
                                         "--hidden",
                                         "h.json",
                                         "--seed",
                                         "18446744073709551615",
                                         "--workers",
                                         "2",
                                         "--limit-seconds",
                                         "2.5",
                                         "--limit-memory-mb",
                                         "512",
                                         "--profile",
                                         "k.cu",
                                         "--test-case=fast"});
  CHECK(o.runner == "/r");
  CHECK(o.runner_prefix == std::vector<std::string>{"bwrap", "--ro", "{case}", "--"});
  CHECK(o.backend == backend_kind::cuda);
  CHECK(o.seed == 18446744073709551615U);
  CHECK(o.workers == 2);
  CHECK(o.limit_seconds == 2.5);
  CHECK(o.limit_memory_mb == 512);
  CHECK(o.profile == "k.cu");
  CHECK(o.for_doctest == std::vector<std::string>{"--test-case=fast"});
}

TEST_CASE("what is wrong is named") {
  const auto refuses = [](const std::vector<std::string>& words, const char* sentence) {
    CHECK_THROWS_WITH_AS(static_cast<void>(parse_options(words)), doctest::Contains(sentence), usage_error);
  };
  refuses({}, "--runner is missing");
  refuses({"--runner"}, "expects a value");
  refuses({"--runner", "r", "--backend", "gpu"}, "emulator or cuda, found \"gpu\"");
  refuses({"--runner", "r", "--seed", "-1"}, "--seed");
  refuses({"--runner", "r", "--seed", "1x"}, "--seed");
  refuses({"--runner", "r", "--workers", "0"}, "at least 1");
  refuses({"--runner", "r", "--limit-seconds", "nan"}, "--limit-seconds");
  refuses({"--runner", "r", "--runer", "r"}, "unknown option \"--runer\"");
}

TEST_CASE("a specification is described without a runner; a mutant's judgement may end at its first failure") {
  CHECK(parse_options({"--describe"}).describe);
  CHECK(parse_options({"--runner", "r", "--until-failure"}).until_failure);
  CHECK_FALSE(parse_options({"--runner", "r"}).until_failure);
}
