"""Reads the numbers and conditions of a Pathfinder 2e ability from its text, and the features that they result in.

Conditions on a failed save are read by degree of failure, or by stage of an affliction: damage, conditions and maximum
duration. The texts no longer contain markup. A text that isn't understood is reported, never guessed at.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any, Final, Literal

import msgspec

from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import (
    ANY_ATTACK,
    ANY_MELEE,
    AfflictionStage,
    Feature,
    FeatureStep,
    InflictedCondition,
    InflictedConditionEnds,
    NamedNumbers,
    OtherDamage,
    SourceNote,
)
from turnwright.importers.pf2e.markup import CONDITIONS, DAMAGE, OLDER_DAMAGE, RENAMED, SAVES, id_of
from turnwright.importers.pf2e.strikes import damage_in
from turnwright.importers.statblock_text.damage import number_in_words
from turnwright.importers.vocabulary import Patterns, terms
from turnwright.rules.system_data.rounds import length_of_time
from turnwright.storage.atomic import IdAllocator

Degree = Literal["", "critical-failure", "failure", "success", "critical-success"]
AddNote = Callable[[str, str, str], None]
Features = Sequence[Feature]
_DEGREES: Final[Mapping[str, Degree]] = terms("pf2e_conditions", "degrees")
_NAMES: Final = "|".join(sorted({*CONDITIONS, "flat-footed", "flat footed"}, key=len, reverse=True))
_RE: Final = Patterns("pf2e_conditions", names=_NAMES, degrees="|".join(_DEGREES))
_BY_LENGTH: Final[Mapping[str, int]] = terms("pf2e_conditions", "by_length")
_FAILS: Final = tuple(map(re.compile, terms("pf2e_conditions", "fails")))
_ROUNDS_A_MINUTE: Final = 10
_STAYS: Final = ("drained", "doomed")  # conditions that end with rest, not with the affliction


def conditions_in(text: str, add_note: AddNote) -> tuple[InflictedCondition, ...]:
    """Return the conditions that a text with a save imposes, each with its degree of failure."""
    blocks = degrees_of(text)
    found = _of_blocks(blocks, add_note) if blocks else _of_sentences(text, add_note)
    # fear fades by itself, so that a time is that of the other condition
    kept = Counter((one.degree, one.ends, one.lasts) for one in found if not one.bound_to)
    fears = {one: kept[one.degree, one.ends, one.lasts] > 1 for one in found if one.condition == _FEAR}
    return tuple(msgspec.structs.replace(one, ends="never", lasts="") if fears.get(one) else one for one in found)


def _of_blocks(blocks: dict[Degree, str], add_note: AddNote) -> tuple[InflictedCondition, ...]:
    conditions: list[InflictedCondition] = []
    for degree, text in blocks.items():
        own = _conditions(text, degree, add_note)
        if _RE.as_failure.match(text) and "failure" in blocks:
            names = {condition.condition for condition in own}
            inherited = _conditions(blocks["failure"], degree, lambda *_: None)
            # as failure, but for 1 minute
            if (other := _RE.lasts.search(text)) and not own and (time := _time(other[0])):
                inherited = tuple(msgspec.structs.replace(one, ends="never", lasts=time) for one in inherited)
            conditions += [condition for condition in inherited if condition.condition not in names]
        conditions += own
    return tuple(conditions)


def _of_sentences(text: str, add_note: AddNote) -> tuple[InflictedCondition, ...]:
    degrees: tuple[Degree, Degree] = ("failure", "critical-failure")
    first: dict[tuple[str, str], InflictedCondition] = {}
    for match in sorted(_RE.already.finditer(text), key=lambda each: each["no"] is not None):
        # if it was already slowed, it is petrified; read first, so that it doesn't follow from the slowing
        when = f"not {_named(match)}" if match["no"] else _named(match)
        for one in _conditions(match["what"], "", add_note):
            first.setdefault((one.condition, when), msgspec.structs.replace(one, when=when))
    text = _RE.already.sub("", text)
    longer = _RE.longer.search(text)
    text = _RE.longer.sub("", text)
    found = list(_RE.graded.finditer(text))
    graded = [_inflicted(match, degrees[match["critical"] is not None], lasts=_time(match["time"])) for match in found]
    rest = _RE.graded.sub("", text)
    for critical in _RE.critical.finditer(rest):
        if " also " in critical["what"]:  # in addition to the effects of a failure
            graded = [msgspec.structs.replace(one, degree=one.degree.removeprefix("failure")) for one in graded]
        graded.extend(_conditions(critical["what"], "critical-failure", add_note))
    rest = _RE.critical.sub("", rest)
    names = {condition.condition for condition in graded}
    clauses = (clause["what"] for pattern in _FAILS for clause in pattern.finditer(rest))
    plains = [condition for clause in clauses for condition in _conditions(clause, "", add_note)]
    others = names - {plain.condition for plain in plains}
    is_instead = any(match["instead"] and match["critical"] and _named(match) in others for match in found)
    for plain in plains:
        # if a critical failure imposes its own value, the ungraded value is for a plain failure
        degree: Degree = "failure" if plain.condition in names or is_instead or longer else ""
        first.setdefault((plain.condition, degree), msgspec.structs.replace(plain, degree=degree))
        if longer:
            worst = msgspec.structs.replace(plain, degree="critical-failure", ends="never", lasts=_time(longer["time"]))
            first.setdefault((plain.condition, "critical-failure"), worst)
    is_aside = is_instead or bool(re.search(r"\([^()]* on a critical failure\)", text))
    usual = next((one for one in first.values() if is_aside and (one.lasts or one.ends != "never")), None)
    for inflicted in graded:
        is_timeless = not inflicted.lasts and inflicted.degree == "critical-failure"
        time = usual if usual is not None and is_timeless else inflicted
        timed = msgspec.structs.replace(inflicted, lasts=time.lasts, ends=time.ends)
        first.setdefault((inflicted.condition, inflicted.degree), timed)
    lengths = ((one, _BY_LENGTH.get(f"{one.condition} {one.lasts}", 0)) for one in first.values())
    return tuple(msgspec.structs.replace(one, value=one.value or value) for one, value in lengths)


def unread_conditions(text: str, conditions: tuple[InflictedCondition, ...]) -> tuple[str, ...]:
    """Return the conditions in a text that were not read, with their values."""
    known = {(condition.condition, value) for condition in conditions for value in (condition.value, 0)}
    named = dict.fromkeys((_named(match), int(match["value"] or 0)) for match in _RE.condition.finditer(text))
    return tuple(f"{name} {value}" if value else name for name, value in named if (name, value) not in known)


def degrees_of(text: str) -> dict[Degree, str]:
    """Return the part of a text for each degree of success. Without a critical failure, the failure also counts for it."""
    degrees = {_DEGREES[match["degree"]]: match["what"].strip() for match in _RE.block.finditer(text)}
    if "failure" in degrees:
        degrees.setdefault("critical-failure", degrees["failure"])
    return degrees


def _named(match: re.Match[str]) -> str:
    name = match["name"].lower().replace(" ", "-")
    return RENAMED.get(name, name)


def _inflicted(
    match: re.Match[str], degree: Degree, ends: InflictedConditionEnds = "never", lasts: str = ""
) -> InflictedCondition:
    return InflictedCondition(_named(match), ends, value=int(match["value"] or 0), degree=degree, lasts=lasts)


def _time(words: str | None) -> str:
    """Return the length of time in words such as `for two rounds`, or an empty string if there is none."""
    number, unit = (words or "").split()[-2:] or ("d", "")
    return length_of_time(str(number_in_words(number) or number), unit)


def _conditions(text: str, degree: Degree, add_note: AddNote) -> tuple[InflictedCondition, ...]:
    others: InflictedConditionEnds = "turn-start" if _RE.turn_start.search(text) else "never"
    ends = "turn-end" if _RE.turn_end.search(text) else others
    if owners := _RE.owners_turn.search(text):
        ends = "owner-end" if owners[1] == "end" else "owner-start"
    conditions: dict[str, InflictedCondition] = {}
    at: dict[str, int] = {}
    for match in _RE.condition.finditer(text):
        if not _RE.not_now.search(text, max(0, match.start() - 45), match.start()):
            only = _RE.only.search(text, 0, match.start())
            kind = f"type:{(only['type'] or only['trait']).lower()}" if only is not None else ""
            one = msgspec.structs.replace(_inflicted(match, degree, ends), when=kind)
            conditions.setdefault(_named(match), one)
            at.setdefault(_named(match), match.start())
    for match in _RE.while_.finditer(text):
        holder = RENAMED.get(other := match["other"].lower(), other)
        if _named(match) in conditions and holder != _named(match):
            bound = msgspec.structs.replace(conditions[_named(match)], bound_to=holder, ends="never")
            conditions[_named(match)] = bound
    lasts = _RE.lasts.search(text)
    times = [(each.end(), _time(each[0])) for each in _RE.lasts.finditer(text)]
    if lasts and all(time for _, time in times):
        usual = times[-1][1] if times[-1][0] < min(at.values(), default=0) else ""  # for 1 round, it is …
        ended = {name: next((time for end, time in times if end > at[name]), usual) for name in conditions}
        return tuple(msgspec.structs.replace(one, lasts=ended[name]) for name, one in conditions.items())
    if conditions and lasts:
        words = f"{', '.join(conditions)} {lasts[0]}"
        add_note("afflictions", words, "duration isn't tracked; end the condition yourself")
    return tuple(conditions.values())


def stages_in(text: str) -> tuple[AfflictionStage, ...]:
    """Return the stages in a text. A second affliction in the text is left to its reader."""
    stages: list[AfflictionStage] = []
    for match in _RE.stage.finditer(text):
        if int(match["number"]) != len(stages) + 1:
            break
        stages.append(_stage(match["what"].strip(), stages))
    return tuple(stages)


def longest_in(text: str) -> dict[str, int]:
    """Return the field for an affliction's maximum duration in rounds, or an empty dictionary if it is unlimited."""
    duration = _RE.longest.search(text)
    if duration is None:
        return {}
    times = _ROUNDS_A_MINUTE if duration["unit"].startswith("minute") else 1
    return {"stage_rounds": int(duration["count"]) * times}


