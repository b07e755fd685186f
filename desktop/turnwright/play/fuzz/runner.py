"""The runner of random play, which checks the invariants of an encounter after every random command or answer.

It finds cases that the other tests miss. The same seed plays the same fight in the same encounter. The display isn't
checked.
"""

import random
from collections.abc import Callable, Iterator, Sequence

import msgspec

from turnwright.encounter.procedure_state import Declaration, Procedure
from turnwright.encounter.procedure_state.asks import Prompt
from turnwright.encounter.procedure_state.turns import TurnEnd
from turnwright.encounter.running import Clock, Combatant, Effect, Relation, Slot, Track
from turnwright.encounter.state import Encounter, clock_of
from turnwright.play.asking.answer import Answer, DismissPrompt
from turnwright.play.fuzz.random_commands import RandomAnswers, RandomCommands
from turnwright.play.kernel.transaction import Command, Refused
from turnwright.play.queries.queries import open_prompts, waiting_asks
from turnwright.play.session import Session
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.table.game_master import SetDice
from turnwright.play.turns.turns import EndTurn
from turnwright.rules.parts.economy.limited_uses import is_finite, maximum
from turnwright.rules.system import RuleSystem


def problems(encounter: Encounter, rules: RuleSystem | None = None) -> list[str]:
    """Return all problems in the state of an encounter. With `rules`, include violations of that system's rules."""
    violations = [f"{check.__name__}: {wrong}" for check in CHECKS for wrong in check(encounter)]
    if rules is not None:
        violations += [f"{check.__name__}: {wrong}" for check in SYSTEM_CHECKS for wrong in check(encounter, rules)]
    return violations


def hit_points_are_bounded(encounter: Encounter) -> Iterator[str]:
    """Check that hit points are within plus or minus the maximum, and not above 0 for the dead."""
    for combatant in encounter.all(Combatant):
        if not -combatant.hp_max <= combatant.hp <= combatant.hp_max or combatant.temp_hp < 0:
            yield f"{combatant.id} has {combatant.hp} of {combatant.hp_max}, {combatant.temp_hp} temporary"
        if combatant.dead and combatant.hp > 0:
            yield f"{combatant.id} is dead with {combatant.hp} hit points"


def no_negative_resources(encounter: Encounter) -> Iterator[str]:
    """Check that no track is below 0, or above its maximum if it has one."""
    for track in encounter.all(Track):
        if track.value < 0 or (track.maximum and track.value > track.maximum):
            yield f"{track.id} is {track.value} of {track.maximum}"


def one_active_slot(encounter: Encounter) -> Iterator[str]:
    """Check that the clock names an existing slot or none, and that each combatant is in one slot at most."""
    clock = encounter.get(Clock, "clock")
    if clock is not None and clock.active and encounter.get(Slot, clock.active) is None:
        yield f"the active slot {clock.active} doesn't exist"
    members = [who for slot in encounter.all(Slot) for who in slot.members]
    yield from (f"{who} is in the turn order twice" for who in {who for who in members if members.count(who) > 1})


def owners_exist(encounter: Encounter) -> Iterator[str]:
    """Check that effects, tracks, relations, slots, prompts and procedures belong to existing records.

    A slot whose last member was removed on its own turn stays until that turn has ended.
    """
    existing = {combatant.id for combatant in encounter.all(Combatant)}
    for effect in encounter.all(Effect):
        if effect.target and effect.target not in existing:
            yield f"{effect.id} ({effect.name}) is on {effect.target}, who doesn't exist"
    for track in encounter.all(Track):
        if track.owner not in existing:
            yield f"{track.id} belongs to {track.owner}, who doesn't exist"
    for pair in encounter.all(Relation):
        if not {pair.who, pair.other} <= existing:
            yield f"{pair.id} relates to somebody who doesn't exist"
    ending = {procedure.data.slot for procedure in encounter.all(Procedure) if isinstance(procedure.data, TurnEnd)}
    for slot in encounter.all(Slot):
        if not set(slot.members) & existing and slot.id not in ending:
            yield f"{slot.id} has no existing member"
    procedures = {procedure.id for procedure in encounter.all(Procedure)}
    for prompt in encounter.all(Prompt):
        if prompt.procedure not in procedures:
            yield f"{prompt.id} belongs to no procedure"
    for procedure in encounter.all(Procedure):
        if procedure.parent and procedure.parent not in procedures:
            yield f"{procedure.id} has the parent {procedure.parent}, which doesn't exist"


