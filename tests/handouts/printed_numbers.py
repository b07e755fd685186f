"""Compares printed pages with records: each number is in its record or follows from it by one of the rules below, and each
text of the record is printed or left out for a reason that is given here.

A line is compared with its own feature or field only, so a number of another field doesn't excuse it. The rules are worked out
here again, without the functions that the pages use.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product
from typing import Any, Final, NamedTuple

import msgspec

from tests.handouts.printed_creatures import squeezed
from turnwright.encounter.prepared import Creature, Feature, RosterEntry, Scene
from turnwright.encounter.state import Encounter
from turnwright.handouts.kinds import creature_cards, running_sheet
from turnwright.handouts.page_input import PageInput
from turnwright.handouts.spell_texts import EDITION
from turnwright.handouts.stat_block_data import stat_block_data
from turnwright.rules.parts.actions.spell_features import caster_of, spells_of
from turnwright.rules.parts.stat_block.features import lists_spell
from turnwright.rules.parts.stat_block.prose import StatBlockNames, sentences
from turnwright.rules.system import RuleSystem
from turnwright.rules.system_data import SystemData

_MEAN: Final = re.compile(r"\b\d+ \((?=\d+d\d+)")  # worked out from the dice behind it, also if the source has it wrong
_ATTACKER: Final = re.compile(r"^The [\w -]+? makes ")
_NUMBER: Final = re.compile(r"\d+(?:,\d{3})*")
_DICE: Final = re.compile(r"(\d+)d(\d+)")
_TERM: Final = re.compile(r"([+-]?)\s*(?:(\d+)d(\d+)|(\d+))")


class Unexplained(NamedTuple):
    """A number on paper that doesn't come from the record by any rule, and where it is printed."""

    creature: str
    place: str
    number: int
    text: str


def numbers(value: Any) -> set[int]:
    """Return all numbers in a value: whole numbers, and those in texts."""
    if isinstance(value, str):
        return {int(found.replace(",", "")) for found in _NUMBER.findall(value)}
    if isinstance(value, int) and not isinstance(value, bool):
        return {abs(value)}
    if isinstance(value, Mapping):
        value = [*value.keys(), *value.values()]
    if isinstance(value, msgspec.Struct):
        value = msgspec.structs.astuple(value)
    return {number for each in value for number in numbers(each)} if isinstance(value, Iterable) else set()


# ---- the rules ----


