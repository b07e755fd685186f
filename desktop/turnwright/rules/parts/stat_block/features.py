"""The text of a stat block's traits and actions: their rolls, their effects on a hit, and their limits.

Attack bonuses that a stat block doesn't state are calculated from ability, proficiency and magic. In games with a
multiple attack penalty, a Strike also has the bonuses of later attacks in the turn.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from math import comb, floor
from typing import Final

import msgspec

from turnwright.dice.expression import DiceError, FlatTerm, format_terms, parse
from turnwright.encounter.prepared import Creature, Feature, OtherDamage
from turnwright.encounter.state import grouped
from turnwright.rules.parts.attacks.attack_targeting import (
    AGAINST,
    MELEE,
    RANGED,
    attack_ability,
    attack_kind,
    is_attack,
    is_spell,
)
from turnwright.rules.parts.stat_block import prose as wording
from turnwright.rules.parts.stat_block.prose import Paragraph, StatBlockNames, TextRun
from turnwright.rules.system_data import SystemData
from turnwright.rules.system_data.statements import Compound, Fact, parse_statement
from turnwright.rules.word_keys import signed_text

_SAID_OTHERWISE: Final = (
    "weapon", "attack", "spell", "item", "ranged", "reach", "thrown", "sure-hit", "range", "uncounted", "doubles-push",
    "carried-area", "bright-light", "dim-light", "placed-area", "stays-in-area", "saves-later", "attack-trait", "any-direction",
)  # fmt: skip
_MOST: Final = 5
UNTYPED: Final = " untyped"
_BARE_AVERAGE: Final = re.compile(
    r"(?<![Ss]tage )(?<![-+.,/(\d])\b(\d+) (\d+d\d+)\b(?! to )"
)  # before dice without parentheses
_AVERAGE: Final = re.compile(r"\b(\d+) \((?=(\d+)d(\d+)\))")  # some sources round up
_AGAIN: Final = re.compile(
    r"(?<=[:,] )([A-Z][\w’' ]+)(?:, \1\b)+(?=[,.;\n]|$)"
)  # the same spell prepared several times
WITH_FEATURES: Final = ("saves", "hp")  # rows that may have the texts of short traits
_MUCH: Final = 60  # characters of a text that is more than that
_LETTER: Final = re.compile(r" [a-z]$")


def is_strike(feature: Feature) -> bool:
    """Return whether a feature is a Strike: an attack that takes one action and isn't a spell or a skill check."""
    return (
        feature.cost == "action"
        and feature.price == 1
        and is_attack(feature)
        and not (is_spell(feature) or _is_check(feature))
    )


def _is_check(feature: Feature) -> bool:
    """Return whether a feature's roll to hit is a check against a save: it deals no damage, or only to a held creature."""
    is_harmless = bool(feature.ongoing_while or not feature.damage)
    return is_harmless and any(each.startswith(AGAINST) for each in feature.properties)


def kinds_of_strike(feature: Feature) -> tuple[str, ...]:
    """Return the kinds of a Strike: `melee`, `ranged`, or both for a weapon that can be thrown."""
    if feature.reach and (feature.range or "thrown" in feature.properties):
        return (MELEE, RANGED)
    return (attack_kind(feature),)


def later_bonuses(data: SystemData, feature: Feature, bonus: int) -> tuple[int, ...]:
    """Return the bonuses of a turn's second, third and further attacks, until they no longer get worse."""
    penalty = next((condition for condition in data.conditions if condition.id == data.attack.tally), None)
    if penalty is None or not data.attack.tally:
        return ()
    bonuses: list[int] = []
    penalties = [rule for rule in penalty.rules if (rule.kind, rule.what) == ("modifier", "attack")]
    for level in range(1, _MOST):
        lost = sum(rule.add for rule in penalties if _holds(parse_statement(rule.when).tree, feature, level))
        if bonus + lost >= (bonuses[-1] if bonuses else bonus):
            break
        bonuses.append(bonus + lost)
    return tuple(bonuses)


def _holds(tree: Fact | Compound, feature: Feature, level: int) -> bool:
    """Return whether a statement is true of an attack after `level` others in the same turn."""
    if isinstance(tree, Compound):
        return (any if tree.either else all)(_holds(part, feature, level) for part in tree.parts)
    has_property = tree.word == "with" and tree.argument in feature.properties
    return (level >= tree.number if tree.word == "level" else has_property) != tree.negated