def _stage(text: str, before: list[AfflictionStage]) -> AfflictionStage:
    """Return a stage. If a part isn't understood, the stage shows its text. `before` are the lower stages."""
    timed = _RE.round.search(text) or _RE.timed.search(text)
    slow = bool(_RE.slow.search(timed[0])) if timed is not None else bool(before) and before[-1].slow
    content = _RE.timed.sub("", _RE.round.sub("", text)).strip(" .;").lower()
    same, base = _RE.as_.match(content), AfflictionStage()
    if same and 0 < int(same["number"]) <= len(before):
        base, content = before[int(same["number"]) - 1], content[same.end() :]
        if not content:
            return base
    if _RE.nothing.fullmatch(content):
        return AfflictionStage(slow=slow, text=text if slow else "")
    unread = False
    damage = [base.damage] if base.damage else []
    afflictions: list[InflictedCondition] = []
    for part in filter(None, map(str.strip, _RE.and_.split(content))):
        if afflictions and (slower := _RE.stage_speed.fullmatch(part)):
            rule = DataRule("modifier", "speed", add=-int(slower["feet"]), type="status")
            afflictions[-1] = msgspec.structs.replace(afflictions[-1], rules=(rule,))
            continue
        if _RE.damage.fullmatch(part):
            amounts, lasting, remaining = damage_in(f"takes {part.removesuffix(' damage')} damage")
            if len(amounts) != 1 or lasting or remaining:
                unread = True
            else:
                damage += amounts
            continue
        if _RE.dead.match(part):
            afflictions.append(InflictedCondition("dying", value=_DEADLY))
            continue
        named = _RE.stage_words.sub("", part)
        match = _RE.in_stage.fullmatch(named) or _RE.in_stage.match(named)
        if match is None or (name := _named(match)) not in CONDITIONS:
            unread = True
            continue
        unread = unread or match.end() < len(named)
        afflictions.append(_inflicted(match, "", "never" if name in _STAYS else "turn-end"))
    new = {each.condition for each in afflictions}
    afflictions += [each for each in base.afflictions if each.condition not in new]
    return AfflictionStage(" + ".join(damage), tuple(afflictions), slow=slow, text=text if slow or unread else "")


