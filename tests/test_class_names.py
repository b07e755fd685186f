"""One public class name means one thing."""

import ast
from collections import defaultdict

from tests.syntax import modules, no_trees_kept

__all__ = ["no_trees_kept"]


def test_one_class_name_means_one_thing() -> None:
    places = defaultdict(list)
    for path, tree in modules():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(path)
    assert {name: paths for name, paths in places.items() if len(paths) > 1} == {}
