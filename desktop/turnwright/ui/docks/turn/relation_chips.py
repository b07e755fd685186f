"""Facts about a pair of combatants as chips to click: known from the map, entered, or unknown.

An answer is stored for the pair (`SetRelation`), so that the next attack uses it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType

from turnwright.encounter.running import Relation
from turnwright.play.state.position_changes import SetRelation
from turnwright.rules.parts import positions
from turnwright.rules.parts.environment.areas import current_map
from turnwright.ui.look.translations import tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.records.state_chip import StateChipView

SEEN, SEEN_BY, FLANKED, REACHED, COVER = "seen", "seen-by", "flanked", "reached", "cover"
ENGINE_NAMES: Mapping[str, str] = MappingProxyType(
    {"sees": SEEN, "target.sees": SEEN_BY, "flanks": FLANKED, "reaches": REACHED}
)
DISTANCES = ("within", "target.within")
HEIGHTS = ("higher", "lower", "target.higher", "target.lower")
YES, NO = "yes", "no"


def relation_views(
    document: DocumentModel, attacker: str, target: str, unknown: Collection[str], *, melee: bool
) -> list[StateChipView]:
    """Return the facts of a pair as chips. `unknown` are the facts that the roll needs, as named by the engine."""
    lookup, rules = document.encounter, document.rules
    forward, reverse = (
        positions.stated_relation(lookup, attacker, target),
        positions.stated_relation(lookup, target, attacker),
    )
    needed = {ENGINE_NAMES[fact] for fact in unknown if fact in ENGINE_NAMES}
    views = [
        _fact(document, SEEN, positions.sees(lookup, rules, attacker, target), _entered_fact(forward, "seen"), needed),
        _fact(
            document, SEEN_BY, positions.sees(lookup, rules, target, attacker), _entered_fact(reverse, "seen"), needed
        ),
    ]
    if melee:
        flanks = positions.flanks(lookup, rules, attacker, target)
        views.append(_fact(document, FLANKED, flanks, _entered_fact(forward, "flanked"), needed))
    if REACHED in needed or _entered_fact(forward, "reached"):
        reached = positions.in_reach(lookup, rules, attacker, target)
        views.append(_fact(document, REACHED, reached, _entered_fact(forward, "reached"), needed))
    return [*views, _cover(document, attacker, target, forward)]


def relation_command(attacker: str, target: str, fact: str, answer: str) -> SetRelation:
    """Return the command that stores an answer about a pair."""
    if fact == COVER:
        return SetRelation(attacker, target, cover=answer)  # type: ignore[arg-type]
    holds = answer == YES
    if fact == SEEN_BY:
        return SetRelation(target, attacker, seen=holds)
    if fact == FLANKED:
        return SetRelation(attacker, target, flanked=holds)
    return (
        SetRelation(attacker, target, reached=holds) if fact == REACHED else SetRelation(attacker, target, seen=holds)
    )


def has_relation(document: DocumentModel, attacker: str, target: str) -> bool:
    """Whether a relation of the pair has been entered."""
    return any(
        positions.stated_relation(document.encounter, *pair) is not None
        for pair in ((attacker, target), (target, attacker))
    )


def is_needed(unknown: Collection[str], words: tuple[str, ...]) -> bool:
    """Whether an unknown number, for example the distance, matters for a roll."""
    return any(fact.partition(":")[0] in words for fact in unknown)


def attack_only_facts(unknown: Collection[str]) -> list[str]:
    """Return the unknown facts that can't be stored as a relation, because they apply only to one attack."""
    return [
        fact
        for fact in unknown
        if fact not in ENGINE_NAMES and fact.partition(":")[0] not in (*DISTANCES, *HEIGHTS) and fact != COVER
    ]


def fact_origin(document: DocumentModel, attacker: str, target: str, *, entered: bool) -> str:
    """Return the origin of a fact about a pair as text: entered, from the map, or assumed."""
    lookup, rules = document.encounter, document.rules
    if entered:
        return tr("ui.attack.from-table")
    placed = all(positions.space(lookup, rules, who) is not None for who in (attacker, target))
    return tr("ui.attack.from-map") if placed else tr("ui.attack.from-nothing")


def _fact(document: DocumentModel, id: str, value: bool | None, entered: bool, needed: set[str]) -> StateChipView:
    state = "" if value is None else YES if value else NO
    tip = tr(f"ui.attack.fact-{id}-tip")
    origin = tr("ui.attack.from-table") if entered else tr("ui.attack.from-map") if _on_map(document) and state else ""
    return StateChipView(id, tr(f"ui.attack.fact-{id}"), state, origin=origin, tip=tip, is_needed=id in needed)


def _cover(document: DocumentModel, attacker: str, target: str, relation: Relation | None) -> StateChipView:
    lookup, rules = document.encounter, document.rules
    entered = relation is not None and bool(relation.cover)
    grade = positions.cover_of(lookup, rules, attacker, target)
    state = grade if entered or grade != "none" or _on_map(document) else ""
    names: dict[str, str] = {degree.id: degree.name for degree in rules.data.cover}
    origin = tr("ui.attack.from-table") if entered else tr("ui.attack.from-map") if state else ""
    answers = tuple((id, names.get(id, id).lower()) for id in names)
    label = tr("ui.attack.fact-cover") if not state else ""
    possible = (
        tr("ui.attack.fact-cover-possible", what=cover.reason, cover=names[cover.grade].lower())
        for cover in positions.possible_cover(lookup, rules, attacker, target)
    )
    return StateChipView(COVER, label, state, answers, origin, "\n".join((tr("ui.attack.fact-cover-tip"), *possible)))


def _entered_fact(pair: Relation | None, name: str) -> bool:
    return pair is not None and {"seen": pair.seen, "flanked": pair.flanked, "reached": pair.reached}[name] is not None


def _on_map(document: DocumentModel) -> bool:
    return current_map(document.encounter) is not None
