"""The audit rule by rule: source text as the compilers split it, and object files that a real compiler made."""

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simtlab.audit.allowed import Allowed, allowed_for, is_taken
from simtlab.audit.audit import Audit, in_order
from simtlab.audit.finding import AuditFinding, Rule, summary
from simtlab.audit.mangled import readable, scope
from simtlab.audit.preprocessed import PreprocessedSource, read_preprocessed
from simtlab.audit.tokens import Kind, tokens
from simtlab.errors import GraderError
from simtlab.labs.specification import LabSpecification, PointsTable

FILE = "kernel.cu"
POINTS = PointsTable(correct=1, safe=1, fast=1)
needs_compiler = pytest.mark.skipif(not shutil.which("g++"), reason="no g++")


def allowed(**more: list[str]) -> Allowed:
    return allowed_for(LabSpecification(title="a lab", points=POINTS, **more))  # type: ignore[arg-type]


def audited(text: str, folder: Path, **more: list[str]) -> list[tuple[Rule, str, int]]:
    """Rule, subject and line of everything that the audit tells of a C++ source."""
    (folder / FILE).write_text(text, encoding="utf-8")
    words = ["g++", "-std=c++17", "-x", "c++", FILE]
    audit = Audit({FILE: text}, allowed(**more))
    subprocess.run([*words, "-E", "-o", "kernel.ii"], cwd=folder, check=True, capture_output=True)
    subprocess.run([*words, "-c", "-g", "-O1", "-fno-pie", "-o", "kernel.o"], cwd=folder, check=True)
    preprocessed = (folder / "kernel.ii").read_text(encoding="utf-8")
    own = audit.read(preprocessed)
    found = [*audit.written(), *audit.preprocessed(own), *audit.compiled(folder / "kernel.o", FILE, own)]
    return [(one.rule, one.subject, one.line) for one in in_order(found)]


# Source text


def words_of(text: str) -> list[str]:
    return [token.text for token in tokens(text) if token.kind is Kind.WORD]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a /* asm */ b // asm\nc", ["a", "b", "c"]),
        ('a "asm \\" asm" b', ["a", "b"]),
        ("a '\"' b '\"' c", ["a", "b", "c"]),
        ('a R"x(asm )" asm)x" b', ["a", "b"]),
        ("a // still \\\n a comment\nb", ["a", "b"]),
        ("as\\\nm", ["asm"]),
        ("a = 1'000'000; b", ["a", "b"]),
        ("isn't it asm\nb", ["isn", "b"]),
        ('a "never closed asm\nb', ["a", "b"]),
        ("u8\"asm\" L'x' b", ["b"]),
        ("/\\\n/ asm\nb", ["b"]),
    ],
)
def test_code_is_told_from_comments_and_strings(text: str, words: list[str]) -> None:
    assert words_of(text) == words


_INERT = st.sampled_from(
    [
        "/* hidden */",
        "// hidden\n",
        '"hidden"',
        "'\"'",
        'R"(hidden "\n// hidden)"',
        "// hidden \\\n hidden\n",
        "\n",
        "12'345",
        " ",
    ]
)


@given(st.lists(st.one_of(_INERT, st.sampled_from(["seen ", "\nseen "]))))
def test_whatever_stands_around_it_code_stays_code(pieces: list[str]) -> None:
    text = "".join(f" {piece} " if not piece.endswith("\n") else f" {piece}" for piece in pieces)
    assert words_of(text) == ["seen"] * sum("seen" in piece for piece in pieces)


@given(st.text(alphabet="aR\"'(){}/*\\\n\r#%: 1u8_\x0b\u00e9", max_size=200))
def test_any_text_has_an_end_and_lines_never_run_ahead(text: str) -> None:
    found = list(tokens(text))
    assert all(1 <= token.line <= text.count("\n") + 1 for token in found)
    assert [token.line for token in found] == sorted(token.line for token in found)


