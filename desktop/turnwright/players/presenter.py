"""The state of the players' screen: the page, the view that is held, the visible part of the map, and the turn's time."""

from collections.abc import Callable
from typing import Final

import msgspec

from turnwright.encounter.prepared import Map, Point
from turnwright.encounter.running import Combatant, Fog
from turnwright.encounter.state import Change, Encounter
from turnwright.players.map_view import hiding, is_map_shown, players_view, with_doors, with_marker, with_numbers
from turnwright.players.secrets import Showing, is_visible, with_known_names
from turnwright.players.view import PlayersView, ViewMode
from turnwright.rules.parts.positions.sight import SIGNS, fog_lines, fog_text, open_squares, with_state
from turnwright.rules.system import RuleSystem

LEAST_ACROSS, MOST_ACROSS = 4.0, 500.0  # minimum and maximum width of the map view in squares
NOT_KEPT: Final = {
    "numbers": (), "map_origin": None, "map_centre": None, "portraits": (), "marked": None, "doors": (), "has_prepared_map": False,
    "ruler": None, "floor": "",
}  # fmt: skip
OF_THE_ENCOUNTER: Final = ("order", "map", "dice")  # pages that show parts of the encounter itself


class Reveal(msgspec.Struct, frozen=True):
    """Combatants and map squares that an undo would reveal to the players again."""

    ids: tuple[str, ...]
    labels: tuple[str, ...]
    squares: tuple[Point, ...] = ()


