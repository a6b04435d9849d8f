"""The emulator's texture fetches beside those of an H100."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware.textures import MEASURED, Agreement, compare, emulate, read_fetches, table


@pytest.fixture(scope="module")
def agreement(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Agreement]:
    measured = read_fetches(MEASURED.read_text(encoding="utf-8"))
    each = len(measured) // len({one.setting for one in measured})
    return compare(emulate(each, tmp_path_factory.mktemp("textures")), measured)


def test_every_kind_of_fetch_was_measured_in_every_mode(agreement: dict[str, Agreement]) -> None:
    texels, filters = ("float", "half", "uchar", "char", "ushort"), ("point", "linear")
    assert set(agreement) == {f"{d}d-{t}-{f}" for d in (1, 2, 3) for t in texels for f in filters}
    assert all(one.fetches >= 64 for one in agreement.values())


def test_values_are_the_gpus_in_every_bit_but_for_signed_bytes_and_halves_in_three_dimensions(
    agreement: dict[str, Agreement],
) -> None:
    odd = {kind: one for kind, one in agreement.items() if one.equal != one.fetches}
    assert set(odd) <= {"1d-char-linear", "2d-char-linear", "3d-char-linear", "3d-half-linear"}
    last_bit = {"char": 1.01 / 32767, "half": 2.0**-8}  # of the 16 bits that the texture unit adds up
    for kind, one in odd.items():
        assert one.equal >= 0.9 * one.fetches, kind
        assert one.largest <= last_bit[kind.split("-")[1]], kind


def test_a_table_of_other_fetches_is_refused() -> None:
    ours = read_fetches("setting,x,y,z,value\n1d-float-wrap-point-texels,0,0,0,3f800000\n")
    its = read_fetches("setting,x,y,z,value\n1d-float-wrap-point-texels,1,0,0,3f800000\n")
    with pytest.raises(ValueError, match="fetches differ: 1d-float-wrap-point-texels"):
        compare(ours, its)
    assert "| 1d float point | 1 | 1 (100.0%) | 0 |" in table(compare(ours, ours))


@pytest.mark.parametrize("said", ["", "a,b\n", "setting,x,y,z,value\n1d-float,0\n"])
def test_what_is_no_table_is_said(said: str) -> None:
    with pytest.raises(ValueError, match=r"expected|no fetch"):
        read_fetches(said)


def test_the_measured_table_says_where_it_comes_from() -> None:
    assert (
        Path(MEASURED).read_text(encoding="utf-8").startswith("# Measured by solutions/emulator/hardware/textures.cu")
    )
