// What a student reads. The golden files are the specification of the text; SIMTLAB_UPDATE_GOLDEN=1 rewrites them for review.
#include <regex>

#include "judge/wording.h"
#include "tests/judge/real_judge.h"

using namespace simtlab;

namespace {

void compare_with_golden(const std::string& name, const std::string& text) {
  const std::filesystem::path golden = setting("TEST_FOLDER") + "/golden/" + name + ".txt";
  if (std::getenv("SIMTLAB_UPDATE_GOLDEN") != nullptr) std::ofstream(golden) << text;
  CHECK(text == contents(golden));
}

void has_room_on_a_terminal(const std::string& text) {
  std::stringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    CAPTURE(line);
    CHECK(columns(line) <= 74);
  }
}

std::string part(const std::string& lab, const std::string& submission, const std::string& name, int exit_code) {
  const process_outcome outcome =
      run_judge(lab, submission, {"--test-case=" + name, "--source", setting("TEST_FOLDER") + "/kernel.cu"});
  CHECK(outcome.exit_code == exit_code);
  has_room_on_a_terminal(outcome.printed);
  CHECK(outcome.printed.find('\033') == std::string::npos);       // no colour in a pipe
  CHECK(outcome.printed.find("parts.cpp") == std::string::npos);  // nothing of ours
  return outcome.printed;
}

}  // namespace

TEST_CASE("a right solution: all parts") {
  compare_with_golden("right", part("scale", "right", "correct", 0) + part("scale", "right", "safe", 0) +
                                   part("scale", "right", "fast", 0));
}
TEST_CASE("a wrong answer") { compare_with_golden("wrong_answer", part("scale", "last_row_missing", "correct", 1)); }
TEST_CASE("an untouched stub") {
  compare_with_golden("unsolved", part("scale", "untouched", "correct", 1) + part("scale", "untouched", "safe", 1) +
                                      part("scale", "untouched", "fast", 1));
}
TEST_CASE("a finding") { compare_with_golden("unsafe", part("scale", "one_past_the_end", "safe", 1)); }
TEST_CASE("a right submission that prints") {
  compare_with_golden("right_and_prints", part("scale", "right_and_prints", "correct", 0));
}
TEST_CASE("a submission that prints") { compare_with_golden("prints", part("scale", "prints_scores", "correct", 1)); }
TEST_CASE("calls that are not checked") { compare_with_golden("careless", part("add", "careless", "correct", 1)); }

TEST_CASE("a test case that does not exist is told in the words that CTest looks for") {
  const process_outcome outcome = run_judge("scale", "right", {"--test-case=corect"});
  CHECK(std::regex_search(outcome.printed, std::regex("test cases: +0 \\|")));
}

TEST_CASE("wrong usage: exit code 2, what is wrong and the options") {
  const process_outcome outcome = run_judge("scale", "right", {"--fast"});
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.printed.find("unknown option \"--fast\"") != std::string::npos);
  CHECK(outcome.printed.find("--runner-prefix") != std::string::npos);
}

TEST_CASE("our own fault is not told as the student's") {
  const process_outcome outcome = run_judge("scale", "right", {"--runner-prefix", "true", "--test-case=correct"});
  CHECK(outcome.exit_code == 1);
  CHECK(outcome.printed.find("this is no fault of your program") != std::string::npos);
}