def traits_of(feature: Feature) -> list[str]:
    """Return a feature's traits by name, in alphabetical order."""
    traits = (each for each in feature.properties if each not in _SAID_OTHERWISE and not each.startswith(AGAINST))
    return sorted(_LETTER.sub(lambda found: found[0].upper(), trait.replace("-", " ")) for trait in traits)


def strike_traits(feature: Feature, kind: str, names: StatBlockNames) -> list[str]:
    """Return the traits of a Strike, including its reach if longer than usual, and its range."""
    return sorted([*traits_of(feature), *_distances(feature, kind, names)])


def _distances(feature: Feature, kind: str, names: StatBlockNames) -> Iterator[str]:
    settings = names.data.attack
    if kind == MELEE:
        if feature.reach and feature.reach != settings.reach:
            yield names.styled("reach-of", distance=names.distance(feature.reach))
        if len(kinds_of_strike(feature)) > 1 and feature.range:
            yield names.styled("thrown", distance=names.distance(feature.range))
    elif feature.range:
        is_thrown = "thrown" in feature.properties
        yield names.styled("thrown" if is_thrown else "increment", distance=names.distance(feature.range))


class BonusPart(msgspec.Struct, frozen=True):
    """A part of a bonus: its reason as a word key, and the ledger topic of its rule."""

    value: int
    reason: str
    topic: str


class AttackBonus(msgspec.Struct, frozen=True):
    """A bonus to hit with its parts, and the ability modifier to damage (`damage_modifier`)."""

    parts: tuple[BonusPart, ...]
    damage_modifier: int

    @property
    def total(self) -> int:
        """Return the bonus to hit."""
        return sum(part.value for part in self.parts)


def calculated_bonus(data: SystemData, creature: Creature, feature: Feature) -> AttackBonus | None:
    """Return the bonus to hit of an attack that doesn't state one, or None for other attacks and features.

    It is unknown, too, if levels are part of the game's proficiency and the stat block has none.
    """
    if feature.attack is not None or not is_attack(feature):
        return None
    if data.ability_scale.is_modifier and not creature.proficiency:
        return None
    ability, topic = attack_ability(data, creature, feature, attack_kind(feature))
    modifier, spell = data.modifier_of(creature, ability), is_spell(feature)
    parts = [BonusPart(modifier, f"<ability.{ability}>", topic)]
    if feature.proficient or spell:
        parts.append(BonusPart(creature.proficiency, "why.proficiency", "attack.modifier.proficient"))
    if feature.magic:
        parts.append(BonusPart(feature.magic, "why.magic", "attack.modifier.magic-weapon"))
    return AttackBonus(tuple(parts), 0 if spell else modifier)


def damage_with(text: str, bonus: int) -> str:
    """Add a bonus to the first part of a dice expression. An unreadable expression doesn't change."""
    try:
        expression = parse(text)
    except DiceError:
        return text
    if not bonus or not expression.parts:
        return text
    first, *rest = expression.parts
    flat = FlatTerm(first.flat + bonus, first.kind)
    dice = [term for term in first.terms if not isinstance(term, FlatTerm)]
    return format_terms(
        [*dice, *([flat] if flat.value or not dice else []), *(term for part in rest for term in part.terms)]
    )


_BARE = Feature("", "")
# Fields that a list of spells contains, or that can be derived from the spell's name.
_LISTED_FIELDS = (
    "id", "name", "cost", "price", "text", "properties", "uses", "per", "level", "concentration", "range", "area",
    "read",
)  # fmt: skip
COSTS = ("trait", "action", "bonus", "reaction", "legendary", "lair", "free")


def feature_paragraphs(creature: Creature, names: StatBlockNames) -> Iterable[tuple[str, tuple[Paragraph, ...]]]:
    """Yield the paragraphs of each type of feature with their heading, which is empty for traits.

    The layout `traits` has a single list without headings: Strikes, then spells, then all others except reactions.
    """
    listed = [feature for feature in creature.features if not is_in_list(creature, feature)]
    if names.style == "traits":
        moved = [id for row in WITH_FEATURES for id in texts_in_row(creature, row, names)]
        own = (each for each in listed if not _is_reactive(each) and each.id not in moved)
        rest = sorted(own, key=_place_among_actions)
        lines = tuple(_marked(feature, line) for feature in rest for line in _paragraphs(creature, feature, names))
        if lines:
            yield ("", lines)
        return
    for cost in COSTS:
        lines = tuple(_marked(each, _feature(creature, each, names)) for each in listed if each.cost == cost)
        if lines:
            yield (_cost_heading(creature, cost, names), lines)


