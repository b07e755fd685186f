"""A side's policy in a forecast: six settings, which also apply to fights in the real engine."""

from __future__ import annotations

from typing import Final

import msgspec

from turnwright.forecast.sheet import SheetRow

WEAKEST, RANDOMLY, STRONGEST, SAME, NEAREST = range(5)
FREELY, FOR_TWO = range(2)


class PolicyFigures(SheetRow):
    """The settings of `Policy` as numbers."""

    target, finishes, spends, heals_at, flees_at, moves_up = range(6)


class Policy(msgspec.Struct, frozen=True):
    """How a side fights.

    `target`: how targets are chosen. `finishes`: it also attacks fallen enemies. `spends`: it spends limited uses
    freely, or saves those of area attacks until they can reach two targets. `heals_at`: it heals allies at or below
    this percentage of their hit points; 0: only fallen allies. `flees_at`: it has lost once this percentage of its
    members are down. `moves_up`: combatants without a target in reach move closer.
    """

    target: int = WEAKEST
    finishes: bool = False
    spends: int = FREELY
    heals_at: int = 34
    flees_at: int = 100
    moves_up: bool = True

    @property
    def figures(self) -> tuple[int, int, int, int, int, int]:
        """The policy's settings as numbers."""
        return (self.target, self.finishes, self.spends, self.heals_at, self.flees_at, self.moves_up)


DEFAULT_POLICY: Final = Policy()
HUNDRED: Final = 100
TARGET_WORDS: Final = ("weakest", "random", "strongest", "same", "nearest")
SPENDING_WORDS: Final = ("freely", "for-two")
YES_NO: Final = ("no", "yes")
WORDS: Final[dict[str, tuple[str, tuple[str, ...]]]] = {  # setting and valid values of each word in the text
    "target": ("target", TARGET_WORDS),
    "finishes": ("finishes", YES_NO),
    "spends": ("spends", SPENDING_WORDS),
    "heals-at": ("heals_at", ()),
    "flees-at": ("flees_at", ()),
    "moves-up": ("moves_up", YES_NO),
}


def policy_text(policy: Policy) -> str:
    """Return a policy as text that lists only the non-default settings: `target=nearest,flees-at=50`."""
    parts = []
    for word, (field, choices) in WORDS.items():
        value = int(getattr(policy, field))
        if value != int(getattr(DEFAULT_POLICY, field)):
            parts.append(f"{word}={choices[value] if choices else value}")
    return ",".join(parts)


def policy_of_text(text: str) -> Policy:
    """Parse a policy. Raise ValueError, naming the valid words, if the text is malformed."""
    fields: dict[str, int | bool] = {}
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        word, _, value = (piece.strip() for piece in part.partition("="))
        if word not in WORDS:
            raise ValueError(f"unknown setting {word!r}; expected one of {', '.join(WORDS)}")
        field, choices = WORDS[word]
        if choices and value not in choices:
            raise ValueError(f"{word} must be one of {', '.join(choices)}")
        least = 1 if field == "flees_at" else 0
        if not choices and not (value.isdecimal() and least <= int(value) <= HUNDRED):
            raise ValueError(f"{word} must be a number from {least} to {HUNDRED}")
        number = choices.index(value) if choices else int(value)
        fields[field] = bool(number) if choices == YES_NO else number
    return msgspec.convert(fields, Policy)
