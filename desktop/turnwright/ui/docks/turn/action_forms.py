"""The form of an action, built from its data: parameters to enter before it is taken.

A form makes a command of what is entered; whether it is legal is found by a preview in the engine.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import msgspec

from turnwright.encounter.prepared import Feature
from turnwright.encounter.running import Combatant
from turnwright.play.actions.commands.take_action import TakeAction
from turnwright.play.actions.use_item import ITEM, OTHER_ITEM
from turnwright.play.asking.action_parameters import observers_of
from turnwright.play.kernel.commands import Command
from turnwright.play.queries.queries import resources_of
from turnwright.rules.hooks import Veto
from turnwright.rules.parts import positions
from turnwright.rules.parts.actions.action_options import action_vetoes, cost_vetoes
from turnwright.rules.parts.actions.usable_items import usable_items
from turnwright.rules.system import creature_of
from turnwright.rules.system_data.actions import ActionOption
from turnwright.ui.docks.shared.explainer import explainer
from turnwright.ui.docks.turn.attack_targets import combatant_picks, combatants_in_order
from turnwright.ui.document_model import DocumentModel
from turnwright.ui.forms.command_drafts import CommandDraft
from turnwright.ui.forms.fields import TextField
from turnwright.ui.forms.form import FormLayout, Row, Rows
from turnwright.ui.forms.kinds import FieldMaker
from turnwright.ui.forms.pick_field import picked
from turnwright.ui.translations import tr
from turnwright.ui.widgets.explanation import Explanation
from turnwright.ui.widgets.pick_row import PickOption

READY, ATTACK, RELEASE = "ready", "attack", "release"
ICONS = {"one": "hand-heart", "observers": "eye-off", "": "lightning-bolt"}


class AreaUse(msgspec.Struct, frozen=True):
    """The shape of an area, as a stat block or a spell words it; `is_free`: it lies anywhere within a range."""

    text: str
    is_free: bool = False


class ActionForm:
    """The base of these forms: `entered` is the command, or a struct that it is made from, before anything is entered.

    The focus skips `optional` fields.
    """

    icon = "account-group"
    optional: Collection[str] = ()

    def __init__(self, document: DocumentModel, who: str, title: str, entered: msgspec.Struct) -> None:
        self.document = document
        self.who = who
        self.title = self.button_text = title
        self.draft = CommandDraft(entered, self.fill)

    def area(self) -> AreaUse | None:
        """Return the area that its targets may be taken from on the map, None where it has none."""
        return None

    def layout(self) -> FormLayout:
        """Return the layout of the form."""
        rows, fields = self.rows(), self.fields()
        return FormLayout(
            type(self.draft.value()),
            rows,
            words="ui.action-form",
            captions={name: f"ui.action-form.{key}" for name, key in self.captions().items()},
            fields=fields,
            beside=True,
        )

    def rows(self) -> Rows:
        """Return the rows of the form."""
        raise NotImplementedError

    def fields(self) -> dict[str, FieldMaker]:
        """Return the makers of fields that no kind makes."""
        return {}

    def captions(self) -> dict[str, str]:
        """Return the words of captions that are not the names of their fields."""
        return {}

    def fill(self, value: Any, entered: Collection[str]) -> Any:
        """Return what was entered with the rest as it is usual."""
        return value

    def command(self, value: Any) -> Command:
        """Return the command of what is entered."""
        command: Command = value
        return command

    def missing(self, value: Any) -> str:
        """Return what is still missing, empty for nothing."""
        return ""

    def text(self) -> str:
        """Return the text below the title."""
        return ""

    def why(self) -> Explanation | None:
        """Return the rules of the action, None where there are none."""
        return None


def rules_card(document: DocumentModel, title: str, rules: tuple[str, ...], text: str = "") -> Explanation | None:
    """Return a card with the rules of an action, None where there are neither rules nor text."""
    lines = tuple(explainer(document).rule_lines(rules))
    return Explanation(title, "", lines, (), (text,) if text else ()) if lines or text else None


def needs_form(option: ActionOption) -> bool:
    """Return whether an action has parameters to choose before it is taken."""
    rolls = option.trial.rolls if option.trial else ()
    chooses = "choice" in option.asks and option.choices and "remember" not in option.asks
    told = {"cost", ITEM} & {*option.asks}
    return bool(option.targets or chooses or told or len(rolls) > 1 or option.done == READY)


class SystemActionForm(ActionForm):
    """The form of a system's action: target, choice, cost, and a note."""

    def __init__(self, document: DocumentModel, who: str, option: ActionOption) -> None:
        self._option = option
        self.icon = ICONS[option.targets]
        self.optional = () if option.done == READY else ("note",)
        super().__init__(document, who, option.name, TakeAction(who, option.id))

    def rows(self) -> Rows:
        option = self._option
        return (
            Row("choice", shown_when=lambda _value, _context: self.ways()),
            Row(*(("targets",) if option.targets else ())),
            Row("about", shown_when=lambda value, _context: option.about and value.choice == option.about),
            Row(*(("cost",) if self._is_payable() else ())),
            Row("note", shown_when=lambda value, _context: self._wants_note(value.choice)),
        )

    def fields(self) -> dict[str, FieldMaker]:
        many, hint = self._option.targets == "observers", tr(f"ui.action-form.{self.captions()['note']}-hint")
        return {
            "choice": picked(self.ways),
            "targets": picked(self._targets, many=many, plural=True),
            "about": picked(lambda: combatant_picks(self._foes())),
            "cost": picked(lambda: cost_options(self.document, self.who, self._option)),
            "note": lambda _request: TextField(hint),
        }

    def captions(self) -> dict[str, str]:
        observers, trigger = self._option.targets == "observers", self._option.done == READY
        return {
            "targets": "observers" if observers else "target",
            "about": "against",
            "note": "trigger" if trigger else "note",
        }

    def fill(self, value: TakeAction, entered: Collection[str]) -> TakeAction:
        ways = [way.id for way in self.ways()]
        if not value.choice and ways:
            usual = self._option.about if self._option.about in ways else ways[0]
            value = msgspec.structs.replace(value, choice=usual)
        if self._option.targets == "observers" and "targets" not in entered:
            value = msgspec.structs.replace(value, targets=observers_of(self.document.encounter, self.who))
        elif self._option.targets == "one" and not value.targets:
            able = [id for id, why in self._refusals(value.choice).items() if not why]
            value = msgspec.structs.replace(value, targets=tuple(able) if len(able) == 1 else ())
        return with_usual_cost(self.document, self.who, value, self._option) if self._is_payable() else value

    def command(self, value: TakeAction) -> TakeAction:
        return msgspec.structs.replace(value, note=value.note.strip())

    def missing(self, value: TakeAction) -> str:
        option = self._option
        if option.targets == "one" and not value.targets:
            return tr("ui.action-form.missing-target")
        if option.about and value.choice == option.about and not value.about:
            return tr("ui.action-form.missing-against")
        if ITEM in option.asks and value.choice in ("", OTHER_ITEM) and not value.note.strip():
            return tr("ui.action-form.missing-item")
        return tr("ui.action-form.missing-trigger") if option.done == READY and not value.note.strip() else ""

    def text(self) -> str:
        return self._option.text

    def why(self) -> Explanation | None:
        option = self._option
        card = rules_card(self.document, option.name, option.ledger, option.text)
        return card or Explanation(option.name, "")

    def ways(self) -> list[PickOption]:
        """Return the choices of how the action is taken, or with what."""
        option, explain = self._option, explainer(self.document)
        rolls = option.trial.rolls if option.trial else ()
        if len(rolls) > 1:
            return [PickOption(roll, explain.name(f"<skill.{roll.rpartition(':')[2]}>")) for roll in rolls]
        if ITEM in option.asks:
            found = usable_items(self.document.encounter, self.document.rules, self.who)
            other = PickOption(OTHER_ITEM, tr("ui.action-form.another-item"))
            return [*(PickOption(one.id, one.name) for one in found), other] if found else []
        if "choice" not in option.asks:
            return []
        ways = [PickOption(one.id, one.name) for one in option.choices]
        if option.done == READY:
            own = creature_of(self.document.encounter, self.document.encounter.need(Combatant, self.who)).features
            ways += [
                PickOption(one.id, one.name, one.text, self._unready(one), icon="sword" if one.damage else "")
                for one in own
                if one.cost == "action"
            ]
        return ways

    def _is_payable(self) -> bool:
        return len(self._option.payable) > 1 and "cost" in self._option.asks

    def _unready(self, feature: Feature) -> str:
        document = self.document
        return _refusal(
            document, action_vetoes(document.encounter, document.rules, self.who, self._option, choice=feature.id)
        )

    def _targets(self) -> list[PickOption]:
        if self._option.targets == "observers":
            usual = observers_of(self.document.encounter, self.who)
            return combatant_picks([one for one in combatants_in_order(self.document) if one.id in usual])
        why = self._refusals(self.draft.value().choice)
        people = sorted(self._others(), key=lambda one: bool(why[one.id]))
        return combatant_picks(people, why)

    def _refusals(self, choice: str) -> dict[str, str]:
        """Return why the action is refused against each target, costs aside; empty where it is not."""
        lookup, rules, option = self.document.encounter, self.document.rules, self._option
        anyway = set(action_vetoes(lookup, rules, self.who, option, choice=choice))
        found = {}
        for one in self._others():
            vetoes = action_vetoes(lookup, rules, self.who, option, (one.id,), choice=choice)
            found[one.id] = _refusal(self.document, [veto for veto in vetoes if veto not in anyway])
        return found

    def _others(self) -> list[Combatant]:
        return [one for one in combatants_in_order(self.document) if one.id != self.who and not one.dead]

    def _foes(self) -> list[Combatant]:
        return [one for one in self._others() if positions.are_hostile(self.document.encounter, self.who, one.id)]

    def _wants_note(self, choice: str) -> bool:
        option = self._option
        kept = any(one.keeps == "note" and one.only in ("", choice) for one in option.leaves)
        return kept or option.done == READY or (not option.targets and not option.effect and option.group != "reaction")


