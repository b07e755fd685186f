"""Small encounters of any game, and their sheets as the rules make them: for what can be worked out from the rule book."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import Creature, Feature, RosterEntry, Scene
from turnwright.encounter.state import Encounter, Record
from turnwright.forecast.estimate import Outlook
from turnwright.forecast.layout import WON
from turnwright.forecast.sheet import Legend, Sheet
from turnwright.forecast.sheet_builder import build_sheet
from turnwright.workspace.engine_fights import engine_fights
from turnwright.workspace.fight_forecast import begun_copy, run_forecast
from turnwright.workspace.kernel_library import await_kernels

SYSTEMS = RuleSystems()
GAMES = ("a5e", "dnd5e", "pf2e", "action_points")


def fighter(id: str, *features: Feature, **fields: Any) -> Creature:
    """Return a stat block with 10 hit points that adds nothing to its checks, of 3rd level."""
    pools = {"pools": (("action", 6), ("reaction", 0))} if fields.pop("system", "") == "action_points" else {}
    usual = {"id": id, "name": id.capitalize(), "hp": 10, "ac": 12, "level": 3, "features": features}
    return Creature(**(usual | pools | fields))


def small_fight(
    system: str,
    party: Iterable[Creature],
    foes: Iterable[Creature],
    *others: Record,
    waves: dict[str, str] | None = None,
) -> Encounter:
    """Return an encounter in which each stat block is one combatant; the party acts before the foes."""
    party, foes, waves = list(party), list(foes), waves or {}
    options = ("check-d20",) if system == "action_points" else ()
    records: list[Record] = [Scene(system=system, strictness="enforce", options=options), *party, *foes, *others]
    for place, one in enumerate([*party, *foes]):
        is_player = one in party
        records.append(
            RosterEntry(
                one.id,
                one.id,
                side="party" if is_player else "enemies",
                player="Somebody" if is_player else "",
                initiative=100 - 50 * place,
                level=one.level or 3,
                wave=waves.get(one.id, ""),
            )
        )
    return Encounter(records)


def sheet_of_fight(encounter: Encounter, system: str) -> tuple[Sheet, Legend]:
    """Return the sheet of an encounter, as the rules of its game make it."""
    rules = SYSTEMS.get(system)
    copy = begun_copy(encounter, rules)
    return build_sheet(copy.encounter, rules, copy.waiting)


def played_alike(encounter: Encounter, system: str, *, count: int, seed: int) -> Outlook:
    """Return a forecast after comparing it with fights of the engine: rounds and victories within four standard errors."""
    rules = SYSTEMS.get(system)
    await_kernels()
    outlook = run_forecast(encounter, rules, 20_000, seed=1).outlook
    fights, refused = engine_fights(encounter, rules, seed=seed, count=count)
    rounds, won = np.array([one.rounds for one in fights]), np.mean([one.outcome == WON for one in fights])
    spread = max((outlook.won.value * (1 - outlook.won.value) / count) ** 0.5, 0.02)
    assert refused == 0
    assert abs(rounds.mean() - outlook.mean_rounds) < 4 * max(rounds.std(), 0.1) / count**0.5
    assert abs(won - outlook.won.value) < 4 * spread
    return outlook
