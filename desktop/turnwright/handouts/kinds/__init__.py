"""The page types, in the order of a packet.

Each is a module and has a template with the same name in `resources/handouts/`, with hyphens instead of underscores.
"""

from importlib import import_module
from typing import Final

from turnwright.handouts.page_input import PageKind

MODULES: Final = (
    "running_sheet", "encounter_sheet", "stat_blocks", "creature_cards", "initiative_tents", "paper_minis",
    "countdown_tracks", "environment_cards", "treasure_cards", "condition_cards", "spell_cards", "spell_list", "tracking_sheets", "party_sheet",
    "reference", "screen_panels", "map_sheets", "battle_mat", "player_handouts", "fight_report",
)  # fmt: skip


def page_kinds() -> tuple[PageKind, ...]:
    """Return all page types."""
    return tuple(import_module(f"{__name__}.{name}").KIND for name in MODULES)
