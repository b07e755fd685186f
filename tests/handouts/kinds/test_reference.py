"""The reference of a game: everything in it comes from the game's data, and all of it is on the page."""

import json
import re

import msgspec
import pytest

from tests.games import WITH_LEDGER
from tests.handouts.samples import packet, source, systems, words
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Scene
from turnwright.encounter.procedure_state.turns import ROUND, ROUND_START
from turnwright.encounter.state import Encounter
from turnwright.handouts.kinds.reference import KIND
from turnwright.handouts.page_input import PrintOptions
from turnwright.handouts.stat_block_data import ConditionText
from turnwright.rules.system_data.dying import Condition
from turnwright.workspace.print_job import translator

GAMES = WITH_LEDGER


def game(id: str, **scene: object) -> Encounter:
    return Encounter([Scene(system=id, title="Anything", **scene)])


def data_of(encounter: Encounter, options: PrintOptions | None = None) -> dict:
    (section,) = KIND.make(source(encounter, options)).sections
    return dict(section.data)


def effects(*rules: DataRule, system: str = "a5e", **condition: object) -> list[str]:
    """Return what the page says of a condition of these rules."""
    known = systems().get(system)
    return ConditionText(known, translator(words(), known)).effect_lines(
        Condition("odd", "Odd", rules=rules, **condition)
    )


@pytest.mark.parametrize("id", GAMES)
def test_every_condition_and_every_action_of_the_game_is_told(id):
    data = data_of(game(id))
    catalogue = systems().get(id).data
    assert {one["name"] for one in data["conditions"]} == {one.name for one in catalogue.conditions if one.printed}
    assert not re.search(r"\(pages? ", json.dumps(data, ensure_ascii=False))
    assert not {"Reminder", "Action switched off", "Commanded", "Readied"} & {one["name"] for one in data["conditions"]}
    told = [action["name"] for group in data["actions"] for action in group["actions"]]
    assert sorted(told) == sorted(one.name for one in catalogue.actions)
    assert [one["name"] for one in data["resources"]] == [one.name for one in catalogue.resources]
    assert data["game"] == dict(catalogue.terms)["system.full"]


@pytest.mark.parametrize("id", GAMES)
def test_no_key_is_left_without_words(id):
    plain = json.dumps(data_of(game(id)), ensure_ascii=False)
    assert "handout.reference" not in plain
    assert "{" not in "".join(text for text in plain.split('"')[1::2])


@pytest.mark.parametrize("id", GAMES)
def test_the_round_is_told_in_the_order_of_the_game(id):
    data = data_of(game(id))
    assert data["round"][-1] == "Turns, in initiative order."
    assert data["round"].index("Running countdowns roll all their dice.") == ROUND_START.index(ROUND.roll_countdowns)
    assert len(data["round"]) == len(ROUND_START)
    weakens = "Conditions that decrease." in data["turn_end"]
    assert weakens == ("condition-decrease" in systems().get(id).data.turns.end)


def test_conditions_say_what_their_figures_do():
    assert effects(DataRule("disadvantage", "attack"), DataRule("disadvantage", "check")) == [
        "Disadvantage on attacks, checks"
    ]
    assert effects(DataRule("modifier", "speed", set=0)) == ["Speed 0"]
    assert effects(DataRule("modifier", "speed", add=-10)) == ["Speed −10 ft"]
    assert effects(DataRule("modifier", "speed", over=2)) == ["Speed ½"]
    assert effects(DataRule("modifier", "ac", add=2), system="pf2e") == ["+2 on AC"]
    assert effects(DataRule("modifier", "ac", per_value=-1), system="pf2e") == ["−1 on AC (per point of value)"]
    assert effects(DataRule("deny", "action"), DataRule("deny", "reaction")) == ["No action, reaction"]
    assert effects(DataRule("fail", "save.dex")) == ["Fails Dexterity save"]
    assert effects(implies=("prone",)) == ["Also Prone"]
    assert effects(DataRule("grant", "prone")) == ["Also Prone"]
    assert effects(falls=1) == ["Falls by 1 at the end of each turn"]
    assert effects(DataRule("flat", "attack", set=5)) == ["DC 5 flat check first: attacks"]


def test_all_types_of_damage_are_told_in_a_word():
    types = [one.id for one in systems().get("a5e").data.damage_types]
    assert effects(*(DataRule("damage", type, over=2) for type in types)) == ["½ of all damage"]
    assert effects(DataRule("damage", "fire", over=2)) == ["½ of fire damage"]


def test_when_a_rule_holds_is_told_or_left_to_the_text():
    melee = DataRule("disadvantage", "attack", when="melee")
    odd = DataRule("disadvantage", "attack", when="moon-is-full")
    assert effects(melee) == ["Disadvantage on attacks (melee)"]
    assert effects(odd) == ["Disadvantage on attacks (sometimes)"]
    assert effects(odd, text="Worse by moonlight.") == []
    assert effects(odd, melee, text="Worse by moonlight.") == []


def test_a_note_that_the_text_has_already_is_left_out():
    note = DataRule("note", "check", text="Checks that need sight fail.")
    assert effects(note, text="Fails any check that needs sight.") == []
    assert effects(note, text="Sees badly.") == ["Checks that need sight fail"]


