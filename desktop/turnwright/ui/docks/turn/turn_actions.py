"""A combatant's actions for the action bar: legality with reasons, group, and the request behind each button.

The engine decides which actions are legal. This module adds names, groups and, for actions with parameters, forms.
Outside their turn, combatants have reactions and readied responses.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMenu

from turnwright.encounter.prepared import Creature, Feature, NamedNumbers
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import clock_of, grouped, scene_of
from turnwright.play.actions.action import TakeAction
from turnwright.play.actions.cast_spell import cast_option
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.attacks.attack_request import FeatureUsed, available_attacks, bonuses_in_turn
from turnwright.play.effects.ready_action import readied_effect, response_name
from turnwright.play.kernel.events import Event
from turnwright.play.kernel.scheduler import Step
from turnwright.play.kernel.transaction import Command
from turnwright.play.movement.forced_movement import DROP, STAND, DropProne, StandUp, prone_effects
from turnwright.play.movement.mounting import MountOrDismount
from turnwright.play.queries.queries import ActionOffer, actions_for, active_combatants, movement_of, resources_of
from turnwright.play.state.action_economy import NOT_THERE, attacks_made, use_vetoes
from turnwright.play.state.events import ActionTaken
from turnwright.play.turns.turns import TurnStarted
from turnwright.rules.parts.actions.action_options import action_vetoes, is_list, moving_group
from turnwright.rules.parts.actions.spell_features import SELF, has_variants, lasting_spells
from turnwright.rules.parts.attacks.attack_targeting import attack_kind, is_attack, is_spell
from turnwright.rules.parts.combatants.facts import followers_of
from turnwright.rules.parts.conditions.condition_rules import unmet_requirements
from turnwright.rules.parts.economy.limited_uses import maximum_uses, remaining_uses, use_key
from turnwright.rules.parts.movement.move_legs import can_react, controls_mount, mounting_vetoes, unarmed_strike
from turnwright.rules.parts.positions.geometry import are_hostile
from turnwright.rules.parts.stat_block.features import calculated_bonus, damage_with
from turnwright.rules.system import Veto, creature_of
from turnwright.rules.system_data.numbers import ActionOption
from turnwright.rules.word_keys import signed_text
from turnwright.ui.docks.shared.explainer import explainer
from turnwright.ui.docks.shared.why_stat_block import explain_stat
from turnwright.ui.docks.turn.cards.attack_facts import put
from turnwright.ui.docks.turn.forms import action_forms
from turnwright.ui.docks.turn.forms.action_form import ActionForm, rules_card
from turnwright.ui.docks.turn.forms.cast_form import CastSpellForm
from turnwright.ui.forms.record_fields import rule_check
from turnwright.ui.look.style import SPACE, escaped_tooltip, tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.action_bar import ActionView, AttackDisplay
from turnwright.ui.widgets.layout import FlowRow
from turnwright.ui.widgets.rules.why import Explanation, WhyLabel
from turnwright.ui.widgets.text import IconLabel, PushButton

OWN_FIRST = ("bonus", "free")  # costs of a creature's own features that come before the game's actions


class ActionUses(QObject):
    """Counts the uses of actions before the current turn, so that the list of actions isn't reordered during a turn."""

    def __init__(self, document: DocumentModel) -> None:
        super().__init__(document)
        self._document = document
        self._counted_to: Step | None = None
        self._counts: dict[str, Counter[str]] = {}

    def of(self, who: str) -> Mapping[str, int]:
        """Return the number of uses of each action by creatures of a combatant's kind, keyed by the action's name."""
        steps = self._document.source.session.history.applied
        events = ((at, event) for at in range(len(steps) - 1, -1, -1) for event in steps[at].events)
        began = next((at for at, event in events if isinstance(event, TurnStarted)), 0)
        first = steps[began] if steps else None
        if first is not self._counted_to:
            self._counted_to, self._counts = first, self._counted(steps[:began])
        return self._counts.get(self._kind_of(who), Counter())

    def _counted(self, steps: Sequence[Step]) -> dict[str, Counter[str]]:
        counts: dict[str, Counter[str]] = {}
        for who, action in (used for step in steps for event in step.events for used in _uses(event)):
            counts.setdefault(self._kind_of(who), Counter())[action] += 1
        return counts

    def _kind_of(self, who: str) -> str:
        combatant = self._document.encounter.get(Combatant, who)
        return combatant.creature if combatant is not None else who


