"""The mutation operators: what they change, what they leave alone, and what may be argued about a mutant."""

from pathlib import Path

import pytest

from simtlab.errors import LabError
from simtlab.labs.catalogue import read_catalogue
from simtlab.release.solutions import read_solutions
from simtlab.verify.code import Code
from simtlab.verify.mutants import Equivalent, mutants_of, read_equivalents, sample_of
from simtlab.verify.operators import OPERATORS
from simtlab.verify.specimen import specimens_of
from tests.fake_checkout import FakeCheckout

KERNEL = """#include <cuda_runtime.h>
__global__ void work(const float* in, float* out, int* bins, int rows, int width) {
  // if (x < width) __syncthreads(); in a comment
  __shared__ float tile[32][32 + 1];
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.y][threadIdx.x] = x < width ? in[threadIdx.y * width + x] : 0.0f;
  __syncthreads();
  for (int step = 0; step < rows; step += 32) {
    if (x < width && step <= rows) {
      out[x] = tile[threadIdx.x][step];
    }
  }
  const int old = atomicAdd(&bins[x], 1);
  int seen = atomicCAS(bins, old, static_cast<int>(x));
  float sum = __shfl_down_sync(0xffffffff, tile[0][0], 16);
  printf("a < b; __syncthreads();");
}
void entry(const float* in, float* out, int n) {
  const int grid = (n + 256 - 1) / 256;
  work<<<grid, dim3(32, 8)>>>(in, out, nullptr, n, n);
  cudaFree(nullptr);
}
"""


def changes(name: str, text: str = KERNEL) -> list[tuple[int, str, str]]:
    """Line, text and replacement of everything that an operator does."""
    operator = next(one for one in OPERATORS if one.name == name)
    code = Code(text)
    return [
        (code.pieces[edit.first].line, code.span(edit.first, edit.last), edit.text) for edit in operator.sites(code)
    ]


@pytest.mark.parametrize(
    ("operator", "expected"),
    [
        ("barrier-removed", [(7, "__syncthreads()", "")]),
        ("bound-dropped", [(6, "x < width", "true"), (9, "x < width", "true"), (9, "step <= rows", "true")]),
        ("bound-off-by-one", [(6, "<", "<="), (8, "<", "<="), (9, "<", "<="), (9, "<=", "<")]),
        ("rounding-dropped", [(19, "+ 256 - 1", "")]),
        ("padding-removed", [(4, "+ 1", "")]),
        (
            "stride-changed",
            [(5, "blockDim.x", "(blockDim.x + 1)"), (6, "width", "(width + 1)"), (8, "32", "2 * (32)")],
        ),
        (
            "atomic-made-plain",
            [
                (13, "atomicAdd(&bins[x], 1)", "(*(&bins[x]) += (1))"),
                (
                    14,
                    "atomicCAS(bins, old, static_cast<int>(x))",
                    "(*(bins) == (old) ? (*(bins) = (static_cast<int>(x)), (old)) : *(bins))",
                ),
            ],
        ),
        ("mask-narrowed", [(15, "0xffffffff", "0x0000ffffu")]),
        ("copy-of-the-input", [(10, "tile[threadIdx.x][step]", "in[x]")]),
        ("call-dropped", [(21, "cudaFree(nullptr)", "")]),
    ],
)
def test_an_operator_applies_at_every_site_and_nowhere_else(
    operator: str, expected: list[tuple[int, str, str]]
) -> None:
    assert changes(operator) == expected


def test_indices_are_swapped_by_axis_and_by_subscript() -> None:
    swapped = changes("index-swapped")
    assert (5, "x", "y") in swapped
    assert (10, "[threadIdx.x][step]", "[step][threadIdx.x]") in swapped
    assert not any(line == 4 for line, _, _ in swapped), "a declaration is no access"
    assert not any(line == 20 for line, _, _ in swapped)


