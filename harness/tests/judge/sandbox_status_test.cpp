// What a launcher tells becomes how the program inside ended.
#include "judge/stage/sandbox_status.h"

#include <doctest/doctest.h>

#include <csignal>
#include <fstream>

#include "protocol/bounded_json.h"
#include "tests/protocol/example.h"

using namespace simtlab;
using way = process_outcome::way;

namespace {

process_outcome ended_with(int exit_code) {
  process_outcome o;
  o.exit_code = exit_code;
  o.printed = "bwrap: no\nmore";
  return o;
}

sandbox_status started() {
  sandbox_status s;
  s.started = true;
  return s;
}

}  // namespace

TEST_CASE("a launcher that could not start the runner is our fault, with its reason and bubblewrap's") {
  sandbox_status s;
  s.why = "no mounts";
  const process_outcome o = inside(ended_with(125), s, {});
  CHECK(o.how == way::not_executed);
  CHECK(o.text == "The sandbox did not start the runner: no mounts (bwrap: no)");
}

TEST_CASE("signals, kills for memory, too many files, and the limit of processor time") {
  process_limits limits;
  limits.processor = std::chrono::seconds(2);
  sandbox_status s = started();
  CHECK(inside(ended_with(3), s, limits).how == way::exited);
  s.signal = SIGSEGV;
  CHECK(inside(ended_with(139), s, limits).how == way::signalled);
  CHECK(inside(ended_with(139), s, limits).signal == SIGSEGV);
  s.signal = SIGKILL;
  s.processor_seconds = 1.95;  // the kernel's ticks run ahead of the time it reports
  CHECK(inside(ended_with(137), s, limits).how == way::out_of_processor_time);
  s.processor_seconds = 0.5;
  CHECK(inside(ended_with(137), s, limits).how == way::signalled);
  s.signal = SIGXCPU;  // the limit's own
  CHECK(inside(ended_with(152), s, limits).how == way::out_of_processor_time);
  s.signal = SIGKILL;
  s.memory_kills = 1;
  CHECK(inside(ended_with(137), s, limits).how == way::out_of_memory);
  s.disk_full = true;
  CHECK(inside(ended_with(137), s, limits).how == way::wrote_too_much);
}

TEST_CASE("what the judge saw itself stands: a clock that ran out, output that was too long") {
  process_outcome o = ended_with(0);
  o.how = way::timed_out;
  CHECK(inside(o, started(), {}).how == way::timed_out);
}

TEST_CASE("no launcher, no status; a damaged status is our fault") {
  const example::temporary_folder folder;
  CHECK(!read_sandbox_status(folder.path));
  std::ofstream(folder.path / sandbox_status_file) << "{";
  CHECK_THROWS_AS(static_cast<void>(read_sandbox_status(folder.path)), protocol_error);
}
