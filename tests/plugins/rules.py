"""The rule marker: which ledger rules are shown by which tests, printed by `--rules` and written by `--rules-json`.

`@pytest.mark.rule("a5e.hp.damage")` names one or more rules of `resources/systems/*/ledger.toml`; a name that no
ledger knows fails the collection of its module. Outcomes travel on the test reports, so `-n` changes nothing.
"""

from __future__ import annotations

import json
import tomllib
from collections import defaultdict
from pathlib import Path

import pytest

PROPERTY = "ledger rule"
PROVABLE = ("compute", "track", "data")
WORST_FIRST = ("failed", "skipped", "passed")
LEDGERS = pytest.StashKey[dict[str, dict[str, str]]]()


def read_ledgers(root: Path) -> dict[str, dict[str, str]]:
    """Return `{system: {rule id: kind}}` of every ledger under a checkout's `resources/systems`."""
    ledgers = {}
    for path in sorted((root / "resources" / "systems").glob("*/ledger.toml")):
        rules = tomllib.loads(path.read_text(encoding="utf-8")).get("rule", [])
        ledgers[path.parent.name] = {rule["id"]: rule["kind"] for rule in rules}
    return ledgers


def rules_of(item: pytest.Item) -> list[str]:
    """Return the rule ids that a test is marked with, in order, each once."""
    return list(dict.fromkeys(id for mark in item.iter_markers("rule") for id in mark.args))


def group_of(rule: str) -> str:
    """Return the group of a rule: `a5e.hp` of `a5e.hp.damage`."""
    return ".".join(rule.split(".")[:2])


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("rules", "ledger rules")
    group.addoption("--rules", action="store_true", help="print which ledger rules the tests show")
    group.addoption("--rules-json", metavar="PATH", help="write {rule: {kind, tests, outcome}} of every rule tested")


def pytest_configure(config: pytest.Config) -> None:
    try:
        config.stash[LEDGERS] = read_ledgers(config.rootpath)
    except (tomllib.TOMLDecodeError, KeyError, UnicodeDecodeError) as error:
        raise pytest.UsageError(f"a rules ledger can't be read: {error!r}") from error
    if not hasattr(config, "workerinput") and (config.option.rules or config.option.rules_json):
        config.pluginmanager.register(Coverage(config), "rule-coverage")


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector):
    report = yield
    known = {id for ledger in collector.config.stash[LEDGERS].values() for id in ledger}
    if not known:
        return report
    wrong = []
    for item in report.result:
        if isinstance(item, pytest.Item):
            wrong += [f"{item.nodeid}: no ledger has the rule {id!r}" for id in rules_of(item) if id not in known]
    if wrong:
        report.outcome = "failed"
        report.longrepr = "\n".join(wrong)
        report.result = []
    return report


def pytest_itemcollected(item: pytest.Item) -> None:
    item.user_properties.extend((PROPERTY, id) for id in rules_of(item))


class Coverage:
    """Gathers, in the one process that reports, what became of each rule's tests."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.outcomes: dict[str, dict[str, str]] = defaultdict(dict)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the worst outcome over a test's set-up, call and clean-up."""
        for name, rule in report.user_properties:
            if name == PROPERTY:
                before = self.outcomes[rule].get(report.nodeid, "passed")
                self.outcomes[rule][report.nodeid] = min(before, report.outcome, key=WORST_FIRST.index)

    def outcome(self, rule: str) -> str | None:
        """Return the worst outcome over the rule's tests, or None where it has none."""
        return min(self.outcomes.get(rule, {}).values(), key=WORST_FIRST.index, default=None)

    def pytest_sessionfinish(self) -> None:
        """Write the JSON file."""
        if not self.config.option.rules_json:
            return
        kinds = {id: kind for ledger in self.config.stash[LEDGERS].values() for id, kind in ledger.items()}
        table = {
            rule: {"kind": kinds.get(rule), "tests": sorted(self.outcomes[rule]), "outcome": self.outcome(rule)}
            for rule in sorted(self.outcomes)
        }
        path = Path(self.config.option.rules_json)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(table, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print, per ledger: each covered rule with its tests, each one that is not, and the counts per group."""
        if not self.config.option.rules:
            return
        ledgers = self.config.stash[LEDGERS]
        if not ledgers:
            terminalreporter.section("rules")
            terminalreporter.line("no ledger in resources/systems")
        for system, kinds in ledgers.items():
            terminalreporter.section(f"rules: {system}")
            self.print_ledger(terminalreporter, kinds)

    def print_ledger(self, terminal: pytest.TerminalReporter, kinds: dict[str, str]) -> None:
        """Print one ledger's part of the summary."""
        provable = [rule for rule, kind in kinds.items() if kind in PROVABLE]
        covered = {rule for rule in kinds if self.outcome(rule) == "passed"}
        groups: dict[str, list[str]] = defaultdict(list)
        for rule in provable:
            groups[group_of(rule)].append(rule)
        terminal.line("Covered:")
        for rule, kind in kinds.items():
            if rule in covered:
                terminal.line(f"  {rule} ({kind}): {', '.join(sorted(self.outcomes[rule]))}")
        terminal.line("Not covered:")
        for rule in provable:
            if rule not in covered:
                terminal.line(f"  {rule} ({kinds[rule]}): {self.outcome(rule) or 'no test'}")
        terminal.line("Groups, covered of compute, track and data:")
        for group, rules in groups.items():
            count = sum(rule in covered for rule in rules)
            terminal.line(f"  {group:<28} {count:>3} of {len(rules):>3}")
        total = sum(rule in covered for rule in provable)
        terminal.line(f"  {'all':<28} {total:>3} of {len(provable):>3}")
