"""Events about changes to single records: rolls, relations, resources, uses, damage, effects, tracks."""

from collections.abc import Iterable

from turnwright.dice.expression import Roll
from turnwright.encounter.field_specs import CombatantId, CombatantIds, ConditionId, ResourceId, TrackName, WordKey
from turnwright.play.kernel.events import CombatantEvent, DamageAdjustment, Event, journal
from turnwright.rules.word_keys import signed_text

DAMAGE_PURPOSES = ("ask.damage", "ask.critical_dice")
FLAT_ADJUSTMENTS = ("why.weak_to", "why.resists")


@journal("journal.rolled", kind="roll", total="roll", degree="degree_word")
class Rolled(Event, frozen=True):
    """A roll by a combatant, or by the game master if `who` is empty. `dc` 0: no difficulty class; `passed` is None.

    `degree` is the degree of success, in games with more than success and failure. In a contest, `dc` is the total of
    the `opponent`. A damage roll has no journal line, because the line for the damage taken shows it.
    """

    purpose: WordKey
    roll: Roll
    who: CombatantId = ""
    detail: str = ""
    dc: int = 0
    passed: bool | None = None
    degree: str = ""
    opponent: CombatantId = ""

    @property
    def journal_key(self) -> str:
        """Return the journal key, which depends on the result, the roller, and whether the total is known."""
        suffix = "_unsaid" if self.roll.total is None and self.passed is not None else ""
        suffix = suffix or "_contest" * bool(self.opponent) or "_open" * (not self.dc and not self.opponent)
        if self.degree:
            return f"journal.rolled_degree{suffix}"
        if self.passed is not None:
            return f"journal.rolled_{'passed' if self.passed else 'failed'}{suffix}"
        return "journal.rolled" if self.who else "journal.rolled_nobody" if self.detail else "journal.rolled_alone"

    @property
    def is_bookkeeping(self) -> bool:
        """Whether it is a damage roll. The line for the damage taken shows it."""
        return self.bookkeeping or self.purpose in DAMAGE_PURPOSES

    @property
    def degree_word(self) -> str:
        """The word key of the degree of success."""
        return f"<degree.{self.degree}>"


@journal("journal.skipped_alone", kind="roll", joins=("who",))
class Skipped(Event, frozen=True):
    """A roll or choice was skipped."""

    purpose: WordKey
    who: CombatantId = ""
    detail: str = ""

    @property
    def journal_key(self) -> str:
        """Return the journal key, which depends on the purpose and on whether a combatant was asked."""
        if self.purpose in ("ask.use", "ask.summons"):
            return self.purpose.replace("ask.", "journal.skipped_")
        if self.purpose == "ask.due_note":
            return "journal.skipped_reminder" if self.who else "journal.skipped_own_reminder"
        if self.who and self.purpose == "ask.save" and not self.detail.startswith("<"):
            return "journal.skipped_save"
        return "journal.skipped" if self.who else "journal.skipped_nobody" if self.detail else "journal.skipped_alone"


@journal("journal.supplied", figure="figure_words")
class StatSet(CombatantEvent, frozen=True):
    """A number missing from a stat block was entered."""

    stat: str
    value: int

    @property
    def figure_words(self) -> str:
        """The number's name. For a passive score, it includes the skill."""
        name, _, skill = self.stat.partition(".")
        return f"<figure.{name}> (<skill.{skill}>)" if skill else f"<figure.{name}>"


@journal("journal.acted", action="action_or_note", foe="about", cost="cost_words")
class ActionTaken(CombatantEvent, frozen=True):
    """A combatant acted. `cost` is empty if the action is free, and `about` is another combatant it concerns.

    `price` is the amount of the resource spent, if a turn has more than one of it.
    """

    action: str
    cost: ResourceId = ""
    note: str = ""
    targets: CombatantIds = ()
    about: CombatantId = ""
    price: int = 0

    @property
    def cost_words(self) -> str:
        """The resource, with the amount if it is counted."""
        name = f"<{'resource' if self.price > 1 else 'resource-one'}.{self.cost}>"
        return f"{self.price} {name}" if self.price else name

    @property
    def journal_key(self) -> str:
        """Return the journal key, which depends on the known details of the action: name, cost, targets and note."""
        if not self.action and not self.note:
            return "journal.spent_untold"
        key = "journal.acted" if self.action else "journal.spent"
        key += "" if self.cost else "_free"
        key += "_on" if self.targets else ""
        key += "_about" if self.targets and self.about else ""
        return key + ("_note" if self.action and self.note else "")

    @property
    def action_or_note(self) -> str:
        """The action's name, or its note if it has none."""
        return self.action or self.note


@journal("journal.regained_so_many")
class ResourceRestored(CombatantEvent, frozen=True):
    """A resource was restored. If points were converted, `before` and `after` are its values."""

    resource: ResourceId
    before: int = 0
    after: int | None = None

    @property
    def journal_key(self) -> str:
        """Return the journal key, which depends on whether the resource is counted."""
        return "journal.regained" if self.after is None else "journal.regained_so_many"


