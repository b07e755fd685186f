"""Encounter files as people write them: the same content under headers, in dotted keys and on one line, with comments
anywhere, odd spaces, every spelling of numbers and texts, and unknown keys."""

import random

WORDS = [
    "Grim",
    "Öwl of Ægir",
    "it's",
    'the "thin" ice',
    "雪女",
    "a # b",
    "[not.a.header]",
    "x = 1",
    "C:\\dir",
    "{",
    "}",
]
COMMENTS = [
    "plain",
    "don't",
    'a "quote',
    "[creatures.ghost]",
    "hp = 3",
    "{ [ '''",
    "雪",
    "12:30 \\e",
    "---- Who ----",
    "",
]
NAMES = ["raider", "boss", "old crow", "ü", "a.b", "3", "wolf-1", "it's"]


class Style:
    """One person's way of writing, from a seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.indents = self.random.random() < 0.3
        self.comments = self.random.choice([0.0, 0.1, 0.4])
        self.inline = self.random.choice([0.1, 0.3, 0.7])

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def space(self) -> str:
        return self.random.choice(["", " ", " ", " ", "  ", "\t"])

    def comment(self) -> str:
        return "#" + self.random.choice(["", " "]) + self.random.choice(COMMENTS)

    def key(self, name: str) -> str:
        bare = name.isascii() and name.replace("-", "").replace("_", "").isalnum()
        if bare and not self.chance(0.05):
            return name
        return f"'{name}'" if "'" not in name and self.chance(0.5) else '"' + name.replace('"', '\\"') + '"'

    def dotted(self, names: list[str]) -> str:
        return self.random.choice([".", ".", ".", " . ", ". "]).join(map(self.key, names))

    def number(self, value: int) -> str:
        spelled = [str(value)] * 4 + ([hex(value), f"+{value}", f"{value:_}"] if value >= 0 else [])
        return self.random.choice(spelled)

    def text(self, value: str) -> str:
        basic = '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
        if "\n" in value:
            return self.random.choice(['"""\n' + value.replace("\\", "\\\\") + '"""', f"'''\n{value}'''", basic])
        literal = "'" not in value
        return self.random.choice(
            [basic, basic, f"'{value}'" if literal else basic, f'"""{value}"""' if value.isalpha() else basic]
        )

    def value(self, value: object) -> str:
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, int):
            return self.number(value)
        if isinstance(value, str):
            return self.text(value)
        return self.row(value) if isinstance(value, dict) else self.array(value)

    def row(self, table: dict) -> str:
        """A table on one line."""
        if not table:
            return "{}"
        pairs = []
        for name, value in table.items():
            if isinstance(value, dict) and value and self.chance(0.3):
                pairs += [
                    f"{self.dotted([name, inner])} = {self.value_on_line(found)}" for inner, found in value.items()
                ]
            else:
                pairs.append(f"{self.key(name)}{self.space()}={self.space()}{self.value_on_line(value)}")
        edge = self.random.choice(["", " "])
        return "{" + edge + self.random.choice([",", ", ", " , ", ",  "]).join(pairs) + edge + "}"

    def value_on_line(self, value: object) -> str:
        text = self.value(value)
        while "\n" in text:
            text = self.value(value)
        return text

    def array(self, values: list) -> str:
        if not values or self.chance(0.5):
            comma = "," if values and self.chance(0.2) else ""
            return "[" + self.random.choice([",", ", ", " , "]).join(map(self.value_on_line, values)) + comma + "]"
        lines = []
        for number, value in enumerate(values):
            if self.chance(self.comments / 2):
                lines.append(f"    {self.comment()}")
            last = number == len(values) - 1 and self.chance(0.5)
            note = f" {self.comment()}" if self.chance(self.comments) else ""
            lines.append(f"    {self.value_on_line(value)}{'' if last else ','}{note}")
        return "[\n" + "\n".join(lines) + "\n]"

    def notes(self) -> list[str]:
        """Comments and empty lines that may stand above anything."""
        if not self.chance(self.comments):
            return []
        return [
            self.random.choice(["", self.comment(), f"  {self.comment()}"]) for _ in range(self.random.randrange(1, 4))
        ]

    def pair(self, names: list[str], value: object) -> list[str]:
        indent = self.space() if self.indents else ""
        end = f"{self.space()}{self.comment()}" if self.chance(self.comments) else self.random.choice(["", "", "", " "])
        return [*self.notes(), f"{indent}{self.dotted(names)}{self.space()}={self.space()}{self.value(value)}{end}"]

    def header(self, path: list[str], array: bool = False) -> list[str]:
        space = self.random.choice(["", "", "", " "])
        opening, closing = ("[[", "]]") if array else ("[", "]")
        end = f" {self.comment()}" if self.chance(self.comments) else ""
        empty = [] if self.chance(0.3) else [""]
        indent = self.space() if self.indents else ""
        return [*empty, *self.notes(), f"{indent}{opening}{space}{self.dotted(path)}{space}{closing}{end}"]

    def table(self, path: list[str], table: dict, prefix: tuple[str, ...] = ()) -> tuple[list[str], list[str]]:
        """The lines of a table's pairs, and the lines of the tables with headers below it."""
        pairs: list[str] = []
        below: list[str] = []
        headed = False
        for name, value in table.items():
            names = [*prefix, name]
            nested = isinstance(value, dict) and bool(value)
            if nested and not prefix and (headed or not self.chance(self.inline)):
                headed = True
                inside, under = self.table([*path, name], value)
                bare = not inside and bool(under) and self.chance(0.7)
                below += [*([] if bare else self.header([*path, name])), *inside, *under]
            elif nested and self.chance(0.4) and not any(isinstance(inner, list) for inner in value.values()):
                pairs += self.table(path, value, tuple(names))[0]
            elif isinstance(value, list) and value and isinstance(value[0], dict) and not prefix and self.chance(0.6):
                for element in value:
                    inside, under = self.table([*path, name], element)
                    below += [*self.header([*path, name], array=True), *inside, *under]
            else:
                pairs += self.pair(names, value)
        return pairs, below