_DEADLY: Final = 4  # value of Dying
_PERIODS: Final = {"10 minutes": "encounter"}  # longer than a fight
_NO_TYPE: Final = frozenset({*OLDER_DAMAGE, "cold-iron", "silver"})  # types that aren't tracked as damage taken
_TEXTS: Final[Mapping[str, str]] = terms("pf2e_follow_ups", "texts")
_CONDITIONS: Final = {"grab": "grabbed", "knockdown": "prone"}
_ESCAPED_WITH: Final = "athletics"
_DCS: Final = range(1, 101)
_SHIELDS: Final[Mapping[str, str]] = terms("pf2e_follow_ups", "shields")
_NAMES_STRIKE: Final = {"rend": _RE.rend, "trample": _RE.trample}
_BLOCKED: Final = "shield-raised, (kind:bludgeoning | kind:piercing | kind:slashing)"
_AFFLICTION, _FEAR = "affliction", "frightened"
_CRUSHES: Final = ("constrict", "greater-constrict")
_IN_THE_GUT: Final = {"slowed": 1, "swallowed": 0}  # conditions of a swallowed creature, and their values


def from_remarks(remarks: Iterable[SourceNote], ids: IdAllocator) -> tuple[list[Feature], list[SourceNote]]:
    """Return the features found in remarks on hit points and saves, and the remaining remarks."""
    features: list[Feature] = []
    remaining: list[SourceNote] = []
    for remark in remarks:
        reader = _REMARKS.get(remark.about)
        words = []
        for part in _RE.parts.split(remark.text) if reader else (remark.text,):
            if reader and (feature := reader(part, ids)):
                features.append(feature)
            else:
                words.append(part)
        if words:
            remaining.append(remark if words == [remark.text] else SourceNote(remark.about, ", ".join(words)))
    return features, remaining


