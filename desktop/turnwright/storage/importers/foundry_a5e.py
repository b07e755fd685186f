"""Actors of the A5E game of the Foundry table: one a file, or lists of them; any version of that game's records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from turnwright.encounter.prepared import Creature, Remark
from turnwright.storage.importers.documents import Document
from turnwright.storage.importers.drafting import (
    Ids,
    checked,
    listed,
    mapping,
    rating_of,
    slug,
    text_of,
    unreadable_unless_named,
)
from turnwright.storage.importers.formats import Format
from turnwright.storage.importers.foundry.a5e_actions import Maker
from turnwright.storage.importers.foundry.a5e_figures import (
    armour_of,
    hit_points_of,
    initiative_of,
    languages_of,
    level_of,
    saves_of,
    size_of,
    skills_of,
    slots_of,
    sums_of,
    tell_bonuses,
)
from turnwright.storage.importers.foundry.a5e_items import Carried, carried
from turnwright.storage.importers.foundry.actors import Actor, any_actor, game_of, inside, items_of, records, system_of
from turnwright.storage.importers.foundry.traits import clauses_of, conditions_of, distances
from turnwright.storage.importers.foundry.units import (
    ABILITIES,
    SENSES,
    SPEEDS,
    number_of,
    words_of,
)
from turnwright.storage.importers.prose.features import with_multiattacks
from turnwright.storage.importers.prose.lines import legendary_count
from turnwright.storage.importers.prose.plain import plain_text
from turnwright.storage.importers.results import Account, Imported, Unread, Unreadable


def is_ours(actor: Actor) -> bool:
    """Return whether an actor is of A5E: it says so, or its armour class is the formula that only that game has."""
    said = game_of(actor)
    if said:
        return said == "a5e"
    return "baseFormula" in mapping(inside(system_of(actor), "attributes.ac"))


def claims(document: Document) -> bool:
    """Return whether a document holds actors of A5E."""
    return any_actor(document, is_ours)


def read(documents: Sequence[Document], system: str) -> Iterator[Imported | Unread]:
    """Yield the creatures of documents, as of `system` where a person asked for one."""
    return records(
        documents, is_ours, lambda actor, file: _imported(actor, file, system if system in ("a5e", "dnd5e") else "a5e")
    )


def _imported(actor: Actor, file: str, system: str) -> Imported:
    name = unreadable_unless_named(actor.get("name"))
    kind = actor.get("type")
    if kind not in ("npc", "character"):
        raise Unreadable(f"is a {kind}, which has no stat block")
    account = Account(name)
    creature = checked(_creature(actor, name, account))
    return Imported(name, creature, system, file, account.reports)


def _creature(actor: Actor, name: str, account: Account) -> Creature:
    figures = system_of(actor)
    attributes, details = mapping(figures.get("attributes")), mapping(figures.get("details"))
    traits = mapping(figures.get("traits"))
    rating = details.get("cr")
    level = level_of(actor, details) if actor.get("type") == "character" else 0
    sums = sums_of(figures, attributes, number_of(rating), level, account)
    items = items_of(actor)
    maker = Maker(
        sums.formulas, sums.modifiers, sums.proficiency, sums.casting,
        frozenset(text_of(item.get("name")).lower() for item in items), mapping(figures.get("bonuses")), account,
    )  # fmt: skip
    tell_bonuses(mapping(figures.get("bonuses")), account)
    has = carried(items, Ids(), maker)
    ac, ac_note = armour_of(attributes, items, sums, account)
    kinds = [text.strip().lower() for one in listed(details.get("creatureTypes")) if (text := text_of(one)).strip()]
    dice, hp = hit_points_of(attributes, sums, account)
    speeds, hovers, remarks = distances(mapping(attributes.get("movement")), SPEEDS, "speeds", attributes, account)
    senses, _, more = distances(mapping(attributes.get("senses")), SENSES, "senses", attributes, account)
    remarks += more + has.remarks
    if details.get("elite"):
        remarks.append(Remark("rating", "elite"))
    saves, skills = saves_of(figures, sums, remarks, account), skills_of(figures, sums, remarks, account)
    resisted = clauses_of(traits.get("damageResistances"), "resistances", account)
    immune = clauses_of(traits.get("damageImmunities"), "immunities", account)
    vulnerable = clauses_of(traits.get("damageVulnerabilities"), "vulnerabilities", account)
    features = with_multiattacks(tuple(has.features), account)
    return Creature(
        id=slug(name),
        name=name,
        size=size_of(traits, account),
        type=kinds[0] if kinds else "humanoid",
        tags=(
            *kinds[1:],
            *(("swarm",) if details.get("isSwarm") else ()),
            *(("squad",) if details.get("isSquad") else ()),
        ),
        rating=rating_of(rating),
        ac=ac,
        ac_note=ac_note,
        hp=hp,
        hit_dice=dice,
        speeds=speeds,
        hovers=hovers,
        abilities=tuple((ability, sums.scores[ability]) for ability in ABILITIES),
        saves=saves,
        skills=skills,
        senses=senses,
        languages=languages_of(figures),
        initiative=initiative_of(attributes, sums, account),
        resistances=resisted.types,
        vulnerabilities=vulnerable.types,
        immunities=immune.types,
        mundane_immunity=immune.mundane,
        mundane_resistance=resisted.mundane,
        condition_immunities=conditions_of(traits.get("conditionImmunities")),
        gear=tuple(has.gear),
        features=features,
        notes="\n\n".join(_prose(details, ("notes", "privateNotes"))),
        source=_source(figures),
        level=level,
        spellcasting=sums.casting if has.casts or has.spells else "",
        slots=slots_of(figures),
        legendary=_legendary(has, features),
        alignment=" ".join(text_of(one).lower() for one in listed(traits.get("alignment"))),
        environments=tuple(words_of(one).lower() for one in listed(details.get("terrain")) if isinstance(one, str)),
        description="\n\n".join(_prose(details, ("bio",))),
        remarks=tuple(remarks),
    )


def _legendary(has: Carried, features: tuple[Any, ...]) -> int:
    """Return how many legendary actions there are: as a feature's uses say, its words, or the usual three."""
    if has.legendary:
        return min(has.legendary, 100)
    return next((count for one in features if (count := legendary_count(one.text))), 0)


def _prose(details: Mapping[str, Any], keys: tuple[str, ...]) -> list[str]:
    texts = (plain_text(text_of(details.get(key))) for key in keys)
    return [text for text in texts if text]


def _source(figures: Mapping[str, Any]) -> str:
    said = text_of(figures.get("source"))
    return f"Foundry A5E: {words_of(said)}" if said and not said.startswith("[") else "Foundry A5E"


FORMAT = Format("foundry-a5e", "Foundry VTT actors (A5E)", claims, read)
