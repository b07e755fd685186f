"""Reads the damage and the conditions that a sentence deals to a creature that is hit or fails a save.

Damage such as `12 (2d6 + 5) bludgeoning damage plus 3 (1d6) fire damage` becomes a dice expression. A part that only
applies sometimes (`… if the roll had advantage`) or later (`… at the start of its turns`) is left out. If there is a
choice of types (`radiant or necrotic`), the dice have no type.

Examples of conditions: `the target is grappled (escape DC 14)` after a hit; `or be knocked prone` or `becoming poisoned
for 1 minute on a failure` after a save; the same in a sentence that begins with the failure (`On a failed save`,
`Failure:`). `If the target is a creature` is not a limit, because every target is a creature. A condition can end with
a save at the end of each of the target's turns, or at the start or end of a turn of the target or of the stat block's
creature. Other ends are kept as text.

Some effects are only reported: those under any other condition (`if the target is Medium or smaller`, `while bloodied`,
failing by 5), choices, and effects of a hit that are mentioned before a save that would prevent them.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import dropwhile
from typing import Any, Final, NamedTuple

import msgspec

from turnwright.encounter.field_specs import dice_problem
from turnwright.encounter.prepared import AfflictionStage, InflictedCondition, InflictedConditionEnds, OtherDamage
from turnwright.importers.vocabulary import Patterns, terms
from turnwright.rules.system_data.rounds import length_of_time

TYPES: Final[tuple[str, ...]] = terms("prose_damage", "types")
CONDITIONS: Final[tuple[str, ...]] = terms("prose_conditions", "conditions")
_RE: Final = Patterns(
    "prose_damage",
    types="|".join(TYPES),
    no_types="|".join(terms("prose_damage", "no_types")),
    conditions="|".join(CONDITIONS),
)
PART: Final = _RE.any_part
TAKEN: Final = _RE.taken
_CLAUSES: Final[Mapping[str, str]] = terms("prose_damage", "clauses")
_DASHES: Final = str.maketrans(dict.fromkeys("\N{MINUS SIGN}\N{EN DASH}\N{EM DASH}", "-"))
MAX_PARTS: Final = 8
TWO_HANDS: Final = "with two hands"  # the name of the alternative damage of a versatile weapon


class ProseDamage(msgspec.Struct, frozen=True):
    """Damage read from prose: the immediate and the ongoing damage, remarks, and alternatives.

    `end` is the end of its text, and `parts` the number of its parts. `others` are alternatives, which replace all of
    the damage.
    """

    damage: str
    ongoing: str
    end: int
    parts: int
    remarks: tuple[str, ...] = ()
    others: tuple[OtherDamage, ...] = ()


def damage_at(text: str, start: int) -> ProseDamage | None:
    """Return the damage that begins exactly at `start`, or None if there is none."""
    match = PART.match(text, start)
    return damage_from(text, match) if match else None


def damage_from(text: str, first_part: re.Match[str]) -> ProseDamage:
    """Return the damage that begins with the match `first_part`, including all following parts."""
    parts: list[str] = []
    ongoing = ""
    remarks: list[str] = []
    others: list[tuple[str, list[str]]] = []  # the parts so far, by name
    part: re.Match[str] | None = first_part
    number = bare = 0  # of parts, and of those without the word damage
    while part is not None and number < MAX_PARTS:
        end = part.start() + len(part[0].removesuffix("and ").rstrip(", "))
        number, bare = number + 1, bare + ("amage" not in part[0])
        dice, kind, why = _read(part)
        ends = text[end : end + 1] in (".", "")
        if not ends and _RE.limited.match(text, end):
            clause = _RE.clause.match(text, end) if parts else None
            if clause is not None:
                others.append((" ".join(clause["name"].split()), [*parts, f"{dice} {kind}".rstrip()]))
            else:
                remarks.append("conditional damage; kept as text only")
        elif "ongoing" in part["words"].lower():
            ongoing = f"{dice} {kind}".rstrip()
        else:
            parts.append(f"{dice} {kind}".rstrip())
            for _, dealt in others:
                dealt.append(parts[-1])
            remarks += [why] if why else []
        if ends:
            break
        link = _RE.link.match(text, end)
        instead = _RE.instead.match(text, end) if link is None else None
        if instead is not None and len(parts) == 1 + bool(instead["second"]):
            number += len(parts)
            both = [_read(match) for match in (instead, *PART.finditer(instead["second"] or ""))]
            name = _RE.grip.sub(TWO_HANDS, " ".join(instead["name"].split()))
            usual = parts[0].partition(" ")[2]
            others.append((name, [f"{dice} {kind or usual}".rstrip() for dice, kind, _ in both]))
            end = instead.end()
            link = _RE.link.match(text, end)
        elif link is None and (other := _RE.other.match(text, end)):
            number += 1
            link = _RE.beside.match(text, other.end())
            remarks += [] if _RE.two_hands.match(text, other.end()) else ["alternative damage; kept as text only"]
        part = PART.match(text, link.end()) if link else None
    named = [OtherDamage(name, _joined(dealt), _statement(name)) for name, dealt in others]
    sound = tuple(other for other in named if not dice_problem(other.damage))
    return ProseDamage(_joined(parts), ongoing, end, number - bare, tuple(remarks), sound)


def _statement(clause: str) -> str:
    """Convert a clause to a statement that rules can check, such as `bloodied`, or an empty string."""
    found = ((statement, getattr(_RE, name).fullmatch(clause)) for name, statement in _CLAUSES.items())
    return next((statement.format(**match.groupdict()) for statement, match in found if match), "")


def _joined(parts: list[str]) -> str:
    return " + ".join(parts).replace("+ -", "- ")


def _read(part: re.Match[str]) -> tuple[str, str, str]:
    """Return the dice, the type and the remark of a part. The remark may be empty."""
    dice = part["dice"] or part["bare"] or part["flat"]
    words = part["words"].lower().replace(",", " ").replace("/", " or ").split() if part["words"] else []
    last = part[0].rstrip(", ").rpartition(" ")[2].lower()
    kinds = dict.fromkeys(word for word in (*words, last) if word in TYPES)
    own = (part.groupdict().get("own") or "").strip().lower()
    kinds |= {own: None} if own else {}
    why = "choice of damage types; set the type yourself" if len(kinds) > 1 else ""
    if own and not why:
        return normalised_dice_text(dice), own, f"{own!r} is a damage type of the author; kept as worded"
    return normalised_dice_text(dice), "" if why else "".join(kinds), why


def normalised_dice_text(dice: str) -> str:
    """Return dice without spaces and unusual signs: `2d6+5`."""
    return "".join(dice.split()).lower().translate(_DASHES).replace("+-", "-").replace("--", "+")


_STAGE_WORDS: Final = frozenset(CONDITIONS)
_SOFT: Final[tuple[str, ...]] = terms("prose_conditions", "soft")
_VERBS: Final[frozenset[str]] = frozenset(terms("prose_conditions", "verbs"))
_ALONE: Final = frozenset({"becoming", "being", "falling", "knocked", "knocking", "having"})
_THROWN: Final = frozenset({"knock", "knocks", "knocking", "knocked", "renders"})
_PRONOUNS: Final = frozenset({"it", "they", "them", "itself"})
_NOUNS: Final = frozenset({"target", "creature", "attacker", "victim", "humanoid"})
_LINKS: Final = frozenset({"or", "and", "failure", "save", "throw"})
_LIMITS: Final[frozenset[str]] = frozenset(terms("prose_conditions", "limits"))
_PHRASES: Final = ("no longer", "each time", "or more", "second failure", "first failure", "against being")
_SIZES: Final = frozenset({"tiny", "small", "medium", "large", "huge", "gargantuan"})
_LASTING: Final = frozenset({"grappled", "prone"})  # conditions that the target can end with an action
_DRAINS: Final[str] = terms("prose_conditions", "drains")
_UNHEALING: Final[str] = terms("prose_conditions", "unhealing")
_WINDOW: Final = 70
_SENTENCE: Final = 800
_MOST: Final = 40  # maximum number of conditions in one text
_LONGEST: Final = 20_000  # in characters; longer texts are not read


class ImposedConditions(NamedTuple):
    """The imposed conditions, the distance of a push in feet, and sentences that couldn't be read."""

    afflictions: tuple[InflictedCondition, ...]
    push: int
    unread: tuple[str, ...]


