"""The forms of a creature: identity, stats, defences, and rarer stats in groups."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

import msgspec
from PySide6.QtWidgets import QVBoxLayout, QWidget

from turnwright.encounter.bounds import dice_problem
from turnwright.encounter.prepared import Creature
from turnwright.rules.parts.combatants.speeds import HOVER
from turnwright.rules.system_data import SystemData
from turnwright.ui.docks.editing.bindings import Binding
from turnwright.ui.docks.editing.compound_fields import AbilitiesField, MultiChoiceField, NumberGrid, NumberList
from turnwright.ui.docks.editing.damage_amounts_field import DamageAmountsField
from turnwright.ui.docks.editing.fields import (
    CheckBoxField,
    ChoiceField,
    DiceField,
    MultiLineTextField,
    NumberInput,
    Options,
    ParsedTextField,
    TextField,
    TextListField,
)
from turnwright.ui.docks.editing.form import Form, FormSlot
from turnwright.ui.docks.editing.grouped_form import GroupedForm
from turnwright.ui.docks.editing.text_codecs import format_source_notes, parse_source_notes, source_notes_error
from turnwright.ui.translations import tr

TYPES = (
    "aberration", "beast", "celestial", "construct", "dragon", "elemental", "fey", "fiend", "giant", "humanoid",
    "monstrosity", "ooze", "plant", "undead",
)  # fmt: skip
SENSES = ("blindsight", "darkvision", "tremorsense", "truesight")
PASSIVES = ("perception", "investigation", "insight")
SPELL_LEVELS = 9
BARE = Creature("", "")
NONE = "–"
DISABLE_DC = 15  # of a skill that has just been added

GROUPS: Mapping[str, tuple[str, ...]] = MappingProxyType({
    "training": ("level", "proficiency", "maneuver_dc", "specialties"),
    "body": ("attacks", "reach", "space", "extra_attack"),
    "passives": ("passives",),
    "spells": ("spellcasting", "slots"),
    "legendary": ("legendary",),
    "pools": ("pools",),
    "origin": ("alignment", "xp", "environments", "description", "remarks", "licence", "read"),
})  # fmt: skip
FULL_GROUP_FIELDS: Mapping[str, str] = MappingProxyType({"training": "maneuver_dc", "body": "attacks"})
COMMON_FIELDS = (
    "reach",
    "space",
    "pools",
    *GROUPS["origin"],
)  # fields that every rule system has, or declares in another place
RATINGS = ("0", "1/8", "1/4", "1/2", *(str(rating) for rating in range(1, 31)))


def dice_error_text(text: str) -> str:
    """Return the error of a dice expression as a sentence, empty for none."""
    problem = dice_problem(text)
    return tr("ui.editing.not-dice", why=problem.partition(": ")[2] or problem) if problem else ""


def named_choices(entries: tuple) -> Options:
    """Return the choices for named entries of a system's data."""
    return [(entry.id, entry.name) for entry in entries]


class IdentityForm(Form):
    """The form of a creature's identity; where a system's rating is the level, editing the rating sets both."""

    def __init__(self, binding: Binding, rating_is_level: bool, parent: QWidget) -> None:
        super().__init__(binding, parent)
        self._leveled = rating_is_level

    def _edit(self, name: str, value: Any) -> None:
        current = self.binding.value()
        if name == "rating" and self._leveled and current is not None and current.rating != value:
            level = int(value) if value.isdecimal() else 0
            self.binding.write(msgspec.structs.replace(current, rating=value, level=level), name)
        else:
            super()._edit(name, value)


def known_fields(catalogue: SystemData, slots: Iterable[FormSlot]) -> list[FormSlot]:
    """Return the fields that the rule system uses."""
    return [slot for slot in slots if slot[0] in COMMON_FIELDS or catalogue.presentation.has(slot[0])]


def identity_form(binding: Binding, catalogue: SystemData, parent: QWidget) -> Form:
    """Return the form of a creature's name, size, type, rating, AC and hit points."""
    shown = catalogue.presentation
    form = IdentityForm(binding, shown.leveled, parent)
    types = [(type, type.capitalize()) for type in TYPES]
    ratings = shown.ratings or RATINGS
    form.add_row(("name", "ui.creature.name", TextField(tr("ui.creature.name-hint"))))
    form.add_row(
        ("size", "ui.creature.size", ChoiceField(named_choices(catalogue.sizes))),
        ("type", "ui.creature.type", ChoiceField(types, free=True)),
    )
    form.add_row(
        ("tags", "ui.creature.tags", TextListField(tr("ui.creature.tags-hint"))),
        ("rating", "ui.creature.rating", ChoiceField([(rating, rating) for rating in ratings], free=True)),
        stretch=(2, 1),
    )
    form.add_row(
        ("ac", "ui.stat.ac", NumberInput(0, 99, "", NONE, zero_is_blank=True)),
        ("ac_note", "ui.creature.ac-note", TextField(tr("ui.creature.ac-hint"))),
    )
    hp: FormSlot = ("hp", "ui.stat.hp", NumberInput(0, 9999, tr("ui.creature.hp-unit")))
    languages: FormSlot = ("languages", "ui.stat.languages", TextField())
    initiative: FormSlot = ("initiative", "ui.stat.initiative", NumberInput(-20, 40, "", tr("ui.creature.usual-check")))
    if shown.has("hit_dice"):
        form.add_row(hp, ("hit_dice", "ui.creature.hit-dice", DiceField(dice_error_text, "4d8+8")))
        form.add_row(initiative, languages)
    else:
        form.add_row(hp, initiative)
        form.add_row(languages)
    return form


