"""Spells that end other spells: those in force on a target or in an area, or one that is just being cast.

A spell of a low enough level ends at once. Others take a check, against a DC by the level of the other spell, or against
the DC of its caster with a result in degrees.
"""

from collections.abc import Iterable

import msgspec

from turnwright.dice.expression import Modifier, RollSpec
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.field_specs import CombatantId
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import CRITICAL_SUCCESS, FAILURE, SUCCESS, Ask, Option, choice_ask
from turnwright.encounter.procedure_state.attacks import (
    COUNTERACT,
    FEATURE_TRIGGER,
    SAVE_EFFECT,
    AttackInProgress,
    Counteract,
    FeatureTrigger,
    SaveEffect,
    TriggeredFeature,
)
from turnwright.encounter.running import Combatant, Duration, Effect, LastingArea
from turnwright.encounter.state import Lookup, effects_named, is_out_of_play, standing_areas
from turnwright.play.asking.checks import degree_of, result_of
from turnwright.play.attacks.attack_request import FeatureReminded
from turnwright.play.effects.conditions import apply_timed_effect
from turnwright.play.environment.map_changes import EndArea
from turnwright.play.kernel.events import CombatantEvent, journal
from turnwright.play.kernel.scheduler import Answers, Next, ask, begin, choices_of, goto
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.action_economy import set_uses
from turnwright.play.state.effect_records import end_effect, put_condition
from turnwright.play.state.events import Unaffected
from turnwright.rules.parts.actions.spell_features import caster_at, caster_of, listed_spell, spell_attack
from turnwright.rules.parts.attacks.attack_targeting import ranges
from turnwright.rules.parts.checks.ability_checks import check_roll, result_options, save_roll
from turnwright.rules.parts.combatants.facts import cannot_act, features_at, switched_off
from turnwright.rules.parts.economy.limited_uses import maximum_uses, remaining_uses
from turnwright.rules.parts.positions import geometry, sight
from turnwright.rules.system import RuleSystem, creature_of, label_of
from turnwright.rules.system_data.numbers import Spell

CHECK, THEIRS, WHICH = "check", "theirs", "which"  # ids of asks; the checks against effects have the effects' ids
CASTING, EFFECTS = "casting", "effects"  # what a spell counteracts
COUNTERED, UNDISPELLED = "countered", "undispelled"
_DEGREES = (CRITICAL_SUCCESS, SUCCESS, FAILURE)  # in the order of `counteract_ranks`


@journal("journal.countered")
class SpellCountered(CombatantEvent, frozen=True):
    """A spell failed because another creature countered it. Its cost is spent."""

    other: CombatantId
    what: str


def spell_effects(lookup: Lookup, rules: RuleSystem, who: str) -> list[Effect]:
    """Return the effects of spells on a combatant, one for each spell.

    Its own concentration and its areas elsewhere aren't effects on it.
    """
    listed = {spell.name for spell in rules.data.spells}
    elsewhere = {(area.owner, area.name) for area in spell_areas(lookup, rules)}
    held = [effect for effect in lookup.of(Effect, who) if effect.shown and effect.name != rules.role("concentrating")]
    found: dict[tuple[str, str], Effect] = {}
    for effect in held:
        if effect.target == who and (who, effect.source) not in elsewhere and (effect.level or effect.source in listed):
            found.setdefault((effect.source, effect.by), effect)
    return list(found.values())


def spell_areas(lookup: Lookup, rules: RuleSystem) -> list[LastingArea]:
    """Return the areas of spells on the map that don't move with a combatant, one for each spell."""
    known = {spell.name for spell in rules.data.spells}
    areas = (one for one in standing_areas(lookup) if one.squares and not one.outside)
    return [one for one in areas if one.owner and one.name in known]


