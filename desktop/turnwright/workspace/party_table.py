"""The table of a party: converts rows of typed cells to its characters, and pasted text to rows.

A name and a level are enough. The game's usual numbers for class and level replace empty cells and are marked as
assumed. A row of an existing member changes only the cells that differ; with another level, the numbers that are still
assumed are worked out again. This module only reads rows; the window shows them and executes the command.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeVar

import msgspec

from turnwright.dice.expression import DiceError, parse
from turnwright.encounter.prepared import Creature, Feature, Party, Role, RosterEntry
from turnwright.encounter.roles import CHARACTER_TAG, PARTY, role_of
from turnwright.encounter.state import Encounter, creature_id, numbered, unique_id
from turnwright.importers.traits.powers import MOST_LEVELS, CharacterRules
from turnwright.importers.vocabulary import terms
from turnwright.rules.parts.preparation.presets import (
    PERCEPTION,
    CharacterPreset,
    assumed,
    known_attack,
    preset_of,
    typed_feature,
)
from turnwright.rules.parts.stat_block.prose import Translate
from turnwright.rules.system import RuleSystem
from turnwright.rules.system_data.presets import PresetWeapon
from turnwright.rules.word_keys import signed_text
from turnwright.workspace.quick_add import CreatureFinder, class_levels

CELLS: Final = ("name", "player", "classes", "ac", "hp", "initiative", "perception", "attacks")
EDITED: Final = CELLS[:5]  # of existing members
NUMBERS: Final = {"ac": (0, 60), "hp": (1, 9999), "initiative": (-30, 60), "perception": (-30, 60)}
# of the level, but no numbers
_FOLLOWS: Final = ("text", "short", "other_damage", "spares", "extra_attack", "properties")
_TIMES: Final = re.compile(r"^(\d{1,2})\s*[x×]\s+")
_SAVE: Final = re.compile(r"\bdc\s*(\d{1,2})\b(?:\s+(?!half\b|basic\b)([a-z]+))?(\s+(?:half|basic))?", re.IGNORECASE)
_REACH: Final = re.compile(r"\breach\s+(\d{1,3})\b", re.IGNORECASE)
_RANGE: Final = re.compile(r"\b(?:range\s+(\d{1,4}(?:/\d{1,4})?)|(\d{1,4}/\d{1,4}))\b", re.IGNORECASE)
_BONUS: Final = re.compile(r"(?:^|\s)([+\-−]\d{1,2})(?=\s|$)")
_DAMAGE: Final = re.compile(r"(?:^|\s)(\d{0,2}d\d{1,3}.*|\d{1,3}\s+[a-z]+.*)$", re.IGNORECASE)
Member = tuple[Creature, RosterEntry]
Held = TypeVar("Held", Creature, Feature)


class PartyRow(msgspec.Struct, frozen=True):
    """The typed cells of a row, and its role. `owner` is the number of the row of a companion's character.

    `member` is the existing member of the row.
    """

    name: str = ""
    player: str = ""
    classes: str = ""
    ac: str = ""
    hp: str = ""
    initiative: str = ""
    perception: str = ""
    attacks: str = ""
    role: Role = "character"
    owner: int = -1
    member: Member | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing is typed, in a new row."""
        return self.member is None and not any(getattr(self, cell).strip() for cell in CELLS)


class ReadRow(msgspec.Struct, frozen=True):
    """A row as it was read. `proposed` are the numbers for its empty cells, and `assumed` the texts of assumptions.

    `unread` are the words that weren't understood, by the key of the reason. `kept` are the names of typed numbers that a
    new level doesn't change.
    """

    creature: Creature
    entry: RosterEntry
    proposed: tuple[tuple[str, str], ...] = ()
    assumed: tuple[str, ...] = ()
    unread: tuple[tuple[str, str], ...] = ()
    kept: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        """The number of assumed numbers."""
        return len(self.creature.assumed) + sum(len(feature.assumed) for feature in self.creature.features)


