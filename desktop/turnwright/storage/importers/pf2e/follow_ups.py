"""Features of a stat block that stand in other places: healing and bonuses behind numbers, follow-ups behind a Strike's damage."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Feature, InflictedCondition, NamedNumbers, SourceNote
from turnwright.storage.ids import IdAllocator
from turnwright.storage.importers.pf2e.terms import DAMAGE, OLDER_DAMAGE, id_of

_PARTS = re.compile(r"[,;]\s*(?![^()]*\))")
_HEALS = re.compile(
    r"(?P<name>regeneration|fast healing) (?P<amount>\d{1,3})(?: \((?P<aside>[^()]{1,100})\)?)?", re.IGNORECASE
)
_DEACTIVATED = re.compile(r"deactivated by (?P<types>[a-z ,]+)", re.IGNORECASE)
_BONUS = re.compile(
    r"(?P<amount>\+\d) (?P<type>status|circumstance|item)(?: bonus)? to all saves(?: vs\.?| against) (?P<threat>[a-z ]{2,30})",
    re.IGNORECASE,
)
_THREATS: Final[Mapping[str, str]] = {
    "magic": "magic", "mental": "against:mental", "poison": "against:poison", "fear": "against:frightened",
    "cold": "against:cold", "fire": "against:fire", "acid": "against:acid", "electricity": "against:electricity",
    "sonic": "against:sonic",
}  # fmt: skip
_NO_TYPE: Final = frozenset({*OLDER_DAMAGE, "cold-iron", "silver"})  # the game can't tell that these have hurt
_PLUS = re.compile(r"^.{0,200}?\bPlus (?P<effects>[^.\n]{2,120})\.", re.DOTALL)
_EFFECT = re.compile(
    r"(?P<better>improved )?(?P<name>grab|knockdown|push)(?: ?or ?pull)?(?: ?(?P<feet>\d{1,2})(?: ?(?:feet|ft))?)?",
    re.IGNORECASE,
)
_PULL = re.compile(r" or pull| \d{1,2} (?:feet|ft)\.?")
_AND = re.compile(r",? and |, ")
_TEXTS: Final = {
    "grab": "After its Strike hits, the target is grabbed.",
    "knockdown": "After its Strike hits, the target is knocked prone.",
    "push": "After its Strike hits, the target is pushed away.",
}
_CONDITIONS: Final = {"grab": "grabbed", "knockdown": "prone"}
_ESCAPED_WITH: Final = "athletics"
_DCS: Final = range(1, 101)
_HARDNESS: Final = re.compile(r"\bHardness (\d{1,2})\b", re.IGNORECASE)
_SHIELDS: Final = (("steel shield", "5"), ("wooden shield", "3"))
_NAMES_STRIKE: Final = {
    "rend": re.compile(r"\s*([^\n]+?)[ .]*(?:\n|$)"),
    "trample": re.compile(r"\s*\w+ or smaller, ([^,.\n]+?)(?:, DC \d+)?[ .]*(?:\n|$)"),
}
_BLOCKED: Final = "shield-raised, (kind:bludgeoning | kind:piercing | kind:slashing)"
_AFFLICTION: Final = "affliction"


def from_remarks(remarks: Iterable[SourceNote], ids: IdAllocator) -> tuple[list[Feature], list[SourceNote]]:
    """Return the features that remarks on hit points and saves hold, and the remarks that are left."""
    found: list[Feature] = []
    left: list[SourceNote] = []
    for remark in remarks:
        kept = []
        for part in _PARTS.split(remark.text) if remark.about in ("hp", "saves") else (remark.text,):
            one = (
                _healing(part, ids) if remark.about == "hp" else _bonus(part, ids) if remark.about == "saves" else None
            )
            if one is None:
                kept.append(part)
            else:
                found.append(one)
        if kept:
            left.append(
                remark if len(kept) == 1 and kept[0] == remark.text else SourceNote(remark.about, ", ".join(kept))
            )
    return found, left


def _healing(part: str, ids: IdAllocator) -> Feature | None:
    said = _HEALS.fullmatch(part.strip())
    if said is None:
        return None
    figures: dict[str, Any] = {"trigger": "turn-start", "heals": said["amount"]}
    deactivated = _DEACTIVATED.fullmatch(said["aside"] or "")
    types = [id_of(one) for one in re.split(r",? or |, ", deactivated["types"])] if deactivated else []
    known = [one for one in types if one in DAMAGE and one not in _NO_TYPE]
    if known:
        figures["when"] = ", ".join(f"not suffered:{one}" for one in known)
    by_itself = said["name"].lower() == "fast healing" and not said["aside"]
    if not by_itself and (not types or known != types):
        figures["plays"] = "asks"  # what ends it is not told, or can't be known
    name = f"{said['name'].capitalize()} {said['amount']}"
    return _feature(name, part.strip(), ids, **figures)


def _bonus(part: str, ids: IdAllocator) -> Feature | None:
    said = _BONUS.fullmatch(part.strip())
    when = _THREATS.get(said["threat"].lower().strip()) if said else None
    if said is None or when is None:
        return None
    rule = DataRule("modifier", "save", add=int(said["amount"]), type=said["type"].lower(), when=when)
    return _feature(f"Saves against {said['threat'].lower().strip()}", part.strip(), ids, rules=(rule,))


def _feature(name: str, text: str, ids: IdAllocator, cost: str = "trait", **figures: Any) -> Feature:
    return Feature(ids.allocate(name, "feature"), name, cost, text=text, read=tuple(figures), **figures)  # type: ignore[arg-type]


def with_follow_ups(features: Sequence[Feature], skills: NamedNumbers, ids: IdAllocator) -> tuple[Feature, ...]:
    """Return features with Grab, Knockdown and Push as what may follow a hit of the Strikes that list them."""
    found = list(features)
    for (name, better, feet), strikes in _listed(features).items():
        called = f"Improved {name.capitalize()}" if better else name.capitalize()
        figures = _figures(name, better, feet, strikes, dict(skills))
        at = next((n for n, one in enumerate(found) if _PULL.sub("", one.name.lower()) == called.lower()), None)
        if at is None:
            found.append(_feature(called, _TEXTS[name], ids, **figures))
        elif not (found[at].trigger or found[at].save or found[at].damage):
            named = {key: value for key, value in figures.items() if key != "cost" or better}
            read = tuple(dict.fromkeys((*found[at].read, *named)))
            found[at] = msgspec.structs.replace(found[at], **named, read=read)
    return tuple(_contracted(found))


def with_shields(features: Iterable[Feature], items: Sequence[str]) -> Iterator[Feature]:
    """Yield features, Shield Block with the Hardness of the shield that its owner carries."""
    hardness = next((found for one in items if (found := _hardness(one))), "")
    for one in features:
        if hardness and one.cost == "reaction" and one.name.lower() == "shield block" and not one.trigger:
            figures = {"trigger": "damage", "when": _BLOCKED, "lessens": hardness}
            read = tuple(dict.fromkeys((*one.read, *figures)))
            yield msgspec.structs.replace(one, **figures, read=read)
        else:
            yield one


def _hardness(item: str) -> str:
    """Return the Hardness of an item that is a shield: as it says, or that of its kind."""
    if "shield" not in item.lower().split():
        return ""
    said = _HARDNESS.search(item)
    return said[1] if said is not None else next((hard for kind, hard in _SHIELDS if kind in item.lower()), "")


def with_damage_of_strikes(features: Sequence[Feature]) -> Iterator[Feature]:
    """Yield features, Rend and Trample with the damage of the Strike that they name."""
    strikes = {one.name.lower(): one for one in features if one.attack is not None and one.damage}
    for one in features:
        said = _NAMES_STRIKE[one.name.lower()].match(one.text) if one.name.lower() in _NAMES_STRIKE else None
        named = strikes.get(said[1].lower()) if said else None
        if named is None or one.cost != "action" or one.damage:
            yield one
        else:
            yield msgspec.structs.replace(one, damage=named.damage, read=(*one.read, "damage"))


def _contracted(features: Sequence[Feature]) -> Iterator[Feature]:
    """Yield features, the poisons and the like among them as what a hit with the Strikes that list them exposes to."""
    struck = [(one.id, f" {_plain(said[1])} ") for one in features if (said := _struck_with(one)) is not None]
    for one in features:
        strikes = [id for id, effects in struck if f" {_plain(one.name)} " in effects]
        exposes = one.stages or any(each.condition == _AFFLICTION for each in one.afflictions)
        if not (exposes and strikes and one.save and one.dc and one.cost == "trait" and not one.trigger):
            yield one
            continue
        when = " | ".join(f"with:{id}" for id in strikes)
        read = tuple(dict.fromkeys((*one.read, "trigger", "when")))
        yield msgspec.structs.replace(one, trigger="hits", when=when, read=read)


def _struck_with(feature: Feature) -> re.Match[str] | None:
    return _PLUS.match(feature.text) if feature.attack is not None else None


def _plain(text: str) -> str:
    return " ".join(re.findall(r"[a-z0-9]+", text.lower()))


def _listed(features: Iterable[Feature]) -> dict[tuple[str, bool, int], list[str]]:
    """Return the Strikes by the follow-up that each lists: its name, whether it is improved, the feet of a push."""
    found: dict[tuple[str, bool, int], list[str]] = {}
    for strike in features:
        said = _PLUS.match(strike.text) if strike.attack is not None else None
        for effect in _effects(said["effects"]) if said else ():
            better = effect["better"] is not None
            found.setdefault((effect["name"].lower(), better, int(effect["feet"] or 0)), []).append(strike.id)
    return found


def _effects(text: str) -> Iterator[re.Match[str]]:
    for part in _AND.split(text):
        if said := _EFFECT.fullmatch(part.strip()):
            yield said


def _figures(name: str, better: bool, feet: int, strikes: list[str], skills: Mapping[str, int]) -> dict[str, Any]:
    """Return the fields of a follow-up when one of its Strikes has hit.

    An improved one, which costs nothing, acts by itself. Of another its owner is reminded: it is among the actions that
    are left, and a card after each hit would be in the way.
    """
    with_strike = " | ".join(f"with:{one}" for one in strikes)
    when = with_strike if len(strikes) == 1 else f"({with_strike})"
    figures: dict[str, Any] = {"cost": "trait", "trigger": "hits"}
    if not better:
        figures |= {"cost": "action"}
    if name == "push":
        return figures | {"when": when, "push": feet or 5}
    condition = _CONDITIONS[name]
    escape = 10 + skills[_ESCAPED_WITH] if name == "grab" and _ESCAPED_WITH in skills else 0
    inflicted = (InflictedCondition(condition, escape_dc=escape if escape in _DCS else 0),)
    return figures | {"when": f"{when}, not target.condition:{condition}", "afflictions": inflicted}
