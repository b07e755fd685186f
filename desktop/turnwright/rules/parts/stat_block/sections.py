"""The sections of a stat block as text, before they are drawn: lines, labels, and rolls."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from turnwright.encounter.field_specs import FieldSpec, specs_by_name
from turnwright.encounter.prepared import ALL_CONDITIONS, ALL_FEATURES, OBJECT, Creature, CreaturePhase, NamedNumbers
from turnwright.encounter.roles import CHARACTER_TAG
from turnwright.rules.parts.combatants.facts import split_value
from turnwright.rules.parts.stat_block import prose
from turnwright.rules.parts.stat_block.features import feature_paragraphs, reactive_paragraphs, texts_in_row
from turnwright.rules.parts.stat_block.prose import Paragraph, StatBlockNames, TextRun, Translate
from turnwright.rules.system_data import SystemData
from turnwright.rules.word_keys import signed_text

_IN_BRACKETS = re.compile(r"\([^()]*\) ?")
_LETTERS = re.compile(r"[^a-z0-9]+")  # what a comparison of names ignores
BARE_REACH = Creature("", "").reach
MANEUVER_BASE = 8  # base of the maneuver DC, before proficiency and ability
PERCEPTION = "perception"
USUAL_PASSIVE = 10  # base of a passive score
RARITIES = ("uncommon", "rare", "unique")
NamedRuns = tuple[str, tuple[TextRun, ...]]  # a line's label and content


class AbilityCell(msgspec.Struct, frozen=True):
    """An ability: its short name, score (empty in a game without scores), and its modifier as a roll."""

    name: str
    score: str
    modifier: TextRun


class StatSections(msgspec.Struct, frozen=True):
    """All sections of a stat block. `features` pairs a heading (empty for traits) with its lines.

    `traits` are shown in boxes and `tactics` under a heading, each only in layouts that have them. `style` is the
    game's layout.
    """

    name: str
    kind: str
    rating: str
    vital: tuple[Paragraph, ...]
    abilities: tuple[AbilityCell, ...]
    further: tuple[Paragraph, ...]
    features: tuple[tuple[str, tuple[Paragraph, ...]], ...]
    notes: str
    traits: tuple[str, ...] = ()
    tactics: str = ""
    style: str = "classic"


def stat_sections(
    creature: Creature, catalogue: SystemData | None, translate: Translate, *, brief: bool = False
) -> StatSections:
    """Return a creature's stat block as sections, using the catalogue's terms if it has them."""
    names = StatBlockNames(catalogue, translate, brief=brief)
    return StatSections(
        name=creature.name or names.say("ui.stat.unnamed"),
        kind=type_text(creature, names),
        rating=_rating_line(creature, names),
        vital=tuple(_lines(creature, names, names.data.presentation.top)),
        abilities=tuple(
            _ability(creature, ability, names) for ability in names.abilities or [id for id, _ in creature.abilities]
        )
        if has_abilities(creature)
        else (),
        further=tuple(_lines(creature, names, _rows(creature, names))),
        features=tuple(feature_paragraphs(creature, names)),
        notes=_notes(creature, names),
        traits=tuple(_traits(creature, names)) if names.style == "traits" else (),
        tactics=creature.tactics if names.style == "classic" else "",
        style=names.style,
    )


def has_abilities(creature: Creature) -> bool:
    """Return whether a stat block shows abilities, saves and checks. Only an object without abilities shows none."""
    return creature.type != OBJECT or bool(creature.abilities)


def knows_skill(creature: Creature, skill: str) -> bool:
    """Return whether a skill's bonus is in the stat block, or follows from an ability in it."""
    return bool(creature.abilities) or skill in dict(creature.skills)


def kind_text(creature: Creature, catalogue: SystemData, translate: Translate) -> str:
    """Return a creature's type and rating on one line."""
    names = StatBlockNames(catalogue, translate)
    return ", ".join(text for text in (type_text(creature, names), _rating(creature, names)) if text)


def _rows(creature: Creature, names: StatBlockNames) -> list[str]:
    """Return the fields below the abilities: those that the game lists, then those that every game has."""
    presentation = names.data.presentation
    common = (spec.name for spec in specs_by_name(type(creature)).values() if spec.group)
    return [*presentation.rows, *(name for name in common if not presentation.has(name))]


