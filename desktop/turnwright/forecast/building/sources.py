"""The source rows of a fight sheet: attacks, features with saves, environment entries and traits that apply every turn.

A sheet also lists the parts that it uses, assumes or omits, with a reason for each entry.
"""

import re
from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

import msgspec

from turnwright.dice.expression import DiceError, ExtraDice, RollSpec
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Creature, Feature, InflictedCondition
from turnwright.encounter.procedure_state.attacks import CRITICAL, HIT, AttackInProgress, AttackOutcome
from turnwright.encounter.state import Lookup
from turnwright.forecast import sheet
from turnwright.forecast.building.amounts import Amounts, TooMuchDamage
from turnwright.forecast.building.questions import NO_CELL, AskedEffect, Cell, Questions
from turnwright.forecast.sheet import SheetNote
from turnwright.forecast.tables import typed_amounts
from turnwright.rules.parts.actions.triggered_features import acts_by_itself, armor_class_of
from turnwright.rules.parts.attacks import attack_rolls, attack_targeting
from turnwright.rules.parts.checks.ability_checks import LADDER, NO_SHARE, is_success, share_for
from turnwright.rules.parts.conditions.condition_rules import spared_share
from turnwright.rules.parts.conditions.predicates import evaluate, is_there
from turnwright.rules.system import HookContext, RuleSystem
from turnwright.rules.system_data.statements import StatementError, facts_in

ListName = Literal["used", "assumed", "left-out"]


class Notes:
    """Collects notes. Each list contains a part of a record at most once."""

    def __init__(self) -> None:
        self._notes: dict[tuple[str, str, str, str, str], SheetNote] = {}

    def used(self, table: str, subject: str, item: str, reason: str = "forecast.note.used") -> None:
        """Note that a part is included in the sheet unchanged."""
        self._add("used", table, subject, item, reason)

    def assumed(self, table: str, subject: str, item: str, reason: str, **params: str | int) -> None:
        """Note that a part is included in the sheet, based on an assumption."""
        self._add("assumed", table, subject, item, f"forecast.note.{reason}", **params)

    def left_out(self, table: str, subject: str, item: str, reason: str, **params: str | int) -> None:
        """Note that a part isn't included in the sheet."""
        self._add("left-out", table, subject, item, f"forecast.note.{reason}", **params)

    def all(self) -> tuple[SheetNote, ...]:
        """Return the notes, omitting `used` notes on parts that also have an assumption or a gap."""
        noted = {key[1:4] for key in self._notes if key[0] != "used" and key[3]}
        return tuple(note for key, note in self._notes.items() if key[0] != "used" or key[1:4] not in noted)

    def has(self, table: str, subject: str, item: str) -> bool:
        """Return whether any list has a note on this part of a record."""
        return any(key[1:4] == (table, subject, item) for key in self._notes)

    def is_in_use(self, table: str, subject: str, item: str) -> bool:
        """Return whether a part of a record is included in the sheet, possibly based on an assumption."""
        return any(key[0] != "left-out" and key[1:4] == (table, subject, item) for key in self._notes)

    def _add(self, where: ListName, table: str, subject: str, item: str, reason: str, **params: str | int) -> None:
        key = (where, table, subject, item, reason)
        self._notes[key] = SheetNote(where, table, subject, item, reason, tuple(params.items()))


CANNOT_BE_READ: Final = (DiceError, TooMuchDamage, StatementError)
HALVES: Final = {NO_SHARE: 0, "half": 1, "full": 2, "double": 4}
CHANGED: Final = frozenset({"attack", "attack-against", "ac", "save", "damage"})  # by effects that count
IN_AREA: Final = "stays-in-area"
BESIDE: Final = frozenset({"ally-at-target", "allies-reaching"})
FLANKS: Final = "flanks"
UNTHREATENED: Final = "not threatened"  # assumed of all shots, because the sheet doesn't know positions
MOST_TALLIED: Final = 3  # no game counts more attacks per turn
ALL_OF_IT: Final = (2, 2, 2, 2)
NONE_OF_IT: Final = (0, 0, 0, 0)  # for targets that a feature doesn't affect
LASTING: Final = frozenset({"type", "up-to"})  # facts about a target that don't change in a fight
CLAUSE: Final = re.compile(r",(?![^(]*\))")
Shares = tuple[int, ...]  # of the damage for each degree of success, in halves
SURE_CELL: Final[Cell] = (0, 0, 0, 0, sheet.CERTAIN_SUCCESS)


