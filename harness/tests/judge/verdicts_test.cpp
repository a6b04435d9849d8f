// Each way a submission can end is one verdict with one sentence, never the end of the judge.
#include <algorithm>

#include "tests/judge/real_judge.h"

using namespace simtlab;

namespace {

struct expectation {
  const char* submission;
  const char* verdict;
  const char* sentence;  ///< part of the message
};

bool contains(const json& text, const std::string& part) {
  return text.get<std::string>().find(part) != std::string::npos;
}

const std::string as_on_a_gpu = "env TEST_STARTS_SLOWLY=1";  // asks plain_backend for one process for all cases

/// How many programs the judge starts behind a prefix.
std::ptrdiff_t programs_started(const std::string& submission, const std::string& backend, const std::string& prefix) {
  const example::temporary_folder folder;
  const std::string starts = (folder.path / "starts").string();
  const std::string script = "echo started >>" + starts + "; exec " + prefix + " \"$@\"";
  run_judge("scale", submission,
            {"--backend", backend, "-tc=correct", "--runner-prefix", json({"sh", "-c", script, "sh"}).dump()});
  const std::string lines = contents(starts);
  return std::ranges::count(lines, '\n');
}

}  // namespace

TEST_CASE("device entries: submission, verdict, sentence") {
  const expectation all[] = {
      {"right", "pass", ""},
      {"last_row_missing", "wrong_answer", "No element of output was ever written"},
      {"zeros", "wrong_answer", "output[0][0] is 0, expected "},
      {"nan_inside", "wrong_answer", "output[0][2] is nan"},
      {"untouched", "unsolved", "the entry launches no kernel"},
      {"stores_garbage", "wrong_answer", "output[0][0] is nan"},
      {"crash", "crash", "segmentation fault"},
      {"hang", "timeout", "within 2 s"},
      {"exits_before_main", "crash", "ended before the kernel's results were returned"},
      {"prints_scores", "wrong_answer", "output[0][0] is 0"},
      {"floods", "output_limit", "more than 16 KB"},
      {"eats_memory", "memory_limit", "more host memory"},
      {"throws", "crash", "std::runtime_error: no rows"},
      {"changes_input", "unsafe", "The input input was changed: element 0"},
      {"one_past_the_end", "unsafe", "4 bytes after its end"},
      {"forges_result", "implausible", "no result of this lab's runner"},
      {"failed_launch", "wrong_answer", "A block has 1 to 1024 threads"},
      {"stopped_kernel", "crash", "illegal memory access"},
      {"leaves_a_child", "pass", ""},
      {"goes_on_as_two", "pass", ""},
      {"wrong_when_large", "wrong_answer", "benchmark (rows 64, cols 64): 1 of 4,096 elements of output is wrong"},
  };
  for (const expectation& e : all) {
    CAPTURE(e.submission);
    const json facts = facts_about("scale", e.submission);
    CAPTURE(facts["message"]);
    CHECK(facts["verdict"] == e.verdict);
    CHECK(contains(facts["message"], e.sentence));
  }
}

TEST_CASE("a wrong last row: which cases, how many elements, where, what the rows before hold") {
  const json facts = facts_about("scale", "last_row_missing");
  CHECK(facts["correct"] == json{{"status", "fail"}, {"passed", 0}, {"total", 3}});
  const json& ragged = facts["cases"][1];
  CHECK(ragged["name"] == "ragged");
  CHECK(ragged["verdict"] == "wrong_answer");
  CHECK(contains(ragged["message"], "5 of 15 elements of output are wrong, all of them in row 2"));
  const json& mismatch = ragged["mismatch"];
  CHECK(mismatch["argument"] == "output");
  CHECK(mismatch["wrong"] == 5);
  CHECK(mismatch["never_written"] == 5);
  CHECK(mismatch["first"][0]["index"] == json{2, 0});
  CHECK(mismatch["first"][0]["never_written"] == true);
  CHECK(mismatch["good_before"][1]["index"] == json{1, 4});
}

TEST_CASE("an answer that is nearly right is told by how much, also in a later call") {
  const json facts = facts_about("scale", "nearly_right");
  CHECK(facts["verdict"] == "wrong_answer");
  for (const json& c : facts["cases"]) {
    CHECK(contains(c["message"], "allowed is no difference. So near a value is by another rounding"));
    CHECK(!contains(c["message"], "read before it has a value"));
  }
}

TEST_CASE("what a submission prints is shown and never believed") {
  const json facts = facts_about("scale", "prints_scores");
  CHECK(facts["verdict"] == "wrong_answer");
  CHECK(contains(facts["cases"][0]["printed"], "\"score\": 100"));
  CHECK(contains(facts["cases"][0]["printed"], "?[2J"));  // no control characters
}

