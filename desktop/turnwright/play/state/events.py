"""Events of changes to single records: rolls, relations, resources, uses, damage, effects, tracks."""

from __future__ import annotations

from turnwright.dice.roll import Roll
from turnwright.encounter.field_specs import CombatantId, CombatantIds, ConditionId, ResourceId, TrackName, WordKey
from turnwright.play.kernel.events import DamageAdjustment, Event, journal


@journal("journal.rolled", kind="roll", total="roll", degree="degree_word")
class Rolled(Event, frozen=True):
    """A combatant (or, with `who` empty, the game master) rolled. `dc` 0: against no difficulty class, `passed` None.

    `degree` is the degree of success, in games that have more than success and failure.
    """

    purpose: WordKey
    roll: Roll
    who: CombatantId = ""
    detail: str = ""
    dc: int = 0
    passed: bool | None = None
    degree: str = ""

    @property
    def journal_key(self) -> str:
        """Return the key by what the roll came to, and by who rolled."""
        if self.degree:
            return "journal.rolled_degree"
        if self.passed is not None:
            return "journal.rolled_passed" if self.passed else "journal.rolled_failed"
        return "journal.rolled" if self.who else "journal.rolled_nobody" if self.detail else "journal.rolled_alone"

    @property
    def degree_word(self) -> str:
        """The word key of the degree of success."""
        return f"<degree.{self.degree}>"


@journal("journal.skipped_alone", kind="roll", when={"who": "journal.skipped", "detail": "journal.skipped_nobody"})
class Skipped(Event, frozen=True):
    """A roll or choice was passed over."""

    purpose: WordKey
    who: CombatantId = ""
    detail: str = ""


@journal("journal.parted")
class RelationCleared(Event, frozen=True, tag="Parted"):
    """A combatant moved: facts entered about how they stand to these others are unknown again."""

    who: CombatantId
    others: CombatantIds


@journal("journal.supplied", figure="stat")
class StatSet(Event, frozen=True, tag="Supplied", rename={"stat": "figure"}):
    """A number that a stat block is missing was supplied."""

    who: CombatantId
    stat: str
    value: int


@journal("journal.acted", action="action_or_note", foe="about")
class ActionTaken(Event, frozen=True, tag="Acted"):
    """A combatant acted at a cost (empty: none), perhaps on targets, or concerning another combatant (`about`)."""

    who: CombatantId
    action: str
    cost: ResourceId = ""
    note: str = ""
    targets: CombatantIds = ()
    about: CombatantId = ""

    @property
    def journal_key(self) -> str:
        """Return the key by what is known of the action: its name, cost, targets and note."""
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


@journal("journal.supply_spent", most="maximum", level="level")
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

    `critical`: it came from a critical hit.
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

    @property
    def journal_key(self) -> str:
        """Return the key by whether all that was dealt was taken, what absorbed it, and where it came from."""
        absorbed = self.temp_before != self.temp_after
        as_dealt = len(self.dealt) == 1 and self.dealt[0][1] == self.taken and not self._reasons
        key = "journal.damage" if self.taken else "journal.damage_none"
        if self.taken and as_dealt and not absorbed:
            key = "journal.damage_as_dealt"
        return key + "_absorbed" * absorbed + "_from" * bool(self.source) + "_critical" * self.critical

    @property
    def dealt_words(self) -> str:
        """What was dealt by type, and why more or less of it was taken."""
        dealt = " + ".join(f"{amount} <damage.{kind}>" if kind else str(amount) for kind, amount in self.dealt)
        reasons = ", ".join(self._reasons)
        return dealt if not reasons else f"{dealt}, {reasons}" if self.taken else f"{dealt} ({reasons})"

    @property
    def _reasons(self) -> tuple[str, ...]:
        told = ("why.temporary", "why.critical", "why.critical_dice") if self.critical else ("why.temporary",)
        reasons = (one.reason for one in self.why if one.reason not in told)
        return tuple(dict.fromkeys(f"<{reason}>" if reason.startswith("why.") else reason for reason in reasons))

    @property
    def absorbed(self) -> int:
        """What temporary hit points absorbed."""
        return self.temp_before - self.temp_after


@journal("journal.dropped", kind="harm")
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

    `by` is the combatant it comes from, `on` what is concentrated on, `damage` the persistent damage.
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

    @property
    def journal_key(self) -> str:
        """Return the key by whether the effect has an end, near or later, and a strength."""
        until = "" if self.ends in ("", "never") else "_until_later" if self.skip else "_until"
        return "journal.effect_gained" + until + ("_at" if self.valued else "")

    @property
    def until(self) -> str:
        """The word key of the end."""
        return f"<ends.{self.ends}>"

    @property
    def detail(self) -> str:
        """The persistent damage, or the word key of the origin or the object; empty for none."""
        return self.damage or ("<journal.effect_by>" if self.by else "<journal.effect_on>" if self.on else "")


@journal("journal.effect_ended", who="target", what="name")
class EffectEnded(Event, frozen=True):
    """An effect ended."""

    target: CombatantId
    name: ConditionId


@journal("journal.unaffected")
class Unaffected(Event, frozen=True):
    """A combatant was unaffected, for a reason (a word key)."""

    who: CombatantId
    what: str
    reason: WordKey


@journal("journal.track_set", kind="warn")
class TrackSet(Event, frozen=True):
    """A track, such as fatigue, changed."""

    who: CombatantId
    track: TrackName
    before: int
    after: int

    @property
    def journal_key(self) -> str:
        """Return the key by whether it came to another value."""
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
    """Hit points were restored: `amount` was offered, limited by the maximum."""

    target: CombatantId
    amount: int
    hp_before: int
    hp_after: int
    source: str = ""

    @property
    def journal_key(self) -> str:
        """Return the key by whether anything was gained, and where it came from."""
        key = "journal.healed" if self.gained else "journal.healed_nothing"
        return key + "_from" * bool(self.source)

    @property
    def gained(self) -> int:
        """The hit points gained."""
        return self.hp_after - self.hp_before