def test_prices_are_written_as_the_game_writes_them():
    def prices(id: str) -> dict[str, tuple[str, bool]]:
        groups = data_of(game(id))["actions"]
        return {one["name"]: (one["price"], one["sign"]) for group in groups for one in group["actions"]}

    assert prices("pf2e")["Ready"] == ("◆◆", True)
    assert prices("pf2e")["Cast a Spell"] == ("◆ / ◆◆ / ◆◆◆", True)
    assert prices("action_points")["Brace"] == ("2 AP", False)
    assert prices("action_points")["Cast a spell"] == ("X AP", False)
    assert prices("a5e")["Tumble"] == ("Action / Bonus action", False)
    assert prices("a5e")["Basic Maneuver"] == ("one attack", False)
    assert prices("a5e")["Fall Back"] == ("", False)


def test_countdown_speeds_are_told_by_the_faces_that_take_a_die():
    held = data_of(game("a5e"))["countdowns"]
    assert [(one["name"], one["faces"]) for one in held["speeds"]] == [
        ("Slow", [6]),
        ("Medium", [5, 6]),
        ("Fast", [4, 5, 6]),
    ]
    assert len(held["rows"]) == 10
    assert held["rows"][0] == [1, 6, 3, 2]


def test_cover_says_what_it_gives():
    cover = {one["name"]: one["gives"] for one in data_of(game("dnd5e"))["cover"]}
    assert cover["Half cover"] == "+2: AC, Dexterity save"
    assert cover["Total cover"] == "can't be targeted"


@pytest.mark.parametrize(
    ("id", "first", "last"),
    [("dnd5e", ("Very easy", 5), ("Nearly impossible", 30)), ("pf2e", ("Untrained", 10), ("Legendary", 40))],
)  # fmt: skip
def test_the_ladder_of_dcs_is_in_the_words_of_the_game(id, first, last):
    ladder = [(one["name"], one["dc"]) for one in data_of(game(id))["ladder"]]
    assert (ladder[0], ladder[-1]) == (first, last)
    assert [dc for _, dc in ladder] == sorted(dc for _, dc in ladder)


def test_levels_have_dcs_where_the_game_sets_them():
    levels = data_of(game("pf2e"))["level_dcs"]
    assert [dict(levels)[level] for level in (0, 5, 25)] == [14, 20, 50]
    assert len(levels) == 26
    assert data_of(game("dnd5e"))["level_dcs"] == []


@pytest.mark.parametrize("id", ["a5e", "action_points"])
def test_a_game_without_usual_dcs_has_no_ladder(id):
    assert data_of(game(id))["ladder"] == []


def test_senses_say_what_they_overcome_and_ground_what_it_costs():
    data = data_of(game("dnd5e"))
    assert {"name": "Darkvision", "gives": "darkness"} in data["senses"]
    assert {"name": "Difficult terrain", "gives": "movement costs × 2"} in data["ground"]


def test_what_the_table_has_chosen_is_told():
    assert data_of(game("a5e"))["chosen"] == []
    assert data_of(game("a5e", options=("round-up",)))["chosen"] == ["Halves round up"]


def test_players_are_told_the_same():
    encounter = game("a5e")
    assert data_of(encounter, PrintOptions(edition="players")) == data_of(encounter)


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("id", "paper"), [*zip(GAMES, ("letter", "a4") * len(GAMES), strict=False)], ids=GAMES)
def test_it_takes_a_page_or_two(press, id, paper):
    takes_a_page_or_two(press, id, paper)


@pytest.mark.soak
@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("id", GAMES)
def test_it_takes_a_page_or_two_on_either_paper(press, id, paper):
    takes_a_page_or_two(press, id, paper)


def takes_a_page_or_two(press, id, paper):
    printed = press.typeset(packet(game(id), KIND.id, options=PrintOptions(paper=paper)), "svg")
    assert 1 <= len(printed.pages) <= 2
    assert printed.missing_characters == ()


def test_a_game_with_next_to_nothing_has_a_page_still(press):
    nothing = {"game": "", "chosen": [], "setup": [], "round": [], "turn_start": [], "turn_end": [], "resources": []}
    nothing |= {"actions": [], "conditions": [], "standing": [], "cover": [], "checks": []}
    nothing |= {"senses": [], "ground": [], "ladder": [], "level_dcs": []}
    empty = packet(game("a5e"), KIND.id)
    (section,) = empty.sections
    data = nothing | {"countdowns": {"speeds": [], "rows": []}}
    section = msgspec.structs.replace(section, data=data)
    assert len(press.typeset(msgspec.structs.replace(empty, sections=(section,)), "svg").pages) == 1


def test_what_is_far_too_much_for_a_page_goes_on(press):
    full = packet(game("a5e"), KIND.id)
    (section,) = full.sections
    many = [{"name": f"Odd {n}", "text": "Long words. " * 60, "effects": [], "valued": False} for n in range(30)]
    section = msgspec.structs.replace(section, data={**section.data, "conditions": many})
    assert len(press.typeset(msgspec.structs.replace(full, sections=(section,)), "svg").pages) > 2
