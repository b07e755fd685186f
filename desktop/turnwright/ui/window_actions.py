"""The actions of the window, in the order of the menus: menus, tool bar, keys, palette and key list use them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from turnwright.play.damage.commands.rest import Rest
from turnwright.play.setup.commands.advance_setup import AdvanceSetup
from turnwright.play.spawning.commands.bring_wave import BringWave
from turnwright.play.table.commands.set_dice import SetDice
from turnwright.play.turn_order.commands.roll_initiative import RollInitiative
from turnwright.play.turns.commands.end_encounter import EndEncounter
from turnwright.play.turns.commands.end_turn import EndTurn
from turnwright.ui.action_context import ActionContext
from turnwright.ui.actions import ActionSpec, ActionTable
from turnwright.ui.arrangements import DOCKS
from turnwright.ui.theme import ThemeChoice

MENUS = ("file", "edit", "add", "run", "manual", "view", "help")
WindowAction = ActionSpec[ActionContext]


def action_table() -> ActionTable[ActionContext]:
    """Return the table of the window's actions."""
    rows = (
        *_file(),
        *_edit(),
        *_add(),
        *_encounter(),
        *_turns(),
        *_manual_commands(),
        *_view(),
        *_docks(),
        *_look(),
        *_help(),
    )
    return ActionTable(rows, MENUS)


def _file() -> Iterator[WindowAction]:
    yield WindowAction(
        "new",
        lambda context: context.files.new(),
        shortcuts=("Ctrl+N",),
        icon="file-plus-outline",
        menu="file",
        in_toolbar=True,
    )
    yield WindowAction(
        "open",
        lambda context: context.files.ask_open(),
        shortcuts=("Ctrl+O",),
        icon="folder-open-outline",
        menu="file",
        in_toolbar=True,
    )
    yield WindowAction(
        "open-sample",
        lambda context: context.palette.open_choices("open-sample"),
        icon="book-open-page-variant",
        menu="file",
    )
    yield WindowAction(
        "open-recent",
        lambda context: context.palette.open_choices("open-recent"),
        icon="history",
        menu="file",
        enabled_when=lambda context: bool(context.files.recent_files()),
    )
    yield WindowAction(
        "save",
        lambda context: context.files.save(),
        shortcuts=("Ctrl+S",),
        icon="content-save-outline",
        menu="file",
        in_toolbar=True,
        separator=True,
        enabled_when=lambda context: context.files.can_save,
    )
    yield WindowAction("save-as", lambda context: context.files.save_as(), shortcuts=("Ctrl+Shift+S",), menu="file")
    yield WindowAction(
        "import-files",
        lambda context: context.imports.ask_files(),
        icon="import",
        menu="file",
        separator=True,
        enabled_when=lambda context: context.imports.is_free,
        has_tip=True,
    )
    yield WindowAction(
        "import-folder",
        lambda context: context.imports.ask_folder(),
        menu="file",
        enabled_when=lambda context: context.imports.is_free,
        has_tip=True,
    )
    yield WindowAction(
        "handouts",
        lambda context: context.printing.open(),
        shortcuts=("Ctrl+P",),
        icon="printer",
        menu="file",
        separator=True,
        has_tip=True,
    )
    yield WindowAction("export", lambda context: context.palette.open_choices("export"), icon="export", menu="file")
    yield WindowAction(
        "back-up",
        lambda context: context.exports.ask_back_up(),
        icon="archive-arrow-down-outline",
        menu="file",
        separator=True,
        enabled_when=lambda context: context.imports.is_free,
        has_tip=True,
    )
    yield WindowAction(
        "restore-backup",
        lambda context: context.exports.ask_restore(),
        icon="archive-arrow-up-outline",
        menu="file",
        enabled_when=lambda context: context.imports.is_free,
        has_tip=True,
    )
    yield WindowAction(
        "quit", lambda context: context.window.close(), shortcuts=("Ctrl+Q",), menu="file", separator=True
    )


