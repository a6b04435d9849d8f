#include "core/counters.h"

#include <doctest/doctest.h>

#include <set>
#include <string>

using namespace simtlab::emulator;

namespace {

// Every counter of a record gets a value of its own.
template <class Counters, class Table>
Counters numbered(const Table& table, std::uint64_t step) {
  Counters made;
  std::uint64_t value = 0;
  for (const auto& c : table) made.*c.value = value += step;
  return made;
}

}  // namespace

TEST_CASE("every counter of requests and launches adds up as its definition says") {
  const auto check = [](auto sum, const auto& a, const auto& b, const auto& table) {
    sum += b;
    for (const auto& c : table) {
      CAPTURE(c.name);
      const std::uint64_t left = a.*c.value, right = b.*c.value;
      CHECK(sum.*c.value == (c.adds == addition::maximum ? std::max(left, right) : left + right));
    }
  };
  const auto a = numbered<request_counters>(request_counter_table, 7);
  check(a, a, numbered<request_counters>(request_counter_table, 5), request_counter_table);
  check(a, a, numbered<request_counters>(request_counter_table, 11), request_counter_table);
  const auto b = numbered<launch_totals>(launch_counter_table, 7);
  check(b, b, numbered<launch_totals>(launch_counter_table, 5), launch_counter_table);
}

TEST_CASE("equal requests together cost what they cost one after the other") {
  const auto one = numbered<request_counters>(request_counter_table, 3);
  request_counters sum = one;
  for (int i = 1; i < 5; ++i) sum += one;
  CHECK(one.times(5) == sum);
  CHECK(one.times(1) == one);
}

TEST_CASE("the largest is a maximum, and nothing else") {
  for (const auto& c : request_counter_table)
    CHECK((c.adds == addition::maximum) == (std::string(c.name) == "largest_wavefronts"));
}

TEST_CASE("a definition has a name of its own in its record, a unit and a meaning") {
  const auto check = [](const auto& table) {
    std::set<std::string> names;
    for (const auto& c : table) {
      CHECK(names.insert(c.name).second);
      CHECK(!std::string(c.unit).empty());
      CHECK(!std::string(c.meaning).empty());
      CHECK(std::string(c.meaning).back() != '.');  // other sentences carry it on
    }
  };
  check(request_counter_table);
  check(launch_counter_table);
  check(host_counter_table);
}

TEST_CASE("a struct holds its counters and nothing else") {
  CHECK(sizeof(request_counters) == request_counter_table.size() * sizeof(std::uint64_t));
  CHECK(sizeof(launch_totals) == launch_counter_table.size() * sizeof(std::uint64_t));
  CHECK(sizeof(host_counters) == host_counter_table.size() * sizeof(std::uint64_t));
}
