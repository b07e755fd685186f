"""Conversion of spells to features of their casters."""

import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any, Final, NamedTuple

import msgspec

from turnwright.dice.expression import Modifier
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Creature, Feature, FeatureStep, LeftFeature, NamedNumbers
from turnwright.encounter.procedure_state.asks import CRITICAL_FAILURE, CRITICAL_SUCCESS, SUCCESS
from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Lookup
from turnwright.rules.parts.attacks.attack_targeting import HALF_ON_MISS, save_against
from turnwright.rules.parts.combatants.facts import LEVEL, OF_OTHERS
from turnwright.rules.system import ExplainedNumber, RuleSystem, creature_of, explained_sum
from turnwright.rules.system_data.numbers import Spell, SpellChoice

SPELL_DC: Final = "spell-dc"  # numbers that the game master enters if the stat block has none
SPELL_ATTACK: Final = "spell-attack"
SPELL_MODIFIER: Final = "spell-modifier"
CANTRIP, SPELL, BONUS_SPELL = 0, 1, 2  # kinds of spells that a turn allows together
SELF: Final = "self"  # the range of spells whose only target is their caster
HALVES_ONGOING: Final = "halves-ongoing"  # property: a successful save halves its ongoing damage, too
DOUBLES_PUSH: Final = "doubles-push"  # property: a critical hit, or a critical failure of the save, pushes twice as far
FOCUS: Final = "focus"  # property of spells that cost a point of this resource instead of a slot
SAVES_LATER: Final = "saves-later"  # property of spells against which targets only save at the end of their turns
_LEFT: Final = (
    "afflictions", "push", "ongoing_at", "ongoing_while", "until", "effect_uses", "ends", "ends_all", "after",
    "stages", "stage_rounds", "immune_after",
)  # fmt: skip
_HARM: Final = ("damage", "save", "half", "afflictions", "push", "ongoing")  # what a spell does again on later turns
_PROFICIENCY: Final = "why.proficiency"
_TOUCH: Final = 5
_GROWS_AT: Final = (5, 11, 17)  # caster levels at which a cantrip gets another die
_DICE = re.compile(r"(?P<count>[0-9]{1,3})d(?P<sides>[0-9]{1,4})(?:\+(?P<more>[0-9]{1,3}))?")
_DARTS = re.compile(r"(?P<count>[1-9]\d*)(?P<die>d\d+)(?:\+(?P<bonus>\d+))?(?P<kind>(?: [a-z-]+)?)")
_NUMBER = re.compile(r"[0-9]{1,4}(?![0-9d])")
_EDITION = re.compile(r" \(\d{4}\)$")


class Caster(NamedTuple):
    """The numbers of a caster on which its spells depend. Unknown ones are 0 or None.

    `calculated`: the attack bonus isn't in the stat block, but follows from the ability and the proficiency bonus.
    """

    dc: int = 0
    attack: int | None = None
    level: int = 0
    modifier: int | None = None
    calculated: bool = False


def caster_of(rules: RuleSystem, creature: Creature, supplied: NamedNumbers = ()) -> Caster:
    """Return a caster's spellcasting numbers: from its stat block, entered (`supplied`), or calculated."""
    dc, attack = spell_dc(rules, creature, supplied), spell_attack(rules, creature, supplied)
    calculated = attack is not None and attack.parts[0].reason == _PROFICIENCY
    level = creature.level or dict(supplied).get(LEVEL, 0)
    modifier = _modifier(rules, creature, supplied)
    return Caster(dc.total if dc else 0, attack.total if attack else None, level, modifier, calculated)


def caster_at(lookup: Lookup, rules: RuleSystem, who: str) -> Caster:
    """Return a combatant's spellcasting numbers. All of them are unknown if it has left the encounter."""
    caster = lookup.get(Combatant, who)
    return caster_of(rules, creature_of(lookup, caster), caster.supplied_numbers) if caster else Caster()


def spell_dc(rules: RuleSystem, creature: Creature, supplied: NamedNumbers = ()) -> ExplainedNumber | None:
    """Return the DC of a caster's spells with its reasons, or None if it is unknown."""
    printed = next((feature.dc for feature in _casting(creature) if feature.dc), None)
    base = rules.data.attack.spell_dc
    return _caster_number(rules, creature, supplied, printed, SPELL_DC, (Modifier(base, "why.spell_base"),))


