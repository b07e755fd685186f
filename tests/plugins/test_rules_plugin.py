"""The option `--rules` of pytest, shown on small suites in separate processes."""

import json
from pathlib import Path

import pytest

LEDGER = """
[[rule]]
id = "toy.hp.damage"
kind = "compute"
[[rule]]
id = "toy.hp.floor"
kind = "track"
[[rule]]
id = "toy.turn.one"
kind = "data"
[[rule]]
id = "toy.turn.talk"
kind = "game-master"
"""

SUITE = """
import pytest

@pytest.mark.rule("toy.hp.damage")
def test_damage(): pass

@pytest.mark.rule("toy.hp.damage", "toy.hp.floor")
def test_floor(): assert {floor}

@pytest.mark.rule("toy.turn.one")
@pytest.mark.parametrize("turn", [1, 2])
def test_turn(turn):
    if turn == 2:
        pytest.skip("no second turn")
"""

PLUGIN = Path(__file__).with_name("rules.py")


@pytest.fixture
def suite(pytester: pytest.Pytester) -> pytest.Pytester:
    pytester.makepyprojecttoml('[tool.pytest.ini_options]\naddopts = ["--strict-markers"]\nmarkers = ["rule(id)"]\n')
    pytester.makepyfile(toy_rules_plugin=PLUGIN.read_text(encoding="utf-8"))
    pytester.makeconftest('pytest_plugins = ["toy_rules_plugin"]')
    pytester.mkdir("resources")
    (pytester.path / "resources/systems/toy").mkdir(parents=True)
    (pytester.path / "resources/systems/toy/ledger.toml").write_text(LEDGER, encoding="utf-8")
    pytester.makepyfile(test_toy=SUITE.format(floor="True"))
    return pytester


def run(suite: pytest.Pytester, *options: str) -> pytest.RunResult:
    quiet = ("-p", "no:pytest-qt", "-p", "no:hypothesispytest", "-p", "no:cacheprovider")
    return suite.runpytest_subprocess(*quiet, *options)


def table(suite: pytest.Pytester) -> dict:
    return json.loads((suite.path / "build/rules.json").read_text(encoding="utf-8"))


def test_the_table_of_several_workers_holds_each_rule_with_its_tests_and_their_worst_outcome(suite):
    result = run(suite, "-n", "2", "--rules-json", "build/rules.json")
    assert result.ret == 0
    assert table(suite) == {
        "toy.hp.damage": {
            "kind": "compute",
            "tests": ["test_toy.py::test_damage", "test_toy.py::test_floor"],
            "outcome": "passed",
        },
        "toy.hp.floor": {"kind": "track", "tests": ["test_toy.py::test_floor"], "outcome": "passed"},
        "toy.turn.one": {
            "kind": "data",
            "tests": ["test_toy.py::test_turn[1]", "test_toy.py::test_turn[2]"],
            "outcome": "skipped",
        },
    }


def test_one_failing_test_fails_every_rule_it_names(suite):
    suite.makepyfile(test_toy=SUITE.format(floor="False"))
    assert run(suite, "--rules-json", "build/rules.json").ret == 1
    outcomes = {rule: row["outcome"] for rule, row in table(suite).items()}
    assert outcomes == {"toy.hp.damage": "failed", "toy.hp.floor": "failed", "toy.turn.one": "skipped"}


@pytest.mark.soak
def test_a_failing_fixture_fails_the_rule(suite):
    suite.makepyfile(
        test_toy="""
        import pytest

        @pytest.fixture
        def broken():
            yield
            raise RuntimeError("while cleaning up")

        @pytest.mark.rule("toy.hp.damage")
        def test_damage(broken): pass
        """
    )
    run(suite, "--rules-json", "build/rules.json")
    assert table(suite)["toy.hp.damage"]["outcome"] == "failed"


def test_the_summary_names_what_is_covered_what_is_not_and_counts_groups(suite):
    result = run(suite, "-n", "0", "--rules")
    result.stdout.fnmatch_lines(
        [
            "*rules: toy*",
            "Covered:",
            "  toy.hp.damage (compute): test_toy.py::test_damage, test_toy.py::test_floor",
            "  toy.hp.floor (track): test_toy.py::test_floor",
            "Not covered:",
            "  toy.turn.one (data): skipped",
            "Groups, *",
            "  toy.hp *2 of *2",
            "  toy.turn *0 of *1",
            "  all *2 of *3",
        ],
        consecutive=True,
    )
    result.stdout.no_fnmatch_line("*toy.turn.talk*")


@pytest.mark.sampled(1)
@pytest.mark.parametrize("workers", ["0", "2"])
def test_a_rule_that_no_ledger_has_fails_collection_and_is_named(suite, workers):
    suite.makepyfile(
        test_wrong="""
        import pytest

        class TestGroup:
            @pytest.mark.rule("toy.hp.damige")
            def test_damage(self): pass
        """
    )
    result = run(suite, "-n", workers)
    assert result.ret != 0
    result.stdout.fnmatch_lines(["*test_wrong.py::TestGroup::test_damage: no ledger has the rule 'toy.hp.damige'*"])


def test_without_a_ledger_any_rule_may_be_named(suite):
    (suite.path / "resources/systems/toy/ledger.toml").unlink()
    result = run(suite, "--rules")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["no ledger in resources/systems"])
