"""Notes of an import for people: what to do about them, in sentences, equal ones joined."""

from __future__ import annotations

from tests.for_each import for_each
from turnwright.importers.files.notices import group_of, notices, sentence
from turnwright.storage.fights import ConversionNote


@for_each(
    ("why", "group", "text"),
    [
        ("not a distance; ignored", "lost", "is not a distance; it is ignored"),
        ("unknown field; ignored", "lost", "is an unknown field; it is ignored"),
        ("value not in the file; ignored", "lost", "has a value that is not in the file; it is ignored"),
        ("missing; set to 0", "check", "is missing; it is set to 0"),
        ("not a size; treated as Medium", "check", "is not a size; it is treated as Medium"),
        ("data value 1d6 used; the text says 1d8", "check", "is 1d6, as the data says; the text says 1d8"),
        ("the number is missing; set it yourself", "check", "needs a look, because the number is missing; set it yourself"),
        ("fewer than six ability scores; defaults used for the others", "check",
         "has fewer than six ability scores; defaults are used for the others"),
        ("time until the next use; kept as text only", "kept", "is time until the next use; it is kept as text only"),
        ("stages not understood; kept as text only", "kept", "is not understood; it is kept as text only"),
        ("takes longer than an action; kept as text only", "kept", "takes longer than an action; it is kept as text only"),
        ("bonus repeats the proficiency bonus; counted once", "fine", "repeats the proficiency bonus; it is counted once"),
    ],
)  # fmt: skip
def test_a_note_says_what_to_do_in_a_sentence(why: str, group: str, text: str) -> None:
    assert group_of(ConversionNote("Ape", "speed", "x", why)) == group
    assert sentence("the entry", why) == f"The entry {text}."


def test_equal_notes_are_one_line_with_a_count_and_the_first_names() -> None:
    kept = [ConversionNote(f"Imp {n}", f"Sting {n}: duration", f"{n} days", "kept as text only") for n in range(8000)]
    lost = [ConversionNote("Ape", "Fist: speed", "x" * 200, "not a distance; ignored")]
    found = notices((*kept, *lost, *[ConversionNote("Bat", "Bite", "", f"missing; set to {n}") for n in (1, 2)]))
    assert list(found) == ["lost", "check", "kept"]
    assert [one.text for one in found["kept"]] == [
        '8000 records: The entry "duration" is kept as text only (Imp 0, Imp 1, Imp 2 and 7997 more).'
    ]
    assert [len(one.notes) for one in found["kept"]] == [8000]
    assert found["lost"][0].text == f'Ape: The entry "Fist: speed" is not a distance; it is ignored ("{"x" * 80}").'
    assert found["check"][0].text == "2 times: An entry is missing; it is set to … (Bat)."
