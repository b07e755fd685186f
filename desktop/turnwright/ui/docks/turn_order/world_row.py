"""The contents of the world's area: world actions with their state, and countdowns with their dice."""

from __future__ import annotations

from collections.abc import Iterable

from turnwright.encounter.lookups import clock_of
from turnwright.encounter.prepared import Countdown
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.turns import RoundStart
from turnwright.encounter.running import CountdownPool
from turnwright.play.queries.queries import running_pools, world_action_states
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.records.world_panel import WorldAction, WorldPool


def world_actions(document: DocumentModel) -> tuple[WorldAction, ...]:
    """Return every enabled world action with its recharge and whether it is ready."""
    words = document.words
    actions = []
    for row in world_action_states(document.encounter):
        ready = row.state.ready
        faces = _recharge_faces(row.entry.recharge)
        status = f"◆ {words('ui.turn-order.ready')}" if ready else f"◇ {faces or words('ui.turn-order.spent')}"
        tip = "\n".join(part for part in (row.environment.name, row.entry.within, row.entry.text) if part)
        actions.append(WorldAction(f"{row.environment.id}/{row.entry.id}", row.entry.name, status, ready, tip))
    return tuple(actions)


def _recharge_faces(lowest: int) -> str:
    return "" if not lowest else "6" if lowest >= 6 else f"{lowest}–6"


def countdown_pools(document: DocumentModel) -> tuple[WorldPool, ...]:
    """Return the running and the just finished countdowns, with the dice that the last roll removed."""
    return tuple(_pool(document, pool) for pool in running_pools(document.encounter))


def _pool(document: DocumentModel, pool: CountdownPool) -> WorldPool:
    countdown = document.encounter.get(Countdown, pool.countdown)
    lowest = document.rules.countdown_faces[countdown.speed if countdown else "slow"]
    stay = tuple(face for face in pool.last_faces if face < lowest)
    faces: tuple[int | None, ...] = stay if len(stay) == pool.dice and pool.last_faces else (None,) * pool.dice
    removed = tuple(face for face in pool.last_faces if face >= lowest) if faces == stay else ()
    name = countdown.name if countdown else pool.countdown
    tip = "\n".join(_about(document, pool, countdown, lowest))
    return WorldPool(pool.id, name, faces, removed, pool.rolls, _status(document, pool, countdown), tip)


def _status(document: DocumentModel, pool: CountdownPool, countdown: Countdown | None) -> str:
    if pool.status != "waiting":
        return ""
    if countdown is not None and countdown.starts > clock_of(document.encounter).round:
        return document.words("ui.turn-order.pool-from", n=pool.dice, round=countdown.starts)
    return document.words("ui.turn-order.pool-waits", n=pool.dice)


def _about(document: DocumentModel, pool: CountdownPool, countdown: Countdown | None, lowest: int) -> Iterable[str]:
    yield document.words("ui.turn-order.pool-tip", n=pool.dice, faces=_recharge_faces(lowest))
    if pool.unstoppable:
        yield document.words("ui.turn-order.pool-unstoppable")
    if countdown is not None and countdown.notes:
        yield countdown.notes


def is_world_step(document: DocumentModel) -> bool:
    """Whether it is the top of a round, before the first turn."""
    clock = clock_of(document.encounter)
    top = any(isinstance(procedure.data, RoundStart) for procedure in document.encounter.all(Procedure))
    return clock.phase == "rounds" and (top or not clock.active)
