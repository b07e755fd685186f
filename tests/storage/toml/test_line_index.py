"""The line scanner finds a key in every form that TOML allows."""

from tests.for_each import for_each
from turnwright.storage.toml.parser import LineIndex
from turnwright.storage.toml.values import key_text

TEXT = '''\
top = 1
"quoted key".'and this' = 2
long = """
[not.a.header]
x = 1 # still text
"""
[a.b]   # header
c = {d = 1, e = {f = 2}}
list = [
  1, # one ]
  "two # no comment",
  {x = 1},
]
[[a.rows]]
n = 1
[[a.rows]]
n = 2
[a.rows.inner]
deep = true
["dotted.key"]
when = 1979-05-27 07:32:00
'''


@for_each(
    ("path", "line"),
    [
        (("top",), 1),
        (("quoted key", "and this"), 2),
        (("quoted key",), 2),
        (("long",), 3),
        (("not", "a"), 1),
        (("a", "b"), 7),
        (("a",), 7),
        (("a", "b", "c", "e", "f"), 8),
        (("a", "b", "missing"), 7),
        (("a", "b", "list"), 9),
        (("a", "b", "list", 0), 10),
        (("a", "b", "list", 1), 11),
        (("a", "b", "list", 2, "x"), 12),
        (("a", "rows", 0, "n"), 15),
        (("a", "rows", 1, "n"), 17),
        (("a", "rows", 1, "inner", "deep"), 19),
        (("dotted.key", "when"), 21),
        ((), 1),
    ],
)
@for_each("ending", ["\n", "\r\n"])
def test_a_key_is_found_on_its_line(path, line, ending):
    assert LineIndex(TEXT.replace("\n", ending)).line_of(path) == line


def test_a_text_that_is_no_toml_has_everything_on_its_first_line():
    assert LineIndex("= nothing\n[[[").line_of(("a",)) == 1


def test_a_path_is_said_with_quotes_where_it_needs_them_and_places_counted_from_one():
    assert key_text(("creatures", "a.b", "tags", 0)) == 'creatures."a.b".tags[1]'
