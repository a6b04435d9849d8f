// How programs of simtcc end, and the reports that they write: docs/reports.md.
#include <doctest/doctest.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/driver/workplace.h"
#include "tests/judge/schema_check.h"

using namespace simtlab::emulator;
using simtlab::json;
namespace fs = std::filesystem;

namespace {

/// A variable of the environment while it exists.
struct variable {
  const char* name;
  variable(const char* n, const std::string& value) : name(n) { setenv(n, value.c_str(), 1); }
  ~variable() { unsetenv(name); }
  variable(const variable&) = delete;
  variable& operator=(const variable&) = delete;
};

/// A program with a race in lines 8 and 9, which goes on as its argument says; built once.
const char* const racing = R"(#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cstdio>
#include <cstring>
#include <cstdlib>
__global__ void reverse(int* a) {
  __shared__ int s[64]; s[threadIdx.x] = a[threadIdx.x];
  a[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void twice(int* a) { a[threadIdx.x] *= 2; }
__global__ void wait_for_ever(volatile int* a) { while (true) a[1] = a[1] + 1; }
int race() {
  int* d; cudaMalloc(&d, 64 * sizeof(int)); cudaMemset(d, 0, 64 * sizeof(int));
  reverse<<<1, 64>>>(d); twice<<<1, 64>>>(d); twice<<<1, 64>>>(d); cudaFree(d); return 0;
}
int child_of(int (*parents_part)()) {
  if (parents_part) parents_part();
  const pid_t child = fork();
  if (child == 0) exit(parents_part ? 0 : race());
  int status = 0;
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}
struct last { ~last() { FILE* f = fopen("last", "w"); fclose(f); } } destroyed_at_the_end;
int main(int, char** arguments) {
  const char* way = arguments[1];
  if (!strcmp(way, "host")) return 0;
  if (!strcmp(way, "parent forks")) return child_of(race) == 0 ? 0 : 9;
  if (!strcmp(way, "child races")) return child_of(nullptr);
  race();
  if (!strcmp(way, "its own code")) return 3;
  if (!strcmp(way, "other folder")) return chdir("/");
  if (!strcmp(way, "signal in host code")) raise(SIGTERM);
  if (!strcmp(way, "time limit in a kernel")) {
    int* d; cudaMalloc(&d, 8); cudaMemset(d, 0, 8); alarm(1);
    wait_for_ever<<<1, 1>>>(d); cudaDeviceSynchronize();
  }
}
)";

process_result run(const std::string& way) { return run_process({"./race", way}); }

/// `race`, from a source in a folder of its own.
void build_race(const workplace& here) {
  fs::create_directory("source files");
  here.write("source files/race.cu", racing);
  const process_result built = here.simtcc({"source files/race.cu", "-o", "race"});
  REQUIRE_MESSAGE(built.exit_code == 0, built.errors);
}

json sarif(const std::string& name) {
  const json written = json::parse(workplace::read(name));
  const json schema = json::parse(workplace::read(SIMTLAB_TEST_FOLDER "/sarif_written.schema.json"));
  CHECK(simtlab::schema_check(schema).violation(schema, written, "sarif") == "");
  return written["runs"][0];
}

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

}  // namespace

TEST_CASE("a program with an error finding ends with code 86, unless its own is not zero") {
  const workplace here;
  build_race(here);
  const process_result ran = run("race");
  CHECK(ran.exit_code == 86);
  CHECK(ran.errors.ends_with("\n\nsimtlab: 1 error, 0 warnings; 3 launches of 2 kernels\n"));
  CHECK(fs::exists("last"));  // static destructors run all the same
  CHECK(run("its own code").exit_code == 3);
  {
    const variable code("SIMTLAB_ERROR_EXITCODE", "12");
    CHECK(run("race").exit_code == 12);
  }
  {
    const variable code("SIMTLAB_ERROR_EXITCODE", "0");
    CHECK(run("race").exit_code == 0);
  }
  const variable code("SIMTLAB_ERROR_EXITCODE", "256");
  CHECK(run("host").exit_code == 2);
  CHECK(run("host").errors == "SIMTLAB_ERROR_EXITCODE is \"256\"; expected a number from 0 to 255.\n");
}

TEST_CASE("a flag sets the code of one program, and a warning is no error") {
  const workplace here;
  here.write("a.cu", "int main() { int* d; cudaMalloc(&d, 4); return 0; }\n");
  REQUIRE(here.simtcc({"a.cu", "-o", "a"}).exit_code == 0);
  const process_result ran = run_process({"./a"});
  CHECK(ran.exit_code == 0);
  CHECK(ran.errors.ends_with("simtlab: 0 errors, 1 warning; 0 launches of 0 kernels\n"));
  here.write("b.cu",
             "__global__ void k(int* a) { a[9] = 1; }\nint main() { int* d; cudaMalloc(&d, 4); k<<<1, 1>>>(d); }\n");
  CHECK(here.simtcc({"b.cu", "--error-exitcode=7", "--run"}).exit_code == 7);
  CHECK(has(here.simtcc({"b.cu", "--error-exitcode=x"}).errors, "--error-exitcode takes a number, not \"x\""));
}

TEST_CASE("a clean program says nothing unless it is asked to") {
  const workplace here;
  build_race(here);
  CHECK(run("host").errors.empty());
  const variable summary("SIMTLAB_SUMMARY", "1");
  CHECK(run("host").errors == "simtlab: 0 errors, 0 warnings; 0 launches of 0 kernels\n");
}

TEST_CASE("findings stand in the report alone where they are wanted there, and are never lost") {
  const workplace here;
  build_race(here);
  const variable text("SIMTLAB_TEXT", "off");
  CHECK(has(run("race").errors, "error: shared-race"));  // there is no report
  const variable file("SIMTLAB_REPORT", "r.sarif");
  const process_result ran = run("race");
  CHECK(ran.errors.empty());
  CHECK(ran.exit_code == 86);
  CHECK(sarif("r.sarif")["results"].size() == 1);
}

TEST_CASE("SARIF: both lines of a race, relative to where the program was started") {
  const workplace here;
  build_race(here);
  const variable file("SIMTLAB_REPORT", "r.sarif");
  run("other folder");
  const json written = sarif("r.sarif");
  REQUIRE(written["results"].size() == 1);
  const json& race = written["results"][0];
  CHECK(race["ruleId"] == "shared-race");
  CHECK(written["tool"]["driver"]["rules"][race["ruleIndex"].get<std::size_t>()]["id"] == "shared-race");
  const json at = race["locations"][0]["physicalLocation"], other = race["relatedLocations"][0]["physicalLocation"];
  CHECK(at["artifactLocation"]["uri"] == "source%20files/race.cu");
  CHECK(at["artifactLocation"]["uriBaseId"] == "%SRCROOT%");
  CHECK(at["region"]["startLine"].get<int>() + other["region"]["startLine"].get<int>() == 8 + 9);
  CHECK(race["locations"][0]["logicalLocations"][0]["fullyQualifiedName"] == "reverse");
  CHECK(written["originalUriBaseIds"]["%SRCROOT%"]["uri"] == "file://" + fs::canonical(here.folder).string() + "/");
  CHECK(written["invocations"][0]["executionSuccessful"] == true);
  CHECK(written["automationDetails"]["id"] == "simtlab/race/");
}

TEST_CASE("a report is written of a program without findings, of one that never calls CUDA, and beside others") {
  const workplace here;
  build_race(here);
  const variable file("SIMTLAB_REPORT", "r-%p.sarif");
  run("host");
  run("host");
  int reports = 0;
  for (const auto& entry : fs::directory_iterator(".")) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("r-")) continue;
    ++reports;
    CHECK(sarif(name)["results"].empty());
  }
  CHECK(reports == 2);
}

