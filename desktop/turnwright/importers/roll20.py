"""Reads exported Roll20 characters with the attributes of the *D&D 5e by Roll20* sheet."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from turnwright.importers import characters, formats, results, vocabulary
from turnwright.importers.common import as_list, as_mapping, as_text, named_numbers, text_at
from turnwright.importers.documents import ParsedDocument
from turnwright.importers.stat_block import ABILITIES, PrintedFeature, StatBlock, read_blocks, spell_list
from turnwright.importers.statblock_text.damage import as_int
from turnwright.importers.statblock_text.header_lines import SKILLS
from turnwright.importers.statblock_text.markup import plain_text
from turnwright.storage.fights import ConversionReport

Attributes = Mapping[str, tuple[str, str]]  # current value and maximum, keyed by lower-case name
_RE: Final = vocabulary.Patterns("roll20")
_DEFENCES: Final = ("vulnerabilities", "resistances", "immunities", "condition_immunities")


def claims(document: ParsedDocument) -> bool:
    """Whether a document contains Roll20 characters with their attributes."""
    return any(True for _ in _characters(document.data))


def read(documents: Iterable[ParsedDocument], system: str) -> Iterator[results.ImportedRecord | results.UnreadRecord]:
    """Yield the creatures among the characters, and player characters as parties of one."""
    return read_blocks(documents, system, _characters, _block, name_of=_name, entry="character")


def _characters(data: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the characters of an export: a single one, one in a wrapper, a list, or a full campaign."""
    table = as_mapping(data)
    records = table.get("characters") if isinstance(table.get("characters"), list) else [table.get("character", data)]
    for entry in data if isinstance(data, list) else as_list(records):
        record = as_mapping(as_mapping(entry).get("character")) or as_mapping(entry)
        if any(_is_attribute(each) for each in _attributes(record)[:10]):
            yield record


def _attributes(record: Mapping[str, Any]) -> list[Any]:
    return as_list(record.get("attribs")) or as_list(record.get("attributes"))


def _is_attribute(entry: Any) -> bool:
    return isinstance(entry, dict) and isinstance(entry.get("name"), str) and "current" in entry