def afflictions_in(text: str, start: int, save: tuple[int, int] | None, *, hit: bool) -> ImposedConditions:
    """Return the conditions that a text imposes after `start`. `save` is the position of its saving throw, or None.

    `hit`: the text describes an attack's hit. Without an attack, every target makes the save, and a failure imposes the
    conditions.
    """
    if len(text) > _LONGEST:
        return ImposedConditions((), 0, (text,))
    places = _places(text, start)
    pushes, drained = any(word in text for word in ("push", "flung", "pull")), _RE.drained.search(text, start)
    lost = _RE.levels.search(text, start)
    if not (places or pushes or drained or lost or "isease" in text or "nfected" in text):
        return ImposedConditions((), 0, ())
    taken, unread = _conditions(text, start, places, save, hit=hit)
    if save and (sick := _RE.contracted.search(text, start)):
        sentence, from_ = sentence_at(text, sick.start())
        if _plain(text, from_, sick.start(), save, hit=hit):
            before = text[sentence_at(text, save[0])[1] : save[0]]
            taken.setdefault("diseased", InflictedCondition("diseased", when=", ".join(_kinds(before))))
    if save and _RE.saved.search(text, save[1]):
        for name, affliction in taken.items():
            if affliction.ends == "never" and name not in _LASTING:
                taken[name] = msgspec.structs.replace(
                    affliction, ends="saved", lasts=affliction.lasts or _longest(text)
                )
    for match in (*_RE.by_five.finditer(text, start), *_RE.held.finditer(text, start)) if taken else ():
        if _add_further(taken, match):
            unread.pop(sentence_at(text, match.start())[0], None)
    _add_ends(taken, text, start)
    _add_losses(taken, unread, text, start, save, hit=hit)
    push = 0
    for match in _RE.pushed.finditer(text, start) if pushes else ():
        sentence, from_ = sentence_at(text, match.start())
        if push == 0 and _plain(text, from_, match.start(), save, hit=hit):
            push = int(match["feet"]) if match["feet"] else -int(match["pull"])
        else:
            unread.setdefault(sentence)
    return ImposedConditions(tuple(taken.values()), push, tuple(unread))


