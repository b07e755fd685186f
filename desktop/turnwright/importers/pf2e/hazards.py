"""Converts hazards: creatures of the kind `hazard`, with Stealth, hardness, routine, disabling and reset."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from turnwright.importers.common import int_at, nested_value, text_at
from turnwright.importers.pf2e.foundry_actors import value_of
from turnwright.importers.pf2e.foundry_items import PlainText
from turnwright.importers.pf2e.stat_block import SourceAbility, SourceNumber, SourceStatBlock
from turnwright.importers.statblock_text.numbers import as_int, number_in_words
from turnwright.storage.conversion_report import ConversionReport

DC_BASE: Final = 10
_ACTIONS = re.compile(r"^\s*\((\d{1,2}|one|two|three|four|five|six) actions?\b[^)]*\)", re.IGNORECASE)
_EACH = re.compile(r"\bon (?:each|every) (?:action|of (?:the|its) [\w' -]{0,30}?actions)\b", re.IGNORECASE)
_ROLLED = re.compile(r"\bsave\b|\bdamage\b")


def with_hazard_fields(
    block: SourceStatBlock, body: Mapping[str, Any], plain: PlainText, report: ConversionReport
) -> SourceStatBlock:
    """Return a stat block completed with the fields of a hazard.

    A hazard without health gets no AC, hit points or saves, even if its fields contain some.
    """
    has_health = nested_value(body, "attributes", "hasHealth") is not False
    is_complex = nested_value(body, "details", "isComplex") is True
    stealth = int_at(body, "attributes", "stealth", "value")
    routine, pools = _routine(body, plain, report) if is_complex else ((), ())
    further = [
        SourceAbility(title, "trait", text=text)
        for title in ("Disable", "Reset", *(() if is_complex else ("Routine",)))
        if (text := plain(title, text_at(body, "details", title.lower())))
    ]
    _add_remarks(body, stealth, plain, report)
    return msgspec.structs.replace(
        block,
        hazard=True,
        ac=block.ac if has_health else 0,
        hp=block.hp if has_health else 0,
        saves=block.saves if has_health else (),
        traits=(*block.traits, "complex" if is_complex else "simple"),
        skills=(*block.skills, *((SourceNumber("stealth", stealth),) if stealth is not None else ())),
        actions=(*routine, *block.actions, *further),
        pools=pools,
    )


def _routine(
    body: Mapping[str, Any], plain: PlainText, report: ConversionReport
) -> tuple[tuple[SourceAbility, ...], tuple[tuple[str, int], ...]]:
    """Return a complex hazard's routine as abilities, and its number of actions as a pool.

    A routine that asks for saves or deals damage is one action, which takes all actions of the hazard unless the text
    says that each action does so. A routine made of Strikes only describes their order.
    """
    text = plain("Routine", text_at(body, "details", "routine"))
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


def _add_remarks(body: Mapping[str, Any], stealth: int | None, plain: PlainText, report: ConversionReport) -> None:
    """Keep a hazard's Stealth and hardness as remarks: a creature has no field for them."""
    details = plain("stealth", text_at(body, "attributes", "stealth", "details")).strip()
    if stealth is not None:
        report.add_remark("stealth", f"DC {DC_BASE + stealth} {details}".strip())
    else:
        report.add_remark("stealth", details, "not a number; kept as a remark")
    if hardness := as_int(value_of(nested_value(body, "attributes", "hardness"))):
        report.add_remark("hardness", str(hardness), "kept as a remark; subtract it from damage yourself")