@given(st.text(alphabet='# 12"aR(),\\\n', max_size=200))
def test_any_preprocessed_text_can_be_read(text: str) -> None:
    read_preprocessed(f'# 1 "{FILE}"\n{text}', [FILE])


def test_only_the_submissions_own_lines_are_read() -> None:
    text = f'# 1 "{FILE}"\nint a;\n# 1 "/usr/include/x.h" 1 3\nint b;\n# 3 "{FILE}" 2\nint c;\n'
    source = read_preprocessed(text, [FILE])
    assert [(one.text, one.line) for one in source.tokens if one.text in "abc"] == [("a", 1), ("c", 3)]
    assert [(one.header, one.line) for one in source.inclusions] == [("/usr/include/x.h", 2)]


def test_a_marker_inside_a_raw_string_is_text() -> None:
    text = f'# 1 "{FILE}"\nauto s = R"(\n# 1 "/usr/include/x.h" 1 3\n)"; int after;\n'
    source = read_preprocessed(text, [FILE])
    assert source.first_line_of(["after"]) == (FILE, 3)
    assert source.inclusions == []


# Names


@pytest.mark.parametrize(
    ("symbol", "names"),
    [
        (
            "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE",
            "std::thread::_M_start_thread",
        ),
        ("_ZSt4cout", "std::cout"),
        ("_ZNSolsEi", "std::basic_ostream"),
        ("_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE4sizeEv", "std::__cxx11::basic_string"),
        ("_ZN7simtlab8emulator11take_reportEb", "simtlab::emulator::take_report"),
        ("_Z15matrix_multiplyPKfS0_Pfiii", "matrix_multiply"),
        ("_ZL6helperv", "helper"),
        ("_Znwm", "operator new"),
        ("fork", "fork"),
    ],
)
def test_a_symbol_is_read_as_it_was_written(symbol: str, names: str) -> None:
    assert readable(symbol) == names


@given(st.text(alphabet="_ZNStKL0123456789IEvabc", max_size=60))
def test_any_symbol_has_a_scope(symbol: str) -> None:
    assert isinstance(scope("_Z" + symbol), tuple)


def test_the_lists_allow_what_computes_and_refuse_what_reaches_the_system() -> None:
    lists = allowed()
    for symbol in ("sinf", "printf", "malloc", "_Znwm", "_ZSt4cout", "cudaMalloc", "__cxa_throw", "_ZTIPKc", "powl"):
        assert lists.function(symbol), symbol
    refused = [
        "fork",
        "open",
        "write",
        "syscall",
        "dlopen",
        "mprotect",
        "pthread_create",
        "environ",
        "signal",
        "atexit",
    ]
    refused += ["_exit", "exit", "cublasSgemm_v2", "cudaLaunchHostFunc", "getenv", "system"]
    refused += [
        "_ZNSt6thread4joinEv",
        "_ZNSt13basic_filebufIcSt11char_traitsIcEEC1Ev",
        "_ZN7simtlab8emulator9configureEv",
    ]
    refused += ["_ZN9__gnu_cxx13stdio_filebufIcSt11char_traitsIcEEC1EiSt13_Ios_Openmodem"]
    for symbol in refused:
        assert not lists.function(symbol), symbol
    assert allowed(allowed_symbols=["exit"]).function("exit")
    assert lists.because("fork")
    assert lists.because("std::thread::join")
    assert not lists.because("nothing_known")


def test_taken_are_the_names_that_compilers_call_by_themselves() -> None:
    assert all(
        is_taken(name) for name in ("simtlab_launch", "__tsan_write4", "__cudaRegisterFunction", "__start_hooks")
    )
    free = (
        "my_table",
        "_Z15matrix_multiplyPKfS0_Pfiii",
        "tile",
        "write",
        "error",
        "gamma",
        "memcpy",
        "cudaCount",
        "_Znwm",
    )
    assert not any(is_taken(name) for name in free)


# Rules