class Presenter:
    """The state of the players' screen. `view` is what players see, and `showing` the game master's choices.

    `clock` returns the time in seconds. `turn_limit` is the time limit of a turn in seconds, or 0 for no limit.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self.showing = Showing()
        self.view = PlayersView("black")
        self.is_held = False
        self.reveal: Reveal | None = None  # stays hidden until the game master decides
        self.turn_limit = 0
        self._clock = clock
        self._before_black: ViewMode = "order"
        self._covered: PlayersView | None = None  # the held view behind the black page
        self._turn: tuple[int, int | None] = (0, None)
        self._turn_began = clock()
        self._stepped = False  # whether undo or redo was used since players last saw a change
        self._seen: frozenset[str] = frozenset()
        self._open: frozenset[Point] | None = None  # squares without fog, or None if there is no fog

    def change(self, **choices: object) -> None:
        """Change some of the game master's choices."""
        self.showing = msgspec.structs.replace(self.showing, **choices)

    # The view --------------------------------------------------------------------------------------------------------

    def start_over(self, *, is_watched: bool = False) -> None:
        """Forget everything about the previous encounter.

        If players are watching, they keep seeing the same page until the game master shows another: a sent text or
        picture and a black page stay, and a view of the encounter is held.
        """
        page = self._before_black if self.showing.mode == "black" else self.showing.mode
        self.change(**NOT_KEPT)
        if not is_watched or page != "text":
            self.change(text="")
        if not is_watched or page != "picture":
            self.change(handout=None)
        self._seen, self._open, self.reveal, self._stepped = frozenset(), None, None, False
        self.is_held = is_watched and (self.is_held or self.showing.mode in OF_THE_ENCOUNTER)
        if not self.is_held:
            self._covered = None

    def follow(self, encounter: Encounter, *, stepped: bool) -> bool:
        """Follow the encounter, and return whether the view must be composed: not while it is held.

        After undo or redo (`stepped`), what it would reveal to the players again stays hidden until the game master decides.
        """
        self._stepped = self._stepped or stepped
        if self.is_held:
            return False
        visible = frozenset(each.id for each in encounter.all(Combatant) if is_visible(encounter, each.id))
        asked = self.reveal or Reveal((), ())
        ids = visible - self._seen if self._stepped else visible.intersection(asked.ids)
        squares = self._squares_again(encounter, frozenset(asked.squares))
        labels = tuple(encounter.need(Combatant, id).label for id in sorted(ids))
        self.reveal = Reveal(tuple(sorted(ids)), labels, squares) if ids or squares else None
        shown = self.covered(encounter)
        self._stepped, self._seen, self._open = False, visible - ids, open_squares(shown)
        self.showing = with_doors(shown, with_numbers(shown, with_known_names(shown, self.showing)))
        return True

    def _squares_again(self, encounter: Encounter, asked: frozenset[Point]) -> tuple[Point, ...]:
        """Return the map squares without fog that were asked about before, or that undo has uncovered on a map in view."""
        battle_map, opened = encounter.get(Map, Map.table), open_squares(encounter)
        is_shown = self.showing.mode == "map" and is_map_shown(encounter, self.showing)
        if battle_map is not None and self._stepped and is_shown and self._open is not None:
            columns, rows = range(battle_map.columns), range(battle_map.rows)
            asked |= {(column, row) for column in columns for row in rows} - self._open
        return tuple(sorted(asked if opened is None else asked & opened))

    def covered(self, encounter: Encounter) -> Encounter:
        """Return the encounter in which everything that an undo would reveal is hidden."""
        battle_map, reveal = encounter.get(Map, Map.table), self.reveal or Reveal((), ())
        changes = hiding(each for each in encounter.all(Combatant) if each.id in reveal.ids)
        if reveal.squares and battle_map is not None:
            lines = fog_lines(encounter, battle_map) or (SIGNS["shown"] * battle_map.columns,) * battle_map.rows
            fog = Fog(squares=fog_text(with_state(lines, reveal.squares, "hidden")))
            changes.append(Change((Fog.table, Fog.table), encounter.get(Fog, Fog.table), fog))
        return encounter.with_changes(changes) if changes else encounter

    def mark(self, encounter: Encounter) -> None:
        """Remember the active slot if players see it, even if the view is held or isn't composed at once."""
        self.showing = with_marker(encounter, self.showing)

    def has_hidden_more(self, encounter: Encounter) -> bool:
        """Whether something that players see has just been hidden. Such changes must not be delayed."""
        people = (encounter.get(Combatant, id) for id in self._seen)
        if any(person is not None and person.hidden for person in people):
            return True
        if self.showing.mode != "map":
            return False
        opened = open_squares(encounter)
        return opened is not None and (self._open is None or not self._open <= opened)

    def show(self, view: PlayersView) -> None:
        """Show players a composed view, with the remaining time of the turn."""
        self.view = msgspec.structs.replace(view, turn_seconds=self._turn_seconds(view))

    def coming(self, encounter: Encounter, rules: RuleSystem) -> PlayersView:
        """Return the view that players will see when the hold ends. The map's image isn't painted yet."""
        return players_view(encounter, rules, with_known_names(encounter, self.showing), is_shaded=False)

    # Pages and holds -------------------------------------------------------------------------------------------------

    def set_mode(self, mode: ViewMode) -> bool:
        """Switch to another page and end a hold. Return whether the view must be composed.

        The black page only covers a held view, and the next page uncovers it.
        """
        was = self.showing.mode
        if mode != "black":
            self._before_black = mode
        stays = self.is_held and (mode == "black" or (was == "black" and self._covered is not None))
        self.change(mode=mode)
        if stays:
            self._cover(is_covered=mode == "black")
        else:
            self.is_held = False
        return not stays

    @property
    def page_after_black(self) -> ViewMode:
        """The page to show when the black page is switched on or off."""
        return self._before_black if self.showing.mode == "black" else "black"

    def _cover(self, *, is_covered: bool) -> None:
        """Cover the held view with the black page, or show it again."""
        if is_covered and self._covered is None:
            self._covered, self.view = self.view, PlayersView("black")
        elif not is_covered and self._covered is not None:
            self.view, self._covered = self._covered, None

    def set_held(self, *, is_held: bool) -> None:
        """Hold the view while the game master makes changes, or end the hold."""
        self.is_held = is_held
        if not is_held:
            self._covered = None

    # The map ---------------------------------------------------------------------------------------------------------

    def move_map(self, across: float, down: float, centre: tuple[float, float], width: float) -> None:
        """Move the map view by squares right and down. The centre stays in the known area. This ends following.

        `centre` and `width` are those of the part that players see, in squares.
        """
        player_map, showing = self.view.map, self.showing
        if player_map is None or not player_map.fog:
            return
        if showing.map_centre is not None and showing.map_across and not showing.map_follows:
            centre = showing.map_centre  # to which the map is moving, even if it isn't painted yet
        left, top = player_map.at
        x = min(max(centre[0] + across, left), left + len(player_map.fog[0]))
        y = min(max(centre[1] + down, top), top + len(player_map.fog))
        self.change(map_centre=(x, y), map_across=showing.map_across or width, map_follows=False)

    def zoom_map(self, factor: float, centre: tuple[float, float], width: float) -> None:
        """Enlarge the map by a factor. `centre` and `width` are those of the part that players see."""
        self.change(map_centre=centre, map_across=min(MOST_ACROSS, max(LEAST_ACROSS, width / factor)))

    # The time of the turn --------------------------------------------------------------------------------------------

    def set_turn_limit(self, seconds: int) -> None:
        """Set the time limit of a turn in seconds, where 0 means no limit. The active turn starts again."""
        self.turn_limit = seconds
        self._turn_began = self._clock()

    def _turn_seconds(self, view: PlayersView) -> int | None:
        """Return the remaining seconds of the turn that players see. A hidden combatant's turn doesn't stop them."""
        if (view.round, view.actor) != self._turn:
            self._turn = view.round, view.actor
            self._turn_began = self._clock()
        if not self.turn_limit or view.actor is None:
            return None
        return max(0, self.turn_limit - int(self._clock() - self._turn_began))
