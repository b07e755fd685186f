"""Results of the latest steps: a word, its meaning for the combatants, and the lines of the journal behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from turnwright.encounter.running import Combatant
from turnwright.play.attacks.events import Attacked, FeatureUsed
from turnwright.play.damage.events import Died, PhaseBegan
from turnwright.play.environment.events import EntryUsed, PoolExpired, PoolRolled, RechargeRolled
from turnwright.play.kernel.events import Event
from turnwright.play.kernel.steps import Step
from turnwright.play.state.events import DamageTaken, DroppedToZero, EffectEnded, Healed, Rolled
from turnwright.play.table.commands.roll_dice import DiceRolled
from turnwright.play.turns.events import TurnStarted
from turnwright.rules.parts.actions.triggered_features import acts_by_itself
from turnwright.rules.system import creature_of, label_of
from turnwright.ui.docks.shared.explainer import explainer
from turnwright.ui.document_model import DocumentModel
from turnwright.ui.translations import tr

SEPARATOR = "  ·  "
MOST = 10  # results that can be looked through
RESULT_LINES = ("harm", "heal", "plain", "roll", "world")  # kinds of journal lines
LINES_OF = {"world": ("world",), "phase": ("warn",)}  # where only some kinds tell of a result
FAR = 60  # steps in which they are looked for
WORLD = (EntryUsed, PoolExpired, PoolRolled, RechargeRolled)
ICONS = {
    "hit": ("sword", "harm"),
    "critical": ("sword", "harm"),
    "damage": ("sword", "harm"),
    "miss": ("shield", ""),
    "fumble": ("shield", ""),
    "down": ("skull", "harm"),
    "dies": ("skull", "harm"),
    "phase": ("autorenew", "harm"),
    "heals": ("heart-plus", "heal"),
    "saves": ("shield", "heal"),
    "fails": ("shield-alert", "harm"),
    "succeeds": ("check-bold", "heal"),
    "rolled": ("dice-d20", ""),
    "ended": ("timer-sand-empty", ""),
    "world": ("earth", "world"),
}
Found = TypeVar("Found", bound=Event)


@dataclass(frozen=True)
class ActedTrait:
    """A feature that acted by itself in a step, by its id, and the hit points that were all of what it did."""

    who: str
    feature: str
    name: str
    healed: int = 0


@dataclass(frozen=True)
class Result:
    """The result of a step: `kind` is a key of `ICONS`, `is_past` where another turn has begun since."""

    serial: int
    kind: str
    word: str
    outcome: str
    detail: str
    is_past: bool = False
    acted: ActedTrait | None = None

    @property
    def sentence(self) -> str:
        """What happened, in the journal's words alone."""
        named = self.kind == "world" and self.word != tr("ui.result.world")
        return SEPARATOR.join(filter(None, (self.word, self.detail))) if named else self.detail

    @property
    def explanation(self) -> str:
        """What stands under the word and the outcome: the journal's line says of what ended only that it did."""
        return self.outcome if self.kind == "ended" else self.detail

    @property
    def headline(self) -> str:
        """What stands beside the word, in large letters."""
        return "" if self.kind == "ended" else self.outcome

    @property
    def icon(self) -> str:
        """The icon."""
        return ICONS[self.kind][0]

    @property
    def tone(self) -> str:
        """The tone of the ground, empty for a plain one."""
        return ICONS[self.kind][1]


class LatestResults:
    """The results of the latest steps. Each is worked out once, with the names that combatants had then."""

    def __init__(self, document: DocumentModel) -> None:
        self._document = document
        self._known: dict[int, tuple[Step, Result | None]] = {}
        document.documentChanged.connect(self._forget)

    def read(self) -> list[Result]:
        """Return the results, the last first."""
        found: list[Result] = []
        known: dict[int, tuple[Step, Result | None]] = {}
        is_past = False
        for step in reversed(self._document.source.session.history.applied[-FAR:]):
            before = self._known.get(step.serial)
            result = before[1] if before is not None and before[0] is step else result_of(self._document, step)
            known[step.serial] = (step, result)
            if result is not None:
                found.append(replace(result, is_past=is_past))
            is_past = is_past or any(isinstance(event, TurnStarted) for event in step.events)
            if len(found) == MOST:
                break
        self._known = known
        return found

    def _forget(self) -> None:
        self._known = {}


