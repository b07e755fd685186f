"""Generates the tables of docs/statements.md from the words of facts. The text above them is written by hand."""

from __future__ import annotations

from pathlib import Path

from turnwright.rules.system_data.statements import FACTS, FactWord

DOCUMENT = Path(__file__).resolve().parent.parent / "docs" / "statements.md"
HEADINGS = {
    "roll": "Facts about a roll",
    "two": "Facts about two creatures",
    "one": "Facts about one creature",
}
NOTES = {"two": "The fact is about one of the two creatures in a roll, in relation to the other.\n\n"}


def document(written: str) -> str:
    """Return the text of the document with new tables."""
    return written.partition(f"## {HEADINGS['roll']}")[0] + "\n".join(_table(about) for about in HEADINGS)


def _table(about: str) -> str:
    rows = "".join(f"| `{_form(word, fact)}` | {fact.text} |\n" for word, fact in FACTS.items() if fact.about == about)
    return f"## {HEADINGS[about]}\n\n{NOTES.get(about, '')}| Fact | True if |\n|---|---|\n{rows}"


def _form(word: str, fact: FactWord) -> str:
    return f"{word}:{fact.example}" if fact.example else word


if __name__ == "__main__":
    DOCUMENT.write_text(document(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