class SourceFacts(NamedTuple):
    """The facts of a source that conditions can affect: an attack's weapon, or a save's ability, DC and tags.

    `afflictions` and `ongoing` damage are its lasting effects, which need concentration if they are `held`.
    `effect` is the feature that leaves an effect on rolls.
    """

    weapon: Feature | None = None
    ability: str = ""
    tags: tuple[str, ...] = ()
    afflictions: tuple[InflictedCondition, ...] = ()
    ongoing: str = ""
    held: bool = False
    effect: Feature | None = None
    dc: int = 0
    dc_tags: tuple[str, ...] = ()


class Sources:
    """Collects damage sources and their rolls against every target."""

    def __init__(self, questions: Questions, amounts: Amounts, notes: Notes) -> None:
        self.questions, self.amounts, self.notes = questions, amounts, notes
        self.rows: list[sheet.Source] = []
        self.names: list[tuple[str, str]] = []
        self.cells: list[list[Cell]] = []
        self.tallies: list[Sequence[int]] = []
        self.shares: list[Sequence[Shares]] = []  # of each target
        self.facts: list[SourceFacts] = []
        self._known: dict[tuple[str, str, str], int] = {}
        self._damage: dict[object, tuple[int, int]] = {}

    def of_feature(self, who: str, feature: Feature) -> int | None:
        """Return the row of a combatant's feature, or None if it does nothing that a simulated fight can use."""
        key = (who, feature.id, str(feature.level or ""))
        if key not in self._known:
            if feature.heals and not (feature.damage or feature.save or attack_targeting.is_attack(feature)):
                row = self._healing(who, feature)
            else:
                row = self._attack(who, feature) if attack_targeting.is_attack(feature) else self._save(who, feature)
            if row is None:
                return None
            self._known[key] = row
        return self._known[key]

    def _attack(self, who: str, feature: Feature) -> int | None:
        """Return the row of an attack. If a hit allows a save that matters, the row of the save comes before it."""
        try:
            halved = feature.half and feature.save and not feature.save_damage
            plain, critical = (-1, 0), (-1, 0)
            if feature.damage:
                plain, critical = self._of_attack(who, feature, HIT), self._of_attack(who, feature, CRITICAL)
            after = self._after_hit(who, feature, plain, critical) if feature.save else -1
        except CANNOT_BE_READ:
            return None
        if halved:
            plain, critical = (-1, 0), (-1, 0)
        cells = [
            self.questions.attack_cell(who, feature, target.id)
            if self.questions.are_enemies(who, target.id)
            else NO_CELL
            for target in self.questions.combatants
        ]
        extras, ranged = self._extras(who, feature), attack_targeting.attack_kind(feature) != attack_targeting.MELEE
        row = self._row(sheet.ATTACK, plain, critical, after=after, ranged=ranged)
        row.tally = int(bool(self.questions.rules.data.attack.tally))
        row.extra_parts, row.extra_count, row.extra_when = extras
        row.near_edges, *_ = self._gained(who, feature, facts_of_allies(self.questions.creature(who)))
        row.flank_edges, row.flank_adds, row.flank_die = self._gained(who, feature, self._flanking(ranged))
        facts = SourceFacts(weapon=feature)
        if after < 0:
            facts = _lasting(feature)._replace(weapon=feature)
        return self._add(row, (who, feature.id), cells, facts, tally=self._tally(who, feature), spares=feature)

    def damage_under(self, number: int, who: str, weapon: Feature, effect: AskedEffect) -> tuple[int, int, int, int]:
        """Return the damage parts of an attack's hit and critical hit under an effect, or zeros if they are the same."""
        if self.rows[number].part_count == 0 or who not in self.questions.index:
            return (0, 0, 0, 0)
        parts = (*self._of_attack(who, weapon, HIT, effect), *self._of_attack(who, weapon, CRITICAL, effect))
        return parts if parts[0] != self.rows[number].parts else (0, 0, 0, 0)

    def _of_attack(
        self, who: str, feature: Feature, outcome: AttackOutcome, effect: AskedEffect | None = None
    ) -> tuple[int, int]:
        """Return the damage parts of an attack's hit or critical hit, under an effect if there is one."""
        key = (self.questions.class_of[who], id(feature), outcome, effect)
        parts = self._damage.get(key)
        if parts is None:
            questions, rules = self.questions, self.questions.rules
            attack = AttackInProgress(who, feature, outcome=outcome, critical=outcome == CRITICAL)
            question = ("damage", questions.class_of[who], questions.number_of(feature), outcome, effect)
            lookup = questions.placeless if effect is None else questions.with_effect(who, effect)
            spec = questions.remembered(question, lambda: _damage(lookup, rules, attack))
            times = rules.data.attack.critical_times if attack.critical else 1
            parts = self._damage[key] = self.amounts.add(
                spec,
                mundane=attack_targeting.is_nonmagical(feature),
                times=times,
                bonus=attack_rolls.extra_critical_dice(lookup, rules, attack),
                least=rules.data.attack.least,
            )
        return parts

    def _extras(self, who: str, weapon: Feature) -> tuple[int, int, int]:
        """Return a trait's extra damage once a turn or when flanking: its first part, their number, and when it applies.

        If there is no such trait, the first part is -1.
        """
        creature, questions = self.questions.creature(who), self.questions
        attack = AttackInProgress(who, weapon)
        tags = (*attack_rolls.attack_tags(questions.placeless, questions.rules, attack), "rolls-with:advantage")
        flanking = (*tags, *self._flanking(attack_targeting.attack_kind(weapon) != attack_targeting.MELEE))
        target = questions.enemy_of(who)
        contexts = [HookContext(who, "damage", other=target, tags=each) for each in (tags, flanking)]
        for feature in creature.features:
            extra = (rule for rule in feature.rules if (rule.kind, rule.what) == ("extra", "damage"))
            rule = next((rule for rule in extra if rule.dice), None)
            if rule is None or feature.cost != "trait":
                continue
            is_limited = feature.uses and feature.per in ("turn", "round")
            when, about = rule.when, (questions.placeless, questions.rules, who)
            bare, flanks = (evaluate(*about, when, each) if when else True for each in contexts)
            if bare is False if is_limited else feature.uses or bare or not flanks:
                continue
            settings, kind = questions.rules.data.attack, typed_amounts(weapon.damage or "0")[0].kind
            more, times = RollSpec(rule.dice, doubled=settings.critical_twice), settings.critical_times
            parts = self.amounts.add_twice(
                rule.dice, more, times=times, kind=kind, mundane=attack_targeting.is_nonmagical(weapon)
            )
            self.notes.used("creatures", creature.id, feature.id)
            return *parts, _extra_when(rule.when) if is_limited else sheet.FLANKING
        return -1, 0, sheet.ALWAYS

    def _flanking(self, ranged: bool) -> tuple[str, ...]:
        """Return the fact of flanking for attacks that may flank a target without positions."""
        return () if ranged or not self.questions.rules.data.places.forecast_flanks else (FLANKS,)

    def _gained(self, who: str, weapon: Feature, facts: tuple[str, ...]) -> tuple[int, int, int]:
        """Return the edges, as bits, the bonus and the die that an attack gains from facts about its target."""
        target = self.questions.enemy_of(who)
        if not facts or not target:
            return 0, 0, 0
        near, bare = (self.questions.attack_cell(who, weapon, target, facts=names) for names in (facts, ()))
        edges = int(near[sheet.Cell.edge] > bare[sheet.Cell.edge]) + 2 * int(
            near[sheet.Cell.edge] < bare[sheet.Cell.edge]
        )
        die = near[sheet.Cell.die] if near[sheet.Cell.die] < sheet.SEVERAL and not bare[sheet.Cell.die] else 0
        return edges, near[sheet.Cell.margin] - bare[sheet.Cell.margin], die

    def _after_hit(self, who: str, feature: Feature, plain: tuple[int, int], critical: tuple[int, int]) -> int:
        """Return the row of the save against a hit's own or extra damage, or -1 if there is none."""
        if feature.save_damage:
            plain = critical = self.amounts.add(feature.save_damage, mundane=attack_targeting.is_nonmagical(feature))
        elif not feature.half:
            if not (feature.afflictions or feature.ongoing):
                return -1
            plain = critical = (-1, 0)
        return self._saved_against(who, feature, plain, critical, key="save")

    def _healing(self, who: str, feature: Feature) -> int | None:
        """Return the row of a feature that restores hit points."""
        try:
            parts = self.amounts.add_healing(feature.heals)
        except CANNOT_BE_READ:
            return None
        cells = [SURE_CELL] * len(self.questions.combatants)
        row = self._row(sheet.HEAL, parts, parts, ranged=True)
        return self._add(row, (who, feature.id), cells, SourceFacts())

    def _save(self, who: str, feature: Feature) -> int | None:
        """Return the row of a feature without an attack roll, which allows a save or always takes effect."""
        effect = leaves_effect(feature)
        if not (feature.damage or effect or (feature.save and (feature.afflictions or feature.ongoing))):
            return None
        if feature.save and not feature.dc:
            return None
        try:
            parts = self.amounts.add(feature.damage) if feature.damage else (-1, 0)
            if feature.temp and not (feature.damage or feature.save):
                parts = self.amounts.add_healing(feature.temp)
        except CANNOT_BE_READ:
            return None
        return self._saved_against(who, feature, parts, parts)

    def _saved_against(
        self, who: str, feature: Feature, plain: tuple[int, int], critical: tuple[int, int], key: str = ""
    ) -> int:
        questions = self.questions
        kind = sheet.SAVE if feature.save else sheet.SURE if feature.damage else sheet.SUPPORT
        tags = attack_targeting.feature_save_tags(questions.rules, feature)
        magic = ("spell",) if "spell" in tags else ()
        dc_tags = (
            attack_rolls.attack_tags(questions.placeless, questions.rules, AttackInProgress(who, feature))
            if key
            else magic
        )
        dc = questions.dc_of(who, feature.dc, dc_tags)
        cells = [
            NO_CELL
            if kind != sheet.SUPPORT and not self.questions.are_enemies(who, target.id)
            else questions.save_cell(target.id, feature.save, dc, tags, by=who)
            if feature.save
            else SURE_CELL
            for target in questions.combatants
        ]
        shares = [self._shares(feature, target.id) for target in questions.combatants]
        row = self._row(kind, plain, critical, ranged=bool(feature.range) or not feature.reach)
        facts = _lasting(feature)._replace(ability=feature.save, tags=tags, dc=feature.dc, dc_tags=dc_tags)
        number = self._add(row, (who, feature.id), cells, facts, shares=shares, spares=feature)
        if key:
            self._known[who, feature.id, key] = number
        return number

    def of_focus(self) -> int:
        """Return the row of the save to keep concentrating, against a DC of 0, or -1 if the game has no such save."""
        facts = SourceFacts(
            None, self.questions.rules.data.dying.concentration.ability, attack_targeting.CONCENTRATION_TAGS
        )
        if not facts.ability:
            return -1
        cells = [self.questions.save_cell(each.id, facts.ability, 0, facts.tags) for each in self.questions.combatants]
        return self.of_entry(("", "concentration"), "", cells, ALL_OF_IT, facts)

    def _spares(self, who: str, feature: Feature, target: str) -> bool:
        """Return whether a feature never affects a target, for example because of its creature type."""
        lasting = (each for each in _clauses(feature) if _is_lasting(each))
        about = (self.questions.placeless, self.questions.rules, who)
        return any(evaluate(*about, each, HookContext(who, "attack", other=target)) is False for each in lasting)

    def _shares(self, feature: Feature, target: str) -> Shares:
        """Return the share of a feature's damage that a target takes for each degree of success, in halves."""
        if not feature.save:
            return ALL_OF_IT
        if not feature.half:
            return tuple(0 if is_success(degree) else 2 for degree in LADDER)
        questions, rules = self.questions, self.questions.rules

        def ask() -> Shares:
            shares = [(share_for(rules, degree), is_success(degree)) for degree in LADDER]
            about = (questions.placeless, rules, target, feature.save)
            return tuple(HALVES[spared_share(*about, share, saved=saved)[0]] for share, saved in shares)

        return questions.remembered(("shares", questions.class_of[target], feature.save), ask)

    def of_entry(
        self, name: tuple[str, str], damage: str, cells: list[Cell], shares: Shares, facts: SourceFacts
    ) -> int:
        """Add an environment's source and return its row. Raise DiceError or TooMuchDamage if the damage is invalid."""
        parts, kind = self.amounts.add(damage) if damage else (-1, 0), sheet.SAVE if facts.ability else sheet.SURE
        row = self._row(kind, parts, parts, ranged=True)
        return self._add(row, name, cells, facts, shares=[shares] * len(cells))

    def _tally(self, who: str, feature: Feature) -> list[int]:
        """Return the changes to an attack's roll by the number of earlier attacks in the turn."""
        name = self.questions.rules.data.attack.tally
        target = self.questions.enemy_of(who)
        if not name or not target:
            return [0] * MOST_TALLIED
        questions = self.questions

        def ask() -> list[int]:
            bare = questions.attack_cell(who, feature, target)[sheet.Cell.margin]
            copies = (questions.with_effect(who, AskedEffect(name, earlier)) for earlier in range(1, MOST_TALLIED))
            changed = (questions.attack_cell(who, feature, target, encounter=copy) for copy in copies)
            return [0, *(cell[sheet.Cell.margin] - bare for cell in changed)]

        classes = (questions.class_of[who], questions.class_of[target])
        return questions.remembered(("tally", *classes, questions.number_of(feature)), ask)

    def _row(
        self,
        kind: int,
        plain: tuple[int, int],
        critical: tuple[int, int],
        *,
        ranged: bool,
        after: int = -1,
    ) -> sheet.Source:
        row = sheet.Source()
        row.kind, row.next = kind, after
        row.parts, row.part_count = plain
        row.critical_parts, row.critical_count = critical
        row.extra_parts, row.ranged = -1, int(ranged)
        return row

    def _add(
        self,
        row: sheet.Source,
        name: tuple[str, str],
        cells: list[Cell],
        facts: SourceFacts,
        *,
        tally: Sequence[int] = (0,) * MOST_TALLIED,
        shares: Sequence[Shares] = (),
        spares: Feature | None = None,
    ) -> int:
        if spares is not None:
            targets = zip(self.questions.combatants, shares or [ALL_OF_IT] * len(cells), strict=True)
            shares = [NONE_OF_IT if self._spares(name[0], spares, each.id) else share for each, share in targets]
        self.rows.append(row)
        self.names.append(name)
        self.cells.append(cells)
        self.shares.append(shares or [ALL_OF_IT] * len(cells))
        self.tallies.append(tally)
        self.facts.append(facts)
        return len(self.rows) - 1


