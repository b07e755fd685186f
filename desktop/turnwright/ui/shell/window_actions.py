"""The actions of the window: appearance from `resources/actions.toml`, effects and conditions from code."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import msgspec
import rtoml

from turnwright.storage.resources import read_text
from turnwright.ui.docks.arrangements import DOCKS
from turnwright.ui.services.actions import ActionLook, ActionSpec, ActionTable, always
from turnwright.ui.shell.action_context import ActionContext

if TYPE_CHECKING:
    from turnwright.play.kernel.commands import Command

MENUS = ("file", "edit", "add", "map", "run", "manual", "players", "view", "help")
BEFORE_DOCKS = "previous-dock"
WindowAction = ActionSpec[ActionContext]
Condition = Callable[[ActionContext], bool]

TRIGGERS: Mapping[str, Callable[[ActionContext], object]] = MappingProxyType(
    {
        "new": lambda context: context.files.new(),
        "open": lambda context: context.files.ask_open(),
        "save": lambda context: context.files.save(),
        "save-as": lambda context: context.files.save_as(),
        "snapshots": lambda context: context.snapshots.open(),
        "earlier-versions": lambda context: context.versions.open(),
        "import-files": lambda context: context.imports.ask_files(),
        "import-folder": lambda context: context.imports.ask_folder(),
        "take-back-import": lambda context: context.imports.ask_take_back(),
        "paste-creature": lambda context: context.paste.open(),
        "handouts": lambda context: context.printing.open(),
        "back-up": lambda context: context.exports.ask_back_up(),
        "restore-backup": lambda context: context.exports.ask_restore(),
        "quit": lambda context: context.window.close(),
        "undo": lambda context: context.document.undo(),
        "redo": lambda context: context.document.redo(),
        "quick-add": lambda context: context.add.open_quick_add(),
        "add-creature": lambda context: context.add.add_creature(),
        "add-environment": lambda context: context.add.add_environment(),
        "add-countdown": lambda context: context.add.add_countdown(),
        "add-reminder": lambda context: context.add.add_reminder(),
        "add-treasure": lambda context: context.add.add_treasure(),
        "import-map": lambda context: context.maps.ask_import(),
        "place-map-picture": lambda context: context.maps.ask_picture(),
        "fit-map-picture": lambda context: context.maps.ask_fit(),
        "export-map": lambda context: context.maps.ask_export(),
        "map-light": lambda context: context.view.toggle_map_light(),
        "players-window": lambda context: context.players.toggle_window(),
        "players-full-screen": lambda context: context.players.toggle_full_screen(),
        "players-order": lambda context: context.players.set_mode("order"),
        "players-map": lambda context: context.players.set_mode("map"),
        "players-picture": lambda context: context.players.set_mode("picture"),
        "players-text": lambda context: context.players.set_mode("text"),
        "players-dice": lambda context: context.players.set_mode("dice"),
        "players-black": lambda context: context.players.toggle_black(),
        "players-hold": lambda context: context.players.set_held(is_held=not context.players.is_held),
        "phones": lambda context: context.phones.open(),
        "players-dock": lambda context: context.docks.focus_dock("players"),
        "portrait": lambda context: context.portraits.ask_file(),
        "portrait-folder": lambda context: context.portraits.ask_folder(),
        "start": lambda context: context.run.start(),
        "begin": lambda context: context.run.begin(),
        "players-initiatives": lambda context: context.manual.open_initiatives(),
        "answer": lambda context: context.run.answer(),
        "end-turn": lambda context: context.run.end_turn(),
        "undo-turn": lambda context: context.run.undo_turn(),
        "withdraw-prompt": lambda context: context.run.withdraw_prompt(),
        "choose-target": lambda context: context.run.choose_target(),
        "lay-area": lambda context: context.run.lay_area(),
        "damage": lambda context: context.run.write_amount(""),
        "heal": lambda context: context.run.write_amount("", heals=True),
        "move": lambda context: context.run.move(),
        "condition": lambda context: context.run.open_condition(),
        "more-actions": lambda context: context.run.open_more_actions(),
        "check": lambda context: context.run.open_checks(),
        "roll-dice": lambda context: context.run.roll_dice(),
        "ready": lambda context: context.run.open_ready(),
        "initiative": lambda context: context.run.edit_initiative(),
        "reset": lambda context: context.run.reset(),
        "prepare": lambda context: context.view.arrange("prepare"),
        "run": lambda context: context.view.arrange("run"),
        "reset-layout": lambda context: context.view.reset_layout(),
        "palette": lambda context: context.palette.open_palette(),
        "find-rule": lambda context: context.rule_navigation.focus_search(),
        "go-to-map": lambda context: context.docks.focus_dock("map"),
        "map": lambda context: context.run.toggle_map(),
        "journal": lambda context: context.run.toggle_journal(),
        "pin": lambda context: context.run.pin(),
        "side-column": lambda context: context.run.toggle_side_column(),
        "write-note": lambda context: context.run.write_note(),
        "next-dock": lambda context: context.docks.focus_next_dock(1),
        "previous-dock": lambda context: context.docks.focus_next_dock(-1),
        "theme-system": lambda context: context.view.choose_theme("system"),
        "theme-light": lambda context: context.view.choose_theme("light"),
        "theme-dark": lambda context: context.view.choose_theme("dark"),
        "larger": lambda context: context.view.scale_by(10),
        "smaller": lambda context: context.view.scale_by(-10),
        "default-size": lambda context: context.view.scale_to(100),
        "big-type": lambda context: context.view.toggle_big_type(),
        "reduced-motion": lambda context: context.view.toggle_motion(),
        "keys": lambda context: context.help.show_keys(),
        "why": lambda context: context.help.explain(),
        "about": lambda context: context.help.show_about(),
    }
)
CHOICES = frozenset({"open-sample", "open-recent", "export", "sudden-action", "call-for-checks", "go-to-turn"})
ENABLED: Mapping[str, Condition] = MappingProxyType(
    {
        "": always,
        "has-recent": lambda context: bool(context.files.recent_files()),
        "has-snapshots": lambda context: context.status.has_snapshots,
        "has-file": lambda context: context.versions.has_file,
        "can-save": lambda context: context.files.can_save,
        "is-free": lambda context: context.imports.is_free,
        "can-undo": lambda context: context.status.undo_label is not None,
        "can-redo": lambda context: context.status.redo_label is not None,
        "not-started": lambda context: context.status.phase in ("preparing", "ended"),
        "begun": lambda context: context.status.phase != "preparing",
        "may-surprise": lambda context: context.status.may_surprise,
        "set-up-unblocked": lambda context: context.status.phase == "set-up" and not context.status.is_blocked,
        "rounds": lambda context: context.status.phase == "rounds",
        "at-table": lambda context: context.view.arrangement == "run",
        "running": lambda context: context.status.is_running,
        "has-turn": lambda context: context.status.has_turn,
        "has-prompts": lambda context: context.status.has_prompts,
        "answerable": lambda context: context.status.has_prompts or context.status.has_turn,
        "has-waves": lambda context: context.status.has_waves,
        "has-combatants": lambda context: context.status.has_combatants,
        "has-effects": lambda context: context.status.has_effects,
        "has-shapes": lambda context: context.status.has_shapes,
        "has-dead": lambda context: context.status.has_dead,
        "can-shrink": lambda context: context.view.scale > 100,
        "resized": lambda context: context.view.scale != 100,
    }
)
CHECKED: Mapping[str, Condition] = MappingProxyType(
    {
        "dice-ask": lambda context: context.status.dice_mode == "ask",
        "dice-roll": lambda context: context.status.dice_mode == "roll",
        "prepare": lambda context: context.view.arrangement == "prepare",
        "run": lambda context: context.view.arrangement == "run",
        "theme-system": lambda context: context.view.theme_choice == "system",
        "theme-light": lambda context: context.view.theme_choice == "light",
        "theme-dark": lambda context: context.view.theme_choice == "dark",
        "big-type": lambda context: context.view.has_big_type,
        "map-light": lambda context: context.view.shows_map_light,
        "reduced-motion": lambda context: context.view.has_reduced_motion,
    }
)


def action_table() -> ActionTable[ActionContext]:
    """Return the table of the window's actions."""
    return ActionTable(tuple(_actions(rtoml.loads(read_text("actions.toml")))), MENUS)


