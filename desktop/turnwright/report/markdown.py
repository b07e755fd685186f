"""A report as Markdown: the result of the fight, a table of combatants, the rounds, the rewards."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final, Protocol

from turnwright.report.fight_report import AwardReport, CombatantReport, FightReport

_SPECIAL: Final = re.compile(r"([\\`*_\[\]<>|#~])")
_UNKNOWN: Final = "–"


class Words(Protocol):
    """Returns the text of a key with parameters filled in."""

    def __call__(self, key: str, **params: str | int) -> str:
        """Return the text."""


def markdown(report: FightReport, title: str, words: Words) -> str:
    """Return a report as Markdown text."""
    sections = [
        [f"# {escaped(title)}"],
        [escaped(line) for line in summary(report, words)],
        _table(report, words),
        _list(words("report.rounds"), _rounds(report, words)),
        *(_list(title, lines) for title, lines in lists(report, words)),
    ]
    return "\n\n".join("\n".join(section) for section in sections if section) + "\n"


def escaped(text: str) -> str:
    """Escape Markdown's special characters in a text."""
    return _SPECIAL.sub(r"\\\1", text)


def summary(report: FightReport, words: Words) -> tuple[str, ...]:
    """Describe the result of a fight in a few sentences."""
    fallen = [combatant for combatant in report.combatants if combatant.fell or combatant.dead]
    party = [combatant.label for combatant in fallen if combatant.party and not combatant.dead]
    dead = [combatant.label for combatant in fallen if combatant.party and combatant.dead]
    others = [combatant for combatant in report.combatants if not combatant.party]
    down = sum(1 for other in others if other.fell or other.dead)
    lines = [words("report.rounds-taken", n=report.rounds)]
    if others:
        lines.append(words("report.others-fell", n=down, all=len(others)))
    if party:
        lines.append(words("report.party-fell", who=", ".join(party)))
    if dead:
        lines.append(words("report.party-died", n=len(dead), who=", ".join(dead)))
    if not party and not dead:
        lines.append(words("report.party-stood"))
    return (*lines, *_initial_forecast(report, {combatant.label for combatant in fallen}, words))


def _initial_forecast(report: FightReport, fallen: Collection[str], words: Words) -> Iterator[str]:
    """Yield sentences comparing the forecast from the start of the fight with the result."""
    forecast = report.initial_forecast
    if forecast is None:
        return
    yield words("report.initial-forecast", won=forecast.won, rounds=f"{forecast.rounds / 10:.1f}", n=report.rounds)
    falls = [
        words(f"report.initial-forecast-{'fell' if who in fallen else 'fall'}", who=who, chance=chance)
        for who, chance in forecast.falls
    ]
    if falls:
        yield words("report.initial-forecast-falls", falls=", ".join(falls))


def table(report: FightReport, words: Words) -> tuple[tuple[str, ...], ...]:
    """Return the table of combatants: the header, then one row each, the party first. Empty columns are removed."""
    heads = ("who", "dealt", "taken", "healed", "hits", "criticals", "felled", "fell", "turn")
    rows = [tuple(words(f"report.column-{head}") for head in heads)]
    rows += [_row(combatant, words) for combatant in combatants_in_order(report)]
    filled = [place for place in range(len(heads)) if any(row[place] for row in rows[1:])]
    return tuple(tuple(row[place] for place in filled) for row in rows)


def combatants_in_order(report: FightReport) -> list[CombatantReport]:
    """Return a report's combatants, the party first, sorted by damage dealt, highest first."""
    return sorted(report.combatants, key=lambda combatant: (not combatant.party, -combatant.dealt))


def lists(report: FightReport, words: Words) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the lists below the rounds, each with a title: countdowns, damage from other sources, rewards."""
    parts = (("countdowns", _countdowns), ("causes", _causes), ("gained", _gained))
    result = ((words(f"report.{name}"), tuple(lines(report, words))) for name, lines in parts)
    return tuple((title, lines) for title, lines in result if lines)


def _row(combatant: CombatantReport, words: Words) -> tuple[str, ...]:
    """Return the table cells for a combatant."""
    typical, longest = combatant.turn_seconds
    return (
        combatant.label,
        _number(combatant.dealt),
        _number(combatant.taken),
        _number(combatant.healed),
        words("report.hits-of", hits=combatant.hits, attacks=combatant.attacks) if combatant.attacks else "",
        _number(combatant.criticals),
        ", ".join(combatant.felled),
        ", ".join(_fate(combatant, words)),
        words("report.turn-time", typical=clock(typical), longest=clock(longest)) if longest else "",
    )


def _fate(combatant: CombatantReport, words: Words) -> Iterator[str]:
    """Yield a combatant's fate: that it died or fell, and that it left."""
    if combatant.dead:
        yield words("report.dead")
    elif combatant.fell:
        yield words("report.in-round", round=combatant.fell)
    if combatant.gone:
        yield words("report.gone")


def _number(value: int) -> str:
    return str(value) if value else ""


def clock(seconds: int) -> str:
    """Format seconds as `minutes:seconds`."""
    return f"{seconds // 60}:{seconds % 60:02}"


def _table(report: FightReport, words: Words) -> list[str]:
    heads, *rows = table(report, words)
    if not rows:
        return []
    lines = [_line(heads), _line(["---"] * len(heads))]
    return [*lines, *(_line(escaped(cell) or _UNKNOWN for cell in row) for row in rows)]


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _list(title: str, items: Iterable[str]) -> list[str]:
    lines = [f"- {escaped(item)}" for item in items]
    return [f"## {escaped(title)}", "", *lines] if lines else []


def _rounds(report: FightReport, words: Words) -> Iterator[str]:
    for entry in report.course:
        text = words("report.party-left", party=entry.party)
        if entry.others is not None:
            text = words("report.both-left", party=entry.party, others=entry.others)
        fell = words("report.fell-list", n=len(entry.fell), who=", ".join(entry.fell)) if entry.fell else ""
        yield words("report.round", round=entry.round, left=text, fell=fell).strip()


def _countdowns(report: FightReport, words: Words) -> Iterator[str]:
    for pool in report.pools:
        steps = ", ".join(words("report.dice-in", n=dice, round=number) for number, dice in pool.dice)
        yield words("report.countdown", name=pool.name, steps=steps)


def _causes(report: FightReport, words: Words) -> Iterator[str]:
    for name, amount, often in report.causes:
        yield words("report.cause", name=name or words("report.unnamed"), amount=amount, n=often)


def _gained(report: FightReport, words: Words) -> Sequence[str]:
    return [_award(award, words) for award in report.awards]


def _award(award: AwardReport, words: Words) -> str:
    text = award.what
    if award.kind == "xp":
        text = words("report.xp-each" if award.who else "report.xp", n=award.xp)
        text = words("report.award-for", award=text, what=award.what) if award.what else text
    elif award.kind == "milestone":
        text = words("report.milestone-of", what=award.what) if award.what else words("report.milestone")
    return words("report.treasure-taken", what=text, who=", ".join(award.who)) if award.who else text
