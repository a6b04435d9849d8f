// What one side writes is what the other side reads.
#include <doctest/doctest.h>

#include <fstream>

#include "protocol/bounded_json.h"
#include "protocol/measurement_json.h"
#include "tests/protocol/example.h"

using namespace simtlab;

TEST_CASE("a request arrives whole, and outputs arrive as poison") {
  const example::temporary_folder folder;
  write_request(folder.path, example::request(), example::rounds());
  const case_request got = read_request(folder.path);
  CHECK(got.lab == "99-example");
  CHECK(got.kind == entry_kind::host);
  CHECK(got.arguments.size() == 4);
  CHECK(got.arguments[3].name == "c");
  CHECK(got.arguments[3].role == argument_role::in_out);
  CHECK(got.workers == 2);
  CHECK(!got.checks);
  CHECK(got.fail_api_call == 5);
  CHECK(got.severities.at("leak") == severity::error);
  CHECK(got.warm_ups == 1);
  CHECK(got.samples == 4);
  CHECK(got.rounds == 2);
  CHECK(got.without == std::set<std::string>{"poison"});
  for (unsigned round = 0; round < 2; ++round) {
    const round_values values = read_round(folder.path, got, round);
    CHECK(values[0] == example::rounds()[round][0]);
    CHECK(values[1] == example::bytes({0xff, 0xff, 0xff}));
    CHECK(values[3] == example::rounds()[round][3]);
  }
  CHECK(std::filesystem::is_empty(folder.path / "result"));
}

TEST_CASE("a result arrives whole") {
  const example::temporary_folder folder;
  const folder_handle at(folder.path);
  write_result(at, example::request(), example::result());
  const case_result got = read_result(at, example::request());
  const case_result sent = example::result();
  CHECK(got.how == ending::error);
  CHECK(got.detail.code == 700);
  CHECK(got.detail.text == sent.detail.text);
  CHECK(got.detail.returned);
  CHECK(got.rounds == sent.rounds);
  CHECK(to_json(got.where) == to_json(sent.where));
  CHECK(to_json(got.measured.launches.at(0)) == to_json(sent.measured.launches[0]));
  CHECK(to_json(got.measured.findings.at(0)) == to_json(sent.measured.findings[0]));
  CHECK(to_json(got.measured.host) == to_json(sent.measured.host));
  CHECK(got.measured.injected_error == 2);
  CHECK(got.measured.samples == sent.measured.samples);
  CHECK(got.measured.copy_gigabytes_per_second == 4092.5);
}

TEST_CASE("a request of another version or without an input is refused with a sentence") {
  const example::temporary_folder folder;
  write_request(folder.path, example::request(), example::rounds());
  SUBCASE("version") {
    const folder_handle to(folder.path / "request");
    to.write("request.json", std::string_view(R"({"format": "simtlab-request", "version": 99})"));
    CHECK_THROWS_WITH_AS(static_cast<void>(read_request(folder.path)), doctest::Contains("request.version"),
                         protocol_error);
  }
  SUBCASE("missing input") {
    std::filesystem::remove(folder.path / "request" / "input-1-0.bin");
    const case_request got = read_request(folder.path);
    CHECK_NOTHROW(static_cast<void>(read_round(folder.path, got, 0)));
    CHECK_THROWS_WITH_AS(static_cast<void>(read_round(folder.path, got, 1)), doctest::Contains("input-1-0.bin"),
                         protocol_error);
  }
}

TEST_CASE("a file appears whole or not at all") {
  const example::temporary_folder folder;
  const folder_handle at(folder.path);
  at.write("x", std::string_view("first"));
  at.write("x", std::string_view("second"));
  CHECK(at.read_text("x", 100) == "second");
  CHECK(!at.has("x.part"));
}
