// The timeline of copies and kernels below `make profile`.
#include "judge/render/timeline.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace simtlab;

namespace {

timed_operation operation(const char* kind, std::uint64_t stream, double begin, double end) {
  timed_operation o;
  o.kind = kind;
  o.stream = stream;
  o.begin = begin;
  o.end = end;
  return o;
}

std::string timeline(const std::vector<timed_operation>& all) { return timeline_text(all, text_style(false), 60); }

}  // namespace

TEST_CASE("a row for each stream and what it keeps busy, in the order of the work") {
  timed_operation prefetch = operation("to_device", 0, 1000, 1500);
  prefetch.is_prefetch = true;
  CHECK(timeline({prefetch, operation("to_device", 1, 1500, 3000), operation("kernel", 1, 3000, 4000),
                  operation("to_host", 1, 4000, 5000), operation("to_device", 2, 3000, 4000)}) ==
        "\ntimeline, 4 microseconds by the emulator's model (docs/unified-memory.md), of no clock\n"
        "default  prefetches ppppp...................................\n"
        "stream 1 copies in  .....>>>>>>>>>>>>>>>....................\n"
        "stream 1 kernels    ....................##########..........\n"
        "stream 1 copies out ..............................<<<<<<<<<<\n"
        "stream 2 copies in  ....................>>>>>>>>>>..........\n");
}

TEST_CASE("what is short beside the whole has a column all the same") {
  CHECK(timeline({operation("to_device", 0, 0, 1), operation("kernel", 0, 1, 999), operation("to_host", 0, 999, 1000)})
            .find("default  copies out " + std::string(39, '.') + "<\n") != std::string::npos);
}

TEST_CASE("where fewer than two operations cross the bus nothing could overlap, and nothing is drawn") {
  CHECK(timeline({}).empty());
  CHECK(timeline({operation("to_device", 0, 0, 1), operation("kernel", 0, 1, 2)}).empty());
}
