// The launcher's command line.
#include "sandbox/options.h"

#include <doctest/doctest.h>

using namespace simtlab::sandbox;

TEST_CASE("paths, limits and the command") {
  const command_line line =
      parse_command_line({"--read", "/a/b/", "--write", "/c", "--processes", "5", "--tmp-mb", "7", "--require",
                          "seccomp,rlimits", "--no-shared-memory", "--", "sh", "--read"});
  const launch_options& o = line.launch;
  REQUIRE(o.shown.size() == 2);
  CHECK(o.shown[0].path == "/a/b");
  CHECK(o.shown[0].how == shown_path::way::read);
  CHECK(o.shown[1].how == shown_path::way::write);
  CHECK(o.processes == 5);
  CHECK(o.temporary_mb == 7);
  CHECK(!o.shared_memory);
  CHECK(o.required == std::vector<std::string>{"seccomp", "rlimits"});
  CHECK(o.command == std::vector<std::string>{"sh", "--read"});
}

TEST_CASE("a wrong word is named") {
  const auto complaint = [](const std::vector<std::string>& words) -> std::string {
    try {
      static_cast<void>(parse_command_line(words));
    } catch (const usage_error& e) {
      return e.what();
    }
    return "";
  };
  CHECK(complaint({"--read", "here", "--", "x"}) == "--read expects an absolute path, found \"here\"");
  CHECK(complaint({"--processes", "many", "--", "x"}) == "--processes expects a number, found \"many\"");
  CHECK(complaint({"--processes", "0", "--", "x"}) == "--processes expects at least 1");
  CHECK(complaint({"--frobnicate", "--", "x"}) == "unknown option \"--frobnicate\"");
  CHECK(complaint({"--read"}) == "--read expects a value");
  CHECK(complaint({"--read", "/a"}) == "no command: put it behind --");
}
