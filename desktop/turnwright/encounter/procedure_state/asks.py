"""Prompts, the asks in them and their answers, and the procedures in `play.asking`."""

from typing import ClassVar, Final, Literal

import msgspec

from turnwright.dice.expression import Roll, RollSpec
from turnwright.encounter.field_specs import Natural
from turnwright.encounter.procedure_state.kinds import ProcedureKind
from turnwright.encounter.tagged_struct import CombatantData, TaggedStruct

MADE, FAILED = "made", "failed"  # options for the result of a roll whose dice are unknown


Degree = Literal["critical-failure", "failure", "success", "critical-success"]


CRITICAL_FAILURE: Final = "critical-failure"


FAILURE: Final = "failure"


SUCCESS: Final = "success"


CRITICAL_SUCCESS: Final = "critical-success"


AskKind = Literal["roll", "choice", "targets", "number", "order"]


class Option(msgspec.Struct, frozen=True, omit_defaults=True):
    """An option of an ask. `label` is a word key or plain text; `why` is the reason for or against it."""

    id: str
    label: str
    why: str = ""


class Ask(msgspec.Struct, frozen=True, omit_defaults=True):
    """A single question of a prompt.

    - `roll`: `spec` is the roll, and `dc` its DC.
    - `choice`: one of `options`.
    - `targets`: any of `options`, up to `max_choices` (0: no limit). The `suggested` ones are ticked at first.
    - `number`: a whole number.
    - `order`: all of `options` in any order, at first as listed. `must_follow` pairs an option with one that must come
      first.

    `who` is the combatant who is asked, or empty for the game master. `label` is a word key, and `detail` the plain
    text in it.
    """

    id: str
    kind: AskKind
    label: str
    who: str = ""
    detail: str = ""
    spec: RollSpec | None = None
    dc: int = 0
    options: tuple[Option, ...] = ()
    suggested: tuple[str, ...] = ()
    max_choices: int = 0
    rule: str = ""
    must_follow: tuple[tuple[str, str], ...] = ()


def roll_ask(who: str, label: str, detail: str, spec: RollSpec, dc: int = 0, *, rule: str = "") -> Ask:
    """Return the ask for a combatant's own roll. Its id is the combatant's id."""
    return Ask(who, "roll", label, who, detail, spec, dc, rule=rule)


def choice_ask(
    id: str,
    label: str,
    options: tuple[Option, ...],
    who: str = "",
    detail: str = "",
    *,
    suggested: str = "",
    rule: str = "",
) -> Ask:
    """Return the ask for one of several options. By default, the first is suggested."""
    return Ask(id, "choice", label, who, detail, options=options, suggested=(suggested or options[0].id,), rule=rule)


class AskResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answer to an ask: a roll, the ids of the chosen options, a number, or `skipped`."""

    ask: str
    roll: Roll | None = None
    chosen: tuple[str, ...] = ()
    number: int | None = None
    skipped: bool = False


class Prompt(msgspec.Struct, frozen=True, omit_defaults=True):
    """A prompt with all asks of one procedure. `blocks`: the turn order waits for it.

    `title` is a word key, and `subject` the plain name in it. `revision` prevents a stale card from answering a newer
    prompt.
    """

    table: ClassVar[str] = "prompts"

    id: str
    procedure: str
    title: str
    subject: str = ""
    asks: tuple[Ask, ...] = ()
    answers: tuple[AskResult, ...] = ()
    blocks: bool = True
    rule: str = ""
    revision: int = 0


class DisruptionCheck(CombatantData, frozen=True):
    """A check that a combatant must make after being hit, or else it loses its declared action.

    `source` is the feature that requires the check.
    """

    ability: str
    source: str = ""


class GroupCheckInProgress(TaggedStruct, frozen=True):
    """A single ability check for a whole group. `dc` is its DC, or 0 if it has none."""

    members: tuple[str, ...]
    check: str
    dc: int = 0


class CalledSaves(TaggedStruct, frozen=True):
    """Saving throws that the game master calls for. `dc` is 0 if there is none, and `edge` applies to all of them."""

    who: tuple[str, ...]
    save: str
    dc: int = 0
    edge: Literal["", "advantage", "disadvantage"] = ""


Data = DisruptionCheck | GroupCheckInProgress | CalledSaves


DISRUPT = ProcedureKind("disrupt", "ask_check after_check")
GROUP_CHECK = ProcedureKind("group-check", "ask_roll apply_result")
CALLED_SAVES = ProcedureKind("called-saves", "ask_saves finish_saves")


class Reply(msgspec.Struct, frozen=True, omit_defaults=True):
    """A reply to one ask. Exactly one of the fields after `ask` is set.

    `roll`: Turnwright rolls. `typed` is a result such as `17`, `20!` or `?`, or a bonus such as `+1d4` to add to
    Turnwright's roll. `chosen` are option ids.
    """

    ask: str
    roll: bool = False
    typed: str = ""
    chosen: tuple[str, ...] | None = None
    number: Natural | None = None
    skip: bool = False
