"""A file written by hand stays as it was written: saving changes only the changed values."""

import difflib
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.effort import steps
from tests.for_each import for_each
from turnwright.encounter.prepared import (
    AddWave,
    Announce,
    Countdown,
    Creature,
    DealDamage,
    Environment,
    Feature,
    Map,
    Obstacle,
    RosterEntry,
    SavingThrow,
    Scene,
)
from turnwright.encounter.state import Change, Encounter, key_of
from turnwright.storage.encounters import EncounterFile, parse_encounter

BY_HAND = """\
# Thin ice. Played on Thursdays.

format = 3
title   =   'The "thin" ice'   # quotes inside
system = "a5e"
weather = {sky = "grey", wind = 0x10} # not ours

[scene]
round_seconds = 6   # the usual length, said anyway
notes = '''
Raiders come
from the north.'''

# ---- Who is there ----

# The boss comes first.
[creatures.boss]
name = "Hrimgar"
hp = 0x2D     # in hexadecimal, for a bet
ac = 1_5
favourite_food = "herring"
speeds = {walk=30,   swim = 20}
abilities = { str = 18, dex = 12 }
resistances = [
    "cold",   # the blood
    "fire",   # the ring
]

  [creatures.boss.features.axe]
  name = "Axe"
  attack = 6
  damage = "1d12+4 slashing"

  # Once a fight.
  [creatures.boss.features.roar]
  name = "Roar"
  save = "wis"
  dc = 14

# Cannon fodder
[creatures.raider]
hp = 11
name = "Raider"

# ---- The roster ----

[roster]
# written on one line each
raiders = { creature = "raider", count = 3 }
boss.creature = "boss"
boss.wave = "late"

# ---- Time ----

[countdowns.ice]
name = "The ice breaks"
dice = 5
[[countdowns.ice.outcomes]]
kind = "announce"   # out loud
text = "Crack!"
[[countdowns.ice.outcomes]]
kind = "deal-damage"
damage = "2d6 cold"
"""


def read(text):
    loaded = parse_encounter(text.encode(), Path("ice.toml"), {"a5e"})
    assert loaded.encounter is not None, loaded.findings
    return loaded.encounter


class Desk:
    """A file open in front of somebody: changes are rendered, saved and compared."""

    def __init__(self, text=BY_HAND):
        self.encounter = read(text)
        self.file = EncounterFile(text)
        self.text = text

    def put(self, record):
        before = self.encounter.record(key_of(record))
        self.encounter = self.encounter.with_changes([Change(key_of(record), before, record)])

    def edit(self, kind, id, **fields):
        self.put(replace(self.encounter.need(kind, id), **fields))

    def remove(self, kind, id):
        record = self.encounter.need(kind, id)
        change = Change((kind.table, id), record, None, self.encounter.index_of((kind.table, id)))
        self.encounter = self.encounter.with_changes([change])
        return change

    def undo(self, change):
        self.encounter = self.encounter.with_changes([change.reversed()])

    def save(self):
        """Save, and return the lines that went and came."""
        text = self.file.render(self.encounter)
        assert read(text) == self.encounter
        changed = [
            line for line in difflib.ndiff(self.text.splitlines(), text.splitlines()) if line.startswith(("- ", "+ "))
        ]
        self.text = text
        return changed


def test_what_was_not_changed_is_saved_byte_for_byte():
    desk = Desk()
    assert desk.save() == []
    assert desk.text == BY_HAND


@for_each("ending", ["\r\n", "\n"])
@for_each("start", ["", "\ufeff"])
@for_each("last", ["", "\n\n# the end"])
def test_line_ends_and_marks_stay(ending, start, last):
    text = start + (BY_HAND + last).replace("\n", ending)
    desk = Desk(text)
    desk.edit(Creature, "raider", hp=12)
    assert desk.save() == ["- hp = 11", "+ hp = 12"]
    assert desk.text == text.replace("hp = 11", "hp = 12")


