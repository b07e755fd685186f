"""The forms of a creature: who it is, its figures, its defences, and the rarer figures in groups of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from PySide6.QtWidgets import QVBoxLayout, QWidget

from turnwright.encounter.bounds import dice_problem
from turnwright.encounter.prepared import Creature
from turnwright.rules.catalogue import Catalogue
from turnwright.ui.docks.editing.compound import AbilitiesField, FigureGrid, FigureList, PicksField
from turnwright.ui.docks.editing.fields import (
    ChoiceField,
    DiceField,
    LongTextField,
    NumberBox,
    Options,
    SwitchField,
    TextField,
    WordsField,
)
from turnwright.ui.docks.editing.form import Form
from turnwright.ui.docks.editing.groups import GroupedForm
from turnwright.ui.docks.editing.subjects import Subject
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

GROUPS: Mapping[str, tuple[str, ...]] = MappingProxyType({
    "training": ("level", "proficiency", "maneuver_dc", "specialties"),
    "body": ("attacks", "reach", "space", "extra_attack"),
    "passives": ("passives",),
    "spells": ("spellcasting", "slots"),
    "legendary": ("legendary",),
})  # fmt: skip
RATINGS = ("0", "1/8", "1/4", "1/2", *(str(rating) for rating in range(1, 31)))


def said_problem(text: str) -> str:
    """Return what is wrong with a dice expression as a sentence, empty for nothing."""
    problem = dice_problem(text)
    return say("ui.editing.not-dice", why=problem.partition(": ")[2] or problem) if problem else ""


def named(entries: tuple) -> Options:
    """Return the choices that entries of a catalogue make."""
    return [(entry.id, entry.name) for entry in entries]


def identity_form(subject: Subject, catalogue: Catalogue, parent: QWidget) -> Form:
    """Return the form of who a creature is and what it can take."""
    form = Form(subject, parent)
    types = [(type, type.capitalize()) for type in TYPES]
    form.row(("name", "ui.creature.name", TextField(say("ui.creature.name-hint"))))
    form.row(
        ("size", "ui.creature.size", ChoiceField(named(catalogue.sizes))),
        ("type", "ui.creature.type", ChoiceField(types, free=True)),
    )
    form.row(
        ("tags", "ui.creature.tags", WordsField(say("ui.creature.tags-hint"))),
        ("rating", "ui.creature.rating", ChoiceField([(rating, rating) for rating in RATINGS], free=True)),
        stretch=(2, 1),
    )
    form.row(
        ("ac", "ui.stat.ac", NumberBox(0, 99)),
        ("ac_note", "ui.creature.ac-note", TextField(say("ui.creature.ac-hint"))),
    )
    form.row(
        ("hp", "ui.stat.hp", NumberBox(1, 9999, say("ui.creature.hp-unit"))),
        ("hit_dice", "ui.creature.hit-dice", DiceField(said_problem, "4d8+8")),
    )
    form.row(
        ("initiative", "ui.stat.initiative", NumberBox(-20, 40, "", say("ui.creature.from-dex"))),
        ("languages", "ui.stat.languages", TextField()),
    )
    return form


def figures_form(subject: Subject, catalogue: Catalogue, usual: Callable[[str], int], parent: QWidget) -> Form:
    """Return the form of a creature's speeds, abilities, saves, skills and senses."""
    shorts = [(ability.id, ability.short) for ability in catalogue.abilities]
    form = Form(subject, parent)
    form.heading("ui.stat.speed", "run")
    form.row(("speeds", "", FigureGrid(named(catalogue.speeds), 3, 0, say("ui.general.feet"))))
    form.row(("hovers", "", SwitchField(say("ui.creature.hovers"))))
    form.heading("ui.creature.abilities", "human")
    form.row(("abilities", "", AbilitiesField(shorts)))
    form.heading("ui.stat.saves", "shield-half-full")
    form.row(("saves", "", FigureGrid(shorts, 6, -20, arrows=False)))
    form.heading("ui.stat.skills", "tools")
    form.row(("skills", "", FigureList(named(catalogue.skills), -20, usual, say("ui.creature.add-skill"))))
    form.heading("ui.stat.senses", "eye-outline")
    senses = [(sense, sense.capitalize()) for sense in SENSES]
    unit = say("ui.general.feet")
    field = FigureList(senses, 0, lambda _id: 60, say("ui.creature.add-sense"), unit, free=True)
    form.row(("senses", "", field))
    return form


