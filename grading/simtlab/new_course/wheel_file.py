"""The wheel that this package was installed from."""

import json
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from urllib.parse import unquote, urlparse


def own_wheel_file() -> Path | None:
    """The file that pip was given, by pip's own record of it (PEP 610); None where the package came from an index or a
    checkout, or where the file is gone."""
    try:
        record = distribution("simtlab").read_text("direct_url.json")
        url = urlparse(json.loads(record or "{}").get("url", ""))
    except (PackageNotFoundError, ValueError):
        return None
    path = Path(unquote(url.path))
    is_file = url.scheme == "file" and path.suffix == ".whl" and path.is_file()
    return path if is_file else None
