"""The compiled kernels agree with the plain ones on any map, and come into use only once warmed."""

from concurrent.futures import ThreadPoolExecutor
from inspect import signature
from unittest import mock

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.battlemap.maps import grids
from tests.effort import examples
from turnwright.battlemap import compiled, paths, sight
from turnwright.battlemap.compiled import PLAIN, Kernels, KernelSet
from turnwright.battlemap.sight import MapPoint
from turnwright.battlemap.spaces import Space

BOTH = settings(max_examples=examples(20), suppress_health_check=[HealthCheck.too_slow])


@pytest.fixture(scope="module")
def warmed() -> KernelSet:
    kernels = Kernels()
    assert kernels.warm()
    return kernels.current


def by_both(module, warmed, ask):
    """Return the answers with the plain kernels and with the compiled ones."""
    answers = []
    for inuse in (PLAIN, warmed):
        with mock.patch.object(module, "kernels", lambda inuse=inuse: inuse):
            answers.append(ask())
    return answers


@st.composite
def scenes(draw_one):
    """Draw a map with three spaces on it."""
    grid = draw_one(grids(heights=True, covers=True, barriers=True))
    space = st.builds(
        Space,
        st.integers(0, grid.columns - 2),
        st.integers(0, grid.rows - 2),
        st.sampled_from([2.5, 5, 10]),
        st.integers(-5, 20),
    )
    return grid, *(draw_one(space) for _ in range(3))


@given(scene=scenes(), seed=st.integers(0, 99), alternating=st.booleans(), odd=st.booleans(), lenient=st.booleans())
@BOTH
def test_reach_is_the_same_compiled(warmed, scene, seed, alternating, odd, lenient):
    grid, space, _, _ = scene
    entry = np.random.default_rng(seed).choice([0, 3, 5, 5, 10], size=(grid.rows, grid.columns)).astype(np.int16)
    how = {"diagonals": "alternating" if alternating else "equal", "odd": odd, "cut_corners": lenient}
    plain, fast = by_both(paths, warmed, lambda: paths.reachable(grid, space, entry, 40, **how))
    assert np.array_equal(plain.cost, fast.cost)
    assert np.array_equal(plain.previous, fast.previous)
    for square in plain.squares():
        way = plain.path_to(square)
        plain_walk, fast_walk = by_both(paths, warmed, lambda way=way: paths.path_cost(grid, space, entry, way, **how))
        assert plain_walk == fast_walk


@given(scene=scenes(), ends=st.sampled_from(["corners", "centre", "both"]))
@BOTH
def test_lines_are_the_same_compiled(warmed, scene, ends):
    grid, one, other, third = scene

    def ask():
        return (
            sight.between(grid, grid.sight, one, other, starts=ends, goals=ends, occupied=[third]),
            sight.between(grid, grid.effect, one, other),
            sight.between_points(
                grid, grid.effect, MapPoint(*one.square, one.middle), MapPoint(*other.square, other.middle)
            ),
        )

    plain, fast = by_both(sight, warmed, ask)
    assert plain == fast


@given(scene=scenes())
@BOTH
def test_cover_is_the_same_compiled(warmed, scene):
    grid, one, other, third = scene
    targets, creatures = [other, third], [third]
    plain, fast = by_both(sight, warmed, lambda: sight.cover_many(grid, one, targets, creatures=creatures))
    assert plain == fast


def test_an_array_of_another_kind_is_refused_rather_than_compiled_for(warmed):
    marks = np.zeros((2, 2), dtype=np.int64)
    walls = np.zeros((2, 2), dtype=np.bool_)
    with pytest.raises(TypeError, match="No matching definition"):
        warmed.mark_steps(marks, walls, walls, walls, walls.astype(np.uint8), 0, 0, 1)


def test_kernels_are_plain_until_warmed_in_any_thread(warmed):
    kernels = Kernels()
    assert kernels.current is PLAIN
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda _: kernels.warm(), range(4))) == [True] * 4
    assert kernels.current is not PLAIN
    for name in KernelSet.__slots__:
        compiled_kernel, plain = getattr(kernels.current, name), getattr(PLAIN, name)
        assert compiled_kernel is not plain
        assert [*signature(compiled_kernel).parameters] == [*signature(plain).parameters]


def test_without_numba_they_stay_plain(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "numba", None)
    kernels = Kernels()
    assert not kernels.warm()
    assert not kernels.warm()
    assert kernels.current is PLAIN


def test_the_program_shares_one_set():
    with mock.patch.object(compiled, "shared", compiled.shared.__wrapped__):
        assert compiled.kernels() is PLAIN
    assert compiled.shared() is compiled.shared()
