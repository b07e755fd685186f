"""A stat block of fifth edition in Obsidian as a creature."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from turnwright.encounter.prepared import Creature, Feature, Figures, Remark
from turnwright.storage.importers.defences import damage_in
from turnwright.storage.importers.drafting import Ids, checked, listed, mapping, rating_of, text_of, whole
from turnwright.storage.importers.leading import leading
from turnwright.storage.importers.placing import dice_of
from turnwright.storage.importers.prose import lines
from turnwright.storage.importers.prose.damage import TYPES
from turnwright.storage.importers.prose.features import with_multiattacks
from turnwright.storage.importers.prose.plain import plain_text
from turnwright.storage.importers.results import Account, Unreadable
from turnwright.storage.importers.statblocks.entries import casting_in, feature_in, spells_in

Data = Mapping[str, Any]
SECTIONS: Final = (
    ("traits", "trait"),
    ("actions", "action"),
    ("bonusactions", "bonus"),
    ("reactions", "reaction"),
    ("legendaryactions", "legendary"),
    ("mythicactions", "legendary"),
    ("lairactions", "lair"),
)
NOISE: Final = frozenset({
    *("layout", "image", "imagelink", "bestiary", "statblock", "statblocklink", "dice", "render", "columns"),
    *("forcecolumns", "columnwidth", "columnheight", "path", "mtime", "monster", "creature", "extends", "export", "token"),
    *("cssclass", "cssclasses", "publish", "aliases"),
})  # fmt: skip
_KNOWN: Final = frozenset({
    *(section for section, _cost in SECTIONS),
    *("name", "size", "type", "subtype", "alignment", "ac", "acclass", "hp", "hitdice", "speed", "stats", "saves"),
    *("skillsaves", "damagevulnerabilities", "damageresistances", "damageimmunities", "conditionimmunities", "senses"),
    *("languages", "cr", "spells", "source", "modifier", "legendarydescription", "desc", "description", "environment"),
    *("xp", "proficiencybonus"),
})  # fmt: skip


def creature_of(data: Data, name: str, ids: Ids, account: Account) -> Creature:
    """Return the creature of a block with plain keys; Unreadable where it could not be played."""
    hp, hp_note = leading(data.get("hp"))
    if hp is None:
        raise Unreadable(f"hp: {hp_note!r} is no number of hit points" if hp_note else "has no hit points")
    if hp < 1:
        raise Unreadable(f"hp: must be at least 1; it is {hp}")
    dice = dice_of(text_of(data.get("hitdice")) or (hp_note if "d" in hp_note else ""))
    remarks: list[Remark] = [Remark("hp", hp_note)] if hp_note and dice_of(hp_note) != dice else []
    ac, ac_note = leading(data.get("ac"))
    if ac is None:
        account.tell("ac", ac_note, "is no armour class" if ac_note else "is not given")
    line = lines.type_line(f"{text_of(data.get('size'))} {text_of(data.get('type'))}")
    if not line.size:
        account.tell("size", text_of(data.get("size")), "is no size; it is taken for medium")
    if line.remark:
        remarks.append(Remark("type", line.remark))
    speeds = lines.speeds(_line(data.get("speed")))
    senses = lines.senses(_line(data.get("senses")))
    for about, field, rest in (("speeds", "speed", speeds.rest), ("senses", "senses", senses.rest)):
        if rest:
            remarks.append(Remark(about, rest))
            account.tell(field, rest, "is kept as a remark")
    if not speeds.figures:
        account.tell("speed", _line(data.get("speed")), "gives no speed")
    resistances, blunted = _damage(data, "damageresistances", account)
    vulnerabilities, _ = _damage(data, "damagevulnerabilities", account)
    immunities, mundane = _damage(data, "damageimmunities", account)
    rating = rating_of(data.get("cr"))
    if not rating:
        account.tell("cr", data.get("cr") or "", "is no challenge rating" if data.get("cr") else "is not given")
    features = _features(data, account)
    spellcasting, slots = casting_in(features)
    remarks += _unknown(data, account)
    initiative = whole(data.get("modifier"))
    return checked(
        Creature(
            id=ids.of(name),
            name=name,
            size=line.size or "medium",
            type=line.type,
            tags=(*line.tags, *_tags(data.get("subtype"))),
            rating=rating,
            ac=ac or 0,
            ac_note=(text_of(data.get("acclass")) or ac_note) if ac is not None else "",
            hp=hp,
            hit_dice=dice,
            speeds=speeds.figures,
            hovers=speeds.hovers,
            abilities=_abilities(data, account),
            saves=_bonuses(data.get("saves"), "saves", account),
            skills=_bonuses(data.get("skillsaves"), "skillsaves", account),
            senses=senses.figures,
            passives=senses.passives,
            languages=_line(data.get("languages")),
            initiative=initiative,
            resistances=resistances,
            vulnerabilities=vulnerabilities,
            immunities=immunities,
            mundane_immunity=mundane,
            mundane_resistance=blunted,
            condition_immunities=_conditions(data.get("conditionimmunities"), account),
            features=features,
            source=_source(data),
            proficiency=max(0, whole(data.get("proficiencybonus")) or 0),
            spellcasting=spellcasting,
            slots=slots,
            legendary=_legendary(data, features, account),
            alignment=text_of(data.get("alignment")).strip(),
            xp=max(0, whole(data.get("xp")) or 0),
            environments=_tags(_line(data.get("environment"))),
            description=plain_text(_line(data.get("desc") or data.get("description"))),
            remarks=tuple(remarks),
        )
    )


def _features(data: Data, account: Account) -> tuple[Feature, ...]:
    ids = Ids()
    found: list[Feature | None] = []
    for section, cost in SECTIONS:
        entries = data.get(section)
        if isinstance(entries, dict):
            entries = [{"name": str(name), "desc": text} for name, text in entries.items()]
        elif entries and not isinstance(entries, list):
            entries = [{"name": section, "desc": text_of(entries)}]
        found += [feature_in(entry, cost, ids, account) for entry in listed(entries)]
        if section == "traits":
            found.append(spells_in(data.get("spells"), ids, account))
    return with_multiattacks(tuple(feature for feature in found if feature is not None), account)


def _legendary(data: Data, features: tuple[Feature, ...], account: Account) -> int:
    said = text_of(data.get("legendarydescription"))
    count = lines.legendary_count(said) if said else 0
    if not count and any(feature.cost == "legendary" for feature in features):
        account.tell("legendary_actions", said, "how many of them it has a round isn't said")
    return count


def _line(value: Any) -> str:
    """Return one line of text, of a list, or of a small table."""
    if isinstance(value, dict):
        return ", ".join(f"{key} {text_of(one)}".strip() for key, one in value.items())
    return ", ".join(text_of(one) for one in value) if isinstance(value, list) else text_of(value).strip()


def _tags(value: Any) -> tuple[str, ...]:
    return tuple(tag for part in _line(value).split(",") if (tag := part.strip().lower()))


def _abilities(data: Data, account: Account) -> Figures:
    stats = data.get("stats")
    if isinstance(stats, dict):
        named = {str(key).lower()[:3]: value for key, value in stats.items()}
        stats = [named.get(ability) for ability in lines.ABILITIES]
    scores = [whole(value) for value in listed(stats)]
    if len(scores) < len(lines.ABILITIES) or None in scores[:6]:
        account.tell("stats", stats or "", "are not six ability scores" if stats else "are not given")
    if len(scores) > len(lines.ABILITIES):
        account.tell("stats", stats, "holds more than six scores; the first six were taken")
    return tuple((id, score) for id, score in zip(lines.ABILITIES, scores, strict=False) if score is not None)


def _bonuses(value: Any, field: str, account: Account) -> Figures:
    """Return bonuses from `[{dexterity: 9}]`, `{dexterity: 9}` or `Dex +9`; null stands for nothing."""
    figures: dict[str, int] = {}
    known = lines.ABILITIES if field == "saves" else lines.SKILLS
    for entry in value if isinstance(value, list) else [value]:
        if isinstance(entry, str):
            read = lines.saves(entry) if field == "saves" else lines.skills(entry)
            figures.update(read.figures)
            if read.rest:
                account.tell(field, read.rest, "is no bonus that is known here")
            continue
        for key, said in mapping(entry).items():
            id = str(key).strip().lower()
            id = id[:3] if field == "saves" else "-".join(id.replace("_", " ").split())
            bonus = whole(said)
            if id in known and bonus is not None:
                figures.setdefault(id, bonus)
            else:
                account.tell(field, f"{key}: {said}", "is no bonus that is known here")
    return tuple(figures.items())


def _damage(data: Data, field: str, account: Account) -> tuple[tuple[str, ...], bool]:
    """Return damage types and clauses, and whether these are all damage of nonmagical weapons, where that has a figure."""
    value = data.get(field)
    parts = (text for one in (value if isinstance(value, list) else [value]) for text in text_of(one).split(";"))
    return damage_in(parts, field, account, weapons=field != "damagevulnerabilities")


def _conditions(value: Any, account: Account) -> tuple[str, ...]:
    read = lines.condition_list(value if isinstance(value, list) else text_of(value))
    for clause in read.clauses:
        account.tell("condition_immunities", clause, "is kept as it is worded")
    for kind in read.kinds:
        if kind in TYPES:
            account.tell("condition_immunities", kind, "is a type of damage; it is kept where it stands")
    return (*read.kinds, *read.clauses)


def _source(data: Data) -> str:
    source = _line(data.get("source"))
    return f"Fantasy Statblocks: {source}" if source else "Fantasy Statblocks"


def _unknown(data: Data, account: Account) -> list[Remark]:
    """Return the keys that no creature has as remarks, and tell them."""
    remarks: list[Remark] = []
    for key in sorted(data.keys() - _KNOWN - NOISE):
        text = _line(data[key])
        if data[key] in (None, "", [], {}):
            continue
        account.tell(
            key,
            data[key],
            "is not known in these blocks; it is kept as a remark" if text else "is not known, and not kept",
        )
        if text:
            remarks.append(Remark(key, text))
    return remarks
