"""Files of every kind: recognised by content, decoded, bounded; every mistake is reported in words."""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path

import pytest

from tests.for_each import for_each
from turnwright.importers.documents import (
    MAX_FILE,
    ParsedDocument,
    files_in,
    parse_document,
    parse_yaml,
    read_document,
)
from turnwright.importers.results import SkippedFile, UnreadRecord

DEEP = 100_000
LONG = "<long>"  # 4 MB in the test, which no worker has to keep


def parsed(text: str | bytes) -> ParsedDocument:
    found = parse_document(text.encode() if isinstance(text, str) else text, Path("x"))
    assert isinstance(found, ParsedDocument), found
    return found


def why(text: str | bytes) -> str:
    content = text.replace(LONG, "x" * 4_000_000).encode() if isinstance(text, str) else text
    found = parse_document(content, Path("x"))
    assert isinstance(found, UnreadRecord), found.kind
    assert found.record == ""
    return found.why


@for_each(
    ("text", "kind", "data"),
    [
        ('{"a": [1]}', "json", {"a": [1]}),
        ("// mine\n{a: [1,], 'b': NaN, }", "json", None),
        ("{a: 1, /* so */ b: 'x'}", "json", {"a": 1, "b": "x"}),
        ('{"a": 1}\n\n{"a": 2}\n', "json", [{"a": 1}, {"a": 2}]),
        ('[{"a": 1}]', "json", [{"a": 1}]),
        ("# mine\n\na = 1\n[b]\nc = 2", "toml", {"a": 1, "b": {"c": 2}}),
        ("[scene]\ntitle = 'x'", "toml", {"scene": {"title": "x"}}),
        ("[[roster]]\nid = 'x'", "toml", {"roster": [{"id": "x"}]}),
        ("[creatures.bandit] # one\nhp = 3", "toml", {"creatures": {"bandit": {"hp": 3}}}),
        ("a: 1\nb:\n- c", "yaml", {"a": 1, "b": ["c"]}),
        ("---\na: 1\n---\na: 2", "yaml", [{"a": 1}, {"a": 2}]),
        (
            "name,cr,ac\nx,1,12\n\ny,2",
            "csv",
            [{"name": "x", "cr": "1", "ac": "12"}, {"name": "y", "cr": "2", "ac": ""}],
        ),
        ("name;cr;ac\nx;1;12", "csv", [{"name": "x", "cr": "1", "ac": "12"}]),
        ("# Cave\n\n```statblock\nname: x\n```", "markdown", None),
        ("---\nstatblock: true\nname: x\n---\ntext", "markdown", None),
    ],
)
def test_a_file_is_what_it_holds(text: str, kind: str, data: object) -> None:
    found = parsed(text)
    assert found.kind == kind
    if data is not None:
        assert found.data == data


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_unicode_in_any_of_its_usual_encodings(encoding: str) -> None:
    assert parsed('{"name": "Björn \N{DRAGON}"}'.encode(encoding)).data == {"name": "Björn \N{DRAGON}"}


@for_each(
    ("data", "words"),
    [
        ("name: Bj\xf6rn".encode("latin-1"), "line 1: not valid UTF-8"),
        (b'{"a":\n"\xff"}', "line 2: not valid UTF-8"),
        (b"\xff\xfe{", "not valid UTF-16"),
        (b"\xff\xfe\x00\xd8{\x00", "not valid UTF-16"),
        (b'{"abcde": "\n\0"}', "line 2: contains a NUL"),
        (b"", "empty file"),
        (b" \n\t\n", "empty file"),
        (b"\xef\xbb\xbf", "empty file"),
    ],
)
def test_what_is_no_text_is_said_with_its_line(data: bytes, words: str) -> None:
    assert words in why(data)


