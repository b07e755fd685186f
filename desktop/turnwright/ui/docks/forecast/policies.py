"""The tactics of both sides in a forecast: six fields for the party and six for everyone else."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QWidget

from turnwright.forecast import sheet
from turnwright.ui.docks.forecast.charts import FoldSection
from turnwright.ui.look.style import scaled, tr
from turnwright.ui.widgets.fields import ComboBox, NumberField
from turnwright.ui.widgets.layout import fill, horizontal, vertical
from turnwright.ui.widgets.text import plain_label, push_button

SIDES = ("party", "enemies")


class PolicyForm(QWidget):
    """The six fields of one side's policy. Emits `edited` when the user changes one."""

    edited = Signal()

    def __init__(self, side: str) -> None:
        super().__init__()
        self._side = tr(f"ui.forecast.policy.{side}")
        heading = plain_label(self._side, "body")
        heading.setProperty("heavy", True)
        self._column = fill(vertical(self, spacing=4), heading)
        self.target, self.spends = ComboBox(), ComboBox()
        for box, choices in ((self.target, sheet.TARGET_WORDS), (self.spends, sheet.SPENDING_WORDS)):
            box.addItems([tr(f"ui.forecast.policy.{word}") for word in choices])
            box.activated.connect(self.edited)
        self.heals_at = NumberField(0, sheet.HUNDRED, "%")
        self.flees_at = NumberField(1, sheet.HUNDRED - 1, "%", blank=tr("ui.forecast.policy.never"))
        for field in (self.heals_at, self.flees_at):
            field.valueEdited.connect(self.edited)
        self.finishes, self.moves_up = (QCheckBox(tr(f"ui.forecast.policy.{id}")) for id in ("finishes", "moves-up"))
        fields = {"target": self.target, "spends": self.spends, "heals-at": self.heals_at, "flees-at": self.flees_at}
        for name, widget in fields.items():
            text = tr(f"ui.forecast.policy.{name}")
            widget.setAccessibleName(f"{self._side}: {text}")
            self._column.addLayout(fill(horizontal(), (plain_label(text, "body", wraps=True), 1), (widget, 1)))
        for check in (self.finishes, self.moves_up):
            check.setAccessibleName(f"{self._side}: {check.text()}")
            check.clicked.connect(self.edited)
            self._column.addWidget(check)

    def policy(self) -> sheet.Policy:
        """Return the policy entered in the fields."""
        return sheet.Policy(
            self.target.currentIndex(),
            self.finishes.isChecked(),
            self.spends.currentIndex(),
            self.heals_at.value(),
            self.flees_at.number() or sheet.HUNDRED,
            self.moves_up.isChecked(),
        )

    def set_policy(self, policy: sheet.Policy) -> None:
        """Show a policy in the fields, without emitting `edited`."""
        self.target.setCurrentIndex(policy.target)
        self.spends.setCurrentIndex(policy.spends)
        self.heals_at.set_number(policy.heals_at)
        self.flees_at.set_number(policy.flees_at if policy.flees_at < sheet.HUNDRED else None)
        self.finishes.setChecked(policy.finishes)
        self.moves_up.setChecked(policy.moves_up)


class PolicySection(FoldSection):
    """The policies of both sides, in a collapsible section. Emits `edited` when the user changes one."""

    edited = Signal()

    def __init__(self) -> None:
        super().__init__(tr("ui.forecast.policy.title"))
        self.forms = [PolicyForm(side) for side in SIDES]
        self.column.setSpacing(scaled(12))
        for form in self.forms:
            form.edited.connect(self._tell)
        self.usual = push_button(tr("ui.forecast.policy.usual"), self._restore, kind="quiet")
        fill(self.column, *self.forms, self.usual)
        self.set_texts("", "")

    def policies(self) -> tuple[sheet.Policy, ...]:
        """Return the policies of the party and of everyone else."""
        return tuple(form.policy() for form in self.forms)

    def texts(self) -> tuple[str, ...]:
        """Return the policies as the texts stored in the settings."""
        return tuple(sheet.policy_text(policy) for policy in self.policies())

    def set_texts(self, *texts: str) -> None:
        """Show the policies stored in the settings. If a text can't be parsed, show the default policy."""
        for form, text in zip(self.forms, texts, strict=True):
            try:
                form.set_policy(sheet.policy_of_text(text))
            except ValueError:
                form.set_policy(sheet.DEFAULT_POLICY)
        self._show_whether_usual()

    def _restore(self) -> None:
        self.set_texts("", "")
        self._tell()

    def _tell(self, *_: object) -> None:
        self._show_whether_usual()
        self.edited.emit()

    def _show_whether_usual(self) -> None:
        is_usual = all(policy == sheet.DEFAULT_POLICY for policy in self.policies())
        self.usual.setEnabled(not is_usual)
        self.button.setText(tr("ui.forecast.policy.title" if is_usual else "ui.forecast.policy.title-changed"))
