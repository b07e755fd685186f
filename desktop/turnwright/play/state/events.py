"""Events of changes to single records: rolls, relations, resources, uses, damage, effects, tracks."""

from __future__ import annotations

from collections.abc import Iterable

from turnwright.dice.roll import Roll
from turnwright.encounter.field_specs import CombatantId, CombatantIds, ConditionId, ResourceId, TrackName, WordKey
from turnwright.play.kernel.events import DamageAdjustment, Event, journal
from turnwright.rules.word_keys import signed_text

DAMAGE_PURPOSES = ("ask.damage", "ask.critical_dice")
FLAT_ADJUSTMENTS = ("why.weak_to", "why.resists")


@journal("journal.rolled", kind="roll", total="roll", degree="degree_word")
class Rolled(Event, frozen=True):
    """A combatant (or, with `who` empty, the game master) rolled. `dc` 0: against no difficulty class, `passed` None.

    `degree` is the degree of success, in games that have more than success and failure. In a contest `dc` is the total
    of the `opponent`. The line of damage is left to what is taken of it, which holds the roll too.
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
        """Return the key by what the roll came to, by who rolled, and by whether the figure is known."""
        known = "_unsaid" if self.roll.total is None and self.passed is not None else ""
        known = known or "_contest" * bool(self.opponent) or "_open" * (not self.dc and not self.opponent)
        if self.degree:
            return f"journal.rolled_degree{known}"
        if self.passed is not None:
            return f"journal.rolled_{'passed' if self.passed else 'failed'}{known}"
        return "journal.rolled" if self.who else "journal.rolled_nobody" if self.detail else "journal.rolled_alone"

    @property
    def is_bookkeeping(self) -> bool:
        """Whether it is damage: the line of what is taken of it says so."""
        return self.bookkeeping or self.purpose in DAMAGE_PURPOSES

    @property
    def degree_word(self) -> str:
        """The word key of the degree of success."""
        return f"<degree.{self.degree}>"


@journal("journal.near_said_nobody", when={"near": "journal.near_said"})
class NearSaid(Event, frozen=True):
    """A person entered which combatants are within so many feet of another, where that was unknown."""

    who: CombatantId
    near: CombatantIds
    feet: int


@journal("journal.effects_held", when={"asked": "journal.effects_asked"}, kind="warn")
class UsualEffectsHeld(Event, frozen=True):
    """The usual effects of a condition hold unasked for the rest of the encounter, or are `asked` about again."""

    condition: ConditionId
    asked: bool = False


@journal("journal.skipped_alone", kind="roll", joins=("who",))
class Skipped(Event, frozen=True):
    """A roll or choice was passed over."""

    purpose: WordKey
    who: CombatantId = ""
    detail: str = ""

    @property
    def journal_key(self) -> str:
        """Return the key by whose it was; of a save that `detail` calls for, one of its own."""
        if self.purpose == "ask.use":
            return "journal.skipped_use"
        if self.purpose == "ask.due_note":
            return "journal.skipped_reminder" if self.who else "journal.skipped_own_reminder"
        if self.who and self.purpose == "ask.save" and not self.detail.startswith("<"):
            return "journal.skipped_save"
        return "journal.skipped" if self.who else "journal.skipped_nobody" if self.detail else "journal.skipped_alone"


@journal("journal.parted", bookkeeping=True)
class RelationCleared(Event, frozen=True, tag="Parted"):
    """A combatant moved: facts entered about how they stand to these others are unknown again."""

    who: CombatantId
    others: CombatantIds


@journal("journal.supplied", figure="figure_words")
class StatSet(Event, frozen=True, tag="Supplied", rename={"stat": "figure"}):
    """A number that a stat block is missing was supplied."""

    who: CombatantId
    stat: str
    value: int

    @property
    def figure_words(self) -> str:
        """The number's name, of a passive score with its skill."""
        name, _, skill = self.stat.partition(".")
        return f"<figure.{name}> (<skill.{skill}>)" if skill else f"<figure.{name}>"


@journal("journal.acted", action="action_or_note", foe="about", cost="cost_words")
class ActionTaken(Event, frozen=True, tag="Acted"):
    """A combatant acted at a cost (empty: none), perhaps on targets, or concerning another combatant (`about`).

    `price` is how much of the resource it cost, where a turn has more than one of it.
    """

    who: CombatantId
    action: str
    cost: ResourceId = ""
    note: str = ""
    targets: CombatantIds = ()
    about: CombatantId = ""
    price: int = 0

    @property
    def cost_words(self) -> str:
        """The resource, with how much of it."""
        name = f"<{'resource' if self.price > 1 else 'resource-one'}.{self.cost}>"
        return f"{self.price} {name}" if self.price else name

    @property
    def journal_key(self) -> str:
        """Return the key by what is known of the action: its name, cost, targets and note."""
        if not self.action and not self.note:
            return "journal.spent_untold"
        key = "journal.acted" if self.action else "journal.spent"
        key += "" if self.cost else "_free"
        key += "_on" if self.targets else ""
        key += "_about" if self.targets and self.about else ""
        return key + ("_note" if self.action and self.note else "")

    @property
    def action_or_note(self) -> str:
        """The action's name, or else the note."""
        return self.action or self.note


