"""File work on the encounters of an adventure: copy, rename, take in from elsewhere, and find a word in all of them."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from turnwright.encounter.adventure import AdventureRun, AdventureStep
from turnwright.encounter.field_specs import MAX_ITEMS
from turnwright.encounter.prepared import Scene
from turnwright.encounter.state import PREPARED, Encounter, Record, scene_of
from turnwright.rules.system import RuleSystem
from turnwright.storage.adventures import encounter_files, name_problem
from turnwright.storage.atomic import IdAllocator, replace_atomically
from turnwright.storage.encounters import EncounterFile, read_encounter
from turnwright.storage.fights import fight_path
from turnwright.storage.picture_files import copy_pictures
from turnwright.workspace.adventure import OpenAdventure
from turnwright.workspace.document import DocumentInUseError
from turnwright.workspace.locks import DocumentLock, lock_name
from turnwright.workspace.recovery import history_path

_BEFORE, _AFTER = 16, 60  # characters of an excerpt before and after the word


class Hit(msgspec.Struct, frozen=True):
    """A text that contains the words looked for.

    `step` is the key of the step, `table` and `id` the record in its encounter or empty, and `name` the record's name.
    """

    step: str
    title: str
    table: str = ""
    id: str = ""
    name: str = ""
    excerpt: str = ""

    @property
    def place(self) -> str:
        """The title of the step, and the name of the record."""
        return f"{self.title} \N{MIDDLE DOT} {self.name}" if self.name else self.title


def find_in_all(adventure: OpenAdventure, query: str) -> tuple[Hit, ...]:
    """Return the texts of an adventure's steps and encounters that contain all words of a query, in order."""
    words = query.casefold().split()
    if not words or adventure.adventure is None:
        return ()
    hits: list[Hit] = []
    for key, step in zip(adventure.adventure.keys, adventure.adventure.steps, strict=True):
        encounter = _encounter(adventure, step)
        title = step.title or (scene_of(encounter).title if encounter is not None else "") or step.text
        if excerpt := _excerpt((title, step.read_aloud, step.notes), words):
            hits.append(Hit(key, title, excerpt=excerpt))
        for record in _records(encounter):
            if excerpt := _excerpt(_texts(msgspec.to_builtins(record)), words):
                name = getattr(record, "name", "") or getattr(record, "title", "") or record.id
                hits.append(Hit(key, title, record.table, record.id, name, excerpt))
    return tuple(hits[:MAX_ITEMS])


def _encounter(adventure: OpenAdventure, step: AdventureStep) -> Encounter | None:
    path = adventure.path_of(step)
    return read_encounter(path, adventure.systems).readable if step.encounter and path.is_file() else None


def _records(encounter: Encounter | None) -> Iterator[Record]:
    for kind in PREPARED if encounter is not None else ():
        yield from encounter.all(kind) if encounter is not None else ()


