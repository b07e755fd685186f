"""An adventure that is open: the party walks through it with its wounds, and two windows can use it at once."""

from __future__ import annotations

from datetime import datetime

import msgspec
import pytest

from tests.table import creature, dnd5e
from turnwright.bootstrap import SHIPPED
from turnwright.encounter.adventure import Adventure, AdventureRun, AdventureStep, StepDone, with_done
from turnwright.encounter.prepared import CharacterState, Party, RosterEntry, Scene
from turnwright.encounter.state import Encounter
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.session import Session
from turnwright.play.setup.encounter_course import StartEncounter
from turnwright.play.setup.roster import BringParty
from turnwright.play.table.game_master import SetKnownName
from turnwright.play.turns.awards import AwardExperience
from turnwright.play.turns.turns import EndEncounter
from turnwright.storage.adventures import write_adventure
from turnwright.storage.library.entries import Library
from turnwright.workspace.adventure import (
    AdventureTally,
    OpenAdventure,
    PlanChangedError,
    bringing,
    carry_party,
    done_in,
    known_here,
    later_done,
    new_adventure,
    party_of_adventure,
    party_to_bring,
    run_after,
    take_rest,
    tally,
)

NOW = datetime.fromisoformat("2026-11-28T20:31:00")
ANN = RosterEntry("ann", "ann", side="party", player="Kim", level=3)
BEA = RosterEntry("bea", "bea", side="party", player="Lee", level=3)
PARTY = Party("us", "Us", (creature("ann"), creature("bea")), (ANN, BEA))
PLAN = Adventure(
    "dnd5e",
    "Toll",
    "us",
    steps=(
        AdventureStep(part="Saturday"),
        AdventureStep(encounter="bridge.toml"),
        AdventureStep(rest="short"),
        AdventureStep(encounter="cellar.toml"),
        AdventureStep(rest="long", hours=8),
        AdventureStep(encounter="tower.toml"),
    ),
)
BRIDGE, CELLAR, TOWER = (f"encounter:{name}.toml" for name in ("bridge", "cellar", "tower"))


@pytest.fixture
def library(tmp_path):
    library = Library(tmp_path / "library", index=tmp_path / "state" / "library.index")
    library.save(PARTY, "dnd5e")
    return library


@pytest.fixture
def adventure(tmp_path):
    return new_adventure(tmp_path / "toll" / "adventure.toml", PLAN, SHIPPED, tmp_path / "state")


def fight(party: Party = PARTY, damage: int = 5) -> Session:
    """A fight against one guard that is over, in which Ann took damage and 50 XP were awarded to both."""
    foe = RosterEntry("guard", "guard")
    session = Session(Encounter([Scene(system="dnd5e"), creature("guard"), foe]), dnd5e())
    session.do(BringParty(party))
    session.do(StartEncounter())
    session.do(ApplyDamage(("ann",), str(damage)))
    return session


def ended(session: Session) -> Session:
    session.do(SetKnownName(("guard",), "Grak"))
    session.do(EndEncounter())
    session.do(AwardExperience(50, ("ann", "bea"), counted=("Guard",)))
    return session


def test_a_party_is_carried_into_the_library_once(library):
    encounter = ended(fight()).encounter
    first = carry_party(PLAN, encounter, dnd5e(), library)
    again = carry_party(PLAN, encounter, dnd5e(), library)
    assert first == again == party_of_adventure(PLAN, library)
    ann, bea = first.roster
    assert (ann.state, ann.xp_earned, bea.state, bea.xp_earned) == (CharacterState(15), 50, None, 50)
    assert len(first.awards) == 1


def test_awards_are_carried_alone_if_the_standing_comes_from_a_later_fight(library):
    later = carry_party(PLAN, ended(fight(damage=9)).encounter, dnd5e(), library)
    kept = carry_party(PLAN, ended(fight()).encounter, dnd5e(), library, awards_only=True)
    assert [member.state for member in kept.roster] == [member.state for member in later.roster]
    assert kept.roster[0].xp_earned >= 50


