"""The reference of a game, for the screen or for the players: conditions, actions, cover, countdowns and the round."""

from __future__ import annotations

from turnwright.encounter.lookups import scene_of
from turnwright.encounter.procedure_state.turns import ROUND_START
from turnwright.handouts.condition_text import ConditionText, without_citations
from turnwright.handouts.page_input import PageContent, PageInput, PageKind
from turnwright.handouts.print_document import Section
from turnwright.rules.system_data.actions import ActionOption, Resource
from turnwright.rules.system_data.conditions import Condition
from turnwright.rules.system_data.places import CoverGrade, Sense, Terrain
from turnwright.rules.word_keys import signed_text

ID = "reference"
_GROUPS = ("listed", "other", "reaction", "free")
_OWN = ("legendary",)  # steps that only make sense if creatures have a field with that name
_ENDLESS = "∞"
PlainData = dict[str, object]


def make(source: PageInput) -> PageContent:
    """Return the reference of the encounter's game."""
    return PageContent((Section(ID, _Reference(source).data()),))


class _Reference:
    """Converts a game's data to the plain data for the template."""

    def __init__(self, source: PageInput) -> None:
        self._source = source
        self._data = source.rules.data
        self._words = ConditionText(source.rules, source.text)

    def data(self) -> PlainData:
        """Return all data, with an empty list for each part that the game doesn't have."""
        return {
            "game": self._words.term("system.full", self._data.name),
            "chosen": self._chosen(),
            "setup": self._setup(),
            "round": self._steps("top", tuple(one.name for one in ROUND_START)),
            "turn_start": self._steps("start", self._data.turns.start),
            "turn_end": self._steps("end", self._data.turns.end),
            "resources": [self._resource(resource) for resource in self._data.resources],
            "actions": self._actions(),
            "conditions": [
                self._condition(condition)
                for condition in sorted(self._data.conditions, key=lambda one: one.name)
                if condition.printed
            ],
            "standing": [self._condition(one) for one in self._data.standing],
            "cover": [self._cover(one) for one in self._data.cover if one.bonus or one.on or one.untargetable],
            "ladder": [{"name": one.name, "dc": one.dc} for one in self._data.ladder],
            "level_dcs": list(self._data.level_dcs),
            "senses": [self._sense(sense) for sense in self._data.senses if sense.beats],
            "ground": [self._ground(terrain) for terrain in self._data.terrains if terrain.extra],
            "checks": [
                {
                    "name": self._words.name_of(f"check.{initiative_check.ability}:{initiative_check.skill}"),
                    "suits": without_citations(initiative_check.suits),
                }
                for initiative_check in self._data.initiative_checks
            ],
            "countdowns": self._countdowns(),
        }

    def _chosen(self) -> list[str]:
        """Return the house rules of this encounter."""
        lookup, rules = self._source.encounter, self._source.rules
        asked = scene_of(lookup).options
        return [
            option.name for option in self._data.options if rules.has_option(lookup, option.id) and option.id in asked
        ]

    def _setup(self) -> list[str]:
        named = [self._words.term(f"step.{step}", "") for step in ("scene", "surprise", "initiative")]
        die, check = self._data.initiative.die, self._data.initiative.check
        if check:
            rolled = self._words.reference_text("rolled", die=die, check=self._words.name_of(f"check.{check}"))
            named[-1] += f" ({rolled})"
        return [one for one in named if one]

    def _steps(self, part: str, steps: tuple[str, ...]) -> list[str]:
        """Return the texts of the steps of a round or a turn, in order, skipping steps without a text."""
        here = [step for step in steps if step not in _OWN or self._data.presentation.has(step)]
        said = [self._words.reference_text_or_empty(f"{part}-{step}") for step in here]
        return [text for text in said if text]

    def _resource(self, one: Resource) -> PlainData:
        limits = [self._words.reference_text(f"refill-{one.refill}")] if one.amount and not one.own else []
        limits += [self._words.reference_text("carries")] if one.carry else []
        limits += [self._words.reference_text("off-turn")] if one.off_turn and one.refill != "never" else []
        sign = dict(self._data.presentation.signs).get(one.id, "")
        limits += [self._words.reference_text("own")] if one.own else []
        amount = "" if one.own else str(one.amount) if one.amount else _ENDLESS
        return {"name": one.name, "sign": sign, "amount": amount, "when": ", ".join(limits)}

    def _actions(self) -> list[PlainData]:
        """Return the actions by group, each with its cost and effect."""
        groups: list[PlainData] = []
        for group in _GROUPS:
            listed = [self._action(action) for action in self._data.actions if action.group == group]
            if listed:
                groups.append({"title": self._words.reference_text(f"group-{group}"), "actions": listed})
        return groups

    def _action(self, one: ActionOption) -> PlainData:
        usual = "reaction" if one.group == "reaction" else "free" if one.group == "free" else ""
        costs = [self._price(one, cost) for cost in one.payable]
        written = [cost for cost, _ in costs]
        plain = not any(is_sign for _, is_sign in costs)
        beside = "" if plain and one.payable == (usual,) else " / ".join(dict.fromkeys(written))
        return {"name": one.name, "price": beside, "sign": not plain, "text": without_citations(one.text)}

    def _price(self, one: ActionOption, cost: str) -> tuple[str, bool]:
        """Return the text of a cost, and whether it is a sign."""
        shown = self._data.presentation
        if one.prices and (sign := dict(shown.signs).get(cost, "")):
            return " / ".join(shown.price(cost, price) for price in one.prices), len(sign) == 1
        if price := shown.price(cost, one.price):
            return price, len(dict(shown.signs)[cost]) == 1
        return self._words.cost_name(cost), False

    def _condition(self, one: Condition) -> PlainData:
        text = without_citations(one.text)
        return {"name": one.name, "text": text, "effects": self._words.effect_lines(one), "valued": one.valued}

    def _cover(self, one: CoverGrade) -> PlainData:
        kind = f" ({self._words.reference_text('bonus', kind=one.type)})" if one.bonus and one.type else ""
        what = self._words.joined_names([self._words.name_of(what) for what in one.on])
        gives = f"{signed_text(one.bonus)}{kind}: {what}" if one.bonus else what
        if one.untargetable:
            by = self._words.name_of(one.against) if one.against else ""
            gives = self._words.reference_text("untargetable-by" if by else "untargetable", what=by)
        return {"name": one.name, "gives": gives}

    def _sense(self, one: Sense) -> PlainData:
        """Return a sense with the hindrances it overcomes."""
        against = [self._words.reference_text(f"sense-{what}") for what in one.beats]
        return {"name": one.name, "gives": self._words.joined_names(against)}

    def _ground(self, one: Terrain) -> PlainData:
        return {"name": one.name, "gives": self._words.reference_text("ground-cost", n=one.extra + 1)}

    def _countdowns(self) -> PlainData:
        """Return the speeds with the lowest face that removes a die, and the usual number of rolls of a pool."""
        beyond = self._data.turns.countdown_die + 1
        speeds = [
            {"name": self._words.reference_text(speed), "faces": list(range(face, beyond))}
            for speed, face in self._data.countdown_faces
        ]
        rows = [[row.dice, row.slow, row.medium, row.fast] for row in self._data.countdown_table]
        return {"speeds": speeds, "rows": rows}


KIND = PageKind(ID, make, for_players=True)