def _uses(event: Event) -> Iterator[tuple[str, str]]:
    if isinstance(event, ActionTaken):
        yield event.who, event.action
    elif isinstance(event, FeatureUsed):
        yield from ((who, event.feature) for who in event.who[:1])


FEATURE_PREFIX = "feature:"
AGAIN_PREFIX = "again:"  # of spells that were cast on an earlier turn
UNNAMED_COSTS = ("attack", "action", "move")
COST_WORDS = ("bonus", "reaction", "free")
STAND_UP = "do:stand"
POSTURE_ACTIONS = (STAND, DROP)  # listed separately, because they have special commands


@dataclass(frozen=True)
class AttackCardRequest:
    """Opens the attack card with a weapon and a target.

    `purpose` is as in the `Attack` command. `bonus` is a modifier by ruling.
    """

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
        self._encounter, self._rules = document.encounter, document.rules
        self._who = who
        entries = [*self._attacks(), *self._again(), *self._offers(), *self._moves(), *self._orders()]
        order, counts = action_groups(document), document.findChild(ActionUses) or ActionUses(document)
        uses = counts.of(who)

        def likelihood(entry: _Entry) -> tuple[object, ...]:
            """Return the sort key of an action. Standing up comes first, then own actions, then those used before."""
            used = uses.get(entry.view.name, 0) if entry.group != "attack" else 0
            stands = entry.view.id == STAND_UP and not entry.view.refused
            is_own = entry.view.id.startswith((FEATURE_PREFIX, AGAIN_PREFIX))
            is_early = used or stands or (is_own and entry.group in OWN_FIRST)
            group = order.index("action") if is_early else order.index(entry.group)
            return group, self._is_unlikely(entry) and not used, not stands, not is_own, -used

        entries.sort(key=likelihood)
        self.views = [entry.view for entry in entries]
        self._meanings = {entry.view.id: entry.meaning for entry in entries}

    def _is_unlikely(self, entry: _Entry) -> bool:
        """Whether an action is an unarmed attack by an armed creature, or a spell cast by a creature without spells."""
        if isinstance(entry.meaning, AttackCardRequest):
            return entry.view.attack is None
        features = _creature(self._document, self._who).features
        casts = any(feature.level is not None or "spell" in feature.properties for feature in features)
        return isinstance(entry.meaning, CastSpellForm) and not casts

    def request_for(self, id: str) -> ActionRequest | None:
        """Return the request of an action, or None if the action isn't listed."""
        return self._meanings.get(id)

    # Attacks and features --------------------------------------------------------------------------------------------

    def _attacks(self) -> Iterator[_Entry]:
        available = available_attacks(self._encounter, self._rules, self._who)
        by_means = grouped((offer.weapon.id, offer) for offer in available)
        for id, offers in by_means.items():
            means = offers[0].weapon
            vetoes = () if any(not variant.vetoes for variant in offers) else offers[0].vetoes
            has_own_cost = means.cost in self._rules.resources and means.cost not in ("action", "free")
            group = means.cost if has_own_cost else "attack"
            name = self._document.phrasebook.expand_keys(means.name)
            sign = "bow-arrow" if attack_kind(means) == "ranged" else "sword"
            view = self._view(f"{FEATURE_PREFIX}{id}", name, group, vetoes, means, sign, means.text)
            # armed creatures have the unarmed attack among other actions
            if means != unarmed_strike(self._encounter, self._who) or len(by_means) == 1:
                view = replace(view, attack=self._figures_of(means))
            chosen = has_variants(self._rules, means)
            request = feature_request(self._document, self._who, means) if chosen else AttackCardRequest(id)
            yield _Entry(view, request, group if view.attack is not None else "action")

    def _figures_of(self, means: Feature) -> AttackDisplay:
        """Return the numbers of an attack before a target is known, including those calculated from the rules."""
        calculated = calculated_bonus(self._rules.data, _creature(self._document, self._who), means)
        bonus = means.attack if calculated is None else calculated.total
        damage = means.damage if calculated is None else damage_with(means.damage, calculated.damage_modifier)
        places = [tr("ui.stat.reach", n=means.reach)] if means.reach else []
        places += [tr("ui.stat.range", range=means.range)] if means.range else []
        encounter, rules, who = self._encounter, self._rules, self._who
        by_attack = bonuses_in_turn(encounter, rules, who, means) if rules.data.attack.tally else ()
        due = min(attacks_made(encounter, rules, who), len(by_attack))
        shown = "" if bonus is None else signed_text(bonus)
        return AttackDisplay(shown, damage, " · ".join(places), by_attack, due)

    def _offers(self) -> Iterator[_Entry]:
        for offer in actions_for(self._encounter, self._rules, self._who):
            if offer.feature is not None:
                if not is_attack(offer.feature):
                    yield self._feature(offer, offer.feature)
            elif offer.action.done != action_forms.ATTACK and self._is_apt(offer.action):
                yield self._action(offer)

    def _feature(self, offer: ActionOffer, feature: Feature) -> _Entry:
        group = feature.cost if feature.cost in self._rules.resources else "action"
        sign = "magic-staff" if is_spell(feature) else ""
        id = f"{FEATURE_PREFIX}{feature.id}"
        view = self._view(id, feature.name, group, _vetoes(offer), feature, sign, feature.rules_text)
        return _Entry(view, feature_request(self._document, self._who, feature), group)

    def _again(self) -> Iterator[_Entry]:
        """Yield the attacks with spells that the combatant cast on earlier turns."""
        for spell, feature in lasting_spells(self._encounter, self._rules, self._who):
            refusal = rule_check(self._document, UseFeature(self._who, spell=spell.id, purpose="again")).text
            name = tr("ui.turn.again", spell=spell.name)
            view = self._view(f"{AGAIN_PREFIX}{spell.id}", name, feature.cost, (), feature, "magic-staff", spell.text)
            form = action_forms.UseFeatureForm(self._document, self._who, feature, "again", spell.id)
            yield _Entry(replace(view, refused=refusal), form, feature.cost)

    def _is_apt(self, option: ActionOption) -> bool:
        """Whether an action is listed. Releasing a response requires that the combatant has readied one.

        Stand up, drop prone and the attack action have their own entries and aren't listed here.
        """
        if option.done in POSTURE_ACTIONS or option.id == self._rules.data.attack.action:
            return False
        return (
            option.done != action_forms.RELEASE or readied_effect(self._encounter, self._rules, self._who) is not None
        )

    def _action(self, offer: ActionOffer) -> _Entry:
        option = offer.action
        refusal = self._veto_text(_vetoes(offer))
        why = partial(rules_card, self._document, option.name, (offer.rule, *option.ledger), refusal, option.text)
        group = option.payable[0] if option.payable[0] in self._rules.resources else "action"
        group = option.group if option.group in ("reaction", "free") else group
        price = self._price(option.payable[0], option.price, option.spends)
        view = ActionView(option.id, option.name, option.text, refusal, why, self._cost_word(group), cost=price)
        return _Entry(view, option_request(self._document, self._who, option), group)

    # Movement and commands to followers -------------------------------------------------------------------------------

    def _moves(self) -> Iterator[_Entry]:
        numbers = self._rules.data.movement
        if prone_effects(self._encounter, self._rules, self._who):
            yield self._plain("stand", StandUp(self._who), "arrow-up", "prone.stand", numbers.stand_by)
        elif self._rules.role("prone") in self._rules.conditions and not self._is_stuck():
            yield self._plain("drop-prone", DropProne(self._who), "arrow-down", "prone.drop-free", numbers.drop_by)
        if self._encounter.need(Combatant, self._who).rides:
            yield self._plain("dismount", MountOrDismount(self._who), "arrow-down-bold", "mount.cost")
            if controls_mount(self._encounter, self._who):
                yield self._entry("order-mount", action_forms.CommandMountForm(self._document, self._who), "paw")
        elif self._can_mount() and not self._is_stuck():
            yield self._entry("mount", action_forms.MountForm(self._document, self._who), "arrow-up-bold")

    def _orders(self) -> Iterator[_Entry]:
        cost = self._rules.data.groups.command_cost
        if cost and any(not follower.dead for follower in followers_of(self._encounter, self._who)):
            group = cost if cost in self._rules.resources else "action"
            act = action_forms.CommandFollowersForm(self._document, self._who)
            order = action_forms.FollowersOrder(next(iter(act.units()), ""), "–")
            refusal = rule_check(self._document, act.command(order)).text if order.unit else ""
            yield self._entry("command", act, "account-group", group, refusal)
        grouped = bool(self._encounter.need(Combatant, self._who).group and self._rules.data.groups.dc_base)
        if grouped and len(moving_group(self._encounter, self._rules, self._who)) > 1:
            yield self._entry(
                "group-attack", action_forms.GroupAttackForm(self._document, self._who), "sword-cross", "attack"
            )

    def _is_stuck(self) -> bool:
        """Whether the combatant can do nothing."""
        resources = resources_of(self._encounter, self._rules, self._who)
        denied = any(have.denied and have.resource.id == "action" for have in resources)
        return denied and not any(mode.allowance.total for mode in movement_of(self._encounter, self._rules, self._who))

    def _can_mount(self) -> bool:
        encounter, rules, who = self._encounter, self._rules, self._who
        others = (each.id for each in encounter.all(Combatant) if each.id != who and not each.dead)
        allies = (other for other in others if not are_hostile(encounter, who, other))
        return bool(rules.rule_id("mount.cost")) and not all(
            mounting_vetoes(encounter, rules, who, id) for id in allies
        )

    def _plain(self, word: str, command: Command, sign: str, topic: str, by: str = "") -> _Entry:
        entry = self._entry(word, command, sign, "move", rule_check(self._document, command).text, topic)
        if (option := self._rules.actions.get(by)) is None:
            return entry
        return replace(entry, view=replace(entry.view, cost=self._price(option.cost, option.price, option.spends)))

    def _entry(
        self, word: str, meaning: ActionRequest, sign: str, group: str = "move", refusal: str = "", topic: str = ""
    ) -> _Entry:
        name = tr(f"ui.action-form.{word}")
        rule = explainer(self._document).rule_on_topic(topic) if topic else ""
        why = partial(rules_card, self._document, name, (rule,), refusal)
        return _Entry(ActionView(f"do:{word}", name, "", refusal, why, self._cost_word(group), sign), meaning, group)

    # Parts of an entry -------------------------------------------------------------------------------------------

    def _cost_word(self, group: str) -> str:
        """Return the word for an action's cost, or an empty string for attacks and the system's standard action."""
        if group in UNNAMED_COSTS:
            return ""
        resource = self._rules.resources.get(group)
        return tr(f"ui.turn.cost-{group}") if resource is None or group in COST_WORDS else resource.name.lower()

    def _price(self, cost: str, price: int, spends: NamedNumbers) -> str:
        """Return a cost in the notation of the rule system, with `X` for an open price.

        It is an empty string if all actions cost the same.
        """
        presentation = self._rules.data.presentation
        costs = (presentation.price(cost, price), *(presentation.price(pool, amount) for pool, amount in spends))
        return ", ".join(cost_text for cost_text in costs if cost_text)

    def _veto_text(self, vetoes: Iterable[Veto]) -> str:
        """Return the reason against an action, or an empty string if there is none.

        If rules aren't checked, the only reason is that the feature isn't available.
        """
        unchecked = scene_of(self._encounter).strictness == "off"
        first = next((veto for veto in vetoes if not unchecked or veto.reason == NOT_THERE), None)
        return explainer(self._document).veto_text(first)

    def _view(
        self, id: str, name: str, group: str, vetoes: Iterable[Veto], feature: Feature, sign: str, tip: str
    ) -> ActionView:
        found_vetoes = tuple(vetoes)
        refusal = self._veto_text(found_vetoes)

        def why() -> Explanation:
            explain = explainer(self._document)
            lines = explain_stat(self._document, _creature(self._document, self._who), f"feature:{feature.id}").lines
            against = (explain.line_with_rule("✕", refusal, veto.rule) for veto in found_vetoes[:1])
            return Explanation(name, "", (*against, *lines), (), tuple(text for text in (feature.rules_text,) if text))

        boxes = uses_left(self._document, self._who, feature)
        price = self._price("action" if is_list(feature) else feature.cost, feature.price, feature.spends)
        return ActionView(id, name, tip.strip(), refusal, why, self._cost_word(group), sign, boxes, price)