def test_nothing_is_carried_without_a_party_or_a_fight(library):
    without = msgspec.structs.replace(PLAN, party="gone")
    assert carry_party(without, ended(fight()).encounter, dnd5e(), library) is None
    prepared = Session(Encounter([Scene(system="dnd5e")]), dnd5e())
    prepared.do(BringParty(PARTY))
    assert carry_party(PLAN, prepared.encounter, dnd5e(), library) is None
    assert party_of_adventure(PLAN, library) == PARTY


def test_the_next_encounter_gets_the_party_as_it_stands(library):
    carry_party(PLAN, ended(fight()).encounter, dnd5e(), library)
    party = party_to_bring(PLAN, AdventureRun(absent=("bea",)), Encounter([Scene(system="dnd5e")]), library)
    assert [(member.state, member.absent) for member in party.roster] == [
        (CharacterState(15), False),
        (None, True),
    ]
    prepared = Session(Encounter([Scene(system="dnd5e")]), dnd5e())
    assert bringing(prepared.encounter, party) == "update"
    prepared.do(BringParty(PARTY))
    assert bringing(prepared.encounter, party) == "update"
    prepared.do(BringParty(party, sets_absent=True))
    assert bringing(prepared.encounter, party) == ""
    assert party_to_bring(PLAN, AdventureRun(), fight().encounter, library) is None


@pytest.mark.parametrize("change", ["level", "fewer", "more"])
def test_other_members_or_levels_ask_first(change):
    prepared = Session(Encounter([Scene(system="dnd5e")]), dnd5e())
    prepared.do(BringParty(PARTY))
    ann, bea = PARTY.roster
    risen = msgspec.structs.replace(ann, level=4)
    cid = msgspec.structs.replace(bea, id="cid", name="Cid", player="Max")
    rosters = {"level": (risen, bea), "fewer": (ann,), "more": (ann, bea, cid)}
    assert bringing(prepared.encounter, msgspec.structs.replace(PARTY, roster=rosters[change])) == "ask"


def test_what_was_played_is_recorded_at_the_end_of_a_fight(adventure):
    session = fight()
    assert done_in(session.encounter, BRIDGE, NOW) is None
    running = run_after(AdventureRun(), session.encounter, BRIDGE, "rest:short", NOW)
    assert running == AdventureRun("rest:short")
    encounter = ended(session).encounter
    adventure.change_run(lambda run: run_after(run, encounter, BRIDGE, "rest:short", NOW))
    adventure.change_run(lambda run: run_after(run, encounter, BRIDGE, "rest:short", NOW))
    done = StepDone(BRIDGE, "2026-11-28T20:31:00", rounds=1, xp=100)
    assert adventure.run.at == "rest:short"
    assert [msgspec.structs.replace(each, rounds=1) for each in adventure.run.done] == [done]
    assert known_here(adventure.run, Encounter([creature("guard")])) == {"guard": "Grak"}


def state_of_ann(library):
    return party_of_adventure(PLAN, library).roster[0].state


def test_a_rest_is_given_to_the_party_in_the_library(adventure, library):
    carry_party(PLAN, ended(fight()).encounter, dnd5e(), library)
    take_rest(adventure, "rest:short", library, dnd5e(), {"ann": 3}, NOW)
    assert state_of_ann(library) == CharacterState(18)
    take_rest(adventure, "rest:long", library, dnd5e(), {}, NOW)
    assert state_of_ann(library) is None
    assert [done.id for done in adventure.run.done] == ["rest:short", "rest:long"]