def begin_dispelling(
    tx: Transaction, who: str, spell: Spell, level: int, targets: tuple[str, ...], parent: str
) -> None:
    """Begin to end the effects of spells on each target, or without a target, the spell of an area on the map."""
    kept = {each.name for each in tx.rules.data.spells if UNDISPELLED in each.properties}
    areas = () if targets or spell.ends else tuple(one.id for one in spell_areas(tx, tx.rules) if one.name not in kept)
    if tx.rules.data.attack.counteract_ranks and not (targets or spell.ends):  # any spell in force can be the target
        areas += tuple(each.id for one in tx.all(Combatant) for each in spell_effects(tx, tx.rules, one.id))
    if areas:
        begin(tx, COUNTERACT.begin_check, Counteract(who, spell.id, level, areas), parent)
    for target in targets:
        susceptible = features_at(creature_of(tx, tx.need(Combatant, target)), "dispelled")
        for feature in susceptible:
            dc = caster_at(tx, tx.rules, who).dc
            effect = SaveEffect((who,), msgspec.structs.replace(feature, dc=dc), (target,), feature.save, dc)
            begin(tx, SAVE_EFFECT.ask_missing, effect, parent)
        named = (effect for effect in tx.of(Effect, target) if effect.name in spell.ends)
        ending = {(one.source, one.by) if one.source else (one.id, ""): one.id for one in named}
        effects = tuple(ending.values() if spell.ends else (one.id for one in spell_effects(tx, tx.rules, target)))
        if effects:
            begin(tx, COUNTERACT.begin_check, Counteract(who, spell.id, level, effects=effects), parent)
        elif not (susceptible or is_out_of_play(tx, target)):
            tx.emit(Unaffected(who=target, what=spell.name, reason="why.no_spell", rule=spell.rule()))


def offer_counters(tx: Transaction, procedure: Procedure, caster: str) -> bool:
    """Ask the enemies of a caster that can counter its spell, or shield themselves. Return whether there are any."""
    waiting = (*_counters(tx, caster), *_shields(tx, procedure, caster))
    if waiting:
        begin(tx, FEATURE_TRIGGER.ask_use, FeatureTrigger("enemy-acts", waiting), procedure.id)
    return bool(waiting)


def _counters(tx: Transaction, caster: str) -> Iterable[TriggeredFeature]:
    names = {spell.name for spell in tx.rules.data.spells if spell.counteracts == CASTING}
    for other in tx.all(Combatant) if names else ():
        is_able = not cannot_act(tx, other.id) and sight.sees(tx, tx.rules, other.id, caster) is not False
        if not (is_able and geometry.are_hostile(tx, other.id, caster)):
            continue
        for feature in creature_of(tx, other).features:
            listed = listed_spell(tx.rules, feature)
            if listed is None or listed.counteracts != CASTING or feature.id in switched_off(tx, other.id):
                continue
            feet = geometry.distance(tx, tx.rules, other.id, caster)
            if feet is None or feet <= max(0, *ranges(feature), *(int(n) for n in (listed.range,) if n.isdecimal())):
                yield TriggeredFeature(other.id, feature.id, caster, asks=True)


def _shields(tx: Transaction, procedure: Procedure, caster: str) -> Iterable[TriggeredFeature]:
    """Yield the spells with which the targets of darts can stop them, as they would turn a hit."""
    data = procedure.data
    if isinstance(data, SaveEffect) and any(one.darts for one in [listed_spell(tx.rules, data.feature)] if one):
        for who in data.targets if caster not in data.targets else ():
            for feature in creature_of(tx, tx.need(Combatant, who)).features if not cannot_act(tx, who) else ():
                if (shield := listed_spell(tx.rules, feature)) is not None and shield.turns_hit:
                    yield TriggeredFeature(who, feature.id, caster, asks=True)


def casting_of(procedure: Procedure | None) -> tuple[str, str, int]:
    """Return the caster, the name and the level of the spell that a procedure casts. Empty for other procedures."""
    data = procedure.data if procedure is not None else None
    if isinstance(data, SaveEffect) and data.members:
        return data.members[0], data.feature.name, data.level or data.feature.level or 0
    if isinstance(data, AttackInProgress):
        return data.attacker, data.weapon.name, data.weapon.level or 0
    if isinstance(data, Counteract):
        return data.who, data.name, data.level
    return "", "", 0


def is_countered(procedure: Procedure) -> bool:
    """Return whether the spell that a procedure casts has been countered."""
    data = procedure.data
    if isinstance(data, SaveEffect):
        return data.answered == COUNTERED
    return (isinstance(data, AttackInProgress) and COUNTERED in data.tags) or getattr(data, "is_countered", False)


def counter(tx: Transaction, procedure: Procedure, spell: Spell, who: str, level: int, name: str) -> None:
    """Begin to counter the spell that a procedure casts, with a spell of a level. Others can counter this one too."""
    data = Counteract(who, spell.id, level, casting=procedure.id, name=name)
    offer_counters(tx, begin(tx, COUNTERACT.begin_check, data, procedure.id), who)