def _add_losses(
    taken: dict[str, InflictedCondition],
    unread: dict[str, None],
    text: str,
    start: int,
    save: tuple[int, int] | None,
    *,
    hit: bool,
) -> None:
    """Add lost Strength, levels of strife, a lower hit point maximum, and a loss of healing."""
    drained, worse = _RE.drained.search(text, start), _RE.levels.search(text, start)
    if worse and _plain(text, sentence_at(text, worse.start())[1], worse.start(), save, hit=hit):
        taken[worse["what"].lower()] = InflictedCondition(worse["what"].lower(), value=1)
    if drained:
        sentence, from_ = sentence_at(text, drained.start())
        if _plain(text, from_, drained.start(), save, hit=hit):
            ends: InflictedConditionEnds = "never" if _RE.drained_for_good.search(text) else "long-rest"
            taken[_DRAINS] = InflictedCondition(_DRAINS, ends, value_of=(drained["type"] or "damage").lower())
        elif save and not hit and not _limits(text[from_ : drained.start()]):
            lost = InflictedCondition(_DRAINS, "long-rest", value_of=(drained["type"] or "damage").lower())
            taken |= {_DRAINS: lost, f"{_DRAINS}, half": msgspec.structs.replace(lost, degree="success")}
        else:
            unread.setdefault(sentence)
    wasting = next((name for name in terms("prose_conditions", "wasting") if name in taken), "")
    if wasting and _RE.unhealed.search(text, start):
        taken[_UNHEALING] = InflictedCondition(_UNHEALING, bound_to=wasting)


