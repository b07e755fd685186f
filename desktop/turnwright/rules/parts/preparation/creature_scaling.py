"""Creature scaling: making a creature stronger or weaker based on the benchmarks of two ratings.

Hit points and damage are multiplied by a factor. Other numbers change by a difference. Numbers in prose are reported
but not changed.
"""

import re
from collections.abc import Iterator
from math import floor

import msgspec

from turnwright.encounter.prepared import Creature, CreaturePhase, Feature, InflictedCondition, NamedNumbers
from turnwright.rules.parts.combatants.facts import split_value
from turnwright.rules.system_data.preparation import RoleFigures, ScalingFigures

_PART = re.compile(r"(?:(\d*)d(\d+)(?:\s*([+-])\s*(\d+)(?!\d*d))?|(\d+))(\s+[a-z][a-z '-]*)?", re.IGNORECASE)
_PLUS = re.compile(r"\s*\+\s*")
_DIGIT = re.compile(r"\d")
_SMALLER = (12, 10, 8, 6, 4)


class ScalingSteps(msgspec.Struct, frozen=True):
    """The change for each type of number: a factor for hit points and damage, a difference for all others."""

    hp: float = 1.0
    damage: float = 1.0
    ac: int = 0
    attack: int = 0
    dc: int = 0
    save: int = 0
    skill: int = 0
    proficiency: int = 0
    pools: NamedNumbers = ()


class ScalingChange(msgspec.Struct, frozen=True):
    """A number before and after scaling, and the change: `× 1.28` or `+ 2`.

    `about` is the type of number, `name` the feature, skill or phase it belongs to.
    """

    about: str
    name: str
    before: str
    after: str
    by: str = ""


class Unscaled(msgspec.Struct, frozen=True):
    """A text that wasn't changed although it may contain numbers.

    `about` is the field, `name` the feature it belongs to.
    """

    about: str
    name: str = ""


class ScaledCreature(msgspec.Struct, frozen=True):
    """A scaled creature, with the changes and the texts that weren't scaled."""

    creature: Creature
    changes: tuple[ScalingChange, ...]
    unscaled: tuple[Unscaled, ...]


def benchmark_rating(creature: Creature, figures: ScalingFigures) -> str:
    """Return a creature's rating if there is a benchmark for it, else an empty string."""
    written = creature.rating or (str(creature.level) if figures.by == "level" else "")
    return written if figures.benchmark(written) is not None else ""


def rating_difference(figures: ScalingFigures, start: str, goal: str) -> ScalingSteps | None:
    """Return the scaling steps from one rating to another, or None if a benchmark is missing."""
    before, after = figures.benchmark(start), figures.benchmark(goal)
    if before is None or after is None:
        return None
    differences = {name: getattr(after, name) - getattr(before, name) for name in ScalingSteps.__struct_fields__[2:-1]}
    pools = tuple((id, amount - dict(before.pools).get(id, amount)) for id, amount in after.pools)
    return ScalingSteps(after.hp / before.hp, after.damage / before.damage, **differences, pools=pools)


def with_role(steps: ScalingSteps, figures: ScalingFigures, start: str, goal: str) -> ScalingSteps:
    """Return scaling steps that also turn the usual numbers of a role into those of another one, if the game has both."""
    roles: dict[str, RoleFigures] = {role.id: role for role in figures.roles}
    before, after = roles.get(start), roles.get(goal)
    if before is None or after is None:
        return steps
    return msgspec.structs.replace(
        steps,
        hp=steps.hp * after.hp / before.hp,
        damage=steps.damage * after.damage / before.damage,
        ac=steps.ac + after.ac - before.ac,
    )


def scale_creature(creature: Creature, figures: ScalingFigures, steps: ScalingSteps, goal: str = "") -> ScaledCreature:
    """Scale a creature by these steps. `goal` is its new rating, or empty to keep the old one."""
    return _Scaler(creature, figures, steps).done(goal)


def scale_dice(text: str, factor: float) -> str | None:
    """Multiply a damage expression by a factor, type by type. Return None if it isn't a simple sum."""
    parts, at = [], 0
    while at < len(text):
        match = _PART.match(text, at)
        if match is None:
            return None
        parts.append(f"{_amount(match, factor)}{match[6] or ''}".rstrip())
        plus = _PLUS.match(text, match.end())
        if plus is None:
            return " + ".join(parts) if not text[match.end() :].strip() else None
        at = plus.end()
    return None


def factor_text(factor: float) -> str:
    """Return a factor as displayed (`× 1.28`)."""
    return f"× {factor:.3g}"