def stats_form(binding: Binding, catalogue: SystemData, default_check: Callable[[str], int], parent: QWidget) -> Form:
    """Return the form of a creature's speeds, abilities, saves, skills and senses."""
    shorts = [(ability.id, ability.short) for ability in catalogue.abilities]
    saves = catalogue.presentation.saves or tuple(shorts)
    form = Form(binding, parent)
    form.add_heading("ui.stat.speed", "run")
    speeds = NumberGrid(named_choices(catalogue.speeds), 3, 0, tr("ui.general.feet"), rare=(HOVER,))
    form.add_row(("speeds", "", speeds))
    form.add_row(("hovers", "", CheckBoxField(tr("ui.creature.hovers"))))
    form.add_heading("ui.creature.abilities", "human")
    form.add_row(("abilities", "", AbilitiesField(shorts, catalogue.ability_scale)))
    form.add_heading("ui.stat.saves", "shield-half-full")
    form.add_row(("saves", "", NumberGrid(saves, max(1, len(saves)), -20, arrows=False)))
    form.add_heading("ui.stat.skills", "tools")
    form.add_row(
        ("skills", "", NumberList(named_choices(catalogue.skills), -20, default_check, tr("ui.creature.add-skill")))
    )
    form.add_heading("ui.stat.senses", "eye-outline")
    senses = [(sense, sense.capitalize()) for sense in SENSES]
    unit = tr("ui.general.feet")
    field = NumberList(senses, 0, lambda _id: 60, tr("ui.creature.add-sense"), unit, free=True)
    form.add_row(("senses", "", field))
    if catalogue.dying.things.tags:
        form.add_heading("ui.creature.disable", "hammer-wrench")
        skills = NumberList(named_choices(catalogue.skills), 0, lambda _id: DISABLE_DC, tr("ui.creature.add-skill"))
        form.add_row(("disable", "", skills))
        form.add_row(("disable_needs", "ui.creature.disable-needs", NumberInput(1, 20)))
    return form


def defences_form(binding: Binding, catalogue: SystemData, gear: Callable[[], Options], parent: QWidget) -> Form:
    """Return the form of a creature's defences, gear and notes."""
    kinds = named_choices(catalogue.damage_types)
    form = Form(binding, parent)
    form.add_heading("ui.creature.defences", "shield-outline")
    _weaknesses(form, catalogue)
    immune = ("immunities", "ui.creature.immunities", MultiChoiceField(kinds))
    never = (
        "condition_immunities",
        "ui.creature.condition-immunities",
        MultiChoiceField(named_choices(catalogue.conditions)),
    )
    absorbs = ("absorptions", "ui.creature.absorptions", MultiChoiceField(kinds))
    form.add_row(*known_fields(catalogue, (immune, absorbs, never)))
    form.add_row(("gear", "ui.stat.gear", MultiChoiceField((), gear, own_caption=tr("ui.editing.own-gear"))))
    mundane = ("mundane_immunity", "", CheckBoxField(tr("ui.creature.mundane")))
    for slot in known_fields(catalogue, [mundane]):
        form.add_row(slot, ("mundane_resistance", "", CheckBoxField(tr("ui.creature.mundane-resistance"))))
    form.add_row(("notes", "ui.stat.notes", MultiLineTextField(tr("ui.creature.notes-hint"))))
    return form


def _weaknesses(form: Form, catalogue: SystemData) -> None:
    """Add resistances and vulnerabilities by damage type, with an amount each where the rule system has amounts."""
    kinds = named_choices(catalogue.damage_types)
    if not catalogue.presentation.figured:
        form.add_row(
            ("resistances", "ui.creature.resistances", MultiChoiceField(kinds)),
            ("vulnerabilities", "ui.creature.vulnerabilities", MultiChoiceField(kinds)),
        )
        return
    groups = dict.fromkeys(one.group for one in catalogue.damage_types if one.group)
    options = [*kinds, *((group, group.capitalize()) for group in groups), ("all", tr("ui.creature.all-damage"))]
    for name, caption in (("resistances", "resistances"), ("vulnerabilities", "weaknesses")):
        form.add_row((name, f"ui.creature.{caption}", DamageAmountsField(options, tr("ui.creature.add-damage"))))


