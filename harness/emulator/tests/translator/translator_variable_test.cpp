// Qualifiers of variables.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "tests/has.h"
#include "tests/translator/translated.h"

using namespace simtlab::emulator;

TEST_CASE("__device__ of a variable puts it into device memory") {
  for (const char* source : {"__device__ int x;", "__device__ float a[4] = {1};", "static __device__ int x;",
                             "int __device__ x;", "__device__ int* p;", "__device__ int a, b[2];",
                             "__device__ std::pair<int, float> p;", "__device__ float (*f)(float);",
                             "__device__ __align__(16) float x;", "namespace n { __device__ volatile int x{}; }"}) {
    CAPTURE(source);
    CHECK(has(translated(source), "__devvar__"));
  }
}

TEST_CASE("__device__ of a function stays") {
  for (const char* source :
       {"__device__ int f(int x);", "__host__ __device__ float f() { return 1; }",
        "__device__ std::pair<int, float> f(int);", "template <class T, int N> __device__ T f(T (&a)[N]);",
        "struct s { __device__ s() : x(0) {} int x; };", "struct s { __device__ int operator[](int) const; };",
        "struct s { __device__ s& operator=(const s&); };", "struct s { __device__ operator int() const; };",
        "auto f = [=] __device__ (int i) { return i; };", "__device__ __forceinline__ void f(float* a, int n = 3);",
        "__device__ __attribute__((noinline)) void f();", "__device__ float (*rows(int k))[8] { return 0; }",
        "__device__ const float (*const s::rows(int k))[8];"}) {
    CAPTURE(source);
    CHECK(translated(source) == source);
  }
}

TEST_CASE("constants: arrays lose their const, numbers that are known stay compile-time constants") {
  CHECK(translated("__constant__ float c[4];") == "__constvar__ float c[4];");
  CHECK(translated("__constant__ const float c[] = {1};") == "__constvar__       float c[] = {1};");
  CHECK(translated("const __constant__ int n = 4;") == "const              int n = 4;");
  CHECK(translated("__constant__ constexpr int n = 4;") == "             constexpr int n = 4;");
  CHECK(translated("__constant__ const float* p;") == "__constvar__ const float* p;");
  CHECK(translated("extern __constant__ float c[4];") == "extern              float c[4];");
  CHECK(translated("__device__ __constant__ int n;") == "__device__ __constvar__ int n;");
}

TEST_CASE("static shared memory") {
  CHECK(translated("void f() { static __shared__ int a[4]; }") == "void f() {        __shared__ int a[4]; }");
  CHECK(translated("void f() { __shared__ int a[4], b; }") == "void f() { __shared__ int a[4], b; }");
  CHECK(translated("void f() { alignas(32) __shared__ float t[4]; }") ==
        "void f() { alignas(32) __shared__ float t[4]; }");
  CHECK(translated("void f() {\n__shared__ alignas(16) float t[4];\n}") ==
        "void f() {\n           alignas(16) __shared__\n# 2 \"a.cu\"\n                       float t[4];\n}");
  CHECK(translated("#define S __shared__ alignas(T) int n\n") == "#define S            alignas(T) __shared__  int n\n");
  CHECK(translated("void f() { __shared__ union { float f[4], g; int i; } u; }") ==
        "void f() { __shared__ union { float f[4], g; int i; } u{};\n# 1 \"a.cu\"\n"
        "                                                         }");
  CHECK(has(translated("void f() { __shared__ struct s { int i, j; } a, b[2];\n}"), "int i, j; } a{}, b[2]{};"));
  CHECK_THROWS_AS(translated("void f() { __shared__ alignas(16) int a = 4; }"), refusal);
  CHECK_THROWS_AS(translated("void f() { __shared__ struct s { int i; } a = {1}; }"), refusal);
  CHECK_THROWS_AS(translated("void f() { __shared__ struct s a{1}; }"), refusal);
  CHECK_THROWS_AS(translated("void f() { __shared__ int a = 4; }"), refusal);
  CHECK_THROWS_AS(translated("void f() { __shared__ int a[2] = {1, 2}; }"), refusal);
}

TEST_CASE("dynamic shared memory in a function is a reference") {
  CHECK(translated("void f() {\nextern __shared__ float s[];\n}") ==
        "void f() {\n                  float (&s)[] = ::simtlab::dynamic_shared{\"s\"};\n}");
  CHECK(has(translated("void f() { extern __shared__ __align__(16) float2 s[][8]; }"),
            "__align__(16) float2 (&s)[][8] = ::simtlab::dynamic_shared{\"s\"};"));
  CHECK(
      has(translated("void f() { volatile extern __shared__ int s[]; }"), "volatile                   int (&s)[] = "));
  CHECK(has(translated("void f() { extern __shared__ int a[], b[]; }"),
            "int (&a)[] = ::simtlab::dynamic_shared{\"a\"}, (&b)[] = ::simtlab::dynamic_shared{\"b\"};"));
}

TEST_CASE("code behind a dynamic array on the same line keeps its columns") {
  const std::string text = translated("void f() { extern __shared__ float s[]; s[0] = 1; }");
  CHECK(has(text, "\n# 1 \"a.cu\"\n                                        s[0] = 1; }"));
}