def spell_attack(rules: RuleSystem, creature: Creature, supplied: NamedNumbers = ()) -> ExplainedNumber | None:
    """Return the bonus of a caster's spell attacks with its reasons, or None if it is unknown."""
    printed = next((feature.attack for feature in _casting(creature) if feature.attack is not None), None)
    return _caster_number(rules, creature, supplied, printed, SPELL_ATTACK, ())


def _casting(creature: Creature) -> list[Feature]:
    casts = (("pellcasting" in each.name or "spell" in each.properties, each) for each in creature.features)
    return [each for is_spell, each in casts if is_spell or any(step.spell for step in each.does)]


def _modifier(rules: RuleSystem, creature: Creature, supplied: NamedNumbers) -> int | None:
    entered = dict(supplied).get(SPELL_MODIFIER)
    is_known = entered is None and creature.spellcasting in dict(creature.abilities)
    return rules.modifier_of(creature, creature.spellcasting) if is_known else entered


def _caster_number(
    rules: RuleSystem,
    creature: Creature,
    supplied: NamedNumbers,
    printed: int | None,
    key: str,
    base: tuple[Modifier, ...],
) -> ExplainedNumber | None:
    """Return a caster's number: printed, entered under a key, or calculated from its proficiency and ability."""
    entered, modifier = dict(supplied), _modifier(rules, creature, supplied)
    known = printed if printed is not None else entered.get(key)
    if known is not None:
        return explained_sum(Modifier(known, "why.stat_block" if printed is not None else "why.supplied"))
    proficiency = entered.get("proficiency", creature.proficiency)
    if not (rules.data.attack.spell_dc and proficiency) or modifier is None:
        return None
    reason = f"<ability.{creature.spellcasting}>" if creature.spellcasting else "why.spell_modifier"
    return explained_sum(*base, Modifier(proficiency, _PROFICIENCY), Modifier(modifier, reason))


def with_casters_dc(feature: Feature, caster: Caster) -> Feature:
    """Return a spell of a stat block with its caster's DC, if the stat block states none for the spell itself."""
    if "spell" in feature.properties and feature.save and not feature.dc:
        return msgspec.structs.replace(feature, dc=caster.dc)
    return feature


def unknown_numbers(spell: Spell, caster: Caster, printed: str = "") -> tuple[str, ...]:
    """Return the names of the caster's numbers that a spell depends on and that aren't known, unless its damage is `printed`."""
    numbers = {
        SPELL_DC: bool(spell.save) and not caster.dc,
        SPELL_ATTACK: bool(spell.attack) and caster.attack is None,
        SPELL_MODIFIER: spell.adds_modifier and caster.modifier is None,
        LEVEL: ((spell.grows and not printed) or spell.rays_grow) and not caster.level,
    }
    return tuple(name for name, is_unknown in numbers.items() if is_unknown)


def version_of(spell: Spell, level: int = 0, price: int = 0) -> Spell:
    """Return a spell as cast with a slot of `level` (0: the spell's own level) for a price (0: its usual price)."""
    level = level or spell.level or 0
    for version in spell.versions:
        if 0 < version.rank <= level or version.price == price > 0:
            fields = (name for name in version.__struct_fields__ if name not in ("rank", "lasting"))
            changes = {name: new for name in fields if (new := getattr(version, name))}
            own: dict[str, Any] = {"range": version.range, "area": version.area} if version.price else {}
            own |= {"concentration": False} if version.lasting else {}
            spell = msgspec.structs.replace(spell, **(changes | own))
    return spell


def has_prices(spell: Spell | None) -> bool:
    """Return whether a spell can be cast for several prices."""
    return spell is not None and any(version.price for version in spell.versions)


def rank_of(spell: Spell, own: Feature, caster: Caster) -> int:
    """Return the level at which a stat block lists a spell. Without one, return that with the same numbers."""
    if own.level is not None:
        return own.level
    made = ((level, spell_feature(spell, caster, level=level)) for level in range(spell.level or 0, 11))
    numbers = (own.heals, own.damage, own.targets)
    same = (level for level, one in made if (one.heals, one.damage, one.targets) == numbers)
    return next(same, 0) if any(numbers) else 0