TEST_CASE("a finding without a line stands at the program") {
  const workplace here;
  here.write("a.cu", "__global__ void k() {}\nint main() { k<<<1, 2000>>>(); }\n");
  REQUIRE(here.simtcc({"a.cu", "-o", "a"}).exit_code == 0);
  fs::copy_file("a", "stripped");
  REQUIRE(run_process({"strip", "--strip-debug", "stripped"}).exit_code == 0);
  const variable file("SIMTLAB_REPORT", "r.sarif");
  CHECK(run_process({"./stripped"}).exit_code == 86);
  const json at = sarif("r.sarif")["results"][0]["locations"][0]["physicalLocation"];
  CHECK(at["artifactLocation"]["uri"] == "stripped");
  CHECK(!at.contains("region"));
}

TEST_CASE("a program that a signal or a time limit ends writes its report") {
  const workplace here;
  build_race(here);
  for (const auto& [way, signal] : {std::pair("signal in host code", SIGTERM), {"time limit in a kernel", SIGALRM}}) {
    CAPTURE(std::string(way));
    {
      const variable file("SIMTLAB_REPORT", "r.sarif");
      CHECK(run(way).exit_code == 128 + signal);
    }
    const json written = sarif("r.sarif");
    CHECK(written["invocations"][0]["executionSuccessful"] == false);
    CHECK(has(written.dump(), "shared-race"));
    CHECK(has(written.dump(), "\"interrupted\"") == (signal == SIGALRM));
    const variable file("SIMTLAB_REPORT", "r.xml");
    run(way);
    CHECK(has(workplace::read("r.xml"), "<error message=\"a fault or a signal ended the program\"/>"));
  }
}

