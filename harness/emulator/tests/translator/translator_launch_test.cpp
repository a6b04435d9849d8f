// Launches: what is one, what is not, and that nothing the user wrote moves.
#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

#include "tests/has.h"
#include "translator/source_translator.h"

using namespace simtlab::emulator;

namespace {

struct position {
  int line = 0, column = 0;
  friend bool operator==(const position&, const position&) = default;
};

/// Where `what` stands for a compiler that obeys linemarkers; the last place, as the inserted text comes first.
position position_of(const std::string& text, const std::string& what) {
  std::istringstream in(text);
  std::string line;
  int number = 0;
  position found;
  while (std::getline(in, line)) {
    ++number;
    if (line.starts_with("# ")) {
      number = std::stoi(line.substr(2)) - 1;
      continue;
    }
    const std::size_t at = line.rfind(what);
    if (at != std::string::npos) found = {number, static_cast<int>(at)};
  }
  return found;
}

std::string refused(const std::string& source) {
  try {
    (void)translate_source(source, "a.cu");
  } catch (const refusal& r) {
    return r.file + ":" + std::to_string(r.line) + ":" + std::to_string(r.column) + ": " + r.what();
  }
  return "";
}

}  // namespace

TEST_CASE("what has no CUDA in it is left alone") {
  for (const std::string source : {
           "int main() { return 1 << 2 >> 1; }\n",
           "#define A(x) x\nint y = A(3);\n",
           "std::vector<std::vector<std::vector<int>>> v;\n",
           "template <> std::ostream& operator<< <char>(std::ostream&, char);\n",
           "const char* s = \"k<<<1, 2>>>(x)\"; // k<<<1, 2>>>(x)\n/* k<<<1,\n2>>>(x) */ int z;\n",
           "const char* r = R\"x(k<<<1, 2>>>(\")x\"; char c = '<';\n",
           "int n = 1'000'000; double d = 1e+5;\n",
           "",
       })
    CHECK(translate_source(source, "a.cu") == source);
}

TEST_CASE("a launch keeps the place of its name, configuration and arguments") {
  const std::string source = "void f() {\n  scale<<<blocks, threads>>>(data, factor);  int after;\n}\n";
  const std::string text = translate_source(source, "a.cu");
  for (const char* word : {"blocks", "threads", "data", "factor", "after"})
    CHECK(position_of(text, word) == position_of(source, word));
  CHECK(has(text, "::simtlab::launch(\"scale\", "));
  CHECK(has(text, "._(blocks, threads)._(data, factor);"));
  CHECK(has(text, "\n# 2 \"a.cu\"\n  scale)"));
}

TEST_CASE("the kernel's name may be any expression that C++ allows before <<<") {
  const auto name_in = [](const std::string& kernel) {
    return has(translate_source("void f() { " + kernel + "<<<1, 2>>>(x); }\n", "a.cu"),
               "decltype(::simtlab::plain(simtlab_t, ") &&
           has(translate_source("void f() { x = 1; " + kernel + "<<<1, 2>>>(x); }\n", "a.cu"),
               " " + kernel + "(simtlab_a...); })");
  };
  for (const char* kernel :
       {"k", "k<16>", "k<float, 16>", "k<(a > b)>", "ns::k", "::k", "ns::k<vec<vec<int>>>", "table[i]", "(*pointer)",
        "pick(1)", "object.member", "object->member", "k<sizeof(T[4])>"}) {
    CAPTURE(kernel);
    CHECK(name_in(kernel));
  }
}