@pytest.mark.parametrize("writes", [1, 2], ids=["before the party", "after the party"])
def test_an_interrupted_rest_is_given_once(adventure, library, monkeypatch, writes):
    carry_party(PLAN, ended(fight(damage=9)).encounter, dnd5e(), library)
    written = []

    def interrupted(path, part, backups=None):
        written.append(path)
        if len(written) == writes:
            raise OSError("interrupted")
        write_adventure(path, part, backups)

    monkeypatch.setattr("turnwright.workspace.adventure.write_adventure", interrupted)
    with pytest.raises(OSError, match="interrupted"):
        take_rest(adventure, "rest:short", library, dnd5e(), {"ann": 3}, NOW)
    monkeypatch.undo()
    take_rest(adventure, "rest:short", library, dnd5e(), {"ann": 3}, NOW)
    assert state_of_ann(library) == CharacterState(14)
    assert (adventure.run.resting, adventure.run.done[0].id) == ("", "rest:short")


def test_the_tally_counts_since_the_last_long_rest():
    run = AdventureRun()
    times = iter(f"2026-11-28T20:{minute}:00" for minute in range(10, 60))
    for key, seconds, xp in ((BRIDGE, 18, 100), ("rest:short", 0, 0), (CELLAR, 30, 200)):
        run = with_done(run, StepDone(key, next(times), seconds=seconds, xp=xp))
    assert tally(PLAN, run) == AdventureTally(2, 300, 48, 1)
    run = with_done(run, StepDone("rest:long", next(times)))
    assert tally(PLAN, run) == AdventureTally(ahead=1)
    assert tally(PLAN, with_done(run, StepDone(TOWER, next(times), seconds=6, xp=50))) == AdventureTally(1, 50, 6, 0)


def test_a_step_that_is_played_again_knows_what_was_played_since():
    run = with_done(AdventureRun(), StepDone(BRIDGE, "2026-11-28T20:00:00"))
    assert later_done(PLAN, run, BRIDGE) == ()
    run = with_done(run, StepDone(CELLAR, "2026-11-28T21:00:00"))
    assert later_done(PLAN, run, BRIDGE) == (CELLAR,)
    assert later_done(PLAN, run, CELLAR) == ()


def test_two_windows_use_one_adventure(adventure, tmp_path):
    other = OpenAdventure(adventure.plan, SHIPPED, tmp_path / "state")
    other.change_run(lambda run: with_done(run, StepDone(BRIDGE, "2026-11-28T20:00:00")))
    adventure.change_run(lambda run: with_done(run, StepDone(CELLAR, "2026-11-28T21:00:00")))
    assert [done.id for done in adventure.run.done] == [BRIDGE, CELLAR]
    other.change_plan(msgspec.structs.replace(PLAN, title="Theirs"))
    with pytest.raises(PlanChangedError):
        adventure.change_plan(msgspec.structs.replace(PLAN, title="Mine"))
    assert adventure.title == "Theirs"
    adventure.change_plan(msgspec.structs.replace(adventure.adventure, title="Mine"))
    assert OpenAdventure(adventure.plan, SHIPPED, tmp_path / "state").title == "Mine"


def test_an_open_adventure_knows_its_encounters(adventure, tmp_path):
    assert adventure.key_of(tmp_path / "toll" / "cellar.toml") == CELLAR
    assert adventure.key_of(tmp_path / "toll" / "spare.toml") == adventure.key_of(tmp_path / "cellar.toml") == ""
    assert adventure.path_of(adventure.step(CELLAR)) == tmp_path / "toll" / "cellar.toml"
    with pytest.raises(FileExistsError):
        new_adventure(adventure.plan, PLAN, SHIPPED, tmp_path / "state")


def test_a_guest_of_an_encounter_stays_there(library):
    hand = RosterEntry("hand", "guard", side="party", role="guest")
    session = Session(Encounter([Scene(system="dnd5e"), creature("guard"), hand]), dnd5e())
    assert bringing(session.encounter, PARTY) == "update"
    session.do(BringParty(PARTY))
    assert bringing(session.encounter, PARTY) == ""
    session.do(StartEncounter())
    assert [member.id for member in carry_party(PLAN, session.encounter, dnd5e(), library).roster] == ["ann", "bea"]
