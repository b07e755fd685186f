"""Players learn nothing that they may not know: fights that differ in secrets alone give the same view."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random
from typing import get_args

import msgspec
import pytest

from tests.for_each import for_each
from tests.players.replacing import EXPOSURES, Replacer, is_open, is_seen, random_fight
from tests.table import a5e, pf2e
from turnwright.encounter.prepared import Countdown
from turnwright.encounter.running import Clock, Combatant, CountdownPool, Effect, Slot, kind_id
from turnwright.encounter.state import RECORD_TYPES, Encounter, clock_of, slot_sort_key
from turnwright.players.map_view import players_view, with_numbers
from turnwright.players.secrets import Showing, is_visible
from turnwright.players.view import PlayersView, ViewMode
from turnwright.rules.system import RuleSystem

MODES: tuple[ViewMode, ...] = get_args(ViewMode)
SEEN = ("scene", "clock", "combatants", "slots", "effects", "pools", "countdowns")
Leak = Callable[[Encounter, Showing], object]


def replacer_of(seed: int) -> Replacer:
    """Return what makes another fight of one that is random."""
    random = Random(seed)
    rules = random.choice((a5e, pf2e))()
    encounter, showing = random_fight(rules, random)
    if random.random() < 0.5:  # some were seen before the others came out
        showing = with_numbers(encounter, showing)
    return Replacer(encounter, rules, showing, random)


def pair_of(seed: int) -> tuple[RuleSystem, tuple[Encounter, Showing], tuple[Encounter, Showing]]:
    """Return two fights that differ in secrets alone, with what is shown of each."""
    replacer = replacer_of(seed)
    return replacer.rules, (replacer.before, replacer.showing), replacer.replaced()


def views_of(seed: int) -> tuple[list[PlayersView], list[PlayersView]]:
    """Return the views of a pair in every mode."""
    rules, *pair = pair_of(seed)
    first, second = (
        [players_view(encounter, rules, msgspec.structs.replace(showing, mode=mode)) for mode in MODES]
        for encounter, showing in pair
    )
    return first, second


@for_each("seed", range(60))
def test_fights_that_differ_in_secrets_alone_look_the_same(seed: int) -> None:
    first, second = views_of(seed)
    assert first == second


@pytest.mark.soak
def test_three_thousand_fights_that_differ_in_secrets_alone_look_the_same() -> None:
    for seed in range(3000):
        first, second = views_of(seed)
        assert first == second, seed


@for_each("table", RECORD_TYPES)
def test_every_field_of_every_record_is_classified(table: str) -> None:
    fields, known = set(RECORD_TYPES[table].__struct_fields__), set(EXPOSURES.get(table, {}))
    assert fields == known, (
        f"in tests/players/exposures.toml put these fields of {table} on one of its lists, `unknown` unless "
        f"players may see them: {sorted(fields - known)}; take these out: {sorted(known - fields)}"
    )


@cache
def replaced_fields() -> frozenset[tuple[str, str]]:
    """Return the table and name of each field that another value replaces somewhere, in a record whose subject players see."""
    found = set()
    for seed in range(60):
        replacer = replacer_of(seed)
        other, _ = replacer.replaced()
        for one in replacer.before:
            if is_seen(replacer.before, replacer.rules, replacer.showing, one):
                same = other.need(type(one), replacer.ids.get(one.id, one.id))
                found |= {
                    (one.table, name) for name in EXPOSURES[one.table] if getattr(one, name) != getattr(same, name)
                }
    return frozenset(found)


@pytest.mark.parametrize("table", SEEN)
def test_the_pairs_replace_every_secret_of_what_is_seen(table: str) -> None:
    always = {"id"} if table in ("scene", "clock") else set[str]()
    itself = {"evident", "countdown shown"}  # where these aren't met, nothing of the record is seen
    secret = {
        name
        for name, one in EXPOSURES[table].items()
        if (one.exposure != "public" or one.when) and one.when not in itself
    }
    assert secret - always <= {name for place, name in replaced_fields() if place == table}


@cache
def values_of_unseen() -> dict[tuple[str, str], set[object]]:
    """Return the values of the fields of records of which players see nothing, by table and name, as the second fights have them."""
    found: dict[tuple[str, str], set[object]] = {}
    for seed in range(60):
        replacer = replacer_of(seed)
        seen = set(
            map(
                replacer.id,
                (one.id for one in replacer.before if is_seen(replacer.before, replacer.rules, replacer.showing, one)),
            )
        )
        for one in replacer.replaced()[0]:
            if one.id not in seen:
                for name in one.__struct_fields__:
                    found.setdefault((one.table, name), set()).add(repr(getattr(one, name)))
    return found


@for_each("table", [one for one in RECORD_TYPES if one not in ("scene", "clock")])
def test_the_pairs_leave_no_field_of_what_is_unseen_as_it_is_by_default(table: str) -> None:
    always = {("combatants", "hidden"), ("countdowns", "secret")}  # that is why they aren't seen
    for name in EXPOSURES[table]:
        assert (table, name) in always or len(values_of_unseen()[table, name]) > 1, name


def leaked(table: str, field: str, rules: RuleSystem) -> Leak:
    """Return a view that leaks a field wherever it is secret."""

    def leak(encounter: Encounter, showing: Showing) -> object:
        return [
            getattr(record, field)
            for record in encounter.all(RECORD_TYPES[table])
            if not is_seen(encounter, rules, showing, record) or not is_open(encounter, showing, record, field)
        ]

    return leak


def is_caught(leak: Callable[[RuleSystem], Leak], pairs: int = 40) -> bool:
    """Return whether some pair tells that a view leaks."""
    for seed in range(pairs):
        rules, first, second = pair_of(seed)
        if leak(rules)(*first) != leak(rules)(*second):
            return True
    return False


def may_leak(table: str, field: str) -> bool:
    """Whether a field can have something to hide: all but what is public of the records that there is one of."""
    exposure = EXPOSURES[table][field]
    is_public = field == "id" or (exposure.exposure == "public" and not exposure.when)
    return not (table in ("scene", "clock") and is_public)


def test_a_leaked_field_is_caught() -> None:
    fields = [(table, field) for table in EXPOSURES for field in EXPOSURES[table] if may_leak(table, field)]
    assert len(fields) > 390
    unseen = [
        f"{table}.{field}"
        for table, field in fields
        if not is_caught(lambda rules, table=table, field=field: leaked(table, field, rules))
    ]
    assert unseen == []


@pytest.mark.parametrize(
    "leak",
    [
        lambda encounter, _s: len(encounter.ids(Combatant)),
        lambda encounter, _s: len(encounter.ids(Slot)),
        lambda encounter, _s: len(encounter.ids(Effect)),
        lambda encounter, _s: [one.label for one in encounter.all(Combatant) if not one.hidden],
        lambda encounter, _s: is_hidden_active(encounter),
        lambda encounter, _s: places_in_whole_order(encounter),
    ],
    ids=["combatants", "slots", "effects", "numbers in labels", "a hidden one acts", "gaps in the order"],
)
def test_what_tells_of_hidden_ones_is_caught(leak: Leak) -> None:
    assert is_caught(lambda _rules: leak)


def is_hidden_active(encounter: Encounter) -> bool:
    """Return whether only hidden ones act now."""
    slot = encounter.get(Slot, clock_of(encounter).active)
    return slot is not None and not any(is_visible(encounter, who) for who in slot.members)


def places_in_whole_order(encounter: Encounter) -> list[int]:
    """Return the places of visible slots among all."""
    order = sorted(encounter.all(Slot), key=slot_sort_key)
    return [place for place, one in enumerate(order) if any(is_visible(encounter, who) for who in one.members)]


# What they do see ------------------------------------------------------------------------------------------------


def fight(*combatants: Combatant, active: str = "", effects: tuple[Effect, ...] = ()) -> Encounter:
    """Return a fight in which combatants act in the order given."""
    slots = [Slot(f"s-{one.id}", 20 - place, (one.id,)) for place, one in enumerate(combatants)]
    clock = Clock(phase="rounds", round=2, elapsed_seconds=6, active=f"s-{active}" if active else "")
    return Encounter([*combatants, *slots, clock, *effects])


ARIA = Combatant("aria", "aria", "Aria", "party", hp=9, hp_max=20)
GOBLINS = tuple(Combatant(f"g{n}", "goblin", f"Goblin {n}", "enemies", hp=7, hp_max=7) for n in (1, 2, 3))


def names(view: PlayersView) -> list[tuple[str, int]]:
    """Return the names and numbers of a view's rows."""
    return [(row.name, row.number) for row in view.order]