def kind_of_cast(rules: RuleSystem, feature: Feature) -> int:
    """Return the kind of a spell among those of a turn: the second spell and a bonus action spell are cantrips."""
    listed = listed_spell(rules, feature)
    level = feature.level if feature.level is not None or listed is None else listed.level
    if not (rules.data.attack.one_spell and feature.is_spell):
        return CANTRIP
    return BONUS_SPELL if feature.cost == "bonus" else CANTRIP if level == 0 and feature.cost == "action" else SPELL


def listed_spell(rules: RuleSystem, feature: Feature) -> Spell | None:
    """Return the spell of the rule system that has a feature's name (perhaps with an edition), if it is a spell."""
    name = feature.name.lower() if feature.is_spell else ""
    named = [spell for spell in rules.data.spells if spell.name.lower() in (name, _EDITION.sub("", name))]
    return max(named, key=lambda spell: len(spell.name), default=None)


def spells_of(rules: RuleSystem, creature: Creature) -> list[Feature]:
    """Return the spells of a stat block, and the other listed spells that its lists name."""
    listed = {spell.name.lower(): spell for spell in rules.data.spells}
    spells = [each for each in creature.features if each.is_spell and each.cost != "trait"]
    own = [each for each in spells if not any(step.spell for step in each.does)]
    if listed:  # attacks that only roll like spells have no level
        own = [each for each in own if each.level is not None or each.attack is None or each.name.lower() in listed]
    text = "\n".join(
        each.text.lower() for each in creature.features if "pell" in each.name and each.cost in ("trait", "action")
    )
    # Other features cast some, too. Names may end in an edition.
    cast = {step.spell for each in creature.features if each.text or "pell" not in each.name for step in each.does}
    # One that only casts the spell of its name has its own limits, and one that does more stays itself.
    limited = {each.name: each for each in creature.features if f"casts {each.name}" in each.text}
    does = (each for each in creature.features if each.does and each.name not in limited)
    known = {each.name.lower().partition(" (")[0] for each in (*spells, *does)}
    others = sorted((each for each in listed if each.partition(" (")[0] not in known), key=len, reverse=True)
    name = f"(?:{'|'.join(map(re.escape, others))})"
    named = re.findall(rf"(?<=[:,] ){name}(?=\*?(?: \(|[,;.\n]|$))", text) if others and text else []
    named += [each for each in others if listed[each].id in cast]
    if others and not own and not named and any("pellcasting" in each.name for each in creature.features):
        named = re.findall(rf"\b{name}\b", text)  # a list in prose
    ids = {each.id for each in creature.features}
    made = (spell_feature(listed[name], caster_of(rules, creature)) for name in dict.fromkeys(named))
    made = (msgspec.structs.replace(each, id=f"{each.id}-spell") if each.id in ids else each for each in made)
    return [*own, *(_limited_as(each, limited.get(each.name, each)) for each in made)]


def _limited_as(spell: Feature, own: Feature) -> Feature:
    same = ("id", "cost", "price", "uses", "per", "recharge", "shares")
    return msgspec.structs.replace(spell, range=own.range or spell.range, **{name: getattr(own, name) for name in same})


def has_variants(rules: RuleSystem, feature: Feature) -> bool:
    """Return whether a feature is a listed spell with a variant to choose before its attack, or one that attacks again."""
    spell = listed_spell(rules, feature)
    return spell is not None and bool(spell.choices or spell.again)


def damage_shares(rules: RuleSystem, feature: Feature) -> dict[str, str]:
    """Return the shares of a spell's damage by the degree of the save, as far as they aren't the usual ones."""
    spell = listed_spell(rules, feature)
    return {each.degree: each.damage for each in spell.degrees if each.damage} if spell is not None else {}