def mounts_are_acyclic(encounter: Encounter) -> Iterator[str]:
    """Check that riders and followers don't form cycles."""
    for combatant in encounter.all(Combatant):
        for field in ("rides", "controller"):
            visited, at = {combatant.id}, getattr(combatant, field)
            while at:
                if at in visited:
                    yield f"{combatant.id} {field} in a circle"
                    break
                visited.add(at)
                following = encounter.get(Combatant, at)
                at = getattr(following, field) if following else ""


def waits_have_reasons(encounter: Encounter) -> Iterator[str]:
    """Check that every procedure waits for a prompt, a child or a declaration, and every prompt for an answer."""
    parents = {procedure.parent for procedure in encounter.all(Procedure)}
    waiting = {prompt.procedure for prompt in encounter.all(Prompt)} | parents
    waiting |= {declaration.procedure for declaration in encounter.all(Declaration)}
    for procedure in encounter.all(Procedure):
        if procedure.id not in waiting:
            yield f"{procedure.id} ({procedure.kind}, {procedure.stage}) waits for nothing"
    for prompt in encounter.all(Prompt):
        answered = {answer.ask for answer in prompt.answers}
        if prompt.procedure not in parents and all(ask.id in answered for ask in prompt.asks):
            yield f"{prompt.id} is open without an open ask"


def declarations_are_in_progress(encounter: Encounter) -> Iterator[str]:
    """Check that every declaration waits for an unfinished procedure."""
    under_way = {procedure.id for procedure in encounter.all(Procedure)}
    for declaration in encounter.all(Declaration):
        if declaration.procedure not in under_way:
            yield f"{declaration.id} has no unfinished procedure"


def effect_values_are_valid(encounter: Encounter, rules: RuleSystem) -> Iterator[str]:
    """Check that conditions with a value have a value of at least 1."""
    for effect in encounter.all(Effect):
        condition = rules.conditions.get(effect.name)
        if condition is not None and condition.valued and effect.value < 1:
            yield f"{effect.id} ({effect.name}) has the value {effect.value}"


def hit_points_fit_system(encounter: Encounter, rules: RuleSystem) -> Iterator[str]:
    """Check that hit points and temporary hit points are within the system's limits."""
    health = rules.data.health
    for combatant in encounter.all(Combatant):
        most = health.most_temporary(combatant.hp_max)
        if combatant.hp < health.lowest(combatant.hp_max):
            yield f"{combatant.id} has {combatant.hp} hit points of {combatant.hp_max}"
        if most is not None and combatant.temp_hp > most:
            yield f"{combatant.id} has {combatant.temp_hp} temporary hit points, of {most} at most"


def resources_fit_system(encounter: Encounter, rules: RuleSystem) -> Iterator[str]:
    """Check that the resources of combatants don't exceed their maximum."""
    for combatant in encounter.all(Combatant):
        for resource in rules.data.resources:
            if not is_finite(resource):
                continue
            track = encounter.get(Track, f"{combatant.id}.{resource.id}")
            if track is not None and track.value > max(maximum(encounter, combatant.id, resource), track.maximum):
                yield f"{combatant.id} has {track.value} of {resource.id}"


Check = Callable[[Encounter], Iterator[str]]
CHECKS: tuple[Check, ...] = (
    hit_points_are_bounded,
    no_negative_resources,
    one_active_slot,
    owners_exist,
    mounts_are_acyclic,
    waits_have_reasons,
    declarations_are_in_progress,
)
SYSTEM_CHECKS: tuple[Callable[[Encounter, RuleSystem], Iterator[str]], ...] = (
    effect_values_are_valid,
    hit_points_fit_system,
    resources_fit_system,
)


def undo_and_redo_agree(session: Session) -> list[str]:
    """Undo the last step and redo it, and return any difference."""
    after = session.encounter
    if not session.undo():
        return []
    session.redo()
    return [] if session.encounter == after else ["undo and redo of the last step change the state"]


def all_undone_and_redone(session: Session, first: Encounter) -> list[str]:
    """Undo every step, then redo them all. Return any difference from the initial or the current state."""
    after, differences = session.encounter, []
    steps = 0
    while session.undo():
        steps += 1
    if session.encounter != first:
        differences.append("undoing everything doesn't restore the initial state")
    for _ in range(steps):
        session.redo()
    if session.encounter != after:
        differences.append("redoing everything doesn't restore the last state")
    return differences


