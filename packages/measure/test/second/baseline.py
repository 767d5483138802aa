"""A second implementation of the baseline and performance rules, written from the words of the documentation alone.

It shares no code with the package, and it computes with whole fractions instead of floating point numbers, so that it
has no rounding of its own. M1 to M14 are the names of the rules. Instants are whole Unix seconds, and methods have the
members that the package documents. None is what is unknown.
"""

from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from fractions import Fraction
from zoneinfo import ZoneInfo

HOUR = 3600
MOST_MOVED_HOURS = 4
SEED_DAYS = 10
CELL = 30
FIVE_MINUTES = 300


def mean(values):
    """The mean of what is known; None if nothing is."""
    known = [value for value in values if value is not None]
    return sum(known, Fraction(0)) / len(known) if known else None


def exact(number):
    """A number of a JSON text as the decimal fraction that it was written as."""
    return Fraction(str(number))


# Load


@dataclass
class Load:
    """Cell k covers (seconds * (k - 1), seconds * k] of Unix time; a cell that is None or outside is a gap."""

    seconds: int
    first_cell: int
    values: list

    def at(self, cell):
        index = cell - self.first_cell
        return self.values[index] if 0 <= index < len(self.values) else None

    def between(self, start, end):
        """The cells of a period whose ends lie on the grid."""
        assert start % self.seconds == 0 and end % self.seconds == 0, "a period off the grid of the load"
        return [self.at(cell) for cell in range(start // self.seconds + 1, end // self.seconds + 1)]

    def interval(self, start, end):
        """The mean of an interval, if at least half of its cells are there."""
        cells = self.between(start, end)
        present = sum(1 for cell in cells if cell is not None)
        return mean(cells) if present * 2 >= len(cells) else None


# Local days


@dataclass(frozen=True)
class Interval:
    start: int
    end: int
    day: date
    slot: int


class LocalClock:
    """Cuts local days into intervals."""

    def __init__(self, timezone, seconds):
        self.zone = ZoneInfo(timezone)
        self.seconds = seconds
        self._days = {}

    def day_of(self, instant):
        """An instant belongs to the day that begins with it: midnight is the first of its day (M9)."""
        return datetime.fromtimestamp(instant, self.zone).date()

    def start_of(self, day):
        return int(datetime(day.year, day.month, day.day, tzinfo=self.zone).timestamp())

    def intervals_of(self, day):
        """M8: the boundaries are those of the local clock. A repeated hour has each of its slots twice, a missing one none."""
        if day in self._days:
            return self._days[day]
        instant, end = self.start_of(day), self.start_of(day + timedelta(days=1))
        intervals = []
        while instant < end:
            local = datetime.fromtimestamp(instant, self.zone)
            second = local.hour * HOUR + local.minute * 60 + local.second
            until = instant + self.seconds - second % self.seconds
            last = datetime.fromtimestamp(until - 1, self.zone)
            assert last.utcoffset() == local.utcoffset(), "the clock changes within an interval"
            intervals.append(Interval(instant, until, day, second // self.seconds))
            instant = until
        self._days[day] = intervals
        return intervals

    def intervals_touching(self, start, end):
        """Intervals that lie in a period at least in part."""
        found = []
        day = self.day_of(start)
        while self.start_of(day) < end:
            found += [each for each in self.intervals_of(day) if each.end > start and each.start < end]
            day += timedelta(days=1)
        return found

    def intervals_inside(self, start, end):
        """Intervals that lie entirely in a period."""
        return [each for each in self.intervals_touching(start, end) if each.start >= start and each.end <= end]


def day_type(day, holidays):
    if day in holidays:
        return "holiday"
    return {5: "saturday", 6: "sunday"}.get(day.weekday(), "weekday")


# A day of the look-back


@dataclass
class DayLoad:
    day: date
    slots: dict
    energy: Fraction
    missing: list  # slots without readings
    event_mean: Fraction = None


def day_load(load, clock, day, event_slots):
    by_slot = {}
    energy = Fraction(0)
    missing = []
    for interval in clock.intervals_of(day):
        kw = load.interval(interval.start, interval.end)
        if kw is None:
            missing.append(interval.slot)
            continue
        by_slot.setdefault(interval.slot, []).append(kw)
        energy += kw * clock.seconds / HOUR
    slots = {slot: mean(values) for slot, values in by_slot.items()}  # a repeated hour is averaged
    return DayLoad(day, slots, energy, missing, mean(slots.get(slot) for slot in event_slots))


# The pool


@dataclass
class Site:
    """What baselines of a site are computed from. `others`: periods of other dispatches."""

    load: Load
    timezone: str
    holidays: set = field(default_factory=set)
    event_days: set = field(default_factory=set)
    others: list = field(default_factory=list)
    recent: Load = None


@dataclass
class Dispatch:
    start: int
    end: int
    notification: int

    def anchor(self, name):
        """M4: an anchor is never later than the start, whatever was recorded afterwards."""
        return min(self.notification, self.start) if name == "notification" else self.start


@dataclass
class Wanted:
    """A local day that a baseline is wanted on. Its pool holds days before `before` alone, ranked by the mean over `slots`.

    `used`: the slots that a day of the pool must have readings in. `by_energy`: days are ranked by the energy of the whole day.
    """

    day: date
    before: date
    slots: list
    used: set = None
    by_energy: bool = False


def qualified_days(pool, site, clock, wanted):
    """Latest first, and apart from them those that only another dispatch keeps out. The look-back counts from the day itself."""
    day = wanted.before
    while day > wanted.day - timedelta(days=pool["lookback_days"]):
        day -= timedelta(days=1)
        if day_type(day, site.holidays) not in pool["day_types"]:
            continue
        load = day_load(site.load, clock, day, wanted.slots)
        whole = len(clock.intervals_of(day)) if wanted.by_energy else None
        if pool["exclude"]["incomplete"] and is_incomplete(load, wanted.used, whole):
            continue
        if load.event_mean is None:  # it cannot be ranked, whatever is to be excluded
            continue
        yield load, pool["exclude"]["event"] and day in site.event_days


def is_incomplete(load, used, whole):
    """G65: only what is used counts; where the energy of the whole day ranks it, it may lack an eighth of its intervals."""
    if whole is not None and len(load.missing) > Fraction(whole, 8):
        return True
    return any(slot in used for slot in load.missing)


def with_filled_energy(days, clock):
    """An interval without load counts as the mean of the pool at that time of day; as nothing if no day has load there."""
    filled = []
    for each in days:
        there = [mean(other.slots.get(slot) for other in days) or Fraction(0) for slot in each.missing]
        filled.append(replace(each, energy=each.energy + sum(there, Fraction(0)) * clock.seconds / HOUR))
    return filled


def without_low_usage(days, share):
    """Days whose mean over the event period is not below the share of the mean of all of them.

    A share of a mean that is not above zero says nothing about usage.
    """
    level = mean(each.event_mean for each in days)
    if share is None or level is None or level <= 0:
        return days
    return [each for each in days if each.event_mean is None or each.event_mean >= exact(share) * level]


def gather_pool(pool, site, clock, wanted):
    """The pool, latest first, and the days that fill it."""
    days, with_event = [], []
    for load, has_event in qualified_days(pool, site, clock, wanted):
        if has_event:
            with_event.append(load)
            continue
        days.append(load)
        if len(days) == pool["days"]:
            days = without_low_usage(days, pool["exclude"]["low_usage"])  # earlier days replace them
        if len(days) == pool["days"]:
            break
    days = without_low_usage_in_short_pool(days, pool)
    filled = []
    if pool.get("fill") == "highest_event_days" and len(days) < pool["min_days"]:
        # M14: a short pool is filled up to its least size, from the highest event days.
        ranked = in_order(with_event, lambda each: each.event_mean)
        filled = ranked[: pool["min_days"] - len(days)]
        days = sorted(days + filled, key=lambda each: each.day, reverse=True)
    return days, filled


def without_low_usage_in_short_pool(days, pool):
    """No day replaces those of low usage; the others have another mean, by which they are looked at again."""
    while True:
        left = without_low_usage(days, pool["exclude"]["low_usage"])
        if len(left) == len(days):
            return days
        days = left


# Picking


def in_order(days, rank):
    """Highest first; ties go to the more recent day; unknown ranks come last."""

    def key(each):
        value = rank(each)
        return (value is None, -(value or 0), -each.day.toordinal())

    return sorted(days, key=key)


def take(pick, ranked):
    if pick["kind"] == "high":
        return ranked[: pick["count"]]
    return ranked[pick["drop_highest"] : len(ranked) - pick["drop_lowest"]]


def squared_distance(each, today):
    """M13: the sum over the intervals, not their mean; so a day that lacks one of them cannot be compared."""
    if not today or any(slot not in each.slots for slot, _ in today):
        return None
    return sum(((kw - each.slots[slot]) ** 2 for slot, kw in today), Fraction(0))


def match_window(pick, site, clock, dispatch):
    """Slot and load of the intervals of today that days are compared in; those of the dispatch do not count (M13)."""
    inside = clock.intervals_inside(*wanted_window(pick["window"], dispatch))
    free = [each for each in inside if each.end <= dispatch.start or each.start >= dispatch.end]
    loads = [(each.slot, site.load.interval(each.start, each.end)) for each in free]
    return [(slot, kw) for slot, kw in loads if kw is not None]


@dataclass
class Picked:
    days: list  # None if each interval has its own
    for_slot: object
    distances: dict = None


def pick_days(pick, pool, site, clock, dispatch):
    if pick["kind"] == "all":
        return Picked(pool, lambda _slot: pool)
    if pick["kind"] == "match":
        today = match_window(pick, site, clock, dispatch)
        distances = {each.day: squared_distance(each, today) for each in pool}
        comparable = [each for each in pool if distances[each.day] is not None]
        nearest = in_order(comparable, lambda each: -distances[each.day])[: pick["count"]]
        return Picked(nearest, lambda _slot: nearest, distances)
    if pick["rank_by"] == "per_interval":

        def for_slot(slot):
            there = [each for each in pool if slot in each.slots]
            return take(pick, in_order(there, lambda each: each.slots[slot]))

        return Picked(None, for_slot)
    rank = {"event_mean": lambda each: each.event_mean, "daily_energy": lambda each: each.energy}[pick["rank_by"]]
    taken = take(pick, in_order(pool, rank))
    return Picked(taken, lambda _slot: taken)


# Averaging


def average(how, days, slot):
    """Of the days that have load in the interval."""
    known = [each.slots[slot] for each in sorted(days, key=lambda each: each.day) if slot in each.slots]
    if how["kind"] == "mean":
        return mean(known)
    # M7: the plain mean of the oldest days, then B = (1 - alpha) B + alpha A, for each interval.
    alpha, seed = exact(how["alpha"]), how.get("seed_days", SEED_DAYS)
    value = mean(known[:seed])
    for kw in known[seed:]:
        value = (1 - alpha) * value + alpha * kw
    return value


# Adjusting


@dataclass
class Adjusted:
    kind: str
    start: int
    end: int
    moved_hours: int
    raw: Fraction
    applied: Fraction
    is_applied: bool

    @property
    def window(self):
        return self.start, self.end


def wanted_window(window, dispatch):
    anchor = dispatch.anchor(window["anchor"])
    return anchor - window["from_minutes_before"] * 60, anchor - window["to_minutes_before"] * 60


def free_window(window, dispatch, others):
    """M3: moved earlier, hour by hour, past other dispatches and the hour after each; None if four hours do not do."""
    start, end = wanted_window(window, dispatch)
    for hours in range(MOST_MOVED_HOURS + 1):
        from_, to = start - hours * HOUR, end - hours * HOUR
        if not any(from_ < other_end + HOUR and to > other_start for other_start, other_end in others):
            return from_, to, hours
    return None


def adjustment(adjust, site, clock, dispatch, baseline_in):
    """`baseline_in` gives the kW of an interval before any adjustment."""
    kind = adjust["kind"]
    nothing = Fraction(0) if kind == "additive" else Fraction(1)
    window = free_window(adjust["window"], dispatch, site.others)
    if window is None:
        return Adjusted(kind, None, None, None, None, nothing, False)
    start, end, hours = window
    inside = clock.intervals_inside(start, end)
    pairs = [(site.load.interval(each.start, each.end), baseline_in(each)) for each in inside]
    both = [(actual, expected) for actual, expected in pairs if actual is not None and expected is not None]
    if not both or len(both) * 2 < len(inside):
        return Adjusted(kind, start, end, hours, None, nothing, False)
    actual, expected = mean(pair[0] for pair in both), mean(pair[1] for pair in both)
    if kind == "multiplicative" and (expected <= 0 or actual < 0):
        return Adjusted(kind, start, end, hours, None, nothing, False)
    raw = actual - expected if kind == "additive" else actual / expected
    applied = raw
    if adjust["lowest"] is not None:
        applied = max(applied, exact(adjust["lowest"]))
    if adjust["highest"] is not None:
        applied = min(applied, exact(adjust["highest"]))
    return Adjusted(kind, start, end, hours, raw, applied, True)


# Baselines


@dataclass
class DayResult:
    """How one local day got its baseline."""

    day: date
    pool: list
    filled: list
    picked: Picked
    enough: bool
    has_rule: bool = True


@dataclass
class Result:
    state: str
    curve: list = field(default_factory=list)  # (Interval or period, kW)
    days: list = field(default_factory=list)  # DayResult
    adjusted: Adjusted = None
    fallback: bool = False
    window: tuple = None
    window_intervals: list = field(default_factory=list)


def baseline_of(method, site, dispatch, curve):
    """The baseline in the intervals of the period `curve`."""
    if method["kind"] == "days":
        return days_baseline(method, site, dispatch, curve)
    if method["kind"] == "meter_before":
        return meter_before(method, site, dispatch, curve)
    if method["kind"] == "flat":
        return held(exact(method["kw"]), curve)
    # M12: a firm service level needs no baseline; a reduction is defined only against a reference.
    if method["reference_kw"] is None:
        return Result("none")
    return held(exact(method["reference_kw"]), curve)


def held(kw, curve, window=None):
    return Result("found", [(Interval(curve[0], curve[1], None, None), kw)], window=window)


def meter_before(method, site, dispatch, curve):
    """The mean of the known cells of the last seconds before the anchor."""
    load = site.recent or site.load
    end = dispatch.anchor(method["anchor"])
    start = end - method["seconds"]
    kw = mean(load.between(start, end))
    return Result("none", window=(start, end)) if kw is None else held(kw, curve, (start, end))


def days_baseline(method, site, dispatch, curve):
    clock = LocalClock(site.timezone, method["interval_seconds"])
    first_day = clock.day_of(dispatch.start)
    if dispatch.end is None:
        # An open end counts as the end of the last local day of the curve.
        last_day = clock.day_of(curve[1] - 1)
        dispatch = Dispatch(dispatch.start, clock.start_of(last_day + timedelta(days=1)), dispatch.notification)
    intervals = clock.intervals_touching(*curve)
    during = clock.intervals_touching(dispatch.start, dispatch.end)
    adjusts = method["adjust"]["kind"] != "none"
    in_window = window_intervals(method["adjust"]["window"], site, clock, dispatch) if adjusts else []
    # M9: each local day has its own type, its own pool and its own choice. The dispatch's own days are in no pool.
    by_day = {first_day: []}
    for each in during:
        by_day.setdefault(each.day, []).append(each.slot)
    around = [*intervals, *in_window]
    own = {
        day: day_baseline(method, site, clock, dispatch, Wanted(day, first_day, sorted(set(slots))), around)
        for day, slots in by_day.items()
    }
    first = own[first_day]
    if not first.enough:
        result = Result("none", days=[each for each in own.values() if each.has_rule])
        if method["fallback"] is None or not first.has_rule:
            return result
        result = meter_before(method["fallback"], site, dispatch, curve)
        result.fallback = True
        return result
    # So has a day before or after the dispatch, ranked by the intervals in which its baseline is wanted.
    others = {}
    for each in around:
        if each.day not in own:
            others.setdefault(each.day, set()).add(each.slot)
    days = own | {
        day: day_baseline(method, site, clock, dispatch, Wanted(day, min(day, first_day), sorted(slots)), around)
        for day, slots in others.items()
    }
    results = [days[day] for day in sorted(days)]

    def unadjusted(interval):
        found = days[interval.day]
        return average(method["average"], found.picked.for_slot(interval.slot), interval.slot) if found.enough else None

    if all(unadjusted(each) is None for each in during):
        return Result("none", days=results)
    adjusted = adjustment(method["adjust"], site, clock, dispatch, unadjusted) if adjusts else None
    values = [(each, final(method, unadjusted(each), adjusted)) for each in intervals]
    return Result("found", values, results, adjusted, window_intervals=in_window)


def window_intervals(window, site, clock, dispatch):
    """M13: the intervals of the window; where it was not free, those that it was to have."""
    free = free_window(window, dispatch, site.others)
    return clock.intervals_inside(*(free[:2] if free else wanted_window(window, dispatch)))


def day_baseline(method, site, clock, dispatch, wanted, around):
    """By the first rule for the type of the day. `around`: the intervals of the curve and of the window."""
    its_type = day_type(wanted.day, site.holidays)
    rule = next((each for each in method["rules"] if its_type in each["pool"]["day_types"]), None)
    if rule is None:
        return DayResult(wanted.day, [], [], None, enough=False, has_rule=False)
    wanted.used = used_slots(rule["pick"], site, clock, dispatch, wanted, around)
    wanted.by_energy = rule["pick"].get("rank_by") == "daily_energy"
    pool, filled = gather_pool(rule["pool"], site, clock, wanted)
    if wanted.by_energy:
        pool = with_filled_energy(pool, clock)
    enough = len(pool) >= rule["pool"]["min_days"]
    picked = pick_days(rule["pick"], pool, site, clock, dispatch) if enough else None
    return DayResult(wanted.day, pool, filled, picked, enough)


def used_slots(pick, site, clock, dispatch, wanted, around):
    used = {*wanted.slots, *(each.slot for each in around if each.day == wanted.day)}
    if pick["kind"] == "match":
        used |= {each.slot for each in clock.intervals_inside(*wanted_window(pick["window"], dispatch))}
    return used


def is_too_new(method, dispatch, timezone, holidays, enrolled):
    """G64: fewer whole days since the enrolment than the method needs."""
    if method["kind"] == "meter_before":
        return enrolled > dispatch.anchor(method["anchor"]) - method["seconds"]
    if method["kind"] != "days":
        return False
    clock = LocalClock(timezone, method["interval_seconds"])
    first_day = clock.day_of(dispatch.start)
    rules = [each["pool"] for each in method["rules"] if day_type(first_day, holidays) in each["pool"]["day_types"]]
    if not rules:
        return False
    days = [first_day - timedelta(days=back + 1) for back in range(rules[0]["lookback_days"])]
    since = [day for day in days if day > clock.day_of(enrolled) and day_type(day, holidays) in rules[0]["day_types"]]
    return len(since) < rules[0]["min_days"]


def final(method, kw, adjusted):
    if kw is None:
        return None
    if adjusted is not None:
        kw = kw + adjusted.applied if adjusted.kind == "additive" else kw * adjusted.applied
    return kw if method["allow_negative"] else max(kw, Fraction(0))


# Meters and event days


def measured_meters(meters, named):
    """M1: the named meters; else those at the connection, which hold the rest already; else all."""
    if named is not None:
        return [each for each in meters if each["id"] in named]
    at_connection = [each for each in meters if each["assetType"] == "poi"]
    return at_connection or meters


def reports(readings, start):
    """M2: a reading in the 7 days that end with the start, to the second."""
    return any(start - 7 * 86400 < reading <= start for reading in readings)


def event_days(dispatches, own, timezone, tests_are_events=True):
    """M5 and M6: local days with another dispatch; self-made tests are none, nor what was voided or never started."""
    clock = LocalClock(timezone, HOUR)
    days = set()
    for each in dispatches:
        if each["id"] == own or each["kind"] == "self_test" or each["voided"]:
            continue
        if each["kind"] == "operator_test" and not tests_are_events:
            continue
        day = clock.day_of(each["start"])
        while clock.start_of(day) < each["end"]:
            days.add(day)
            day += timedelta(days=1)
    return days


# Performance


def cells_by_midpoint(start, end):
    """The 30 s cells whose midpoints lie after the start and not after the end."""
    first = (start - CELL // 2) // CELL + 2
    return range(first, (end + CELL // 2) // CELL + 1)


def due_at(cell, reading_seconds):
    """M11: when the reading that may bring a cell is over at the latest: the cell may be the first of its interval."""
    return (cell - 1) * CELL + max(CELL, reading_seconds)


def due_cells(cells, load, now, reading_seconds):
    """What is not due yet is not missing, but whatever has come counts, and so does all that should have come before it."""
    newest = newest_of(cells, load)
    return [cell for cell in cells if due_at(cell, reading_seconds) <= now or (newest is not None and cell <= newest)]


def newest_of(cells, load):
    return max((cell for cell in cells if load.at(cell) is not None), default=None)


def summed(cells, commitment, level, load_at, baseline_at):
    """Sums over the cells that are there; nothing is filled."""
    loads = [load_at(cell) for cell in cells]
    pairs = [(kw, baseline_at(cell)) for cell, kw in zip(cells, loads)]
    reductions = [baseline - kw for kw, baseline in pairs if kw is not None and baseline is not None]
    known = [kw for kw in loads if kw is not None]
    # M12: a site with a firm service level is judged by its load alone.
    present = len(reductions) if level is None else len(known)
    average_reduction = mean(reductions)

    def energy(values):
        """M10: unknown without cells, and not zero."""
        return sum(values, Fraction(0)) * CELL / HOUR if reductions else None

    has_commitment = commitment is not None
    complying = [kw for kw in known if level is not None and kw <= level]
    return {
        "cellsExpected": len(cells),
        "cellsPresent": present,
        "coverage": Fraction(present, len(cells)) if len(cells) else None,
        "meanReductionKw": average_reduction,
        "performance": average_reduction / commitment if commitment and average_reduction is not None else None,
        "deliveredKwh": energy(reductions),
        "deliveredFlooredKwh": energy([max(kw, Fraction(0)) for kw in reductions]),
        "deliveredCappedKwh": energy([min(kw, commitment) for kw in reductions]) if has_commitment else None,
        "shareAtCommitment": mean(Fraction(kw >= commitment) for kw in reductions) if commitment else None,
        "shareComplying": Fraction(len(complying), len(known)) if level is not None and known else None,
    }


def measure(task, load, baseline_at, now):
    """Metrics of a dispatch at `now`. `load` is on 30 s cells; `baseline_at` gives kW in a cell."""
    start = task["start"]
    end = task["end"] if task["cancelled"] is None else max(start, min(task["end"], task["cancelled"]))
    over = now >= end
    reading = task["reading_seconds"]
    # M11: long readings are due only some time after the end.
    whole = list(cells_by_midpoint(start, end))
    cells = due_cells(whole, load, now, reading)
    commitment, level = task["commitment"], task["level"]
    result = summed(cells, commitment, level, load.at, baseline_at)
    # M10: to the second, and not in whole cells.
    until = end if cells == whole else cells[-1] * CELL if cells else start
    result["committedKwh"] = None if commitment is None else commitment * (until - start) / Fraction(HOUR)

    def reaches(cell):
        kw, baseline = load.at(cell), baseline_at(cell)
        return kw is not None and baseline is not None and baseline - kw >= commitment

    full = held_from = None
    if commitment:
        full = next((cell for cell in cells if reaches(cell)), None)
        runs = (cell for cell in cells if cell + 9 <= cells[-1] and all(reaches(cell + more) for more in range(10)))
        held_from = next(runs, None)
    newest = newest_of(cells, load)
    recent = result
    if not over and newest is not None:
        latest = [cell for cell in cells if newest - FIVE_MINUTES // CELL < cell <= newest]
        recent = summed(latest, commitment, level, load.at, baseline_at)
    return {
        "toDate": result,
        "secondsToFull": None if full is None else full * CELL - start,
        "secondsToFullHeld": None if held_from is None else held_from * CELL - start,
        "colour": colour(recent, result, level, None if over or newest is None else now - newest * CELL, reading),
    }


def colour(judged, whole, level, age, reading_seconds):
    """The status. M11: late is older than 90 s and than two intervals of the meter. M12: compliance is a status."""
    if age is not None and age > max(90, 2 * reading_seconds):
        return "grey"
    if judged["coverage"] is None or judged["coverage"] < Fraction(8, 10):
        return "grey"
    ratio = judged["performance"] if level is None else judged["shareComplying"]
    if ratio is None:
        return "grey"
    if ratio < Fraction(75, 100):
        return "red"
    if ratio < Fraction(95, 100):
        return "amber"
    return "green" if ratio <= Fraction(120, 100) else "blue"
