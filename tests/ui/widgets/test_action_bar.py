"""The actions of a turn as attacks, buttons and what is against the rules now."""

from dataclasses import replace

import pytest

from turnwright.ui.widgets.action_bar import ActionBar, ActionButton, ActionView, AttackDisplay

SWORD = ActionView("sword", "Scimitar", attack=AttackDisplay("+5", "1d6+3"))
BOW = ActionView("bow", "Bow", attack=AttackDisplay("+3", "1d8+1"))
DASH, ESCAPE = ActionView("dash", "Dash"), ActionView("escape", "Escape a grapple", refused="free already")


def refused(*views: ActionView) -> tuple[ActionView, ...]:
    return tuple(replace(view, refused="no attack left") for view in views)


@pytest.mark.parametrize("changed", [(SWORD, BOW), (SWORD,), (BOW,), (DASH,), (SWORD, DASH)])
def test_no_label_lies_over_another_after_undo(qtbot, changed):
    bar = ActionBar()
    qtbot.addWidget(bar)
    bar.keep_open(is_open=True)
    bar.show()
    every = (SWORD, BOW, DASH, ESCAPE)
    others = tuple(view for view in every if view not in changed)
    for views in (every, (*refused(*changed), *others), every, (*others, *refused(*changed)), every):
        bar.set_actions(views)
        shown = [button for button in bar.findChildren(ActionButton) if button.isVisible()]
        assert set(shown) <= set(bar.buttons.values())
        assert set(bar.buttons) == {view.id for view in views}
        places = [bar.more.refused_list.getItemPosition(at) for at in range(bar.more.refused_list.count())]
        visible = [place for at, place in enumerate(places) if not bar.more.refused_list.itemAt(at).isEmpty()]
        assert len(visible) == len(set(visible))
