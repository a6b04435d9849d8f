#include "judge/decide/case_pattern.h"

#include <doctest/doctest.h>

#include <random>

using namespace simtlab;

namespace {

std::vector<sized_case> cases_of(std::initializer_list<std::pair<int, int>> all, bool (*right)(int, int)) {
  std::vector<sized_case> cases;
  for (const auto& [j, k] : all) cases.push_back({{{"j", j}, {"k", k}}, right(j, k)});
  return cases;
}

const std::initializer_list<std::pair<int, int>> some{{1, 97}, {3, 5}, {16, 16}, {31, 48}, {33, 65}, {96, 160}, {7, 7}};

}  // namespace

TEST_CASE("a limit, a divisor, two equal sizes") {
  CHECK(what_fails(cases_of(some, [](int j, int) { return j <= 16; })) ==
        "All cases with j up to 16 are right, all from j 31 on are wrong.");
  CHECK(what_fails(cases_of(some, [](int, int k) { return k % 16 == 0; })) ==
        "All cases in which k is a multiple of 16 are right, all others are wrong.");
  CHECK(what_fails(cases_of(some, [](int j, int k) { return j == k; })) ==
        "All cases in which j and k are equal are right, all others are wrong.");
}

TEST_CASE("every size that has a limit is named") {
  const auto far = [](int j, int) { return j <= 16; };
  CHECK(what_fails(cases_of({{1, 1}, {3, 7}, {16, 16}, {67, 41}, {31, 61}, {33, 17}}, far)) ==
        "All cases with j up to 16 and k up to 16 are right, all from j 31 and k 17 on are wrong.");
}

TEST_CASE("two cases of each kind are needed, and every case has to fit") {
  CHECK(what_fails(cases_of({{1, 1}, {5, 5}, {9, 9}}, [](int j, int) { return j < 9; })).empty());
  CHECK(what_fails(cases_of(some, [](int, int) { return true; })).empty());
  CHECK(what_fails(cases_of(some, [](int, int) { return false; })).empty());
  CHECK(what_fails({}).empty());
}

TEST_CASE("a size of 0, or a single size, is no pattern") {
  CHECK(what_fails(cases_of({{0, 5}, {0, 9}, {1, 0}, {19, 0}, {257, 0}}, [](int j, int) { return j == 0; })).empty());
  CHECK(what_fails(cases_of({{16, 5}, {16, 9}, {1, 3}, {19, 1}}, [](int j, int) { return j == 16; })).empty());
}

TEST_CASE("what is said is true of every case, on random cases") {
  std::mt19937 random(16);
  int said = 0;
  for (int round = 0; round < 3000; ++round) {
    std::vector<sized_case> cases;
    for (std::size_t n = 3 + random() % 9; n > 0; --n)
      cases.push_back({{{"n", static_cast<int>(random() % 300)}}, random() % 2 == 0});
    const std::string text = what_fails(cases);
    if (text.empty()) continue;
    ++said;
    int limit = 0, divisor = 0;
    const bool has_limit = std::sscanf(text.c_str(), "All cases with n up to %d", &limit) == 1;
    const bool has_divisor = std::sscanf(text.c_str(), "All cases in which n is a multiple of %d", &divisor) == 1;
    REQUIRE(has_limit != has_divisor);
    for (const sized_case& c : cases) CHECK(c.right == (has_limit ? c.of["n"] <= limit : c.of["n"] % divisor == 0));
  }
  CHECK(said > 100);
}
