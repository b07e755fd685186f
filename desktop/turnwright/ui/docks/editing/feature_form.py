"""The form of one trait, action, weapon or spell, and one of them in a few words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import get_args

from PySide6.QtWidgets import QVBoxLayout, QWidget

from turnwright.encounter.prepared import Creature, Feature, Per
from turnwright.rules.catalogue import Catalogue
from turnwright.rules.parts.stat_block.attacks import worked_out
from turnwright.rules.terms import signed
from turnwright.ui.docks.editing.compound import FigureGrid, PicksField
from turnwright.ui.docks.editing.creature_form import named, recharge_field, said_problem
from turnwright.ui.docks.editing.entry_fields import AfflictionsField
from turnwright.ui.docks.editing.fields import (
    ChoiceField,
    DiceField,
    DraftField,
    LongTextField,
    NumberBox,
    SwitchField,
    TextField,
    WordsField,
)
from turnwright.ui.docks.editing.form import Slot
from turnwright.ui.docks.editing.groups import GroupedForm
from turnwright.ui.docks.editing.subjects import Subject
from turnwright.ui.docks.editing.written import read_ways, ways_problem, write_ways
from turnwright.ui.models.naming import plain_words
from turnwright.ui.say import say

COSTS = ("trait", "action", "bonus", "reaction", "legendary", "lair", "free")
MOMENTS = ("", "turn-start", "turn-end")
PROPERTIES = (
    "weapon", "spell", "unarmed", "natural", "magical", "heavy", "two-handed", "dual-wielding", "finesse", "thrown",
    "legendary-resistance",
)  # fmt: skip
BARE = Feature("", "")
NONE = "–"

GROUPS: Mapping[str, tuple[str, ...]] = MappingProxyType({
    "attack": ("ability", "magic", "proficient", "properties"),
    "effects": ("afflictions", "ongoing", "push", "save_damage", "interrupts"),
    "spell": ("level", "area", "concentration"),
    "multi": ("attacks", "multiattack", "read"),
})  # fmt: skip


class FeatureForm(GroupedForm):
    """Edits one feature. `owner` is asked whose it is, to work out an attack bonus that nobody has written."""

    def __init__(
        self, subject: Subject, catalogue: Catalogue, owner: Callable[[], Creature | None], parent: QWidget
    ) -> None:
        super().__init__(subject, BARE, parent)
        self._catalogue = catalogue
        self._owner = owner
        self._common()
        trained = catalogue.presentation.has("proficiency")
        names = {id: tuple(one for one in group if trained or one != "proficient") for id, group in GROUPS.items()}
        self.add_groups(
            names, {"attack": self._attack, "effects": self._effects, "spell": self._spell, "multi": self._multi}
        )

    def refresh(self) -> None:
        """Show the feature as it now stands; an attack without a bonus shows the one that is worked out."""
        super().refresh()
        if (shown := self.subject.value()) is not None:
            unit = self._price_unit(shown.cost)
            self.price.box.setSuffix(f" {unit}" if unit else "")
        feature, owner = self.subject.value(), self._owner()
        bonus = worked_out(self._catalogue, owner, feature) if feature is not None and owner is not None else None
        self.to_hit.set_blank(NONE if bonus is None else say("ui.feature.worked-out", bonus=signed(bonus.total)))

    def group_title(self, id: str) -> str:
        """Return what a group is called."""
        less = "-bare" if id == "attack" and not self._catalogue.presentation.has("proficiency") else ""
        return say(f"ui.feature.group-{id}{less}")

    def _common(self) -> None:
        abilities = [("", say("ui.editing.no-save")), *named(self._catalogue.abilities)]
        feet = say("ui.general.feet")
        self.to_hit = NumberBox(-10, 40, "", NONE)
        costs = [(cost, say(f"ui.feature.cost-{cost}")) for cost in costs_in(self._catalogue)]
        self.row(("name", "ui.creature.name", TextField()), ("cost", "ui.feature.cost", ChoiceField(costs)))
        self._prices()
        self.row(
            ("attack", "ui.feature.attack", self.to_hit),
            ("reach", "ui.feature.reach", NumberBox(0, 500, feet, NONE, zero_is_blank=True)),
            ("range", "ui.feature.range", TextField("80/320")),
        )
        self.row(("damage", "ui.feature.damage", DiceField(said_problem, say("ui.editing.damage-hint"))))
        self.row(
            ("save", "ui.editing.save", ChoiceField(abilities)),
            ("dc", "ui.editing.dc", NumberBox(0, 40, "", NONE, zero_is_blank=True)),
        )
        self.row(
            ("half", "", SwitchField(say("ui.feature.half"))), when=lambda feature: bool(feature.save or feature.half)
        )
        self.row(
            ("recharge", "ui.feature.recharge", recharge_field()),
            ("uses", "ui.feature.uses", NumberBox(0, 99, "", NONE, zero_is_blank=True)),
            ("per", "ui.feature.per", ChoiceField([(word, say(f"ui.feature.per-{word}")) for word in get_args(Per)])),
        )
        self.row(("text", "ui.feature.text", LongTextField(say("ui.feature.text-hint"))))

    def _prices(self) -> None:
        """Put how many of its cost a feature takes, and of which further pools; a game that writes prices may leave one open."""
        shown = self._catalogue.presentation
        priced = {cost for cost, _ in shown.signs} - {"free"} | ({"legendary"} if shown.has("legendary") else set())
        asked = say("ui.feature.price-asked") if shown.signs else ""
        self.price = NumberBox(1, 100, "", asked, zero_is_blank=bool(asked))
        slots: list[Slot] = [("price", "ui.feature.price", self.price)]
        if shown.moments:
            moments = [(moment, say(f"ui.feature.moment-{moment or 'any'}")) for moment in MOMENTS]
            slots.append(("trigger", "ui.feature.moment", ChoiceField(moments)))
        if pools := [(one.id, one.name) for one in self._catalogue.resources if one.own]:
            slots.append(("spends", "", FigureGrid(pools, len(pools), 0)))

        def is_priced(feature: Feature) -> bool:
            moment = shown.moments and (feature.cost == "free" or bool(feature.trigger))
            return feature.cost in priced or feature.price != 1 or bool(feature.spends) or moment

        self.row(*slots, when=is_priced)

    def _price_unit(self, cost: str) -> str:
        """Return what a price is counted in."""
        names = {one.id: one.name.lower() for one in self._catalogue.resources}
        return say("ui.feature.legendary-actions") if cost == "legendary" else names.get(cost, "")

    def _attack(self, column: QVBoxLayout) -> None:
        abilities = [("", say("ui.feature.usual-ability")), *named(self._catalogue.abilities)]
        self.row(
            ("ability", "ui.feature.ability", ChoiceField(abilities)),
            ("magic", "ui.feature.magic", NumberBox(-10, 10, "", NONE, zero_is_blank=True)),
            into=column,
        )
        if self._catalogue.presentation.has("proficiency"):
            self.row(("proficient", "", SwitchField(say("ui.feature.proficient"))), into=column)
        words = [(word, property_name(word)) for word in PROPERTIES]
        field = PicksField(words, own=say("ui.feature.own-property"))
        self.row(("properties", "ui.feature.properties", field), into=column)

    def _effects(self, column: QVBoxLayout) -> None:
        conditions = AfflictionsField(named(self._catalogue.conditions), self._catalogue)
        self.row(("afflictions", "ui.entry.afflictions", conditions), into=column)
        push = NumberBox(0, 500, say("ui.general.feet"), NONE, zero_is_blank=True)
        self.row(
            ("ongoing", "ui.feature.ongoing", DiceField(said_problem, "1d6 fire")),
            ("push", "ui.entry.push", push),
            into=column,
        )
        further = DiceField(said_problem, "2d8 poison")
        self.row(("save_damage", "ui.feature.save-damage", further), into=column)
        if self._catalogue.reactions.stack:
            abilities = [("", NONE), *named(self._catalogue.abilities)]
            self.row(("interrupts", "ui.feature.interrupts", ChoiceField(abilities)), into=column)

    def _spell(self, column: QVBoxLayout) -> None:
        levels = [(None, say("ui.feature.no-spell")), (0, say("ui.feature.cantrip"))]
        levels += [(level, str(level)) for level in range(1, 10)]
        self.row(
            ("level", "ui.feature.level", ChoiceField(levels)),
            ("area", "ui.feature.area", TextField(say("ui.feature.area-hint"))),
            into=column,
        )
        self.row(("concentration", "", SwitchField(say("ui.feature.concentration"))), into=column)

    def _multi(self, column: QVBoxLayout) -> None:
        attacks = NumberBox(0, 100, "", NONE, zero_is_blank=True)
        ways = DraftField(ways_problem, read_ways, write_ways, say("ui.feature.ways-hint"))
        self.row(("attacks", "ui.feature.attacks", attacks), into=column)
        self.row(("multiattack", "ui.feature.ways", ways), into=column)
        self.row(("read", "ui.creature.read", WordsField(say("ui.creature.read-hint"))), into=column)


def costs_in(catalogue: Catalogue) -> list[str]:
    """Return the kinds of features that a game has: those that its resources pay for, and traits."""
    paid = {one.id for one in catalogue.resources} | {"trait"}
    paid |= {"legendary"} if catalogue.presentation.has("legendary") else set()
    paid |= {"lair"} if catalogue.initiative.lair else set()
    return [cost for cost in COSTS if cost in paid]


def property_name(word: str) -> str:
    """Return a property in the table's words; one of somebody's own as it was written."""
    said = say(f"ui.feature.property-{word}")
    return plain_words(word).capitalize() if said.startswith("ui.") else said


def describe_feature(feature: Feature) -> str:
    """Return a feature in a few words."""
    parts = [say(f"ui.feature.cost-{feature.cost}")] if feature.cost != "trait" else []
    if feature.attack is not None:
        parts.append(signed(feature.attack))
    if feature.damage:
        parts.append(feature.damage)
    return ", ".join(parts)
