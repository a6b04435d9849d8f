// What is told of work in streams that nothing orders: who touches which memory, and that nobody has waited.
#include "runtime/overlap_reports.h"

#include <doctest/doctest.h>

#include <utility>

#include "runtime/host_names.h"

namespace simtlab::emulator {
namespace {

constexpr address shared = 0x100000, page_locked = 0x200000, bytes = 4096;
int stream;  // its address is a stream's handle

footprint touching(site where, access kind, address at) {
  footprint f;
  f.add(where, kind, at, 4);
  return f;
}

// A process whose host has allocated managed memory `m`, page-locked memory without a name, and an array that is called `out`.
struct process {
  process() {
    map.add({0, memory_space::global, shared, bytes, "m", true});
    map.add({0, memory_space::global, page_locked, bytes, "", true});
    names.give(out, sizeof out, "out");
    streams.created(&stream, true);
  }
  finding told() {
    const std::vector<finding> all = findings.take([](site) { return source_line{}; }, {});
    REQUIRE(all.size() == 1);
    return all.front();
  }
  char out[64] = {};
  finding_log findings;
  memory_map map;
  host_names names;
  host_report host;
  stream_order streams;
  overlap_reports reports{findings, map, names, {page_locked, page_locked + bytes}, host};
};

}  // namespace

TEST_CASE("the host writes to managed memory while a kernel may be at work on it") {
  process p;
  (void)p.streams.add(nullptr, {"fill", touching(1, access::write, shared)});
  p.reports.with_host(p.streams.of_host(touching(2, access::write, shared)));
  const finding f = p.told();
  CHECK(f.variable == "m");
  CHECK(f.kernel == "fill");
  CHECK(f.message.starts_with("Host code writes to managed memory while kernel fill may still be at work on it"));
}

TEST_CASE("page-locked memory and a copy are called so") {
  process p;
  (void)p.streams.add(nullptr, {"", touching(1, access::write, page_locked)});
  p.reports.with_host(p.streams.of_host(touching(2, access::read, page_locked)));
  CHECK(p.told().message.starts_with("Host code reads page-locked memory while a copy may still be at work on it"));
}

TEST_CASE("two streams race for memory, and the later kernel is named") {
  process p;
  (void)p.streams.add(nullptr, {"first", touching(1, access::write, shared)});
  p.reports.between_streams(p.streams.add(&stream, {"second", touching(2, access::write, shared)}), "second");
  const finding f = p.told();
  CHECK(f.kernel == "second");
  CHECK(f.variable == "m");
}

TEST_CASE("a copy that nobody has waited for is told by the name of what it writes") {
  process p;
  (void)p.streams.add(nullptr, {"", touching(1, access::write, reinterpret_cast<address>(p.out))});
  p.reports.unfinished_copies(p.streams);
  const finding f = p.told();
  CHECK(f.variable == "out");
  CHECK(f.message.starts_with("The function returns while this copy may still be writing to out"));
}

TEST_CASE("who has waited is told nothing") {
  process p;
  (void)p.streams.add(nullptr, {"", touching(1, access::write, reinterpret_cast<address>(p.out))});
  p.streams.wait_for_all();
  p.reports.unfinished_copies(p.streams);
  CHECK(p.findings.take([](site) { return source_line(); }, {}).empty());
}

TEST_CASE("the latest name of memory counts, and only for bytes that it was given for") {
  char room[8] = {};
  host_names names;
  names.give(room, 8, "first");
  names.give(room, 4, "second");
  CHECK(names.of(room + 3)->name == "second");
  CHECK(names.of(room + 4)->name == "first");
  CHECK(names.of(room + 8) == nullptr);
}

}  // namespace simtlab::emulator