TEST_CASE("whether a template takes arguments is asked") {
  const auto is_asked = [](const std::string& before, const std::string& kernel) {
    return has(translate_source(before + "void f() { " + kernel + "<<<1, 2>>>(x); }\n", "a.cu"),
               " " + kernel + "(static_cast<decltype(simtlab_a)>(simtlab_a)...)) {})");
  };
  const std::string template_k = "template <class T, class F> static __global__ void k(T*, F);\n";
  CHECK(is_asked(template_k, "k<float>"));
  CHECK(is_asked(template_k, "ns::k"));
  CHECK_FALSE(is_asked("template <class T> struct a {};\n__global__ void k(int*);\n", "k"));
  CHECK_FALSE(is_asked(template_k, "table[0]"));
  CHECK(has(translate_source("#define RUN(k) k<<<1, 2>>>(x)\n", "a.cu"), "static_cast<decltype(simtlab_a)>"));
}

TEST_CASE("a kernel is made known where a cast takes its type away") {
  const std::string kernel = "template <int N> __global__ void k(int* x); __global__ __launch_bounds__(64) void p();\n";
  const auto translated = [&](const std::string& text) {
    const std::string all = translate_source(kernel + text, "a.cu");
    return all.substr(kernel.size());
  };
  const std::string back = "\n# 2 \"a.cu\"\n";
  CHECK(translated("void* f = (void*)p;\n") == "void* f = (void*)::simtlab::known(" + back + "                 p);\n");
  CHECK(translated("void* f = (const void *)&k<4>;\n") ==
        "void* f = (const void *)&::simtlab::known(" + back + "                         k<4>);\n");
  CHECK(translated("a(reinterpret_cast<void*>(p));\n") ==
        "a(reinterpret_cast<void*>(::simtlab::known(" + back + "                          p)));\n");
  for (const char* other : {"void* f = (void*)q;\n", "int* f = (int*)p;\n", "void g(void*); void* h = p;\n",
                            "int n = sizeof(void*) * p;\n", "a((void)p);\n"})
    CHECK(translated(other) == other);
}

TEST_CASE("a kernel is made known behind its definition where its name is a value, which keeps its type there") {
  const auto is_known = [](const std::string& use, const std::string& kernel = "__global__ void k(int*) {\n}") {
    const std::string text = translate_source(kernel + "\nint after;\n" + use + "\n", "a.cu");
    CHECK(has(text, "\nint after;\n" + use + "\n"));
    return has(text, "} [[maybe_unused]] static const bool simtlab_knows_k_");
  };
  for (const char* use : {"void f() { add(\"k\", k); }", "void f() { add(k, 1); }", "void f() { p = k; }",
                          "F t[] = {k, &k};", "F f() { return k; }", "F f(bool b) { return b ? k : g; }",
                          "#define REGISTER(k) add(#k, k)\nint r = REGISTER(k);"})
    CHECK_MESSAGE(is_known(use), use);
  for (const char* use : {"__global__ void k(int*);", "void f() { k(1); }", "bool b = k < 3;", "int n = x.k + 1;",
                          "void f() { cudaFuncSetAttribute(k, a, 1); }", "void f() { cudaOccupancy(&n, g(1), k, 1); }"})
    CHECK_FALSE_MESSAGE(is_known(use), use);
  CHECK(is_known("F p = k;",
                 "namespace n { extern \"C\" __global__ __launch_bounds__(32) void k(int* a) { if (a) {} } }"));
  CHECK_FALSE(is_known("F p = k;", "template <int N> __global__ void k(int*) {}"));
  CHECK_FALSE(is_known("F p = k;", "__global__ void k(int*);"));
  CHECK_FALSE(is_known("F p = k;", "#define AS_IT_IS(x) x\nAS_IT_IS(__global__ void k(int*) {})"));
  CHECK_FALSE(is_known("F p = n::k;", "__global__ void n::k(int*) {}"));
  const std::string line = "__global__ void k() {} int after; F p = k;\n";
  CHECK(position_of(translate_source(line, "a.cu"), "after") == position_of(line, "after"));
}

