// Each layer of defence by itself: a submission that it catches, and the same one with the layer switched off.
#include <cstring>

#include "judge/stage/input_seed.h"
#include "tests/judge/real_judge.h"

using namespace simtlab;

namespace {

// A sanitizer's own memory does not fit into a case's limit, and a runner that is not optimised shares the submission's copies of the
// C++ library's templates, so those builds have no emulated runners.
#ifdef TEST_SANITIZED
constexpr bool has_emulated_runners = false;
#else
constexpr bool has_emulated_runners = true;
#endif

bool can_run(const std::string& submission) { return has_emulated_runners || !submission.starts_with("emulated-"); }

struct planted_cheat {
  const char* lab;
  const char* submission;
  const char* layer;
  const char* verdict;
  const char* sentence;  ///< part of the message
};

// The emulator's tables need more than the small labs allow.
json facts_with_room(const char* lab, const char* submission, std::vector<std::string> more = {}) {
  more.insert(more.end(), {"--limit-memory-mb", "4096"});
  return facts_about(lab, submission, more);
}

}  // namespace

TEST_CASE("lab, submission, layer, verdict, sentence; without the layer it would pass") {
  const planted_cheat all[] = {
      {"scale", "replays_by_shape", "rounds", "wrong_answer", "the 2nd call of the entry"},
      {"scale", "right_once", "rounds", "wrong_answer", "with other values in other memory"},
      {"scale", "changes_input_later", "rounds", "unsafe", "The input input was changed"},
      {"scale", "adds_to_the_output", "poison", "unsolved", "No output element"},
      {"scale", "changes_input", "inputs_hash", "unsafe", "The input input was changed"},
      {"add", "changes_input", "inputs_hash", "unsafe", "The input b was changed"},
      {"scale", "emulated-computes_on_the_host", "kernel_writes", "forbidden", "host.cu:19: 4 bytes of output are"},
      {"scale", "emulated-computes_in_managed_memory", "kernel_writes", "forbidden", "memory.cu:17: Host code read"},
      {"add", "emulated-computes_on_the_host", "kernel_writes", "forbidden", "of sum are host code's work"},
      {"scale", "emulated-writes_to_the_emulator", "host_accesses", "crash", "emulator.cu:17: Host code reads from"},
      {"scale", "emulated-stores_through_the_library", "host_accesses", "crash", "library.cu:19: Host code writes to"},
#ifdef __x86_64__
      {"scale", "emulated-forges_a_result", "system_calls", "crash", "ended before the kernel's results were returned"},
#endif
      {"scale", "emulated-calls_into_a_number_from_the_host", "host_accesses", "crash",
       "from_the_host.cu:18: Host code calls"},
      {"scale", "emulated-calls_into_a_number_from_the_kernel", "host_accesses", "crash", "calls a function through a"},
      {"scale", "emulated-climbs_the_stack", "host_accesses", "crash", "climbs_the_stack.cu:18: Host code reads from"},
  };
  for (const planted_cheat& c : all) {
    if (!can_run(c.submission)) continue;
    CAPTURE(c.submission);
    const json caught = facts_with_room(c.lab, c.submission);
    CAPTURE(caught["message"]);
    CHECK(caught["verdict"] == c.verdict);
    CHECK(caught["message"].get<std::string>().find(c.sentence) != std::string::npos);
    CHECK(caught["environment"]["without"].empty());
    const json passed = facts_with_room(c.lab, c.submission, {"--without", c.layer});
    CAPTURE(passed["message"]);
    CHECK(passed["verdict"] == "pass");
    CHECK(passed["environment"]["without"] == json{c.layer});
  }
}

#ifdef __x86_64__
TEST_CASE("code that reaches the system's entry gets nothing there that a kernel does not need") {
  if (!has_emulated_runners) return;
  const json refused = facts_with_room("scale", "emulated-asks_the_system");
  CAPTURE(refused["cases"][0]["printed"]);
  CHECK(refused["verdict"] == "pass");
  const json granted = facts_with_room("scale", "emulated-asks_the_system", {"--without", "system_calls"});
  CHECK(granted["verdict"] != "pass");
}

TEST_CASE("an early exit is never a result, however right the outputs are") {
  if (!has_emulated_runners) return;
  for (const char* submission : {"emulated-leaves_early", "emulated-leaves_early_too"}) {
    const json facts = facts_with_room("scale", submission);
    CAPTURE(submission);
    CHECK(facts["cases"].size() == 3);
    for (const json& one : facts["cases"]) {
      CAPTURE(one["message"]);
      CHECK(one["verdict"] == "crash");
    }
    CHECK(facts["fast"]["status"] != "pass");
  }
}
#endif

TEST_CASE("a kernel that leaves its shared memory for the emulator's is stopped before it stores") {
  if (!has_emulated_runners) return;
  const json stopped = facts_with_room("scale", "emulated-stores_to_the_emulator");
  CHECK(stopped["verdict"] == "crash");
  CHECK(stopped["message"].get<std::string>().find("The kernel was stopped: stores_to_the_emulator.cu:11: tile has") !=
        std::string::npos);
  const json told = facts_with_room("scale", "emulated-stores_to_the_emulator", {"--without", "host_accesses"});
  CHECK(told["verdict"] == "unsafe");
}

