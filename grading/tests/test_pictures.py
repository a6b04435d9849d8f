"""Pictures of a wrong matrix, read back by a decoder written from the PNG specification."""

import base64
import struct
import zlib
from pathlib import Path

from simtlab.facts.model import ImagePictures, Picture
from simtlab.report.pictures import image_png, output_pictures, pictures_of, share_png, value_png, where_wrong
from tests.example_facts import facts_of, wrong_facts


def decoded(png: bytes) -> tuple[list[str], list[tuple[int, int, int, int]]]:
    """Rows of hexadecimal digits, and the palette with opacity."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, at = {}, 8
    while at < len(png):
        [length] = struct.unpack(">I", png[at : at + 4])
        kind, content = png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        assert struct.unpack(">I", png[at + 8 + length : at + 12 + length]) == (zlib.crc32(kind + content),)
        chunks[kind], at = content, at + 12 + length
    width, height, depth, colour, *_ = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert (depth, colour) == (4, 3)
    data, stride = zlib.decompress(chunks[b"IDAT"]), (width + 1) // 2 + 1
    lines = [data[row * stride + 1 : (row + 1) * stride].hex()[:width] for row in range(height)]
    palette = [tuple(chunks[b"PLTE"][3 * i : 3 * i + 3]) for i in range(16)]
    return lines, [(*rgb, alpha) for rgb, alpha in zip(palette, chunks[b"tRNS"], strict=True)]  # type: ignore[misc]


def picture(wrong: list[str], rows: int, cols: int) -> Picture:
    return Picture(rows=rows, cols=cols, lowest=0, highest=1, expected=wrong, found=wrong, wrong=wrong)


def test_pixels_are_the_facts_digits() -> None:
    for lines in (["012", "3ef"], ["0f"], ["a" * 32] * 32):
        assert decoded(value_png(lines))[0] == lines
        assert decoded(share_png(lines))[0] == lines


def test_values_go_from_dark_to_light_and_none_is_transparent() -> None:
    _, palette = decoded(value_png(["0ef"]))
    assert palette[0][0] < palette[7][0] < palette[14][0]
    assert [palette[level][3] for level in (0, 14, 15)] == [255, 255, 0]
    _, shares = decoded(share_png(["0f"]))
    assert shares[0][3] == 0 < shares[1][3] < shares[15][3] == 255


def test_the_words_beside_say_where_it_is_wrong() -> None:
    assert where_wrong(picture(["00", "0f"], 2, 2)) == (
        "2 rows, 2 columns: wrong in 1 of 4 cells, within rows 1 to 1 and columns 1 to 1"
    )
    assert where_wrong(picture(["ff", "ff"], 64, 96)) == (
        "64 rows, 96 columns: wrong everywhere, within rows 0 to 63 and columns 0 to 95"
    )
    assert where_wrong(picture([*["0" * 32] * 31, "0" * 31 + "1"], 33, 65)).endswith(
        "within rows 32 to 32 and columns 63 to 64"
    ), "the last of 32 cells holds what i * 32 // 65 puts there"


def test_an_element_lies_within_the_span_of_its_cell() -> None:
    for extent in (2, 31, 32, 33, 47, 65, 160):
        pixels = min(extent, 32)
        for element in range(extent):
            cell = element * pixels // extent
            line = "0" * cell + "f" + "0" * (pixels - cell - 1)
            found = where_wrong(picture([line], 1, extent)).rsplit("columns ", 1)[1]
            first, last = map(int, found.split(" to "))
            assert first <= element <= last


def test_a_page_draws_the_largest_outputs_and_stays_small(tmp_path: Path) -> None:
    document = wrong_facts()
    wrong = document["cases"][1]
    document["cases"] = [
        {**wrong, "name": f"case {size}", "mismatch": {**wrong["mismatch"], "picture": worst(size)}}
        for size in (40, 500, 70, 60, 90)
    ]
    drawn = pictures_of(facts_of(document))
    assert list(drawn) == ["case 500", "case 90", "case 70"]
    bytes_of_all = sum(len(one.expected) + len(one.found) + len(one.wrong) for one in drawn.values())
    assert bytes_of_all < 9000
    assert base64.b64decode(drawn["case 70"].wrong.removeprefix("data:image/png;base64,")).startswith(b"\x89PNG")


def test_a_page_draws_one_image_and_stays_small() -> None:
    document = wrong_facts()
    wrong = document["cases"][1]
    noise = [f"{(row + 7) ** 97 % 16**240:0240x}" for row in range(40)]
    image = {"channels": 3, "input": noise, "expected": noise, "found": noise}
    document["cases"] = [
        {**wrong, "name": f"case {size}", "mismatch": {**wrong["mismatch"], "picture": {**worst(size), "image": image}}}
        for size in (50, 60, 40)
    ]
    drawn = pictures_of(facts_of(document))
    assert list(drawn) == ["case 60"]
    shown = drawn["case 60"]
    assert shown.input
    assert sum(map(len, (shown.input, shown.expected, shown.found, shown.wrong))) < 30_000


def worst(size: int) -> dict[str, object]:
    """A picture that no compressor makes smaller."""
    noise = [f"{(size * 7919 + row) ** 29 % 16**32:032x}" for row in range(32)]
    return {
        "rows": size,
        "cols": size,
        "lowest": 0.0,
        "highest": 1.0,
        "expected": noise,
        "found": noise,
        "wrong": noise,
    }


def test_one_colour_says_what_it_stands_for() -> None:
    shown = output_pictures(picture(["f"], 2, 2).model_copy(update={"lowest": -2.5, "highest": 1.0}))
    assert "dark is -2.5, light is 1" in shown.scale


def pixels_of(png: bytes) -> tuple[int, int, bytes]:
    """Width, height and the pixels, four bytes each, of a PNG in true colours."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    width, height, depth, colour, *_ = struct.unpack(">IIBBBBB", png[16:29])
    assert (depth, colour) == (8, 6)
    [length] = struct.unpack(">I", png[33:37])
    assert png[37:41] == b"IDAT"
    data = zlib.decompress(png[41 : 41 + length])
    stride = 1 + 4 * width
    assert all(data[row * stride] == 0 for row in range(height)), "no filter"
    return width, height, b"".join(data[row * stride + 1 : (row + 1) * stride] for row in range(height))


def test_an_image_keeps_its_colours_and_what_was_never_written_is_transparent() -> None:
    assert pixels_of(image_png(["ff8000", "0000ff"], 3)) == (1, 2, b"\xff\x80\x00\xff\x00\x00\xff\xff")
    assert pixels_of(image_png(["7f.."], 1)) == (2, 1, b"\x7f\x7f\x7f\xff" + bytes(4))
    assert pixels_of(image_png(["00..00"], 3)) == (1, 1, bytes(4))


def test_a_wrong_image_is_shown_beside_what_went_in() -> None:
    image = ImagePictures(channels=1, input=["0011"], expected=["2233"], found=["2244"])
    shown = output_pictures(picture(["0f"], 1, 2).model_copy(update={"image": image}))
    assert shown.input is not None
    drawn = [base64.b64decode(one.partition(",")[2]) for one in (shown.input, shown.expected, shown.found)]
    assert [pixels_of(png)[2][4] for png in drawn] == [0x11, 0x33, 0x44]
    assert decoded(base64.b64decode(shown.wrong.partition(",")[2]))[0] == ["0f"]
    assert "columns 1 to 1" in shown.words
    assert output_pictures(picture(["0f"], 1, 2)).input is None
