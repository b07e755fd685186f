"""What a side does in a forecast: six figures, the same for the loop and for fights in the real engine."""

from __future__ import annotations

from typing import Final

import msgspec

TARGET, FINISHES, SPENDS, HEALS_AT, FLEES_AT, MOVES_UP, POLICY_FIGURES = range(7)
WEAKEST, RANDOMLY, STRONGEST, SAME, NEAREST = range(5)
FREELY, FOR_TWO = range(2)


class Policy(msgspec.Struct, frozen=True):
    """How a side fights.

    `target`: whom it attacks. `finishes`: it attacks those who are down, too. `spends`: limited uses freely, or those
    that reach several only where they reach two. `heals_at`: an ally with at most so many hundredths of its hit points
    is healed, 0 for those who are down alone. `flees_at`: the fight is lost once so many hundredths of it are down.
    `moves_up`: those who reach nobody come closer.
    """

    target: int = WEAKEST
    finishes: bool = False
    spends: int = FREELY
    heals_at: int = 34
    flees_at: int = 100
    moves_up: bool = True

    @property
    def figures(self) -> tuple[int, int, int, int, int, int]:
        """The policy as a row of numbers."""
        return (self.target, self.finishes, self.spends, self.heals_at, self.flees_at, self.moves_up)


DEFAULT_POLICY: Final = Policy()
HUNDRED: Final = 100
TARGET_WORDS: Final = ("weakest", "random", "strongest", "same", "nearest")
SPENDING_WORDS: Final = ("freely", "for-two")
YES_NO: Final = ("no", "yes")
WORDS: Final[dict[str, tuple[str, tuple[str, ...]]]] = {  # a word of the text: its figure, and what that may be
    "target": ("target", TARGET_WORDS),
    "finishes": ("finishes", YES_NO),
    "spends": ("spends", SPENDING_WORDS),
    "heals-at": ("heals_at", ()),
    "flees-at": ("flees_at", ()),
    "moves-up": ("moves_up", YES_NO),
}


def policy_text(policy: Policy) -> str:
    """Return a policy as text, `target=nearest,flees-at=50`: the figures that are not the usual ones."""
    parts = []
    for word, (field, choices) in WORDS.items():
        figure = int(getattr(policy, field))
        if figure != int(getattr(DEFAULT_POLICY, field)):
            parts.append(f"{word}={choices[figure] if choices else figure}")
    return ",".join(parts)


def policy_of_text(text: str) -> Policy:
    """Return the policy that a text says; ValueError, with what can be said, where it says none."""
    fields: dict[str, int | bool] = {}
    for part in filter(None, (one.strip() for one in text.split(","))):
        word, _, said = (one.strip() for one in part.partition("="))
        if word not in WORDS:
            raise ValueError(f"{word!r} is none of {', '.join(WORDS)}")
        field, choices = WORDS[word]
        if choices and said not in choices:
            raise ValueError(f"{word} is one of {', '.join(choices)}")
        least = 1 if field == "flees_at" else 0
        if not choices and not (said.isdecimal() and least <= int(said) <= HUNDRED):
            raise ValueError(f"{word} is a number from {least} to {HUNDRED}")
        figure = choices.index(said) if choices else int(said)
        fields[field] = bool(figure) if choices == YES_NO else figure
    return msgspec.convert(fields, Policy)