@needs_compiler
@pytest.mark.parametrize(
    ("text", "finding"),
    [
        ("#include <thread>\n", (Rule.HEADER, "thread", 1)),
        ("#line 7\nint a;\n", (Rule.DIRECTIVE, "#line", 1)),
        ("#if __has_include(<x>)\n#endif\n", (Rule.DIRECTIVE, "__has_include", 1)),
        ('\nvoid f() { asm("nop"); }\n', (Rule.ASSEMBLY, "asm", 2)),
        ('#define J(a, b) a##b\nvoid f() { J(as, m)("nop"); }\n', (Rule.ASSEMBLY, "asm", 2)),
        ("__attribute__((weak)) int f();\n", (Rule.ATTRIBUTE, "weak", 1)),
        ('[[gnu::section("x")]] int a = 1;\n', (Rule.ATTRIBUTE, "section", 1)),
        ("[[using gnu: noinline, naked]] void f() {}\n", (Rule.ATTRIBUTE, "naked", 1)),
        ("int f();\n#pragma weak f\n", (Rule.PRAGMA, "#pragma weak", 2)),
        ('#pragma GCC optimize("O0")\n', (Rule.PRAGMA, "#pragma GCC optimize", 1)),
        ('#pragma GCC dependency "/etc/passwd"\nint a;\n', (Rule.PRAGMA, "#pragma GCC dependency", 1)),
        ('\n_Pragma("GCC dependency \\"/etc/passwd\\"") int a;\n', (Rule.PRAGMA, "dependency", 2)),
        (
            '#define P(x) _Pragma(#x)\n#define G GCC\n#define Q(x) P(x)\nQ(G dependency "/etc/passwd") int a;\n',
            (Rule.PRAGMA, "dependency", 4),
        ),
        ("#pragma redefine_extname f g\n", (Rule.PRAGMA, "#pragma redefine_extname", 1)),
        ("#include_next <math.h>\n", (Rule.DIRECTIVE, "#include_next", 1)),
        ('#ident "x"\n', (Rule.DIRECTIVE, "#ident", 1)),
        ("#include <sys/time.h>\n", (Rule.HEADER, "sys/time.h", 1)),
        ("#include <bits/types/time_t.h>\n", (Rule.HEADER, "bits/types/time_t.h", 1)),
        ("#inc\\\nlude /* so */ \\\n <sys/time.h>\n", (Rule.HEADER, "sys/time.h", 3)),
        ("#define TIME <sys/time.h>\n#include TIME\n", (Rule.HEADER, "TIME", 2)),
        ("#define J(a, b) a##b\n#if J(__has_incl, ude)(<stdio.h>)\n#endif\n", (Rule.DIRECTIVE, "#", 2)),
        (
            "#include <time.h>\n#define J __CONCAT\n#if J(__has_incl, ude)(<stdio.h>)\n#endif\n",
            (Rule.DIRECTIVE, "J", 3),
        ),
        ("#include <time.h>\n#if __CONCAT(__has_incl, ude)(<stdio.h>)\n#endif\n", (Rule.DIRECTIVE, "__CONCAT", 2)),
        (
            "#include <time.h>\n#define M(x, y) x y\n#define L (__has_incl, ude)\n#if M(__CONCAT, L)(<map>)\n#endif\n",
            (Rule.DIRECTIVE, "__CONCAT", 4),
        ),
        ("void* f() { return __builtin_return_address(0); }\n", (Rule.INTERNAL_NAME, "__builtin_return_address", 1)),
        ('extern "C" int fork();\nint f() {\n  return fork();\n}\n', (Rule.FUNCTION, "fork", 3)),
        ("extern char** environ;\nchar** f() { return environ; }\n", (Rule.FUNCTION, "environ", 2)),
        ('extern "C" void __tsan_write4(void*) {}\n', (Rule.DEFINITION, "__tsan_write4", 1)),
        ("int __start_of = 1;\n", (Rule.DEFINITION, "__start_of", 1)),
        ('#include <stdio.h>\nstatic int a = puts("early");\nint f() { return a; }\n', (Rule.INITIALISER, "puts", 2)),
        (
            '#include <stdio.h>\n[[gnu::noinline]] static int fill() { return puts("early"); }\nint a = fill();\n',
            (Rule.INITIALISER, "puts", 2),
        ),
    ],
)
def test_each_rule_names_its_line(text: str, finding: tuple[Rule, str, int], tmp_path: Path) -> None:
    assert finding in audited(text, tmp_path)


