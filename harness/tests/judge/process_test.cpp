// Programs that do not end well.
#include "judge/stage/process.h"

#include <doctest/doctest.h>

#include <csignal>

using namespace simtlab;
using way = process_outcome::way;

namespace {

process_outcome shell(const std::string& script, process_limits limits = {}) {
  return run_process({"sh", "-c", script}, "/", limits, [] { return true; });
}

double seconds(const process_outcome& o) { return std::chrono::duration<double>(o.wall).count(); }

}  // namespace

TEST_CASE("exit code and output, both streams") {
  const process_outcome o = shell("echo out; echo err >&2; exit 7");
  CHECK(o.how == way::exited);
  CHECK(o.exit_code == 7);
  CHECK(o.printed.find("out\n") != std::string::npos);
  CHECK(o.printed.find("err\n") != std::string::npos);
}

TEST_CASE("a signal") {
  const process_outcome o = shell("kill -SEGV $$");
  CHECK(o.how == way::signalled);
  CHECK(o.signal == SIGSEGV);
  CHECK(signal_in_words(SIGSEGV).find("segmentation fault") != std::string::npos);
}

TEST_CASE("a timeout ends the whole group, also who ignores SIGTERM") {
  process_limits limits;
  limits.wall = std::chrono::milliseconds(300);
  const process_outcome o = shell("trap '' TERM; sleep 30 & sleep 30", limits);
  CHECK(o.how == way::timed_out);
  CHECK(seconds(o) < 5);
}

TEST_CASE("processor time is limited apart from the clock: a loop ends, a sleeper of the same length does not") {
  process_limits limits;
  limits.processor = std::chrono::seconds(1);
  limits.wall = std::chrono::minutes(2);  // a busy machine gives that second late
  CHECK(shell("trap '' XCPU; while :; do :; done", limits).how == way::out_of_processor_time);
  CHECK(shell("sleep 1.2", limits).how == way::exited);
}

TEST_CASE("too much output ends it, and the first bytes are kept") {
  process_limits limits;
  limits.printed_bytes = 1000;
  const process_outcome o = shell("yes", limits);
  CHECK(o.how == way::printed_too_much);
  CHECK(o.printed.size() == 1000);
  CHECK(seconds(o) < 5);
}

TEST_CASE("exactly as much output as allowed is not too much") {
  process_limits limits;
  limits.printed_bytes = 4;
  CHECK(shell("printf 1234", limits).how == way::exited);
  CHECK(shell("printf 12345", limits).how == way::printed_too_much);
}

TEST_CASE("a child that holds the pipe open does not hold us, and does not survive") {
  const process_outcome o = shell("sleep 987654 & exit 0");
  CHECK(o.how == way::exited);
  CHECK(seconds(o) < 5);
  CHECK(shell("! ps -e -o args | grep '[s]leep 987654'").exit_code == 0);
}

TEST_CASE("a program that cannot be executed") {
  const process_outcome o = run_process({"/no/such/program"}, "/", {}, [] { return true; });
  CHECK(o.how == way::not_executed);
  CHECK(o.text.find("/no/such/program cannot be executed: No such file") != std::string::npos);
}

TEST_CASE("files have a limit") {
  process_limits limits;
  limits.file_bytes = 4096;
  const process_outcome o = shell("exec head -c 100000 /dev/zero > /tmp/simtlab-process-test.$$", limits);
  CHECK(o.how == way::signalled);
  CHECK(o.signal == SIGXFSZ);
  shell("rm -f /tmp/simtlab-process-test.*");
}

TEST_CASE("before the start mark a second clock runs") {
  process_limits limits;
  limits.wall = std::chrono::milliseconds(300);
  limits.until_started = std::chrono::seconds(20);
  int asked = 0;
  const process_outcome queued = run_process({"sh", "-c", "sleep 0.6"}, "/", limits, [&] { return ++asked < 0; });
  CHECK(queued.how == way::exited);
  CHECK(asked > 1);
  const process_outcome started = run_process({"sleep", "20"}, "/", limits, [] { return true; });
  CHECK(started.how == way::timed_out);
  limits.until_started = std::chrono::milliseconds(200);
  CHECK(run_process({"sleep", "20"}, "/", limits, [] { return false; }).how == way::never_started);
}
