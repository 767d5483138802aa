"""Writes vectors.json: cases with what the second implementation (baseline.py) finds for them.

    python3 packages/measure/test/second/make_vectors.py

Loads are given by a formula in whole numbers and powers of two, so that every program computes the very same loads.
"""

import json
import random
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from zoneinfo import ZoneInfo

import baseline as second

HOUR = 3600
DAY = 86400
DAYS_OFF = ["saturday", "sunday", "holiday"]
ZONES = ["UTC", "America/New_York", "Australia/Adelaide", "Asia/Kolkata", "Europe/Berlin"]


# Loads


def kw_of(formula, cell, seconds):
    """kW in a cell by the formula; None in a gap."""
    start = (cell - 1) * seconds
    day = start // DAY
    hour = (start - day * DAY) // HOUR
    if any(from_ <= start < to for from_, to in formula.get("gaps", [])):
        return None
    if "sparse" in formula and cell % formula["sparse"][0] < formula["sparse"][1]:
        return None
    kw = formula["base"] + formula["swing"] * min(hour, 24 - hour)
    kw += Fraction(cell * formula["a"] % formula["b"], 8) + Fraction(day * formula["c"] % formula["d"], 4)
    return kw + sum(raise_ for from_, to, raise_ in formula.get("raised", []) if from_ <= start < to)


def load_of(given):
    first = given["from"] // given["seconds"] + 1
    last = given["to"] // given["seconds"]
    cells = range(first, last + 1)
    values = [kw_of(given["formula"], cell, given["seconds"]) for cell in cells]
    return second.Load(given["seconds"], first, values)


def formula(base=300, swing=12, a=37, b=101, c=29, d=83, **more):
    return {"base": base, "swing": swing, "a": a, "b": b, "c": c, "d": d, **more}


# Methods


def window(from_, to, anchor="start"):
    return {"anchor": anchor, "from_minutes_before": from_, "to_minutes_before": to}


def pool(types, days, least=None, lookback=45, event=True, incomplete=True, low=None, **more):
    exclude = {"event": event, "incomplete": incomplete, "low_usage": low}
    least = days if least is None else least
    return {"day_types": types, "lookback_days": lookback, "days": days, "min_days": least, "exclude": exclude, **more}


def high(count, rank_by="event_mean"):
    return {"kind": "high", "count": count, "rank_by": rank_by}


def middle(highest, lowest, rank_by="daily_energy"):
    return {"kind": "middle", "drop_highest": highest, "drop_lowest": lowest, "rank_by": rank_by}


ALL = {"kind": "all"}
NONE = {"kind": "none"}


def adjust(kind, window_, lowest=None, highest=None):
    return {"kind": kind, "window": window_, "lowest": lowest, "highest": highest}


def additive(*ends, lowest=None, highest=None, anchor="start"):
    return adjust("additive", window(*ends, anchor), lowest, highest)


def ratio(*ends, lowest=0.8, highest=1.2, anchor="start"):
    return adjust("multiplicative", window(*ends, anchor), lowest, highest)


def days_method(rules, adjust_=None, seconds=HOUR, average=None, negative=True, fallback=None):
    return {
        "kind": "days",
        "interval_seconds": seconds,
        "rules": [{"pool": pool_, "pick": pick} for pool_, pick in rules],
        "average": average or {"kind": "mean"},
        "adjust": adjust_ or NONE,
        "allow_negative": negative,
        "fallback": fallback,
    }


def weekdays(days=5, pick=ALL, adjust_=None, method=None, **more):
    return days_method([(pool(["weekday"], days, **more), pick)], adjust_, **(method or {}))


def every_type(days, pick, adjust_=None, method=None, **more):
    rules = [(pool([each], days, **more), pick) for each in ("weekday", "saturday", "sunday", "holiday")]
    return days_method(rules, adjust_, **(method or {}))


HIGH_4_OF_5 = days_method(
    [
        (pool(["weekday"], 5, 4, low=0.25), high(4)),
        (pool(["saturday"], 3, 2, low=0.25), high(2)),
        (pool(["sunday", "holiday"], 3, 2, low=0.25), high(2)),
    ],
    additive(240, 60),
)
TEN_OF_TEN = days_method([(pool(["weekday"], 10), ALL), (pool(DAYS_OFF, 4), ALL)], ratio(240, 60))
MIDDLE_8_OF_10 = days_method(
    [(pool(["weekday"], 10), middle(1, 1)), (pool(DAYS_OFF, 10), middle(1, 1))], ratio(180, 60), 900
)
HIGH_5_OF_10 = days_method(
    [(pool(["weekday"], 10), high(5)), (pool(DAYS_OFF, 10), high(5))], ratio(240, 120)
)
WEEKDAYS_5_MINUTES = weekdays(10, adjust_=additive(15, 0, anchor="notification"), method={"seconds": 300})
HIGH_15_OF_20 = weekdays(20, high(15, "per_interval"), ratio(240, 60))
METER_BEFORE = {"kind": "meter_before", "seconds": 900, "anchor": "notification"}


# Baseline cases


def instant(zone, text):
    """Unix seconds of a local time."""
    return int(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp())


