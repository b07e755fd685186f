"""Forms for commanding others: followers and groups on their controller's turn, and mounts by their riders."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from turnwright.encounter.field_specs import CombatantId
from turnwright.encounter.running import Combatant
from turnwright.play.actions.command_followers import CommandFollowers
from turnwright.play.attacks.group_attack import GroupAttack
from turnwright.play.attacks.mount_command import CommandMount
from turnwright.play.movement.mounting import MountOrDismount
from turnwright.rules.parts import positions
from turnwright.rules.parts.actions.followers import group_of, moving_group
from turnwright.rules.parts.attacks.weapon_kind import is_attack
from turnwright.rules.parts.combatants.controlled_creatures import followers_of
from turnwright.rules.parts.movement.riding import mount_of
from turnwright.rules.system import creature_of
from turnwright.ui.docks.shared.explainer import explainer
from turnwright.ui.docks.turn.cards.attack_targets import combatant_picks, combatants_in_order, likely_targets
from turnwright.ui.docks.turn.forms.action_forms import ActionForm, rules_card
from turnwright.ui.forms.command_drafts import rule_check
from turnwright.ui.forms.form import Row, Rows
from turnwright.ui.forms.kinds import FieldMaker
from turnwright.ui.forms.pick_field import picked
from turnwright.ui.look.translations import tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.pick_row import PickOption
from turnwright.ui.widgets.rules.explanation import Explanation


class _CommandForm(ActionForm):
    """The base class of the command forms. `word` is part of the title's key, and `topic` is the topic of the rule."""

    word, topic = "", ""

    def __init__(self, document: DocumentModel, who: str, entered: msgspec.Struct) -> None:
        super().__init__(document, who, tr(f"ui.action-form.{self.word}"), entered)

    def why(self) -> Explanation | None:
        """Return the rule, or None if the rule system has none."""
        rule = explainer(self.document).rule_on_topic(self.topic)
        return rules_card(self.document, self.title, (rule,)) or Explanation(self.title, "") if rule else None

    def foes(self) -> list[PickOption]:
        """Return the conscious enemies as options."""
        return combatant_picks(likely_targets(self.document, self.who))


class FollowersOrder(msgspec.Struct, frozen=True):
    """An order to followers: the first member of their group, the text of the order, and the target."""

    unit: CombatantId = ""
    action: str = ""
    target: CombatantId = ""


class CommandFollowersForm(_CommandForm):
    """Commands followers, either a single creature or a group."""

    word, topic = "command", "control.command"
    optional = ("target",)

    def __init__(self, document: DocumentModel, who: str) -> None:
        super().__init__(document, who, FollowersOrder())

    def rows(self) -> Rows:
        """Return the rows for followers, order and target."""
        return Row("unit"), Row("action"), Row("target")

    def fields(self) -> dict[str, FieldMaker]:
        """Return the pick fields for followers and enemies."""
        return {"unit": picked(self._picks), "target": picked(self.foes, optional=True)}

    def captions(self) -> dict[str, str]:
        """Return the caption keys of fields whose caption differs from the field name."""
        return {"unit": "commanded"}

    def fill(self, value: FollowersOrder, _entered: Collection[str]) -> FollowersOrder:
        """Return the order, addressed to the first followers if none were chosen."""
        units = self.units()
        return value if value.unit in units else msgspec.structs.replace(value, unit=next(iter(units), ""))

    def missing(self, value: FollowersOrder) -> str:
        """Return a message if the order is missing, or an empty string."""
        return "" if value.action.strip() else tr("ui.action-form.missing-order")

    def command(self, value: FollowersOrder) -> CommandFollowers:
        """Return the command to the followers."""
        return CommandFollowers(self.who, self.units().get(value.unit, ()), value.action.strip(), value.target)

    def units(self) -> dict[str, tuple[str, ...]]:
        """Return the groups of followers that obey one command together, keyed by the id of their first member."""
        groups: dict[str, tuple[str, ...]] = {}
        for follower in followers_of(self.document.encounter, self.who):
            members = tuple(
                member.id for member in group_of(self.document.encounter, follower.id) if member.controller == self.who
            )
            if not follower.dead and not any(follower.id in group for group in groups.values()):
                groups[follower.id] = members or (follower.id,)
        return groups

    def _picks(self) -> list[PickOption]:
        labels = {combatant.id: combatant.label for combatant in self.document.encounter.all(Combatant)}
        return [PickOption(id, " + ".join(labels[member] for member in unit)) for id, unit in self.units().items()]


