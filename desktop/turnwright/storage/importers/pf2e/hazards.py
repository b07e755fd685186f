"""Hazards: creatures of the kind `hazard`, with Stealth, hardness, routine, disabling and reset in separate fields."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from turnwright.storage.conversion_report import ConversionReport
from turnwright.storage.importers.common import int_at, nested_value, text_at
from turnwright.storage.importers.pf2e.foundry_actors import value_of
from turnwright.storage.importers.pf2e.foundry_items import PlainText
from turnwright.storage.importers.pf2e.stat_block import SourceAbility, SourceNumber, SourceStatBlock
from turnwright.storage.statblock_text.numbers import as_int, number_in_words

DC_BASE: Final = 10
_ACTIONS = re.compile(r"^\s*\((\d{1,2}|one|two|three|four|five|six) actions?\b[^)]*\)", re.IGNORECASE)
_EACH = re.compile(r"\bon (?:each|every) (?:action|of (?:the|its) [\w' -]{0,30}?actions)\b", re.IGNORECASE)
_ROLLED = re.compile(r"\bsave\b|\bdamage\b")


def with_hazard_fields(
    block: SourceStatBlock, body: Mapping[str, Any], plain: PlainText, report: ConversionReport
) -> SourceStatBlock:
    """Return a stat block as a hazard's.

    A hazard without health has no AC, no hit points and no saves, whatever its fields say.
    """
    has_health = nested_value(body, "attributes", "hasHealth") is not False
    complex_one = nested_value(body, "details", "isComplex") is True
    stealth = int_at(body, "attributes", "stealth", "value")
    routine, pools = _routine(body, plain, report) if complex_one else ((), ())
    further = [
        SourceAbility(title, "trait", text=text)
        for title in ("Disable", "Reset", *(() if complex_one else ("Routine",)))
        if (text := plain(title, text_at(body, "details", title.lower())))
    ]
    _add_remarks(body, stealth, plain, report)
    return msgspec.structs.replace(
        block,
        hazard=True,
        ac=block.ac if has_health else 0,
        hp=block.hp if has_health else 0,
        saves=block.saves if has_health else (),
        traits=(*block.traits, "complex" if complex_one else "simple"),
        skills=(*block.skills, *((SourceNumber("stealth", stealth),) if stealth is not None else ())),
        actions=(*routine, *block.actions, *further),
        pools=pools,
    )


def _routine(
    body: Mapping[str, Any], plain: PlainText, report: ConversionReport
) -> tuple[tuple[SourceAbility, ...], tuple[tuple[str, int], ...]]:
    """Return a complex hazard's routine as abilities, and its number of actions.

    A routine that asks for saves or deals damage is an action by itself, of all its actions unless each of them does so;
    one that is made of Strikes only describes their order.
    """
    text = plain("Routine", text_at(body, "details", "routine"))
    if not text:
        return (), ()
    found = _ACTIONS.match(text)
    count = number_in_words(found[1]) if found else 0
    if not count:
        report.add_note("Routine: actions", text[:80], "doesn't say how many actions it takes")
    if "multiple attack penalty" in text:
        report.add_note("Routine", "multiple attack penalty", "is said of in words; a person sees to it")
    own = _ROLLED.search(text) is not None
    price = max(1, count) if own and not _EACH.search(text) else 1
    routine = SourceAbility("Routine", "action" if own else "trait", action_count=price, text=text)
    return (routine,), (("action", count),) if count else ()


def _add_remarks(body: Mapping[str, Any], stealth: int | None, plain: PlainText, report: ConversionReport) -> None:
    """Keep a hazard's Stealth and hardness as remarks: a creature has no field for either."""
    beside = plain("stealth", text_at(body, "attributes", "stealth", "details")).strip()
    if stealth is not None:
        report.add_remark("stealth", f"DC {DC_BASE + stealth} {beside}".strip())
    else:
        report.add_remark("stealth", beside, "is not a number; it is a remark")
    if hardness := as_int(value_of(nested_value(body, "attributes", "hardness"))):
        report.add_remark("hardness", str(hardness), "is taken off damage by a person; it is a remark")