def _actions(rows: Mapping[str, dict[str, Any]]) -> Iterator[WindowAction]:
    for id, row in rows.items():
        enabled_when, checked_when = ENABLED[row.pop("when", "")], CHECKED.get(id)
        look = msgspec.convert(row, ActionLook)
        trigger = _trigger(id)
        make_command = partial(_command, id) if trigger is None else None
        yield WindowAction(id, look, trigger, make_command, enabled_when, checked_when)
        if id == BEFORE_DOCKS:
            yield from (_dock_action(spec.id, separator=number == 0) for number, spec in enumerate(DOCKS))


def _command(id: str, _context: ActionContext) -> Command:
    from turnwright.ui.shell.action_commands import COMMANDS

    return COMMANDS[id]


def _trigger(id: str) -> Callable[[ActionContext], object] | None:
    """Return the function that an action calls, or None if it executes a command instead."""
    if id in CHOICES:
        return lambda context: context.palette.open_choices(id)
    if id.startswith("manual-"):
        return lambda context: context.manual.open_form(id.removeprefix("manual-"))
    return TRIGGERS.get(id)


def _dock_action(id: str, *, separator: bool) -> WindowAction:
    return WindowAction(
        f"dock-{id}",
        ActionLook("view", separator=separator, submenu="panels"),
        lambda context: context.view.toggle_dock(id),
        checked_when=lambda context: context.docks.is_open(id),
    )