class PartyReader:
    """Reads rows with the classes, weapons and spells of a game."""

    def __init__(self, rules: RuleSystem, classes: CharacterRules, find: CreatureFinder, say: Translate) -> None:
        self._rules, self._data, self._classes = rules, rules.data, classes
        self._find, self._say = find, say

    def classes(self, level: int) -> tuple[str, ...]:
        """Return the texts that complete the class cell: each class with a level."""
        return tuple(f"{each.id} {level}" for each in self._data.presets.classes)

    def character(self, levels: Mapping[str, int]) -> Creature:
        """Return a new character with the usual numbers and attacks of these levels."""
        hit_dice = (n for name, n in levels.items() if self._classes.features.classes[name].hit_die)
        return self._usual(self._rules.new_creature("", ""), dict(levels), sum(hit_dice) or max(levels.values()))

    def read(self, rows: Sequence[PartyRow]) -> tuple[ReadRow, ...]:
        """Read the rows in order. The level of a row is that of the row above unless it is typed."""
        found: list[ReadRow] = []
        level = 1
        for row in rows:
            read = self._row(row, level) if row.member is None else self._changed(row, *row.member)
            level = read.creature.level or level
            found.append(read)
        return tuple(found)

    def party(self, rows: Sequence[PartyRow], id: str, name: str) -> Party:
        """Return the party of all rows with a name."""
        ids: dict[int, str] = {}
        names: list[str] = []
        creatures, roster = [], []
        for number, (row, read) in enumerate(zip(rows, self.read(rows), strict=True)):
            if not row.name.strip():
                continue
            own = numbered(read.creature.name, names, " ")
            names.append(own)
            ids[number] = unique_id(own, ids.values(), "member")
            creature = msgspec.structs.replace(read.creature, id=ids[number], name=own)
            creatures.append(creature)
            links = {"creature": ids[number], "controller": ids.get(row.owner, ""), "rides": ""}
            roster.append(msgspec.structs.replace(read.entry, id=ids[number], **links))
        return Party(id, name, tuple(creatures), tuple(roster))

    def _row(self, row: PartyRow, level_above: int) -> ReadRow:
        levels, level, block, unknown = self._class(row, level_above)
        unread = [(word, "class") for word in unknown]
        name = row.name.strip()
        creature = block or self._rules.new_creature("", "")
        creature = msgspec.structs.replace(creature, id=creature_id(name), name=name[:1].upper() + name[1:])
        preset = preset_of(self._data, self._classes.features.all_levels(levels), level)
        if row.role == "character":
            rating = str(level) if self._data.presentation.leveled else ""
            creature = msgspec.structs.replace(creature, level=level, rating=rating, tags=(CHARACTER_TAG,))
        if levels:
            creature = self._with_class(creature, levels, preset)
        numbers, wrong_numbers = _numbers(row)
        unread += wrong_numbers
        proposed = self._proposed(creature, preset)
        attacks = row.attacks if row.attacks.strip() else ", ".join(preset.usual(creature)) if preset else ""
        creature, wrong = self._with_attacks(self._with_numbers(creature, numbers), attacks, preset)
        if levels:
            creature = self._classes.applied(creature, levels)  # now with the masteries of its weapons
        entry = RosterEntry("", "", side=PARTY, role=row.role, player=row.player.strip())
        proposed["attacks"] = attacks
        proposed["classes"] = creature.classes
        texts = tuple(self._assumptions(creature))
        return ReadRow(creature, entry, tuple(proposed.items()), texts, (*unread, *wrong))

    def _class(self, row: PartyRow, level_above: int) -> tuple[dict[str, int], int, Creature | None, list[str]]:
        """Read a class cell: the levels by class, the whole level, the stat block that it names, and unknown words."""
        words = row.classes.replace(",", " ").replace("/", " ").split()
        levels, rest = class_levels(("", *words), self._classes.names)
        rest = [*rest][1:]
        numbers = [word for word in rest if word.isdecimal() and 1 <= int(word[:3]) <= MOST_LEVELS]
        level = int(next(iter(numbers), level_above))
        rest = [word for word in rest if word not in numbers]
        levels |= {word.casefold(): level for word in rest if word.casefold() in self._classes.names}
        rest = [word for word in rest if word.casefold() not in self._classes.names]
        block = self._find(" ".join(rest)) if rest and not levels and row.role != "character" else None
        usual = self._data.presets.usual
        if row.role == "character" and not levels and block is None and usual:
            levels = {usual: level}
        total = sum(n for name, n in levels.items() if self._classes.features.classes[name].hit_die)
        return levels, total or level, block, [] if block is not None else rest

    def _with_class(self, creature: Creature, levels: dict[str, int], preset: CharacterPreset | None) -> Creature:
        names = " ".join(f"{name} {level}" for name, level in levels.items())
        replace = msgspec.structs.replace
        creature = replace(creature, classes=names, level=0)
        if preset is not None:
            creature = replace(creature, abilities=creature.abilities or preset.abilities())
        own = {feature.id for feature in creature.features}
        creature = self._classes.applied(creature, levels)
        features = (each if each.id in own else assumed(each) for each in creature.features)
        hp = self._classes.hit_points(creature, levels) + self._data.presets.hp
        creature = replace(creature, features=tuple(features), hp=hp)
        names_of = ["hp", *(name for name in ("proficiency", "slots") if getattr(creature, name))]
        if preset is not None:
            creature = replace(creature, ac=preset.ac(), saves=preset.saves(creature))
            creature = self._with_perception(creature, preset.perception(creature))
            names_of = ["ac", "abilities", "saves", self._perception_field, *names_of]
        return replace(creature, assumed=tuple(names_of))

    @property
    def _perception_field(self) -> str:
        return "passives" if self._data.presentation.has("passives") else "skills"

    def _with_perception(self, creature: Creature, bonus: int) -> Creature:
        is_passive = self._perception_field == "passives"
        value = ((PERCEPTION, bonus + 10 if is_passive else bonus),)
        return msgspec.structs.replace(creature, **{self._perception_field: value})

    def _with_numbers(self, creature: Creature, numbers: dict[str, int]) -> Creature:
        """Return a stat block with the typed numbers, which aren't assumed."""
        typed = {name: number for name, number in numbers.items() if name != PERCEPTION}
        if PERCEPTION in numbers:
            typed[self._perception_field] = ((PERCEPTION, numbers[PERCEPTION]),)  # type: ignore[assignment]
        left = tuple(name for name in creature.assumed if name not in typed)
        return msgspec.structs.replace(creature, **typed, assumed=left)

    def _proposed(self, creature: Creature, preset: CharacterPreset | None) -> dict[str, str]:
        if preset is None:
            return {"ac": str(creature.ac), "hp": str(creature.hp)}
        sense = dict(getattr(creature, self._perception_field)).get(PERCEPTION, 0)
        is_sensed = self._perception_field == "skills"
        initiative = sense if is_sensed else self._data.modifier_of(creature, "dex")
        numbers = {"initiative": signed_text(initiative), PERCEPTION: signed_text(sense) if is_sensed else str(sense)}
        return {"ac": str(creature.ac), "hp": str(creature.hp), **numbers}

    # Existing members -----------------------------------------------------------------------------------------------

    def rows_of(self, party: Party) -> tuple[PartyRow, ...]:
        """Return the rows of an existing party. The cells of assumed numbers are empty."""
        lookup, rows = Encounter(party.creatures + party.roster), []
        places = {entry.id: number for number, entry in enumerate(party.roster)}
        for entry in party.roster:
            block = lookup.get(Creature, entry.creature) or Creature(entry.creature, entry.creature)
            ac, hp = (
                ("" if name in block.assumed else str(getattr(block, name))) if own is None else str(own)
                for name, own in (("ac", entry.ac), ("hp", entry.hp))
            )
            classes = block.classes or str(entry.level or block.level or "")
            name, role = entry.name or block.name, role_of(lookup, entry)
            owner = places.get(entry.controller, -1)
            rows.append(PartyRow(name, entry.player, classes, ac, hp, role=role, owner=owner, member=(block, entry)))
        return tuple(rows)

    @staticmethod
    def raised(text: str, by: int = 1) -> str:
        """Return the text of a class cell with another level of the first class."""
        return re.sub(r"\d+", lambda match: str(int(match[0]) + by), text, count=1)

    def changed(self, party: Party, rows: Sequence[PartyRow]) -> Party:
        """Return an existing party with the changes of its rows. Everything that isn't in the table stays."""
        typed = {row.member[1].id: row for row in rows if row.member is not None}
        blocks, roster = {block.id: block for block in party.creatures}, []
        for former in self.rows_of(party):
            block, entry = former.member or (Creature("", ""), RosterEntry("", ""))
            (read,) = self.read((msgspec.structs.replace(typed.get(entry.id, former), member=former.member),))
            if read.creature != block:
                blocks[block.id] = read.creature
            roster.append(read.entry)
        return msgspec.structs.replace(party, creatures=tuple(blocks.values()), roster=tuple(roster))

    def _changed(self, row: PartyRow, creature: Creature, entry: RosterEntry) -> ReadRow:
        replace = msgspec.structs.replace
        kept: tuple[str, ...] = ()
        (before,) = self.rows_of(Party("", "", (creature,), (entry,)))
        most, (numbers, unread) = entry.hp or creature.hp, _numbers(row)
        if row.classes.split() not in ([], before.classes.split()):
            levels, level, _, unknown = self._class(replace(row, role="guest"), entry.level or creature.level)
            unread += [(word, "class") for word in unknown]
            if levels and creature.classes:
                creature = self._levelled(creature, levels, level)
            elif not row.classes.strip().isdecimal():
                creature = replace(creature, classes=row.classes.strip())
            rating = str(level) if creature.rating == str(creature.level) else creature.rating
            creature, entry = replace(creature, level=level, rating=rating), replace(entry, level=entry.level and level)
            same = [cell for cell in ("hp", "ac") if getattr(row, cell).strip() == getattr(before, cell) != ""]
            hard = [each.name for each in creature.features if each.attack is not None and "attack" not in each.assumed]
            kept = (*(self._say(f"ui.party-table.{cell}") for cell in same), *hard)
        for name in ("ac", "hp"):
            if name in numbers and getattr(row, name).strip() != getattr(before, name):
                if getattr(entry, name) is None:
                    creature = self._with_numbers(creature, {name: numbers[name]})
                else:
                    entry = replace(entry, **{name: numbers[name]})
        name = row.name.strip() or before.name
        creature = creature if entry.name else replace(creature, name=name)
        after, state = entry.hp or creature.hp, entry.state
        if state is not None and after != most and not state.dead:
            state = replace(state, hp=min(after, state.hp + max(0, after - most)))
        entry = replace(entry, name=entry.name and name, player=row.player.strip(), state=state)
        ac = creature.ac if entry.ac is None else entry.ac
        attacks = ", ".join(each.name for each in creature.features if each.attack is not None or each.save)
        proposed = (
            ("name", name), ("classes", before.classes), ("ac", str(ac)), ("hp", str(after)), ("attacks", attacks),
        )  # fmt: skip
        return ReadRow(creature, entry, proposed, tuple(self._assumptions(creature)), tuple(unread), kept)

    def _levelled(self, creature: Creature, levels: dict[str, int], level: int) -> Creature:
        """Return a character of other levels. Only assumed numbers change, and new class features are added."""
        former, total, *_ = self._class(PartyRow(classes=creature.classes), creature.level)
        base, after = self._usual(creature, former, total), self._usual(creature, levels, level)
        held, old, new = ({feature.id: feature for feature in each.features} for each in (creature, base, after))
        risen = [
            _risen(each, old.get(each.id, new[each.id]), new[each.id]) if each.assumed and each.id in new else each
            for each in creature.features
        ]
        gained = [new[id] for id in new if id not in held and id not in old]
        if not old.keys() <= held.keys():  # chosen attacks and spells stay as they are
            gained = [each for each in gained if known_attack(self._data, each.name) is None]
        creature = msgspec.structs.replace(creature, classes=after.classes, features=(*risen, *gained))
        return _risen(creature, base, after)

    def _usual(self, creature: Creature, levels: dict[str, int], level: int) -> Creature:
        """Return the usual numbers of a character, with its assumed attacks and its usual attacks."""
        preset = preset_of(self._data, self._classes.features.all_levels(levels), level)
        own = () if "abilities" in creature.assumed else creature.abilities
        block = self._with_class(
            msgspec.structs.replace(self._rules.new_creature("", ""), abilities=own), levels, preset
        )
        names = [each.name for each in creature.features if each.assumed and known_attack(self._data, each.name)]
        names += preset.usual(block) if preset is not None else ()
        return self._with_attacks(block, ", ".join(names), preset)[0]

    # Attacks and spells ---------------------------------------------------------------------------------------------

    def _with_attacks(
        self, creature: Creature, text: str, preset: CharacterPreset | None
    ) -> tuple[Creature, list[tuple[str, str]]]:
        features, unread, times = list(creature.features), [], creature.attacks
        for part in filter(None, (each.strip() for each in text.split(","))):
            number = _TIMES.match(part)
            times = max(times, int(number[1])) if number is not None else times
            feature, wrong = self._attack(part[number.end() if number else 0 :], creature, preset)
            features = [each for each in features if each.id != feature.id]
            features.append(feature)
            unread += wrong
        return msgspec.structs.replace(creature, features=tuple(features), attacks=max(1, times)), unread

    def _attack(
        self, text: str, creature: Creature, preset: CharacterPreset | None
    ) -> tuple[Feature, list[tuple[str, str]]]:
        """Read an attack or a spell: a name, and numbers that replace those of the game."""
        typed: dict[str, object] = {}
        unread: list[tuple[str, str]] = []
        name = text

        def take(pattern: re.Pattern[str]) -> re.Match[str] | None:
            nonlocal name
            match = pattern.search(name)
            if match is not None:
                name = f"{name[: match.start()]} {name[match.end() :]}".strip()
            return match

        if (save := take(_SAVE)) is not None:
            ability = self._ability(save[2] or "")
            unread += [(save[2], "save")] if save[2] and not ability else []
            typed |= {"dc": int(save[1])} | ({"half": True} if save[3] else {}) | ({"save": ability} if ability else {})
        if (reach := take(_REACH)) is not None:
            typed["reach"] = int(reach[1])
        if (distance := take(_RANGE)) is not None:
            typed["range"] = distance[1] or distance[2]
        if (bonus := take(_BONUS)) is not None:
            typed["attack"] = int(bonus[1].replace("−", "-"))
        if (dice := take(_DAMAGE)) is not None:
            typed["damage"], wrong = self._damage(dice[1].strip())
            unread += wrong
        found = known_attack(self._data, name)
        if found is None or preset is None:
            feature = typed_feature(name or text)
            if not {"attack", "damage", "dc"} & typed.keys():
                return feature, [(feature.name, "attack")]
            properties = ("weapon",) if "attack" in typed else ()
            usual = {"reach": 5} if properties and not {"reach", "range"} & typed.keys() else {}
            return msgspec.structs.replace(feature, properties=properties, **(usual | typed)), unread
        is_weapon = isinstance(found, PresetWeapon)
        feature = preset.weapon(creature, found) if is_weapon else preset.spell(creature, found)  # type: ignore[arg-type]
        left = tuple(each for each in feature.assumed if each not in typed)
        other = {"other_damage": ()} if "damage" in typed else {}
        return msgspec.structs.replace(feature, **typed, **other, assumed=left), unread

    def _ability(self, word: str) -> str:
        plain = word.casefold()
        named = (each.id for each in self._data.abilities if plain in (each.id, each.name.casefold()))
        return dict(self._data.presets.save_words).get(plain) or next(named, "")

    def _damage(self, text: str) -> tuple[str, list[tuple[str, str]]]:
        """Return typed damage with the ids of its types, and the words that aren't understood."""
        ids = {each.name.casefold(): each.id for each in self._data.damage_types}
        ids |= {each.id: each.id for each in self._data.damage_types}
        words = text.replace(" plus ", " + ").split()
        kinds = [word for word in words if word.isalpha() and not re.fullmatch(r"d\d+|or", word.casefold())]
        unread = [(word, "damage") for word in kinds if word.casefold() not in ids]
        kept = " ".join(ids.get(word.casefold(), word) for word in words if (word, "damage") not in unread)
        try:
            parse(kept)
        except DiceError:
            return "", [(text, "damage")]
        return kept, unread

    # Assumptions in words -------------------------------------------------------------------------------------------

    def _assumptions(self, creature: Creature) -> Iterable[str]:
        shorts = {each.id: each.short for each in self._data.abilities} | dict(self._data.presentation.saves)
        others = []
        for feature in creature.features:
            parts = []
            if feature.attack is not None and "attack" in feature.assumed:
                parts.append(signed_text(feature.attack))
            if feature.damage and "damage" in feature.assumed:
                parts.append(feature.damage)
            if feature.save and "dc" in feature.assumed:
                ability = shorts.get(feature.save, feature.save)
                parts.append(self._say("ui.party-table.save", ability=ability, n=feature.dc))
            if parts:
                yield f"{feature.name} {', '.join(parts)}"
            elif feature.assumed and feature.attack is None and not feature.save:
                others.append(feature.name)
        if others:
            yield ", ".join(others)
        if "slots" in creature.assumed:
            yield self._say("ui.party-table.slots", what=" / ".join(str(count) for _, count in creature.slots))
        if "saves" in creature.assumed:
            saves = ", ".join(f"{shorts.get(id, id)} {signed_text(bonus)}" for id, bonus in creature.saves)
            yield self._say("ui.party-table.saves", what=saves)


