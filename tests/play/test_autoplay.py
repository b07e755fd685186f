"""Whole fights without a person: they come to their end by the rules, whoever chooses."""

from __future__ import annotations

import pytest

from turnwright.bootstrap import RuleSystems
from turnwright.encounter.procedure_state.asks import Ask, Prompt, Reply
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Encounter, clock_of, scene_of
from turnwright.play.attacks.attack_request import Attack, available_attacks
from turnwright.play.autoplay import AutoPlayer
from turnwright.play.kernel.transaction import Command
from turnwright.play.queries.queries import sides_standing
from turnwright.play.session import Session
from turnwright.play.table.game_master import SetDice
from turnwright.storage.encounters import read_encounter
from turnwright.storage.resources import sample_encounters

SYSTEMS = RuleSystems()
FILES = {file.stem: file for file in sample_encounters()}


class FirstAttack:
    """Attacks the first enemy that is up, with the first attack it has."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.turns: list[tuple[int, str]] = []

    def command(self, encounter: Encounter, who: str) -> Command | None:
        own = encounter.need(Combatant, who)
        enemies = [one for one in encounter.all(Combatant) if one.side != own.side and one.hp > 0 and not one.dead]
        offers = [one for one in available_attacks(encounter, self._session.rules, who) if not one.vetoes]
        turn = (clock_of(encounter).round, who)
        if not enemies or not offers or own.hp <= 0 or self.turns.count(turn) > 2:
            return None
        self.turns.append(turn)
        return Attack(who, enemies[0].id, offers[0].weapon.id)

    def reply(self, encounter: Encounter, prompt: Prompt, ask: Ask) -> Reply | None:
        return None

    def is_over(self, encounter: Encounter) -> bool:
        return len(sides_standing(encounter)) < 2


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", ["cold-ford-bridge", "bell-barge", "unquenched-works", "third-row"])
def test_a_fight_is_played_to_its_end(name):
    encounter = read_encounter(FILES[name], SYSTEMS.ids).encounter
    assert encounter is not None
    session = Session(encounter, SYSTEMS.get(scene_of(encounter).system))
    session.do(SetDice("roll", seed=5))
    chooser = FirstAttack(session)
    player = AutoPlayer(session, chooser, most_rounds=15)
    decided = player.play()
    clock = clock_of(session.encounter)
    assert decided == (len(sides_standing(session.encounter)) < 2)
    assert decided or clock.round == 16
    acted = {who for _, who in chooser.turns}
    assert len(acted) > len(list(session.encounter.all(Combatant))) / 2
    assert any(one.hp < one.hp_max for one in session.encounter.all(Combatant))


def test_a_turn_that_is_over_by_itself_does_not_end_the_next():
    encounter = read_encounter(FILES["bell-barge"], SYSTEMS.ids).encounter
    assert encounter is not None
    session = Session(encounter, SYSTEMS.get(scene_of(encounter).system))
    session.do(SetDice("roll", seed=5))
    AutoPlayer(session, FirstAttack(session), most_rounds=1).play()
    up = [one for one in session.encounter.all(Combatant) if one.hp > 0 and not one.bystander]
    assert all(one.turns_ended >= 1 for one in up)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("seed", range(4))
def test_nothing_is_answered_after_the_last_blow(seed):
    """Its turn may be over by itself, and those who lie dying have none after the fight."""
    encounter = read_encounter(FILES["keeper-of-the-weir"], SYSTEMS.ids).encounter
    assert encounter is not None
    session = Session(encounter, SYSTEMS.get(scene_of(encounter).system))
    session.do(SetDice("roll", seed=seed))
    chooser, decided = FirstAttack(session), []
    session.subscribe(lambda _: decided.append(chooser.is_over(session.encounter)))
    assert AutoPlayer(session, chooser, most_rounds=40).play()
    began = decided.index(False)
    assert decided[began:].count(True) == 1
