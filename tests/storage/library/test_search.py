"""Searching the library's entries: words, filters, order, and duplicates."""

import pytest

from tests.for_each import for_each
from turnwright.storage.library.entries import LibraryEntry
from turnwright.storage.library.search import (
    MAX_RANKED,
    FilterChoices,
    LibraryFilter,
    LibrarySearch,
    duplicates,
    filter_choices,
    likeliest_named,
    rating_rank,
)


def entry(name, *, system="a5e", kind="creature", text="", **fields):
    path = fields.pop("path", f"/library/{name.casefold()}.toml")
    return LibraryEntry(
        path, name.casefold(), name, kind=kind, system=system, haystack=f"{name}\n{text}".casefold(), **fields
    )


ENTRIES = (
    entry(
        "Ash goblin", rating="1/4", type="humanoid", size="small", environments=("hills",), source="Field book, page 4"
    ),
    entry(
        "Bog drake",
        rating="10",
        type="dragon",
        size="huge",
        environments=("swamp",),
        tags=("water",),
        text="Rides a goblin",
    ),
    entry(
        "Cave goblin",
        rating="2",
        type="humanoid",
        size="small",
        environments=("caves", "hills"),
        source="Field book, page 9",
    ),
    entry("Mire", kind="environment", text="goblin paths"),
    entry("Other goblin", system="pf2e", rating="-1", type="humanoid"),
)


def names(*args, **more):
    return [one.name for one in LibrarySearch(ENTRIES).find(*args, **more)]


def test_every_word_has_to_stand_somewhere_and_names_come_first():
    assert names("goblin") == ["Other goblin", "Ash goblin", "Cave goblin", "Bog drake", "Mire"]
    assert names("GOB cave") == ["Cave goblin"]
    assert names("goblin wyrm") == []
    assert names("") == [one.name for one in ENTRIES]


@pytest.mark.parametrize("steps", [("g", "go", "goblin", "goblin c", "gob", "drake goblin", "drake", "")])
def test_typing_on_finds_what_typing_it_at_once_does(steps):
    search = LibrarySearch(ENTRIES)
    for query in steps:
        assert search.find(query) == LibrarySearch(ENTRIES).find(query)


@for_each(
    ("within", "found"),
    [
        (LibraryFilter(system="pf2e"), ["Other goblin"]),
        (LibraryFilter(kinds=("environment",)), ["Mire"]),
        (LibraryFilter(types=("dragon", "water")), ["Bog drake"]),
        (LibraryFilter(types=("water",)), ["Bog drake"]),
        (LibraryFilter(sizes=("small",)), ["Ash goblin", "Cave goblin"]),
        (LibraryFilter(environments=("hills",)), ["Ash goblin", "Cave goblin"]),
        (LibraryFilter(sources=("Field book",)), ["Ash goblin", "Cave goblin"]),
        (LibraryFilter(min_rating="1/2"), ["Bog drake", "Cave goblin"]),
        (LibraryFilter(min_rating="1/4", max_rating="2"), ["Ash goblin", "Cave goblin"]),
        (LibraryFilter(max_rating="0"), ["Other goblin"]),
        (LibraryFilter(paths=frozenset({"/library/mire.toml"})), ["Mire"]),
        (LibraryFilter(types=("humanoid",), environments=("caves",)), ["Cave goblin"]),
    ],
)
def test_a_filter_lets_through_what_it_says(within, found):
    assert names("", within) == found


def test_a_filter_changed_while_words_stand_is_heeded():
    search = LibrarySearch(ENTRIES)
    assert len(search.find("goblin")) == 5
    assert [one.name for one in search.find("goblin", LibraryFilter(types=("dragon",)))] == ["Bog drake"]
    assert len(search.find("goblin")) == 5


def test_the_order_is_by_name_within_equals_and_what_has_no_rating_comes_last():
    assert names("", order="rating") == ["Other goblin", "Ash goblin", "Cave goblin", "Bog drake", "Mire"]
    assert names("", LibraryFilter(kinds=("creature",)), order="size")[:2] == ["Ash goblin", "Cave goblin"]
    assert names("", LibraryFilter(kinds=("creature",)), order="type")[0] == "Bog drake"


