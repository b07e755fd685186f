"""Converts spell lists (at will, per day, by slots) to features with limited uses.

The caster's DC and attack bonus are read from the list's text.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile, zip_longest
from typing import Any, Final, NamedTuple

import msgspec

from turnwright.encounter.prepared import Feature, FeatureStep, NamedNumbers
from turnwright.importers.statblock_text.feature_text import MAX_TEXT_LENGTH
from turnwright.importers.vocabulary import Patterns, terms
from turnwright.rules.parts.actions.spell_features import Caster, rays_of, spell_feature
from turnwright.rules.system_data.numbers import Spell
from turnwright.storage.atomic import IdAllocator, slug

_MOST: Final = 60  # maximum number of spells in one list
_RE: Final = Patterns("prose_spells")
_AT_WILL: Final = "at will"
_BULLETS: Final = " \t\N{BULLET}*_.;-"
_LONGEST_TEXT: Final = 900  # maximum characters of a spell's text that are kept
_PRINTED: Final = ("damage", "heals", "attack", "dc", "range", "reach", "area", "push", "concentration")
_CALLED: Final[Mapping[str, str]] = terms("prose_spells", "called")  # other spellings of spells' names
_LITTLE: Final = frozenset({"and", "of", "the", "with", "from", "to", "or", "without", "in"})
_GROWN: Final = 20  # a caster level at which cantrips have damage, which a text states anyway
_BONUS_OF_DC: Final = 8  # the DC minus the attack bonus
_ATTACK_DC: Final = 10  # the same for spells listed by rank


class _Listed(NamedTuple):
    """A spell in a list: its name, its note, and the limit of its uses."""

    name: str
    note: str
    limits: Mapping[str, Any]


def with_text(spell: Spell, text: str) -> Spell:
    """Return a spell with the start of its source's text, if it states nothing to resolve: the user applies it."""
    if spell.damage or spell.heals or spell.attack or spell.afflictions or not text:
        return spell
    short = text[:_LONGEST_TEXT]
    end = max(short.rfind(". "), short.rfind(".\n"))
    return msgspec.structs.replace(spell, text=text if short == text else f"{short[: end + 1]} \N{HORIZONTAL ELLIPSIS}")


def with_own_spells(spells: Mapping[str, Spell], own: Iterable[Spell]) -> Mapping[str, Spell]:
    """Return spells, keyed by lower-case name, with a stat block's own for those that state nothing to resolve."""
    known = dict(spells)
    for spell in own:
        name = _RE.beside_name.sub("", spell.name).lower()
        name = rest if (rest := _RE.famous.sub("", name)) in known else name
        usual = known.get(name)
        if spell.revised and (newer := known.get(f"{name} (2024)")) is not None:
            amounts = {field: value for field in ("damage", "heals") if (value := getattr(spell, field))}
            adds = newer.adds_modifier and not amounts
            known[name] = msgspec.structs.replace(newer, adds_modifier=adds, **amounts)
        elif usual is None:
            known[name] = msgspec.structs.replace(spell, name=_RE.beside_name.sub("", spell.name))
        elif usual.revised and spell.revised and (spell.damage or spell.heals or spell.save):
            known[name] = msgspec.structs.replace(spell, revised=False, text=usual.text)
        elif usual is spells.get(name) and not any(getattr(usual, field) for field in terms("prose_spells", "acts")):
            stated = {
                field: value
                for field in terms("prose_spells", "stated")
                if (value := getattr(spell, field) or getattr(usual, field))
            }
            stated |= {"text": usual.text} if usual.text else {}
            known[name] = msgspec.structs.replace(usual, **stated)
    return known


def with_spells(
    features: tuple[Feature, ...], spells: Mapping[str, Spell], abilities: NamedNumbers = ()
) -> tuple[Feature, ...]:
    """Add the listed spells to the features. `spells` are the rule system's spells, keyed by lower-case name.

    `abilities` are the caster's scores, because some spells add a modifier. Spells that are already features keep their
    numbers. The list itself gets its spells as steps.
    """
    result = list(features)
    ids = IdAllocator()
    for feature in features:
        ids.allocate(feature.id)
    for at, feature in enumerate(features):
        is_open = len(feature.text) <= MAX_TEXT_LENGTH and not feature.does
        is_list = (
            is_open
            and ("pellcasting" in feature.name or feature.name == "Spells")
            and feature.cost in ("trait", "action")
        )
        if is_list and (listed := list(_listed(_with_at_will(feature.text)))[:_MOST]):
            listed = _as_cast(listed, features)
            result[at] = _with_list(feature, listed, result, ids, spells, abilities)
            result = [_with_spell_named(each, feature.id, result) for each in result]
    return tuple(result)