def _current(record: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
    """Return the attributes of a character, keyed by lower-case name."""
    sound = filter(_is_attribute, _attributes(record))
    return {one["name"].lower(): (text_at(one, "current").strip(), text_at(one, "max").strip()) for one in sound}


def _name(record: Mapping[str, Any]) -> str:
    return _Sheet(_current(record)).value("npc_name") or as_text(record.get("name"))


def _block(record: Mapping[str, Any], name: str, report: ConversionReport) -> StatBlock:
    values = _current(record)
    sheet = _Sheet(values)
    is_npc = any(key.startswith(("npc_type", "repeating_npc")) for key in values)
    if not is_npc and sheet.value("npc") not in ("1", "true", "on"):
        return sheet.person(name, plain_text(as_text(record.get("bio"))))
    return sheet.block(name, plain_text(as_text(record.get("bio"))), report)


class _Sheet:
    """The attributes of one character."""

    def __init__(self, values: Attributes) -> None:
        self._values = values

    def value(self, *names: str) -> str:
        """Return the current value of the first of these attributes that has one."""
        return next((value for name in names if (value := self._values.get(name, ("", ""))[0])), "")

    def block(self, name: str, bio: str, report: ConversionReport) -> StatBlock:
        """Return the stat block as the sheet shows it."""
        hp = self.value("npc_hpbase") or self._values.get("hp", ("", ""))[1] or self.value("hp")
        dice = self.value("npc_hpformula")
        armour = self.value("npc_actype").strip("()")
        experience = self.value("npc_xp")
        defences: dict[str, Any] = {field: self.value(f"npc_{field}") for field in _DEFENCES}
        return StatBlock(
            name, kind=self.value("npc_type"), ac=f"{self.value('npc_ac')}{f' ({armour})' if armour else ''}",
            hp=f"{hp} ({dice})" if dice and dice != hp else hp, speeds=self.value("npc_speed"), saves=self._saves(),
            abilities={id: self.value(f"{name}_base", name) for id, name in ABILITIES}, skills=self._skills(),
            senses=plain_text(self.value("npc_senses")), languages=plain_text(self.value("npc_languages")),
            passives=named_numbers([("perception", self.value("passive_wisdom", "passive"))]), **defences,
            challenge=f"{self.value('npc_challenge')}{f' ({experience} XP)' if experience else ''}",
            proficiency=as_int(self.value("npc_pb")) or 0, legendary=as_int(self.value("npc_legendary_actions")) or 0,
            features=tuple(self._features(report)), description=bio, source="Roll20",
        )  # fmt: skip

    def person(self, name: str, bio: str) -> StatBlock:
        """Return the stat block of a player character."""
        hp, level = self._values.get("hp", ("", "")), as_int(self.value("level", "base_level")) or 1
        slots = {str(n): as_int(self.value(f"lvl{n}_slots_total")) or 0 for n in range(1, 10)}
        left = ((n, most, as_int(self.value(f"lvl{n}_slots_expended"))) for n, most in slots.items() if most)
        trained = [(id, title) for id, title in ABILITIES if self.value(f"{title}_save_prof") not in ("", "0")]
        used = tuple((n, most - now) for n, most, now in left if now is not None)
        character = characters.Character(
            f"{self.value('class').lower()} {level}".strip(), hp=as_int(hp[0]), used=used, temp_hp=max(0, as_int(self.value("hp_temp")) or 0)
        )  # fmt: skip
        return StatBlock(
            name, kind=f"{self.value('size') or 'medium'} humanoid", ac=self.value("ac"), hp=hp[1] or hp[0], level=level,
            speeds=f"{self.value('speed') or 30} ft.", abilities={id: self.value(title, f"{title}_base") for id, title in ABILITIES},
            saves=named_numbers((id, self.value(f"{title}_save_bonus")) for id, title in trained), character=character,
            skills=named_numbers((id, self.value(f"{id.replace('-', '_')}_bonus")) for id in sorted(SKILLS)),
            passives=named_numbers([("perception", self.value("passive_wisdom"))]), proficiency=as_int(self.value("pb")) or 0,
            spellcasting=next((id for id, title in ABILITIES if title in self.value("spellcasting_ability")), ""),
            slots=tuple((n, most) for n, most in slots.items() if most), initiative=as_int(self.value("initiative_bonus")),
            features=tuple(self._features_of_person()), description=bio, source="Roll20",
        )  # fmt: skip

    def _features_of_person(self) -> Iterator[PrintedFeature]:
        spells = list[tuple[int, str]]()
        for (kind, _), row in self._rows(_RE.person_row).items():
            if kind == "attack" and row.get("atkname"):
                far, dealt = row.get("atkrange") or "5", _RE.damage.findall(row.get("atkdmgtype", ""))
                figures = {"attack_flag": "on", "attack_tohit": row.get("atkbonus", "")}
                figures |= {"attack_range": f"{far} ft" if far[-1:].isdecimal() else far}
                figures |= {"attack_type": "Ranged" if "/" in far else "Melee"}
                for number, (dice, word) in zip(("", "2"), dealt, strict=False):
                    figures |= {f"attack_damage{number}": dice, f"attack_damagetype{number}": word}
                yield PrintedFeature(row["atkname"], _text(figures), "action")
            elif kind == "traits" and row.get("name"):
                yield PrintedFeature(plain_text(row["name"]), plain_text(row.get("description", "")), "trait")
            elif row.get("spellname") and (kind == "spell-cantrip" or row.get("spellprepared") not in ("", "0")):
                spells.append((as_int(kind.removeprefix("spell-")) or 0, row["spellname"]))
        if spells:
            yield spell_list("Spellcasting", spells, [""] * len(spells), as_int(self.value("spell_save_dc")) or 0)

    def _rows(self, pattern: re.Pattern[str]) -> dict[tuple[str, str], dict[str, str]]:
        """Return the rows of the sheet's lists, keyed by list and id."""
        rows: dict[tuple[str, str], dict[str, str]] = {}
        for key, (value, _most) in self._values.items():
            if match := pattern.fullmatch(key):
                rows.setdefault((match[1], match[2]), {})[match[3]] = value
        return rows

    def _saves(self) -> str:
        bonuses = ((id, self.value(f"npc_{id}_save_base", f"npc_{id}_save")) for id, _ in ABILITIES)
        return ", ".join(f"{id} {_signed(bonus)}" for id, bonus in bonuses if _signed(bonus))

    def _skills(self) -> str:
        names = ((skill, skill.replace("-", "_")) for skill in sorted(SKILLS))
        bonuses = ((skill, self.value(f"npc_{key}_base", f"npc_{key}")) for skill, key in names)
        return ", ".join(f"{skill.replace('-', ' ')} {_signed(bonus)}" for skill, bonus in bonuses if _signed(bonus))

    def _features(self, report: ConversionReport) -> Iterator[PrintedFeature]:
        rows = self._rows(_RE.row)
        for section, cost in vocabulary.terms("roll20", "sections").items():
            for (kind, _id), row in rows.items():
                name = plain_text(row.get("name", ""))
                if kind == section and (name or row.get("description") or row.get("desc")):
                    yield PrintedFeature(name, _text(row), cost)
            if section == "npcaction-m" and any(kind == section for kind, _ in rows):
                why = "imported as legendary actions; see the text for when they can be used"
                report.add_note("mythic actions", "", why)
        if preamble := plain_text(self.value("npc_legendary_actions_desc")):
            yield PrintedFeature("Legendary Actions", preamble, "trait")


def _signed(text: str) -> str:
    number = as_int(text)
    return "" if number is None else f"{number:+d}"


def _text(row: Mapping[str, str]) -> str:
    """Return the text of a row, preceded by an attack's numbers, which the sheet keeps in separate fields."""
    text = plain_text(row.get("description") or row.get("desc") or "")
    bonus = as_int(row.get("attack_tohit"))
    if row.get("attack_flag") not in ("on", "1") or bonus is None or re.search(r"to hit|Attack Roll", text):
        return text
    kind = row.get("attack_type", "") or "Melee"
    far = row.get("attack_range", "").strip().rstrip(".,")
    word = "range" if kind.lower().startswith("ranged") else "reach"
    far = far if not _RE.feet.match(far) else f"{word} {far}"
    where = ", ".join(filter(None, (far, row.get("attack_target", "").strip().rstrip("."))))
    parts = [_damage(row.get(f"attack_damage{n}", ""), row.get(f"attack_damagetype{n}", "")) for n in ("", "2")]
    harm = " plus ".join(filter(None, parts))
    head = f"{kind} Weapon Attack: {bonus:+d} to hit{f', {where}' if where else ''}."
    return " ".join(filter(None, (head, f"Hit: {harm}." if harm else "", text)))


def _damage(dice: str, kind: str) -> str:
    match = _RE.dice.fullmatch(dice.strip())
    words = f"{kind.strip().lower()} damage" if kind.strip() else "damage"
    if match is None:
        return f"{dice.strip()} {words}" if dice.strip().isdecimal() else ""
    more = int((match[3] or "0").replace(" ", ""))
    mean = max(1, int(match[1] or 1) * (int(match[2]) + 1) // 2 + more)
    dice_text = f"{match[1] or 1}d{match[2]}{f' {chr(43) if more > 0 else chr(45)} {abs(more)}' if more else ''}"
    return f"{mean} ({dice_text}) {words}"


FORMAT: Final = formats.ImportFormat("roll20", "Roll20 characters", claims, read)
