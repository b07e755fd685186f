"""A grid printed on a picture: found in texture and behind walls, faint or dashed, and never where there is none."""

from __future__ import annotations

import numpy as np
import pytest

from tests.for_each import for_each
from turnwright.ui.services.printed_grid import printed_grid


def textured(width: int, height: int, seed: int, rough: float) -> np.ndarray:
    """Draw rooms with thick walls on a rough ground of large patches."""
    random = np.random.default_rng(seed)

    def noise(side: int) -> np.ndarray:
        parts = random.standard_normal((height // side + 1, width // side + 1), dtype=np.float32)
        return parts.repeat(side, 0).repeat(side, 1)[:height, :width]

    picture = 128 + np.float32(rough) * noise(2) + 30 * noise(64)
    for _ in range(12):
        x, y = random.integers(0, width - 100), random.integers(0, height - 100)
        across, down, thick = (
            random.integers(80, width // 3),
            random.integers(80, height // 3),
            random.integers(6, 20),
        )
        picture[y : y + down, x : x + across] += random.integers(-60, 60)
        picture[y : y + thick, x : x + across] = picture[y : y + down, x : x + thick] = 20
    return picture


def grid_lines(length: int, side: float, first: float, wide: float) -> np.ndarray:
    """Return how much of each pixel is on a line."""
    middles = np.arange(length) + 0.5
    distance = np.abs((middles - first + side / 2) % side - side / 2)
    return np.clip(wide / 2 + 0.5 - distance, 0, 1).astype(np.float32)


def drawn(picture: np.ndarray, side: float, first: tuple[float, float], contrast: float, wide: float) -> np.ndarray:
    height, width = picture.shape
    lines = np.maximum(grid_lines(width, side, first[0], wide)[None], grid_lines(height, side, first[1], wide)[:, None])
    return np.clip(picture + np.float32(contrast) * lines, 0, 255).astype(np.uint8)


@for_each(
    ("width", "height", "side", "first", "contrast", "wide", "rough"),
    [
        (3000, 2400, 82.5, (24.8, 14.3), -40, 2, 18),
        (2500, 2000, 68.75, (20.7, 12), -6, 1.5, 10),
        (2100, 2800, 70, (10, 60), 25, 1.5, 25),
        (1400, 1050, 35, (0, 0), -15, 1, 8),
        (1000, 800, 50.37, (12.3, 40.1), -30, 1, 10),
        (640, 512, 64, (0, 0), -30, 2, 0),
        (1500, 1500, 300, (100, 50), -25, 2, 10),
        (2000, 1500, 20.5, (3.3, 7), -20, 1, 12),
    ],
)
def test_a_printed_grid_is_found_to_a_twentieth_of_a_square_at_the_far_edge(
    width, height, side, first, contrast, wide, rough
) -> None:
    found = printed_grid(drawn(textured(width, height, width, rough), side, first, contrast, wide))
    assert found is not None
    for length, start, offset in zip((width, height), first, found.offset, strict=True):
        place = offset + round((start - offset) / side) * found.side
        lines = int((length - start) / side)
        assert abs(start - place) < 0.05 * side
        assert abs(start + lines * side - (place + lines * found.side)) < 0.05 * side


def test_part_of_a_grid_is_enough_and_half_squares_are_not_meant() -> None:
    picture = textured(2000, 1500, 5, 8)
    whole, dashes = drawn(picture, 50, (13, 20), -40, 2), np.arange(2000) % 10 < 5
    part = picture.astype(np.uint8)
    part[300:1100, 400:1500] = whole[300:1100, 400:1500]
    halves = drawn(whole.astype(np.float32), 25, (13, 20), -4, 1)
    for each in (np.where(dashes, whole, picture.astype(np.uint8)), part, 255 - whole, halves):
        found = printed_grid(each)
        assert found is not None
        assert found.side == pytest.approx(50, abs=0.05)


def test_a_picture_without_a_grid_has_no_proposal() -> None:
    found = [printed_grid(np.clip(textured(1200, 900, seed, 3 * seed), 0, 255).astype(np.uint8)) for seed in range(8)]
    x = np.arange(1600)
    planks = np.broadcast_to(np.where(x % 37 < 2, 90, 150).astype(np.uint8), (1200, 1600))
    found += [printed_grid(planks), printed_grid(np.full((1200, 1600), 255, np.uint8)), printed_grid(planks[:20, :20])]
    assert found == [None] * len(found)
