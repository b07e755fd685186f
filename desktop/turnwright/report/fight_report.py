"""The report of a fight, compiled from its facts: each combatant's actions and losses, round by round."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import median
from typing import Final

import msgspec

from turnwright.encounter.facts import FightFact
from turnwright.encounter.prepared import AwardKind
from turnwright.encounter.roles import party_sides
from turnwright.encounter.running import Award, Combatant, InitialForecast
from turnwright.encounter.state import Lookup

BREAK: Final = 1800  # seconds; a longer turn includes a pause
HITS = frozenset({"hit", "critical"})
ATTACKS = frozenset({"hit", "critical", "miss", "fumble"})
HIT_POINTS = frozenset({"damage", "healed", "set"})

RoundFact = tuple[int, FightFact]  # a fact and its round
HitPoints = tuple[int, int]  # totals of the party and of all others


class CombatantReport(msgspec.Struct, frozen=True):
    """A combatant's statistics. `healed` are the hit points it restored, `regained` those it got back.

    `felled` lists its victims. `fell` is the round in which it first dropped, 0 if it never did. `gone`: it left the
    fight before the end. `turn_seconds` are the median and maximum lengths of its turns.
    """

    who: str
    label: str
    party: bool = False
    dealt: int = 0
    taken: int = 0
    healed: int = 0
    regained: int = 0
    attacks: int = 0
    hits: int = 0
    criticals: int = 0
    saves: int = 0
    saves_made: int = 0
    felled: tuple[str, ...] = ()
    fell: int = 0
    dead: bool = False
    gone: bool = False
    uses: tuple[tuple[str, int], ...] = ()
    turn_seconds: tuple[int, int] = (0, 0)


class RoundReport(msgspec.Struct, frozen=True):
    """A round: the total hit points left at its end, and who fell. `others` is None if it isn't shown."""

    round: int
    party: int
    others: int | None
    fell: tuple[str, ...] = ()


class PoolReport(msgspec.Struct, frozen=True):
    """A countdown: its number of dice over time, with the rounds."""

    name: str
    dice: tuple[tuple[int, int], ...]


class AwardReport(msgspec.Struct, frozen=True):
    """An award: the experience of each combatant in `who`, a treasure, or a milestone. `who` are labels."""

    kind: AwardKind
    what: str = ""
    xp: int = 0
    who: tuple[str, ...] = ()


class ForecastReport(msgspec.Struct, frozen=True):
    """The forecast at the start of the fight: victories and falls in percent, rounds in tenths.

    `falls` pairs each combatant's label with its chance.
    """

    won: int
    rounds: int
    falls: tuple[tuple[str, int], ...] = ()


class FightReport(msgspec.Struct, frozen=True):
    """The report of a fight. `causes` are damage sources other than combatants, with the amount and the count.

    `start` is the state before the first round; `waves` are the waves that arrived, with the round. `awards` are in
    order.
    """

    rounds: int
    start: RoundReport
    combatants: tuple[CombatantReport, ...]
    course: tuple[RoundReport, ...]
    pools: tuple[PoolReport, ...] = ()
    causes: tuple[tuple[str, int, int], ...] = ()
    waves: tuple[tuple[str, int], ...] = ()
    awards: tuple[AwardReport, ...] = ()
    initial_forecast: ForecastReport | None = None