def difference_text(step: int) -> str:
    """Return a difference as displayed (`+ 2`, `− 1`)."""
    return f"+ {step}" if step >= 0 else f"− {-step}"


def round_half_up(value: float) -> int:
    """Return the nearest whole number, rounding halves up."""
    return floor(value + 0.5)


def _amount(part: re.Match[str], factor: float) -> str:
    """Scale one term of a damage sum to the nearest number of dice of the same size, and add the remainder as a number."""
    if part[5]:
        return str(max(1, round_half_up(int(part[5]) * factor)))
    count, sides = int(part[1] or 1), int(part[2])
    flat = int(part[4] or 0) * (-1 if part[3] == "-" else 1)
    goal = (count * (sides + 1) / 2 + flat) * factor
    dice = max(1, round_half_up((goal - round_half_up(flat * factor)) / ((sides + 1) / 2)))
    if dice == 1 and round_half_up(goal - (sides + 1) / 2) < min(flat, 0):  # less than one die: a smaller one, or none
        sides = next((die for die in _SMALLER if die < sides and (die + 1) / 2 <= goal), 0)
        if not sides:
            return str(max(1, round_half_up(goal)))
    more = round_half_up(goal - dice * (sides + 1) / 2) if flat or dice == 1 else 0
    return f"{dice}d{sides}{more:+d}" if more else f"{dice}d{sides}"