def _add_ends(taken: dict[str, InflictedCondition], text: str, start: int) -> None:
    """Add how sleep ends by damage or another creature's action, and the check that frees from bonds."""
    if (sleep := taken.pop("asleep", None)) is not None:
        taken["unconscious"] = msgspec.structs.replace(sleep, condition="unconscious")
    bound, wakes = taken.get("restrained"), "action" if _RE.woken.search(text, start) else ""
    for name in ("unconscious", "charmed"):
        if (dazed := taken.get(name)) is not None:
            is_hurt = dazed.ends == "never" and (wakes or _RE.hurt.search(text, start))
            taken[name] = msgspec.structs.replace(dazed, ends="hurt" if is_hurt else dazed.ends, wakes=wakes)
    _add_escape(taken, bound, text, start)


def _add_escape(taken: dict[str, InflictedCondition], bound: InflictedCondition | None, text: str, start: int) -> None:
    if bound is not None and not bound.bound_to and (frees := _RE.frees.search(text, start)):
        check = f"{frees['ability'][:3]}:{frees['skill']}" if frees["skill"] else frees["ability"][:3]
        dc, cost, more = int(frees["dc"]), "action", {"wakes": "action"} if frees["others"] else {}
        bound = msgspec.structs.replace(bound, escape=check.lower(), escape_dc=dc, break_free=cost, **more)
        taken["restrained"] = bound


def swallowing_in(text: str) -> dict[str, Any]:
    """Return the numbers of a feature that swallows: the conditions and the damage each turn of a swallowed creature."""
    found = _RE.swallowed.search(text) if "wallowed" in text or "engulfed" in text else None
    names = _RE.named.findall(found["what"].lower()) if found else []
    if found is None or not names:
        return {}
    before = text[: found.start()].lower()
    size = next((size for size in _SIZES if f"{size} or smaller" in before), "")
    when = ", ".join([*([f"up-to:{size}"] if size else []), *(["grappled"] if "grappl" in before else [])])
    parts = ((found["dice"], found["type"]), (found["more"], found["kind"]))
    held = {name: InflictedCondition(name, "owner-gone", when=when) for name in names}
    if "total cover" in found["what"].lower():
        held["swallowed"] = InflictedCondition("swallowed", bound_to=names[-1])
    _add_escape(held, held.get("restrained"), text, found.end())
    return {
        "afflictions": tuple(held.values()),
        "ongoing": _joined([f"{dice.replace(' ', '')} {kind.lower()}" for dice, kind in parts if dice]),
        "ongoing_at": "turn-start" if found["own"] else "owner-start",
        "ongoing_while": names[0],
    }


def after_run(text: str, figures: Mapping[str, Any]) -> tuple[dict[str, Any], int]:
    """Return the extra damage and the fall of a hit after a straight run, and the number of the damage's parts."""
    found = _RE.run.search(text)
    if found is None:
        return {}, 0
    changes: dict[str, Any] = {}
    ran = f"moved-straight:{found['feet']}"
    size = f"up-to:{found['size'].lower()}, " if found["size"] else ""
    part = PART.match(text, found.end()) if found["does"] else None
    usual = figures.get("damage", "")
    if part is not None and usual:
        dice, kind, _ = _read(part)
        damage = f"{usual} + {dice} {kind or usual.partition(' + ')[0].partition(' ')[2]}".rstrip()
        other = OtherDamage(f"after a run of {found['feet']} feet", damage, f"{size and 'target.'}{size}{ran}")
        changes["other_damage"] = (*figures.get("other_damage", ()), other)
    kept = figures.get("afflictions", ())
    if "prone" in sentence_at(text, found.end())[0].lower():
        prone = InflictedCondition("prone", when=f"{size}other.{ran}")
        changes["afflictions"] = (*(each for each in kept if each.condition != "prone"), prone)
    return changes, 1 if part is not None else 0


