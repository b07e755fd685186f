"""The rules reference for the GM screen or for players: conditions, actions, cover, countdowns and the round."""

from turnwright.encounter.procedure_state.turns import ROUND_START
from turnwright.encounter.state import scene_of
from turnwright.handouts.page_input import PageContent, PageInput, PageKind, Section
from turnwright.handouts.stat_block_data import ConditionText, without_citations
from turnwright.rules.system_data.dying import Condition
from turnwright.rules.system_data.numbers import ActionOption, Resource
from turnwright.rules.system_data.places import CoverGrade, Sense, Terrain
from turnwright.rules.word_keys import signed_text

ID = "reference"
_GROUPS = ("listed", "other", "reaction", "free")
_OWN = ("legendary",)  # steps that only make sense if creatures have a field with that name
_ENDLESS = "∞"
PlainData = dict[str, object]


def make(source: PageInput) -> PageContent:
    """Return the reference of the encounter's game."""
    return PageContent((Section(ID, ReferenceData(source).data()),))


class ReferenceData:
    """Converts a game's data to the plain data for the template."""

    def __init__(self, source: PageInput) -> None:
        self._source = source
        self._data = source.rules.data
        self._words = ConditionText(source.rules, source.text)

    def data(self) -> PlainData:
        """Return all data, with an empty list for each section that the game doesn't have."""
        printed = (condition for condition in self._data.conditions if condition.printed)
        checks = ((f"check.{check.ability}:{check.skill}", check.suits) for check in self._data.initiative_checks)
        return {
            "game": self._words.term("system.full", self._data.name),
            "chosen": self._chosen(),
            "setup": self._setup(),
            "round": self._steps("top", tuple(step.name for step in ROUND_START)),
            "turn_start": self._steps("start", self._data.turns.start),
            "turn_end": self._steps("end", self._data.turns.end),
            "resources": [self._resource(resource) for resource in self._data.resources],
            "actions": self._actions(),
            "conditions": [self.condition(each) for each in sorted(printed, key=lambda each: each.name)],
            "standing": [self.condition(condition) for condition in self._data.standing],
            "cover": [self._cover(each) for each in self._data.cover if each.bonus or each.on or each.untargetable],
            "ladder": [{"name": rung.name, "dc": rung.dc} for rung in self._data.ladder],
            "level_dcs": list(enumerate(self._data.level_dcs)),
            "senses": [self.sense(sense) for sense in self._data.senses if sense.beats],
            "ground": [self.ground(terrain) for terrain in self._data.terrains if terrain.extra],
            "checks": [{"name": self._words.name_of(key), "suits": without_citations(suits)} for key, suits in checks],
            "countdowns": self._countdowns(),
        }

    def _chosen(self) -> list[str]:
        """Return the house rules used in this encounter."""
        lookup, rules = self._source.encounter, self._source.rules
        options = scene_of(lookup).options
        return [each.name for each in self._data.options if rules.has_option(lookup, each.id) and each.id in options]

    def _setup(self) -> list[str]:
        steps = [self._words.term(f"step.{step}", "") for step in ("scene", "surprise", "initiative")]
        die, check = self._data.initiative.die, self._data.initiative.check
        if check:
            rolled = self._words.reference_text("rolled", die=die, check=self._words.name_of(f"check.{check}"))
            steps[-1] += f" ({rolled})"
        return [step for step in steps if step]

    def _steps(self, part: str, steps: tuple[str, ...]) -> list[str]:
        """Return the texts of the steps of a round or a turn, in order, skipping steps without a text."""
        included = [step for step in steps if step not in _OWN or self._data.presentation.has(step)]
        return [text for step in included if (text := self._words.reference_text_or_empty(f"{part}-{step}"))]

    def _resource(self, resource: Resource) -> PlainData:
        say = self._words.reference_text
        limits = [say(f"refill-{resource.refill}")] if resource.amount and not resource.own else []
        limits += [say("carries")] if resource.carry else []
        limits += [say("off-turn")] if resource.off_turn and resource.refill != "never" else []
        sign = dict(self._data.presentation.signs).get(resource.id, "")
        limits += [say("own")] if resource.own else []
        most = resource.characters.most if resource.characters is not None else resource.amount
        amount = "" if resource.own else str(most) if most else _ENDLESS
        return {"name": resource.name, "sign": sign, "amount": amount, "when": ", ".join(limits)}

    def _actions(self) -> list[PlainData]:
        """Return the actions by group, each with its cost and effect."""
        actions = [(action.group, self._action(action)) for action in self._data.actions]
        groups = ((group, [action for of, action in actions if of == group]) for group in _GROUPS)
        title = self._words.reference_text
        return [{"title": title(f"group-{group}"), "actions": listed} for group, listed in groups if listed]

    def _action(self, action: ActionOption) -> PlainData:
        usual = "reaction" if action.group == "reaction" else "free" if action.group == "free" else ""
        costs = [self._price(action, cost) for cost in action.payable]
        written = [cost for cost, _ in costs]
        plain = not any(is_sign for _, is_sign in costs)
        price = "" if plain and action.payable == (usual,) else " / ".join(dict.fromkeys(written))
        return {"name": action.name, "price": price, "sign": not plain, "text": without_citations(action.text)}

    def _price(self, action: ActionOption, cost: str) -> tuple[str, bool]:
        """Return a cost as text, and whether it is a single symbol."""
        presentation = self._data.presentation
        if action.prices and (sign := dict(presentation.signs).get(cost, "")):
            return " / ".join(presentation.price(cost, price) for price in action.prices), len(sign) == 1
        if price := presentation.price(cost, action.price):
            return price, len(dict(presentation.signs)[cost]) == 1
        return self._words.cost_name(cost), False

    def condition(self, condition: Condition) -> PlainData:
        """Return a condition's name, text and effects."""
        text, effects = without_citations(condition.text), self._words.effect_lines(condition)
        return {"name": condition.name, "text": text, "effects": effects, "valued": condition.valued}

    def _cover(self, grade: CoverGrade) -> PlainData:
        kind = f" ({self._words.reference_text('bonus', kind=grade.type)})" if grade.bonus and grade.type else ""
        what = self._words.joined_names([self._words.name_of(what) for what in grade.on])
        gives = f"{signed_text(grade.bonus)}{kind}: {what}" if grade.bonus else what
        if grade.untargetable:
            by = self._words.name_of(grade.against) if grade.against else ""
            gives = self._words.reference_text("untargetable-by" if by else "untargetable", what=by)
        return {"name": grade.name, "gives": gives}

    def sense(self, sense: Sense) -> PlainData:
        """Return a sense and the hindrances it overcomes."""
        against = [self._words.reference_text(f"sense-{what}") for what in sense.beats]
        return {"name": sense.name, "gives": self._words.joined_names(against)}

    def ground(self, terrain: Terrain) -> PlainData:
        """Return a type of terrain and its cost."""
        return {"name": terrain.name, "gives": self._words.reference_text("ground-cost", n=terrain.extra + 1)}

    def _countdowns(self) -> PlainData:
        """Return the speeds with the lowest die face that is removed, and the usual number of rolls for a pool."""
        beyond = self._data.turns.countdown_die + 1
        speeds = [
            {"name": self._words.reference_text(speed), "faces": list(range(face, beyond))}
            for speed, face in self._data.countdown_faces
        ]
        rows = [[row.dice, row.slow, row.medium, row.fast] for row in self._data.countdown_table]
        return {"speeds": speeds, "rows": rows}


KIND = PageKind(ID, make, for_players=True)
