// What the judge adds to a finding: the shape of a matrix, and the returns that may lie behind it.
#include "judge/decide/finding_context.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

using namespace simtlab;

namespace {

finding found(const std::string& rule, const std::string& kernel, int line, const std::string& message) {
  finding f;
  f.rule = rule;
  f.level = severity::error;
  f.kernel = kernel;
  f.variable = "a";
  f.message = message;
  f.first = {"kernel.cu", line, {}, {}, "reads"};
  return f;
}

finding behind_the_end() {
  return found("out-of-bounds", "k", 3,
               "a has 15 elements of 4 bytes; this access, at index 15, ends 4 bytes past its end. Compare the index "
               "with the size before the access, with <: the last index is 14.");
}

lab with_a(entry_kind kind = entry_kind::device) {
  lab of;
  of.kind = kind;
  of.arguments.push_back({"a", argument_role::input, scalar_type::f32, 1, 4});
  return of;
}

std::string with_shape(const lab& of, const test_case& in, const shape& extents) {
  finding f = behind_the_end();
  add_shape(f, of, in, {argument_value{{}, extents}});
  return f.message;
}

std::vector<int> returns_in(const std::string& code, const finding& f) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "simtlab-finding-context";
  std::filesystem::create_directories(folder);
  const std::filesystem::path file = folder / "kernel.cu";
  std::ofstream(file) << code;
  std::vector<int> lines = return_lines(f, source_text(file));
  std::filesystem::remove_all(folder);
  return lines;
}

const std::string left = "255 threads had returned from the kernel before";

}  // namespace

TEST_CASE("of a matrix the message says how its index is made, by the names of the sizes") {
  const test_case in("small", {{"j", 3}, {"k", 5}, {"l", 7}});
  CHECK(with_shape(with_a(), in, {3, 5}) ==
        "a has 15 elements of 4 bytes; this access, at index 15, ends 4 bytes past its end. a has 3 (j) rows of 5 (k) "
        "elements: the index is row * k + column; compare row and column each with its own limit, row < j and column < "
        "k. A column that is too large lands in the next row.");
  // Where several sizes are equal, no name is the right one.
  const std::string square = with_shape(with_a(), test_case("square", {{"j", 4}, {"k", 4}}), {4, 4});
  CHECK(square.find("a has 4 rows of 4 elements: the index is row * 4 + column") != std::string::npos);
}

TEST_CASE("an index that the thread makes by another of the sizes is told as a wrong width") {
  const test_case in("small", {{"j", 3}, {"k", 9}, {"l", 7}});
  lab of = with_a();
  const auto said = [&](std::uint64_t index, std::uint64_t x, std::uint64_t y, argument_role role) {
    of.arguments[0].role = role;
    finding f = behind_the_end();
    f.message =
        "a has 21 elements of 4 bytes; this access, at index " + std::to_string(index) + ", ends beyond its end.";
    f.first.thread = coordinates{x, y, 0};
    f.first.block = coordinates{0, 0, 0};
    launch_counters launch;
    launch.kernel = "k";
    launch.block = {16, 16, 1};
    add_shape(f, of, in, {argument_value{{}, {3, 7}}}, {launch});
    return f.message;
  };
  CHECK(
      said(22, 4, 2, argument_role::output)
          .ends_with("a has 3 (j) rows of 7 (l) elements: the index is row * l + column. The width used for a seems to "
                     "be 9 (k), and a's rows are 7 (l) long: check what the row is multiplied by."));
  const std::string wrong = "The width used";
  CHECK(said(22, 5, 2, argument_role::output).find(wrong) == std::string::npos);  // makes another index
  CHECK(said(22, 1, 3, argument_role::output).find(wrong) ==
        std::string::npos);  // has no element: its bounds are missing
  CHECK(said(22, 1, 3, argument_role::output).find("compare row and column") != std::string::npos);
  CHECK(said(22, 15, 2, argument_role::input).find(wrong) != std::string::npos);  // row 2, and column 4 in a loop
}

TEST_CASE("of a matrix stored column after column the index is column * rows + row") {
  const test_case in("small", {{"j", 3}, {"k", 5}, {"l", 7}});
  lab of = with_a();
  of.proof = product_of("m", by_columns("a"), "p");
  const std::string said = with_shape(of, in, {5, 7});
  CHECK(said.ends_with(
      "a has 7 (l) columns of 5 (k) elements, stored one after the other: the index is column * k + row; compare row "
      "and "
      "column each with its own limit, row < k and column < l. A row that is too large lands in the next column."));
  of.proof = product_of("a", by_columns("n"), "p");
  CHECK(with_shape(of, in, {5, 7}) == with_shape(with_a(), in, {5, 7}));
}