def worn_by_conditions(text: str, imposed: Sequence[InflictedCondition]) -> tuple[dict[str, Any], int]:
    """Return the ongoing damage of a creature while it has one of the `imposed` conditions, and the number of its parts."""
    names = {affliction.condition for affliction in imposed}
    for found in _RE.worn.finditer(text) if names and " takes " in text else ():
        holder = (found["holder"] or "grappled").lower()
        parts, end, part = [], found.end(), PART.match(text, found.end()) if holder in names else None
        while part is not None:
            dice, kind, _ = _read(part)
            parts.append(f"{dice} {kind}".rstrip())
            end = part.end()
            link = _RE.link.match(text, end)
            part = PART.match(text, link.end()) if link else None
        turns = _RE.worn_at.match(text, end)
        if not parts or not (turns or found["early"] or found["whose"]):
            continue
        whose = (turns["whose"] if turns else "").lower() or (found["whose"] or "its").lower()
        at = "turn-start" if whose in ("its", "their") or whose.startswith("target") else "owner-start"
        when = {"ongoing_at": at} if turns or found["whose"] else {}
        return {"ongoing": _joined(parts), "ongoing_while": holder, **when}, len(parts)
    return {}, 0


def _longest(text: str) -> str:
    """Return the time after which a creature saves automatically, or nothing."""
    found = _RE.at_last.search(text)
    return length_of_time(found["number"], found["unit"]) if found else ""


def stages_in(text: str) -> tuple[AfflictionStage, ...]:
    """Return the stages of a gaze that turns to stone, or of another effect that a second failed save completes."""
    found = _RE.hardens.search(text) if "tone" in text or "econd" in text else None
    if found is None:
        return ()
    first, second = (found["first"] or "restrained").lower(), (found["second"] or found["stone"]).lower()
    lasts = _RE.lasts.match(text, found.end())
    time = length_of_time(lasts["number"], lasts["unit"]) if lasts else _longest(text)
    again: InflictedConditionEnds = "saved" if _RE.saved.search(text, found.end()) else "never"
    last = {second: InflictedCondition(second, again, lasts=time)}
    _add_ends(last, text, found.end())
    return AfflictionStage("", (InflictedCondition(first, "saved"),)), AfflictionStage(
        "", tuple(last.values()), final=True
    )


def at_once_in(text: str, last: tuple[InflictedCondition, ...]) -> tuple[InflictedCondition, ...]:
    """Return the conditions of the last stage that a creature gets at once if it fails its save by 5 or more."""
    found = _RE.by_five.search(text)
    named = _RE.named.findall(found["what"].lower()) if found else []
    return tuple(msgspec.structs.replace(each, margin=5) for each in last if each.condition in named)


def _add_further(taken: dict[str, InflictedCondition], match: re.Match[str]) -> bool:
    """Add the conditions that end with another, or follow from failing by 5 or more. Return whether there are any."""
    groups = match.groupdict()
    words, of_grapple = groups["what"] or groups.get("before") or "", bool(groups.get("before"))
    holder = (groups.get("holder") or groups.get("kept") or "grappled").lower()
    five = match.re is _RE.by_five
    if not (five or holder in taken or (of_grapple and holder == "grappled")) or " instead" in words:
        return False
    names = [name for name in _RE.named.findall(words.lower()) if name != holder and not (five and name in taken)]
    first = next(iter(taken.values()), InflictedCondition(""))
    ends = first.ends if "same duration" in words else "never"
    for name in names:
        if five:
            taken[name] = InflictedCondition(name, ends, margin=5, lasts=first.lasts)
        else:
            margin = taken[name].margin if name in taken else 0
            taken[name] = InflictedCondition(name, bound_to=holder, margin=margin)
    return bool(names)


