"""Counts odd English in the texts of the project, by pattern and by place.

    python -m tests.plain_english                      counts per place, and hits per 1,000 words
    python -m tests.plain_english --show P05 docs      the hits of a pattern in a place
    python -m tests.plain_english --write              lower the limits in plain_english.toml to the present counts

A pattern is a symptom: a text without any hit can still be odd, and some hits are correct English. The limits are a
ratchet, so a count may only fall.
"""

from __future__ import annotations

import argparse
import ast
import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from tests.conftest import ROOT
from tests.syntax import comments, modules, name_of, nodes, sources

LIMITS = Path(__file__).with_suffix(".toml")
_BE = r"(?:is|are|was|were|be)"
_CLAUSE_VERBS = (
    r"(?:is|isn't|are|aren't|was|were|has|hasn't|have|had|can|can't|may|must|does|doesn't|did|didn't|stands?|lies|comes?"
    r"|goes|acts?|acted|waits?|falls?|fell|lasts?|lapses|ends?|holds?|knows?|saved|follows?)"
)
PATTERNS: dict[str, str] = {
    "P01 relative clause as a noun": rf"\b(?:[Ww]hat|[Ww]ho|[Ww]hoever|[Tt]hose who|[Aa]ll (?:that|who)) {_CLAUSE_VERBS}\b"
    r"(?![^.]{0,60}\?)",
    "P02 sentence begins with What, Whoever or Those who": r"(?:^|[.;:] )(?:What|Whoever|Those who|Who) [a-z'X]+ [^?]{3,}?(?:[.;,]|$)",
    "P03 is no + noun": rf"\b{_BE} (?:no (?!longer\b|more\b|less\b|one\b|later\b|way\b|need\b|\w+er than\b)|none of\b)",
    "P04 that X has not": r"\b(?:that|which|what) (?:the |a |an |no |this )?(?:\w+ )?(?:has|have|had) (?:not|none)\b"
    r"(?! (?:been|yet|\w+ed\b))|\b(?:has|have) not(?=[.,;:)]|$)|\bthat (?:no|nobody)\b",
    "P05 stands or lies for is": r"\b(?:stands?|stood|lies|lie|lay) (?:in|on|at|beside|there|here|as|behind|for|under|by|twice"
    r"|with|open|first|below|above|before|so|upon|upright)\b|\bas (?:it|they|things) (?:now )?stands?\b",
    "P06 is told, tells of": rf"\b{_BE} told\b|\btells? (?:of|that|why|what|how|at once|it|an?|the|in|whether|where)\b"
    r"|\bTell (?:of|that|why|at|an)\b",
    "P07 says what, is said": r"\byours to say\b|\b[Ss]ays (?:what|how|so|why|who|where|that|nothing|whose|which|it|them|otherwise)\b"
    r"|\b(?:was|is|are|been) said\b|\bnobody says\b",
    "P08 of one's own": r"\bof (?:one's|its|their|his|her|your|our) own\b|\bof ours\b",
    "P09 come about, come of": r"\bcom(?:es?|ing) (?:about|to nothing|of)\b|\bcame (?:of|about)\b|\bcomes? (?:with|to so)\b"
    r"|\bbecomes? of\b|\bbrings? about\b|\bcomes? up by itself\b",
    "P10 take back, put back": r"\b(?:[Tt]ake|[Tt]akes|taken|took|[Pp]ut|[Pp]uts) (?:it |them |that )?back\b",
    "P11 X where (for if)": r"\b(?:None|False|True|empty|0|nothing|only|even|also) where\b"
    r"|[,;] where (?:it|there|that|nobody|none|no|they|one|some|others|nothing|somebody|several)\b",
    "P12 None or empty for none": r"\b(?:None|[Ee]mpty|False|0|nothing) for (?:none|nothing|no\b|one|all|any|others)",
    "P13 XError for or where": r"\b[A-Z]\w*(?:Error|OutOfDice) (?:for|where|with|on|at)\b",
    "P14 for meaning because": r"[,;] for (?:it|they|there|no|you|wrong|what|its|their|not|he|she|most|both|these"
    r"|a \w+ (?:that|is|has|does))\b",
    "P15 figure for number": r"\b[Ff]igures?\b(?! out)",
    "P16 somebody, anybody, nobody, everybody": r"\b(?:some|any|no|every)body\b",
    "P17 so much, so many, as X as is": r"\b(?:so much|so many|as (?:high|far|many|much|long|low|near) as (?:is|it is))\b",
    "P18 anew, unasked, at its moment": r"\b(?:anew|afresh|from then on|henceforth|thereafter|unasked"
    r"|at (?:its|their|the) moment|for ever|meanwhile)\b",
    "P19 beside, besides": r"\b[Bb]esides?\b",
    "P20 go on, go by": r"\b(?:go|goes|going|gone|went) (?:on(?! the\b)|by)\b",
    "P21 taken along, handed on, let by": r"\b(?:let go|lets go|hand(?:ed|s)? on|let by|left off|leaves? (?:off|out)|made ready"
    r"|tak(?:en|es) along|passed over|pass over)\b",
    "P22 a thing that knows": r"\b(?:program|game|list|forecast|catalogue|file|encounter|command|engine|struct|entry)"
    r" (?:that )?(?:doesn't |does )?knows?\b|\b(?:is|are|isn't) (?:not )?known here\b|\bnobody knows\b",
    "P23 in the place of": r"\bin (?:the|its|their|his) place of\b|\bin place of\b",
    "P24 the one + clause": r"\b(?:the|an?|no|every|each|which|this|that|another|any) (?:\w+ )?ones?"
    r" (?:that|who|of|is|are|in|with|has|by)\b",
    "P25 neither, nor": r"\b(?:neither|nor)\b",
    "P26 the whole of": r"\b(?:[Tt]he whole of|whole of it|knows? whole|is done whole|to the last word)\b",
    "P27 and its kin": r"\b(?:and its kin|and the like)\b|, say(?:[.,)]|$)",
    "P28 mend": r"\b[Mm]end(?:s|ed|ing)?\b",
}
PLACE_PATTERNS: dict[str, dict[str, str]] = {
    "docs": {"F07 heading that begins with What": r"^#+ What "},
    "ui": {"F01 label that is a clause": r"^(?:What|Who|Whoever|How|Where|Those|Whether|Which) [^?]*$"},
    "docstrings": {
        "F03 Return what, how, who": r"^(?:Return|Yield) (?:what|how|who|where|those|for how|in which|by)\b",
        "F04 Let, Have": r"^(?:Let|Have) ",
    },
    "errors": {
        "F02 error that begins with its verb": r"^(?:is|has|holds|names|takes|comes|stands|goes|lacks|gives|copies|carries) "
    },
}
COMPILED = {name: re.compile(pattern) for name, pattern in PATTERNS.items()}
COMPILED_BY_PLACE = {
    place: {name: re.compile(pattern) for name, pattern in patterns.items()}
    for place, patterns in PLACE_PATTERNS.items()
}
_CODE = re.compile(r"`[^`\n]*`")
_FENCED = re.compile(r"```.*?```", re.DOTALL)
_LINK_TARGET = re.compile(r"\]\([^)]*\)")
_BREAK = re.compile(r"\n\s*\n|\n\s*[-*|] ?|\n\d+\. ")
_ERROR_CALL = re.compile(r"Error|Finding|finding|add_note|Unread|problem|fail")
_PRAGMA = re.compile(r"# (?:noqa|type:|mypy)")


