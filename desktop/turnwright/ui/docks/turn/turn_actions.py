"""The actions of a combatant for the action bar: legality with reasons, group, and what each button requests.

The engine decides what is legal; this module adds names, groups and, for actions with parameters, their forms.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from turnwright.encounter.lookups import scene_of
from turnwright.encounter.prepared import Creature, Feature, NamedNumbers
from turnwright.encounter.running import Combatant
from turnwright.play.actions.commands.take_action import TakeAction
from turnwright.play.attacks.preview import AttackOffer, available_attacks, bonuses_in_turn
from turnwright.play.effects.ready_action import readied_effect
from turnwright.play.kernel.commands import Command
from turnwright.play.movement.commands.drop_prone import DropProne
from turnwright.play.movement.commands.mount_or_dismount import MountOrDismount
from turnwright.play.movement.commands.stand_up import StandUp
from turnwright.play.movement.prone import DROP, STAND, prone_effects
from turnwright.play.queries.queries import ActionOffer, actions_for
from turnwright.play.state.limited_uses import NOT_THERE
from turnwright.play.state.multiple_attack_penalty import attacks_made
from turnwright.rules.hooks import Veto
from turnwright.rules.parts.actions.action_options import is_list
from turnwright.rules.parts.actions.followers import moving_group
from turnwright.rules.parts.attacks.weapon_kind import attack_kind, is_attack, is_spell
from turnwright.rules.parts.combatants.controlled_creatures import followers_of
from turnwright.rules.parts.economy.limited_uses import maximum_uses, remaining_uses, use_key
from turnwright.rules.parts.movement.riding import controls_mount, mounting_vetoes
from turnwright.rules.parts.positions import are_hostile
from turnwright.rules.parts.stat_block.attack_bonus import calculated_bonus, damage_with
from turnwright.rules.system import creature_of
from turnwright.rules.system_data.actions import ActionOption
from turnwright.rules.system_data.numbers import MovementFigures
from turnwright.rules.word_keys import signed_text
from turnwright.ui.docks.shared.explainer import explainer
from turnwright.ui.docks.shared.stat_why_sources import explain_stat
from turnwright.ui.docks.turn.action_forms import (
    ATTACK,
    RELEASE,
    ActionForm,
    SystemActionForm,
    needs_form,
    rules_card,
)
from turnwright.ui.docks.turn.action_forms_command import (
    CommandFollowersForm,
    CommandMountForm,
    FollowersOrder,
    GroupAttackForm,
    MountForm,
)
from turnwright.ui.docks.turn.action_forms_features import UseFeatureForm, has_targets
from turnwright.ui.docks.turn.action_forms_spells import CastSpellForm
from turnwright.ui.docks.turn.action_uses import action_uses
from turnwright.ui.document_model import DocumentModel
from turnwright.ui.forms.command_drafts import rule_check
from turnwright.ui.translations import tr
from turnwright.ui.widgets.action_bar import ActionView, AttackDisplay
from turnwright.ui.widgets.explanation import Explanation, ExplanationLine

FEATURE_PREFIX = "feature:"
UNNAMED_COSTS = ("attack", "action", "move")
COST_WORDS = ("bonus", "reaction", "free")
POSTURE_ACTIONS = (STAND, DROP)  # listed by their own commands


@dataclass(frozen=True)
class AttackCardRequest:
    """Opens the attack card with a weapon and a target; `purpose` as in the `Attack` command, `bonus` by ruling."""

    weapon: str = ""
    purpose: str = ""
    who: str = ""
    target: str = ""
    bonus: int = 0


ActionRequest = AttackCardRequest | ActionForm | Command


@dataclass(frozen=True)
class _Entry:
    view: ActionView
    meaning: ActionRequest
    group: str


class TurnActions:
    """The actions of one combatant, rebuilt at each refresh."""

    def __init__(self, document: DocumentModel, who: str) -> None:
        self._document = document
        self._who = who
        entries = [*self._attacks(), *self._offers(), *self._moves(), *self._orders()]
        order, uses = action_groups(document), action_uses(document).of(who)

        def likelihood(entry: _Entry) -> tuple[object, ...]:
            """What is used goes before the rest of the list, after the creature's own."""
            used = uses.get(entry.view.name, 0) if entry.group != "attack" else 0
            group = order.index("action") if used else order.index(entry.group)
            return group, self._is_unlikely(entry) and not used, not _is_own(entry), -used

        entries.sort(key=likelihood)
        self.views = [entry.view for entry in entries]
        self._meanings = {entry.view.id: entry.meaning for entry in entries}

    def _is_unlikely(self, entry: _Entry) -> bool:
        """Return whether an action is a bare fist beside weapons, or a spell of a creature that has none."""
        if isinstance(entry.meaning, AttackCardRequest):
            return entry.view.attack is None
        features = _creature(self._document, self._who).features
        return isinstance(entry.meaning, CastSpellForm) and not any(
            feature.level is not None or "spell" in feature.properties for feature in features
        )

    def request_for(self, id: str) -> ActionRequest | None:
        """Return the request of an action, None where the action is not listed."""
        return self._meanings.get(id)

    # Attacks and features --------------------------------------------------------------------------------------------

    def _attacks(self) -> Iterator[_Entry]:
        encounter, rules = self._document.encounter, self._document.rules
        by_means: dict[str, list[AttackOffer]] = {}
        for offer in available_attacks(encounter, rules, self._who):
            by_means.setdefault(offer.weapon.id, []).append(offer)
        for id, offers in by_means.items():
            means = offers[0].weapon
            vetoes = () if any(not each.vetoes for each in offers) else offers[0].vetoes
            own = means.cost in self._document.rules.resources and means.cost not in ("action", "free")
            group = means.cost if own else "attack"
            name = means.name or explainer(self._document).name("option.unarmed")
            sign = "bow-arrow" if attack_kind(means) == "ranged" else "sword"
            view = self._view(f"{FEATURE_PREFIX}{id}", name, group, vetoes, means, sign, means.text)
            if means.name or len(by_means) == 1:  # a bare fist is one of the other actions of those who have weapons
                view = replace(view, attack=self._figures_of(means))
            yield _Entry(view, AttackCardRequest(id), group if view.attack is not None else "action")

    def _figures_of(self, means: Feature) -> AttackDisplay:
        """Return the figures of an attack before any target is known, those left to the rules added up."""
        found = calculated_bonus(self._document.rules.data, _creature(self._document, self._who), means)
        bonus = means.attack if found is None else found.total
        damage = means.damage if found is None else damage_with(means.damage, found.damage_modifier)
        places = [tr("ui.stat.reach", n=means.reach)] if means.reach else []
        places += [tr("ui.stat.range", range=means.range)] if means.range else []
        encounter, rules = self._document.encounter, self._document.rules
        by_attack = bonuses_in_turn(encounter, rules, self._who, means) if rules.data.attack.tally else ()
        made = attacks_made(encounter, rules, self._who)
        return AttackDisplay(
            "" if bonus is None else signed_text(bonus),
            damage,
            " · ".join(places),
            by_attack,
            min(made, len(by_attack)),
        )

    def _offers(self) -> Iterator[_Entry]:
        for offer in actions_for(self._document.encounter, self._document.rules, self._who):
            if offer.feature is not None:
                if not is_attack(offer.feature):
                    yield self._feature(offer, offer.feature)
            elif offer.action.done != ATTACK and self._is_apt(offer.action):
                yield self._action(offer)

    def _feature(self, offer: ActionOffer, feature: Feature) -> _Entry:
        group = feature.cost if feature.cost in self._document.rules.resources else "action"
        vetoes = (Veto(offer.refused, offer.rule, offer.params),) if offer.refused else ()
        sign = "magic-staff" if is_spell(feature) else ""
        view = self._view(f"{FEATURE_PREFIX}{feature.id}", feature.name, group, vetoes, feature, sign, feature.text)
        return _Entry(view, feature_request(self._document, self._who, feature), group)

    def _is_apt(self, option: ActionOption) -> bool:
        """Return whether an action is listed: releasing a readied response only for combatants that have readied one.

        Stand up, drop prone and the attack action are left out, since they are listed by themselves.
        """
        if option.done in POSTURE_ACTIONS or option.id == self._document.rules.data.attack.action:
            return False
        return (
            option.done != RELEASE
            or readied_effect(self._document.encounter, self._document.rules, self._who) is not None
        )

    def _action(self, offer: ActionOffer) -> _Entry:
        option = offer.action
        vetoes = (Veto(offer.refused, offer.rule, offer.params),) if offer.refused else ()
        said = self._veto_text(vetoes)

        def why() -> Explanation:
            rules = (*((offer.rule,) if offer.rule else ()), *option.ledger)
            card = rules_card(self._document, option.name, rules, option.text) or Explanation(option.name, "")
            return Explanation(card.title, "", card.lines, (), tuple(text for text in (said, option.text) if text))

        group = option.payable[0] if option.payable[0] in self._document.rules.resources else "action"
        group = option.group if option.group in ("reaction", "free") else group
        price = self._price(option.payable[0], option.price, option.spends)
        view = ActionView(option.id, option.name, option.text, said, why, self._cost_word(group), cost=price)
        return _Entry(view, option_request(self._document, self._who, option), group)

    # Movement and commands to followers -------------------------------------------------------------------------------

    def _moves(self) -> Iterator[_Entry]:
        encounter, rules = self._document.encounter, self._document.rules
        if prone_effects(encounter, rules, self._who):
            yield self._plain("stand", StandUp(self._who), "arrow-up", "prone.stand", self._figures.stand_by)
        elif rules.role("prone") in rules.conditions:
            yield self._plain(
                "drop-prone", DropProne(self._who), "arrow-down", "prone.drop-free", self._figures.drop_by
            )
        if encounter.need(Combatant, self._who).rides:
            yield self._plain("dismount", MountOrDismount(self._who), "arrow-down-bold", "mount.cost")
            if controls_mount(encounter, self._who):
                yield self._act("order-mount", CommandMountForm(self._document, self._who), "paw")
        elif self._can_mount():
            yield self._act("mount", MountForm(self._document, self._who), "arrow-up-bold")

    def _orders(self) -> Iterator[_Entry]:
        encounter, rules = self._document.encounter, self._document.rules
        commands = bool(rules.data.groups.command_cost)
        if commands and any(not one.dead for one in followers_of(encounter, self._who)):
            cost = rules.data.groups.command_cost
            group = cost if cost in rules.resources else "action"
            act = CommandFollowersForm(self._document, self._who)
            unit = next(iter(act.units().items()), None)
            said = ""
            if unit is not None:
                said = rule_check(self._document, act.command(FollowersOrder(unit[0], "–"))).text
            yield self._act("command", act, "account-group", group, said)
        grouped = bool(encounter.need(Combatant, self._who).group and rules.data.groups.dc_base)
        if grouped and len(moving_group(encounter, rules, self._who)) > 1:
            yield self._act("group-attack", GroupAttackForm(self._document, self._who), "sword-cross", "attack")

    def _can_mount(self) -> bool:
        encounter, rules = self._document.encounter, self._document.rules
        return bool(rules.rule_id("mount.cost")) and any(
            combatant.id != self._who
            and not combatant.dead
            and not are_hostile(encounter, self._who, combatant.id)
            and not mounting_vetoes(encounter, rules, self._who, combatant.id)
            for combatant in encounter.all(Combatant)
        )

    @property
    def _figures(self) -> MovementFigures:
        return self._document.rules.data.movement

    def _plain(self, word: str, command: Command, sign: str, topic: str, by: str = "") -> _Entry:
        said = rule_check(self._document, command).text
        entry = self._entry(word, command, sign, "move", said, topic)
        option = self._document.rules.actions.get(by)
        if option is None:
            return entry
        price = self._price(option.cost, option.price, option.spends)
        return replace(entry, view=replace(entry.view, cost=price))

    def _act(self, word: str, act: ActionForm, sign: str, group: str = "move", said: str = "") -> _Entry:
        return self._entry(word, act, sign, group, said)

    def _entry(self, word: str, meaning: ActionRequest, sign: str, group: str, said: str, topic: str = "") -> _Entry:
        name = tr(f"ui.action-form.{word}")
        rule = explainer(self._document).rule_on_topic(topic) if topic else ""

        def why() -> Explanation:
            card = rules_card(self._document, name, (rule,)) or Explanation(name, "")
            return Explanation(card.title, "", card.lines, (), (said,) if said else ())

        return _Entry(ActionView(f"do:{word}", name, "", said, why, self._cost_word(group), sign), meaning, group)

    # Pieces ------------------------------------------------------------------------------------------------------------

    def _cost_word(self, group: str) -> str:
        """Return what an action costs in a word, empty for an attack or the game's own action."""
        if group in UNNAMED_COSTS:
            return ""
        resource = self._document.rules.resources.get(group)
        return tr(f"ui.turn.cost-{group}") if resource is None or group in COST_WORDS else resource.name.lower()

    def _price(self, cost: str, price: int, spends: NamedNumbers) -> str:
        """Return a cost as the rule system writes it, `X` for an open price; empty where all actions cost the same."""
        shown = self._document.rules.data.presentation
        costs = (shown.price(cost, price), *(shown.price(pool, more) for pool, more in spends))
        return ", ".join(one for one in costs if one)

    def _veto_text(self, vetoes: Iterable[Veto]) -> str:
        """Return what is against an action, empty for nothing.

        Where rules aren't checked, that is only that the feature isn't there.
        """
        explain = explainer(self._document)
        unchecked = scene_of(self._document.encounter).strictness == "off"
        first = next((veto for veto in vetoes if not unchecked or veto.reason == NOT_THERE), None)
        return explain.text(first.reason, **dict(first.params)) if first is not None else ""

    def _view(
        self, id: str, name: str, group: str, vetoes: Iterable[Veto], feature: Feature, sign: str, tip: str
    ) -> ActionView:
        found = tuple(vetoes)
        said = self._veto_text(found)

        def why() -> Explanation:
            explain = explainer(self._document)
            known = explain_stat(self._document, _creature(self._document, self._who), f"feature:{feature.id}").lines
            against = tuple(
                ExplanationLine("✕", said, one.rule, explain.ledger.statement(one.rule)) for one in found[:1]
            )
            return Explanation(name, "", (*against, *known), (), tuple(text for text in (feature.text,) if text))

        boxes, price = (
            uses_left(self._document, self._who, feature),
            self._price("action" if is_list(feature) else feature.cost, feature.price, feature.spends),
        )
        return ActionView(id, name, tip.strip(), said, why, self._cost_word(group), sign, boxes, price)


