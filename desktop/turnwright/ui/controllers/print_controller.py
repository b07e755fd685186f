"""Handouts, exports and backups.

Handouts of a window: the dialog to choose them, the worker that typesets them, and their output.

The export of encounters and creatures, and backups of the library.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec
from PySide6.QtCore import QLocale

from turnwright.encounter import prepared, roles
from turnwright.handouts.kinds import MODULES
from turnwright.handouts.page_input import party_creatures
from turnwright.importers.exporters.export import creatures_folder, title_of, write_as, write_encounter
from turnwright.importers.exporters.formats import export_formats
from turnwright.storage.atomic import slug
from turnwright.storage.backup import back_up_library, restore_library
from turnwright.ui.controllers.library_controller import LibraryController
from turnwright.ui.dialogs.handouts.handouts_dialog import HandoutsDialog, typeset_error_text
from turnwright.ui.dialogs.handouts.options import Preset, RecordGroup, default_paper
from turnwright.ui.dialogs.imports.findings import FindingsDialog
from turnwright.ui.dialogs.message_bar import AGREES, confirm
from turnwright.ui.forms.kinds import FormContext
from turnwright.ui.look.style import tr
from turnwright.ui.services import actions, print_worker, workers
from turnwright.ui.services.services import Controller, Services
from turnwright.ui.services.settings_store import ask_folder, ask_open_path, ask_save_path
from turnwright.workspace.print_job import single_creature_encounter

if TYPE_CHECKING:
    from PySide6.QtPrintSupport import QPrinter

    from turnwright.encounter.state import Encounter
    from turnwright.handouts.page_input import Edition
    from turnwright.handouts.typesetter import Typesetter
    from turnwright.importers.exporters.formats import ExportFormat
    from turnwright.rules.system import RuleSystem
    from turnwright.storage.backup import RestoreResult
    from turnwright.storage.fights import ConversionNote
    from turnwright.ui.services.print_worker import Pages, Picture, PrintOutput
    from turnwright.ui.services.workers import Progress

REFRESH_DELAY_MS: Final = 120  # the encounter may change repeatedly
REPORT_KIND: Final = "fight-report"
PageMaker = Callable[["Typesetter", "Progress"], "PrintOutput"]


class PrintController(Controller):
    """The handouts of one window. The dialog and the worker are created on first use."""

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._round = 0
        self._stale = True
        self._single: tuple[Encounter, RuleSystem] | None = None
        self.dialog: HandoutsDialog | None = None
        self.worker: print_worker.PrintWorker | None = None
        self._following = workers.single_shot_timer(self, self._follow, REFRESH_DELAY_MS)
        self._document.changed.connect(lambda _changed: self._following.start())
        self._document.documentChanged.connect(self._begin_again)

    # The dialog ------------------------------------------------------------------------------------------------------

    def open(self, single: tuple[Encounter, RuleSystem] | None = None) -> None:
        """Open the dialog for the encounter, or for a `single` creature as an encounter, or bring it to the front."""
        dialog = self._made_dialog()
        if single != self._single:
            self._round, self._stale, self._single = self._round + 1, True, single
        self._show_records()
        dialog.notify("")
        dialog.show()
        dialog.raise_()
        dialog.activateWindow()
        self._request_preview()

    def open_report(self, edition: Edition) -> None:
        """Open the dialog with only the fight report selected, in this edition."""
        self.open()
        self._made_dialog().choices.choose(Preset((REPORT_KIND,), {"edition": edition}))
        self._request_preview()

    def open_creatures(self, creature: prepared.Creature, system: str) -> None:
        """Open the dialog for the stat block of a creature that isn't in the encounter."""
        rules = self._workspace.systems.get(system)
        self.open((single_creature_encounter(creature, rules), rules))
        self._made_dialog().choices.choose_records([f"{prepared.Creature.table}.{creature.id}"])

    def open_records(self, table: str, ids: Collection[str]) -> None:
        """Open the dialog with only these records of a table checked, and their usual kind of pages."""
        self.open()
        self._made_dialog().choices.choose_records([f"{table}.{id}" for id in ids])

    def preview_request(self) -> print_worker.PreviewRequest:
        """Return the current request for preview pages."""
        dialog, document = self._made_dialog(), self._document.source
        encounter, rules = self._single or (self._document.encounter, self._document.rules)
        return print_worker.PreviewRequest(
            encounter,
            rules,
            self._document.words,
            document.title if self._single is None else "",
            document.picture_folder,
            dialog.choices.options(),
            dialog.kinds_by_priority(),
            dialog.other_kinds(),
            dialog.view.ppi(),
            self._round,
            journal=tuple(document.session.journal()),
        )

    def _made_dialog(self) -> HandoutsDialog:
        if self.dialog is None:
            paper = self._settings_store.settings.paper or default_paper(QLocale())
            self.dialog = HandoutsDialog(
                [name.replace("_", "-") for name in MODULES], paper, FormContext.of(self._document), self._window
            )
            self.dialog.previewRequested.connect(self._request_preview)
            self.dialog.outputRequested.connect(self.choose_output)
            self.dialog.dialogHidden.connect(self._made_room().cancel_preview)
            self.dialog.stopRequested.connect(self._made_room().cancel_job)
            paper_field = self.dialog.choices.form.fields["paper"]
            paper_field.edited.connect(lambda paper: self._settings_store.update(paper=paper))
            choices = self.dialog.choices
            choices.remember(self._settings_store.settings.handouts)
            choices.own_presets.show_presets(self._settings_store.settings.handout_presets)
            choices.own_presets.presetsChanged.connect(
                lambda presets: self._settings_store.update(handout_presets=presets)
            )
            choices.changed.connect(lambda: self._settings_store.update(handouts=choices.remembered()))
        return self.dialog

    def _made_room(self) -> print_worker.PrintWorker:
        if self.worker is None:
            self.worker = print_worker.PrintWorker(self._workspace.folders, self)
            self.worker.pagesReady.connect(self._take)
            self.worker.idle.connect(self._made_dialog().end_preview)
            self.worker.failed.connect(self._say_unset)
        return self.worker

    def _show_records(self) -> None:
        encounter = self._single[0] if self._single is not None else self._document.encounter
        self._made_dialog().show_records(record_groups(encounter), reset=self._stale)
        self._stale = False

    def _request_preview(self) -> None:
        if self.dialog is not None and self.dialog.isVisible():
            self.dialog.await_pages()
            self._made_room().request_preview(self.preview_request())

    def _take(self, sheets: Pages, of: int) -> None:
        if of == self._round:
            self._made_dialog().take_pages(sheets)

    def _say_unset(self, why: str) -> None:
        dialog = self._made_dialog()
        dialog.end_preview()
        dialog.notify(tr("ui.handouts.failed", why=why) if why else tr("ui.handouts.fault"), "warn")

    def _follow(self) -> None:
        """Update the preview after the encounter has changed."""
        if self.dialog is not None and self.dialog.isVisible():
            self._show_records()
            self._request_preview()

    def _begin_again(self) -> None:
        self._round += 1
        self._stale = True
        self._following.start()

    # Output ----------------------------------------------------------------------------------------------------------

    def choose_output(self, output: str) -> None:
        """Ask for the destination, then write or print the handouts. `output` is `pdf`, `png`, `svg`, `tokens` or `print`."""
        if output in ("print", "tokens"):
            (self.ask_printer if output == "print" else self.ask_tokens_folder)()
            return
        title, kinds = tr(f"ui.handouts.choose-{output}"), tr(f"ui.handouts.files-{output}")
        path = ask_save_path(self.dialog, title, self._suggested(output), kinds, f".{output}")
        if path is not None:
            self.export(path)

    def export(self, out: Path) -> None:
        """Write the chosen pages to one PDF, or to numbered images, depending on the file extension."""
        request, ending = self._whole(), out.suffix.lower()
        form: Picture = "svg" if ending == ".svg" else "png"

        def make(typesetter: Typesetter, progress: Progress) -> PrintOutput:
            if ending == ".pdf":
                return print_worker.write_pdf(typesetter, request, out, progress)
            return print_worker.write_pictures(typesetter, request, out, form, progress)

        steps = 0 if ending == ".pdf" else len(request.chosen)
        self._send(make, tr("ui.handouts.writing", file=out.name), steps, partial(self._say_written, out))

    def ask_tokens_folder(self) -> None:
        """Ask for a folder and write tokens and maps to it. Ask again if it contains pictures."""
        folder = ask_folder(self._made_dialog(), tr("ui.handouts.choose-tokens"), self._suggested("png").parent)
        question, detail = tr("ui.handouts.tokens-question"), tr("ui.handouts.tokens-detail")
        if folder is None or (
            any(folder.glob("*.png"))
            and not confirm(self._made_dialog(), question, detail, tr("ui.handouts.tokens-agree"))
        ):
            return
        self.export_tokens(folder)

    def export_tokens(self, folder: Path) -> None:
        """Write a token of each combatant and the players' map to a folder. Existing files of the same names are replaced."""
        request = self.preview_request()

        def make(typesetter: Typesetter, progress: Progress) -> PrintOutput:
            return print_worker.write_tokens(typesetter, request, folder, progress)

        self._send(make, tr("ui.handouts.writing", file=folder.name), 0, partial(self._say_written, folder / "map.png"))

    def ask_printer(self) -> None:
        """Open the system's printer dialog and print."""
        from PySide6.QtGui import QPageSize
        from PySide6.QtPrintSupport import QPrintDialog, QPrinter

        if self.dialog is None:
            return
        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        sizes = QPageSize.PageSizeId
        papers = {"a4": sizes.A4, "letter": sizes.Letter, "a5": sizes.A5, "half-letter": sizes.Statement}
        printer.setPageSize(QPageSize(papers[self.preview_request().options.paper]))
        if self.preview_request().options.sides == "two":
            printer.setDuplex(QPrinter.DuplexMode.DuplexLongSide)
        title = self._document.source.title if self.preview_request().options.edition == "game-master" else ""
        printer.setDocName(title or tr("ui.window.untitled"))
        dialog = QPrintDialog(printer, self.dialog)
        dialog.setOption(QPrintDialog.PrintDialogOption.PrintPageRange)
        dialog.setMinMax(1, max(1, len(self.dialog.view.pages)))
        if dialog.exec():
            self.print_to(printer)

    def print_to(self, printer: QPrinter) -> None:
        """Print the chosen pages."""
        request = self._whole()

        def make(typesetter: Typesetter, progress: Progress) -> PrintOutput:
            return print_worker.send_to_printer(typesetter, request, printer, progress)

        self._send(make, tr("ui.handouts.printing"), len(request.chosen), self._say_printed)

    def _whole(self) -> print_worker.PreviewRequest:
        """Return a request for all chosen kinds of pages in their order."""
        return msgspec.structs.replace(self.preview_request(), chosen=self._made_dialog().chosen(), others=())

    def _send(self, make: PageMaker, text: str, steps: int, ended: Callable[[PrintOutput], tuple[str, str]]) -> None:
        dialog = self._made_dialog()
        if dialog.is_output_running:
            return
        dialog.begin_output(text, steps)
        self._made_room().start_job(
            print_worker.PrintJob(
                work=make,
                on_progress=lambda done, _kind: dialog.show_progress(done, text),
                on_finished=lambda out: self._come_back(*_misprint(out) or ended(out)),
                on_cancelled=lambda: self._come_back(tr("ui.handouts.stopped"), "muted"),
                on_failed=self._say_failed,
            )
        )

    def _come_back(self, text: str, tone: str) -> None:
        """Report the result in the dialog. If the dialog is closed, also report it in the window."""
        dialog = self._made_dialog()
        dialog.end_output(text, tone)
        if not dialog.isVisible():
            self._messages.notify(text, "" if tone == "muted" else tone, persistent=tone == "warn")

    def _say_written(self, out: Path, written: PrintOutput) -> tuple[str, str]:
        if out.suffix.lower() == ".pdf":
            text = tr("ui.handouts.written", file=str(out))
        else:
            text = tr("ui.handouts.pictures", n=written.pages, folder=str(out.parent))
        if written.missing_characters:
            return f"{text} {tr('ui.handouts.missing-characters-short', n=len(written.missing_characters))}", "warn"
        return text, "muted"

    def _say_printed(self, printed: PrintOutput) -> tuple[str, str]:
        if printed.files:
            return self._say_written(printed.files[0], printed)
        if printed.queue:
            return tr("ui.handouts.queued", printer=printed.queue), "muted"
        return tr("ui.handouts.printed", n=printed.pages), "muted"

    def _say_failed(self, why: str) -> None:
        self._come_back(tr("ui.handouts.failed", why=why) if why else tr("ui.handouts.fault"), "warn")

    def _suggested(self, way: str) -> Path:
        document = self._document.source
        folder = document.path.parent if document.path and not self._workspace.is_sample(document.path) else Path.home()
        options: Any = self._made_dialog().choices.options()
        stem = slug(document.title, "encounter") + ("-players" if options.edition == "players" else "")
        return folder / f"{stem}.{way}"


