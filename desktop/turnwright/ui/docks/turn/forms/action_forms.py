"""The forms of actions: the rule system's, features and spells, mounts, and commands to followers and groups."""

from collections.abc import Collection

import msgspec

from turnwright.encounter import field_specs, running
from turnwright.encounter.prepared import Feature
from turnwright.encounter.procedure_state.actions import ActionInProgress
from turnwright.play.actions.action import ITEM, OTHER_ITEM, TakeAction
from turnwright.play.actions.use_feature import CommandFollowers, UseFeature
from turnwright.play.asking.declaration import observers_of
from turnwright.play.attacks.group_attack import CommandMount, GroupAttack
from turnwright.play.movement.mounting import MountOrDismount
from turnwright.play.queries.queries import resources_of
from turnwright.play.state.effect_records import concentration_of
from turnwright.rules.parts.actions import action_options, spell_features, triggered_features
from turnwright.rules.parts.attacks.attack_targeting import is_attack, is_spell
from turnwright.rules.parts.combatants.facts import followers_of
from turnwright.rules.parts.conditions.rule_words import write_rules
from turnwright.rules.parts.economy.limited_uses import remaining_uses
from turnwright.rules.parts.movement.move_legs import mount_of
from turnwright.rules.system import Veto, creature_of
from turnwright.rules.system_data.numbers import ActionOption
from turnwright.ui.docks.shared.explainer import explainer
from turnwright.ui.docks.turn.cards.attack_card import combatant_picks, combatants_in_order, likely_targets
from turnwright.ui.docks.turn.forms.action_form import ActionForm, AreaUse, Asked, rules_card
from turnwright.ui.forms.fields import TextField
from turnwright.ui.forms.record_fields import rule_check
from turnwright.ui.look.style import tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.fields import PickOption
from turnwright.ui.widgets.rules.why import Explanation

READY, ATTACK, RELEASE = "ready", "attack", "release"
ICONS = {"one": "hand-heart", "observers": "eye-off", "": "lightning-bolt"}


def needs_form(option: ActionOption) -> bool:
    """Whether an action has parameters that must be chosen before it is taken."""
    rolls = option.trial.rolls if option.trial else ()
    chooses = "choice" in option.asks and option.choices and "remember" not in option.asks
    parameters = {"cost", ITEM} & {*option.asks}
    return bool(option.targets or chooses or parameters or len(rolls) > 1 or option.done == READY)


class OptionForm(ActionForm):
    """The base class of the forms for actions of the rule system, with the rules of the action and its cost."""

    def __init__(self, document: DocumentModel, who: str, option: ActionOption, entered: msgspec.Struct) -> None:
        self._option = option
        super().__init__(document, who, option.name, entered)

    def why(self) -> Explanation | None:
        """Return a card with the rules of the action."""
        return rules_card(self.document, self._option.name, self._option.ledger, self._option.text)

    def costs(self, _value: object = None) -> list[PickOption]:
        """Return the resources that can pay for the action, each with a reason if the combatant can't use it."""
        lookup, rules, explain = self.document.encounter, self.document.rules, explainer(self.document)
        names = {status.resource.id: status.resource.name for status in resources_of(lookup, rules, self.who)}
        picks = []
        for cost in self._option.payable:
            why = self.refusal(action_options.cost_vetoes(lookup, rules, self.who, self._option, cost))
            picks.append(PickOption(cost, names.get(cost) or explain.text(f"option.cost_{cost}"), refused=why))
        return picks

    def refusal(self, vetoes: Collection[Veto]) -> str:
        """Return the first reason against an action as text, or an empty string if there is none."""
        return explainer(self.document).veto_text(next(iter(vetoes), None))