MAX_TRIES = 40
MAX_COMMANDS_PER_ROUND = 400
RoundCheck = Callable[[Session], Sequence[str]]


class FuzzReport(msgspec.Struct):
    """The result of a run: the numbers of rounds, executed and refused commands, the problems, and the last command."""

    rounds: int = 0
    commands: int = 0
    refused: int = 0
    problems: tuple[str, ...] = ()
    last: str = ""


class FuzzRun:
    """One encounter played at random. `round_check` is called after every round and returns further problems."""

    def __init__(self, session: Session, seed: int, round_check: RoundCheck | None = None) -> None:
        self.session = session
        self.report = FuzzReport()
        self._first = session.encounter
        self._chance = random.Random(seed)
        self._each_round = round_check
        self._this_turn = 0
        self._commands = RandomCommands(session, self._chance)
        self._answers = RandomAnswers(self._chance)

    @property
    def encounter(self) -> Encounter:
        """Return the current encounter."""
        return self.session.encounter

    # Playing -----------------------------------------------------------------------------------------------

    def play(self, rounds: int) -> FuzzReport:
        """Play until `rounds` rounds are over, the fight ends or a problem is found. Return the report."""
        self._open()
        round_number = 0
        while not self.report.problems and self.report.commands < rounds * MAX_COMMANDS_PER_ROUND:
            clock = clock_of(self.encounter)
            if clock.phase != "rounds" and not open_prompts(self.encounter):
                break
            if clock.round > round_number:
                self._check_round(round_number)
                if clock.round > rounds:
                    break
                round_number = clock.round
                self.report.rounds = round_number
            if not self._go_on():
                self._found(["no command can be carried out"], None)
        if clock_of(self.encounter).round == round_number:
            self._check_round(round_number)
        return self.report

    def _open(self) -> None:
        seed = self._chance.randrange(10**9)
        self._try(SetDice(self._chance.choice(("roll", "roll", "ask")), seed=seed))
        if clock_of(self.encounter).phase != "rounds":
            self._try(StartEncounter())
        for _ in range(200):
            if clock_of(self.encounter).phase != "set-up" or self.report.problems:
                return
            if open_prompts(self.encounter):
                self._answer()
            else:
                self._try((self._commands.before_rounds() if self._chance.random() < 0.6 else None) or AdvanceSetup())

    def _go_on(self) -> bool:
        """Answer a prompt, give a command or end the turn. Return whether this succeeded."""
        if open_prompts(self.encounter):
            return self._answer()
        if self._chance.random() < 0.1 + 0.06 * self._this_turn:
            self._this_turn = 0
            if self._try(EndTurn()):
                return True
        for _ in range(MAX_TRIES):
            command = self._commands.next_command()
            if command is not None and self._try(command):
                self._this_turn += 1
                return True
        return self._try(EndTurn(), override=True)

    def _try(self, command: Command, *, override: bool = False) -> bool:
        """Carry out a command and check the invariants. Return False if the command was refused."""
        before = self.encounter
        try:
            self.session.do(command, override=override, strict=True)
        except Refused:
            self.report.refused += 1
            if self.encounter is not before:
                self._found(["a refused command changed the state"], command)
            return False
        self.report.commands += 1
        self._found([*problems(self.encounter, self.session.rules), *undo_and_redo_agree(self.session)], command)
        return True

    def _check_round(self, number: int) -> None:
        if number and not self.report.problems:
            differences = all_undone_and_redone(self.session, self._first)
            self._found([*differences, *(self._each_round(self.session) if self._each_round else ())], None)

    def _found(self, wrong: Sequence[str], command: Command | None) -> None:
        self.report.last = repr(command) if command else self.report.last
        self.report.problems = (*self.report.problems, *wrong)

    # Answering ---------------------------------------------------------------------------------------------

    def _answer(self) -> bool:
        """Answer a random prompt with random replies, or dismiss it. Return whether this succeeded."""
        prompt = self._chance.choice(open_prompts(self.encounter))
        for _ in range(MAX_TRIES):
            replies = tuple(self._answers.reply(ask) for ask in waiting_asks(prompt))
            if self._try(Answer(prompt.id, replies, prompt.revision)):
                return True
        return self._try(DismissPrompt(prompt.id))
