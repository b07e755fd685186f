"""Data rules as one line of text: `advantage save when magic; modifier ac +2 when not prone`."""

import re
import shlex
from typing import Any, Final, get_args

import msgspec

from turnwright.encounter.data_rules import DataRule, DataRuleKind
from turnwright.encounter.field_specs import nearest_hint, problem_in, specs_by_name
from turnwright.rules.system_data.known_ids import KnownIds
from turnwright.rules.system_data.references import FEATURE_RULE, own_ids, problems
from turnwright.ui.look.style import tr

_WHEN: Final = re.compile(r"\s+when\s+")
_SHARE: Final = re.compile(r"x(-1|[0-9]{1,4})(?:/([0-9]{1,4}))?")
_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,6}")


def parse_data_rules(text: str) -> tuple[DataRule, ...]:
    """Parse a line of data rules, separated by `;`. Malformed rules are skipped."""
    return tuple(rule for part in _parts(text) if isinstance(rule := _parsed(part), DataRule))


def format_data_rules(rules: tuple[DataRule, ...]) -> str:
    """Return data rules as one line of text."""
    return "; ".join(_format(rule) for rule in rules)


def data_rules_error(text: str, known: KnownIds) -> str:
    """Return the first error in a line of data rules, or an empty string if it is valid."""
    for part in _parts(text):
        rule = _parsed(part)
        if isinstance(rule, str):
            key = "ui.feature.not-rule-because" if rule else "ui.feature.not-rule"
            return tr(key, text=part, problem=rule)
        _, problem = problem_in(rule)
        if not problem:
            references = [(kind, word) for _, kind, word in own_ids(rule)] + [(FEATURE_RULE, rule.kind)]
            messages = (message for kind, word in references for _, _, message in problems(kind, word, known))
            problem = next(messages, "")
        if problem:
            return tr("ui.feature.not-rule-because", text=part, problem=problem)
    return ""


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(";") if part.strip()]


def _parsed(text: str) -> DataRule | str:
    """Parse a data rule. If it is malformed, return an error message, which can be empty."""
    head, *behind = _WHEN.split(text, maxsplit=1)
    try:
        kind, what, *rest = shlex.split(head)
    except ValueError:
        return ""
    if kind not in get_args(DataRuleKind):
        return f"{kind!r}{nearest_hint(kind, get_args(DataRuleKind))}"
    fields: dict[str, Any] = {"kind": kind, "what": what, "when": behind[0].strip() if behind else ""}
    for word in rest:
        name, equals, value = word.partition("=")
        if equals and name in specs_by_name(DataRule):
            fields[name] = _value(name, value)
        elif share := _SHARE.fullmatch(word):
            fields["times"], fields["over"] = int(share[1]), int(share[2] or 1)
        elif word.startswith("=") and _NUMBER.fullmatch(word[1:]):
            fields["set"] = int(word[1:])
        elif _NUMBER.fullmatch(word):
            fields["add"] = int(word)
        else:
            return f"{word!r}"
    try:
        return msgspec.convert(fields, DataRule)
    except msgspec.ValidationError as error:
        return str(error)


def _value(name: str, text: str) -> str | int | bool:
    kind = specs_by_name(DataRule)[name].kind
    if kind == "number" and _NUMBER.fullmatch(text):
        return int(text)
    return text == "true" if kind == "flag" else text


def _format(rule: DataRule) -> str:
    words = [rule.kind, rule.what]
    if rule.set is not None:
        words.append(f"={rule.set}")
    if rule.add:
        words.append(f"{rule.add:+}")
    if (rule.times, rule.over) != (1, 1):
        words.append(f"x{rule.times}" + (f"/{rule.over}" if rule.over != 1 else ""))
    for name in ("text", "ledger", "per_value", "least", "plus", "per", "type", "wears", "carries", "dice"):
        value = getattr(rule, name)
        words += [f"{name}={shlex.quote('true' if value is True else str(value))}"] if value else []
    return " ".join(words) + (f" when {rule.when}" if rule.when else "")