def _notes(creature: Creature, names: StatBlockNames) -> str:
    """Return a creature's description, notes, and remarks on fields that this game doesn't show.

    Tactics are included if the layout has no heading for them.
    """
    presentation = names.data.presentation
    shown = {*presentation.top, *presentation.rows}
    shown |= {"legendary"} if creature.legendary else set()  # their heading shows the number per round
    remarks = [f"{remark.about}: {remark.text}" for remark in creature.remarks if remark.about not in shown]
    tactics = "" if names.style == "classic" else creature.tactics
    return "\n".join(text for text in (creature.description, tactics, creature.notes, *remarks) if text)


def type_text(creature: Creature, names: StatBlockNames) -> str:
    """Return a creature's size, type, tags, space and alignment."""
    size = names.sizes.get(creature.size, creature.size).capitalize()
    more = [tag for tag in creature.tags if tag != creature.type]
    tags = f" ({', '.join(more)})" if more else ""
    space = f", {names.say('ui.stat.space', n=creature.space)}" if creature.space else ""
    alignment = f", {creature.alignment}" if creature.alignment else ""
    return f"{size} {creature.type}{tags}{space}{alignment}"


def _traits(creature: Creature, names: StatBlockNames) -> Iterable[str]:
    """Yield a creature's boxed traits: its rarity, then its alignment, size, type and tags."""
    rare = [tag for tag in creature.tags if tag in RARITIES]
    words = (*rare, creature.alignment, names.sizes.get(creature.size, creature.size), creature.type, *creature.tags)
    yield from dict.fromkeys(word for word in words if word.strip())


def experience_points(creature: Creature, data: SystemData) -> int:
    """Return a creature's worth in experience points: its own number, or that of its rating; 0 if unknown."""
    tables = (dict(budget.ratings) for budget in data.budgets)
    return creature.xp or next((table[creature.rating] for table in tables if creature.rating in table), 0)


def _rating_line(creature: Creature, names: StatBlockNames) -> str:
    """Return a rating as shown next to a name: `Challenge 7 (2,900 XP)`, `Creature −1`."""
    shows_level = creature.rating == "0" and creature.level and names.data.presentation.has("level")
    if not creature.rating or names.style == "points" or shows_level:
        return _rating(creature, names)
    if names.style == "traits":
        hazards = {budget.hazard for budget in names.data.budgets} & {creature.type, *creature.tags}
        is_character = CHARACTER_TAG in creature.tags
        kind = "character" if is_character else "hazard" if hazards else "traits"
        return names.say(f"ui.stat.rating-{kind}", rating=prose.true_minus(creature.rating))
    if not names.data.presentation.has("rating"):
        return _rating(creature, names)
    worth = experience_points(creature, names.data)
    key = "ui.stat.rating-xp" if worth else "ui.stat.rating-classic"
    return names.say(key, rating=creature.rating, xp=f"{worth:,}")


def _rating(creature: Creature, names: StatBlockNames) -> str:
    presentation = names.data.presentation
    rating = creature.rating or (str(creature.level) if presentation.leveled and creature.level else "")
    if rating == "0" and creature.level and presentation.has("level"):  # a character only shows its level
        rating = ""
    parts = (
        [names.say("ui.stat.rating", rating=prose.true_minus(rating))] if rating and presentation.has("rating") else []
    )
    if creature.level and presentation.has("level"):
        parts.append(names.say("ui.roster.level", n=creature.level))
    return ", ".join(parts)


def _lines(creature: Creature, names: StatBlockNames, rows: Iterable[str]) -> Iterable[Paragraph]:
    """Yield the non-empty paragraphs of these fields.

    If the speeds are shown below the abilities, reactions come before them.
    """
    presentation = names.data.presentation
    for row in rows:
        kind, _, skill = row.partition(".")
        if row == "speeds" and row not in presentation.top:
            yield from reactive_paragraphs(creature, names)
        if kind == "skill":
            if knows_skill(creature, skill):
                line = _skill(creature, names, skill)
                yield prose.with_sign(line) if "skills" in creature.assumed else line
        elif is_row(kind, type(creature)):
            lead, pieces = row_with_remarks(creature, kind, names)
            if pieces:
                line = Paragraph(lead, pieces, row, row in presentation.joined)
                yield prose.with_sign(line) if row in creature.assumed else line


def row_with_remarks(creature: Creature, name: str, names: StatBlockNames) -> NamedRuns:
    """Return the label and content of a field's row, with the stat block's remarks about it."""
    lead, pieces = stat_row(creature, name, names)
    more = "; ".join(("", *dict.fromkeys(texts_in_row(creature, name, names).values())))
    return lead, (*with_remarks(creature, name, pieces), *_plain(more if pieces else more.strip("; ")))