def at_degree(rules: RuleSystem, feature: Feature, degree: str, *, saved: bool = False) -> Feature:
    """Return a feature with what it does at a degree of success of its attack or of the save against it."""
    spell = listed_spell(rules, feature)
    own = next((each for each in spell.degrees if each.degree == degree), None) if spell is not None else None
    is_basic = feature.half and (spell is not None or HALVES_ONGOING in feature.properties)
    worst = degree == CRITICAL_SUCCESS and not (saved or save_against(feature))
    worst = worst or (degree == CRITICAL_FAILURE and is_basic)
    passed = "half" if degree == SUCCESS and HALVES_ONGOING in feature.properties else "none"
    share = passed if saved else "double" if worst and rules.data.checks.degrees else "full"
    pushed = feature.push // 2 if feature.half and not feature.damage else 0
    changes: dict[str, Any] = {"push": pushed, "effect": (), "lasts": "", "leaves": None} if saved else {}
    if degree == (CRITICAL_FAILURE if feature.save else CRITICAL_SUCCESS) and DOUBLES_PUSH in feature.properties:
        changes = {"push": 2 * feature.push}
    if own is not None:
        if own.effect or own.lasts:
            changes.pop("leaves", None)
        changes |= {"effect_uses": 0} if own.effect else {}
        share, names = own.ongoing or share, ("effect", "lasts", "until", "push")
        changes |= {name: getattr(own, name) for name in names if getattr(own, name) not in ((), "", "never", 0)}
    if own is not None and spell is not None and any(rule.per_value for rule in own.effect):
        steps = rank_of(spell, feature, Caster(feature.dc)) - (spell.level or 0)
        changes["effect"] = tuple(
            msgspec.structs.replace(rule, add=rule.amount_at(steps), per_value=0) for rule in own.effect
        )
    times = {"none": "", "half": _times(feature.ongoing, 1, 2), "double": _times(feature.ongoing, 2)}
    return msgspec.structs.replace(feature, ongoing=times.get(share, feature.ongoing), **changes)


def second_damage(spell: Spell, damage: str, higher: str, feature: Feature) -> str:
    """Return the damage that follows a degree of success of a spell's save, as cast with the level of a feature."""
    return _at_level(damage, spell, rank_of(spell, feature, Caster(feature.dc)), higher)


def with_choice(feature: Feature, spell: Spell, choice: SpellChoice, caster: Caster, level: int) -> Feature:
    """Return a spell as cast in one of its variants."""
    level = level or rank_of(spell, feature, caster)
    own = ("effect", "afflictions", "temp", "leaves", "ends", "push")
    changes: dict[str, Any] = {name: new for name in own if (new := getattr(choice, name))}
    changes["properties"] = (*feature.properties, *choice.properties)
    if choice.leaves is not None:
        changes["leaves"] = msgspec.structs.replace(choice.leaves, dc=caster.dc if choice.leaves.save else 0)
    if choice.save:
        changes |= {"save": choice.save, "dc": caster.dc, "half": choice.half}
    if not choice.attack:
        changes |= {"attack": None, "properties": ("spell",), "damage": ""}
    stronger = msgspec.structs.replace(spell, damage=choice.damage, higher=choice.higher or spell.higher)
    damage = choice.damage and _damage(stronger, caster, level)
    heals = choice.heals and _at_level(choice.heals, spell, level, choice.higher)
    changes |= {name: new for name, new in (("damage", damage), ("area", choice.area), ("heals", heals)) if new}
    more = choice.higher or spell.higher_ongoing
    lasting = _ongoing(msgspec.structs.replace(spell, ongoing=choice.ongoing, higher_ongoing=more), level)
    text = f"{choice.name}. {feature.text}".strip()
    return msgspec.structs.replace(feature, text=text, ongoing=lasting or feature.ongoing, **changes)


def for_weapons(spell: Spell, feature: Feature, bearer: Creature) -> Spell:
    """Return a spell with a variant for each weapon of its target, if its effect is on one of them."""
    own = f"weapon, chosen:{spell.id}"
    weapons = [each for each in bearer.features if "weapon" in each.properties]
    if not any(own in rule.when for rule in feature.effect) or not weapons:
        return spell
    variants = []
    for weapon in weapons:
        held = f"weapon, with:{weapon.id}"
        effect = (msgspec.structs.replace(rule, when=rule.when.replace(own, held)) for rule in feature.effect)
        variants.append(SpellChoice(weapon.name, effect=tuple(effect)))
    return msgspec.structs.replace(spell, choices=tuple(variants))


