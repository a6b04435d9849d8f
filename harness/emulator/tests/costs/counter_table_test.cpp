#include "costs/counter_table.h"

#include <doctest/doctest.h>

#include "request_builder.h"

namespace simtlab::emulator::testing {

namespace {

source_line line_of_hundreds(site s) { return {"kernel.cu", static_cast<int>(s / 100)}; }
std::string name_of(variable_id v) { return v == 0 ? "" : v == 1 ? "input" : "output"; }

request_counters one(std::uint64_t sectors, std::uint64_t wavefronts = 0) {
  request_counters c;
  c.requests = 1;
  c.sectors = sectors;
  c.wavefronts = c.largest_wavefronts = wavefronts;
  return c;
}

const warp_request& at(request_builder& b) { return b.get(); }

}  // namespace

TEST_CASE("a repetition costs what the last request of its pattern did") {
  counter_table table;
  request_builder a(memory_space::global, access::read, 100);
  table.add(at(a), one(4, 2));
  table.repeat(100, 2);
  table.add(at(a), one(8, 5));
  table.repeat(100, 1);
  const auto rows = table.resolve(line_of_hundreds, name_of);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].counters.requests == 5);
  CHECK(rows[0].counters.sectors == 3 * 4 + 2 * 8);
  CHECK(rows[0].counters.largest_wavefronts == 5);
}

TEST_CASE("sites of one line merge; another variable or kind is another row; widths that differ read 0") {
  counter_table table;
  request_builder a(memory_space::global, access::read, 201), b(memory_space::global, access::read, 202),
      c(memory_space::global, access::read, 203), d(memory_space::global, access::write, 204);
  a.variable(1);
  b.variable(1).width(8);
  c.variable(2);
  d.variable(1);
  for (request_builder* r : {&d, &c, &b, &a}) table.add(at(*r), one(1));
  const auto rows = table.resolve(line_of_hundreds, name_of);
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].variable == "input");
  CHECK(rows[0].kind == access::read);
  CHECK(rows[0].counters.requests == 2);
  CHECK(rows[0].width == 0);
  CHECK(rows[1].variable == "output");
  CHECK(rows[1].width == 4);
  CHECK(rows[2].kind == access::write);
}

TEST_CASE("two slots of one site, a structure's pieces: each repeats its own cost") {
  counter_table table;
  request_builder a(memory_space::shared, access::read, 100), b(memory_space::shared, access::read, 100);
  table.add(at(a.pattern_id(1)), one(1, 2));
  table.add(at(b.pattern_id(2)), one(10, 3));
  table.repeat(1, 5);
  table.repeat(2, 7);
  const auto rows = table.resolve(line_of_hundreds, name_of);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].counters.requests == 14);
  CHECK(rows[0].counters.sectors == 6 * 1 + 8 * 10);
}

TEST_CASE("one site that alternates between variables keeps them apart") {
  counter_table table;
  request_builder a(memory_space::shared, access::read, 100), b(memory_space::shared, access::read, 100);
  a.variable(1);
  b.variable(2);
  for (int i = 0; i < 3; ++i) {
    table.add(at(a), one(1));
    table.add(at(b), one(10));
    table.repeat(100, 1);
  }
  const auto rows = table.resolve(line_of_hundreds, name_of);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].counters.sectors == 3);
  CHECK(rows[1].counters.sectors == 60);
}

TEST_CASE("tables add up, however the requests were dealt to the workers") {
  counter_table whole, left, right, sum;
  for (site s = 1; s <= 2000; ++s) {
    request_builder b(memory_space::global, access::read, s);
    whole.add(at(b), one(s));
    (s % 3 == 0 ? left : right).add(at(b), one(s));
  }
  sum.merge(right);
  sum.merge(left);
  const auto a = whole.resolve(line_of_hundreds, name_of), b = sum.resolve(line_of_hundreds, name_of);
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    CHECK(a[i].where == b[i].where);
    CHECK(a[i].counters.sectors == b[i].counters.sectors);
  }
}

TEST_CASE("a cleared table is empty") {
  counter_table table;
  request_builder a(memory_space::global, access::read, 100);
  table.add(at(a), one(4));
  table.clear();
  CHECK(table.resolve(line_of_hundreds, name_of).empty());
}

}  // namespace simtlab::emulator::testing