def texts_in_row(creature: Creature, row: str, names: StatBlockNames) -> dict[str, str]:
    """Return the texts of traits that the layout prints in the row of a field instead, keyed by feature id."""
    pattern = names.say(f"ui.stat.in-{row}-traits") if row in WITH_FEATURES and names.style == "traits" else ""
    traits = (each for each in creature.features if each.cost == "trait" and len(each.text) < _MUCH)
    told = ((each.id, text.strip(" .")) for each in traits for text in (each.short, each.name.lower(), each.text))
    return {id: text for id, text in told if pattern and re.fullmatch(pattern, text, re.IGNORECASE)}


def reactive_paragraphs(creature: Creature, names: StatBlockNames) -> Iterable[Paragraph]:
    """Yield the paragraphs of reactive features, which the layout `traits` lists separately."""
    for feature in creature.features:
        if names.style == "traits" and _is_reactive(feature) and not is_in_list(creature, feature):
            yield _marked(feature, _feature(creature, feature, names))


def _marked(feature: Feature, paragraph: Paragraph) -> Paragraph:
    """Return a paragraph of a feature, with a sign if its numbers are assumed."""
    return wording.with_sign(paragraph) if feature.assumed else paragraph


def _is_reactive(feature: Feature) -> bool:
    return feature.cost == "reaction" or (feature.cost == "free" and bool(feature.trigger))


def _place_among_actions(feature: Feature) -> tuple[int, int]:
    if is_strike(feature):
        return (0, kinds_of_strike(feature)[0] == RANGED)
    return (1, 0) if is_spell(feature) else (2, COSTS.index(feature.cost))


def _paragraphs(creature: Creature, feature: Feature, names: StatBlockNames) -> Iterable[Paragraph]:
    """Return the paragraphs of a feature: one for each way to make a Strike, otherwise a single one."""
    kinds = kinds_of_strike(feature) if is_strike(feature) else ()
    return [_strike(creature, feature, kind, names) for kind in kinds] or [_feature(creature, feature, names)]


def is_in_list(creature: Creature, feature: Feature) -> bool:
    """Return whether a feature needs no paragraph: a copy, or a spell without additional numbers that a list names."""
    copies = (each for each in creature.features if each.name == feature.name and each.rules_text == feature.rules_text)
    is_copy = bool(feature.trigger) and next(copies, feature).id != feature.id
    bare = msgspec.structs.replace(feature, **{name: getattr(_BARE, name) for name in _LISTED_FIELDS})
    is_bare_spell = is_spell(feature) and feature.cost != "trait" and bare == _BARE
    return is_copy or (is_bare_spell and any(lists_spell(candidate, feature) for candidate in creature.features))


def without_copies(features: Iterable[Feature]) -> Iterator[Feature]:
    """Yield features without their copies, whose uses count for the first."""
    alike: dict[Feature, tuple[Feature, int]] = {}
    for feature in features:
        plain = msgspec.structs.replace(feature, id="", uses=0)
        first, uses = alike.get(plain, (feature, 0))
        alike[plain] = (first, uses + feature.uses)
    yield from (msgspec.structs.replace(first, uses=uses) for first, uses in alike.values())


def lists_spell(candidate: Feature, spell: Feature) -> bool:
    """Return whether a feature's text is a list of spells that names this spell."""
    is_list = candidate.cost in ("trait", "action") and candidate.does and is_spell(spell) and candidate is not spell
    return bool(is_list) and spell.name.partition(" (")[0].lower() in candidate.text.lower()


def _cost_heading(creature: Creature, cost: str, names: StatBlockNames) -> str:
    if cost == "trait":
        return ""
    heading = names.styled(f"cost-{cost}")
    if cost == "legendary" and creature.legendary:
        return f"{heading} ({names.say('ui.stat.a-round', n=creature.legendary)})"
    return heading


