"""A wrong matrix as small pictures inside the page: expected, found, and where they differ. PNG of sixteen levels, a
few hundred bytes each; the same is said in words beside them. A wrong image is shown in its own colours, beside the
image that went in."""

import base64
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

from simtlab.facts.model import Facts, ImagePictures, Picture
from simtlab.text import counted, number_text

_MOST_PICTURES = 3
"""On one page, of the largest outputs: small ones are readable in the grid of elements, and pages stay small."""
_MOST_IMAGES = 1
"""Of outputs that are images, whose colours take ten times the room."""
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_NO_VALUE = "f"
_VERMILION = (213, 94, 0)
"""Of Okabe and Ito's palette: told apart from grey with any colour vision."""


@dataclass(frozen=True)
class OutputPictures:
    """What a page shows of a case: pictures as addresses with their data, and what they show in words."""

    input: str | None
    """Of an image: what went in."""
    expected: str
    found: str
    wrong: str
    scale: str
    words: str


def pictures_of(facts: Facts) -> dict[str, OutputPictures]:
    """Pictures by the name of the case: of those that have one, the largest outputs."""
    drawn = [(case, picture) for case in facts.cases if case.mismatch and (picture := case.mismatch.picture)]
    drawn.sort(key=lambda one: -one[1].rows * one[1].cols)
    images = [case.name for case, picture in drawn if picture.image]
    shown = [one for one in drawn if one[0].name not in images[_MOST_IMAGES:]]
    return {case.name: output_pictures(picture) for case, picture in shown[:_MOST_PICTURES]}


def output_pictures(picture: Picture) -> OutputPictures:
    """The pictures of one wrong output."""
    if picture.image:
        return _image_pictures(picture, picture.image)
    low, high = number_text(picture.lowest), number_text(picture.highest)
    return OutputPictures(
        input=None,
        expected=_address(value_png(picture.expected)),
        found=_address(value_png(picture.found)),
        wrong=_address(share_png(picture.wrong)),
        scale=f"dark is {low}, light is {high}; hatched: not a number, or never written",
        words=where_wrong(picture),
    )


def _image_pictures(picture: Picture, image: ImagePictures) -> OutputPictures:
    return OutputPictures(
        input=_address(image_png(image.input, image.channels)) if image.input else None,
        expected=_address(image_png(image.expected, image.channels)),
        found=_address(image_png(image.found, image.channels)),
        wrong=_address(share_png(picture.wrong)),
        scale="hatched: never written",
        words=where_wrong(picture),
    )


def image_png(lines: Sequence[str], channels: int) -> bytes:
    """An image in its own colours; a pixel of which a channel was never written is transparent."""
    return _png_of_pixels([[_colour(pixel) for pixel in _pixels(line, channels)] for line in lines])


def _pixels(line: str, channels: int) -> list[str]:
    return [line[at : at + 2 * channels] for at in range(0, len(line), 2 * channels)]


def _colour(pixel: str) -> bytes:
    if "." in pixel:
        return bytes(4)
    channels = bytes.fromhex(pixel)
    return (channels if len(channels) == 3 else channels * 3) + b"\xff"


def where_wrong(picture: Picture) -> str:
    """`33 rows, 65 columns: wrong in 17 of 187 cells, within rows 30 to 32 and columns 0 to 64`."""
    rows = [number for number, line in enumerate(picture.wrong) if line.strip("0")]
    cols = [number for number in range(len(picture.wrong[0])) if any(line[number] != "0" for line in picture.wrong)]
    pixels = sum(len(line) for line in picture.wrong)
    touched = sum(digit != "0" for line in picture.wrong for digit in line)
    where = (
        f"rows {_span(rows, len(picture.wrong), picture.rows)} and "
        f"columns {_span(cols, len(picture.wrong[0]), picture.cols)}"
    )
    share = "everywhere" if touched == pixels else f"in {touched} of {counted(pixels, 'cell')}"
    return f"{picture.rows} rows, {picture.cols} columns: wrong {share}, within {where}"


def _span(pixels: Sequence[int], count: int, of: int) -> str:
    """The first and last index that the pixels stand for."""
    first, last = -(-pixels[0] * of // count), -(-(pixels[-1] + 1) * of // count) - 1
    return f"{first} to {last}"


def value_png(lines: Sequence[str]) -> bytes:
    """Values from dark to light; a cell without one is transparent."""
    grey = [_grey(level) for level in range(15)]
    return _png(lines, [*grey, (0, 0, 0)], [255] * 15 + [0])


def _grey(level: int) -> tuple[int, int, int]:
    shade = 25 + 215 * level // 14
    return shade, shade, shade


def share_png(lines: Sequence[str]) -> bytes:
    """Wrong cells in one colour, stronger where more of the cell is wrong; right ones are transparent."""
    return _png(lines, [_VERMILION] * 16, [0] + [90 + 11 * level for level in range(1, 16)])


def _png_of_pixels(rows: Sequence[Sequence[bytes]]) -> bytes:
    """Four bytes a pixel: red, green, blue, opacity."""
    content = b"".join(b"\0" + b"".join(row) for row in rows)
    return _SIGNATURE + b"".join(
        _chunk(kind, content)
        for kind, content in (
            (b"IHDR", struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 6, 0, 0, 0)),
            (b"IDAT", zlib.compress(content, 9)),
            (b"IEND", b""),
        )
    )


def _png(lines: Sequence[str], palette: Sequence[tuple[int, int, int]], opacity: Sequence[int]) -> bytes:
    """Four bits a pixel, an entry of the palette each."""
    width, height = len(lines[0]), len(lines)
    rows = b"".join(b"\0" + bytes.fromhex(line if width % 2 == 0 else f"{line}0") for line in lines)
    return _SIGNATURE + b"".join(
        _chunk(kind, content)
        for kind, content in (
            (b"IHDR", struct.pack(">IIBBBBB", width, height, 4, 3, 0, 0, 0)),
            (b"PLTE", bytes(value for colour in palette for value in colour)),
            (b"tRNS", bytes(opacity)),
            (b"IDAT", zlib.compress(rows, 9)),
            (b"IEND", b""),
        )
    )


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def _address(png: bytes) -> str:
    return "data:image/png;base64," + base64.b64encode(png).decode("ascii")