class SystemActionForm(OptionForm):
    """The form for an action of the rule system: target, choice, cost, and a note."""

    def __init__(self, document: DocumentModel, who: str, option: ActionOption) -> None:
        self.icon = ICONS[option.targets]
        self.skipped = () if option.done == READY else ("note",)
        super().__init__(document, who, option, TakeAction(who, option.id))

    def asked(self) -> list[Asked]:
        """Return the fields that the action needs."""
        option, is_item = self._option, ITEM in self._option.asks
        note = "trigger" if option.done == READY else "note"
        fields = [Asked("choice", lambda _value: self.ways(), shown_when=lambda _value: self.ways())]
        if option.targets == "observers":
            fields.append(Asked("targets", self._observers, "observers", many=True))
        elif option.targets:
            targets = Asked("targets", self._targets, "target", plural=True, default="only", missing="missing-target")
            fields.append(targets)
        has_costs = len(option.payable) > 1 and "cost" in option.asks
        costs = [Asked("cost", self.costs, default="first")] if has_costs else []
        return [
            *fields,
            Asked(
                "about",
                lambda _value: combatant_picks([other for other in self.others() if self.is_hostile(other.id)]),
                "against",
                lambda value: option.about and value.choice == option.about,
                missing="missing-against",
            ),
            *costs,
            Asked(
                "note",
                caption=note,
                shown_when=lambda value: self._wants_note(value.choice),
                missing="missing-trigger" if option.done == READY else "missing-item" if is_item else "",
                needed_when=lambda value: not is_item or value.choice in ("", OTHER_ITEM),
                maker=lambda _request: TextField(tr(f"ui.action-form.{note}-hint")),
            ),
        ]

    def fill(self, value: TakeAction, entered: Collection[str]) -> TakeAction:
        """Return the action with defaults: the usual choice, and all observers."""
        ways = [way.id for way in self.ways()]
        if not value.choice and ways:
            usual = self._option.about if self._option.about in ways else ways[0]
            value = msgspec.structs.replace(value, choice=usual)
        if self._option.targets == "observers" and "targets" not in entered:
            value = msgspec.structs.replace(value, targets=observers_of(self.document.encounter, self.who))
        filled: TakeAction = super().fill(value, entered)
        return filled

    def command(self, value: TakeAction) -> TakeAction:
        """Return the command, its note without surrounding whitespace."""
        return msgspec.structs.replace(value, note=value.note.strip())

    def text(self) -> str:
        """Return the text of the action."""
        return self._option.text

    def ways(self) -> list[PickOption]:
        """Return the options of the action: skills to roll, items to use, or listed choices."""
        option, explain = self._option, explainer(self.document)
        rolls = option.trial.rolls if option.trial else ()
        if len(rolls) > 1:
            return [PickOption(roll, explain.name(f"<skill.{roll.rpartition(':')[2]}>")) for roll in rolls]
        if ITEM in option.asks:
            items = action_options.usable_items(self.document.encounter, self.document.rules, self.who)
            other = PickOption(OTHER_ITEM, tr("ui.action-form.another-item"))
            return [*(PickOption(item.id, item.name) for item in items), other] if items else []
        if "choice" not in option.asks:
            return []
        ways = [PickOption(choice.id, choice.name) for choice in option.choices]
        if option.done == READY:
            for feature in self.creature.features:
                if feature.cost == "action":
                    why, icon = self.refusal(self._vetoes((), feature.id)), "sword" if feature.damage else ""
                    ways.append(PickOption(feature.id, feature.name, feature.rules_text, why, icon=icon))
        return ways

    def _vetoes(self, targets: tuple[str, ...], choice: str) -> Collection[Veto]:
        taken = ActionInProgress(self.who, self._option.id, targets, choice=choice)
        return action_options.action_vetoes(self.document.encounter, self.document.rules, self.who, self._option, taken)

    def _observers(self, _value: object) -> list[PickOption]:
        usual = observers_of(self.document.encounter, self.who)
        return combatant_picks([combatant for combatant in combatants_in_order(self.document) if combatant.id in usual])

    def _targets(self, value: TakeAction) -> list[PickOption]:
        """Return the targets, each with the reason against it. Reasons that don't depend on the target are left out."""
        anyway = set(self._vetoes((), value.choice))
        why = {
            other.id: self.refusal([veto for veto in self._vetoes((other.id,), value.choice) if veto not in anyway])
            for other in self.others()
        }
        return combatant_picks(sorted(self.others(), key=lambda combatant: bool(why[combatant.id])), why)

    def _wants_note(self, choice: str) -> bool:
        option = self._option
        keeps_note = any(leave.keeps == "note" and leave.only in ("", choice) for leave in option.leaves)
        is_free = not option.targets and not option.effect and option.group != "reaction"
        return keeps_note or option.done == READY or is_free


class FeatureUse(msgspec.Struct, frozen=True):
    """The targets of a feature, and the slot of a spell."""

    targets: field_specs.CombatantIds = ()
    slot: str = ""


