"""What a command's class declares about itself."""

from turnwright.encounter.state import Encounter
from turnwright.play.kernel.commands import Command, CommandInfo, command, undo_label
from turnwright.play.kernel.events import phrase


@command(script="wave {who}", label="step.greet", manual="effects")
class Wave(Command, frozen=True):
    who: str


class Nod(Command, frozen=True):
    who: str


def test_a_decorated_command_declares_its_grammar_and_its_menu_and_others_declare_nothing():
    assert Wave.__command__ == CommandInfo(script="wave {who}", label="step.greet", manual="effects")
    assert Nod("ann").__command__ == CommandInfo()


def test_the_declaration_is_no_field():
    assert Wave.__struct_fields__ == ("who",)


def test_the_undo_label_is_named_for_the_class_unless_the_command_says_another() -> None:
    assert undo_label(Nod("ann"), Encounter()) == phrase("step.nod", what="ann")
    assert undo_label(Wave("ann"), Encounter()) == phrase("step.greet", what="ann")