def _vetoes(offer: ActionOffer) -> tuple[Veto, ...]:
    return (Veto(offer.refused, offer.rule, offer.params),) if offer.refused else ()


def action_groups(document: DocumentModel) -> tuple[str, ...]:
    """Return the groups of actions in order: attacks, each resource of the system, movement, free actions."""
    paid = [resource.id for resource in document.rules.data.resources if resource.id != "free"]
    return ("attack", *dict.fromkeys(["action", *paid]), "move", "free")


def option_request(document: DocumentModel, who: str, option: ActionOption) -> ActionRequest:
    """Return the request of a rule system's action: a form if it has parameters, or else the command."""
    if "spell" in option.asks:
        return CastSpellForm(document, who, option)
    if option.done == action_forms.RELEASE:
        return readied_request(document, who, option)
    if action_forms.needs_form(option):
        return action_forms.SystemActionForm(document, who, option)
    return TakeAction(who, option.id)


def feature_request(document: DocumentModel, who: str, feature: Feature, purpose: str = "") -> ActionRequest:
    """Return the request of a feature: the attack card, a form if it has targets, or else the command."""
    if is_attack(feature) and not has_variants(document.rules, feature):
        return AttackCardRequest(feature.id, purpose, who)
    if action_forms.has_targets(feature):
        return action_forms.UseFeatureForm(document, who, feature, purpose)
    if (feature.range == SELF or (feature.heals and not feature.trigger)) and not purpose:
        return UseFeature(who, feature.id)
    option = cast_option(document.rules) if is_spell(feature) and not purpose else None
    if option is not None and feature.cost != "reaction":
        return CastSpellForm(document, who, option, f"{feature.name} ")
    return TakeAction(who, feature.id)