def _healing(part: str, ids: IdAllocator) -> Feature | None:
    if part.strip().lower() == "negative healing":
        return _feature("Void Healing", part.strip(), ids, rules=(DataRule("damage", "void", times=0),))
    match = _RE.heals.fullmatch(part.strip())
    if match is None:
        return None
    figures: dict[str, Any] = {"trigger": "turn-start", "heals": match["amount"]}
    deactivated = _RE.deactivated.fullmatch(match["aside"] or "")
    types = [id_of(type_id) for type_id in re.split(r",? or |, ", deactivated["types"])] if deactivated else []
    known = [type_ for type_ in types if type_ in DAMAGE and type_ not in _NO_TYPE]
    figures |= {"when": ", ".join(f"not suffered:{type_id}" for type_id in known)} if known else {}
    if match["name"].lower() == "regeneration":
        figures["rules"] = (DataRule("at-zero", "lives", when=figures.get("when", "")),)
    by_itself = match["name"].lower() == "fast healing" and not match["aside"]
    if not by_itself and (not types or known != types):
        figures["automation"] = "asks"  # the end condition isn't stated or can't be tracked
    name = f"{match['name'].capitalize()} {match['amount']}"
    return _feature(name, part.strip(), ids, **figures)


def _bonus(part: str, ids: IdAllocator) -> Feature | None:
    match = _RE.bonus.fullmatch(part.strip())
    when = terms("pf2e_follow_ups", "threats").get(match["threat"].lower().strip()) if match else None
    if match is None or when is None:
        return None
    rule = DataRule("modifier", "save", add=int(match["amount"]), type=match["type"].lower(), when=when)
    return _feature(f"Saves against {match['threat'].lower().strip()}", part.strip(), ids, rules=(rule,))


_REMARKS: Final = {"hp": _healing, "saves": _bonus}


def without_repeats(features: Sequence[Feature], passive: Iterable[Feature]) -> tuple[Feature, ...]:
    """Return features except those that only name a healing or a bonus that a remark has given."""
    keys = {key["kind"] or key["threat"] for one in passive if (key := _RE.repeated.search(_plain(one.name)))}
    bare = [each.cost == "trait" and (not each.text or _RE.general.match(each.text)) for each in features]
    found = [
        _RE.repeated.search(_plain(each.name)) if is_bare else None
        for each, is_bare in zip(features, bare, strict=True)
    ]
    kept = (key is None or (key["kind"] or key["threat"]) not in keys for key in found)
    return tuple(feature for feature, is_kept in zip(features, kept, strict=True) if is_kept)


def _feature(name: str, text: str, ids: IdAllocator, cost: str = "trait", **figures: Any) -> Feature:
    return Feature(ids.allocate(name, "feature"), name, cost, text=text, read=tuple(figures), **figures)  # type: ignore[arg-type]


def with_follow_ups(
    features: Features, items: Sequence[str], skills: NamedNumbers, ids: IdAllocator, level: int = 0, by: str = ""
) -> tuple[Feature, ...]:
    """Add Grab, Knockdown and Push, which can follow a hit with the Strikes that list them, to the features.

    In the remastered rules (`by` is then the skill), they need a check, perhaps with a bonus of their own among the skills.

    Poisons and other afflictions are triggered by a hit with the Strikes that list them. Shield Block uses the Hardness
    of the carried shield among the items. Rend and Trample deal the damage of the Strike that they name. Swallow Whole is
    an Athletics check against a Reflex DC. Some reactions reduce damage to an ally by the creature's `level` and more.
    """
    results = list(features)
    for (name, better, feet), strikes in _listed(features).items():
        called = f"Improved {name.capitalize()}" if better else name.capitalize()
        named = (n for n, feature in enumerate(results) if _RE.pull.sub("", feature.name.lower()) == called.lower())
        at = next(named, None)
        stated = re.search(r"\d+", results[at].name) if at is not None else None  # `Push 10 feet`
        figures = _figures(name, better, feet or int(stated[0] if stated else 0), strikes, dict(skills))
        if by in dict(skills):
            reach = max(each.reach or 0 for each in features if each.id in strikes)
            more = _check(name, reach, dict(skills).get(name, dict(skills)[by]), figures.get("push", 0))
            degree = "success" if name == "grab" else ""  # a critical success restrains instead
            usual = (msgspec.structs.replace(one, degree=degree) for one in figures.get("afflictions", ()))
            figures |= {**more, "afflictions": (*usual, *more["afflictions"])}
        elif name == "grab" and len(strikes) == 1 and _RE.one_limb.search(strikes[0]):  # it can't also strike another
            limb = {"when": f"holds | not gripping:{id_of(called)}"}
            results = [_with(each, limb) if each.id in strikes and not each.when else each for each in results]
        if better and any(_RE.either.search(each.text) for each in features if each.id in strikes):
            figures["automation"] = "asks"  # a hit has one of two follow-ups
        if at is None:
            results.append(_feature(called, figures.get("short", _TEXTS[name]), ids, **figures))
        elif not (results[at].trigger or results[at].save or results[at].damage):
            results[at] = _with(results[at], {key: value for key, value in figures.items() if key != "cost" or better})
    shield = next(filter(None, map(_shield, items)), "")
    hits = [feature for feature in results if feature.attack is not None]
    exposing = [feature for feature in results if _exposes(feature) and feature.cost == "trait"]
    athletics = dict(skills).get(_ESCAPED_WITH)
    ruptures = [feature for feature in map(partial(_rupturing, ids), results) if feature is not None]
    changed = [
        _with(
            feature,
            _contracted(feature, hits)
            or _blocking(feature, shield)
            or _after_grab(feature, results)
            or _repeated(feature, hits)
            or _requiring_hold(feature)
            or _swallowing(feature, athletics, hits)
            or _protecting(feature, level)
            or _exposed(feature, exposing),
        )
        for feature in results
    ]
    return *ruptures, *sorted(changed, key=lambda feature: feature.trigger == "hits" and feature.cost == "reaction")


