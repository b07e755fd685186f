"""Actors of Foundry's Pathfinder 2e system, creatures and hazards, in its schema of 2021 and the later ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from turnwright.storage.importers.documents import Document
from turnwright.storage.importers.drafting import Ids, listed, mapping, text_of, unreadable_unless_named, whole
from turnwright.storage.importers.formats import Format
from turnwright.storage.importers.pf2e import actors, items
from turnwright.storage.importers.pf2e.actors import at, body_of
from turnwright.storage.importers.pf2e.blocks import Block
from turnwright.storage.importers.pf2e.creatures import creature_of
from turnwright.storage.importers.pf2e.hazards import as_hazard
from turnwright.storage.importers.pf2e.text import glossary_id, plain, unsolved
from turnwright.storage.importers.results import Account, Imported, Skipped, Unread, Unreadable

SYSTEM: Final = "pf2e"
COLLECTION: Final = "Foundry PF2e"
ACTORS: Final = frozenset({"npc", "hazard"})
_LOOKED_AT: Final = 50  # how many documents of a collection are looked at to see whose it is
_ODD: Final = (ValueError, TypeError, KeyError, AttributeError, IndexError, OverflowError)


def claims(document: Document) -> bool:
    """Return whether a document holds something of Foundry's Pathfinder 2e system."""
    return document.kind == "json" and any(_is_ours(one) for one in _records(document)[:_LOOKED_AT])


def read(documents: Sequence[Document], system: str) -> Iterator[Imported | Unread | Skipped]:
    """Yield the creatures and hazards of documents; conditions, abilities, spells and the like only lend their texts."""
    del system  # they are all of one game
    glossary = _glossary(documents)
    ids = Ids()
    for document in documents:
        found = [
            one for one in _records(document) if isinstance(one, dict) and one.get("type") in (*ACTORS, "character")
        ]
        if not found:
            yield Skipped(document.file)
        for record in found:
            yield _read_one(record, document.file, ids, glossary)


def _records(document: Document) -> list[Any]:
    return document.data if isinstance(document.data, list) else [document.data]


def _is_ours(record: Any) -> bool:
    """Return whether a document is of this system, an actor or anything else; other systems have the same outer shape."""
    body = body_of(mapping(record))
    kind = text_of(mapping(record).get("type"))
    if kind == "npc":
        return at(body, "saves", "fortitude") is not None and at(body, "attributes") is not None
    if kind == "hazard":
        return at(body, "attributes", "stealth") is not None or at(body, "details", "isComplex") is not None
    if kind == "character":
        return bool(body) and any(
            mapping(one).get("type") == "ancestry" for one in listed(mapping(record).get("items"))
        )
    if not isinstance(mapping(record).get("name"), str) or not kind:
        return False
    described = isinstance(at(body, "description", "value"), str)
    by_rules = isinstance(body.get("rules"), list) and ("slug" in body or "publication" in body or "traits" in body)
    by_action = kind == "action" and at(body, "actionType", "value") is not None
    return described and (by_rules or by_action)


def _glossary(documents: Sequence[Document]) -> Mapping[str, str]:
    """Return the texts of abilities and conditions by id, for those that only refer to them."""
    found: dict[str, str] = {}
    for document in documents:
        for record in _records(document):
            if isinstance(record, dict) and record.get("type") in ("action", "condition") and "items" not in record:
                text = text_of(at(body_of(record), "description", "value"))
                if text and "@Localize" not in text:
                    found.setdefault(glossary_id(text_of(record.get("name"))), text)
    return found


def _read_one(record: Mapping[str, Any], file: str, ids: Ids, glossary: Mapping[str, str]) -> Imported | Unread:
    said = text_of(record.get("name")).strip()
    try:
        name = unreadable_unless_named(record.get("name"))
        if record["type"] == "character":
            return Unread(file, name, "is a character, whose figures are worked out by the program it is from")
        account = Account(name)
        creature = creature_of(_block(record, name, account, glossary), ids.of(name, "creature"), account)
    except Unreadable as error:
        return Unread(file, said, str(error))
    except _ODD as error:
        return Unread(file, said, f"is not shaped like one of its kind: {error}")
    return Imported(name, creature, SYSTEM, file, account.reports)


