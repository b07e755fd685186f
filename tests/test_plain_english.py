"""The texts of the project keep to plain English: the count of each odd pattern may only fall."""

import re

from tests.for_each import for_each
from tests.plain_english import COMPILED, COMPILED_BY_PLACE, counts, hits, limits, patterns_of, texts_by_place

SAMPLES = {
    "P01": ("It lists what is lost.", "What is lost?"),
    "P02": ("What is too long is cut.", "The text is cut if it is too long."),
    "P03": ("This is no number.", "There are no longer any."),
    "P04": ("An object of a size that the game has not.", "It has not been read."),
    "P05": ("It stands in the menu.", "The stands are full."),
    "P06": ("The reason is told.", "The player has a story."),
    "P07": ("The list says what to do.", "The rule applies."),
    "P08": ("A window of its own.", "Its own window."),
    "P09": ("What came of it.", "The result."),
    "P10": ("Take it back.", "Undo it."),
    "P11": ("Return None where there is none.", "Return None if there is none."),
    "P12": ("Return empty for none.", "Return an empty string."),
    "P13": ("ValueError where it can't be read.", "Raise ValueError if it can't be read."),
    "P14": ("Wait, for there is more.", "Wait for more."),
    "P15": ("The figures of a creature.", "Find out the number."),
    "P16": ("If somebody acts.", "A creature acts."),
    "P17": ("Shown as far as is known.", "If known."),
    "P18": ("Roll anew.", "Roll again."),
    "P19": ("It is beside the panel.", "It is next to the panel."),
    "P20": ("The fight goes on.", "The rider goes on the horse."),
    "P21": ("It leaves out the map.", "It omits the map."),
    "P22": ("A command the program knows.", "The program supports it."),
    "P23": ("Shown in place of the picture.", "Instead of the picture."),
    "P24": ("Pick the one that acts.", "The acting creature."),
    "P25": ("Neither saves nor checks.", "No saves or checks."),
    "P26": ("The whole of the file.", "The whole file."),
    "P27": ("Debian and its kin.", "Debian and derivatives."),
    "P28": ("Mend the list.", "Fix the list."),
    "F01": ("Who acts first", "Who acts first?"),
    "F02": ("is no number", "not a number"),
    "F03": ("Return what is left.", "Return the rest."),
    "F04": ("Have those roll.", "Roll for each."),
    "F07": ("## What is where", "## Project layout"),
}


def test_the_count_of_a_pattern_only_falls() -> None:
    by_place, most = texts_by_place(), limits()
    more = {
        f"{id} in {place}: {number}, at most {most[place].get(id, 0)}": [
            str(text)
            for name, pattern in patterns_of(place).items()
            if name[:3] == id
            for text in hits(pattern, by_place[place])
        ][-20:]
        for place, numbers in counts(by_place).items()
        for id, number in numbers.items()
        if number > most[place].get(id, 0)
    }
    assert more == {}, "Rewrite these texts (python -m tests.plain_english --show PATTERN PLACE lists all)"


@for_each(("id", "odd", "plain"), [(id, *pair) for id, pair in SAMPLES.items()])
def test_a_pattern_finds_odd_texts_alone(id: str, odd: str, plain: str) -> None:
    (pattern,) = [pattern for name, pattern in all_patterns().items() if name.startswith(id)]
    assert (bool(pattern.search(odd)), bool(pattern.search(plain))) == (True, False)


def test_every_pattern_has_a_sample() -> None:
    assert {name[:3] for name in all_patterns()} == SAMPLES.keys()


def all_patterns() -> dict[str, re.Pattern[str]]:
    """Return all patterns by name, those of single places too."""
    return COMPILED | {name: pattern for patterns in COMPILED_BY_PLACE.values() for name, pattern in patterns.items()}
