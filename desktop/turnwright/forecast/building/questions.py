"""The rules' answers about an attacker, a source and a target, asked once for each class of identical combatants.

All questions ignore positions. Which combatants are adjacent changes every turn, so the rules leave conditions that
depend on it open, as they do without a map.

Answers are cached between sheets. The key contains the contents of all records that affect the answer: the stat blocks,
effects and tracks of both combatants, and anything else that a rule may read. So after an edit to one creature, only
questions about it are asked again.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from functools import cached_property
from itertools import count
from typing import Final, NamedTuple, TypeVar, cast

import msgspec

from turnwright.dice.expression import DiceTerm, Roll, RollPart, RollSpec, cancel_edges, parse
from turnwright.encounter import data_rules, prepared, roles, state
from turnwright.encounter.procedure_state.attacks import CRITICAL, HIT, AttackInProgress
from turnwright.encounter.running import Combatant, Effect, Relation, Track
from turnwright.forecast import sheet
from turnwright.rules.parts.attacks.attack_rolls import attack_roll, outcome_of
from turnwright.rules.parts.attacks.attack_targeting import armor_class_context, target_armor_class
from turnwright.rules.parts.checks import ability_checks
from turnwright.rules.parts.combatants.facts import followers_of, is_follower
from turnwright.rules.parts.conditions.condition_rules import compiled_rules, keeps_out
from turnwright.rules.parts.damage.damage_steps import DAMAGE_STEPS
from turnwright.rules.system import RuleSystem, creature_of

Answer = TypeVar("Answer")
MOST_KEPT: Final = 50_000
MOST_ALIKE: Final = 6  # identical bystanders are counted up to this number; no rule statement counts further
OF_COMBATANTS: Final = frozenset({"creatures", "combatants", "effects", "tracks"})
ASKED_BY_NO_RULE: Final = frozenset(
    {
        "roster", "countdowns", "waves", "handouts", "slots", "dice", "ids", "guest_creatures", "pools", "arrived_waves", "prompts",
        "procedures", "announcements",
    }
)  # fmt: skip


class KnownAnswers:
    """A cache of questions to a game's rules and their answers. Several workers may share it."""

    def __init__(self) -> None:
        self._next = count()
        self._numbers: dict[Hashable, int] = {}
        self._answers: dict[Hashable, object] = {}
        self.several: dict[int, str] = {}  # the dice of rolls with several extra dice, by their unique number

    def number_of(self, content: Hashable) -> int:
        """Return the unique number assigned to this content."""
        number = self._numbers.get(content)
        return self._numbers.setdefault(content, next(self._next)) if number is None else number

    def answer(self, key: Hashable, ask: Callable[[], Answer]) -> Answer:
        """Return the answer to a question, asking the rules only if it isn't cached."""
        if key in self._answers:
            return cast("Answer", self._answers[key])
        if len(self._answers) >= MOST_KEPT:
            self._answers, self._numbers = {}, {}  # numbers are never reused
        answer = self._answers[key] = ask()
        return answer


def content_of(encounter: state.Encounter, combatant: Combatant) -> Hashable:
    """Return everything about a combatant that can affect the rules' answers."""
    held = encounter.of(Effect, combatant.id)
    effects = tuple((each.name, each.value, each.by, each.source, each.rules, each.concentrator) for each in held)
    own = msgspec.structs.replace(
        combatant,
        id="",
        label="",
        roster="",
        creature="",
        initiative=None,
        place="",
        plan="",
        turns_ended=0,
        player="",
        group="",
        controller="",
        role=roles.role_of(encounter, combatant),
    )
    tracks = tuple((track.name, track.value, track.maximum) for track in encounter.of(Track, combatant.id))
    return creature_of(encounter, combatant), own, effects, tracks


_kept: dict[int, tuple[RuleSystem, KnownAnswers]] = {}  # keyed by the rules' id; keeping the rules prevents its reuse


def known_answers(rules: RuleSystem) -> KnownAnswers:
    """Return the shared cache of answers for a game's rules."""
    return _kept.setdefault(id(rules), (rules, KnownAnswers()))[1]


def rest_of(encounter: state.Encounter) -> Hashable:
    """Return everything else in the encounter that rules about two combatants may read."""
    kinds = (kind for table, kind in state.RECORD_TYPES.items() if table not in OF_COMBATANTS | ASKED_BY_NO_RULE)
    others = Counter(_as_bystander(encounter, combatant) for combatant in encounter.all(Combatant))
    alike = frozenset((content, min(number, MOST_ALIKE)) for content, number in others.items())
    return tuple(tuple(encounter.all(kind)) for kind in kinds), alike


