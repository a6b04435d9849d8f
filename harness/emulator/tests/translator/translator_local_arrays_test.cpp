// Which local arrays of device code are watched: those that only the running program knows an index of.
#include "translator/local_arrays.h"

#include <doctest/doctest.h>

#include <string>

#include "translator/source_translator.h"

using namespace simtlab::emulator;

namespace {

bool watches(const std::string& body, const std::string& name = "mine") {
  const std::string text = translate_source("__global__ void k(int* p, int n) { " + body + " }", "a.cu");
  return text.find("::simtlab::watch_local(" + name + ");") != std::string::npos;
}

}  // namespace

TEST_CASE("an index from data, a parameter or an assignment is not known") {
  CHECK(watches("int mine[16]; mine[p[0]]++;"));
  CHECK(watches("int mine[16] = {}; mine[n] = 1;"));
  CHECK(watches("int last = 0, mine[16]; for (int i = 0; i < n; ++i) mine[last] = last = p[i];"));
  CHECK(watches("unsigned int mine[4][4]; for (int i = 0; i < 4; ++i) mine[i][threadIdx.x & 3] = 0;"));
  CHECK(watches("for (int s = 0; s < n; ++s) { float mine[8]; mine[p[s]] = 1; }"));
  CHECK(watches("int mine[16]; for (int k = p[0]; k < 16; k += 16) mine[k]++;"));
  CHECK(watches("int mine[16]; for (int k = 0; k < 16; ++k) { k = p[k]; mine[k]++; }"));
}

TEST_CASE("a name that goes elsewhere is not known either") {
  CHECK(watches("int mine[16]; count(mine, n);"));
  CHECK(watches("int mine[16]; int* q = mine; q[n]++;"));
  CHECK(watches("int mine[16]; (*(&mine + 0))[n]++;"));
  CHECK(watches("int4 mine[4]; int* q = &mine[0].x; q[n]++;"));
}

TEST_CASE("counters of loops and numbers are known, so that nothing is watched") {
  CHECK_FALSE(watches("int mine[16]; for (int k = 0; k < 16; ++k) mine[k] = 0; mine[3]++;"));
  CHECK_FALSE(
      watches("float mine[2][4]; for (int i = 0; i < 2; i++) for (int j = 3; j >= 0; j--) mine[i][3 - j] = 0;"));
  CHECK_FALSE(watches("int mine[4]; for (int k = 0; k < 4; ++k) mine[k] += p[n] == k;"));
}

TEST_CASE("what is no local array of device code is left alone") {
  CHECK_FALSE(watches("__shared__ int mine[16]; mine[n] = 1;"));
  CHECK_FALSE(watches("const int mine[4] = {1, 2, 3, 4}; p[0] = mine[n];"));
  CHECK_FALSE(watches("mine[n] = 1; return mine[n];"));
  CHECK_FALSE(watches("struct s { int mine[4]; }; s a; a.mine[n] = 1;"));
  CHECK_FALSE(watches("bool is_less = n < 3 && n > mine[n];"));
  CHECK_FALSE(watches("auto q = new int[n];", "int"));
  CHECK(translate_source("void f(int n) { int mine[4]; mine[n] = 1; }", "a.cu").find("watch") == std::string::npos);
  CHECK(translate_source("__host__ __device__ void f(int n) { int mine[4]; mine[n] = 1; }", "a.cu").find("watch") !=
        std::string::npos);
}

TEST_CASE(
    "an object is watched for a member whose index is not known, once; whether that is an array is for g++ to say") {
  const auto times_watched = [](const std::string& body) {
    const std::string text =
        translate_source("struct s { int of[4]; }; __global__ void k(int* p, int n) { " + body + " }", "a.cu");
    int times = 0;
    for (std::size_t at = 0; (at = text.find("::simtlab::watch_member(mine, mine.of);", at)) != std::string::npos; ++at)
      ++times;
    return times;
  };
  CHECK(times_watched("s mine; mine.of[n] = 1;") == 1);
  CHECK(times_watched("s mine = {}; for (int i = 0; i < n; ++i) mine.of[p[i]] += mine.of[p[0]]; mine.of[n]++;") == 1);
  CHECK(times_watched("int a = 1; struct s other, mine{}; p[0] = max(n, mine.of[n]);") == 1);
  CHECK(times_watched("{ s mine; mine.of[n] = 1; } s mine; mine.of[n] = 2;") == 2);
  CHECK(times_watched("s mine; for (int i = 0; i < 4; ++i) mine.of[i] = mine.of[3 - i];") == 0);
  CHECK(times_watched("__shared__ s mine; mine.of[n] = 1;") == 0);
  CHECK(times_watched("for (s mine = {}; n > 0; --n) mine.of[n] = 1;") == 0);
  CHECK(times_watched("s all[2], &mine = all[0]; mine.of[n] = 1;") == 0);
  CHECK(times_watched("s other; other.mine.of[n] = 1;") == 0);
}

TEST_CASE("two arrays of one declaration are watched, and what follows keeps its place") {
  CHECK(translate_source("__global__ void k(int n) { int a[4], b[4]; a[n] = b[n]; }", "a.cu") ==
        "__global__ void k(int n) { int a[4], b[4]; ::simtlab::watch_local(a); ::simtlab::watch_local(b);\n# 1 "
        "\"a.cu\"\n" +
            std::string(43, ' ') + "a[n] = b[n]; }");
}

TEST_CASE("what follows on the line keeps its column") {
  CHECK(translate_source("__global__ void k(int n) { int mine[4]; mine[n] = 1; }", "a.cu") ==
        "__global__ void k(int n) { int mine[4]; ::simtlab::watch_local(mine);\n# 1 \"a.cu\"\n" + std::string(40, ' ') +
            "mine[n] = 1; }");
}
