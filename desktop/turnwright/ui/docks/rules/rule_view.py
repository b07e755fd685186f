"""A rule of the ledger as shown in the rules panel: kind, sources and related rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from turnwright.rules.system_data import SystemData
from turnwright.rules.system_data.actions import ActionOption
from turnwright.rules.system_data.conditions import Condition
from turnwright.rules.system_data.ledger import LedgerRule
from turnwright.ui.look.translations import tr
from turnwright.ui.models.rules import RuleActivity
from turnwright.ui.widgets.rules.rule_text import RuleBadge, RuleView

MAX_RELATED = 8
_DOCUMENT = re.compile(r"(^|\. |[ (])(00\d)(?![\d,.]\d)")


def rule_view_of(
    rule: LedgerRule,
    ledger: Mapping[str, LedgerRule],
    catalogue: SystemData,
    active: RuleActivity | None = None,
    on: bool | None = None,
) -> RuleView:
    """Return the view of a rule.

    `on` is whether the rule is on in this encounter, or None if it isn't a house rule.
    """
    marks = [RuleBadge(tr(f"ui.rules.kind-{rule.kind}"), tr(f"ui.rules.kind-{rule.kind}-text"))]
    if rule.is_external:
        marks.append(RuleBadge(tr("ui.rules.external"), tr("ui.rules.external-text"), "warn"))
    if on is not None:
        marks.append(RuleBadge(tr(f"ui.rules.variant-{'on' if on else 'off'}"), "", "heal" if on else "warn"))
    also = tuple(related_rules(rule, ledger))
    links = {id: ledger[id].title for id in (*mentioned_rules(rule, ledger), *also)}
    return RuleView(
        rule.id,
        rule.title,
        with_document_names(rule.statement),
        tuple(marks),
        tr("ui.rules.by", what=active.source) if active is not None and active.source else "",
        tuple(shipped_data(rule, catalogue)) if rule.is_external else (),
        with_document_names(rule.check),
        source_text(rule.source) + single_source_text(rule, ledger),
        tuple(links.items()),
        also,
    )


def mentioned_rules(rule: LedgerRule, ledger: Mapping[str, LedgerRule]) -> Iterable[str]:
    """Return the ids of the rules that a rule's text mentions."""
    words = f"{rule.statement} {rule.check}".replace(",", " ").replace("(", " ").replace(")", " ").split()
    return [id for word in words if (id := word.strip(".;:")) in ledger and id != rule.id]


def shipped_data(rule: LedgerRule, catalogue: SystemData) -> Iterable[tuple[str, str]]:
    """Yield the names and texts of shipped conditions and actions that implement a rule.

    They are needed for rules that the sources only mention by name.
    """
    entries: tuple[Condition | ActionOption, ...] = (*catalogue.conditions, *catalogue.actions)
    for entry in entries:
        if rule.id in entry.ledger and entry.text:
            yield entry.name, entry.text


def related_rules(rule: LedgerRule, ledger: Mapping[str, LedgerRule]) -> list[str]:
    """Return the ids of rules whose id differs only after the last dot, up to `MAX_RELATED`."""
    stem, _, _ = rule.id.rpartition(".")
    if stem.count(".") < 2:
        return []
    return [id for id in ledger if id != rule.id and id.startswith(f"{stem}.")][:MAX_RELATED]


def with_document_names(text: str) -> str:
    """Replace the document numbers in a rule's text with the names of the documents."""

    def name(match: re.Match[str]) -> str:
        title = _document(match[2])
        return f"{match[1]}{title[:1].upper() + title[1:]}" if match[1] in ("", ". ") else f"{match[1]}{title}"

    return _DOCUMENT.sub(name, text)


def source_text(sources: Iterable[str]) -> str:
    """Return the sources of a rule, grouped by section: `“Turn Order” (the full chapter, the older text)`."""
    sections: dict[str, list[str]] = {}
    for source in sources:
        document, _, section = source.partition(":")
        sections.setdefault(section.replace(" > ", ", "), []).append(_document(document))
    return "; ".join(
        tr("ui.rules.section", section=section, documents=", ".join(documents))
        for section, documents in sections.items()
    )


def single_source_text(rule: LedgerRule, ledger: Mapping[str, LedgerRule]) -> str:
    """Return a note if only one of several source texts contains the rule, or an empty string."""
    texts = {number for other in ledger.values() for number in other.documents}
    if len(texts) < 2 or len(rule.documents) != 1:
        return ""
    return tr("ui.rules.only-there", what=_document(rule.documents[0]))


def _document(number: str) -> str:
    name = tr(f"ui.rules.source-{number}")
    return tr("ui.rules.source-other", n=number) if name.startswith("ui.rules.") else name
