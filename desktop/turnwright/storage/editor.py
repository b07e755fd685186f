"""Edits the text of a file from its present values to new values, leaf by leaf.

Tables that are removed are hidden in the layout, not dropped, so that undo restores them in their place with their
comments. Nothing here knows an encounter: it compares the tables of a file with a tree of `record_tree.py`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from turnwright.storage.inline_values import edited_text
from turnwright.storage.keys import KeyPath, token
from turnwright.storage.layout import Layout, LayoutBlock, LayoutItem
from turnwright.storage.record_tree import (
    Default,
    OrderedTable,
    StructTable,
    TableOfStructs,
    changes_of,
    differs,
    plain_value,
)
from turnwright.storage.values import MAX_WIDTH, wrapped_value_text

_FORMER = 8


def edit(layout: Layout, old: Mapping[str, Any], new: Mapping[str, Any]) -> None:
    """Change a layout with the values `old` to the values `new`; defaults are not added, keys missing in `new` stay."""
    _Editor(layout).table((), old, new)


class _Editor:
    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.index()

    def index(self) -> None:
        """Index every block and item again, after blocks have moved."""
        self.heads: dict[KeyPath, LayoutBlock] = {}
        self.hidden: list[tuple[KeyPath, LayoutBlock | LayoutItem]] = []
        for block in self.layout.blocks:
            self.heads[block.path] = block
            if block.hidden:
                self.hidden.append((block.path, block))
            self.hidden.extend((block.path_of(item), item) for item in block.items if item.hidden)

    def item(self, path: KeyPath) -> LayoutItem | None:
        """Return the visible key with a path, or None."""
        for length in range(len(path)):
            block = self.heads.get(path[:length])
            if block is None or block.hidden:
                continue
            for item in block.items:
                if not item.hidden and item.keys[-1].name == path[-1] and block.path_of(item) == path:
                    return item
        return None

    # tables

    def table(self, path: KeyPath, old: Mapping[str, Any], new: Mapping[str, Any]) -> None:
        if isinstance(new, TableOfStructs):
            old = self.renamed(path, old, new)
        names = list(new)
        for key, value in changes_of(old, new).items():
            where = (*path, key)
            if value is None:
                self.hide(where)
            elif key in old:
                self.change(where, old[key], value)
            else:
                header = isinstance(value, StructTable) and (isinstance(new, TableOfStructs) or not path)
                self.add(where, value, names, header=header)
        if isinstance(new, OrderedTable) and list(old) != names:
            self.order(path, names)

    def change(self, path: KeyPath, old: Any, new: Any) -> None:
        item = self.item(path)
        if item is not None:
            self.rewrite(item, old, new)
        elif isinstance(old, dict) and isinstance(new, Mapping):
            self.table(path, old, new)
        elif isinstance(old, list) and isinstance(new, list):
            self.array(path, old, new)
        else:
            self.hide(path)
            self.add_item(path, new, [])

    def rewrite(self, item: LayoutItem, old: Any, new: Any) -> None:
        """Change one value, in the text it had when it last had the same meaning."""
        text = next((text for value, text in item.former if not differs(value, new)), None)
        if text is None:
            text = edited_text(item.value, old, new, self.layout.newline)
        item.former = ((old, item.value), *item.former)[:_FORMER]
        item.value = text

    def add(self, path: KeyPath, value: Any, names: Sequence[str], *, header: bool) -> None:
        if self.revive(path, value):
            return
        if isinstance(value, TableOfStructs):
            for name, fields in value.items():
                self.add((*path, name), fields, list(value), header=True)
        elif header:
            self.add_block(path, value, names)
        else:
            self.add_item(path, value, names)

    # the hidden pieces

    def hide(self, path: KeyPath) -> None:
        for block in self.layout.blocks:
            if _under(block.path, path):
                block.hidden = True
                self.hidden.append((block.path, block))
            elif not block.hidden and path[: len(block.path)] == block.path:
                for item in block.items:
                    where = block.path_of(item)
                    if _under(where, path):
                        item.hidden = True
                        self.hidden.append((where, item))

    def revive(self, path: KeyPath, value: Any) -> bool:
        """Show again the hidden pieces at a path and change them to the value; False where none were hidden."""
        found = [piece for where, piece in self.hidden if _under(where, path)]
        if not found:
            return False
        self.hidden = [(where, piece) for where, piece in self.hidden if not _under(where, path)]
        for piece in found:
            piece.hidden = False
        self.change(path, self.meaning(path), value)
        return True

    def meaning(self, path: KeyPath) -> Any:
        """Return the values that the pieces at a path hold."""
        pieces: list[str] = []
        for block in self.layout.visible_blocks():
            if _under(block.path, path):
                pieces.append(block.text())
            elif path[: len(block.path)] == block.path:
                items = [item for item in block.items if _under(block.path_of(item), path)]
                pieces.append(block.head() if items else "")
                pieces.extend(item.text() for item in items)
        value: Any = tomllib.loads("\n".join(pieces))
        for name in path:
            value = value[name]
        return value

    # new keys and headers

    def add_item(self, path: KeyPath, value: Any, names: Sequence[str]) -> None:
        self.end_line()
        block = self.host(path[:-1])
        keys = tuple(token(str(name)) for name in path[len(block.path) :])
        place = self.item_place(block, path, names)
        start = ".".join(key.raw for key in keys) + " = "
        beside = block.items[place - 1] if place else None
        indent = beside.start[: len(beside.start) - len(beside.start.lstrip())] if beside else ""
        newline = self.layout.newline
        text = wrapped_value_text(plain_value(value), MAX_WIDTH - len(start), newline)
        item = LayoutItem("", indent + start, keys, text, newline)
        block.items.insert(place, item)

    def host(self, parent: KeyPath) -> LayoutBlock:
        """Return the block in which a key of a table can be written."""
        block = self.heads.get(parent)
        if block is not None and not block.hidden:
            return block
        for length in range(len(parent) - 1, -1, -1):
            block = self.heads.get(parent[:length])
            if block is None or block.hidden:
                continue
            if any(_under(block.path_of(item)[:-1], parent) for item in block.items if not item.hidden):
                return block
        return self.insert_block(parent, self.block_place(parent, []))

    def item_place(self, block: LayoutBlock, path: KeyPath, names: Sequence[str]) -> int:
        """Return the index among a block's items for a new key: after the key that precedes it in the records."""
        before = names[: names.index(str(path[-1]))] if path[-1] in names else []
        depth = len(path) - 1
        places = {
            block.path_of(item)[depth]: place + 1
            for place, item in enumerate(block.items)
            if not item.hidden and block.path_of(item)[:depth] == path[:depth]
        }
        return next((places[name] for name in reversed(before) if name in places), len(block.items))

    def add_block(self, path: KeyPath, fields: Mapping[str, Any], names: Sequence[str]) -> None:
        block = self.insert_block(path, self.block_place(path, names))
        self.fill(block, fields)
        for key, value in fields.items():
            if isinstance(value, TableOfStructs):
                self.add((*path, key), value, [], header=True)

    def fill(self, block: LayoutBlock, fields: Mapping[str, Any]) -> None:
        newline = self.layout.newline
        for key, value in fields.items():
            if isinstance(value, Default | TableOfStructs) or value is None:
                continue
            name = token(key)
            text = wrapped_value_text(plain_value(value), MAX_WIDTH - len(name.raw) - 3, newline)
            block.items.append(LayoutItem("", f"{name.raw} = ", (name,), text, newline))

    def insert_block(self, path: KeyPath, place: int, header: str = "[") -> LayoutBlock:
        self.end_line()
        newline = self.layout.newline
        lead = newline if any(block.text() for block in self.layout.blocks[:place]) else ""
        keys = tuple(token(name) for name in path if isinstance(name, str))
        block = LayoutBlock(path, lead, header, keys, newline)
        self.layout.blocks.insert(place, block)
        self.heads[path] = block
        return block

    def block_place(self, path: KeyPath, names: Sequence[str]) -> int:
        """Return the index for a new header: by its neighbours in the records, else after the last of its kind."""
        parent = path[:-1]
        place = names.index(str(path[-1])) if path[-1] in names else 0
        for name in reversed(names[:place]):
            if found := self.places((*parent, name)):
                return found[-1] + 1
        for name in names[place + 1 :]:
            if found := self.places((*parent, name)):
                return found[0]
        if names == [] and (found := self.places(path)):
            return found[0]
        while parent:
            if found := self.places(parent):
                return found[-1] + 1
            parent = parent[:-1]
        return len(self.layout.blocks)

    def places(self, path: KeyPath) -> list[int]:
        return [
            place for place, block in enumerate(self.layout.blocks) if not block.hidden and _under(block.path, path)
        ]

    def end_line(self) -> None:
        """End the last line of the file, so that text can be added below it."""
        for block in reversed(self.layout.blocks):
            if text := block.text():
                if not text.endswith("\n"):
                    block.end += self.layout.newline
                return

    # arrays of tables

    def array(self, path: KeyPath, old: list[Any], new: list[Any]) -> None:
        if not new:
            self.hide(path)
            return
        if len(old) == len(new) and not any(map(_replaces, new, old)):
            for index, (before, after) in enumerate(zip(old, new, strict=True)):
                self.table((*path, index), before, after)
            return
        self.rebuild(path, old, new)

    def rebuild(self, path: KeyPath, old: list[Any], new: list[Any]) -> None:
        """Write an array of tables anew, with the text of the unchanged elements."""
        blocks = self.layout.blocks
        groups = [[block for block in blocks if _under(block.path, (*path, index))] for index in range(len(old))]
        start = self.places(path)[0]
        above = list(blocks[:start])
        below = [block for block in blocks[start:] if not _under(block.path, path)]
        self.layout.blocks = [*above, *below]
        place = len(above)
        unused = list(range(len(old)))
        for index, fields in enumerate(new):
            match = next((number for number in unused if not differs(old[number], fields)), None)
            if match is None:
                group = [self.insert_block((*path, index), place, "[[")]
                self.fill(group[0], fields)
                place += 1
                continue
            unused.remove(match)
            for block in groups[match]:
                block.path = (*path, index, *block.path[len(path) + 1 :])
                self.layout.blocks.insert(place, block)
                place += 1
        self.index()

    # names and order

    def renamed(self, path: KeyPath, old: Mapping[str, Any], new: Mapping[str, Any]) -> Mapping[str, Any]:
        """Rename the header of a table of which only the name changed; return the file's values after that."""
        gone = [name for name in old if name not in new]
        names = {name: name for name in old}
        for name in new:
            if name in old or any(_under(where, (*path, name)) for where, _ in self.hidden):
                continue
            match = next((was for was in gone if not differs(old[was], new[name])), None)
            if match is not None and self.places((*path, match)):
                gone.remove(match)
                names[match] = name
                self.rename((*path, match), name)
        return {names[name]: value for name, value in old.items()}

    def rename(self, path: KeyPath, name: str) -> None:
        depth = len(path) - 1
        for block in self.layout.blocks:
            if _under(block.path, path):
                place = sum(1 for part in block.path[:depth] if isinstance(part, str))
                block.keys = (*block.keys[:place], token(name), *block.keys[place + 1 :])
                block.path = (*path[:-1], name, *block.path[depth + 1 :])
        self.index()

    def order(self, path: KeyPath, names: Sequence[str]) -> None:
        """Put the tables or keys under a path in the order given."""
        depth = len(path)
        found: dict[str | int, list[LayoutBlock]] = {}
        for block in self.layout.visible_blocks():
            if len(block.path) > depth and _under(block.path, path):
                found.setdefault(block.path[depth], []).append(block)
        if len(found) == len(names):
            if list(found) != names:
                self.end_line()
                self.order_blocks([found[name] for name in names])
            return
        host = self.heads.get(path)
        if host is not None:
            _order_items(host, names)

    def order_blocks(self, groups: list[list[LayoutBlock]]) -> None:
        moved = {id(block) for group in groups for block in group}
        starts = {id(group[0]) for group in groups}
        waiting = iter(groups)
        blocks: list[LayoutBlock] = []
        for block in self.layout.blocks:
            if id(block) in starts:
                blocks.extend(next(waiting))
            elif id(block) not in moved:
                blocks.append(block)
        self.layout.blocks = blocks


def _order_items(block: LayoutBlock, names: Iterable[str]) -> None:
    """Put a block's own keys in order, in the places that they hold together."""
    ranks = {name: rank for rank, name in enumerate(names)}
    shown = [place for place, item in enumerate(block.items) if not item.hidden]
    if any(block.items[place].keys[0].name not in ranks for place in shown):
        return
    ordered = sorted((block.items[place] for place in shown), key=lambda item: ranks[item.keys[0].name])
    for place, item in zip(shown, ordered, strict=True):
        block.items[place] = item


def _replaces(new: Any, old: Any) -> bool:
    return isinstance(new, StructTable) and new.changes_type(old)


def _under(path: KeyPath, top: KeyPath) -> bool:
    return path[: len(top)] == top