def _edit() -> Iterator[WindowAction]:
    yield WindowAction(
        "undo",
        lambda context: context.bridge.undo(),
        shortcuts=("Ctrl+Z",),
        icon="undo",
        menu="edit",
        in_toolbar=True,
        separator=True,
        enabled_when=lambda context: context.status.undo_label is not None,
    )
    yield WindowAction(
        "redo",
        lambda context: context.bridge.redo(),
        shortcuts=("Ctrl+Shift+Z", "Ctrl+Y"),
        icon="redo",
        menu="edit",
        in_toolbar=True,
        enabled_when=lambda context: context.status.redo_label is not None,
    )


def _add() -> Iterator[WindowAction]:
    yield WindowAction(
        "quick-add",
        lambda context: context.add.open_quick_add(),
        shortcuts=("Ctrl+Shift+A",),
        icon="playlist-plus",
        menu="add",
        has_tip=True,
    )
    yield WindowAction(
        "add-creature", lambda context: context.add.add_creature(), icon="paw", menu="add", separator=True
    )
    yield WindowAction("add-environment", lambda context: context.add.add_environment(), icon="earth", menu="add")
    yield WindowAction("add-countdown", lambda context: context.add.add_countdown(), icon="timer-sand", menu="add")


def _manual_command(
    id: str,
    sign: str = "",
    *,
    menu: str = "manual",
    keys: tuple[str, ...] = (),
    separator: bool = False,
    when: Callable[[ActionContext], bool] = lambda context: context.status.has_combatants,
) -> WindowAction:
    """Return an action that opens the form of a manual command."""
    return WindowAction(
        f"manual-{id}",
        lambda context: context.manual.open_form(id),
        shortcuts=keys,
        icon=sign,
        menu=menu,
        separator=separator,
        enabled_when=when,
        has_tip=True,
    )


def _encounter() -> Iterator[WindowAction]:
    yield WindowAction(
        "start",
        lambda context: context.run.start(),
        shortcuts=("F9",),
        icon="play",
        menu="run",
        enabled_when=lambda context: context.status.phase in ("preparing", "ended"),
    )
    yield _manual_command(
        "start", "play-outline", menu="run", when=lambda context: context.status.phase in ("preparing", "ended")
    )
    yield WindowAction(
        "next-step",
        make_command=lambda _context: AdvanceSetup(),
        shortcuts=("F10",),
        icon="arrow-right",
        menu="run",
        enabled_when=lambda context: context.status.phase == "set-up" and not context.status.is_blocked,
        has_tip=True,
    )
    yield WindowAction(
        "sudden-action",
        lambda context: context.palette.open_choices("sudden-action"),
        icon="lightning-bolt",
        menu="run",
        enabled_when=lambda context: context.status.phase == "set-up",
        has_tip=True,
    )
    yield WindowAction(
        "call-for-checks",
        lambda context: context.palette.open_choices("call-for-checks"),
        icon="dice-d20-outline",
        menu="run",
        enabled_when=lambda context: context.status.is_running,
    )
    yield WindowAction(
        "roll-initiative",
        make_command=lambda _context: RollInitiative(),
        shortcuts=("F11",),
        icon="dice-d20",
        menu="run",
        separator=True,
        enabled_when=lambda context: context.status.is_running,
    )
    yield WindowAction(
        "players-initiatives",
        lambda context: context.manual.open_initiatives(),
        shortcuts=("Ctrl+I",),
        icon="account-group",
        menu="run",
        enabled_when=lambda context: context.status.is_running,
        has_tip=True,
    )