class UseFeatureForm(ActionForm):
    """Uses a feature without an attack roll on targets, with a slot if it is a spell."""

    def __init__(self, document: DocumentModel, who: str, feature: Feature, purpose: str = "", spell: str = "") -> None:
        self._feature = feature
        self._purpose = purpose
        self._spell = spell
        self.icon = "magic-staff" if is_spell(feature) else "flash"
        super().__init__(document, who, feature.name, FeatureUse())
        self.button_text = tr("ui.action-form.use")

    def asked(self) -> list[Asked]:
        """Return the fields for targets and, if there is a choice, for slots."""
        return [
            Asked("targets", self._targets, many=True, missing="missing-targets"),
            Asked("slot", self._slots, shown_when=lambda value: len(self._slots(value)) > 1, default="first"),
        ]

    def area(self) -> AreaUse | None:
        """Return the feature's area, or None if it has none. An area without a range starts at the feature's owner."""
        return AreaUse(self._feature.area, bool(self._feature.range)) if self._feature.area else None

    def command(self, value: FeatureUse) -> UseFeature:
        """Return the command that uses the feature."""
        return UseFeature(
            self.who,
            "" if self._spell else self._feature.id,
            spell=self._spell,
            targets=value.targets,
            level=int(value.slot) if value.slot else None,
            purpose=self._purpose,  # type: ignore[arg-type]
            origin=self.origin,
        )

    def _targets(self, _value: object) -> list[PickOption]:
        """Return the combatants, enemies first, or allies first if the feature heals."""
        options = self.everybody()
        if triggered_features.heals_targets(self._feature):
            options.sort(key=lambda option: self.is_hostile(option.id))
        return options

    def _slots(self, _value: object) -> list[PickOption]:
        return slot_picks(self.document, self.who, self._feature.level)

    def text(self) -> str:
        """Return the save, damage and area, or the feature's text if it has none of them."""
        feature = spell_features.with_casters_dc(self._feature, self.caster)
        shown = summary_of(self.document, feature) or feature.rules_text
        return with_ended(self.document, self.who, shown) if feature.concentration and not self._spell else shown

    def why(self) -> Explanation | None:
        """Return a card with the text of the feature."""
        return rules_card(self.document, self._feature.name, (), self._feature.rules_text)


def summary_of(document: DocumentModel, feature: Feature) -> str:
    """Return the save, damage, healing, effect and area of a feature as text. Empty if it has none of them."""
    save = explainer(document).name(f"<save.{feature.save}>") if feature.save else ""
    parts = (
        f"{tr('ui.prompt.dc', dc=feature.dc)} {save}" if save and feature.dc else save,
        feature.damage,
        tr("ui.action-form.heals", amount=feature.heals) if triggered_features.heals_targets(feature) else "",
        tr("ui.action-form.half-on-save") if feature.half else "",
        tr("ui.action-form.temporary", amount=feature.temp) if feature.temp else "",
        write_rules(feature.effect, document.rules),
        feature.lasts,
        feature.area,
    )
    return ", ".join(part for part in parts if part)


def slot_picks(document: DocumentModel, who: str, lowest: int | None) -> list[PickOption]:
    """Return a caster's slots from a level up, each with the number left. Empty for a cantrip."""
    if not lowest:
        return []
    encounter, options = document.encounter, []
    for level, maximum in creature_of(encounter, encounter.need(running.Combatant, who)).slots:
        if int(level) >= lowest and maximum:
            left = remaining_uses(encounter, who, f"slots.{level}")
            tip, refused = tr("ui.action-form.left", left=left, of=maximum), "" if left else tr("ui.cast.none-left")
            options.append(PickOption(level, tr("ui.turn.slot", level=level), tip, refused, note=f"{left}/{maximum}"))
    return options


def with_ended(document: DocumentModel, who: str, text: str) -> str:
    """Add to a text which concentration of a caster ends when it casts a spell that needs concentration."""
    if (effect := concentration_of(document.encounter, document.rules, who)) is None:
        return text
    what = effect.source or explainer(document).name(f"<condition.{effect.name}>")
    return " · ".join(filter(None, (text, tr("ui.action-form.ends-concentration", what=what))))


def has_targets(feature: Feature) -> bool:
    """Whether a feature affects targets: by a save, damage, conditions, healing, effects, a push or persistent damage."""
    affects = triggered_features.affecting(feature) or (feature.lasts and is_spell(feature))
    return bool(triggered_features.heals_targets(feature) or (affects and feature.range != spell_features.SELF))


class _CommandForm(ActionForm):
    """The base class of the forms for mounts and others under command.

    `word` is part of the title's key, and `topic` is the topic of the rule.
    """

    word, topic = "", ""

    def __init__(self, document: DocumentModel, who: str, entered: msgspec.Struct) -> None:
        super().__init__(document, who, tr(f"ui.action-form.{self.word}"), entered)

    def why(self) -> Explanation | None:
        """Return the rule, or None if the rule system has none."""
        rule = explainer(self.document).rule_on_topic(self.topic)
        return rules_card(self.document, self.title, (rule,)) if rule else None

    def foes(self, _value: object) -> list[PickOption]:
        """Return the conscious enemies as options."""
        return combatant_picks(likely_targets(self.document, self.who))


class FollowersOrder(msgspec.Struct, frozen=True):
    """An order to followers: the first member of their group, the text of the order, and the target."""

    unit: field_specs.CombatantId = ""
    action: str = ""
    target: field_specs.CombatantId = ""