class Text(NamedTuple):
    """A text with its place in a file."""

    where: str
    words: str


def texts_by_place() -> dict[str, list[Text]]:
    """Return the texts of the project by place: docs, changelog, ui, rules, docstrings, comments and errors."""
    documents = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "packaging" / "README.md"]
    by_place: dict[str, list[Text]] = {
        "docs": [text for path in documents if path.name != "CHANGELOG.md" for text in _paragraphs(path)],
        "changelog": list(_paragraphs(ROOT / "CHANGELOG.md")),
        "ui": [text for path in (ROOT / "resources" / "words").glob("*.toml") for text in _toml_texts(path)],
        "rules": [text for path in _rule_files() for text in _toml_texts(path) if len(text.words.split()) > 3],
        "docstrings": [],
        "comments": [],
        "errors": [],
    }
    for path, tree in modules():
        by_place["docstrings"] += _docstrings(path, tree)
        by_place["errors"] += _errors(path, tree)
    for path, source in sources():
        by_place["comments"] += _comments(path, source)
    return by_place


def _rule_files() -> list[Path]:
    systems, environments = ROOT / "resources" / "systems", ROOT / "resources" / "environments"
    return [*systems.glob("*/conditions.toml"), *systems.glob("*/options.toml"), *environments.rglob("*.toml")]


