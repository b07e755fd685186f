"""A module in a package of play is all that a new command takes, besides its words."""

from __future__ import annotations

import random
from collections.abc import Iterator
from types import ModuleType

import msgspec
import pytest

from tests.play.extra_commands import whistle_among_commands
from tests.table import Table
from turnwright.cli.script import parser
from turnwright.cli.script.lexer import split_words
from turnwright.cli.script.resolve import NameResolver
from turnwright.play.fuzz.random_commands import RandomCommands
from turnwright.play.kernel.history import HistoryEntry
from turnwright.storage.word_catalogue import WordCatalogue
from turnwright.workspace.file_origin import FileOrigin
from turnwright.workspace.log_format import LogSnapshot, encode_entry, encode_snapshot, read_log
from turnwright.workspace.text import Phrasebook

WORDS = WordCatalogue({"step.whistle": "Whistle: {what}", "journal.whistled_high": "{who} whistles {n} times."})


@pytest.fixture
def whistle() -> Iterator[ModuleType]:
    with whistle_among_commands() as module:
        yield module


@pytest.fixture
def table() -> Table:
    table = Table("ann", "orc", foes=("orc",))
    table.start(ann=15, orc=10)
    return table


def test_it_is_carried_out_and_named_in_the_journal_and_in_the_menu(whistle: ModuleType, table: Table) -> None:
    step = table.does(whistle.Whistle("ann", "high", 3))
    assert step is not None
    speech = Phrasebook(WORDS, table.rules)
    assert [speech.phrase_text(line.phrase) for line in step.lines] == ["Ann whistles 3 times."]
    assert speech.phrase_text(step.label) == "Whistle: Ann"
    assert table.refuses(whistle.Whistle("nobody", "low")).key == "refused.unknown"


def test_a_script_gives_it(whistle: ModuleType, table: Table) -> None:
    line = parser.parse(split_words("whistle Ann high 2"), NameResolver(table.encounter, table.rules))
    assert line.statement == whistle.Whistle("ann", "high", 2)


def test_a_log_holds_what_came_of_it(whistle: ModuleType, table: Table) -> None:
    step = table.does(whistle.Whistle("ann", "low"))
    snapshot = encode_snapshot(LogSnapshot(FileOrigin(), ()))
    (entry,) = read_log(snapshot + encode_entry(HistoryEntry("did", step))).history_entries
    assert entry.step is not None
    assert entry.step.events == (whistle.Whistled(who="ann", tune="low", times=1),)


def test_random_play_draws_it(whistle: ModuleType, table: Table) -> None:
    made = RandomCommands(table.session, random.Random(1))
    drawn = [one for one in (made.next_command() for _ in range(5000)) if isinstance(one, whistle.Whistle)]
    assert {one.tune for one in drawn} == {"low", "high"}
    assert all(msgspec.convert(msgspec.to_builtins(one), whistle.Whistle) == one for one in drawn)