@needs_compiler
@pytest.mark.parametrize(
    "text",
    [
        '#include <time.h>\n#  include   <cmath> // so\n#include "stdio.h"\n#inc\\\nlude <vector>\n',
        "#ifdef _WIN32\n#include <windows.h>\n#endif\n",
        '#pragma once\n#pragma unroll 4\n#pragma GCC diagnostic ignored "-Wunused"\n#pragma nv_diag_suppress 177\n',
        "#pragma pack(push, 4)\nstruct s { int a; };\n#pragma pack(pop)\n#pragma omp parallel for\n",
        "#define STR(x) #x\n#define P(x) _Pragma(STR(x))\nvoid f() {\nP(GCC unroll 4)\nfor (int i = 0; i < 4; i++);}\n",
        '_Pragma("GCC diagnostic push")\nint a;\n_Pragma("GCC diagnostic pop") int b;\n',
        "#define TILE 16\n#define TWICE(x) ((x) * 2)\n#if TWICE(TILE) > 64 && defined(TILE) && __cplusplus\n#endif\n",
        "#define VERSION(a, b) (a * 100 + b)\n#if VERSION(__GNUC__, __GNUC_MINOR__) >= VERSION(9, 1)\n#endif\n",
        "#include <time.h>\n\n\n#if 1\n\n\n\n\n\n\n\n\n\n\nint a;\n#endif\n",
        '_Pragma("GCC diagnostic push") int dependent;\n\n\n\n\n\n\n\n\n\n\n\nint b; // dependency\n',
        "#define JOIN(a, b) a##b\nint JOIN(x, 1);\n#if __has_cpp_attribute(nodiscard)\n#endif\n",
        "\n\n\n\n\n\n\n\n\n\n\n\n#undef A\n\n#\n",
    ],
)
def test_directives_that_everybody_writes_are_told_nothing(text: str, tmp_path: Path) -> None:
    assert audited(text, tmp_path) == []


@needs_compiler
def test_what_lies_outside_the_submission_is_no_header_of_it(tmp_path: Path) -> None:
    folder = tmp_path / "submission"
    folder.mkdir()
    (tmp_path / "other.h").write_text("", encoding="utf-8")
    assert audited('#include "../other.h"\n', folder) == [(Rule.HEADER, "../other.h", 1)]
    [(rule, _, line)] = audited(f'#define WHERE "{tmp_path}/other.h"\n#include WHERE\n', folder)
    assert (rule, line) == (Rule.HEADER, 2)


@needs_compiler
def test_objects_of_own_types_may_be_made_before_main_and_live_to_the_end(tmp_path: Path) -> None:
    text = """#include <map>
#include <memory>
#include <string>
#include <vector>
struct part { virtual ~part() {} virtual int size() const { return 1; } int n = 3; };
struct whole {
  std::string name = "a name that is longer than what fits into the string itself";
  std::vector<int> sizes{1, 2, 3};
  std::map<std::string, int> by_name;
  std::unique_ptr<part> first = std::make_unique<part>();
  whole() { by_name[name] = fill(4); }
  ~whole() { sizes.clear(); }
  __attribute__((noinline)) static int fill(int n) { volatile int m = n; return m; }
};
whole one, many[3];
static const whole kept{};
struct guard { int n; ~guard(); };
guard::~guard() { n = 0; }
guard last;
int f() { thread_local std::vector<int> own(3); return one.sizes[0] + static_cast<int>(own.size()) + kept.sizes[1]; }
"""
    assert audited(text, tmp_path) == []


