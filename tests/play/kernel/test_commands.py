"""What a command's class declares about itself."""

from turnwright.encounter.state import Encounter
from turnwright.play.kernel.events import phrase
from turnwright.play.kernel.transaction import Command, CommandInfo, command, copy_fields, undo_label


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


class Bow(Command, frozen=True):
    who: str
    depth: int = 0
    merge: str = ""


def test_fields_of_the_same_names_are_copied_and_others_are_given() -> None:
    assert copy_fields(Bow, Nod("ann"), depth=2) == Bow("ann", 2)
    assert copy_fields(Nod, Bow("ann", 2)) == Nod("ann")
    assert copy_fields(Nod, Bow("ann", 2), who="bea") == Nod("bea")


def test_commands_with_the_same_merge_field_become_one_step() -> None:
    assert Bow("ann", merge="bows").merge_key == "bows"
    assert Bow("ann").merge_key == Nod("ann").merge_key == ""
