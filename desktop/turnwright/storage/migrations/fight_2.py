"""From format 1 of fight files to format 2: tables of old names and new names, and the functions that rename.

Everything is in plain tables, as TOML and MessagePack are read, and nothing that is given is changed. What does not
have the expected shape stays as it is, for the reader to report. Recovery logs of version 1 hold the same records.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

Names = Mapping[str, str]

SINGLE_RECORD_TABLES = frozenset({"clock", "dice", "ids"})
UNREAD_KEYS = frozenset({"format", "of", "journal"})

RECORD_FIELDS: Mapping[str, Names] = MappingProxyType(
    {
        "clock": {"step": "setup_step", "elapsed": "elapsed_seconds", "lingers": "end_declined"},
        "combatants": {"turns": "turns_ended", "opener": "first_actor", "given": "supplied_numbers"},
        "slots": {"ties": "tie_rolls", "opener": "first_actor", "joined": "joined_to"},
        "effects": {
            "uses": "uses_left",
            "held_by": "concentrator",
            "until": "end_condition",
            "since": "since_round",
            "rounds": "rounds_left",
            "counted": "counted_on",
            "due": "reminder_at",
        },
        "relations": {"one": "who"},
        "pools": {"faces": "last_faces"},
        "entry_states": {"rolled": "recharge_rolled", "due": "due_round"},
        "announcements": {"answers": "responds_to", "moves": "is_movement", "insisted": "rules_overridden"},
    }
)
ASK_FIELDS: Names = MappingProxyType({"most": "max_choices", "after": "must_follow"})
DATA_FIELDS: Mapping[str, Names] = MappingProxyType(
    {
        "assault": {"means": "weapon", "thing": "is_object", "at": "square", "share": "extra_damage_share"},
        "onslaught": {
            "means": "feature",
            "half": "half_on_save",
            "extra": "extra_damage",
            "spared": "excluded",
            "things": "obstacles",
            "worst": "critically_failed",
            "best": "critically_saved",
        },
        "journey": {
            "heights": "elevations",
            "drags": "dragged",
            "leaves": "leaves_reach_of",
            "offered": "reactions_offered",
            "done": "squares_entered",
            "up": "feet_up",
            "through": "ground",
            "spent": "unreported_cost",
            "why": "unreported_cost_parts",
            "blows": "opportunity_attacks",
            "insisted": "rules_overridden",
            "keeps": "relations_kept",
            "parted": "relations_cleared",
        },
        "mounting": {"who": "rider"},
        "order": {"who": "rider", "means": "weapon"},
        "aftermath": {"taken": "damage", "lost": "hp_damage", "before": "hp_before"},
        "deed": {
            "made": "succeeded",
            "used": "consumed_effects",
            "insisted": "rules_overridden",
            "theirs": "opposing_check",
        },
        "initiative": {"begin": "begin_rounds"},
        "checks": {"used": "consumed_effects"},
        "round": {"expired": "expired_pools"},
        "world-turn": {"rest": "remaining"},
        "expiry": {"happened": "outcomes_done"},
        "hazard": {
            "world": "by_world",
            "agreed": "targets_confirmed",
            "only": "only_target",
            "insisted": "rules_overridden",
            "said": "substitutes",
        },
        "turn-end": {"rows": "entries", "then": "next_slot", "steps": "phases"},
        "turn-start": {"steps": "phases"},
    }
)
UNDO_LABELS: Names = MappingProxyType(
    {
        "step.annotate": "step.set_effect_note",
        "step.apply_ongoing": "step.apply_persistent_damage",
        "step.correct": "step.correct_line",
        "step.direct": "step.command_followers",
        "step.grant_temporary": "step.grant_temp_hp",
        "step.join": "step.add_combatants",
        "step.move": "step.move_feet",
        "step.place": "step.set_position",
        "step.rearrange": "step.reorder",
        "step.regain": "step.restore_resource",
        "step.relate": "step.set_relation",
        "step.reveal": "step.set_hidden",
        "step.ride": "step.mount_or_dismount",
        "step.set_ready": "step.set_entry_ready",
        "step.set_unstoppable": "step.set_pool_unstoppable",
        "step.shift": "step.force_move",
        "step.spend": "step.spend_resource",
        "step.stand": "step.stand_up",
        "step.sudden_action": "step.act_before_initiative",
        "step.supply": "step.set_stat",
        "step.travel": "step.move_path",
        "step.withdraw": "step.dismiss_prompt",
    }
)


def migrate_fight(tables: Mapping[str, Any]) -> dict[str, Any]:
    """Return the tables of a fight file with every record renamed; the journal has no name that changed."""
    return {name: content if name in UNREAD_KEYS else _table(name, content) for name, content in tables.items()}


def migrate_record(table: str, record: Any) -> Any:
    """Return one record of a table with its fields renamed."""
    if not isinstance(record, Mapping):
        return record
    if table == "procedures":
        return _changed(record, "data", _data)
    if table == "prompts":
        return _changed(record, "asks", _asks)
    return _renamed(record, RECORD_FIELDS.get(table, {}))


def _table(name: str, content: Any) -> Any:
    if name in SINGLE_RECORD_TABLES or not isinstance(content, Mapping):
        return migrate_record(name, content)
    return {id: migrate_record(name, record) for id, record in content.items()}


def _data(data: Any) -> Any:
    if not isinstance(data, Mapping):
        return data
    tag = data.get("type")
    return _renamed(data, DATA_FIELDS.get(tag, {}) if isinstance(tag, str) else {})


def _asks(asks: Any) -> Any:
    """Rename in the asks of a prompt: a table by their ids in a file, a list in a log."""
    if isinstance(asks, Mapping):
        return {id: _renamed(ask, ASK_FIELDS) for id, ask in asks.items()}
    return [_renamed(ask, ASK_FIELDS) for ask in asks] if isinstance(asks, list) else asks


def _changed(record: Mapping[str, Any], field: str, change: Callable[[Any], Any]) -> Any:
    return {**record, field: change(record[field])} if field in record else record


def _renamed(record: Any, names: Names) -> Any:
    return {names.get(key, key): value for key, value in record.items()} if isinstance(record, Mapping) else record