def test_creatures_have_numbers_alone_until_they_are_met() -> None:
    encounter = fight(ARIA, *GOBLINS[:2], active="aria")
    assert names(players_view(encounter, a5e(), Showing())) == [("Aria", 0), ("", 1), ("", 2)]
    met = Showing(met=frozenset({kind_id("goblin")}))
    assert names(players_view(encounter, a5e(), met)) == [("Aria", 0), ("Goblin", 1), ("Goblin", 2)]


def test_a_false_name_stands_in_place_of_its_own() -> None:
    lady = Combatant("v", "vampire", "Vampire", "enemies", hp=1, hp_max=1)
    showing = Showing(met=frozenset({kind_id("vampire")}), shown_as=(("v", "The pale lady"),))
    assert names(players_view(fight(lady), a5e(), showing)) == [("The pale lady", 0)]


def test_numbers_are_given_as_creatures_are_seen_and_are_kept() -> None:
    late = msgspec.structs.replace(GOBLINS[0], hidden=True)
    showing = Showing(met=frozenset({kind_id("goblin")}))
    first = fight(late, *GOBLINS[1:])
    showing = with_numbers(first, showing)
    assert names(players_view(first, a5e(), showing)) == [("Goblin", 1), ("Goblin", 2)]
    assert names(players_view(fight(*GOBLINS), a5e(), showing)) == [("Goblin", 3), ("Goblin", 1), ("Goblin", 2)]


