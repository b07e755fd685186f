"""Texts and files made to be slow to read; `benchmarks/bench_hostile.py` measures what they cost."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

MARKS = (
    "<", "<a", '<a "', "<!--", "[", "[[", "@A[", "*a", "**", "_a ", "&#", "&", "{@a ", "\n \n", "<script>", "[a](", "`", "(", "@Damage[",
    "<a'", "<li>", "]", "[[/r ", "@Check[dc:",
)  # fmt: skip
PROSE = (
    "takes 1 (" * 30_000,
    "DC 10 " * 30_000,
    "Strength saving throw " * 10_000 + "DC ",
    "Melee Weapon Attack: " * 10_000,
    "reach 5 ft. " * 900 + "Hit: 1 (1d4) fire damage " * 700,
    ("the target is prone. a" * 900)[:19_000] + " DC 10 Strength saving throw",
    "1" * 19_000 + " to hit DC 1 damage",
    "Melee Attack Roll: +4 " + "is " * 5_000 + "prone",
    "one with its bite or " * 90,
    "Melee Weapon Attack: +4 to hit. " + "the target is pushed 5 feet " * 700,
)
NOTES = {
    "heading": "# " + "#" * 200_000 + "x\n" + "```statblock\nname: x\nhp: 3\n```\n",
    "fences": "```statblock\nname: x\nhp: 3\n```\n" + "```\n" * 100_000,
    "circles": "".join(f"```statblock\nname: n{n}\nextends: [n{n + 1}, n{n + 1}, n{n + 1}]\nac: 3\n```\n" for n in range(60)),
    "lines": "```statblock\nlayout: Pathfinder 2e\nname: x\nhp: 3\nlevel: 1\nspeed: \"" + "a," * 50_000 + "\"\nattacks:\n - {name: x, desc: \"" + " " * 50_000 + "\"}\n```\n",
    "quotes": "> " * 100_000 + "\n```statblock\nname: x\nhp: 3\n```\n",
}  # fmt: skip


def goblin(name: str = "Goblin", **more: Any) -> dict[str, Any]:
    """Return a stat block in a format that many programs write."""
    return {
        "Name": name,
        "Type": "Small humanoid, neutral evil",
        "HP": {"Value": 7, "Notes": "(2d6)"},
        "AC": {"Value": 15, "Notes": ""},
        "Speed": ["30 ft."],
        "Abilities": {"Str": 8, "Dex": 14, "Con": 10, "Cha": 8, "Int": 10, "Wis": 8},
        "Challenge": "1/4",
        **more,
    }


def files(part: float = 1.0) -> Iterator[tuple[str, str]]:
    """Return the name and the text of files of half a megabyte, or of a part of that."""

    def times(count: int) -> int:
        return round(count * part)

    def named(content: str, name: str = "A", under: str = "Traits", count: int = 3) -> str:
        return json.dumps([goblin(**{under: [{"Name": name, "Content": content}] * count})])

    yield "deep.json", "[" * times(500_000)
    yield "deep.yaml", "a: " + "[" * times(500_000)
    yield "block.yaml", "- " * times(250_000)
    yield "deep.toml", "a = " + "[" * times(500_000)
    yield "number.yaml", "a: " + ":".join(["59"] * times(160_000))
    yield "hex.yaml", "a: 0x" + "f" * times(500_000)
    yield "spaces.md", " " * times(500_000) + "```"
    yield "fences.md", "```\n" * times(120_000)
    yield "tildes.md", "~~~~statblock\n" * times(35_000)
    yield "heads.md", "---\n" * times(125_000)
    yield "brackets.json", named("(" * times(190_000), count=2)
    yield "marks.json", named("[[@UUID[" * times(20_000))
    yield "tags.json", named("<a <!-- &amp" * times(15_000))
    yield "hits.json", named("Hit: 5 (1d6 + 2) plus " * times(8_000), under="Actions")
    yield "spaces.json", named(" " * times(190_000), "A ( " * times(4_000), count=2)


def honest(part: float = 1.0) -> str:
    """Return a collection of stat blocks of half a megabyte, or of a part of that."""
    return json.dumps([goblin(f"G{number}") for number in range(round(2_000 * part))])
