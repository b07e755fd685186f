"""What somebody may do on the turn, for the action bar: what is legal and why not, grouped, and what pressing each means.

The engine says what may be done; here it only gets its words, its place and, where it must be told more, its form.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from turnwright.encounter.prepared import Creature, Feature, Figures
from turnwright.encounter.running import Combatant
from turnwright.play.attack_inquiries import AttackOffer, attacks_left, attacks_of
from turnwright.play.commands import Command, DropProne, Ride, Stand, TakeAction
from turnwright.play.inquiries import ActionOffer, actions_for
from turnwright.play.procedures.postures import DROP, STAND, prone_effects
from turnwright.play.procedures.readied import readied
from turnwright.play.supplies import full, have, supply_of
from turnwright.rules.catalogue.actions import ActionOption
from turnwright.rules.catalogue.figures import MovementFigures
from turnwright.rules.hooks import Veto
from turnwright.rules.parts.control import followers_of, moving_together
from turnwright.rules.parts.means import is_attack, kind_of
from turnwright.rules.parts.movement import PRONE
from turnwright.rules.parts.positions import hostile
from turnwright.rules.parts.riding import mounting_vetoes, obeys
from turnwright.rules.system import creature_of
from turnwright.rules.terms import signed
from turnwright.ui.bridge import Bridge
from turnwright.ui.docks.explain import explainer
from turnwright.ui.docks.stat_answers import of_stat
from turnwright.ui.docks.turn.acts import (
    ATTACK,
    RELEASE,
    Act,
    Deed,
    needs_form,
    refused,
    why_of,
)
from turnwright.ui.docks.turn.acts_of_command import AttackTogether, DirectThem, Mount, OrderMount
from turnwright.ui.docks.turn.acts_of_features import Use, is_used_on_somebody
from turnwright.ui.docks.turn.acts_of_spells import Cast
from turnwright.ui.say import say
from turnwright.ui.widgets.action_bar import ActionView
from turnwright.ui.widgets.why import Why, WhyLine

FEATURE = "feature:"
HEADED = ("action", "bonus", "reaction", "move", "free")
BY_STANDING = (STAND, DROP)  # done by commands of their own, wherever a game lists them too


@dataclass(frozen=True)
class AttackWith:
    """Open the attack card with this feature, at this target; `purpose` as the `Attack` command has it."""

    means: str = ""
    purpose: str = ""
    who: str = ""
    target: str = ""


Meaning = AttackWith | Act | Command


@dataclass(frozen=True)
class _Entry:
    view: ActionView
    meaning: Meaning
    group: str


class TurnActions:
    """The list for one combatant, made again at each refresh."""

    def __init__(self, bridge: Bridge, who: str) -> None:
        self._bridge = bridge
        self._who = who
        entries = [*self._attacks(), *self._offers(), *self._moves(), *self._orders()]
        order = groups_in(bridge)
        entries.sort(key=lambda entry: (order.index(entry.group), not entry.view.id.startswith(FEATURE)))
        self.views = [entry.view for entry in entries]
        self._meanings = {entry.view.id: entry.meaning for entry in entries}

    def meaning(self, id: str) -> Meaning | None:
        """Return what pressing an action means, None where it isn't on the list."""
        return self._meanings.get(id)

    # Attacks and features --------------------------------------------------------------------------------------------

    def _attacks(self) -> Iterator[_Entry]:
        encounter, rules = self._bridge.encounter, self._bridge.rules
        by_means: dict[str, list[AttackOffer]] = {}
        for offer in attacks_of(encounter, rules, self._who):
            by_means.setdefault(offer.means.id, []).append(offer)
        for id, offers in by_means.items():
            means = offers[0].means
            vetoes = () if any(not each.vetoes for each in offers) else offers[0].vetoes
            own = means.cost in self._bridge.rules.resources and means.cost not in ("action", "free")
            group = means.cost if own else "attack"
            name = means.name or explainer(self._bridge).name("option.unarmed")
            if means.attack is not None:
                name = f"{name} {signed(means.attack)}"
            sign = "bow-arrow" if kind_of(means) == "ranged" else "sword"
            view = self._view(f"{FEATURE}{id}", name, group, vetoes, means, sign, f"{means.damage}\n{means.text}")
            yield _Entry(view, AttackWith(id), group)

    def _offers(self) -> Iterator[_Entry]:
        for offer in actions_for(self._bridge.encounter, self._bridge.rules, self._who):
            if offer.feature is not None:
                if not is_attack(offer.feature):
                    yield self._feature(offer, offer.feature)
            elif offer.action.done != ATTACK and self._is_apt(offer.action):
                yield self._action(offer)

    def _feature(self, offer: ActionOffer, feature: Feature) -> _Entry:
        group = feature.cost if feature.cost in self._bridge.rules.resources else "action"
        vetoes = (Veto(offer.refused, offer.rule, offer.params),) if offer.refused else ()
        sign = "magic-staff" if feature.level is not None else ""
        view = self._view(f"{FEATURE}{feature.id}", feature.name, group, vetoes, feature, sign, feature.text)
        return _Entry(view, use_of(self._bridge, self._who, feature), group)

    def _is_apt(self, option: ActionOption) -> bool:
        """Return whether an action has a place on the list: letting go is for those who have readied something.

        What stands there by itself already has none: an attack is chosen by what one attacks with.
        """
        if option.done in BY_STANDING or option.id == self._bridge.rules.catalogue.attack.action:
            return False
        return option.done != RELEASE or readied(self._bridge.encounter, self._who) is not None

    def _action(self, offer: ActionOffer) -> _Entry:
        option = offer.action
        vetoes = (Veto(offer.refused, offer.rule, offer.params),) if offer.refused else ()
        said = self._said(vetoes)

        def why() -> Why:
            rules = (*((offer.rule,) if offer.rule else ()), *option.ledger)
            card = why_of(self._bridge, option.name, rules, option.text) or Why(option.name, "")
            return Why(card.title, "", card.lines, (), tuple(text for text in (said, option.text) if text))

        group = option.payable[0] if option.payable[0] in self._bridge.rules.resources else "action"
        group = option.group if option.group in ("reaction", "free") else group
        price = self._price(option.payable[0], option.price, option.spends)
        view = ActionView(option.id, option.name, option.text, said, why, self._heading(group), price=price)
        return _Entry(view, meaning_of(self._bridge, self._who, option), group)

    # Getting about, and those who follow -------------------------------------------------------------------------------

    def _moves(self) -> Iterator[_Entry]:
        encounter = self._bridge.encounter
        if prone_effects(encounter, self._who):
            yield self._plain("stand", Stand(self._who), "arrow-up", "prone.stand", self._figures.stand_by)
        elif PRONE in self._bridge.rules.conditions:
            yield self._plain(
                "drop-prone", DropProne(self._who), "arrow-down", "prone.drop-free", self._figures.drop_by
            )
        if encounter.need(Combatant, self._who).rides:
            yield self._plain("dismount", Ride(self._who), "arrow-down-bold", "mount.cost")
            if obeys(encounter, self._who):
                yield self._act("order-mount", OrderMount(self._bridge, self._who), "paw")
        elif self._can_mount():
            yield self._act("mount", Mount(self._bridge, self._who), "arrow-up-bold")

    def _orders(self) -> Iterator[_Entry]:
        encounter, rules = self._bridge.encounter, self._bridge.rules
        commands = bool(rules.catalogue.groups.command_cost)
        if commands and any(not one.dead for one in followers_of(encounter, self._who)):
            cost = rules.catalogue.groups.command_cost
            group = cost if cost in rules.resources else "action"
            act = DirectThem(self._bridge, self._who)
            unit = next(iter(act.units().items()), None)
            said = ""
            if unit is not None:
                trial = act.command({"unit": (unit[0],), "action": "–"})
                said = refused(self._bridge, trial)[0]
            yield self._act("direct", act, "account-group", group, said)
        grouped = bool(encounter.need(Combatant, self._who).group and rules.catalogue.groups.dc_base)
        if grouped and len(moving_together(encounter, rules, self._who)) > 1:
            yield self._act("group-attack", AttackTogether(self._bridge, self._who), "sword-cross", "attack")

    def _can_mount(self) -> bool:
        encounter, rules = self._bridge.encounter, self._bridge.rules
        return bool(rules.cite("mount.cost")) and any(
            one.id != self._who
            and not one.dead
            and not hostile(encounter, self._who, one.id)
            and not mounting_vetoes(encounter, rules, self._who, one.id)
            for one in encounter.all(Combatant)
        )

    @property
    def _figures(self) -> MovementFigures:
        return self._bridge.rules.catalogue.movement

    def _plain(self, word: str, command: Command, sign: str, topic: str, by: str = "") -> _Entry:
        said = refused(self._bridge, command)[0]
        entry = self._entry(word, command, sign, "move", said, topic)
        option = self._bridge.rules.actions.get(by)
        if option is None:
            return entry
        price = self._price(option.cost, option.price, option.spends)
        return replace(entry, view=replace(entry.view, price=price))

    def _act(self, word: str, act: Act, sign: str, group: str = "move", said: str = "") -> _Entry:
        return self._entry(word, act, sign, group, said)

    def _entry(self, word: str, meaning: Meaning, sign: str, group: str, said: str, topic: str = "") -> _Entry:
        name = say(f"ui.deed.{word}")
        rule = explainer(self._bridge).rule_on(topic) if topic else ""

        def why() -> Why:
            card = why_of(self._bridge, name, (rule,)) or Why(name, "")
            return Why(card.title, "", card.lines, (), (said,) if said else ())

        return _Entry(ActionView(f"do:{word}", name, "", said, why, self._heading(group), sign), meaning, group)

    # Pieces ------------------------------------------------------------------------------------------------------------

    def _heading(self, group: str) -> str:
        if group == "attack":
            left = attacks_left(self._bridge.encounter, self._who)
            return say("ui.turn.group-attack-left", n=left) if left else say("ui.turn.group-attack")
        name = say(f"ui.turn.group-{group}") if group in HEADED else ""
        resource = self._bridge.rules.resources.get(group)
        if resource is not None and resource.name.split()[0].lower() not in name.lower():
            return resource.name  # the game's own word
        return name

    def _price(self, cost: str, price: int, spends: Figures) -> str:
        """Return how the game writes what something takes, `X` where somebody has to say; nothing where all cost the same."""
        shown = self._bridge.rules.catalogue.presentation
        costs = (shown.price(cost, price), *(shown.price(pool, more) for pool, more in spends))
        return ", ".join(one for one in costs if one)

    def _said(self, vetoes: Iterable[Veto]) -> str:
        explain = explainer(self._bridge)
        first = next(iter(vetoes), None)
        if first is None:
            return ""
        if first.reason.startswith("<"):
            return explain.say("refused.condition", condition=first.reason)
        return explain.say(first.reason, **dict(first.params))

    def _view(
        self, id: str, name: str, group: str, vetoes: Iterable[Veto], feature: Feature, sign: str, tip: str
    ) -> ActionView:
        found = tuple(vetoes)
        said = self._said(found)

        def why() -> Why:
            explain = explainer(self._bridge)
            known = of_stat(self._bridge, _creature(self._bridge, self._who), f"feature:{feature.id}").lines
            against = tuple(WhyLine("✕", said, one.rule, explain.ledger.statement(one.rule)) for one in found[:1])
            return Why(name, "", (*against, *known), (), tuple(text for text in (feature.text,) if text))

        boxes, price = (
            boxes_of(self._bridge, self._who, feature),
            self._price(feature.cost, feature.price, feature.spends),
        )
        return ActionView(id, name, tip.strip(), said, why, self._heading(group), sign, boxes, price)


