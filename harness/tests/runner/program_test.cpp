// The runner by itself, without a judge: a request goes in, a result comes out.

#include "protocol/bounded_json.h"
#include "tests/as_bytes.h"
#include "tests/judge/real_judge.h"
#include "timing/fresh_values.h"

using namespace simtlab;

namespace {

case_request request_for_scale(std::size_t elements) {
  case_request r;
  r.lab = "scale";
  r.arguments = {{"input", argument_role::input, 4, elements},
                 {"output", argument_role::output, 4, elements},
                 {"rows", argument_role::scalar, 4, 1},
                 {"cols", argument_role::scalar, 4, 1}};
  return r;
}

process_outcome run_runner(const std::string& submission, const std::filesystem::path& folder) {
  return run_process({program(submission), folder.string()}, folder, {}, [] { return true; });
}

case_result run_scale(const std::string& submission, const case_request& r, const std::vector<float>& input) {
  const example::temporary_folder folder;
  example::write_request(folder.path, r,
                         {{as_bytes(input), {}, as_bytes<int>({1}), as_bytes<int>({static_cast<int>(input.size())})}});
  static_cast<void>(run_runner("scale-" + submission, folder.path));
  const folder_handle result(folder.path / "result");
  CHECK(result.has(started_file));
  return read_result(result, r);
}

}  // namespace

TEST_CASE("outputs come back as bytes, with the measurements and where it ran") {
  const case_result r = run_scale("right", request_for_scale(3), {1, 2, 3});
  CHECK(r.how == ending::returned);
  CHECK(r.rounds[0][1] == as_bytes<float>({2, 4, 6}));
  CHECK(r.rounds[0][0].empty());
  CHECK(r.where.compiler == "plain");
  CHECK(r.measured.launches.size() == 1);
  CHECK(!r.measured.timed);
}

TEST_CASE("what is not written is poison") {
  const case_result r = run_scale("untouched", request_for_scale(2), {1, 2});
  CHECK(r.rounds[0][1] == std::vector<std::byte>(8, std::byte{0xff}));
}

TEST_CASE("an empty array") {
  const case_result r = run_scale("right", request_for_scale(0), {});
  CHECK(r.how == ending::returned);
  CHECK(r.rounds[0][1].empty());
}

TEST_CASE("timed calls: values mixed from two sets, and the outputs of the call that the result names") {
  constexpr std::size_t elements = 200;
  case_request r = request_for_scale(elements);
  r.rounds = 2;
  r.timing = timing_request{2, {5, 9, 1, 0, 0, {}}};
  std::vector<float> first(elements), second(elements);
  for (std::size_t i = 0; i < elements; ++i) first[i] = static_cast<float>(i), second[i] = -static_cast<float>(i);
  const example::temporary_folder folder;
  const auto rows = as_bytes<int>({1}), columns = as_bytes<int>({static_cast<int>(elements)});
  example::write_request(folder.path, r, {{as_bytes(first), {}, rows, columns}, {as_bytes(second), {}, rows, columns}});
  static_cast<void>(run_runner("scale-right", folder.path));
  const case_result result = read_result(folder_handle(folder.path / "result"), r);
  CHECK(result.how == ending::returned);
  REQUIRE(result.measured.timed);
  const timed_calls& timed = *result.measured.timed;
  CHECK(timed.milliseconds.size() == 9);  // no interval is 0 wide
  CHECK(timed.state == "noisy");
  REQUIRE(result.rounds.size() == 1);
  std::vector<float> expected(elements);
  for (std::size_t i = 0; i < elements; ++i) expected[i] = 2 * (takes_second(timed.key, 0, i) ? second : first)[i];
  CHECK(result.rounds[0][1] == as_bytes(expected));
  CHECK(expected != first);
}

TEST_CASE("a timed call that fails ends the calls") {
  case_request r = request_for_scale(1);
  r.rounds = 2;
  r.timing = timing_request{};
  const example::temporary_folder folder;
  const round_values values{as_bytes<float>({1}), {}, as_bytes<int>({1}), as_bytes<int>({1})};
  example::write_request(folder.path, r, {values, values});
  static_cast<void>(run_runner("scale-failed_launch", folder.path));
  const case_result result = read_result(folder_handle(folder.path / "result"), r);
  CHECK(result.how == ending::error);
  CHECK(!result.measured.timed);
}

TEST_CASE("damage around and in arguments is a finding") {
  const auto past_end = run_scale("one_past_the_end", request_for_scale(3), {1, 2, 3}).measured.findings;
  REQUIRE(past_end.size() == 1);
  CHECK(past_end[0].rule == "guard-band");
  CHECK(past_end[0].variable == "output");
  const auto changed = run_scale("changes_input", request_for_scale(3), {1, 2, 3}).measured.findings;
  REQUIRE(changed.size() == 1);
  CHECK(changed[0].rule == "input-changed");
}

TEST_CASE("errors and exceptions of the entry are told as such") {
  const case_result failed = run_scale("failed_launch", request_for_scale(1), {1});
  CHECK(failed.how == ending::error);
  CHECK(failed.detail.name == "cudaErrorInvalidConfiguration");
  CHECK(!failed.detail.returned);
  const case_result thrown = run_scale("throws", request_for_scale(1), {1});
  CHECK(thrown.how == ending::exception);
  CHECK(thrown.detail.name == "std::runtime_error");
}

TEST_CASE("a request for another entry is our fault, told in the result") {
  case_request r = request_for_scale(1);
  r.arguments[0].name = "other";
  const case_result result = run_scale("right", r, {1});
  CHECK(result.how == ending::our_fault);
  CHECK(result.detail.text.find("input here and other in the request") != std::string::npos);
}

TEST_CASE("without a case folder it says what it is") {
  const process_outcome o = run_process({program("scale-right")}, "/", {}, [] { return true; });
  CHECK(o.exit_code == 2);
  CHECK(o.printed.find("usage") != std::string::npos);
}
