"""Messages about files saved in the library, and dialogs for library stat blocks and parties."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, cast

import msgspec

from turnwright.encounter.prepared import Creature, Party, RosterEntry, Scene
from turnwright.encounter.roles import matching_entry
from turnwright.encounter.running import InitialForecast
from turnwright.encounter.state import Encounter, clock_of, entry_name, scene_of
from turnwright.importers.traits.powers import character_rules
from turnwright.storage.library.parties import (
    kept_party,
    library_party,
    merged,
    party_members,
    party_of,
    party_people,
    stored_party,
)
from turnwright.ui.dialogs.library.compare import CompareDialog, KeepPartyDialog, Regained, RestPartyDialog
from turnwright.ui.dialogs.library.party_page import PartyPage
from turnwright.ui.dialogs.library.variant_dialog import VariantDialog
from turnwright.ui.dialogs.message_bar import ask_text
from turnwright.ui.dialogs.party_table import PartyTableDialog
from turnwright.ui.docks.shared.library_transfer import add_from_library
from turnwright.ui.forms.kinds import FormContext
from turnwright.ui.look.style import tr
from turnwright.ui.services.library import default_library
from turnwright.ui.services.services import Controller, Services
from turnwright.ui.services.workers import LatestTask
from turnwright.workspace.party_files import save_party, with_members
from turnwright.workspace.party_states import after_rest, party_states
from turnwright.workspace.party_table import PartyReader
from turnwright.workspace.print_job import initial_forecast
from turnwright.workspace.text import state_text

if TYPE_CHECKING:
    from turnwright.rules.system import RuleSystem
    from turnwright.storage.library.entries import Library, LibraryEntry
    from turnwright.ui.docks.library.actions import ComparedEntry
    from turnwright.ui.docks.library.dock import LibraryDock
Change = Callable[[Party], Party]


class LibraryController(Controller):
    """Opens the dialogs of the library panel."""

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._forecast = LatestTask(self)

    def reload(self) -> None:
        """Reload the list of the library panel, if it has been built."""
        if (dock := self._docks.built("library")) is not None:
            cast("LibraryDock", dock).reload()

    def show_only(self, paths: Sequence[str]) -> None:
        """Open the library panel with only these files, whatever their game is."""
        self._docks.focus_dock("library")
        cast("LibraryDock", self._docks.built("library")).show_only(paths)

    def notify_saved(self, text: str) -> None:
        """Report that a file was saved to the library, and reload the library panel."""
        self._messages.notify(text)
        self.reload()

    def compare(self, first: ComparedEntry, second: ComparedEntry) -> None:
        """Show two stat blocks from the library side by side."""
        left, right = ((side.creature, self._rules_of(side.system).data, side.place) for side in (first, second))
        CompareDialog(left, right, self._window).open()

    def open_variant_dialog(self, side: ComparedEntry, save: Callable[[Creature, str], object]) -> None:
        """Open the dialog that scales a creature. `save` receives the variant and the id of its rule system."""
        context = FormContext(self._rules_of(side.system), lambda: self._document.encounter)
        dialog = VariantDialog(side.creature, context, self._window)
        dialog.variantMade.connect(lambda creature: save(creature, side.system))
        dialog.open()

    def _named_encounter(self) -> Encounter:
        """Return the encounter. If it has no title, it is named by its file."""
        encounter, title = self._document.encounter, self._document.source.title or tr("ui.window.untitled")
        scene = msgspec.structs.replace(scene_of(encounter), title=title)
        return Encounter((scene, *(record for record in encounter if not isinstance(record, Scene))))

    def offer_removal(self) -> None:
        """Offer to remove awards of the fight that were undone from the party's file."""
        library, system, encounter = default_library(), self._document.rules.id, self._named_encounter()
        stored = library_party(library, system, encounter)
        if stored is None:
            return
        without = partial(_awarded, library, system, stored, encounter)
        if len(without().awards) < len(stored.awards):
            step = (tr("ui.end.take-back"), lambda: self._save(library, stored.name, system, without))
            self._messages.notify(tr("ui.end.file-has", name=stored.name), "warn", [step])

    def _usual_name(self, library: Library, encounter: Encounter) -> str:
        """Return the name of the encounter's party in the library, or one from the names of its members."""
        stored = library_party(library, self._document.rules.id, encounter)
        return stored.name if stored is not None else tr("ui.roster.party-usual", who=party_people(encounter))

    def save_party(self) -> None:
        """Save the encounter's party as it was prepared, after asking for its name."""
        encounter, system, library = self._document.encounter, self._document.rules.id, default_library()
        title, label = tr("ui.roster.save-party"), tr("ui.roster.party-name")
        name = ask_text(self._window, title, label, self._usual_name(library, encounter))
        if name and party_members(encounter):
            here = party_of(encounter, "", name)
            self._save(library, name, system, lambda: kept_party(library, system, name, here, encounter))

    def keep_party(self) -> None:
        """Open the dialog that saves the party's current state to the library."""
        encounter, rules = self._named_encounter(), self._document.rules
        states = party_states(encounter, rules)
        entries = [roster_entry for roster_entry in encounter.all(RosterEntry) if roster_entry.id in states]
        creatures = {entry.id: encounter.get(Creature, entry.creature) for entry in entries}
        members = [(entry, entry_name(encounter, entry)) for entry in entries]
        lines = {
            entry.id: state_text(states[entry.id], creatures[entry.id], entry, self._document.phrasebook)
            for entry in entries
        }
        library = default_library()

        def save(name: str, member_ids: Sequence[str]) -> None:
            kept = {id: states[id] for id in member_ids}
            here = party_of(encounter, "", name, kept)
            self._save(library, name, rules.id, lambda: kept_party(library, rules.id, name, here, encounter, kept))
            self.keep_fight(encounter, rules)

        dialog = KeepPartyDialog(members, lines, self._usual_name(library, encounter), self._window)
        dialog.kept.connect(save)
        dialog.open()

    def keep_fight(self, encounter: Encounter, rules: RuleSystem) -> None:
        """Save an ended fight's forecast and result with its party. The forecast is made in the background."""
        library, has_ended = default_library(), clock_of(encounter).phase == "ended"
        stored = library_party(library, rules.id, encounter) if has_ended else None
        if stored is None or encounter.get(InitialForecast, "initial") is not None:
            return

        def end(forecast: InitialForecast | None) -> None:
            if forecast is not None:
                played = Encounter((*encounter, forecast))
                with suppress(OSError):  # the party's state has been saved, or a message has said why not
                    save_party(library, rules.id, lambda: _awarded(library, rules.id, stored, played))

        self._forecast.start(lambda: initial_forecast(encounter, rules), end)

    def keep_added(self, party: Party) -> None:
        """Save new members of the encounter's party to the library party of that name, or as a new one."""
        library, rules, encounter = default_library(), self._document.rules, self._document.encounter
        ids = {entry.id for member in party.roster if (entry := matching_entry(encounter, party, member)) is not None}
        whole = party_of(encounter, "", party.name)
        roster = tuple(entry for entry in whole.roster if entry.id in ids)
        blocks = {entry.creature for entry in roster}
        creatures = tuple(creature for creature in whole.creatures if creature.id in blocks)
        here = msgspec.structs.replace(whole, roster=roster, creatures=creatures)
        self._save(library, party.name, rules.id, lambda: kept_party(library, rules.id, party.name, here, encounter))

    def open_entry(self, entry: LibraryEntry) -> None:
        """Open the page of the party of a library entry."""
        record, _ = default_library().load(entry)
        if isinstance(record, Party):
            self.open_party(record, entry.system)

    def open_party(self, party: Party, system: str) -> None:
        """Open the page of a library party, from which it can rest or be added to the encounter."""
        rules = self._rules_of(system)
        page = PartyPage(party, rules, self._document.phrasebook, self._window)
        page.changed.connect(lambda changed: self.keep_standing(changed, system, "state", "absent"))
        page.restRequested.connect(lambda: self.rest_party(page.party, system, page.show_party))

        def save(change: Change) -> None:
            library = default_library()
            self._save(library, party.name, system, lambda: change(stored_party(library, system, party)))
            page.show_party(stored_party(library, system, party))

        page.editRequested.connect(lambda rises: self.edit_party(page.party, rules, save, rises))
        page.addRequested.connect(
            lambda how: add_from_library(self._document, after_rest(page.party, self._document.rules, how))
        )
        page.open_once()

    def edit_party(
        self, party: Party, rules: RuleSystem, save: Callable[[Change], object], rises: bool = False
    ) -> None:
        """Open the table of a party. `save` receives a function that changes it. With `rises`, all levels rise."""
        reader = PartyReader(rules, character_rules(rules.data), lambda _name: None, tr)
        dialog = PartyTableDialog(self._document, reader, self._window, party)
        dialog.changed.connect(lambda rows: save(lambda now: reader.changed(now, rows)))
        dialog.open_once()
        if rises:
            dialog.level_up()

    def rest_party(self, party: Party, system: str, show: Callable[[Party], object] = lambda _party: None) -> None:
        """Open the dialog that gives a library party a rest, and save the party's new state to the library.

        `show` receives the rested party.
        """
        rules = self._rules_of(system)
        creatures, words = {creature.id: creature for creature in party.creatures}, self._document.phrasebook
        members = [(entry.id, entry_name(Encounter(party.creatures), entry)) for entry in party.roster]

        def after(length: str, regained: Regained) -> Party:
            return after_rest(party, rules, length, regained)

        def line(standing: Party, id: str) -> str:
            entry = next(member for member in standing.roster if member.id == id)
            return state_text(entry.state, creatures.get(entry.creature), entry, words)

        dialog = RestPartyDialog(party, members, after, line, self._window)
        dialog.rested.connect(lambda standing: self.keep_standing(standing, system, "state"))
        dialog.rested.connect(show)
        dialog.open()

    def keep_standing(self, party: Party, system: str, *fields: str) -> None:
        """Save these fields of the members of a library party."""
        library = default_library()
        self._save(library, party.name, system, lambda: with_members(library, system, party, *fields))

    def _save(self, library: Library, name: str, system: str, make: Callable[[], Party]) -> None:
        try:
            path = save_party(library, system, make)
        except OSError as error:
            self.notify_saved(tr("ui.library.not-saved", what=name, why=error.strerror or ""))
        else:
            self.notify_saved(tr("ui.library.saved", what=name, file=path.name))

    def _rules_of(self, system: str) -> RuleSystem:
        """Return the rule system with this id, or the encounter's if the id is unknown."""
        systems = self._document.source.systems
        return systems.get(system) if system in systems.ids else self._document.rules


def _awarded(library: Library, system: str, party: Party, encounter: Encounter) -> Party:
    """Return a party as the library has it now, with the awards and the result of an encounter's fight."""
    return merged(stored_party(library, system, party), party_of(encounter, "", ""), encounter, {})
