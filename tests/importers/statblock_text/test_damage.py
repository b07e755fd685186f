"""The end of conditions that prose imposes, where it is a save at the end of each turn."""

from __future__ import annotations

import pytest

from turnwright.importers.statblock_text.damage import afflictions_in


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("or be paralyzed for 1 minute. The target can repeat the saving throw at the end of each of its turns, ending the effect on itself on a success.", "saved"),
        ("or have the Frightened condition. It repeats the save at the end of each of its turns, ending the effect on itself on a success.", "saved"),
        ("or be paralyzed for 1 minute repeating the saving throw at the end of each of its turns ending the effect on a success.", "saved"),
        ("or be frightened for 1 minute. A creature repeats the saving throw at the end of its turns, ending the effect on itself.", "saved"),
        ("or have the Frightened condition. At the end of each of its turns, the target repeats the save, ending the effect on itself.", "saved"),
        ("or become paralyzed. It can attempt a new save at the end of each of its turns.", "saved"),
        ("or be frightened for 1 minute. The target can repeat the saving throw at the end of each of its turns, with disadvantage if the imp is in sight, ending the effect on itself on a success.", "never"),
        ("or be poisoned for 1 minute.", "never"),
        ("or be knocked prone. It can repeat the saving throw at the end of each of its turns, ending the effect on a success.", "never"),
    ],
)  # fmt: skip
def test_a_save_at_the_end_of_each_turn_ends_what_failing_imposed(text: str, ends: str) -> None:
    said = f"The target must succeed on a DC 12 Constitution saving throw {text}"
    save = said.index("DC"), said.index("throw") + 5
    assert [one.ends for one in afflictions_in(said, 0, save, hit=False).afflictions] == [ends]


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("the target is poisoned until the end of the devils next turn.", "owner-end"),
        ("the target has the Poisoned condition until the start of the bearded devil's next turn.", "owner-start"),
        ("the target is stunned until the end of the adult dragon\u2019s next turn.", "owner-end"),
        ("the target is stunned until the end of the target's next turn.", "turn-end"),
        ("the target is stunned until the end of its next turn.", "turn-end"),
        ("the target is stunned until the end of the affected creature's next turn.", "never"),
        ("the target is stunned until the end of the day.", "never"),
    ],
)
def test_the_end_is_at_the_turn_that_is_named(text: str, ends: str) -> None:
    said = f"Hit: 5 piercing damage, and {text}"
    assert [one.ends for one in afflictions_in(said, 0, None, hit=True).afflictions] == [ends]


@pytest.mark.parametrize(
    ("text", "value_of", "ends"),
    [
        ("The target must succeed on a DC 14 Constitution saving throw or its hit point maximum is reduced by an amount equal to the damage taken. This reduction lasts until the target finishes a long rest. The target dies if this effect reduces its hit point maximum to 0.", "damage", "long-rest"),
        ("The target must succeed on a DC 15 Constitution saving throw or have its hit point maximum is reduced by an amount equal to the damage taken. The reduction lasts until removed by the greater restoration spell or other magic.", "damage", "never"),
        ("The target's hit point maximum is reduced by an amount equal to the necrotic damage taken, and the vampire regains hit points equal to that amount. The reduction lasts until the target finishes a long rest.", "necrotic", "long-rest"),
        ("If the target is a creature, its Hit Point maximum decreases by an amount equal to the Necrotic damage taken.", "necrotic", "long-rest"),
    ],
)  # fmt: skip
def test_drained_life_is_the_damage_taken(text: str, value_of: str, ends: str) -> None:
    said = f"Hit: 21 (4d8 + 3) necrotic damage. {text}"
    save = (said.index("DC"), said.index("throw") + 5) if "DC" in said else None
    (imposed,) = afflictions_in(said, 0, save, hit=True).afflictions
    assert (imposed.condition, imposed.value_of, imposed.ends) == ("life-drained", value_of, ends)


def test_drained_life_on_a_condition_is_kept_as_text() -> None:
    said = "Hit: 5 damage. If the target is asleep, its hit point maximum is reduced by the damage taken."
    found = afflictions_in(said, 0, None, hit=True)
    assert (found.afflictions, len(found.unread)) == ((), 1)
