"""The games that ship, by how much of each there is: a test asks for libraries or ledgers only if a game has one.

`GAMES` leaves out those that are based on another: their own tests play what differs, so that the suite doesn't grow by
a game.
"""

from __future__ import annotations

from typing import Final

from turnwright.bootstrap import SHIPPED
from turnwright.storage.resources import resource_path, shipped_folders

BASED: Final = {folders[-1].name: folders[0].name for id in SHIPPED if len(folders := shipped_folders(id)) > 1}
GAMES: Final = tuple(id for id in SHIPPED if id not in BASED)
WITH_LEDGER: Final = tuple(id for id in GAMES if resource_path(f"systems/{id}/ledger.toml").exists())
# A catalogue that includes another comes after it, so that an entry counts for the game that has it in its own file.
_CATALOGUES: Final = {id: resource_path(f"systems/{id}/traits.toml") for id in GAMES}
WITH_TRAITS: Final = tuple(
    sorted(
        (id for id, file in _CATALOGUES.items() if file.exists()),
        key=lambda id: "\nas_in = " in _CATALOGUES[id].read_text(encoding="utf-8"),
    )
)
WITH_LIBRARY: Final = tuple(id for id in GAMES if resource_path(f"library/{id}").is_dir())