@journal("journal.supply_spent", most="maximum", level="level", bookkeeping=True)
class UsesSpent(CombatantEvent, frozen=True):
    """A limited use was spent: a spell slot, a use, a recharge, a legendary action."""

    use_key: str
    what: str
    left: int
    maximum: int

    @property
    def journal_key(self) -> str:
        """Return the journal key for a spell slot or for another use."""
        return "journal.slot_spent" if self.use_key.startswith("slots") else "journal.supply_spent"

    @property
    def level(self) -> str:
        """The level of a spell slot."""
        return self.use_key.partition(".")[2]


@journal(
    "journal.damage",
    kind="harm",
    who="target",
    before="hp_before",
    after="hp_after",
    dealt="dealt_words",
    absorbed="absorbed",
)
class DamageTaken(Event, frozen=True):
    """A combatant took damage: the amounts dealt by type, the adjustments, and the hit points before and after.

    `critical`: it was a critical hit. `by` is the combatant who dealt the damage, or empty.
    """

    target: CombatantId
    dealt: tuple[tuple[str, int], ...]
    taken: int
    hp_before: int
    hp_after: int
    temp_before: int = 0
    temp_after: int = 0
    source: str = ""
    why: tuple[DamageAdjustment, ...] = ()
    roll: Roll | None = None
    critical: bool = False
    by: CombatantId = ""

    @property
    def journal_key(self) -> str:
        """Return the journal key, which depends on the damage taken and absorbed, the source and a critical hit."""
        absorbed = self.temp_before != self.temp_after
        as_dealt = len(self.dealt) == 1 and self.dealt[0][1] == self.taken and not self._reasons
        key = "journal.damage" if self.taken else "journal.damage_none"
        if self.taken and as_dealt:
            key = "journal.damage_as_dealt"
        return key + "_absorbed" * absorbed + "_from" * bool(self.source) + "_critical" * self.critical

    @property
    def dealt_words(self) -> str:
        """The damage dealt by type, with the reasons for adjustments. They are listed by type if they differ."""
        parts = [f"{amount} <damage.{kind}>" if kind else str(amount) for kind, amount in self.dealt]
        by_type = [_reasons(self.why, kind) for kind, _ in self.dealt]
        if len(set(by_type)) > 1:
            parts = [", ".join((part, *reasons)) for part, reasons in zip(parts, by_type, strict=True)]
            reasons, dealt = _reasons(self.why, ""), "; ".join(parts)
        else:
            reasons, dealt = self._reasons, " + ".join(parts)
        return f"{dealt} ({', '.join(reasons)})" if reasons and not self.taken else ", ".join((dealt, *reasons))

    @property
    def _reasons(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(_reason(each) for each in self.why if each.reason != "why.temporary"))

    @property
    def absorbed(self) -> int:
        """The damage absorbed by temporary hit points."""
        return self.temp_before - self.temp_after


def _reasons(why: Iterable[DamageAdjustment], kind: str) -> tuple[str, ...]:
    """Return the texts for the adjustments to damage of one type."""
    return tuple(_reason(each) for each in why if each.kind == kind and each.reason != "why.temporary")