def _with_at_will(text: str) -> str:
    """Return a text with a line for the spells that its prose has at will."""
    found = _RE.willing.search(text)
    return f"{text}\n\nAt will: {found['names'].replace(' and ', ', ')}" if found else text


def _as_cast(listed: list[_Listed], features: tuple[Feature, ...]) -> list[_Listed]:
    """Return the listed spells with the level that all other features name for them, if the list names none."""
    notes: dict[str, set[str]] = {}
    for found in (found for feature in features for found in _RE.cast.finditer(feature.text)):
        notes.setdefault(found["name"].lower(), set()).add((found["note"] or "").strip(" ()"))
    named = {name: next(iter(own)) for name, own in notes.items() if len(own) == 1}
    return [one if one.note else one._replace(note=named.get(one.name.lower(), "")) for one in listed]


def _with_spell_named(feature: Feature, casting: str, features: Sequence[Feature]) -> Feature:
    """Return a multiattack with the spell that it names instead of the whole list of spells."""
    named = {slug(found["name"]) for found in _RE.cast.finditer(feature.text)} if feature.multiattack else set()
    ids = {each.id for each in features if each.id in named}
    if len(named) != 1 or ids != named:
        return feature
    spell = ids.pop()
    ways = tuple(tuple((spell if id == casting else id, n) for id, n in way) for way in feature.multiattack)
    return msgspec.structs.replace(feature, multiattack=ways)


def with_whole_spells(features: tuple[Feature, ...], spells: Mapping[str, Spell]) -> tuple[Feature, ...]:
    """Return the features with the parts of known spells that their texts leave out or state in a way that isn't read.

    `spells` are the rule system's spells, keyed by lower-case name. Numbers in a text take precedence.
    """
    dc = next((one.dc for one in features if one.dc and "pellcasting" in one.name), 0)
    return tuple(_whole(feature, spells, dc) if feature.text.startswith("(") else feature for feature in features)


def _whole(own: Feature, spells: Mapping[str, Spell], dc: int) -> Feature:
    spell = spells.get(own.name.lower())
    within, lasting = _RE.within.findall(own.text), _RE.for_.search(own.text)
    if "spell" not in own.properties or (own.attack is not None and (spell is None or not spell.attack)):
        return own
    if spell is None or spell.casting_time:
        return own if own.range or not within else msgspec.structs.replace(own, range=within[0])
    level = _GROWN if own.damage else 0
    usual = spell_feature(spell, Caster(own.dc or dc, own.attack, level, 0), level=own.level or 0)
    acts = usual.damage or usual.heals or usual.save or usual.afflictions or usual.effect or usual.trigger
    fields = {name: getattr(usual, name) for name in terms("prose_spells", "structure") if acts or getattr(usual, name)}
    kept = {name: getattr(own, name) or getattr(usual, name) for name in _PRINTED if getattr(usual, name)}
    kept |= {name: "" for name in ("damage", "heals") if acts and not getattr(usual, name)}
    if acts and not usual.save:
        kept["dc"] = 0
    if " " not in kept.get("damage", " ") and usual.damage.startswith(kept["damage"]):
        kept["damage"] = usual.damage
    if not own.range and within and usual.range.isdecimal() and usual.range not in within:
        kept["range"] = within[0]
    if lasting and lasting[1] != spell.lasts and (usual.lasts or spell.lasts):
        fields["lasts"] = lasting[1]
    if flying := _RE.flying.search(own.text):
        speed = int(flying[1])
        fields["effect"] = tuple(
            msgspec.structs.replace(rule, set=speed) if rule.what == "speed.fly" else rule for rule in usual.effect
        )
    changes = {name: value for name, value in {**fields, **kept}.items() if getattr(own, name) != value}
    read = tuple(dict.fromkeys((*own.read, *changes)))
    return msgspec.structs.replace(own, **changes, read=read) if changes else own


