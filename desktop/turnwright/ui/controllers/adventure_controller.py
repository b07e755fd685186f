"""Adventures: going from step to step with the party, adding steps, and new adventures.

Before the next file is opened, the party is written, and then the progress with the next step. A crash between them
loses nothing: the same party is written again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from turnwright.encounter.adventure import Adventure, AdventureRun, AdventureStep, StepDone, with_done
from turnwright.encounter.prepared import Creature, Party
from turnwright.encounter.running import Combatant, KnownName, kind_id
from turnwright.encounter.state import clock_of, entry_name
from turnwright.play.setup.roster import BringParty
from turnwright.play.table.game_master import SetKnownName
from turnwright.storage.adventures import PLAN, adventure_from, found_adventures, plan_of
from turnwright.storage.fights import fight_path
from turnwright.storage.library.parties import party_members
from turnwright.ui.controllers.file_controller import Choice, FileController
from turnwright.ui.controllers.library_controller import LibraryController
from turnwright.ui.dialogs.adventure_dialogs import NewAdventureDialog
from turnwright.ui.docks.adventure.step_page import StepPage
from turnwright.ui.docks.players.screen import PlayersScreen
from turnwright.ui.look.style import tr
from turnwright.ui.services.adventure import CurrentAdventure, now, parties_of
from turnwright.ui.services.library import default_library
from turnwright.ui.services.services import Controller, MessageAction, Services
from turnwright.ui.services.settings_store import ask_folder, ask_open_paths
from turnwright.workspace import adventure as adventures
from turnwright.workspace.adventure_files import take_in, write_encounter
from turnwright.workspace.party_files import save_party

if TYPE_CHECKING:
    from turnwright.play.kernel.scheduler import Step
    from turnwright.ui.docks.turn.dock import TurnDock

Message = tuple[str, list[tuple[str, Callable[[], object]]]]


class AdventureController(Controller):
    """Leads through the adventure of the open encounter."""

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self.current = services.controller(CurrentAdventure)
        self._files = services.controller(FileController)
        self.page: StepPage | None = None
        self._message: Message = ("", [])  # to be shown at the next step
        self._last_step: Step | None = None  # of the encounter when it was opened
        self._phase = self._said = ""
        self._document.changed.connect(lambda _changed: self._give_names())
        services.layout.arranged.connect(self.show_page)
        services.layout.arranged.connect(self._turn_to_page)
        self._begin()

    # To another step -------------------------------------------------------------------------------------------------

    def go_on(self, direction: int) -> None:
        """Go to the next step (1) or the previous one (-1) that isn't a heading."""
        current = self.current
        current.arrive()
        at, step, run, before = current.at, current.step, current.run, current.party
        waits = current.has_page or clock_of(self._document.encounter).phase == "preparing"
        opened = current.open
        if direction > 0 and step is not None and waits and self._is_running and at not in run.by_key:
            if step.rest and opened is not None:
                regained = self.page.regained() if self.page is not None else {}
                rest = partial(adventures.take_rest, opened, at, default_library(), current.rules, regained, now())
                if not current.attempt(rest):
                    return
                self._offer_undo("rested", before, run, at)
            else:
                done = StepDone(at, now().isoformat(), skipped=not current.has_page)
                current.change_run(lambda run: with_done(run, done))
        elif direction > 0 and step is not None and step.rest and at not in run.by_key and not self._is_running:
            self._message = tr("ui.adventure.rest-passed"), []
        key = current.plan.beside(at, direction)
        if not key:
            self._messages.notify(tr(f"ui.adventure.{'last' if direction > 0 else 'first'}-step"))
        self.go_to(key or at)

    def go_to(self, key: str) -> None:
        """Save the encounter, carry the party, and go to a step."""
        opened, step = self.current.open, self.current.step_of(key)
        if opened is None or step is None or not self._leave(key):
            return
        path = opened.path_of(step) if step.encounter else opened.document_path(key)
        if path is not None and path != self._document.source.path:
            self._files.open(path)
        else:
            self.current.look()
        if self.current.at == key and self.current.has_page and not self._is_running:
            self.edit_step(key)

    @property
    def _is_running(self) -> bool:
        return self._services.layout.arrangement == "run"

    def _leave(self, key: str) -> bool:
        """Save the encounter, and write the party and then the progress, with the step `key` as the current one.

        Return False if that fails.
        """
        document, current = self._document.source, self.current
        at, run, plan, before = current.at, current.run, current.plan, current.party
        encounter, rules = document.encounter, document.session.rules
        if document.path is not None and document.is_modified and not document.read_only and not self._files.save():
            return False
        if current.step is None or current.has_page or document.read_only or not self._has_news(at):
            return current.change_run(lambda run: msgspec.structs.replace(run, at=key))
        carry = partial(adventures.carry_party, plan, encounter, rules, default_library())
        later = adventures.later_done(plan, run, at)
        if not current.attempt(partial(carry, awards_only=bool(later))):
            return False
        self._services.controller(LibraryController).keep_fight(encounter, rules)
        if later:
            step = current.step_of(later[-1])
            text = tr("ui.adventure.later-standing", where=current.name_of(step) if step is not None else "")
            take = (tr("ui.adventure.take-this"), partial(current.attempt, carry))
            self._message = text, [take, (tr("ui.adventure.keep-later"), lambda: None)]
        else:
            self._offer_undo("carried", before, run, at)
        return current.change_run(lambda run: adventures.run_after(run, encounter, at, key, now()))

    def _has_news(self, at: str) -> bool:
        """Whether the fight was played on since it was opened, or its end isn't recorded yet."""
        document = self._document.source
        played = clock_of(document.encounter).phase == "ended" and at not in self.current.run.by_key
        return played or document.was_recovered or document.session.history.last is not self._last_step

    def _offer_undo(self, word: str, before: Party | None, run: AdventureRun, key: str) -> None:
        """If the party has changed, say so at the next step, and offer to restore it and the progress of this step."""
        party, opened = self.current.party, self.current.open
        if before is None or party is None or party == before or opened is None:
            return

        def restored(now: AdventureRun) -> AdventureRun:
            done = [*(done for done in now.done if done.id != key), *(done for done in run.done if done.id == key)]
            return msgspec.structs.replace(now, done=tuple(done), known=run.known)

        def undo() -> None:
            self.current.attempt(lambda: save_party(default_library(), self.current.rules.id, lambda: before))
            self.current.attempt(lambda: opened.change_run(restored))
            self.current.changed.emit()
            self._say_brought()

        self._message = tr(f"ui.adventure.{word}", name=party.name), [(tr("ui.refused.undo"), undo)]

    # At a step -------------------------------------------------------------------------------------------------------

    def enter(self) -> None:
        """Bring the party into the encounter of the current step, if its fight hasn't begun."""
        self._begin()
        self.show_page()
        self._turn_to_page()
        (text, actions), self._message = self._message, ("", [])
        self._say_brought(text, actions)

    def _say_brought(self, text: str = "", actions: Sequence[MessageAction] = ()) -> None:
        """Bring the party into the encounter, and say so after another message."""
        if self.current.step is not None:
            brought, choices = self._bring()
            text, actions = " ".join(filter(None, (text, brought))), choices or actions
        if text:
            self._messages.notify(text, "accent", actions, persistent=bool(actions))
        self._said = text

    def _begin(self) -> None:
        self._last_step = self._document.source.session.history.last
        self._phase = clock_of(self._document.encounter).phase

    def _bring(self) -> Message:
        """Bring the party. If it has other members or levels, return a question instead of a message about it."""
        encounter = self._document.encounter
        party = adventures.party_to_bring(self.current.plan, self.current.run, encounter, default_library())
        if party is None or self._document.source.read_only or not (how := adventures.bringing(encounter, party)):
            return "", []
        if how == "update":
            return self._update(party), []
        update = (tr("ui.adventure.update"), lambda: self._messages.notify(self._update(party), "accent"))
        return tr("ui.adventure.other-party", name=party.name), [update, (tr("ui.adventure.leave"), lambda: None)]

    def _update(self, party: Party) -> str:
        """Update the encounter's party in one undo step, save that, and return a text about the members who changed."""
        before, was_saved = set(party_members(self._document.encounter)), not self._document.source.is_modified
        if not self._document.execute(BringParty(party, sets_absent=True)):
            return ""
        self._last_step = self._document.source.session.history.last
        if was_saved and self._document.source.path is not None:
            self._files.save()
        encounter, who = self._document.encounter, []
        for member in party_members(encounter):
            if member not in before:
                most = member.hp or encounter.need(Creature, member.creature).hp
                stands = f"{member.state.hp}/{most}" if member.state is not None else ""
                stands = tr("ui.adventure.absent") if member.absent else stands
                who.append(f"{entry_name(encounter, member)} {stands}".strip())
        return tr("ui.adventure.brought" if before else "ui.adventure.brought-new", who=", ".join(who))

    def _give_names(self) -> None:
        """When a fight begins, tell players the names that they learned in earlier encounters."""
        phase, before = clock_of(self._document.encounter).phase, self._phase
        self._phase, encounter, path = phase, self._document.encounter, self._document.source.path
        if phase == "set-up" != before and self.current.has_page and self.current.open is not None and path is not None:
            self.go_to(self.current.open.key_of(path))  # the fight was started from the page of another step
        if before != "preparing" or phase == before or self._document.source.session.history.next is not None:
            return
        if self._is_running and self.current.open is not None:
            self._docks.show("order")
        if self._said and self._messages.bar.text() == self._said:
            self._messages.bar.dismiss()
        for creature, name in adventures.known_here(self.current.run, encounter).items():
            one = next((one for one in encounter.all(Combatant) if one.creature == creature), None)
            if one is not None and encounter.get(KnownName, kind_id(creature)) is None:
                real = encounter.need(Creature, creature).name
                self._document.execute(SetKnownName((one.id,), "" if name == real else name))

    def show_page(self) -> None:
        """While running, show the page of a scene or rest instead of the fight."""
        turn: TurnDock | None = self._docks.built("turn")  # type: ignore[assignment]
        if turn is None:
            return
        turn.end.join_adventure(self.current.step)
        if self.page is None and self.current.has_page:
            self.page = StepPage(self.current, self._document, self._services)
            self.page.nextRequested.connect(partial(self.go_on, 1))
            players = self._services.controller(PlayersScreen)
            self.page.textRequested.connect(players.send_text)
            self.page.pictureRequested.connect(players.send_file)
        if self.page is not None and self.current.has_page:
            self.page.refresh()
        turn.set_page(self.page if self.current.has_page else None)
        self._services.layout.has_page = self.current.has_page and self._is_running
        self._docks.docksChanged.emit()  # for the button of the tool bar

    def _turn_to_page(self) -> None:
        """While running, show the panel of what there is to do, and focus the page of a scene or rest."""
        if self._is_running and self.current.open is not None:
            self._docks.show("adventure" if self.current.has_page or self._phase == "preparing" else "order")
            if self.current.has_page and self.page is not None:
                self.page.take_focus()

    def edit_step(self, key: str) -> None:
        """Show the panel of a step and place the cursor in it."""
        self.current.select(key)
        self._docks.focus_dock("step")

    # Steps and adventures --------------------------------------------------------------------------------------------

    def add(self, kind: str, text: str) -> None:
        """Add a step after the selected one: a `new` encounter with a title, a file, a scene, a rest or a heading."""
        current, names = self.current, [text]
        if current.open is None:
            return
        folder = current.open.folder
        if kind == "new" and not current.attempt(lambda: names.append(write_encounter(folder, text, current.rules))):
            return
        step = msgspec.convert({"encounter" if kind == "new" else kind: names[-1]}, AdventureStep)
        steps, place = current.plan.steps, current.plan.place_of(current.selected)
        place = place + 1 if place >= 0 else len(steps)
        if current.edit("add", (*steps[:place], step, *steps[place:])):
            current.select(key := current.plan.keys[place])
            if step.encounter and self._document.source.path is None:
                self.go_to(key)  # the first encounter replaces the unused one

    def find_file(self, key: str) -> None:
        """Ask for the file of an encounter that is missing."""
        opened, step = self.current.open, self.current.step_of(key)
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
        home, parties = self._workspace.folders.adventures, parties_of(self._document.rules.id)
        dialog = NewAdventureDialog(home, parties, folder, self._window)
        dialog.chosen.connect(self.create)
        dialog.open()

    def ask_new_from_folder(self) -> None:
        """Ask for a folder, and open the dialog for an adventure with its encounters."""
        folder = ask_folder(self._window, tr("ui.adventure.choose-folder"), self._workspace.folders.adventures)
        if folder is not None:
            self.ask_new(folder)

    def create(self, title: str, party: str, folder: Path) -> None:
        """Write a new adventure with the encounters in its folder, and open it."""
        system, path = self._document.rules.id, folder / PLAN
        if path.exists():
            self._messages.notify(tr("ui.adventure.exists", folder=str(folder)), "warn")
            return
        plan = adventure_from(folder, title, system, party) if folder.is_dir() else Adventure(system, title, party)
        systems, state = self._workspace.systems.ids, self._workspace.folders.state
        if self.current.attempt(lambda: adventures.new_adventure(path, plan, systems, state)):
            self._files.open(path)
            self._docks.focus_dock("adventure")

    def choices(self) -> Sequence[Choice]:
        """Return the adventures to which the encounter can be added."""
        path = self._document.source.path
        here = plan_of(path) if path is not None else None
        plans = found_adventures(self._workspace.folders.adventures)
        return [(title, str(plan.parent), partial(self.adopt, plan)) for plan, title in plans if plan != here]

    def adopt(self, plan: Path) -> None:
        """Copy the encounter with its fight and pictures to an adventure, and open it there."""
        path, keys = self._document.source.path, [""]
        if path is None or (self._document.source.is_modified and not self._files.save()):
            return
        opened = adventures.OpenAdventure(plan, self._workspace.systems.ids, self._workspace.folders.state)
        if not self.current.attempt(lambda: keys.append(take_in(opened, path))):
            return
        if (step := opened.step(keys[-1])) is not None and self._files.open(opened.path_of(step)):
            delete = partial(map, os.remove, filter(os.path.exists, (fight_path(path), path)))
            move = (tr("ui.adventure.move"), lambda: [*delete()])
            self._messages.notify(tr("ui.adventure.copied", title=opened.title), "accent", [move], persistent=True)