def with_reversal(spell: Spell, feature: Feature, dc: int) -> Feature:
    """Return a spell as it is for creatures that it damages instead of healing them, or the reverse."""
    other = spell.reversed
    dice = _DICE.match((other is not None and other.dice) or feature.heals or feature.damage)
    if other is None or dice is None:
        return feature
    if other.harmless:
        return msgspec.structs.replace(feature, damage="")
    count = int(dice["count"]) * (
        int(feature.heals) // int(spell.heals) if other.dice and feature.heals.isdecimal() else 1
    )
    if other.kind:
        damage = f"{count}d{dice['sides']} {other.kind}"
        return msgspec.structs.replace(feature, heals="", damage=damage, save=other.save, dc=dc, half=True)
    more = f"+{other.more * count}" if other.more and feature.price == spell.price else ""
    heals = f"{count}d{dice['sides']}{more}"
    return msgspec.structs.replace(feature, heals=heals, damage="", save="", dc=0, half=False)


def _times(damage: str, factor: int, over: int = 1) -> str:
    """Multiply the first dice or number of damage. If it has an odd number of dice, a half has dice with half the faces."""

    def multiplied(dice: re.Match[str]) -> str:
        count, faces = int(dice[1]) * factor, int(dice[2] or 0)
        if faces and count % over:  # half of 1d6 is 1d3
            return f"{count}d{faces // over}"
        return f"{max(1, count // over)}{f'd{faces}' * bool(faces)}"

    return re.sub(r"([0-9]+)(?:d([0-9]+))?", multiplied, damage, count=1)


def first_save(feature: Feature) -> str:
    """Return the ability of the save against a feature, or an empty string if targets save only later."""
    return "" if SAVES_LATER in feature.properties else feature.save


def is_better_described(spell: Spell, own: Feature) -> bool:
    """Return whether a listed spell replaces a stat block's spell (`own`), because it has more data."""
    acts = ("damage", "save", "afflictions", "heals", "effect", "temp", "trigger", "does")
    if own.attack is not None or any(getattr(own, name) for name in acts):
        return bool(is_standing(spell) or spell.choices or spell.pool or (spell.attack and spell.save))
    names = ("damage", "heals", "effect", "lasts", "ends", "temp", "afflictions", "choices", "teleport")
    return is_standing(spell) or (not spell.revised and any(getattr(spell, name) for name in names))


def is_standing(spell: Spell) -> bool:
    """Return whether a spell stays with its caster for its time: one that attacks again, fills an area or deals damage."""
    if spell.again or is_around(spell):
        return True
    fills = not spell.effect or (spell.ground is not None and not spell.ground.radius)
    leaves = not fills or spell.leaves or spell.temp or not all(each.area for each in spell.choices)
    return bool(spell.lasts and (spell.area or spell.damage) and not leaves)


def is_around(spell: Spell) -> bool:
    """Return whether a spell affects creatures in its area again on their turns."""
    return spell.leaves is not None and spell.leaves.trigger in OF_OTHERS


def around(spell: Spell, means: Feature, level: int, dc: int) -> LeftFeature | None:
    """Return the effects of a spell, cast as `means`, on creatures in its area on their turns.

    Saves are against its own DC, or the caster's `dc` if it has no save itself.
    """
    left = spell.leaves if is_around(spell) or (spell.waits and spell.attack) else None
    if left is None:
        return None
    if left.damage or left.save or left.does:
        damage = _at_level(left.damage, spell, level, left.higher or None)
        return msgspec.structs.replace(left, damage=damage, dc=(means.dc or dc) if left.save else 0)
    return msgspec.structs.replace(left, dc=means.dc, **{name: getattr(means, name) for name in _HARM})


def pool_of(spell: Spell, level: int) -> str:
    """Return the dice for the hit points of creatures that a spell affects in all, as cast with a slot of `level`."""
    return _at_level(spell.pool, spell, level)


def lasting_spells(lookup: Lookup, rules: RuleSystem, who: str) -> Iterator[tuple[Spell, Feature]]:
    """Yield the spells of a combatant that last and can attack again, each with this attack."""
    cast = {effect.name: effect.level for effect in lookup.of(Effect, who) if effect.by == who}
    for spell in rules.data.spells if cast else ():
        if (spell.again or is_around(spell)) and spell.name in cast:
            feature = spell_feature(spell, caster := caster_at(lookup, rules, who), level=cast[spell.name])
            for own in creature_of(lookup, lookup.need(Combatant, who)).features if spell.grows else ():
                feature = with_printed_numbers(feature, own) if listed_spell(rules, own) is spell else feature
            again = msgspec.structs.replace(feature, cost=spell.again or "free", price=1, lasts="")
            held = feature.concentration and not spell.spent  # using it ends it
            acts = tuple(step for step in feature.does if step.action or step.roll)
            again = msgspec.structs.replace(again, does=acts, concentration=held)
            if feature.range == SELF and (spell.attack or not spell.choices):  # its effect is only the caster's
                again = msgspec.structs.replace(again, range="", effect=())
            if (left := around(spell, feature, cast[spell.name], caster.dc)) is not None and not spell.again:
                again = msgspec.structs.replace(again, **{name: getattr(left, name) for name in (*_HARM, "dc")})
            yield spell, again