def groups_in(bridge: Bridge) -> tuple[str, ...]:
    """Return the groups of acts in their order: attacks, what each resource of the game pays for, getting about, free ones."""
    paid = [one.id for one in bridge.rules.catalogue.resources if one.id != "free"]
    return ("attack", *dict.fromkeys(["action", *paid]), "move", "free")


def meaning_of(bridge: Bridge, who: str, option: ActionOption) -> Meaning:
    """Return what choosing an action of the system means: a form where it must be told more, else the command."""
    if option.takes:
        return Cast(bridge, who, option)
    if option.done == RELEASE:
        return release(bridge, who, option)
    return Deed(bridge, who, option) if needs_form(option) else TakeAction(who, option.id)


def use_of(bridge: Bridge, who: str, feature: Feature, purpose: str = "") -> Meaning:
    """Return what using a feature means: on whom is asked only where somebody saves or suffers."""
    if is_attack(feature):
        return AttackWith(feature.id, purpose, who)
    return Use(bridge, who, feature, purpose) if is_used_on_somebody(feature) else TakeAction(who, feature.id)


def release(bridge: Bridge, who: str, option: ActionOption) -> Meaning:
    """Return what responding with something readied means: an attack and a feature have a card of their own."""
    effect = readied(bridge.encounter, who)
    response = effect.source if effect is not None else ""
    if response == ATTACK:
        return AttackWith("", "readied", who)
    feature = next((one for one in _creature(bridge, who).features if one.id == response), None)
    if feature is not None:
        return use_of(bridge, who, feature, "readied")
    return TakeAction(who, option.id, choice=option.choices[0].id if option.choices else "")


def boxes_of(bridge: Bridge, who: str, feature: Feature) -> tuple[int, int] | None:
    """Return what is left of a feature's uses or its recharge, of how many; None where it has no limit of its own."""
    supply = supply_of(feature)
    most = full(bridge.encounter, who, supply) if supply and not supply.startswith("slots.") else 0
    return (have(bridge.encounter, who, supply), most) if most else None


def _creature(bridge: Bridge, who: str) -> Creature:
    return creature_of(bridge.encounter, bridge.encounter.need(Combatant, who))
