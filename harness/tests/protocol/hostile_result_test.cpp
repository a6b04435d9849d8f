// The bytes of a result come from the student's process. Whatever they are, the judge gets a result or a protocol_error:
// it never crashes, hangs, follows a link, or reads more than it asked for.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <fstream>

#include "protocol/bounded_json.h"
#include "spec/random_source.h"
#include "tests/protocol/example.h"

using namespace simtlab;

namespace {

struct written_result {
  written_result() { write_result(at, example::request(), example::result()); }
  void replace(const std::string& with) const { at.write("result.json", std::string_view(with)); }
  [[nodiscard]] std::string text() const { return at.read_text("result.json", 1 << 20); }
  [[nodiscard]] case_result read() const { return read_result(at, example::request()); }
  example::temporary_folder folder;
  folder_handle at{folder.path};
};

std::string with(std::string text, const std::string& part, const std::string& other) {
  const auto at = text.find(part);
  REQUIRE(at != std::string::npos);
  return text.replace(at, part.size(), other);
}

}  // namespace

TEST_CASE("every truncation of the JSON is refused") {
  const written_result w;
  const std::string whole = w.text();
  for (std::size_t n = 0; n + 2 < whole.size(); n += 7) {  // the last byte is a line end
    w.replace(whole.substr(0, n));
    CHECK_THROWS_AS(static_cast<void>(w.read()), protocol_error);
  }
}

TEST_CASE("random damage is survived") {
  const written_result w;
  const std::string whole = w.text();
  random_stream random(2026);
  int refused = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string damaged = whole;
    for (std::uint64_t changes = 1 + random.below(4); changes > 0; --changes) {
      const auto at = static_cast<std::size_t>(random.below(damaged.size()));
      switch (random.below(4)) {
        case 0:
          damaged[at] = static_cast<char>(random.below(256));
          break;
        case 1:
          damaged.erase(at, random.below(20));
          break;
        case 2:
          damaged.insert(at, damaged.substr(at / 2, random.below(40)));
          break;
        default:
          damaged.insert(at, std::string("-9e999[{\"\\u0000").substr(random.below(8)));
          break;
      }
    }
    w.replace(damaged);
    try {
      static_cast<void>(w.read());
    } catch (const protocol_error&) {
      ++refused;
    }
  }
  CHECK(refused > 1000);
}

TEST_CASE("values outside their range are refused, and the message names the member") {
  const written_result w;
  const std::string whole = w.text();
  const auto refuses = [&](const char* part, const char* other, const char* member) {
    w.replace(with(whole, part, other));
    CHECK_THROWS_WITH_AS(static_cast<void>(w.read()), doctest::Contains(member), protocol_error);
  };
  refuses("\"simtlab-result\"", "\"else\"", "result.format");
  refuses("\"version\": 3", "\"version\": 1", "result.version");
  refuses("\"rounds\": 2", "\"rounds\": 0", "result.rounds");
  refuses("\"rounds\": 2", "\"rounds\": 3", "result.rounds");
  w.replace(with(with(whole, "\"ended\": \"error\"", "\"ended\": \"returned\""), "\"rounds\": 2", "\"rounds\": 1"));
  CHECK_THROWS_WITH_AS(static_cast<void>(w.read()), doctest::Contains("result.rounds"), protocol_error);
  refuses("\"ended\": \"error\"", "\"ended\": \"won\"", "result.ended");
  refuses("\"code\": 700", "\"code\": -1", "result.detail.code");
  refuses("\"line\": 12", "\"line\": 4294967296", "accesses[0].line");
  refuses("\"requests\": 1", "\"requests\": -1", "accesses[0].requests");
  refuses("\"requests\": 1", "\"requests\": 1.5", "accesses[0].requests");
  refuses("\"space\": \"shared\"", "\"space\": \"moon\"", "accesses[0].space");
  refuses("\"active\": 2147483649", "\"active\": 0", "examples[0].active");
  refuses("\"active\": 2147483649", "\"active\": 4294967296", "examples[0].active");
  refuses("\"what\": \"vote\"", "\"what\": \"jump\"", "trace.places[1].what");
  refuses("\"events_in_all\": 9", "\"events_in_all\": 1", "trace.warps[0].events_in_all");
  refuses("\"barriers_in_all\": 3", "\"barriers_in_all\": 0", "trace.barriers_in_all");
  refuses("\"worst\"", "\"best\"", "examples[0].reasons[0]");
  refuses("\"severity\": \"warning\"", "\"severity\": \"fine\"", "findings[0].severity");
  refuses("\"rule\": \"shared-race\"", "\"rule\": \"<script>\"", "findings[0].rule");
  refuses("\"count\": 17", "\"count\": 0", "findings[0].count");
  refuses("0.25", "-0.25", "timed.milliseconds[0]");
  refuses("\"checked\": 1", "\"checked\": 2", "timed.checked");
  refuses("\"noisy\"", "\"splendid\"", "timed.state");
  refuses("4092.5", "0", "limits.copy_gigabytes_per_second");
  refuses("\"timed\"", "\"tamed\"", "timed");
}

TEST_CASE("deep nesting costs nothing and is refused") {
  const written_result w;
  w.replace(std::string(1 << 20, '['));
  CHECK_THROWS_WITH_AS(static_cast<void>(w.read()), doctest::Contains("JSON"), protocol_error);
  w.replace("{\"format\": " + std::string(40, '[') + std::string(40, ']') + "}");
  CHECK_THROWS_WITH_AS(static_cast<void>(w.read()), doctest::Contains("nested"), protocol_error);
}

TEST_CASE("an output of another size, a link, a pipe, a folder in its place: refused") {
  const written_result w;
  const auto output = w.folder.path / "output-1-1.bin";
  const auto refuses = [&](const char* sentence) {
    CHECK_THROWS_WITH_AS(static_cast<void>(w.read()), doctest::Contains(sentence), protocol_error);
  };
  SUBCASE("too long") {
    std::ofstream(output, std::ios::app) << "x";
    refuses("expected 3 bytes, found 4");
  }
  SUBCASE("empty") {
    std::filesystem::resize_file(output, 0);
    refuses("expected 3 bytes, found 0");
  }
  SUBCASE("missing") {
    std::filesystem::remove(output);
    refuses("output-1-1.bin");
  }
  SUBCASE("a link to a file of the right size") {
    std::filesystem::rename(output, w.folder.path / "elsewhere");
    std::filesystem::create_symlink("elsewhere", output);
    refuses("cannot be opened");
  }
  SUBCASE("a pipe nobody writes to") {
    std::filesystem::remove(output);
    REQUIRE(mkfifo(output.c_str(), 0600) == 0);
    refuses("not a regular file");
  }
  SUBCASE("a folder") {
    std::filesystem::remove(output);
    std::filesystem::create_directory(output);
    refuses("not a regular file");
  }
}

TEST_CASE("a result larger than any result is not read") {
  const written_result w;
  std::filesystem::resize_file(w.folder.path / "result.json", std::uintmax_t{1} << 30);  // sparse
  CHECK_THROWS_WITH_AS(static_cast<void>(w.read()), doctest::Contains("at most"), protocol_error);
}

TEST_CASE("the folder stays the one that was opened") {
  const written_result w;
  const auto moved = w.folder.path.string() + "-moved";
  std::filesystem::rename(w.folder.path, moved);
  std::filesystem::create_directory(w.folder.path);
  CHECK(w.read().detail.code == 700);
  std::filesystem::remove_all(moved);
}
