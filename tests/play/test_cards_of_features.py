"""How many cards a round features bring: eight creatures that ship against four heroes, with features and without them.

Whatever is asked gets the likely answer; the dice are the program's, from the same seeds.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from random import Random

import msgspec
import pytest

from tests.automatic import suggested_answer
from tests.play.crowd_table import GAMES, shipped
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import Creature, Feature, Map, RosterEntry, Scene
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Encounter, clock_of
from turnwright.play.asking.answer import DismissPrompt
from turnwright.play.attacks.attack_request import Attack, available_attacks
from turnwright.play.kernel.transaction import Refused
from turnwright.play.queries.queries import active_combatants, open_prompts
from turnwright.play.session import Session
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.table.game_master import SetDice
from turnwright.play.turns.turns import EndTurn

ROUNDS, MOST = 3, 1.2
OWN_TURN = ("turn-start", "turn-end")
SWORD = Feature("sword", "Sword", "action", attack=9, reach=5, damage="2d8+5 slashing")
HERO = Creature("hero", "Hero", hp=120, ac=18, features=(SWORD,))
HEROES = ((10, 10), (12, 10), (10, 13), (12, 13))
FOES = (((8, 9), (9, 8)), ((14, 9), (13, 8)), ((8, 14), (9, 15)), ((14, 14), (13, 15)))


def without(creature: Creature) -> Creature:
    """A stat block whose features have but what they had before there were moments of others: a trigger of their turn."""
    plain = Feature("", "")
    fields = ("rules", "when", "within", "heals", "reduces", "does", "dc_adds", "only", "automation", "immune_after")
    bare = {field: getattr(plain, field) for field in fields}
    features = (
        msgspec.structs.replace(one, **bare, trigger=one.trigger if one.trigger in OWN_TURN else "")
        for one in creature.features
    )
    return msgspec.structs.replace(creature, features=tuple(features), phases=())


class Cards:
    """A fight in which cards are counted as they come, and answered."""

    def __init__(self, game: str, kinds: list[Creature], seed: int) -> None:
        blocks = [msgspec.structs.replace(one, id=f"kind-{number}") for number, one in enumerate(kinds)]
        roster = [
            RosterEntry(one.id, one.id, count=2, side="enemies", positions=squares)
            for one, squares in zip(blocks, FOES, strict=True)
        ]
        heroes = RosterEntry("heroes", "hero", count=4, side="party", positions=HEROES)
        records = [Scene(system=game, strictness="off"), HERO, *blocks, heroes, *roster, Map(columns=24, rows=24)]
        self.session = Session(Encounter(records), RuleSystems().get(game))
        self.dice, self.seen = Random(seed), set[str]()
        self.does(SetDice("roll", seed))
        self.does(StartEncounter())
        while clock_of(self.session.encounter).phase != "rounds":
            self.does(AdvanceSetup())
        self.seen.clear()

    def does(self, command: object) -> None:
        with suppress(Refused):
            self.session.do(command, override=True)
        while prompts := open_prompts(self.session.encounter):
            self.seen.add(prompts[0].id)
            try:
                self.session.do(suggested_answer(prompts[0]))
            except Refused:
                self.session.do(DismissPrompt(prompts[0].id))

    def turn(self) -> None:
        """Each of those whose turn it is attacks some foe with its first attack, and the turn ends."""
        everybody = self.session.encounter.all
        for one in active_combatants(self.session.encounter):
            foes = [each for each in everybody(Combatant) if each.side != one.side and each.hp > 0 and not each.dead]
            offers = available_attacks(self.session.encounter, self.session.rules, one.id)
            weapons = [each.weapon.id for each in offers if each.weapon.attack is not None]
            if one.hp > 0 and foes and weapons:
                self.does(Attack(one.id, self.dice.choice(foes).id, weapons[0]))
        self.does(EndTurn())

    def a_round(self) -> float:
        """How many cards a round brings."""
        clock = clock_of(self.session.encounter)
        while clock.phase == "rounds" and clock.round <= ROUNDS:
            self.turn()
            clock = clock_of(self.session.encounter)
        return len(self.seen) / ROUNDS


@cache
def fights(game: str, count: int) -> tuple[list[Creature], ...]:
    everybody = [one for one in shipped(game, None) if any(each.attack is not None for each in one.features)]
    return tuple(Random(seed).sample(everybody, 4) for seed in range(count))


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
def test_features_bring_at_most_a_fifth_more_cards_a_round(game: str) -> None:
    tables = fights(game, 12)
    before = sum(Cards(game, [without(one) for one in kinds], seed).a_round() for seed, kinds in enumerate(tables))
    after = sum(Cards(game, kinds, seed).a_round() for seed, kinds in enumerate(tables))
    assert 0 < after < MOST * before
