"""What `?` answers in a stat block and in the roster: where AC, hit points, bonuses, DCs and damage come from."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.dice.roll import RollSpec
from turnwright.encounter.prepared import Creature, Feature, RosterEntry
from turnwright.encounter.running import Combatant, Track
from turnwright.play.inquiries import armor_class, movement_of
from turnwright.rules.parts.actions import own_rule
from turnwright.rules.parts.stat_block.attacks import worked_out
from turnwright.rules.parts.stat_block.features import recharge_faces
from turnwright.rules.parts.stat_block.sections import pieces_of_text
from turnwright.rules.system import creature_of
from turnwright.rules.terms import signed
from turnwright.ui.bridge import Bridge
from turnwright.ui.docks.answers import damage_line, of_hit_points, rule_lines
from turnwright.ui.docks.explain import Explainer, explainer
from turnwright.ui.models.roster import Column
from turnwright.ui.say import say
from turnwright.ui.widgets.reasons import Why, WhyLine

SPEED_RULES = "move.additional-speeds"


def of_stat(bridge: Bridge, creature: Creature, about: str, combatant: Combatant | None = None) -> Why:
    """Return what stands behind a figure of a stat block: `ac`, `save:dex`, `feature:axe`, …; nothing: all the vital ones.

    With a combatant it is the figure as it now is, with everything that bears on it.
    """
    kind, _, id = about.partition(":")
    explain = explainer(bridge)
    if kind in ("ability", "save", "skill", "initiative") and combatant is not None:
        return _rolled(bridge, combatant, kind, id)
    if kind == "ability":
        name, bonus = explain.name(f"<ability.{id}>"), signed(bridge.rules.modifier_of(creature, id))
        return Why(name, bonus, (_modifier_line(explain, creature, id),))
    if kind in ("save", "skill"):
        return _prepared_bonus(bridge, creature, kind, id)
    if kind == "initiative":
        rule = explain.rule_on("initiative.default-dexterity")
        line = explain.worded(signed(creature.initiative or 0), say("ui.answers.written"), rule)
        return Why(say("ui.stat.initiative"), signed(creature.initiative or 0), (line,))
    feature = next((each for each in creature.features if each.id == id), None) if kind == "feature" else None
    if feature is not None:
        notes = (feature.text,) if feature.text else ()
        return Why(feature.name, "", tuple(_feature_lines(explain, creature, feature)), (), notes)
    if kind == "hp":
        return Why(say("ui.stat.hp"), str(creature.hp), tuple(_hit_point_lines(explain, creature)))
    return Why(creature.name, "", tuple(_vital_lines(bridge, creature, combatant)))


def of_roster_cell(bridge: Bridge, entry: RosterEntry, column: int) -> Why:
    """Return what stands behind a number of the roster; for a column without one, behind all of the row's."""
    explain = explainer(bridge)
    creature = bridge.encounter.get(Creature, entry.creature)
    name = entry.name or (creature.name if creature else entry.creature)
    lines: list[WhyLine] = []
    if column in (Column.AC, Column.NAME) and (entry.ac is not None or creature is not None):
        own = say("ui.answers.of-entry") if entry.ac is not None else _armor_note(creature)
        total = entry.ac if entry.ac is not None else creature.ac if creature else 0
        lines.append(explain.worded(str(total), f"{say('ui.stat.ac')}: {own}", explain.rule_on("attack.ac-source")))
    if column in (Column.HP, Column.NAME):
        if entry.hp is not None:
            text = f"{say('ui.stat.hp')}: {say('ui.answers.of-entry')}"
            lines.append(explain.worded(str(entry.hp), text, explain.rule_on("hp.range")))
        elif creature is not None:
            lines += _hit_point_lines(explain, creature)
    if column in (Column.RATING, Column.NAME) and creature is not None and creature.rating:
        lines.append(WhyLine(creature.rating, say("ui.answers.rating")))
    if column in (Column.COUNT, Column.NAME):
        lines.append(WhyLine(str(entry.count), say("ui.answers.count")))
    return Why(name, "", tuple(lines))


