"""The YAML files of the pathfinder-2-sqlite collection, one creature a file, with the key names of all its years."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from turnwright.storage.importers.documents import Document
from turnwright.storage.importers.drafting import Ids, listed, text_of, unreadable_unless_named, whole
from turnwright.storage.importers.formats import Format
from turnwright.storage.importers.pf2e.actors import at
from turnwright.storage.importers.pf2e.blocks import Ability, Block, Defence, Skill, Speed, Spells, Strike
from turnwright.storage.importers.pf2e.creatures import creature_of
from turnwright.storage.importers.pf2e.damage import parts_of
from turnwright.storage.importers.pf2e.ranks import Rank, lines
from turnwright.storage.importers.pf2e.text import plain
from turnwright.storage.importers.results import Account, Imported, Skipped, Unread, Unreadable

SYSTEM: Final = "pf2e"
COLLECTION: Final = "pathfinder-2-sqlite"
_ODD: Final = (ValueError, TypeError, KeyError, AttributeError, IndexError, OverflowError)
_ABILITIES: Final = ("str", "dex", "con", "int", "wis", "cha")
_SAVES: Final = {"fort": "con", "ref": "dex", "will": "wis"}
_COSTS: Final[Mapping[str, tuple[str, int]]] = {
    "one action": ("action", 1), "two actions": ("action", 2), "three actions": ("action", 3),
    "one to three actions": ("action", 1), "reaction": ("reaction", 1), "free action": ("free", 1), "none": ("trait", 1),
    "": ("trait", 1),
}  # fmt: skip
_HEAD = re.compile(r"^\s*\*\*[^*]*\*\*\s*(?:\[[^\]]*\])?\s*(?:\((?:__[^_]*__(?:,\s*)?)+\))?\s*")
_LINES: Final = (
    ("frequency", "Frequency"), ("requirements", "Requirements"), ("trigger", "Trigger"), ("description", ""),
    ("effect", "Effect"), ("saving_throw", "Saving Throw"), ("maximum_duration", "Maximum Duration"),
    ("critical_success", "Critical Success"), ("success", "Success"), ("failure", "Failure"),
    ("critical_failure", "Critical Failure"),
)  # fmt: skip


def claims(document: Document) -> bool:
    """Return whether a document holds creatures of this collection, or another of its tables."""
    return document.kind == "yaml" and (
        any(_is_creature(one) for one in _records(document)) or _is_table(document.data)
    )


def read(documents: Sequence[Document], system: str) -> Iterator[Imported | Unread | Skipped]:
    """Yield the creatures of documents; the other tables of the collection (conditions and the like) hold none."""
    del system  # they are all of one game
    ids = Ids()
    for document in documents:
        found = [one for one in _records(document) if _is_creature(one)]
        if not found:
            yield Skipped(document.file)
        for record in found:
            yield _read_one(record, document.file, ids)


def _records(document: Document) -> list[Any]:
    return document.data if isinstance(document.data, list) else [document.data]


def _is_creature(record: Any) -> bool:
    return isinstance(record, dict) and "ability_mods" in record and ("saves" in record or "hp" in record)


def _is_table(data: Any) -> bool:
    """Return whether data is a table of the collection: one name above rows that say in which book they stand."""
    rows = listed(next(iter(data.values()), None)) if isinstance(data, dict) and len(data) == 1 else []
    return bool(rows) and all(_cited(one) for one in rows[:5])


def _cited(row: Any) -> bool:
    return any(isinstance(at(one, "abbr"), str) for one in listed(at(row, "source")))


def _read_one(record: Mapping[str, Any], file: str, ids: Ids) -> Imported | Unread:
    said = text_of(record.get("name")).strip()
    try:
        name = unreadable_unless_named(record.get("name"))
        account = Account(name)
        creature = creature_of(_block(record, name, account), ids.of(name, "creature"), account)
    except Unreadable as error:
        return Unread(file, said, str(error))
    except _ODD as error:
        return Unread(file, said, f"is not shaped like one of its kind: {error}")
    return Imported(name, creature, SYSTEM, file, account.reports)


def _block(record: Mapping[str, Any], name: str, account: Account) -> Block:
    hp = whole(record.get("hp"))
    ac = whole(record.get("ac"))
    if hp is None:
        raise Unreadable("hp: is not a number")
    if ac is None:
        account.tell("ac", text_of(record.get("ac")), "is not a number")
    saves = ((id, whole(at(record, "saves", key))) for key, id in _SAVES.items())
    mods = ((id, whole(at(record, "ability_mods", f"{id}_mod"))) for id in _ABILITIES)
    melee = _strikes(record, ("melee_attacks", "melee"), ranged=False)
    ranged = _strikes(record, ("ranged_attacks", "ranged"), ranged=True)
    return Block(
        name,
        whole(record.get("level")),
        size=text_of(record.get("size")),
        rarity=text_of(record.get("rarity")),
        kind=text_of(record.get("type")),
        traits=_texts(record.get("traits")),
        alignment=text_of(record.get("alignment")),
        ac=ac or 0,
        ac_note="; ".join(_unbracketed(text_of(at(one, "descr"))) for one in listed(record.get("ac_special"))),
        hp=hp,
        abilities=tuple((id, mod) for id, mod in mods if mod is not None),
        saves=tuple((id, total) for id, total in saves if total is not None),
        perception=whole(record.get("perception")),
        skills=tuple(_skills(record, account)),
        senses=_texts(record.get("senses")),
        languages=_texts(record.get("languages")),
        speeds=tuple(
            Speed(text_of(at(one, "type")), whole(at(one, "amount")), text_of(at(one, "misc")))
            for one in listed(record.get("speed"))
        ),
        immunities=_texts(record.get("immunities")),
        resistances=tuple(_defences(record.get("resistances"))),
        weaknesses=tuple(_defences(record.get("weaknesses"))),
        strikes=(*melee, *ranged),
        actions=tuple(_abilities(record, account)),
        spells=tuple(_spells(one) for one in listed(record.get("spell_lists"))),
        items=_texts(record.get("items")),
        remarks=tuple(_remarks(record, account)),
        description=plain(text_of(record.get("description"))),
        source=_source(record),
    )


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(text for one in listed(value) if (text := plain(text_of(one)).strip()))


def _unbracketed(text: str) -> str:
    """Return a text without the bracket that was left at its end."""
    text = plain(text).strip()
    return text[:-1].strip() if text.endswith(")") and text.count(")") > text.count("(") else text


def _skills(record: Mapping[str, Any], account: Account) -> Iterator[Skill]:
    for one in listed(record.get("skills")):
        bonus, name = whole(at(one, "bonus")), text_of(at(one, "name")).strip()
        if bonus is None or not name:
            account.tell("skills", f"{name} {text_of(at(one, 'misc'))}".strip(), "has no bonus")
            continue
        yield Skill(name, bonus, text_of(at(one, "misc")))


def _defences(value: Any) -> Iterator[Defence]:
    for one in listed(value):
        name, amount, note = text_of(at(one, "type")), whole(at(one, "amount")), text_of(at(one, "misc"))
        if name or note:
            yield Defence(name, amount, note) if name else Defence(note, None)


def _strikes(record: Mapping[str, Any], keys: tuple[str, ...], *, ranged: bool) -> Iterator[Strike]:
    for one in (one for key in keys for one in listed(record.get(key))):
        parts, riders = parts_of(
            (text_of(at(part, "formula")), text_of(at(part, "type")), "") for part in listed(at(one, "damage"))
        )
        more = plain(text_of(at(one, "plus_damage"))) if isinstance(at(one, "plus_damage"), str) else ""
        beside, plus = parts_of(
            (text_of(at(part, "formula")), text_of(at(part, "type")), "") for part in listed(at(one, "plus_damage"))
        )
        name = " ".join(text_of(at(one, "name")).split()) or "Strike"
        traits = _texts(at(one, "traits"))
        shoots = ranged or any(trait.lower().startswith("range") for trait in traits)  # some stand among the others
        all_riders = tuple(plain(rider) for rider in (*riders, *plus, more) if rider)
        yield Strike(
            name[:1].upper() + name[1:], whole(at(one, "to_hit")), traits, (*parts, *beside),
            all_riders, ranged=shoots,
        )  # fmt: skip


def _abilities(record: Mapping[str, Any], account: Account) -> Iterator[Ability]:
    for key in (
        "sense_abilities",
        "automatic_abilities",
        "active_abilities",
        "proactive_abilities",
        "interaction_abilities",
    ):
        for one in listed(record.get(key)):
            name = " ".join(plain(text_of(at(one, "name"))).split())[:200] or "Ability"
            said = text_of(at(one, "action_cost")).strip()
            if said.lower() not in _COSTS:
                account.tell(f"{name}: action_cost", said, "is no number of actions; it is in the text")
            cost, price = _COSTS.get(said.lower(), ("trait", 1))
            text = _text(one)
            if said.lower() not in _COSTS:
                text = f"[{said}] {text}"
            yield Ability(
                name, cost, price, _texts(at(one, "traits")), text, range=plain(text_of(at(one, "range"))),
            )  # fmt: skip


def _text(ability: Any) -> str:
    """Return all that is said of an ability: as it stood in one piece, and what stood apart from that."""
    text = plain(_HEAD.sub("", text_of(at(ability, "raw_description")), count=1)).lstrip("; ")
    pieces = [text] if text else []
    for key, label in _LINES:
        said = plain(text_of(at(ability, key))).strip("* ;")
        if said and said not in text:
            pieces.append(f"{label} {said}".strip())
    for number, one in enumerate(listed(at(ability, "stages")), 1):
        said = plain(text_of(at(one, "effect")))
        if said and said not in text:
            pieces.append(f"Stage {number} {said}")
    return "\n".join(pieces)


def _spells(held: Any) -> Spells:
    ranks = [
        Rank(text_of(at(spell, "name")), whole(at(group, "level")) or 0, text_of(at(spell, "misc")),
             cantrip=key == "cantrips", constant=key == "constants")
        for key in ("spell_lists", "cantrips", "constants")
        for group in listed(at(held, key))
        for spell in listed(at(group, "spells"))
    ]  # fmt: skip
    name = text_of(at(held, "spells_source")).strip() or "Spells"
    focus = whole(at(held, "focus_points"))
    note = (f"{focus} Focus Point{'s' if focus != 1 else ''}" if focus else "", text_of(at(held, "misc")))
    return Spells(
        name, dc=whole(at(held, "dc")) or 0, attack=whole(at(held, "attack_bonus")),
        tradition=next((word for word in ("arcane", "divine", "occult", "primal") if word in name.lower()), ""),
        ranks=lines(ranks), note="; ".join(one for one in note if one),
    )  # fmt: skip


def _remarks(record: Mapping[str, Any], account: Account) -> Iterator[tuple[str, str]]:
    """Yield what stands in words beside hit points and saves."""
    hp = _unbracketed(text_of(record.get("hp_misc")))
    if hp:
        account.tell("hp", hp, "is words beside the hit points; it is a remark")
        yield "hp", hp
    for key, title in (("misc", ""), ("fort_misc", "Fortitude: "), ("ref_misc", "Reflex: "), ("will_misc", "Will: ")):
        said = plain(text_of(at(record, "saves", key)))
        if said:
            account.tell("saves", said, "holds at times; it is a remark")
            yield "saves", f"{title}{said}"


def _source(record: Mapping[str, Any]) -> str:
    found = []
    for one in (*listed(record.get("sources")), *listed(record.get("source"))):
        book, page = text_of(at(one, "abbr")), text_of(at(one, "page_start"))
        found.append(f"{book}, page {page}" if book and page else book)
    return f"{COLLECTION}: {'; '.join(one for one in found if one)}" if any(found) else COLLECTION


FORMAT: Final = Format("pf2-yaml", "Pathfinder 2e, YAML of pathfinder-2-sqlite", claims, read)
