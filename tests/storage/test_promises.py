"""Shipped creatures keep in their fields what their texts promise: ends, limits and second saves of conditions.

A sentence that no field keeps counts as broken, unless it is listed with a reason.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from functools import cache

import msgspec

from tests.for_each import for_each
from turnwright.encounter.prepared import Creature, Feature, InflictedCondition
from turnwright.storage.library.entries import read_library_file
from turnwright.storage.resources import resource_path

EASILY_ENDED = ("prone", "grappled", "stable")  # by standing up, by escaping, and by healing
# The conditions that a game's own rules lower or end: by the turn, by an action, or by a night's rest.
ENDED_BY_RULES = {"pf2e": {"frightened", "stunned", "sickened", "drained", "doomed", "fatigued", "hunted", "dying"}}


def inflicted(feature: Feature) -> tuple[InflictedCondition, ...]:
    return (*feature.afflictions, *(one for stage in feature.stages for one in stage.afflictions))


def endless(feature: Feature) -> bool:
    """Whether a condition of a feature is left that nothing ends."""
    ended = (one.ends != "never" or one.lasts or one.bound_to or one.escape or one.escape_dc or one.break_free for one in inflicted(feature)
             if one.condition not in EASILY_ENDED)  # fmt: skip
    return not feature.stages and not all(ended)


def ends(feature: Feature, *moments: str) -> bool:
    return any(one.ends in moments for one in inflicted(feature))


Kept = Callable[[Feature], bool]
PROMISES: dict[str, tuple[str, Kept]] = {
    "saves again": (
        r"saves? again\b|repeats? the sav|a save after any of its turns|new (?:save|saving throw)",
        lambda one: ends(one, "saved", "saved-unseen", "hurt-save") or bool(one.stages),
    ),
    "a time": (
        r"(?:for|lasts?)(?: up to)? (?:\d+|a|one) (?:rounds?|minutes?|hours?|days?)\b",
        lambda one: any(it.lasts for it in inflicted(one)) or not endless(one),
    ),
    "its own turn": (
        r"until (?:its|their) (?:next )?turn (?:ends|starts)|until the (?:start|end) of its",
        lambda one: ends(one, "turn-start", "turn-end", "turn") or bool(one.stages),
    ),
    "the creature's turn": (
        r"until the (?!target)[\w' -]{2,30}'s next turn (?:ends|starts)",
        lambda one: ends(one, "owner-start", "owner-end"),
    ),
    "until hurt": (r"damage wakes|until it takes damage", lambda one: ends(one, "hurt")),
    "hurt, saves": (r"saves again (?:whenever|if) (?:it takes damage|it is harmed|.{0,40} harm)",
                    lambda one: ends(one, "hurt-save")),
    "escape": (r"break free|escape with a", lambda one: any(it.escape or it.escape_dc for it in inflicted(one))),
    "while grappled": (
        r"while grappled|grappled and restrained|grappled, restrained",
        lambda one: any(it.bound_to for it in inflicted(one)),
    ),
    "while swallowed": (r"while swallowed", lambda one: ends(one, "owner-gone")),
    "size": (
        r"\b(?:tiny|small|medium|large|huge) or smaller (?:target|creature)",
        lambda one: any("up-to" in it.when for it in (one, *inflicted(one))) or all(it.condition == "prone" for it in inflicted(one)),
    ),
    "kind": (
        r"undead\b[^.]{0,20} aren't affected|except (?:undead|aberrations|demons)|(?:one|each|a visible) humanoid\b",
        lambda one: any("type:" in it.when for it in inflicted(one)),
    ),
    "by five": (r"fails by 5 or more", lambda one: any(it.margin for it in inflicted(one))),
    "a second save": (
        r"starts turning to stone|saves again when its next turn ends",
        lambda one: bool(one.stages),
    ),
    "woken": (r"so does another creature's action|shaken awake", lambda one: any(it.wakes for it in inflicted(one))),
    "burns the swallowed": (r"acid damage whenever|acid damage at the start of each", lambda one: bool(one.ongoing_at)),
    "drains Strength": (r"Strength drops by", lambda one: any(it.value_dice for it in inflicted(one))),
    "nothing ends it": (r".", lambda one: not endless(one)),
}  # fmt: skip
KEPT_BY_HAND = {
    "saves again": {
        "* enthrall": "the effect of a spell on one who disagrees with it",
        "* slither": "a zone, whose new saves the game master asks for",
        "cockatrice calcification": "saves once a day, after the fight",
        "couatl sleep": "what the spell leaves has the second save",
        "oni sleep": "what the spell leaves has the second save",
        "death-dog bite": "saves once a day, after the fight",
        "irnakurse soul-scream": "says that there is none",
        "otyugh bite": "saves once a day, after the fight",
    },
    "a time": {
        "* mirage-spores": "the time of an immunity; its attack ends the condition",
        "cockatrice calcification": "lasts until a save on a later day",
        "aboleth tentacle": "the time of an immunity; only a cure ends the disease",
        "khalkos brain-jab": "the time until the next one; only a cure ends the disease",
        "satyr lullaby": "the time of an immunity; the satyr decides how long it sings",
    },
    "its own turn": {
        "revenant self-loathing": "its own next turn, with its own condition",
        "arcane-blademaster power-word-stun": "a lesser effect of the spell",
        "arcane-blademaster sleep": "a lesser effect of the spell",
        "lich power-word-stun": "a lesser effect of the spell",
        "dragon-turtle retract": "the time in its shell",
        "kraken ink-cloud": "the time of the cloud",
    },
    "size": {"cloud-giant telekinesis": "the target of a spell, which its caster picks"},
    "by five": {"ghost horrifying-visage": "makes older, which no number of a fight depends on"},
    "nothing ends it": {
        "* arctic-rift": "lasts until the ice breaks",
        "* cursed-metamorphosis": "lasts until the curse ends",
        "* enthrall": "lasts as long as the spell",
        "* ferocity": "lasts until it is healed",
        "* freeze-time": "lasts as long as the spell",
        "* never-mind": "lasts until magic cures it",
        "* mirage-spores": "lasts until it attacks",
        "* overwhelming-presence": "lasts until the tribute is paid",
        "* slither": "lasts until it escapes",
        "* steal-shadow": "lasts for hours, after the fight",
        "* sunburst": "lasts until magic cures it",
        "* volcanic-eruption": "lasts until it escapes",
        "* warp-mind": "lasts until magic cures it",
        "basilisk petrifying-gaze": "lasts until magic undoes it",
        "cockatrice calcification": "lasts until a save on a later day",
        "fey-dragonet euphoric-breath": "lasts for rounds that are rolled",
        "guthallath haste": "lasts as long as the spell",
        "irnakurse soul-scream": "lasts until nights of rest",
        "lamia lamias-caress": "lasts for days, after the fight",
        "medusa focus-gaze": "lasts until magic undoes it",
        "paleohemoth fossilization": "lasts until magic undoes it",
        "pleroma generate-sphere": "lasts until magic cures it",
        "revenant baleful-shriek": "lasts for rounds that are rolled",
        "revenant self-loathing": "its own condition, while a thing is in view",
        "shining-child blinding-aura": "lasts until magic cures it",
        "tor-linnorm curse-of-boiling-blood": "lasts until magic cures it",
        "aboleth mucus-cloud": "lasts until magic cures it",
        "aboleth tentacle": "lasts until cured",
        "rakshasa cursed-touch": "lasts until magic cures it",
        "sphinx-of-lore weight-of-years": "exhaustion ends by rests",
        "sphinx-of-valor weight-of-years": "exhaustion ends by rests",
        "wereboar gore-boar-or-hybrid-form-only": "lasts until magic cures it",
        "clay-golem slam": "lasts until magic undoes it",
        "clay-guardian slam": "lasts until magic undoes it",
        "death-dog bite": "lasts until cured",
        "erinyes longbow": "lasts until magic cures it",
        "khalkos brain-jab": "lasts until cured",
        "mummy rotting-fist": "lasts until magic cures it",
        "mummy-lord rotting-fist": "lasts until magic cures it",
        "rakshasa claw-true-form-only": "lasts until magic cures it",
        "satyr lullaby": "the satyr decides how long it sings",
        "shadow claw": "lasts until a rest",
        "werebear bite-bear-or-hybrid-form-only": "lasts until magic cures it",
        "wererat bite-rat-or-hybrid-form-only": "lasts until magic cures it",
        "weretiger bite-tiger-or-hybrid-form-only": "lasts until magic cures it",
        "werewolf bite-wolf-or-hybrid-form-only": "lasts until magic cures it",
        "otyugh bite": "lasts until cured, or until a save on a later day",
        "solar blinding-gaze": "lasts until magic cures it",
    },
}
"""The promises that no field keeps, with the reasons. A star stands for all creatures with that feature."""


@cache
def shipped() -> tuple[tuple[Creature, Feature], ...]:
    """Return the features of the shipped creatures, without the conditions that their game's rules end."""
    folder = resource_path("library")
    records = (
        (file.relative_to(folder).parts[0], read_library_file(file)[0]) for file in sorted(folder.rglob("*.toml"))
    )
    return tuple(
        (one, without(feature, ENDED_BY_RULES.get(game, set())))
        for game, one in records
        if isinstance(one, Creature)
        for feature in one.features
    )