def with_ranked_spells(
    features: tuple[Feature, ...], spells: Mapping[str, Spell], level: int = 0, modifier: int | None = None
) -> tuple[tuple[Feature, ...], Mapping[str, int]]:
    """Add the spells listed by rank to the features, cast at their rank. Also return the slots by rank.

    The steps of the list are those of its spells that take the most common number of actions. The number is unknown for
    spells that the rule system doesn't define. `level` is the creature's level: cantrips are heightened to half of it,
    rounded up. `modifier` is the creature's spellcasting modifier, which some spells add.
    """
    result = list(features)
    slots: dict[str, int] = {}
    ids = IdAllocator()
    for feature in features:
        ids.allocate(feature.id)
    for at, feature in enumerate(features):
        is_open = len(feature.text) <= MAX_TEXT_LENGTH and not feature.does
        if not is_open or feature.cost != "trait" or "spell" not in feature.properties:
            continue
        listed = _by_rank(feature, level)
        own_slots = _slots(feature)
        slots |= {rank: max(many, slots.get(rank, 0)) for rank, many in own_slots.items()}
        own = [
            _ranked(spell, name, rank, note, count, ids, feature, own_slots, modifier)
            for (name, rank, note), count in listed.items()
            if (spell := spells.get(_CALLED.get(name.lower(), name.lower()))) is None or not spell.casting_time
        ]
        constant = _by_rank(feature, level, constant=True)
        lasting = [(spells.get(name.lower()), rank) for name, rank, _ in constant]
        result += [_constant(spell, rank, ids) for spell, rank in lasting if spell is not None and _acts(spell)]
        result += own
        changes: dict[str, Any] = {}
        if own:
            result[at] = _with_ranked(feature, own)
        elif listed or "itual" in feature.name or _need_no_words(lasting):
            changes = {"automation": "off"}
        elif "onstant" in feature.text:
            changes = {"trigger": "starts", "automation": "reminds"}
        if changes:
            result[at] = msgspec.structs.replace(feature, **changes, read=(*feature.read, *changes))
    return tuple(result), slots


def _slots(casting: Feature) -> dict[str, int]:
    """Return the number of free spell slots by rank stated in a list."""
    heads = (_RE.rank.fullmatch(line.strip()) for line in re.split(r"[\n;]", casting.text))
    matches = [*(head for head in heads if head and head["slots"]), *_RE.slots.finditer(casting.text)]
    return {match["rank"]: int(match["slots"]) for match in matches if match["rank"]}


def _need_no_words(constant: list[tuple[Spell | None, int]]) -> bool:
    """Return whether each constant spell is a trait already, or doesn't matter in a fight."""
    return bool(constant) and all(
        spell is not None and bool(spell.casting_time or _acts(spell)) for spell, _ in constant
    )


def _acts(spell: Spell) -> bool:
    return bool(spell.effect or spell.afflictions) and not (spell.save or spell.attack or spell.damage)


def _constant(spell: Spell, rank: int, ids: IdAllocator) -> Feature:
    """Return the trait that puts the effects of a constant spell on its owner at the start of a fight."""
    cast = spell_feature(spell, Caster(), level=max(rank, spell.level or 0))
    endless = tuple(msgspec.structs.replace(one, lasts="", ends="never") for one in cast.afflictions)
    trait = Feature(ids.allocate(cast.id), cast.name, "trait", text=cast.text, trigger="starts", range="self")
    trait = msgspec.structs.replace(trait, effect=cast.effect, afflictions=endless, properties=cast.properties)
    return msgspec.structs.replace(trait, read=_filled(trait))


