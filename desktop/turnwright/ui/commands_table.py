"""Everything that can be done in the window, row by row: menus, tool bar, keys, palette and key list come from here."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from turnwright.play import commands
from turnwright.ui.actions import ActionSpec, ActionTable
from turnwright.ui.arrangements import DOCKS
from turnwright.ui.desk import Desk
from turnwright.ui.theme import Choice

MENUS = ("file", "edit", "add", "run", "people", "view", "help")
Row = ActionSpec[Desk]


def action_table() -> ActionTable[Desk]:
    """Return the table of the window."""
    rows = (*_file(), *_edit(), *_add(), *_course(), *_turns(), *_people(), *_view(), *_docks(), *_look(), *_help())
    return ActionTable(rows, MENUS)


def _file() -> Iterator[Row]:
    yield Row(
        "new",
        lambda desk: desk.filing.new(),
        shortcuts=("Ctrl+N",),
        icon="file-plus-outline",
        menu="file",
        in_toolbar=True,
    )
    yield Row(
        "open",
        lambda desk: desk.filing.ask_open(),
        shortcuts=("Ctrl+O",),
        icon="folder-open-outline",
        menu="file",
        in_toolbar=True,
    )
    yield Row("open-sample", lambda desk: desk.choose("open-sample"), icon="book-open-page-variant", menu="file")
    yield Row(
        "open-recent",
        lambda desk: desk.choose("open-recent"),
        icon="history",
        menu="file",
        enabled_when=lambda desk: bool(desk.filing.recent()),
    )
    yield Row(
        "save",
        lambda desk: desk.filing.save(),
        shortcuts=("Ctrl+S",),
        icon="content-save-outline",
        menu="file",
        in_toolbar=True,
        separator=True,
        enabled_when=lambda desk: desk.filing.can_save,
    )
    yield Row("save-as", lambda desk: desk.filing.save_as(), shortcuts=("Ctrl+Shift+S",), menu="file")
    yield Row(
        "import-files",
        lambda desk: desk.importing.ask_files(),
        icon="import",
        menu="file",
        separator=True,
        enabled_when=lambda desk: desk.importing.is_free,
        has_tip=True,
    )
    yield Row(
        "import-folder",
        lambda desk: desk.importing.ask_folder(),
        menu="file",
        enabled_when=lambda desk: desk.importing.is_free,
        has_tip=True,
    )
    yield Row(
        "handouts",
        lambda desk: desk.printing.open(),
        shortcuts=("Ctrl+P",),
        icon="printer",
        menu="file",
        separator=True,
        has_tip=True,
    )
    yield Row("export", lambda desk: desk.choose("export"), icon="export", menu="file")
    yield Row(
        "back-up",
        lambda desk: desk.exporting.ask_back_up(),
        icon="archive-arrow-down-outline",
        menu="file",
        separator=True,
        enabled_when=lambda desk: desk.importing.is_free,
        has_tip=True,
    )
    yield Row(
        "restore-backup",
        lambda desk: desk.exporting.ask_restore(),
        icon="archive-arrow-up-outline",
        menu="file",
        enabled_when=lambda desk: desk.importing.is_free,
        has_tip=True,
    )
    yield Row("quit", lambda desk: desk.window.close(), shortcuts=("Ctrl+Q",), menu="file", separator=True)


def _edit() -> Iterator[Row]:
    yield Row(
        "undo",
        lambda desk: desk.bridge.undo(),
        shortcuts=("Ctrl+Z",),
        icon="undo",
        menu="edit",
        in_toolbar=True,
        separator=True,
        enabled_when=lambda desk: desk.undo_label is not None,
    )
    yield Row(
        "redo",
        lambda desk: desk.bridge.redo(),
        shortcuts=("Ctrl+Shift+Z", "Ctrl+Y"),
        icon="redo",
        menu="edit",
        in_toolbar=True,
        enabled_when=lambda desk: desk.redo_label is not None,
    )


def _add() -> Iterator[Row]:
    yield Row(
        "quick-add",
        lambda desk: desk.quick_add(),
        shortcuts=("Ctrl+Shift+A",),
        icon="playlist-plus",
        menu="add",
        has_tip=True,
    )
    yield Row("add-creature", lambda desk: desk.add_creature(), icon="paw", menu="add", separator=True)
    yield Row("add-environment", lambda desk: desk.add_environment(), icon="earth", menu="add")
    yield Row("add-countdown", lambda desk: desk.add_countdown(), icon="timer-sand", menu="add")


def _by_hand(
    id: str,
    sign: str = "",
    *,
    menu: str = "people",
    keys: tuple[str, ...] = (),
    separator: bool = False,
    when: Callable[[Desk], bool] = lambda desk: desk.has_people,
) -> Row:
    """Return a row that opens the form of something said by hand."""
    return Row(
        f"hand-{id}",
        lambda desk: desk.by_hand(id),
        shortcuts=keys,
        icon=sign,
        menu=menu,
        separator=separator,
        enabled_when=when,
        has_tip=True,
    )


def _course() -> Iterator[Row]:
    yield Row(
        "start",
        lambda desk: desk.start(),
        shortcuts=("F9",),
        icon="play",
        menu="run",
        enabled_when=lambda desk: desk.phase in ("preparing", "ended"),
    )
    yield _by_hand("start", "play-outline", menu="run", when=lambda desk: desk.phase in ("preparing", "ended"))
    yield Row(
        "next-step",
        make_command=lambda _desk: commands.AdvanceSetup(),
        shortcuts=("F10",),
        icon="arrow-right",
        menu="run",
        enabled_when=lambda desk: desk.phase == "set-up" and not desk.is_blocked,
        has_tip=True,
    )
    yield Row(
        "sudden-action",
        lambda desk: desk.choose("sudden-action"),
        icon="lightning-bolt",
        menu="run",
        enabled_when=lambda desk: desk.phase == "set-up",
        has_tip=True,
    )
    yield Row(
        "call-for-checks",
        lambda desk: desk.choose("call-for-checks"),
        icon="dice-d20-outline",
        menu="run",
        enabled_when=lambda desk: desk.is_running,
    )
    yield Row(
        "roll-initiative",
        make_command=lambda _desk: commands.RollInitiative(),
        shortcuts=("F11",),
        icon="dice-d20",
        menu="run",
        separator=True,
        enabled_when=lambda desk: desk.is_running,
    )
    yield Row(
        "players-initiatives",
        lambda desk: desk.players_initiatives(),
        shortcuts=("Ctrl+I",),
        icon="account-group",
        menu="run",
        enabled_when=lambda desk: desk.is_running,
        has_tip=True,
    )


def _turns() -> Iterator[Row]:
    yield Row(
        "end-turn",
        make_command=lambda _desk: commands.EndTurn(),
        shortcuts=("N",),
        icon="check-bold",
        menu="run",
        separator=True,
        enabled_when=lambda desk: desk.has_turn,
    )
    yield Row(
        "go-to-turn",
        lambda desk: desk.choose("go-to-turn"),
        shortcuts=("G",),
        icon="target",
        menu="run",
        enabled_when=lambda desk: desk.phase == "rounds",
    )
    yield Row(
        "answer",
        lambda desk: desk.answer(),
        shortcuts=("A",),
        icon="dice-5",
        menu="run",
        enabled_when=lambda desk: desk.is_asked or desk.has_turn,
        has_tip=True,
    )
    yield Row(
        "put-aside",
        lambda desk: desk.put_aside(),
        shortcuts=("Ctrl+Shift+W",),
        icon="close",
        menu="run",
        enabled_when=lambda desk: desk.is_asked,
        has_tip=True,
    )
    yield Row(
        "bring-wave",
        make_command=lambda _desk: commands.BringWave(),
        shortcuts=("Ctrl+R",),
        icon="account-group",
        menu="run",
        enabled_when=lambda desk: desk.has_waves,
        has_tip=True,
    )
    yield Row(
        "damage",
        lambda desk: desk.write_amount(""),
        shortcuts=("D",),
        icon="sword",
        menu="run",
        enabled_when=lambda desk: desk.is_running,
    )
    yield Row(
        "heal",
        lambda desk: desk.write_amount("+"),
        shortcuts=("H",),
        icon="heart-plus",
        menu="run",
        enabled_when=lambda desk: desk.is_running,
    )
    yield Row(
        "dice-ask",
        make_command=lambda _desk: commands.SetDice("ask"),
        icon="human-handsup",
        menu="run",
        separator=True,
        checked_when=lambda desk: desk.dice_mode == "ask",
        group="dice",
        has_tip=True,
    )
    yield Row(
        "dice-roll",
        make_command=lambda _desk: commands.SetDice("roll"),
        icon="dice-multiple-outline",
        menu="run",
        checked_when=lambda desk: desk.dice_mode == "roll",
        group="dice",
        has_tip=True,
    )
    yield Row(
        "rest-short",
        make_command=lambda _desk: commands.Rest("short"),
        menu="run",
        icon="timer-sand-empty",
        separator=True,
        enabled_when=lambda desk: desk.phase != "preparing",
    )
    yield Row(
        "rest-long",
        make_command=lambda _desk: commands.Rest("long"),
        menu="run",
        icon="bed",
        enabled_when=lambda desk: desk.phase != "preparing",
    )
    yield Row(
        "rest-haven",
        make_command=lambda _desk: commands.Rest("long", haven=True),
        menu="run",
        icon="home-outline",
        enabled_when=lambda desk: desk.phase != "preparing",
        has_tip=True,
    )
    yield _by_hand("hours", "clock-outline", menu="run", when=_is_running)
    yield Row(
        "end-encounter",
        make_command=lambda _desk: commands.EndEncounter(),
        icon="flag-checkered",
        menu="run",
        enabled_when=lambda desk: desk.is_running,
    )
    yield Row(
        "reset",
        lambda desk: desk.reset(),
        icon="restore",
        menu="run",
        enabled_when=lambda desk: desk.phase != "preparing",
        has_tip=True,
    )


def _people() -> Iterator[Row]:
    yield _by_hand("hit-points", "heart-outline", keys=("Ctrl+Shift+H",))
    yield _by_hand("damage", "sword", keys=("Ctrl+Shift+D",))
    yield _by_hand("ongoing", "fire")
    yield _by_hand("condition", "alert-circle-outline", keys=("Ctrl+Shift+C",))
    yield _by_hand("reminder", "pencil-outline", when=lambda desk: desk.has_effects)
    yield _by_hand("concentrate", "head-outline")
    yield _by_hand("revive", "heart-plus", when=lambda desk: desk.has_dead)
    yield _by_hand("place", "map-marker", separator=True)
    yield _by_hand("figure", "card-account-details-outline")
    yield _by_hand("bring-in", "account-group", keys=("Ctrl+Shift+J",), when=_is_running)
    yield _by_hand("checks", "dice-d20-outline", keys=("Ctrl+Shift+K",), separator=True, when=_is_running)
    yield _by_hand("group-check", "dice-d20-outline", when=_is_running)
    yield _by_hand("initiative-check", "dice-d20", when=_is_running)
    yield _by_hand("set-off", "earth", separator=True, when=_is_running)
    yield _by_hand("pool-start", "timer-sand", when=_is_running)
    yield _by_hand("pool-dice", "dice-multiple-outline", when=_is_running)


def _is_running(desk: Desk) -> bool:
    return desk.is_running


def _view() -> Iterator[Row]:
    yield Row(
        "prepare",
        lambda desk: desk.arrange("prepare"),
        shortcuts=("Ctrl+1", "F5"),
        icon="pencil-outline",
        menu="view",
        group="arrangement",
        checked_when=lambda desk: desk.arrangement == "prepare",
        in_toolbar=True,
        toolbar_text=True,
        separator=True,
    )
    yield Row(
        "run",
        lambda desk: desk.arrange("run"),
        shortcuts=("Ctrl+2", "F6"),
        icon="play-circle-outline",
        menu="view",
        group="arrangement",
        checked_when=lambda desk: desk.arrangement == "run",
        in_toolbar=True,
        toolbar_text=True,
    )
    yield Row("lay-out-again", lambda desk: desk.lay_out_again(), menu="view", icon="page-layout-sidebar-left")
    yield Row(
        "palette",
        lambda desk: desk.open_palette(),
        shortcuts=("Ctrl+K",),
        icon="magnify",
        menu="edit",
        separator=True,
        in_toolbar=True,
        toolbar_text=True,
        in_palette=False,
    )
    yield Row(
        "find-rule", lambda desk: desk.rules_way.find(), shortcuts=("Ctrl+F",), icon="book-open-variant", menu="edit"
    )


def _docks() -> Iterator[Row]:
    yield Row("go-to-map", lambda desk: desk.docks.enter("map"), shortcuts=("Ctrl+M",), icon="map", menu="view")
    yield Row("next-part", lambda desk: desk.next_dock(1), shortcuts=("Ctrl+Tab",), menu="view", separator=True)
    yield Row("part-before", lambda desk: desk.next_dock(-1), shortcuts=("Ctrl+Shift+Tab",), menu="view")
    yield from (_dock_row(spec.id, separator=number == 0) for number, spec in enumerate(DOCKS))


def _dock_row(id: str, *, separator: bool) -> Row:
    return Row(
        f"dock-{id}",
        lambda desk: desk.toggle_dock(id),
        menu="view",
        separator=separator,
        checked_when=lambda desk: desk.docks.is_open(id),
    )


def _theme_row(choice: Choice, *, separator: bool = False) -> Row:
    return Row(
        f"theme-{choice}",
        lambda desk: desk.choose_theme(choice),
        menu="view",
        group="theme",
        separator=separator,
        checked_when=lambda desk: desk.theme_choice == choice,
    )


def _look() -> Iterator[Row]:
    yield _theme_row("system", separator=True)
    yield _theme_row("light")
    yield _theme_row("dark")
    yield Row("larger", lambda desk: desk.scale_by(10), shortcuts=("Ctrl++", "Ctrl+="), menu="view", separator=True)
    yield Row(
        "smaller",
        lambda desk: desk.scale_by(-10),
        shortcuts=("Ctrl+-",),
        menu="view",
        enabled_when=lambda desk: desk.scale > 100,
    )
    yield Row(
        "usual-size",
        lambda desk: desk.scale_to(100),
        shortcuts=("Ctrl+0",),
        menu="view",
        enabled_when=lambda desk: desk.scale != 100,
    )
    yield Row(
        "reduced-motion",
        lambda desk: desk.toggle_motion(),
        menu="view",
        checked_when=lambda desk: desk.has_reduced_motion,
    )


def _help() -> Iterator[Row]:
    yield Row("keys", lambda desk: desk.show_keys(), shortcuts=("F1",), icon="keyboard-outline", menu="help")
    yield Row(
        "why",
        lambda desk: desk.why(),
        shortcuts=("?", "Shift+F1"),
        icon="help-circle-outline",
        menu="help",
        has_tip=True,
    )
    yield Row("about", lambda desk: desk.about(), menu="help", separator=True)