class GroupAttackForm(_CommandForm):
    """Attacks one target with a whole group."""

    word, icon, topic = "group-attack", "sword-cross", "control.attack.save"

    def __init__(self, document: DocumentModel, who: str) -> None:
        super().__init__(document, who, GroupAttack((), ""))

    def rows(self) -> Rows:
        """Return the rows for attackers, weapon and target."""
        return Row("who"), Row("weapon"), Row("target")

    def fields(self) -> dict[str, FieldMaker]:
        """Return the pick fields for members, weapons and enemies."""
        members = picked(lambda: [PickOption(member.id, member.label) for member in self._members()], many=True)
        return {"who": members, "weapon": picked(self._weapons), "target": picked(self.foes)}

    def captions(self) -> dict[str, str]:
        """Return the caption keys of fields whose caption differs from the field name."""
        return {"who": "members"}

    def fill(self, value: GroupAttack, entered: Collection[str]) -> GroupAttack:
        """Return the attack. By default all members attack with the first weapon, and a single enemy is the target."""
        foes = self.foes()
        return msgspec.structs.replace(
            value,
            who=value.who if "who" in entered else tuple(member.id for member in self._members()),
            weapon=value.weapon or self._weapons()[0].id,
            target=value.target or (foes[0].id if len(foes) == 1 else ""),
        )

    def missing(self, value: GroupAttack) -> str:
        """Return a message if the target is missing, or an empty string."""
        return "" if value.target else tr("ui.action-form.missing-target")

    def _members(self) -> list[Combatant]:
        return [
            combatant
            for combatant in moving_group(self.document.encounter, self.document.rules, self.who)
            if combatant.hp > 0
        ]

    def _weapons(self) -> list[PickOption]:
        combatant = self.document.encounter.need(Combatant, self.who)
        features = creature_of(self.document.encounter, combatant).features
        options = [
            PickOption(feature.id, feature.name, feature.damage)
            for feature in features
            if is_attack(feature) or feature.save
        ]
        return options or [PickOption("", "–")]


class MountForm(_CommandForm):
    """Mounts a creature."""

    word, icon, topic = "mount", "arrow-up-bold", "mount.cost"

    def __init__(self, document: DocumentModel, who: str) -> None:
        super().__init__(document, who, MountOrDismount(who))

    def rows(self) -> Rows:
        """Return the rows for the mount and for the choice whether the rider controls it."""
        return Row("mount"), Row("controlled")

    def fields(self) -> dict[str, FieldMaker]:
        """Return the pick field for mounts, starting with those that can carry the rider."""
        return {"mount": picked(self._mounts)}

    def captions(self) -> dict[str, str]:
        """Return the caption keys of fields whose caption differs from the field name."""
        return {"mount": "mount-which"}

    def fill(self, value: MountOrDismount, _entered: Collection[str]) -> MountOrDismount:
        """Return the command. If no mount was chosen and only one is possible, use that one."""
        able = [mount.id for mount in self._mounts() if not mount.refused]
        return msgspec.structs.replace(value, mount=able[0]) if not value.mount and len(able) == 1 else value

    def missing(self, value: MountOrDismount) -> str:
        """Return a message if the mount is missing, or an empty string."""
        return "" if value.mount else tr("ui.action-form.missing-target")

    def _mounts(self) -> list[PickOption]:
        encounter = self.document.encounter
        people = [
            combatant
            for combatant in combatants_in_order(self.document)
            if combatant.id != self.who
            and not combatant.dead
            and not positions.are_hostile(encounter, self.who, combatant.id)
        ]
        why = {person.id: rule_check(self.document, MountOrDismount(self.who, person.id)).text for person in people}
        return combatant_picks(sorted(people, key=lambda combatant: bool(why[combatant.id])), why)


class CommandMountForm(_CommandForm):
    """Commands a controlled mount."""

    word, icon, topic = "order-mount", "paw", "mount.orders"

    def __init__(self, document: DocumentModel, who: str) -> None:
        super().__init__(document, who, CommandMount(who, ""))

    def rows(self) -> Rows:
        """Return the rows for the order and for the target or check that the order needs."""
        return (
            Row("action"),
            Row("target", shown_when=lambda value, _context: value.action == "attack"),
            Row("check", shown_when=lambda value, _context: value.action == "check"),
        )

    def fields(self) -> dict[str, FieldMaker]:
        """Return the pick fields for orders, enemies and checks."""
        return {"action": picked(self._orders), "target": picked(self.foes), "check": picked(self._checks)}

    def fill(self, value: CommandMount, _entered: Collection[str]) -> CommandMount:
        """Return the command, with the first order and the first check as defaults."""
        first = {"action": self._orders(), "check": self._checks()}
        usual = {name: options[0].id for name, options in first.items() if options and not getattr(value, name)}
        return msgspec.structs.replace(value, **usual)

    def missing(self, value: CommandMount) -> str:
        """Return a message if the target is missing, or an empty string."""
        return "" if value.action != "attack" or value.target else tr("ui.action-form.missing-target")

    def text(self) -> str:
        """Return the label of the mount."""
        mount = mount_of(self.document.encounter, self.who)
        return mount.label if mount else ""

    def _orders(self) -> list[PickOption]:
        movement, actions = self.document.rules.data.movement, self.document.rules.actions
        return [
            PickOption(id, actions[id].name if id in actions else tr(f"ui.action-form.order-{id}"))
            for id in (*movement.free_orders, *movement.paid_orders)
        ]

    def _checks(self) -> list[PickOption]:
        return [PickOption(f"{skill.ability}:{skill.id}", skill.name) for skill in self.document.rules.data.skills]
