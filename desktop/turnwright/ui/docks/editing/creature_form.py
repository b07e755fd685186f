"""The forms of a creature: who it is, its figures, its defences, and the rarer figures in groups of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

import msgspec
from PySide6.QtWidgets import QVBoxLayout, QWidget

from turnwright.encounter.bounds import dice_problem
from turnwright.encounter.prepared import Creature
from turnwright.rules.catalogue import Catalogue
from turnwright.rules.parts.speeds import HOVER
from turnwright.ui.docks.editing.amounts import AmountsField
from turnwright.ui.docks.editing.compound import AbilitiesField, FigureGrid, FigureList, PicksField
from turnwright.ui.docks.editing.fields import (
    ChoiceField,
    DiceField,
    DraftField,
    LongTextField,
    NumberBox,
    Options,
    SwitchField,
    TextField,
    WordsField,
)
from turnwright.ui.docks.editing.form import Form, Slot
from turnwright.ui.docks.editing.groups import GroupedForm
from turnwright.ui.docks.editing.subjects import Subject
from turnwright.ui.docks.editing.written import read_remarks, remarks_problem, write_remarks
from turnwright.ui.say import say

TYPES = (
    "aberration", "beast", "celestial", "construct", "dragon", "elemental", "fey", "fiend", "giant", "humanoid",
    "monstrosity", "ooze", "plant", "undead",
)  # fmt: skip
SENSES = ("blindsight", "darkvision", "tremorsense", "truesight")
PASSIVES = ("perception", "investigation", "insight")
SPELL_LEVELS = 9
BARE = Creature("", "")
NONE = "–"
DISABLE_DC = 15  # what a new one starts with

GROUPS: Mapping[str, tuple[str, ...]] = MappingProxyType({
    "training": ("level", "proficiency", "maneuver_dc", "specialties"),
    "body": ("attacks", "reach", "space", "extra_attack"),
    "passives": ("passives",),
    "spells": ("spellcasting", "slots"),
    "legendary": ("legendary",),
    "pools": ("pools",),
    "origin": ("alignment", "xp", "environments", "description", "remarks", "licence", "read"),
})  # fmt: skip
FULLER: Mapping[str, str] = MappingProxyType({"training": "maneuver_dc", "body": "attacks"})
EVERYWHERE = (
    "reach",
    "space",
    "pools",
    *GROUPS["origin"],
)  # figures that no game goes without, or says by other means that it has
RATINGS = ("0", "1/8", "1/4", "1/2", *(str(rating) for rating in range(1, 31)))


def said_problem(text: str) -> str:
    """Return what is wrong with a dice expression as a sentence, empty for nothing."""
    problem = dice_problem(text)
    return say("ui.editing.not-dice", why=problem.partition(": ")[2] or problem) if problem else ""


def named(entries: tuple) -> Options:
    """Return the choices that entries of a catalogue make."""
    return [(entry.id, entry.name) for entry in entries]


class IdentityForm(Form):
    """Who a creature is; where its rating is its level, writing the one writes the other."""

    def __init__(self, subject: Subject, leveled: bool, parent: QWidget) -> None:
        super().__init__(subject, parent)
        self._leveled = leveled

    def _edit(self, name: str, value: Any) -> None:
        current = self.subject.value()
        if name == "rating" and self._leveled and current is not None and current.rating != value:
            level = int(value) if value.isdecimal() else 0
            self.subject.put(msgspec.structs.replace(current, rating=value, level=level), name)
        else:
            super()._edit(name, value)


def known(catalogue: Catalogue, slots: Iterable[Slot]) -> list[Slot]:
    """Return those fields that mean something in the game."""
    return [slot for slot in slots if slot[0] in EVERYWHERE or catalogue.presentation.has(slot[0])]


def identity_form(subject: Subject, catalogue: Catalogue, parent: QWidget) -> Form:
    """Return the form of who a creature is and what it can take."""
    shown = catalogue.presentation
    form = IdentityForm(subject, shown.leveled, parent)
    types = [(type, type.capitalize()) for type in TYPES]
    ratings = shown.ratings or RATINGS
    form.row(("name", "ui.creature.name", TextField(say("ui.creature.name-hint"))))
    form.row(
        ("size", "ui.creature.size", ChoiceField(named(catalogue.sizes))),
        ("type", "ui.creature.type", ChoiceField(types, free=True)),
    )
    form.row(
        ("tags", "ui.creature.tags", WordsField(say("ui.creature.tags-hint"))),
        ("rating", "ui.creature.rating", ChoiceField([(rating, rating) for rating in ratings], free=True)),
        stretch=(2, 1),
    )
    form.row(
        ("ac", "ui.stat.ac", NumberBox(0, 99, "", NONE, zero_is_blank=True)),
        ("ac_note", "ui.creature.ac-note", TextField(say("ui.creature.ac-hint"))),
    )
    hp: Slot = ("hp", "ui.stat.hp", NumberBox(0, 9999, say("ui.creature.hp-unit")))
    languages: Slot = ("languages", "ui.stat.languages", TextField())
    initiative: Slot = ("initiative", "ui.stat.initiative", NumberBox(-20, 40, "", say("ui.creature.usual-check")))
    if shown.has("hit_dice"):
        form.row(hp, ("hit_dice", "ui.creature.hit-dice", DiceField(said_problem, "4d8+8")))
        form.row(initiative, languages)
    else:
        form.row(hp, initiative)
        form.row(languages)
    return form


def figures_form(subject: Subject, catalogue: Catalogue, usual: Callable[[str], int], parent: QWidget) -> Form:
    """Return the form of a creature's speeds, abilities, saves, skills and senses."""
    shorts = [(ability.id, ability.short) for ability in catalogue.abilities]
    saves = catalogue.presentation.saves or tuple(shorts)
    form = Form(subject, parent)
    form.heading("ui.stat.speed", "run")
    speeds = FigureGrid(named(catalogue.speeds), 3, 0, say("ui.general.feet"), seldom=(HOVER,))
    form.row(("speeds", "", speeds))
    form.row(("hovers", "", SwitchField(say("ui.creature.hovers"))))
    form.heading("ui.creature.abilities", "human")
    form.row(("abilities", "", AbilitiesField(shorts, catalogue.ability_scale)))
    form.heading("ui.stat.saves", "shield-half-full")
    form.row(("saves", "", FigureGrid(saves, max(1, len(saves)), -20, arrows=False)))
    form.heading("ui.stat.skills", "tools")
    form.row(("skills", "", FigureList(named(catalogue.skills), -20, usual, say("ui.creature.add-skill"))))
    form.heading("ui.stat.senses", "eye-outline")
    senses = [(sense, sense.capitalize()) for sense in SENSES]
    unit = say("ui.general.feet")
    field = FigureList(senses, 0, lambda _id: 60, say("ui.creature.add-sense"), unit, free=True)
    form.row(("senses", "", field))
    if catalogue.dying.things.tags:
        form.heading("ui.creature.disable", "hammer-wrench")
        skills = FigureList(named(catalogue.skills), 0, lambda _id: DISABLE_DC, say("ui.creature.add-skill"))
        form.row(("disable", "", skills))
        form.row(("disable_needs", "ui.creature.disable-needs", NumberBox(1, 20)))
    return form


