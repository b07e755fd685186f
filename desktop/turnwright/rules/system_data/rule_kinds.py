"""The kinds of data rules: their effects, and the words that their `what` may contain.

`docs/reference/rule-language.md` is generated from these tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import msgspec

from turnwright.encounter.data_rules import DataRuleKind


class RuleKind(msgspec.Struct, frozen=True):
    """A kind of data rule: the kind of ids in its `what`, the fields it uses, and its effect.

    `in_features`: features of a stat block can have such rules. Otherwise only conditions and standing rules can.
    """

    what: str
    fields: tuple[str, ...]
    text: str
    in_features: bool = True


RULE_KINDS: Final[Mapping[DataRuleKind, RuleKind]] = MappingProxyType({
    "modifier": RuleKind("number or roll", ("add", "per_value", "per", "by_level", "type", "times", "over", "least", "set", "carries", "at_zero"), "Adds a number to a roll, or to a number such as AC. Numbers can also be multiplied, limited or set."),
    "advantage": RuleKind("roll", ("per",), "Gives advantage on a roll."),
    "disadvantage": RuleKind("roll", ("per",), "Gives disadvantage on a roll."),
    "expertise": RuleKind("roll", ("times",), "Adds an expertise die to a roll. With `times = 0`, it removes the dice of other rules."),
    "critical": RuleKind("roll", ("least",), "Turns every hit with an attack roll into a critical hit, or those from a face of the d20 on."),
    "fail": RuleKind("roll", (), "Makes a roll fail automatically."),
    "hit": RuleKind("roll", (), "Makes an attack hit without a roll."),
    "flat": RuleKind("roll", ("set",), "Requires a flat check against the DC `set` before an attack."),
    "ask": RuleKind("roll", (), "Asks on the attack's card whether an expertise die applies."),
    "resource": RuleKind("resource", ("add", "per_value", "wears", "times", "over", "least", "set"), "Changes the amount of a resource that a refill gives."),
    "deny": RuleKind("what can be denied", ("add", "per_value"), "Prevents the use of a resource, sight, targeting or flanking, or makes the creature immune to a condition (only in effects)."),
    "damage": RuleKind("damage type or all", ("times", "over"), "Multiplies the damage of a type that the creature takes."),
    "extra": RuleKind("roll", ("dice", "add"), "Adds dice to a roll, or to the damage of an attack. Dice with a minus sign are subtracted."),
    "reroll": RuleKind("roll", ("set",), "Rolls a d20 with a low face once more."),
    "evasion": RuleKind(
        "roll",
        ("over",),
        "Removes all damage if a successful save would halve it. With `over = 2`, also halves the damage on a failure.",
    ),
    "unprovoking": RuleKind("mode or move", (), "Lets the creature move in a mode without provoking opportunity attacks."),
    "senses": RuleKind("hindrance of sight", (), "Makes the creature's sight unaffected by a condition or by the surroundings."),
    "terrain": RuleKind("kind of ground", (), "Removes the extra cost of a type of terrain."),
    "at-zero": RuleKind("outcome at zero", ("set",), "Changes what 0 hit points do to the creature."),
    "duration": RuleKind("end of an effect", (), "Ends the condition or effect early."),
    "grant": RuleKind("condition", (), "Also gives another condition, which stays when this one ends.", in_features=False),
    "note": RuleKind("subject of a note", ("text",), "Only shows its `text`. With `what = \"round\"`, the journal repeats it each round.", in_features=False),
})  # fmt: skip
_ROLLS: Final = {
    "attack": "attack rolls of the creature",
    "attack-against": "attack rolls against the creature",
    "check": "ability checks of the creature",
    "check-against": "ability checks against the creature, as in a contest",
    "save": "saving throws of the creature",
    "save-against": "saving throws against the creature's effects",
    "initiative": "initiative rolls",
    "d20": "all rolls of the creature: attacks, checks and saves",
    "damage": "damage rolls of the creature's attacks",
    "damage-against": "damage rolls of attacks against the creature",
    "dc": "the DCs of the creature's own effects",
}
WHAT_WORDS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType({
    "roll": _ROLLS,
    "number": {
        "ac": "the creature's Armor Class",
        "damage": _ROLLS["damage"],
        "damage-against": _ROLLS["damage-against"],
        "dc": _ROLLS["dc"],
        "hp-max": "the creature's hit point maximum",
        "passive": "a passive score, with a skill, such as `passive.perception`",
        "reach": "the reach of melee attacks",
        "ability": "an ability score, such as `ability.str`, with all rolls that use it",
        "proficiency": "the proficiency bonus, in rolls that use it",
        "height": "the height above the ground in feet, to which the effect raises the creature and from which it falls at its end",
        "float": "the same, but the creature comes down unharmed",
        "speed": "all speeds of the creature, or with a mode and `set` a new speed, such as `speed.fly`",
    },
    "denied": {
        "sight": "the creature can't see",
        "being-seen": "other creatures can't see it",
        "targeting": "the creature can't target the other creature",
        "being-targeted": "other creatures can't target it",
        "spells": "spells from outside up to the level `add` don't affect it",
        "flanking": "the creature can't flank",
        "being-flanked": "the creature can't be flanked",
        "healing": "the creature can't regain hit points",
        "casting": "the creature can't cast spells, concentrate or use other features with the property `concentrate`",
    },
    "outcome at zero": {
        "down": "it is unconscious instead of dead, and dies only if it starts a turn at 0 hit points and isn't healed",
        "lives": "it is dying instead of dead, and its dying value never becomes deadly",
        "stays": "it has `set` hit points instead",
        "up": "it stays conscious while the rule applies, and failed death saves kill it only afterwards",
    },
    "end of an effect": {
        "held": "when `when` is true for the creator of the effect, who can then no longer maintain it, or when the "
        "creature is out of the creator's reach",
        "lost": "as soon as `when` is true for the creature",
        "idle": "with the creature's turn, if it hasn't attacked or taken damage since its last turn and you confirm it "
        "(only in effects)",
        "spent": "when the temporary hit points of the effect are used up",
        "moved": "as soon as the creature moves",
        "source-moved": "as soon as the creator of the effect moves",
        "rest": "with any rest, if `when` is true for the creature",
    },
    "subject of a note": {
        "action": "the text is about actions",
        "attack": "about attack rolls",
        "attack-against": "about attacks against the creature",
        "check": "about ability checks",
        "save": "about saving throws",
        "ac": "about Armor Class",
        "speed": "about movement",
        "hp": "about hit points",
        "round": "a reminder at the start of each round",
    },
})  # fmt: skip