TEST_CASE("dynamic shared memory at namespace scope is an object, declared once") {
  const std::string text = translated("extern __shared__ float s[];\nnamespace {\nextern __shared__ float s[];\n}\n");
  CHECK(has(text, "extern            float simtlab_type_of_s[];"));
  const std::size_t first = text.find("dynamic_shared_object<");
  CHECK(first != std::string::npos);
  CHECK(text.find("dynamic_shared_object<", first + 1) == std::string::npos);
}

TEST_CASE("dynamic shared memory at namespace scope is a pointer in casts, choices and as an argument") {
  const auto in_kernel = [](const std::string& use) {
    const std::string text = translated("extern __shared__ char raw[];\n__global__ void k(float* p) { " + use + " }");
    return text.substr(text.find("k(float* p) { ") + 14);
  };
  for (const char* use : {"float* t = (float*)@raw;",
                          "float* t = reinterpret_cast<float*>(@raw);",
                          "f((float (*)[33])@raw);",
                          "auto* t = reinterpret_cast<float (*)[33]>(@raw + 4);",
                          "auto t = (const S* const)@raw + 1;",
                          "f(1, @raw);",
                          "float* t = (floats)@raw;",
                          "return f<int>(@raw, 1);",
                          "p = c ? @raw : p;",
                          "p = c ? p : @raw;",
                          "auto t = (A<int>*)@raw;",
                          "raw[0] = 1;",
                          "if (x) raw[1] = 2;",
                          "if (*p) *raw = 1;",
                          "for (; n; --n) raw[n] = 1;",
                          "auto t = &raw[0];",
                          "auto n = sizeof(raw);",
                          "raw->x = 1;",
                          "char* t = raw;",
                          "(void)(char)raw[1];",
                          "switch (x) { case 1: raw[0] = 1; }",
                          "auto t = static_cast<void*>(@raw);"}) {
    CAPTURE(use);
    std::string expected = use, source = use;
    std::ranges::replace(expected, '@', '+');
    std::erase(source, '@');
    CHECK(in_kernel(source) == expected + " }");
  }
  const std::string text = translated(
      "extern __shared__ float t[];\n__device__ void f() { __shared__ float t[4]; g(t); }\nvoid h(int* t) { g(t); }");
  CHECK(has(text, "g(t); }\nvoid h(int* t) { g(t); }"));
}

TEST_CASE("a static local variable of device code lies in device memory") {
  const auto in_kernel = [](const std::string& line) {
    const std::string text = translated("__global__ void k() {\n" + line + "\n}\nvoid h() { static int x; }");
    return text.substr(22, text.find("\n}") - 22);
  };
  CHECK(in_kernel("static int calls;") == "__devinst__ static int calls;");
  CHECK(in_kernel("for (; n; --n) { static float t[4] = {1}; }") ==
        "for (; n; --n) { __devinst__ static float t[4] = {1}; }");
  for (const char* line : {"static __shared__ float t[4];", "static constexpr int n = 1;",
                           "static const int t[] = {1};", "struct s { static int f(); };", "static_assert(true);"}) {
    CAPTURE(line);
    CHECK_FALSE(has(in_kernel(line), "__dev"));
  }
  CHECK(has(in_kernel("static __device__ int x;"), "static __devinst__ int x;"));
  CHECK(has(translated("void h() { static int x; }"), "{ static int x; }"));
}

TEST_CASE("a template's device variable is marked, for g++ gives its instances no section") {
  CHECK(translated("template <int n> __device__ int t[n];") == "template <int n> __devinst__ int t[n];");
}

TEST_CASE("__noinline__ becomes an attribute, unless it is inside of one") {
  CHECK(translated("__device__ __noinline__ int f();") == "__device__ __no_inlin__ int f();");
  CHECK(translated("__attribute__((__noinline__)) int f();") == "__attribute__((__noinline__)) int f();");
}

TEST_CASE("a qualifier behind a macro is one, as long as the macro is defined so") {
  CHECK(has(translated("#define D __device__\nD int x;"), "__devvar__\n# 2 \"a.cu\"\n  int x;"));
  CHECK(has(translated("#define D __device__\n#define S D static\nS int x;"), "__devvar__ static"));
  CHECK(has(translated("#define V(t, n) __device__ t n\nV(int, x);"), "__devvar__ int x"));
  CHECK(has(translated("#define V(t, ...) __device__ t __VA_ARGS__\nV(int, x, y);"), "__devvar__ int x, y"));
  CHECK(has(translated("#define C __constant__\nC float c[4];"), "__constvar__"));
  CHECK(has(translated("#define D __device__\nD int f(int x);"), "__device__\n"));
  for (const char* source :
       {"#define D\nD int x;", "#define D __device__\n#undef D\nD int x;", "int D; \n#define D __device__",
        "#define D __device__\n#undef D\n#define D const\nD int x;", "#define D D __device__\nD int x;",
        "#define D(x) x##__device__\nD(int x);", "#define D(x) __device__ x\nint D;"}) {
    CAPTURE(source);
    CHECK(translated(source) == source);
  }
}

TEST_CASE("macros in macros that grow without end are left alone") {
  std::string source = "#define A0 __device__ __device__\n";
  for (int i = 1; i < 30; ++i) {
    const std::string before = "A" + std::to_string(i - 1);
    source += "#define A" + std::to_string(i) + " " + before + " " + before + " " + before + " " + before + "\n";
  }
  CHECK(translated(source + "A29 int x;\n").size() < 8 << 20);
}