def rays_of(spell: Spell, caster: Caster, level: int = 0) -> int:
    """Return the number of a spell's attacks at the caster's level, cast at `level` (0: the spell's own level)."""
    grown = sum(caster.level >= least for least in _GROWS_AT) if spell.rays_grow else 0
    return spell.rays + grown + spell.higher_rays * max(0, level - (spell.level or 0))


def darts_of(rules: RuleSystem, feature: Feature) -> tuple[int, str]:
    """Return the number of dice that a spell's targets share, and the damage of each. 0 means that they share none."""
    spell, dice = listed_spell(rules, feature), _DARTS.fullmatch(feature.damage)
    if spell is None or not spell.darts or dice is None:
        return 0, ""
    each, rest = divmod(int(dice["bonus"] or 0), count := int(dice["count"]))
    return (0, "") if rest else (count, f"1{dice['die']}{each:+}{dice['kind']}")


def cantrip_rank(rules: RuleSystem, spell: Spell, caster: Caster) -> int:
    """Return the rank of a cantrip or focus spell, which rises with its caster's level, or 0 for other spells."""
    rises = spell.id in rules.data.presets.cantrips or FOCUS in spell.properties
    return max(spell.level or 1, (caster.level + 1) // 2) if rises else 0


def slot_level(spell: Spell, creature: Creature) -> int:
    """Return the level of the slot for a spell: the lowest from its own level up that the stat block has."""
    levels = sorted(int(level) for level, count in creature.slots if count and int(level) >= (spell.level or 0))
    return next(iter(levels), spell.level or 0) if spell.level else 0


def with_details(spell: Spell, usual: Feature, given: Feature | None) -> Feature:
    """Return a listed spell with the details entered for it. The others are those of its caster (`usual`)."""
    damage = usual.damage or ("" if spell.save or spell.grows or spell.attack else spell.damage)
    if given is None:
        return msgspec.structs.replace(usual, damage=damage)
    usual = with_changes(msgspec.structs.replace(usual, damage=damage), given)
    return msgspec.structs.replace(usual, cost=given.cost, price=given.price)


def with_changes(usual: Feature, given: Feature) -> Feature:
    """Return a spell with the numbers that are given for it. All others are its usual ones."""
    names = ("save", "damage", "heals", "effect", "lasts")
    changes: dict[str, object] = {name: new for name in names if (new := getattr(given, name))}
    if given.save:
        changes |= {"dc": given.dc, "half": given.half}
    if given.attack is not None:
        changes["attack"] = given.attack
    return msgspec.structs.replace(usual, **changes, concentration=usual.concentration or given.concentration)


def with_printed_numbers(usual: Feature, own: Feature) -> Feature:
    """Return a spell with the numbers that a stat block prints for it. All others are its usual ones."""
    texts = ("save", "damage", "heals", "range", "area", "lasts", "temp")
    names = (*texts, "dc", "half", "attack", "afflictions", "effect")
    printed = {name: value for name in names if (value := getattr(own, name)) or (value == 0 and name == "attack")}
    return msgspec.structs.replace(usual, **printed, ongoing=own.ongoing or usual.ongoing)


def spell_feature(spell: Spell, caster: Caster, *, level: int = 0, price: int = 0, newer: bool = False) -> Feature:
    """Convert a spell to a feature of its caster, cast at `level` (0: the spell's own level) for a price (0: its usual one).

    Numbers that depend on unknown numbers of the caster are omitted. With `newer`, spells that newer rules have revised
    have no numbers at all.
    """
    spell = version_of(spell, level or (0 if spell.level else caster.level or 0), price)
    rolls = spell.attack and (caster.attack is None or caster.calculated)
    feature = Feature(
        spell.id,
        spell.name,
        spell.cost,
        price=spell.price,
        text=spell.text,
        properties=("spell", *(["attack"] if rolls else []), *spell.properties),
        concentration=spell.concentration,
        when=spell.when,
        trigger=spell.reacts,
        does=(FeatureStep(teleport=spell.teleport, action=spell.action),)
        if spell.teleport or spell.action
        else spell.does,
    )
    if newer and spell.revised:
        return feature
    is_touch = spell.range == "touch"
    carries = any(step.carries for step in spell.does)  # its weapon attack reaches as far as the spell
    reach = int(spell.range) if carries else _TOUCH if is_touch or spell.attack == "melee" else 0
    feature = msgspec.structs.replace(feature, range="" if is_touch else spell.range, area=spell.area, reach=reach)
    same = {name: getattr(spell, name) for name in _LEFT if not (name == "ends" and spell.counteracts)}
    feature = msgspec.structs.replace(feature, regains=spell.regains, ongoing=_ongoing(spell, level))
    if spell.half_on_miss:
        feature = msgspec.structs.replace(feature, properties=(*feature.properties, HALF_ON_MISS))
    left = msgspec.structs.replace(
        feature,
        **same,
        **_left_by(spell, level, (caster.modifier or 0) if spell.adds_modifier else 0),
        leaves=_left_feature(spell, caster, level),
    )
    if spell.saves_later:
        saving = {"save": spell.save, "dc": caster.dc, "properties": (*feature.properties, SAVES_LATER)}
        left = msgspec.structs.replace(left, **saving)
    if not (spell.attack or (spell.save and not spell.saves_later)):
        feature = left
    if spell.turns_hit:
        guard, when = DataRule("modifier", "ac", add=spell.turns_hit), f"misses-with-ac:{spell.turns_hit}"
        longer = (guard,) if spell.lasts else ()
        return msgspec.structs.replace(feature, trigger="attacked", when=when, rules=(guard,), effect=longer)
    if spell.heals:
        more = caster.modifier if spell.adds_modifier else 0
        healed = _at_level(spell.heals, spell, level)
        healed += f"{more:+}" if more else ""
        return feature if more is None else msgspec.structs.replace(feature, heals=healed)
    damage = _damage(spell, caster, level)
    harmful = msgspec.structs.replace(left, damage=damage)
    if spell.attack and spell.save and not spell.saves_later and caster.dc:  # saves after the hit
        harmful = msgspec.structs.replace(harmful, save=spell.save, dc=caster.dc, half=spell.half)
    if spell.attack and caster.attack is not None and (damage or not spell.damage):
        return harmful if caster.calculated else msgspec.structs.replace(harmful, attack=caster.attack)
    if spell.save and not spell.saves_later and caster.dc and (damage or not spell.damage):
        return msgspec.structs.replace(harmful, save=spell.save, dc=caster.dc, half=spell.half)
    if damage and not (spell.attack or spell.missing) and (spell.saves_later or not spell.save):
        return msgspec.structs.replace(feature, damage=damage)
    return feature


def _left_feature(spell: Spell, caster: Caster, level: int) -> LeftFeature | None:
    """Return the feature that a spell leaves on its targets, with the caster's modifier.

    The damage that a spell attack leaves, or any other spell's only damage, increases with the slot, and so does
    anything else with its own addition.
    """
    left = spell.leaves
    if left is None or is_around(spell) or (spell.waits and spell.attack):
        return None
    is_raised = {"damage": left.higher or spell.attack or not spell.damage, "heals": left.higher}
    texts = {name: text for name, raises in is_raised.items() if raises and (text := getattr(left, name))}
    changes: dict[str, Any] = {name: _at_level(text, spell, level, left.higher or None) for name, text in texts.items()}
    changes |= {"dc": left.dc or caster.dc} if left.save else {}
    name = "reduces" if left.reduces else "temp"
    if (amount := getattr(left, name)) and spell.adds_modifier:
        changes[name] = _more(_at_level(amount, spell, level), str(max(0, caster.modifier or 0)), 1)
    return msgspec.structs.replace(left, **changes)


def _left_by(spell: Spell, level: int, more: int = 0) -> dict[str, Any]:
    """Return the fields of what a spell leaves on its targets that depend on the slot, with `more` temporary hit points."""
    above = max(0, level - (spell.level or 0)) if level else 0
    steps = above // spell.every
    return {
        "lasts": "" if is_standing(spell) and not spell.effect else spell.lasts,
        "effect": tuple(
            msgspec.structs.replace(
                rule,
                add=rule.amount_at(steps),
                per_value=0,
                dice=_at_level(rule.dice, spell, level) if rule.dice else "",
            )
            for rule in spell.effect
        ),
        "temp": _more(_at_level(spell.temp, spell, level), str(max(0, more)), 1) if spell.temp else "",
        "targets": spell.targets and spell.targets + spell.higher_targets * above,
    }


def _ongoing(spell: Spell, level: int) -> str:
    """Return a spell's persistent damage as cast with a slot of `level` (0: the spell's own level)."""
    times = max(0, level - (spell.level or 0)) // spell.every
    return _more(spell.ongoing, spell.higher_ongoing, times) if spell.higher_ongoing else spell.ongoing


def _damage(spell: Spell, caster: Caster, level: int) -> str:
    """Return a spell's damage at the caster's level or the slot's. Empty if it depends on an unknown number."""
    if spell.adds_modifier and caster.modifier is None:
        return ""
    text = _without_modifier(spell, caster, level)
    amount = _DICE.match(text) if spell.adds_modifier and caster.modifier else None
    return f"{amount[0]}{caster.modifier:+}{text[amount.end() :]}" if amount else text


def _without_modifier(spell: Spell, caster: Caster, level: int) -> str:
    """Return a spell's damage at the caster's level or the slot's. Empty if it depends on an unknown level."""
    if spell.grows:
        if not caster.level:
            return ""
        return _more_dice(spell.damage, factor=1 + sum(caster.level >= least for least in _GROWS_AT))
    return _at_level(spell.damage, spell, level)


def raised(feature: Feature, spell: Spell, level: int) -> Feature:
    """Return a stat block's spell as cast with a higher-level slot."""
    above = level - (feature.level or 0)
    if above <= 0:
        return feature
    spell = version_of(spell, level)
    own = ("heals", "damage", "temp") if spell.adds_modifier else ("heals", "damage")
    left = {name: value for name, value in _left_by(spell, level).items() if getattr(feature, name) and name not in own}
    lasting = _ongoing(spell, level) if feature.ongoing else ""
    feature = msgspec.structs.replace(feature, level=level, **left, ongoing=lasting)
    if not spell.higher:
        return feature
    times = above // spell.every
    texts = {name: getattr(feature, name) for name in own}
    more = {name: _more(text, spell.higher, times) for name, text in texts.items() if text}
    return msgspec.structs.replace(feature, **more)


def _at_level(text: str, spell: Spell, level: int, more: str | None = None) -> str:
    """Return a spell's damage or healing as cast with a slot of `level` (0: the spell's own level).

    Each level above its own adds `more`. None means the spell's usual addition.
    """
    above, higher = level - (spell.level or 0) if level else 0, spell.higher if more is None else more
    return _more(text, higher, above // spell.every) if above > 0 and higher else text


def _more(text: str, higher: str, times: int) -> str:
    """Add `higher` to an amount `times` times: to its first dice, or to its number if it has no dice.

    If it has several parts, they are added to the same parts of the amount.
    """
    if " + " in higher:
        parts = zip_longest(text.split(" + "), higher.split(" + ")[: text.count(" + ") + 1], fillvalue="")
        return " + ".join(_more(part, more, times) for part, more in parts)
    number = _NUMBER.match(text)
    if number and higher.isdigit():
        return f"{int(number[0]) + int(higher) * times}{text[number.end() :]}"
    return _more_dice(text, higher, times)


def _more_dice(damage: str, higher: str = "", times: int = 0, *, factor: int = 1) -> str:
    """Multiply the first dice of damage by `factor`, and add `higher` to them `times` times.

    Empty if `higher` has dice of another size.
    """
    dice = _DICE.match(damage)
    if dice is None:
        return damage
    more = _DICE.fullmatch(f"0d{dice['sides']}+{higher}" if higher.isdigit() else higher) if higher else None
    if higher and (more is None or more["sides"] != dice["sides"]):
        return ""
    count = int(dice["count"]) * factor + (int(more["count"]) * times if more else 0)
    bonus = int(dice["more"] or 0) + (int(more["more"] or 0) * times if more else 0)
    return f"{count}d{dice['sides']}{f'+{bonus}' if bonus else ''}{damage[dice.end() :]}"