def _block(record: Mapping[str, Any], name: str, account: Account, glossary: Mapping[str, str]) -> Block:
    body = body_of(record)
    held = [one for one in listed(record.get("items")) if isinstance(one, dict)]
    level = actors.level(body)

    def plain_of(where: str, text: str) -> str:
        if "@" in text:
            for mark in unsolved(text):
                if not (mark.startswith("@Localize") and glossary_id(mark[10:-1]) in glossary):
                    account.tell(where, mark, "is worked out or looked up by the program it is from; it is not kept")
        return plain(text, glossary, level)

    hp = whole(at(body, "attributes", "hp", "max"))
    ac = whole(at(body, "attributes", "ac", "value"))
    block = Block(
        name,
        level,
        size=text_of(at(body, "traits", "size", "value")),
        rarity=actors.rarity(body),
        kind=text_of(at(body, "details", "creatureType")) or text_of(body.get("creatureType")),
        traits=actors.traits(body),
        alignment=text_of(at(body, "details", "alignment", "value")),
        ac=ac if ac is not None else 0,
        ac_note=_aside(body, plain_of, "ac"),
        hp=hp if hp is not None else whole(at(body, "attributes", "hp", "value")) or 0,
        abilities=actors.abilities(body),
        saves=actors.saves(body),
        perception=actors.perception(body),
        skills=tuple(actors.skills(body, held)),
        senses=tuple(actors.senses(body)),
        languages=tuple(actors.languages(body)),
        speeds=tuple(actors.speeds(body)),
        immunities=tuple(actors.immunities(body)),
        resistances=tuple(actors.defences(body, "dr", "resistances")),
        weaknesses=tuple(actors.defences(body, "dv", "weaknesses")),
        strikes=tuple(items.strikes(held, plain_of)),
        actions=tuple(items.abilities(held, plain_of, account)),
        spells=tuple(items.spells(held)),
        items=tuple(items.carried(held)),
        remarks=tuple(_remarks(body, plain_of, account)),
        description=_texts(body, plain_of, "publicNotes", "flavorText", "flavourText", "description"),
        notes=_texts(body, plain_of, "blurb", "privateNotes", "sidebarText", "recallKnowledgeText", "biography"),
        source=actors.source(body, COLLECTION),
        licence=actors.licence(body),
    )
    if record["type"] == "hazard":
        return as_hazard(block, body, plain_of, account)
    if hp is None and not block.hp:
        raise Unreadable("hp: is not a number")
    if ac is None:
        account.tell("ac", text_of(at(body, "attributes", "ac", "value")), "is not a number")
    return block


def _aside(body: Mapping[str, Any], plain_of: items.Plain, name: str) -> str:
    """Return what is said beside a figure; a bracket that is left of it says nothing."""
    said = plain_of(name, text_of(at(body, "attributes", name, "details"))).strip(" ;,")
    return said if any(letter.isalnum() for letter in said) else ""


def _texts(body: Mapping[str, Any], plain_of: items.Plain, *names: str) -> str:
    found: list[str] = []
    for name in names:
        held = at(body, "details", name)
        texts = [at(held, "value"), at(held, "public")] if isinstance(held, dict) else [held]
        found.extend(plain_of(name, text_of(one)) for one in texts)
    return "\n\n".join(one for one in found if one)


def _remarks(body: Mapping[str, Any], plain_of: items.Plain, account: Account) -> Iterator[tuple[str, str]]:
    """Yield what stands in words beside figures: of hit points, of saves, of how initiative is rolled."""
    hp = _aside(body, plain_of, "hp")
    if hp:
        account.tell("hp", hp, "is words beside the hit points; it is a remark")
        yield "hp", hp
    beside = [("allSaves", at(body, "attributes", "allSaves", "value"))]
    beside.extend((name, at(body, "saves", name, "saveDetail")) for name in ("fortitude", "reflex", "will"))
    for name, held in beside:
        said = plain_of(name, text_of(held))
        if said:
            account.tell("saves", said, "holds at times; it is a remark")
            yield "saves", said if name == "allSaves" else f"{name.title()}: {said}"
    statistic = text_of(at(body, "initiative", "statistic"))
    if statistic not in ("", "perception"):
        yield "initiative", statistic


FORMAT: Final = Format("foundry-pf2e", "Foundry VTT, Pathfinder 2e", claims, read)