@for_each(
    ("kind", "id", "fields", "lines"),
    [
        (Creature, "boss", {"hp": 50}, ["- hp = 0x2D     # in hexadecimal, for a bet", "+ hp = 50     # in hexadecimal, for a bet"]),
        (Creature, "boss", {"ac": 10}, ["- ac = 1_5", "+ ac = 10"]),
        (Scene, "scene", {"round_seconds": 60}, ["- round_seconds = 6   # the usual length, said anyway", "+ round_seconds = 60   # the usual length, said anyway"]),
        (Scene, "scene", {"title": "Thin ice"}, ["- title   =   'The \"thin\" ice'   # quotes inside", "+ title   =   'Thin ice'   # quotes inside"]),
        (Scene, "scene", {"light": "dim"}, ["+ light = \"dim\""]),
        (Creature, "boss", {"speeds": (("walk", 40), ("swim", 20))}, ["- speeds = {walk=30,   swim = 20}", "+ speeds = {walk=40,   swim = 20}"]),
        (Creature, "boss", {"speeds": (("walk", 30),)}, ["- speeds = {walk=30,   swim = 20}", "+ speeds = {walk=30}"]),
        (Creature, "boss", {"resistances": ("cold", "fire", "poison")}, ["+     \"poison\","]),
        (Creature, "boss", {"resistances": ("fire",)}, ["-     \"cold\",   # the blood"]),
        (RosterEntry, "raiders", {"count": 4}, ["- raiders = { creature = \"raider\", count = 3 }", "+ raiders = { creature = \"raider\", count = 4 }"]),
        (RosterEntry, "raiders", {"hp": 9}, ["- raiders = { creature = \"raider\", count = 3 }", "+ raiders = { creature = \"raider\", count = 3, hp = 9 }"]),
        (RosterEntry, "boss", {"wave": ""}, ["- boss.wave = \"late\"", "+ boss.wave = \"\""]),
        (RosterEntry, "boss", {"count": 2}, ["+ boss.count = 2"]),
        (Countdown, "ice", {"speed": "fast"}, ["+ speed = \"fast\""]),
    ],
)  # fmt: skip
def test_one_field_changed_changes_one_line(kind, id, fields, lines):
    desk = Desk()
    desk.edit(kind, id, **fields)
    assert desk.save() == lines


def test_a_figure_changed_and_changed_back_has_its_old_spelling():
    desk = Desk()
    boss = desk.encounter.need(Creature, "boss")
    desk.edit(Creature, "boss", hp=50, resistances=())
    desk.save()
    desk.put(boss)
    desk.save()
    assert desk.text == BY_HAND


@pytest.mark.parametrize(
    ("kind", "id"),
    [(Creature, "boss"), (Creature, "raider"), (RosterEntry, "raiders"), (RosterEntry, "boss"), (Countdown, "ice")],
)
def test_what_is_removed_saved_and_brought_back_stands_where_it_stood(kind, id):
    desk = Desk()
    change = desk.remove(kind, id)
    assert desk.save()
    desk.edit(Scene, "scene", round_seconds=60)
    desk.save()
    desk.undo(change)
    desk.edit(Scene, "scene", round_seconds=6)
    desk.save()
    assert desk.text == BY_HAND


def test_a_feature_removed_takes_only_its_own_lines():
    desk = Desk()
    boss = desk.encounter.need(Creature, "boss")
    desk.edit(Creature, "boss", features=boss.features[:1])
    lines = desk.save()
    assert "-   # Once a fight." in lines
    assert not any("Axe" in line or "Cannon" in line for line in lines)
    desk.put(boss)
    desk.save()
    assert desk.text == BY_HAND


def test_comments_that_stand_apart_outlive_the_table_above_them():
    desk = Desk()
    desk.remove(Creature, "raider")
    desk.save()
    assert "# ---- The roster ----" in desk.text
    assert "# Cannon fodder" not in desk.text


def test_unknown_keys_outlive_every_change_of_their_table():
    desk = Desk()
    desk.edit(Creature, "boss", name="Grim", hp=1, ac=20, resistances=("acid",), languages="Common")
    desk.save()
    assert 'favourite_food = "herring"' in desk.text
    assert 'weather = {sky = "grey", wind = 0x10} # not ours' in desk.text


def test_a_new_name_changes_headers_only():
    desk = Desk()
    boss = desk.encounter.need(Creature, "boss")
    place = desk.encounter.index_of(("creatures", "boss"))
    chief = replace(boss, id="the chief")
    desk.encounter = desk.encounter.with_changes(
        [Change(("creatures", "boss"), boss, None, place), Change(("creatures", "the chief"), None, chief, place)]
    )
    assert [line for line in desk.save() if line.startswith("+")] == [
        '+ [creatures."the chief"]',
        '+   [creatures."the chief".features.axe]',
        '+   [creatures."the chief".features.roar]',
    ]


