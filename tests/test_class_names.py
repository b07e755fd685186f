"""One public class name means one thing."""

import re
from collections import defaultdict

from tests.syntax import sources


def test_one_class_name_means_one_thing() -> None:
    places = defaultdict(list)
    for path, source in sources():
        for name in re.findall(r"^class ([^_\W]\w*)", source, re.MULTILINE):
            places[name].append(path)
    assert len(places) > 1000
    assert {name: paths for name, paths in places.items() if len(paths) > 1} == {}