def begin_check(tx: Transaction, procedure: Procedure, data: Counteract, answers: Answers) -> Next:
    """End the spells whose level is low enough, and ask for a check against each of the others."""
    spell = _spell(tx.rules, data)
    if data.is_countered or spell is None or tx.get(Combatant, data.who) is None:
        return None
    areas = any(tx.get(LastingArea, id) is not None for id in data.effects)
    if areas or (tx.rules.data.attack.counteract_ranks and len(data.effects) > 1):
        options = tuple(
            Option(id, f"{what} ({label_of(tx, by)})" if areas else what) for id, by, what, _ in _others(tx, data)
        )
        if WHICH not in answers:
            ask(tx, procedure, "prompt.counteract", [choice_ask(WHICH, "ask.dispels", options)], subject=spell.name)
            return goto(procedure, COUNTERACT.begin_check)
        data = msgspec.structs.replace(data, effects=choices_of(answers, WHICH)[:1])
    asks: list[Ask] = []
    for id, other, what, level in _others(tx, data):
        if _ends_surely(tx.rules, data, spell, level):
            _end(tx, data, spell, id)
        else:
            asks += _check_asks(tx, data, spell, id, other, what, level)
    ask(tx, procedure, "prompt.counteract", asks, subject=f"{label_of(tx, data.who)}: {spell.name}", rule=spell.rule())
    return goto(procedure, COUNTERACT.after_check, data) if asks else None