def with_remarks(creature: Creature, kind: str, pieces: tuple[TextRun, ...]) -> tuple[TextRun, ...]:
    """Return a row with its remarks. One that says more about a part replaces it; names of features are left out."""
    features = {_LETTERS.sub("", feature.name.casefold()) for feature in creature.features}
    remarks = [each.text for each in creature.remarks if each.about == kind and not each.text.strip().endswith(":")]
    beside = []
    for remark in (text for text in remarks if _LETTERS.sub("", text.casefold()) not in features):
        part, _, more = remark.partition(": ")
        if more and len(pieces) == 1 and (found := re.search(rf"\b{re.escape(part)}\b( \d+)?", pieces[0].text)):
            pieces = (TextRun(f"{pieces[0].text[: found.end()]} ({more}){pieces[0].text[found.end() :]}"),)
            continue
        named = [at for at, piece in enumerate(pieces) if more and piece.text.strip().casefold() == part.casefold()]
        if named:  # a bonus follows its name
            end = named[0] + 2
            pieces = (*pieces[:end], TextRun(f" ({more})"), *pieces[end:])
            continue
        part = _IN_BRACKETS.sub("", remark).strip()
        if kind == "gear" and creature.gear and all(item in remark for item in creature.gear):
            pieces = (TextRun(remark),)
        elif part not in ("", remark) and len(pieces) == 1 and part in pieces[0].text:
            pieces = (TextRun(pieces[0].text.replace(part, remark, 1)),)
        else:
            beside.append(_bare(remark))
    text = "; ".join(beside)
    return (*pieces, TextRun(f" ({text})" if pieces else text)) if text else pieces


def _bare(text: str) -> str:
    """Return a text without the parentheses around it."""
    return text[1:-1] if text[:1] + text[-1:] == "()" else text


def is_row(name: str, kind: type[Creature] = Creature) -> bool:
    """Return whether a creature's field has a row of its own in stat blocks."""
    return name in ROW_BUILDERS or (name in specs_by_name(kind) and name not in IN_OTHER_ROWS)


def stat_row(creature: Creature, name: str, names: StatBlockNames) -> NamedRuns:
    """Return the label and content of a field's row, from the field's own builder or according to its type."""
    if name in ROW_BUILDERS:
        key, pieces = ROW_BUILDERS[name](creature, names)
        return names.styled(key), pieces
    spec, value = specs_by_name(type(creature))[name], getattr(creature, name)
    return names.say(f"ui.creature.{spec.label.partition('.')[2]}"), _plain(_text_of(spec, value, names))


def _text_of(spec: FieldSpec, value: Any, names: StatBlockNames) -> str:
    """Return a field's value as text according to its type, or an empty string if it has none."""
    if value is None or value == spec.default:
        return ""
    if spec.kind == "number":
        return names.distance(value) if spec.unit == "feet" else str(value)
    if spec.kind == "flag":
        return names.say("ui.general.yes").lower()
    if spec.kind == "numbers":
        return ", ".join(f"{id.replace('-', ' ')} {n}" for id, n in value)
    of_kind = {"ability": names.abilities, "damage-types": names.damage, "conditions": names.conditions}
    called = of_kind.get(spec.kind, {})
    if isinstance(value, str):
        return called.get(value, value)
    return ", ".join(called.get(each, each).lower() if called else each for each in value)


def _ac(creature: Creature, names: StatBlockNames) -> NamedRuns:
    note = f" ({_bare(creature.ac_note)})" if creature.ac_note else ""
    return "ac", (TextRun(f"{creature.ac or '–'}{note}"),)


def _hp(creature: Creature, names: StatBlockNames) -> NamedRuns:
    hp = [TextRun(str(creature.hp))]
    if creature.hit_dice and names.data.presentation.has("hit_dice"):
        label = names.say("ui.stat.hp")
        hp += [
            TextRun(" ("),
            TextRun(prose.true_minus(creature.hit_dice), creature.hit_dice, f"{creature.name}: {label}", "hp"),
            *([TextRun("; "), *_bloodied(creature, names)] if names.data.presentation.bloodied else []),
            TextRun(")"),
        ]
    elif names.data.presentation.bloodied and creature.hp > 1:
        hp += [TextRun(" ("), *_bloodied(creature, names), TextRun(")")]
    return "hp", tuple(hp)