TEST_CASE("what a parent found is not told again by its child, and a child's own findings are not lost") {
  const workplace here;
  build_race(here);
  const variable file("SIMTLAB_REPORT", "r.sarif");
  const process_result of_parent = run("parent forks");
  CHECK(of_parent.exit_code == 86);
  CHECK(count(of_parent.errors, "error: shared-race") == 1);
  const process_result of_child = run("child races");
  CHECK(of_child.exit_code == 86);
  CHECK(count(of_child.errors, "error: shared-race") == 1);
  CHECK(sarif("r.sarif")["results"].size() == 1);
}

TEST_CASE("JUnit: errors fail, the other kernels pass") {
  const workplace here;
  build_race(here);
  const variable file("SIMTLAB_REPORT", "r.xml");
  run("race");
  const std::string text = here.read("r.xml");
  CHECK(has(text, "<testsuite name=\"race\" tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"0\">"));
  CHECK(has(text, "<testcase classname=\"race.twice\" name=\"no error\"/>"));
  CHECK(has(text, "<testcase classname=\"race.reverse\" name=\"shared-race of s at source files/race.cu:"));
}

TEST_CASE("in a workflow of GitHub Actions findings are annotations, seen from the checkout") {
  const workplace here;
  build_race(here);
  CHECK(!has(run("race").errors, "::error"));
  const variable workflow("GITHUB_ACTIONS", "true");
  const variable checkout("GITHUB_WORKSPACE", (here.folder / "source files").string());
  const std::string said = run("race").errors;
  CHECK(count(said, "\n::error file=race.cu,line=") == 1);
  CHECK(has(said, ",title=simtlab%3A shared-race of s in kernel reverse ("));
}

TEST_CASE("the folders of a report are made, and a report that cannot be written says so") {
  const workplace here;
  build_race(here);
  {
    const variable file("SIMTLAB_REPORT", "new/folder/r.sarif");
    CHECK(run("other folder").exit_code == 86);
    CHECK(sarif("new/folder/r.sarif")["results"].size() == 1);
  }
  here.write("no", "a file");
  const variable file("SIMTLAB_REPORT", "no/folder/r.sarif");
  CHECK(has(run("host").errors,
            "no/folder/r.sarif cannot be written. May its folder be made and written to, and is the disk not full?"));
}

TEST_CASE("--annotate finds the source from any folder, and says where it looked") {
  const workplace here;
  build_race(here);
  const variable annotate("SIMTLAB_ANNOTATE", "1");
  const std::string line = "|   __shared__ int s[64]; s[threadIdx.x] = a[threadIdx.x];";
  CHECK(has(run("race").errors, line));
  CHECK(has(run("other folder").errors, line));
  fs::create_directories("build/tests");
  CHECK(has(run_process({"sh", "-c", "cd build/tests && ../../race race"}).errors, line));
  const process_result mapped = here.simtcc({"source files/race.cu", "-o", "mapped", "-Xcompiler",
                                             "-ffile-prefix-map=" + fs::canonical(here.folder).string() + "=."});
  REQUIRE_MESSAGE(mapped.exit_code == 0, mapped.errors);
  CHECK(has(run_process({"sh", "-c", "cd build/tests && ../../mapped race"}).errors, line));
  fs::rename("source files/race.cu", "moved.cu");
  const std::string said = run("race").errors;
  CHECK(has(said, "race.cu not found from here: looked in " + fs::canonical(here.folder).string() +
                      "/source files/race.cu, "));
  CHECK(has(said, "   8| global read a\n"));
  CHECK(has(said, "    |   also shared write s\n"));
}

TEST_CASE("instances of a kernel's template are told apart by their arguments") {
  const workplace here;
  here.write("a.cu", R"(namespace steps {
template <unsigned T, class E> __global__ void tiled(E* a) { a[0] = T; }
template <class E> __global__ void deduced(E* a) { a[0] = 1; }
}
template <unsigned T> void launch(float* a) { steps::tiled<T, float><<<1, 1>>>(a); }
int main() {
  float* a; cudaMalloc(&a, 4);
  launch<16>(a); launch<32>(a); steps::deduced<<<1, 1>>>(a);
  cudaFree(a);
}
)");
  const variable file("SIMTLAB_REPORT", "r.xml");
  const process_result ran = here.simtcc({"a.cu", "--annotate", "--run"});
  CHECK(ran.exit_code == 0);
  for (const char* const kernel : {"steps::tiled<16, float>", "steps::tiled<32, float>", "steps::deduced"}) {
    CAPTURE(std::string(kernel));
    CHECK(has(ran.errors, std::string(kernel) + "<<<(1,1,1), (1,1,1)>>>: "));
  }
  CHECK(has(here.read("r.xml"), ".steps::tiled&lt;16, float&gt;\" name=\"no error\"/>"));
}