def readied_request(document: DocumentModel, who: str, option: ActionOption) -> ActionRequest:
    """Return the request of a readied response: the attack card, the feature's request, or the command."""
    effect = readied_effect(document.encounter, document.rules, who)
    response = effect.source if effect is not None else ""
    if response == action_forms.ATTACK:
        trigger = effect.end_condition if effect is not None else ""
        return AttackCardRequest("", "readied", who, _who_triggers(document, who, trigger))
    feature = next((candidate for candidate in _creature(document, who).features if candidate.id == response), None)
    if feature is not None:
        return feature_request(document, who, feature, "readied")
    return TakeAction(who, option.id, choice=option.choices[0].id if option.choices else "")


def _who_triggers(document: DocumentModel, who: str, trigger: str) -> str:
    """Return the enemy that the text of a trigger names, or else an enemy whose turn it is. Empty if there is none."""
    encounter, text = document.encounter, trigger.lower()
    foes = [one for one in encounter.all(Combatant) if not one.dead and are_hostile(encounter, who, one.id)]
    named = (one for one in sorted(foes, key=lambda one: -len(one.label)) if one.label.lower() in text)
    acting = {one.id for one in active_combatants(encounter)}
    found = next(named, None) or next((one for one in foes if one.id in acting), None)
    return found.id if found is not None else ""


