import inspect
from importlib import import_module

from tests.for_each import for_each
from turnwright.cli.commands import SUBCOMMANDS, verbs
from turnwright.handouts.kinds import MODULES
from turnwright.handouts.map_tiles import ASK_ABOVE, MAX_TILES
from turnwright.importers.universal_vtt import MAP_PARTS

VERBS = {
    f"{name} {kind}".strip(): verb
    for name, outer in verbs().items()
    for kind, verb in (outer.kinds or {"": outer}).items()
}


def test_choices_are_those_of_the_program():
    handout = VERBS["handout"].arguments
    assert handout["--kind"].choices == tuple(name.replace("_", "-") for name in MODULES)
    assert f"above {ASK_ABOVE} tiles, at most {MAX_TILES}" in handout["--map-part"].help
    assert VERBS["map import"].arguments["--without"].choices == MAP_PARTS


@for_each("name", VERBS)
def test_the_function_of_a_verb_takes_its_arguments(name):
    module, _, function = VERBS[name].run.partition(".")
    parameters = inspect.signature(getattr(import_module(f"turnwright.cli.{module}"), function)).parameters
    names = {
        argument.dest or key.lstrip("-").replace("-", "_")
        for key, argument in VERBS[name].arguments.items()
        if argument.help
    }
    accepts_more = any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values())
    own = {key for key, parameter in parameters.items() if parameter.kind is not parameter.VAR_KEYWORD}
    assert own <= names | {"systems"}
    assert accepts_more or names <= own


def test_every_verb_has_a_parser():
    assert all(make()[0].prog == f"turnwright {name}" for name, make in SUBCOMMANDS.items())