def _rolled(bridge: Bridge, combatant: Combatant, kind: str, id: str) -> Why:
    rules, encounter, explain = bridge.rules, bridge.encounter, explainer(bridge)
    if kind == "save":
        spec, title = rules.checks.save(encounter, rules, combatant.id, id), explain.name(f"<save.{id}>")
    elif kind == "initiative":
        spec, title = rules.initiative.roll(encounter, rules, combatant.id), say("ui.stat.initiative")
    else:
        check = id if kind == "ability" else f"{_ability_of(bridge, id)}:{id}"
        key = f"<ability.{id}>" if kind == "ability" else f"<skill.{id}>"
        spec, title = rules.checks.check(encounter, rules, combatant.id, check), explain.name(key)
    why = explain.of_spec(spec, title, rule=explain.rule_on(_topic(kind)))
    return Why(title[:1].upper() + title[1:], signed(_bonus(spec)), why.lines)


def _prepared_bonus(bridge: Bridge, creature: Creature, kind: str, id: str) -> Why:
    explain = explainer(bridge)
    ability = id if kind == "save" else _ability_of(bridge, id)
    total = dict(creature.saves if kind == "save" else creature.skills).get(
        id, bridge.rules.modifier_of(creature, ability)
    )
    rest = total - bridge.rules.modifier_of(creature, ability)
    lines = [_modifier_line(explain, creature, ability)]
    if rest:
        lines.append(explain.worded(signed(rest), say("why.save_proficiency"), explain.rule_on(_topic(kind))))
    title = explain.name(f"<{kind}.{id}>")
    return Why(title[:1].upper() + title[1:], signed(total), tuple(lines))


def _topic(kind: str) -> str:
    """Return the ledger's topic for a kind of bonus."""
    return {"skill": "external.skills", "initiative": "initiative.order"}.get(kind, "external.ability-proficiency")


def _bonus(spec: RollSpec) -> int:
    return sum(part.value for part in spec.modifiers)


def _ability_of(bridge: Bridge, skill: str) -> str:
    return next((one.ability for one in bridge.rules.catalogue.skills if one.id == skill), "dex")


def _modifier_line(explain: Explainer, creature: Creature, ability: str) -> WhyLine:
    score, scale = explain.data.score_of(creature, ability), explain.data.ability_scale
    key = "ui.answers.bare-modifier" if scale.is_modifier else "ui.answers.modifier"
    text = say(key, ability=explain.name(f"<ability.{ability}>"), score=score)
    rule = explain.rule_on("external.ability-proficiency")
    return explain.worded(signed(explain.data.modifier_of(creature, ability)), text, rule)


def _vital_lines(bridge: Bridge, creature: Creature, combatant: Combatant | None) -> Iterator[WhyLine]:
    explain = explainer(bridge)
    if combatant is not None:
        figure = armor_class(bridge.encounter, bridge.rules, combatant.id)
        yield explain.worded(str(figure.total), say("ui.stat.ac"), explain.rule_on("attack.ac-source"))
        yield from explain.of_figure("", figure).lines
        points = of_hit_points(bridge, combatant.id)
        yield WhyLine(points.total, points.title)
        yield from points.lines
        for way in movement_of(bridge.encounter, bridge.rules, combatant.id):
            if way.mode not in dict(creature.speeds):
                continue
            yield from explain.of_figure("", way.allowance, f" {say('ui.general.feet')}").lines
    else:
        text = f"{say('ui.stat.ac')}: {_armor_note(creature)}"
        yield explain.worded(str(creature.ac), text, explain.rule_on("attack.ac-source"))
        yield from _hit_point_lines(explain, creature)
        for mode, feet in creature.speeds:
            topic = "turn.speed" if mode == "walk" else SPEED_RULES
            name = explain.name(f"<speed.{mode}>")
            yield explain.worded(f"{feet} {say('ui.general.feet')}", name, explain.rule_on(topic))
    for feature in creature.features:
        if feature.dc and not feature.damage and feature.attack is None:
            yield from _feature_lines(explain, creature, feature)