def _strike(creature: Creature, feature: Feature, kind: str, names: StatBlockNames) -> Paragraph:
    """Return a Strike: `Melee ◆ jaws +11 [+6/+1] (agile), Damage 1d8+4 piercing`."""
    label = f"{creature.name}: {feature.name}"
    bonus, damage = _figures(creature, feature, names)
    roll = wording.die_text(names.data.checks.die, bonus or 0)
    named = strike_traits(feature, kind, names)
    traits = ", ".join(named)
    later = "/".join(signed_text(each) for each in later_bonuses(names.data, feature, bonus or 0))
    pieces = [
        TextRun(f"{feature.name.lower()} "),
        TextRun(signed_text(bonus or 0), roll, label, style="bold"),
        TextRun((f" [{later}]" if later else "") + (f" ({traits})" if traits else "")),
    ]
    plus = f" {names.say('ui.stat.plus')} "
    if damage:
        pieces += [
            TextRun(", "),
            TextRun(f"{names.say('ui.stat.damage')} ", style="bold"),
            *_damage(damage, label, names),
        ]
        pieces += _or_damage(feature, label, names)
    if feature.ongoing:
        dice, _, of = feature.ongoing.partition(" ")
        ongoing = names.say("ui.stat.persistent", dice=wording.true_minus(dice), kind=of).rstrip()
        pieces.append(TextRun(f"{plus if damage else ', '}{ongoing}"))
    pieces.append(TextRun(". "))
    prose = prose_of(creature, feature, names)
    if {part.strip(" .").lower().replace(" 1d", " d") for part in prose.split(",")}.issubset(named):
        prose = ""
    pieces += _sentences(msgspec.structs.replace(feature, ongoing="", reach=0, range=""), label, names, prose, hit=True)
    about = f"feature:{feature.id}"
    lead = f"{names.say(f'ui.stat.strike-{kind}')}{_price_and_limits(creature, feature, names)}"
    return Paragraph(lead, _ended(pieces, about), about, name=feature.name)


def _figures(creature: Creature, feature: Feature, names: StatBlockNames) -> tuple[int | None, str]:
    """Return a feature's bonus to hit (None without an attack) and its damage, calculated from abilities if needed."""
    calculated = calculated_bonus(names.data, creature, feature)
    if calculated is None:
        return feature.attack, feature.damage
    return calculated.total, damage_with(feature.damage, calculated.damage_modifier)


def prose_of(creature: Creature, feature: Feature, names: StatBlockNames) -> str:
    """Return a feature's prose without the parts that repeat its numbers."""
    names_by_id = {other.id: other.name for other in creature.features}
    prose = wording.remaining_prose(feature, names_by_id, *_figures(creature, feature, names))
    prose = _AGAIN.sub(lambda found: f"{found[1]} ×{found[0].count(found[1])}", _BARE_AVERAGE.sub(r"\1 (\2)", prose))
    prose = _AVERAGE.sub(lambda found: f"{int(found[2]) * (int(found[3]) + 1) // 2} (", prose)
    if feature.uses == 1:  # as its limits say
        prose = re.sub(
            rf"\bFrequency:? once (?:per|an?|every) {feature.per}(?:[.;]\s*|\s*(?:\n|$))",
            "",
            prose,
            flags=re.IGNORECASE,
        )
    kept = wording.without_repeated_sentences(feature, prose, names)
    if feature.half and not wording.says_half(kept) and wording.says_save(kept, feature.dc, save_name(feature, names)):
        kept = wording.without_repeated_sentences(msgspec.structs.replace(feature, half=False), prose, names)
    return kept


def _feature(creature: Creature, feature: Feature, names: StatBlockNames) -> Paragraph:
    traits = traits_of(feature) if names.style == "traits" else []
    pieces: list[TextRun] = [TextRun(f"({', '.join(traits)}) ")] if traits else []
    pieces += _effects(creature, feature, names)
    about = f"feature:{feature.id}"
    limited = _price_and_limits(creature, feature, names)
    end = "" if names.style == "traits" or (not limited and feature.name.endswith((".", "!", "?"))) else "."
    return Paragraph(f"{feature.name}{limited}{end}", _ended(pieces, about), about, name=feature.name)


def _effects(creature: Creature, feature: Feature, names: StatBlockNames) -> list[TextRun]:
    """Return the roll to hit of a feature and everything that it does."""
    label = f"{creature.name}: {feature.name}"
    bonus, damage = _figures(creature, feature, names)
    pieces: list[TextRun] = []
    strikes = [_figures(creature, other, names) for other in creature.features if is_strike(other)]
    told = _is_check(feature) or ((bonus, damage) in strikes and not is_spell(feature))
    if bonus is not None and not (names.style == "traits" and told):
        pieces += _attack(feature, bonus, label, names)
        pieces += _hit(creature, feature, damage, label, names)
    hit, prose = bonus is not None, prose_of(creature, feature, names)
    return [*pieces, *_sentences(feature, label, names, prose, damage="" if hit else damage, hit=hit)]