def _as_bystander(encounter: state.Encounter, combatant: Combatant) -> Hashable:
    """Return everything that rules may read about a bystander to a roll, such as an adjacent ally."""
    creature = creature_of(encounter, combatant)
    effects = frozenset((effect.name, effect.by) for effect in encounter.of(Effect, combatant.id))
    return (
        combatant.side,
        combatant.bystander,
        combatant.dead,
        combatant.hp > 0,
        combatant.rides,
        effects,
        creature.size,
        compiled_rules(creature).rules,
    )


Cell = tuple[int, int, int, int, int]
NO_CELL: Final[Cell] = (0, 0, 0, 0, sheet.CERTAIN_FAILURE)
D20: Final = 20


class AskedEffect(NamedTuple):
    """An effect added to a copy of the encounter to see how it changes an answer."""

    name: str
    value: int = 0
    rules: tuple[data_rules.DataRule, ...] = ()


class Questions:
    """An encounter without positions, and its rules' answers, cached by class of combatants.

    `known` has the answers from earlier sheets. `begun` is the encounter itself. If the rules don't define a die for
    checks, the first of its options is rolled (`assumes_die`).
    """

    def __init__(self, begun: state.Encounter, rules: RuleSystem, known: KnownAnswers | None = None) -> None:
        self.begun, self.rules, self.known = begun, rules, known or KnownAnswers()
        self.assumes_die = not rules.check_die(begun) and bool(rules.data.checks.die_options)
        self.placeless = _without_places(begun, rules.data.checks.die_options[0][0] if self.assumes_die else "")
        self.combatants = tuple(combatant for combatant in self.placeless.all(Combatant) if not combatant.bystander)
        self.index = {combatant.id: number for number, combatant in enumerate(self.combatants)}
        number_of = self.known.number_of
        self.class_of = {each.id: number_of(content_of(self.placeless, each)) for each in self.combatants} | {"": -1}
        self._rest = number_of(rest_of(self.placeless))
        self._weapons: dict[int, int] = {}
        self._copies: dict[tuple[str, AskedEffect, str], state.Encounter] = {}

    @cached_property
    def die(self) -> int:
        """Return the number of sides of the die for checks."""
        term = parse(self.rules.check_die(self.placeless) or f"1d{D20}").terms[0]
        return term.sides if isinstance(term, DiceTerm) else D20

    def remembered(self, key: tuple[Hashable, ...], ask: Callable[[], Answer]) -> Answer:
        """Return the answer to a question. The key contains everything that affects it except uninvolved combatants."""
        return self.known.answer((self._rest, *key), ask)

    def number_of(self, weapon: prepared.Feature) -> int:
        """Return a unique number for a feature."""
        number = self._weapons.get(id(weapon))
        if number is None:
            number = self._weapons[id(weapon)] = self.known.number_of(weapon)
        return number

    def creature(self, who: str) -> prepared.Creature:
        """Return a combatant's stat block."""
        return creature_of(self.placeless, self.combatants[self.index[who]])

    def are_enemies(self, one: str, other: str) -> bool:
        """Return whether two combatants are on different sides."""
        return self.combatants[self.index[one]].side != self.combatants[self.index[other]].side

    def enemy_of(self, who: str) -> str:
        """Return a combatant's first enemy, or an empty string if it has none or is an environment."""
        return next((each.id for each in self.combatants if who in self.index and self.are_enemies(who, each.id)), "")

    def with_effect(self, who: str, effect: AskedEffect, by: str = "") -> state.Encounter:
        """Return a copy of the encounter with an effect added to a combatant, by itself or by another."""
        copy = self._copies.get((who, effect, by))
        if copy is None:
            put = Effect(f"asked-{effect.name}", who, effect.name, value=effect.value, rules=effect.rules, by=by or who)
            copy = self.placeless.with_changes([state.Change(state.key_of(put), None, put)])
            self._copies[who, effect, by] = copy
        return copy

    # Attacks and saves ------------------------------------------------------------------------------------------------

    def attack_cell(
        self,
        who: str,
        weapon: prepared.Feature,
        target: str,
        *,
        encounter: state.Encounter | None = None,
        facts: tuple[str, ...] = (),
    ) -> Cell:
        """Return an attack's roll against a target."""
        if encounter is not None:
            return self._attack_cell(encounter, AttackInProgress(who, weapon, target))
        key = ("attack", self.class_of[who], self.number_of(weapon), self.class_of[target], facts)
        attack = AttackInProgress(who, weapon, target, facts=facts)
        return self.remembered(key, lambda: self._attack_cell(self.placeless, attack))

    def _attack_cell(self, lookup: state.Encounter, attack: AttackInProgress) -> Cell:
        rolling = attack_roll(lookup, self.rules, attack)
        meets = target_armor_class(lookup, self.rules, attack)
        if meets is None:
            meets = ability_checks.armor_class(
                lookup, self.rules, attack.target, armor_class_context(lookup, self.rules, attack)
            )
        certain = sheet.NOT_CERTAIN
        if rolling.auto_miss is not None:
            certain = sheet.CERTAIN_FAILURE
        elif rolling.always_critical:
            certain = sheet.CERTAIN_CRITICAL
        elif rolling.critical is not None:
            certain = -rolling.critical.steps
        flat = rolling.flat_check.steps if rolling.flat_check is not None else 0
        return self._cell(rolling.spec, meets.total, flat, certain)

    def save_cell(self, target: str, ability: str, dc: int, tags: tuple[str, ...], *, by: str = "") -> Cell:
        """Return a target's save against a DC; `by` is the combatant that forces it."""

        def ask() -> Cell:
            spec = ability_checks.save_roll(self.placeless, self.rules, target, ability, by, tags)
            return self._cell(spec, dc, 0, sheet.CERTAIN_FAILURE if spec.fails else sheet.NOT_CERTAIN)

        return self.remembered(("save", self.class_of[target], ability, dc, tags, self.class_of[by]), ask)

    def dc_of(self, who: str, dc: int, tags: tuple[str, ...]) -> int:
        """Return the DC of a combatant's feature."""
        return ability_checks.fixed_dc(self.placeless, self.rules, who, dc, tags)

    def _cell(self, spec: RollSpec, meets: int, flat: int, certain: int) -> Cell:
        die, bonus = self.further_dice(spec), sum(modifier.value for modifier in spec.modifiers)
        margin = min(max(bonus - meets, -sheet.MARGIN), sheet.MARGIN)
        return margin, self.edge_of(spec), die, flat, certain

    def further_dice(self, spec: RollSpec) -> int:
        """Return the number of sides of a roll's extra die (negative if subtracted), or 0 if there is none.

        Several dice have a number from `SEVERAL` on, for which `known.several` has the text.
        """
        terms = [term for extra in spec.extra for term in parse(extra.dice).terms]
        dice = [term for term in terms if isinstance(term, DiceTerm)]
        if len(terms) == 1 and len(dice) == 1 and dice[0].count == 1:
            return dice[0].sides * dice[0].sign
        if not terms:
            return 0
        text = "+".join(extra.dice.removeprefix("+") for extra in spec.extra).replace("+-", "-")
        number = self.known.number_of(("dice", text))
        self.known.several[number] = text
        return sheet.SEVERAL + number

    def edge_of(self, spec: RollSpec) -> int:
        """Return a roll's edge: the number of extra dice. The best die counts if it is positive, else the worst."""
        kinds = tuple(edge.kind for edge in spec.edges)
        if spec.counted:
            return kinds.count("advantage") - kinds.count("disadvantage")
        return {"advantage": 1, "disadvantage": -1}.get(cancel_edges(kinds), 0)

    # By the faces of a die --------------------------------------------------------------------------------------------

    @cached_property
    def outcomes(self) -> list[list[int]]:
        """Return an attack's outcome (miss, hit or critical hit) for each margin and face."""
        return self.known.answer(("outcomes", self.die), lambda: self._by_face(self._outcome))

    def _outcome(self, face: int, margin: int) -> int:
        if self.rules.data.attack.asks_outcome:  # the game master decides; assume that the total must reach the AC
            return sheet.HIT if face + margin >= 0 else sheet.MISS
        outcome = outcome_of(self.rules, self.rolled(face, margin), 0, False)
        return {HIT: sheet.HIT, CRITICAL: sheet.CRITICAL}.get(outcome, sheet.MISS)

    @cached_property
    def degrees(self) -> list[list[int]]:
        """Return a save's degree of success for each margin and face."""
        return self.known.answer(("degrees", self.die), lambda: self._by_face(self._degree))

    def _degree(self, face: int, margin: int) -> int:
        return ability_checks.LADDER.index(
            ability_checks.degree_of(self.rules, self.rolled(face, margin), 0) or ability_checks.LADDER[0]
        )

    def _by_face(self, answer: Callable[[int, int], int]) -> list[list[int]]:
        return [[answer(face, margin) for face in self._faces()] for margin in range(-sheet.MARGIN, sheet.MARGIN + 1)]

    def rolled(self, face: int, bonus: int) -> Roll:
        """Return a roll in which the check die shows this face, with a bonus."""
        return Roll(total=face + bonus, natural=face if self.die == D20 else None)

    def _faces(self) -> range:
        return range(1, self.die + 1)

    # Damage -----------------------------------------------------------------------------------------------------------

    def arrives(self, target: str, kind: str, amount: int, effect: AskedEffect | None, *, mundane: bool) -> int:
        """Return the amount of some damage that a target takes, under an effect or none; a negative amount heals it."""
        total, lookup = amount, self.placeless if effect is None else self.with_effect(target, effect)
        for step in self.rules.data.health.steps:
            if total <= 0:
                break
            adjusted = DAMAGE_STEPS[step](lookup, self.rules, target, RollPart(total, kind), mundane)
            total += adjusted.value if adjusted is not None else 0
        return total