def _requiring_hold(feature: Feature) -> dict[str, Any]:
    """Return the statement for a Strike or a crushing that requires a grabbed target."""
    if feature.trigger or feature.when:
        return {}
    is_held = feature.attack is not None and _RE.held_target.search(feature.text)
    return {"when": "holds"} if is_held or id_of(feature.name) in _CRUSHES else {}


def _swallowing(feature: Feature, athletics: int | None, hits: Iterable[Feature]) -> dict[str, Any]:
    """Return the numbers of Swallow Whole: a check against a held target's Reflex DC, and damage on each of its turns.

    It reaches as far as the Strikes that grab, with a mouth if any of them has one.
    """
    match = _RE.swallows.match(feature.text) if feature.name.lower() == "swallow whole" else None
    if match is None or athletics is None:
        return {}
    parts = [f"{dice} {kind}" for dice, kind in (match.group("dice", "type"), match.group("more", "type2")) if dice]
    grabs = [each for each in hits if each.reach and "grab" in f"{each.id} {each.text.lower()}"]
    mouths = [each for each in grabs if _RE.mouth.search(each.name)]
    held = InflictedCondition("grabbed", "owner-gone", escape_dc=10 + athletics)
    others = (InflictedCondition(name, value=value, bound_to=held.condition) for name, value in _IN_THE_GUT.items())
    return {
        "attack": athletics,
        "damage": " + ".join(parts),
        "properties": (*feature.properties, "against-dex"),
        "when": f"holds, target.up-to:{match['size'].lower()}",
        "afflictions": (held, *others),
        "ongoing": " + ".join(parts),
        "ongoing_while": held.condition,
        "reach": max((each.reach or 0 for each in mouths or grabs), default=0),
    }


def _rupturing(ids: IdAllocator, feature: Feature) -> Feature | None:
    """Return the trait with which a swallowed creature cuts itself free, from the Rupture value of Swallow Whole."""
    match = _RE.rupture.search(feature.text) if feature.name.lower() in ("swallow whole", "engulf") else None
    if match is None:
        return None
    when = f"gripping:{feature.id}, attacker.slowed, dealt:{match[1]}, (kind:piercing | kind:slashing)"
    freed: dict[str, Any] = {"ends": ("grabbed", "restrained"), "ends_all": True}
    return _feature(f"Rupture {match[1]}", _TEXTS["rupture"].format(match[1]), ids, trigger="hurt", when=when, **freed)


def _protecting(feature: Feature, level: int) -> dict[str, Any]:
    """Return the numbers of a champion's reaction: less damage to an ally nearby, and a Strike against the attacker."""
    more = terms("pf2e_follow_ups", "protects").get(id_of(feature.name)) if feature.cost == "reaction" else None
    if more is None or feature.trigger:
        return {}
    strike = FeatureStep(use=ANY_ATTACK if " can also make " in feature.text else ANY_MELEE)
    return {"trigger": "damage", "within": 15, "reduces": str(level + more), "does": (strike,)}


def _exposed(feature: Feature, afflictions: Iterable[Feature]) -> dict[str, Any]:
    """Return the step of an action that exposes its targets to an affliction named in its text."""
    exposes = feature.save or "exposing" in feature.text
    if feature.cost != "action" or feature.attack is not None or feature.does or not exposes:
        return {}
    text = f" {_plain(feature.text)} "
    return next(({"does": (FeatureStep(use=one.id),)} for one in afflictions if f" {_plain(one.name)} " in text), {})


def _with(feature: Feature, figures: Mapping[str, Any]) -> Feature:
    """Return a feature with more numbers, which are marked as read."""
    return msgspec.structs.replace(feature, **figures, read=tuple(dict.fromkeys((*feature.read, *figures))))


def _blocking(feature: Feature, shield: str) -> dict[str, Any]:
    is_block = feature.cost == "reaction" and feature.name.lower() == "shield block" and not feature.trigger
    hardness = _RE.hardness.search(shield) if is_block else None
    if hardness is None:
        return {}
    own = ("shield",) * bool(hardness[2])
    found = {"name": f"{feature.name} ({shield})", "trigger": "damage", "when": _BLOCKED, "reduces": hardness[1]}
    return {**found, "uses": int(hardness[2] or 0), "properties": (*feature.properties, *own), "after": "shield-broken"}


