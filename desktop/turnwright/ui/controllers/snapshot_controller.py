"""The Run › Snapshots menu: saved states of the fight, compared with the current one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwright.encounter.running import Snapshot
from turnwright.ui.look.theme import theme_source
from turnwright.ui.look.translations import tr
from turnwright.ui.services.window_parts import WindowController

if TYPE_CHECKING:
    from turnwright.ui.dialogs.earlier_versions import EarlierVersionsDialog


class SnapshotController(WindowController):
    """The snapshots of the open document's fight."""

    def open(self) -> EarlierVersionsDialog:
        """Show the snapshots, newest first, with the changes that restoring each would make."""
        from turnwright.play.table.snapshots import DeleteSnapshot, GoBackToSnapshot
        from turnwright.ui.dialogs.earlier_versions import EarlierVersionsDialog
        from turnwright.workspace.fight_lines import snapshot_changes

        document = self._document
        snapshots = sorted(document.encounter.all(Snapshot), key=lambda snapshot: snapshot.serial, reverse=True)

        def differences(row: int) -> list[str]:
            try:
                return snapshot_changes(document.encounter, snapshots[row], document.phrasebook)
            except ValueError as error:
                return [tr("ui.snapshots.not-compared", why=str(error))]

        names = [tr("ui.snapshots.row", name=snapshot.name, n=snapshot.round) for snapshot in snapshots]
        dialog = EarlierVersionsDialog(names, differences, theme_source().theme, "", self._window, words="ui.snapshots")
        dialog.goBackRequested.connect(lambda row: document.execute(GoBackToSnapshot(snapshots[row].id)))
        dialog.copyRequested.connect(lambda row: document.execute(DeleteSnapshot(snapshots[row].id)))
        dialog.open()
        return dialog