def _reason(adjustment: DamageAdjustment) -> str:
    """Return the text for an adjustment, with its amount unless it is a fraction or multiple of the damage."""
    before, after, by = adjustment.before, adjustment.after, adjustment.after - adjustment.before
    reason = f"<{adjustment.reason}>" if adjustment.reason.startswith("why.") else adjustment.reason
    if adjustment.reason == "why.critical":
        times = after // before if before else 2
        return "<why.doubled>" if times == 2 else f"× {times}"
    if adjustment.reason == "why.critical_dice":
        return f"{signed_text(by)} {reason}"
    is_flat = adjustment.reason in FLAT_ADJUSTMENTS
    if after <= 0 or (not is_flat and after in (before * 2, before // 2, (before + 1) // 2)):
        return reason
    return f"{reason} {abs(by) if is_flat else signed_text(by)}"


@journal("journal.dropped", kind="harm", bookkeeping=True)
class DroppedToZero(CombatantEvent, frozen=True):
    """A combatant dropped to 0 hit points, or to negative hit points (`hp`) in games that have them."""

    hp: int = 0


@journal("journal.hit_points_set", when={"temp_hp": "journal.hit_points_set_with"}, temp="temp_hp")
class HitPointsSet(CombatantEvent, frozen=True):
    """Hit points were corrected by hand, or set by a rule."""

    hp: int
    temp_hp: int
    hp_max: int


@journal("journal.effect_gained", kind="warn", who="target", what="name", until="until", detail="detail")
class EffectGained(Event, frozen=True):
    """An effect began. `valued`: its value is its strength. `skip` is the number of `ends` moments to skip first.

    `whose` is the combatant whose turn it ends with, and `by` the combatant who caused it. `on` is the object of
    concentration, `damage` the persistent damage, and `rounds` the duration. `save` and `dc` are the save to end it, and
    `lasts` the longest time for which it lasts, as text.
    """

    target: CombatantId
    name: ConditionId
    value: int = 0
    ends: str = ""
    source: str = ""
    valued: bool = False
    skip: int = 0
    by: CombatantId = ""
    on: str = ""
    damage: str = ""
    whose: CombatantId = ""
    rounds: int = 0
    save: str = ""
    dc: int = 0
    lasts: str = ""

    @property
    def journal_key(self) -> str:
        """Return the journal key, which depends on the effect's end and on whether it has a strength."""
        later = self.skip and not self._ends_next_turn
        until = "" if self.ends in ("", "never") else "_until_later" if later else "_until"
        if not until and self.lasts:
            until = "_lasts_save" if self.save else "_lasts"
        elif not until and (self.rounds or self.save):
            until = "_rounds" if self.rounds else "_save"
        return "journal.effect_gained" + until + ("_at" if self.valued else "")

    @property
    def journal_joins(self) -> tuple[str, ...]:
        """The parameters that can form a list when lines are merged. Conditions with a strength have fewer."""
        return ("who",) if self.valued else ("what", "who")

    @property
    def until(self) -> str:
        """The word key of the moment at which the effect ends."""
        if self.whose and self.ends in ("turn-start", "turn-end"):
            owner = "own" if self.whose == self.target else "of"
            return f"<ends.{owner}-{self.ends}{'-next' if self._ends_next_turn else ''}>"
        return f"<ends.{self.ends}>"

    @property
    def _ends_next_turn(self) -> bool:
        return bool(self.whose) and (self.ends, self.skip) == ("turn-end", 1)

    @property
    def detail(self) -> str:
        """The persistent damage, or the word key of the source or object, or an empty string."""
        return self.damage or ("<journal.effect_by>" if self.by else "<journal.effect_on>" if self.on else "")


@journal("journal.effect_ended", who="target", what="name", detail="detail", joins=("what", "who"))
class EffectEnded(Event, frozen=True):
    """An effect ended. `on` is the object of concentration, `damage` the persistent damage."""

    target: CombatantId
    name: ConditionId
    on: str = ""
    damage: str = ""

    @property
    def detail(self) -> str:
        """The persistent damage, or the word key of the object of concentration, or an empty string."""
        return self.damage or ("<journal.effect_on>" if self.on else "")


@journal("journal.effect_used", when={"left": "journal.effect_used_left"}, what="name", detail="detail")
class EffectUsed(CombatantEvent, frozen=True):
    """A roll used up one use of an effect. `dice` are its dice with their faces, and `left` the remaining uses."""

    name: ConditionId
    dice: str = ""
    left: int = 0

    @property
    def detail(self) -> str:
        """The dice in brackets, after a space, or an empty string."""
        return f" ({self.dice})" if self.dice else ""


@journal("journal.unaffected")
class Unaffected(CombatantEvent, frozen=True):
    """A combatant was unaffected, for a reason (a word key)."""

    what: str
    reason: WordKey


@journal("journal.feature_ready", kind="world")
class FeatureReady(CombatantEvent, frozen=True):
    """A combatant's feature can be used again, because it is recharged or has rested."""

    feature: str


@journal("journal.track_set", kind="warn")
class TrackSet(CombatantEvent, frozen=True):
    """A track, such as fatigue, changed. `how` is `lapsed` or `refilled` for the resources of a turn."""

    track: TrackName
    before: int
    after: int
    how: str = ""

    @property
    def journal_key(self) -> str:
        """Return the journal key, which depends on `how`, or on whether the value changed if `how` is empty."""
        if self.how:
            return f"journal.track_{self.how}"
        return "journal.track_stays" if self.before == self.after else "journal.track_set"


@journal("journal.healed", kind="heal", who="target", before="hp_before", after="hp_after", gained="gained")
class Healed(Event, frozen=True):
    """Hit points were restored. `amount` can exceed the maximum. `by` is the healer."""

    target: CombatantId
    amount: int
    hp_before: int
    hp_after: int
    source: str = ""
    by: CombatantId = ""

    @property
    def journal_key(self) -> str:
        """Return the journal key, which depends on whether hit points were gained and whether there is a source."""
        return ("journal.healed" if self.gained else "journal.healed_nothing") + "_from" * bool(self.source)

    @property
    def gained(self) -> int:
        """The hit points gained."""
        return self.hp_after - self.hp_before


@journal("journal.stat_block_changed", kind="warn", what="creature", before="earlier")
class StatBlockChanged(CombatantEvent, frozen=True):
    """A combatant changed to another stat block (by name) and its hit points."""

    creature: str
    earlier: str
    hp: int
    hp_max: int
