"""Improves typography: curly quotes, minus signs and dashes, and no line breaks between a number and its unit."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

NO_BREAK: Final = "\u00a0"
EN_DASH: Final = "\u2013"
MINUS: Final = "\u2212"
_OPENS: Final = r"(^|[\s(\[{/\u2014\u2013\u201c\u2018\u00ab-])"  # the characters before an opening quote
_DOUBLE: Final = re.compile(_OPENS + r'"(?=\S)')
_SINGLE: Final = re.compile(_OPENS + r"'(?=[^\s\d'])")
_ELIDED: Final = re.compile(
    r"'(?=(?:tis|twas|twere|em|cause|til|round)\b)", re.IGNORECASE
)  # an apostrophe, not an opening quote
_MINUS: Final = re.compile(r"(^|[\s(\[/:,;+]|\dd\d{1,4})-(?=\d)")
_RANGE: Final = re.compile(r"(?<![\w.,/+-])(\d{1,3})-(?=\d{1,3}(?![\w/-]|[.,]\d))")
_UNIT: Final = re.compile(r"(?<=\d) (?=[^\W\d]{1,8}\b)")
_NAMED_NUMBER: Final = re.compile(r"\b([A-Z]{2,5}|[Ll]evel|[Rr]ank|[Rr]ound|[Hh]it:|[Pp]age|[Tt]otal) (?=[\d+\u2212(])")
_SUM: Final = re.compile(r"(?<=\d) ([+\u2212\u00d7\u2013]) (?=\d)")
_BONUS: Final = re.compile(r"(?<=[^\W\d_]) (?=[+\u2212]\d)")  # Athletics +4
_NUMBERED: Final = re.compile(r"(?<=[^\W\d_]) (?=\d{1,2}\Z)")  # at the end of a name: Town runner 1
_AVERAGE: Final = re.compile(r"(?<=\d) (?=\(\d*d\d)")


@lru_cache(maxsize=4096)  # each document has the same labels
def typographic(text: str, quotes: str = "\u201c\u201d\u2018\u2019") -> str:
    """Return a text with curly quotes, true minus signs, dashes in ranges, and no line breaks after numbers.

    `quotes` are the quotation marks of its language: double opening and closing, single opening and closing.
    """
    if not text or text.isalpha():
        return text
    if '"' in text:
        text = _DOUBLE.sub(rf"\g<1>{quotes[0]}", text).replace('"', quotes[1])
    if "'" in text:
        text = _SINGLE.sub(rf"\g<1>{quotes[2]}", _ELIDED.sub(quotes[3], text)).replace("'", quotes[3])
    text = _RANGE.sub(rf"\g<1>{EN_DASH}", text)
    text = _MINUS.sub(rf"\g<1>{MINUS}", text)
    text = _NAMED_NUMBER.sub(rf"\g<1>{NO_BREAK}", text)
    text = _SUM.sub(rf"{NO_BREAK}\g<1>{NO_BREAK}", text)
    text = _NUMBERED.sub(NO_BREAK, _BONUS.sub(NO_BREAK, text))
    return _UNIT.sub(NO_BREAK, _AVERAGE.sub(NO_BREAK, text))


def typographic_data(value: Any, quotes: str) -> Any:
    """Improve the typography of every text in plain data; keys are unchanged."""
    if isinstance(value, str):
        return typographic(value, quotes)
    if isinstance(value, Mapping):
        return {key: typographic_data(item, quotes) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [typographic_data(item, quotes) for item in value]
    return value
