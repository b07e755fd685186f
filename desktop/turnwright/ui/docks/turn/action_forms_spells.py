"""The form of a spell that is in no stat block: a listed spell, or one described by hand."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.encounter.prepared import Feature, Map
from turnwright.play.actions.commands.take_action import TakeAction
from turnwright.play.actions.commands.use_feature import UseFeature
from turnwright.play.attacks.cube_area import parse_cubes
from turnwright.play.attacks.save_effect import PLANTS
from turnwright.play.kernel.commands import Command
from turnwright.rules.parts import positions
from turnwright.rules.system_data.actions import ActionOption
from turnwright.ui.docks.shared.explainer import explainer
from turnwright.ui.docks.turn.action_forms import (
    Values,
    cost_options,
    entered_text,
    raw_text,
    refusal_text,
    rules_card,
    selected_id,
    selected_ids,
)
from turnwright.ui.docks.turn.attack_targets import combatant_picks, combatants_in_order
from turnwright.ui.document_model import DocumentModel
from turnwright.ui.translations import tr
from turnwright.ui.widgets.explanation import Explanation
from turnwright.ui.widgets.form_card import FormField, FormView
from turnwright.ui.widgets.pick_row import PickOption

NO_SAVE = "none"
MAX_DC = 40


class CastSpellForm:
    """Casts a spell that is in no stat block: its cost, save, damage and targets."""

    def __init__(self, bridge: DocumentModel, who: str, option: ActionOption) -> None:
        self.who = who
        self._bridge = bridge
        self._option = option

    def view(self, values: Values) -> FormView:
        """Return the form."""
        option = self._option
        fields = [*self._naming(values), self._cost(values), *self._figures(values), self._targets(values)]
        fields += self._area(values)
        seen = {one.id: one.value for one in fields}
        missing = self._missing(seen)
        text, insist = ("", False) if missing else refusal_text(self._bridge, self.command(seen))
        return FormView(
            option.name,
            "magic-staff",
            option.name,
            tuple(fields),
            "",
            text,
            insist,
            missing,
            lambda: rules_card(self._bridge, option.name, option.ledger, option.text) or Explanation(option.name, ""),
        )

    def command(self, values: Values) -> Command:
        """Return the casting with its effects, or an action that pays only the cost where no effect is entered."""
        name = entered_text(values, "name") or self._option.name
        cost, spell = selected_id(values, "cost", "action"), selected_id(values, "spell")
        save, damage = selected_id(values, "save", NO_SAVE), entered_text(values, "damage")
        held, targets = bool(values.get("concentration")), selected_ids(values, "targets")
        if not (spell or damage or held or targets) and save == NO_SAVE:
            return TakeAction(self.who, self._option.id, note=entered_text(values, "name"), cost=cost)
        dc = values.get("dc")
        longer = cost in dict(self._option.takes)
        given = Feature(
            id=spell or "spell",
            name=next((one.name for one in self._bridge.rules.data.spells if one.id == spell), name),
            cost="action" if longer else cost,  # type: ignore[arg-type]
            save="" if save == NO_SAVE else save,
            dc=dc if isinstance(dc, int) else 0,
            half=save != NO_SAVE and bool(values.get("half", True)),
            damage=damage,
            concentration=held,
            properties=("spell",),
        )
        return UseFeature(
            self.who,
            given=given,
            spell=spell,
            targets=targets,
            cubes=parse_cubes(entered_text(values, "cubes")),
            exempt=(PLANTS,) if values.get("spared") else (),
            objects=selected_ids(values, "things"),
            action=self._option.id if longer else "",
            cost=cost if longer else "",
        )

    def _missing(self, values: Values) -> str:
        """Return which value is missing or wrong, empty for none."""
        if selected_id(values, "save", NO_SAVE) != NO_SAVE and not values.get("dc"):
            return tr("ui.action-form.missing-dc")
        try:
            parse_cubes(entered_text(values, "cubes"))
        except ValueError:
            return tr("ui.action-form.bad-cubes")
        return ""

    def _naming(self, values: Values) -> Iterator[FormField]:
        """Yield the listed spells, and the name of another spell."""
        known = tuple(PickOption(one.id, one.name, one.text) for one in self._bridge.rules.data.spells)
        if known:
            yield FormField(
                "spell", tr("ui.action-form.known-spell"), "pick", selected_ids(values, "spell"), known, optional=True
            )
        if not selected_id(values, "spell"):
            hint = tr("ui.action-form.spell-hint")
            yield FormField("name", tr("ui.action-form.spell"), "text", raw_text(values, "name"), hint=hint)

    def _cost(self, values: Values) -> FormField:
        costs = cost_options(self._bridge, self.who, self._option)
        free = next((pick.id for pick in costs if not pick.refused), costs[0].id)
        return FormField("cost", tr("ui.action-form.cost"), "pick", (selected_id(values, "cost", free),), tuple(costs))

    def _figures(self, values: Values) -> Iterator[FormField]:
        """Yield the save and the damage of a spell that is not listed."""
        if selected_id(values, "spell"):
            return
        abilities = (PickOption(one.id, one.id.upper(), one.name) for one in self._bridge.rules.data.abilities)
        none = PickOption(NO_SAVE, explainer(self._bridge).text("option.no_save"))
        save, dc = selected_id(values, "save", NO_SAVE), values.get("dc")
        yield FormField("save", tr("ui.action-form.save"), "pick", (save,), (none, *abilities))
        if save != NO_SAVE:
            given = dc if isinstance(dc, int) else None
            yield FormField("dc", tr("ui.action-form.dc"), "number", given, maximum=MAX_DC, same_row=True)
            half = bool(values.get("half", True))
            yield FormField("half", "", "tick", half, hint=tr("ui.action-form.half-tick"), same_row=True)
        hint = tr("ui.action-form.damage-hint")
        yield FormField(
            "damage", tr("ui.action-form.damage"), "text", raw_text(values, "damage"), hint=hint, optional=True
        )
        held = bool(values.get("concentration"))
        yield FormField("concentration", "", "tick", held, hint=tr("ui.action-form.concentration"), same_row=True)

    def _area(self, values: Values) -> Iterator[FormField]:
        """Yield the open parameters of a listed spell's area: its cubes, spared plants, ignited objects."""
        spell = next((one for one in self._bridge.rules.data.spells if one.id == selected_id(values, "spell")), None)
        if spell is None:
            return
        if spell.cubes:
            label = tr("ui.action-form.cubes", count=spell.cubes, feet=spell.cube)
            hint = tr("ui.action-form.cubes-hint")
            yield FormField("cubes", label, "text", raw_text(values, "cubes"), hint=hint, optional=True)
        if spell.spares_plants:
            yield FormField("spared", "", "tick", bool(values.get("spared")), hint=tr("ui.action-form.spare-plants"))
        field = self._bridge.encounter.get(Map, "map") if spell.ignites else None
        things = tuple(
            PickOption(one.id, one.name or one.id)
            for one in (field.obstacles if field else ())
            if one.flammable and not one.attended
        )
        if things:
            yield FormField(
                "things",
                tr("ui.action-form.in-the-area"),
                "picks",
                selected_ids(values, "things"),
                things,
                optional=True,
            )

    def _targets(self, values: Values) -> FormField:
        people = [one for one in combatants_in_order(self._bridge) if not one.dead]
        people.sort(key=lambda one: not positions.are_hostile(self._bridge.encounter, self.who, one.id))
        picks = tuple(combatant_picks(people))
        return FormField(
            "targets", tr("ui.action-form.targets"), "picks", selected_ids(values, "targets"), picks, optional=True
        )
