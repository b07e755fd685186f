"""Explanations on the map: the cost of a route, the sources of cover, or a combatant's state."""

from __future__ import annotations

import msgspec

from turnwright.encounter.running import Combatant
from turnwright.ui.docks.map.drawing.tokens import Token
from turnwright.ui.docks.map.tools.drag_preview import DragPreview
from turnwright.ui.docks.map.tools.line_of_sight_info import Sightline
from turnwright.ui.docks.shared.explainer import explainer
from turnwright.ui.docks.shared.why_sources import explain_turn_order_row
from turnwright.ui.look.translations import tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.rules.explanation import Explanation


def explain_route(document: DocumentModel, drag: DragPreview) -> Explanation | None:
    """Explain the cost of a route and any rule against it. Return None if moves are free."""
    route, explain = drag.route, explainer(document)
    if route.cost is None:
        return None
    why = explain.explain_number(tr("ui.map.route-of", who=drag.token.label), route.cost, f" {tr('ui.map.unit-ft')}")
    if not route.refusal:
        return why
    return msgspec.structs.replace(why, lines=(explain.line_with_rule("✕", route.refusal, route.rule), *why.lines))


def explain_cover(document: DocumentModel, target: Token, line: Sightline) -> Explanation:
    """Explain a target's cover: each source with its rule, and the other flanking ally."""
    explain = explainer(document)
    lines = [
        explain.line_with_rule(tr(f"ui.map.cover-{source.grade}"), explain.name(source.reason), source.rule)
        for source in line.sources
    ]
    notes = (tr("ui.map.flanks-with", who=line.partner),) if line.partner else ()
    return Explanation(target.label, tr(f"ui.map.cover-{line.grade or 'none'}"), tuple(lines), notes=notes)


def explain_token(document: DocumentModel, token: Token) -> Explanation | None:
    """Explain a combatant's initiative, hit points, AC and conditions. Return None before the fight."""
    if token.key[0] != Combatant.table or document.encounter.get(Combatant, token.key[1]) is None:
        return None
    return explain_turn_order_row(document, token.key[1])
