"""Converts a creature's features to plain data, one line each: a few key facts, then the rest of the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from turnwright.encounter.prepared import Creature, Feature
from turnwright.encounter.procedure_state.attacks import AttackInProgress
from turnwright.encounter.running import Effect
from turnwright.encounter.state import Encounter
from turnwright.handouts.environment_data import one_line
from turnwright.handouts.page_input import PageInput
from turnwright.rules.parts.attacks.attack_rolls import attack_roll
from turnwright.rules.parts.attacks.weapon_kind import is_attack
from turnwright.rules.parts.stat_block.attack_bonus import calculated_bonus, damage_with
from turnwright.rules.parts.stat_block.features import (
    COSTS,
    damage_with_average,
    effect_texts,
    is_in_list,
    multiattack_text,
    prose_of,
    recharge_faces,
)
from turnwright.rules.parts.stat_block.said_once import without_repeated_figures
from turnwright.rules.parts.stat_block.text_runs import StatBlockNames
from turnwright.rules.word_keys import signed_text

MAX_BRIEF: Final = 90  # characters of a brief text; its first sentence may be longer
MAX_BOXES: Final = 12  # maximum number of boxes per line
LATE: Final = ("legendary", "lair")  # costs of the features listed last
FURTHER_ATTACKS: Final = (1, 2)  # the number of earlier attacks in the turn
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+")
_BARE_DISTANCE: Final = re.compile(r"\d+(/\d+)?")


class FeatureLines:
    """A creature's features as lines. `who` is its combatant in `encounter`, for which the rules compute bonuses."""

    def __init__(self, source: PageInput, encounter: Encounter, who: str, creature: Creature, count: int) -> None:
        self._source, self._encounter, self._who, self._count = source, encounter, who, count
        self._creature = creature
        self._names = StatBlockNames(source.rules.data, source.text)

    def lines(self) -> list[dict[str, Any]]:
        """Return the lines: multiattacks, attacks, other actions, then the remaining features by cost."""
        features = [feature for feature in self._creature.features if not is_in_list(self._creature, feature)]
        ordered = sorted(features, key=self._rank)
        first = [feature for feature in ordered if feature.cost not in LATE]
        late = [feature for feature in ordered if feature.cost in LATE]
        return [*map(self._line, first), *self._stores(), *map(self._line, late)]

    def _rank(self, feature: Feature) -> tuple[int, int]:
        order = ("action", "trait", "bonus", "reaction", "free", "legendary", "lair")
        several = bool(feature.multiattack or feature.attacks)
        attack = 0 if several else 1 if is_attack(feature) else 2
        return (order.index(feature.cost) if feature.cost in COSTS else len(order), attack)

    def _line(self, feature: Feature) -> dict[str, Any]:
        bonus, further = self._bonuses(feature)
        calculated = calculated_bonus(self._names.data, self._creature, feature)
        damage = damage_with(feature.damage, calculated.damage_modifier) if calculated is not None else feature.damage
        prose = "" if feature.multiattack else prose_of(self._creature, feature, self._names)
        text = without_repeated_figures(feature, one_line(feature.short) or one_line(prose), self._names)
        price = self._names.data.presentation.signs
        return {
            "name": one_line(feature.name),
            "cost": feature.cost,
            "signed": bool(dict(price).get(feature.cost)),
            "price": feature.price,
            "spends": [f"{count} {dict(price).get(pool) or pool}" for pool, count in feature.spends],
            "limits": [one_line(part) for part in self._limits(feature)],
            "boxes": self._boxes(feature),
            "to_hit": "" if bonus is None else signed_text(bonus),
            "further": [signed_text(later_bonus) for later_bonus in further],
            "where": ", ".join(self._where(feature)),
            "figures": [one_line(part) for part in self._figures(feature, damage, text)],
            "text": text,
            "brief": text if feature.short else brief_text(text),
        }

    def _bonuses(self, feature: Feature) -> tuple[int | None, list[int]]:
        """Return the bonus to hit (None if there is no attack roll), and the bonuses of later attacks in a turn."""
        rules = self._source.rules
        if feature.attack is None and not is_attack(feature):
            return None, []
        attack = AttackInProgress(self._who, feature)
        tally = rules.data.attack.tally
        counts = [0, *(FURTHER_ATTACKS if tally and feature.cost == "action" else ())]
        totals = []
        for count in counts:
            after = [Effect("attacks-made", self._who, tally, value=count)] if count else []
            roll = attack_roll(Encounter([*self._encounter, *after]) if after else self._encounter, rules, attack)
            totals.append(sum(part.value for part in roll.spec.modifiers))
        return totals[0], totals[1:]

    def _where(self, feature: Feature) -> Iterator[str]:
        say = self._names.say
        if feature.reach and (is_attack(feature) or feature.attack is not None):
            yield say("ui.stat.reach", n=feature.reach)
        if feature.range and not (feature.area and feature.range in feature.area):
            bare = _BARE_DISTANCE.fullmatch(feature.range)
            yield say("handout.running-sheet.feet", n=feature.range) if bare else feature.range
        if feature.area:
            yield feature.area

    def _figures(self, feature: Feature, damage: str, text: str) -> Iterator[str]:
        """Yield the effects of a hit or a failed save."""
        say, plus = self._names.say, " + "
        calculated = calculated_bonus(self._names.data, self._creature, feature)
        dealt = (damage_with_average(damage, plus) or damage) if damage else ""
        for other in feature.other_damage:
            more = other.damage if calculated is None else damage_with(other.damage, calculated.damage_modifier)
            dealt += f", {say('ui.stat.or')} {damage_with_average(more, plus) or more} {other.name}"
        is_basic = self._names.data.checks.degrees and feature.half
        if feature.save:
            own = dict(self._names.data.presentation.saves).get(feature.save)
            short = self._names.ability_shorts.get(feature.save) or feature.save
            key = "basic-save" if is_basic else "save"
            save = say(f"handout.running-sheet.{key}", ability=own or short.capitalize(), dc=feature.dc)
        else:
            save = ""
        half = say("handout.running-sheet.half") if feature.half and not is_basic else ""
        is_hit = is_attack(feature) or feature.attack is not None
        first = (dealt, save) if is_hit else (save, dealt)
        yield from (part for part in first if part)
        if feature.save_damage:
            yield damage_with_average(feature.save_damage, plus) or feature.save_damage
        yield from (part for part in (half,) if part)
        if feature.heals:
            heals = damage_with_average(feature.heals, plus) or feature.heals
            yield f"{say('ui.stat.regains').lower()} {heals}"
        yield from (part[:1].lower() + part[1:] for part in effect_texts(feature, self._names, text, hit=True))

    def _limits(self, feature: Feature) -> Iterator[str]:
        say = self._names.say
        if feature.multiattack:
            yield multiattack_text(self._creature, feature, self._names)
        elif feature.attacks:
            yield say("ui.stat.multiattack", n=feature.attacks)
        if feature.level is not None and feature.level:
            yield say("ui.stat.spell", level=feature.level)
        if feature.concentration:
            yield say("ui.stat.concentration")
        if feature.recharge:
            yield say("ui.stat.recharge", faces=recharge_faces(feature))
        if feature.uses:
            yield say("ui.stat.uses", n=feature.uses, per=say(f"ui.feature.per-{feature.per}"))
        if feature.cost == "legendary" and feature.price != 1:
            yield say("ui.stat.price", n=feature.price)

    def _boxes(self, feature: Feature) -> list[int]:
        """Return the number of use boxes for each member of a group, or an empty list if there would be too many."""
        each = feature.uses or (1 if feature.recharge else 0)
        return [each] * self._count if each and each * self._count <= MAX_BOXES else []

    def _stores(self) -> Iterator[dict[str, Any]]:
        """Yield a line for each resource that several features share, such as legendary actions and spell slots."""
        say, creature = self._names.say, self._creature
        if creature.legendary:
            yield _store(
                say("ui.stat.cost-legendary"), say("ui.stat.a-round", n=creature.legendary), creature.legendary
            )
        for level, count in creature.slots:
            yield _store(say("ui.stat-block.slots", level=level), "", count)


def brief_text(text: str) -> str:
    """Return the first sentences of a text up to a maximum length, with an ellipsis if it was cut."""
    sentences = _SENTENCE.split(text)
    brief = sentences[:1]
    for sentence in sentences[1:]:
        if len(" ".join((*brief, sentence))) > MAX_BRIEF:
            break
        brief.append(sentence)
    return " ".join(brief) + (" …" if len(brief) < len(sentences) else "")


def _store(name: str, limit: str, boxes: int) -> dict[str, Any]:
    line = {"name": one_line(name), "cost": "", "signed": False, "price": 1, "limits": [limit] if limit else []}
    empty: dict[str, Any] = {
        "spends": [],
        "to_hit": "",
        "further": [],
        "where": "",
        "figures": [],
        "text": "",
        "brief": "",
    }
    return line | empty | {"boxes": [boxes] if boxes <= MAX_BOXES else []}