def fight_report(lookup: Lookup, facts: Iterable[RoundFact]) -> FightReport:
    """Compile the report of a fight from its facts, in order."""
    all_facts = tuple(facts)
    combatants = {combatant.id: combatant for combatant in lookup.all(Combatant)}
    labels = {id: combatant.label for id, combatant in combatants.items()}
    departures = {
        fact.who: fact for _, fact in all_facts if fact.kind == "left" and fact.who and fact.who not in combatants
    }
    labels |= {who: fact.what for who, fact in departures.items()}
    party = _party(lookup, departures.values())
    seconds = _turn_seconds(all_facts)
    reports = [
        _combatant_report(id, label, id in party, all_facts, labels, seconds.get(id, ()))
        for id, label in labels.items()
    ]
    dead = {id for id, combatant in combatants.items() if combatant.dead}
    dead |= {fact.who for _, fact in all_facts if fact.kind == "dead" and fact.who in departures}
    return FightReport(
        rounds=max((fact.amount for _, fact in all_facts if fact.kind == "round"), default=0),
        start=RoundReport(0, *_sums(_at_first(combatants, all_facts), party)),
        combatants=tuple(
            msgspec.structs.replace(report, dead=report.who in dead, gone=report.who in departures)
            for report in reports
        ),
        course=tuple(_course(combatants, all_facts, party, labels)),
        pools=tuple(_pools(all_facts)),
        causes=_causes(all_facts),
        waves=tuple((fact.what, number) for number, fact in all_facts if fact.kind == "wave"),
        awards=tuple(_awards(lookup, all_facts, labels)),
        initial_forecast=_initial_forecast(lookup, labels),
    )


def _awards(lookup: Lookup, facts: Sequence[RoundFact], labels: Mapping[str, str]) -> Iterator[AwardReport]:
    """Yield the awards of a fight. Older fights have them as facts."""
    for award in lookup.all(Award):
        who = tuple(labels[id] for id in award.who if id in labels)
        yield AwardReport(award.kind, award.what, award.xp, who)
    for _, fact in facts:
        if fact.kind in ("xp", "treasure"):
            who = (labels[fact.who],) if fact.who in labels else ()
            yield AwardReport("xp" if fact.kind == "xp" else "treasure", fact.what, fact.amount, who)


def _initial_forecast(lookup: Lookup, labels: Mapping[str, str]) -> ForecastReport | None:
    """Return the forecast stored with the fight, or None if there is none."""
    forecast = lookup.get(InitialForecast, "initial")
    if forecast is None:
        return None
    falls = tuple((labels[id], chance) for id, chance in forecast.falls if id in labels)
    return ForecastReport(forecast.won, forecast.rounds, falls)


def players_edition(report: FightReport, unseen: Iterable[str]) -> FightReport:
    """Remove information hidden from players: other sides' statistics, and the combatants in `unseen`."""
    hidden = frozenset(unseen)
    labels = {combatant.label for combatant in report.combatants if combatant.who not in hidden}
    combatants = []
    for combatant in report.combatants:
        if combatant.who in hidden:
            continue
        if combatant.party:
            combatants.append(
                msgspec.structs.replace(combatant, felled=tuple(each for each in combatant.felled if each in labels))
            )
        else:
            combatants.append(
                CombatantReport(
                    combatant.who, combatant.label, fell=combatant.fell, dead=combatant.dead, gone=combatant.gone
                )
            )
    course = [
        RoundReport(entry.round, entry.party, None, tuple(each for each in entry.fell if each in labels))
        for entry in (report.start, *report.course)
    ]
    return msgspec.structs.replace(
        report,
        combatants=tuple(combatants),
        start=course[0],
        course=tuple(course[1:]),
        pools=(),
        causes=(),
        waves=(),
        initial_forecast=None,
    )


def _party(lookup: Lookup, departures: Iterable[FightFact]) -> frozenset[str]:
    """Return the ids of the combatants on the players' sides."""
    combatants = tuple(lookup.all(Combatant))
    sides = party_sides(lookup)
    present = {combatant.id for combatant in combatants if combatant.side in sides}
    return frozenset(present | {fact.who for fact in departures if fact.side in sides})


