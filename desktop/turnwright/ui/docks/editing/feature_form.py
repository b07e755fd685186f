"""The form of a trait, action, weapon or spell, and its short description."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import get_args

from PySide6.QtWidgets import QVBoxLayout, QWidget

from turnwright.encounter.prepared import Creature, Feature, UsesPeriod
from turnwright.rules.parts.stat_block.attack_bonus import calculated_bonus
from turnwright.rules.system_data import SystemData
from turnwright.rules.word_keys import signed_text
from turnwright.ui.docks.editing.bindings import Binding
from turnwright.ui.docks.editing.compound_fields import MultiChoiceField, NumberGrid
from turnwright.ui.docks.editing.creature_forms import dice_error_text, named_choices, recharge_field
from turnwright.ui.docks.editing.entry_fields import AfflictionsField
from turnwright.ui.docks.editing.fields import (
    CheckBoxField,
    ChoiceField,
    DiceField,
    MultiLineTextField,
    NumberInput,
    ParsedTextField,
    TextField,
    TextListField,
)
from turnwright.ui.docks.editing.form import FormSlot
from turnwright.ui.docks.editing.grouped_form import GroupedForm
from turnwright.ui.docks.editing.text_codecs import format_multiattack, multiattack_error, parse_multiattack
from turnwright.ui.models.display_names import id_as_words
from turnwright.ui.translations import tr

COSTS = ("trait", "action", "bonus", "reaction", "legendary", "lair", "free")
MOMENTS = ("", "turn-start", "turn-end")
PROPERTIES = (
    "weapon", "spell", "unarmed", "natural", "magical", "heavy", "two-handed", "dual-wielding", "finesse", "thrown",
    "legendary-resistance",
)  # fmt: skip
DEFAULT_FEATURE = Feature("", "")
NONE = "–"

GROUPS: Mapping[str, tuple[str, ...]] = MappingProxyType({
    "attack": ("ability", "magic", "proficient", "properties"),
    "effects": ("afflictions", "ongoing", "push", "save_damage", "interrupts"),
    "spell": ("level", "area", "concentration"),
    "multi": ("attacks", "multiattack", "read"),
})  # fmt: skip


class FeatureForm(GroupedForm):
    """Edits one feature. `owner` returns its creature, for the calculated attack bonus."""

    def __init__(
        self, binding: Binding, catalogue: SystemData, owner: Callable[[], Creature | None], parent: QWidget
    ) -> None:
        super().__init__(binding, DEFAULT_FEATURE, parent)
        self._catalogue = catalogue
        self._owner = owner
        self._common()
        trained = catalogue.presentation.has("proficiency")
        names = {id: tuple(one for one in group if trained or one != "proficient") for id, group in GROUPS.items()}
        self.add_groups(
            names, {"attack": self._attack, "effects": self._effects, "spell": self._spell, "multi": self._multi}
        )

    def refresh(self) -> None:
        """Show the feature as it now stands; an attack without a bonus shows the calculated one."""
        super().refresh()
        if (shown := self.binding.value()) is not None:
            unit = self._price_unit(shown.cost)
            self.price.box.setSuffix(f" {unit}" if unit else "")
        feature, owner = self.binding.value(), self._owner()
        bonus = calculated_bonus(self._catalogue, owner, feature) if feature is not None and owner is not None else None
        self.to_hit.set_blank_text(
            NONE if bonus is None else tr("ui.feature.worked-out", bonus=signed_text(bonus.total))
        )

    def group_title(self, id: str) -> str:
        """Return a group's title."""
        less = "-bare" if id == "attack" and not self._catalogue.presentation.has("proficiency") else ""
        return tr(f"ui.feature.group-{id}{less}")

    def _common(self) -> None:
        abilities = [("", tr("ui.editing.no-save")), *named_choices(self._catalogue.abilities)]
        feet = tr("ui.general.feet")
        self.to_hit = NumberInput(-10, 40, "", NONE)
        costs = [(cost, tr(f"ui.feature.cost-{cost}")) for cost in feature_kinds(self._catalogue)]
        self.add_row(("name", "ui.creature.name", TextField()), ("cost", "ui.feature.cost", ChoiceField(costs)))
        self._prices()
        self.add_row(
            ("attack", "ui.feature.attack", self.to_hit),
            ("reach", "ui.feature.reach", NumberInput(0, 500, feet, NONE, zero_is_blank=True)),
            ("range", "ui.feature.range", TextField("80/320")),
        )
        self.add_row(("damage", "ui.feature.damage", DiceField(dice_error_text, tr("ui.editing.damage-hint"))))
        self.add_row(
            ("save", "ui.editing.save", ChoiceField(abilities)),
            ("dc", "ui.editing.dc", NumberInput(0, 40, "", NONE, zero_is_blank=True)),
        )
        self.add_row(
            ("half", "", CheckBoxField(tr("ui.feature.half"))),
            visible_when=lambda feature: bool(feature.save or feature.half),
        )
        self.add_row(
            ("recharge", "ui.feature.recharge", recharge_field()),
            ("uses", "ui.feature.uses", NumberInput(0, 99, "", NONE, zero_is_blank=True)),
            (
                "per",
                "ui.feature.per",
                ChoiceField([(word, tr(f"ui.feature.per-{word}")) for word in get_args(UsesPeriod)]),
            ),
        )
        self.add_row(("text", "ui.feature.text", MultiLineTextField(tr("ui.feature.text-hint"))))

    def _prices(self) -> None:
        """Add a feature's price, trigger and spent pools; where a system has cost signs, the price may stay open."""
        shown = self._catalogue.presentation
        priced = {cost for cost, _ in shown.signs} - {"free"} | ({"legendary"} if shown.has("legendary") else set())
        asked = tr("ui.feature.price-asked") if shown.signs else ""
        self.price = NumberInput(1, 100, "", asked, zero_is_blank=bool(asked))
        slots: list[FormSlot] = [("price", "ui.feature.price", self.price)]
        if shown.moments:
            moments = [(moment, tr(f"ui.feature.moment-{moment or 'any'}")) for moment in MOMENTS]
            slots.append(("trigger", "ui.feature.moment", ChoiceField(moments)))
        if pools := [(one.id, one.name) for one in self._catalogue.resources if one.own]:
            slots.append(("spends", "", NumberGrid(pools, len(pools), 0)))

        def is_priced(feature: Feature) -> bool:
            moment = shown.moments and (feature.cost == "free" or bool(feature.trigger))
            return feature.cost in priced or feature.price != 1 or bool(feature.spends) or moment

        self.add_row(*slots, visible_when=is_priced)

    def _price_unit(self, cost: str) -> str:
        """Return the unit of a price."""
        names = {one.id: one.name.lower() for one in self._catalogue.resources}
        return tr("ui.feature.legendary-actions") if cost == "legendary" else names.get(cost, "")

    def _attack(self, column: QVBoxLayout) -> None:
        abilities = [("", tr("ui.feature.usual-ability")), *named_choices(self._catalogue.abilities)]
        self.add_row(
            ("ability", "ui.feature.ability", ChoiceField(abilities)),
            ("magic", "ui.feature.magic", NumberInput(-10, 10, "", NONE, zero_is_blank=True)),
            target=column,
        )
        if self._catalogue.presentation.has("proficiency"):
            self.add_row(("proficient", "", CheckBoxField(tr("ui.feature.proficient"))), target=column)
        words = [(word, property_name(word)) for word in PROPERTIES]
        field = MultiChoiceField(words, own_caption=tr("ui.feature.own-property"))
        self.add_row(("properties", "ui.feature.properties", field), target=column)

    def _effects(self, column: QVBoxLayout) -> None:
        conditions = AfflictionsField(named_choices(self._catalogue.conditions), self._catalogue)
        self.add_row(("afflictions", "ui.environment-entry.afflictions", conditions), target=column)
        push = NumberInput(0, 500, tr("ui.general.feet"), NONE, zero_is_blank=True)
        self.add_row(
            ("ongoing", "ui.feature.ongoing", DiceField(dice_error_text, "1d6 fire")),
            ("push", "ui.environment-entry.push", push),
            target=column,
        )
        further = DiceField(dice_error_text, "2d8 poison")
        self.add_row(("save_damage", "ui.feature.save-damage", further), target=column)
        if self._catalogue.reactions.stack:
            abilities = [("", NONE), *named_choices(self._catalogue.abilities)]
            self.add_row(("interrupts", "ui.feature.interrupts", ChoiceField(abilities)), target=column)

    def _spell(self, column: QVBoxLayout) -> None:
        levels = [(None, tr("ui.feature.no-spell")), (0, tr("ui.feature.cantrip"))]
        levels += [(level, str(level)) for level in range(1, 10)]
        self.add_row(
            ("level", "ui.feature.level", ChoiceField(levels)),
            ("area", "ui.feature.area", TextField(tr("ui.feature.area-hint"))),
            target=column,
        )
        self.add_row(("concentration", "", CheckBoxField(tr("ui.feature.concentration"))), target=column)

    def _multi(self, column: QVBoxLayout) -> None:
        attacks = NumberInput(0, 100, "", NONE, zero_is_blank=True)
        ways = ParsedTextField(
            multiattack_error, parse_multiattack, format_multiattack, tr("ui.feature.multiattack-hint")
        )
        self.add_row(("attacks", "ui.feature.attacks", attacks), target=column)
        self.add_row(("multiattack", "ui.feature.multiattack", ways), target=column)
        self.add_row(("read", "ui.creature.read", TextListField(tr("ui.creature.read-hint"))), target=column)


def feature_kinds(catalogue: SystemData) -> list[str]:
    """Return the kinds of features in a rule system: those that its resources pay for, and traits."""
    paid = {one.id for one in catalogue.resources} | {"trait"}
    paid |= {"legendary"} if catalogue.presentation.has("legendary") else set()
    paid |= {"lair"} if catalogue.initiative.lair else set()
    return [cost for cost in COSTS if cost in paid]


def property_name(property_id: str) -> str:
    """Return the name of a weapon property; a custom property becomes capitalised words."""
    said = tr(f"ui.feature.property-{property_id}")
    return id_as_words(property_id).capitalize() if said.startswith("ui.") else said


def describe_feature(feature: Feature) -> str:
    """Return the short description of a feature."""
    parts = [tr(f"ui.feature.cost-{feature.cost}")] if feature.cost != "trait" else []
    if feature.attack is not None:
        parts.append(signed_text(feature.attack))
    if feature.damage:
        parts.append(feature.damage)
    return ", ".join(parts)