@pytest.mark.parametrize(("hp", "most", "word"), [(7, 7, "unhurt"), (6, 7, "hurt"), (4, 7, "hurt"), (3, 7, "bloodied"), (5, 10, "bloodied"), (0, 7, "down"), (3, 0, "")])  # fmt: skip
def test_health_is_a_word(hp: int, most: int, word: str) -> None:
    one = msgspec.structs.replace(GOBLINS[0], hp=hp, hp_max=most)
    (row,) = players_view(fight(one), a5e(), Showing()).order
    assert (row.health, row.hit_points) == (word, None)


def test_health_may_be_in_numbers_or_not_shown_by_side() -> None:
    view = players_view(fight(ARIA, GOBLINS[0]), a5e(), Showing(health=(("party", "numbers"), ("enemies", "nothing"))))
    aria, goblin = view.order
    assert aria.hit_points is not None
    assert (aria.hit_points.now, aria.hit_points.most, aria.health) == (9, 20, "")
    assert (goblin.hit_points, goblin.health) == (None, "")


def test_the_health_of_others_holds_for_every_other_side() -> None:
    ally = Combatant("hob", "hob", "Hob", "allies", hp=3, hp_max=9)
    view = players_view(fight(ARIA, ally), a5e(), Showing(health=(("others", "nothing"),)))
    assert [row.health for row in view.order] == ["bloodied", ""]


def test_countdowns_may_be_left_to_their_own_page() -> None:
    pool, countdown = CountdownPool("ice", "ice", dice=3, status="running"), Countdown("ice", "Ice")
    encounter = Encounter([*fight(ARIA), countdown, pool])
    showing = Showing(has_countdowns=False)
    assert players_view(encounter, a5e(), showing).countdowns == ()
    dice = players_view(encounter, a5e(), msgspec.structs.replace(showing, mode="dice"))
    assert [one.name for one in dice.countdowns] == ["Ice"]


def test_the_marker_rests_while_a_hidden_one_acts() -> None:
    hidden = msgspec.structs.replace(GOBLINS[0], hidden=True)
    view = players_view(fight(ARIA, hidden, GOBLINS[1], active="g1"), a5e(), Showing())
    assert (view.actor, view.next) == (0, 1)


def test_those_who_are_down_are_not_next() -> None:
    down = msgspec.structs.replace(GOBLINS[0], hp=0)
    view = players_view(fight(ARIA, down, GOBLINS[1], active="aria"), a5e(), Showing())
    assert view.next == 2


def test_only_conditions_that_can_be_seen_are_shown() -> None:
    effects = (
        Effect("e1", "aria", "prone"),
        Effect("e2", "aria", "charmed"),
        Effect("e3", "aria", "stunned", shown=False),
    )
    (row,) = players_view(fight(ARIA, effects=effects), a5e(), Showing()).order
    assert row.conditions == ("Prone",)


@pytest.mark.parametrize(
    ("own", "other", "aria", "goblin"),
    [
        (True, False, ("Prone", "Aid", "Bless"), ()),
        (False, False, ("Prone",), ()),
        (False, True, ("Prone",), ("Hex",)),
        (True, True, ("Prone", "Aid", "Bless"), ("Hex",)),
    ],
)
def test_effects_that_are_no_conditions_are_shown_as_chosen(
    own: bool, other: bool, aria: tuple[str, ...], goblin: tuple[str, ...]
) -> None:
    effects = (
        Effect("e1", "aria", "Bless"),
        Effect("e2", "aria", "prone"),
        Effect("e3", "aria", "Aid"),
        Effect("e4", "aria", "blocked-critical"),
        Effect("e5", "aria", "Mark", shown=False),
        Effect("e6", "g1", "Hex"),
        Effect("e7", "g1", "charmed"),
    )
    showing = Showing(has_own_effects=own, has_other_effects=other)
    order = players_view(fight(ARIA, GOBLINS[0], effects=effects), a5e(), showing).order
    assert {row.conditions for row in order} == {aria, goblin}
    assert Showing() == Showing(has_own_effects=True, has_other_effects=False)


@pytest.mark.parametrize("mode", ["map", "picture", "text", "dice", "black"])
def test_other_modes_hold_no_order(mode: ViewMode) -> None:
    assert players_view(fight(ARIA), a5e(), Showing(mode=mode)).order == ()
