// What one side writes is what the other side reads.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>

#include "protocol/bounded_json.h"
#include "protocol/measurement_json.h"
#include "tests/protocol/example.h"

using namespace simtlab;

TEST_CASE("a request arrives whole, with the values of its inputs") {
  const example::temporary_folder folder;
  example::write_request(folder.path, example::request(), example::rounds());
  const case_request got = read_request(folder.path);
  CHECK(got.lab == "99-example");
  CHECK(got.kind == entry_kind::host);
  CHECK(got.arguments.size() == 4);
  CHECK(got.arguments[3].name == "c");
  CHECK(got.arguments[3].role == argument_role::in_out);
  CHECK(got.workers == 2);
  CHECK(!got.checks);
  CHECK(got.fail_api_call == 5);
  CHECK(got.traced_block == coordinates{3, 1, 0});
  CHECK(got.traced_kernel == "tiled<16>");
  CHECK(got.names_racing_threads);
  CHECK(got.samples);
  CHECK(got.launch_block == coordinates{16, 16, 1});
  CHECK(got.severities.at("leak") == severity::error);
  CHECK(!got.timing);
  CHECK(got.arguments[0].extents == std::vector<std::size_t>{1, 2});
  CHECK(got.arguments[3].scalar == scalar_type::i16);
  CHECK(got.rounds == 2);
  CHECK(got.without == std::set<std::string>{"poison"});
  for (unsigned round = 0; round < 2; ++round) {
    const mapped_round mapped(folder.path, got, round);
    for (std::size_t i = 0; i < got.arguments.size(); ++i)
      CHECK(std::ranges::equal(mapped.values()[i], example::rounds()[round][i]));
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
  CHECK(got.measured.injected_call == "cudaMalloc (kernel.cu:7)");
  REQUIRE(got.measured.timed);
  CHECK(got.measured.timed->milliseconds == sent.measured.timed->milliseconds);
  CHECK(got.measured.timed->host_milliseconds == 0.75);
  CHECK(got.measured.timed->key == ~std::uint64_t{0});
  CHECK(got.measured.timed->checked == 1);
  CHECK(got.measured.timed->state == "noisy");
  REQUIRE(got.measured.limits);
  CHECK(got.measured.limits->copy_gigabytes_per_second == 4092.5);
  CHECK(got.measured.limits->cache_bytes == 50 << 20);
  REQUIRE(got.measured.state);
  CHECK(got.measured.state->celsius == 45);
  CHECK(got.measured.state->throttled == std::vector<std::string>{"power limit"});
}

TEST_CASE("timed calls are asked for with two sets of values, and answered with one call's outputs") {
  const example::temporary_folder folder;
  case_request request = example::request();
  request.timing = timing_request{2, {7, 9, 0.5, 0.25, 0.01, {0.125, 4}}};
  example::write_request(folder.path, request, example::rounds());
  const case_request got = read_request(folder.path);
  REQUIRE(got.timing);
  CHECK(got.timing->warm_ups == 2);
  CHECK(got.timing->until.fewest == 7);
  CHECK(got.timing->until.most == 9);
  CHECK(got.timing->until.seconds == 0.5);
  CHECK(got.timing->until.least_seconds == 0.25);
  CHECK(got.timing->until.relative_width == 0.01);
  CHECK(got.timing->until.thresholds == std::vector<double>{0.125, 4});

  const folder_handle at(folder.path);
  case_result result = example::result();
  result.how = ending::returned;
  write_result(at, request, result);
  CHECK_THROWS_WITH_AS(static_cast<void>(read_result(at, request)), doctest::Contains("rounds"), protocol_error);
  result.rounds.resize(1);
  write_result(at, request, result);
  CHECK(read_result(at, request).rounds.size() == 1);
  result.measured.timed.reset();
  write_result(at, request, result);
  CHECK_THROWS_WITH_AS(static_cast<void>(read_result(at, request)), doctest::Contains("times"), protocol_error);
}

TEST_CASE("a request of another version or without an input is refused with a sentence") {
  const example::temporary_folder folder;
  example::write_request(folder.path, example::request(), example::rounds());
  SUBCASE("version") {
    const folder_handle to(folder.path / "request");
    to.write("request.json", std::string_view(R"({"format": "simtlab-request", "version": 99})"));
    CHECK_THROWS_WITH_AS(static_cast<void>(read_request(folder.path)), doctest::Contains("request.version"),
                         protocol_error);
  }
  SUBCASE("missing input") {
    std::filesystem::remove(folder.path / "request" / "input-1-0.bin");
    const case_request got = read_request(folder.path);
    CHECK_NOTHROW(mapped_round(folder.path, got, 0));
    CHECK_THROWS_WITH_AS(mapped_round(folder.path, got, 1), doctest::Contains("input-1-0.bin"), protocol_error);
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

TEST_CASE("a result says once how far each of its counters may be believed") {
  const json document = json::parse(result_text(example::result()));
  const json& fidelity = document["fidelity"];
  CHECK(fidelity["sectors"] == "exact");
  CHECK(fidelity["wavefronts"] == "model");
  CHECK(fidelity.size() == emulator::request_counter_table.size() + emulator::launch_counter_table.size() +
                               emulator::host_counter_table.size());
  case_result on_a_gpu = example::result();
  on_a_gpu.where.emulator.reset();
  CHECK(json::parse(result_text(on_a_gpu))["fidelity"].empty());
}
