"""What a command's class declares about itself."""

from turnwright.play.kernel.commands import Command, CommandInfo, command


@command(script="wave {who}", manual="effects")
class Wave(Command, frozen=True):
    who: str


class Nod(Command, frozen=True):
    who: str


def test_a_decorated_command_declares_its_grammar_and_its_menu_and_others_declare_nothing():
    assert Wave.__command__ == CommandInfo(script="wave {who}", manual="effects")
    assert Nod("ann").__command__ == CommandInfo()


def test_the_declaration_is_no_field():
    assert Wave.__struct_fields__ == ("who",)
