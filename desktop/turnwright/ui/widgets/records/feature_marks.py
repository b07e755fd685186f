"""Marks for the features of a stat block, which show whether a feature acts, asks or reminds, and explain it."""

from __future__ import annotations

from typing import Final, NamedTuple

from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Creature, Feature
from turnwright.rules.parts.actions.how_features_play import FeaturePlay, how_it_plays
from turnwright.rules.parts.conditions.feature_rules import rules_in_force
from turnwright.rules.parts.stat_block.text_runs import StatBlockNames
from turnwright.rules.system_data import SystemData
from turnwright.rules.system_data.statements import readable_statement
from turnwright.rules.word_keys import signed_text
from turnwright.ui.look.translations import tr

OFF: Final = "\N{MULTIPLICATION SIGN}"
SIGNS: Final = {"acts": "\N{BLACK CIRCLE}", "asks": "\N{CIRCLE WITH LEFT HALF BLACK}", "reminds": "\N{WHITE CIRCLE}"}


class FeatureMark(NamedTuple):
    """A sign and a sentence that explains it."""

    sign: str
    sentence: str


def feature_marks(
    creature: Creature, catalogue: SystemData | None, off: frozenset[str] = frozenset()
) -> dict[str, FeatureMark]:
    """Return the marks for a stat block, keyed by feature id. Features that are only text have none.

    Features in `off` are marked as switched off for this encounter.
    """
    names = StatBlockNames(catalogue, tr)
    plays = ((feature, how_it_plays(creature, feature)) for feature in creature.features)
    return {
        feature.id: FeatureMark(OFF, tr("ui.plays.off"))
        if feature.id in off
        else FeatureMark(SIGNS[play.mark], _sentence(feature, play, names))
        for feature, play in plays
        if play.mark
    }


def _sentence(feature: Feature, play: FeaturePlay, names: StatBlockNames) -> str:
    what = "; ".join(_rule_words(rule, names) for rule in feature.rules) if rules_in_force(feature) else ""
    moment = tr(f"ui.feature.trigger-{feature.trigger}").lower() if feature.trigger else ""
    text = tr(f"ui.plays.{play.mark}-{play.where}", what=what, moment=moment)
    text += tr("ui.plays.if", when=_readable(feature.when)) if feature.when else ""
    text += tr("ui.plays.only", when=_readable(feature.only)) if feature.only else ""
    numbers = _figures(feature) if play.where == "moment" and play.mark != "reminds" else ""
    return f"{text}: {numbers}." if numbers else f"{text}."


def _figures(feature: Feature) -> str:
    """Return the numbers of a triggered feature, for example `regains 5` or `3d6 fire`."""
    lessens = tr("ui.plays.half") if feature.lessens == "half" else feature.lessens
    parts = (
        tr("ui.plays.heals", n=feature.heals) if feature.heals else "",
        tr("ui.plays.lessens", n=lessens) if lessens else "",
        feature.damage,
    )
    return ", ".join(part for part in parts if part)


def _rule_words(rule: DataRule, names: StatBlockNames) -> str:
    """Describe the effect of a data rule, for example `advantage on Dexterity saves (magic)`."""
    roll, _, rest = rule.what.partition(".")
    ability, _, skill = rest.partition(":")
    about = names.skill_name(skill) if skill else names.abilities.get(ability, ability)
    roll_name = _word(f"ui.plays.roll-{roll}", roll.replace("-", " "))
    what = " ".join(part for part in (about, roll_name) if part)
    amount = signed_text(rule.add) if rule.set is None else str(rule.set)
    fallback = f"{rule.kind} {what}"
    text = _word(f"ui.plays.kind-{rule.kind}", fallback, what=what, n=amount, dice=rule.dice)
    return f"{text} ({_readable(rule.when)})" if rule.when else text


def _word(key: str, otherwise: str, **params: object) -> str:
    text = tr(key, **params)
    return otherwise if text == key else text


def _readable(statement: str) -> str:
    return readable_statement(statement, tr("ui.plays.or"))
