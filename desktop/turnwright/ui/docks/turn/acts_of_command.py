"""Acts of those who command others: followers and groups on their controller's turn, mounts under their riders."""

from __future__ import annotations

from turnwright.encounter.running import Combatant
from turnwright.play.commands import Command, CommandMount, Direct, GroupAttack, Ride
from turnwright.rules.parts import positions
from turnwright.rules.parts.control import followers_of, group_of, moving_together
from turnwright.rules.parts.means import is_attack
from turnwright.rules.parts.riding import mount_of
from turnwright.rules.system import creature_of
from turnwright.ui.bridge import Bridge
from turnwright.ui.docks.explain import explainer
from turnwright.ui.docks.turn.acts import Values, all_of, one_of, refused, text_of, why_of, written
from turnwright.ui.docks.turn.attack_targets import combatants_in_order, likely_targets, people_picks
from turnwright.ui.say import say
from turnwright.ui.widgets.form_card import FormField, FormView
from turnwright.ui.widgets.pick_row import Pick
from turnwright.ui.widgets.why import Why


class _Act:
    """What these acts have in common: somebody, a title, and the topic of the rule behind it."""

    title, icon, topic = "", "account-group", ""

    def __init__(self, bridge: Bridge, who: str) -> None:
        self.who = who
        self._bridge = bridge

    def command(self, values: Values) -> Command:
        """Return what the values ask for."""
        raise NotImplementedError

    def _form(self, fields: list[FormField], missing: str, text: str = "") -> FormView:
        seen = {one.id: one.value for one in fields}
        why, insist = ("", False) if missing else refused(self._bridge, self.command(seen))
        title, rule = say(self.title), explainer(self._bridge).rule_on(self.topic)
        return FormView(
            title,
            self.icon,
            title,
            tuple(fields),
            text,
            why,
            insist,
            missing,
            (lambda: why_of(self._bridge, title, (rule,)) or Why(title, "")) if rule else None,
        )

    def _label(self, who: str) -> str:
        return self._bridge.encounter.need(Combatant, who).label


class DirectThem(_Act):
    """Command creatures under one's control: one of them, or one group."""

    title, topic = "ui.deed.direct", "control.command"

    def view(self, values: Values) -> FormView:
        """Return the form."""
        units = self.units()
        unit = one_of(values, "unit", next(iter(units), ""))
        picks = tuple(Pick(id, " + ".join(self._label(each) for each in members)) for id, members in units.items())
        foes = likely_targets(self._bridge, self.who)
        fields = [
            FormField("unit", say("ui.deed.unit"), "pick", (unit,), picks),
            FormField(
                "action", say("ui.deed.order"), "text", written(values, "action"), hint=say("ui.deed.order-hint")
            ),
            FormField(
                "target",
                say("ui.deed.target"),
                "pick",
                all_of(values, "target"),
                tuple(people_picks(foes)),
                optional=True,
            ),
        ]
        return self._form(fields, "" if text_of(values, "action") else say("ui.deed.missing-order"))

    def command(self, values: Values) -> Direct:
        """Return the order."""
        members = self.units().get(one_of(values, "unit"), ())
        return Direct(self.who, members, text_of(values, "action"), one_of(values, "target"))

    def units(self) -> dict[str, tuple[str, ...]]:
        """Return who can be commanded at once, by the first of them."""
        found: dict[str, tuple[str, ...]] = {}
        for one in followers_of(self._bridge.encounter, self.who):
            members = tuple(each.id for each in group_of(self._bridge.encounter, one.id) if each.controller == self.who)
            if not one.dead and not any(one.id in known for known in found.values()):
                found[one.id] = members or (one.id,)
        return found


