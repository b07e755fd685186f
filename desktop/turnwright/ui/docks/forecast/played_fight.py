"""The dialog that shows the journal of a fight that the forecast's policies play by the full rules."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from turnwright.forecast.sentences import Sentence
from turnwright.forecast.sheet import Policy
from turnwright.play.session import Session
from turnwright.ui.docks.journal.dock import JournalView
from turnwright.ui.docks.shared.explainer import explainer
from turnwright.ui.look.style import scaled, tr
from turnwright.ui.models.journal import JournalModel
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.services.workers import LatestTask
from turnwright.ui.widgets.dialog import StandardDialog
from turnwright.ui.widgets.layout import fill
from turnwright.ui.widgets.text import plain_label, push_button
from turnwright.workspace.engine_fights import play_fight
from turnwright.workspace.fight_forecast import SEED


class PlayedFightDialog(StandardDialog):
    """Plays fights of the open encounter, one at a time and off the GUI thread, and shows their journals."""

    def __init__(self, document: DocumentModel, policies: Sequence[Policy], parent: QWidget) -> None:
        super().__init__(tr("ui.forecast.played-title"), parent, tr("ui.forecast.played-lead"))
        explain = explainer(document)
        self._play = partial(play_fight, document.encounter, document.rules, seed=SEED, policies=policies)
        self._task, self._number = LatestTask(self), 0
        self.headline = plain_label("", "strong", wraps=True)
        self.model = JournalModel(document, explain.phrase, self)
        self.model.show_session(Session(document.encounter, document.rules))
        self.view = JournalView(self.model, explain)
        fill(self.column, self.headline, (self.view, 1))
        self.another = push_button(tr("ui.forecast.another-fight"), self.play, "quiet", "dice-multiple-outline")
        self.add_buttons(push_button(tr("ui.general.close"), self.accept, "primary"), left=(self.another,))
        self.resize(scaled(760), scaled(600))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.play()

    def play(self) -> None:
        """Start to play the next fight. The journal of the previous one stays visible until it has ended."""
        self._number += 1
        self.another.setEnabled(False)
        self.headline.setText(tr("ui.forecast.playing", number=self._number))
        self._task.start(partial(self._play, self._number), self._show_fight, self._show_failure)

    def _show_fight(self, played: tuple[tuple[Sentence, ...], Session]) -> None:
        headline, session = played
        self.headline.setText(" ".join(tr(each.key, **dict(each.params)) for each in headline))
        self.model.show_session(session)
        self.view.scrollToTop()
        self.another.setEnabled(True)

    def _show_failure(self, _why: str) -> None:
        self.headline.setText(tr("ui.forecast.failed"))
        self.another.setEnabled(True)