class _Scaler:
    """Scales one creature and collects the changes."""

    def __init__(self, creature: Creature, figures: ScalingFigures, steps: ScalingSteps) -> None:
        self._before = creature
        self._figures = figures
        self._steps = steps
        self._changes: list[ScalingChange] = []

    def done(self, goal: str) -> ScaledCreature:
        creature, steps = self._before, self._steps
        growth, pools = self._step_like(self._figures.abilities), dict(steps.pools)
        if goal:
            creature = self._at(creature, goal)
        hp = max(1, round_half_up(creature.hp * steps.hp)) if creature.hp else 0
        self._note("hp", "", creature.hp, hp, factor_text(steps.hp))
        creature = msgspec.structs.replace(
            creature,
            hp=hp,
            hit_dice=self._hit_dice(creature.hit_dice, hp),
            ac=self._added("ac", "", creature.ac, steps.ac),
            proficiency=self._added("proficiency", "", creature.proficiency, steps.proficiency),
            saves=self._each("save", creature.saves, steps.save),
            skills=self._skills(creature.skills),
            initiative=self._initiative(creature.initiative),
            abilities=tuple((id, self._added("ability", id, value, growth)) for id, value in creature.abilities),
            pools=tuple((id, self._added("pool", id, value, pools.get(id, 0))) for id, value in creature.pools),
            maneuver_dc=self._added("maneuver-dc", "", creature.maneuver_dc, steps.dc),
            disable=self._each("disable", creature.disable, steps.dc),
            phases=tuple(self._phase(phase) for phase in creature.phases),
        )
        creature = msgspec.structs.replace(
            creature,
            passives=self._passives(creature),
            features=tuple(self._feature(feature) for feature in creature.features),
        )
        kept = (each for each in _unscaled_texts(creature) if each.about != "abilities" or not self._figures.abilities)
        return ScaledCreature(creature, tuple(self._changes), tuple(kept))

    def _phase(self, phase: CreaturePhase) -> CreaturePhase:
        hp = max(1, round_half_up(phase.hp * self._steps.hp)) if phase.hp else 0
        self._note("hp", phase.name, phase.hp, hp, factor_text(self._steps.hp))
        return msgspec.structs.replace(phase, hp=hp)

    def _at(self, creature: Creature, goal: str) -> Creature:
        """Return the creature with another rating. Its own XP is removed, so the XP of the rating applies."""
        start = creature.rating or str(creature.level)
        self._note("rating", "", start, goal)
        if creature.xp and goal != start:
            self._note("xp", "", creature.xp, "–")
            creature = msgspec.structs.replace(creature, xp=0)
        if self._figures.by == "level":
            creature = msgspec.structs.replace(creature, level=int(goal))
        return msgspec.structs.replace(creature, rating=goal) if creature.rating or not creature.level else creature

    def _note(self, about: str, name: str, before: object, after: object, by: str = "") -> None:
        if before != after:
            self._changes.append(ScalingChange(about, name, str(before), str(after), by))

    def _added(self, about: str, name: str, value: int, step: int) -> int:
        """Add a difference to a number, with a minimum of 1. 0 stays 0, because it means that no number is given."""
        after = max(1, value + step) if value else 0
        self._note(about, name, value, after, difference_text(step))
        return after

    def _each(self, about: str, figures: NamedNumbers, step: int) -> NamedNumbers:
        for id, value in figures:
            self._note(about, id, value, value + step, difference_text(step))
        return tuple((id, value + step) for id, value in figures)

    def _step_like(self, kind: str) -> int:
        """Return the step of a save or a skill, or 0 for an empty kind."""
        return {"save": self._steps.save, "skill": self._steps.skill}.get(kind, 0)

    def _skill_step(self, id: str) -> int:
        return self._steps.save if id in self._figures.as_saves else self._steps.skill

    def _skills(self, figures: NamedNumbers) -> NamedNumbers:
        return tuple(scaled for pair in figures for scaled in self._each("skill", (pair,), self._skill_step(pair[0])))

    def _passives(self, creature: Creature) -> NamedNumbers:
        """Return scaled passive scores. Scores of untrained skills depend on abilities, so they don't change."""
        trained = {id for id, _ in creature.skills}
        return tuple(
            scaled
            for pair in creature.passives
            for scaled in self._each("passive", (pair,), self._skill_step(pair[0]) if pair[0] in trained else 0)
        )

    def _initiative(self, value: int | None) -> int | None:
        if value is None:
            return None
        step = self._step_like(self._figures.initiative)
        self._note("initiative", "", value, value + step, difference_text(step))
        return value + step

    def _hit_dice(self, text: str, hp: int) -> str:
        """Return the number of hit dice closest to the hit points, with the same bonus per die as before."""
        match = _PART.fullmatch(text)
        if match is None or match[5] or not hp:
            return text
        count, sides = int(match[1] or 1), int(match[2])
        per_die = int(match[4] or 0) * (-1 if match[3] == "-" else 1) / count
        dice = max(1, round_half_up(hp / max(1.0, (sides + 1) / 2 + per_die)))
        more = round_half_up(dice * per_die)
        after = f"{dice}d{sides}{more:+d}" if more else f"{dice}d{sides}"
        self._note("hit-dice", "", text, after)
        return after

    def _feature(self, feature: Feature) -> Feature:
        name, steps = feature.name, self._steps
        attack = feature.attack
        if attack is not None:
            attack += steps.attack
            self._note("attack", name, feature.attack, attack, difference_text(steps.attack))
        return msgspec.structs.replace(
            feature,
            attack=attack,
            dc=self._added("dc", name, feature.dc, steps.dc),
            damage=self._damage("damage", name, feature.damage),
            save_damage=self._damage("save-damage", name, feature.save_damage),
            ongoing=self._damage("ongoing", name, feature.ongoing),
            other_damage=tuple(
                msgspec.structs.replace(other, damage=self._damage("damage", name, other.damage))
                for other in feature.other_damage
            ),
            afflictions=tuple(self._affliction(name, affliction) for affliction in feature.afflictions),
            stages=tuple(
                msgspec.structs.replace(stage, damage=self._damage("damage", name, stage.damage))
                for stage in feature.stages
            ),
        )

    def _damage(self, about: str, name: str, text: str) -> str:
        after = scale_dice(text, self._steps.damage) if text and self._steps.damage != 1 else None
        if after is None:
            return text
        self._note(about, name, text, after, factor_text(self._steps.damage))
        return after

    def _affliction(self, name: str, affliction: InflictedCondition) -> InflictedCondition:
        dc = self._added("escape-dc", name, affliction.escape_dc, self._steps.dc)
        return msgspec.structs.replace(affliction, escape_dc=dc)


def _unscaled_texts(creature: Creature) -> Iterator[Unscaled]:
    if creature.abilities:
        yield Unscaled("abilities")
    if creature.ac_note:
        yield Unscaled("ac-note", creature.ac_note)
    for entry in (*creature.resistances, *creature.vulnerabilities):
        if split_value(entry)[1]:
            yield Unscaled("resistance", entry)
    for feature in creature.features:
        if any(text and scale_dice(text, 1.0) is None for text in (feature.damage, feature.save_damage)):
            yield Unscaled("damage", feature.name)
        if _DIGIT.search(f"{feature.text} {feature.short}"):
            yield Unscaled("text", feature.name)
    for text in (creature.description, creature.tactics, creature.notes, *(remark.text for remark in creature.remarks)):
        if _DIGIT.search(text):
            yield Unscaled("words")
            return
