"""The page of `simtlab similarity`: each group's texts side by side, what both have marked."""

from pathlib import Path

from markupsafe import Markup, escape

from simtlab.report.pages import replace_file, site_environment
from simtlab.similarity.fingerprints import Place
from simtlab.similarity.likeness import Pair

NOT_A_PROOF = (
    "This is no proof and no verdict. Two texts can be alike because the task, a textbook, a partner or a tool made "
    "them so. Points are not touched."
)
NEXT = (
    "Next: read both texts side by side, then talk to each student alone about their own kernel. Only what they can or "
    "cannot explain says something."
)


def write_similarity(groups: list[list[Pair]], lab: str, texts: dict[str, str], path: Path) -> Path:
    """Writes the page; `texts` are the kernels by student."""

    def side(pair: Pair, which: int) -> Markup:
        return _marked(texts[pair.other if which else pair.one], pair.places[which])

    template = site_environment().get_template("similarity.html")
    replace_file(path, template.render(groups=groups, lab=lab, side=side, not_a_proof=NOT_A_PROOF, next=NEXT))
    return path


def _marked(text: str, places: list[Place]) -> Markup:
    shared = {line for place in places for line in range(place.first, place.last + 1)}
    lines = [
        Markup("<mark>{}</mark>").format(line) if number in shared and line.strip() else escape(line)
        for number, line in enumerate(text.splitlines(), 1)
    ]
    return Markup("\n").join(lines)
