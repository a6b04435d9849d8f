// A request as rows of cells: what the picture shows is what the emulator counts.
#include "judge/render/request_picture.h"

#include <doctest/doctest.h>

#include <bit>
#include <optional>
#include <random>

#include "emulator/tests/has.h"
#include "tests/judge/example_request.h"

using namespace simtlab;

namespace {

using example::drawn;
using example::request;

}  // namespace

TEST_CASE("a coalesced request is one line whose sectors are full") {
  CHECK(request("global", "read", 4, [](unsigned l) { return 4 * l; }).text() ==
        "a + 0 |01234567|89abcdef|ghijklmn|opqrstuv|\n");
}

TEST_CASE("a shifted request brings along what nobody asks for") {
  CHECK(request("global", "read", 4, [](unsigned l) { return 4 * (l + 1); }).text() ==
        "a + 0   |-0123456|789abcde|fghijklm|nopqrstu|\n"
        "a + 128 |v-------|........|........|........|\n");
}

TEST_CASE("a column is a line for each lane, of which the first are shown") {
  const drawn column = request("global", "write", 4, [](unsigned l) { return 128 * l; });
  CHECK(column.text(2) ==
        "a + 0   |0-------|........|........|........|\n"
        "a + 128 |1-------|........|........|........|\n"
        "        and 30 rows more\n");
  CHECK(words_of_request(column.place, column.example) ==
        "The only pattern, 64 requests. In block (0,0,0), warp 0: 32 lanes ask for 4 bytes each: 32 sectors, where 4 "
        "would do.");
}

TEST_CASE("wide elements take several cells, small ones have cells of their own size") {
  CHECK(request("global", "read", 16, [](unsigned l) { return l < 3 ? std::optional(16 * l) : std::nullopt; }).text() ==
        "a + 0 |00001111|2222----|........|........|\n");
  CHECK(request("global", "read", 1, [](unsigned l) { return l < 30 ? std::optional(l) : std::nullopt; }).text() ==
        "a + 0 |0123456789abcdefghijklmnopqrst--|\n");
  CHECK(request("global", "read", 2, [](unsigned l) { return 2 * l; }).text() ==
        "a + 0 |0123456789abcdef|ghijklmnopqrstuv|\n");
}

TEST_CASE("lanes of one word are several; what lies before its array is told so") {
  CHECK(has(request("global", "read", 4, [](unsigned) { return 0; }).text(), "a + 0 |*-------|"));
  drawn before = request("global", "read", 4, [](unsigned l) { return 4 * l; });
  before.place.begin += 256;
  CHECK(has(before.text(), "a - 256 |01234567|"));
}

TEST_CASE("shared memory: a pass is what the banks deliver at once") {
  CHECK(request("shared", "read", 4, [](unsigned l) { return 4 * l; }).text() ==
        "pass 1 |0123456789abcdefghijklmnopqrstuv|\n");
  CHECK(request("shared", "read", 4, [](unsigned) { return 40; }).text() ==
        "pass 1 |..........*.....................|\n");
  CHECK(request("shared", "write", 4, [](unsigned l) { return 8 * l; }).text() ==
        "pass 1 |0.1.2.3.4.5.6.7.8.9.a.b.c.d.e.f.|\n"
        "pass 2 |g.h.i.j.k.l.m.n.o.p.q.r.s.t.u.v.|\n");
  CHECK(has(request("shared", "read", 4, [](unsigned l) { return 128 * l; }).text(3), "and 29 rows more"));
}

TEST_CASE("of memory that nobody named, rows are told from the first one on") {
  drawn unnamed = request("global", "read", 4, [](unsigned l) { return 64 * l; });
  unnamed.place.variable.clear();
  unnamed.place.begin = unnamed.place.bytes = 0;
  CHECK(unnamed.text(2).starts_with("+ 0   |0"));
}