TEST_CASE("cudaLaunchKernel knows the kernel's type, whatever it is cast to") {
  CHECK(translate_source("void f() { cudaLaunchKernel((void*)k, g, b, a); }\n", "a.cu") ==
        "void f() { cudaLaunchKernel(       k, g, b, a); }\n");
  CHECK(translate_source("void f() { cudaLaunchKernel((const void *)k<int>, g, b, a); }\n", "a.cu") ==
        "void f() { cudaLaunchKernel(              k<int>, g, b, a); }\n");
  CHECK(translate_source("#define L(k) cudaLaunchKernel((void const*)&k, g, b, a)\n", "a.cu") ==
        "#define L(k) cudaLaunchKernel(             &k, g, b, a)\n");
  CHECK(translate_source("void f() { cudaLaunchKernel(reinterpret_cast<const void*>(k<T>), g, b, a); }\n", "a.cu") ==
        "void f() { cudaLaunchKernel(                             (k<T>), g, b, a); }\n");
  for (const char* source :
       {"void f() { cudaLaunchKernel((float*)k, g, b, a); }", "void f() { launch((void*)k, g); }",
        "void f() { cudaLaunchKernel(k, g, b, (void**)a); }", "void f() { cudaLaunchKernel((void**)k, g, b, a); }"}) {
    CAPTURE(source);
    CHECK(translate_source(source, "a.cu") == source);
  }
}

TEST_CASE("nvcc's spellings of the brackets") {
  CHECK(has(translate_source("void f() { k << <1, 2>> >(x); }\n", "a.cu"), "._( 1, 2)._ (x)"));
  CHECK(has(translate_source("void f() { k <<< 1, 2 >>> (x); }\n", "a.cu"), "._( 1, 2 )._ (x)"));
  CHECK(
      has(translate_source("void f() { k<<<n >> 2, A<B<int>>::n>>>(x); }\n", "a.cu"), "._(n >> 2, A<B<int>>::n)._(x)"));
  CHECK(has(translate_source("void f() { k<<<\n  1,\n  2\n>>>(\n  x); }\n", "a.cu"), "._(\n  1,\n  2\n)._(\n  x)"));
}

TEST_CASE("the name shown is the one written") {
  CHECK(
      has(translate_source("void f() { k < 16 ,\n float > <<<1, 2>>>(x); }\n", "a.cu"), "launch(\"k < 16 , float >\""));
  CHECK(has(translate_source("void f() { k<'\"'><<<1, 2>>>(x); }\n", "a.cu"), "launch(\"k<'\\\"'>\""));
}

TEST_CASE("a launch inside a macro stays on the macro's line") {
  const std::string defined = translate_source("#define RUN(k, ...) k<<<1, 2>>>(__VA_ARGS__)\n", "a.cu");
  CHECK(has(defined, "launch(#k, "));
  CHECK(defined.find('\n') == defined.size() - 1);
  const std::string argument = translate_source("#define CHECK(x) x\nvoid f() { CHECK(k<<<1, 2>>>(3)); }\n", "a.cu");
  CHECK_FALSE(has(argument, "\n# "));
}

TEST_CASE("a macro may paste the kernel's name") {
  const auto launched = [](const std::string& kernel, const std::string& name, const std::string& shown) {
    const std::string text = translate_source("#define RUN(T, N) " + kernel + "<<<1, 2>>>(p)\n", "a.cu");
    return has(text, "::simtlab::launch(" + shown + ", ") && has(text, "::simtlab::plain(simtlab_t, " + name + ")") &&
           has(text, " { " + name + "(simtlab_a...); }");
  };
  CHECK(launched("k_##T", "k_##T", "\"k_\" #T \"\""));
  CHECK(launched("T ## _k", "T ## _k", "\"\" #T \"_k\""));
  CHECK(launched("ns::k_##T##_of_##N<4>", "ns::k_##T##_of_##N<4>", "\"ns::k_\" #T \"_of_\" #N \"<4>\""));
  CHECK(launched("return T##_2", "T##_2", "\"\" #T \"_2\""));
  CHECK(launched("k##2", "k##2", "\"k2\""));
}

