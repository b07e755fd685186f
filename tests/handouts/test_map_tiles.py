"""Places of labels on a printed map: on what they name, apart from one another, else beside it or outside the frame."""

from __future__ import annotations

from itertools import combinations
from random import Random

from tests.for_each import for_each
from turnwright.handouts.map_tiles import Box, LabelPlaces, PlaceLabel

SIZE = (0.7, 0.7)


def box_of(label: PlaceLabel, size: tuple[float, float] = SIZE) -> Box:
    (x, y), (wide, high) = label.at, size
    return x - wide / 2, y - high / 2, x + wide / 2, y + high / 2


def overlap(one: Box, other: Box) -> bool:
    return (
        one[0] < other[2] - 1e-9 and other[0] < one[2] - 1e-9 and one[1] < other[3] - 1e-9 and other[1] < one[3] - 1e-9
    )


def squares(left: int, top: int, wide: int, high: int) -> frozenset[tuple[int, int]]:
    return frozenset((left + x, top + y) for x in range(wide) for y in range(high))


def test_a_label_stands_in_the_middle_of_what_it_names():
    assert LabelPlaces(20, 20, SIZE).place(squares(2, 4, 3, 5)) == PlaceLabel((3.5, 6.5))


def test_it_stands_on_a_square_of_a_ring_and_not_in_the_hole():
    ring = squares(2, 2, 5, 5) - squares(3, 3, 3, 3)
    label = LabelPlaces(20, 20, SIZE).place(ring)
    assert (int(label.at[0]), int(label.at[1])) in ring
    assert label.to is None


def test_it_goes_a_few_squares_further_rather_than_stand_on_another_thing():
    free, crowded = squares(0, 0, 3, 1), {(1, 0)}
    assert LabelPlaces(9, 9, SIZE).place(free, crowded).at == (0.5, 0.5)
    line = squares(0, 0, 20, 1)
    assert LabelPlaces(20, 9, SIZE).place(line, squares(5, 0, 10, 1)).at == (9.5, 0.5)  # five squares are too far


def test_where_tokens_fill_the_place_a_line_leads_from_beside_it_to_a_square_of_it():
    label = LabelPlaces(20, 20, SIZE, [(5.0, 5.0, 7.0, 7.0)]).place(squares(5, 5, 2, 2))
    assert label.to is not None
    assert (int(label.to[0]), int(label.to[1])) in squares(5, 5, 2, 2)
    assert not overlap(box_of(label), (5.0, 5.0, 7.0, 7.0))
    assert max(abs(label.at[0] - label.to[0]), abs(label.at[1] - label.to[1])) <= 2


def test_on_a_full_map_labels_stand_outside_of_it_apart_from_one_another():
    places = LabelPlaces(6, 4, SIZE, [(0.0, 0.0, 6.0, 4.0)])
    found = [places.place({(x, y)}) for x in range(6) for y in range(4)]
    assert all(one.to is not None and (one.at[0] > 6 or one.at[1] > 4) for one in found)
    assert {one.to for one in found} == {(x + 0.5, y + 0.5) for x in range(6) for y in range(4)}
    assert not any(overlap(one, other) for one, other in combinations([box_of(label) for label in found], 2))


@for_each("seed", range(20))
def test_labels_overlap_neither_tokens_nor_one_another_and_stay_within_the_frame(seed):
    chance = Random(seed)
    tokens = [
        (float(x), float(y), x + 1.0, y + 1.0)
        for x, y in {(chance.randrange(30), chance.randrange(20)) for _ in range(40)}
    ]
    places = LabelPlaces(30, 20, SIZE, tokens)
    areas = [
        squares(chance.randrange(26), chance.randrange(16), chance.randint(1, 4), chance.randint(1, 4))
        for _ in range(90)
    ]
    labels = [places.place(area) for area in areas]
    boxes = [box_of(label) for label in labels]
    assert not any(overlap(one, other) for one, other in combinations(boxes, 2))
    assert not any(overlap(one, token) for one in boxes for token in tokens)
    for area, label, (left, top, right, bottom) in zip(areas, labels, boxes, strict=True):
        assert left >= 0
        assert top >= 0
        assert right <= 30
        assert bottom <= 20
        aim = label.to or label.at
        assert (int(aim[0]), int(aim[1])) in area


def test_the_name_of_a_tile_is_near_its_middle_beside_what_stands_there():
    size = (2.0, 1.0)
    assert LabelPlaces(20, 14, size).free_in((10, 7, 20, 14)) == (15.0, 10.5)
    token = (14.0, 10.0, 16.0, 11.0)
    at = LabelPlaces(20, 14, size, [token]).free_in((10, 7, 20, 14))
    assert at is not None
    assert at != (15.0, 10.5)
    assert not overlap(box_of(PlaceLabel(at), size), token)


def test_a_tile_without_room_has_no_name():
    assert LabelPlaces(20, 14, (2.0, 1.0)).free_in((0, 0, 1, 7)) is None
    assert LabelPlaces(20, 14, (2.0, 1.0), [(0.0, 0.0, 10.0, 7.0)]).free_in((0, 0, 10, 7)) is None