def _risen(record: Held, base: Held, after: Held) -> Held:
    """Return a record with the assumed numbers and the texts of another level. Its typed ones stay."""
    names: set[str] = {*after.assumed} - ({*base.assumed} - {*record.assumed})
    plain: list[str] = [name for name in _FOLLOWS if getattr(record, name, None) == getattr(base, name, 0)]
    numbers: dict[str, Any] = {name: getattr(after, name) for name in (*names, *plain)}
    return msgspec.structs.replace(record, **numbers, assumed=tuple(dict.fromkeys((*record.assumed, *sorted(names)))))


def _numbers(row: PartyRow) -> tuple[dict[str, int], list[tuple[str, str]]]:
    """Return the typed numbers of a row, and the texts that aren't numbers."""
    numbers, unread = {}, []
    for cell, (least, most) in NUMBERS.items():
        text = getattr(row, cell).strip().replace("−", "-")
        if re.fullmatch(r"[+-]?\d{1,4}", text) and least <= int(text) <= most:
            numbers[cell] = int(text)
        elif text:
            unread.append((text, "number"))
    return numbers, unread


def pasted_rows(text: str) -> tuple[PartyRow, ...]:
    """Return the rows of a table with tabs, such as one copied from a spreadsheet. A row of headings is recognised."""
    lines = [[cell.strip() for cell in line.split("\t")] for line in text.splitlines() if line.strip()]
    if not lines:
        return ()
    headings = [_heading(cell) for cell in lines[0]]
    columns: Sequence[str] = CELLS
    if sum(map(bool, headings)) >= 2 and len(lines) > 1:
        columns, lines = headings, lines[1:]
    rows = []
    for line in lines:
        cells: dict[str, str] = {}
        for column, cell in zip(columns, line, strict=False):
            if column and cell:
                cells[column] = f"{cells[column]} {cell}" if column in cells else cell
        rows.append(PartyRow(**cells))  # type: ignore[arg-type]
    return tuple(rows)


def _heading(cell: str) -> str:
    plain = cell.casefold()
    matches = (name for start, name in terms("party_table", "headings").items() if plain.startswith(start))
    return next(matches, "") if plain.isprintable() and not any(map(str.isdigit, plain)) else ""
