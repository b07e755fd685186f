"""The form of an action, built from its data: parameters to enter before it is taken.

A form turns its values into a command; whether the command is legal is found by a preview in the engine.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from turnwright.encounter.prepared import Feature
from turnwright.encounter.running import Combatant
from turnwright.play.actions.commands.take_action import TakeAction
from turnwright.play.actions.use_item import ITEM, OTHER_ITEM
from turnwright.play.asking.action_parameters import observers_of
from turnwright.play.kernel.commands import Command
from turnwright.play.kernel.refusals import Refused
from turnwright.play.queries.queries import resources_of
from turnwright.rules.parts import positions
from turnwright.rules.parts.actions.action_options import action_vetoes, cost_vetoes
from turnwright.rules.parts.actions.usable_items import usable_items
from turnwright.rules.system import creature_of
from turnwright.rules.system_data.actions import ActionOption
from turnwright.ui.docks.shared.explainer import explainer
from turnwright.ui.docks.shared.why_sources import rule_lines
from turnwright.ui.docks.turn.attack_targets import combatant_picks, combatants_in_order
from turnwright.ui.document_model import DocumentModel
from turnwright.ui.translations import tr
from turnwright.ui.widgets.explanation import Explanation
from turnwright.ui.widgets.form_card import FormField, FormView, Value
from turnwright.ui.widgets.pick_row import PickOption

Values = Mapping[str, Value]
READY, ATTACK, RELEASE = "ready", "attack", "release"
ICONS = {"one": "hand-heart", "observers": "eye-off", "": "lightning-bolt"}


class ActionForm(Protocol):
    """An action with parameters: its form while it is filled in, and its command."""

    who: str

    def view(self, values: Values) -> FormView:
        """Return the form with these values."""

    def command(self, values: Values) -> Command:
        """Return the command for the values."""


def refusal_text(bridge: DocumentModel, command: Command) -> tuple[str, bool]:
    """Return why a command is refused now, empty where it is legal, and whether the refusal can be overridden."""
    try:
        bridge.document.session.preview(command)
    except Refused as no:
        return explainer(bridge).phrasebook.refusal_text(no), no.can_be_overridden
    return "", False


def selected_id(values: Values, id: str, default: str = "") -> str:
    """Return the single option chosen in a field."""
    value = values.get(id)
    return value[0] if isinstance(value, tuple) and value else default


def selected_ids(values: Values, id: str) -> tuple[str, ...]:
    """Return the options chosen in a field."""
    value = values.get(id)
    return value if isinstance(value, tuple) else ()


def entered_text(values: Values, id: str) -> str:
    """Return the text of a field, without blanks at its ends."""
    return str(values.get(id) or "").strip()


def raw_text(values: Values, id: str) -> str:
    """Return the text of a field as typed, blanks at its ends included."""
    return str(values.get(id) or "")


def rules_card(bridge: DocumentModel, title: str, rules: tuple[str, ...], text: str = "") -> Explanation | None:
    """Return a card with the rules of an action, None where there are neither rules nor text."""
    lines = tuple(rule_lines(explainer(bridge), rules))
    return Explanation(title, "", lines, (), (text,) if text else ()) if lines or text else None


def needs_form(option: ActionOption) -> bool:
    """Return whether an action has parameters to choose before it is taken."""
    rolls = option.trial.rolls if option.trial else ()
    chooses = "choice" in option.asks and option.choices and "remember" not in option.asks
    told = {"cost", ITEM} & {*option.asks}
    return bool(option.targets or chooses or told or len(rolls) > 1 or option.done == READY)


class SystemActionForm:
    """The form of a system's action: target, choice, cost, and a note."""

    def __init__(self, bridge: DocumentModel, who: str, option: ActionOption) -> None:
        self.who = who
        self._bridge = bridge
        self._option = option

    def view(self, values: Values) -> FormView:
        """Return the form."""
        fields = tuple(self._fields(values))
        seen = {one.id: one.value for one in fields}
        option = self._option
        missing = self._missing(seen, fields)
        text, insist = ("", False) if missing else refusal_text(self._bridge, self.command(seen))
        return FormView(
            option.name,
            ICONS[option.targets],
            option.name,
            fields,
            option.text,
            text,
            insist,
            missing,
            lambda: rules_card(self._bridge, option.name, option.ledger, option.text) or Explanation(option.name, ""),
        )

    def command(self, values: Values) -> TakeAction:
        """Return the action with its parameters."""
        return TakeAction(
            self.who,
            self._option.id,
            note=entered_text(values, "note"),
            targets=selected_ids(values, "targets"),
            cost=selected_id(values, "cost"),
            choice=selected_id(values, "choice"),
            about=selected_id(values, "about"),
        )

    def _fields(self, values: Values) -> list[FormField]:
        option, fields = self._option, []
        ways = self._ways()
        usual = next((way.id for way in ways if way.id == option.about), ways[0].id if ways else "")
        choice = selected_id(values, "choice") or usual
        if ways:
            fields.append(FormField("choice", tr("ui.action-form.choice"), "pick", (choice,), tuple(ways)))
        if option.targets:
            fields.append(self._target_field(values, choice))
        if option.about and choice == option.about:
            people = self._people(hostile=True)
            about = FormField(
                "about",
                tr("ui.action-form.against"),
                "pick",
                selected_ids(values, "about"),
                tuple(combatant_picks(people)),
            )
            fields.append(about)
        if len(option.payable) > 1 and "cost" in option.asks:
            fields.append(self._cost_field(values))
        if self._wants_note(choice):
            trigger = option.done == READY
            word = "trigger" if trigger else "note"
            label, hint = tr(f"ui.action-form.{word}"), tr(f"ui.action-form.{word}-hint")
            note = raw_text(values, "note")
            fields.append(FormField("note", label, "text", note, hint=hint, optional=not trigger))
        return fields

    def _ways(self) -> list[PickOption]:
        option = self._option
        rolls = option.trial.rolls if option.trial else ()
        if len(rolls) > 1:
            explain = explainer(self._bridge)
            return [PickOption(roll, explain.name(f"<skill.{roll.rpartition(':')[2]}>")) for roll in rolls]
        if ITEM in option.asks:
            found = usable_items(self._bridge.encounter, self._bridge.rules, self.who)
            return (
                [
                    *(PickOption(one.id, one.name) for one in found),
                    PickOption(OTHER_ITEM, tr("ui.action-form.another-item")),
                ]
                if found
                else []
            )
        if "choice" not in option.asks:
            return []
        ways = [PickOption(one.id, one.name) for one in option.choices]
        if option.done == READY:
            combatant = self._bridge.encounter.need(Combatant, self.who)
            own = creature_of(self._bridge.encounter, combatant).features
            ways += [
                PickOption(one.id, one.name, one.text, self._unready(one), icon="sword" if one.damage else "")
                for one in own
                if one.cost == "action"
            ]
        return ways

    def _unready(self, feature: Feature) -> str:
        vetoes = action_vetoes(self._bridge.encounter, self._bridge.rules, self.who, self._option, choice=feature.id)
        return explainer(self._bridge).text(vetoes[0].reason, **dict(vetoes[0].params)) if vetoes else ""

    def _target_field(self, values: Values, choice: str) -> FormField:
        option = self._option
        if option.targets == "observers":
            usual = observers_of(self._bridge.encounter, self.who)
            people = [one for one in combatants_in_order(self._bridge) if one.id in usual]
            chosen = values.get("targets")
            return FormField(
                "targets",
                tr("ui.action-form.observers"),
                "picks",
                chosen if isinstance(chosen, tuple) else usual,
                tuple(combatant_picks(people)),
            )
        people = [one for one in combatants_in_order(self._bridge) if one.id != self.who and not one.dead]
        why = {one.id: self._against(one.id, choice) for one in people}
        people.sort(key=lambda one: bool(why[one.id]))
        chosen = selected_ids(values, "targets")
        if not chosen and people and not why[people[0].id] and sum(not each for each in why.values()) == 1:
            chosen = (people[0].id,)
        return FormField("targets", tr("ui.action-form.target"), "pick", chosen, tuple(combatant_picks(people, why)))

    def _against(self, target: str, choice: str) -> str:
        """Return why the action is refused against a target, costs aside; empty where it is not."""
        lookup, rules = self._bridge.encounter, self._bridge.rules
        anyway = set(action_vetoes(lookup, rules, self.who, self._option, choice=choice))
        vetoes = action_vetoes(lookup, rules, self.who, self._option, (target,), choice=choice)
        first = next((one for one in vetoes if one not in anyway), None)
        return explainer(self._bridge).text(first.reason, **dict(first.params)) if first is not None else ""

    def _people(self, *, hostile: bool) -> list[Combatant]:
        return [
            one
            for one in combatants_in_order(self._bridge)
            if one.id != self.who
            and not one.dead
            and positions.are_hostile(self._bridge.encounter, self.who, one.id) is hostile
        ]

    def _cost_field(self, values: Values) -> FormField:
        picks = cost_options(self._bridge, self.who, self._option)
        free = next((pick.id for pick in picks if not pick.refused), picks[0].id)
        return FormField("cost", tr("ui.action-form.cost"), "pick", (selected_id(values, "cost", free),), tuple(picks))

    def _wants_note(self, choice: str) -> bool:
        option = self._option
        kept = any(one.keeps == "note" and one.only in ("", choice) for one in option.leaves)
        return kept or option.done == READY or (not option.targets and not option.effect and option.group != "reaction")

    def _missing(self, values: Values, fields: tuple[FormField, ...]) -> str:
        needed = {one.id for one in fields} & {"targets", "about"}
        if self._option.targets == "one" and "targets" in needed and not values.get("targets"):
            return tr("ui.action-form.missing-target")
        if "about" in needed and not values.get("about"):
            return tr("ui.action-form.missing-against")
        if (
            ITEM in self._option.asks
            and selected_id(values, "choice") in ("", OTHER_ITEM)
            and not entered_text(values, "note")
        ):
            return tr("ui.action-form.missing-item")
        if self._option.done == READY and not entered_text(values, "note"):
            return tr("ui.action-form.missing-trigger")
        return ""


def cost_options(bridge: DocumentModel, who: str, option: ActionOption) -> list[PickOption]:
    """Return the resources that pay for an action, each with its refusal where it cannot."""
    explain = explainer(bridge)
    known = {one.resource.id: one.resource.name for one in resources_of(bridge.encounter, bridge.rules, who)}
    picks = []
    for cost in option.payable:
        vetoes = cost_vetoes(bridge.encounter, bridge.rules, who, option, cost)
        why = explain.text(vetoes[0].reason, **dict(vetoes[0].params)) if vetoes else ""
        picks.append(PickOption(cost, known.get(cost) or explain.text(f"option.cost_{cost}"), refused=why))
    return picks