@dataclass
class Moment:
    """A dispatch in a zone; times are local."""

    zone: str
    start: str
    hours: float = 2
    notice: int = 2 * HOUR
    seconds: int = HOUR
    lookback: int = 50
    open_end: bool = False
    around: int = 0
    formula: dict = field(default_factory=formula)

    def request(self, **more):
        start = instant(self.zone, self.start)
        end = start + int(self.hours * HOUR)
        first = datetime.fromisoformat(self.start) - timedelta(days=self.lookback)
        given = {
            "seconds": self.seconds,
            "from": instant(self.zone, first.date().isoformat()),
            "to": (end // DAY + 2) * DAY,
            "formula": self.formula,
        }
        return {
            "load": given,
            "dispatch": {"start": start, "end": None if self.open_end else end, "notification": start - self.notice},
            "timezone": self.zone,
            "holidays": [],
            "event_days": [],
            "others": [],
            "curve": [start - self.around, end + self.around],
            **more,
        }


def number(value):
    """13 significant digits."""
    if value is None:
        return None
    rounded = float(f"{float(value):.13g}")
    return int(rounded) if rounded.is_integer() else rounded


def dates(loads):
    return [each.day.isoformat() for each in sorted(loads, key=lambda each: each.day, reverse=True)]


def time_of(slot, seconds):
    return str(timedelta(seconds=slot * seconds)).zfill(8)


def day_expected(found, slots, seconds):
    """Chosen days are given by their places in the pool."""
    picked = found.picked
    pool_dates = dates(found.pool)

    def places(loads):
        return [pool_dates.index(each) for each in dates(loads)]

    expected = {"day": found.day.isoformat(), "pool": pool_dates, "filled": dates(found.filled)}
    if picked is None:
        return expected
    expected["chosen"] = None if picked.days is None else places(picked.days)
    if picked.days is None:
        expected["chosen_by_interval"] = {time_of(slot, seconds): places(picked.for_slot(slot)) for slot in slots}
    if picked.distances is not None:
        expected["distances"] = [number(picked.distances[date.fromisoformat(each)]) for each in pool_dates]
    return expected


def expected_baseline(method, request):
    site = second.Site(
        load=load_of(request["load"]),
        timezone=request["timezone"],
        holidays={date.fromisoformat(each) for each in request["holidays"]},
        event_days={date.fromisoformat(each) for each in request["event_days"]},
        others=[tuple(each) for each in request["others"]],
        recent=load_of(request["recent"]) if "recent" in request else None,
    )
    given = request["dispatch"]
    dispatch = second.Dispatch(given["start"], given["end"], given["notification"])
    found = second.baseline_of(method, site, dispatch, request["curve"])
    expected = {"state": found.state}
    if method["kind"] == "days":
        expected["fallback"] = found.fallback
        seconds = method["interval_seconds"]
        expected["days"] = []
        for each in found.days:
            slots = {interval.slot for interval, _ in found.curve if interval.day == each.day}
            slots |= {interval.slot for interval in found.window_intervals if interval.day == each.day}
            expected["days"].append(day_expected(each, sorted(slots), seconds))
    if found.adjusted is not None:
        adjusted = found.adjusted
        expected["adjustment"] = {"applied": number(adjusted.applied), "is_applied": adjusted.is_applied}
        if adjusted.start is not None:
            expected["adjustment"] |= {"window": [adjusted.start, adjusted.end], "moved_hours": adjusted.moved_hours}
        if adjusted.is_applied:
            expected["adjustment"]["raw"] = number(adjusted.raw)
    if found.window is not None:
        expected["window"] = list(found.window)
    if found.curve:
        first = found.curve[0][0]
        length = first.end - first.start
        assert all(each.start == first.start + index * length for index, (each, _) in enumerate(found.curve))
        kw = [number(value) for _, value in found.curve]
        expected["baseline"] = {"start": first.start, "seconds": length, "kw": kw}
    return expected


methods = []
baselines = []


def baseline_case(rule, name, method, request):
    expected = expected_baseline(method, request)
    if method not in methods:
        methods.append(method)
    place = methods.index(method)
    baselines.append({"rule": rule, "name": name, "method": place, **request, "expected": expected})


def hours(moment, *offsets):
    """A period in hours from the start of the dispatch."""
    start = instant(moment.zone, moment.start)
    return [start + int(offset * HOUR) for offset in offsets]


def ordinary_cases():
    berlin = Moment("Europe/Berlin", "2026-06-18T14:00", around=HOUR)
    for name, method in [
        ("high 4 of 5", HIGH_4_OF_5),
        ("10 of 10", TEN_OF_TEN),
        ("middle 8 of 10", MIDDLE_8_OF_10),
        ("high 5 of 10", HIGH_5_OF_10),
        ("5 minutes", WEEKDAYS_5_MINUTES),
        ("15 of 20 per hour", HIGH_15_OF_20),
    ]:
        seconds = method["interval_seconds"]
        request = Moment("Europe/Berlin", "2026-06-18T14:00", 1 if seconds < 900 else 3, seconds=seconds, around=seconds)
        baseline_case("ordinary", name, method, request.request(event_days=["2026-06-16"], holidays=["2026-06-04"]))
    saturday = Moment("Europe/Berlin", "2026-06-20T14:00")
    baseline_case("ordinary", "a Saturday", HIGH_4_OF_5, saturday.request(event_days=["2026-06-13"]))
    baseline_case("ordinary", "no rule for a Saturday", HIGH_15_OF_20, saturday.request())
    holiday = berlin.request(holidays=["2026-06-18", "2026-05-25"])
    baseline_case("ordinary", "a holiday", HIGH_4_OF_5, holiday)
    baseline_case("ordinary", "a flat baseline", {"kind": "flat", "kw": 412.5}, berlin.request())
    baseline_case("ordinary", "too few days", weekdays(10, lookback=12), berlin.request())
    low = formula(raised=[[*hours(berlin, -48, -24), -330], [*hours(berlin, -72 - 96, -48 - 96), -340]])
    low_days = Moment("Europe/Berlin", "2026-06-18T14:00", formula=low)
    baseline_case("ordinary", "days of low usage are replaced", HIGH_4_OF_5, low_days.request())
    # 400 kW in all, with 1 of 4 days at 60 kW: that is low only after a day without load was replaced by an ordinary one.
    start = hours(berlin, 0)[0]
    kws = {1: 400, 2: 400, 3: 60, 6: 1, 7: 80, 8: 400, 9: 300}
    raised = [[start - back * DAY - 6 * HOUR, start - back * DAY + 9 * HOUR, kw] for back, kw in kws.items()]
    uneven = Moment("Europe/Berlin", "2026-06-18T14:00", formula=formula(base=0, swing=0, a=0, c=0, raised=raised))
    for count in (4, 5, 6):
        name = f"days of low usage are replaced one after another: {count}"
        baseline_case("ordinary", name, weekdays(count, low=0.25, least=2), uneven.request())
        name = f"days of low usage in a short pool: {count}"
        baseline_case("ordinary", name, weekdays(count, low=0.25, least=2, lookback=8), uneven.request())
    few = weekdays(5, low=0.25, lookback=7)
    baseline_case("ordinary", "days of low usage with none to replace them", few, low_days.request())
    gap = Moment("Europe/Berlin", "2026-06-18T14:00", formula=formula(gaps=[hours(berlin, -24, -23), hours(berlin, -60, -50)]))
    baseline_case("ordinary", "incomplete days are left out", TEN_OF_TEN, gap.request())
    kept = weekdays(3, adjust_=additive(240, 60), incomplete=False)
    baseline_case("ordinary", "incomplete days are kept", kept, gap.request())
    for every, kept_ in [(4, 2), (5, 3)]:
        sparse = Moment("Europe/Berlin", "2026-06-18T14:00", seconds=900, lookback=12, formula=formula(sparse=[every, kept_]))
        name = f"{every - kept_} of {every} cells are there"
        baseline_case("ordinary", name, weekdays(3), sparse.request())
    same = Moment("Europe/Berlin", "2026-06-18T14:00", formula=formula(a=0, c=0))
    for name, pick in [("high", high(2)), ("energy", high(2, "daily_energy")), ("per interval", high(2, "per_interval"))]:
        baseline_case("ordinary", f"ties go to the more recent day: {name}", weekdays(5, pick), same.request())
    export = Moment("Europe/Berlin", "2026-06-18T14:00", formula=formula(base=-180, swing=14))
    for negative in (True, False):
        method = weekdays(5, adjust_=additive(240, 60, lowest=-20, highest=20), method={"negative": negative})
        baseline_case("ordinary", f"export, negative {'kept' if negative else 'clipped'}", method, export.request())
    baseline_case("ordinary", "no ratio over export", weekdays(5, adjust_=ratio(240, 60)), export.request())
    sudden = Moment("Europe/Berlin", "2026-06-18T14:00", formula=formula(raised=[[*hours(berlin, -5, 0), 400]]))
    baseline_case("ordinary", "a ratio over its limit", TEN_OF_TEN, sudden.request())
    baseline_case("ordinary", "no limits", weekdays(5, adjust_=ratio(240, 60, lowest=None, highest=None)), sudden.request())
    dip = Moment("Europe/Berlin", "2026-06-18T14:00", formula=formula(raised=[[*hours(berlin, -5, 0), -200]]))
    baseline_case("ordinary", "a ratio under its limit", TEN_OF_TEN, dip.request())
    baseline_case("ordinary", "a sum under its limit", weekdays(5, adjust_=additive(240, 60, lowest=-50)), dip.request())
    half = Moment("Europe/Berlin", "2026-06-18T14:00", formula=formula(gaps=[hours(berlin, -3, 0)]))
    baseline_case("ordinary", "a window with a third of its load", TEN_OF_TEN, half.request())
    baseline_case("ordinary", "a window with half of its load", weekdays(5, adjust_=additive(240, 120)), half.request())
    odd = Moment("Europe/Berlin", "2026-06-18T14:20", 1.5, seconds=300)
    baseline_case("ordinary", "a start within an hour", TEN_OF_TEN | {"adjust": additive(240, 60)}, odd.request())
    open_end = Moment("Europe/Berlin", "2026-06-18T14:00", open_end=True)
    baseline_case("ordinary", "an open end is ranked to the end of the day", weekdays(8, high(3)), open_end.request())
    midnight = Moment("Europe/Berlin", "2026-06-18T20:00", 4, open_end=True)
    name = "an open end whose curve ends at midnight"
    baseline_case("ordinary", name, weekdays(8, high(3)), midnight.request())
    for pick in (middle(2, 1, "event_mean"), middle(1, 2), middle(2, 2, "per_interval")):
        name = f"middle by {pick['rank_by']}"
        baseline_case("ordinary", name, weekdays(8, pick, ratio(180, 60)), berlin.request())


def m3_cases():
    """Windows and other dispatches."""
    moment = Moment("America/New_York", "2026-06-18T16:00")
    for name, periods in [
        ("over in good time", [(-9, -6)]),
        ("its hour after ends where the window begins", [(-7, -5)]),
        ("its hour after reaches into the window", [(-6, -4.5)]),
        ("in the window", [(-3, -2)]),
        ("begins where the window ends", [(-1, -0.5)]),
        ("begins just before the window ends", [(-1.25, -0.5)]),
        ("two of them", [(-3, -2.5), (-7, -6.5)]),
        ("a long one leaves nothing", [(-9, -1)]),
        ("four hours are just enough", [(-4, -1.5)]),
        ("one minute too long", [(-5 - 1 / 60, -1)]),
        ("on the day before", [(-24, -22)]),
        ("after the start", [(0.5, 3)]),
    ]:
        others = [hours(moment, *each) for each in periods]
        for kind, method in [("kW", HIGH_4_OF_5), ("ratio", TEN_OF_TEN)]:
            baseline_case("M3", f"{name} ({kind})", method, moment.request(others=others, event_days=["2026-06-17"]))
    fine = Moment("America/New_York", "2026-06-18T16:00", 1, seconds=300, notice=HOUR)
    others = [hours(fine, -3, -2)]
    baseline_case("M3", "a window before notification", WEEKDAYS_5_MINUTES, fine.request(others=others))


def m4_cases():
    """Anchors."""
    method = weekdays(5, adjust_=additive(60, 0, anchor="notification"), method={"seconds": 900})
    for name, notice in [("before the start", 2 * HOUR), ("at the start", 0), ("after the start", -HOUR)]:
        moment = Moment("America/New_York", "2026-06-18T16:00", seconds=900, notice=notice)
        baseline_case("M4", f"a window, notified {name}", method, moment.request())
        recent = {"seconds": 30, "from": hours(moment, -4)[0], "to": hours(moment, 1)[0], "formula": formula(base=200, a=91)}
        baseline_case("M4", f"meter before, notified {name}", METER_BEFORE, moment.request(recent=recent))
    moment = Moment("America/New_York", "2026-06-18T16:00", notice=3 * HOUR)
    gaps = formula(base=200, a=91, gaps=[hours(moment, -0.2, -0.1)])
    recent = {"seconds": 30, "from": hours(moment, -1)[0], "to": hours(moment, 1)[0], "formula": gaps}
    method = METER_BEFORE | {"anchor": "start"}
    baseline_case("M4", "meter before the start, with a gap", method, moment.request(recent=recent))
    baseline_case("M4", "meter before without load", METER_BEFORE, moment.request(recent=recent))
    fallback = weekdays(10, lookback=12, method={"fallback": method})
    baseline_case("M4", "meter before instead of too few days", fallback, moment.request(recent=recent))
    fallback = weekdays(10, lookback=12, method={"fallback": METER_BEFORE})
    baseline_case("M4", "nothing instead of too few days", fallback, moment.request(recent=recent))


def dispatch_of(id_, start, kind="dispatch", voided=False, hours_=2):
    begin = instant("America/New_York", start)
    return {"id": id_, "start": begin, "end": begin + hours_ * HOUR, "kind": kind, "voided": voided}


def m5_and_m6_cases():
    """Which dispatches make event days; the request has the days that follow."""
    moment = Moment("America/New_York", "2026-06-18T16:00")

    def case(rule, name, dispatches, tests_are_events=True):
        days = second.event_days(dispatches, "own", "America/New_York", tests_are_events)
        request = moment.request(event_days=sorted(each.isoformat() for each in days))
        baseline_case(rule, name, HIGH_4_OF_5, {"dispatches": dispatches, **request})

    own = dispatch_of("own", "2026-06-18T16:00")
    earlier = dispatch_of("earlier", "2026-06-16T16:00")
    for kind in ("self_test", "operator_test"):
        case("M5", kind.replace("_", " "), [own, dispatch_of("test", "2026-06-17T09:00", kind), earlier])
    case("M5", "tests are no events", [own, dispatch_of("test", "2026-06-17T09:00", "operator_test")], False)
    case("M6", "before another is recorded", [own, earlier])
    case("M6", "after another is recorded", [own, earlier, dispatch_of("late", "2026-06-12T10:00")])
    case("M6", "after one is voided", [own, dispatch_of("earlier", "2026-06-16T16:00", voided=True)])
    case("M6", "over midnight", [own, dispatch_of("night", "2026-06-15T23:00")])
    case("M6", "to midnight", [own, dispatch_of("evening", "2026-06-15T22:00")])


def m7_cases():
    """Rolling averages."""
    moment = Moment("Asia/Kolkata", "2026-06-18T14:00", 2, seconds=1800)
    for days, alpha, seed in [(20, 0.1, None), (20, 0.1, 5), (8, 0.3, None), (10, 0.5, 10), (11, 0.5, 10), (12, 1, 3)]:
        average = {"kind": "rolling", "alpha": alpha, **({} if seed is None else {"seed_days": seed})}
        method = weekdays(days, adjust_=additive(240, 60), method={"average": average})
        name = f"{days} days, alpha {alpha}, seed {seed or 'not given'}"
        baseline_case("M7", name, method, moment.request(event_days=["2026-06-10", "2026-06-01"]))
    average = {"kind": "rolling", "alpha": 0.25, "seed_days": 3}
    gaps = [hours(moment, -24, -23), hours(moment, -168, -167)]
    gap = Moment("Asia/Kolkata", "2026-06-18T14:00", seconds=1800, formula=formula(gaps=gaps))
    method = weekdays(8, incomplete=False, method={"average": average})
    baseline_case("M7", "days without the interval are skipped", method, gap.request())
    method = weekdays(9, high(6, "per_interval"), method={"average": average})
    baseline_case("M7", "of days picked per interval", method, moment.request())


def m8_cases():
    """Zones off the full hour, and changes of the clock."""
    for zone in ("Australia/Adelaide", "Asia/Kolkata", "Asia/Kathmandu"):
        for seconds in (900, 300):
            moment = Moment(zone, "2026-06-18T14:00", 3, seconds=seconds, lookback=20, around=HOUR)
            baseline_case("M8", f"{zone}, load of {seconds} s", HIGH_4_OF_5, moment.request(event_days=["2026-06-16"]))
        moment = Moment(zone, "2026-06-18T14:20", 1, seconds=300, lookback=20, around=1200)
        baseline_case("M8", f"{zone}, a start within an hour", HIGH_4_OF_5, moment.request())
    for zone, start in [
        ("Europe/Berlin", "2026-03-30T01:00"),
        ("Europe/Berlin", "2026-10-26T01:00"),
        ("America/New_York", "2026-03-09T01:00"),
        ("America/New_York", "2026-11-02T01:00"),
        ("Australia/Adelaide", "2026-10-05T01:00"),
        ("Australia/Adelaide", "2026-04-06T01:00"),
    ]:
        day_before = (datetime.fromisoformat(start) - timedelta(days=1)).isoformat()
        for when, name in [(start, "the day after the clock changes"), (day_before, "the clock changes in the dispatch")]:
            moment = Moment(zone, when, 4, seconds=1800, lookback=25)
            any_day = pool(["weekday", "saturday", "sunday"], 3)
            for pick in (high(2), high(2, "daily_energy"), high(2, "per_interval")):
                method = days_method([(any_day, pick)])
                baseline_case("M8", f"{zone} {when}: {name}, {pick['rank_by']}", method, moment.request())


def m9_cases():
    """More than one local day."""
    zone = "America/New_York"
    for name, start, length in [
        ("Thursday to Friday", "2026-06-18T22:00", 4),
        ("Friday to Saturday", "2026-06-19T20:00", 10),
        ("Friday to Monday", "2026-06-19T23:00", 50),
        ("to midnight", "2026-06-19T22:00", 2),
        ("from midnight", "2026-06-20T00:00", 2),
    ]:
        moment = Moment(zone, start, length, notice=4 * HOUR)
        for pick in (high(2), ALL, high(2, "daily_energy")):
            method = every_type(3, pick, additive(240, 60), lookback=30)
            kind = pick.get("rank_by", "all")
            baseline_case("M9", f"{name}, {kind}", method, moment.request(event_days=["2026-06-16", "2026-06-13"]))
    moment = Moment(zone, "2026-07-02T22:00", 4)
    method = every_type(3, high(2), additive(240, 60), lookback=45)
    holidays = ["2026-07-03", "2026-06-19", "2026-06-12", "2026-05-25"]
    baseline_case("M9", "into a holiday", method, moment.request(holidays=holidays))
    adelaide = Moment("Australia/Adelaide", "2026-06-19T22:30", 4, seconds=1800)
    baseline_case("M9", "in a zone off the full hour", method, adelaide.request())


def m12_cases():
    """Firm service levels have no baseline but their reference."""
    moment = Moment("UTC", "2026-06-18T16:00")
    for reference in (None, 800, 640.5):
        method = {"kind": "firm_service_level", "level_kw": 250, "reference_kw": reference}
        baseline_case("M12", f"reference {reference}", method, moment.request())


def m13_cases():
    """Match, and intervals of windows."""
    for name, window_ in [
        ("before the start", window(240, 0)),
        ("before notification", window(180, 60, "notification")),
        ("after the dispatch", window(-120, -300)),
        ("on both sides", window(120, -300)),
    ]:
        moment = Moment("Europe/Berlin", "2026-06-18T12:00")
        pick = {"kind": "match", "count": 3, "window": window_}
        baseline_case("M13", f"match {name}", weekdays(10, pick), moment.request(event_days=["2026-06-16"]))
    moment = Moment("Europe/Berlin", "2026-06-18T12:00", 1, seconds=900)
    pick = {"kind": "match", "count": 4, "window": window(120, 15)}
    method = weekdays(10, pick, ratio(120, 60), method={"seconds": 900})
    baseline_case("M13", "match in quarters of an hour", method, moment.request())
    moment = Moment("Europe/Berlin", "2026-06-18T12:00")
    for name, gap in [("a gap today", (-3, -2)), ("a gap on another day", (-27, -26)), ("nothing to compare", (-4, 0))]:
        gaps = Moment("Europe/Berlin", "2026-06-18T12:00", formula=formula(gaps=[hours(moment, *gap)]))
        pick = {"kind": "match", "count": 3, "window": window(240, 0)}
        baseline_case("M13", f"match with {name}", weekdays(6, pick, incomplete=False), gaps.request())
    same = Moment("Europe/Berlin", "2026-06-18T12:00", formula=formula(a=0, c=0))
    pick = {"kind": "match", "count": 2, "window": window(240, 0)}
    baseline_case("M13", "match, ties go to the more recent day", weekdays(6, pick), same.request())
    moment = Moment("Europe/Berlin", "2026-06-18T12:00")
    method = weekdays(6, high(3, "per_interval"), ratio(240, 60))
    baseline_case("M13", "days of the hours of the window", method, moment.request())
    others = [hours(moment, -3, -2)]
    baseline_case("M13", "days of the hours of a moved window", method, moment.request(others=others))


def m14_cases():
    """Short pools."""
    moment = Moment("Europe/Berlin", "2026-06-18T12:00")
    events = ["2026-06-17", "2026-06-16", "2026-06-12", "2026-06-11", "2026-06-10"]
    for name, least, days in [("one is missing", 5, 5), ("two are missing", 6, 8), ("there are not enough", 12, 12)]:
        method = weekdays(days, high(3), least=least, lookback=14 if least > 5 else 12, fill="highest_event_days")
        baseline_case("M14", name, method, moment.request(event_days=events))
    for name, least, fill in [("nothing is missing", 3, "highest_event_days"), ("not filled", 5, None)]:
        method = weekdays(5, least=least, lookback=12, fill=fill)
        baseline_case("M14", name, method, moment.request(event_days=events))
    gap = Moment("Europe/Berlin", "2026-06-18T12:00", formula=formula(gaps=[hours(moment, -40, -36)]))
    method = weekdays(5, lookback=12, fill="highest_event_days")
    baseline_case("M14", "an incomplete event day", method, gap.request(event_days=events))
    same = Moment("Europe/Berlin", "2026-06-18T12:00", formula=formula(a=0, c=0))
    baseline_case("M14", "ties go to the more recent day", method, same.request(event_days=events))
    sunday = Moment("Europe/Berlin", "2026-06-21T12:00")
    method = days_method([(pool(["sunday"], 3, lookback=21, fill="highest_event_days"), high(2))], additive(180, 60))
    baseline_case("M14", "Sundays", method, sunday.request(event_days=["2026-06-14", "2026-06-07", "2026-06-17"]))


def other_days_cases():
    """Hours of the day before a dispatch and of the day after it (M9). 22 June 2026 is a Monday."""
    zone = "Europe/Berlin"
    evening = additive(300, 120)
    picks = [ALL, high(2), high(2, "daily_energy"), high(2, "per_interval"), middle(1, 1)]
    picks.append({"kind": "match", "count": 2, "window": window(240, 60)})
    for name, start, length in [
        ("Monday at 1:00", "2026-06-22T01:00", 2),
        ("Monday within the first hour", "2026-06-22T00:30", 2),
        ("Saturday at 1:00", "2026-06-20T01:00", 2),
        ("Tuesday at 1:00", "2026-06-23T01:00", 2),
        ("Friday to midnight", "2026-06-19T22:00", 2),
        ("Sunday to midnight", "2026-06-21T22:00", 2),
        ("Saturday night to Monday", "2026-06-20T23:30", 25),
    ]:
        moment = Moment(zone, start, length, around=HOUR, seconds=1800)
        for pick in picks:
            method = every_type(3, pick, evening, lookback=35)
            kind = pick.get("rank_by", pick["kind"])
            events = ["2026-06-18", "2026-06-14", "2026-06-13"]
            baseline_case("M9", f"{name}, {kind}", method, moment.request(event_days=events))
    monday = Moment(zone, "2026-06-22T01:00", around=HOUR)
    for name, holidays in [("a holiday", ["2026-06-21", "2026-06-04", "2026-05-25"]), ("before a holiday", ["2026-06-22"])]:
        method = every_type(2, high(1), evening, lookback=45)
        baseline_case("M9", f"the day before is {name}", method, monday.request(holidays=holidays))
    for name, notice in [("Friday", 63), ("Saturday night", 32), ("two weeks before", 14 * 24), ("at once", 0)]:
        moment = Moment(zone, "2026-06-22T08:00", notice=notice * HOUR, around=HOUR)
        for kind in (additive, ratio):
            method = every_type(3, high(2), kind(240, 60, anchor="notification"), lookback=28)
            baseline_case("M9", f"notified {name}, {kind.__name__}", method, moment.request(event_days=["2026-06-18"]))
    morning = Moment(zone, "2026-06-22T05:00", around=HOUR)
    for name, periods in [
        ("moved across midnight", [(-3, -2)]),
        ("moved to the day before", [(-5, -2)]),
        ("moved within the day before", [(-6, -2), (-9, -8)]),
        ("never free", [(-12, -1)]),
    ]:
        request = morning.request(others=[hours(morning, *each) for each in periods], event_days=["2026-06-21"])
        baseline_case("M9", f"a window {name}", every_type(3, high(2), additive(240, 60), lookback=28), request)
    early = Moment(zone, "2026-06-22T02:00", around=HOUR)
    request = early.request(others=[hours(early, -14, -1)])
    baseline_case("M9", "a window over midnight that is never free", every_type(3, ALL, evening, lookback=28), request)
    for name, start in [("all of the window", "2026-06-22T00:30"), ("a third of the window", "2026-06-22T04:00")]:
        moment = Moment(zone, start, around=HOUR, seconds=1800)
        for pick in (high(3), high(3, "per_interval")):
            kind = pick["rank_by"]
            baseline_case("M9", f"no rule for Sunday, {name}, {kind}", weekdays(5, pick, additive(300, 120)), moment.request())
    friday = Moment(zone, "2026-06-19T22:00", around=HOUR)
    baseline_case("M9", "no rule for the Saturday after", weekdays(5, high(3), ratio(240, 60)), friday.request())
    for name, more in [("too few Sundays", {"lookback": 20}), ("filled Sundays", {"lookback": 28, "fill": "highest_event_days"})]:
        rules = [(pool(["weekday"], 5), high(3)), (pool(["sunday"], 3, **more), high(2))]
        method = days_method(rules, evening)
        baseline_case("M9", name, method, monday.request(event_days=["2026-06-14", "2026-06-07"]))
    few = days_method([(pool(["weekday"], 40), ALL), (pool(["sunday"], 2), ALL)], evening)
    baseline_case("M9", "too few days for the dispatch itself", few, monday.request())
    # The Sunday two weeks before is low in the evening only, the one before that at night only.
    raised = [[*hours(monday, -24 * 14 - 6, -24 * 14), -340], [*hours(monday, -24 * 21, -24 * 21 + 3), -320]]
    low = Moment(zone, "2026-06-22T01:00", around=HOUR, formula=formula(raised=raised))
    for least in (2, 3):
        method = every_type(3, high(2), evening, low=0.4, least=least, lookback=40)
        baseline_case("M9", f"low usage in the hours of the window, at least {least}", method, low.request())
    for kept in (True, False):
        gap = Moment(zone, "2026-06-22T01:00", around=HOUR, formula=formula(gaps=[hours(monday, -24 * 7 - 5, -24 * 7 - 2)]))
        method = every_type(3, high(2), evening, incomplete=not kept, lookback=40)
        baseline_case("M9", f"a Sunday without the hours of the window, {'kept' if kept else 'left out'}", method, gap.request())
    open_end = Moment(zone, "2026-06-22T00:30", 20, open_end=True, seconds=1800)
    open_end.around = 1800
    baseline_case("M9", "an open end, from within the first hour", every_type(3, high(2), evening), open_end.request())
    average = {"kind": "rolling", "alpha": 0.25, "seed_days": 2}
    method = every_type(4, ALL, ratio(300, 120), method={"average": average})
    baseline_case("M9", "a rolling average on the day before", method, monday.request())
    for zone, changes in [("Europe/Berlin", ["2026-03-29", "2026-10-25"]), ("America/New_York", ["2026-03-08", "2026-11-01"])]:
        for change in changes:
            sunday = date.fromisoformat(change)
            for name, day in [("changes on the day before", sunday + timedelta(days=1)), ("changes in the dispatch", sunday)]:
                moment = Moment(zone, f"{day}T01:00", 3, around=HOUR, lookback=40)
                for pick in (high(2), high(2, "per_interval")):
                    method = every_type(3, pick, additive(1440, 60), lookback=30)
                    baseline_case("M9", f"{zone}, the clock {name}, {day}, {pick['rank_by']}", method, moment.request())
            moment = Moment(zone, f"{sunday - timedelta(days=1)}T22:00", 2, around=HOUR, lookback=40)
            method = every_type(3, high(2), additive(240, 60), lookback=30)
            baseline_case("M9", f"{zone}, the clock changes on the day after, {sunday}", method, moment.request())
    adelaide = Moment("Australia/Adelaide", "2026-06-22T01:30", 2, around=HOUR, seconds=1800)
    baseline_case("M9", "a zone off the full hour, the day before", every_type(3, high(2), evening), adelaide.request())


@dataclass
class RandomTimes:
    """When the dispatches of random cases are."""

    first_hour: int = 6
    last_hour: int = 18
    notices: tuple = (0, HOUR, 5400, -600)
    longest_around: float = 5


def random_cases(dice, count, times=RandomTimes()):
    days = {
        "UTC": ["2026-06-18", "2026-12-31"],
        "America/New_York": ["2026-03-10", "2026-11-04", "2026-07-07", "2026-11-01"],
        "Australia/Adelaide": ["2026-10-07", "2026-04-08", "2026-01-15", "2026-10-04"],
        "Asia/Kolkata": ["2026-06-18", "2026-02-05"],
        "Europe/Berlin": ["2026-03-31", "2026-10-28", "2026-08-20", "2026-03-29"],
    }
    for index in range(count):
        zone = dice.choice(ZONES)
        day = dice.choice(days[zone])
        at = f"{day}T{dice.randint(times.first_hour, times.last_hour):02}:{dice.choice([0, 0, 0, 30, 45]):02}"
        seconds = dice.choice([900, 1800, 3600, 3600])
        grid = dice.choice([each for each in (300, 900, 1800) if each <= seconds])
        moment = Moment(zone, at, dice.choice([1, 2, 3.5, 3.5, 30]), dice.choice(times.notices), grid, 32)
        moment.around = dice.choice([0, HOUR]) if moment.hours < times.longest_around else 0
        export = dice.random() < 0.2
        moment.formula = formula(
            base=dice.randint(-160, -40) if export else dice.randint(40, 900),
            swing=dice.randint(-3, 30) if not export else dice.randint(4, 16),
            a=dice.randint(11, 97),
            b=dice.choice([211, 307, 509]),
            c=dice.randint(11, 97),
            d=dice.choice([103, 151, 199]),
        )
        if dice.random() < 0.5:
            starts = [hours(moment, -dice.randint(1, 500))[0] for _ in range(3)]
            moment.formula["gaps"] = [[each, each + dice.randint(1, 9) * 1800] for each in starts]
        if dice.random() < 0.4:
            moment.formula["raised"] = [[*hours(moment, -6, 8), dice.randint(-60, 120)]]
        back = date.fromisoformat(day)
        events = [(back - timedelta(days=dice.randint(1, 25))).isoformat() for _ in range(dice.randint(0, 4))]
        holidays = [(back - timedelta(days=dice.randint(0, 20))).isoformat() for _ in range(dice.randint(0, 2))]
        others = []
        for _ in range(dice.randint(0, 2)):
            begin = -dice.randint(2, 20) / 2 - 1
            others.append(hours(moment, begin, min(begin + dice.randint(1, 6) / 2, 0)))
        method = random_method(dice, seconds, export)
        more = {"event_days": sorted(set(events)), "holidays": sorted(set(holidays)), "others": others}
        baseline_case("random", f"{index + 1}: {zone} {at}", method, moment.request(**more))


def random_method(dice, seconds, export):
    rank_by = dice.choice(["event_mean", "daily_energy", "per_interval"])
    size = dice.randint(3, 8)
    match = {"kind": "match", "count": 2, "window": window(dice.choice([180, 240]), dice.choice([0, 60]))}
    pick = dice.choice([ALL, high(dice.randint(1, size), rank_by), middle(1, dice.randint(0, 1), rank_by), match])
    complete = dice.random() < 0.7
    low = dice.choice([0.25, 0.9]) if dice.random() < 0.5 else None
    fill = {"fill": "highest_event_days"} if dice.random() < 0.3 else {}
    more = {"lookback": dice.choice([14, 21, 30]), **fill, "event": dice.random() < 0.8, "incomplete": complete, "low": low}
    least = dice.choice([size, max(1, size - 2)])
    anchor = dice.choice(["start", "notification"])
    ends = dice.choice([(240, 60), (180, 60), (240, 120), (120, 0)])
    change = dice.choice([None, additive(*ends, anchor=anchor), ratio(*ends, anchor=anchor)])
    average = dice.choice([None, None, {"kind": "rolling", "alpha": 0.2, "seed_days": 3}])
    types = [["weekday"], DAYS_OFF]
    rules = [(pool(each, size if each == ["weekday"] else 4, min(least, 4), **more), pick) for each in types]
    return days_method(rules, change, seconds, average, dice.random() < 0.7)


# Meters


def meter_cases():
    def meters(text):
        return [{"id": each.split(":")[0], "assetType": each.split(":")[1]} for each in text.split()]

    cases = []
    for name, text, named in [
        ("all", "hall:load sun:generator", None),
        ("the connection alone", "hall:load grid:poi sun:generator battery:storage", None),
        ("two connections", "north:poi hall:load south:poi", None),
        ("named ones", "north:poi hall:load south:poi", ["hall"]),
        ("named ones, among them a connection", "north:poi hall:load south:poi", ["south", "hall"]),
        ("none", "", None),
    ]:
        summed = [each["id"] for each in second.measured_meters(meters(text), named)]
        cases.append({"name": name, "meters": meters(text), "named": named, "expected": summed})
    return cases


def reporting_cases():
    cases = []
    for name, at in [("on the hour", "2026-06-10T18:00:00"), ("within an hour", "2026-06-10T18:17:30")]:
        start = instant("UTC", at)
        readings = [-7 * DAY - 30, -7 * DAY, -7 * DAY + 30, -7 * DAY + HOUR, -DAY, -30, 0, 30, 1800]
        expected = [second.reports([start + each], start) for each in readings]
        cells = [(start + each) // 30 for each in readings]
        cases.append({"name": name, "start": start, "cells": cells, "expected": expected})
    return cases


# Performance


def performance_case(rule, name, load_formula, now=None, **more):
    start = instant("UTC", "2026-06-18T16:00:00")
    task = {
        "start": start,
        "end": start + 1800,
        "cancelled": None,
        "commitment": 100,
        "level": None,
        "reading_seconds": 30,
        **more,
    }
    load = {"seconds": 30, "from": start - 300, "to": start + 2 * HOUR, "formula": load_formula}
    reference = {"seconds": 900, "from": start - HOUR, "to": start + 2 * HOUR, "formula": formula(base=600, a=3, swing=2)}
    if task["level"] is not None:
        reference["formula"] = reference["formula"] | {"gaps": [[0, 2**40]]}
    by_baseline, by_load = load_of(reference), load_of(load)
    now = task["end"] + HOUR if now is None else start + now
    commitment, level = (None if value is None else second.exact(value) for value in (task["commitment"], task["level"]))
    found = second.measure(
        task | {"commitment": commitment, "level": level},
        by_load,
        lambda cell: by_baseline.at(-(-cell * 30 // 900)),
        now,
    )
    found["toDate"] = {key: number(value) for key, value in found["toDate"].items()}
    return {"rule": rule, "name": name, "task": task, "load": load, "baseline": reference, "now": now, "expected": found}


def performance_cases():
    start = instant("UTC", "2026-06-18T16:00:00")
    cases = []

    def case(*arguments, **more):
        cases.append(performance_case(*arguments, **more))

    def steady(base=500, **more):
        return formula(base=base, swing=2, a=37, b=401, c=29, d=83, **more)

    for base in (420, 480, 500, 520, 540, 580, 640, 700):
        case("metrics", f"a load of {base} kW and more", steady(base))
    case("metrics", "export", steady(-200), commitment=750)
    for commitment in (None, 0, 62.5):
        case("metrics", f"a commitment of {commitment}", steady(), commitment=commitment)
    slow = steady(640, raised=[[start + 420, start + 540, -150], [start + 600, start + 1800, -160]])
    case("metrics", "full curtailment, not held at first", slow)
    case("metrics", "gaps", steady(gaps=[[start + 300, start + 600]]))
    case("metrics", "coverage under 80 %", steady(gaps=[[start + 300, start + 900]]))
    case("metrics", "every fourth cell is missing", steady(sparse=[4, 1]))
    for now in (0, 30, 45, 299, 300, 900, 1799, 1800):
        case("metrics", f"after {now} s", steady(gaps=[[start + now - now % 30, start + 4 * HOUR]]), now=now)
    case("M10", "no cells", steady(gaps=[[start - HOUR, start + 4 * HOUR]]))
    case("M10", "no cells yet", steady(gaps=[[start - 60, start + 4 * HOUR]]), now=-60)
    case("M10", "no commitment", steady(), commitment=None)
    for late, long in [(10, 1790), (14, 1771), (16, 1777), (15, 1800), (1, 100)]:
        times = {"start": start + late, "end": start + late + long}
        case("M10", f"committed from second {late} for {long} s", steady(), **times)
    case("M10", "cancelled within a cell", steady(), cancelled=start + 1000)
    case("M10", "cancelled before the start", steady(), cancelled=start - 60)
    for reading, now, upto in [(300, 899, 600), (300, 930, 900), (300, 1200, 900), (60, 650, 600), (900, 1795, 900), (300, 900, 900), (900, 1790, 930)]:
        missing = steady(gaps=[[start + upto, start + 4 * HOUR]])
        name = f"readings of {reading} s to {upto} s, after {now} s"
        case("M11", name, missing, now=now, reading_seconds=reading)
    for reading, now, upto in [(300, 1800, 1500), (900, 2400, 900), (900, 2700, 900)]:
        missing = steady(gaps=[[start + upto, start + 4 * HOUR]])
        case("M11", f"over: readings of {reading} s to {upto} s, after {now} s", missing, now=now, reading_seconds=reading)
    for reading, age in [(30, 90), (30, 91), (60, 120), (60, 121), (300, 600), (300, 601)]:
        missing = steady(gaps=[[start + 600, start + 4 * HOUR]])
        case("M11", f"readings of {reading} s, the last {age} s ago", missing, now=600 + age, reading_seconds=reading)
    for above in (0, 3, 4, 12, 15, 16, 30, 60):
        raised = [[start, start + 30 * above, 100]]
        name = f"{above} of 60 intervals above the level"
        case("M12", name, steady(300, raised=raised), level=400, commitment=None)
    case("M12", "at the level", formula(base=400, swing=0, a=0, c=0), level=400, commitment=None)
    case("M12", "with gaps", steady(380, gaps=[[start + 300, start + 540]]), level=400, commitment=None)
    case("M12", "coverage under 80 %", steady(380, gaps=[[start + 300, start + 900]]), level=400, commitment=None)
    case("M12", "a commitment besides", steady(380), level=400.5, commitment=50)
    case("M12", "while it runs", steady(380, gaps=[[start + 600, start + 4 * HOUR]]), now=600, level=400, commitment=None)
    return cases


# G64: sites that are too new


def newness_cases():
    """Random enrolments before random dispatches, most of them near the edge."""
    dice = random.Random(20261126)
    chosen = [HIGH_4_OF_5, TEN_OF_TEN, MIDDLE_8_OF_10, HIGH_15_OF_20, METER_BEFORE, {"kind": "flat", "kw": 100}]
    cases = []
    for index in range(60):
        timezone = dice.choice(ZONES)
        start = int(datetime(2026, 3, 1, tzinfo=ZoneInfo("UTC")).timestamp()) + dice.randrange(250 * 96) * 900
        method = chosen[index % len(chosen)]
        before = dice.randrange(1800) if method["kind"] == "meter_before" else dice.randrange(40 * 96) * 900
        holidays = [
            datetime.fromtimestamp(start - dice.randrange(1, 20) * DAY, ZoneInfo("UTC")).date() for _ in range(2)
        ]
        dispatch = second.Dispatch(start, start + HOUR, start - dice.choice([0, HOUR]))
        cases.append({
            "method": method,
            "timezone": timezone,
            "holidays": [day.isoformat() for day in sorted(set(holidays))],
            "start": start,
            "notification": dispatch.notification,
            "enrolled": start - before,
            "expected": second.is_too_new(method, dispatch, timezone, set(holidays), start - before),
        })
    return cases


# The file


def one_line(node):
    if isinstance(node, dict):
        return "{ " + ", ".join(f"{json.dumps(key)}: {one_line(value)}" for key, value in node.items()) + " }" if node else "{}"
    if isinstance(node, list):
        return "[" + ", ".join(one_line(each) for each in node) + "]"
    return json.dumps(node)


def lines_of(node, indent, used):
    """JSON in lines of at most 120 characters; `used`: characters of the first line that are taken."""
    text = one_line(node)
    if not isinstance(node, (list, dict)) or used + len(text) + 1 <= 120:
        return text
    inner = indent + "  "
    if isinstance(node, dict):
        parts = []
        for key, value in node.items():
            name = f"{inner}{json.dumps(key)}: "
            parts.append(name + lines_of(value, inner, len(name)))
        return "{\n" + ",\n".join(parts) + f"\n{indent}}}"
    if all(isinstance(each, (int, float)) for each in node):
        return "[\n" + filled(node, inner) + f"\n{indent}]"
    return "[\n" + ",\n".join(inner + lines_of(each, inner, len(inner)) for each in node) + f"\n{indent}]"


def filled(numbers, indent):
    lines, line = [], indent
    for index, each in enumerate(numbers):
        text = json.dumps(each) + ("," if index < len(numbers) - 1 else "")
        if line != indent and len(line) + 1 + len(text) > 120:
            lines.append(line)
            line = indent
        line += ("" if line == indent else " ") + text
    return "\n".join([*lines, line])


def main():
    ordinary_cases()
    for cases in (m3_cases, m4_cases, m5_and_m6_cases, m7_cases, m8_cases, m9_cases, m12_cases, m13_cases, m14_cases):
        cases()
    random_cases(random.Random(20260618), 60)
    other_days_cases()
    nights = RandomTimes(first_hour=0, last_hour=5, notices=(0, HOUR, 12 * HOUR, 70 * HOUR), longest_around=40)
    random_cases(random.Random(20260622), 40, nights)
    vectors = {
        "meters": meter_cases(),
        "reporting": reporting_cases(),
        "methods": methods,
        "baselines": baselines,
        "performance": performance_cases(),
        "newness": newness_cases(),
    }
    path = Path(__file__).with_name("vectors.json")
    path.write_text(lines_of(vectors, "", 0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