def _by_rank(casting: Feature, level: int, *, constant: bool = False) -> Counter[tuple[str, int, str]]:
    """Count the castable (or the constant) spells in a list by name, rank and note. The rank is 0 if it is unknown."""
    times: Counter[tuple[str, int, str]] = Counter()
    for line in re.split(r"[\n;]", casting.text):
        head = _RE.rank.fullmatch(line.strip())
        if head is None or (head["constant"] and not constant) or "itual" in casting.name:
            continue
        rank = max(int(head["rank"] or 0), max(1, (level + 1) // 2) if head["cantrips"] else 0)
        for part in _RE.items.split(head["list"]):
            match = _RE.item.fullmatch(_RE.kind.sub("", part.strip(_BULLETS)))
            lasts = bool(match and (head["constant"] or "constant" in (match["note"] or "").lower()))
            if match and _is_name(match["name"]) and lasts is constant:
                note = (match["note"] or "").lower()
                times[match["name"], rank, f"cantrip {note}".strip() if head["cantrips"] else note] += 1
    return times


def _with_ranked(casting: Feature, own: Sequence[Feature]) -> Feature:
    """Add to a list, as its steps, those of its spells that take the most common number of actions."""
    prices = Counter(spell.price for spell in own if spell.cost == "action" and spell.price)
    if not prices:
        return casting
    price = prices.most_common(1)[0][0]
    same = [spell.id for spell in own if spell.cost == "action" and spell.price == price]
    steps = tuple(FeatureStep(use=id, alternative=n > 0) for n, id in enumerate(same))
    read = dict.fromkeys((*(name for name in casting.read if name != "attack"), "does", "price"))
    return msgspec.structs.replace(casting, attack=None, does=steps, price=price, read=tuple(read))


def _ranked(
    spell: Spell | None, name: str, rank: int, note: str, count: int, ids: IdAllocator, casting: Feature,
    slots: Mapping[str, int], modifier: int | None,
) -> Feature:  # fmt: skip
    """Return the feature of a spell listed by rank: limited per day, at will, or by its caster's slots."""
    often, focus = _RE.often.search(note), _RE.focus.search(casting.text)
    limits: dict[str, Any] = {}
    if often:
        limits = {"uses": int(next(filter(None, often.groups())))}
    elif "at will" not in note and not note.startswith("cantrip"):
        is_shared = "Spontaneous" in casting.name or "Focus" in casting.name
        usual = {"level": rank} if str(rank) in slots else {} if is_shared else {"uses": count}
        limits = {"uses": int(focus["points"])} if focus else usual
    if spell is None or rank < (spell.level or 0):
        feature = Feature("", _title(name), "action", price=0, properties=("spell",))
    else:
        attack = casting.dc - _ATTACK_DC if casting.attack is None and casting.dc else casting.attack
        feature = spell_feature(spell, Caster(casting.dc, attack, modifier=modifier), level=rank)
    conditions = ", ".join(filter(None, (f"rank {rank}" if rank else "", note)))
    text = ". ".join(filter(None, (f"{conditions[:1].upper()}{conditions[1:]}", feature.text)))
    feature = msgspec.structs.replace(feature, id=ids.allocate(slug(feature.name)), text=text, **limits)
    return msgspec.structs.replace(feature, read=_filled(feature))


def _listed(text: str) -> Iterator[_Listed]:
    heads = list(_RE.head.finditer(text))
    for head, after in zip_longest(heads, heads[1:]):
        lines = text[head.end() : after.start() if after else len(text)].strip().split("\n")
        alone = takewhile(lambda line: line.strip() and _is_name(line) and "." not in line, lines)
        body = lines[0] if "," in lines[0] else ", ".join(alone) or lines[0]
        parts = [part.strip(_BULLETS) for part in _RE.items.split(body)]
        named = [match for part in parts if (match := _RE.item.fullmatch(part)) and _is_name(match["name"])]
        limits: dict[str, Any] = {}
        if head["cantrips"] or head["level"]:
            limits = {"level": int(head["level"] or 0)}
        elif head["uses"]:
            limits = {"uses": int(head["uses"])}
        for match in named:
            note = match["note"] or ""
            own = {} if note == _AT_WILL else limits
            own = {"uses": int(often[1])} if (often := _RE.uses.fullmatch(note)) else own
            yield _Listed(" ".join(match["name"].split()), "" if often or note == _AT_WILL else note, own)
    for sentence in _RE.before_list.finditer(text) if heads else ():
        yield from (_Listed(name, "", {}) for name in _RE.named.split(sentence["names"]) if name)


def _is_name(text: str) -> bool:
    return len(text.split()) <= 6


def _with_list(
    casting: Feature, listed: Sequence[_Listed], found: list[Feature], ids: IdAllocator, spells: Mapping[str, Spell],
    abilities: NamedNumbers,
) -> Feature:  # fmt: skip
    """Add the listed spells to the features in `found`. Return the list's own feature with its steps."""
    caster, newer = _caster(casting, abilities), casting.cost == "action"
    steps: list[FeatureStep] = []
    for listed_spell in listed:
        name = _CALLED.get(listed_spell.name.lower(), listed_spell.name.lower())
        rest = _RE.famous.sub("", name)
        named = (spells.get(each) for each in (f"{name} (2024)" if newer else name, name, rest))
        spell = next((each for each in named if each is not None), None)
        if spell is not None and spell.casting_time:
            continue  # never cast in a fight
        id = slug(listed_spell.name)
        names = ((n, (one.id, slug(one.name.partition(" (")[0]))) for n, one in enumerate(found) if one is not casting)
        known = next((n for n, own_names in names if id in own_names), None)
        if known is not None:
            own = found[known]
            if not (own.uses or own.recharge or own.level is not None) and listed_spell.limits:
                read = tuple(dict.fromkeys((*own.read, *listed_spell.limits)))
                own = found[known] = msgspec.structs.replace(own, **listed_spell.limits, read=read)
        else:
            own = _spell(listed_spell, caster, ids, spell, newer=newer)
            found.append(own)
            if spell is not None and spell.rays > 1 and own.attack is not None:
                own, ray = _with_rays(own, rays_of(spell, caster, _level(listed_spell.note)), ids)
                found[-1:] = own, ray
        if own.cost == "action" and all(step.use != own.id for step in steps):
            steps.append(FeatureStep(use=own.id, alternative=bool(steps)))
    read = (*(name for name in casting.read if name != "attack"), *(["does"] if steps else []))
    return msgspec.structs.replace(casting, attack=None, does=tuple(steps), read=read)


def _spell(listed: _Listed, caster: Caster, ids: IdAllocator, spell: Spell | None, *, newer: bool) -> Feature:
    level = _level(listed.note)
    if spell is None:
        feature = Feature("", _title(listed.name), "action", properties=("spell",))
    else:
        feature = spell_feature(spell, caster, level=level, newer=newer)
    usual = "" if newer and spell is not None and spell.revised else feature.text
    text = ". ".join(filter(None, (listed.note, usual)))
    feature = msgspec.structs.replace(feature, id=ids.allocate(slug(listed.name)), text=text, **listed.limits)
    return msgspec.structs.replace(feature, read=_filled(feature))


def _level(note: str) -> int:
    """Return the level of a spell from its note, or 0 if the note has none."""
    version = _RE.version.search(note)
    return int(version["after"] or version["before"]) if version else 0


def _with_rays(feature: Feature, rays: int, ids: IdAllocator) -> tuple[Feature, Feature]:
    """Split a spell with several attacks into the spell and one attack, which is only offered as its step."""
    limits = {"level": None, "uses": 0}
    ray = msgspec.structs.replace(feature, id=ids.allocate(f"{feature.id}-each"), cost="trait", text="", **limits)
    bare = {name: getattr(Feature("", ""), name) for name in ("attack", "damage", "range", "reach")}
    spell = msgspec.structs.replace(feature, does=(FeatureStep(use=ray.id),) * rays, **bare)
    return msgspec.structs.replace(spell, read=_filled(spell)), msgspec.structs.replace(ray, read=_filled(ray))


def _filled(feature: Feature) -> tuple[str, ...]:
    """Return the names of the fields that were read for a spell."""
    bare = Feature("", "")
    names = (name for name in Feature.__struct_fields__ if getattr(feature, name) != getattr(bare, name))
    return tuple(name for name in names if name not in ("id", "name", "cost", "text"))


def _caster(casting: Feature, abilities: NamedNumbers) -> Caster:
    attack = casting.attack if casting.attack is not None or not casting.dc else casting.dc - _BONUS_OF_DC
    level, ability = _RE.caster_level.search(casting.text), _RE.ability.search(casting.text)
    score = dict(abilities).get(ability["ability"][:3].lower()) if ability else None
    modifier = (score - 10) // 2 if score is not None else None
    return Caster(casting.dc, attack, int(level["level"]) if level else 0, modifier)


def _title(name: str) -> str:
    words = name.split()
    return " ".join(word if n and word in _LITTLE else f"{word[:1].upper()}{word[1:]}" for n, word in enumerate(words))