def _misprint(out: PrintOutput) -> tuple[str, str] | None:
    return (typeset_error_text(out.typeset_error), "warn") if out.typeset_error is not None else None


def record_groups(encounter: Encounter) -> list[RecordGroup]:
    """Return the records that can be printed singly: enemies, allies, party, environments, countdowns and handouts."""
    ours, party = party_creatures(encounter), {entry.creature for entry in roles.characters(encounter)}
    sides: dict[str, dict[str, str]] = {"enemies": {}, "allies": {}, "party": {}}
    for creature in encounter.all(prepared.Creature):
        side = "enemies" if creature.id not in ours else "party" if creature.id in party else "allies"
        sides[side][f"{prepared.Creature.table}.{creature.id}"] = creature.name or creature.id
    groups = [
        RecordGroup(tr(f"ui.handouts.group-{side}"), tuple(rows.items()), side == "enemies" or not sides["enemies"])
        for side, rows in sides.items()
    ]
    for kind in (prepared.Environment, prepared.Countdown, prepared.Handout):
        records: Sequence[Any] = list(encounter.all(kind))
        names = [getattr(record, "name", "") or getattr(record, "title", "") or record.id for record in records]
        ids = (f"{kind.table}.{record.id}" for record in records)
        groups.append(RecordGroup(tr(f"ui.handouts.group-{kind.table}"), tuple(zip(ids, names, strict=True))))
    return groups


