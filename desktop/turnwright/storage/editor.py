"""Edits the text of a TOML file piece by piece when values change.

Unchanged pieces stay exactly as they are. Pairs with a changed value are rewritten by `pair_editor`. The module doesn't
depend on encounters: it compares a file's tables with a tree of `record_tree.py`.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from turnwright.storage.toml import record_tree
from turnwright.storage.toml.parser import parse_tables
from turnwright.storage.toml.values import MAX_WIDTH, NAME, KeyPath, Piece, name_text, pieces_of, wrapped_value_text

_NEAR = 20  # the number of old values compared with each new value


def edited_text(text: str, old: Mapping[str, Any], *trees: Mapping[str, Any]) -> str:
    """Replace the values `old` in a text with those of each tree in turn, and return the new text.

    Default values aren't added, and keys that a tree's structs don't define are kept.
    """
    editor = _Editor(text)
    for before, tree in zip((old, *map(record_tree.plain_value, trees[:-1])), trees, strict=True):
        editor.change_table((), before, tree)
    return editor.text()


class _Editor:
    def __init__(self, text: str) -> None:
        self.byte_order_mark = text[: text.startswith("\ufeff")]
        self.newline = "\r\n" if "\r\n" in text else "\n"
        self.pieces = pieces_of(text.removeprefix("\ufeff"))
        self.index()

    def index(self) -> None:
        """Index all headers and pairs by path. Required after paths have changed."""
        self.at = {piece.path: piece for piece in self.pieces if piece.path is not None}

    def text(self) -> str:
        """Return the text of all pieces, each ending with a line break."""
        texts = [piece.text for piece in self.pieces]
        ended = [text if text.endswith("\n") else text + self.newline for text in texts[:-1]]
        return self.byte_order_mark + "".join([*ended, *texts[-1:]])

    def change_table(self, path: KeyPath, old: Mapping[str, Any], new: Mapping[str, Any]) -> None:
        if isinstance(new, record_tree.TableOfStructs):
            old = self.renamed(path, old, new)
        names = list(new)
        changes = record_tree.changes_of(old, new)
        self.remove(path, [key for key, value in changes.items() if value is None and key in old])
        for key, value in changes.items():
            where = (*path, key)
            if value is None:
                continue
            if key in old:
                self.change(where, old[key], value)
            else:
                self.add(where, value, names, headed=isinstance(new, record_tree.TableOfStructs) or not path)
        if isinstance(new, record_tree.OrderedTable) and list(old) != names:
            self.order(path, names)

    def change(self, path: KeyPath, old: Any, new: Any) -> None:
        # loads tomlkit, which opening a file does without
        from turnwright.storage.toml.pair_editor import edited_pair

        piece = self.at.get(path)
        if piece is not None and not piece.is_header:
            piece.text = edited_pair(piece.text, piece.start, old, new, self.newline)
        elif isinstance(old, dict) and isinstance(new, Mapping) and not _replaces(new, old):
            self.change_table(path, old, new)
        elif isinstance(old, list) and isinstance(new, list) and new:
            self.change_array(path, old, new)
        else:
            self.remove(path[:-1], path[-1:])
            if new != []:
                self.add_pair(path, new, [])

    def remove(self, path: KeyPath, names: Collection[str | int]) -> None:
        """Remove keys or tables from a table. Detached comments below them are kept."""
        if not names:
            return
        kept: list[Piece] = []
        for piece in self.pieces:
            where = piece.path or piece.table
            if not _under(where, path) or len(where) == len(path) or where[len(path)] not in names:
                kept.append(piece)
            elif piece.path is not None:
                del self.at[piece.path]
            elif "#" in piece.text:
                piece.table = kept[-1].table if kept else ()
                kept.append(piece)
        self.pieces = kept

    def headed(self, path: KeyPath) -> list[int]:
        """Return the indexes of a table's headers and of all pairs below them."""
        return [place for place, piece in enumerate(self.pieces) if piece.path and _under(piece.table, path)]

    def groups(self, path: KeyPath) -> dict[str | int, list[Piece]]:
        """Return a table's pieces in file order, grouped by key, without trailing detached comments."""
        groups: dict[str | int, list[Piece]] = {}
        depth = len(path)
        for piece in self.pieces:
            where = piece.path or piece.table
            if len(where) > depth and where[:depth] == path:
                groups.setdefault(where[depth], []).append(piece)
        for group in groups.values():
            while group[-1].path is None:
                del group[-1]
        return groups

    # new keys and headers

    def add(self, path: KeyPath, value: Any, names: Sequence[str], *, headed: bool) -> None:
        """Add a key or table. A struct with an id gets a header, unless no sibling has one."""
        if isinstance(value, record_tree.TableOfStructs):
            for name, fields in value.items():
                self.add((*path, name), fields, list(value), headed=True)
        elif headed and isinstance(value, record_tree.StructTable) and not self.fits_in_line(path, value, names):
            self.insert_header(path, value, self.place_of_header(path, names))
        else:
            self.add_pair(path, value, names)

    def fits_in_line(self, path: KeyPath, value: record_tree.StructTable, names: Sequence[str]) -> bool:
        beside = [self.at[where] for name in names if (where := (*path[:-1], name)) in self.at]
        if len(path) == 1 or not beside or any(piece.is_header for piece in beside):
            return False
        has_tables = any(isinstance(inner, record_tree.TableOfStructs) for inner in value.values())
        return not has_tables and len(self.pair_text(path[-1:], value)) <= MAX_WIDTH

    def add_pair(self, path: KeyPath, value: Any, names: Sequence[str]) -> None:
        """Add a pair to its table, after the key that precedes it in the record."""
        parent = path[:-1]
        places = self.places_of_pairs(parent)
        before = names[: names.index(path[-1])] if path[-1] in names else []
        after = next((places[name] for name in reversed(before) if name in places), max(places.values(), default=None))
        table, indent = parent, ""
        if after is not None:
            beside = self.pieces[after]
            line = beside.text[beside.start :]
            table, indent = beside.table, line[: len(line) - len(line.lstrip(" \t"))]
        elif parent in self.at:
            after = self.pieces.index(self.at[parent])
        elif parent:
            after = self.place_of_header(parent, [])
            self.insert_header(parent, {}, after)
        else:
            after = next((n for n, piece in enumerate(self.pieces) if piece.path is not None), len(self.pieces)) - 1
        self.insert(after + 1, Piece(table, path, indent + self.pair_text(path[len(table) :], value)))

    def places_of_pairs(self, path: KeyPath) -> dict[str | int, int]:
        """Return the index of the last pair of each key in a table, including pairs with dotted keys."""
        return {
            piece.path[len(path)]: place
            for place, piece in enumerate(self.pieces)
            if piece.path is not None
            and len(piece.path) > len(path) >= len(piece.table)
            and not piece.is_header
            and _under(piece.path, path)
        }

    def pair_text(self, names: KeyPath, value: Any) -> str:
        start = ".".join(name_text(str(name)) for name in names) + " = "
        return (
            start
            + wrapped_value_text(record_tree.plain_value(value), MAX_WIDTH - len(start), self.newline)
            + self.newline
        )

    def insert(self, place: int, piece: Piece) -> None:
        self.pieces.insert(place, piece)
        if piece.path is not None:
            self.at[piece.path] = piece

    def insert_header(self, path: KeyPath, fields: Mapping[str, Any], place: int) -> None:
        """Insert a new table: its header, its pairs, and its subtables."""
        text = record_tree.table_text(path, fields).replace("\n", self.newline)
        lead = self.newline if place else ""
        self.insert(place, Piece(path, path, lead + text, len(lead)))

    def place_of_header(self, path: KeyPath, names: Sequence[str]) -> int:
        """Return the index for a new header: next to its neighbours in the record, or after its last sibling."""
        parent = path[:-1]
        at = names.index(path[-1]) if path[-1] in names else 0
        for name in reversed(names[:at]):
            if places := self.headed((*parent, name)):
                return places[-1] + 1
        for following in (*names[at + 1 :], path[-1]):
            if places := self.headed((*parent, following)):
                return places[0]
        for length in range(len(parent), 0, -1):
            if places := self.headed(parent[:length]):
                return places[-1] + 1
        return len(self.pieces)

    # arrays of tables

    def change_array(self, path: KeyPath, old: list[Any], new: list[Any]) -> None:
        """Change an array of tables. Unchanged elements keep their text, even if their index changes."""
        origins = _origins(old, new, 0.5)
        if [origins.get(index) for index in range(len(new))] != list(range(len(old))):
            self.move_elements(path, new, origins)
        for index, origin in origins.items():
            self.change_table((*path, index), old[origin], new[index])

    def move_elements(self, path: KeyPath, new: list[Any], origins: Mapping[int, int]) -> None:
        groups = self.groups(path)
        place = self.pieces.index(groups[0][0])
        taken = {id(piece) for group in groups.values() for piece in group}
        self.pieces = [piece for piece in self.pieces if id(piece) not in taken]
        for index, fields in enumerate(new):
            before = len(self.pieces)
            if index in origins:
                self.pieces[place:place] = [_moved(piece, (*path, index)) for piece in groups[origins[index]]]
            else:
                self.insert_header((*path, index), fields, place)
            place += len(self.pieces) - before
        self.index()

    # names and order

    def renamed(self, path: KeyPath, old: Mapping[str, Any], new: Mapping[str, Any]) -> Mapping[str, Any]:
        """Rename tables if nothing else in them changed. Return the file's values with the new names."""
        gone = [name for name in old if name not in new]
        fresh = [name for name in new if name not in old]
        origins = _origins([old[name] for name in gone], [new[name] for name in fresh], 0.0)
        names = {gone[origin]: fresh[index] for index, origin in origins.items()}
        for name, now in names.items():
            self.rename((*path, name), now)
        return {names.get(name, name): value for name, value in old.items()}

    def rename(self, path: KeyPath, name: str) -> None:
        depth = len(path) - 1
        for piece in self.pieces:
            if not _under(piece.path or piece.table, path):
                continue
            first = 0 if piece.is_header else len(piece.table)
            if piece.path is not None and first <= depth:
                skipped = sum(1 for part in path[first:depth] if isinstance(part, str))
                token = list(NAME.finditer(piece.text, piece.start))[skipped]
                piece.text = piece.text[: token.start()] + name_text(name) + piece.text[token.end() :]
            _moved(piece, (*path[:-1], name))
        self.index()

    def order(self, path: KeyPath, names: Sequence[str]) -> None:
        """Sort the tables or keys under a path. If only some of them have headers, add headers to the others."""
        groups = self.groups(path)
        ordered = [name for name in names if name in groups]
        if [name for name in groups if name in names] == ordered:
            return
        if len({groups[name][0].is_header for name in ordered}) > 1:
            for name in ordered:
                if not groups[name][0].is_header:
                    self.give_header((*path, name), groups[name], names)
            groups = self.groups(path)
        starts = {id(groups[name][0]) for name in ordered}
        moved = {id(piece) for name in ordered for piece in groups[name]}
        waiting = (groups[name] for name in ordered)
        self.pieces = [
            piece
            for place in self.pieces
            for piece in (next(waiting) if id(place) in starts else [] if id(place) in moved else [place])
        ]

    def give_header(self, path: KeyPath, group: list[Piece], names: Sequence[str]) -> None:
        """Give an inline or dotted table its own header, and move its keys there, including unknown ones."""
        value: Any = parse_tables("".join(piece.text for piece in group))
        for name in path[len(group[0].table) :]:
            value = value[name]
        self.remove(path[:-1], path[-1:])
        self.insert_header(path, value, self.place_of_header(path, names))


