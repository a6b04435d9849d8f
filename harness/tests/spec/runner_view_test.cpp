// In the runner nothing but the entry, its types and the names of its parameters remains of lab.cpp.
#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace {

std::string contents(const char* variable) {
  const char* path = std::getenv(variable);
  REQUIRE(path != nullptr);
  std::ifstream from(path, std::ios::binary);
  std::stringstream text;
  text << from.rdbuf();
  REQUIRE(text.str().size() > 1000);
  return text.str();
}

// As text, and as the immediate operands into which a compiler turns short strings.
bool holds(const std::string& object, const std::string& word) {
  if (object.find(word) != std::string::npos) return true;
  return word.size() >= 8 && object.find(word.substr(0, 8)) != std::string::npos;
}

constexpr const char* only_the_judges[] = {"giraffe case",  "hippopotamus case", "gnu size",     "pangolin stream",
                                           "flamingo hint", "ibex hint",         "axolotl tile", "capybara-rule"};

}  // namespace

TEST_CASE("the runner keeps the entry and the names of its parameters") {
  const std::string runner = contents("RUNNER_OBJECT");
  CHECK(holds(runner, "distinctive_entry"));
  for (const char* word : {"zebra_in", "okapi_ou", "narwhal_"}) CHECK_MESSAGE(holds(runner, word), word);
}

TEST_CASE("cases, arguments and criteria leave no string in the runner") {
  const std::string runner = contents("RUNNER_OBJECT");
  for (const char* word : only_the_judges) CHECK_MESSAGE(!holds(runner, word), word);
}

TEST_CASE("the reference leaves neither code nor constants in the runner") {
  const std::string runner = contents("RUNNER_OBJECT");
  CHECK(!holds(runner, "walrus"));
  CHECK(!holds(runner, "random_stream"));
  const float constant = 77777.0F;
  CHECK(!holds(runner, std::string(reinterpret_cast<const char*>(&constant), sizeof constant)));
  const double operations = 98765.0;
  CHECK(!holds(runner, std::string(reinterpret_cast<const char*>(&operations), sizeof operations)));
}

TEST_CASE("the judge has all of it, so the searches above can fail, and no reference to the entry") {
  const std::string judge = contents("JUDGE_PROGRAM");
  for (const char* word : only_the_judges) CHECK_MESSAGE(holds(judge, word), word);
  const float constant = 77777.0F;
  CHECK(holds(judge, std::string(reinterpret_cast<const char*>(&constant), sizeof constant)));
}
