// What a program may not say, and what looks alike and may be said.
#include <doctest/doctest.h>

#include <array>
#include <string>

#include "translator/restrictions.h"
#include "translator/source_translator.h"

using namespace simtlab::emulator;

namespace {

/// `line: found` of the refusal by the translator or by the look at the file itself; empty if there is none.
std::string refusal_of(const std::string& source) {
  try {
    pasted_pieces pieces;
    pieces.add(source, "a.cu");
    check_file(source, "a.cu", pieces);
    (void)translate_source(source, "a.cu");
    return "";
  } catch (const refusal& r) {
    CHECK(r.file == "a.cu");
    const std::string what = r.what();
    return std::to_string(r.line) + ": " + what.substr(0, what.find(". "));
  }
}

}  // namespace

TEST_CASE("headers of an own program are free, its kernels' files are not") {
  CHECK(is_restricted("timer.h", source_rules::submission));
  CHECK(!is_restricted("timer.h", source_rules::own_program));
  CHECK(is_restricted("kernels.cuh", source_rules::own_program));
  CHECK(is_restricted("a.cu", source_rules::own_program));
  CHECK(!is_restricted("a.cu", source_rules::none));
}

TEST_CASE("assembly, wherever it stands and however it is spelled") {
  CHECK(refusal_of("\nvoid f() { asm(\"nop\"); }\n") == "2: not allowed: assembly (`asm`)");
  CHECK(refusal_of("__asm__(\".globl x\");\n") == "1: not allowed: assembly (`__asm__`)");
  CHECK(refusal_of("void f() asm(\"malloc\");\n") == "1: not allowed: assembly (`asm`)");
  CHECK(refusal_of("\n#define NOTHING __asm(\"nop\")\n") == "2: not allowed: assembly (`__asm`)");
  CHECK(refusal_of("#define GLUE(a, b) a##b\nvoid f() { GLUE(as, m)(\"nop\"); }\n") ==
        "1: `##` that may paste any word");
  CHECK(refusal_of("#define GLUE(a, b) a%:%:b\n").starts_with("1: not allowed: `%:`"));
  CHECK(refusal_of("#define LATER(a, ...) a ##__VA_ARGS__\nvoid f() { LATER(as, m)(\"nop\"); }\n")
            .starts_with("1: `##`"));
}

TEST_CASE("a jump to a label's address is an error of the program, other jumps to labels are none") {
  const std::string jumps = "1: `goto *`, a jump to a label by its address";
  CHECK(refusal_of("int f(int n) { void* p = n ? &&x : &&y; goto *p; x: return 1; y: return 2; }\n") == jumps);
  CHECK(refusal_of("#define NEXT(at) goto *table[*at++]\n") == jumps);
  CHECK(refusal_of("int f(int n) { again: if (--n > 0) goto again; return n && n; }\n").empty());
}