def test_a_new_creature_stands_after_the_last_of_its_kind():
    desk = Desk()
    axe = Feature(id="bite", name="Bite", cost="action", damage="1d6 piercing")
    desk.put(Creature(id="wolf", name="Wolf", hp=11, speeds=(("walk", 40),), features=(axe,)))
    assert desk.save() == [
        "+ [creatures.wolf]",
        '+ name = "Wolf"',
        "+ hp = 11",
        "+ speeds = { walk = 40 }",
        "+ ",
        "+ [creatures.wolf.features.bite]",
        '+ name = "Bite"',
        '+ cost = "action"',
        '+ damage = "1d6 piercing"',
        "+ ",
    ]
    assert desk.text.index("[creatures.raider]") < desk.text.index("[creatures.wolf]") < desk.text.index("[roster]")


def test_a_new_order_moves_tables_with_their_comments():
    desk = Desk()
    boss, raider = desk.encounter.all(Creature)
    others = [record for record in desk.encounter if not isinstance(record, Creature)]
    desk.encounter = Encounter([raider, boss, *others])
    desk.save()
    assert desk.text.index("# Cannon fodder\n[creatures.raider]") < desk.text.index(
        "# The boss comes first.\n[creatures.boss]"
    )
    desk.encounter = Encounter([boss, raider, *others])
    desk.save()
    assert desk.text == BY_HAND


def test_an_array_of_tables_keeps_the_elements_that_stay():
    desk = Desk()
    first, second = desk.encounter.need(Countdown, "ice").outcomes
    desk.edit(Countdown, "ice", outcomes=(AddWave("late"), first, second))
    assert desk.save() == ["+ ", "+ [[countdowns.ice.outcomes]]", '+ kind = "add-wave"', '+ wave = "late"']
    desk.edit(Countdown, "ice", outcomes=(first, DealDamage("3d6 cold"), Announce("Run!")))
    lines = desk.save()
    assert 'kind = "announce"   # out loud' in desk.text
    assert '+ damage = "3d6 cold"' in lines


def test_what_cannot_be_moved_in_place_is_written_anew_with_every_unknown_key():
    mixed = """\
format = 3
system = "a5e"
[creatures.a]
name = "A"
[roster]
one = { creature = "a", colour = "red" }
[roster.two]
creature = "a"
"""
    desk = Desk(mixed)
    one, two = desk.encounter.all(RosterEntry)
    desk.encounter = Encounter([*(r for r in desk.encounter if not isinstance(r, RosterEntry)), two, one])
    desk.save()
    assert desk.text.index("[roster.two]") < desk.text.index("[roster.one]")
    assert 'colour = "red"' in desk.text


def test_a_new_file_is_laid_out_for_reading():
    text = EncounterFile().render(
        Encounter(
            [
                Scene(title="Ford", notes="Rain.\nMud."),
                Creature(id="toad", name="Toad", abilities=(("str", 14),)),
                RosterEntry(id="toads", creature="toad", count=2, positions=((1, 2), (3, 4))),
                Environment(id="bog", name="Bog"),
                Countdown(id="rain", name="Rain", outcomes=(Announce("Wet."), AddWave("two"))),
            ]
        )
    )
    assert (
        text
        == '''\
format = 3
system = "a5e"
title = "Ford"

[scene]
notes = """
Rain.
Mud."""

[creatures.toad]
name = "Toad"
abilities = { str = 14 }

[roster.toads]
creature = "toad"
count = 2
positions = [[1, 2], [3, 4]]

[environments.bog]
name = "Bog"

[countdowns.rain]
name = "Rain"
outcomes = [
    { kind = "announce", text = "Wet." },
    { kind = "add-wave", wave = "two" },
]
'''
    )