TEST_CASE("linemarkers say where a refusal stands") {
  const std::string source =
      "# 1 \"kernel.cu\"\n# 7 \"inc/tile.cuh\" 1\n__global__ void k() {\n  asm(\"x;\");\n}\n# 2 \"kernel.cu\" 2\n";
  CHECK(refused(source).starts_with("inc/tile.cuh:8:7: the instruction `x` in inline PTX"));
}

TEST_CASE("system headers are not looked into") {
  const std::string source = "# 1 \"/usr/include/x.h\" 1 3\nvoid f() { k<<<1, 2; }\n# 2 \"a.cu\" 2\nint x;\n";
  CHECK(translate_source(source, "a.cu") == source);
}

TEST_CASE("what cannot be run is refused with its place, what was found and what to do") {
  CHECK(refused("void f() {\n  k<<<1, 2>>(x);\n}\n") ==
        "a.cu:2:4: the launch of 'k' has a `<<<` without its `>>>` and the arguments behind it. Write "
        "k<<<blocks, threads>>>(arguments)");
  CHECK(refused("void f() { <<<1, 2>>>(x); }\n").starts_with("a.cu:1:12: a launch `<<<` without the name of a kernel"));
  CHECK(refused("void f() { k<<<1, 2>>>; }\n").starts_with("a.cu:1:13: the launch of 'k'"));
  CHECK(refused("__global__ void c() {}\n__global__ void k() { c<<<1, 1>>>(); }\n")
            .starts_with("a.cu:2:24: a kernel launch inside device code"));
  CHECK(refused("__device__ int f() { if (1) { asm volatile(\"x;\"); } }\n")
            .starts_with("a.cu:1:44: the instruction `x` in inline PTX"));
  CHECK(refused("# 3 \"a.cu\"\n# 1 \"/usr/local/cuda/include/cub/device/device_transform.cuh\" 1 3\n")
            .starts_with("a.cu:3:1: the header device_transform.cuh"));
}

TEST_CASE("a macro may hold what stands between a kernel and its arguments") {
  const auto translated = [](const std::string& macro, const std::string& use) {
    return translate_source(macro + "void f() {\n  " + use + ";\n}\n", "a.cu");
  };
  const auto as_plain = [&](const std::string& macro, const std::string& use) {
    std::string text = translated(macro, use);
    for (std::size_t at = text.find("\n#"); at != std::string::npos; at = text.find("\n#"))  // linemarkers
      text.erase(at, text.find('\n', at + 1) - at);
    std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
    return text.find("launch(\"k\"") != std::string::npos && text.find("._(4,256)._(p,n)") != std::string::npos;
  };
  CHECK(as_plain("#define SHAPE <<<4, 256>>>\n", "k SHAPE (p, n)"));
  CHECK(as_plain("#define SHAPE(blocks) <<<blocks, 256>>>\n", "k SHAPE(4)(p, n)"));
  CHECK(as_plain("#define REST <<<4, 256>>>(p, n)\n", "k REST"));
  for (const char* macro : {"#define K k<<<4, 256>>>\n", "#define CALL(k, grid) k<<<grid, 256>>>\n"})
    CHECK(has(translate_source(macro, "a.cu"), ", 256)._\n"));
  CHECK(refused("#define SHAPE <<<4, 256>>>\n#define LAUNCH(k) k SHAPE (p)\nvoid f() { LAUNCH(k); }\n").empty());
  CHECK(refused("#define OPEN <<<\n#define CLOSE >>>\nvoid f() { k OPEN 4, 256 CLOSE (p); }\n").empty());
}

TEST_CASE("host code may launch") {
  CHECK(refused("void f() { k<<<1, 1>>>(); }\n").empty());
  CHECK(refused("__global__ void k() {}\nnamespace n { struct s { void f() { k<<<1, 1>>>(); } }; }\n").empty());
}

TEST_CASE("a missing brace is left to the compiler to tell") {
  CHECK(refused("__global__ void k() { if (1) {\n}\nint main() { k<<<1, 1>>>(); }\n").empty());
}
