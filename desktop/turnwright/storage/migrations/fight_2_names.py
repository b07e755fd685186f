"""The names in fight files of format 1 that format 2 has renamed, as data: from the old name to the new one."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

Names = Mapping[str, str]

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


class KindNames(NamedTuple):
    """The new name of a procedure kind, and the new names of its stages by their old names."""

    kind: str
    stages: Names


PROCEDURES: Mapping[str, KindNames] = MappingProxyType(
    {
        "initiative": KindNames(
            "initiative",
            {
                "rolls": "ask-rolls",
                "totals": "apply-totals",
                "places": "assign-slots",
                "mounts": "place-prepared-mounts",
                "finish": "finish",
            },
        ),
        "deed": KindNames(
            "action",
            {
                "declare": "declare",
                "pay": "pay-cost",
                "figures": "ask-values",
                "trial": "ask-check",
                "settle": "finish",
                "uncover": "reveal-found",
                "outcome": "apply-maneuver",
                "respond": "after-responses",
                "follow": "ask-follow",
                "followed": "move-follower",
                "sustained": "sustain-chosen",
                "caught": "finish-catch",
            },
        ),
        "onslaught": KindNames(
            "save-effect",
            {
                "gaps": "ask-missing",
                "filled": "take-missing",
                "saves": "ask-saves",
                "saved": "after-saves",
                "damage": "ask-damage",
                "settle": "finish",
                "announce": "declare-feature",
                "price": "pay-cost",
                "announced": "resolve-declared-feature",
            },
        ),
        "group-check": KindNames("group-check", {"roll": "ask-roll", "result": "apply-result"}),
        "recharge": KindNames("recharge", {"roll": "ask-rolls", "back": "apply"}),
        "legendary": KindNames("legendary", {"offer": "ask-action", "taken": "ask-targets", "struck": "resolve"}),
        "lair": KindNames("lair", {"offer": "ask-action", "taken": "ask-targets", "struck": "resolve"}),
        "surprise": KindNames(
            "surprise",
            {
                "choose": "ask-which-checks",
                "rolls": "ask-stealth-rolls",
                "confirm": "ask-surprised",
                "settle": "apply-surprise",
            },
        ),
        "checks": KindNames("called-checks", {"called": "ask-called-check", "made": "finish-called-check"}),
        "awards": KindNames("rewards", {"ask": "ask-rewards", "settle": "record-rewards", "share": "assign-treasure"}),
        "ambush": KindNames("ambush", {"choose": "ask-ambushers", "settle": "apply-ambush"}),
        "round": KindNames(
            "round",
            {
                "rise": "begin-round",
                "endings": "expire-effects",
                "countdowns": "roll-countdowns",
                "counted": "after-countdown-rolls",
                "outcomes": "run-outcomes",
                "recharges": "roll-recharges",
                "recharged": "after-recharge-rolls",
                "world": "begin-world-actions",
                "offers": "offer-world-actions",
                "turns": "begin-turns",
            },
        ),
        "expiry": KindNames("countdown-outcomes", {"outcome": "next-outcome"}),
        "due": KindNames("tied-turn", {"ask": "ask-tied", "settle": "after-tied"}),
        "turn-start": KindNames(
            "turn-start", {"order": "ask-start-order", "step": "next-start-phase", "joint": "start-joint-turn"}
        ),
        "turn-end": KindNames(
            "turn-end", {"endings": "ask-end-order", "step": "next-end-phase", "close": "finish-turn"}
        ),
        "turn-over": KindNames("end-turn-offer", {"ask": "ask-end-turn", "settle": "apply-end-turn"}),
        "regain": KindNames("resource-refill", {"choose": "ask-which-lost", "chosen": "apply"}),
        "falling": KindNames("condition-decrease", {"ask": "ask-values", "settle": "apply-values"}),
        "flat-check": KindNames("flat-check", {"roll": "ask-flat-checks", "settle": "apply-flat-checks"}),
        "affliction": KindNames(
            "affliction", {"roll": "ask-saves", "saved": "after-saves", "settle": "end-afflictions"}
        ),
        "trigger": KindNames("turn-trigger", {"offer": "ask-trigger", "taken": "use-trigger"}),
        "reminder": KindNames("reminder", {"ask": "ask-reminders", "settle": "record-reminders"}),
        "hazard": KindNames(
            "environment-effect",
            {
                "targets": "ask-targets",
                "agreed": "confirm-targets",
                "use": "use",
                "strike": "ask-saves",
                "saved": "after-saves",
                "harm": "ask-damage",
                "settle": "apply-effects",
                "recharge": "after-recharge",
                "lacking": "ask-substitutes",
                "check": "ask-check",
                "caster": "ask-caster",
                "contest": "ask-contest",
            },
        ),
        "harm": KindNames("damage-roll", {"roll": "ask-damage", "apply": "apply-damage"}),
        "temporary": KindNames("temp-hp", {"choose": "ask-temp-hp", "keep": "take-temp-hp"}),
        "journey": KindNames(
            "move",
            {
                "held": "ask-break-grapple",
                "wrested": "after-break-grapple",
                "grip": "ask-drag-grip",
                "gripped": "after-drag-grip",
                "go": "step",
                "answered": "after-opportunities",
            },
        ),
        "world-turn": KindNames("world-turn", {"begin": "next-combatant", "offers": "offer-next"}),
        "hurled": KindNames("forced-movement", {"next": "next-target", "moved": "move-target"}),
        "fall": KindNames("fall", {"begin": "start", "lands": "land", "hurts": "land-with-damage"}),
        "brought": KindNames("lingering-conditions", {"begin": "start", "settled": "apply"}),
        "mounting": KindNames("mount", {"weigh": "ask-capacity", "mounted": "mount-rider"}),
        "seat": KindNames(
            "stay-seated", {"begin": "ask-stay-seated", "kept": "after-seat-save", "beside": "land-beside"}
        ),
        "unhorsed": KindNames(
            "thrown-rider", {"begin": "ask-landing", "landed": "after-landing", "beside": "land-beside"}
        ),
        "mount-order": KindNames("mount-command", {"means": "ask-weapon", "strikes": "begin-attack"}),
        "aftermath": KindNames(
            "damage-consequences",
            {
                "begin": "start",
                "spared": "after-spare-choice",
                "fall": "drop-to-zero",
                "survive": "after-massive-save",
                "struck": "after-hit-while-down",
                "last": "finish",
                "fate": "apply-zero-choice",
            },
        ),
        "death": KindNames("death-saves", {"roll": "ask-saves", "count": "tally"}),
        "recovery": KindNames("stable-recovery", {"roll": "ask-hours", "pass": "wake-from-stable"}),
        "bleeding": KindNames("bleed-out", {"level": "ask-level", "bleed": "lose-hit-points", "skip": "pass-turn"}),
        "recovery-check": KindNames(
            "recovery-check", {"roll": "ask-checks", "judge": "after-checks", "settle": "apply-values"}
        ),
        "ongoing": KindNames(
            "persistent-damage", {"card": "ask-ended", "roll": "ask-damage", "suffer": "apply-damage"}
        ),
        "concentration": KindNames(
            "concentration", {"ask": "ask-concentration", "decided": "after-choice", "saved": "after-save"}
        ),
        "remedy": KindNames("lift-doom", {"ask": "ask-lift", "take": "lift-doomed"}),
        "escape": KindNames(
            "escape", {"name": "ask-check", "roll": "ask-roll", "out": "after-roll", "rest": "end-linked-effects"}
        ),
        "attack": KindNames(
            "attack",
            {
                "declare": "declare",
                "begun": "after-declare",
                "aim": "aim",
                "roll": "ask-roll",
                "found": "after-flat-check",
                "outcome": "after-roll",
                "judged": "confirm-outcome",
                "row": "trigger-target",
                "damage": "ask-damage",
                "strike": "apply-damage",
                "effects": "ask-save",
                "saved": "after-save",
                "further": "apply-extra-damage",
            },
        ),
        "stack": KindNames(
            "reaction-stack",
            {
                "window": "open-window",
                "react": "ask-reaction",
                "chosen": "begin-reaction",
                "aimed": "begin-targeted-reaction",
                "resolve": "resolve-newest",
            },
        ),
        "announced-move": KindNames("declared-move", {"go": "start", "ask": "ask-path", "gone": "resolve"}),
        "interrupt": KindNames("disrupt", {"check": "ask-check", "checked": "after-check"}),
        "health": KindNames("max-hp", {"ask": "ask-maximum", "set": "set-maximum"}),
    }
)
LAIR_ACTIONS_OVER = ("lair", "over")  # the one stage that has become a kind of its own
LAIR_ACTIONS = {"kind": "lair-actions", "stage": "finish", "data": {"type": "lair-actions"}}


class DataNames(NamedTuple):
    """The new tag of a procedure's data, and its new fields by their old names; other fields are dropped.

    `required`: fields that format 2 always writes, with the value that format 1 left out as the default.
    """

    tag: str
    fields: Names
    required: Mapping[str, Any] = MappingProxyType({})


# By the old tag and the old kind of the procedure, where one tag stood for the data of several kinds.
DATA_BY_KIND: Mapping[tuple[str, str], DataNames] = MappingProxyType(
    {
        ("watch", "legendary"): DataNames("off-turn-action", {"who": "who", "what": "feature"}),
        ("watch", "lair"): DataNames("off-turn-action", {"who": "who", "what": "feature"}),
        ("watch", "interrupt"): DataNames(
            "disruption-check", {"who": "who", "what": "ability", "source": "source"}, {"ability": ""}
        ),
        ("watch", "ongoing"): DataNames("persistent-damage", {"rest": "effects"}, {"effects": []}),
        ("watch", "seat"): DataNames("forced-dismount", {"who": "rider", "what": "rule", "value": "ends_prone"}),
        ("watch", "unhorsed"): DataNames("forced-dismount", {"who": "rider", "what": "rule", "value": "ends_prone"}),
        ("watch", "fall"): DataNames("fall", {"who": "who", "what": "rule", "value": "feet"}),
        ("watch", "brought"): DataNames(
            "lingering-conditions", {"who": "who", "source": "condition", "what": "rule"}, {"condition": ""}
        ),
        ("watch", "concentration"): DataNames("concentration-check", {"who": "who", "value": "damage"}, {"damage": 0}),
        ("watch", "awards"): DataNames("rewards", {"rest": "treasure"}),
        ("watch", "stack"): DataNames(
            "reaction-stack", {"by": "reactor", "what": "trigger", "source": "reaction", "value": "answered"}
        ),
        ("watch", "recovery-check"): DataNames("recovery-checks", {"rest": "who"}, {"who": []}),
        ("watch", "death"): DataNames("death-saves", {"rest": "who"}, {"who": []}),
        ("watch", "recovery"): DataNames("stable-recovery", {"rest": "who", "value": "hours"}, {"who": [], "hours": 0}),
        ("watch", "bleeding"): DataNames("bleed-out", {"rest": "who"}, {"who": []}),
        ("watch", "hurled"): DataNames(
            "forced-movement",
            {
                "what": "how",
                "value": "feet",
                "rest": "remaining",
                "who": "who",
                "source": "source",
                "by": "rule",
                "away": "away_from",
            },
            {"feet": 0},
        ),
        ("watch", "remedy"): DataNames("doom-remedy", {"who": "who", "source": "source"}, {"source": ""}),
        ("watch", "falling"): DataNames("decreasing-conditions", {"rest": "effects"}, {"effects": []}),
        ("watch", "due"): DataNames("tie-for-next-turn", {"who": "slot"}),
        ("watch", "trigger"): DataNames("turn-trigger", {"who": "who", "what": "moment"}),
        ("watch", "reminder"): DataNames("turn-reminders", {"what": "moment", "rest": "effects"}, {"effects": []}),
        ("watch", "flat-check"): DataNames("flat-checks", {"rest": "effects"}, {"effects": []}),
        ("watch", "affliction"): DataNames("affliction-saves", {"rest": "effects"}, {"effects": []}),
        ("watch", "recharge"): DataNames("recharge-rolls", {"who": "who", "rest": "features"}, {"features": []}),
        ("watch", "regain"): DataNames("refill-choice", {"who": "who", "what": "resource"}, {"resource": ""}),
        ("watch", "turn-over"): DataNames("end-turn-offer", {}),
        ("watch", "escape"): DataNames("escape-attempt", {"what": "effect", "source": "check"}, {"effect": ""}),
        ("checks", "health"): DataNames("max-hp-question", {"who": "who"}),
        ("surprise", "ambush"): DataNames("ambush-choice", {}),
        ("checks", "group-check"): DataNames(
            "group-check", {"who": "members", "check": "check", "dc": "dc"}, {"check": ""}
        ),
    }
)
FLAGS = frozenset({("forced-dismount", "ends_prone"), ("reaction-stack", "answered")})  # 1 and 0 until now
FIRST = frozenset({("max-hp-question", "who")})  # a list of one id until now


# The phases of a turn's start and end, which stand in the data of its procedure; the ids of their options have stayed.
PHASES: Mapping[str, Names] = MappingProxyType(
    {
        "turn-start": {
            "regain": "refill",
            "rounds": "count-rounds",
            "begun": "turn-started",
            "breath": "catch-breath",
            "notes": "reminders",
            "world": "world-turn",
            "dying": "zero-hp",
        },
        "turn-end": {
            "turns": "count-turns",
            "surroundings": "environment",
            "rows": "environment-entries",
            "flat": "flat-checks",
            "conditions": "condition-decrease",
            "notes": "reminders",
            "lapse": "lose-unspent",
        },
    }
)
OPTION_LABELS: Names = MappingProxyType(
    {
        "option.step.start.rounds": "option.step.start.count-rounds",
        "option.step.start.notes": "option.step.start.reminders",
        "option.step.start.dying": "option.step.start.zero-hp",
        "option.step.end.turns": "option.step.end.count-turns",
        "option.step.end.flat": "option.step.end.flat-checks",
        "option.step.end.conditions": "option.step.end.condition-decrease",
        "option.step.end.notes": "option.step.end.reminders",
    }
)