def _lasting(feature: Feature) -> SourceFacts:
    """Return the lasting effects of a feature."""
    ongoing = "" if feature.ongoing_while else feature.ongoing
    effect = feature if (feature.effect or feature.temp) and leaves_effect(feature) else None
    return SourceFacts(afflictions=feature.afflictions, ongoing=ongoing, held=feature.concentration, effect=effect)


def leaves_effect(feature: Feature) -> bool:
    """Return whether a feature leaves temporary hit points or an effect on rolls, AC or damage, which no rolls end."""
    helps = feature.temp or (feature.afflictions and feature.range == "self" and not (feature.save or feature.damage))
    in_area = IN_AREA in feature.properties
    return bool(helps or any(map(is_counted, feature.effect))) and not feature.effect_uses and not in_area


def is_counted(rule: DataRule) -> bool:
    """Return whether a rule of an effect changes a roll, AC, damage or the number of actions in simulated fights."""
    if rule.kind == "resource":
        return rule.what == "action"
    return (rule.kind == "damage" or rule.what.partition(".")[0] in CHANGED) and rule.kind != "deny"


def _clauses(feature: Feature) -> list[str]:
    """Return the clauses about the target of a feature that its user chooses to use."""
    return CLAUSE.split(feature.when) if feature.when and not feature.trigger else []