def defences_form(subject: Subject, catalogue: Catalogue, gear: Callable[[], Options], parent: QWidget) -> Form:
    """Return the form of what a creature resists, what it wears, and notes."""
    kinds = named(catalogue.damage_types)
    form = Form(subject, parent)
    form.heading("ui.creature.defences", "shield-outline")
    _weaknesses(form, catalogue)
    immune = ("immunities", "ui.creature.immunities", PicksField(kinds))
    never = ("condition_immunities", "ui.creature.condition-immunities", PicksField(named(catalogue.conditions)))
    absorbs = ("absorptions", "ui.creature.absorptions", PicksField(kinds))
    form.row(*known(catalogue, (immune, absorbs, never)))
    form.row(("gear", "ui.stat.gear", PicksField((), gear, own=say("ui.editing.own-gear"))))
    mundane = ("mundane_immunity", "", SwitchField(say("ui.creature.mundane")))
    for slot in known(catalogue, [mundane]):
        form.row(slot, ("mundane_resistance", "", SwitchField(say("ui.creature.mundane-resistance"))))
    form.row(("notes", "ui.stat.notes", LongTextField(say("ui.creature.notes-hint"))))
    return form


def _weaknesses(form: Form, catalogue: Catalogue) -> None:
    """Put what a creature resists and is weak to: types of damage, each by so much where the game has figures for it."""
    kinds = named(catalogue.damage_types)
    if not catalogue.presentation.figured:
        form.row(
            ("resistances", "ui.creature.resistances", PicksField(kinds)),
            ("vulnerabilities", "ui.creature.vulnerabilities", PicksField(kinds)),
        )
        return
    groups = dict.fromkeys(one.group for one in catalogue.damage_types if one.group)
    options = [*kinds, *((group, group.capitalize()) for group in groups), ("all", say("ui.creature.all-damage"))]
    for name, caption in (("resistances", "resistances"), ("vulnerabilities", "weaknesses")):
        form.row((name, f"ui.creature.{caption}", AmountsField(options, say("ui.creature.add-damage"))))