@journal("journal.regained_so_many")
class ResourceRestored(Event, frozen=True, tag="Regained"):
    """A resource was restored; by a conversion of points from `before` to `after`."""

    who: CombatantId
    resource: ResourceId
    before: int = 0
    after: int | None = None

    @property
    def journal_key(self) -> str:
        """Return the key by whether it is counted."""
        return "journal.regained" if self.after is None else "journal.regained_so_many"


@journal("journal.supply_spent", most="maximum", level="level", bookkeeping=True)
class UsesSpent(Event, frozen=True, tag="SupplySpent", rename={"use_key": "supply", "maximum": "most"}):
    """A limited use was spent: a spell slot, a use, a recharge, a legendary action."""

    who: CombatantId
    use_key: str
    what: str
    left: int
    maximum: int

    @property
    def journal_key(self) -> str:
        """Return the key of a spell slot or of another use."""
        return "journal.slot_spent" if self.use_key.startswith("slots") else "journal.supply_spent"

    @property
    def level(self) -> str:
        """The level of a spell slot."""
        return self.use_key.partition(".")[2]


@journal("journal.supply_set", kind="warn", level="level")
class UsesSet(Event, frozen=True, tag="SupplySet", rename={"use_key": "supply"}):
    """The remaining uses were set by hand; `what` is the feature's name, empty for slots and legendary actions."""

    who: CombatantId
    use_key: str
    what: str
    before: int
    left: int

    @property
    def journal_key(self) -> str:
        """Return the key of spell slots, of legendary actions or of other uses."""
        keys = {"slots": "journal.slots_set", "legendary": "journal.legendary_set"}
        return keys.get(self.use_key.partition(".")[0], "journal.supply_set")

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
    """A combatant took damage: what was dealt by type, how it was adjusted, and the hit points before and after.

    `critical`: it came from a critical hit. `by` is the combatant who dealt it, empty where none did.
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
        """Return the key by whether all that was dealt was taken, what absorbed it, and where it came from."""
        absorbed = self.temp_before != self.temp_after
        as_dealt = len(self.dealt) == 1 and self.dealt[0][1] == self.taken and not self._reasons
        key = "journal.damage" if self.taken else "journal.damage_none"
        if self.taken and as_dealt:
            key = "journal.damage_as_dealt"
        return key + "_absorbed" * absorbed + "_from" * bool(self.source) + "_critical" * self.critical

    @property
    def dealt_words(self) -> str:
        """What was dealt by type, and why more or less of it was taken; by type, where the reasons differ."""
        parts = [f"{amount} <damage.{kind}>" if kind else str(amount) for kind, amount in self.dealt]
        own = [_reasons(self.why, kind) for kind, _ in self.dealt]
        if len(set(own)) > 1:
            parts = [", ".join((part, *reasons)) for part, reasons in zip(parts, own, strict=True)]
            reasons, dealt = _reasons(self.why, ""), "; ".join(parts)
        else:
            reasons, dealt = self._reasons, " + ".join(parts)
        if reasons and not self.taken:
            return f"{dealt} ({', '.join(reasons)})"
        return ", ".join((dealt, *reasons))

    @property
    def _reasons(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(_reason(one) for one in self.why if one.reason != "why.temporary"))

    @property
    def absorbed(self) -> int:
        """What temporary hit points absorbed."""
        return self.temp_before - self.temp_after


def _reasons(why: Iterable[DamageAdjustment], kind: str) -> tuple[str, ...]:
    """Return the words of the adjustments to damage of one type."""
    return tuple(_reason(one) for one in why if one.kind == kind and one.reason != "why.temporary")


def _reason(one: DamageAdjustment) -> str:
    """Return the words of an adjustment, with its amount where that isn't a share of what there was."""
    reason, by = f"<{one.reason}>" if one.reason.startswith("why.") else one.reason, one.after - one.before
    if one.reason == "why.critical":
        times = one.after // one.before if one.before else 2
        return "<why.doubled>" if times == 2 else f"× {times}"
    if one.reason == "why.critical_dice":
        return f"{signed_text(by)} {reason}"
    is_flat = one.reason in FLAT_ADJUSTMENTS
    is_share = not is_flat and one.after in (one.before * 2, one.before // 2, (one.before + 1) // 2)
    if one.after <= 0 or is_share:
        return reason
    return f"{reason} {abs(by) if is_flat else signed_text(by)}"


@journal("journal.dropped", kind="harm", bookkeeping=True)
class DroppedToZero(Event, frozen=True):
    """A combatant dropped to 0 hit points, or below where the game goes there: `hp`."""

    who: CombatantId
    hp: int = 0


@journal("journal.hit_points_set", when={"temp_hp": "journal.hit_points_set_with"}, temp="temp_hp")
class HitPointsSet(Event, frozen=True):
    """Hit points were corrected by hand."""

    who: CombatantId
    hp: int
    temp_hp: int
    hp_max: int


@journal("journal.effect_gained", kind="warn", who="target", what="name", until="until", detail="detail")
class EffectGained(Event, frozen=True):
    """An effect began. `valued`: its value is its strength; `skip`: so many of the moments it `ends` at pass first.

    `whose` is the combatant whose turn it ends with.

    `by` is the combatant it comes from, `on` what is concentrated on, `damage` the persistent damage; `rounds` are how
    long it lasts, `save` with its `dc` is what ends it.
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

    @property
    def journal_key(self) -> str:
        """Return the key by whether the effect has an end, near or later, and a strength."""
        later = self.skip and not self._ends_next_turn
        until = "" if self.ends in ("", "never") else "_until_later" if later else "_until"
        if not until and (self.rounds or self.save):
            until = "_rounds" if self.rounds else "_save"
        return "journal.effect_gained" + until + ("_at" if self.valued else "")

    @property
    def journal_joins(self) -> tuple[str, ...]:
        """The parameters of which lines in a row make a list: not conditions with a strength of their own."""
        return ("who",) if self.valued else ("what", "who")

    @property
    def until(self) -> str:
        """The word key of the end."""
        if self.whose and self.ends in ("turn-start", "turn-end"):
            whose = "own" if self.whose == self.target else "of"
            return f"<ends.{whose}-{self.ends}{'-next' if self._ends_next_turn else ''}>"
        return f"<ends.{self.ends}>"

    @property
    def _ends_next_turn(self) -> bool:
        return bool(self.whose) and (self.ends, self.skip) == ("turn-end", 1)

    @property
    def detail(self) -> str:
        """The persistent damage, or the word key of the origin or the object; empty for none."""
        return self.damage or ("<journal.effect_by>" if self.by else "<journal.effect_on>" if self.on else "")


@journal("journal.effect_ended", who="target", what="name", detail="detail", joins=("what", "who"))
class EffectEnded(Event, frozen=True):
    """An effect ended. `on` is what was concentrated on, `damage` the persistent damage."""

    target: CombatantId
    name: ConditionId
    on: str = ""
    damage: str = ""

    @property
    def detail(self) -> str:
        """The persistent damage, or the word key of what was concentrated on; empty for none."""
        return self.damage or ("<journal.effect_on>" if self.on else "")


@journal("journal.unaffected")
class Unaffected(Event, frozen=True):
    """A combatant was unaffected, for a reason (a word key)."""

    who: CombatantId
    what: str
    reason: WordKey


@journal("journal.track_set", kind="warn")
class TrackSet(Event, frozen=True):
    """A track, such as fatigue, changed: `how` is `lapsed` or `refilled` for what a turn has of a resource."""

    who: CombatantId
    track: TrackName
    before: int
    after: int
    how: str = ""

    @property
    def journal_key(self) -> str:
        """Return the key by whether it came to another value, and how."""
        if self.how:
            return f"journal.track_{self.how}"
        return "journal.track_stays" if self.before == self.after else "journal.track_set"


@journal(
    "journal.healed",
    kind="heal",
    who="target",
    before="hp_before",
    after="hp_after",
    gained="gained",
)
class Healed(Event, frozen=True):
    """Hit points were restored: `amount` was offered, limited by the maximum; `by` is the combatant who did it."""

    target: CombatantId
    amount: int
    hp_before: int
    hp_after: int
    source: str = ""
    by: CombatantId = ""

    @property
    def journal_key(self) -> str:
        """Return the key by whether anything was gained, and where it came from."""
        key = "journal.healed" if self.gained else "journal.healed_nothing"
        return key + "_from" * bool(self.source)

    @property
    def gained(self) -> int:
        """The hit points gained."""
        return self.hp_after - self.hp_before


@journal("journal.feature_ready", kind="world")
class FeatureReady(Event, frozen=True):
    """A feature of a combatant is ready for use again, by another one."""

    who: CombatantId
    feature: str
