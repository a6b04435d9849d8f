#include "report/source_paths.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>

using namespace simtlab::emulator;
namespace fs = std::filesystem;

namespace {

finding_place at(const std::string& path) {
  finding_place p;
  p.where = {"kernel.cu", 3};
  p.path = path;
  return p;
}

}  // namespace

TEST_CASE("files inside of the root are relative to it, others absolute") {
  const source_paths paths("/no/course", "/no/course/build/a.out");
  CHECK(paths.path_of(at("/no/course/lab/kernel.cu")) == "lab/kernel.cu");
  CHECK(paths.path_of(at("/no/course/build/../kernel.cu")) == "kernel.cu");
  CHECK(paths.path_of(at("/no/courses/kernel.cu")) == "/no/courses/kernel.cu");
  CHECK(paths.path_of(at("")) == "kernel.cu");
  CHECK(paths.path_of({}) == "build/a.out");
}

TEST_CASE("a link to the root is the root") {
  std::string name = (fs::temp_directory_path() / "simtlab-paths-XXXXXX").string();
  REQUIRE(mkdtemp(name.data()) != nullptr);
  const fs::path folder = fs::canonical(name);
  fs::create_directory(folder / "course");
  fs::create_directory_symlink("course", folder / "link");
  const source_paths paths(folder / "course", folder / "a.out");
  CHECK(paths.path_of(at((folder / "link" / "kernel.cu").string())) == "kernel.cu");
  fs::remove_all(folder);
}
