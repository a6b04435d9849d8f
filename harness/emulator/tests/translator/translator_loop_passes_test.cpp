// Between two passes of a loop all lanes of a warp come together.
#include <doctest/doctest.h>

#include <string>

#include "tests/has.h"
#include "tests/translator/translated.h"
#include "translator/source_translator.h"

using namespace simtlab::emulator;

TEST_CASE("a while gets a call between its passes, and every column stays") {
  CHECK(translated("void f() { while (a) { b; } c; }") ==
        "void f() { for (; a; ::simtlab::next_pass()\n# 1 \"a.cu\"\n                   ) { b; } c; }");
  CHECK(translated("void f() { while(int n = g(1)) b(n); }") ==
        "void f() { for(; int n = g(1); ::simtlab::next_pass()\n# 1 \"a.cu\"\n                             ) b(n); }");
}

TEST_CASE("so does a for without its third part") {
  CHECK(translated("void f() { for (;;) { b; } }") ==
        "void f() { for (;;::simtlab::next_pass()\n# 1 \"a.cu\"\n                  ) { b; } }");
  CHECK(has(translated("void f() { for (int i = g([] { return 1; }); i < n;) { b; } }"),
            "; i < n;::simtlab::next_pass()"));
}

TEST_CASE("loops between whose passes something stands are left alone") {
  for (const char* source :
       {"void f() { for (int i = 0; i < n; ++i) { b; } }", "void f() { for (int x : a) { b; } }",
        "void f() { do { b; } while (a); }", "void f() { do b; while (a); c; }", "void f() { while (a); }",
        "void f() { do { b; } while (a) /* and no semicolon */ }", "void f() { while a { b; } }",
        "void f() { for (x { b; } }", "#define FOREVER while (true)\n"}) {
    CAPTURE(source);
    CHECK(translated(source) == source);
  }
}

TEST_CASE("in a macro, and among a macro's arguments, all stays on its line") {
  CHECK(translated("#define LOOP(a) while (a) { b; }\n") ==
        "#define LOOP(a) for (; a; ::simtlab::next_pass()) { b; }\n");
  CHECK(translated("#define M(x) x\nvoid f() { M(while (a) { b; }) }") ==
        "#define M(x) x\nvoid f() { M(for (; a; ::simtlab::next_pass()) { b; }) }");
}

TEST_CASE("a goto back is a loop: all but the last go there, where the lanes come together") {
  const std::string one = translated("void f() { again: a; if (b) goto again; c; }");
  CHECK(has(one, "if (b) { ::simtlab::next_pass(); goto again; }"));
  const std::string two = translated("void f() { again: if (a) goto again; if (b) { goto again; } else c; }");
  CHECK(has(two, "if (a) goto simtlab_pass_again;"));
  CHECK(has(two, "{ { simtlab_pass_again: ::simtlab::next_pass(); goto again; }"));
}

TEST_CASE("a goto in a macro") {
  CHECK(translated("#define WAIT(a) again: if (a) goto again;\n") ==
        "#define WAIT(a) again: if (a) { ::simtlab::next_pass(); goto again; }\n");
}

TEST_CASE("a goto forward, or to another function's label, is none") {
  for (const char* source : {"void f() { if (a) goto end; b; end:; }", "void f() { x: a; } void g() { goto x; }",
                             "void f() { switch (a) { case again: b; default: c; } goto again; }",
                             "struct s { public: int x : again; }; void f() { goto again; }"}) {
    CAPTURE(source);
    CHECK(translated(source) == source);
  }
}

TEST_CASE("for what g++ says about a program the loops stay as they were written") {
  const std::string source = "void f() { while (a) { b; } again: goto again; }";
  CHECK(translate_source(source, "a.cu", source_rules::submission, loop_passes::as_written) == source);
}