TEST_CASE("fast is not measured when correct fails, and graded when it passes") {
  const json wrong = facts_about("scale", "zeros")["fast"];
  CHECK(wrong["status"] == "not_measured");
  CHECK(wrong["score"] == 0);
  for (const json& c : wrong["criteria"]) CHECK(c["status"] == "not_measured");

  const json right = facts_about("scale", "right")["fast"];
  CHECK(right["status"] == "pass");
  CHECK(right["score"] == 75);  // input 1.0 of 1, output 0.5 of 1; the GPU criterion's third went to these two
  CHECK(right["criteria"][0]["weight"] == 50);
  CHECK(right["criteria"][1]["fraction"] == 0.5);
  CHECK(right["criteria"][1]["where"] == json{{"file", "kernel.cu"}, {"line", 7}});
  CHECK(right["criteria"][2]["status"] == "not_measured");
  CHECK(right["criteria"][2]["weight"] == 0);
  CHECK(contains(right["criteria"][2]["reason"], "GPU"));
}

TEST_CASE("host entries: every call checked, nothing leaked") {
  const json careful = facts_about("add", "careful");
  CHECK(careful["verdict"] == "pass");
  CHECK(careful["correct"]["passed"] == 6);
  CHECK(careful["fast"]["score"] == 100);

  const json careless = facts_about("add", "careless");
  CHECK(careless["verdict"] == "wrong_answer");
  CHECK(careless["correct"]["passed"] == 4);  // both plain cases, the call that is never made, and the one that leaks
  CHECK(contains(careless["cases"][2]["message"],
                 "1st CUDA call of this case was made to fail, with cudaErrorMemoryAllocation (2)."));
  CHECK(contains(careless["cases"][2]["message"], "The entry returned cudaSuccess"));
  CHECK(contains(careless["cases"][2]["message"], "returned cudaSuccess"));
  CHECK(contains(careless["cases"][3]["message"], "returned another"));
  CHECK(careless["cases"][4]["verdict"] == "leak");
  CHECK(contains(careless["cases"][4]["message"], "444 bytes"));
}

TEST_CASE("host entries: an untouched stub, and a write in front of the output") {
  CHECK(facts_about("add", "untouched")["verdict"] == "unsolved");
  const json early = facts_about("add", "writes_before_the_output");
  CHECK(early["verdict"] == "unsafe");
  CHECK(contains(early["message"], "4 bytes before its begin"));
}

TEST_CASE("on a GPU a planted fault cannot be had: skipped with its reason, and counted neither way") {
  const json facts = facts_about("add", "careful", {"--backend", "cuda"});
  CHECK(facts["skipped"].size() == 4);
  CHECK(contains(facts["skipped"][0]["reason"], "emulator only"));
  CHECK(facts["correct"]["total"] == 2);
}

TEST_CASE("on a GPU one program gets all cases, and each has the verdict that it has in a program of its own") {
  for (const char* submission : {"right", "right_once", "right_and_prints", "replays_by_shape", "crash", "throws",
                                 "exits_before_main", "exits_when_ragged", "keeps_the_first_size"}) {
    CAPTURE(submission);
    const process_outcome alone = run_judge("scale", submission, {"-tc=correct"});
    const process_outcome together =
        run_judge("scale", submission, {"--backend", "cuda", "-tc=correct", "--runner-prefix", as_on_a_gpu});
    CHECK(together.printed == alone.printed);
    CHECK(together.exit_code == alone.exit_code);
  }
  const json ragged = facts_about("scale", "exits_when_ragged", {"--backend", "cuda", "--runner-prefix", as_on_a_gpu});
  CHECK(ragged["cases"][0]["verdict"] == "pass");
  CHECK(ragged["cases"][1]["verdict"] == "crash");
  CHECK(ragged["cases"][2]["verdict"] == "pass");

  const auto programs_of = [](const char* submission) { return programs_started(submission, "cuda", as_on_a_gpu); };
  CHECK(programs_of("right") == 1);
  CHECK(programs_of("exits_when_ragged") == 1 + 2);  // that case and the one after it
  CHECK(programs_of("right_and_prints") == 1 + 3);   // whose words they are is not known
}

TEST_CASE("behind a command prefix one program gets all cases, each in a process of its own") {
  for (const char* submission :
       {"right", "right_once", "right_and_prints", "replays_by_shape", "crash", "throws", "zeros", "exits_before_main",
        "exits_when_ragged", "keeps_the_first_size", "stopped_kernel", "forges_result", "hang", "goes_on_as_two"}) {
    CAPTURE(submission);
    std::vector<std::string> words{"-tc=correct"};
    if (std::string_view(submission) == "hang") words.insert(words.end(), {"--limit-seconds", "0.3"});
    const process_outcome alone = run_judge("scale", submission, words);
    words.insert(words.end(), {"--runner-prefix", "env"});
    const process_outcome together = run_judge("scale", submission, words);
    CHECK(together.printed == alone.printed);
    CHECK(together.exit_code == alone.exit_code);
  }
  const auto programs_of = [](const char* submission) { return programs_started(submission, "emulator", "env"); };
  constexpr int benchmark = 1;  // of what is right
  CHECK(programs_of("right") == 1 + benchmark);
  CHECK(programs_of("keeps_the_first_size") == 1 + benchmark);  // of another process nothing is kept
  CHECK(programs_of("zeros") == 1);
  CHECK(programs_of("exits_when_ragged") == 1 + 2);
  CHECK(programs_of("right_and_prints") == 1 + 3 + benchmark);
}