def test_a_save_added_to_a_row_stands_on_one_line():
    desk = Desk(BY_HAND + '\n[environments.lake]\nname = "Lake"\n[environments.lake.actions.crack]\nname = "Crack"\n')
    lake = desk.encounter.need(Environment, "lake")
    desk.edit(Environment, "lake", actions=(replace(lake.actions[0], save=SavingThrow("dex", 13), recharge=5),))
    assert desk.save() == ['+ save = { ability = "dex", dc = 13 }', "+ recharge = 5"]


def test_what_is_added_saved_and_taken_back_leaves_the_file_as_it_was():
    desk = Desk()
    desk.put(Creature(id="wolf", name="Wolf"))
    desk.put(RosterEntry(id="wolves", creature="wolf", count=3))
    desk.save()
    desk.remove(Creature, "wolf")
    desk.remove(RosterEntry, "wolves")
    desk.save()
    assert desk.text == BY_HAND


def test_a_text_that_did_not_reach_the_disk_changes_nothing_for_the_next():
    desk = Desk()
    raider = desk.encounter.need(Creature, "raider")
    before = desk.encounter
    desk.remove(Creature, "boss")
    assert "[creatures.boss]" not in desk.file.render(desk.encounter)
    desk.encounter = before
    desk.put(replace(raider, hp=12))
    assert desk.save() == ["- hp = 11", "+ hp = 12"]


def test_a_text_that_came_from_elsewhere_is_the_one_changed_next():
    desk = Desk()
    desk.file = EncounterFile(BY_HAND.replace("# Cannon fodder", "# Sword fodder"))
    desk.edit(Creature, "raider", hp=12)
    desk.save()
    assert "# Sword fodder" in desk.text


WITH_MAP = """\
format = 3
title = "Yard"
system = "a5e"

# The yard, as the players drew it.
[map]
columns = 6
rows = 3
ground = '''
..##..
..,,..   # the brook
......
'''
walls = [
    [2, 0, 2, 2],   # the shed
]

[map.obstacles.cart]
at = [1, 1]
cover = "half"   # tipped over

[map.areas.mud]
feature = "clinging-mud"
squares = [[0, 0, 2, 3]]
"""


def changed_lines(before: str, after: str) -> list[str]:
    """The lines that a diff of two texts takes out or puts in."""
    diff = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0)
    return [line for line in diff if line[:1] in "+-" and line[:3] not in ("+++", "---")]


def with_map(**fields):
    """The map's file before and after some of its fields are changed."""
    encounter = parse_encounter(WITH_MAP.encode(), Path("x.toml"), {"a5e"}).encounter
    assert encounter is not None
    file = EncounterFile(WITH_MAP)
    assert file.render(encounter) == WITH_MAP
    field = encounter.need(Map, "map")
    fields = {name: change(getattr(field, name)) for name, change in fields.items()}
    changed = encounter.with_changes([Change(key_of(field), field, replace(field, **fields))])
    text = file.render(changed)
    assert parse_encounter(text.encode(), Path("x.toml"), {"a5e"}).encounter == changed
    return changed_lines(WITH_MAP, text)


@pytest.mark.parametrize(
    ("name", "change", "lines"),
    [
        ("columns", lambda _: 8, ["-columns = 6", "+columns = 8"]),
        ("ground", lambda text: text.replace("..,,..", "..,~.."), ["-..,,..   # the brook", "+..,~..   # the brook"]),
        ("walls", lambda walls: (*walls, (3, 0, 3, 1)), ["+    [3, 0, 3, 1],"]),
        ("obstacles", lambda found: (replace(found[0], at=(2, 1)),), ["-at = [1, 1]", "+at = [2, 1]"]),
        ("heights", lambda _: "..1\n", ['+heights = """', "+..1", '+"""']),
    ],
)
def test_a_drawn_map_changes_where_it_was_changed(name, change, lines):
    assert with_map(**{name: change}) == lines


def test_a_new_map_is_drawn_line_by_line():
    field = Map(columns=3, rows=2, ground="..#\n.,.\n", windows=((1, 0, 1, 2),), obstacles=(Obstacle("cart"),))
    text = EncounterFile().render(Encounter([Scene(), field]))
    assert 'ground = """\n..#\n.,.\n"""\n' in text
    assert "[map.obstacles.cart]" in text
    assert parse_encounter(text.encode(), Path("x.toml"), {"a5e"}).encounter == Encounter([Scene(), field])