Choice = tuple[str, str, Callable[[], object]]
_IMPROVED: Final = "Improved Initiative"


class ExportController(Controller):
    """The exports and backups of one window."""

    # Export ----------------------------------------------------------------------------------------------------------

    def choices(self) -> list[Choice]:
        """Return the export formats as choices for a list: those of the programs that suit the game, and TOML."""
        others = [
            (tr("ui.export.program", name=form.title), tr(f"ui.export.{hint}-hint"), partial(self.ask_program, form))
            for form in export_formats().values()
            if self._document.rules.id in form.games
            for hint in ["folder" if form.apart else "file"]
        ]
        return [
            (tr("ui.export.program", name=_IMPROVED), tr("ui.export.improved-hint"), self.ask_improved),
            *others,
            (actions.without_mnemonic(tr("ui.export.creatures")), tr("ui.export.creatures-hint"), self.ask_creatures),
        ]

    def ask_improved(self) -> None:
        """Ask for a file and export the encounter for Improved Initiative."""
        if not self._has_none() and (path := self._ask_file(_IMPROVED, ".json")) is not None:
            self.export_improved(path)

    def export_improved(self, path: Path) -> None:
        """Export the encounter for Improved Initiative, and report anything that the format can't represent."""
        scale = self._document.rules.data.ability_scale
        self._export(
            path, lambda: write_encounter(self._document.encounter, path, "improved-initiative", scale.modifier).reports
        )

    def ask_program(self, form: ExportFormat) -> None:
        """Ask for a file or a folder, and export the encounter's creatures in a format."""
        if self._has_none():
            return
        title = tr("ui.export.choose-file", name=form.title)
        path = ask_folder(self._window, title, Path.home()) if form.apart else self._ask_file(form.title, form.ending)
        if path is not None:
            self.export_program(form, path)

    def export_program(self, form: ExportFormat, path: Path) -> None:
        """Export the encounter's creatures in a format, and report anything that it can't represent."""
        rules, encounter = self._document.rules, self._document.encounter
        creatures, modifier = list(encounter.all(prepared.Creature)), rules.data.ability_scale.modifier
        self._export(path, lambda: write_as(form, creatures, rules.id, modifier, path, title_of(encounter))[1])

    def _ask_file(self, name: str, ending: str) -> Path | None:
        title, kind = tr("ui.export.choose-file", name=name), tr("ui.export.kind", name=name, ending=ending)
        return ask_save_path(self._window, title, self._suggested(ending), kind, ending)

    def _export(self, path: Path, write: Callable[[], tuple[ConversionNote, ...]]) -> None:
        try:
            reports = write()
        except OSError as error:
            self._say_failed(path, error)
            return
        self._say_exported(path, reports)

    def _say_exported(self, path: Path, reports: tuple[ConversionNote, ...]) -> None:
        if not reports:
            self._messages.notify(tr("ui.export.done", file=path.name))
            return
        headings = [tr(f"ui.export.{word}") for word in ("creature", "entry", "why")]
        rows = [(note.record, note.field, f"{note.why}: {note.text}" if note.text else note.why) for note in reports]
        text = tr("ui.export.left-out", file=path.name, n=len(rows))
        dialog = partial(FindingsDialog, tr("ui.export.list"), text, headings, rows, self._window)
        self._messages.notify(text, "", [(tr("ui.findings.show"), lambda: dialog().open())], persistent=True)

    def ask_creatures(self) -> None:
        """Ask for a folder, and export the encounter's creatures to a new subfolder as library files."""
        if self._has_none():
            return
        if (folder := ask_folder(self._window, tr("ui.export.choose-folder"), Path.home())) is not None:
            self.export_creatures(folder)

    def export_creatures(self, parent_folder: Path) -> None:
        """Export the encounter's creatures to a new folder as library files."""
        encounter = self._document.encounter
        creatures = list(encounter.all(prepared.Creature))
        try:
            folder = creatures_folder(creatures, self._document.rules.id, parent_folder, title_of(encounter))
        except OSError as error:
            self._say_failed(parent_folder, error)
        else:
            self._messages.notify(tr("ui.export.done", file=str(folder)))

    def _has_none(self) -> bool:
        nobody = not self._document.encounter.ids(prepared.Creature)
        if nobody:
            self._messages.notify(tr("ui.export.nothing"))
        return nobody

    def _say_failed(self, path: Path, error: OSError) -> None:
        text = tr("ui.export.failed", name=path.name, why=error.strerror or str(error))
        self._messages.notify(text, "warn", persistent=True)

    def _suggested(self, ending: str) -> Path:
        return self._folder() / f"{slug(self._document.source.title, 'encounter')}{ending}"

    # Backup of the library -------------------------------------------------------------------------------------------

    def ask_back_up(self) -> None:
        """Ask for a file and write a backup of the whole library to it."""
        name = f"turnwright-library-{datetime.now().astimezone():%Y-%m-%d}.zip"
        path = ask_save_path(self._window, tr("ui.backup.choose-out"), Path.home() / name, tr("ui.backup.kind"), ".zip")
        if path is not None:
            self.back_up(path)

    def back_up(self, out: Path) -> None:
        """Write a backup of the whole library to a file."""
        make = partial(back_up_library, self._workspace.folders.library, out)
        self._services.jobs.run(make, partial(self._say_backed_up, out), "ui.backup.title")

    def _say_backed_up(self, out: Path, count: int) -> None:
        self._messages.notify(tr("ui.backup.done", n=count, file=str(out)) if count else tr("ui.backup.empty"))

    def ask_restore(self) -> None:
        """Ask for a backup file and for confirmation, then replace the library."""
        path = ask_open_path(self._window, tr("ui.backup.choose-in"), Path.home(), tr("ui.backup.kind"))
        if path is not None and self._agrees(path):
            self.restore(path)

    def restore(self, backup: Path) -> None:
        """Replace the library with the contents of a backup."""
        make = partial(restore_library, backup, self._workspace.folders.library)
        self._services.jobs.run(make, self._say_restored, "ui.backup.title")

    def _say_restored(self, restored: RestoreResult) -> None:
        self._services.controller(LibraryController).reload()
        if restored.previous_library is None:
            self._messages.notify(tr("ui.backup.restored", n=restored.files))
        else:
            self._messages.notify(
                tr("ui.backup.kept", n=restored.files, folder=str(restored.previous_library)), persistent=True
            )

    def _agrees(self, backup: Path) -> bool:
        question = tr("ui.backup.question", name=backup.name)
        return confirm(self._window, question, tr("ui.backup.detail"), tr("ui.backup.yes"), AGREES)