def _shield(item: str) -> str:
    """Return the numbers of a shield, as stated or based on its type, or an empty string for other items."""
    if "shield" not in item.lower().split():
        return ""
    match = _RE.of_shield.search(item)
    return match[1] if match else next((numbers for kind, numbers in _SHIELDS.items() if kind in item.lower()), "")


def _after_grab(feature: Feature, features: Sequence[Feature]) -> dict[str, Any]:
    """Return the trigger of a reaction to its owner's grab, which follows a hit by itself."""
    grab = next((each for each in features if each.name.lower() == "improved grab" and each.when), None)
    if grab is None or feature.cost != "reaction" or feature.trigger or not _RE.grabs.search(feature.text):
        return {}
    when = f"with:{grab.id}" if grab.attack is not None else grab.when.partition(", not ")[0]
    return {"trigger": "hits", "when": when}


def _repeated(feature: Feature, hits: Iterable[Feature]) -> dict[str, Any]:
    """Return the damage of the Strike that an ability names."""
    pattern = _NAMES_STRIKE.get(feature.name.lower())
    text = feature.text or " ".join(feature.properties)
    match = pattern.match(text) if pattern and feature.cost == "action" and not feature.damage else None
    damage = [hit.damage for hit in hits if match and hit.damage and hit.name.lower() == match[1].lower()]
    rends = _TEXTS["rend"].format(match[1]) if match and "rend" in feature.id else ""
    more = {"requires": rends} if rends and not feature.requires else {}
    return {"damage": damage[-1], **more} if damage else {}


def _contracted(affliction: Feature, hits: Iterable[Feature]) -> dict[str, Any]:
    """Return the trigger of an affliction, curse or the like: a hit with the Strikes that list it."""
    exposes = _exposes(affliction)
    if affliction.trigger or affliction.cost != "trait" or not (affliction.save and affliction.dc):
        return {}
    if affliction.damage and not exposes:
        return {}
    name = f" {_plain(affliction.name)} "
    listed = {hit.id: f" {_plain(match[1])} " for hit in hits if (match := _RE.plus.match(hit.text))}
    strikes = [id for id, effects in listed.items() if name in effects]
    if not strikes and exposes:  # some sources call it by another name
        strikes = [id for id, effects in listed.items() if effects.endswith(f" {name.rsplit(maxsplit=1)[-1]} ")]
    figures = {"trigger": "hits", "when": " | ".join(f"with:{id}" for id in strikes)} if strikes else {}
    is_limited = bool(figures) and not exposes and _RE.limited.search(_RE.sentence.split(affliction.text)[0])
    return figures | ({"automation": "asks"} if is_limited else {})


def _exposes(feature: Feature) -> bool:
    """Return whether a feature is a poison or another affliction, with stages that may not be understood."""
    return bool(feature.stages) or any(inflicted.condition == _AFFLICTION for inflicted in feature.afflictions)


def _plain(text: str) -> str:
    return " ".join(re.findall(r"[a-z0-9]+", text.lower()))


def _listed(features: Iterable[Feature]) -> dict[tuple[str, bool, int], list[str]]:
    """Return Strike ids, keyed by follow-up: its name, whether it is improved, and the distance of a push in feet."""
    strikes: dict[tuple[str, bool, int], list[str]] = {}
    for strike in features:
        match = _RE.plus.match(strike.text) if strike.attack is not None else None
        for part in _RE.joined.split(match["effects"]) if match else ():
            if effect := _RE.effect.fullmatch(part.strip()):
                for name in (effect["name"].lower(), *(["pull"] if effect["pull"] else [])):
                    key = name, effect["better"] is not None, int(effect["feet"] or 0)
                    strikes.setdefault(key, []).append(strike.id)
    return strikes


def _figures(name: str, better: bool, feet: int, strikes: list[str], skills: Mapping[str, int]) -> dict[str, Any]:
    """Return the fields of a follow-up, which becomes available when one of its Strikes hits.

    An improved follow-up costs nothing and happens automatically. Any other is only offered among the remaining
    actions, since a card after each hit would be in the way.
    """
    with_strike = " | ".join(f"with:{strike}" for strike in strikes)
    when = with_strike if len(strikes) == 1 else f"({with_strike})"
    figures: dict[str, Any] = {"cost": "trait" if better else "action", "trigger": "hits"}
    if name in ("push", "pull"):
        feet = (feet or 5) * (1 if name == "push" else -1)
        return figures | {"when": when, "push": feet, "properties": ("doubles-push",)}
    condition = _CONDITIONS[name]
    escape = 10 + skills[_ESCAPED_WITH] if name == "grab" and _ESCAPED_WITH in skills else 0
    ends: InflictedConditionEnds = "owner-end" if name == "grab" else "never"
    inflicted = (InflictedCondition(condition, ends, escape_dc=escape if escape in _DCS else 0),)
    return figures | {"when": f"{when}, not target.condition:{condition}", "afflictions": inflicted}