def effect_text(creature: Creature, feature: Feature, names: StatBlockNames) -> str:
    """Return the roll to hit of a feature and everything that it does as plain text, without its range and area."""
    bare = msgspec.structs.replace(feature, range="", reach=0, area="", within=0)
    return "".join(run.text for run in _effects(creature, bare, names)).strip()


def _ended(pieces: list[TextRun], about: str) -> tuple[TextRun, ...]:
    """Remove empty runs and trailing spaces from a feature's text, and set `about` on its rolls."""
    if pieces:
        pieces = [*pieces[:-1], msgspec.structs.replace(pieces[-1], text=pieces[-1].text.rstrip())]
    return tuple(msgspec.structs.replace(piece, about=about) if piece.roll else piece for piece in pieces if piece.text)


def _hit(creature: Creature, feature: Feature, damage: str, label: str, names: StatBlockNames) -> Iterable[TextRun]:
    """Yield the damage of a hit."""
    if not damage:
        return
    calculated = calculated_bonus(names.data, creature, feature)
    yield TextRun(names.styled("hit"), style="italic")
    yield TextRun(" ")
    yield from _damage(damage, label, names)
    if feature.half and not feature.save_damage:
        yield TextRun(f" ({_half(names)})")
    yield from _or_damage(feature, label, names, 0 if calculated is None else calculated.damage_modifier)
    yield TextRun(". ")


def other_ways(feature: Feature) -> tuple[OtherDamage, ...]:
    """Return the other damage that a feature may deal instead, unless its text describes another effect instead."""
    return () if "instead of dealing" in feature.text.lower() else feature.other_damage


def _or_damage(
    feature: Feature, label: str, names: StatBlockNames, modifier: int = 0, before: str = ", "
) -> Iterable[TextRun]:
    """Yield the other damage that a feature may deal instead, each with the reason."""
    for other in other_ways(feature):
        yield TextRun(f"{before}{names.say('ui.stat.or')} ")
        yield from _damage(damage_with(other.damage, modifier), f"{label}, {other.name}", names)
        yield TextRun("" if other.name in other.damage.split() else f" {other.name.rstrip('.')}")


def _half(names: StatBlockNames) -> str:
    return names.say("ui.stat.half-by-degrees" if names.data.checks.degrees else "ui.stat.half")


def _sentences(
    feature: Feature, label: str, names: StatBlockNames, prose: str, *, damage: str = "", hit: bool
) -> Iterable[TextRun]:
    """Yield a feature's effects as sentences: its range or area, the save, the damage, other effects, then its prose.

    Effects that the prose mentions are omitted. `hit`: an attack comes before these sentences.
    """
    if feature.requires and feature.requires.lower() not in prose.lower():
        yield TextRun(names.say("ui.stat.requires"), style="bold")
        yield TextRun(f" {feature.requires.removesuffix('.')}. ")
        prose = "" if f" {prose.strip(' .')}, " in feature.requires else prose  # such as a Strike alone
    places = _places(feature, names, prose, hit=hit)
    clauses: list[list[TextRun]] = []
    half = feature.half and not wording.says_half(prose)
    if feature.save and not wording.says_save(prose, feature.dc, save_name(feature, names)):
        clauses.append([TextRun(_save_text(feature, names, basic=half and bool(names.data.checks.degrees)))])
        half = half and not names.data.checks.degrees
    elif feature.dc and not feature.save and not re.search(rf"\b{feature.dc}\b", prose):
        clauses.append([TextRun(names.styled("spell-dc" if is_spell(feature) else "dc", dc=feature.dc))])
    parts = damage.split(" + ") if damage else []
    rolls = {part.partition(" ")[0]: part for part in parts if wording.says_dice(prose, part)}
    if damage and not all(wording.says_dice(prose, part) for part in parts):
        clauses.append([*_damage(damage, label, names), *_or_damage(feature, label, names, before=" ")])
    if feature.save_damage:
        lead = [TextRun(f"{names.say('ui.stat.failed-save')} ")] if hit else []
        clauses.append([*lead, *_damage(feature.save_damage, label, names)])
    if half and (not hit or feature.save_damage) and clauses:
        clauses.append([TextRun(_half(names))])
    sentence = [run for number, clause in enumerate(clauses) for run in ([TextRun(", ")] if number else []) + clause]
    if places:
        where = _capital(", ".join(places))
        yield TextRun(f"{where}: " if sentence else f"{where.removesuffix('.')}. ")
    if sentence:
        first = msgspec.structs.replace(sentence[0], text=_capital(sentence[0].text))
        yield from sentence if places else [first, *sentence[1:]]
        yield TextRun(". ")
    if feature.heals and not feature.trigger and not wording.says_dice(prose, feature.heals):
        yield TextRun(f"{names.say('ui.stat.regains')} ")
        yield from _damage(feature.heals, label, names, heals=True)
        yield TextRun(". ")
    effects = [TextRun(f"{wording.true_minus(text)}. ") for text in effect_texts(feature, names, prose, hit=hit)]
    failure = names.say("ui.stat.on-failure", effects="").rstrip()
    if any(run.text.startswith(failure) for run in effects) and prose.startswith(failure):
        prose = _capital(prose.removeprefix(failure).lstrip())
    # After prose that asks for the save. Degrees of success end the text.
    asks = bool(feature.save) and not hit and (not sentence or names.style == "traits")
    follow = bool(prose) and (asks or any(each.degree for each in feature.afflictions))
    yield from () if follow else effects
    heads = _headings(names.data.presentation.headings)
    for at, part in enumerate(heads.split(prose) if heads is not None else [prose]):
        yield from [TextRun(part, style="bold")] if at % 2 else wording.runs_of_text(part, label, rolls)
    yield from (TextRun(" "), *effects) if follow else ()


