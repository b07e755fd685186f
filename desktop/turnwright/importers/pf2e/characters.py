"""Player characters of Pathfinder 2e: the arithmetic of ranks, and the inputs that Foundry stores instead of totals."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Final

import msgspec

from turnwright.encounter.prepared import NamedNumbers
from turnwright.importers.characters import Assumptions, Character
from turnwright.importers.common import as_list, as_mapping, as_text, int_at, list_at, nested_value, number_at, text_at
from turnwright.importers.pf2e import foundry
from turnwright.importers.pf2e.foundry import system_data_of, value_of, values_of
from turnwright.importers.pf2e.markup import SKILLS
from turnwright.importers.pf2e.stat_block import SourceNumber, SourceSpells, SourceStatBlock, SourceStrike
from turnwright.importers.statblock_text.damage import as_int
from turnwright.importers.statblock_text.header_lines import ABILITIES
from turnwright.importers.vocabulary import terms
from turnwright.storage.fights import ConversionReport, UnreadableError

Record = Mapping[str, Any]
_TITLES: Final[Mapping[str, str]] = terms("abilities", "titles")
_RANKS: Final[tuple[str, ...]] = terms("pf2e_characters", "ranks")
_RANK: Final = re.compile(r"system\..*?([\w-]+)\.rank")
_AWAY: Final = frozenset({"stowed", "dropped"})


class Sums:
    """The level, ability modifiers and ranks (0 to 4) of a character, and the totals that follow from them."""

    def __init__(
        self, level: int, modifiers: Mapping[str, int], ranks: Mapping[str, int], report: ConversionReport
    ) -> None:
        self.level, self.modifiers, self.ranks = level, modifiers, ranks
        self.assumed, self.half = Assumptions(report), (level + 1) // 2

    def total(self, ability: str, rank: int, item: int = 0) -> int:
        """Return a total bonus: without the level if it is untrained."""
        return self.modifiers[ability] + (self.level + 2 * rank if rank else 0) + item

    def formula(self, ability: str, rank: int, item: int = 0) -> str:
        """Return the parts of a total bonus in words: `level 4, expert, Strength +4`."""
        extra = f", item {item:+d}" if item else ""
        return f"level {self.level}, {_RANKS[rank]}, {_TITLES[ability]} {self.modifiers[ability]:+d}{extra}"

    def saves(self, item: int = 0) -> NamedNumbers:
        """Return the saves by ability."""
        saves = terms("pf2e_characters", "saves").items()
        return tuple((ability, self.total(ability, self.ranks.get(save, 0), item)) for save, ability in saves)

    def skills(self, lores: Iterable[tuple[str, int]]) -> tuple[SourceNumber, ...]:
        """Return the trained skills, with `lores` and their ranks."""
        known = ((id, ability, self.ranks.get(id, 0)) for id, ability in terms("pf2e_characters", "skills").items())
        rows = (*known, *((name, "int", rank) for name, rank in lores))
        return tuple(SourceNumber(name, self.total(ability, rank)) for name, ability, rank in rows if rank)

    def strike(
        self, name: str, traits: Sequence[str], rank: int, potency: int, dice: tuple[int, str, str], far: int = 0,
        attack: int | None = None, more: int | None = None, extra: Sequence[str] = (), special: int = 0,
    ) -> SourceStrike:  # fmt: skip
        """Return a Strike from its dice (number, die and type). The source may state its attack and added damage."""
        ranged = far > 0 and not any(trait.startswith("thrown") for trait in traits)
        ability = "dex" if ranged else max(("str", "dex")[: 1 + ("finesse" in traits)], key=self.modifiers.__getitem__)
        if attack is None:
            attack = self.total(ability, rank, potency)
            self.assumed.add("attack", attack, self.formula(ability, rank, potency), called=f"{name}: attack")
        if more is None:
            strength = self.modifiers["str"]
            more = special + (strength if not ranged else min(strength, strength // 2) if "propulsive" in traits else 0)
            self.assumed.add("damage", f"{more:+d}", "Strength and specialization", called=f"{name}: damage")
        harm = f"{dice[0]}{dice[1] or 'd4'}{f'{more:+d}' if more else ''} {dice[2] or 'untyped'}"
        return SourceStrike(name, attack, tuple(traits), " plus ".join((harm, *extra)), ranged=ranged, increment=far)

    def casting(self, spells: SourceSpells, rank: int) -> SourceSpells:
        """Return a spell list with its DC and its attack."""
        attack = self.total(spells.ability, rank)
        return msgspec.structs.replace(spells, dc=10 + attack, attack=attack)


def usual_weapon(name: str) -> tuple[tuple[str, ...], int]:
    """Return the traits and the range increment of a common weapon by its name, or none if it is unknown."""
    traits: tuple[str, ...] = terms("pf2e_characters", "weapons").get(name.lower().strip(), ())
    own = tuple(trait for trait in traits if not trait.startswith("range "))
    return own, int(traits[-1].split()[-1]) if len(own) < len(traits) else 0


def with_prepared_spells(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return a character's items. Of the spells in lists that are prepared, only the prepared ones stay, at their rank."""
    entries = [item for item in items if text_at(system_data_of(item), "prepared", "value") == "prepared"]
    ids, prepared = {text_at(entry, "_id") for entry in entries}, list[dict[str, Any]]()
    listed = [text_at(system_data_of(item), "location", "value") in ids for item in items]
    rest = [item for item, is_listed in zip(items, listed, strict=True) if not is_listed]
    spells = {text_at(item, "_id"): item for item, is_listed in zip(items, listed, strict=True) if is_listed}
    for entry in entries:
        slots = as_mapping(system_data_of(entry).get("slots"))
        chosen = [(id, one) for id, slot in slots.items() for one in values_of(nested_value(slot, "prepared"))]
        for spell, id in [(spells[text_at(one, "id")], id) for id, one in chosen if text_at(one, "id") in spells]:
            body, rank = system_data_of(spell), as_int(id.removeprefix("slot")) or None
            place = {**as_mapping(body.get("location")), "heightenedLevel": rank}
            prepared.append({**spell, "system": {**body, "location": place}})
    return [*rest, *prepared]


