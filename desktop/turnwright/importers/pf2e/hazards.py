"""The parts that only the stat blocks of hazards have, for every format: a routine, and hardness."""

from typing import Any, Final

from turnwright.encounter.prepared import NamedNumbers
from turnwright.importers.pf2e.markup import SKILLS
from turnwright.importers.pf2e.stat_block import SourceAbility
from turnwright.importers.statblock_text.damage import number_in_words
from turnwright.importers.vocabulary import Patterns
from turnwright.storage.fights import ConversionReport

TITLES: Final = ("Disable", "Reset", "Routine")  # of the texts that every hazard may have

_RE: Final = Patterns("pf2e_hazards", skills="|".join(SKILLS.values()))


def routine_of(text: str, report: ConversionReport) -> tuple[tuple[SourceAbility, ...], NamedNumbers]:
    """Return a complex hazard's routine as abilities, and its number of actions as a pool.

    A routine that asks for saves or deals damage is one action, which takes all actions of the hazard unless the text
    says that each action does so. A routine made of Strikes only describes their order.
    """
    if not text:
        return (), ()
    match = _RE.actions.match(text)
    count = number_in_words(match[1]) if match else 0
    if not count:
        report.add_note("Routine: actions", text[:80], "number of actions not given")
    if "multiple attack penalty" in text:
        report.add_note("Routine", "multiple attack penalty", "not applied automatically; apply it yourself")
    is_rolled = _RE.rolled.search(text) is not None
    price = max(1, count) if is_rolled and not _RE.each.search(text) else 1
    routine = SourceAbility("Routine", "action" if is_rolled else "trait", action_count=price, text=text)
    return (routine,), (("action", count),) if count else ()


def add_hardness(hardness: int | None, report: ConversionReport) -> None:
    """Keep the hardness of a hazard or an object as a remark: a creature has no field for it."""
    if hardness:
        report.add_remark("hardness", str(hardness), "kept as a remark; subtract it from damage yourself")


def disabling(text: str) -> dict[str, Any]:
    """Return the fields of a hazard's text about disabling it: the DCs of its checks, and the number of successes.

    If a skill has several DCs for different parts, there are none, and the game master chooses the check and its DC.
    """
    dcs: dict[str, set[int]] = {}
    for found in _RE.check.finditer(text):
        for skill in _RE.skill.findall(found["before"] or found["after"]):
            dcs.setdefault(skill.lower(), set()).add(int(found["dc"] or found["first"]))
    if any(len(numbers) > 1 for numbers in dcs.values()):
        return {}
    times = _RE.times.search(text)
    needs = {"disable_needs": number_in_words(times["count"])} if times else {}
    return {"disable": tuple((skill, *numbers) for skill, numbers in dcs.items()), **needs}
