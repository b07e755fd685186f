"""Blocks for tracking each combatant's hit points, conditions, spent resources and dying.

Players get only their own characters' blocks.
"""

from collections.abc import Iterable
from typing import Any, Final

from turnwright.encounter.prepared import Creature, Feature
from turnwright.encounter.roles import is_ours, present
from turnwright.encounter.state import scene_of
from turnwright.handouts.environment_data import one_line
from turnwright.handouts.page_input import PageContent, PageInput, PageKind, Section
from turnwright.handouts.roster_members import RosterMember, RosterMembers, member_signs, players_characters
from turnwright.rules.parts.actions.condition_words import RESTS, line_words
from turnwright.rules.parts.actions.effect_words import EnteredEffect, read_effect
from turnwright.rules.parts.conditions.rule_words import write_rules
from turnwright.rules.parts.damage.damage_steps import makes_saves
from turnwright.rules.parts.economy.limited_uses import maximum
from turnwright.rules.parts.stat_block.features import faces_text

ID: Final = "tracking-sheets"
MAX_BOXES: Final = 20  # maximum per row; above that, a blank line is printed
RECHARGE_BOXES: Final = 4


def make(source: PageInput) -> PageContent:
    """Return a block for each combatant, or no pages if there are none."""
    source = players_characters(source)
    company = RosterMembers(source)
    signs = member_signs(source)
    blocks = [_block(source, company, member) | {"sign": signs.get(member.label, "")} for member in company.selected()]
    temporary = source.rules.word("hp.temporary")
    data = {"blocks": blocks, "temporary": temporary, "effects": usual_effects(source, company)}
    return PageContent((Section(ID, data),)) if blocks else PageContent()


def usual_effects(source: PageInput, company: RosterMembers) -> list[str]:
    """Return the effects that the party has from the start or leaves on others: name, rules and time.

    Players aren't told those from the start, which may be secret.
    """
    encounter, rules = company.encounter, source.rules
    words, lines = line_words(rules, encounter), dict[str, str]()
    spells = {spell.id: spell.name for spell in rules.data.spells if spell.effect}
    for entry in present(encounter):
        creature = encounter.get(Creature, entry.creature)
        if not is_ours(source.encounter, entry) or creature is None:
            continue
        names = [feature.name for feature in creature.features if feature.effect]
        names += [spells[step.spell] for feature in creature.features for step in feature.does if step.spell in spells]
        prepared = entry.effects if source.shows_secrets else ()
        for text in (*prepared, *(f'"{name}"' for name in names)):
            effect = read_effect(text, words, rules, scene_of(encounter).round_seconds, as_typed=True)
            name = effect.read.condition
            if name and not (effect.unknown_rule or effect.read.unknown):
                lines.setdefault(name.lower(), _effect_line(source, effect))
    return list(lines.values())


def _effect_line(source: PageInput, effect: EnteredEffect) -> str:
    """Return an effect as a line, such as `Bless: +1d4 attack, saves (1 minute)`."""
    read, known, condition = effect.read, effect.known, source.rules.conditions.get(effect.read.condition)
    told = write_rules(known.rules, source.rules) if known is not None else effect.rules
    if known is not None and known.lasts and read.rounds == known.rounds_in(scene_of(source.encounter).round_seconds):
        lasts = known.lasts
    elif read.rounds:
        lasts = source.text("ui.condition.rounds", n=read.rounds)
    else:
        lasts = source.text(f"ui.condition.until-{read.lasts}") if read.lasts in RESTS else ""
    name = condition.name if condition is not None else read.condition
    return one_line(name + (f": {told}" if told else "") + (f" ({lasts})" if lasts else ""))


def _block(source: PageInput, company: RosterMembers, member: RosterMember) -> dict[str, Any]:
    rows = [*_resources(source, company, member), *_supplies(source, member), *_dying(source, company, member)]
    lowest = source.rules.data.health.lowest(member.hp)
    return {
        "name": member.label,
        "ours": is_ours(source.encounter, member.entry),
        "kind": member.kind,
        "player": one_line(member.entry.player),
        "ac": member.ac,
        "hp": member.hp,
        "lowest": lowest,
        "rows": [row for row in rows if row["boxes"] > 0],
        "more": member.unlisted,
    }


def _row(lead: str, boxes: int, note: str = "", *, short: bool = False) -> dict[str, Any]:
    """Return a row of boxes, or a blank line if there are too many. A `short` row shares its line with others."""
    return {"lead": lead, "boxes": boxes, "counted": boxes <= MAX_BOXES, "note": note, "short": short}


def _resources(source: PageInput, company: RosterMembers, member: RosterMember) -> Iterable[dict[str, Any]]:
    """Yield the rows of a member's resources."""
    for resource in source.rules.data.resources:
        yield _row(resource.name, maximum(company.encounter, member.id, resource), short=True)


def _supplies(source: PageInput, member: RosterMember) -> Iterable[dict[str, Any]]:
    """Yield the rows of limited uses: slots by level, uses, recharges, legendary actions."""
    say, creature = source.text, member.creature
    yield from (_row(say("ui.stat-block.slots", level=level), count) for level, count in creature.slots)
    yield from (_supply(source, feature) for feature in creature.features if feature.uses or feature.recharge)
    yield _row(say("ui.stat-block.legendary"), creature.legendary, say("ui.stat.a-round", n=creature.legendary))


def _supply(source: PageInput, feature: Feature) -> dict[str, Any]:
    parts = [source.text(f"ui.feature.per-{feature.per}")] if feature.uses else []
    parts += [source.text("ui.stat.recharge", faces=faces_text(feature.recharge))] if feature.recharge else []
    return _row(one_line(feature.name), feature.uses or RECHARGE_BOXES, ", ".join(parts))


def _dying(source: PageInput, company: RosterMembers, member: RosterMember) -> Iterable[dict[str, Any]]:
    """Yield the rows for tracking how a member is dying, according to the game's rules."""
    rules, say = source.rules, source.text
    dying = rules.data.dying
    if dying.fall_fatigue or dying.doomed_at:
        yield _row(say("ui.stat-block.fatigue"), dying.doomed_at)
    if not member.hp or not makes_saves(company.encounter, rules, member.id):
        return
    yield _row(say("handout.tracking-sheets.saves-made"), dying.save.successes)
    yield _row(say("handout.tracking-sheets.saves-failed"), dying.save.failures)
    recovery = dying.recovery
    if recovery.kills:
        yield _row(say("handout.tracking-sheets.dying"), recovery.kills)
        for condition in (recovery.worse, recovery.sooner):
            if condition in rules.conditions:
                yield _row(rules.conditions[condition].name, recovery.kills - 1)


KIND = PageKind(ID, make, for_players=True)