def _check(name: str, reach: int, bonus: int, feet: int) -> dict[str, Any]:
    """Return the fields that a follow-up has if it needs a skill check with this bonus."""
    worse = InflictedCondition("prone", degree="critical-failure")
    better = InflictedCondition("restrained", "owner-end", escape_dc=10 + bonus, degree="critical-success")
    properties = ("against-dex" if name == "knockdown" else "against-con", "uncounted")
    own: dict[str, dict[str, Any]] = {  # a hold is extended without a check
        "grab": {"rules": (DataRule("hit", "attack", when="with:grab, holds"),), "afflictions": (better, worse)},
        "push": {"properties": (*properties, *(["doubles-push"] if abs(feet) <= 5 else []))},
        "knockdown": {"other_damage": (OtherDamage(_TEXTS["tripped"], "1d6 bludgeoning", "critical"),)},
    }
    fields = {"attack": bonus, "reach": reach, "properties": properties, "short": _TEXTS[f"{name}_check"]}
    return {"afflictions": (worse,)} | fields | own.get("push" if name == "pull" else name, {})


Numbers = dict[str, Any]  # numbers keyed by feature field, in reading order
# Abilities with a fixed text in the rules: the save, and whether it is a basic save.

_HELD: Final = frozenset({"grabbed", "restrained", "immobilized"})


def read_ability(name: str, text: str, owner: str, traits: tuple[str, ...], add_note: AddNote) -> dict[str, Any]:
    """Return the numbers in an ability's text, keyed by feature field.

    `owner` is the creature's name: a save that the creature itself makes is not the ability's save.
    """
    numbers: Numbers = {}
    if "DC" in text or " save" in text:
        _read_save(numbers, name, text, owner, add_note)
    if "foot" in text or is_aura(name, traits):
        _read_area(numbers, text, is_aura(name, traits), add_note)
    if "damage" in text or "save" in numbers:
        _read_damage(numbers, text, add_note)
    _read_uses(numbers, text, add_note)
    if "save" in numbers:
        _read_conditions(numbers, text, add_note)
        _read_degrees(numbers, text, add_note)
        if not is_aura(name, traits):
            _read_range(numbers, text)
    return numbers


def _read_save(numbers: Numbers, name: str, text: str, owner: str, add_note: AddNote) -> None:
    """Read the save that other creatures must make. The DC may be part of the phrase or, as in auras, separate from it.

    An ability with a fixed text in the rules may state only its DC.
    """
    complete = [match for match in _RE.save.finditer(text) if not _is_own(text, match.start(), owner)]
    bare = [match for match in _RE.bare_save.finditer(text) if not _is_own(text, match.start(), owner)]
    dc = _RE.bare_dc.search(text)
    fixed = terms("pf2e_abilities", "asked_by").get(id_of(name))
    if complete:
        saves = ((match["save"] or match["save2"], match["dc"] or match["dc2"]) for match in complete)
        (save, number), *others = dict.fromkeys(saves)
        half = any(complete[0][group] for group in ("first", "basic", "basic2", "after"))
        numbers |= {"save": SAVES[save.lower()], "dc": int(number)}
        for save, number in sorted(others):
            add_note("save", f"DC {number} {save}", "additional save; kept as text only")
    elif bare and dc and dc.start() <= 120:
        half = bool(bare[0]["basic"])
        numbers |= {"save": SAVES[bare[0]["save"].lower()], "dc": int(dc[1])}
    elif fixed and dc:
        half = fixed[1]
        numbers |= {"save": fixed[0], "dc": int(dc[1])}
    else:
        half = False
        if unread := _RE.save.search(text) or _RE.bare_save.search(text):
            add_note("save", sentence_around(text, unread.start()), "save not understood; kept as text only")
    numbers |= {"half": True} if half else {}


def sentence_around(text: str, at: int) -> str:
    """Return the sentence around a position in a text."""
    start = max(text.rfind(". ", 0, at), text.rfind("\n", 0, at)) + 1
    end = text.find(". ", at)
    return text[start : len(text) if end < 0 else end + 1].strip()


def _is_own(text: str, at: int, owner: str) -> bool:
    """Return whether the creature itself makes the save: `the redcap must attempt a DC 19 Will save`."""
    head = _RE.subject.search(text[max(0, at - 90) : at].lower())
    words = owner.lower().split()
    own = {" ".join(words), *words[-1:], *words[:1]} - {"creature", "target"} | {"monster"}
    return head is not None and head[1] in own


def is_aura(name: str, traits: tuple[str, ...]) -> bool:
    """Return whether an ability is an aura. The distance at the start of its text is then the size of an emanation."""
    return "aura" in traits or "aura" in name.lower().split()


def _read_area(numbers: Numbers, text: str, aura: bool, add_note: AddNote) -> None:
    areas = list(dict.fromkeys((match[1], match[2]) for match in _RE.area.finditer(text)))
    if areas:
        numbers["area"] = f"{areas[0][0]}-foot {areas[0][1]}"
        for feet, kind in areas[1:]:
            add_note("area", f"{feet}-foot {kind}", "additional area; kept as text only")
    elif aura and (head := _RE.feet.match(text)):
        numbers["area"] = f"{head[1]}-foot emanation"