def result_of(document: DocumentModel, step: Step) -> Result | None:
    """Return the result of a step, None where there is nothing to tell at once."""
    kind, outcome = _outcome(document, step.events)
    if not kind:
        return None
    kinds = LINES_OF.get(kind, RESULT_LINES)
    lines = (line for line in step.lines if line.kind in kinds and not line.bookkeeping)
    told = [explainer(document).phrase(line.phrase) for line in lines]
    began = _of(step.events, PhaseBegan)
    word = began[-1].phase if kind == "phase" else tr(f"ui.result.{kind}")
    if kind == "world" and told and ": " in told[0]:
        word, _, told[0] = told[0].partition(": ")
    return Result(
        step.serial, kind, word, outcome, SEPARATOR.join(filter(None, told[:3])), acted=_acted(document, step.events)
    )


def _acted(document: DocumentModel, events: Sequence[Event]) -> ActedTrait | None:
    """Return the first feature that acted by itself at its moment, None where none did."""
    lookup = document.encounter
    for event in events:
        if isinstance(event, Healed):
            who, name, healed = event.target, event.source, event.gained
        elif isinstance(event, FeatureUsed) and len(event.who) == 1:
            who, name, healed = event.who[0], event.feature, 0
        else:
            continue
        combatant = lookup.get(Combatant, who)
        features = creature_of(lookup, combatant).features if combatant is not None else ()
        found = (one for one in features if one.name == name and one.trigger and acts_by_itself(one))
        if (feature := next(found, None)) is not None:
            return ActedTrait(who, feature.id, feature.name, healed)
    return None


def _outcome(document: DocumentModel, events: Sequence[Event]) -> tuple[str, str]:
    """Return the kind of a result, and its meaning for the combatants."""
    lookup = document.encounter
    damage, healed = _of(events, DamageTaken), _of(events, Healed)
    risen = {one.target for one in healed if one.hp_before <= 0 < one.hp_after}
    down = [one.who for one in _of(events, DroppedToZero) if one.who not in risen]
    fallen = [one.who for one in _of(events, Died)] or down
    phases = _of(events, PhaseBegan)
    attack = next(iter(_of(events, Attacked)), None)
    saves = [one for one in _of(events, Rolled) if one.passed is not None and one.purpose.startswith(("<save", "ask."))]
    rolled = next(iter(_of(events, DiceRolled)), None)
    if fallen:
        return ("dies" if _of(events, Died) else "down", ", ".join(label_of(lookup, who) for who in fallen))
    if phases:
        return ("phase", ", ".join(dict.fromkeys(label_of(lookup, one.who) for one in phases)))
    if attack is not None:
        suffered = _damage_text(document, damage) if damage else attack.name
        return (attack.outcome if attack.outcome in ICONS else "hit", suffered)
    checks = all(one.purpose == "ask.check" for one in saves)
    if len(saves) > 1:
        failed = sum(not one.passed for one in saves)
        key = "all" if failed in (0, len(saves)) else "checks-of" if checks else "saves-of"
        text = tr(f"ui.result.{key}", n=len(saves), failed=failed, passed=len(saves) - failed)
        return ("fails" if failed else "succeeds" if checks else "saves", text)
    if damage:
        return ("damage", _damage_text(document, damage))
    if healed:
        told = ", ".join(tr("ui.result.healed", who=label_of(lookup, one.target), n=one.gained) for one in healed)
        return ("heals", told)
    if saves:
        passed = "succeeds" if checks else "saves"
        return (passed if saves[0].passed else "fails", label_of(lookup, saves[0].who))
    if rolled is not None:
        return ("rolled", str(rolled.roll.total))
    ended = [
        one
        for one in _of(events, EffectEnded)
        if not one.bookkeeping and (found := document.rules.conditions.get(one.name)) is not None and not found.by_rules
    ]
    if ended:
        names = (f"{label_of(lookup, one.target)}: <condition.{one.name}>" for one in ended)
        return ("ended", document.phrasebook.expand_keys(", ".join(names)))
    world = next((event for event in events if isinstance(event, WORLD)), None)
    if world is not None and not any(isinstance(event, TurnStarted) for event in events):
        return ("world", "")
    return ("", "")


def _damage_text(document: DocumentModel, damage: Sequence[DamageTaken]) -> str:
    told = []
    for one in damage[:3]:
        kinds = " + ".join(f"<damage.{kind}>" for kind, _amount in one.dealt if kind)
        text = tr("ui.result.takes", who=label_of(document.encounter, one.target), n=one.taken, kinds=kinds)
        told.append(document.phrasebook.expand_keys(text).strip())
    more = len(damage) - len(told)
    return ", ".join(told) + (tr("ui.result.more", n=more) if more else "")


def _of(events: Sequence[Event], kind: type[Found]) -> list[Found]:
    return [event for event in events if isinstance(event, kind)]
