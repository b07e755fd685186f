"""The attack card: weapon, target, known facts about the pair, and the modifiers of the roll.

Enter attacks, Esc closes. An unknown fact is a chip to click; its answer is kept for the pair.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from turnwright.dice.roll import Modifier
from turnwright.encounter.lookups import scene_of
from turnwright.encounter.running import Combatant
from turnwright.play.attacks.commands.attack import Attack
from turnwright.play.attacks.preview import AttackOffer, AttackPreview, available_attacks, preview_attack
from turnwright.play.kernel.refusals import Refused
from turnwright.play.state.commands.set_relation import SetRelation
from turnwright.rules.word_keys import signed_text
from turnwright.ui.docks.shared.explainer import explainer
from turnwright.ui.docks.turn.attack_facts import FactRow
from turnwright.ui.docks.turn.attack_reasons import ReasonRow
from turnwright.ui.docks.turn.attack_targets import suggested_target, target_picks
from turnwright.ui.document_model import DocumentModel
from turnwright.ui.fonts import GAP, SPACE, scaled
from turnwright.ui.forms.command_drafts import show_reason
from turnwright.ui.translations import tr
from turnwright.ui.widgets.cards import Card
from turnwright.ui.widgets.explanation import Explanation, ExplanationLine
from turnwright.ui.widgets.icon_label import IconLabel
from turnwright.ui.widgets.layout import ElidedLabel, horizontal
from turnwright.ui.widgets.pick_row import PickOption, PickRow
from turnwright.ui.widgets.tab_order import tab_through
from turnwright.ui.widgets.text import plain_label, push_button, tool_button
from turnwright.ui.widgets.why import WhyLabel

OTHER_TARGETS = "*others"


def offer_id(offer: AttackOffer) -> str:
    """Return the id of an attack option: `axe`, `axe thrown`, `axe off-hand`."""
    return " ".join(part for part in (offer.weapon.id, "thrown" if offer.thrown else "", offer.purpose) if part)


class AttackCard(Card):
    """Prepares one attack. `closed` when cancelled, `attacked` when executed, `attackRefused` when refused."""

    closed = Signal()
    attacked = Signal()
    attackRefused = Signal()

    def __init__(self, bridge: DocumentModel, parent: QWidget | None = None) -> None:
        super().__init__("harm", parent)
        self._bridge = bridge
        self._who = ""
        self._purpose = ""
        self._means = ""
        self._target = ""
        self._everyone = False
        self._last: dict[str, tuple[str, str]] = {}
        self._offers: dict[str, AttackOffer] = {}
        self.preview: AttackPreview | None = None
        self.weapons = PickRow(tr("ui.attack.with"))
        self.targets = PickRow(tr("ui.attack.at"))
        self.facts = FactRow(bridge)
        self.reasons = ReasonRow(bridge)
        self.button = push_button(tr("ui.attack.attack"), self.attack, "primary", "sword")
        self.rule = WhyLabel(tr("ui.prompt.rule"), "caption", "muted")
        self.vetoes = plain_label("", "caption", "harm", wraps=True)
        self._title = ElidedLabel(role="strong")
        self._lay_out()
        self.weapons.picked.connect(lambda: self._choose_means(self.weapons.chosen()))
        self.targets.picked.connect(lambda: self._choose_target(self.targets.chosen()))
        self.facts.relationEntered.connect(self._relate)
        self.facts.rulingChanged.connect(self.refresh)
        bridge.documentChanged.connect(self._last.clear)

    def _lay_out(self) -> None:
        self.body.setContentsMargins(scaled(16), scaled(6), scaled(8), scaled(8))
        self.body.setSpacing(scaled(SPACE + 1))
        head = horizontal()
        head.addWidget(IconLabel("sword", "harm"))
        head.addWidget(self._title, 1)
        head.addWidget(tool_button("close", tr("ui.turn.close-form"), self.closed.emit))
        self.body.addLayout(head)
        grid = QGridLayout()
        grid.setHorizontalSpacing(scaled(GAP))
        grid.setVerticalSpacing(scaled(SPACE + 1))
        grid.setColumnStretch(1, 1)
        rows = (("with", self.weapons), ("at", self.targets), ("facts", self.facts), ("roll", self.reasons))
        for place, (name, widget) in enumerate(rows):
            label = plain_label(tr(f"ui.attack.{name}"), "caption", "muted")
            label.setContentsMargins(0, scaled(3), 0, 0)
            grid.addWidget(label, place, 0, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignRight)
            grid.addWidget(widget, place, 1)
        self.body.addLayout(grid)
        foot = horizontal()
        foot.addWidget(self.button)
        foot.addWidget(self.vetoes, 1)
        foot.addWidget(self.rule)
        self.body.addLayout(foot)

    # For the dock --------------------------------------------------------------------------------------------------

    @property
    def who(self) -> str:
        """The id of the attacker, empty while the card is closed."""
        return self._who

    def open_for(self, who: str, weapon: str = "", target: str = "", purpose: str = "", bonus: int = 0) -> None:
        """Open the card with an attack (else the last used one), a target (else the likely one), and a ruled bonus."""
        before, aimed = self._last.get(who, ("", ""))
        if (who, purpose) != (self._who, self._purpose):
            self._everyone = False
            self.facts.clear_rulings()
        self._who, self._purpose = who, purpose
        if bonus:
            self.facts.set_bonus(bonus)
        self._means = weapon or before
        self._target = target or suggested_target(self._bridge, who, aimed)
        self.refresh()

    def aim_at(self, target: str) -> None:
        """Change the target."""
        self._choose_target((target,))

    def close_card(self) -> None:
        """Close the card and forget its rulings."""
        self._who = ""
        self.facts.clear_rulings()
        self._bridge.lettersOffered.emit({})

    def refresh(self) -> None:
        """Show the attack as it now stands."""
        bridge, lookup = self._bridge, self._bridge.encounter
        attacker = lookup.get(Combatant, self._who) if self._who else None
        if attacker is None:
            return
        offers = [one for one in available_attacks(lookup, bridge.rules, self._who, self._aim()) if self._suits(one)]
        self._offers = {offer_id(one): one for one in offers}
        if self._means not in self._offers:
            self._means = next(iter(self._offers), "")
        title = f"ui.attack.title-{self._purpose}" if self._purpose else "ui.attack.title"
        self._title.setText(tr(title, who=attacker.label))
        self.setAccessibleName(self._title.text())
        self.weapons.set_picks([self._means_pick(id, one) for id, one in self._offers.items()], (self._means,))
        picks = target_picks(bridge, self._who, include_all=self._everyone)
        if self._target and self._target not in {pick.id for pick in picks} and self._target != OTHER_TARGETS:
            self._everyone = True
            picks = target_picks(bridge, self._who, include_all=True)
        more = [] if self._everyone else [PickOption(OTHER_TARGETS, "…", tr("ui.attack.others"))]
        self.targets.set_picks([*picks, *more], (self._target,))
        bridge.lettersOffered.emit({pick.id: pick.key for pick in picks})
        self.preview = self._previewed()
        self.facts.show_facts(self._who, self._aim(), self.preview)
        self.reasons.show_preview(self.preview)
        self._show_vetoes()
        tab_through(self.weapons, [self.targets, self.facts, self.reasons, self.button, self.rule])

    def command(self) -> Attack | None:
        """Return the attack command, None where weapon or target is missing."""
        offer = self._offers.get(self._means)
        if offer is None or not self._target:
            return None
        purpose = self._purpose or offer.purpose
        return Attack(
            self._who,
            self._target,
            offer.weapon.id,
            purpose=purpose,  # type: ignore[arg-type]
            thrown=offer.thrown,
            facts=self.facts.entered_facts(),
            modifiers=self._modifiers(),
        )

    def attack(self) -> None:
        """Execute the attack, overriding the vetoes that the card shows."""
        command = self.command()
        if command is None:
            self.targets.take_focus()
            return
        insist = bool(self.preview is not None and self.preview.vetoes)
        self._last[self._who] = (self._means, self._target)
        purpose = self._purpose
        self.attacked.emit()  # first: the card makes room for the prompts
        if not self._bridge.execute(command, override=insist):
            self.open_for(command.who, self._means, command.target, purpose)
            self.attackRefused.emit()

    def take_focus(self) -> None:
        """Put the focus on the targets."""
        self.targets.take_focus()

    def explain(self) -> bool:
        """Explain the roll."""
        return self.reasons.roll.explain()

    # Keys ----------------------------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._is_letter(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.attack()
        elif event.key() == Qt.Key.Key_Question:
            self.explain()
        elif self._is_letter(event):
            self.targets.choose_by_key(event.text())
        else:
            super().keyPressEvent(event)

    def _is_letter(self, event: QKeyEvent) -> bool:
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        keys = {each.pick.key for each in self.targets.buttons()}
        return plain and bool(event.text()) and event.text() in keys

    # Pieces --------------------------------------------------------------------------------------------------------

    def _aim(self) -> str:
        return "" if self._target == OTHER_TARGETS else self._target

    def _suits(self, offer: AttackOffer) -> bool:
        """Return whether an attack option fits the card's purpose."""
        return not self._purpose or not offer.purpose

    def _means_pick(self, id: str, offer: AttackOffer) -> PickOption:
        explain = explainer(self._bridge)
        name = offer.weapon.name or explain.name("option.unarmed")
        if offer.weapon.attack is not None:
            name = f"{name} {signed_text(offer.weapon.attack)}"
        marks = [tr("ui.attack.thrown")] if offer.thrown else []
        marks += [tr("ui.attack.off-hand")] if offer.purpose == "off-hand" else []
        refused = explain.text(offer.vetoes[0].reason, **dict(offer.vetoes[0].params)) if offer.vetoes else ""
        sign = "bow-arrow" if offer.kind == "ranged" else "sword"
        label = f"{name} ({', '.join(marks)})" if marks else name
        return PickOption(id, label, offer.weapon.damage, "" if self._purpose else refused, icon=sign)

    def _previewed(self) -> AttackPreview | None:
        command = self.command()
        if command is None or not self._aim():
            return None
        try:
            return preview_attack(
                self._bridge.encounter,
                self._bridge.rules,
                command.who,
                command.target,
                command.weapon,
                thrown=command.thrown,
                facts=command.facts,
                purpose=command.purpose,
                modifiers=command.modifiers,
            )
        except Refused:
            return None

    def _modifiers(self) -> tuple[Modifier, ...]:
        bonus = self.facts.bonus()
        return (Modifier(bonus, "why.narrator"),) if bonus else ()

    def _show_vetoes(self) -> None:
        explain = explainer(self._bridge)
        checks = scene_of(self._bridge.encounter).strictness
        vetoes = self.preview.vetoes if self.preview is not None and checks != "off" else ()
        texts = [explain.text(one.reason, **dict(one.params)) for one in vetoes]
        notes = [explain.name(text) for text in (self.preview.open_questions if self.preview is not None else ())]
        notes += [tr("ui.attack.guess")] if self.preview is not None and self.preview.must_guess_square else []
        enforced = checks == "enforce"
        tone = "muted" if not texts else "harm" if enforced else "warn"
        show_reason(self.vetoes, " ".join(texts or notes) if self._aim() else tr("ui.attack.no-target"), tone)
        self.button.setText(tr("ui.refused.anyway") if texts and enforced else tr("ui.attack.attack"))
        self.button.setEnabled(bool(self._aim()) and bool(self._offers))
        lines = tuple(
            ExplanationLine("§", text, one.rule, explain.ledger.statement(one.rule))
            for text, one in zip(texts, vetoes, strict=True)
        )
        self.rule.set_why(Explanation(tr("ui.attack.against-it"), "", lines) if lines else None)
        self.rule.setVisible(bool(lines))

    def _choose_means(self, ids: tuple[str, ...]) -> None:
        self._means = next(iter(ids), self._means)
        self.refresh()

    def _choose_target(self, ids: tuple[str, ...]) -> None:
        chosen = next(iter(ids), "")
        if chosen == OTHER_TARGETS:
            self._everyone = True
            self.refresh()
            self.targets.take_focus()
            return
        if chosen != self._target:
            self.facts.clear_target()
        self._target = chosen
        self.refresh()

    def _relate(self, command: object) -> None:
        if isinstance(command, SetRelation):
            self._bridge.execute(command)
            self.refresh()
