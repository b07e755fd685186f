"""The data of Pathfinder 2e, against numbers written out here by hand from the ledger."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from tests.table import pf2e
from turnwright.rules.system_data import SystemData
from turnwright.rules.system_data.ledger import LedgerRule
from turnwright.rules.system_data.numbers import ActionOption
from turnwright.storage.system_data import read_ledger, read_system_data

MOST_USED = ["interact", "step", "stride", "strike"]


def ruled(rule: str, *values: Any) -> Any:
    return pytest.param(*values, marks=pytest.mark.rule(rule), id=rule)


@pytest.fixture(scope="module")
def catalogue() -> SystemData:
    return read_system_data("pf2e")


@pytest.fixture(scope="module")
def ledger() -> dict[str, LedgerRule]:
    return {rule.id: rule for rule in read_ledger("pf2e")}


def action(catalogue: SystemData, id: str) -> ActionOption:
    return next(one for one in catalogue.actions if one.id == id)


@pytest.mark.parametrize("id", [ruled(f"pf2e.basic.{id}.row", id) for id in MOST_USED])
def test_the_four_used_most_cost_one_action_and_are_external(
    catalogue: SystemData, ledger: dict[str, LedgerRule], id: str
) -> None:
    one = action(catalogue, id)
    assert (one.payable, one.price, one.group) == (("action",), 1, "listed")
    assert one.ledger[0] == f"pf2e.basic.{id}.row"
    assert any(ledger[rule].is_external for rule in one.ledger)


@pytest.mark.rule("pf2e.basic.anyone")
def test_every_creature_has_the_basic_actions(catalogue: SystemData) -> None:
    basic = [one.id for one in catalogue.actions if "pf2e.basic.anyone" in one.ledger]
    assert len(basic) >= 16
    assert set(MOST_USED) <= set(basic)
    needs = {
        fact.name for one in catalogue.actions if one.id in basic for each in one.requires for fact in each.when.facts
    }
    assert needs == {"condition:prone", "condition:raging"}  # how one lies and feels, not what one has


@pytest.mark.rule("pf2e.turn.usable_kinds", "pf2e.external.action_symbols")
def test_what_a_turn_is_spent_on(catalogue: SystemData) -> None:
    amounts = {one.id: (one.amount, one.refill, one.off_turn) for one in catalogue.resources}
    assert amounts == {
        "action": (3, "turn-start", False),
        "reaction": (1, "turn-start", True),
        "free": (0, "turn-start", True),
        "hero-points": (0, "never", False),
        "focus": (0, "never", True),
    }
    kinds = {
        (one.cost, price if one.cost == "action" else 1)
        for one in catalogue.actions
        for price in (one.prices or (one.price,))
    }
    assert kinds == {("action", 1), ("action", 2), ("action", 3), ("reaction", 1), ("free", 1)}


@pytest.mark.rule("pf2e.initiative.other_check_examples", "pf2e.external.avoiding_notice")
def test_the_checks_that_may_stand_for_initiative(catalogue: SystemData) -> None:
    assert [one.id for one in catalogue.initiative_checks] == ["perception", "stealth", "deception", "diplomacy"]
    assert catalogue.initiative.check == "wis:perception"
    notice = next(one for one in catalogue.initiative_checks if one.id == "stealth")
    assert "479" in notice.suits
    assert "pf2e.external.avoiding_notice" in notice.ledger


def test_a_stat_block_holds_modifiers(catalogue: SystemData) -> None:
    scale = catalogue.ability_scale
    assert (scale.default, scale.less, scale.over, scale.least, scale.most) == (0, 0, 1, -5, 12)
    assert scale.is_modifier


def test_every_rule_that_is_cited_is_in_the_ledger(catalogue: SystemData, ledger: dict[str, LedgerRule]) -> None:
    cited = {text for text in _texts(catalogue) if text.startswith("pf2e.")}
    assert cited <= set(ledger)
    assert not [text for text in _texts(catalogue) if text.startswith(("a5e.", "dnd5e."))]


def test_the_ledger_holds_every_rule_once(ledger: dict[str, LedgerRule]) -> None:
    assert len(read_ledger("pf2e")) == len(ledger) == 88


def test_it_has_the_same_words_for_the_table(catalogue: SystemData) -> None:
    terms, others = dict(catalogue.terms), dict(read_system_data("dnd5e").terms)
    assert terms["game_master"] == "Game Master"
    assert set(terms) >= set(others)


def test_every_step_of_a_turn_is_known() -> None:
    from turnwright.play.turns.turn_phases import END_PHASES, START_PHASES

    turns = pf2e().data.turns
    assert set(turns.start) <= set(START_PHASES)
    assert set(turns.end) <= set(END_PHASES)
    assert (turns.start[-1], turns.end[-1]) == ("refill", "lose-unspent")


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from _texts(each)
    elif isinstance(value, msgspec.Struct):
        for field in value.__struct_fields__:
            yield from _texts(getattr(value, field))
