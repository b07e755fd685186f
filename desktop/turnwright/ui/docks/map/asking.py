"""What `?` answers on the map: why a way costs what it does, why somebody has cover, or else how somebody stands."""

from __future__ import annotations

import msgspec

from turnwright.encounter.running import Combatant
from turnwright.ui.bridge import Bridge
from turnwright.ui.docks.answers import of_place
from turnwright.ui.docks.explain import explainer
from turnwright.ui.docks.map.carrying import Carry
from turnwright.ui.docks.map.sightlines import Sightline
from turnwright.ui.docks.map.tokens import Token
from turnwright.ui.say import say
from turnwright.ui.widgets.reasons import Why


def why_of_way(bridge: Bridge, carry: Carry) -> Why | None:
    """Return what a way costs and why, and what forbids it; None where nothing is paid."""
    way, explain = carry.way, explainer(bridge)
    if way.cost is None:
        return None
    why = explain.of_figure(say("ui.map.way-of", who=carry.token.label), way.cost, f" {say('ui.map.unit-ft')}")
    if not way.refused:
        return why
    return msgspec.structs.replace(why, lines=(explain.worded("✕", way.refused, way.rule), *why.lines))


def why_of_aim(bridge: Bridge, target: Token, line: Sightline) -> Why:
    """Return what gives somebody cover, each source with its rule, and who helps to flank."""
    explain = explainer(bridge)
    lines = [
        explain.worded(say(f"ui.map.cover-{one.grade}"), explain.name(one.reason), one.rule) for one in line.sources
    ]
    notes = (say("ui.map.flanks-with", who=line.partner),) if line.partner else ()
    return Why(target.label, say(f"ui.map.cover-{line.grade or 'none'}"), tuple(lines), notes=notes)


def why_of_token(bridge: Bridge, token: Token) -> Why | None:
    """Return how somebody in the fight stands: initiative, hit points, AC, conditions. None before it."""
    if token.key[0] != Combatant.table or bridge.encounter.get(Combatant, token.key[1]) is None:
        return None
    return of_place(bridge, token.key[1])
