"""The compiler's own functions by allow-list: what reads or writes unseen is refused, whatever its name."""

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simtlab.audit.audit import Audit
from simtlab.audit.finding import Rule
from tests.test_audit import allowed


def told(text: str) -> list[str]:
    """The builtins that the audit tells of preprocessed text."""
    audit = Audit({"kernel.cu": text}, allowed())
    findings = audit.preprocessed(audit.read(f'# 1 "kernel.cu"\n{text}'))
    return [one.subject for one in findings if one.rule is Rule.BUILTIN]


@given(st.from_regex(r"ia32_[a-z][a-z0-9_]{0,20}", fullmatch=True))
def test_every_builtin_of_one_processor_is_refused(name: str) -> None:
    assert told(f"void f() {{ __builtin_{name}(); }}") == [f"__builtin_{name}"]


# Loads and stores past the hooks; then the stack, the program's text, prefetching, a coroutine's frame.
UNSEEN = (
    "ia32_loadlps ia32_loadhps ia32_movnti ia32_movnti64 ia32_fxsave64 ia32_rdtsc ia32_lddqu ia32_maskmovq alloca "
    "alloca_with_align stack_save nonlocal_goto prefetch coro_resume dwarf_cfa thread_pointer next_arg saveregs "
    "call_with_static_chain aggregate_incoming_address update_setjmp_buf init_trampoline"
)


@pytest.mark.parametrize("name", UNSEEN.split())
def test_what_no_hook_sees_is_refused(name: str) -> None:
    assert told(f"int a = __builtin_{name}();") == [f"__builtin_{name}"]


def test_what_the_macros_of_headers_come_to_is_allowed(tmp_path: Path) -> None:
    text = """
#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <limits.h>
struct s { int a, b; };
static_assert(offsetof(s, b) == 4, "");
float numbers[] = {NAN, INFINITY, HUGE_VALF, (float)HUGE_VAL, (float)M_PI};
int sum(int n, ...) { va_list all; va_start(all, n); int x = va_arg(all, int); va_end(all); return x; }
int f(float x, unsigned u) {
  assert(u > 0);
  if (__builtin_expect(isnan(x) || isinf(x) || signbit(x), 0)) __builtin_unreachable();
  int total = 0;
  if (__builtin_add_overflow(total, 3, &total)) __builtin_trap();
  total += __builtin_popcount(u) + __builtin_clzll(u) + (int)__builtin_sqrtf(x);
  return total + fpclassify(x) + __builtin_bswap32(u);
}
void g(void* to, const void* from) { __builtin_memcpy(to, from, 8); printf("%d", sum(1, 2)); }
"""
    (tmp_path / "kernel.cu").write_text(text, encoding="utf-8")
    words = ["g++", "-std=c++17", "-E", "-x", "c++", "kernel.cu"]
    done = subprocess.run(words, cwd=tmp_path, check=True, capture_output=True, text=True)
    audit = Audit({"kernel.cu": text}, allowed())
    assert [one for one in audit.preprocessed(audit.read(done.stdout)) if one.rule is Rule.BUILTIN] == []
