"""The descriptions of the fields of records, for the tips of forms and for error messages.

They are the docstrings below the fields in the records' classes. `make documents` writes them to `fields.toml`, because
a packaged program has no source.
"""

from collections.abc import Mapping
from functools import cache

import msgspec
import rtoml

from turnwright.storage.resources import read_text


def field_text(record: type[msgspec.Struct], field: str) -> str:
    """Return the description of a record's field in plain text, or an empty string if it has none."""
    return _texts().get(record.__name__, {}).get(field, "").replace("`", "")


@cache
def _texts() -> Mapping[str, Mapping[str, str]]:
    return rtoml.loads(read_text("fields.toml"))
