"""Tags below names in the turn order, such as pending rolls, conditions and mounts. Also counts of death saves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec

from turnwright.encounter.procedure_state.asks import Ask
from turnwright.encounter.running import Combatant, Effect, Track
from turnwright.encounter.state import Encounter
from turnwright.play.queries.queries import ends_this_turn, hit_point_state, rounds_left
from turnwright.rules.parts.combatants.phases import phases_in_force
from turnwright.rules.parts.damage.dying import FAILURES, LEVEL_TRACKS, STRIFE, SUCCESSES, level_conditions
from turnwright.rules.system import RuleSystem
from turnwright.rules.system_data.roles import ConditionRole
from turnwright.ui.services.document_model import DocumentModel
from turnwright.workspace.text import Phrasebook

STATE_ICONS = {"dead": "skull", "down": "heart-broken", "bloodied": "blood-bag"}
# Roles of conditions: those more specific than "down", those implied by them, grave ones, and those shown first.
AT_ZERO: Final[tuple[ConditionRole, ...]] = ("dying", "stable")
IMPLIED_AT_ZERO: Final[tuple[ConditionRole, ...]] = ("unconscious", "incapacitated", "prone")
GRAVE_STATES: Final[tuple[ConditionRole, ...]] = ("dying", "doomed", "wounded")
FIRST_TAGS: Final[tuple[ConditionRole, ...]] = (
    "doomed",
    "dying",
    "wounded",
    "stable",
    "unconscious",
    "concentrating",
    "hidden",
    "readied",
)


SAVE = "<save."


class StatusTag(msgspec.Struct, frozen=True):
    """A tag with an icon: a condition, a state or a mark. `tone` is a theme token.

    `words` is longer than the `text` of the row, for tooltips and screen readers. If `on_row` is False, the row shows
    the fact in another form; for example, bloodied and down appear next to the hit points.
    """

    text: str
    icon: str
    tone: str = "muted"
    words: str = ""
    on_row: bool = True


class DeathSaveCounts(msgspec.Struct, frozen=True):
    """The numbers of successful and failed death saves, and the numbers needed to decide the outcome."""

    successes: int
    successes_needed: int
    failures: int
    failures_allowed: int


def status_tags(
    document: DocumentModel,
    phrasebook: Phrasebook,
    combatant: Combatant,
    effects: Iterable[Effect],
    tracks: Iterable[Track],
) -> Iterator[StatusTag]:
    """Yield the tags of a combatant's state, conditions and position, most important first."""
    words = document.words
    state = hit_point_state(combatant)
    names = {effect.name for effect in effects}
    if state == "dead" or (state == "down" and not names & _played(document.rules, AT_ZERO)):
        tone = "muted" if state == "dead" else "harm"
        yield StatusTag(words(f"ui.turn-order.{state}"), STATE_ICONS[state], tone, on_row=False)
    if combatant.dead:
        return
    if combatant.hidden:
        yield StatusTag(words("ui.turn-order.hidden"), "eye-off", "muted")
    for phase in (*phases_in_force(document.encounter, combatant.id),)[-1:]:
        yield StatusTag(phase.name or phase.id, "autorenew", "harm", phase.note)
    yield from _conditions(document, phrasebook, effects, names)
    yield from _whereabouts(document, combatant)
    for track in tracks:
        if track.name in LEVEL_TRACKS and track.value:
            text = f"{phrasebook.expand_keys(f'<track.{track.name}>')} {track.value}"
            yield StatusTag(text, "brain" if track.name == STRIFE else "battery-low", "warn")
    if state == "bloodied":
        yield StatusTag(words("ui.turn-order.bloodied"), STATE_ICONS[state], "harm", on_row=False)


def roll_tag(document: DocumentModel, speech: Phrasebook, ask: Ask) -> StatusTag:
    """Return the tag of a roll that a combatant still has to make (`Con save, DC 15`)."""
    ability = ask.detail.removeprefix(SAVE).removesuffix(">") if ask.detail.startswith(SAVE) else ""
    shorts = {ability_data.id: ability_data.short.capitalize() for ability_data in document.rules.data.abilities}
    short = {**shorts, **dict(document.rules.data.presentation.saves)}.get(ability, "")
    what = document.words("ui.turn-order.save-of", ability=short) if short else ""
    what = what or (
        speech.expand_keys(ask.detail) if ask.detail.startswith("<") else speech.text(ask.label, detail=ask.detail)
    )
    text = document.words("ui.turn-order.against", what=what, dc=ask.dc) if ask.dc else what
    return StatusTag(text[:1].upper() + text[1:], "shield-alert-outline", "warn")


