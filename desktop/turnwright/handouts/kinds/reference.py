"""The reference of a game: its conditions, actions, cover, countdowns and round, for the screen or for the players."""

from __future__ import annotations

from turnwright.encounter.prepared import Scene
from turnwright.handouts.packet import Section
from turnwright.handouts.rule_words import RuleWords
from turnwright.handouts.source import Kind, Leaf, Source
from turnwright.rules.catalogue.actions import ActionOption, Resource
from turnwright.rules.catalogue.conditions import Condition
from turnwright.rules.catalogue.places import CoverGrade
from turnwright.rules.terms import signed

ID = "reference"
_GROUPS = ("listed", "other", "reaction", "free")
_OWN = ("legendary",)  # steps that mean something only where creatures have a field of that name
_ENDLESS = "∞"
Plain = dict[str, object]


def make(source: Source) -> Leaf:
    """Return the reference of the encounter's game."""
    return Leaf((Section(ID, _Reference(source).data()),))


class _Reference:
    """Puts a game's catalogue into the plain data that the template lays out."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._data = source.rules.catalogue
        self._words = RuleWords(source.rules, source.say)

    def data(self) -> Plain:
        """Return all of it; what a game has nothing of is an empty list."""
        return {
            "game": self._words.term("system.full", self._data.name),
            "chosen": self._chosen(),
            "setup": self._setup(),
            "round": self._steps("top", self._source.rules.rounds.top),
            "turn_start": self._steps("start", self._source.rules.rounds.turn_start),
            "turn_end": self._steps("end", self._source.rules.rounds.turn_end),
            "resources": [self._resource(one) for one in self._data.resources],
            "actions": self._actions(),
            "conditions": [self._condition(one) for one in sorted(self._data.conditions, key=lambda one: one.name)],
            "standing": [self._condition(one) for one in self._data.standing],
            "cover": [self._cover(one) for one in self._data.cover if one.bonus or one.on or one.untargetable],
            "checks": [
                {"name": self._words.what(f"check.{one.ability}:{one.skill}"), "suits": one.suits}
                for one in self._data.initiative_checks
            ],
            "countdowns": self._countdowns(),
        }

    def _chosen(self) -> list[str]:
        """Return the table rules that this encounter plays by."""
        lookup, rules = self._source.encounter, self._source.rules
        asked = (lookup.get(Scene, "scene") or Scene()).options
        return [one.name for one in self._data.options if rules.option(lookup, one.id) and one.id in asked]

    def _setup(self) -> list[str]:
        named = [self._words.term(f"step.{step}", "") for step in ("scene", "surprise", "initiative")]
        die, check = self._data.initiative.die, self._data.initiative.check
        named[-1] += (
            f" ({self._words.say('rolled', die=die, check=self._words.what(f'check.{check}'))})" if check else ""
        )
        return [one for one in named if one]

    def _steps(self, part: str, steps: tuple[str, ...]) -> list[str]:
        """Return the steps of a round or a turn that there are words for, in their order."""
        said = [self._words.maybe(f"{part}-{step}") for step in steps if step not in _OWN or self._has(step)]
        return [text for text in said if text]

    def _has(self, field: str) -> bool:
        return self._data.presentation.has(field)

    def _resource(self, one: Resource) -> Plain:
        limits = [self._words.say(f"refill-{one.refill}")] if one.amount and not one.own else []
        limits += [self._words.say("carries")] if one.carry else []
        limits += [self._words.say("off-turn")] if one.off_turn and one.refill != "never" else []
        sign = dict(self._data.presentation.signs).get(one.id, "")
        limits += [self._words.say("own")] if one.own else []
        amount = "" if one.own else str(one.amount) if one.amount else _ENDLESS
        return {"name": one.name, "sign": sign, "amount": amount, "when": ", ".join(limits)}

    def _actions(self) -> list[Plain]:
        """Return the actions by group, each with its price and what it does."""
        groups: list[Plain] = []
        for group in _GROUPS:
            listed = [self._action(one) for one in self._data.actions if one.group == group]
            if listed:
                groups.append({"title": self._words.say(f"group-{group}"), "actions": listed})
        return groups

    def _action(self, one: ActionOption) -> Plain:
        usual = "reaction" if one.group == "reaction" else "free" if one.group == "free" else ""
        costs = [self._price(one, cost) for cost in one.payable]
        written = [cost for cost, _ in costs]
        plain = not any(is_sign for _, is_sign in costs)
        beside = "" if plain and one.payable == (usual,) else " / ".join(dict.fromkeys(written))
        return {"name": one.name, "price": beside, "sign": not plain, "text": one.text}

    def _price(self, one: ActionOption, cost: str) -> tuple[str, bool]:
        """Return how a price is written, and whether that is by signs."""
        shown = self._data.presentation
        if one.prices and (sign := dict(shown.signs).get(cost, "")):
            return " / ".join(shown.price(cost, price) for price in one.prices), len(sign) == 1
        if price := shown.price(cost, one.price):
            return price, len(dict(shown.signs)[cost]) == 1
        return self._words.cost(cost), False

    def _condition(self, one: Condition) -> Plain:
        return {"name": one.name, "text": one.text, "effects": self._words.effects(one), "valued": one.valued}

    def _cover(self, one: CoverGrade) -> Plain:
        kind = f" ({self._words.say('bonus', kind=one.type)})" if one.bonus and one.type else ""
        what = self._words.listed([self._words.what(what) for what in one.on])
        gives = f"{signed(one.bonus)}{kind}: {what}" if one.bonus else what
        if one.untargetable:
            gives = (
                self._words.say("untargetable-by", what=self._words.what(one.against))
                if one.against
                else (self._words.say("untargetable"))
            )
        return {"name": one.name, "gives": gives}

    def _countdowns(self) -> Plain:
        """Return the speeds with the lowest face that takes a die out, and about how many rolls a pool lasts."""
        speeds = [
            {"name": self._words.say(speed), "faces": list(range(face, self._source.rules.world.countdown_die + 1))}
            for speed, face in self._data.countdown_faces
        ]
        rows = [[row.dice, row.slow, row.medium, row.fast] for row in self._data.countdown_table]
        return {"speeds": speeds, "rows": rows}


KIND = Kind(ID, make, for_players=True)