def _turns() -> Iterator[WindowAction]:
    yield WindowAction(
        "end-turn",
        make_command=lambda _context: EndTurn(),
        shortcuts=("N",),
        icon="check-bold",
        menu="run",
        separator=True,
        enabled_when=lambda context: context.status.has_turn,
    )
    yield WindowAction(
        "go-to-turn",
        lambda context: context.palette.open_choices("go-to-turn"),
        shortcuts=("G",),
        icon="target",
        menu="run",
        enabled_when=lambda context: context.status.phase == "rounds",
    )
    yield WindowAction(
        "answer",
        lambda context: context.run.answer(),
        shortcuts=("A",),
        icon="dice-5",
        menu="run",
        enabled_when=lambda context: context.status.has_prompts or context.status.has_turn,
        has_tip=True,
    )
    yield WindowAction(
        "withdraw-prompt",
        lambda context: context.run.withdraw_prompt(),
        shortcuts=("Ctrl+Shift+W",),
        icon="close",
        menu="run",
        enabled_when=lambda context: context.status.has_prompts,
        has_tip=True,
    )
    yield WindowAction(
        "bring-wave",
        make_command=lambda _context: BringWave(),
        shortcuts=("Ctrl+R",),
        icon="account-group",
        menu="run",
        enabled_when=lambda context: context.status.has_waves,
        has_tip=True,
    )
    yield WindowAction(
        "damage",
        lambda context: context.run.write_amount(""),
        shortcuts=("D",),
        icon="sword",
        menu="run",
        enabled_when=lambda context: context.status.is_running,
    )
    yield WindowAction(
        "heal",
        lambda context: context.run.write_amount("+"),
        shortcuts=("H",),
        icon="heart-plus",
        menu="run",
        enabled_when=lambda context: context.status.is_running,
    )
    yield WindowAction(
        "dice-ask",
        make_command=lambda _context: SetDice("ask"),
        icon="human-handsup",
        menu="run",
        separator=True,
        checked_when=lambda context: context.status.dice_mode == "ask",
        group="dice",
        has_tip=True,
    )
    yield WindowAction(
        "dice-roll",
        make_command=lambda _context: SetDice("roll"),
        icon="dice-multiple-outline",
        menu="run",
        checked_when=lambda context: context.status.dice_mode == "roll",
        group="dice",
        has_tip=True,
    )
    yield WindowAction(
        "rest-short",
        make_command=lambda _context: Rest("short"),
        menu="run",
        icon="timer-sand-empty",
        separator=True,
        enabled_when=lambda context: context.status.phase != "preparing",
    )
    yield WindowAction(
        "rest-long",
        make_command=lambda _context: Rest("long"),
        menu="run",
        icon="bed",
        enabled_when=lambda context: context.status.phase != "preparing",
    )
    yield WindowAction(
        "rest-haven",
        make_command=lambda _context: Rest("long", haven=True),
        menu="run",
        icon="home-outline",
        enabled_when=lambda context: context.status.phase != "preparing",
        has_tip=True,
    )
    yield _manual_command("hours", "clock-outline", menu="run", when=_is_running)
    yield WindowAction(
        "end-encounter",
        make_command=lambda _context: EndEncounter(),
        icon="flag-checkered",
        menu="run",
        enabled_when=lambda context: context.status.is_running,
    )
    yield WindowAction(
        "reset",
        lambda context: context.run.reset(),
        icon="restore",
        menu="run",
        enabled_when=lambda context: context.status.phase != "preparing",
        has_tip=True,
    )


def _manual_commands() -> Iterator[WindowAction]:
    yield _manual_command("hit-points", "heart-outline", keys=("Ctrl+Shift+H",))
    yield _manual_command("damage", "sword", keys=("Ctrl+Shift+D",))
    yield _manual_command("ongoing", "fire")
    yield _manual_command("condition", "alert-circle-outline", keys=("Ctrl+Shift+C",))
    yield _manual_command("reminder", "pencil-outline", when=lambda context: context.status.has_effects)
    yield _manual_command("concentrate", "head-outline")
    yield _manual_command("revive", "heart-plus", when=lambda context: context.status.has_dead)
    yield _manual_command("place", "map-marker", separator=True)
    yield _manual_command("missing-stat", "card-account-details-outline")
    yield _manual_command("bring-in", "account-group", keys=("Ctrl+Shift+J",), when=_is_running)
    yield _manual_command("checks", "dice-d20-outline", keys=("Ctrl+Shift+K",), separator=True, when=_is_running)
    yield _manual_command("group-check", "dice-d20-outline", when=_is_running)
    yield _manual_command("initiative-check", "dice-d20", when=_is_running)
    yield _manual_command("trigger-environment", "earth", separator=True, when=_is_running)
    yield _manual_command("pool-start", "timer-sand", when=_is_running)
    yield _manual_command("pool-dice", "dice-multiple-outline", when=_is_running)


def _is_running(context: ActionContext) -> bool:
    return context.status.is_running