def _combatant_report(
    id: str, label: str, party: bool, facts: Sequence[RoundFact], labels: Mapping[str, str], seconds: Sequence[int]
) -> CombatantReport:
    """Compile a combatant's statistics."""
    own = [(number, fact) for number, fact in facts if id in (fact.who, fact.by)]
    done = [fact for _, fact in own if fact.by == id]
    undergone = [fact for _, fact in own if fact.who == id]
    saves = [fact.amount for fact in undergone if fact.kind == "save"]
    uses = Counter(fact.what for fact in done if fact.kind == "use")
    felled = [labels.get(fact.who, fact.who) for fact in done if fact.kind == "down" and fact.who != id]
    return CombatantReport(
        who=id,
        label=label,
        party=party,
        dealt=sum(fact.amount for fact in done if fact.kind == "damage" and fact.who != id),
        taken=sum(fact.amount for fact in undergone if fact.kind == "damage"),
        healed=sum(fact.amount for fact in done if fact.kind == "healed"),
        regained=sum(fact.amount for fact in undergone if fact.kind == "healed"),
        attacks=sum(1 for fact in done if fact.kind in ATTACKS),
        hits=sum(1 for fact in done if fact.kind in HITS),
        criticals=sum(1 for fact in done if fact.kind == "critical"),
        saves=len(saves),
        saves_made=sum(saves),
        felled=tuple(dict.fromkeys(felled)),
        fell=next((number for number, fact in own if fact.kind == "down" and fact.who == id), 0),
        uses=tuple(uses.items()),
        turn_seconds=(round(median(seconds)), max(seconds)) if seconds else (0, 0),
    )


def _turn_seconds(facts: Sequence[RoundFact]) -> Mapping[str, Sequence[int]]:
    """Return the lengths of each combatant's turns in seconds, ignoring turns that include a pause."""
    seconds: dict[str, list[int]] = defaultdict(list)
    starts = [fact for _, fact in facts if fact.kind == "turn"]
    for place, start in enumerate(starts):
        following = next(
            (later for later in starts[place + 1 :] if later.amount != start.amount or not later.who), None
        )
        duration = following.amount - start.amount if following is not None else 0
        if start.who and 0 < duration <= BREAK:
            seconds[start.who].append(duration)
    return seconds


def _at_first(combatants: Mapping[str, Combatant], facts: Sequence[RoundFact]) -> dict[str, int]:
    """Return each combatant's hit points before the first fact."""
    first = {fact.who: fact.before for _, fact in reversed(facts) if fact.kind in HIT_POINTS}
    return {id: max(0, first.get(id, combatant.hp)) for id, combatant in combatants.items()}


def _sums(hit_points: Mapping[str, int], party: frozenset[str]) -> HitPoints:
    """Return the total hit points of the party and of all others."""
    own = sum(hp for id, hp in hit_points.items() if id in party)
    return own, sum(hit_points.values()) - own


def _course(
    combatants: Mapping[str, Combatant], facts: Sequence[RoundFact], party: frozenset[str], labels: Mapping[str, str]
) -> Iterator[RoundReport]:
    """Yield each round with the total hit points at its end."""
    present = _at_first(combatants, facts)
    for current in range(1, max((number for number, _ in facts), default=0) + 1):
        fell = []
        for number, fact in facts:
            if number != current and not (current == 1 and number == 0):
                continue
            if fact.kind in HIT_POINTS and fact.who in present:
                present[fact.who] = max(0, fact.left)
            elif fact.kind == "down":
                fell.append(labels.get(fact.who, fact.who))
        yield RoundReport(current, *_sums(present, party), tuple(dict.fromkeys(fell)))


def _pools(facts: Sequence[RoundFact]) -> Iterator[PoolReport]:
    """Yield each countdown with its number of dice over the rounds."""
    points: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for number, fact in facts:
        if fact.kind == "pool" and (not points[fact.what] or points[fact.what][-1][1] != fact.amount):
            points[fact.what].append((number, fact.amount))
    yield from (PoolReport(name, tuple(dice)) for name, dice in points.items())


def _causes(facts: Sequence[RoundFact]) -> tuple[tuple[str, int, int], ...]:
    """Return damage sources other than combatants with the amount and the count, greatest first."""
    dealt: Counter[str] = Counter()
    often: Counter[str] = Counter()
    for _, fact in facts:
        if fact.kind == "damage" and not fact.by:
            dealt[fact.what] += fact.amount
            often[fact.what] += 1
    return tuple((name, amount, often[name]) for name, amount in dealt.most_common())