def _conditions(
    document: DocumentModel, speech: Phrasebook, effects: Iterable[Effect], names: set[str]
) -> Iterator[StatusTag]:
    """Yield a tag for each condition, most important first. Conditions implied by 0 hit points are skipped."""
    rules = document.rules
    plain = {*level_conditions(rules).values()}
    if names & _played(rules, AT_ZERO):
        plain |= _played(rules, IMPLIED_AT_ZERO)
    first, grave = [rules.role(role) for role in FIRST_TAGS], _played(rules, GRAVE_STATES)
    visible: dict[str, list[Effect]] = {}
    for effect in effects:
        if effect.shown and effect.name not in plain:
            visible.setdefault(effect.name, []).append(effect)
    for name in sorted(visible, key=lambda name: first.index(name) if name in first else len(first)):
        condition = rules.conditions.get(name)
        icon = condition.icon.removeprefix("mdi6.") if condition and condition.icon else "circle-medium"
        tone = "heal" if name == rules.role("stable") else "harm" if name in grave else "warn"
        value = max(effect.value for effect in visible[name]) if condition is not None and condition.has_levels else 0
        spoken = speech.expand_keys(f"<condition.{name}>").lower()
        counts = name == rules.data.attack.tally  # shown in the header of the active turn
        tag = StatusTag(f"{spoken} {value}" if value else spoken, icon, tone, on_row=not counts)
        yield _condition(document, tag, visible[name])


def _condition(document: DocumentModel, tag: StatusTag, effects: Sequence[Effect]) -> StatusTag:
    """Add a condition's trigger, its spell, or its remaining rounds to its tag."""
    words, rules, latest = document.words, document.rules, effects[-1]
    if latest.name == rules.role("readied") and latest.end_condition:
        text = words("ui.turn-order.readied-for", trigger=latest.end_condition)
        return msgspec.structs.replace(tag, text=text)
    if latest.name == rules.role("concentrating") and latest.source:
        full = words("ui.turn-order.concentrates-on", what=tag.text, spell=latest.source)
        return msgspec.structs.replace(tag, text=latest.source, words=full)
    if all(ends_this_turn(document.encounter, effect) for effect in effects):
        return msgspec.structs.replace(tag, text=words("ui.turn-order.ends-this-turn", what=tag.text))
    rounds = [rounds_left(document.encounter, effect) for effect in effects]
    if not all(rounds):
        return tag
    text = words("ui.turn-order.rounds-short", what=tag.text, n=max(rounds))
    return msgspec.structs.replace(tag, text=text, words=words("ui.turn-order.rounds", what=tag.text, n=max(rounds)))


def _played(rules: RuleSystem, roles: Iterable[ConditionRole]) -> set[str]:
    """Return the rule system's conditions that have these roles."""
    return {rules.role(role) for role in roles}


def _whereabouts(document: DocumentModel, combatant: Combatant) -> Iterator[StatusTag]:
    """Yield tags for a combatant's mount, its riders and its elevation."""
    words, encounter = document.words, document.encounter
    for other in mount_and_riders(encounter, combatant):
        rides = other.id == combatant.rides
        text = words("ui.turn-order.rides" if rides else "ui.turn-order.carries", what=other.label)
        yield StatusTag(text, "arrow-up-bold" if rides else "paw", "muted")
    if combatant.elevation:
        up = combatant.elevation > 0
        text = words("ui.turn-order.above" if up else "ui.turn-order.below", n=abs(combatant.elevation))
        yield StatusTag(text, "arrow-up" if up else "arrow-down", "muted")


def death_saves(
    rules: RuleSystem, combatant: Combatant, effects: Iterable[Effect], tracks: Iterable[Track]
) -> DeathSaveCounts | None:
    """Return the death saves of a dying combatant. Return None if it isn't dying, and in systems without death saves."""
    figures = rules.data.dying.save
    if not figures.failures or combatant.dead or all(effect.name != rules.role("dying") for effect in effects):
        return None
    values = {track.name: track.value for track in tracks}
    return DeathSaveCounts(values.get(SUCCESSES, 0), figures.successes, values.get(FAILURES, 0), figures.failures)


def mount_and_riders(encounter: Encounter, combatant: Combatant) -> Iterator[Combatant]:
    """Yield a combatant's mount and riders."""
    mount = encounter.get(Combatant, combatant.rides) if combatant.rides else None
    if mount is not None:
        yield mount
    yield from (other for other in encounter.all(Combatant) if other.rides == combatant.id)