@for_each(
    "text",
    [
        "[" * DEEP,
        "[" * DEEP + "]" * DEEP,
        '{"a":' * DEEP + "1" + "}" * DEEP,
        '[{"a":' * 40 + "1" + "}]" * 40,
        "// x\n" + "[" * DEEP + "]" * DEEP,
        "{a:" * DEEP,
        "{a:" * 70 + "1" + "}" * 70,
        "a: " + "[" * DEEP,
        "a: " + "[" * DEEP + "]" * DEEP,
        "- " * DEEP + "x",
        "? " * DEEP + "x",
        "a = " + "[" * DEEP + "]" * DEEP,
        "a = " + "{a=" * DEEP + "1" + "}" * DEEP,
        "a" + ".a" * DEEP + " = 1",
        "[" + "a." * DEEP + "a]\n",
        "a" + ".a" * 70 + " = 1",
        "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}]\n" for n in range(1, 80)),
    ],
    ids=lambda text: text[:6] + str(len(text)),
)
def test_nesting_deeper_than_anyone_writes_is_refused(text: str) -> None:
    assert "nested deeper than 64 levels" in why(text)


def test_nesting_as_deep_as_anyone_writes_is_read() -> None:
    assert parsed("[" * 60 + "]" * 60).data


LETTERS = "abcdefghij"


@for_each(
    ("text", "words"),
    [
        (
            "a: &a [x,x,x,x,x,x,x,x,x,x]\n"
            + "".join(f"{new}: &{new} [{','.join([f'*{old}'] * 10)}]\n" for old, new in pairwise(LETTERS)),
            "values, references included",
        ),
        (
            "a: &a {x: 1}\n"
            + "".join(
                f"{new}: &{new} {{<<: [{','.join([f'*{old}'] * 10)}], {new}: 1}}\n" for old, new in pairwise(LETTERS)
            ),
            "values, references included",
        ),
        ("a: &a [*a]", "line 1: a reference to the value that contains it"),
        ("&a\nname: *a", "line 2: a reference to the value that contains it"),
        ("- [x]\n" * 100_000, "values, references included"),
        ("---\nx\n" * 100_000, "values, references included"),
        ("a: *nobody", "line 1: reference to 'nobody', which isn't defined before it"),
        (f"a: {LONG}", "MB of YAML"),
    ],
    ids=["laughs", "merges", "itself", "its own table", "many", "documents", "nobody", "long"],
)
def test_yaml_that_would_grow_is_refused_before_it_is_built(text: str, words: str) -> None:
    assert words in why(text)


def test_references_and_merge_keys_of_an_honest_yaml_are_followed() -> None:
    assert parsed("a: &a {x: 1}\nb: {<<: *a, y: 2}\nc: *a").data == {
        "a": {"x": 1},
        "b": {"x": 1, "y": 2},
        "c": {"x": 1},
    }


def test_yaml_scalars_mean_what_their_author_wrote() -> None:
    digits = "9" * 100_000
    found = parsed(
        f"a: 1:30\nb: 9999-99-99\nc: 2001-12-14\nd: {digits}\ne: 12\nf: 1.5\ng: 1:59:59.5\nh: 2001-1-1 99:99"
    )
    assert found.data == {
        "a": "1:30",
        "b": "9999-99-99",
        "c": "2001-12-14",
        "d": digits,
        "e": 12,
        "f": 1.5,
        "g": "1:59:59.5",
        "h": "2001-1-1 99:99",
    }


@pytest.mark.parametrize("text", ["!!python/object/apply:os.system ['true']", "a: !thing x", "!!python/name:os.system"])
def test_yaml_builds_nothing_but_plain_data(text: str) -> None:
    assert why(text).startswith("line 1: unsupported tag ")


