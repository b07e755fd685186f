"""Forms of commands to others: to followers and groups on their controller's turn, to mounts by their riders."""

from __future__ import annotations

from turnwright.encounter.running import Combatant
from turnwright.play.actions.commands.command_followers import CommandFollowers
from turnwright.play.attacks.commands.command_mount import CommandMount
from turnwright.play.attacks.commands.group_attack import GroupAttack
from turnwright.play.kernel.commands import Command
from turnwright.play.movement.commands.mount_or_dismount import MountOrDismount
from turnwright.rules.parts import positions
from turnwright.rules.parts.actions.followers import group_of, moving_group
from turnwright.rules.parts.attacks.weapon_kind import is_attack
from turnwright.rules.parts.combatants.controlled_creatures import followers_of
from turnwright.rules.parts.movement.riding import mount_of
from turnwright.rules.system import creature_of
from turnwright.ui.docks.shared.explainer import explainer
from turnwright.ui.docks.turn.action_forms import (
    Values,
    entered_text,
    raw_text,
    refusal_text,
    rules_card,
    selected_id,
    selected_ids,
)
from turnwright.ui.docks.turn.attack_targets import combatant_picks, combatants_in_order, likely_targets
from turnwright.ui.document_model import DocumentModel
from turnwright.ui.translations import tr
from turnwright.ui.widgets.explanation import Explanation
from turnwright.ui.widgets.form_card import FormField, FormView
from turnwright.ui.widgets.pick_row import PickOption


class _Act:
    """The base of these forms: the acting combatant, a title, and the topic of the rule."""

    title, icon, topic = "", "account-group", ""

    def __init__(self, bridge: DocumentModel, who: str) -> None:
        self.who = who
        self._bridge = bridge

    def command(self, values: Values) -> Command:
        """Return the command for the values."""
        raise NotImplementedError

    def _form(self, fields: list[FormField], missing: str, text: str = "") -> FormView:
        seen = {one.id: one.value for one in fields}
        why, insist = ("", False) if missing else refusal_text(self._bridge, self.command(seen))
        title, rule = tr(self.title), explainer(self._bridge).rule_on_topic(self.topic)
        return FormView(
            title,
            self.icon,
            title,
            tuple(fields),
            text,
            why,
            insist,
            missing,
            (lambda: rules_card(self._bridge, title, (rule,)) or Explanation(title, "")) if rule else None,
        )

    def _label(self, who: str) -> str:
        return self._bridge.encounter.need(Combatant, who).label


class CommandFollowersForm(_Act):
    """Command followers: a single creature, or a group."""

    title, topic = "ui.action-form.command", "control.command"

    def view(self, values: Values) -> FormView:
        """Return the form."""
        units = self.units()
        unit = selected_id(values, "unit", next(iter(units), ""))
        picks = tuple(
            PickOption(id, " + ".join(self._label(each) for each in members)) for id, members in units.items()
        )
        foes = likely_targets(self._bridge, self.who)
        fields = [
            FormField("unit", tr("ui.action-form.commanded"), "pick", (unit,), picks),
            FormField(
                "action",
                tr("ui.action-form.order"),
                "text",
                raw_text(values, "action"),
                hint=tr("ui.action-form.order-hint"),
            ),
            FormField(
                "target",
                tr("ui.action-form.target"),
                "pick",
                selected_ids(values, "target"),
                tuple(combatant_picks(foes)),
                optional=True,
            ),
        ]
        return self._form(fields, "" if entered_text(values, "action") else tr("ui.action-form.missing-order"))

    def command(self, values: Values) -> CommandFollowers:
        """Return the command to the followers."""
        members = self.units().get(selected_id(values, "unit"), ())
        return CommandFollowers(self.who, members, entered_text(values, "action"), selected_id(values, "target"))

    def units(self) -> dict[str, tuple[str, ...]]:
        """Return the followers that take one command together, by the id of the first."""
        found: dict[str, tuple[str, ...]] = {}
        for one in followers_of(self._bridge.encounter, self.who):
            members = tuple(each.id for each in group_of(self._bridge.encounter, one.id) if each.controller == self.who)
            if not one.dead and not any(one.id in known for known in found.values()):
                found[one.id] = members or (one.id,)
        return found