def _is_own(entry: _Entry) -> bool:
    """Return whether an action is of the creature's own stat block."""
    return entry.view.id.startswith(FEATURE_PREFIX)


def action_groups(document: DocumentModel) -> tuple[str, ...]:
    """Return the groups of actions in order: attacks, each resource of the system, movement, free actions."""
    paid = [resource.id for resource in document.rules.data.resources if resource.id != "free"]
    return ("attack", *dict.fromkeys(["action", *paid]), "move", "free")


def option_request(document: DocumentModel, who: str, option: ActionOption) -> ActionRequest:
    """Return the request of a system's action: a form where it has parameters, else the command."""
    if "spell" in option.asks:
        return CastSpellForm(document, who, option)
    if option.done == RELEASE:
        return readied_request(document, who, option)
    return SystemActionForm(document, who, option) if needs_form(option) else TakeAction(who, option.id)


def feature_request(document: DocumentModel, who: str, feature: Feature, purpose: str = "") -> ActionRequest:
    """Return the request of a feature: the attack card, a form where it has targets, else the command."""
    if is_attack(feature):
        return AttackCardRequest(feature.id, purpose, who)
    return UseFeatureForm(document, who, feature, purpose) if has_targets(feature) else TakeAction(who, feature.id)


def readied_request(document: DocumentModel, who: str, option: ActionOption) -> ActionRequest:
    """Return the request of a readied response: the attack card, the feature's request, or the command."""
    effect = readied_effect(document.encounter, document.rules, who)
    response = effect.source if effect is not None else ""
    if response == ATTACK:
        return AttackCardRequest("", "readied", who)
    feature = next((one for one in _creature(document, who).features if one.id == response), None)
    if feature is not None:
        return feature_request(document, who, feature, "readied")
    return TakeAction(who, option.id, choice=option.choices[0].id if option.choices else "")


def uses_left(document: DocumentModel, who: str, feature: Feature) -> tuple[int, int] | None:
    """Return the uses (or recharge) left of a feature and their maximum; None where it has no limit of its own."""
    supply = use_key(feature)
    most = maximum_uses(document.encounter, who, supply) if supply and not supply.startswith("slots.") else 0
    return (remaining_uses(document.encounter, who, supply), most) if most else None


def _creature(document: DocumentModel, who: str) -> Creature:
    return creature_of(document.encounter, document.encounter.need(Combatant, who))
