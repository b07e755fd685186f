"""The form of a spell that isn't in the stat block: one listed by the rule system, or one described by hand."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from turnwright.encounter.field_specs import AbilityId, CombatantIds, PositiveOrNone, SpellId
from turnwright.encounter.prepared import Feature, Map
from turnwright.play.actions.action import TakeAction
from turnwright.play.actions.use_feature import UseFeature, parse_cubes
from turnwright.play.attacks.save_effect import PLANTS
from turnwright.play.kernel.commands import Command
from turnwright.rules.system_data.actions import ActionOption, Spell
from turnwright.ui.docks.shared.explainer import explainer
from turnwright.ui.docks.turn.forms.action_forms import (
    ActionForm,
    AreaUse,
    combatants_by_hostility,
    cost_options,
    rules_card,
    with_usual_cost,
)
from turnwright.ui.forms.fields import SuggestingTextField
from turnwright.ui.forms.form import Row, Rows
from turnwright.ui.forms.kinds import FieldMaker
from turnwright.ui.forms.pick_field import picked
from turnwright.ui.look.translations import tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.pick_row import PickOption
from turnwright.ui.widgets.rules.explanation import Explanation


class SpellDraft(msgspec.Struct, frozen=True):
    """The entered values of a spell: the listed spell, or its name, save and damage, and its cost, targets and area.

    `price` is one of the prices that the rule system lists. `points` is any number, if the price depends on the spell.
    """

    spell: SpellId = ""
    name: str = ""
    cost: str = ""
    price: str = ""
    points: PositiveOrNone = 0
    save: AbilityId = ""
    dc: PositiveOrNone = 0
    half: bool = True
    damage: str = ""
    concentration: bool = False
    targets: CombatantIds = ()
    cubes: str = ""
    spared: bool = False
    things: tuple[str, ...] = ()


class CastSpellForm(ActionForm):
    """Casts a spell that isn't in the stat block, with its cost, save, damage and targets."""

    icon = "magic-staff"
    optional = ("damage", "targets", "cubes", "things")

    def __init__(self, document: DocumentModel, who: str, option: ActionOption) -> None:
        self._option = option
        super().__init__(document, who, option.name, SpellDraft())

    def rows(self) -> Rows:
        """Return the rows. A listed spell has rows for its area, any other spell for its save and damage."""
        return (
            Row("name"),
            Row(*(("cost",) if len(self._option.payable) > 1 else ())),
            Row(*self._price_fields()),
            Row("save", shown_when=lambda value, _context: not value.spell),
            Row("dc", "half", shown_when=lambda value, _context: value.save and not value.spell),
            Row("damage", "concentration", shown_when=lambda value, _context: not value.spell),
            Row("targets"),
            Row("cubes", shown_when=lambda value, _context: (spell := self._listed(value)) and spell.cubes),
            Row("spared", shown_when=lambda value, _context: (spell := self._listed(value)) and spell.spares_plants),
            Row("things", shown_when=lambda value, _context: self._listed(value) and self._things()),
        )

    def fields(self) -> dict[str, FieldMaker]:
        """Return the pick fields."""
        return {
            "name": lambda _request: SuggestingTextField(
                (spell.name for spell in self.document.rules.data.spells), tr("ui.action-form.name-hint")
            ),
            "cost": picked(lambda: cost_options(self.document, self.who, self._option)),
            "price": picked(lambda: [PickOption(str(price), str(price)) for price in self._option.prices]),
            "save": picked(self._saves),
            "targets": picked(lambda: combatants_by_hostility(self.document, self.who), many=True),
            "things": picked(self._things, many=True),
        }

    def captions(self) -> dict[str, str]:
        """Return the caption keys of fields whose caption differs from the field name."""
        return {"name": "spell", "price": "actions", "things": "in-the-area"}

    def area(self) -> AreaUse | None:
        """Return the area of a listed spell, or None if it has none.

        An area without a range in feet starts at the caster.
        """
        listed = self._listed(self.draft.value())
        if listed is None or not listed.area:
            return None
        return AreaUse(listed.area, any(sign.isdigit() for sign in listed.range))

    def fill(self, value: SpellDraft, _entered: Collection[str]) -> SpellDraft:
        """Return the spell: a listed one if it has its name, with the first affordable cost as the default."""
        filled: SpellDraft = with_usual_cost(self.document, self.who, value, self._option)
        name = filled.name.strip().lower()
        listed = (spell.id for spell in self.document.rules.data.spells if spell.name.lower() == name)
        return msgspec.structs.replace(filled, spell=next(listed, filled.spell))

    def missing(self, value: SpellDraft) -> str:
        """Return a message about a missing or invalid value, or an empty string if the form is complete."""
        if value.save and not value.dc and not value.spell:
            return tr("ui.action-form.missing-dc")
        if "note" in self._option.asks and not value.name.strip():
            return tr("ui.action-form.missing-spell")
        if self._price_fields() and not self._price(value):
            return tr("ui.action-form.missing-actions" if self._option.prices else "ui.action-form.missing-points")
        try:
            parse_cubes(value.cubes.strip())
        except ValueError:
            return tr("ui.action-form.bad-cubes")
        return ""

    def command(self, value: SpellDraft) -> Command:
        """Return the command that casts the spell, or one that only pays the cost if no effect was entered."""
        name, damage, listed = value.name.strip(), value.damage.strip(), self._listed(value)
        price = self._price(value)
        if not (listed or damage or value.save or value.concentration or value.targets):
            return TakeAction(self.who, self._option.id, note=name, cost=value.cost, points=price or None)
        longer = value.cost in dict(self._option.takes)
        feature = Feature(
            id=value.spell or "spell",
            name=listed.name if listed else name or self._option.name,
            cost="action" if longer else value.cost,  # type: ignore[arg-type]
            price=price or 1,
            save=value.save,
            dc=value.dc,
            half=bool(value.save) and value.half,
            damage=damage,
            concentration=value.concentration,
            properties=("spell",),
        )
        return UseFeature(
            self.who,
            given=feature,
            spell=value.spell,
            targets=value.targets,
            cubes=parse_cubes(value.cubes.strip()),
            exempt=(PLANTS,) if value.spared else (),
            objects=value.things,
            action=self._option.id if longer else "",
            cost=value.cost if longer else "",
        )

    def text(self) -> str:
        """Return the number and size of the cubes that form a listed spell's area, or an empty string."""
        listed = self._listed(self.draft.value())
        return tr("ui.action-form.cubes-of", count=listed.cubes, feet=listed.cube) if listed and listed.cubes else ""

    def why(self) -> Explanation | None:
        """Return a card with the rules on casting."""
        option = self._option
        return rules_card(self.document, option.name, option.ledger, option.text) or Explanation(option.name, "")

    def _price_fields(self) -> tuple[str, ...]:
        """Return the price field's name, if the price depends on the spell."""
        if self._option.price:
            return ()
        return ("price",) if self._option.prices else ("points",)

    def _price(self, value: SpellDraft) -> int:
        return int(value.price) if value.price else value.points

    def _listed(self, value: SpellDraft) -> Spell | None:
        return next((spell for spell in self.document.rules.data.spells if spell.id == value.spell), None)

    def _saves(self) -> list[PickOption]:
        data = self.document.rules.data
        names = dict(data.presentation.saves) or {ability.id: ability.id.upper() for ability in data.abilities}
        tips = {ability.id: ability.name for ability in data.abilities}
        saves = (PickOption(id, name, tips.get(id, "")) for id, name in names.items())
        return [PickOption("", explainer(self.document).text("option.no_save")), *saves]

    def _things(self) -> list[PickOption]:
        """Return the objects on the map that a listed spell can ignite."""
        listed = self._listed(self.draft.value())
        field = self.document.encounter.get(Map, "map") if listed and listed.ignites else None
        obstacles = field.obstacles if field is not None else ()
        return [
            PickOption(obstacle.id, obstacle.name or obstacle.id)
            for obstacle in obstacles
            if obstacle.flammable and not obstacle.attended
        ]