@for_each(
    ("text", "words"),
    [
        ('[{"Name": "X", "HP": {"Va', "unexpected end of file; the part that starts in line 1 is not closed"),
        ('[\n{"a": 1},\n{"b"', "unexpected end of file"),
        ('{"a": 1,\n "b" 2}', "line 2: expected a colon, found 2"),
        ('{"a": 1,\n"b": 2}\n}', "line 2: unexpected text after the end of the data"),
        ("[1, x]", "line 1: expected a value, found x"),
        ("/* never", "unexpected end of file"),
        ("{a: '\\x'}", "line 1: expected hexadecimal"),
        ("a = 1\na = 2", "line 2: duplicate key"),
        ("a = 1\n[b", "line 2: unclosed table"),
        ("[b]\nc = ", "line 2: "),
        ("a = 1e999", "line 1: floating-point number overflowed"),
        ("a = 2001-13-01", "line 1: invalid date"),
        (f"a = 1\n# {LONG}", "MB of TOML"),
        ("a: [1", "line 2: did not find expected"),
        ("a: 'x", "line 1: "),
        ("a: 1\nb: c: d", "line 2: mapping values are not allowed"),
        ("? [a, b]\n: c", "line 1: expected a text as key, found a list or a table"),
        ("a,b,c\n" + "1,2,3\n" * 20_001, "more than 20,000 rows"),
        (",".join(f"h{n}" for n in range(300)) + "\n" + "x\n" * 1000, "more than 200 columns"),
        ('name,cr,ac\n"' + "x" * 200_000, "not a valid table: field larger"),
        ("[" + "1," * 20_001 + "1]", "a list of 20,002 items"),
        ('{"a": 1}\n' * 20_002, "more than 20,000 lines of records"),
        ("[" + "[]," * 1_000_001 + "[]]", "more than 1,000,000 lists and tables"),
    ],
    ids=lambda text: text[:12],
)
def test_a_broken_or_endless_text_is_refused_in_words(text: str, words: str) -> None:
    assert words in why(text)


def test_numbers_that_nobody_counts_with_keep_nothing_else_from_being_read() -> None:
    found = parsed('{"a": ' + "9" * 100_000 + ', "b": 1e999, "c": 12}').data
    assert found == {"a": float("inf"), "b": float("inf"), "c": 12}


def test_a_gap_that_nobody_made_is_one_space() -> None:
    text = '{"name": "a' + " " * 5_000 + 'b", "text": "c' + "\t" * 999 + " " * 900 + 'd   e"}'
    assert parsed(text.replace("\t", " ")).data == {"name": "a b", "text": "c d   e"}
    assert parsed('{"a": "' + " " * 999 + '"}').data == {"a": " " * 999}


def test_a_key_that_stands_twice_is_told_and_the_last_is_read() -> None:
    for text in ('{"name": "X", "hp": 1, "name": "Y"}', "name: X\nhp: 1\nname: Y"):
        found = parsed(text)
        assert found.data == {"name": "Y", "hp": 1}
        assert [(each.field, each.why) for each in found.notes] == [("name", "duplicate key; the last value is used")]


@pytest.mark.parametrize(
    "text", ['{"a": "x\\": y", "b": "\\" :"}', '{"a" : 1, "b":{"a": 2}}', '{"a":"b\\\\":1}', "a: {b: 1}\nb: 2"]
)
def test_keys_that_only_look_like_standing_twice_are_not_told(text: str) -> None:
    found = parse_document(text.encode(), Path("x"))
    assert not (isinstance(found, ParsedDocument) and found.notes)


def test_a_broken_line_among_lines_of_records_is_told_and_the_others_read() -> None:
    found = parsed('{"a": 1}\n{"a": 2}\n{"a": \n{"a": 4}\n')
    assert found.data == [{"a": 1}, {"a": 2}, {"a": 4}]
    assert found.notes == (UnreadRecord("x", "", "line 3: not valid JSON; ignored"),)


def test_a_yaml_block_of_a_note_is_refused_in_the_same_words() -> None:
    for text in ("a: " + "[" * DEEP, "a: &a [*a]", "a: 'x"):
        with pytest.raises(ValueError, match="line 1: "):
            parse_yaml(text)


# On the disk ---------------------------------------------------------------------------------------------------------


def refused(path: Path) -> str:
    found = read_document(path)
    assert isinstance(found, UnreadRecord)
    assert found.file == str(path)
    return found.why


def test_a_file_longer_than_any_collection_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "long.json"
    path.write_bytes(b"[1,")
    os.truncate(path, 200_000_000)
    assert isinstance(read_document(path), SkippedFile)  # nothing but NULs
    with path.open("r+b") as file:
        file.write(b" " * 10_000)
    assert refused(path) == f"200 MB of data; the limit is {MAX_FILE // 1_000_000} MB"