class FurtherForm(GroupedForm):
    """The figures that only some creatures have: training, attacks of an action, passive scores, spells, legendary ones."""

    def __init__(
        self, subject: Subject, catalogue: Catalogue, specialties: Callable[[], Options], parent: QWidget
    ) -> None:
        bare = msgspec.structs.replace(BARE, reach=catalogue.attack.reach or BARE.reach)
        super().__init__(subject, bare, parent)
        self._catalogue = catalogue
        self._specialties = specialties
        shown = catalogue.presentation
        has = {
            id: tuple(name for name in names if name in EVERYWHERE or shown.has(name)) for id, names in GROUPS.items()
        }
        has["pools"] = GROUPS["pools"] if shown.pools else ()
        self.add_groups(
            {id: names for id, names in has.items() if names},
            {
                "training": self._training,
                "body": self._body,
                "passives": self._passives,
                "spells": self._spells,
                "legendary": self._legendary,
                "pools": self._pools,
                "origin": self._origin,
            },
        )

    def group_title(self, id: str) -> str:
        """Return what a group is called: by less where the game has not all that may stand in it."""
        fuller = FULLER.get(id, "")
        less = "-bare" if fuller and not self._catalogue.presentation.has(fuller) else ""
        return say(f"ui.creature.group-{id}{less}")

    def _row(self, column: QVBoxLayout, *slots: Slot) -> None:
        """Put those of some fields side by side that mean something in the game."""
        if shown := known(self._catalogue, slots):
            self.row(*shown, into=column)

    def _training(self, column: QVBoxLayout) -> None:
        self._row(
            column,
            ("level", "ui.creature.level", NumberBox(0, 100, "", NONE, zero_is_blank=True)),
            ("proficiency", "ui.creature.proficiency", NumberBox(0, 20, "", NONE, zero_is_blank=True)),
            ("maneuver_dc", "ui.creature.maneuver-dc", NumberBox(0, 40, "", NONE, zero_is_blank=True)),
        )
        field = PicksField((), self._specialties, own=say("ui.creature.own-specialty"))
        self._row(column, ("specialties", "ui.creature.specialties", field))

    def _body(self, column: QVBoxLayout) -> None:
        feet = say("ui.general.feet")
        self._row(
            column,
            ("attacks", "ui.creature.attacks", NumberBox(1, 100)),
            ("reach", "ui.creature.reach", NumberBox(0, 500, feet)),
            ("space", "ui.creature.space", NumberBox(0, 1000, feet, say("ui.creature.by-size"), zero_is_blank=True)),
        )
        self._row(column, ("extra_attack", "", SwitchField(say("ui.creature.extra-attack"))))

    def _pools(self, column: QVBoxLayout) -> None:
        own = self._catalogue.presentation.pools
        pools = [(one.id, one.name) for one in self._catalogue.resources if one.id in own]
        self.row(("pools", "", FigureGrid(pools, 3, 0)), into=column)

    def _origin(self, column: QVBoxLayout) -> None:
        self.row(
            ("alignment", "ui.creature.alignment", TextField()),
            ("xp", "ui.creature.xp", NumberBox(0, 1_000_000, "", say("ui.creature.by-rating"), zero_is_blank=True)),
            into=column,
        )
        self.row(
            ("environments", "ui.stat.environments", WordsField(say("ui.creature.environments-hint"))), into=column
        )
        self.row(("description", "ui.creature.description", LongTextField()), into=column)
        remarks = DraftField(remarks_problem, read_remarks, write_remarks, say("ui.creature.remarks-hint"))
        self.row(("remarks", "ui.creature.remarks", remarks), into=column)
        self.row(("licence", "ui.creature.licence", TextField()), into=column)
        self.row(("read", "ui.creature.read", WordsField(say("ui.creature.read-hint"))), into=column)

    def _passives(self, column: QVBoxLayout) -> None:
        names = {skill.id: skill.name for skill in self._catalogue.skills}
        scores = [(id, names.get(id, id.capitalize())) for id in PASSIVES]
        self.row(("passives", "", FigureGrid(scores, 3, 0)), into=column)

    def _spells(self, column: QVBoxLayout) -> None:
        abilities = [("", NONE), *named(self._catalogue.abilities)]
        self._row(column, ("spellcasting", "ui.creature.spellcasting", ChoiceField(abilities)))
        levels = [(str(level), say("ui.creature.slots-of", level=level)) for level in range(1, SPELL_LEVELS + 1)]
        self._row(column, ("slots", "ui.creature.slots", FigureGrid(levels, SPELL_LEVELS, 0, arrows=False)))

    def _legendary(self, column: QVBoxLayout) -> None:
        unit = say("ui.creature.a-round")
        self.row(("legendary", "ui.creature.legendary", NumberBox(0, 100, unit, NONE, zero_is_blank=True)), into=column)


def recharge_field() -> ChoiceField:
    """Return the choice of the lowest face that brings something back."""
    faces = [(face, "6" if face == 6 else f"{face}–6") for face in range(6, 1, -1)]
    return ChoiceField([(0, say("ui.feature.no-recharge")), *faces])
