"""Reads `.monster` files of Tetra-cube's stat block generator, with the same calculations as its web page."""

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from turnwright.importers.common import as_list, as_mapping, as_text
from turnwright.importers.documents import ParsedDocument
from turnwright.importers.formats import ImportFormat
from turnwright.importers.results import ImportedRecord, UnreadRecord
from turnwright.importers.stat_block import PrintedFeature, Record, StatBlock, read_blocks
from turnwright.importers.statblock_text.damage import as_int
from turnwright.importers.statblock_text.features import ONLY_MYTHIC
from turnwright.importers.statblock_text.header_lines import ABILITIES, legendary_count
from turnwright.importers.vocabulary import Patterns, terms
from turnwright.storage.fights import ConversionReport

_HIT_DICE: Final = {"tiny": 4, "small": 6, "medium": 8, "large": 10, "huge": 12, "gargantuan": 20, "titanic": 20}
_RE: Final = Patterns("tetra_cube")


def claims(document: ParsedDocument) -> bool:
    """Whether a document contains a creature of this generator, or a list of them."""
    return any(_is_creature(record) for record in _records(document.data)[:20])


def read(documents: Iterable[ParsedDocument], system: str) -> Iterator[ImportedRecord | UnreadRecord]:
    """Yield the creatures of the documents."""
    odd = "not a creature from this generator"
    return read_blocks(documents, system, _records, lambda *of: _Sheet(*of).block(), is_record=_is_creature, odd=odd)


def _records(data: Any) -> list[Any]:
    return data if isinstance(data, list) else [data]


def _is_creature(data: Any) -> bool:
    return isinstance(data, dict) and {"hitDice", "strPoints", "armorName", "sthrows"} <= data.keys()


