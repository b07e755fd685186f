"""Conditions and table rules of a game are asked for by their roles: no engine holds the id of one."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

import pytest

from tests.syntax import modules_with, no_trees_kept, nodes
from tests.systems.toy import SYSTEMS
from tests.table import a5e
from turnwright.bootstrap import SHIPPED, RuleSystems
from turnwright.encounter.state import Encounter
from turnwright.rules.system_data.roles import CONDITION_ROLES, NEEDS, OPTION_ROLES, missing_roles

__all__ = ["no_trees_kept"]

CONTENT = {
    "rules/system_data/roles.py": "the table of roles",
    "importers": "the words of other programs' files",
    "importers/statblock_text": "the words of printed stat blocks",
}

# Words of the engine's own that are some game's id by chance: the module or package where each stands, and what it is.
OWN_WORDS = {
    "dragged": {"ui/shell/controllers.py": "a signal of the window"},
    "squeezing": {"ui/docks/turn/forms": "a field of the command Move"},
    "adjacent-allies": {"rules/system_data/statements.py": "an example of the document"},
    "affliction": {"encounter/procedure_state": "a kind of procedure"},
    "attacked": {
        "forecast/building": "a moment",
        "encounter/prepared.py": "a trigger",
        "play/attacks": "a trigger",
        "rules/parts/actions": "a trigger",
    },
    "blinded": {
        "rules/parts/positions/geometry.py": "a hindrance of sight",
        "rules/system_data/places.py": "a hindrance of sight",
    },
    "bloodied": {
        "players": "how a combatant looks",
        "encounter/prepared.py": "a trigger",
        "rules/parts/actions": "a trigger",
        "rules/parts/conditions/predicates.py": "a fact",
        "rules/system_data/statements.py": "a fact",
        "play/attacks": "a trigger",
        "play/queries/queries.py": "a state by hit points",
        "ui/docks/map": "a state by hit points",
        "ui/docks/turn_order": "a state by hit points",
        "ui/forms": "the id of a new phase",
        "ui/models": "a state by hit points",
        "ui/players": "how a combatant looks",
        "ui/widgets": "a state by hit points",
    },
    "broken": {
        "cli/script/resolve.py": "a state of an entry of an environment",
        "players/secrets.py": "a field of a record",
    },
    "commanded": {
        "rules/parts/attacks/attack_targeting.py": "a purpose",
        "play/actions/use_feature.py": "a purpose",
        "play/attacks": "a purpose",
        "ui/docks/turn": "a unit of a form",
    },
    "controlled": {"ui/docks/turn": "a field of a form"},
    "doomed": {
        "encounter/prepared.py": "a way of dying that is prepared",
        "play/damage/damage_consequences.py": "a way of dying that is prepared",
    },
    "dying": {
        "rules/system_data/known_ids.py": "a threat to a save",
        "play/damage/zero_hit_points.py": "an option of a prompt",
        "play/turns": "a phase of a turn",
        "ui/forms": "a field of a form",
    },
    "falling": {"battlemap/segments.py": "a slant"},
    "fatigue": {
        "cli/script/arguments.py": "an example in a message",
        "rules/parts/damage/damage_steps.py": "a track of levels",
        "rules/parts/preparation": "a field of a record",
        "ui/forms": "a field of a form",
    },
    "frightened": {"rules/system_data/statements.py": "an example of the document"},
    "hidden-attacker": {"rules/system_data/statements.py": "an example of the document"},
    "hidden": {
        "cli/script/arguments.py": "an example in a message",
        "handouts/roster_members.py": "a key of the templates",
        "handouts/kinds": "a field of a page",
        "play/actions/action_check.py": "the totals that a search is held against",
        "play/setup": "a field of a record",
        "storage/layout.py": "a slot of a class",
        "ui/models/roster.py": "a field of a record",
        "play/environment/map_changes.py": "a state of fog",
        "players/map_view.py": "a state of fog",
        "rules/parts/positions/fog.py": "a state of fog",
        "ui/docks/map": "a state of fog",
        "ui/docks/players/dock.py": "a state of fog",
    },
    "ongoing": {
        "play/effects/persistent_damage.py": "a command of the window",
        "play/turns": "a phase of a turn",
        "rules/parts/preparation": "a field of a record",
        "rules/parts/stat_block/prose.py": "a word of the text of features",
        "rules/system_data/rounds.py": "a phase of a turn",
        "importers/exporters": "a field of a record",
        "importers/traits": "a field of a record",
        "ui/dialogs": "a command of the window",
        "ui/docks": "a field of a form, and a command of the window",
        "ui/forms": "a field of a form",
    },
    "invisible": {
        "rules/parts/positions/geometry.py": "a hindrance of sight",
        "rules/system_data/places.py": "a hindrance of sight",
    },
    "prone": {
        "cli/script/arguments.py": "an example in a message",
        "rules/system_data/statements.py": "an example of the document",
    },
    "readied": {
        "cli/script/arguments.py": "an example in a message",
        "rules/parts/attacks/attack_targeting.py": "a purpose",
        "play/actions/use_feature.py": "a purpose",
        "play/attacks": "a purpose",
        "play/fuzz": "a purpose",
        "ui/docks/turn": "a purpose",
    },
    "reminder": {
        "ui/models": "how far a feature was understood",
        "cli/files.py": "how far a feature was understood",
        "importers/traits": "how far a feature was understood",
        "encounter/procedure_state": "a kind of procedure",
        "ui/dialogs": "a command of the window",
        "ui/docks/turn_order": "a command of the window",
        "play/table/game_master.py": "a kind of record",
        "ui/docks/arrangements.py": "a dock",
        "ui/docks/small_docks.py": "a dock",
        "ui/docks/shared/library_transfer.py": "a kind of record",
        "ui/controllers/view_controller.py": "a dock",
    },
    "spell": {
        "encounter/field_specs.py": "a kind of field",
        "encounter/prepared.py": "a trigger",
        "forecast/building": "a property of features",
        "play/attacks": "a property of features",
        "play/fuzz/random_commands.py": "a kind of field",
        "rules/parts": "a property of features",
        "rules/system_data": "a property of features, and a fact",
        "importers/exporters": "a property of features",
        "importers/traits": "a part of a template",
        "ui/docks": "a property of features, and a field of a form",
        "ui/forms": "a property of features",
    },
    "strife": {"rules/parts/damage/damage_steps.py": "a track of levels"},
    "tumbling": {"rules/system_data/statements.py": "an example of the document"},
}


@pytest.fixture(scope="module")
def ids() -> set[str]:
    """The ids of all conditions and table rules that ship."""
    systems = [RuleSystems().get(id).data for id in SHIPPED]
    return {one.id for data in systems for listed in (data.conditions, data.options) for one in listed}


def test_no_engine_holds_the_id_of_a_condition_or_table_rule(ids: set[str]) -> None:
    found = {(name, text) for name, tree in engines(quoted(ids)) for text in literals(tree) if text in ids}
    strange = {(name, text) for name, text in found if not any(is_in(name, place) for place in OWN_WORDS.get(text, ()))}
    assert sorted(strange) == []
    assert sorted(OWN_WORDS.keys() - {text for _, text in found}) == []


def test_a_word_that_is_an_id_stands_in_one_constant_at_most(ids: set[str]) -> None:
    places: dict[str, list[str]] = {}
    for name, tree in engines(quoted(ids)):
        for text in {text for statement in tree.body for text in constants(statement)} & ids:
            places.setdefault(text, []).append(name)
    assert {text: found for text, found in places.items() if len(found) > 1} == {}


def test_every_role_is_asked_for() -> None:
    asked = {text for _, tree in engines((".role(", "ConditionRole")) for text in {*literals(tree, of_roles=True)}}
    assert {*CONDITION_ROLES, *OPTION_ROLES} - asked == set()


@pytest.mark.parametrize("id", SHIPPED)
def test_a_shipped_system_names_the_roles_that_it_needs(id: str) -> None:
    rules = RuleSystems().get(id)
    assert missing_roles(rules.data) == []
    assert {rules.role(role) for role in NEEDS} & rules.conditions.keys()
    assert {role for role, _ in rules.data.roles} <= {*CONDITION_ROLES, *OPTION_ROLES}


def test_a_role_that_nothing_plays_is_a_mark_without_rules_or_a_choice_never_made() -> None:
    toy = SYSTEMS.get("toy")
    assert {toy.role(role) for role in CONDITION_ROLES} == {*CONDITION_ROLES}
    assert not any(toy.has_option(Encounter(), toy.role(role)) for role in OPTION_ROLES)
    assert a5e().role("moving-through") == "tumbling"


def quoted(ids: set[str]) -> set[str]:
    return {f'"{id}"' for id in ids}


def engines(words: Iterable[str]) -> Iterator[tuple[str, ast.Module]]:
    """Yield the modules with some words that hold no content of a game, by path from the package."""
    for name, tree in modules_with(words):
        if not any(is_in(name, place) for place in CONTENT):
            yield name, tree


def is_in(module: str, place: str) -> bool:
    return module == place or module.startswith(f"{place}/")


def literals(tree: ast.Module, *, of_roles: bool = False) -> Iterator[str]:
    """Yield the texts in a module that are names of roles (arguments of `role`, tables of roles), or all that are not."""
    roles: set[int] = set()
    for node in nodes(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "role":
            roles |= {id(argument) for argument in node.args}
        elif isinstance(node, ast.AnnAssign) and "ConditionRole" in ast.unparse(node.annotation):
            roles |= {id(inner) for inner in ast.walk(node)}
    for node in nodes(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and (id(node) in roles) == of_roles:
            yield node.value


def constants(statement: ast.stmt) -> Iterator[str]:
    """Yield the texts that a statement gives names of their own, one by one."""
    if not isinstance(statement, ast.Assign | ast.AnnAssign) or statement.value is None:
        return
    target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
    values = statement.value.elts if isinstance(target, ast.Tuple) and isinstance(statement.value, ast.Tuple) else ()
    for value in values or (statement.value,):
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            yield value.value