def _without_places(encounter: state.Encounter, option: str) -> state.Encounter:
    """Return an encounter without positions, with the house rule `option` added unless it is empty.

    Effects with rules that end after some rolls are left out too.
    """
    changes = [
        state.Change(state.key_of(record), record, None)
        for kind in (prepared.Map, Relation)
        for record in encounter.all(kind)
    ]
    changes += [
        state.Change(state.key_of(each), each, None) for each in encounter.all(Effect) if each.rules and each.uses_left
    ]
    changes += [
        state.Change(state.key_of(combatant), combatant, msgspec.structs.replace(combatant, position=None, elevation=0))
        for combatant in encounter.all(Combatant)
        if combatant.position is not None or combatant.elevation
    ]
    scene = state.scene_of(encounter)
    if option:
        before = encounter.record(state.key_of(scene))
        changes.append(
            state.Change(state.key_of(scene), before, msgspec.structs.replace(scene, options=(*scene.options, option)))
        )
    return encounter.with_changes(changes)


FIRST_OF_ALL = 1000  # higher than any roll


class Order:
    """The initiative slots of a fight: existing slots, and slots for combatants that haven't rolled yet."""

    def __init__(self, questions: Questions, waiting: Mapping[str, tuple[str, ...]]) -> None:
        self.questions = questions
        self.away = {who for members in waiting.values() for who in members}
        self.rows: list[sheet.SlotRow] = []
        self.slot_of: dict[str, int] = {}
        self.turn = -1
        self._add_present()
        self._add_coming()

    def _add_present(self) -> None:
        """Add the existing slots in turn order."""
        encounter = self.questions.begun
        if state.clock_of(encounter).phase != "rounds":
            return
        active, slots = state.active_slot(encounter), state.slots_in_order(encounter)
        for number, slot in enumerate(slots):
            if active is not None and slot.id == active.id:
                self.turn = len(self.rows)
            row = self._row(rolled=False)
            row.count = len(slots) - number
            self._add(slot.members, row)

    def _add_coming(self) -> None:
        """Add slots for combatants that don't have one.

        Combatants that share a turn share a slot. Combatants that share only a roll have separate slots.
        """
        alike: dict[object, list[list[str]]] = {}
        groups: dict[str, list[str]] = {}
        for combatant in self.questions.combatants:
            if combatant.id in self.slot_of or is_follower(self.questions.begun, combatant.id):
                continue
            if combatant.group in groups:
                groups[combatant.group].append(combatant.id)
                continue
            members = [combatant.id]
            if combatant.group:
                groups[combatant.group] = members
            alike.setdefault(self._shared(combatant), []).append(members)
        for places in alike.values():
            for number, members in enumerate(places):
                led = [follower.id for who in members for follower in followers_of(self.questions.begun, who)]
                present = [who for who in (*members, *led) if who in self.questions.index and who not in self.slot_of]
                row = self._coming(members[0])
                if number > 0 and row.rolled:
                    row.rolled, row.shared = 0, 1
                self._add(present, row)
        for combatant in self.questions.combatants:
            if combatant.id not in self.slot_of:
                self._add([combatant.id], self._coming(combatant.id))

    def _shared(self, combatant: Combatant) -> object:
        """Return a key that is the same for combatants with a shared initiative roll."""
        rules, encounter = self.questions.rules, self.questions.begun
        if combatant.group:
            return combatant.group
        option = rules.data.initiative.together
        if option and rules.has_option(encounter, option) and self._is_foe(combatant):
            return combatant.creature, combatant.side, combatant.initiative_bonus, combatant.check, combatant.edge
        return combatant.id

    def _is_foe(self, combatant: Combatant) -> bool:
        """Return whether a combatant is an enemy of a player character and not one itself."""
        others = (other for other in self.questions.combatants if other.side != combatant.side)
        return not self._is_character(combatant) and any(self._is_character(other) for other in others)

    def _is_character(self, combatant: Combatant) -> bool:
        return roles.is_character(self.questions.begun, combatant)

    def _coming(self, who: str) -> sheet.SlotRow:
        questions = self.questions
        combatant = questions.combatants[questions.index[who]]
        rules = questions.rules.data.initiative
        spec = ability_checks.initiative_roll(questions.placeless, questions.rules, who)
        surprise = questions.rules.data.surprise
        if who not in self.away and is_surprise_open(questions) and not (surprise.against or surprise.sides):
            check = combatant.check or (SNEAK if combatant.sneaking else NOTICE)  # its total is its initiative, too
            spec = ability_checks.check_roll(questions.placeless, questions.rules, who, check)
        row = self._row(rolled=combatant.initiative is None)
        dice = sum(parse(extra.dice).mean for extra in spec.extra)
        row.bonus = sum(modifier.value for modifier in spec.modifiers) + round(dice)
        row.edge = questions.edge_of(spec)
        row.count = combatant.initiative or 0
        if combatant.first_actor:
            row.rolled, row.count = 0, FIRST_OF_ALL
        character = self._is_character(combatant)
        rank = 0
        for breaker in rules.ties:
            rank *= 2
            rank += int((breaker == "characters-first" and character) or (breaker == "enemies-first" and not character))
        row.rank = rank
        if "roll" in rules.ties:
            tie = ability_checks.initiative_tie_roll(questions.placeless, questions.rules, who)
            row.rolls_ties, row.tie_bonus = 1, sum(modifier.value for modifier in tie.modifiers)
        return row

    def _row(self, *, rolled: bool) -> sheet.SlotRow:
        row = sheet.SlotRow()
        die = parse(self.questions.rules.data.initiative.die).terms[0]
        row.rolled = int(rolled)
        row.die = die.sides if isinstance(die, DiceTerm) else 1
        return row

    def _add(self, members: tuple[str, ...] | list[str], row: sheet.SlotRow) -> None:
        for who in members:
            self.slot_of[who] = len(self.rows)
        self.rows.append(row)