def test_what_is_no_file_is_said(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("link")
    assert refused(tmp_path / "pipe") == "not a regular file"
    assert refused(tmp_path / "nothing") == "file not found"
    assert "could not be read" in refused(tmp_path / "link") or refused(tmp_path / "link") == "file not found"
    assert "could not be read" in refused(Path("x" * 5000))
    assert refused(Path("a\0b"))
    assert refused(tmp_path) == "not a regular file"


@pytest.mark.parametrize("start", [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", b"PK\x03\x04\x14\0\0\0", b"\0\0\0\x18ftyp"])
def test_a_picture_or_an_archive_is_none_of_ours(tmp_path: Path, start: bytes) -> None:
    (tmp_path / "x").write_bytes(start + os.urandom(300))
    assert isinstance(read_document(tmp_path / "x"), SkippedFile)


def test_a_folder_is_read_in_order_without_links_and_hidden_things(tmp_path: Path) -> None:
    for name in ("b/two.json", "b/.hidden.json", ".git/three.json", "a.json", "c/d/four.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("{}", encoding="utf-8")
    (tmp_path / "b" / "link.json").symlink_to(tmp_path / "a.json")
    (tmp_path / "b" / "again").symlink_to(tmp_path, target_is_directory=True)
    os.mkfifo(tmp_path / "pipe.json")
    found = [path.relative_to(tmp_path).as_posix() for path in files_in(tmp_path) if isinstance(path, Path)]
    assert found == ["a.json", "b/two.json", "c/d/four.json"]


def test_folders_deep_in_one_another_end(tmp_path: Path) -> None:
    deepest = tmp_path.joinpath(*["d"] * 60)
    deepest.mkdir(parents=True)
    (deepest / "x.json").write_text("{}", encoding="utf-8")
    (found,) = files_in(tmp_path)
    assert isinstance(found, UnreadRecord)
    assert "nested more than 50 folders deep" in found.why


def test_a_folder_that_may_not_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.json").write_text("{}", encoding="utf-8")
    (tmp_path / "secret").mkdir()
    scandir = os.scandir

    def forbidding(folder: Path) -> object:
        if Path(folder).name == "secret":
            raise PermissionError(13, "Permission denied")
        return scandir(folder)

    monkeypatch.setattr(os, "scandir", forbidding)
    found = list(files_in(tmp_path))
    assert found == [
        tmp_path / "mine.json",
        UnreadRecord(str(tmp_path / "secret"), "", "could not be read: Permission denied"),
    ]


@pytest.mark.parametrize(
    ("limit", "text", "words"),
    [
        ("files.parsers.MAX_KEYS", '{"a": 1, "b": 2, "c": 3, "dddddddddddddd": 4}', "more than 3 values"),
        ("files.parsers.MAX_CELLS", "name,cr,size\na,1,2\n", "more than 3 cells"),
        ("files.parsers.MAX_JSON5", "// x\n[{a: 1}]", "JSON5 is read up to 0 MB"),
        ("files.parsers.MAX_TAGS", "<compendium><a/><b/></compendium>", "more than 3 tags"),
    ],
)
def test_what_would_take_too_much_memory_is_refused_before_it_is_built(
    limit: str, text: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"turnwright.importers.{limit}", 3)
    found = parse_document(text.encode(), Path("x"))
    assert isinstance(found, UnreadRecord)
    assert found.why.endswith(words)


@pytest.mark.parametrize(
    ("text", "kind"),
    [('{"a": 1}', "json"), ("a = 1", "toml"), ("a: 1", "yaml"), ("```statblock\nname: Wolf\n```", "markdown"), ("// a\n[1]", "json")],
)  # fmt: skip
def test_a_million_blank_lines_before_it_hide_nothing(text: str, kind: str) -> None:
    assert parsed("\n" * 1_000_000 + text).kind == kind


@for_each("name", ["note.txt", "note.md", "spells.csv", "sheet.xml"])
@for_each("text", ["Fen: a: b\nHP 3", "spell: x\n  level: [1\n- y", "# A note\n@home: `x`\n\tand more"])
def test_a_text_never_answers_in_words_for_yaml(name: str, text: str) -> None:
    found = parse_document(text.encode(), Path(name))
    assert isinstance(found, ParsedDocument)
    assert found.kind == "markdown"


def test_a_character_sheet_of_fantasy_grounds_is_xml() -> None:
    found = parse_document(b"<charsheet><character><hp>3</hp></character></charsheet>", Path("x.xml"))
    assert isinstance(found, ParsedDocument)
    assert found.kind == "xml"