class GroupAttackForm(_Act):
    """Attack one target with a whole group."""

    title, icon, topic = "ui.action-form.group-attack", "sword-cross", "control.attack.save"

    def view(self, values: Values) -> FormView:
        """Return the form."""
        lookup, rules = self._bridge.encounter, self._bridge.rules
        members = [one for one in moving_group(lookup, rules, self.who) if one.hp > 0]
        usual = tuple(one.id for one in members)
        chosen = values.get("members")
        means = self._means()
        foes = likely_targets(self._bridge, self.who)
        target = selected_ids(values, "target") or ((foes[0].id,) if len(foes) == 1 else ())
        fields = [
            FormField(
                "members",
                tr("ui.action-form.members"),
                "picks",
                chosen if isinstance(chosen, tuple) else usual,
                tuple(PickOption(one.id, one.label) for one in members),
            ),
            FormField(
                "means", tr("ui.attack.with"), "pick", (selected_id(values, "means", means[0].id),), tuple(means)
            ),
            FormField("target", tr("ui.action-form.target"), "pick", target, tuple(combatant_picks(foes))),
        ]
        return self._form(fields, "" if target else tr("ui.action-form.missing-target"))

    def command(self, values: Values) -> GroupAttack:
        """Return the attack."""
        return GroupAttack(selected_ids(values, "members"), selected_id(values, "target"), selected_id(values, "means"))

    def _means(self) -> list[PickOption]:
        combatant = self._bridge.encounter.need(Combatant, self.who)
        features = creature_of(self._bridge.encounter, combatant).features
        found = [PickOption(one.id, one.name, one.damage) for one in features if is_attack(one) or one.save]
        return found or [PickOption("", "–")]


class MountForm(_Act):
    """Mount a creature."""

    title, icon, topic = "ui.action-form.mount", "arrow-up-bold", "mount.cost"

    def view(self, values: Values) -> FormView:
        """Return the form."""
        lookup = self._bridge.encounter
        people = [
            one
            for one in combatants_in_order(self._bridge)
            if one.id != self.who and not one.dead and not positions.are_hostile(lookup, self.who, one.id)
        ]
        why = {one.id: refusal_text(self._bridge, MountOrDismount(self.who, one.id))[0] for one in people}
        people.sort(key=lambda one: bool(why[one.id]))
        able = [one.id for one in people if not why[one.id]]
        chosen = selected_ids(values, "mount") or ((able[0],) if len(able) == 1 else ())
        controlled = values.get("controlled", True)
        fields = [
            FormField("mount", tr("ui.action-form.mount-which"), "pick", chosen, tuple(combatant_picks(people, why))),
            FormField("controlled", "", "tick", bool(controlled), hint=tr("ui.action-form.controlled")),
        ]
        return self._form(fields, "" if chosen else tr("ui.action-form.missing-target"))

    def command(self, values: Values) -> MountOrDismount:
        """Return the command to mount."""
        return MountOrDismount(self.who, selected_id(values, "mount"), controlled=bool(values.get("controlled", True)))


class CommandMountForm(_Act):
    """Command a controlled mount."""

    title, icon, topic = "ui.action-form.order-mount", "paw", "mount.orders"

    def view(self, values: Values) -> FormView:
        """Return the form."""
        figures = self._bridge.rules.data.movement
        actions = self._bridge.rules.actions
        orders = tuple(
            PickOption(id, actions[id].name if id in actions else tr(f"ui.action-form.order-{id}"))
            for id in (*figures.free_orders, *figures.paid_orders)
        )
        order = selected_id(values, "order", orders[0].id if orders else "")
        fields = [FormField("order", tr("ui.action-form.order"), "pick", (order,), orders)]
        missing = ""
        if order == "attack":
            foes = likely_targets(self._bridge, self.who)
            target = selected_ids(values, "target")
            fields.append(
                FormField("target", tr("ui.action-form.target"), "pick", target, tuple(combatant_picks(foes)))
            )
            missing = "" if target else tr("ui.action-form.missing-target")
        elif order == "check":
            checks = [PickOption(f"{one.ability}:{one.id}", one.name) for one in self._bridge.rules.data.skills]
            check = selected_id(values, "check", checks[0].id if checks else "")
            fields.append(FormField("check", tr("ui.action-form.check"), "pick", (check,), tuple(checks)))
        mount = mount_of(self._bridge.encounter, self.who)
        return self._form(fields, missing, mount.label if mount else "")

    def command(self, values: Values) -> CommandMount:
        """Return the command to the mount."""
        return CommandMount(
            self.who, selected_id(values, "order"), selected_id(values, "target"), check=selected_id(values, "check")
        )