TEST_CASE("hidden cases are judged with the others and marked") {
  const example::temporary_folder folder;
  const auto file = (folder.path / "hidden.json").string();
  std::ofstream(file) << R"([{"name": "secret", "sizes": {"rows": 2, "cols": 3}}])";
  const json facts = facts_about("scale", "right", {"--hidden", file});
  CHECK(facts["cases"].size() == 4);
  CHECK(facts["cases"][3]["hidden"] == true);
  CHECK(facts["cases"][3]["sizes"] == json{{"rows", 2}, {"cols", 3}});
  CHECK(facts["cases"][0]["hidden"] == false);
}

TEST_CASE("hidden cases that do not fit the lab are our fault: no facts, exit code 3") {
  const example::temporary_folder folder;
  const auto file = (folder.path / "hidden.json").string();
  for (const char* text :
       {R"([{"name": "secret", "sizes": {"rows": 2}}])", R"([{"name": "ragged", "sizes": {"rows": 2, "cols": 2}}])",
        "{}", "[", R"([{"name": "x", "sizes": {"rows": "two", "cols": 1}}])"}) {
    std::ofstream(file) << text;
    const process_outcome outcome = run_judge("scale", "right", {"--hidden", file, "--facts", file + ".facts"});
    CHECK(outcome.exit_code == 3);
    CHECK(outcome.printed.find("hidden") != std::string::npos);
    CHECK(!std::filesystem::exists(file + ".facts"));
  }
}

TEST_CASE("limits on the command line replace the lab's") {
  const json facts = facts_about("scale", "hang", {"--limit-seconds", "0.3"});
  CHECK(contains(facts["message"], "within 0.3 s"));
  CHECK(contains(facts["cases"][2]["message"], "Not run"));
}

TEST_CASE("a command prefix goes before the runner, and one that never starts it is our fault") {
  CHECK(facts_about("scale", "right", {"--runner-prefix", "env A=1"})["verdict"] == "pass");
  CHECK(facts_about("scale", "right", {"--runner-prefix", "env CASE={case}"})["verdict"] == "pass");
  const json gone = facts_about("scale", "right", {"--runner-prefix", "true"});
  CHECK(gone["verdict"] == "internal_error");
  CHECK(contains(gone["message"], "without starting the runner"));
  const json missing = facts_about("scale", "right", {"--runner-prefix", "/no/such/sandbox"});
  CHECK(missing["verdict"] == "internal_error");
  CHECK(contains(missing["message"], "/no/such/sandbox cannot be executed"));
}

TEST_CASE("a runner of another lab is our fault") {
  const json facts = facts_about("scale", "right", {"--runner", program("add-careful")});
  CHECK(facts["verdict"] == "internal_error");
  CHECK(contains(facts["message"], "another entry"));
}

TEST_CASE("--until-failure: nothing is run after the first case that does not pass, and what was not run says so") {
  const json wrong = facts_about("scale", "zeros", {"--until-failure"});
  CHECK(wrong["verdict"] == "wrong_answer");
  CHECK(wrong["cases"].size() == 1);
  CHECK(wrong["skipped"].size() == 2);
  CHECK(contains(wrong["skipped"][0]["reason"], "a case before it failed"));
  CHECK(wrong["correct"]["status"] == "fail");
  const json unsafe = facts_about("scale", "one_past_the_end", {"--until-failure"});
  CHECK(unsafe["safe"]["status"] == "fail");
  CHECK(unsafe["fast"]["status"] == "not_measured");
  CHECK(facts_about("scale", "right", {"--until-failure"})["skipped"].empty());
}

TEST_CASE("--describe prints the specification as it stands in lab.cpp, without a runner") {
  const process_outcome outcome =
      run_process({program("test-judge-scale"), "--describe"}, "/", process_limits{}, [] { return true; });
  REQUIRE(outcome.exit_code == 0);
  const json described = json::parse(outcome.printed);
  CHECK(described["cases"][1]["sizes"] ==
        json::parse(R"([{"name": "rows", "value": 3}, {"name": "cols", "value": 5}])"));
  CHECK(described["criteria"][0]["metric"] == "sector_efficiency");
  CHECK(described["criteria"][0]["of"] == "input");
  CHECK(described["criteria"][2]["gpu"] == true);
  CHECK(described["benchmark"]["gpu"][0]["value"] == 4096);
  CHECK(described["pass_at"] == 60);
}