def _origins(old: Sequence[Any], new: Sequence[Any], share: float) -> dict[int, int]:
    """Match new values to the old values they were made from. Return the old indexes, keyed by new index.

    Values match if they are equal, or if at most the given share of the old value changed.
    """
    head, tail = record_tree.equal_ends(old, new)
    origins = {index: index for index in range(head)}
    origins.update({len(new) - place: len(old) - place for place in range(1, tail + 1)})
    unused = list(range(head, len(old) - tail))
    for most in (0.0, share):
        for index in range(head, len(new) - tail):
            if index not in origins and unused:
                changed, origin = min((_share_changed(old[near], new[index]), near) for near in unused[:_NEAR])
                if changed <= most:
                    origins[index] = origin
                    unused.remove(origin)
    return origins


def _share_changed(old: Any, new: Any) -> float:
    if not isinstance(old, dict) or not isinstance(new, Mapping) or _replaces(new, old):
        return float(record_tree.differs(old, new))
    return len(record_tree.changes_of(old, new)) / max(len(old), 1)


def _moved(piece: Piece, path: KeyPath) -> Piece:
    """Return a piece with the beginning of its paths replaced by `path`, which has the same length."""
    if len(piece.table) >= len(path):
        piece.table = (*path, *piece.table[len(path) :])
    if piece.path is not None:
        piece.path = (*path, *piece.path[len(path) :])
    return piece


def _replaces(new: Any, old: Any) -> bool:
    return isinstance(new, record_tree.StructTable) and new.changes_type(old)


def _under(path: KeyPath, top: KeyPath) -> bool:
    return path[: len(top)] == top