def defences_form(subject: Subject, catalogue: Catalogue, gear: Callable[[], Options], parent: QWidget) -> Form:
    """Return the form of what a creature resists, what it wears, and notes."""
    kinds = named(catalogue.damage_types)
    form = Form(subject, parent)
    form.heading("ui.creature.defences", "shield-outline")
    form.row(
        ("resistances", "ui.creature.resistances", PicksField(kinds)),
        ("vulnerabilities", "ui.creature.vulnerabilities", PicksField(kinds)),
    )
    form.row(
        ("immunities", "ui.creature.immunities", PicksField(kinds)),
        ("condition_immunities", "ui.creature.condition-immunities", PicksField(named(catalogue.conditions))),
    )
    form.row(("gear", "ui.stat.gear", PicksField((), gear, own=say("ui.editing.own-gear"))))
    form.row(("mundane_immunity", "", SwitchField(say("ui.creature.mundane"))))
    form.row(("notes", "ui.stat.notes", LongTextField(say("ui.creature.notes-hint"))))
    return form


class FurtherForm(GroupedForm):
    """The figures that only some creatures have: training, attacks of an action, passive scores, spells, legendary ones."""

    def __init__(
        self, subject: Subject, catalogue: Catalogue, specialties: Callable[[], Options], parent: QWidget
    ) -> None:
        super().__init__(subject, BARE, parent)
        self._catalogue = catalogue
        self._specialties = specialties
        self.add_groups(
            GROUPS,
            {
                "training": self._training,
                "body": self._body,
                "passives": self._passives,
                "spells": self._spells,
                "legendary": self._legendary,
            },
        )

    def group_title(self, id: str) -> str:
        """Return what a group is called."""
        return say(f"ui.creature.group-{id}")

    def _training(self, column: QVBoxLayout) -> None:
        self.row(
            ("level", "ui.creature.level", NumberBox(0, 100, "", NONE, zero_is_blank=True)),
            ("proficiency", "ui.creature.proficiency", NumberBox(0, 20, "", NONE, zero_is_blank=True)),
            ("maneuver_dc", "ui.creature.maneuver-dc", NumberBox(0, 40, "", NONE, zero_is_blank=True)),
            into=column,
        )
        field = PicksField((), self._specialties, own=say("ui.creature.own-specialty"))
        self.row(("specialties", "ui.creature.specialties", field), into=column)

    def _body(self, column: QVBoxLayout) -> None:
        feet = say("ui.general.feet")
        self.row(
            ("attacks", "ui.creature.attacks", NumberBox(1, 100)),
            ("reach", "ui.creature.reach", NumberBox(0, 500, feet)),
            ("space", "ui.creature.space", NumberBox(0, 1000, feet, say("ui.creature.by-size"), zero_is_blank=True)),
            into=column,
        )
        self.row(("extra_attack", "", SwitchField(say("ui.creature.extra-attack"))), into=column)

    def _passives(self, column: QVBoxLayout) -> None:
        names = {skill.id: skill.name for skill in self._catalogue.skills}
        scores = [(id, names.get(id, id.capitalize())) for id in PASSIVES]
        self.row(("passives", "", FigureGrid(scores, 3, 0)), into=column)

    def _spells(self, column: QVBoxLayout) -> None:
        abilities = [("", NONE), *named(self._catalogue.abilities)]
        self.row(("spellcasting", "ui.creature.spellcasting", ChoiceField(abilities)), into=column)
        levels = [(str(level), say("ui.creature.slots-of", level=level)) for level in range(1, SPELL_LEVELS + 1)]
        self.row(("slots", "ui.creature.slots", FigureGrid(levels, SPELL_LEVELS, 0, arrows=False)), into=column)

    def _legendary(self, column: QVBoxLayout) -> None:
        unit = say("ui.creature.a-round")
        self.row(("legendary", "ui.creature.legendary", NumberBox(0, 100, unit, NONE, zero_is_blank=True)), into=column)


def recharge_field() -> ChoiceField:
    """Return the choice of the lowest face that brings something back."""
    faces = [(face, "6" if face == 6 else f"{face}–6") for face in range(6, 1, -1)]
    return ChoiceField([(0, say("ui.feature.no-recharge")), *faces])