SNEAK, NOTICE = "dex:stealth", "wis:perception"  # the default checks


def is_surprise_open(questions: Questions) -> bool:
    """Return whether surprise is still undecided: some combatants sneak, and the fight hasn't begun."""
    clock, rules = state.clock_of(questions.begun), questions.rules
    sneaks = {combatant.sneaking for combatant in questions.combatants}
    return rules.has_surprise and clock.phase != "rounds" and not clock.surprise_settled and len(sneaks) > 1


def set_surprise(questions: Questions, who: str, row: sheet.FighterRow) -> None:
    """Set whether a combatant is surprised, sneaks, or may notice those that sneak."""
    rules, role = questions.rules, questions.rules.role("surprised")
    combatant = questions.combatants[questions.index[who]]
    if state.effects_named(questions.begun, who, role):
        row.surprised = sheet.SURPRISED
    elif row.wave >= 0 or not is_surprise_open(questions) or rules.data.surprise.sides:
        return
    elif combatant.sneaking or not keeps_out(questions.placeless, rules, who, role, ""):
        row.surprised, row.surprise_die = sheet.SNEAKS if combatant.sneaking else sheet.NOTICES, -1
        if rules.data.surprise.against and combatant.sneaking:
            spec = ability_checks.check_roll(questions.placeless, rules, who, rules.data.surprise.check)
            row.surprise_bonus = sum(modifier.value for modifier in spec.modifiers)
            row.surprise_die, row.surprise_edge = questions.die, questions.edge_of(spec)
        elif rules.data.surprise.against:
            row.surprise_die, row.surprise_bonus = 0, score_against_sneaking(questions.placeless, rules, who)


def score_against_sneaking(lookup: state.Lookup, rules: RuleSystem, who: str) -> int:
    """Return the score that a sneaking combatant must exceed.

    If the stat block doesn't list it, it is the base DC plus the bonus to the check.
    """
    score = ability_checks.known_number(lookup, rules, who, rules.data.surprise.against)
    if score is not None:
        return score
    return rules.data.checks.dc_base + sum(
        each.value for each in ability_checks.check_roll(lookup, rules, who, NOTICE).modifiers
    )