def _read_damage(numbers: Numbers, text: str, add_note: AddNote) -> None:
    if _RE.stage_text.search(text):  # the stages of a poison are not effects of its first save
        return
    amounts, lasting, remaining = damage_in(text)
    if amounts and amounts[0]:
        numbers["damage"] = amounts[0]
    if lasting and all("critical" in sentence for sentence in _RE.sentence.split(text) if "persistent" in sentence):
        remaining, lasting = [*remaining, f"{lasting[0]}, persistent, on a critical failure"], []
    if lasting:
        numbers["ongoing"] = lasting[0]
    for words in (*amounts[1:], *lasting[1:], *remaining):
        add_note("damage", words, "additional or conditional damage; kept as text only")


def _of_first(text: str) -> int:
    """Return the end of the text about the first save: the position of the next save of a different type."""
    saves = [(match["save"] or match["save2"], match.start()) for match in _RE.save.finditer(text)]
    return next((start for save, start in saves if save != saves[0][0]), len(text))


def _read_degrees(numbers: Numbers, text: str, add_note: AddNote) -> None:
    """Read whether damage follows the degrees of success of a basic save. Other degrees are reported."""
    degrees = degrees_of(text)
    if "damage" not in numbers or not degrees or "half" in numbers:
        return
    if "half damage" in degrees.get("success", "") and "double damage" in degrees.get("critical-failure", ""):
        numbers["half"] = True
    else:
        add_note("damage", numbers["damage"], "not a basic save; degrees of success kept as text only")


def _read_range(numbers: Numbers, text: str) -> None:
    stated = {match[1] for match in islice(_RE.range.finditer(text), 1)}
    found = [*_RE.aimed.finditer(_RE.trigger.sub("", text))] if "area" not in numbers else []
    aimed = {match[1] or match[2] for match in found}
    if len(far := stated or aimed) == 1:
        is_around = found and _RE.everyone.match(found[0][0]) and not stated
        numbers |= {"area": f"{far.pop()}-foot emanation"} if is_around else {"range": far.pop()}


def _read_uses(numbers: Numbers, text: str, add_note: AddNote) -> None:
    frequency = _RE.often.search(text)
    limit = _RE.frequency.search(frequency[1]) if frequency else None
    if limit is not None and frequency is not None and limit.end() >= len(frequency[1].rstrip()) - 1:
        per = _PERIODS.get(limit["per"].lower(), limit["per"].lower())
        numbers |= {"uses": number_in_words(limit["count"].split()[0]), "per": per}
    elif frequency is not None:
        add_note("uses", frequency[1], "frequency not understood; kept as text only")
    if again := _RE.cant_again.search(text):
        rests = _RE.rests.search(again[0])
        if rests is not None:
            numbers["rests"] = rests["rounds"]
        if rests is None or rests["more"].strip():
            add_note("recharge", again[0], "time until the next use; kept as text only")


def _read_conditions(numbers: Numbers, text: str, add_note: AddNote) -> None:
    if stages := stages_in(text):
        numbers |= {"stages": stages, **longest_in(text)}
    elif _RE.stage_text.search(text):
        numbers["afflictions"] = (InflictedCondition("affliction"),)
        add_note("stages", text[text.find("Stage 1") :], "stages not understood; kept as text only")
    if stages or "afflictions" in numbers:
        return
    if "save" in numbers and (immune := _RE.immune.search(text)):
        words = immune[0].lower()
        critical = "critical-" if re.search(r"critical(?:ly)? succe", words) else ""
        numbers["immune_after"] = f"{critical}success" if "succe" in words else "save"
    escape = _RE.escape.search(text)
    afflictions = conditions_in(text[: _of_first(text)], add_note)
    if escape:
        dc = {name: int(escape[1]) for name in _HELD}
        afflictions = tuple(msgspec.structs.replace(one, escape_dc=dc.get(one.condition, 0)) for one in afflictions)
    if afflictions:
        numbers["afflictions"] = afflictions
    if unread := unread_conditions(text, afflictions):
        add_note("afflictions", ", ".join(unread), "unclear who gets this condition; kept as text only")


def strikes_in(text: str, strike_ids: dict[str, str], add_note: AddNote) -> tuple[tuple[str, int], ...]:
    """Return the ids and counts of the Strikes that a text combines, or an empty tuple if any of them is unknown."""
    if "Strike" not in text:
        return ()
    counted: Counter[str] = Counter()
    for match in _RE.strikes.finditer(text):
        counted[strike_ids.get(match[2].lower().strip(), "")] += number_in_words(match[1])
    if "" in counted or counted.total() < 2:
        return ()
    if re.search(r"Strikes? or (?:a|an|one|two|three)\b", text):
        add_note("multiattack", text, "choice of Strikes; kept as text only")
        return ()
    return tuple(counted.items())