class _Sheet:
    """One creature's record, with the numbers derived from it."""

    def __init__(self, record: Record, name: str, report: ConversionReport) -> None:
        self._record = record
        self._name = name
        self._account = report
        self._scores = {id: as_int(record.get(f"{id}Points")) for id in ABILITIES}
        self._bonus = self._proficiency()

    def block(self) -> StatBlock:
        """Return the stat block as the generator prints it."""
        record = self._record
        features = tuple(self._features())
        kind = " ".join(filter(None, (self._text("size"), self._text("type"))))
        tag = self._text("tag").strip("() ")
        return StatBlock(
            self._name,
            kind=f"{kind[:1].upper()}{kind[1:]}{f' ({tag})' if tag else ''}, {self._text('alignment')}",
            ac=self._armor_class(),
            hp=self._hit_points(),
            speeds=self._speed(),
            abilities=self._scores,
            saves=self._saves(),
            skills=", ".join(f"{as_text(one.get('name'))} {self._skill_bonus(one):+d}" for one in self._list("skills")),
            vulnerabilities=self._damage("v"),
            resistances=self._damage("r"),
            immunities=self._damage("i"),
            condition_immunities=self._conditions(),
            senses=self._senses(),
            languages=self._languages(),
            challenge=self._text("customCr") if self._text("cr") == "*" else self._text("cr"),
            proficiency=self._bonus if self._text("cr") == "*" else 0,
            features=features,
            legendary=self._legendary(),
            description="\n".join(filter(None, self._regional())),
            source="Tetra-cube",
            notes="" if not record.get("notes") else self._text("notes"),
        )

    def _text(self, key: str) -> str:
        return as_text(self._record.get(key)).strip()

    def _list(self, key: str) -> list[Record]:
        return [as_mapping(entry) for entry in as_list(self._record.get(key)) if isinstance(entry, dict)]

    def _names(self, key: str, where: str = "", value: str = "") -> list[str]:
        """Return the names in a list, of all entries or of those with this value."""
        return [as_text(one.get("name")) for one in self._list(key) if not where or as_text(one.get(where)) == value]

    def _number(self, key: str) -> int:
        return as_int(self._record.get(key)) or 0

    def _modifier(self, ability: str) -> int:
        return ((self._scores.get(ability) or 10) - 10) // 2

    def _proficiency(self) -> int:
        rating = self._text("cr")
        if rating == "*":
            return self._number("customProf")
        whole = as_int(rating) or 0
        return 2 + max(0, whole - 1) // 4

    def _armor_class(self) -> str:
        name, dexterity, shield = self._text("armorName").lower(), self._modifier("dex"), self._number("shieldBonus")
        held = ", shield" if shield else ""
        if name == "other":
            return self._text("otherArmorDesc")
        if name == "natural armor":
            return f"{10 + dexterity + self._number('natArmorBonus') + shield} (natural armor{held})"
        if name == "mage armor":
            base = 10 + dexterity + shield
            return f"{base} ({'shield, ' if shield else ''}{base + 3} with mage armor)"
        kind, base = terms("tetra_cube", "armour").get(name, ("", 10))
        if not kind and name not in ("", "none"):
            self._account.add_note("armorName", name, "unknown armour; treated as no armour")
        total = base + shield + {"medium": min(dexterity, 2), "heavy": 0}.get(kind, dexterity)
        return f"{total} ({name}{held})" if kind else f"{total}{' (shield)' if shield else ''}"

    def _hit_points(self) -> str:
        if self._record.get("customHP"):
            return self._text("hpText")
        count, constitution = self._number("hitDice"), self._modifier("con")
        die = _HIT_DICE.get(self._text("size").lower(), 8)
        total = count * constitution
        mean = max(1, count * (die + 1) // 2 + total)
        more = f" {'+' if total > 0 else '-'} {abs(total)}" if total else ""
        return f"{mean} ({count}d{die}{more})" if count else ""

    def _speed(self) -> str:
        if self._record.get("customSpeed"):
            return self._text("speedDesc")
        hovers = {"flySpeed": " (hover)" if self._record.get("hover") else ""}
        feet = ((key, word, self._number(key)) for key, word in terms("tetra_cube", "speeds").items())
        parts = (f"{word}{n} ft.{hovers.get(key, '')}" for key, word, n in feet if n or key == "speed")
        return ", ".join(parts)

    def _saves(self) -> str:
        abilities = [name.lower()[:3] for name in self._names("sthrows")]
        return ", ".join(f"{ability} {self._modifier(ability) + self._bonus:+d}" for ability in abilities)

    def _skill_bonus(self, skill: Record) -> int:
        name = as_text(skill.get("name")).lower()
        ability = as_text(skill.get("stat")).lower()[:3] or terms("abilities", "of_skills").get(name, "")
        return self._modifier(ability) + self._bonus * (2 if "ex" in as_text(skill.get("note")).lower() else 1)

    def _damage(self, kind: str) -> str:
        """Return resistances (`r`), immunities (`i`) or vulnerabilities (`v`), with semicolons between free texts."""
        special = self._names("specialdamage", "type", kind)
        return "; ".join(filter(None, (", ".join(self._names("damagetypes", "type", kind)), *special)))

    def _conditions(self) -> str:
        noted = ((as_text(one.get("name")), as_text(one.get("note"))) for one in self._list("conditions"))
        return ", ".join(name + (note if note.strip() else "") for name, note in noted)

    def _senses(self) -> str:
        parts = []
        for sense in ("blindsight", "darkvision", "tremorsense", "truesight"):
            feet = self._number(sense)
            blind = " (blind beyond this radius)" if sense == "blindsight" and self._record.get("blind") else ""
            parts += [f"{sense} {feet} ft.{blind}"] if feet else []
        skills = [skill for skill in self._list("skills") if as_text(skill.get("name")).lower() == "perception"]
        passive = 10 + (self._skill_bonus(skills[0]) if skills else self._modifier("wis"))
        return ", ".join([*parts, f"passive Perception {passive}"])

    def _languages(self) -> str:
        languages = [(as_text(one.get("name")), one.get("speaks", True)) for one in self._list("languages")]
        speaks = [name for name, spoken in languages if spoken]
        hears = [name for name, spoken in languages if not spoken]
        but = self._text("understandsBut")
        understood = f"understands {' and '.join(hears)}{f' but {but}' if but else ''}" if hears else ""
        telepathy = f"telepathy {self._number('telepathy')} ft." if self._number("telepathy") else ""
        return ", ".join(filter(None, (*speaks, understood, telepathy)))

    def _features(self) -> Iterator[PrintedFeature]:
        for key, cost, switch in terms("tetra_cube", "sections"):
            if switch and not self._record.get(switch):
                continue
            for entry in self._list(key):
                name, text = self._filled(as_text(entry.get("name"))), self._filled(as_text(entry.get("desc")))
                yield PrintedFeature(name, text, cost, ONLY_MYTHIC if key == "mythics" else "")
            title, preamble = terms("tetra_cube", "preambles").get(key, ("", ""))
            if self._text(preamble) and self._list(key):
                yield PrintedFeature(title, self._filled(self._text(preamble)), "trait")

    def _legendary(self) -> int:
        if not self._record.get("isLegendary") or not self._list("legendaries"):
            return 0
        return legendary_count(self._filled(self._text("legendariesDescription")))

    def _regional(self) -> Iterator[str]:
        if self._record.get("isRegional"):
            yield self._filled(self._text("regionalDescription"))
            texts = (as_text(entry.get("desc")) or as_text(entry.get("name")) for entry in self._list("regionals"))
            yield from map(self._filled, texts)
            yield self._filled(self._text("regionalDescriptionEnd"))

    def _filled(self, text: str) -> str:
        """Return a text with its tags replaced: `[STR ATK]`, `[WIS SAVE]`, `[STR 2D6 + 1]`, `[MON]`."""
        return _RE.tag.sub(self._tag, text.replace("\n>", "\n").lstrip(">"))

    def _tag(self, match: re.Match[str]) -> str:
        tag = " ".join(match[1].lower().split())
        if tag in ("mon", "mons"):
            name = self._text("shortName" if tag == "mon" else "pluralName")
            return name or f"{self._name.lower()}{'s' if tag == 'mons' else ''}"
        rolled = _RE.rolled.fullmatch(tag)
        if rolled is None or not (rolled["ability"] or rolled["kind"]):
            return match[0]
        kind = rolled["kind"] or ""
        total = self._modifier(rolled["ability"]) if rolled["ability"] else 0
        total += int((rolled["more"] or "0").replace(" ", ""))
        if kind == "atk":
            return f"{total + self._bonus:+d}"
        if kind == "save":
            return str(8 + total + self._bonus)
        if not kind:
            return f"{total:+d}"
        count, _, die = kind.partition("d")
        mean = max(int(count or 1) * (int(die) + 1) // 2 + total, 1)
        more = f" {'+' if total > 0 else '-'} {abs(total)}" if total else ""
        return f"{mean} ({count or 1}d{die}{more})"


FORMAT: Final = ImportFormat("tetra_cube", "Tetra-cube's generator", claims, read)
