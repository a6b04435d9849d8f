// Shifts of device code get a GPU's meaning where the amount is no number.
#include <doctest/doctest.h>

#include <string>

#include "tests/has.h"
#include "tests/translator/translated.h"
#include "translator/source_translator.h"

using namespace simtlab::emulator;

namespace {

/// Of a statement in a kernel.
bool is_clamped(const std::string& statement) {
  return has(translated("__global__ void k() { " + statement + " }"), "::simtlab::by()");
}

}  // namespace

TEST_CASE("a shift gets its operand in the middle, and every column stays") {
  CHECK(translated("__device__ int f() { return x << n; }") ==
        "__device__ int f() { return x <<  ::simtlab::by() <<\n# 1 \"a.cu\"\n                                 n; }");
  CHECK(has(translated("__global__ void k() { x >>= n; }"), "x >>=  ::simtlab::by() >>=\n"));
}

TEST_CASE("by a variable, a sum, a call; by a number nothing can be wrong that g++ does not see") {
  for (const char* statement :
       {"a = 1 << i;", "a = b >> (c + 1);", "a = b >> 4 * c;", "a[i] <<= f();", "a = g() >> i;", "a = b[1] << i;",
        "if (x < y && z >> i) a;", "for (int s = 0; s < 32; s += 8) a = b >> s;", "a = static_cast<int>(b) >> i;",
        "a = '0' << i;"}) {
    CAPTURE(statement);
    CHECK(is_clamped(statement));
  }
  for (const char* statement : {"a = 1 << 4;", "a = (b >> 1) + c;", "a[i] >>= 8;", "a = b >> 4 & 15;"}) {
    CAPTURE(statement);
    CHECK(!is_clamped(statement));
  }
}

TEST_CASE("template arguments, operators and streams are none") {
  for (const char* statement :
       {"pair<vector<int>> p;", "f<g<int>>(x);", "array<array<float, 2>, n> >(x);",
        "auto f = &s::operator<< ; g(f, n);", "std::cout << n;", "out_stream << n;", "log << \"n \" << n;"}) {
    CAPTURE(statement);
    CHECK(!is_clamped(statement));
  }
}

TEST_CASE("host code's shifts, those of macros and what g++ is to quote stay as they are") {
  for (const char* source : {"int f() { return x << n; }", "__host__ int f() { return x >> n; }",
                             "#define BIT(n) (1 << n)\n", "__constant__ int a[1 << n];"}) {
    CAPTURE(source);
    CHECK(!has(translated(source), "::simtlab::by()"));
  }
  const std::string source = "__device__ int f() { return x << n; }";
  CHECK(translate_source(source, "a.cu", source_rules::submission, loop_passes::joined, shift_amounts::as_written) ==
        source);
  CHECK(has(translated("__host__ __device__ int f() { return x << n; }"), "::simtlab::by()"));
}