def test_stores_become_zeros_ones_or_nothing_and_half_precision_goes_where_floats_are_stored() -> None:
    assert [(line, text) for line, _, text in changes("zeros")] == [(6, "0"), (10, "0")]
    assert [(line, text) for line, _, text in changes("constants")] == [(6, "1"), (10, "1")]
    stale = [(line, was) for line, was, _ in changes("stale-output")]
    assert stale[1:] == [
        (10, "out[x] = tile[threadIdx.x][step]"),
        (20, "work<<<grid, dim3(32, 8)>>>(in, out, nullptr, n, n)"),
    ]
    assert [line for line, _, _ in changes("half-precision")] == [6, 10, 15]


SOLUTION = """void entry(int n) {
  //@@ begin solution
  if (n < 1) return;
  work<<<(n +
          31) /
             32,
         32>>>(n);
  //@@ end solution
  if (n < 2) return;
}
"""


def test_only_the_regions_are_mutated_and_lines_keep_their_numbers() -> None:
    made = mutants_of(SOLUTION, [(2, 8)])
    assert {mutant.operator.name for mutant in made} == {"bound-dropped", "bound-off-by-one", "stale-output"}
    assert all(mutant.text.count("\n") == SOLUTION.count("\n") for mutant in made)
    stale = made[-1]
    assert (stale.line, stale.was, stale.becomes) == (4, "work<<<(n +", "")
    assert stale.text.split("\n")[8] == "  if (n < 2) return;"


def test_a_sample_is_the_same_every_time_and_has_one_of_each_operator() -> None:
    made = mutants_of(KERNEL, [(1, 23)])
    chosen = sample_of(made, "08-a-lab")
    assert chosen == sample_of(made, "08-a-lab")
    assert {mutant.operator.name for mutant in chosen} == {mutant.operator.name for mutant in made}
    assert 8 <= len(chosen) < len(made)
    assert len({mutant.name for mutant in made}) == len(made)
    assert len(sample_of(made[:3], "08-a-lab")) == 3


def test_an_argument_fits_its_mutant_alone() -> None:
    mutants = mutants_of(SOLUTION, [(2, 8)])
    argument = Equivalent(
        operator="bound-dropped", line="if (n < 1) return;", becomes="if (true) return;", reason="n is never 0"
    )
    assert [mutant.name for mutant in mutants if argument.fits(mutant)] == ["mutants/bound-dropped-1"]


def test_an_argument_without_a_reason_is_the_authors_fault(tmp_path: Path) -> None:
    path = tmp_path / "equivalent.toml"
    assert read_equivalents(path) == []
    path.write_text('[[equivalent]]\noperator = "zeros"\nline = "a"\nbecomes = "b"\nreason = "so"\n', encoding="utf-8")
    with pytest.raises(LabError, match="reason"):
        read_equivalents(path)


def test_a_sample_does_without_variants_whose_mistake_a_mutant_makes(tmp_path: Path) -> None:
    checkout = FakeCheckout(tmp_path)
    lab = read_catalogue(checkout.root, checkout.build).labs["07-shared-tiling"]
    solution = next(one for one in read_solutions(checkout.root).models if lab.name in str(one.file))
    made = mutants_of(solution.text, solution.regions)[0].operator.name
    for name, line in [
        ("alike", f"// As a mutant: {made}.\n"),
        ("other", ""),
        ("wrong", "// As a mutant: bug-added.\n"),
    ]:
        text = f"// expect: correct=fail\n// A mistake.\n{line}int main() {{}}\n"
        (lab.solution_folder / "variants" / f"{name}.cu").write_text(text, encoding="utf-8")
    sample, everything = (specimens_of(lab, solution, all_mutants=every) for every in (False, True))
    variants = [{one.name for one in of.to_grade if one.name.startswith("variants/")} for of in (sample, everything)]
    assert variants == [{"variants/other.cu"}, {"variants/alike.cu", "variants/other.cu", "variants/wrong.cu"}]
    assert [check.specimen for check in sample.broken if "bug-added" in check.problems[0]] == ["variants/wrong.cu"]
