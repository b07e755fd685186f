"""`turnwright play`: runs a script on an encounter, or plays it at random and checks invariants after every step."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from turnwright.bootstrap import RuleSystems
from turnwright.cli.files import opened
from turnwright.cli.script import answers, lexer, parser, resolve
from turnwright.cli.terminal import failing, print_findings
from turnwright.dice.expression import DiceError
from turnwright.encounter import running, state
from turnwright.play.fuzz.runner import FuzzRun
from turnwright.play.kernel.events import JournalLine
from turnwright.play.kernel.transaction import Command, Refused
from turnwright.play.session import Session
from turnwright.storage import encounters, fights
from turnwright.storage.word_catalogue import WordCatalogue
from turnwright.workspace.document import Document, DocumentInUseError
from turnwright.workspace.files import FileChangedError
from turnwright.workspace.text import Phrasebook


def play_randomly(path: Path, rounds: int, *, seed: int, with_bookkeeping: bool, systems: RuleSystems) -> int:
    """Play a number of rounds at random and print the journal. If a check fails, print it and return 1."""
    document = opened(path, systems, seed=seed, dice="roll", with_fight=False)
    session = Session(document.encounter, document.session.rules)
    report = FuzzRun(session, seed, lambda session: round_trip_problems(session.encounter, systems.ids)).play(rounds)
    speech = Phrasebook(WordCatalogue.load(), session.rules)
    print(*journal_lines(session, speech, with_bookkeeping=with_bookkeeping), sep="\n")
    summary = f"{report.rounds} rounds, {report.commands} commands, {report.refused} refused, seed {seed}"
    print(f"{path}: {summary}", file=sys.stderr)
    for problem in report.problems:
        print(f"{path}: {problem}\n  after {report.last}", file=sys.stderr)
    return 1 if report.problems else 0


def round_trip_problems(encounter: state.Encounter, systems: Sequence[str]) -> Sequence[str]:
    """Return the differences after saving an encounter with its fight and reading it again."""
    path = Path("rehearsal.toml")
    loaded = encounters.parse_encounter(encounters.EncounterFile().render(encounter).encode(), path, systems)
    if loaded.encounter is None:
        return [f"the saved encounter can't be read: {loaded.findings[0]}"]
    fight = fights.parse_fight(fights.fight_text(encounter, (), "").encode(), path, loaded.encounter)
    if fight.records is None:
        return [f"the saved fight can't be read: {fight.findings[0]}"]
    again = state.Encounter((*loaded.encounter, *fight.records))
    return [] if again == encounter else ["the encounter differs after saving and reading it"]


_MOST_BYTES = 4_000_000


_STOPS = (lexer.ScriptError, Refused, DiceError, DocumentInUseError, FileChangedError, OSError)


def play(
    file: Path,
    script: Path,
    rounds: int | None,
    *,
    seed: int | None,
    resume: bool,
    as_json: bool,
    with_bookkeeping: bool,
    systems: RuleSystems,
) -> int:
    """Run a script, or play a number of rounds at random. Print the journal, or the events of a script as JSON.

    Return 1 if a file or a line has an error.
    """
    if rounds:
        return play_randomly(file, rounds, seed=seed or 0, with_bookkeeping=with_bookkeeping, systems=systems)
    with failing(f"{script}:1", (OSError, ValueError)):
        text = read_script(script)
    document = opened(file, systems, seed=seed, dice="roll", with_fight=resume)
    print_findings(document.findings)
    player = ScriptRunner(document, str(script), WordCatalogue.load(), as_json=as_json)
    code = player.run(text)
    for line in player.events() if as_json else player.journal(with_bookkeeping=with_bookkeeping):
        print(line)
    for line in player.questions():
        print(line, file=sys.stderr)
    return code


def read_script(path: Path) -> str:
    """Read a script; `-` is standard input. Raise ValueError if it isn't a text, or OSError."""
    data = sys.stdin.buffer.read(_MOST_BYTES + 1) if str(path) == "-" else path.read_bytes()
    if len(data) > _MOST_BYTES:
        raise ValueError(f"the script is larger than {_MOST_BYTES // 1_000_000} MB")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError("not a UTF-8 text file") from error
    if "\0" in text:
        raise ValueError("contains a NUL byte; expected a text file")
    return text