TEST_CASE("the only launch of an entry fails and nobody asks: its line and the reason are told") {
  if (!has_emulated_runners) return;
  const json facts = facts_with_room("scale", "emulated-block_too_large");
  CHECK(facts["verdict"] == "wrong_answer");
  CHECK(facts["message"].get<std::string>().find(
            "block_too_large.cu:13: The launch of multiply failed: the block (2048, 1, 1) has 2048 threads") !=
        std::string::npos);
}

TEST_CASE("what is unsafe at the benchmark's size alone is unsafe") {
  if (!has_emulated_runners) return;
  const json facts = facts_with_room("scale", "emulated-unguarded_when_large");
  CHECK(facts["verdict"] == "unsafe");
  CHECK(facts["message"].get<std::string>().starts_with("benchmark (rows 64, cols 64): unguarded_when_large.cu:8: "));
  CHECK(facts["correct"]["status"] == "pass");
  CHECK(facts["safe"]["status"] == "fail");
  REQUIRE(facts["safe"]["findings"].size() == 1);
  CHECK(facts["safe"]["findings"][0]["rule"] == "out-of-bounds");
  CHECK(facts["fast"]["score"] > 0);
}

TEST_CASE("what looks alike is accused of nothing") {
  for (const auto& look_alike :
       {std::pair("scale", "emulated-works_on_the_device"), std::pair("scale", "emulated-uses_the_standard_library"),
        std::pair("add", "emulated-works_on_the_device"), std::pair("scale", "refuses_known_addresses")}) {
    const char *const lab = look_alike.first, *const submission = look_alike.second;
    if (!can_run(submission)) continue;
    CAPTURE(submission);
    const json facts = facts_with_room(lab, submission);
    CAPTURE(facts["message"]);
    CHECK(facts["verdict"] == "pass");
    CHECK(facts["safe"]["findings"].empty());
  }
}

TEST_CASE("the seed and what is expected are nowhere in the runner's world") {
  const example::temporary_folder kept;
  constexpr std::uint64_t seed = 8765432109876543210U;
  REQUIRE(setenv("SIMTLAB_SEED", std::to_string(seed).c_str(), 1) == 0);
  const std::string prefix = "sh " + setting("TEST_FOLDER") + "/keep_world.sh " + kept.path.string() + " {case}";
  const json facts = facts_about("scale", "right", {"--runner-prefix", prefix});
  unsetenv("SIMTLAB_SEED");
  CHECK(facts["verdict"] == "pass");
  CHECK(facts["seed"] == seed);

  std::string as_bytes(8, '\0'), reversed(8, '\0');
  std::memcpy(as_bytes.data(), &seed, 8);
  reversed.assign(as_bytes.rbegin(), as_bytes.rend());
  std::size_t files = 0, cases = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kept.path)) {
    const std::string name = entry.path().filename().string();
    cases += name.starts_with("simtlab-case-") ? 1 : 0;
    CHECK(name.find(std::to_string(seed)) == std::string::npos);
    if (!entry.is_regular_file()) continue;
    ++files;
    // Inputs and scalars of two rounds; nothing for the output, argument 1.
    const bool known = name == "request.json" || name == "environment" || name == "words" || name.starts_with("input-");
    CHECK_MESSAGE(known, name);
    CHECK_MESSAGE(!name.ends_with("-1.bin"), name);
    const std::string content = contents(entry.path());
    for (const std::string& form : {std::to_string(seed), std::string("79a512100bfe7eea"), as_bytes, reversed})
      CHECK_MESSAGE(content.find(form) == std::string::npos, entry.path().string());
  }
  CHECK(cases == 2);  // the three cases, and the benchmark
  CHECK(files == 2 * 2 + 3 * (1 + 2 * 3) + (1 + 3));
}

TEST_CASE("every call has inputs of its own: kind of case, case and round, and another seed gives others") {
  std::set<std::uint64_t> seeds;
  std::size_t made = 0;
  for (const std::uint64_t secret : {1U, 2U})
    for (const case_kind of : {case_kind::visible, case_kind::hidden, case_kind::benchmark})
      for (const char* name : {"a", "b", "0\na"})
        for (unsigned round = 0; round < 3; ++round, ++made) seeds.insert(input_seed(secret, of, name, round));
  CHECK(seeds.size() == made);
  CHECK(input_seed(1, case_kind::visible, "a", 0) == input_seed(1, case_kind::visible, "a", 0));
}

TEST_CASE("the one-way function is SipHash-2-4: the example of its paper's appendix") {
  std::string message;
  for (char c = 0; c < 15; ++c) message += c;
  CHECK(siphash(0x0706050403020100, 0x0f0e0d0c0b0a0908, message) == 0xa129ca6149be45e5);
}

TEST_CASE("a wrong answer whose values say nothing for certain begins with what safe reports") {
  if (!has_emulated_runners) return;
  const json facts = facts_with_room("scale", "emulated-wrong_and_unsafe");
  const std::string message = facts["message"];
  CAPTURE(message);
  CHECK(facts["verdict"] == "wrong_answer");
  CHECK(message.find("Begin with what safe reports, out-of-bounds of input: ") != std::string::npos);
  CHECK(message.find("wrong_and_unsafe.cu:8") != std::string::npos);
  CHECK(message.find("Either a variable") == std::string::npos);
}
