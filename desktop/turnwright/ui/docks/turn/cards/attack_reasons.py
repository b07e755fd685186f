"""The preview of an attack as chips: the parts of the roll and of the AC, each with its reason and rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from PySide6.QtWidgets import QLabel, QWidget

from turnwright.dice.roll import Modifier, RollSpec
from turnwright.play.attacks.preview import AttackPreview
from turnwright.rules.word_keys import signed_text
from turnwright.ui.docks.shared.explainer import Explainer, explainer
from turnwright.ui.look.fonts import SPACE
from turnwright.ui.look.tooltips import escaped_tooltip
from turnwright.ui.look.translations import tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.layout import FlowRow
from turnwright.ui.widgets.rules.why import WhyLabel
from turnwright.ui.widgets.text import plain_label

Chip = tuple[str, str, str]  # text, rule, tone


class ReasonRow(FlowRow):
    """The parts of an attack roll and of the target's AC. Each shows its rule; the AC opens its explanation."""

    def __init__(self, document: DocumentModel, parent: QWidget | None = None) -> None:
        super().__init__(parent, gap=SPACE + 1, roomy=True)
        self._document = document
        self._shown: tuple[object, ...] = ()
        self.defence = WhyLabel("", "strong")

    def show_preview(self, preview: AttackPreview | None) -> None:
        """Show the preview of an attack, or nothing if it is None."""
        explain = explainer(self._document)
        key = (preview,)
        if key == self._shown:
            return
        self._shown = key
        self.clear()
        if preview is not None:
            self._build(preview, explain)
        self.keep_room()

    def texts(self) -> list[str]:
        """Return the texts shown, in order."""
        inside = [self._flow.itemAt(place) for place in range(self._flow.count())]
        widgets = [item.widget() for item in inside if item is not None]
        return [widget.text() for widget in widgets if isinstance(widget, (QLabel, WhyLabel))]

    def _build(self, preview: AttackPreview, explain: Explainer) -> None:
        self._chips(explain, _pieces(preview.roll, explain))
        defence = preview.defence
        if defence is None:
            return
        self.defence = WhyLabel(tr("ui.turn.ac", n=defence.total or "?"), "strong")
        self.defence.set_why(lambda: explain.explain_number(tr("ui.stat.ac"), defence, topic="attack.ac-source"))
        self._put(plain_label(tr("ui.attack.against"), "caption", "muted"))
        self._put(self.defence)
        if len(defence.parts) > 1:
            self._chips(
                explain,
                ((_part(part, explain, first=place == 0), part.rule, "") for place, part in enumerate(defence.parts)),
            )

    def _chips(self, explain: Explainer, chips: Iterable[Chip]) -> None:
        for text, rule, tone in chips:
            label = plain_label(text, "caption", tone)
            label.setProperty("chip", True)
            title = explain.ledger.title(rule) if explain.is_known(rule) else ""
            label.setToolTip(
                escaped_tooltip("\n".join(part for part in (title, explain.ledger.statement(rule)) if part))
            )
            self._put(label)

    def _put(self, widget: QWidget) -> None:
        self.add(widget)
        widget.show()


def _pieces(spec: RollSpec, explain: Explainer) -> Iterator[Chip]:
    for part in spec.modifiers:
        if part.value:
            yield _part(part, explain), part.rule, ""
    for extra in spec.extra:
        yield f"+{extra.dice} {explain.name(extra.reason)}", extra.rule, "heal"
    for edge in spec.edges:
        word = explain.text(f"ui.why.{edge.kind}")
        yield f"{word}: {explain.name(edge.reason)}", edge.rule, "heal" if edge.kind == "advantage" else "harm"


def _part(part: Modifier, explain: Explainer, *, first: bool = False) -> str:
    value = str(part.value) if first else signed_text(part.value)
    return f"{value} {explain.name(part.reason)}"