def content(draw: random.Random) -> dict:
    """The tables of a small encounter."""
    names = draw.sample(NAMES, draw.randrange(1, 5))
    tables: dict = {"format": 3, "system": "a5e", "title": draw.choice(WORDS)}
    if draw.random() < 0.3:
        tables["weather"] = {"sky": draw.choice(WORDS), "wind": 16}
    tables["scene"] = {"round_seconds": draw.choice([6, 10]), "notes": draw.choice(["Rain.\nMud.", "Fog"])}
    tables["creatures"] = {name: creature(draw) for name in names}
    tables["roster"] = {f"{name} {number}": entry(draw, name) for number, name in enumerate(names)}
    if draw.random() < 0.5:
        tables["environments"] = {"bog": {"name": "Bog", "actions": {"sink": {"name": "Sink", "dc": 12}}}}
    if draw.random() < 0.6:
        outcomes = [{"kind": "announce", "text": draw.choice(WORDS)}, {"kind": "deal-damage", "damage": "2d6 cold"}]
        tables["countdowns"] = {"ice": {"name": "Ice", "dice": draw.randrange(1, 9), "outcomes": outcomes}}
    if draw.random() < 0.4:
        tables["map"] = {"columns": 6, "rows": 3, "ground": "..##..\n..,,..\n......\n", "walls": [[2, 0, 2, 2]]}
    return tables


def creature(draw: random.Random) -> dict:
    fields = {
        "name": draw.choice(WORDS),
        "hp": draw.randrange(1, 300),
        "favourite_food": draw.choice(WORDS),
        "ac": draw.randrange(1, 30),
        "speeds": {"walk": 30, "swim": draw.randrange(5, 60)},
        "resistances": draw.sample(["cold", "fire", "acid"], draw.randrange(4)),
        "features": {
            name: {"name": draw.choice(WORDS), "attack": draw.randrange(1, 12)}
            for name in draw.sample(["axe", "roar", "a.b", "ü"], draw.randrange(3))
        },
        "languages": draw.choice(WORDS),
    }
    keep = {"name", *draw.sample(sorted(fields), draw.randrange(2, len(fields)))}
    return {name: value for name, value in fields.items() if name in keep}


def entry(draw: random.Random, creature: str) -> dict:
    fields = {"creature": creature, "count": draw.randrange(2, 9), "wave": draw.choice(WORDS), "colour": "red"}
    return {name: value for name, value in fields.items() if name == "creature" or draw.random() < 0.5}


def hand_written(seed: int) -> str:
    """An encounter file in one person's style."""
    style = Style(seed)
    pairs, below = style.table([], content(style.random))
    text = "\n".join([*pairs, *below, *style.notes()])
    text += style.random.choice(["\n", "\n", "", "\n\n"])
    if style.chance(0.25):
        text = text.replace("\n", "\r\n")
    return "\ufeff" + text if style.chance(0.05) else text