def _paragraphs(path: Path) -> Iterator[Text]:
    text = _LINK_TARGET.sub("]", _CODE.sub("CODE", _FENCED.sub("", path.read_text(encoding="utf-8"))))
    where = path.relative_to(ROOT).as_posix()
    yield from (Text(where, " ".join(part.split())) for part in _BREAK.split(text) if part.strip())


def _toml_texts(path: Path) -> Iterator[Text]:
    """Yield the texts of a TOML file that have several words, with placeholders as X."""
    where, values = path.relative_to(ROOT).as_posix(), [tomllib.loads(path.read_text(encoding="utf-8"))]
    while values:
        value = values.pop()
        if isinstance(value, dict):
            values += value.values()
        elif isinstance(value, list):
            values += value
        elif isinstance(value, str) and " " in value:
            yield Text(where, re.sub(r"\{[^}]*\}", "X", value))


def _docstrings(path: str, tree: ast.Module) -> Iterator[Text]:
    for node in nodes(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            text = ast.get_docstring(node)
            if text:
                yield Text(f"{path}:{getattr(node, 'lineno', 1)}", _CODE.sub("CODE", " ".join(text.split())))


def _errors(path: str, tree: ast.Module) -> Iterator[Text]:
    """Yield the literals in calls and raises that make errors, findings and refusals."""
    for node in nodes(tree):
        call = node.exc if isinstance(node, ast.Raise) else node
        if isinstance(call, ast.Call) and _ERROR_CALL.search(name_of(call.func)):
            for part in ast.walk(call):
                if isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value.count(" ") > 1:
                    yield Text(f"{path}:{part.lineno}", part.value)


def _comments(path: str, source: str) -> Iterator[Text]:
    for line, comment in comments(source):
        if not _PRAGMA.match(comment):
            yield Text(f"{path}:{line}", _CODE.sub("CODE", comment.lstrip("# ")))


def hits(pattern: re.Pattern[str], texts: Iterable[Text]) -> list[Text]:
    """Return the texts with a hit of a pattern, once for each hit."""
    return [text for text in texts for _ in pattern.finditer(text.words)]


def patterns_of(place: str) -> dict[str, re.Pattern[str]]:
    """Return the patterns counted in a place."""
    return COMPILED | COMPILED_BY_PLACE.get(place, {})


def counts(by_place: dict[str, list[Text]]) -> dict[str, dict[str, int]]:
    """Return the number of hits by place and by the id of the pattern, without zeros."""
    return {
        place: {
            name[:3]: number
            for name, pattern in patterns_of(place).items()
            if (number := sum(len(pattern.findall(text.words)) for text in texts))
        }
        for place, texts in by_place.items()
    }


def limits() -> dict[str, dict[str, int]]:
    """Return the most hits allowed, by place and by the id of the pattern."""
    return tomllib.loads(LIMITS.read_text(encoding="utf-8"))


def _write_limits(found: dict[str, dict[str, int]]) -> None:
    """Write limits that are at most the present ones."""
    before = limits() if LIMITS.exists() else {}
    lines = ["# The most hits of each pattern in each place; see plain_english.py. A number may only fall."]
    for place, numbers in found.items():
        known = before.get(place, {})
        lines += ["", f"[{place}]"]
        lines += [f"{id} = {min(number, known.get(id, 0) if before else number)}" for id, number in numbers.items()]
    LIMITS.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    """Print the counts, show hits, or lower the limits."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", nargs=2, metavar=("PATTERN", "PLACE"), help="print the hits of a pattern in a place")
    parser.add_argument("--write", action="store_true", help="lower the limits to the present counts")
    chosen = parser.parse_args()
    by_place = texts_by_place()
    found = counts(by_place)
    if chosen.show:
        id, place = chosen.show
        pattern = next(pattern for name, pattern in patterns_of(place).items() if name.startswith(id))
        for text in hits(pattern, by_place[place]):
            print(f"{text.where}: {text.words}")
        return
    if chosen.write:
        _write_limits(found)
    for place, texts in by_place.items():
        words = sum(len(text.words.split()) for text in texts)
        total = sum(number for id, number in found[place].items() if id.startswith("P"))
        print(f"{place}: {total} hits in {words} words, {1000 * total / words:.1f} per 1,000")


if __name__ == "__main__":
    main()
