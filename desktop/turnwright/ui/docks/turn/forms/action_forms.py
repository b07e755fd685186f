"""The form of an action, built from its data, for parameters that are entered before the action is taken.

A form converts the entered values to a command. The engine's preview shows whether the command is legal.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import msgspec

from turnwright.encounter.prepared import Feature
from turnwright.encounter.running import Combatant
from turnwright.play.actions.action import ITEM, OTHER_ITEM, TakeAction
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
from turnwright.ui.docks.turn.cards.attack_targets import combatant_picks, combatants_in_order
from turnwright.ui.forms.command_drafts import CommandDraft
from turnwright.ui.forms.fields import TextField
from turnwright.ui.forms.form import FormLayout, Row, Rows
from turnwright.ui.forms.kinds import FieldMaker
from turnwright.ui.forms.pick_field import picked
from turnwright.ui.look.translations import tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.pick_row import PickOption
from turnwright.ui.widgets.rules.explanation import Explanation

READY, ATTACK, RELEASE = "ready", "attack", "release"
ICONS = {"one": "hand-heart", "observers": "eye-off", "": "lightning-bolt"}


class AreaUse(msgspec.Struct, frozen=True):
    """The shape of an area, as worded in a stat block or spell. If `is_free`, it can be placed anywhere in range."""

    text: str
    is_free: bool = False


class ActionForm:
    """The base class of the forms of actions.

    `entered` is the initial value: the command, or a struct that the command is made from.
    `optional` fields are skipped when the form takes the focus.
    """

    icon = "account-group"
    optional: Collection[str] = ()

    def __init__(self, document: DocumentModel, who: str, title: str, entered: msgspec.Struct) -> None:
        self.document = document
        self.who = who
        self.title = self.button_text = title
        self.draft = CommandDraft(entered, self.fill)

    def area(self) -> AreaUse | None:
        """Return the area from which targets can be taken on the map, or None if the action has none."""
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
        """Return the field makers for fields that need a special one, keyed by field name."""
        return {}

    def captions(self) -> dict[str, str]:
        """Return the caption keys of fields whose caption differs from the field name."""
        return {}

    def fill(self, value: Any, entered: Collection[str]) -> Any:
        """Return the entered value, completed with defaults."""
        return value

    def command(self, value: Any) -> Command:
        """Return the command for the entered value."""
        command: Command = value
        return command

    def missing(self, value: Any) -> str:
        """Return a message about a missing value, or an empty string if the form is complete."""
        return ""

    def text(self) -> str:
        """Return the text below the title."""
        return ""

    def why(self) -> Explanation | None:
        """Return the rules of the action, or None if there are none."""
        return None


def rules_card(document: DocumentModel, title: str, rules: tuple[str, ...], text: str = "") -> Explanation | None:
    """Return a card with the rules of an action, or None if there are no rules and no text."""
    lines = tuple(explainer(document).rule_lines(rules))
    return Explanation(title, "", lines, (), (text,) if text else ()) if lines or text else None


def needs_form(option: ActionOption) -> bool:
    """Whether an action has parameters that must be chosen before it is taken."""
    rolls = option.trial.rolls if option.trial else ()
    chooses = "choice" in option.asks and option.choices and "remember" not in option.asks
    parameters = {"cost", ITEM} & {*option.asks}
    return bool(option.targets or chooses or parameters or len(rolls) > 1 or option.done == READY)


class SystemActionForm(ActionForm):
    """The form for an action of the rule system: target, choice, cost, and a note."""

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
        """Return the options of the action: skills to roll, items to use, or listed choices."""
        option, explain = self._option, explainer(self.document)
        rolls = option.trial.rolls if option.trial else ()
        if len(rolls) > 1:
            return [PickOption(roll, explain.name(f"<skill.{roll.rpartition(':')[2]}>")) for roll in rolls]
        if ITEM in option.asks:
            items = usable_items(self.document.encounter, self.document.rules, self.who)
            other = PickOption(OTHER_ITEM, tr("ui.action-form.another-item"))
            return [*(PickOption(item.id, item.name) for item in items), other] if items else []
        if "choice" not in option.asks:
            return []
        ways = [PickOption(choice.id, choice.name) for choice in option.choices]
        if option.done == READY:
            features = creature_of(self.document.encounter, self.document.encounter.need(Combatant, self.who)).features
            ways += [
                PickOption(
                    feature.id,
                    feature.name,
                    feature.text,
                    self._unready(feature),
                    icon="sword" if feature.damage else "",
                )
                for feature in features
                if feature.cost == "action"
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
            return combatant_picks(
                [combatant for combatant in combatants_in_order(self.document) if combatant.id in usual]
            )
        why = self._refusals(self.draft.value().choice)
        people = sorted(self._others(), key=lambda combatant: bool(why[combatant.id]))
        return combatant_picks(people, why)

    def _refusals(self, choice: str) -> dict[str, str]:
        """Return the reason against each target of the action, or an empty string, keyed by combatant id.

        Reasons that don't depend on the target, such as the cost, are left out.
        """
        lookup, rules, option = self.document.encounter, self.document.rules, self._option
        anyway = set(action_vetoes(lookup, rules, self.who, option, choice=choice))
        refusals = {}
        for other in self._others():
            vetoes = action_vetoes(lookup, rules, self.who, option, (other.id,), choice=choice)
            refusals[other.id] = _refusal(self.document, [veto for veto in vetoes if veto not in anyway])
        return refusals

    def _others(self) -> list[Combatant]:
        return [
            combatant
            for combatant in combatants_in_order(self.document)
            if combatant.id != self.who and not combatant.dead
        ]

    def _foes(self) -> list[Combatant]:
        return [other for other in self._others() if positions.are_hostile(self.document.encounter, self.who, other.id)]

    def _wants_note(self, choice: str) -> bool:
        option = self._option
        keeps_note = any(leave.keeps == "note" and leave.only in ("", choice) for leave in option.leaves)
        return (
            keeps_note
            or option.done == READY
            or (not option.targets and not option.effect and option.group != "reaction")
        )


def cost_options(document: DocumentModel, who: str, option: ActionOption) -> list[PickOption]:
    """Return the resources that can pay for an action, each with a reason if the combatant can't use it."""
    explain = explainer(document)
    names = {
        status.resource.id: status.resource.name for status in resources_of(document.encounter, document.rules, who)
    }
    picks = []
    for cost in option.payable:
        why = _refusal(document, cost_vetoes(document.encounter, document.rules, who, option, cost))
        picks.append(PickOption(cost, names.get(cost) or explain.text(f"option.cost_{cost}"), refused=why))
    return picks


def with_usual_cost(document: DocumentModel, who: str, value: Any, option: ActionOption) -> Any:
    """Return a struct with its cost filled in. If none was chosen, use the first that can be paid."""
    if value.cost:
        return value
    costs = cost_options(document, who, option)
    return msgspec.structs.replace(value, cost=next((cost.id for cost in costs if not cost.refused), costs[0].id))


def _refusal(document: DocumentModel, vetoes: Collection[Veto]) -> str:
    first = next(iter(vetoes), None)
    return explainer(document).text(first.reason, **dict(first.params)) if first is not None else ""


def combatants_by_hostility(document: DocumentModel, who: str) -> list[PickOption]:
    """Return all living combatants as options, starting with the hostile ones."""
    people = [combatant for combatant in combatants_in_order(document) if not combatant.dead]
    return combatant_picks(
        sorted(people, key=lambda combatant: not positions.are_hostile(document.encounter, who, combatant.id))
    )