TEST_CASE("words pasted by `##`: what is written out of them rules out a hidden one, or they are refused") {
  constexpr std::array harmless{
      "#define KERNEL(name) __global__ void name##_kernel(int* a) { *a = 1; }\nKERNEL(scale)",
      "#define TILE(n) tile_##n\nint TILE(a);",
      "#define BOTH(a) first_##a##_##a\nint BOTH(x);",
      "#define COUNTED(a) a##1\nint COUNTED(x);",
      "#define LONG(c) c ## UL\nunsigned long n = LONG(3);",
      "#define TELL(text, ...) printf(text, ##__VA_ARGS__)",
      "#define JOIN(a, b) a##b\n__global__ void JOIN(add_, 4)(int* a) { __shared__ int s; *a = s; }",
      "#define JOIN_(a, b) a##b\n#define JOIN(a, b) JOIN_(a, b)\nint JOIN(line_, __LINE__);",
      "#define THREE(a, b) a##x##b\nint THREE(t, 1);",
      "#define JOIN(a, b) a##b\n#if __cplusplus > 201703L && JOIN(1, 2)\n#endif",
  };
  for (const char* source : harmless) {
    CAPTURE(source);
    CHECK(refusal_of(std::string(source) + "\n").empty());
  }
  constexpr std::array hiding{
      "#define AS as##m\nvoid f() { AS(\"nop\"); }",
      "#define AS(a) as##a\nvoid f() { AS(m)(\"nop\"); }",
      "#define SM(a) a##sm__\nvoid f() { SM(__a)(\"nop\"); }",
      "#define JOIN(a, b) a##b\nvoid f() { JOIN(as, m)(\"nop\"); }",
      "#define JOIN(a, b) a##b\nvoid f() { JOIN(JOIN(a, s), m)(\"nop\"); }",
      "#define JOIN(a, b) a##b\n#define LEFT as\nint m;",
      "#define JOIN(a, b) a##b\nint x = JOIN(__builtin_tra, p)();",
      "#define JOIN(a, b) a##b\nint x = JOIN(_, _builtin_trap)();",
      "#define JOIN(a, b) a##b\n#if JOIN(__has_incl, ude)(<unistd.h>)\n#endif",
      "#define JOIN(a, b) a##b\n#if 0\n#elif \\\n  JOIN(__has_incl, ude)(<unistd.h>)\n#endif",
      "#define MANY(...) __VA_ARGS__##__VA_ARGS__\nint as, m;",
      "#define SHARED(a) __sha##a\nvoid f() { SHARED(red__) int x; }",
      "#define REST(a) a##red__\nREST(__sha) int x;",
      "#define LOAD(half) __builtin_ia32_##half",
  };
  for (const char* source : hiding) {
    CAPTURE(source);
    CHECK(refusal_of(std::string(source) + "\n").starts_with("1: `##` that may paste any word"));
  }
}

TEST_CASE("a header's macro that may paste any word is refused, another is not") {
  const auto with_header = [](const std::string& definition, const std::string& use) {
    const std::string text = "# 1 \"/usr/include/h.h\" 1 3\n#define " + definition + "\n# 2 \"a.cu\" 2\n" + use + "\n";
    try {
      (void)translate_source(text, "a.cu");
      return std::string();
    } catch (const refusal& r) {
      return std::to_string(r.line) + ": " + r.what();
    }
  };
  CHECK(with_header("__CONCAT(x,y) x ## y", "void f() { __CONCAT(as, m)(\"nop\"); }")
            .starts_with("2: not allowed: `__CONCAT`, a header's macro that may paste any word"));
  CHECK(with_header("UINT64_C(c) c ## UL", "unsigned long n = UINT64_C(3);").empty());
  CHECK(with_header("__CONCAT(x,y) x ## y", "int __CONCAT;").empty());
}

TEST_CASE("attributes that change instrumentation or code") {
  constexpr std::array hostile{
      "__attribute__((no_sanitize(\"thread\"))) void f();",
      "__attribute__((no_sanitize_thread)) void f();",
      "__attribute__((__no_sanitize_undefined__)) void f();",
      "__attribute__((unused, optimize(\"O3\"))) void f();",
      "__attribute__((noipa)) void f();",  // g++ makes it a mark of a kernel
      "[[gnu::naked]] void f();",
      "[[gnu::unused, gnu::no_sanitize(\"thread\")]] void f();",
      "[[using gnu: unused, target(\"avx2\")]] void f();",
      "#define NAME optimize(\"O0\")\n__attribute__((NAME)) void f();",
      "#define WITH(x) __attribute__((x))\nWITH(optimize(\"O0\")) void f();",
      "#define A __attribute__\nA((optimize(\"O0\"))) void f();",
      "#define THREAD no_sanitize(\"thread\")",
      "SIMTLAB_NO_HOOKS void f();",
      "<:<:gnu::optimize(\"O3\"):>:> void f();",
  };
  for (const char* source : hostile) {
    CAPTURE(source);
    CHECK(refusal_of(std::string(source) + "\n").find(": not allowed: ") != std::string::npos);
  }
}