def modifiers(creature: Creature, data: SystemData) -> dict[str, int]:
    """The ability modifiers: half of what a score has above 10, or the score itself in games with modifiers only.

    If a record has some scores, each that it leaves out is the usual one.
    """
    is_modifier = data.ability_scale.is_modifier
    usual = {ability.id: 0 for ability in data.abilities if creature.abilities}
    return usual | {id: given if is_modifier else (given - 10) // 2 for id, given in creature.abilities}


def _modifiers(creature: Creature, data: SystemData) -> set[int]:
    return {*modifiers(creature, data).values()}


def is_an_attack(feature: Feature) -> bool:
    """Whether a feature rolls to hit by its record: a bonus, a weapon, or the word in its text."""
    words = f"{' '.join(feature.properties)} {feature.text}".lower()
    return (
        feature.attack is not None or re.search(r"\battacks?\b|\bstrike\b|\bweapon\b|spell-attack", words) is not None
    )


def averages(dice: str) -> Iterator[int]:
    """The average of dice, rounded down: of each part, and of all parts of a type.

    The first parts without a type have the next one, and others have the one before.
    """
    means: dict[str, float] = {}
    untyped, kind = 0.0, ""
    for part in dice.split(" + "):
        mean = 0.0
        for sign, count, faces, flat in _TERM.findall(part):
            mean += (-1 if sign == "-" else 1) * (int(count) * (int(faces) + 1) / 2 if count else int(flat))
        kind = part.partition(" ")[2] or kind
        untyped += 0 if kind else mean
        if kind:
            means[kind] = means.get(kind, untyped if not means else 0.0) + mean
        yield int(mean)
    yield from (int(mean) for mean in (means.values() or (untyped,)))


def dice_texts(feature: Feature) -> Iterator[str]:
    yield from (feature.damage, feature.save_damage, feature.heals, feature.ongoing)
    yield from (other.damage for other in feature.other_damage)


def average_of_dice(creature: Creature, feature: Feature, data: SystemData) -> Iterator[int]:
    for dice in dice_texts(feature):
        yield from averages(dice)


def bonus_to_hit(creature: Creature, feature: Feature, data: SystemData) -> Iterator[int]:
    """The bonus that a stat block leaves out: ability, proficiency and magic."""
    if feature.attack is None and is_an_attack(feature):
        for each in _modifiers(creature, data):
            yield from (each + feature.magic, each + creature.proficiency + feature.magic)


def damage_with_ability(creature: Creature, feature: Feature, data: SystemData) -> Iterator[int]:
    """The ability modifier in the damage of an attack whose bonus isn't stated, and the average with it."""
    if feature.attack is None and is_an_attack(feature):
        for each in _modifiers(creature, data):
            for dice in dice_texts(feature):
                flats = [int(f"{sign}{flat}") for sign, _, _, flat in _TERM.findall(dice.partition(" + ")[0]) if flat]
                yield from (sum(flats) + each, *(average + each for average in averages(dice)))


def multiple_attack_penalty(creature: Creature, feature: Feature, data: SystemData) -> Iterator[int]:
    """The bonuses of later attacks in a turn: 5 and 10 less, or 4 and 8 less with an agile weapon."""
    steps = (4, 8) if "agile" in feature.properties else (5, 10)
    if data.attack.tally and feature.attack is not None:
        yield from (feature.attack - step for step in steps)


def faces_of_recharge(creature: Creature, feature: Feature, data: SystemData) -> Iterator[int]:
    if feature.recharge:
        yield from (feature.recharge, 6)


def names_of_others(creature: Creature, feature: Feature, data: SystemData) -> Iterator[int]:
    """The numbers in the names of features that a multiattack or a list of spells names."""
    for other in creature.features:
        yield from numbers(other.name)


def numbers_of_its_spell(creature: Creature, feature: Feature, data: SystemData) -> Iterator[int]:
    """The numbers of the rule system's spell of the feature's name, and the averages of its dice."""
    for spell in data.spells:
        casts = feature.is_spell or any(step.spell == spell.id for step in feature.does)
        if casts and spell.name.lower() == feature.name.lower():
            yield from numbers(spell)
            yield from range(len(spell.stages) + 1)
            for dice in filter(None, (spell.damage, spell.heals, *(one.damage for one in spell.degrees))):
                yield from averages(dice)


# A number that grows with the rank: `60 hit points (20 more for each 2 ranks)`, `level 10 or lower (2 more for each rank above 7)`.
GROWS: Final = re.compile(
    r"(\d+)((?:d\d+)?[^(]*?) \((\d+)(?:d\d+)? more for each (?:higher )?(?:(\d+) )?ranks?(?: above \d+)?\)"
)


def grown_by_rank(creature: Creature, feature: Feature, data: SystemData) -> Iterator[int]:
    """What a spell's numbers, and the dice of its variants, are at its rank above the spell's own."""
    stated = re.match(r"Rank (\d+)", feature.text)
    rank = int(stated[1]) if stated else feature.level or 0
    for spell in (each for each in data.spells if each.name.lower() == feature.name.lower()):
        above = max(0, rank - (spell.level or 0))
        for base, _, more, every in GROWS.findall(f"{spell.text} {feature.text}"):
            yield int(base) + int(more) * (above // int(every or 1))
        for one in spell.choices:
            for dice, more in product(_DICE.findall(one.damage), _DICE.findall(one.higher or spell.higher)):
                yield int(dice[0]) + int(more[0]) * (above // spell.every)


def actions_a_round(creature: Creature, feature: Feature, data: SystemData) -> Iterator[int]:
    if feature.cost == "legendary":
        yield creature.legendary


def bonus_of_caster(creature: Creature, feature: Feature, data: SystemData) -> Iterator[int]:
    """What the DC of a list adds to that of each spell, or else proficiency and an ability modifier."""
    if feature.is_spell and data.attack.spell_dc:
        yield from (other.dc - data.attack.spell_dc for other in creature.features if other.dc)
        yield from (creature.proficiency + each for each in _modifiers(creature, data))


def times_in_list(creature: Creature, feature: Feature, data: SystemData) -> Iterator[int]:
    yield from (feature.text.count(other.name) for other in creature.features if other.is_spell)


FEATURE_RULES: Final[Mapping[str, Callable[[Creature, Feature, SystemData], Iterable[int]]]] = {
    "average of dice": average_of_dice,
    "bonus to hit from ability, proficiency and magic": bonus_to_hit,
    "ability modifier in damage": damage_with_ability,
    "multiple attack penalty": multiple_attack_penalty,
    "faces that recharge": faces_of_recharge,
    "names of other features": names_of_others,
    "numbers of its spell": numbers_of_its_spell,
    "legendary actions a round": actions_a_round,
    "bonus of the caster's spell attacks": bonus_of_caster,
    "times that a list names a spell": times_in_list,
    "numbers that grow with the rank": grown_by_rank,
}


def usual_modifiers(creature: Creature, data: SystemData) -> Iterable[int]:
    return _modifiers(creature, data)


def saves_with_own_features(creature: Creature, data: SystemData) -> Iterator[int]:
    """The saves with what the creature's own features always add to all of them, such as an aura of valour."""
    rules = (rule for feature in creature.features for rule in feature.rules)
    more = sum(rule.add for rule in rules if (rule.kind, rule.what, rule.when) == ("modifier", "save", ""))
    yield from (bonus + more for bonus in (*dict(creature.saves).values(), *_modifiers(creature, data)))


def usual_scores(creature: Creature, data: SystemData) -> Iterable[int]:
    return {*_modifiers(creature, data), data.ability_scale.default} if creature.abilities else ()


def half_of_hit_points(creature: Creature, data: SystemData) -> Iterator[int]:
    yield creature.hp // 2


def passive_perception(creature: Creature, data: SystemData) -> Iterator[int]:
    """10 and the bonus to Perception: the skill's, or the ability modifier's."""
    bonus = dict(creature.skills).get("perception")
    yield from (10 + each for each in ([bonus] if bonus is not None else _modifiers(creature, data)))


def maneuver_dc(creature: Creature, data: SystemData) -> Iterator[int]:
    """8, proficiency, and the better of Strength and Dexterity."""
    usual = data.scaling.benchmark(creature.rating)
    proficiency = creature.proficiency or (usual.proficiency if usual else 0)
    yield 8 + proficiency + max(modifiers(creature, data).get(id, 0) for id in ("str", "dex"))


def experience(creature: Creature, data: SystemData) -> Iterator[int]:
    """The experience points of a rating, by the game's table."""
    yield from (worth for budget in data.budgets for rating, worth in budget.ratings if rating == creature.rating)


def pools(creature: Creature, data: SystemData) -> Iterator[int]:
    """The points that the game gives to each creature without a number of its own."""
    yield from (resource.amount for resource in data.resources)


FIELD_RULES: Final[Mapping[str, tuple[str, Callable[[Creature, SystemData], Iterable[int]]]]] = {
    "saves": ("ability modifier", usual_modifiers),
    "skill": ("ability modifier", usual_modifiers),
    "abilities": ("ability modifier and usual score", usual_scores),
    "hp": ("half of the hit points", half_of_hit_points),
    "senses": ("passive Perception", passive_perception),
    "maneuver_dc": ("maneuver DC", maneuver_dc),
    "rating": ("experience points of a rating", experience),
    "pools": ("points of the game", pools),
}
# Fields that a row also shows, by the row's own field.
IN_ROWS: Final[Mapping[str, tuple[str, ...]]] = {
    "hp": ("hit_dice",),
    "ac": ("ac_note",),
    "senses": ("passives", "skills"),
    "rating": ("level", "xp"),
    "attacks": ("reach", "extra_attack"),
    "reach": ("attacks", "extra_attack"),
    "phases": ("hp", "features"),
    "assumed": (),
    "skill": ("skills",),
}


# ---- what is printed ----


def of_field(creature: Creature, field: str, data: SystemData) -> set[int]:
    """Return the numbers that a row of a field may show."""
    names = (field, *IN_ROWS.get(field, ()))
    found = {number for name in names for number in numbers(getattr(creature, name, ()))}
    found |= {number for remark in creature.remarks if remark.about == field for number in numbers(remark.text)}
    if field in ("saves", "hp"):  # with the texts of short traits
        traits = (each for each in creature.features if each.cost == "trait" and len(each.text) < 60)
        found |= {number for each in traits for number in numbers((each.name, each.text, each.short))}
    if field in FIELD_RULES:
        found |= {abs(number) for number in FIELD_RULES[field][1](creature, data)}
    return found


def of_features(creature: Creature, features: Iterable[Feature], data: SystemData) -> set[int]:
    """Return the numbers that a line of features may show."""
    found: set[int] = set()
    for feature in features:
        found |= numbers(feature)
        found |= {abs(number) for rule in FEATURE_RULES.values() for number in rule(creature, feature, data)}
    return found


def lines_of_block(block: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield from (*block["vital"], *block["further"], *(line for group in block["features"] for line in group["lines"]))


def line_text(line: Mapping[str, Any]) -> str:
    return " ".join((line["lead"], *line["text"]))


def block_of(creature: Creature, source: PageInput) -> Mapping[str, Any]:
    return stat_block_data(creature, source)


def unexplained_in_block(creature: Creature, block: Mapping[str, Any], rules: RuleSystem) -> Iterator[Unexplained]:
    """Yield the numbers of a stat block that its record, or the data of a spell that it names, doesn't explain."""
    data = rules.data
    features = {feature.id: feature for feature in (*spells_of(rules, creature), *creature.features)}
    texts: list[tuple[str, str, set[int]]] = []
    for line in lines_of_block(block):
        kind, _, id = line["about"].partition(":")
        field = line["about"].partition(".")[0]
        known = of_features(creature, [features[id]], data) if kind == "feature" else of_field(creature, field, data)
        texts.append((line["about"], line_text(line), known))
    texts += [
        ("abilities", f"{cell['score']} {cell['modifier']}", of_field(creature, "abilities", data))
        for cell in block["abilities"]
    ]
    for name in ("name", "kind"):
        own = (creature.name, creature.type, creature.tags, creature.size, creature.alignment, creature.space)
        texts.append((name, block[name], numbers(own)))
    texts.append(("rating", block["rating"], of_field(creature, "rating", data)))
    texts.append(
        (
            "traits",
            " ".join(trait["name"] for trait in block["traits"]),
            numbers((creature.alignment, creature.type, creature.tags)),
        )
    )
    texts.append(("tactics", " ".join(block["tactics"]["text"]), numbers(creature.tactics)))
    told = (creature.description, creature.notes, creature.tactics, creature.remarks)
    texts.append(("notes", " ".join(block["notes"]), numbers(told)))
    texts += [("headings", group["heading"], {creature.legendary}) for group in block["features"]]
    texts += [("pools", str(pool["most"]), of_field(creature, "pools", data)) for pool in block["pools"]]
    for place, text, known in texts:
        yield from (Unexplained(creature.name, place, number, text) for number in sorted(numbers(text) - known))


def encounter_of(creature: Creature, system: str) -> Encounter:
    return Encounter((Scene(system=system), creature, RosterEntry("foes", creature.id)))


def unexplained_on_card(creature: Creature, block: Mapping[str, Any], source: PageInput) -> Iterator[Unexplained]:
    """Yield the numbers of a creature's card that are neither on its stat block nor of its box for hit points."""
    of_block = numbers([[*line["text"], line["lead"]] for line in lines_of_block(block)])
    of_block |= numbers(
        [block["name"], block["kind"], block["rating"], block["notes"], block["features"], creature.ac, creature.hp]
    )
    of_block |= of_field(creature, "abilities", source.rules.data)
    of_block |= numbers([feature.multiattack for feature in creature.features])  # blocks may have them in their texts
    of_block |= {each.escape_dc for feature in creature.features for each in feature.afflictions}  # behind a short text
    for section in creature_cards.make(source).sections:
        for card in section.data["cards"]:
            items = [
                (item["heading"], item["lead"], item["text"])
                for side in ("front", "back", "notes")
                for item in card[side]
            ]
            shown = [items, *(card[name] for name in ("name", "rating", "figures", "abilities", "boxes"))]
            for number in sorted(numbers(shown) - of_block):
                yield Unexplained(creature.name, "card", number, "")


def unexplained_on_sheet(creature: Creature, source: PageInput) -> Iterator[Unexplained]:
    """Yield the numbers of a foe on the running sheet that its record doesn't explain."""
    data = source.rules.data
    for section in running_sheet.make(source).sections:
        for row in (row for side in section.data["sides"] for row in side["groups"]):
            texts = [("name", [row["name"]], numbers((creature.name,)))]
            texts.append(("rating", [row["rating"], row["worth"]], of_field(creature, "rating", data)))
            texts.append(("ac", row["ac"], {creature.ac}))
            texts.append(
                (
                    "initiative",
                    row["initiative"],
                    numbers(creature.initiative)
                    | {abs(each) for each in _modifiers(creature, data)}
                    | numbers(creature.skills),
                )
            )
            known = of_field(creature, "saves", data) | {abs(each) for each in saves_with_own_features(creature, data)}
            texts.append(("saves", row["saves"], known))
            perception = of_field(creature, "senses", data) | of_field(creature, "skill", data)
            known = set[int]().union(
                *(of_field(creature, name, data) for name in ("speeds", "ac", "hp", "saves", "maneuver_dc"))
            )
            texts.append(("facts", row["facts"], known | perception))
            texts.append(("stores", [row["legendary"], row["slots"]], numbers((creature.slots, creature.legendary))))
            rows = (
                "immunities",
                "condition_immunities",
                "resistances",
                "vulnerabilities",
                "absorptions",
                "skills",
                "senses",
                "phases",
            )
            known = {number for name in rows for number in of_field(creature, name, data)}
            texts.append(("defences", [row["defences"], row["further"]], known | numbers(creature.mundane_except)))
            texts.append(("pools", [pool["most"] for pool in row["pools"]], of_field(creature, "pools", data)))
            texts.append(("tactics", row["tactics"], numbers((creature.tactics, creature.notes))))
            texts.append(
                (
                    "members",
                    [(member["hp"], member["half"]) for member in row["members"]],
                    {creature.hp, creature.hp // 2},
                )
            )
            for line in row["lines"]:
                every = (*creature.features, *spells_of(source.rules, creature))
                mine = [feature for feature in every if name_on_paper(feature) == line["name"]]
                known = of_features(creature, mine, data) if mine else numbers((creature.slots, creature.legendary))
                if line["part"] in (
                    "list",
                    "rank",
                    "spells",
                ):  # a list has the numbers of its caster, and notes on its spells
                    caster, lists = (
                        caster_of(source.rules, creature),
                        (one.text for one in creature.features if one.does),
                    )
                    known |= numbers((caster.dc, caster.attack, *lists)) | {0}
                shown = {name: line[name] for name in line if name not in ("cost", "signed", "price", "part", "level")}
                texts.append((f"feature {line['name']}", shown, known | {1} if line["boxes"] else known))
            for place, shown, known in texts:
                for number in sorted(numbers(shown) - known):
                    yield Unexplained(creature.name, place, number, str(shown))


def name_on_paper(feature: Feature) -> str:
    """Return a feature's name without the edition of a spell."""
    return EDITION.sub("", " ".join(feature.name.split()))


def lost_areas(creature: Creature, block: Mapping[str, Any], source: PageInput) -> Iterator[tuple[str, str, str]]:
    """Yield the areas of features of which a number is neither on the feature's line of the block nor on that of the sheet."""
    places: dict[str, dict[str, set[int]]] = {"block": {}, "sheet": {}}
    for line in lines_of_block(block):
        places["block"].setdefault(line["about"].removeprefix("feature:"), set()).update(numbers(line_text(line)))
    for section in running_sheet.make(source).sections:
        for line in (line for side in section.data["sides"] for row in side["groups"] for line in row["lines"]):
            of_name = (one.id for one in creature.features if name_on_paper(one) == line["name"])
            for id in of_name:
                places["sheet"].setdefault(id, set()).update(
                    numbers([line[part] for part in ("where", "figures", "text")])
                )
    for place, told in places.items():
        for feature in creature.features:
            if feature.id in told and not numbers(feature.area) <= told[feature.id]:
                yield creature.name, feature.name, f"{feature.area} isn't whole on the {place}"


# Numbers that a sheet gives in another form: averages before dice, the die itself, ranks, levels and slots of spells.
_OTHER_FORMS: Final = re.compile(r"\b\d+ \((?=\d+d)|\b[Dd]20\b|^Rank \d+(?:, [x×]\d+|, \d+ slots)?|^\([^)]*; [VSM]\b")


def lost_on_sheet(creature: Creature, source: PageInput) -> Iterator[tuple[str, str, str]]:
    """Yield the sentences of features with a number or a condition that isn't on the feature's line.

    A short text may call a condition by other words. Lists of spells are left out: their spells have lines.
    """
    names = StatBlockNames(source.rules.data, source.text)
    conditions = {name.lower() for name in names.conditions.values()}
    rows = [
        row for each in running_sheet.make(source).sections for side in each.data["sides"] for row in side["groups"]
    ]
    lines: dict[str, str] = {}
    for line in (line for row in rows for line in row["lines"]):
        parts = ("name", "where", "figures", "text", "limits", "to_hit", "boxes", "spends")
        lines[line["name"]] = f"{lines.get(line['name'], '')} {[line[part] for part in parts]}"
    heads = " ".join(f"{line['limits']}" for row in rows for line in row["lines"] if line["part"] == "list")
    for feature in (each for each in creature.features if each.automation != "off"):  # its attacks have the numbers
        shown = lines.get(name_on_paper(feature), "")
        shown += heads if shown and feature.is_spell else ""
        if not shown or any(lists_spell(feature, other) for other in creature.features):
            continue
        for sentence in (GROWS.sub(r"\2", one) for text in feature.text.split("\n") for one in sentences(text)):
            unsaid = {str(number) for number in numbers(_OTHER_FORMS.sub("", sentence)) - numbers(shown) - {1}}
            if not feature.short:
                unsaid |= {name for name in conditions if re.search(rf"\b{name}\b(?! prone)", sentence.lower())} - {
                    name for name in conditions if name in shown.lower()
                }
            if unsaid:
                yield creature.name, feature.name, f"{', '.join(sorted(unsaid))} on the sheet: {sentence}"


_HALVES: Final = re.compile(
    r"\bhal(?:f(?! (?:(?:its|their) )?(?:speed|movement|hit points))|ve)|\bbasic\b", re.IGNORECASE
)


def lost_effects(creature: Creature, block: Mapping[str, Any], source: PageInput) -> Iterator[tuple[str, str, str]]:
    """Yield features without the half damage of their texts, and spells that they cast by name and no page names."""
    pages: dict[str, dict[str, str]] = {"block": {}, "sheet": {}}
    for line in lines_of_block(block):
        id = line["about"].removeprefix("feature:")
        pages["block"][id] = f"{pages['block'].get(id, '')} {line_text(line)}"
    for section in running_sheet.make(source).sections:
        for line in (line for side in section.data["sides"] for row in side["groups"] for line in row["lines"]):
            for id in (one.id for one in creature.features if name_on_paper(one) == line["name"]):
                told = f"{[line[part] for part in ('name', 'where', 'figures', 'text')]}"
                pages["sheet"][id] = f"{pages['sheet'].get(id, '')} {told}"
            pages["sheet"][""] = f"{pages['sheet'].get('', '')} {line['name']} {line['text']}"
    names = {spell.id: spell.name for spell in source.rules.data.spells}
    for page, told in pages.items():
        whole = " ".join(told.values()).lower()
        for feature in creature.features:
            if (
                feature.half
                and feature.id in told
                and _HALVES.search(feature.text)
                and not _HALVES.search(told[feature.id])
            ):
                yield creature.name, feature.name, f"half damage isn't on the {page}"
            steps = feature.does if feature.text else ()  # a part of a feature has its whole's text
            cast = (names.get(step.spell, "").lower() for step in steps)
            yield from ((creature.name, feature.name, f"{one} isn't on the {page}") for one in cast if one not in whole)


# ---- the texts of the record ----

# Words that say what numbers before them say, so that a sentence of nothing else is left out.
SAID_BY_NUMBERS: Final = frozenset(
    re.findall(
        "[a-z]+",
        """all and area attack attacks creature creatures damage each end ends every everyone fail failed fails failure feet foot from
        half hit its long magic make makes melee miss more much must next one plus range ranged reach roll save saves saving spell
        start succeed success successful take takes taking target than that the their them then they this those throw turn two
        three four five six until used weapon wielded when whether who whoever wide with within""",
    )
)
# Fields whose texts a stat block leaves out by choice, with the reason.
LEFT_OUT: Final[Mapping[str, str]] = {
    "id": "a name of the file's own",
    "source": "the library shows it; a page at the table has no use for it",
    "licence": "the library shows it",
    "portrait": "the name of a picture's file: the picture is printed",
    "read": "names of fields that an importer has read from prose",
    "role": "for building encounters",
    "spellcasting": "the ability of spells, which their list names",
    "assumed": "a list of fields, whose lines have a sign",
}


def words(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]{3,}|\d+", text.lower())


# Ranks are in the list of spells, uses are limits, the spell is explained, and the rest is for the program.
ELSEWHERE: Final = re.compile(
    r"Rank \d+(?:, cantrip|, \d slots|, [x×]?\d|, at will)?\.?$|Cast it (?:without|for|on) |Without a map, |(?i:Frequency:? once )"
    r"|The [\w ]+ casts [\w' ]+,(?: requiring no spell components and)? using (?:the same|\w+ as the) spellcasting ability"
)


AT_WILL: Final = re.compile(r"^Rank \d+, at will, ")
COMPONENTS: Final = re.compile(r"\([^)]*; [VSM]\b")
ONE_DIE: Final = re.compile(r"\b1d(?=\d+\.?$)")  # of a trait: `deadly 1d12`


def lost_sentences(creature: Creature, block: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield the sentences of features that aren't on their lines, unless each of their words is there in other places.

    A spell that a list names has no line; its text is that of the rule book.
    """
    lines: dict[str, str] = {}
    for line in lines_of_block(block):
        lines[line["about"]] = f"{lines.get(line['about'], '')} {line_text(line)}"
    names = squeezed(" ".join(lines.values()))
    for feature in creature.features:
        line = lines.get(f"feature:{feature.id}")
        if line is None:
            others = (each for each in creature.features if each.id != feature.id)
            is_part = not feature.text and any(
                each.name == feature.name.rpartition(" (")[0] or feature.id.startswith(f"{each.id}-") for each in others
            )
            # Short traits may be in the row of a field.
            ways = filter(None, (squeezed(feature.name), squeezed(feature.text.strip(" ."))))
            if not any(way in names for way in ways) and not is_part:
                yield creature.name, feature.name, "has no line, and no list names it"
            continue
        told = {*words(line), *SAID_BY_NUMBERS}
        shown = squeezed(line)
        texts = (*feature.text.split("\n"), feature.requires, name_on_paper(feature))
        told_apart = (GROWS.sub(r"\2", sentence) for text in texts for sentence in sentences(text))
        for sentence in (AT_WILL.sub("", each) for each in told_apart):
            dice_alone = _MEAN.sub("(", _ATTACKER.sub("", sentence) if feature.multiattack else sentence)
            unsaid = [
                word
                for word in words(ONE_DIE.sub("d", dice_alone))
                if word not in told and word not in creature.name.lower()
            ]
            # A sentence after components only repeats the numbers of the spell.
            is_known = COMPONENTS.match(sentence) and numbers(sentence) <= numbers(line) | {feature.level}
            if unsaid and not is_known and squeezed(sentence) not in shown and not ELSEWHERE.match(sentence):
                yield creature.name, feature.name, f"{', '.join(unsaid)} in: {sentence}"


def letters(text: str) -> str:
    """Return a text for comparison without its signs: remarks in brackets are printed without them."""
    return re.sub(r"[^\w+]", "", squeezed(text))


def texts_of(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, msgspec.Struct):
        yield from texts_of(msgspec.structs.astuple(value))
    elif isinstance(value, tuple | list):
        for each in value:
            yield from texts_of(each)


def lost_fields(creature: Creature, block: Mapping[str, Any], names: StatBlockNames) -> Iterator[tuple[str, str, str]]:
    """Yield the texts of other fields that are nowhere on the stat block, as they are or by the game's name for an id."""
    lines = (line_text(line) for line in lines_of_block(block))
    others = (*block["notes"], *block["tactics"]["text"], *(cell["name"] for cell in block["abilities"]))
    traits = (trait["name"] for trait in block["traits"])
    shown = letters(" ".join((block["name"], block["kind"], block["rating"], *lines, *others, *traits)))
    called = {**names.abilities, **names.sizes, **names.damage, **names.conditions, **names.speeds, **names.skills}
    called |= dict(names.data.presentation.saves)
    for field in set(creature.__struct_fields__) - {"features", *LEFT_OUT}:
        value = getattr(creature, field)
        if field == "remarks":  # a heading with the number of legendary actions says so itself
            value = [remark.text for remark in value if remark.about != "legendary" or not creature.legendary]
        if field == "phases":
            value = [(phase.name, phase.note) for phase in value]
        if field == "speeds":  # the usual one has no name
            value = [id for id, _ in value if id != "walk"]
        for text in texts_of(value):
            ways = (
                text,
                text.replace("-", " "),
                called.get(text, text),
                names.skill_name(text),
                names.say(f"statement.{text}"),
            )
            ways += (text.partition(": ")[2],) if field == "remarks" and ": " in text else ()  # after the part
            if re.search(r"[^\W\d_]", text) and not any(letters(way) in shown for way in ways):
                yield creature.name, field, text