class AttackTogether(_Act):
    """Let a group attack one target as one."""

    title, icon, topic = "ui.deed.group-attack", "sword-cross", "control.attack.save"

    def view(self, values: Values) -> FormView:
        """Return the form."""
        lookup, rules = self._bridge.encounter, self._bridge.rules
        members = [one for one in moving_together(lookup, rules, self.who) if one.hp > 0]
        usual = tuple(one.id for one in members)
        chosen = values.get("members")
        means = self._means()
        foes = likely_targets(self._bridge, self.who)
        target = all_of(values, "target") or ((foes[0].id,) if len(foes) == 1 else ())
        fields = [
            FormField(
                "members",
                say("ui.deed.members"),
                "picks",
                chosen if isinstance(chosen, tuple) else usual,
                tuple(Pick(one.id, one.label) for one in members),
            ),
            FormField("means", say("ui.attack.with"), "pick", (one_of(values, "means", means[0].id),), tuple(means)),
            FormField("target", say("ui.deed.target"), "pick", target, tuple(people_picks(foes))),
        ]
        return self._form(fields, "" if target else say("ui.deed.missing-target"))

    def command(self, values: Values) -> GroupAttack:
        """Return the attack."""
        return GroupAttack(all_of(values, "members"), one_of(values, "target"), one_of(values, "means"))

    def _means(self) -> list[Pick]:
        combatant = self._bridge.encounter.need(Combatant, self.who)
        features = creature_of(self._bridge.encounter, combatant).features
        found = [Pick(one.id, one.name, one.damage) for one in features if is_attack(one) or one.save]
        return found or [Pick("", "–")]


class Mount(_Act):
    """Get on somebody's back."""

    title, icon, topic = "ui.deed.mount", "arrow-up-bold", "mount.cost"

    def view(self, values: Values) -> FormView:
        """Return the form."""
        lookup = self._bridge.encounter
        people = [
            one
            for one in combatants_in_order(self._bridge)
            if one.id != self.who and not one.dead and not positions.hostile(lookup, self.who, one.id)
        ]
        why = {one.id: refused(self._bridge, Ride(self.who, one.id))[0] for one in people}
        people.sort(key=lambda one: bool(why[one.id]))
        able = [one.id for one in people if not why[one.id]]
        chosen = all_of(values, "mount") or ((able[0],) if len(able) == 1 else ())
        controlled = values.get("controlled", True)
        fields = [
            FormField("mount", say("ui.deed.mount-which"), "pick", chosen, tuple(people_picks(people, why))),
            FormField("controlled", "", "tick", bool(controlled), hint=say("ui.deed.controlled")),
        ]
        return self._form(fields, "" if chosen else say("ui.deed.missing-target"))

    def command(self, values: Values) -> Ride:
        """Return the getting on."""
        return Ride(self.who, one_of(values, "mount"), controlled=bool(values.get("controlled", True)))


class OrderMount(_Act):
    """Have the mount one controls do something."""

    title, icon, topic = "ui.deed.order-mount", "paw", "mount.orders"

    def view(self, values: Values) -> FormView:
        """Return the form."""
        figures = self._bridge.rules.catalogue.movement
        actions = self._bridge.rules.actions
        orders = tuple(
            Pick(id, actions[id].name if id in actions else say(f"ui.deed.order-{id}"))
            for id in (*figures.free_orders, *figures.paid_orders)
        )
        order = one_of(values, "order", orders[0].id if orders else "")
        fields = [FormField("order", say("ui.deed.order"), "pick", (order,), orders)]
        missing = ""
        if order == "attack":
            foes = likely_targets(self._bridge, self.who)
            target = all_of(values, "target")
            fields.append(FormField("target", say("ui.deed.target"), "pick", target, tuple(people_picks(foes))))
            missing = "" if target else say("ui.deed.missing-target")
        elif order == "check":
            checks = [Pick(f"{one.ability}:{one.id}", one.name) for one in self._bridge.rules.catalogue.skills]
            check = one_of(values, "check", checks[0].id if checks else "")
            fields.append(FormField("check", say("ui.deed.check"), "pick", (check,), tuple(checks)))
        mount = mount_of(self._bridge.encounter, self.who)
        return self._form(fields, missing, mount.label if mount else "")

    def command(self, values: Values) -> CommandMount:
        """Return the order."""
        return CommandMount(self.who, one_of(values, "order"), one_of(values, "target"), check=one_of(values, "check"))