def after_check(tx: Transaction, procedure: Procedure, data: Counteract, answers: Answers) -> None:
    """End the spells against which the checks succeeded."""
    spell = _spell(tx.rules, data)
    for id, other, what, level in _others(tx, data) if spell is not None else ():
        answer, theirs = answers.get(id), answers.get(THEIRS)
        if spell is None or answer is None:
            continue
        if spell.save:
            dc = caster_at(tx, tx.rules, data.who).dc
            if not result_of(tx, answer, "ask.save", other, f"<save.{spell.save}>", dc, spell.rule()):
                _end(tx, data, spell, id)
            continue
        dc = _dc(tx, data, other, level)
        if theirs is not None and theirs.roll is not None and theirs.roll.total is not None:
            dc = theirs.roll.total
        ranks = dict(zip(_DEGREES, tx.rules.data.attack.counteract_ranks, strict=False))
        if ranks:
            degree = degree_of(tx, answer, "ask.counteract", data.who, what, dc, spell.rule())
            ends = degree in ranks and level <= data.level + ranks[degree]
            held = tx.get(Effect, id)
            if held and spell.suppresses and not ends and degree in ranks and level - 2 <= data.level + ranks[degree]:
                rules = tuple(DataRule("deny", each.name) for each in _same(tx, held))
                until = Duration("turn-start", data.who)
                less = Effect("", held.target, spell.name, spell.name, ends=until, by=data.who, rules=rules)
                apply_timed_effect(tx, less, spell.rule())
        else:
            ends = result_of(tx, answer, "ask.counteract", data.who, what, dc, spell.rule())
        if ends:
            _end(tx, data, spell, id)
            if spell.after and data.casting:
                put_condition(tx, other, spell.after, value=level // 2, ends=Duration("turn"), rule=spell.rule())


def _spell(rules: RuleSystem, data: Counteract) -> Spell | None:
    return next((spell for spell in rules.data.spells if spell.id == data.spell), None)


def _others(tx: Transaction, data: Counteract) -> list[tuple[str, str, str, int]]:
    """Return the spells to end: the id of the ask, the caster, the name and the level of each."""
    if data.casting:
        caster, name, level = casting_of(tx.get(Procedure, data.casting))
        return [(CHECK, caster, name, level)] if caster else []
    effects = [effect for id in data.effects if (effect := tx.get(Effect, id)) is not None]
    areas = [area for id in data.effects if (area := tx.get(LastingArea, id)) is not None]
    levels = {spell.name: spell.level or 0 for spell in tx.rules.data.spells}
    return [
        *((effect.id, effect.by, effect.source or effect.name, effect.level) for effect in effects),
        *((area.id, area.owner, area.name, max([levels[area.name], *_cast_levels(tx, area)])) for area in areas),
    ]


def _cast_levels(tx: Transaction, area: LastingArea) -> list[int]:
    return [effect.level for effect in effects_named(tx, area.owner, area.name)]


def _ends_surely(rules: RuleSystem, data: Counteract, spell: Spell, level: int) -> bool:
    if rules.data.attack.counteract_ranks or spell.save:
        return False
    return level < data.level or (level == data.level and not spell.counteracts_lower)


def _dc(tx: Transaction, data: Counteract, other: str, level: int) -> int:
    """Return the DC of the check against a spell, or 0 if it is unknown."""
    base = tx.rules.data.attack.counteract_dc
    return base + level if base else caster_at(tx, tx.rules, other).dc


def _check_asks(
    tx: Transaction, data: Counteract, spell: Spell, id: str, other: str, what: str, level: int
) -> Iterable[Ask]:
    """Yield the asks for a check against a spell. Spells of the same higher slot are decided by both casters' checks.

    Against a spell with a save, the other caster saves instead.
    """
    if spell.save:
        save, dc = f"<save.{spell.save}>", caster_at(tx, tx.rules, data.who).dc
        spec = save_roll(tx, tx.rules, other, spell.save, data.who, ("magic",)) if dc else None
        yield Ask(id, "roll" if spec else "choice", "ask.save", other, save, spec, dc, rule=spell.rule())
        return
    dc, spec, rule = _dc(tx, data, other, level), _roll(tx, data.who), spell.rule()
    if spec is None or not dc:
        yield Ask(id, "choice", "ask.counteract", data.who, what, options=result_options(tx.rules), rule=rule)
        return
    is_opposed = spell.counteracts_lower and level == data.level > (spell.level or 0)
    theirs = _roll(tx, other) if is_opposed else None
    if theirs is not None:
        yield Ask(THEIRS, "roll", "ask.counteract", other, what, theirs, rule=rule)
        dc = 0
    yield Ask(id, "roll", "ask.counteract", data.who, what, spec, dc, rule=rule)


def _roll(tx: Transaction, who: str) -> RollSpec | None:
    """Return a caster's roll to end a spell, or None if its bonus is unknown."""
    combatant = tx.get(Combatant, who)
    if combatant is None:
        return None
    creature, supplied = creature_of(tx, combatant), combatant.supplied_numbers
    if tx.rules.data.attack.counteract_ranks:
        attack = spell_attack(tx.rules, creature, supplied)
        return RollSpec(modifiers=attack.parts) if attack is not None else None
    if creature.spellcasting:
        return check_roll(tx, tx.rules, who, creature.spellcasting)
    caster = caster_of(tx.rules, creature, supplied)
    modifier = caster.modifier
    if modifier is None and caster.dc and creature.proficiency:
        modifier = caster.dc - tx.rules.data.attack.spell_dc - creature.proficiency
    return RollSpec(modifiers=(Modifier(modifier, "why.spell_modifier"),)) if modifier is not None else None


def _same(tx: Transaction, held: Effect) -> list[Effect]:
    """Return the effects of the same spell on a combatant, or only the effect itself if its source is unknown."""
    same = [each for each in tx.of(Effect, held.target) if (each.source, each.by) == (held.source, held.by)]
    return same if held.source else [held]


def _end(tx: Transaction, data: Counteract, spell: Spell, id: str) -> None:
    """End a spell on its target, or let a spell that is being cast fail."""
    if not data.casting:
        if (area := tx.get(LastingArea, id)) is not None:
            EndArea(id).handle(tx)
            id = area.effect
        if (held := tx.get(Effect, id)) is not None:
            for effect in _same(tx, held):
                end_effect(tx, effect, spell.rule())
        return
    casting = tx.get(Procedure, data.casting)
    if casting is None:
        return
    other, what, level = casting_of(casting)
    tx.emit(SpellCountered(who=data.who, other=other, what=what, rule=spell.rule()))
    if spell.text:
        tx.emit(FeatureReminded(who=data.who, feature=spell.name, text=spell.text, rule=spell.rule()))
    if spell.spares_slot and maximum_uses(tx, other, slot := f"slots.{level}"):
        set_uses(tx, other, slot, remaining_uses(tx, other, slot) + 1)
    if isinstance(casting.data, SaveEffect):
        tx.update(casting, data=msgspec.structs.replace(casting.data, answered=COUNTERED))
    elif isinstance(casting.data, AttackInProgress):
        tx.update(casting, data=msgspec.structs.replace(casting.data, tags=(*casting.data.tags, COUNTERED)))
    elif isinstance(casting.data, Counteract):
        tx.update(casting, data=msgspec.structs.replace(casting.data, is_countered=True))
