#include "judge/render/documents.h"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "tests/protocol/example.h"

using namespace simtlab;
namespace fs = std::filesystem;

namespace {

std::string text_in(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("a document takes the place of the one before, and leaves nothing beside it") {
  const example::temporary_folder folder;
  const fs::path file = folder.path / "facts.json";
  write_document(file, "{\"a long\": \"document\"}\n");
  write_document(file, "{}\n");
  CHECK(text_in(file) == "{}\n");
  CHECK(std::distance(fs::directory_iterator(folder.path), {}) == 1);
}

TEST_CASE("a document that cannot be written is an error that names the file, and the one before stays") {
  const example::temporary_folder folder;
  const fs::path file = folder.path / "facts.json";
  write_document(file, "{}\n");
  fs::create_directory(file.string() + ".part");
  CHECK_THROWS_WITH_AS(write_document(file, "{\"new\": 1}\n"), doctest::Contains("facts.json.part cannot be written"),
                       std::runtime_error);
  CHECK(text_in(file) == "{}\n");
}