def _texts(value: Any) -> Iterator[str]:
    """Yield all texts in a record's values. Names of fields are left out."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner)


def _excerpt(texts: Iterator[str] | tuple[str, ...], words: list[str]) -> str:
    """Return the part of the texts around the first of the words, or an empty string if not all words are there."""
    kept = [text for text in texts if text]
    whole = "\n".join(kept).casefold()
    if not all(word in whole for word in words):
        return ""
    text = next(text for text in kept if words[0] in text.casefold())
    at = text.casefold().index(words[0])
    start = 0 if at <= _BEFORE else text.rfind(" ", 0, at - _BEFORE) + 1
    end = at + len(words[0]) + _AFTER
    before, after = "\N{HORIZONTAL ELLIPSIS}" * (start > 0), "\N{HORIZONTAL ELLIPSIS}" * (end < len(text))
    return before + " ".join(text[start:end].split()) + after


def copy_encounter(adventure: OpenAdventure, key: str, title: str) -> str:
    """Copy the encounter of a step without its fight, and add the copy below it. Return the key of the new step.

    Raise LookupError if the step's file can't be read, PlanChangedError or OSError.
    """
    step, plan = adventure.step(key), adventure.adventure
    if step is None or plan is None:
        raise LookupError(key)
    path = adventure.path_of(step)
    loaded = read_encounter(path, adventure.systems)
    if loaded.encounter is None:
        raise LookupError(str(path))
    scene = msgspec.structs.replace(scene_of(loaded.encounter), title=title)
    copied = Encounter([scene, *(record for record in loaded.encounter if record.id != scene.id)])
    new = _free_path(path.parent, title)
    replace_atomically(new, EncounterFile(loaded.text).render(copied).encode())
    name = new.relative_to(adventure.folder).as_posix()
    place = plan.place_of(key) + 1
    added = msgspec.structs.replace(step, encounter=name, title="")
    adventure.change_plan(msgspec.structs.replace(plan, steps=(*plan.steps[:place], added, *plan.steps[place:])))
    return f"encounter:{name}"


def write_encounter(folder: Path, title: str, rules: RuleSystem) -> str:
    """Write a new, empty encounter file in a folder, and return its name. Raise OSError."""
    path = _free_path(folder, title)
    scene = Scene(title=title, system=rules.id, round_seconds=rules.default_round_seconds(Scene().purpose))
    replace_atomically(path, EncounterFile().render(Encounter([scene])).encode())
    return path.name


def take_in(adventure: OpenAdventure, path: Path, key: str = "") -> str:
    """Add an encounter to the plan, after the step with a key or at the end. Return the key of the new step.

    A file outside the folder is copied into it with its fight and its pictures. Raise LookupError if it can't be read,
    PlanChangedError or OSError.
    """
    plan, path = adventure.adventure, path.absolute()
    loaded = read_encounter(path, adventure.systems)
    if plan is None or loaded.readable is None:
        raise LookupError(str(path))
    inside = path.is_relative_to(adventure.folder) and path.relative_to(adventure.folder).as_posix()
    if not inside or inside not in encounter_files(adventure.folder):
        new = _free_path(adventure.folder, path.stem)
        copy_pictures(loaded.readable, path.parent, new.parent)
        if fight_path(path).is_file():
            replace_atomically(fight_path(new), fight_path(path).read_bytes())
        replace_atomically(new, path.read_bytes())
        inside = new.name
    place = plan.place_of(key) + 1 if key else len(plan.steps)
    steps = (*plan.steps[:place], AdventureStep(encounter=inside), *plan.steps[place:])
    adventure.change_plan(msgspec.structs.replace(plan, steps=steps))
    return f"encounter:{inside}"


def rename_encounter(adventure: OpenAdventure, key: str, name: str) -> str:
    """Rename the file of a step with its fight, its undo history and its progress. Return the step's new key.

    Raise DocumentInUseError if a window has it open, FileExistsError, ValueError if the name can't be a file's,
    LookupError, PlanChangedError or OSError.
    """
    step, plan = adventure.step(key), adventure.adventure
    if step is None or plan is None or not step.encounter:
        raise LookupError(key)
    old = adventure.path_of(step)
    new = old.with_name(f"{name.removesuffix('.toml')}.toml")
    if problem := name_problem(new.name):
        raise ValueError(problem)
    state = adventure.state_folder
    lock = DocumentLock(state / "recovery", lock_name(old))
    if not lock.acquire():
        raise DocumentInUseError(old)
    try:
        if new.exists() or fight_path(new).exists():
            raise FileExistsError(str(new))
        inside = new.relative_to(adventure.folder).as_posix()
        steps = tuple(msgspec.structs.replace(each, encounter=inside) if each is step else each for each in plan.steps)
        old.rename(new)
        try:
            adventure.change_plan(msgspec.structs.replace(plan, steps=steps))
        except BaseException:
            new.rename(old)
            raise
        if fight_path(old).exists():
            fight_path(old).rename(fight_path(new))
        with suppress(OSError):  # without it, only the undo history is lost
            history_path(state, lock_name(old)).rename(history_path(state, lock_name(new)))
    finally:
        lock.release()
    new_key = f"encounter:{inside}"
    adventure.change_run(lambda run: _renamed(run, key, new_key))
    return new_key


def _renamed(run: AdventureRun, old: str, new: str) -> AdventureRun:
    done = tuple(msgspec.structs.replace(each, id=new) if each.id == old else each for each in run.done)
    return msgspec.structs.replace(run, at=new if run.at == old else run.at, done=done)


def _free_path(folder: Path, title: str) -> Path:
    """Return the path of a new encounter file for a title."""
    taken = (path.name.partition(".")[0] for path in folder.iterdir())
    return folder / f"{IdAllocator(taken).allocate(title, 'encounter')}.toml"
