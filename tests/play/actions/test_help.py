"""Help: with a task, or against a foe; what it lends, how often, and until when."""

from __future__ import annotations

import pytest

from tests.play.attack_table import AXE, STRONG, Fray
from tests.table import Table, creature
from turnwright.encounter.running import Effect
from turnwright.play.actions.action import TakeAction
from turnwright.play.queries import queries
from turnwright.play.state.events import ActionTaken, Rolled
from turnwright.play.state.position_changes import SetRelation
from turnwright.play.turn_order.surprise import CallForChecks


def crew() -> Fray:
    """A next to foe T, B beside T, foe U two squares from A; A's turn."""
    people = (creature("a"), creature("b", features=(AXE,), abilities=STRONG, attacks=3), creature("t", hp=90), "u")
    table = Fray(*people, foes=("t", "u"))
    return table.puts(a=(1, 2), b=(2, 1), t=(2, 2), u=(3, 1))  # type: ignore[return-value]


def help_attack(table: Table, foe: str = "t") -> None:
    """Let A help B against a foe."""
    table.does(TakeAction("a", "help", targets=("b",), about=foe))


def natural(table: Table, task: str, *faces: int) -> int | None:
    """The natural face kept when B makes a check at a task."""
    table.dice(*faces)
    table.does(CallForChecks(("b",), "str:athletics", task=task))
    return table.happened(Rolled)[-1].roll.natural


@pytest.mark.rule("a5e.action.help.check")
def test_help_with_a_task_serves_its_next_check_and_no_other() -> None:
    table = crew()
    table.does(TakeAction("a", "help", "open the door", targets=("b",), choice="check"))
    assert table.effects("b") == {"helped-check"}
    assert table.happened(ActionTaken)[-1].rule == "a5e.action.help.check"
    assert natural(table, "bar the window", 4) == 4
    assert natural(table, "Open the Door", 4, 15) == 15
    (edge,) = table.happened(Rolled)[-1].roll.edges
    assert (edge.kind, edge.rule) == ("advantage", "a5e.action.help.check")
    assert table.effects("b") == set()
    assert natural(table, "open the door", 4) == 4


@pytest.mark.parametrize(("answer", "faces", "kept"), [("yes", (3, 17), 17), ("no", (3,), 3)])
def test_a_check_for_who_knows_what_asks_whether_it_is_the_task(answer: str, faces: tuple[int, ...], kept: int) -> None:
    table = crew()
    table.does(TakeAction("a", "help", "open the door", targets=("b",), choice="check"))
    table.does(CallForChecks(("b",), "str"))
    (asked,) = table.prompt.asks
    assert (asked.detail, asked.rule) == ("open the door", "a5e.action.help.check")
    table.dice(*faces)
    table.chooses(answer)
    assert table.happened(Rolled)[-1].roll.natural == kept
    assert ("helped-check" in table.effects("b")) is (answer == "no")


def test_help_with_nothing_named_serves_the_next_check_of_any_kind() -> None:
    table = crew()
    table.does(TakeAction("a", "help", targets=("b",), choice="check"))
    assert natural(table, "", 4, 15) == 15
    assert natural(table, "", 4) == 4


@pytest.mark.rule("a5e.action.help.attack")
def test_help_to_attack_serves_the_next_attack_on_that_foe() -> None:
    table = crew()
    table.puts(a=(3, 2), t=(3, 3), u=(2, 2), b=(3, 4))
    assert (
        table.refuses(TakeAction("a", "help", targets=("u",), choice="attack", about="t")).key == "refused.not_friendly"
    )
    help_attack(table)
    assert table.happened(ActionTaken)[-1].about == "t"
    table.ends_turn()
    rule = ("advantage", "a5e.action.help.attack")
    assert rule in table.edges("b", "t", "axe")
    assert rule not in table.edges("b", "u", "axe")
    table.puts(u=(4, 4))
    table.strikes("b", "u", "axe", 2, 2, 2)
    assert table.effects("b") == {"helped-attack"}
    table.strikes("b", "t", "axe", 2, 3, 4, 4)
    assert table.effects("b") == set()
    assert rule not in table.edges("b", "t", "axe")


@pytest.mark.rule("a5e.action.help.attack-condition")
def test_the_foe_has_to_be_within_five_feet_of_the_helper() -> None:
    table = crew()
    refused = table.refuses(TakeAction("a", "help", targets=("b",), about="u"))
    assert (refused.key, refused.rule) == ("refused.too_far_to_help", "a5e.action.help.attack-condition")
    help_attack(table)
    assert table.effects("b") == {"helped-attack"}
    table = crew()
    table.does(TakeAction("a", "help"))
    assert [option.id for option in table.prompt.asks[1].options] == ["b", "t", "u"]
    table.answers(choice="attack", targets=("b",))
    assert [option.id for option in table.prompt.asks[0].options] == ["t"]


def test_off_the_grid_nobody_knows_how_far_the_foe_is() -> None:
    table = Table("a", "b", "t", foes=("t",))
    table.start(a=20, b=15, t=10)
    help_attack(table)
    assert table.effects("b") == {"helped-attack"}
    table = Table("a", "b", "t", foes=("t",))
    table.start(a=20, b=15, t=10)
    table.does(SetRelation("a", "t", distance=10))
    assert table.refuses(TakeAction("a", "help", targets=("b",), about="t")).key == "refused.too_far_to_help"


@pytest.mark.rule("a5e.action.help.expiry")
@pytest.mark.parametrize("what", ["attack", "check"])
def test_unused_help_is_lost_when_the_helpers_next_turn_starts(what: str) -> None:
    table = crew()
    table.does(TakeAction("a", "help", targets=("b",), choice=what, about="t" if what == "attack" else ""))
    table.ends_turn(3)
    assert table.effects("b") == {f"helped-{what}"}
    table.ends_turn()
    assert (table.active, table.effects("b")) == ("a", set())
    assert [one for one in table.encounter.all(Effect) if one.name.startswith("helped")] == []
    assert "a5e.action.help.expiry" in table.rules.conditions[f"helped-{what}"].ledger
    assert queries.open_prompts(table.encounter) == []
