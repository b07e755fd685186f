"""The action rows of a fight sheet: each combatant's possible actions with their costs, supplies and sources."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from turnwright.dice.expression import parse
from turnwright.encounter import roles
from turnwright.encounter.prepared import ANY_ATTACK, ANY_MELEE, ANY_UNARMED, Creature, Feature
from turnwright.encounter.procedure_state.attacks import AttackInProgress
from turnwright.forecast import sheet
from turnwright.forecast.building.sources import leaves_effect
from turnwright.rules.parts.actions import spell_features
from turnwright.rules.parts.actions.action_options import sustaining_action
from turnwright.rules.parts.actions.how_features_play import LEGENDARY_RESISTANCE, REROLLS
from turnwright.rules.parts.actions.triggered_features import carrying
from turnwright.rules.parts.attacks.attack_targeting import (
    attack_kind,
    attack_resource,
    is_attack,
    is_stowed,
)
from turnwright.rules.parts.conditions.predicates import is_there
from turnwright.rules.parts.economy import limited_uses
from turnwright.rules.parts.economy.limited_uses import LEGENDARY, all_uses, remaining_uses, use_key
from turnwright.rules.parts.movement.move_legs import reins_vetoes, will_be_controlled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from turnwright.forecast.building.questions import Questions
    from turnwright.forecast.building.sources import Notes, Sources

POOLS: Final = {
    "action": sheet.MAIN_POOL,
    "attack": sheet.MAIN_POOL,
    "bonus": sheet.BONUS_POOL,
    "reaction": sheet.REACTION_POOL,
    LEGENDARY: sheet.LEGENDARY_POOL,
}
REFILLS: Final = {"round": sheet.REFILLS_AT_OWN_TURN, "turn": sheet.REFILLS_AT_ANY_TURN}
SQUARES: Final = {"cone": 2, "cube": 2, "square": 2, "line": 6}  # for each enemy that an area is assumed to catch
SHAPE: Final = re.compile(rf"\b({'|'.join(SQUARES)})\b")
NUMBER: Final = re.compile(r"\d+")


class Price(NamedTuple):
    """The cost of an action: a pool and an amount, the limit of uses per turn, and up to two supplies with amounts."""

    pool: int
    price: int
    once: int = 0
    supplies: tuple[tuple[int, int], ...] = ()


class Actions:
    """Collects each combatant's actions and the supplies that they use."""

    def __init__(self, questions: Questions, sources: Sources, notes: Notes) -> None:
        self.questions, self.sources, self.notes = questions, sources, notes
        self.rows: list[sheet.Action] = []
        self.names: list[tuple[str, str]] = []
        self.routine: list[int] = []
        self.supplies: list[sheet.Supply] = []
        self._supply_rows: dict[tuple[str, str], int] = {}
        self.lasting: list[tuple[str, sheet.Action]] = []  # the names and casts of spells with later uses
        self.limited: list[tuple[str, Feature, sheet.Action]] = []  # the users and actions of features with a `when`

    @property
    def sustain_price(self) -> int:
        """The price of sustaining a spell for another turn, or 0 if concentration maintains it."""
        action = sustaining_action(self.questions.rules)
        return action.price if action is not None else 0

    @property
    def supply_names(self) -> tuple[tuple[str, str], ...]:
        """The owner and name of each supply, in row order."""
        return tuple(self._supply_rows)

    def add_all(self, who: str) -> tuple[int, int]:
        """Add the actions of a combatant; return the first row and the row after the last."""
        first, creature = len(self.rows), self.questions.creature(who)
        per_action = max([creature.attacks, *(each.attacks for each in creature.features if not each.multiattack)])
        for feature in (*creature.features, *self._raised(creature)):
            if self._cannot_be_used(who, creature, feature):
                continue
            steps = attacks_of_steps(creature, feature)
            if steps and feature.cost != "trait":
                if not feature.when:
                    self._add(who, creature, feature, [self.sources.of_feature(who, step) for step in steps])
            elif feature.multiattack:
                self._add_tables(who, creature, feature)
            elif feature.cost != "trait" and (
                is_attack(feature)
                or feature.damage
                or feature.save
                or feature.heals
                or leaves_effect(feature)
                or surges(feature)
            ):
                self._add_feature(who, creature, feature, per_action)
        return first, len(self.rows)

    def _raised(self, creature: Creature) -> Iterator[Feature]:
        """Yield a stat block's spells as cast with each of its higher slots, if that changes damage or healing."""
        for feature in creature.features:
            spell = spell_features.listed_spell(self.questions.rules, feature) if feature.level else None
            attacks = is_attack(feature)
            if spell is not None and not (attacks or spell_features.is_better_described(spell, feature)):
                higher = [spell_features.raised(feature, spell, int(level)) for level, count in creature.slots if count]
                yield from (each for each in higher if (each.damage, each.heals) != (feature.damage, feature.heals))

    def _cannot_be_used(self, who: str, creature: Creature, feature: Feature) -> bool:
        rules = self.questions.rules
        if not is_there(self.questions.placeless, rules, who, feature):
            reason = "not_there"
        elif feature.automation == "off":
            reason = "switched_off"
        elif feature.cost not in ("trait", "reaction") and self._is_led(who):
            reason = "led_mount"
        elif feature.cost != "trait" and is_stowed(rules.data, feature):
            reason = "stowed"
        elif feature.cost == "lair":
            reason = "lair"
        elif feature.requires and not feature.when and not self._is_character(who):
            reason = "requires"  # mostly what its last attacks did: used freely, it would be far too good
        else:
            reason = ""
        if reason:
            params = {"what": feature.requires} if reason == "requires" else {}
            self.notes.left_out("creatures", creature.id, feature.id, reason, **params)
        return bool(reason) or feature.cost == "reaction" or bool(feature.trigger)

    def _is_character(self, who: str) -> bool:
        return roles.is_character(self.questions.begun, self.questions.combatants[self.questions.index[who]])

    def _is_led(self, who: str) -> bool:
        """Return whether a combatant is a mount controlled by its rider, and so can't attack."""
        rules, encounter = self.questions.rules, self.questions.begun
        vetoes = reins_vetoes(encounter, rules, who, rules.data.attack.action or "attack", cost="action")
        return bool(vetoes) or will_be_controlled(encounter, rules, who)

    def _add_tables(self, who: str, creature: Creature, feature: Feature) -> None:
        """Add an action for each variant of a multiattack."""
        features = {item.id: item for item in creature.features}
        for table in feature.multiattack:
            strikes: list[int | None] = []
            for name, count in table:
                attack = _named(features, name)
                strikes += [self.sources.of_feature(who, attack)] * count if attack is not None else []
            self._add(who, creature, feature, strikes)

    def _add_feature(self, who: str, creature: Creature, feature: Feature, per_action: int) -> None:
        """Add a feature as an action. Attacks of the Attack action are repeated as often as that action allows.

        A multiattack's tables say all that it allows: an attack by itself isn't repeated because of them.
        """
        attack = is_attack(feature)
        times = per_action if attack and self._resource(who, feature) == "attack" else 1
        self._add(who, creature, feature, [self.sources.of_feature(who, feature)] * times, attack=attack)

    def _resource(self, who: str, feature: Feature) -> str:
        """Return the resource that pays for a feature."""
        if is_attack(feature):
            return attack_resource(self.questions.placeless, self.questions.rules, AttackInProgress(who, feature))
        return feature.cost

    def _kind_of_cast(self, feature: Feature) -> int:
        """Return the kind of a spell among the spells of a turn, of which some games allow one slot."""
        is_slot = self.questions.rules.data.attack.slots_a_turn and feature.is_spell and feature.level
        return spell_features.BONUS_SPELL if is_slot else spell_features.kind_of_cast(self.questions.rules, feature)

    def price_of(self, who: str, feature: Feature, *, attack: bool = False) -> Price:
        """Return the cost of a feature, adding the supplies that it uses."""
        rules, resource = self.questions.rules, self._resource(who, feature)
        pool = POOLS.get(resource, sheet.MAIN_POOL)
        definition = rules.resources.get("action" if resource == "attack" else resource)
        price = feature.price if not attack or rules.data.attack.priced or resource == LEGENDARY else 1
        cost = limited_uses.known_cost(self.questions.placeless, who, feature.id, price) or 1
        free = resource not in POOLS or (
            resource != LEGENDARY and (definition is None or not limited_uses.is_finite(definition))
        )
        supplies = [(self._supply(who, use_key(feature)), 1)] if self._is_counted(who, feature) else []
        supplies += [(self._supply(who, name), amount) for name, amount in feature.spends]
        if len(supplies) > 2:
            self.notes.assumed("creatures", self.questions.creature(who).id, feature.id, "third_supply")
        return Price(pool, 0 if free else cost, int(free), tuple(supplies[:2]))

    def resistance_of(self, who: str) -> tuple[int, int]:
        """Return the supply, plus 1, of uses that turn a failed save into a success, or (second) another roll."""
        creature = self.questions.creature(who)
        for feature in creature.features:
            kinds = {LEGENDARY_RESISTANCE, REROLLS}.intersection(feature.properties)
            if kinds and not feature.when and self._is_counted(who, feature):
                self.notes.assumed("creatures", creature.id, feature.id, "resists")
                return self._supply(who, use_key(feature)) + 1, int(REROLLS in kinds)
        return 0, 0

    def _is_counted(self, who: str, feature: Feature) -> bool:
        """Return whether the uses of a feature are tracked. If a stat block lists no slots, the player tracks them."""
        name = use_key(feature)
        return bool(name) and any(track.name == name for track in all_uses(self.questions.begun, who))

    def _supply(self, who: str, name: str) -> int:
        """Return the row of a combatant's uses, slots or points, adding it if necessary."""
        index = self._supply_rows.get((who, name))
        if index is not None:
            return index
        row = sheet.Supply()
        encounter, rules = self.questions.begun, self.questions.rules
        pool = rules.resources.get(name)
        if pool is not None:
            row.left = limited_uses.remaining(encounter, who, name)
            row.most = limited_uses.maximum(encounter, who, pool)
            if pool.refill != "never":
                row.refills = sheet.REFILLS_AT_OWN_TURN
        else:
            track = next(use for use in all_uses(encounter, who) if use.name == name)
            row.left, row.most = remaining_uses(encounter, who, name), track.maximum
            kind, _, used = name.partition(".")
            features = self.questions.creature(who).features
            reloaded = {step.recharges for each in features if each.cost == "action" for step in each.does}
            for feature in features:
                if feature.id == used and kind == "recharge":
                    row.recharge = feature.recharge or (
                        1 - round(2 * parse(feature.rests).mean) if feature.rests else 0
                    )
                elif feature.id == used:
                    row.refills = REFILLS.get("round" if used in reloaded else feature.per, sheet.REFILLS_NEVER)
        row.owner = self.questions.index[who]
        self.supplies.append(row)
        self._supply_rows[who, name] = len(self.supplies) - 1
        return len(self.supplies) - 1

    def _add(
        self, who: str, creature: Creature, feature: Feature, sources: list[int | None], *, attack: bool = False
    ) -> None:
        """Add an action that uses these sources, or a note if there are none."""
        strikes, gains = [row for row in sources if row is not None], surges(feature)
        if not (strikes or gains):
            self.notes.left_out("creatures", creature.id, feature.id, "not_simulated")
            return
        price = self.price_of(who, feature, attack=attack)
        kind = self.sources.rows[strikes[0]].kind if strikes else sheet.SUPPORT
        several = feature.catches or feature.targets or (self._targets(feature) if feature.area else 1)
        targets = several if kind != sheet.ATTACK else 1
        row = sheet.Action()
        row.owner, row.pool, row.price = self.questions.index[who], price.pool, price.price
        row.supply = row.second_supply = -1
        if price.supplies:
            row.supply, row.takes = price.supplies[0]
        if len(price.supplies) > 1:
            row.second_supply, row.second_takes = price.supplies[1]
        row.first, row.count = len(self.routine), len(strikes)
        row.targets, row.to, row.once = targets, self._whom(feature, kind), price.once
        row.spell, row.gains = self._kind_of_cast(feature), gains
        row.holds, row.together = int(feature.concentration), int(any(step.together for step in feature.does))
        row.melee = int(any(not self.sources.rows[strike].ranged for strike in strikes))
        self.routine += strikes
        self.rows.append(row)
        if feature.when:
            self.limited.append((who, feature, row))
        self.names.append((who, feature.id))
        if targets > 1 and not (feature.catches or feature.targets) and kind not in (sheet.HEAL, sheet.SUPPORT):
            self.notes.assumed("creatures", creature.id, feature.id, "area", count=targets, area=feature.area)
        if row.holds and self.sustain_price:
            self.notes.assumed("creatures", creature.id, feature.id, "sustained")
        self.notes.used("creatures", creature.id, feature.id)
        self._add_later(who, creature, feature, sources)

    def _add_later(self, who: str, creature: Creature, feature: Feature, sources: list[int | None]) -> None:
        """Add the later uses of a spell that attacks again or stays around its caster."""
        spell, cast = spell_features.listed_spell(self.questions.rules, feature), self.rows[-1]
        if spell is not None and feature.level and (spell.again or spell_features.is_around(spell)):
            later = {"cost": spell.again or "free", "level": None, "uses": 0, "spends": (), "concentration": False}
            self._add(who, creature, msgspec.structs.replace(feature, price=1, **later), sources)
            cast.later, cast.waits = len(self.rows), int(spell.waits and not spell.again)
            self.lasting.append((spell.name, cast))

    def _whom(self, feature: Feature, kind: int) -> int:
        """Return whether an action targets enemies, allies or only its user."""
        first = {sheet.HEAL: sheet.TO_SELF, sheet.SUPPORT: sheet.FOR_SELF}.get(kind)
        is_for_others = feature.range not in ("", spell_features.SELF) or bool(feature.reach or feature.area)
        return sheet.TO_ENEMIES if first is None else first + is_for_others

    def _targets(self, feature: Feature) -> int:
        """Return the number of enemies that an area catches, at least 2 if that is only assumed.

        Unless the feature has the number, it is one for each square of a radius, for two squares of a cone or cube, and
        for six of a line.
        """
        if feature.catches:
            return feature.catches
        number, shape = NUMBER.search(feature.area), SHAPE.search(feature.area)
        squares = int(number[0]) / self.questions.rules.data.grid.cell if number else 0
        return max(2, int(squares / SQUARES[shape[0]] + 0.5) if shape else round(squares))