def test_a_map_is_taken_out_and_put_back_as_it_stood():
    encounter = parse_encounter(WITH_MAP.encode(), Path("x.toml"), {"a5e"}).encounter
    assert encounter is not None
    file = EncounterFile(WITH_MAP)
    assert "map" not in file.render(Encounter(record for record in encounter if record.table != "map"))
    assert file.render(encounter) == WITH_MAP


# Golden texts: each style of writing is kept ------------------------------------------------------------------------

ON_ONE_LINE = """\
format = 3
system = "a5e"

[ creatures ]   # all of them
boss = { name = "Hrimgar", hp = 45 }   # the boss
raider = { name = "Raider", hp = 11, favourite_food = "herring" }

[ roster ]
raiders = { creature = "raider", count = 3 }
"""
DOTTED = """\
format = 3
system = "a5e"

creatures.boss.name = "Hrimgar"   # the boss
creatures.boss.hp = 45
creatures . raider . name = "Raider"
creatures.raider.speeds.walk = 20
roster.raiders.creature = "raider"
"""
HEADED = """\
format = 3
system = "a5e"

# ---- Creatures ----

# the boss
[ creatures . "boss" ]   # first
name = "Hrimgar"
hp = 45
  [ creatures . 'boss' . features . axe ]
  name = "Axe"
  attack = 6

# fodder
[creatures.raider]
name = "Raider"
hp = 11
favourite_food = "herring"

# ---- Roster ----

[roster.raiders]
creature = "raider"
"""
WOLF = Creature("wolf", "Wolf", hp=11, features=(Feature("bite", "Bite", damage="1d6"),))


def add_cat(desk):
    desk.put(Creature("cat", "Cat", hp=2))
    desk.put(RosterEntry("cats", "cat"))


def add_wolf(desk):
    desk.put(WOLF)


def rename_raider(desk):
    raider, place = desk.encounter.need(Creature, "raider"), desk.encounter.index_of(("creatures", "raider"))
    fodder = replace(raider, id="cannon fodder")
    changes = [Change(("creatures", "raider"), raider, None, place), Change(key_of(fodder), None, fodder, place)]
    desk.encounter = desk.encounter.with_changes(changes)
    desk.edit(RosterEntry, "raiders", creature=fodder.id)


def raider_first(desk):
    boss, raider = desk.encounter.all(Creature)
    others = [record for record in desk.encounter if not isinstance(record, Creature)]
    desk.encounter = Encounter([raider, boss, *others])


def add_roar(desk):
    features = desk.encounter.need(Creature, "boss").features
    desk.edit(Creature, "boss", features=(*features, Feature("roar", "Roar", save="wis", dc=14)))


def teach_raider(desk):
    desk.edit(Creature, "raider", speeds=(("walk", 20), ("swim", 10)), languages="Common")


def remove_raider(desk):
    desk.remove(RosterEntry, "raiders")
    desk.remove(Creature, "raider")