@cache
def _headings(words: tuple[str, ...]) -> re.Pattern[str] | None:
    """Return a pattern for headings at the beginning of a sentence, or None without any."""
    choices = "|".join(map(re.escape, words))
    return re.compile(rf"(?:(?<=^)|(?<=\n)|(?<=[.;] ))({choices})(?=[ :])") if words else None


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _save_text(feature: Feature, names: StatBlockNames, *, basic: bool) -> str:
    key = "by-check" if "by-check" in feature.properties else "save-basic" if basic else "save"
    return names.styled(key, ability=save_name(feature, names), dc=feature.dc or "?")


def save_name(feature: Feature, names: StatBlockNames) -> str:
    """Return the name of the ability or of the save against a feature, without the word for a save."""
    own = dict(names.data.terms).get(f"save.{feature.save}", "")
    suffix = names.say("ui.stat.save-suffix").strip()
    return own.removesuffix(suffix).strip() or names.abilities.get(feature.save, feature.save.upper())


def _places(feature: Feature, names: StatBlockNames, prose: str, *, hit: bool) -> list[str]:
    """Return a feature's range, reach, area and trigger distance, unless the prose mentions them."""
    texts = []
    usual = names.style == "traits" and feature.reach == names.data.attack.reach
    same = bool(feature.area) and re.findall(r"\d+", feature.range)[:1] == re.findall(r"\d+", feature.area)[:1]
    if feature.range.strip("self") and not hit and not same and not wording.says_distance(prose, feature.range):
        texts.append(names.styled("range-of", distance=names.distance(feature.range)))
    if feature.reach and not hit and not usual and not wording.says_distance(prose, str(feature.reach)):
        texts.append(names.styled("reach-of", distance=names.distance(feature.reach)))
    if feature.area and not wording.says_area(prose, feature.area):
        texts.append(feature.area)
    is_placed = bool(feature.area or feature.range)
    if feature.within and not is_placed and not wording.says_distance(prose, str(feature.within)):
        texts.append(names.styled("within", distance=names.distance(feature.within)))
    return texts


def _price_and_limits(creature: Creature, feature: Feature, names: StatBlockNames) -> str:
    """Return a feature's price and limits for the text after its name, sharing brackets if the price is a word."""
    price, limits = (
        _price(feature, names),
        ", ".join(limits_of(creature, feature, names, prose_of(creature, feature, names))),
    )
    if price.endswith(")") and limits:
        return f"{price[:-1]}; {limits})"
    return f"{price} ({limits})" if limits else price


def limits_after_price(creature: Creature, feature: Feature, names: StatBlockNames) -> str:
    """Return the additional prices and the limits of a feature, without brackets (`1 WP; recharge 5–6`)."""
    presentation = names.data.presentation
    further = [presentation.price(pool, price) for pool, price in feature.spends]
    limits = ", ".join(limits_of(creature, feature, names, prose_of(creature, feature, names)))
    return "; ".join(part for part in (", ".join(price_text for price_text in further if price_text), limits) if part)


def _price(feature: Feature, names: StatBlockNames) -> str:
    """Return a feature's cost as written after its name."""
    presentation = names.data.presentation
    costs = [
        presentation.price(feature.cost, feature.price),
        *(presentation.price(pool, price) for pool, price in feature.spends),
    ]
    text = ", ".join(cost for cost in costs if cost)
    return f" ({text})" if any(letter.isalnum() for letter in text) else f" {text}" if text else ""