def with_worked_out_numbers(block: SourceStatBlock, record: Record, report: ConversionReport) -> SourceStatBlock:
    """Return the stat block of a Foundry character with the totals that its file lacks.

    Raise UnreadableError if the file has no class and ancestry.
    """
    items = [item for item in as_list(record.get("items")) if isinstance(item, dict)]
    return _Sheet(system_data_of(record), items, report).block(block)


class _Sheet:
    """The inputs of a character: boosts, ranks and equipment."""

    def __init__(self, body: Record, items: Sequence[Record], report: ConversionReport) -> None:
        self._body, self._items = body, items
        first = {kind: next((found for _, found in self._of(kind)), {}) for kind in ("ancestry", "class", "background")}
        self._ancestry, self._class, self._background = first.values()
        for key in ("ancestry", "class"):
            if int_at(first[key], "hp") is None:
                raise UnreadableError(f"items: expected an item of type {key!r} with the key system.hp, found none")
        self._rules = [as_mapping(one) for item in items for one in as_list(system_data_of(item).get("rules"))]
        masteries = [rule for rule in self._rules if rule.get("key") == "MartialProficiency"]
        self._masteries = [(repr(rule.get("definition")), min(4, number_at(rule, "value"))) for rule in masteries]
        self._chosen = {text_at(rule, "selection") for rule in self._rules}
        level = max(1, as_int(value_of(nested_value(body, "details", "level"))) or 1)
        self._sums = Sums(level, self._ability_modifiers(), self._proficiency_ranks(), report)

    def _of(self, kind: str) -> Iterator[tuple[str, Record]]:
        """Yield the names and data of the items of a type, except those that are put away."""
        for item in self._items:
            body = system_data_of(item)
            if text_at(item, "type") == kind and text_at(body, "equipped", "carryType") not in _AWAY:
                yield foundry.name_of(item), body

    def _ability_modifiers(self) -> dict[str, int]:
        """Return the ability modifiers: those in the file, or the sums of boosts and flaws."""
        stated = {id: int_at(self._body, "abilities", id, "mod") for id in ABILITIES}
        if None not in stated.values():
            return {id: number or 0 for id, number in stated.items()}
        key = text_at(self._class, "keyAbility", "selected") or text_at(self._body, "details", "keyability", "value")
        boosts, flaws = [key], list[str]()
        for body in (self._ancestry, self._background):
            others = list_at(body, "alternateAncestryBoosts")
            for row in [] if others else values_of(body.get("boosts")):
                options = (*list_at(row, "value"), "")
                boosts.append(text_at(row, "selected") or (as_text(options[0]) if len(options) == 2 else ""))
            flaws += [] if others else [one for row in values_of(body.get("flaws")) for one in list_at(row, "value")]
            boosts += others
        for chosen in as_mapping(nested_value(self._body, "build", "attributes", "boosts")).values():
            boosts += as_list(chosen)
        sums = {id: boosts.count(id) - flaws.count(id) for id in ABILITIES}
        return {id: number if number < 5 else 4 + (number - 4) // 2 for id, number in sums.items()}

    def _proficiency_ranks(self) -> dict[str, int]:
        """Return the ranks by name: those of the class, raised by skills, class features and feats."""
        ranks = [(name, self._class.get(name)) for name in ("perception", "spellcasting")]
        for group in ("savingThrows", "attacks", "defenses"):
            ranks += [(name, value_of(rank)) for name, rank in as_mapping(self._class.get(group)).items()]
        ranks += [(name, nested_value(one, "rank")) for name, one in as_mapping(self._body.get("skills")).items()]
        for body in (self._class, self._background):
            ranks += [(as_text(name), 1) for name in list_at(body, "trainedSkills", "value")]
        for item in self._items:
            raised = as_mapping(nested_value(system_data_of(item), "subfeatures", "proficiencies"))
            ranks += [(name, nested_value(one, "rank")) for name, one in raised.items()]
        own_class = f"class:{text_at(self._class, 'slug')}"
        for rule in self._rules:
            match = _RANK.fullmatch(text_at(rule, "path"))
            if match and (not rule.get("predicate") or own_class in repr(rule["predicate"])):
                ranks.append((match[1], rule.get("value")))
        highest: dict[str, int] = {}
        for name, rank in ((SKILLS.get(name, name), min(4, as_int(rank) or 0)) for name, rank in ranks):
            highest[name] = max(highest.get(name, 0), rank)
        return highest

    def _weapon_rank(self, weapon: Record) -> int:
        """Return the rank with a weapon, from its category and from features about its group."""
        kind, group = text_at(weapon, "category"), text_at(weapon, "group")
        groups = (f"group:{group}'", *(["group:{"] if group in self._chosen else []))
        meant = [
            rank
            for words, rank in self._masteries
            if any(one in words for one in groups) and f"category:{kind}'" in words
        ]
        return max(self._sums.ranks.get(kind, 0), *meant, 0)

    def _bonus(self, *selectors: str) -> int:
        """Return the sum of the unconditional modifiers to a number."""
        rules = [rule for rule in self._rules if rule.get("key") == "FlatModifier" and not rule.get("predicate")]
        values = [rule.get("value") for rule in rules if rule.get("selector") in selectors]
        return sum(self._sums.level if value == "@actor.level" else as_int(value) or 0 for value in values)

    def block(self, block: SourceStatBlock) -> SourceStatBlock:
        """Return the stat block with all totals."""
        sums, hp = self._sums, as_mapping(nested_value(self._body, "attributes", "hp"))
        worn = (one for _, one in self._of("armor") if text_at(one, "category") != "shield")
        armour = next((one for one in worn if nested_value(one, "equipped", "inSlot") is not False), {})
        con, more, now = sums.modifiers["con"], self._bonus("hp"), int_at(hp, "value")
        first, per_level = number_at(self._ancestry, "hp"), number_at(self._class, "hp")
        most = max(first + sums.level * (per_level + con) + more, now or 0)
        how = f"{first} + level {sums.level} × ({per_level} {con:+d}) {more:+d}; at least the current hit points"
        sums.assumed.add("hp", most, how)
        for field, why in terms("pf2e_characters", "formulas").items():
            if field != "spells" or block.spells:
                sums.assumed.add(field, "", why)
        lores = [(name, min(4, number_at(one, "proficient", "value"))) for name, one in self._of("lore")]
        names = {kind: [name for name, _ in self._of(kind)] for kind in ("heritage", "ancestry", "class")}
        feats = ", ".join(action.name for action in block.actions if action.cost == "trait")
        vision = re.sub(r"(?=[A-Z])", "-", text_at(self._ancestry, "vision")).lower().replace("normal", "")
        ac, strikes, spells = self._armor_class(armour), tuple(self._strikes()), tuple(map(self._cast, block.spells))
        level, land = f"{' '.join(names['class']).lower()} {sums.level}", SourceNumber("land", self._speed(armour))
        assumed = frozenset(sums.assumed.fields)
        person = Character(level, hp=now, temp_hp=max(0, number_at(hp, "temp")), assumed=assumed)
        other = [one for one in block.speeds if isinstance(one, SourceNumber) and one.name != "land"]
        return msgspec.structs.replace(
            block, level=sums.level, size=block.size or text_at(self._ancestry, "size"), hp=most, ac=ac, strikes=strikes,
            traits=(*block.traits, *foundry.traits(self._ancestry)), abilities=tuple(sums.modifiers.items()),
            saves=sums.saves(_rune(armour, "resilient", "resiliencyRune")), skills=sums.skills(lores),
            perception=sums.total("wis", sums.ranks.get("perception", 0)), spells=spells, character=person,
            senses=(*block.senses, *filter(None, [vision])), speeds=(land, *other),
            actions=tuple(action for action in block.actions if action.cost != "trait"),
            description="\n\n".join(filter(None, (" ".join(chain(*names.values())), f"Feats: {feats}", block.description))),
        )  # fmt: skip

    def _armor_class(self, armour: Record) -> int:
        sums, cap = self._sums, as_int(value_of(armour.get("dexCap")))
        rank = sums.ranks.get(text_at(armour, "category") or "unarmored", 0)
        item = (as_int(value_of(armour.get("acBonus"))) or 0) + _rune(armour, "potency", "potencyRune")
        over = max(0, sums.modifiers["dex"] - cap) if cap is not None else 0
        ac = 10 + sums.total("dex", rank, item) - over + self._bonus("ac")
        sums.assumed.add("ac", ac, f"10, {sums.formula('dex', rank, item)}{f', at most {cap}' if over else ''}")
        return ac

    def _speed(self, armour: Record) -> int:
        need, strength = number_at(armour, "strength"), self._sums.modifiers["str"]
        eased = 5 if strength >= (need if need < 10 else (need - 10) // 2) else 0
        penalty = min(0, (as_int(value_of(armour.get("speedPenalty"))) or 0) + eased)
        base, more = int_at(self._ancestry, "speed") or 25, self._bonus("land-speed", "speed", "all-speeds")
        self._sums.assumed.add("speeds", base + more + penalty, f"{base}, armour {penalty:+d}, feats {more:+d}")
        return max(5, base + more + penalty)

    def _strikes(self) -> Iterator[SourceStrike]:
        slugs = {text_at(body, "slug") for _, body in self._of("feat")}
        times = 2 if "greater-weapon-specialization" in slugs else int("weapon-specialization" in slugs)
        for name, body in self._of("weapon"):
            rank, far = self._weapon_rank(body), as_int(value_of(body.get("range"))) or 0
            count = (number_at(body, "damage", "dice") or 1) + _rune(body, "striking", "strikingRune")
            dice = (count, text_at(body, "damage", "die"), text_at(body, "damage", "damageType"))
            potency, special = _rune(body, "potency", "potencyRune"), times * rank if rank > 1 else 0
            yield self._sums.strike(name, foundry.traits(body), rank, potency, dice, far, special=special)

    def _cast(self, spells: SourceSpells) -> SourceSpells:
        if spells.dc or not spells.ability:
            return spells
        entries = [(name, number_at(one, "proficiency", "value")) for name, one in self._of("spellcastingEntry")]
        ranks = (self._sums.ranks.get("spellcasting", 0), *(rank for name, rank in entries if name == spells.name))
        return self._sums.casting(spells, min(4, max(1, *ranks)))


def _rune(item: Record, name: str, older: str) -> int:
    """Return the bonus of a rune, which early versions of files store under an older name."""
    stated = nested_value(item, "runes", name)
    word = value_of(item.get(older)) if stated is None else stated
    return as_int(word) or terms("pf2e_characters", "runes").get(as_text(word), 0)