@needs_compiler
def test_ordinary_code_is_told_nothing(tmp_path: Path) -> None:
    text = """#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <string>
#include <vector>
static const float table[] = {1, 2, 3};
static const float root = std::sqrt(table[1]);
static std::vector<std::string> names;
const char* comment = "asm fork exit #line"; // asm("nop"), fork()
template <class T> struct adder { T by; [[nodiscard]] T operator()(T x) const { return x + by; } };
float f(int n) {
  static std::map<int, float> kept;
  std::vector<float> v(n, root);
  std::sort(v.begin(), v.end());
  names.push_back(std::to_string(n));
  if (v.empty()) throw std::string("empty");
  std::cout << names.back() << '\\n';
  return kept[n] = adder<float>{1}(v.at(0)) + std::pow(table[n % 3], 2.0f);
}
"""
    assert audited(text, tmp_path) == []


@needs_compiler
def test_a_name_of_the_c_library_is_anybodys(tmp_path: Path) -> None:
    text = """#include <new>
int error = 1, times[4];
float gamma(float x) { return x; }
extern "C" void* memcpy(void* to, const void*, unsigned long) { return to; }
extern "C" inline int link(const char*, const char*) { return 0; }
inline int access = 3;
int f() { return link(nullptr, nullptr) + access; }
void operator delete(void*) noexcept {}
int main() { return 0; }
"""
    assert audited(text, tmp_path) == []


@pytest.mark.parametrize("symbol", ["_ZSt21ios_base_library_initv", "__isoc23_strtol", "__isoc23_sscanf"])
def test_what_headers_of_later_compilers_refer_to_is_allowed(symbol: str) -> None:
    assert allowed().function(symbol)


@needs_compiler
def test_a_lab_allows_more(tmp_path: Path) -> None:
    text = "#include <thread>\n#include <cstdlib>\nvoid f() { exit(1); }\n"
    assert audited(text, tmp_path, allowed_headers=["thread"], allowed_symbols=["exit"]) == []


def test_what_is_no_object_file_is_our_fault(tmp_path: Path) -> None:
    (tmp_path / "kernel.o").write_bytes(b"\x7fELF but not for long")
    with pytest.raises(GraderError, match="cannot be audited"):
        Audit({}, allowed()).compiled(tmp_path / "kernel.o", FILE, PreprocessedSource())


@needs_compiler
def test_a_damaged_object_is_read_or_refused(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text(
        "#include <vector>\nstd::vector<int> v;\nint f() { return v.at(0); }\n", encoding="utf-8"
    )
    subprocess.run(["g++", "-g", "-c", "a.cpp", "-o", "a.o"], cwd=tmp_path, check=True)
    whole = (tmp_path / "a.o").read_bytes()
    audit = Audit({FILE: ""}, allowed())
    for number in range(60):
        damaged = bytearray(whole)
        at = number * 7919 % len(whole)
        damaged[at : at + 4] = bytes([number * 37 % 256] * 4)
        (tmp_path / "b.o").write_bytes(damaged if number % 3 else damaged[:at])
        try:
            audit.compiled(tmp_path / "b.o", FILE, PreprocessedSource())
        except GraderError as fault:
            assert "b.o cannot be audited" in str(fault)  # noqa: PT017


def test_the_first_finding_and_the_number_of_others_make_the_message() -> None:
    one = AuditFinding(rule=Rule.FUNCTION, subject="fork", file=FILE, line=3, message="`fork` (kernel.cu:3) is …")
    other, again = replace(one, subject="open", line=9), replace(one, line=7)
    assert in_order([other, again, one]) == [one, other]
    assert summary([one]) == "function: `fork` (kernel.cu:3) is …"
    assert summary([one, other]).endswith("(and 1 more)")