def cost_options(document: DocumentModel, who: str, option: ActionOption) -> list[PickOption]:
    """Return the resources that pay for an action, each with its refusal where it cannot."""
    explain = explainer(document)
    known = {one.resource.id: one.resource.name for one in resources_of(document.encounter, document.rules, who)}
    picks = []
    for cost in option.payable:
        why = _refusal(document, cost_vetoes(document.encounter, document.rules, who, option, cost))
        picks.append(PickOption(cost, known.get(cost) or explain.text(f"option.cost_{cost}"), refused=why))
    return picks


def with_usual_cost(document: DocumentModel, who: str, value: Any, option: ActionOption) -> Any:
    """Return a struct with a cost: where none was chosen, the first that can be paid."""
    if value.cost:
        return value
    costs = cost_options(document, who, option)
    return msgspec.structs.replace(value, cost=next((one.id for one in costs if not one.refused), costs[0].id))


def _refusal(document: DocumentModel, vetoes: Collection[Veto]) -> str:
    first = next(iter(vetoes), None)
    return explainer(document).text(first.reason, **dict(first.params)) if first is not None else ""


def combatants_by_hostility(document: DocumentModel, who: str) -> list[PickOption]:
    """Return all combatants as options, the hostile ones first."""
    people = [one for one in combatants_in_order(document) if not one.dead]
    return combatant_picks(sorted(people, key=lambda one: not positions.are_hostile(document.encounter, who, one.id)))