TEST_CASE("pragmas that change code, and line numbers that are not the file's") {
  CHECK(refusal_of("\n#pragma GCC optimize(\"O3\")\n") == "2: not allowed: the pragma `GCC optimize`");
  CHECK(refusal_of("#pragma GCC push_options\n").starts_with("1: not allowed: the pragma"));
  CHECK(refusal_of("/**/ # /**/ pragma GCC system_header\n").starts_with("1: not allowed: the pragma"));
  CHECK(refusal_of("void f() { _Pragma(\"GCC optimize 3\") }\n").starts_with("1: not allowed: `_Pragma`"));
  CHECK(refusal_of("#define P(x) _Pragma(#x)\n").starts_with("1: not allowed: `_Pragma`"));
  for (const char* macros : {"#define S(x) \"GCC optimize 3\"\n", "#define S(x) #x\n#define unroll GCC optimize\n",
                             "#define S(x) #x\n#undef S\n", "#define S(x) T(x)\n#define T(x) \"GCC optimize 3\"\n",
                             "#define S(x, y) #y\n", ""}) {
    CAPTURE(macros);
    CHECK(refusal_of(std::string(macros) + "#define U(n) _Pragma(S(unroll n))\n").find("not allowed: `_Pragma`") !=
          std::string::npos);
  }
  CHECK(refusal_of("int a;\n#line 1 \"/usr/include/x.h\"\nint b;\n") == "2: not allowed: `#line`");
  CHECK(refusal_of("# 1 \"/usr/include/x.h\" 3\nvoid f() { asm(\"nop\"); }\n") == "1: not allowed: `#line`");
}

TEST_CASE("what honest programs say") {
  constexpr std::array honest{
      "struct __attribute__((packed, aligned(4))) s { int a; };",
      "[[nodiscard]] int f(); [[maybe_unused]] static int g;",
      "__attribute__((always_inline)) inline int f() { return 1; }",
      "template <class T> __attribute__((noinline, __unused__)) void f(T);",
      "#define CHECK(call) if ((call) != cudaSuccess) printf(\"%s\\n\", #call)",
      "#define LOG(text, ...) printf(text, ##__VA_ARGS__)",
      "#pragma once",
      "#pragma unroll 4",
      "#pragma GCC diagnostic push",
      "void f() { _Pragma(\"unroll\") for (;;) {} }",
      "#define S(x) #x\n#define U(n) _Pragma(S(unroll n))\nvoid f() { U(4) for (;;) {} }",
      "#define T(x) #x\n#define S(x) T(x)\n#define U(n) _Pragma(S(unroll n))\nvoid f() { U(4) for (;;) {} }",
      "int optimize(int target) { return target % 2 ? target : 0; }",
      "int f(int a, bool b) { return b ? a%2:a; }",
      "const char* text = \"asm %:%: ## __attribute__((naked))\";  // asm volatile",
      "int f(int* a, int i) { return a[([] { return 1; })()] + a[a[i]]; }",
      "using lambda = decltype([](int i) { return i; });",
  };
  for (const char* source : honest) {
    CAPTURE(source);
    CHECK(refusal_of(std::string(source) + "\n") == "");
  }
}

TEST_CASE("the user's own headers are looked at, the system's are not") {
  const std::string text =
      "# 1 \"a.cu\"\n# 1 \"/usr/include/c.h\" 1 3\n# 1 \"/usr/include/d.h\" 1 3\n# 2 \"a.cu\" 2\n# 1 \"own.cuh\" 1\n"
      "# 1 \"further.cuh\" 1\n# 2 \"own.cuh\" 2\n# 3 \"a.cu\" 2\n";
  CHECK(own_files(text, "a.cu") == std::vector<std::string>{"a.cu", "own.cuh", "further.cuh"});
}
