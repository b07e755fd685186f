"""Journal lines that events declare."""

import pytest

from tests.table import creature, environment
from turnwright.encounter.field_specs import CombatantId, CombatantIds, ConditionId, EntryId, EnvironmentId, WordKey
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Encounter
from turnwright.play.attacks.attack_request import Attacked
from turnwright.play.kernel.events import Event, LabelLookup, journal, line_of
from turnwright.play.registry import event_types

ANN = Combatant("ann", "ann", "Ann", "party", creature("ann"))
NAMES = LabelLookup(Encounter([environment("swampy")]), Encounter([ANN]))


@journal("journal.sung_{tune}", when={"listeners": "journal.sung_to", "loud": "journal.sung_loudly"}, where="place")
class Sung(Event, frozen=True):
    who: CombatantId
    tune: str
    listeners: CombatantIds = ()
    loud: bool = False
    place: str = ""
    why: WordKey = ""


@journal("journal.sunk", about="who", what="entry", twice="doubled")
class Sunk(Event, frozen=True):
    environment: EnvironmentId
    entry: EntryId
    who: CombatantId
    condition: ConditionId
    depth: int = 2

    @property
    def doubled(self) -> int:
        return 2 * self.depth


def line(event: Event) -> tuple[str, dict[str, str | int], tuple[str, str]]:
    template = event.__journal__
    assert template is not None
    said, subject = line_of(event, template, NAMES)
    return said.key, dict(said.params), subject


def test_a_line_holds_the_fields_with_names_in_place_of_ids() -> None:
    values = {"who": "Ann", "tune": "low", "listeners": "", "where": "the hall", "why": "<why.rest>"}
    expected = ("journal.sung_low", values, ("combatants", "ann"))
    assert line(Sung(who="ann", tune="low", place="the hall", why="why.rest")) == expected


def test_the_first_field_that_is_set_chooses_the_words() -> None:
    assert line(Sung(who="ann", tune="low", loud=True))[0] == "journal.sung_loudly"
    assert line(Sung(who="ann", tune="low", loud=True, listeners=("ann", "bob")))[0] == "journal.sung_to"
    assert line(Sung(who="ann", tune="low", listeners=("ann", "bob")))[1]["listeners"] == "Ann and bob"


def test_a_property_and_an_entry_of_an_environment_are_shown_too() -> None:
    swamp = environment("swampy")
    first = swamp.features[0]
    key, values, subject = line(Sunk(environment=swamp.id, entry=first.id, who="ann", condition="prone"))
    assert (key, values["what"], values["twice"]) == ("journal.sunk", first.name, 4)
    assert (values["condition"], subject) == ("<condition.prone>", ("combatants", "ann"))


@pytest.mark.parametrize(("outcome", "kind"), [("miss", "plain"), ("hit", "harm"), ("critical", "harm")])
def test_a_hit_is_told_as_harm_and_a_miss_is_not(outcome: str, kind: str) -> None:
    assert Attacked(who="ann", weapon="Axe", outcome=outcome).journal_kind == kind
    assert Sung(who="ann", tune="low").journal_kind == "plain"


def test_all_events_but_the_ends_of_turns_and_rounds_have_a_line() -> None:
    assert {kind.__name__ for kind in event_types() if kind.__journal__ is None} == {"RoundEnded", "TurnEnded"}
    for kind in event_types():
        if kind.__journal__ is not None:
            attributes = {field for field, _ in kind.__journal__.when} | {of for _, of in kind.__journal__.params}
            assert all(hasattr(kind, attribute) for attribute in attributes), kind
