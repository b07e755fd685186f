"""The script that looks after pinned versions, without an index."""

import re

import pytest

import pins

TEXT = "# Pinned.\nalpha==1.0\nBeta_x==2.0\nonly-windows==3.0\n"
OLD = {"alpha": ("alpha", "1.0"), "beta-x": ("Beta_x", "2.0"), "gone": ("gone", "1")}
NEW = {"alpha": ("alpha", "1.1"), "beta-x": ("beta-x", "2.0"), "fresh": ("Fresh", "0.1")}


def licence(name: str, version: str) -> str:
    return "GPL-3.0" if (name, version) == ("alpha", "1.1") else "MIT"


def test_changes_name_versions_and_licences():
    assert pins.changes(OLD, {**NEW, "beta-x": ("Beta_x", "2.0")}, licence) == [
        "alpha 1.0 -> 1.1; licence MIT -> GPL-3.0",
        "fresh 0.1: new; MIT",
        "gone 1: no longer needed",
    ]


def test_new_pins_keep_those_of_other_platforms():
    text = TEXT + "gone==1\n"
    written = "# Pinned.\nalpha==1.1\nBeta_x==2.0\nFresh==0.1\nonly-windows==3.0\n"
    assert pins.with_versions(text, OLD, NEW) == written


def test_the_files_of_every_pin_are_listed_by_their_hash():
    known = pins.pins(pins.CONSTRAINTS.read_text(encoding="utf-8"))
    for name, (written, version) in known.items():
        entry = pins.hashed([name]).strip()
        assert re.fullmatch(rf"{re.escape(written)}=={re.escape(version)}( +--hash=sha256:[0-9a-f]{{64}})+", entry), (
            entry
        )
    assert pins.HASHES.read_text(encoding="utf-8").count("==") == len(known)


def test_pip_that_fails_ends_the_script():
    with pytest.raises(SystemExit, match="pip install failed"):
        pins.pip("false", "install")


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        ("Name: a\nLicense-Expression: MIT OR Apache-2.0\n", "MIT OR Apache-2.0"),
        ("Name: a\nLicense: see below\nClassifier: License :: OSI Approved :: BSD License\n", "BSD License"),
        ("Name: a\nLicense: LGPL\n        and more\n", "LGPL"),
        ("Name: a\n\nLicense: MIT\n", "unknown"),
    ],
)
def test_a_licence_is_read_from_the_metadata(monkeypatch, metadata: str, expected: str):
    monkeypatch.setattr(pins, "files_of", lambda *_: [{"filename": "a-1-py3-none-any.whl"}])
    monkeypatch.setattr(pins, "metadata_of", lambda _: metadata)
    assert pins.licence("a", "1") == expected
