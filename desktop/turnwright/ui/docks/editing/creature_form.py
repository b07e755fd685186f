"""The forms of a creature and of one of its features."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from turnwright.encounter.bounds import dice_problem
from turnwright.encounter.prepared import Feature
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
from turnwright.ui.docks.editing.subjects import Subject
from turnwright.ui.say import say

TYPES = (
    "aberration", "beast", "celestial", "construct", "dragon", "elemental", "fey", "fiend", "giant", "humanoid",
    "monstrosity", "ooze", "plant", "undead",
)  # fmt: skip
SENSES = ("blindsight", "darkvision", "tremorsense", "truesight")
COSTS = ("trait", "action", "bonus", "reaction", "legendary", "free")
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


def feature_form(subject: Subject, catalogue: Catalogue, parent: QWidget) -> Form:
    """Return the form of one trait or action."""
    abilities = [("", say("ui.editing.no-save")), *named(catalogue.abilities)]
    blank = "–"
    feet = say("ui.general.feet")
    form = Form(subject, parent)
    form.row(
        ("name", "ui.creature.name", TextField()),
        ("cost", "ui.feature.cost", ChoiceField([(cost, say(f"ui.feature.cost-{cost}")) for cost in COSTS])),
    )
    form.row(
        ("attack", "ui.feature.attack", NumberBox(-10, 40, "", blank)),
        ("reach", "ui.feature.reach", NumberBox(0, 500, feet, blank, zero_is_blank=True)),
        ("range", "ui.feature.range", TextField("80/320")),
    )
    form.row(("damage", "ui.feature.damage", DiceField(said_problem, say("ui.editing.damage-hint"))))
    form.row(
        ("save", "ui.editing.save", ChoiceField(abilities)),
        ("dc", "ui.editing.dc", NumberBox(0, 40, "", blank, zero_is_blank=True)),
    )
    form.row(
        ("recharge", "ui.feature.recharge", recharge_field()),
        ("uses", "ui.feature.uses", NumberBox(0, 99, say("ui.feature.a-day"), blank, zero_is_blank=True)),
    )
    form.row(("text", "ui.feature.text", LongTextField(say("ui.feature.text-hint"))))
    return form


def recharge_field() -> ChoiceField:
    """Return the choice of the lowest face that brings something back."""
    faces = [(face, "6" if face == 6 else f"{face}–6") for face in range(6, 1, -1)]
    return ChoiceField([(0, say("ui.feature.no-recharge")), *faces])


def describe_feature(feature: Feature) -> str:
    """Return a feature in a few words."""
    parts = [say(f"ui.feature.cost-{feature.cost}")] if feature.cost != "trait" else []
    if feature.attack is not None:
        parts.append(f"{feature.attack:+d}".replace("-", "−"))
    if feature.damage:
        parts.append(feature.damage)
    return ", ".join(parts)