class CommandFollowersForm(_CommandForm):
    """Commands followers, either a single creature or a group."""

    word, topic = "command", "control.command"
    skipped = ("target",)

    def __init__(self, document: DocumentModel, who: str) -> None:
        super().__init__(document, who, FollowersOrder())

    def asked(self) -> list[Asked]:
        """Return the fields for followers, order and target."""
        return [
            Asked("unit", self._picks, "commanded", default="first"),
            Asked("action", missing="missing-order"),
            Asked("target", self.foes, optional=True),
        ]

    def command(self, value: FollowersOrder) -> CommandFollowers:
        """Return the command to the followers."""
        return CommandFollowers(self.who, self.units().get(value.unit, ()), value.action.strip(), value.target)

    def units(self) -> dict[str, tuple[str, ...]]:
        """Return the groups of followers that obey one command together, keyed by the id of their first member."""
        groups: dict[str, tuple[str, ...]] = {}
        for follower in followers_of(self.document.encounter, self.who):
            group = action_options.group_of(self.document.encounter, follower.id)
            members = tuple(member.id for member in group if member.controller == self.who)
            if not follower.dead and not any(follower.id in group for group in groups.values()):
                groups[follower.id] = members or (follower.id,)
        return groups

    def _picks(self, _value: object) -> list[PickOption]:
        labels = {combatant.id: combatant.label for combatant in self.document.encounter.all(running.Combatant)}
        return [PickOption(id, " + ".join(labels[member] for member in unit)) for id, unit in self.units().items()]


class GroupAttackForm(_CommandForm):
    """Attacks one target with a whole group."""

    word, icon, topic = "group-attack", "sword-cross", "control.attack.save"

    def __init__(self, document: DocumentModel, who: str) -> None:
        super().__init__(document, who, GroupAttack((), ""))

    def asked(self) -> list[Asked]:
        """Return the fields for attackers, weapon and target. By default all members attack with the first weapon."""
        return [
            Asked("who", self._members, "members", many=True, default="all"),
            Asked("weapon", self._weapons, default="first"),
            Asked("target", self.foes, default="only", missing="missing-target"),
        ]

    def _members(self, _value: object) -> list[PickOption]:
        group = action_options.moving_group(self.document.encounter, self.document.rules, self.who)
        return [PickOption(member.id, member.label) for member in group if member.hp > 0]

    def _weapons(self, _value: object) -> list[PickOption]:
        weapons = (feature for feature in self.creature.features if is_attack(feature) or feature.save)
        return [PickOption(weapon.id, weapon.name, weapon.damage) for weapon in weapons] or [PickOption("", "–")]


class MountForm(_CommandForm):
    """Mounts a creature."""

    word, icon, topic = "mount", "arrow-up-bold", "mount.cost"

    def __init__(self, document: DocumentModel, who: str) -> None:
        super().__init__(document, who, MountOrDismount(who))

    def asked(self) -> list[Asked]:
        """Return the fields for the mount and for the choice whether the rider controls it."""
        mount = Asked("mount", self._mounts, "mount-which", default="only", missing="missing-target")
        return [mount, Asked("controlled")]

    def _mounts(self, _value: object) -> list[PickOption]:
        """Return the mounts, starting with those that can carry the rider."""
        people = [combatant for combatant in self.others() if not self.is_hostile(combatant.id)]
        why = {person.id: rule_check(self.document, MountOrDismount(self.who, person.id)).text for person in people}
        return combatant_picks(sorted(people, key=lambda combatant: bool(why[combatant.id])), why)


class CommandMountForm(_CommandForm):
    """Commands a controlled mount."""

    word, icon, topic = "order-mount", "paw", "mount.orders"

    def __init__(self, document: DocumentModel, who: str) -> None:
        super().__init__(document, who, CommandMount(who, ""))

    def asked(self) -> list[Asked]:
        """Return the fields for the order and for the target or check that the order needs."""
        return [
            Asked("action", self._orders, default="first"),
            Asked("target", self.foes, shown_when=lambda value: value.action == "attack", missing="missing-target"),
            Asked("check", self._checks, shown_when=lambda value: value.action == "check", default="first"),
        ]

    def text(self) -> str:
        """Return the label of the mount."""
        mount = mount_of(self.document.encounter, self.who)
        return mount.label if mount else ""

    def _orders(self, _value: object) -> list[PickOption]:
        movement, actions = self.document.rules.data.movement, self.document.rules.actions
        orders = (*movement.free_orders, *movement.paid_orders)
        names = (actions[id].name if id in actions else tr(f"ui.action-form.order-{id}") for id in orders)
        return [PickOption(id, name) for id, name in zip(orders, names, strict=True)]

    def _checks(self, _value: object) -> list[PickOption]:
        return [PickOption(f"{skill.ability}:{skill.id}", skill.name) for skill in self.document.rules.data.skills]