TEST_CASE("a character stands for a cell: its lane, or how many lanes") {
  const auto cells = [](const drawn& d) { return cells_text(picture_of(d.place, d.example).rows.front()); };
  CHECK(cells(request("global", "read", 4, [](unsigned l) { return 4 * l; })) == "0123456789abcdefghijklmnopqrstuv");
  CHECK(cells(request("global", "read", 4, [](unsigned) { return 0; })) == "*-------........................");
  CHECK(cells(request("global", "read", 4, [](unsigned l) {
          return l < 28 ? 0 : l < 30 ? 8 : 12;
        })) == "w-AA----........................");
}

TEST_CASE("constant memory and ranges of bytes have words and no picture") {
  const drawn constant = request("constant", "read", 4, [](unsigned l) { return 4 * (l % 2); });
  CHECK(constant.text().empty());
  CHECK(has(words_of_request(constant.place, constant.example), "2 different words, one after the other."));
  CHECK(request("global", "write", 1024, [](unsigned l) { return l == 0 ? std::optional(0) : std::nullopt; })
            .text()
            .empty());
}

TEST_CASE("words name the pattern, its share and what an atomic operation waits for") {
  drawn counter = request("global", "atomic", 4, [](unsigned l) { return 4 * (l / 16); });
  counter.place.patterns = 64;
  counter.place.has_more_patterns = true;
  counter.example.reasons = {"worst", "at random"};
  counter.example.times = 0;
  CHECK(words_of_request(counter.place, counter.example) ==
        "Worst, at random of more than 64 patterns. In block (0,0,0), warp 0: 32 lanes ask for 4 bytes each: 16 "
        "sectors, where 1 "
        "would do; 16 lanes at one address, one after the other.");
}

TEST_CASE("the rows of a picture are as many as the emulator counts") {
  std::mt19937 random(11);
  int wide_loads = 0, in_other_groups = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const bool shared = trial % 2 == 0, read = trial % 3 != 0;
    const std::uint64_t width = std::uint64_t{1} << random() % 5;
    const std::uint64_t stride = random() % 40, shift = random() % 9, group = 1 + random() % 8;
    const auto active = trial % 5 == 0 ? static_cast<std::uint32_t>(random()) | 1U : ~0U;
    const bool scattered = trial % 7 == 0;
    std::array<std::uint64_t, 32> drawn_places{};
    for (auto& p : drawn_places) p = random() % 64;
    const drawn one = request(shared ? "shared" : "global", read ? "read" : "write", width, [&](unsigned l) {
      if ((active >> l & 1) == 0) return std::optional<std::uint64_t>();
      return std::optional(width * (scattered ? drawn_places.at(l) : shift + l / group * stride));
    });
    const request_picture picture = picture_of(one.place, one.example);
    const bool wide_load = shared && read && width > 4;
    wide_loads += wide_load;
    if (wide_load && !picture.agrees) {  // half-warps of which one only is paired
      ++in_other_groups;
      continue;
    }
    CHECK(picture.agrees);
    if (shared) CHECK(picture.rows.size() == one.example.cost.wavefronts);
    std::uint32_t lanes = 0;
    for (const picture_row& row : picture.rows)
      for (const picture_cell& c : row.cells) lanes |= c.lanes;
    CHECK(lanes == active);
    if (!shared) {
      std::uint64_t sectors = 0;
      for (const picture_row& row : picture.rows)
        for (unsigned c = 0; c < 32; c += picture.cells_between_bars) sectors += row.cells.at(c).is_moved;
      CHECK(sectors == one.example.cost.sectors);
    }
  }
  CHECK(wide_loads > 200);
  CHECK(in_other_groups * 4 < wide_loads);
}

TEST_CASE("a picture in a page says what it shows, and holds no markup of a program's names") {
  drawn odd = request("global", "read", 4, [](unsigned l) { return 4 * (l / 2); });
  odd.place.variable = "a<b>&\"";
  const std::string svg = picture_svg(picture_of(odd.place, odd.example), "32 lanes & \"a\"", 4);
  CHECK(has(svg, "<title>32 lanes &amp; &quot;a&quot;</title>"));
  CHECK(has(svg, "a&lt;b&gt;&amp;&quot; + 0"));
  CHECK(has(svg, ">×2</text>"));
  CHECK(svg.size() < 8000);
  CHECK(picture_svg({}, "nothing", 4).empty());
}
