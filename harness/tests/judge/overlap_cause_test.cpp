// Which of the causes keeps copies in streams from overlapping.
#include "judge/score/overlap_cause.h"

#include <doctest/doctest.h>

#include "tests/judge/copied.h"

using namespace simtlab;
using example::copied;

namespace {

struct shape_of_work {
  int pieces = 4, streams = 2;
  bool is_page_locked = true, waits = false, launches_in_default = false;
};

// Piece after piece: a copy in, a kernel, a copy out, each as long as the next one of its stream waits.
std::vector<timed_operation> operations_of(const shape_of_work& of) {
  std::vector<timed_operation> all;
  double host = 0;
  for (int p = 0; p < of.pieces; ++p) {
    const auto stream = static_cast<std::uint64_t>(of.streams == 0 ? 0 : 1 + p % of.streams);
    const auto add = [&](timed_operation o, double begin) {
      if (o.copy) o.copy->is_page_locked = of.is_page_locked;
      o.issued = host;
      o.begin = begin;
      o.end = begin + 10;
      all.push_back(o);
    };
    const double begin = of.waits ? 30 * p : 10 * p;
    add(copied("to_device", 12, "signal", 400, static_cast<std::uint64_t>(100 * p), 100, stream), begin);
    timed_operation kernel;
    kernel.kind = "kernel";
    kernel.what = "k";
    kernel.stream = of.launches_in_default ? 0 : stream;
    add(kernel, begin + 10);
    add(copied("to_host", 14, "result", 400, static_cast<std::uint64_t>(100 * p), 100, stream), begin + 20);
    if (of.waits) host = begin + 30;
  }
  return all;
}

bool says(const shape_of_work& of, const std::string& words) {
  return overlap_cause(operations_of(of)).find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("each cause of copies that do not overlap has its own sentence") {
  CHECK(says({.streams = 0}, "All copies are in the default stream"));
  CHECK(says({.is_page_locked = false}, "not page-locked (signal at kernel.cu:12 and result at kernel.cu:14)"));
  CHECK(says({.streams = 1}, "All 8 copies are in one stream"));
  CHECK(says({.launches_in_default = true}, "<<<blocks, threads, 0, stream>>>"));
  CHECK(says({.waits = true}, "when it issues the copy at kernel.cu:12, all that was issued before is over"));
  CHECK(says({.pieces = 2}, "in 2 pieces"));
}

TEST_CASE("copies that overlap as far as they can have no cause") {
  CHECK(overlap_cause(operations_of({.pieces = 8, .streams = 3})).empty());
}