def effect_texts(feature: Feature, names: StatBlockNames, prose: str, *, hit: bool) -> Iterable[str]:
    """Yield the effects on targets that are hit or fail the save, unless the prose mentions them."""
    simple: list[str] = []
    heads = _headings(names.data.presentation.headings)
    told = heads.findall(prose) if heads is not None else []
    by_degree: dict[str, list[str]] = {}
    is_read = (
        "afflictions" in feature.read and bool(prose) and not (feature.short or is_spell(feature))
    )  # from the text
    for affliction in () if feature.short and told else feature.afflictions:  # headings have their own text
        name = names.conditions.get(affliction.condition) or affliction.condition.replace("-", " ")
        degree = names.say(f"degree.{affliction.degree}") if affliction.degree else ""
        plain = degree.title() in told if degree else str(affliction.escape_dc or "") in prose
        # The text has the values that depend on a condition.
        has_value = affliction.value and not affliction.when and (is_read or not degree)
        value = f" {affliction.value}" if has_value else ""
        own = rf"(?=.*(?<!critical ){degree}\b)(?=.*\b{affliction.value or ''}\b)"
        said = (part for part in wording.sentences(prose) if degree and re.match(own, part, re.IGNORECASE))
        within = prose if plain or is_read else " ".join(said)
        called = (name, affliction.condition.replace("-", " "))
        forms = (form for each in called for form in (f"{each}{value}", f"level of {each}", f"levels of {each}"))
        is_worded = is_read and not any(wording.says_condition(feature.text, each) for each in called)
        if is_worded or any(wording.says_condition(within, form) for form in forms):
            continue
        parts = [names.say(f"ui.inflicted-condition.ends-{affliction.ends}")] if affliction.ends != "never" else []
        parts += [names.say("ui.stat.lasts", time=affliction.lasts)] if affliction.lasts else []
        parts += [names.say("ui.stat.by-margin", n=affliction.margin)] if affliction.margin else []
        parts += [names.say("ui.stat.escape", dc=affliction.escape_dc)] if affliction.escape_dc else []
        parts += [names.say("ui.stat.value-of-damage")] if affliction.value_of else []
        text = (
            f"{name if hit and not degree else name.lower()} {affliction.value_dice or affliction.value or ''}".strip()
        )
        text = f"{text} ({', '.join(parts)})" if parts else text
        if affliction.degree:
            by_degree.setdefault(degree, []).append(text)
        else:
            simple.append(text)
    if feature.push and not wording.says_distance(prose, str(abs(feature.push))):
        simple.append(names.say("ui.stat.push" if feature.push > 0 else "ui.stat.pull", n=abs(feature.push)))
    if hit or not feature.save:
        yield from map(_capital, simple)
    elif simple:
        yield names.say("ui.stat.on-failure", effects=", ".join(text[:1].lower() + text[1:] for text in simple))
    if feature.ongoing and not all(wording.says_dice(prose, part) for part in feature.ongoing.split(" + ")):
        dice, _, kind = feature.ongoing.removesuffix(UNTYPED).partition(" ")
        yield " ".join(names.styled("ongoing", damage=f"{dice} {kind}", dice=dice, kind=kind).split())
    degrees = grouped((", ".join(texts), degree) for degree, texts in by_degree.items())
    yield from (f"{_capital(', '.join(listed))}: {text}" for text, listed in degrees.items())


def _attack(feature: Feature, bonus: int, label: str, names: StatBlockNames) -> list[TextRun]:
    """Return the line of an attack roll: `Melee Weapon Attack: +8 to hit, reach 10 ft., one target.`."""
    pieces = [
        TextRun(names.styled("to-hit", bonus=signed_text(bonus)), wording.die_text(names.data.checks.die, bonus), label)
    ]
    where = [names.styled("reach-of", distance=names.distance(feature.reach))] if feature.reach else []
    where += [names.styled("range-of", distance=names.distance(feature.range))] if feature.range.strip("self") else []
    if where:
        either = f" {names.say('ui.stat.or')} "
        pieces.append(TextRun(f", {either.join(where)}"))
    if names.style == "classic" and not names.brief:
        kind = "-or-".join([MELEE, RANGED] if feature.reach and feature.range else [attack_kind(feature)])
        label_text = names.say(f"ui.stat.attack-{kind}-{'spell' if is_spell(feature) else 'weapon'}")
        pieces = [TextRun(label_text, style="italic"), TextRun(" "), *pieces]
        pieces.append(TextRun("" if feature.area else f", {names.say('ui.stat.one-target')}"))
    end = "" if "".join(piece.text for piece in pieces).endswith(".") else "."
    return [*pieces, TextRun(f"{end} ")]