class ScriptRunner:
    """Runs a script on a document. `name` is the script's name in messages. `as_json`: `show` prints JSON objects."""

    def __init__(self, document: Document, name: str, words: WordCatalogue, *, as_json: bool = False) -> None:
        self.document = document
        self._name = name
        self._words = words
        self._as_json = as_json
        self._last = 1

    @property
    def speech(self) -> Phrasebook:
        """The phrasebook of the encounter's rule system."""
        return Phrasebook(self._words, self.document.session.rules)

    def run(self, text: str) -> int:
        """Run all lines. Stop at the first error and print it. Return the exit code."""
        for number, line in enumerate(text.splitlines(), 1):
            try:
                self._line(number, line)
            except _STOPS as error:
                print(f"{self._name}:{number}: {self._reason(error)}", file=sys.stderr)
                return 1
        return 0

    def _line(self, number: int, line: str) -> None:
        words = lexer.split_words(line)
        if not words:
            return
        self._last = number
        parsed = parser.parse(words, resolve.NameResolver(self.document.encounter, self.document.session.rules))
        try:
            self._carry_out(parsed)
        except Refused as refused:
            if not parsed.attempt:
                raise
            print(f"{self._name}:{number}: {self.refusal(refused)}", file=sys.stderr)

    def _reason(self, error: Exception) -> str:
        """Return the message of an error that stops the script."""
        if isinstance(error, Refused):
            return self.refusal(error)
        if isinstance(error, DocumentInUseError):
            return f"another program has {error} open; nothing was saved"
        if isinstance(error, FileChangedError):
            return f"{error.path}: another program has changed the file; nothing was saved"
        return f"nothing was saved: {error.strerror or error}" if isinstance(error, OSError) else str(error)

    def _carry_out(self, line: parser.ScriptLine) -> None:
        statement = line.statement
        if isinstance(statement, Command):
            self._do(statement, line)
        elif isinstance(
            statement, resolve.RollStatement | resolve.PickStatement | resolve.ReplyStatement | resolve.SkipStatement
        ):
            answers.run_answer(statement, lambda: self.document.encounter, lambda command: self._do(command, line))
        elif isinstance(statement, resolve.SaveStatement):
            self.document.save()
        elif isinstance(statement, resolve.ExpectStatement):
            resolve.require_expected(statement, self.document.encounter, self.document.session.rules)
        elif isinstance(statement, resolve.ShowStatement):
            self._show(statement)
        else:
            self._undo_or_redo(statement)

    def _do(self, command: Command, line: parser.ScriptLine) -> None:
        self.document.do(command, override=line.anyway, strict=line.attempt)

    def _show(self, statement: resolve.ShowStatement) -> None:
        subject, facts = resolve.shown_facts(statement, self.document.encounter, self.document.session.rules)
        as_json = msgspec.json.encode({"show": subject, **facts}).decode()
        print(as_json if self._as_json else resolve.shown_line(subject, facts))

    def _undo_or_redo(self, statement: resolve.UndoStatement | resolve.RedoStatement) -> None:
        is_undo = isinstance(statement, resolve.UndoStatement)
        for _ in range(statement.steps):
            if not (self.document.undo if is_undo else self.document.redo)():
                raise lexer.ScriptError("nothing to undo" if is_undo else "nothing to redo")

    # Results -----------------------------------------------------------------------------------------

    def refusal(self, refused: Refused) -> str:
        """Return the text of a refusal, with the id of its rule."""
        text = self.speech.refusal_text(refused)
        return f"{text} ({refused.rule})" if refused.rule else text

    def journal(self, *, with_bookkeeping: bool = True) -> Iterator[str]:
        """Return the lines of the journal as text, indented by turn."""
        return journal_lines(self.document.session, self.speech, with_bookkeeping=with_bookkeeping)

    def events(self) -> Iterator[str]:
        """Yield the events of all applied steps as JSON objects, including their step, round and turn."""
        time: dict[str, int | str] = {"round": 0, "turn": ""}
        for step in self.document.session.history.applied:
            lines = (line for line in step.lines for _ in range(line.events))
            for event in step.events:
                if event.__journal__ is not None:  # an event without a line has the same time as the previous line
                    line = next(lines, None)
                    time = {"round": line.round, "turn": line.turn} if line is not None else time
                head = {"serial": step.serial, **time}
                body = msgspec.to_builtins(event)
                yield msgspec.json.encode({**head, "event": body.pop("type"), **body}).decode()

    def questions(self) -> Iterator[str]:
        """Yield the open questions."""
        speech = self.speech
        for prompt, ask in answers.open_questions(self.document.encounter):
            combatant = self.document.encounter.get(running.Combatant, ask.who) if ask.who else None
            detail = speech.expand_keys(ask.detail)
            question = speech.text(ask.label, detail=detail)
            about = (
                speech.text(prompt.title, subject=prompt.subject),
                combatant.label if combatant else "",
                "" if detail in question else detail,
            )
            text = ", ".join(part for part in (*about, question) if part)
            yield f"{self._name}:{self._last}: still open: {text} ({ask.id})"


def journal_lines(session: Session, speech: Phrasebook, *, with_bookkeeping: bool) -> Iterator[str]:
    """Yield the lines of a journal as text, indented by turn."""
    for line in session.journal():
        if with_bookkeeping or not line.bookkeeping:
            yield f"{_indent(line)}{speech.phrase_text(line.phrase)}"


def _indent(line: JournalLine) -> str:
    return {"header": "", "turn": "  ", "world": "  "}.get(line.kind, "    ")
