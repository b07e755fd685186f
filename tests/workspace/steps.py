"""Two hundred steps of every kind on a document: edits that join, a fight, undo, redo, notes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from random import Random

import msgspec

from turnwright.encounter.prepared import Creature, RosterEntry
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import Heal, SetHitPoints
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.kernel.transaction import Refused
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.setup.prepared_records import Add, Edit, Remove
from turnwright.play.table.game_master import AddNote
from turnwright.play.turns.turns import EndTurn
from turnwright.workspace.document import Document

BEGIN = (StartEncounter(), AdvanceSetup(), AdvanceSetup(), AdvanceSetup())


def begin(document: Document) -> None:
    for command in BEGIN:
        document.do(command)


def edit(document: Document, hp: int, merge: str = "") -> None:
    creature = document.encounter.need(Creature, "guard")
    document.do(Edit(msgspec.structs.replace(creature, hp=hp), merge))


def many_acts(document: Document, count: int, then: Callable[[], None]) -> None:
    """Do things until the history has been acted on `count` times; `then` is called after each."""
    random = Random(11)
    acts = 0

    def done(what: Callable[[], object]) -> None:
        nonlocal acts
        if acts < count:
            with suppress(Refused):
                what()
                acts += 1
                then()

    for hp in (31, 32, 33, 30, 34, 35):
        done(lambda hp=hp: edit(document, hp, "hp"))
    done(lambda: document.do(Add((RosterEntry("late", "guard", wave="late"),))))
    done(lambda: document.do(Remove((("roster", "late"),))))
    for command in BEGIN:
        done(lambda command=command: document.do(command))
    who = ("mira", "guards-1", "guards-2")
    while acts < count:
        turn = random.randrange(9)
        one = random.choice(who)
        if turn == 0:
            done(lambda: document.do(ApplyDamage((random.choice(who),), "2d6+3 fire", "a torch")))
        elif turn == 1:
            done(lambda: document.do(Heal((random.choice(who),), random.randrange(9))))
        elif turn == 2:
            done(lambda: document.do(ApplyCondition((random.choice(who),), "prone")))
        elif turn == 3:
            done(lambda: document.do(EndTurn()))
        elif turn == 4:
            done(lambda: document.do(AddNote("So it goes.")))
        elif turn == 5:
            done(lambda one=one: document.do(SetHitPoints(one, temp_hp=random.randrange(20))))
        elif turn == 6 and document.session.undo_label:
            done(document.undo)
        elif turn == 7 and document.session.redo_label:
            done(document.redo)
        else:
            done(lambda: edit(document, 30 + random.randrange(50), random.choice(("", "drag"))))