def _places(text: str, start: int) -> list[tuple[int, str]]:
    """Return the positions and names of all conditions in a text, in order."""
    low = text.lower()
    return [(match.start(), match[0]) for match in _RE.named.finditer(low, start)] if len(low) == len(text) else []


def _conditions(
    text: str, start: int, places: Sequence[tuple[int, str]], save: tuple[int, int] | None, *, hit: bool
) -> tuple[dict[str, InflictedCondition], dict[str, None]]:
    """Return the imposed conditions by name, and sentences with conditions that couldn't be read."""
    taken: dict[str, InflictedCondition] = {}
    unread: dict[str, None] = {}
    together: list[str] = []
    if len(places) > _MOST:
        unread.setdefault(text)
    for at, word in places[:_MOST]:
        words = _RE.aside.sub("", text[max(start, at - _WINDOW) : at].lower()).split()
        if not _goes_on(words):
            together = []
            if not _imposes(words):
                continue
        elif not together:
            continue
        end = at + len(word)
        tail: re.Match[str] = _RE.tail.match(text, end)  # type: ignore[assignment]  # all of it may be missing
        sentence, from_ = sentence_at(text, at)
        limited = tail["but"] is not None
        if limited or _RE.or_.match(text, end) or not _plain(text, from_, at, save, hit=hit):
            if not _RE.harmless.search(text, from_, end) or limited:
                unread.setdefault(sentence)
            for other in together if limited else ():
                taken.pop(other, None)
            together = []
            continue
        together.append(word)
        lasts, before = _RE.lasts.match(text, tail.end()), text[max(start, from_) : at]
        if not _RE.sized.search(before) and (aimed := _RE.aimed_at.search(text, 0, at)):
            before = f"if it is {aimed['size']} or smaller {before}"
        if save is not None and save[0] < from_:
            begin = sentence_at(text, save[0])[1]
            begin = sentence_at(text, begin - 2)[1] if text[:begin].endswith("following effect.") else begin
            before = text[begin : save[0]] + before
        taken.setdefault(word, _affliction(word, tail, lasts, before))
        if together[0] == "grappled" != word:
            taken[word] = InflictedCondition(word, bound_to="grappled")
        elif tail["end"] or lasts:
            for name in together:
                taken[name] = _affliction(name, tail, lasts, before)
    return taken, unread


def _goes_on(words: Sequence[str]) -> bool:
    """Whether a condition is joined to the previous one, as in `blinded and restrained`."""
    last = words[-1] if words else ""
    before = words[-2] if len(words) > 1 else ""
    return (last in ("and", "the") and before.rstrip(",") in _STAGE_WORDS) or (
        last.endswith(",") and last[:-1] in _STAGE_WORDS
    )


def _imposes(words: Sequence[str]) -> bool:
    """Whether the words before a condition impose it on a creature."""
    before = list(dropwhile(_SOFT.__contains__, reversed(words)))
    last = before[0] if before else ""
    if last in ("it", "them", "target", "creature"):
        return not _THROWN.isdisjoint(before[1 + (last in _NOUNS) :][:1])
    if last in _ALONE or last not in _VERBS:
        return last in _ALONE
    subject = next(dropwhile(lambda word: word in _SOFT or word in _VERBS, before), "").rstrip(",:")
    return subject in _PRONOUNS or subject in _NOUNS or subject in _LINKS