def _damage(text: str, label: str, names: StatBlockNames, *, heals: bool = False) -> list[TextRun]:
    """Return damage or healing as a roll: only the dice in the layout `traits`, elsewhere the average and the dice."""
    plus = f" {names.say('ui.stat.plus')} "
    if names.style == "traits":
        return [TextRun(wording.true_minus(plus.join(text.replace(UNTYPED, "").split(" + "))), text, label)]
    of = f" {names.say('ui.stat.of-damage')}" if names.style == "classic" and not (names.brief or heals) else ""
    text_with_average = damage_with_average(text, plus, of)
    return [TextRun(text) if text_with_average is None else TextRun(wording.true_minus(text_with_average), text, label)]


def damage_with_average(damage: str, plus: str = " + ", of: str = "") -> str | None:
    """Return damage with the average of each part before its dice, or None if the text is unreadable.

    `of` is added after each type of damage.
    """
    try:
        expression = parse(damage)
    except DiceError:
        return None
    texts = []
    for part in expression.parts:
        terms = sorted(part.terms, key=lambda term: isinstance(term, FlatTerm))  # dice first
        dice = format_terms(terms).removesuffix(f" {part.kind}")
        kind = f" {part.kind}".removesuffix(UNTYPED).rstrip()
        texts.append(f"{max(0, floor(part.mean))} ({dice}){kind}{of}" if part.dice else f"{dice}{kind}{of}")
    return plus.join(texts)


def limits_of(creature: Creature, feature: Feature, names: StatBlockNames, text: str = "") -> list[str]:
    """Return the limits of a feature in a few words each, such as its level, uses and recharge. `text` follows them."""
    parts = []
    if feature.level is not None:
        parts.append(names.styled("spell", level=feature.level) if feature.level else names.say("ui.stat.cantrip"))
    if feature.concentration:
        parts.append(names.styled("concentration"))
    if feature.multiattack:
        parts += filter(None, [multiattack_text(creature, feature, names, text)])
    elif feature.attacks:
        parts.append(names.say("ui.stat.multiattack", n=feature.attacks))
    if feature.recharge:
        parts.append(names.say("ui.stat.recharge", faces=faces_text(feature.recharge)))
    if feature.rests:
        parts.append(names.say("ui.stat.rests", dice=feature.rests))
    if feature.uses:
        parts.append(names.say("ui.stat.uses", n=feature.uses, per=names.say(f"ui.feature.per-{feature.per}")))
    if feature.shares:
        shared = next((each.name for each in creature.features if each.id == feature.shares), feature.shares)
        parts.append(names.say("ui.stat.shared", name=shared))
    if feature.cost == "legendary" and feature.price != 1:
        parts.append(names.say("ui.stat.price", n=feature.price))
    return parts


def multiattack_text(creature: Creature, feature: Feature, names: StatBlockNames, text: str = "") -> str:
    """Return the attacks of a multiattack as text, with all variants. Empty if `text` names all of them."""
    names_by_id = {other.id: other.name for other in creature.features}
    used_ids = [id for way in feature.multiattack for id, _ in way]
    used = [names_by_id.get(id, id).partition(" (")[0] for id in used_ids]
    if all(name.lower().removesuffix("s") in text.lower() for name in used):
        return ""
    parts, numbers = set(used_ids), {sum(count for _, count in way) for way in feature.multiattack}
    if (
        len(numbers) == 1 < len(parts)
        and len(feature.multiattack) == comb(len(parts) + (most := max(numbers)) - 1, most) > 2
    ):
        return names.say("ui.stat.any-mix", n=most, names=f" {names.say('ui.stat.or')} ".join(dict.fromkeys(used)))
    ways = [
        ", ".join(names.say("ui.stat.one-of-many", n=count, name=names_by_id.get(id, id)) for id, count in way)
        for way in feature.multiattack
    ]
    return f" {names.say('ui.stat.or')} ".join(ways)


def faces_text(lowest: int) -> str:
    """Return the faces of a d6 from `lowest` to 6 as text (`5–6`), or an empty string if `lowest` is 0."""
    return "" if not lowest else "6" if lowest >= 6 else f"{lowest}–6"
