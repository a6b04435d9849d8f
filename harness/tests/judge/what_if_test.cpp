// The what-if control of the profile's page: the pattern it begins with, and settings with the emulator's own counts, which the
// page's script is compared with in a browser (grading/tests/test_profile_page.py).
#include "judge/render/what_if.h"

#include <array>
#include <cstdlib>
#include <fstream>
#include <random>

#include "tests/judge/example_request.h"
#include "tests/judge/real_judge.h"

using namespace simtlab;
using example::drawn;
using example::request;

namespace {

struct setting_of_control {
  const char *space, *access;
  std::uint64_t width = 4;
  std::int64_t offset = 0;
  unsigned row = 32;
  std::int64_t step = 1, pitch = 0, padding = 0;
  std::uint32_t active = ~0U;
};

drawn request_of(const setting_of_control& s) {
  constexpr std::int64_t begin = 1 << 20;  // so that no lane asks for what lies before an array
  return request(s.space, s.access, s.width, [&s](unsigned lane) -> std::optional<std::uint64_t> {
    if ((s.active >> lane & 1) == 0) return std::nullopt;
    const std::int64_t element = s.offset + lane % s.row * s.step + lane / s.row * (s.pitch + s.padding);
    return begin + static_cast<std::int64_t>(s.width) * element;
  });
}

template <class T, std::size_t N>
T one_of(std::mt19937& random, const std::array<T, N>& all) {
  return all.at(random() % N);
}

setting_of_control random_setting(std::mt19937& random) {
  setting_of_control s{};
  s.space = random() % 2 == 0 ? "shared" : "global";
  s.access = random() % 3 == 0 ? "write" : "read";
  s.width = one_of(random, std::array<std::uint64_t, 6>{1, 2, 4, 8, 12, 16});
  s.offset = static_cast<std::int64_t>(random() % 41);
  s.row = 1U << random() % 6;
  s.step = static_cast<std::int64_t>(random() % 36) - 2;
  s.pitch = one_of(random, std::array<std::int64_t, 9>{0, 1, 8, 16, 17, 32, 64, 100, -32});
  s.padding = static_cast<std::int64_t>(random() % 4);
  if (random() % 4 == 0) s.active = static_cast<std::uint32_t>(random()) | 1U << random() % 32;
  return s;
}

bool asks_for_the_same(const drawn& d, const affine_pattern& p) {
  std::optional<std::int64_t> begin;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((d.example.active >> lane & 1) == 0) continue;
    const std::int64_t element = p.offset + lane % p.row * p.step + lane / p.row * p.pitch;
    const std::int64_t from =
        static_cast<std::int64_t>(d.example.addresses.at(lane)) - element * static_cast<std::int64_t>(d.place.width);
    if (begin && *begin != from) return false;
    begin = from;
  }
  return begin && *begin % 128 == 0;
}

}  // namespace

TEST_CASE("every affine pattern is found again, from the lanes' addresses alone") {
  std::mt19937 random(7);
  int found = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const drawn d = request_of(random_setting(random));
    const auto fit = affine_pattern_of(d.place, d.example);
    if (d.example.active == ~0U) REQUIRE(fit);
    if (!fit) continue;  // too few lanes tell too little
    ++found;
    CHECK(asks_for_the_same(d, *fit));
  }
  CHECK(found > 1500);
}

TEST_CASE("a column of a tile has rows of one lane, and the tile's pitch") {
  const drawn d = request("shared", "read", 4, [](unsigned l) { return 4 * (32 * l + 5); });
  const auto fit = affine_pattern_of(d.place, d.example);
  REQUIRE(fit);
  CHECK((fit->step == 32 || fit->pitch == 32));
  CHECK(fit->offset == 5);
}

TEST_CASE("what follows data, and what lies across elements, has no pattern, and the control says so") {
  const drawn scattered = request("global", "read", 4, [](unsigned l) { return 4 * (l * l % 31); });
  CHECK_FALSE(affine_pattern_of(scattered.place, scattered.example));
  CHECK(what_if_control(scattered.place, scattered.example).find("no fixed distance") != std::string::npos);
  const drawn across = request("global", "read", 4, [](unsigned l) { return 4 * l + 2; });
  CHECK_FALSE(affine_pattern_of(across.place, across.example));
}

TEST_CASE("one thread alone has a pattern") {
  const drawn d = request("global", "write", 4, [](unsigned l) { return l == 0 ? std::optional(12) : std::nullopt; });
  const auto fit = affine_pattern_of(d.place, d.example);
  REQUIRE(fit);
  CHECK(fit->offset == 3);
}

TEST_CASE("there is no control where the page knows no rule") {
  const auto control = [](const char* space, const char* access, std::uint64_t width) {
    const drawn d = request(space, access, width, [](unsigned l) { return 16 * l; });
    return what_if_control(d.place, d.example);
  };
  CHECK(control("global", "read", 4).find("data-now=\"16\"") != std::string::npos);
  CHECK(control("shared", "write", 4).find("data-now=\"4\"") != std::string::npos);
  CHECK(control("global", "atomic", 4).empty());
  CHECK(control("constant", "read", 4).empty());
  CHECK(control("global", "read", 6).empty());
  CHECK(control("global", "read", 64).empty());
}

TEST_CASE("the settings that the page is compared with have the emulator's counts") {
  std::mt19937 random(20);
  std::string text = "[\n";
  for (int i = 0; i < 700; ++i) {
    const setting_of_control s = random_setting(random);
    const emulator::request_counters c = request_of(s).example.cost;
    const bool is_shared = std::string(s.space) == "shared";
    text += json{s.space,
                 s.access,
                 s.width,
                 s.offset,
                 s.row,
                 s.step,
                 s.pitch,
                 s.padding,
                 s.active,
                 is_shared ? c.wavefronts : c.sectors,
                 is_shared ? c.ideal_wavefronts : c.ideal_sectors}
                .dump() +
            (i == 699 ? "\n]\n" : ",\n");
  }
  const std::string golden = setting("TEST_FOLDER") + "/golden/what_if.json";
  if (std::getenv("SIMTLAB_UPDATE_GOLDEN") != nullptr) std::ofstream(golden) << text;
  CHECK(contents(golden) == text);
}
