"""Adventures: going from step to step with the party, adding steps, and new adventures.

Before the next file is opened, the party is written, and then the progress with the next step. A crash between them
loses nothing: the same party is written again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from turnwright.encounter.adventure import Adventure, AdventureRun, AdventureStep, StepDone, with_done, without_done
from turnwright.encounter.prepared import Creature, Party
from turnwright.encounter.running import Combatant, KnownName, kind_id
from turnwright.encounter.state import clock_of
from turnwright.play.setup.roster import BringParty
from turnwright.play.table.game_master import SetKnownName
from turnwright.storage.adventures import PLAN, adventure_from, found_adventures, plan_of
from turnwright.storage.fights import fight_path
from turnwright.storage.library.parties import party_members
from turnwright.ui.controllers.file_controller import Choice, FileController, os_error_text
from turnwright.ui.dialogs.new_adventure import NewAdventureDialog
from turnwright.ui.docks.adventure.step_page import StepPage
from turnwright.ui.docks.players.screen import PlayersScreen
from turnwright.ui.look.style import tr
from turnwright.ui.models.row_list_model import roster_entry_name
from turnwright.ui.services.adventure import CurrentAdventure, library, now, now_text
from turnwright.ui.services.services import Controller, Services
from turnwright.ui.services.settings_store import ask_folder, ask_open_paths
from turnwright.workspace.adventure import (
    OpenAdventure,
    bringing,
    carry_party,
    done_in,
    known_here,
    later_done,
    new_adventure,
    party_to_bring,
    rest_party,
    run_after,
)
from turnwright.workspace.adventure_files import take_in, write_encounter
from turnwright.workspace.party_files import save_party

if TYPE_CHECKING:
    from turnwright.play.kernel.scheduler import Step as PlayStep
    from turnwright.ui.docks.turn.dock import TurnDock


class AdventureController(Controller):
    """Leads through the adventure of the open encounter."""

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self.current = services.controller(CurrentAdventure)
        self._files = services.controller(FileController)
        self._page: StepPage | None = None
        self._carried: tuple[str, list[tuple[str, Callable[[], object]]]] = ("", [])
        self._last_step: PlayStep | None = None  # of the encounter when it was opened
        self._phase = ""
        self._document.changed.connect(lambda _changed: self._give_names())
        self._services.layout.arranged.connect(self.show_page)
        self._begin()

    # Going on --------------------------------------------------------------------------------------------------------

    def go_on(self, direction: int) -> None:
        """Go to the next step (1) or the previous one (-1) that isn't a heading."""
        self.current.arrive()
        key = self.current.plan.beside(self.current.at, direction)
        step = self.current.step
        if direction > 0 and self.current.has_page and self._services.layout.arrangement == "run" and step is not None:
            if step.rest and self.current.at not in self.current.run.by_key and not self._rest(step):
                return
            self._finish(self.current.at, key)
        if not key:
            self._messages.notify(tr(f"ui.adventure.{'last' if direction > 0 else 'first'}-step"))
        self.go_to(key or self.current.at)

    def go_to(self, key: str) -> None:
        """Save the encounter, carry the party, and go to a step."""
        opened, step = self.current.open, self.current.open.step(key) if self.current.open is not None else None
        if opened is None or step is None or not self._leave(key):
            return
        path = opened.path_of(step) if step.encounter else opened.document_path(key)
        if path is not None and path != self._document.source.path:
            self._files.open(path)
        else:
            self.current.look()
        if self.current.at == key and self.current.has_page and self._services.layout.arrangement == "prepare":
            self.edit_step(key)

    def _leave(self, key: str) -> bool:
        """Save the encounter, and write the party and then the progress, with the step `key` as the current one.

        Return False if the encounter can't be saved.
        """
        document, at, opened = self._document.source, self.current.at, self.current.open
        is_step = self.current.step is not None and not self.current.has_page
        if document.path is not None and document.is_modified and not document.read_only and not self._files.save():
            return False
        carries = opened is not None and is_step and not document.read_only
        if opened is None or not (carries and self._has_news(at)):
            return self.current.change_run(lambda run: msgspec.structs.replace(run, at=key))
        later = later_done(self.current.plan, self.current.run, at)
        encounter, rules, plan, run = document.encounter, document.session.rules, self.current.plan, self.current.run
        before = self.current.party
        carry = partial(carry_party, plan, encounter, rules, library())
        try:
            party = carry() if not later else None
        except OSError as error:
            self._messages.notify(tr("ui.adventure.not-saved", why=os_error_text(error)), "warn")
            return False
        self._carried = ("", [])
        if party is not None and party != before:
            undo = (tr("ui.refused.undo"), partial(self._take_back, opened, before, run, at))
            self._carried = (tr("ui.adventure.carried", name=party.name), [undo])
        elif later:
            names = [step.text for each in later if (step := opened.step(each)) is not None]
            text = tr("ui.adventure.later-standing", where=names[-1])
            self._carried = (
                text,
                [(tr("ui.adventure.take-this"), carry), (tr("ui.adventure.keep-later"), lambda: None)],
            )
        return self.current.change_run(lambda run: run_after(run, encounter, at, key, now()))

    def _has_news(self, at: str) -> bool:
        """Whether the fight was played on since it was opened, or its end isn't recorded yet."""
        document = self._document.source
        played = done_in(document.encounter, at, now()) is not None and at not in self.current.run.by_key
        return played or document.was_recovered or document.session.history.last is not self._last_step

    def _take_back(self, opened: OpenAdventure, party: Party | None, run: AdventureRun, key: str) -> None:
        """Undo the last carrying: restore the party and the progress of a step."""
        if party is not None:
            save_party(library(), self.current.rules.id, lambda: party)
        done, known = run.by_key.get(key), run.known

        def restored(now: AdventureRun) -> AdventureRun:
            now = with_done(now, done) if done is not None else without_done(now, key)
            return msgspec.structs.replace(now, known=known)

        opened.change_run(restored)
        self.current.changed.emit()

    def _rest(self, step: AdventureStep) -> bool:
        """Give the party its rest. Return False if it can't be saved."""
        regained = self._page.regained() if self._page is not None else {}
        before, run, opened, at = self.current.party, self.current.run, self.current.open, self.current.at
        try:
            party = rest_party(self.current.plan, library(), self.current.rules, step.rest, regained)
        except OSError as error:
            self._messages.notify(tr("ui.adventure.not-saved", why=os_error_text(error)), "warn")
            return False
        if party is not None and opened is not None:
            undo = (tr("ui.refused.undo"), partial(self._take_back, opened, before, run, at))
            self._carried = (tr("ui.adventure.rested", name=party.name), [undo])
        return True

    def _finish(self, key: str, next_key: str) -> None:
        """Mark a scene or rest as done."""
        done = StepDone(key, now_text())
        self.current.change_run(lambda run: msgspec.structs.replace(with_done(run, done), at=next_key or run.at))

    # Arriving --------------------------------------------------------------------------------------------------------

    def enter(self) -> None:
        """Bring the party into the encounter of the current step, if its fight hasn't begun."""
        self._begin()
        self.show_page()
        self._focus_page()
        text, actions = self._carried
        self._carried = ("", [])
        if self.current.open is not None and self.current.step is not None and not self.current.has_page:
            brought, more = self._bring()
            text, actions = " ".join(filter(None, (text, brought))), more or actions
        if text:
            self._messages.notify(text, "accent", actions, persistent=bool(actions))

    def _begin(self) -> None:
        self._last_step = self._document.source.session.history.last
        self._phase = clock_of(self._document.encounter).phase

    def _bring(self) -> tuple[str, list[tuple[str, Callable[[], object]]]]:
        """Bring the party. Return a message about it, and the choices if it has other members or levels."""
        document, encounter = self._document.source, self._document.encounter
        party = party_to_bring(self.current.plan, self.current.run, encounter, library())
        how = bringing(encounter, party) if party is not None and not document.read_only else ""
        if party is None or not how:
            return "", []
        if how == "ask":
            update = (tr("ui.adventure.update"), lambda: self._messages.notify(self._update(party), "accent"))
            return tr("ui.adventure.other-party", name=party.name), [update, (tr("ui.adventure.leave"), lambda: None)]
        return self._update(party), []

    def _update(self, party: Party) -> str:
        """Update the encounter's party in one undo step, save that, and return a text about the members who changed."""
        before, was_saved = set(party_members(self._document.encounter)), not self._document.source.is_modified
        if not self._document.execute(BringParty(party, sets_absent=True)):
            return ""
        self._last_step = self._document.source.session.history.last
        if was_saved:
            self._files.save()
        creatures = {creature.id: creature for creature in party.creatures}
        who = []
        for member in party_members(self._document.encounter):
            if member not in before:
                name, block = roster_entry_name(member, creatures.get(member.creature)), creatures.get(member.creature)
                most = member.hp or (block.hp if block is not None else 0)
                stands = f"{member.state.hp}/{most}" if member.state is not None else ""
                who.append(f"{name} {tr('ui.adventure.absent') if member.absent else stands}".strip())
        return tr("ui.adventure.brought" if before else "ui.adventure.brought-new", who=", ".join(who))

    def _give_names(self) -> None:
        """When a fight begins, tell players the names that they learned in earlier encounters."""
        phase, before = clock_of(self._document.encounter).phase, self._phase
        self._phase = phase
        history = self._document.source.session.history
        if before != "preparing" or phase == before or history.next is not None or not self.current.at:
            return
        encounter = self._document.encounter
        for creature, name in known_here(self.current.run, encounter).items():
            one = next((one for one in encounter.all(Combatant) if one.creature == creature), None)
            if one is not None and encounter.get(KnownName, kind_id(creature)) is None:
                real = encounter.need(Creature, creature).name
                self._document.execute(SetKnownName((one.id,), "" if name == real else name))

    # The page between fights -----------------------------------------------------------------------------------------

    def show_page(self) -> None:
        """While running, show the page of a scene or rest instead of the fight."""
        turn = self._services.docks.built("turn")
        if turn is None:
            return
        dock: TurnDock = turn  # type: ignore[assignment]
        if not self.current.has_page:
            dock.set_page(None)
            return
        if self._page is None:
            self._page = StepPage(self.current, self._document, self._services)
            self._page.nextRequested.connect(partial(self.go_on, 1))
            self._page.textRequested.connect(lambda text: self._services.controller(PlayersScreen).send_text(text))
        self._page.refresh()
        dock.set_page(self._page)

    def _focus_page(self) -> None:
        if self._page is not None and self._services.layout.arrangement == "run":
            self._docks.show("adventure" if self.current.has_page else "order")
            self._docks.show("turn")
            if self.current.has_page:
                self._page.take_focus()

    def edit_step(self, key: str) -> None:
        """Show the panel of a step and place the cursor in it."""
        self.current.select(key)
        self._docks.focus_dock("step")

    # Adding and new adventures ---------------------------------------------------------------------------------------

    def add(self, kind: str, text: str) -> None:
        """Add a step after the selected one: a new encounter with a title, a file, a scene, a rest or a heading."""
        opened = self.current.open
        if opened is None:
            return
        fields: Mapping[str, str] = {kind: text}
        if kind == "new":
            try:
                fields = {"encounter": write_encounter(opened.folder, text, self.current.rules)}
            except OSError as error:
                self._messages.notify(tr("ui.adventure.not-saved", why=os_error_text(error)), "warn")
                return
        steps, place = self.current.plan.steps, self.current.plan.place_of(self.current.selected)
        place = place + 1 if place >= 0 else len(steps)
        if self.current.edit("add", (*steps[:place], AdventureStep(**fields), *steps[place:])):  # type: ignore[arg-type]
            self.current.select(self.current.plan.keys[place])
            if kind == "encounter":
                self.current.look()

    def find_file(self, key: str) -> None:
        """Ask for the file of an encounter that is missing."""
        opened, step = self.current.open, self.current.open.step(key) if self.current.open is not None else None
        if opened is None or step is None:
            return
        found = ask_open_paths(self._window, tr("ui.adventure.find"), opened.folder, tr("ui.files.kind"))
        if found and found[0].is_relative_to(opened.folder):
            name = found[0].relative_to(opened.folder).as_posix()
            self.current.replace_step(key, msgspec.structs.replace(step, encounter=name))
        elif found:
            self._messages.notify(tr("ui.adventure.not-inside", folder=str(opened.folder)), "warn")

    def ask_new(self, folder: Path | None = None) -> None:
        """Open the dialog for a new adventure, or one with the encounters of a folder."""
        entries = library().entries_for(self._document.rules.id)
        parties = [(entry.id, entry.name) for entry in entries if entry.kind == "party"]
        dialog = NewAdventureDialog(self._workspace.folders.adventures, parties, folder, self._window)
        dialog.chosen.connect(self.create)
        dialog.open()

    def ask_new_from_folder(self) -> None:
        """Ask for a folder, and open the dialog for an adventure with its encounters."""
        folder = ask_folder(self._window, tr("ui.adventure.choose-folder"), self._workspace.folders.adventures)
        if folder is not None:
            self.ask_new(folder)

    def create(self, title: str, party: str, folder: Path) -> None:
        """Write a new adventure with the encounters in its folder, and open it."""
        system = self._document.rules.id
        systems, state = self._workspace.systems.ids, self._workspace.folders.state
        plan = adventure_from(folder, title, system, party) if folder.is_dir() else Adventure(system, title, party)
        try:
            new_adventure(folder / PLAN, plan, systems, state)
        except FileExistsError:
            self._messages.notify(tr("ui.adventure.exists", folder=str(folder)), "warn")
        except OSError as error:
            self._messages.notify(tr("ui.adventure.not-saved", why=os_error_text(error)), "warn")
        else:
            self._files.open(folder / PLAN)
            self._docks.focus_dock("adventure")

    def choices(self) -> Sequence[Choice]:
        """Return the adventures to which the encounter can be added."""
        path = self._document.source.path
        here = plan_of(path) if path is not None else None
        plans = found_adventures(self._workspace.folders.adventures)
        return [(title, str(plan.parent), partial(self.adopt, plan)) for plan, title in plans if plan != here]

    def adopt(self, plan: Path) -> None:
        """Copy the encounter with its fight and pictures to an adventure, and open it there."""
        document = self._document.source
        if document.path is None or (document.is_modified and not self._files.save()):
            return
        before, opened = document.path, OpenAdventure(plan, self._workspace.systems.ids, self._workspace.folders.state)
        try:
            key = take_in(opened, before)
        except OSError as error:
            self._messages.notify(tr("ui.adventure.not-saved", why=os_error_text(error)), "warn")
            return
        step = opened.step(key)
        if step is not None and self._files.open(opened.path_of(step)):
            move = (tr("ui.adventure.move"), partial(self._delete, before))
            self._messages.notify(tr("ui.adventure.copied", title=opened.title), "accent", [move], persistent=True)

    def _delete(self, path: Path) -> None:
        for file in (fight_path(path), path):
            file.unlink(missing_ok=True)