GOLDEN = [
    (
        ON_ONE_LINE,
        add_cat,
        """
+cat = { name = "Cat", hp = 2 }
+cats = { creature = "cat" }
""",
    ),
    (
        ON_ONE_LINE,
        add_wolf,
        """
+[creatures.wolf]
+name = "Wolf"
+hp = 11
+
+[creatures.wolf.features.bite]
+name = "Bite"
+damage = "1d6"
+
""",
    ),
    (
        ON_ONE_LINE,
        rename_raider,
        """
-raider = { name = "Raider", hp = 11, favourite_food = "herring" }
+"cannon fodder" = { name = "Raider", hp = 11, favourite_food = "herring" }
-raiders = { creature = "raider", count = 3 }
+raiders = { creature = "cannon fodder", count = 3 }
""",
    ),
    (
        ON_ONE_LINE,
        add_roar,
        """
-boss = { name = "Hrimgar", hp = 45 }   # the boss
+boss = { name = "Hrimgar", hp = 45, features = { roar = { name = "Roar", save = "wis", dc = 14 } } }   # the boss
""",
    ),
    (
        ON_ONE_LINE,
        remove_raider,
        """
-raider = { name = "Raider", hp = 11, favourite_food = "herring" }
-raiders = { creature = "raider", count = 3 }
""",
    ),
    (
        DOTTED,
        add_cat,
        """
+
+[creatures.cat]
+name = "Cat"
+hp = 2
+
+[roster.cats]
+creature = "cat"
""",
    ),
    (
        DOTTED,
        rename_raider,
        """
-creatures . raider . name = "Raider"
-creatures.raider.speeds.walk = 20
-roster.raiders.creature = "raider"
+creatures . "cannon fodder" . name = "Raider"
+creatures."cannon fodder".speeds.walk = 20
+roster.raiders.creature = "cannon fodder"
""",
    ),
    (
        DOTTED,
        teach_raider,
        """
+creatures.raider.speeds.swim = 10
+creatures.raider.languages = "Common"
""",
    ),
    (
        HEADED,
        add_cat,
        """
+[creatures.cat]
+name = "Cat"
+hp = 2
+
+
+[roster.cats]
+creature = "cat"
""",
    ),
    (
        HEADED,
        rename_raider,
        """
-[creatures.raider]
+[creatures."cannon fodder"]
-creature = "raider"
+creature = "cannon fodder"
""",
    ),
    (
        HEADED,
        add_roar,
        """
+[creatures.boss.features.roar]
+name = "Roar"
+save = "wis"
+dc = 14
+
""",
    ),
    (
        HEADED,
        teach_raider,
        """
+speeds = { walk = 20, swim = 10 }
+languages = "Common"
""",
    ),
    (
        HEADED,
        remove_raider,
        """
-# fodder
-[creatures.raider]
-name = "Raider"
-hp = 11
-favourite_food = "herring"
-
-
-[roster.raiders]
-creature = "raider"
""",
    ),
]


@for_each(("text", "change", "lines"), GOLDEN)
def test_each_style_of_writing_is_kept(text, change, lines):
    desk = Desk(text)
    change(desk)
    desk.save()
    assert changed_lines(text, desk.text) == lines.strip("\n").split("\n")


def test_a_new_table_stands_above_the_comment_that_begins_the_next_part():
    desk = Desk(HEADED)
    add_cat(desk)
    desk.save()
    assert '[creatures.cat]\nname = "Cat"\nhp = 2\n\n# ---- Roster ----\n' in desk.text


def test_tables_in_a_new_order_leave_the_comments_that_begin_a_part():
    desk = Desk(HEADED)
    raider_first(desk)
    desk.save()
    marks = ["# ---- Creatures", "# fodder\n[creatures.raider]", '# the boss\n[ creatures . "boss" ]', "# ---- Roster"]
    assert sorted(marks, key=desk.text.index) == marks


@pytest.mark.parametrize("when", ["1979-05-27", "07:32:15", "1979-05-27 07:32:00-07:00"])
def test_a_date_beside_a_changed_value_stays(when):
    desk = Desk(ON_ONE_LINE.replace('favourite_food = "herring"', f"born = {when}"))
    desk.edit(Creature, "raider", hp=12, features=WOLF.features)
    desk.save()
    assert f"born = {when}" in desk.text


def test_a_file_that_is_written_anew_keeps_unknown_tables_and_dates(monkeypatch):
    monkeypatch.setattr("turnwright.storage.encounters.edited_text", lambda *given: "nothing of use")
    desk = Desk(
        'format = 3\nsystem = "a5e"\n[played]\non = 1979-05-27\n[creatures.a]\nname = "A"\nborn.at = 07:32:15\n'
    )
    desk.edit(Creature, "a", hp=3)
    desk.save()
    assert "[played]\non = 1979-05-27\n" in desk.text
    assert "born = { at = 07:32:15 }\n" in desk.text


def outcomes_of(number):
    return "".join(f'[[countdowns.ice.outcomes]]\nkind = "announce"\ntext = "{at}"\n' for at in range(number))


def test_one_of_many_elements_is_found_without_comparing_all_with_all():
    work = {}
    for number in (100, 400):
        desk = Desk('format = 3\nsystem = "a5e"\n[countdowns.ice]\nname = "Ice"\n' + outcomes_of(number))
        outcomes = desk.encounter.need(Countdown, "ice").outcomes
        desk.edit(Countdown, "ice", outcomes=(*outcomes[:50], *outcomes[51:]))
        work[number] = steps(lambda desk=desk: desk.file.render(desk.encounter))
        assert len(desk.save()) == 3
    assert work[400] < 5 * work[100]
