"""The parts that only the stat blocks of hazards have, for every format: a routine, and hardness."""

import re
from typing import Final

from turnwright.encounter.prepared import NamedNumbers
from turnwright.importers.pf2e.stat_block import SourceAbility
from turnwright.importers.statblock_text.damage import number_in_words
from turnwright.storage.fights import ConversionReport

TITLES: Final = ("Disable", "Reset", "Routine")  # of the texts that every hazard may have
_ACTIONS = re.compile(r"^\s*\((\d{1,2}|one|two|three|four|five|six) actions?\b[^)]*\)", re.IGNORECASE)
_EACH = re.compile(r"\bon (?:each|every) (?:action|of (?:the|its) [\w' -]{0,30}?actions)\b", re.IGNORECASE)
_ROLLED = re.compile(r"\bsave\b|\bdamage\b")


def routine_of(text: str, report: ConversionReport) -> tuple[tuple[SourceAbility, ...], NamedNumbers]:
    """Return a complex hazard's routine as abilities, and its number of actions as a pool.

    A routine that asks for saves or deals damage is one action, which takes all actions of the hazard unless the text
    says that each action does so. A routine made of Strikes only describes their order.
    """
    if not text:
        return (), ()
    match = _ACTIONS.match(text)
    count = number_in_words(match[1]) if match else 0
    if not count:
        report.add_note("Routine: actions", text[:80], "number of actions not given")
    if "multiple attack penalty" in text:
        report.add_note("Routine", "multiple attack penalty", "not applied automatically; apply it yourself")
    is_rolled = _ROLLED.search(text) is not None
    price = max(1, count) if is_rolled and not _EACH.search(text) else 1
    routine = SourceAbility("Routine", "action" if is_rolled else "trait", action_count=price, text=text)
    return (routine,), (("action", count),) if count else ()


def add_hardness(hardness: int | None, report: ConversionReport) -> None:
    """Keep the hardness of a hazard or an object as a remark: a creature has no field for it."""
    if hardness:
        report.add_remark("hardness", str(hardness), "kept as a remark; subtract it from damage yourself")
