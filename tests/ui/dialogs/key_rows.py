"""The rows of the list of keys as text."""

from turnwright.ui.dialogs.help import KeyListDialog


def shown_rows(keys: KeyListDialog) -> list[tuple[str, str]]:
    """Return the listed rows: action and keys."""
    groups = [keys.tree.topLevelItem(index) for index in range(keys.tree.topLevelItemCount())]
    rows = [group.child(row) for group in groups for row in range(group.childCount())]
    return [(row.text(0), row.text(1)) for row in rows]