def _is_lasting(clause: str) -> bool:
    return {fact.word for fact in facts_in(clause)} <= LASTING


def changing_clauses(feature: Feature) -> str:
    """Return the part of a feature's `when` whose truth may change in a fight."""
    return ",".join(each for each in _clauses(feature) if not _is_lasting(each))


def facts_of_allies(creature: Creature) -> tuple[str, ...]:
    """Return the facts about allies next to a target on which a creature's features depend."""
    rules = (rule for feature in creature.features for rule in feature.rules)
    return tuple(fact.name for rule in rules for fact in facts_in(rule.when) if fact.word in BESIDE)


def _damage(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> RollSpec:
    """Return an attack's damage roll, excluding dice of limited-use features. Raise DiceError if it deals no damage."""
    spec, extra = attack_rolls.damage_roll(lookup, rules, attack), attack_rolls.extra_damage(lookup, rules, attack)
    if spec is None:
        raise DiceError("The attack has no damage.", "", 0)
    limited = [ExtraDice(dice.rule.dice, dice.reason, dice.ledger) for dice in extra if _is_limited(dice.source)]
    if not limited:
        return spec
    return msgspec.structs.replace(spec, extra=tuple(dice for dice in spec.extra if dice not in limited))


def _is_limited(source: object) -> bool:
    return isinstance(source, Feature) and bool(source.uses)


def _extra_when(statement: str) -> int:
    """Return the conditions for once-a-turn extra damage as bits."""
    when = sheet.ALWAYS
    for fact in facts_in(statement):
        if fact.word in BESIDE:
            when |= sheet.ALLY_NEAR
        elif fact.word == "rolls-with":
            when |= sheet.NO_DISADVANTAGE if fact.negated else sheet.WITH_ADVANTAGE
    return when


SUFFERED = "suffered"


class Standing(NamedTuple):
    """A combatant's regeneration per turn, a mask of the damage types that stop it, its best parry, and if it halves hits."""

    regains: int = 0
    stopped_by: int = 0
    parry: Feature | None = None
    dodges: bool = False


def standing_of(questions: Questions, amounts: Amounts, notes: Notes, who: str) -> Standing:
    """Return the regeneration and the reactions to hits that a combatant's features provide."""
    creature, standing = questions.creature(who), Standing()
    for feature in creature.features:
        if feature.automation == "off" or not is_there(questions.placeless, questions.rules, who, feature):
            continue
        is_limited = feature.uses or feature.spends or feature.within or feature.when not in ("", "sees")
        if feature.trigger == "turn-start" and feature.heals and feature.cost in ("trait", "free"):
            mask = _mask(amounts, feature)
            if mask is None:
                notes.left_out("creatures", creature.id, feature.id, "hangs_on_facts", when=feature.when)
                continue
            try:
                mean = sum(part.chances.mean for part in typed_amounts(feature.heals))
            except CANNOT_BE_READ:
                continue
            standing = standing._replace(regains=standing.regains + round(mean), stopped_by=standing.stopped_by | mask)
            if acts_by_itself(feature) and feature.automation != "asks":
                notes.used("creatures", creature.id, feature.id)
            else:
                notes.assumed("creatures", creature.id, feature.id, "each_turn")
        elif (
            feature.trigger == "attacked"
            and feature.cost == "reaction"
            and armor_class_of(feature) > (armor_class_of(standing.parry) if standing.parry else 0)
        ):
            standing = standing._replace(parry=feature)
            if feature.uses or feature.when:
                notes.assumed("creatures", creature.id, feature.id, "parry")
            else:
                notes.used("creatures", creature.id, feature.id)
        elif (feature.trigger, feature.reduces, feature.cost) == ("damage", "half", "reaction") and not is_limited:
            standing = standing._replace(dodges=True)
            notes.used("creatures", creature.id, feature.id)
    return standing


def _mask(amounts: Amounts, feature: Feature) -> int | None:
    """Return the damage types that stop a feature, as bits, or None if it depends on something else."""
    mask = 0
    for fact in facts_in(feature.when):
        if fact.word != SUFFERED or not fact.negated:
            return None
        for (kind, _), number in amounts.types.items():
            if kind == fact.argument:
                mask |= 1 << min(number, 30)
    return mask