TEST_CASE("sizes that are equal are named as another case tells them, and one of something is no plural") {
  lab of = with_a();
  of.cases = {{"one element", {{"j", 1}, {"k", 1}, {"l", 1}}}, {"small", {{"j", 3}, {"k", 5}, {"l", 7}}}};
  of.make_arguments = [](const test_case& c, random_source&) {
    return std::vector<argument_value>{{{}, {static_cast<std::size_t>(c["k"]), static_cast<std::size_t>(c["l"])}}};
  };
  of.proof = product_of("m", by_columns("a"), "p");
  CHECK(
      with_shape(of, of.cases[0], {1, 1})
          .ends_with("a has 1 (l) column of 1 (k) element, stored one after the other: the index is column * k + row; "
                     "compare row and column each with its own limit, row < k and column < l. A row that is too "
                     "large lands in the next column."));
  of.cases.pop_back();
  CHECK(with_shape(of, of.cases[0], {1, 1}).find("a has 1 column of 1 element,") != std::string::npos);
}

TEST_CASE("variables of the device are those that the source declares, functions and comments left out") {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "simtlab-device-variables.cu";
  std::ofstream(file) << "__device__ float gain_of_step[8];\n"
                         "// __device__ int old;\n"
                         "__managed__ int clipped_samples;\n"
                         "__device__ __managed__ unsigned *both = nullptr, other;\n"
                         "__device__ int place(int row) { return row; }\n"
                         "__host__ __device__ float half(float x);\n"
                         "static __device__ double sum{0};\n";
  CHECK(device_variables(source_text(file)) ==
        std::vector<std::string>{"gain_of_step", "both", "sum", "clipped_samples"});
  std::filesystem::remove(file);
  CHECK(device_variables(source_text()).empty());
}

TEST_CASE("of other arrays, and of a host's entry, the message stays") {
  const test_case in("small", {{"n", 15}});
  CHECK(with_shape(with_a(), in, {15}) == behind_the_end().message);
  CHECK(with_shape(with_a(entry_kind::host), in, {3, 5}) == behind_the_end().message);
}

TEST_CASE("the returns of the kernel stand behind threads that are gone") {
  const std::string code =
      "__device__ float half(float x) {\n"    // 1
      "  return x / 2;\n"                     //
      "}\n"                                   //
      "// __global__ void tiles( { return\n"  //
      "template <int width>\n"                // 5
      "__global__ void __launch_bounds__(256) tiles(float* c, int n) {\n"
      "  const char* text = \"return } {\";\n"                        //
      "  if (threadIdx.x >= n) return;\n"                             // 8
      "  { /* return */ for (;;) { if (c) return; } }\n"              // 9
      "}\n"                                                           //
      "void entry() { tiles<16><<<1, 1>>>(nullptr, 1); return; }\n";  // 11
  CHECK(returns_in(code, found("exited-before-barrier", "tiles<16>", 9, left)) == std::vector<int>{8, 9});
  CHECK(returns_in(code, found("exited-before-barrier", "tiles<16>", 9, "they wait elsewhere")).empty());
  CHECK(returns_in(code, found("exited-before-barrier", "others", 9, left)).empty());
  finding elsewhere = found("exited-before-barrier", "tiles<16>", 9, left);
  elsewhere.first.file = "other.h";
  CHECK(returns_in(code, elsewhere).empty());
}

TEST_CASE("kernels with a longer name, and calls of the kernel, are not the kernel") {
  const std::string code =
      "__global__ void tiles_of(int n) { return; }\n"         // 1
      "__global__ void my_tiles(int n) { return; }\n"         //
      "void run() { tiles<<<1, 32>>>(1); tiles (2); }\n"      //
      "__global__ __launch_bounds__(32)\tvoid tiles\n"        //
      "    (int n) { if (n > 0) return; n = my_return(); }";  // 5
  CHECK(returns_in(code, found("inactive-lane", "tiles", 5, left)) == std::vector<int>{5});
}

TEST_CASE("a way out behind the allocation may pass by the cudaFree; the last return does not") {
  const std::string code =
      "extern \"C\" {\n"                     // 1
      "int entry(float* a) {\n"              //
      "  if (a == nullptr) return 1;\n"      //
      "  int status = cudaMalloc(&a, 4);\n"  // 4
      "  if (status != 0) return status;\n"  // 5
      "  cudaFree(a);\n"                     //
      "  return status;\n"                   // 7
      "}\n"                                  //
      "}\n";
  CHECK(returns_in(code, found("leak", "", 4, "4 bytes")) == std::vector<int>{5});
  CHECK(returns_in(code, found("leak", "", 1, "4 bytes")).empty());
  CHECK(returns_in(code, found("leak", "", 99, "4 bytes")).empty());
}

TEST_CASE("where a kernel has many returns, none is named, and half a source is no trouble") {
  std::string code = "__global__ void k() {\n";
  for (int n = 0; n < 5; ++n) code += "  if (n) return;\n";
  CHECK(returns_in(code + "}\n", found("inactive-lane", "k", 2, left)).empty());
  CHECK(returns_in("__global__ void k() {\n  return; /* \n", found("inactive-lane", "k", 2, left)) ==
        std::vector<int>{2});
  CHECK(returns_in("__global__ void k()", found("inactive-lane", "k", 1, left)).empty());
  CHECK(returns_in("", found("inactive-lane", "k(", 1, left)).empty());
}