def _view() -> Iterator[WindowAction]:
    yield WindowAction(
        "prepare",
        lambda context: context.view.arrange("prepare"),
        shortcuts=("Ctrl+1", "F5"),
        icon="pencil-outline",
        menu="view",
        group="arrangement",
        checked_when=lambda context: context.view.arrangement == "prepare",
        in_toolbar=True,
        toolbar_text=True,
        separator=True,
    )
    yield WindowAction(
        "run",
        lambda context: context.view.arrange("run"),
        shortcuts=("Ctrl+2", "F6"),
        icon="play-circle-outline",
        menu="view",
        group="arrangement",
        checked_when=lambda context: context.view.arrangement == "run",
        in_toolbar=True,
        toolbar_text=True,
    )
    yield WindowAction(
        "reset-layout", lambda context: context.view.reset_layout(), menu="view", icon="page-layout-sidebar-left"
    )
    yield WindowAction(
        "palette",
        lambda context: context.palette.open_palette(),
        shortcuts=("Ctrl+K",),
        icon="magnify",
        menu="edit",
        separator=True,
        in_toolbar=True,
        toolbar_text=True,
        in_palette=False,
    )
    yield WindowAction(
        "find-rule",
        lambda context: context.rule_navigation.focus_search(),
        shortcuts=("Ctrl+F",),
        icon="book-open-variant",
        menu="edit",
    )


def _docks() -> Iterator[WindowAction]:
    yield WindowAction(
        "go-to-map", lambda context: context.docks.focus_dock("map"), shortcuts=("Ctrl+M",), icon="map", menu="view"
    )
    yield WindowAction(
        "next-dock",
        lambda context: context.docks.focus_next_dock(1),
        shortcuts=("Ctrl+Tab",),
        menu="view",
        separator=True,
    )
    yield WindowAction(
        "previous-dock", lambda context: context.docks.focus_next_dock(-1), shortcuts=("Ctrl+Shift+Tab",), menu="view"
    )
    yield from (_dock_row(spec.id, separator=number == 0) for number, spec in enumerate(DOCKS))


def _dock_row(id: str, *, separator: bool) -> WindowAction:
    return WindowAction(
        f"dock-{id}",
        lambda context: context.view.toggle_dock(id),
        menu="view",
        separator=separator,
        checked_when=lambda context: context.docks.is_open(id),
    )


def _theme_row(choice: ThemeChoice, *, separator: bool = False) -> WindowAction:
    return WindowAction(
        f"theme-{choice}",
        lambda context: context.view.choose_theme(choice),
        menu="view",
        group="theme",
        separator=separator,
        checked_when=lambda context: context.view.theme_choice == choice,
    )


def _look() -> Iterator[WindowAction]:
    yield _theme_row("system", separator=True)
    yield _theme_row("light")
    yield _theme_row("dark")
    yield WindowAction(
        "larger", lambda context: context.view.scale_by(10), shortcuts=("Ctrl++", "Ctrl+="), menu="view", separator=True
    )
    yield WindowAction(
        "smaller",
        lambda context: context.view.scale_by(-10),
        shortcuts=("Ctrl+-",),
        menu="view",
        enabled_when=lambda context: context.view.scale > 100,
    )
    yield WindowAction(
        "default-size",
        lambda context: context.view.scale_to(100),
        shortcuts=("Ctrl+0",),
        menu="view",
        enabled_when=lambda context: context.view.scale != 100,
    )
    yield WindowAction(
        "reduced-motion",
        lambda context: context.view.toggle_motion(),
        menu="view",
        checked_when=lambda context: context.view.has_reduced_motion,
    )


def _help() -> Iterator[WindowAction]:
    yield WindowAction(
        "keys", lambda context: context.help.show_keys(), shortcuts=("F1",), icon="keyboard-outline", menu="help"
    )
    yield WindowAction(
        "why",
        lambda context: context.help.explain(),
        shortcuts=("?", "Shift+F1"),
        icon="help-circle-outline",
        menu="help",
        has_tip=True,
    )
    yield WindowAction("about", lambda context: context.help.show_about(), menu="help", separator=True)
