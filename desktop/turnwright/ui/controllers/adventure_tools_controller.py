"""Work on a whole adventure: finding a word, printing the packet, sharing it, and copying or renaming its encounters."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from turnwright.encounter.adventure import AdventureStep
from turnwright.handouts.page_input import PrintOptions
from turnwright.handouts.typesetter import TypesetError
from turnwright.storage import adventure_zip, adventures, atomic
from turnwright.ui.controllers import adventure_controller, file_controller
from turnwright.ui.dialogs import adventure_dialogs, message_bar, palette
from turnwright.ui.look.style import tr
from turnwright.ui.services import library, workers
from turnwright.ui.services.adventure import CurrentAdventure
from turnwright.ui.services.services import Controller, Services
from turnwright.ui.services.settings_store import ask_open_path, ask_save_path
from turnwright.workspace import adventure_files, document, print_job
from turnwright.workspace.adventure import OpenAdventure, PlanChangedError
from turnwright.workspace.packet import Packet, PacketJob


class AdventureToolsController(Controller):
    """Finds, prints, shares, copies and renames in the adventure of the open encounter."""

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self.current = services.controller(CurrentAdventure)
        self._files = services.controller(file_controller.FileController)
        self._finder: adventure_dialogs.FindPalette | None = None

    # Finding -------------------------------------------------------------------------------------------------------

    def open_finder(self) -> None:
        """Open the line that finds a word in all steps and encounters of the adventure."""
        opened = self.current.open
        if opened is None:
            return
        if self._finder is not None:
            self._finder.deleteLater()
        self._finder = adventure_dialogs.FindPalette(self._window, lambda query: self._hits(opened, query))
        self._finder.open_over(self._window)

    def _hits(self, opened: OpenAdventure, query: str) -> Sequence[palette.PaletteEntry]:
        hits = adventure_files.find_in_all(opened, query)
        return [palette.PaletteEntry(hit.excerpt, partial(self._go_to, hit), hit.place, icon="magnify") for hit in hits]

    def _go_to(self, hit: adventure_files.Hit) -> None:
        adventure = self._services.controller(adventure_controller.AdventureController)
        if hit.table:
            adventure.go_to(hit.step)
            self._document.select((hit.table, hit.id))
        else:
            adventure.edit_step(hit.step)

    # The packet ----------------------------------------------------------------------------------------------------

    def open_packet(self) -> None:
        """Open the dialog that prints the whole adventure."""
        if self.current.open is None:
            return
        rows = [
            (key, self.current.name_of(step), not step.part)
            for key, step in zip(self.current.plan.keys, self.current.plan.steps, strict=True)
        ]
        dialog = adventure_dialogs.PacketDialog(rows, self._settings_store.settings.paper or "a4", self._window)
        dialog.chosen.connect(self.ask_packet)
        dialog.open()

    def ask_packet(self, left_out: Sequence[str], kinds: Sequence[str], options: PrintOptions) -> None:
        """Ask for a file, and write the packet to it."""
        name = f"{atomic.slug(self._title, 'adventure')}.pdf"
        out = ask_save_path(
            self._window, tr("ui.packet.choose"), self._home / name, tr("ui.handouts.files-pdf"), ".pdf"
        )
        if out is not None:
            self.write_packet(out, left_out, kinds, options)

    def write_packet(self, out: Path, left_out: Sequence[str], kinds: Sequence[str], options: PrintOptions) -> None:
        """Write the packet of the adventure to a PDF file, in the background."""
        plan, folder, systems, words = self.current.plan, self._home, self._workspace.systems, self._document.words
        party, places = self.current.party, self._workspace.folders

        def make(progress: workers.Progress) -> Packet | str | None:
            job = PacketJob(plan, folder, systems, words, options, kinds, party=party, left_out=left_out)
            try:
                with print_job.typesetter_for(places) as typesetter:
                    packet = job.typeset(typesetter, progress=progress)
            except TypesetError as misprint:
                return str(misprint)
            if packet is not None:
                atomic.replace_atomically(out, packet.result.pages[0])
            return packet

        self._services.jobs.run(make, partial(self._say_printed, out), "ui.packet.title")

    def _say_printed(self, out: Path, made: Packet | str | None) -> None:
        if isinstance(made, Packet):
            text = tr("ui.packet.written", file=str(out))
            self._messages.notify("\n".join((text, *made.problems)), "warn" if made.problems else "")
        else:
            self._messages.notify(tr("ui.handouts.failed", why=made) if made else tr("ui.packet.nothing"), "warn")

    # Sharing -------------------------------------------------------------------------------------------------------

    def ask_export(self) -> None:
        """Ask for the contents and a file, and write the adventure to it."""
        if self.current.open is not None:
            dialog = adventure_dialogs.ShareDialog(self.current.party is not None, self._window)
            dialog.chosen.connect(self._ask_export_file)
            dialog.open()

    def _ask_export_file(self, with_party: bool, with_progress: bool) -> None:
        name = f"{atomic.slug(self._title, 'adventure')}.zip"
        out = ask_save_path(
            self._window, tr("ui.share.choose-out"), self._home.parent / name, tr("ui.share.kind"), ".zip"
        )
        if out is not None:
            self.export(out, with_party=with_party, with_progress=with_progress)

    def export(self, out: Path, *, with_party: bool = False, with_progress: bool = False) -> None:
        """Write the adventure to a .zip file, in the background."""
        plan, systems = self._home / adventures.PLAN, self._workspace.systems.ids
        party = self.current.party if with_party else None
        make = partial(adventure_zip.export_adventure, plan, out, systems, party=party, with_progress=with_progress)
        self._services.jobs.run(
            lambda progress: make(progress=progress),
            lambda count: self._messages.notify(tr("ui.share.done", n=count, file=str(out))),
            "ui.share.title",
        )

    def ask_import(self) -> None:
        """Ask for a .zip file, read the adventure in it into a new folder, and open it."""
        path = ask_open_path(self._window, tr("ui.share.choose-in"), Path.home(), tr("ui.share.kind"))
        if path is not None:
            self.import_from(path)

    def import_from(self, path: Path) -> None:
        """Read an adventure from a .zip file into a new folder, and open it."""
        into, systems = self._workspace.folders.adventures, self._workspace.systems.ids
        make = partial(adventure_zip.import_adventure, path, into, systems, library.default_library())
        self._services.jobs.run(make, self._files.open, "ui.share.title-in")

    # Files of steps ------------------------------------------------------------------------------------------------

    def ask_copy(self) -> None:
        """Ask for a title, and copy the encounter of the selected step without its fight."""
        step = self._selected_step()
        if step is None or self.current.open is None:
            return
        usual = tr("ui.adventure.copy-of", title=self.current.name_of(step))
        if title := message_bar.ask_text(self._window, tr("ui.adventure.copy"), tr("ui.adventure.name"), usual):
            opened, key = self.current.open, self.current.selected
            copied = self._attempt(lambda: adventure_files.copy_encounter(opened, key, title))
            self.current.look()
            self.current.select(copied or key)

    def ask_rename(self) -> None:
        """Ask for a name, and rename the file of the selected step with its fight."""
        step = self._selected_step()
        if step is None or self.current.open is None:
            return
        title, label = tr("ui.adventure.rename-file"), tr("ui.adventure.file")
        if name := message_bar.ask_text(self._window, title, label, Path(step.encounter).stem):
            self.rename(self.current.selected, name)

    def rename(self, key: str, name: str) -> None:
        """Rename the file of a step. If it is open in this window, it is saved first and opened again."""
        opened, here = self.current.open, self._document.source.path
        step = opened.step(key) if opened is not None else None
        if opened is None or step is None:
            return
        is_here = here == opened.path_of(step)
        if is_here and self._document.source.is_modified and not self._files.save():
            return
        if is_here:
            self._files.show(self._workspace.untitled())
        renamed = self._attempt(lambda: adventure_files.rename_encounter(opened, key, name))
        if is_here:
            new = opened.step(renamed) if renamed else step
            self._files.open(opened.path_of(new or step))
        else:
            self.current.look()

    def _selected_step(self) -> AdventureStep | None:
        step = self.current.open.step(self.current.selected) if self.current.open is not None else None
        return step if step is not None and step.encounter else None

    def _attempt(self, work: Callable[[], Any]) -> Any:
        """Do work on files. If it fails, say why and return None."""
        try:
            return work()
        except PlanChangedError:
            self._messages.notify(tr("ui.adventure.plan-changed"), "warn")
        except document.DocumentInUseError as error:
            self._messages.notify(tr("ui.files.in-use", name=Path(str(error)).name), "warn")
        except FileExistsError as error:
            self._messages.notify(tr("ui.adventure.taken", name=Path(str(error)).name), "warn")
        except OSError as error:
            self._messages.notify(tr("ui.adventure.not-saved", why=file_controller.os_error_text(error)), "warn")
        except (LookupError, ValueError) as error:
            self._messages.notify(tr("ui.adventure.not-saved", why=str(error)), "warn")
        return None

    @property
    def _title(self) -> str:
        return self.current.open.title if self.current.open is not None else ""

    @property
    def _home(self) -> Path:
        return self.current.open.folder if self.current.open is not None else Path.home()