def test_ratings_are_numbers():
    assert [rating_rank(text) for text in ("1/8", "-1", "30")] == [0.125, -1, 30]
    assert rating_rank("many") == rating_rank("1/0") > rating_rank("9999")


WOLVES = (
    entry("Dire wolf", rating="1"),
    entry("Man of Wolfenholt", rating="1/8"),
    entry("Werewolf", rating="3"),
    entry("Winter wolf", rating="3"),
    entry("Wolf", rating="1/4"),
    entry("Wolf lord", rating="8"),
    entry("Wolf pup", rating="0"),
    entry("Bandit", rating="1/8", text="keeps a wolf"),
)


def test_the_whole_name_comes_first_then_its_start_then_starts_of_words_each_by_rating():
    found = [one.name for one in LibrarySearch(WOLVES).find("wolf")]
    starts = ["Wolf", "Wolf pup", "Wolf lord"]
    assert found == [*starts, "Man of Wolfenholt", "Dire wolf", "Winter wolf", "Werewolf", "Bandit"]
    by_size = [one.name for one in LibrarySearch(WOLVES).find("wolf", order="size")]
    assert by_size[:3] == ["Wolf", "Wolf lord", "Wolf pup"]


def test_the_likeliest_name_has_all_words():
    assert likeliest_named("wolf", WOLVES) == WOLVES[4]
    assert likeliest_named("LORD w", WOLVES) == WOLVES[5]
    assert likeliest_named("keeps", WOLVES) is None
    assert likeliest_named(" ", WOLVES) is None


def test_of_too_many_nobody_reads_the_order():
    many = [entry(f"Name {number:04}", text="wolf") for number in range(MAX_RANKED)]
    wolves = [*many, entry("Wolf")]
    assert LibrarySearch(wolves).find("wolf")[0].name == "Name 0000"
    assert LibrarySearch(wolves[1:]).find("wolf")[0].name == "Wolf"


def test_the_filters_offer_what_the_list_has():
    assert filter_choices(ENTRIES) == FilterChoices(
        types=("dragon", "humanoid"),
        sizes=("small", "huge"),
        environments=("caves", "hills", "swamp"),
        sources=("Field book",),
        ratings=("-1", "1/4", "2", "10"),
        ids=frozenset({"ash goblin", "bog drake", "cave goblin", "other goblin"}),
    )


def test_what_stands_there_twice_is_known():
    again = entry("ash GOBLIN", path="/library/other/ash.toml")
    found = duplicates([*ENTRIES, again])
    assert {path: [one.path for one in others] for path, others in found.items()} == {
        ENTRIES[0].path: [again.path],
        again.path: [ENTRIES[0].path],
    }
    assert duplicates(ENTRIES) == {}


FOUND = (
    entry("Bog lord", type="fey", role="boss", legendary=3, environments=("swamp",), size="large"),
    entry("Reed imp", type="fiend", role="lurker", environments=("swamp", "water"), size="tiny"),
    entry("Reed knight", type="humanoid", role="soldier", tags=("elite",), environments=("hills",), size="medium"),
    entry("Reeds", kind="environment"),
)


@for_each(
    ("fields", "found"),
    [
        ({"roles": ("boss", "soldier")}, ["Bog lord", "Reed knight"]),
        ({"marks": ("legendary",)}, ["Bog lord"]),
        ({"marks": ("elite", "legendary")}, ["Bog lord", "Reed knight"]),
        ({"without": ("swamp",)}, ["Reed knight", "Reeds"]),
        ({"without": ("fey", "elite", "tiny")}, ["Reeds"]),
        ({"environments": ("swamp",), "without": ("lurker",)}, ["Bog lord"]),
        ({"ids": frozenset({"reed imp", "reeds"})}, ["Reed imp"]),  # a company has only creatures
        ({"ids": frozenset()}, []),
    ],
)
def test_creatures_are_found_by_role_rank_and_company_and_left_out_by_any_word(fields, found):
    assert [one.name for one in LibrarySearch(FOUND).find("", LibraryFilter(**fields))] == found


def test_the_filters_offer_roles_in_their_order_and_all_words_to_leave_out():
    offered = filter_choices(FOUND)
    assert (offered.roles, offered.marks) == (("boss", "soldier", "lurker"), ("elite", "legendary"))
    assert {"fey", "boss", "swamp", "tiny", "elite"} <= {*offered.without}