def _bloodied(creature: Creature, names: StatBlockNames) -> tuple[TextRun, ...]:
    return (TextRun(f"{names.say('ui.stat.bloodied')} ", style="bold"), TextRun(str(creature.hp // 2)))


def _initiative(creature: Creature, names: StatBlockNames) -> NamedRuns:
    if creature.initiative is None:
        return "initiative", ()
    bonus, label = signed_text(creature.initiative), f"{creature.name}: {names.say('ui.stat.initiative')}"
    return "initiative", (TextRun(bonus, _check(names, "initiative", creature.initiative), label, "initiative"),)


def _skill(creature: Creature, names: StatBlockNames, skill: str) -> Paragraph:
    """Return the paragraph of a single skill, even if the stat block has no bonus for it."""
    ability = next((entry.ability for entry in names.data.skills if entry.id == skill), "")
    bonus = dict(creature.skills).get(skill, names.data.modifier_of(creature, ability))
    name = names.skills.get(skill, skill.capitalize())
    label = f"{creature.name}: {names.say('ui.stat.check-of', name=name)}"
    check = TextRun(signed_text(bonus), _check(names, "check", bonus), label, f"skill:{skill}")
    return Paragraph(name, (check,), f"skill.{skill}")


def _check(names: StatBlockNames, kind: str, bonus: int) -> str:
    """Return the roll of a check with a bonus. Empty if the game has no die for it."""
    die = names.data.checks.die
    if kind == "initiative":
        die = names.data.initiative.die or die
    return prose.die_text(die, bonus)


def _speeds(creature: Creature, names: StatBlockNames) -> tuple[TextRun, ...]:
    if creature.type == OBJECT and not creature.speeds:
        return ()
    parts = []
    for id, feet in creature.speeds:
        distance = names.distance(feet)
        parts.append(distance if id == "walk" else f"{names.speeds.get(id, id).lower()} {distance}")
    if creature.hovers:
        parts.append(names.say("ui.stat.hovers"))
    return (TextRun(", ".join(parts) or "—"),)


def _ability(creature: Creature, ability: str, names: StatBlockNames) -> AbilityCell:
    modifier = names.data.modifier_of(creature, ability)
    short = names.ability_shorts.get(ability) or ability
    label = f"{creature.name}: {names.abilities.get(ability, short.upper())}"
    score = "" if names.data.ability_scale.is_modifier else str(names.data.score_of(creature, ability))
    return AbilityCell(
        short.capitalize() if names.style == "traits" else short.upper(),
        score,
        TextRun(signed_text(modifier), _check(names, "check", modifier), label, f"ability:{ability}"),
    )


def _saves(creature: Creature, names: StatBlockNames) -> NamedRuns:
    """Return the saves that differ from the ability modifier, or all known saves in games with their own saves."""
    own = dict(names.data.presentation.saves)
    if not own:
        return "saves", _bonuses(creature, creature.saves, names, names.ability_shorts, "save")
    bonuses = dict(creature.saves)
    known = (id for id in own if creature.abilities or id in bonuses)
    all_saves = tuple((id, bonuses.get(id, names.data.modifier_of(creature, id))) for id in known)
    return "saves", _bonuses(creature, all_saves, names, own, "save")


def _skills(creature: Creature, names: StatBlockNames) -> NamedRuns:
    separate = {row.removeprefix("skill.") for row in names.data.presentation.top if row.startswith("skill.")}
    bonuses = tuple((id, bonus) for id, bonus in creature.skills if id not in separate)
    return "skills", _bonuses(creature, bonuses, names, names.skills, "skill")


def _pools(creature: Creature, names: StatBlockNames) -> NamedRuns:
    own, shown = dict(creature.pools), names.data.presentation.pools
    pools = (resource for resource in names.data.resources if resource.id in shown)
    maximums = [(resource, own.get(resource.id, resource.amount)) for resource in pools]
    return "pools", _plain(", ".join(f"{resource.name.lower()} {most}" for resource, most in maximums if most))


def _weaknesses(creature: Creature, names: StatBlockNames) -> NamedRuns:
    key = "weaknesses" if names.data.presentation.figured else "vulnerabilities"
    return key, _listed(creature.vulnerabilities, names.damage)


def _assumed(creature: Creature, names: StatBlockNames) -> str:
    """Return the captions of the fields with usual numbers of the class."""
    rows = (name for name in creature.assumed if is_row(name))
    groups = (names.say("ui.creature.group-passives") for name in creature.assumed if name == "passives")
    return ", ".join([*(stat_row(creature, name, names)[0] or names.say(f"ui.stat.{name}") for name in rows), *groups])


ROW_BUILDERS: Mapping[str, Callable[[Creature, StatBlockNames], NamedRuns]] = {
    "ac": _ac,
    "hp": _hp,
    "speeds": lambda creature, names: ("speed", _speeds(creature, names)),
    "initiative": _initiative,
    "pools": _pools,
    "saves": _saves,
    "skills": _skills,
    "vulnerabilities": _weaknesses,
    "resistances": lambda creature, names: (
        "resistances", _with_weapons(_listed(creature.resistances, names.damage), creature, names, mundane=creature.mundane_resistance)
    ),
    "immunities": lambda creature, names: ("immunities", _immunities(creature, names)),
    "condition_immunities": lambda creature, names: (
        "condition-immunities", _listed(creature.condition_immunities, names.conditions)
    ),
    "senses": lambda creature, names: ("senses", _senses(creature, names)),
    "gear": lambda creature, names: ("gear", _listed(creature.gear, _gear_names(creature, names))),
    "specialties": lambda creature, _: ("specialties", _listed(creature.specialties, {})),
    "proficiency": lambda creature, _: (
        "proficiency", _plain(signed_text(creature.proficiency) if creature.proficiency else "")
    ),
    "maneuver_dc": lambda creature, names: ("maneuver-dc", _plain(_maneuver_dc(creature, names))),
    "attacks": lambda creature, names: ("attacking", _attacking(creature, names)),
    "reach": lambda creature, names: ("attacking", _attacking(creature, names)),
    "phases": lambda creature, names: (
        "phases", _plain(" ".join(_phase(phase, creature, names) for phase in creature.phases))
    ),
    "slots": lambda creature, names: ("slots", _slots(creature.slots, names)),
    "assumed": lambda creature, names: ("assumed", _plain(_assumed(creature, names))),
}  # fmt: skip
IN_OTHER_ROWS = {
    "rating", "level", "hit_dice", "mundane_immunity", "mundane_except", "passives", "extra_attack", "legendary",
}  # fmt: skip


def _bonuses(
    creature: Creature, bonuses: NamedNumbers, names: StatBlockNames, called: Mapping[str, str], kind: str
) -> tuple[TextRun, ...]:
    pieces: list[TextRun] = []
    key = "ui.stat.save-of" if kind == "save" else "ui.stat.check-of"
    for id, bonus in bonuses:
        name = names.skill_name(id) if kind == "skill" else (called.get(id) or id).capitalize()
        if pieces:
            pieces.append(TextRun(", "))
        pieces.append(TextRun(f"{name} ", style="bold" if kind == "save" and names.style == "traits" else ""))
        roll, label = _check(names, "check", bonus), f"{creature.name}: {names.say(key, name=name)}"
        pieces.append(TextRun(signed_text(bonus), roll, label, f"{kind}:{id}"))
    return tuple(pieces)


def _gear_names(creature: Creature, names: StatBlockNames) -> dict[str, str]:
    """Return the translated names of a creature's gear, keyed by id. Gear without a translation is omitted."""
    texts = {id: (f"statement.{id}", names.say(f"statement.{id}")) for id in creature.gear}
    return {id: words for id, (key, words) in texts.items() if words != key}


def _listed(ids: Iterable[str], names: Mapping[str, str]) -> tuple[TextRun, ...]:
    texts = []
    for entry in ids:
        id, amount = split_value(entry)
        name = (names.get(id) or id.replace("-", " ")).lower()
        texts.append(f"{name} {amount}" if amount else name)
    return _plain(", ".join(texts))


def _immunities(creature: Creature, names: StatBlockNames) -> tuple[TextRun, ...]:
    mundane = creature.mundane_immunity and names.data.presentation.has("mundane_immunity")
    return _with_weapons(_listed(creature.immunities, names.damage), creature, names, mundane=mundane)


def _with_weapons(
    listed: tuple[TextRun, ...], creature: Creature, names: StatBlockNames, *, mundane: bool
) -> tuple[TextRun, ...]:
    """Return damage types as text, followed by nonmagical weapons if they are included."""
    if not mundane:
        return listed
    materials = f" {names.say('ui.stat.or')} ".join(creature.mundane_except).replace("-", " ")
    text = names.say("ui.stat.mundane-except", materials=materials) if materials else names.say("ui.stat.mundane")
    return (TextRun(f"{listed[0].text}; {text}" if listed else text),)


def _plain(text: str) -> tuple[TextRun, ...]:
    return (TextRun(text),) if text else ()


def _senses(creature: Creature, names: StatBlockNames) -> tuple[TextRun, ...]:
    senses = [(id.replace("-", " "), names.distance(feet) if feet else "") for id, feet in creature.senses]
    parts = [f"{name} {distance}" if distance else name for name, distance in senses]
    for skill, score in _passives(creature, names) if names.data.presentation.has("passives") else ():
        parts.append(names.say("ui.stat.passive", skill=names.skills.get(skill) or skill.capitalize(), n=score))
    return _plain(", ".join(parts))


def _passives(creature: Creature, names: StatBlockNames) -> Iterable[tuple[str, int]]:
    """Yield a creature's passive scores. Its passive Perception is calculated if the stat block doesn't list it."""
    stated, bonuses = dict(creature.passives), dict(creature.skills)
    for skill in names.data.skills:
        if skill.id == PERCEPTION and skill.id not in stated and knows_skill(creature, skill.id):
            bonus = bonuses.get(skill.id, names.data.modifier_of(creature, skill.ability))
            yield skill.id, USUAL_PASSIVE + bonus
    yield from stated.items()


def _attacking(creature: Creature, names: StatBlockNames) -> tuple[TextRun, ...]:
    presentation, usual = names.data.presentation, names.data.attack.reach or BARE_REACH
    has_more = creature.attacks > 1 and presentation.has("attacks")
    parts = [names.say("ui.stat.attacks", n=creature.attacks)] if has_more else []
    parts += [names.say("ui.stat.extra-attack")] if creature.extra_attack and presentation.has("extra_attack") else []
    parts += [names.say("ui.stat.bare-reach", n=creature.reach)] if creature.reach != usual else []
    return _plain(", ".join(parts))


def _maneuver_dc(creature: Creature, names: StatBlockNames) -> str:
    """Return the maneuver DC as given, or from proficiency and the better of Strength and Dexterity.

    Empty if unknown.
    """
    if creature.maneuver_dc:
        return str(creature.maneuver_dc)
    data = names.data
    usual = data.scaling.benchmark(creature.rating)
    proficiency = creature.proficiency or (usual.proficiency if usual else 0)
    abilities = (data.attack.melee_ability, data.attack.ranged_ability)
    better = max(data.modifier_of(creature, ability) for ability in abilities)
    return str(MANEUVER_BASE + proficiency + better) if proficiency and data.presentation.has("maneuver_dc") else ""


def _slots(slots: NamedNumbers, names: StatBlockNames) -> tuple[TextRun, ...]:
    return _plain(", ".join(names.styled("slots-of", level=level, n=count) for level, count in slots if count))


def _phase(phase: CreaturePhase, creature: Creature, names: StatBlockNames) -> str:
    """Return a phase as a sentence: its name, when it starts, its effects, and its note."""
    begins = names.say("ui.stat.phase-at", n=phase.at) if phase.at else names.say("ui.stat.phase-at-zero")
    parts = [names.say("ui.stat.phase-hp", n=phase.hp or creature.hp)] if phase.hp or not phase.at else []
    if phase.creature:
        parts.append(names.say("ui.stat.phase-creature", name=phase.creature.replace("-", " ")))
    if phase.legendary:
        parts.append(names.say("ui.stat.phase-legendary", n=phase.legendary))
    if phase.recharges:
        names_by_id = {feature.id: feature.name for feature in creature.features}
        names_by_id[ALL_FEATURES] = names.say("ui.stat.phase-all")
        ready = ", ".join(names_by_id.get(recharge, recharge) for recharge in phase.recharges)
        parts.append(names.say("ui.stat.phase-ready", what=ready))
    if phase.ends:
        conditions = {ALL_CONDITIONS: names.say("ui.stat.phase-everything")}
        ended = [conditions.get(end) or names.conditions.get(end, end).lower() for end in phase.ends]
        parts.append(names.say("ui.stat.phase-ends", what=", ".join(ended)))
    if phase.reverts:
        parts.append(names.say("ui.stat.phase-reverts"))
    sentence = f"{phase.name or phase.id} ({begins}){': ' if parts else ''}{'; '.join(parts)}."
    return f"{sentence} {phase.note}" if phase.note else sentence
