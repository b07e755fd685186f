"""Casting a spell that no stat block has: a listed one, or one described by hand."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.encounter.prepared import Feature, Map
from turnwright.play.commands import Command, TakeAction, UseFeature
from turnwright.play.cubes import cubes_of
from turnwright.play.procedures.onslaughts import PLANTS
from turnwright.rules.catalogue.actions import ActionOption
from turnwright.rules.parts import positions
from turnwright.ui.bridge import Bridge
from turnwright.ui.docks.explain import explainer
from turnwright.ui.docks.turn.acts import Values, all_of, cost_picks, one_of, refused, text_of, why_of, written
from turnwright.ui.docks.turn.attack_targets import combatants_in_order, people_picks
from turnwright.ui.say import say
from turnwright.ui.widgets.form_card import FormField, FormView
from turnwright.ui.widgets.pick_row import Pick
from turnwright.ui.widgets.why import Why

NO_SAVE = "none"
HIGHEST_DC = 40


class Cast:
    """A spell that no stat block has, described by hand: what it costs, who saves, what it deals."""

    def __init__(self, bridge: Bridge, who: str, option: ActionOption) -> None:
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
        text, insist = ("", False) if missing else refused(self._bridge, self.command(seen))
        return FormView(
            option.name,
            "magic-staff",
            option.name,
            tuple(fields),
            "",
            text,
            insist,
            missing,
            lambda: why_of(self._bridge, option.name, option.ledger, option.text) or Why(option.name, ""),
        )

    def command(self, values: Values) -> Command:
        """Return the casting: with all that it does, or only its cost where nobody says that it does anything."""
        name = text_of(values, "name") or self._option.name
        cost, spell = one_of(values, "cost", "action"), one_of(values, "spell")
        save, damage = one_of(values, "save", NO_SAVE), text_of(values, "damage")
        held, targets = bool(values.get("concentration")), all_of(values, "targets")
        if not (spell or damage or held or targets) and save == NO_SAVE:
            return TakeAction(self.who, self._option.id, note=text_of(values, "name"), cost=cost)
        dc = values.get("dc")
        longer = cost in dict(self._option.takes)
        given = Feature(
            id=spell or "spell",
            name=next((one.name for one in self._bridge.rules.catalogue.spells if one.id == spell), name),
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
            cubes=cubes_of(text_of(values, "cubes")),
            spared=(PLANTS,) if values.get("spared") else (),
            things=all_of(values, "things"),
            action=self._option.id if longer else "",
            cost=cost if longer else "",
        )

    def _missing(self, values: Values) -> str:
        """Return in words what has to be said first, or better."""
        if one_of(values, "save", NO_SAVE) != NO_SAVE and not values.get("dc"):
            return say("ui.deed.missing-dc")
        try:
            cubes_of(text_of(values, "cubes"))
        except ValueError:
            return say("ui.deed.bad-cubes")
        return ""

    def _naming(self, values: Values) -> Iterator[FormField]:
        """Yield the spells that are listed, and a name for one that isn't."""
        known = tuple(Pick(one.id, one.name, one.text) for one in self._bridge.rules.catalogue.spells)
        if known:
            yield FormField("spell", say("ui.deed.known-spell"), "pick", all_of(values, "spell"), known, optional=True)
        if not one_of(values, "spell"):
            hint = say("ui.deed.spell-hint")
            yield FormField("name", say("ui.deed.spell"), "text", written(values, "name"), hint=hint)

    def _cost(self, values: Values) -> FormField:
        costs = cost_picks(self._bridge, self.who, self._option)
        free = next((pick.id for pick in costs if not pick.refused), costs[0].id)
        return FormField("cost", say("ui.deed.cost"), "pick", (one_of(values, "cost", free),), tuple(costs))

    def _figures(self, values: Values) -> Iterator[FormField]:
        """Yield the save and the damage of a spell that isn't listed."""
        if one_of(values, "spell"):
            return
        abilities = (Pick(one.id, one.id.upper(), one.name) for one in self._bridge.rules.catalogue.abilities)
        none = Pick(NO_SAVE, explainer(self._bridge).say("option.no_save"))
        save, dc = one_of(values, "save", NO_SAVE), values.get("dc")
        yield FormField("save", say("ui.deed.save"), "pick", (save,), (none, *abilities))
        if save != NO_SAVE:
            given = dc if isinstance(dc, int) else None
            yield FormField("dc", say("ui.deed.dc"), "number", given, most=HIGHEST_DC, beside=True)
            half = bool(values.get("half", True))
            yield FormField("half", "", "tick", half, hint=say("ui.deed.half-tick"), beside=True)
        hint = say("ui.deed.damage-hint")
        yield FormField("damage", say("ui.deed.damage"), "text", written(values, "damage"), hint=hint, optional=True)
        held = bool(values.get("concentration"))
        yield FormField("concentration", "", "tick", held, hint=say("ui.deed.concentration"), beside=True)

    def _area(self, values: Values) -> Iterator[FormField]:
        """Yield what is open about the area of a listed spell: its cubes, whether plants are spared, what burns."""
        spell = next((one for one in self._bridge.rules.catalogue.spells if one.id == one_of(values, "spell")), None)
        if spell is None:
            return
        if spell.cubes:
            label = say("ui.deed.cubes", count=spell.cubes, feet=spell.cube)
            hint = say("ui.deed.cubes-hint")
            yield FormField("cubes", label, "text", written(values, "cubes"), hint=hint, optional=True)
        if spell.spares_plants:
            yield FormField("spared", "", "tick", bool(values.get("spared")), hint=say("ui.deed.spare-plants"))
        field = self._bridge.encounter.get(Map, "map") if spell.ignites else None
        things = tuple(
            Pick(one.id, one.name or one.id)
            for one in (field.obstacles if field else ())
            if one.flammable and not one.attended
        )
        if things:
            yield FormField(
                "things", say("ui.deed.in-the-area"), "picks", all_of(values, "things"), things, optional=True
            )

    def _targets(self, values: Values) -> FormField:
        people = [one for one in combatants_in_order(self._bridge) if not one.dead]
        people.sort(key=lambda one: not positions.hostile(self._bridge.encounter, self.who, one.id))
        picks = tuple(people_picks(people))
        return FormField("targets", say("ui.deed.targets"), "picks", all_of(values, "targets"), picks, optional=True)