def _hit_point_lines(explain: Explainer, creature: Creature) -> Iterator[WhyLine]:
    yield explain.worded(str(creature.hp), say("ui.stat.hp"), explain.rule_on("hp.range"))
    if creature.hit_dice:
        rule = explain.rule_on("external.level-hit-dice")
        yield explain.worded(creature.hit_dice, damage_line(explain, creature.hit_dice).reason, rule)


def _armor_note(creature: Creature | None) -> str:
    return creature.ac_note if creature is not None and creature.ac_note else say("ui.answers.written")


def of_supply(bridge: Bridge, combatant: Combatant, track: Track) -> Why:
    """Return what is left of slots, uses and the like, and what brings a feature back."""
    explain, creature = explainer(bridge), creature_of(bridge.encounter, combatant)
    feature = next((each for each in creature.features if each.id == track.name.partition(".")[2]), None)
    lines = tuple(_feature_lines(explain, creature, feature)) if feature is not None else ()
    if feature is None:
        lines = tuple(rule_lines(explain, (own_rule(bridge.encounter, bridge.rules, combatant.id),)))
    notes = (feature.text,) if feature is not None and feature.text else ()
    return Why(supply_name(creature, track.name), f"{track.value} / {track.maximum}", lines, (), notes)


def supply_name(creature: Creature, name: str) -> str:
    """Return what a supply is called: slots by level, features by name with the faces that bring them back."""
    word, _, rest = name.partition(".")
    if word == "slots":
        return say("ui.stat-block.slots", level=rest)
    feature = next((each for each in creature.features if each.id == rest), None)
    if feature is None:
        return say("ui.stat-block.legendary")
    if word == "recharge":
        return say("ui.stat-block.recharge", what=feature.name, faces=recharge_faces(feature))
    return feature.name


def _worked_out_lines(explain: Explainer, creature: Creature, feature: Feature) -> Iterator[WhyLine]:
    found = worked_out(explain.data, creature, feature)
    if found is None:
        return
    yield WhyLine(signed(found.total), say("ui.answers.to-hit"))
    for part in found.parts:
        yield explain.worded(signed(part.value), explain.name(part.reason), explain.rule_on(part.topic))
    yield explain.worded("§", explain.ledger.title(explain.rule_on("attack.hit")), explain.rule_on("attack.hit"))


def _feature_lines(explain: Explainer, creature: Creature, feature: Feature) -> Iterator[WhyLine]:
    """Yield an attack's bonus, save DC, damage, recharge and uses, each with its rule."""
    yield from _worked_out_lines(explain, creature, feature)
    if feature.attack is not None:
        text = f"{say('ui.answers.to-hit')}: {say('ui.answers.written')}"
        yield explain.worded(signed(feature.attack), text, explain.rule_on("attack.modifier.monster"))
        yield explain.worded("§", explain.ledger.title(explain.rule_on("attack.hit")), explain.rule_on("attack.hit"))
    if feature.save:
        save = explain.name(f"<save.{feature.save}>")
        yield WhyLine(say("ui.prompt.dc", dc=feature.dc), f"{feature.name}: {save}")
    if feature.damage:
        yield damage_line(explain, feature.damage)
    for piece in pieces_of_text(feature.text, ""):
        if piece.roll:
            yield WhyLine("·", damage_line(explain, piece.roll).reason)
    if feature.recharge:
        yield WhyLine(recharge_faces(feature), say("ui.answers.recharge"))
    if feature.uses:
        yield WhyLine(str(feature.uses), say("ui.answers.uses", per=say(f"ui.feature.per-{feature.per}")))
    if feature.reach:
        yield explain.worded(
            f"{feature.reach} {say('ui.general.feet')}", say("ui.answers.reach"), explain.rule_on("attack.target")
        )