def _affliction(condition: str, tail: re.Match[str], lasts: re.Match[str] | None, before: str) -> InflictedCondition:
    escape = int(tail["escape"] or 0) if condition == "grappled" else 0
    ends = terms("prose_conditions", "ends")[(tail["end"] or "").lower()]
    if tail["owner"]:
        ends = "owner-start" if ends == "turn-start" else "owner-end"
    sizes = _RE.sized.findall(before) if "smaller" in before else []
    when = ", ".join([*(f"up-to:{size.lower()}" for size in sizes[-1:]), *_kinds(before)])
    return InflictedCondition(
        condition, ends, escape, lasts=length_of_time(lasts["number"], lasts["unit"]) if lasts else "", when=when
    )


def _kinds(before: str) -> list[str]:
    """Return the statements for `if the target is a humanoid` or `a creature other than an elf or undead`."""
    found = _RE.kinds.search(before)
    if found is None:
        return []
    if found["only"]:
        return [f"type:{found['only'].lower()}"]
    others = _RE.kind.findall((found["other"] or found["non"] or "").lower())
    return [f"not type:{kind}" for kind in (*(("undead", "construct") if found["living"] else ()), *others)]


def _plain(text: str, from_: int, at: int, save: tuple[int, int] | None, *, hit: bool) -> bool:
    """Whether an effect applies to exactly the targets that are hit or fail the save."""
    if save is None:
        return "fail" not in text[from_:at].lower() and not _limits(text[from_:at])
    if at < save[0] or (hit and is_conditional(text, save[0])) or _RE.second_save.search(text, save[1], at):
        return False
    goes_on = _RE.then_too.search(text, save[1], from_) and _RE.and_it.match(text, from_)
    if from_ > save[0] and (not (goes_on or _RE.failed.match(text, from_)) or _RE.staged.search(text, save[1], from_)):
        return False
    return not _limits(text[max(from_, save[1]) : at])


def is_conditional(text: str, at: int) -> bool:
    """Whether the sentence restricts the effect at a position with a condition."""
    return _limits(text[sentence_at(text, at)[1] : at])


def _limits(text: str) -> bool:
    """Whether the words restrict the following text by a condition other than a failure."""
    low = text.lower()
    if "is a creature" in low or "attack hits" in low:
        low = _RE.anyone.sub("", low)
    if "smaller" in low:
        low = _RE.sized.sub("", low)
    low = _RE.kinds.sub("", low)
    if "fail" in low or "can " in low:
        low = _RE.fails.sub("", low)
    words = low.replace(",", " ").split()
    if not _LIMITS.isdisjoint(words) or (not _SIZES.isdisjoint(words) and _RE.of_a_size.search(low)):
        return True
    return any(phrase in low for phrase in _PHRASES) or ("ed " in low and _RE.already.search(low) is not None)


def sentence_at(text: str, at: int) -> tuple[str, int]:
    """Return the sentence around a position, and its start.

    It has at most `_SENTENCE` characters on either side of the position.
    """
    least = max(0, at - _SENTENCE)
    start = at
    while True:
        stop = max(text.rfind(". ", least, start), text.rfind("\n", least, start))
        if stop < 0 or text[stop] == "\n" or not text[stop + 2 : stop + 3].islower():
            break
        start = stop
    begin = least if stop < 0 else stop + 1
    end = text.find(". ", at, at + _SENTENCE)
    return text[begin : at + _SENTENCE if end < 0 else end + 1].strip(), begin


NUMBERS: Final[Mapping[str, int]] = terms("prose", "numbers")


def as_int(value: Any) -> int | None:
    """Return a whole number in any notation (`5`, `5.0`, `"+5"`, `"−1"`), or None for other values."""
    if type(value) is int or value is None:
        return value
    if isinstance(value, bool):
        return None
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    match = _RE.whole.fullmatch(value.strip()) if isinstance(value, str) else None
    if not match:
        return None
    return int(match[2]) * (-1 if match[1] and match[1] != "+" else 1)


def number_in_words(text: str) -> int:
    """Return a number from digits or a word (`3`, `three`, `thrice`), or 0 for any other text."""
    return NUMBERS.get(text.lower()) or (int(text) if text.isdecimal() else 0)