def uses_left(document: DocumentModel, who: str, feature: Feature) -> tuple[int, int] | None:
    """Return a feature's remaining uses (or recharge) and their maximum, or None if it has no separate limit."""
    supply = use_key(feature)
    maximum = maximum_uses(document.encounter, who, supply) if supply and not supply.startswith("slots.") else 0
    return (remaining_uses(document.encounter, who, supply), maximum) if maximum else None


def _creature(document: DocumentModel, who: str) -> Creature:
    return creature_of(document.encounter, document.encounter.need(Combatant, who))


Taker = tuple[Combatant, ActionRequest]
Takers = Callable[[], Iterator[Taker]]


@dataclass(frozen=True)
class ReactionView:
    """A reaction that can be taken now: its text, and the request that a click opens.

    If several combatants can take the reaction, there is no request. The button then opens a menu of the `takers`.
    """

    id: str
    text: str
    tip: str
    request: ActionRequest | None = None
    takers: Takers | None = None


class ReactionsStrip(FlowRow):
    """The buttons of the available reactions. Emits `chosen(request)` when the user clicks one.

    The engine asks about known opportunity attacks in prompts. The menu at the end is for other cases.
    """

    chosen = Signal(object)

    def __init__(self, document: DocumentModel) -> None:
        super().__init__(gap=SPACE, roomy=True)
        self._document = document
        self._others: list[Combatant] = []
        self._can_react: dict[str, bool] = {}
        self._shown: list[tuple[str, str, str, bool]] = []
        self.buttons: dict[str, PushButton] = {}  # by `who/feature`, or by `feature` if several can take the reaction
        self.setAccessibleName(tr("ui.turn.reactions"))
        self.hide()

    def refresh(self) -> None:
        """Show the available reactions, or hide the strip if there are none."""
        self._others = self._other_combatants()
        self._can_react.clear()
        reactions = list(self._reactions())
        shown = [(reaction.id, reaction.text, reaction.tip, reaction.request is None) for reaction in reactions]
        if shown != self._shown:
            self._shown = shown
            self._fill(reactions)
        self.setVisible(bool(reactions))
        self.keep_room()

    def is_needed(self) -> bool:
        """Whether a combatant can react."""
        return bool(self._shown)

    def _fill(self, reactions: list[ReactionView]) -> None:
        self.clear()
        heading = WhyLabel(tr("ui.turn.reactions"), "caption", "muted")
        explain = explainer(self._document)
        rule = explain.rule_on_topic("offturn.reaction")
        heading.set_why((lambda: explain.explain_rule(rule, tr("ui.turn.reactions"))) if rule else None)
        self.buttons = {reaction.id: self._button(reaction) for reaction in reactions}
        for widget in (IconLabel("flash", "muted", 14), heading, *self.buttons.values()):
            put(self, widget)

    def _button(self, reaction: ReactionView) -> PushButton:
        button = PushButton(reaction.text.replace("&", "&&"))
        button.setAutoDefault(False)
        button.setProperty("kind", "pick")
        button.setToolTip(escaped_tooltip(reaction.tip))
        button.setAccessibleName(reaction.text)
        button.setAccessibleDescription(reaction.tip)
        if reaction.takers is not None:
            menu = QMenu(button)
            menu.aboutToShow.connect(lambda takers=reaction.takers: self._name_takers(menu, takers))
            button.setProperty("menu", True)
            button.setMenu(menu)
        else:
            button.clicked.connect(lambda _on=False: self.chosen.emit(reaction.request))
        return button

    def _name_takers(self, menu: QMenu, takers: Takers) -> None:
        """Fill the menu of a shared reaction when it opens. Checking all combatants at each change would be slow."""
        menu.clear()
        for who, request in takers():
            action = menu.addAction(who.label.replace("&", "&&"))
            action.triggered.connect(lambda _on=False, request=request: self.chosen.emit(request))

    # Available reactions -----------------------------------------------------------------------------------------

    def _other_combatants(self) -> list[Combatant]:
        """Return the combatants whose turn it isn't, or an empty list outside of rounds."""
        encounter = self._document.encounter
        acting = {active_combatant.id for active_combatant in active_combatants(encounter)}
        if not acting or clock_of(encounter).phase != "rounds":
            return []
        return [combatant for combatant in encounter.all(Combatant) if combatant.id not in acting]

    def _is_able(self, combatant: Combatant) -> bool:
        """Whether a combatant can react now. This check is slow, so it is made last and its result is cached."""
        if combatant.id not in self._can_react:
            self._can_react[combatant.id] = can_react(self._document.encounter, self._document.rules, combatant.id)
        return self._can_react[combatant.id]

    def _reactions(self) -> Iterator[ReactionView]:
        rules = self._document.rules
        release = next((action for action in rules.data.actions if action.done == action_forms.RELEASE), None)
        if release is not None:
            for other in self._others:
                yield from self._readied(other, release)
        yield from self._own()
        for option in rules.data.actions:
            if option.group == "reaction" and option.done != action_forms.RELEASE:
                takers = partial(self._option_takers, option)
                yield from _offer(option.id, option.name, option.name, option.text, takers)
        if rules.data.movement.opportunity and any(self._opportunities()):
            text, tip = tr("ui.turn.opportunity-attack"), tr("ui.turn.opportunity-attack-tip")
            yield ReactionView("opportunity", text, tip, takers=self._opportunities)

    def _readied(self, combatant: Combatant, option: ActionOption) -> Iterator[ReactionView]:
        effect = readied_effect(self._document.encounter, self._document.rules, combatant.id)
        if effect is None or not self._is_able(combatant):
            return
        response = response_name(self._document.encounter, self._document.rules, effect)
        text = tr("ui.turn.readied", who=combatant.label, response=response, trigger=effect.end_condition)
        request = option_request(self._document, combatant.id, option)
        yield ReactionView(f"{combatant.id}/{option.id}", text, tr("ui.turn.readied-tip"), request)

    def _own(self) -> Iterator[ReactionView]:
        """Yield the reactions in stat blocks. Combatants with the same stat block share a reaction."""
        encounter, explain = self._document.encounter, explainer(self._document)
        creatures = {creature.id: creature for creature in (creature_of(encounter, other) for other in self._others)}
        for creature in creatures.values():
            for feature in creature.features:
                if feature.cost == "reaction":
                    shared = f"{creature.name}: {feature.name}"
                    takers = partial(self._feature_takers, creature.id, feature)
                    yield from _offer(feature.id, feature.name, shared, explain.name(feature.rules_text), takers)

    def _feature_takers(self, creature: str, feature: Feature) -> Iterator[Taker]:
        encounter, rules = self._document.encounter, self._document.rules
        for other in self._others:
            same = creature_of(encounter, other).id == creature
            if same and self._is_able(other) and not use_vetoes(encounter, rules, other.id, feature):
                yield other, feature_request(self._document, other.id, feature)

    def _option_takers(self, option: ActionOption) -> Iterator[Taker]:
        encounter, rules = self._document.encounter, self._document.rules
        for other in self._others:
            # Requirements are cheaper to check than costs, and most combatants do not meet them.
            lacking = any(unmet_requirements(encounter, rules, other.id, option))
            if not lacking and self._is_able(other) and not action_vetoes(encounter, rules, other.id, option):
                yield other, option_request(self._document, other.id, option)

    def _opportunities(self) -> Iterator[Taker]:
        """Yield the acting combatant's enemies, each with the request for its opportunity attack."""
        encounter = self._document.encounter
        active = next(iter(active_combatants(encounter)), None)
        for other in self._others:
            if active is not None and are_hostile(encounter, other.id, active.id) and self._is_able(other):
                yield other, AttackCardRequest("", "opportunity", other.id, active.id)


def _offer(id: str, name: str, shared: str, tip: str, takers: Takers) -> Iterator[ReactionView]:
    """Yield a reaction with its combatant if only one can take it, or a shared reaction if several can."""
    first = list(islice(takers(), 2))
    if len(first) == 1:
        who, request = first[0]
        yield ReactionView(f"{who.id}/{id}", f"{who.label}: {name}", tip, request)
    elif first:
        yield ReactionView(id, shared, tip, takers=takers)