def _named(features: dict[str, Feature], name: str) -> Feature | None:
    """Return the feature named by a multiattack or step, either directly or as the first attack of a type."""
    if name in features:
        return features[name]
    kinds = {ANY_ATTACK: ("melee", "ranged"), ANY_MELEE: ("melee",), ANY_UNARMED: ("melee",)}.get(name, ())
    return next((item for item in features.values() if is_attack(item) and attack_kind(item) in kinds), None)


def surges(feature: Feature) -> int:
    """Return the amount of the action resource that a feature restores."""
    return sum(POOLS.get(step.restores) == sheet.MAIN_POOL for step in feature.does)


def attacks_of_steps(creature: Creature, feature: Feature) -> list[Feature]:
    """Return the attacks that a feature's steps make, or no attacks if they depend on choices or positions."""
    if feature.area or any(step.alternative or step.bonus or step.cleaves for step in feature.does):
        return []
    features = {item.id: item for item in creature.features}
    attacks = [(step, _named(features, step.use)) for step in feature.does if step.use]
    return [
        msgspec.structs.replace(carrying(attack, feature, step), id=feature.id if step.carries else attack.id)
        for step, attack in attacks
        if attack is not None and is_attack(attack)
    ]


def amounts_of_turn(questions: Questions, who: str) -> dict[int, int]:
    """Return the amount of each resource pool that a combatant has per turn or round."""
    rules, amounts = questions.rules, {}
    for name in ("action", "bonus", "reaction"):
        definition = rules.resources.get(name)
        if definition is not None and limited_uses.is_finite(definition):
            amounts[POOLS[name]] = limited_uses.refill_amount(questions.placeless, rules, who, definition)
    amounts[sheet.LEGENDARY_POOL] = questions.creature(who).legendary
    return amounts