def without(feature: Feature, conditions: Collection[str]) -> Feature:
    left = tuple(one for one in feature.afflictions if one.condition not in conditions)
    return msgspec.structs.replace(feature, afflictions=left)


def broken(promise: str) -> Iterator[str]:
    pattern, kept = PROMISES[promise]
    for owner, feature in shipped():
        if inflicted(feature) and re.search(pattern, feature.text, re.IGNORECASE) and not kept(feature):
            shared = f"* {feature.id}"
            yield shared if shared in KEPT_BY_HAND.get(promise, {}) else f"{owner.id} {feature.id}"


@for_each("promise", PROMISES)
def test_a_promise_of_a_text_is_kept_by_a_field(promise: str) -> None:
    assert sorted({*broken(promise)}) == sorted(KEPT_BY_HAND.get(promise, {}))


def test_breaths_that_share_a_recharge_have_one() -> None:
    """In the shipped texts, both breath weapons share one recharge."""
    shared = {one.id for one, feature in shipped() if "share one recharge" in feature.text}
    sharing = {one.id for one, feature in shipped() if feature.shares and feature.recharge}
    assert len(shared) == 20
    assert sharing == shared


def test_every_kind_of_promise_is_made() -> None:
    made = Counter(
        promise
        for promise, (pattern, _) in PROMISES.items()
        for _, feature in shipped()
        if inflicted(feature) and re.search(pattern, feature.text, re.IGNORECASE)
    )
    assert made.keys() == PROMISES.keys()