class AdditionalStatsForm(GroupedForm):
    """Stats that only some creatures have: training, number of attacks, passive scores, spells, legendary actions."""

    def __init__(
        self, binding: Binding, catalogue: SystemData, specialties: Callable[[], Options], parent: QWidget
    ) -> None:
        bare = msgspec.structs.replace(BARE, reach=catalogue.attack.reach or BARE.reach)
        super().__init__(binding, bare, parent)
        self._catalogue = catalogue
        self._specialties = specialties
        shown = catalogue.presentation
        has = {
            id: tuple(name for name in names if name in COMMON_FIELDS or shown.has(name))
            for id, names in GROUPS.items()
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
        """Return a group's title, shorter where the rule system has fewer of the group's fields."""
        fuller = FULL_GROUP_FIELDS.get(id, "")
        less = "-bare" if fuller and not self._catalogue.presentation.has(fuller) else ""
        return tr(f"ui.creature.group-{id}{less}")

    def _row(self, column: QVBoxLayout, *slots: FormSlot) -> None:
        """Add those of several fields, side by side, that the rule system uses."""
        if shown := known_fields(self._catalogue, slots):
            self.add_row(*shown, target=column)

    def _training(self, column: QVBoxLayout) -> None:
        self._row(
            column,
            ("level", "ui.creature.level", NumberInput(0, 100, "", NONE, zero_is_blank=True)),
            ("proficiency", "ui.creature.proficiency", NumberInput(0, 20, "", NONE, zero_is_blank=True)),
            ("maneuver_dc", "ui.creature.maneuver-dc", NumberInput(0, 40, "", NONE, zero_is_blank=True)),
        )
        field = MultiChoiceField((), self._specialties, own_caption=tr("ui.creature.own-specialty"))
        self._row(column, ("specialties", "ui.creature.specialties", field))

    def _body(self, column: QVBoxLayout) -> None:
        feet = tr("ui.general.feet")
        self._row(
            column,
            ("attacks", "ui.creature.attacks", NumberInput(1, 100)),
            ("reach", "ui.creature.reach", NumberInput(0, 500, feet)),
            ("space", "ui.creature.space", NumberInput(0, 1000, feet, tr("ui.creature.by-size"), zero_is_blank=True)),
        )
        self._row(column, ("extra_attack", "", CheckBoxField(tr("ui.creature.extra-attack"))))

    def _pools(self, column: QVBoxLayout) -> None:
        own = self._catalogue.presentation.pools
        pools = [(one.id, one.name) for one in self._catalogue.resources if one.id in own]
        self.add_row(("pools", "", NumberGrid(pools, 3, 0)), target=column)

    def _origin(self, column: QVBoxLayout) -> None:
        self.add_row(
            ("alignment", "ui.creature.alignment", TextField()),
            ("xp", "ui.creature.xp", NumberInput(0, 1_000_000, "", tr("ui.creature.by-rating"), zero_is_blank=True)),
            target=column,
        )
        self.add_row(
            ("environments", "ui.stat.environments", TextListField(tr("ui.creature.environments-hint"))), target=column
        )
        self.add_row(("description", "ui.creature.description", MultiLineTextField()), target=column)
        remarks = ParsedTextField(
            source_notes_error, parse_source_notes, format_source_notes, tr("ui.creature.remarks-hint")
        )
        self.add_row(("remarks", "ui.creature.remarks", remarks), target=column)
        self.add_row(("licence", "ui.creature.licence", TextField()), target=column)
        self.add_row(("read", "ui.creature.read", TextListField(tr("ui.creature.read-hint"))), target=column)

    def _passives(self, column: QVBoxLayout) -> None:
        names = {skill.id: skill.name for skill in self._catalogue.skills}
        scores = [(id, names.get(id, id.capitalize())) for id in PASSIVES]
        self.add_row(("passives", "", NumberGrid(scores, 3, 0)), target=column)

    def _spells(self, column: QVBoxLayout) -> None:
        abilities = [("", NONE), *named_choices(self._catalogue.abilities)]
        self._row(column, ("spellcasting", "ui.creature.spellcasting", ChoiceField(abilities)))
        levels = [(str(level), tr("ui.creature.slots-of", level=level)) for level in range(1, SPELL_LEVELS + 1)]
        self._row(column, ("slots", "ui.creature.slots", NumberGrid(levels, SPELL_LEVELS, 0, arrows=False)))

    def _legendary(self, column: QVBoxLayout) -> None:
        unit = tr("ui.creature.a-round")
        self.add_row(
            ("legendary", "ui.creature.legendary", NumberInput(0, 100, unit, NONE, zero_is_blank=True)), target=column
        )


def recharge_field() -> ChoiceField:
    """Return the choice of the lowest face of a die that recharges a feature."""
    faces = [(face, "6" if face == 6 else f"{face}–6") for face in range(6, 1, -1)]
    return ChoiceField([(0, tr("ui.feature.no-recharge")), *faces])
