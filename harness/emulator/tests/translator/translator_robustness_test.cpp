// Whatever the bytes: a translation or a refusal, in time that grows with the length only.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "translator/source_translator.h"

using namespace simtlab::emulator;

namespace {

void survives(const std::string& source) {
  try {
    (void)translate_source(source, "a.cu");
  } catch (const refusal& r) {
    CHECK(r.line >= 0);
    CHECK(std::string(r.what()).size() > 10);
  }
}

std::string test_file(const char* name) {
  std::ifstream in(std::string(SIMTLAB_TEST_FOLDER) + "/" + name, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  REQUIRE_FALSE(text.empty());
  return text;
}

constexpr std::array<const char*, 52> words{"<<<",
                                            ">>>",
                                            "<",
                                            ">",
                                            "<<",
                                            ">>",
                                            "(",
                                            ")",
                                            "[",
                                            "]",
                                            "{",
                                            "}",
                                            ";",
                                            ",",
                                            "::",
                                            "->",
                                            "=",
                                            "*",
                                            "&",
                                            ":",
                                            "\n",
                                            " ",
                                            "\\\n",
                                            "k",
                                            "template",
                                            "operator",
                                            "extern",
                                            "__shared__",
                                            "__device__",
                                            "__constant__",
                                            "__global__",
                                            "__host__",
                                            "const",
                                            "constexpr",
                                            "static",
                                            "float",
                                            "asm",
                                            "__noinline__",
                                            "struct",
                                            "namespace",
                                            "\"",
                                            "'",
                                            "R\"(",
                                            ")\"",
                                            "/*",
                                            "*/",
                                            "//",
                                            "#define A(x) ",
                                            "\n#define B ",
                                            "\n# 3 \"f\" 1\n",
                                            "__attribute__((",
                                            "0x1.p+"};

}  // namespace

TEST_CASE("soup of CUDA's words") {
  std::mt19937 random(7);
  for (int round = 0; round < 20'000; ++round) {
    std::string source;
    const std::size_t length = random() % 60;
    for (std::size_t i = 0; i < length; ++i) {
      source += words[random() % words.size()];
      if (random() % 3 == 0) source += ' ';
    }
    survives(source);
  }
}

TEST_CASE("bytes of any value") {
  std::mt19937 random(8);
  for (int round = 0; round < 5'000; ++round) {
    std::string source(random() % 200, ' ');
    for (char& c : source) c = static_cast<char>(random() % 256);
    survives(source);
  }
}

TEST_CASE("every truncation of a real source, and a byte changed anywhere") {
  const std::string source = test_file("launch_forms.cu");
  std::mt19937 random(9);
  for (std::size_t n = 0; n < source.size(); n += 1 + random() % 20) {
    survives(source.substr(0, n));
    survives(source.substr(n, 2'000));
    std::string changed = source;
    changed[n] = static_cast<char>(random() % 256);
    survives(changed);
  }
}

/// Processor time to rewrite every piece again and again up to a length; a busy machine changes it little.
double seconds_for(std::size_t length) {
  const std::clock_t began = std::clock();
  for (const char* piece : {"<<<",
                            ">>>",
                            "(",
                            "{",
                            "[",
                            "<",
                            "__device__ ",
                            "__shared__ ",
                            "extern __shared__ ",
                            "k<<<",
                            "({",
                            "f({},",
                            "a<",
                            "/*",
                            "R\"(",
                            "#define A(",
                            "\\\n",
                            "__device__ int a[] = {",
                            "k<<<1,2>>>(",
                            "k<<<1,2>>>();",
                            "::k",
                            "a >> n ",
                            "a << b < c >> d "}) {
    std::string source;
    while (source.size() < length) source += piece;
    survives(source);
    survives("void f() {" + source);
    survives("__device__ void f() {" + source + ";}");
  }
  return static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
}

TEST_CASE("hostile repetition costs no more than its length") {
  const double shorter = seconds_for(20'000), longer = seconds_for(80'000);
  CHECK(longer < 8 * shorter);  // four times the length; its square would be sixteen times
}
