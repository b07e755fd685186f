"""Finds a square grid that is printed on a picture of a map, from thin straight lines at regular distances.

For each axis, the strength of lines in every column of pixels is averaged over the picture, so that texture and
objects cancel out and even faint lines remain. A Fourier transform of both axes proposes the distance of the lines, and
combs with teeth at that distance and its multiples are laid over the averages: the best comb is the grid.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

LEAST_PICTURE, LEAST_SIDE, MOST_SQUARES, LEAST_SQUARES = 60, 12, 500, 3
SAMPLED: Final = 1_000  # rows and columns that are read
STRONGEST: Final = 12  # levels of grey: stronger lines count no more
HARMONICS, MULTIPLES = range(1, 7), range(1, 17)
FREQUENCIES: Final = 1 << 19
MOST_A_TOOTH: Final = 4.0  # standard deviations, so that a few walls make no grid
LEAST_SCORE: Final = 6.5  # a grid has at least 8, and a picture without one at most 5
DOUBLED: Final = 0.88  # share of the score at which squares of twice the side are meant
STEP: Final = 0.25  # pixels
Array = NDArray[Any]


class PrintedGrid(NamedTuple):
    """A grid on a picture, in pixels: the side of a square, and the place of the first lines across and down."""

    side: float
    offset: tuple[float, float]


def printed_grid(grey: Array) -> PrintedGrid | None:
    """Return the grid that is printed on a picture, or None. This takes a tenth of a second."""
    longest, shortest = max(grey.shape), min(grey.shape)
    if shortest < LEAST_PICTURE:
        return None
    profiles, most = (_profile(grey), _profile(grey.T)), shortest / LEAST_SQUARES
    counts = np.arange(int(FREQUENCIES / most) + 1, int(FREQUENCIES / max(LEAST_SIDE, longest / MOST_SQUARES)))
    spectra = [np.abs(np.fft.rfft(profile, FREQUENCIES)) / len(profile) ** 0.5 for profile in profiles]
    strengths = sum(each[np.minimum(counts * n, len(each) - 1)] for each in spectra for n in HARMONICS)
    finest = FREQUENCIES / counts[np.argmax(strengths)]
    scores = {
        (sign, n): min(_comb(np.minimum(sign * each, MOST_A_TOOTH), finest * n)[0] for each in profiles)
        for sign in (1, -1)
        for n in MULTIPLES
        if finest * n <= most
    }
    (sign, multiple), score = max(scores.items(), key=lambda item: item[1])
    if score < LEAST_SCORE:
        return None
    multiple *= 2 if scores.get((sign, 2 * multiple), 0.0) > DOUBLED * score else 1
    sides = [finest * multiple * (1 + step * STEP / longest) for step in range(-24, 25)]
    side = max(sides, key=lambda side: sum(_comb(sign * each, side)[0] for each in profiles))
    across, down = ((_comb(sign * each, side)[1] + 0.5) % side for each in profiles)
    return PrintedGrid(side, (across, down))


def _profile(grey: Array) -> Any:
    """Return the strength of lines in each column: positive for light lines, negative for dark ones."""
    reach = min(10, max(4, grey.shape[1] // 400))
    rows = np.ascontiguousarray(grey[:: max(1, len(grey) // SAMPLED)]).astype(np.int16)
    left, right = rows[:, reach:-reach] - rows[:, : -2 * reach], rows[:, reach:-reach] - rows[:, 2 * reach :]
    lines = np.maximum(np.minimum(left, right), 0) + np.minimum(np.maximum(left, right), 0)
    mean = np.clip(lines, -STRONGEST, STRONGEST).mean(0)
    profile = np.convolve(np.pad(mean - np.median(mean), reach), np.ones(3) / 3, "same")
    size = np.abs(profile)
    profile = np.sign(profile) * np.sqrt(size / (np.median(size) + size.max() / 200 + 1e-9))
    return profile / (profile.std() + 1e-9)


def _comb(profile: Array, side: float) -> tuple[float, float]:
    """Return the score of the best comb with teeth at a distance, and the place of its first tooth."""
    places, teeth = np.arange(0, side, STEP), np.arange(int(len(profile) / side)) * side
    values = np.interp(places[:, None] + teeth, np.arange(len(profile)), profile, right=0).mean(1)
    return float(values.max()) * len(teeth) ** 0.5, float(places[values.argmax()])
