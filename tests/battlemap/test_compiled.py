"""The compiled kernels agree with the plain ones on any map, and refuse arrays of another kind."""

from inspect import signature
from types import SimpleNamespace
from unittest import mock

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.battlemap.maps import grids
from tests.effort import examples
from tests.for_each import for_each
from turnwright.battlemap import compiled, paths, sight
from turnwright.battlemap.arrays import GridLine, Rise
from turnwright.battlemap.compiled import PLAIN, Kernels, KernelSet, shared
from turnwright.battlemap.grid import build
from turnwright.battlemap.sight import MapPoint
from turnwright.battlemap.spaces import Space
from turnwright.workspace.kernel_library import await_kernels

BOTH = settings(max_examples=examples(20), suppress_health_check=[HealthCheck.too_slow])


@pytest.fixture(scope="module")
def warmed() -> KernelSet:
    assert await_kernels()
    return shared().current


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


def test_an_array_of_another_kind_is_refused(warmed):
    marks = np.zeros((2, 2), dtype=np.int64)
    walls = np.zeros((2, 2), dtype=np.bool_)
    with pytest.raises(TypeError, match="mark_steps"):
        warmed.mark_steps(marks, walls, walls, walls, walls.astype(np.uint8), 0, 0, 1)


def frozen(array):
    array.setflags(write=False)
    return array


@for_each(
    "marks",
    [
        np.zeros(4, np.uint8),
        np.zeros((2, 2, 1), np.uint8),
        np.zeros((4, 4), np.uint8)[::2, ::2],
        np.zeros((2, 2), np.uint8, order="F"),
        np.zeros((2, 2), np.int8),
        frozen(np.zeros((2, 2), np.uint8)),
        "marks" * 40,
        range(100),
    ],
)
def test_only_arrays_of_the_kind_that_a_kernel_writes_are_written(warmed, marks):
    flags = np.zeros((2, 2), np.bool_)
    with pytest.raises(TypeError, match="mark_steps"):
        warmed.mark_steps(marks, flags, flags, flags, flags.astype(np.uint8), 0, 0, 1)


def test_an_array_in_another_order_of_bytes_is_refused(warmed):
    grid = build(2, 2)
    swapped = np.zeros((2, 2), ">i4")
    barriers = sight.barriers(grid, grid.sight, swapped)
    with pytest.raises(TypeError, match="line"):
        warmed.line(barriers, GridLine(1, 1, 3, 1), Rise(2.5, 2.5))


def test_compiled_kernels_have_the_parameters_of_the_plain_ones(warmed):
    for name in KernelSet.__slots__:
        compiled_kernel, plain = getattr(warmed, name), getattr(PLAIN, name)
        assert compiled_kernel is not plain
        assert [*signature(compiled_kernel).parameters] == [*signature(plain).parameters]


class Nothing:
    """A library without any kernels."""


def returning(value):
    """Return a library whose kernels return a number and do nothing else."""
    return SimpleNamespace(**{name: mock.Mock(return_value=value) for name in KernelSet.__slots__})


def test_kernels_are_plain_without_a_library_that_fits():
    kernels = Kernels()
    assert kernels.current is PLAIN
    with pytest.raises(AttributeError):
        kernels.use(Nothing())
    for value in (0, compiled.REFUSED):
        with pytest.raises(TypeError):
            kernels.use(returning(value))
    assert kernels.current is PLAIN


def test_the_program_shares_one_set():
    with mock.patch.object(compiled, "shared", compiled.shared.__wrapped__):
        assert compiled.kernels() is PLAIN
    assert compiled.shared() is compiled.shared()
