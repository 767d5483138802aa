"""A second implementation of statements, from docs/statements.md alone: cell by cell, with exact fractions.

A scene is the month of one site: programs with terms, enrolments, and dispatches with a reduction in every interval. All
instants are Unix seconds; kW are fractions. It is slow and plain on purpose: every interval is looked at by itself.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from zoneinfo import ZoneInfo

CELL = 30


def rounded(value, places):
    """Half away from zero, as a fraction."""
    scaled = abs(value) * 10**places
    whole = scaled.numerator // scaled.denominator
    if scaled - whole >= Fraction(1, 2):
        whole += 1
    return Fraction(whole if value >= 0 else -whole, 10**places)


def text(value, places):
    units = abs(value) * 10**places
    assert units.denominator == 1, value
    digits = str(units.numerator).rjust(places + 1, "0")
    plain = digits if places == 0 else f"{digits[:-places]}.{digits[-places:]}"
    return f"-{plain}" if value < 0 and units != 0 else plain


# Months and days


def month_of(second, zone):
    return datetime.fromtimestamp(second, ZoneInfo(zone)).strftime("%Y-%m")


def ends_of_days(month, zone):
    """The first instant after each local day of the month."""
    first = datetime.fromisoformat(f"{month}-01")
    ends = []
    day = first
    while day.strftime("%Y-%m") == month:
        day += timedelta(days=1)
        ends.append(day.replace(tzinfo=ZoneInfo(zone)).timestamp())
    return ends


# Dispatches


@dataclass
class Dispatch:
    id: str
    program: str
    start: int
    end: int | None
    cancelled: int | None
    issued: int
    test: bool
    void: bool
    final: bool
    commitment: Fraction | None
    baseline: bool
    """What the site delivered in each interval that has readings."""
    kw: dict

    def last(self):
        ends = [end for end in (self.end, self.cancelled) if end is not None]
        return min(ends) if ends else None

    def took_place(self):
        return not self.test and not self.void and (self.cancelled is None or self.cancelled > self.start)

    def covers(self, cell):
        """Whether the middle of an interval lies after the start, and not after the end. Cell k ends at 30 k seconds."""
        middle = CELL * cell - CELL // 2
        last = self.last()
        return self.start < middle and (last is None or middle <= last)

    def cells(self):
        first, last = self.start // CELL, self.last() // CELL + 2
        return [cell for cell in range(first, last + 1) if self.covers(cell)]

    def silent(self):
        return not any(cell in self.kw for cell in self.cells())

    def committed(self):
        if self.commitment is None:
            return None
        return rounded(self.commitment * (self.last() - self.start) / 3600, 3)


def energy(dispatch, cells, counted):
    """kWh of some intervals, gaps counting nothing; None where it is unknown."""
    if not dispatch.baseline or dispatch.silent():
        return None
    known = [dispatch.kw[cell] for cell in cells if cell in dispatch.kw]
    if counted == "capped":
        if dispatch.commitment is None:
            return None
        known = [min(kw, dispatch.commitment) for kw in known]
    if counted == "floored":
        known = [max(kw, 0) for kw in known]
    return rounded(Fraction(sum(known)) * CELL / 3600, 3)


class Month:
    def __init__(self, scene):
        self.month = scene["month"]
        self.programs = scene["programs"]
        self.enrolments = scene["enrolments"]
        self.dispatches = [dispatch for dispatch in scene["dispatches"] if dispatch.took_place()]

    def terms_of(self, dispatch):
        """Of the month that it starts in; None: there are none."""
        program = self.programs[dispatch.program]
        return program["terms"].get(month_of(dispatch.start, program["zone"]))

    def rules_of(self, dispatch):
        program = self.programs[dispatch.program]
        return program["rules"].get(month_of(dispatch.start, program["zone"]), 2)

    def claims(self, dispatch):
        """Whether it is paid for energy, as far as that is known."""
        terms = self.terms_of(dispatch)
        if terms is None or terms["energy"] is None:
            return False
        if not dispatch.final:
            return True
        limited = terms["energy"]["highest_share"] is not None
        if limited and dispatch.commitment is None and self.rules_of(dispatch) > 1:
            return False
        cells = dispatch.cells()
        return dispatch.silent() or energy(dispatch, cells, terms["energy"]["counted"]) is not None

    def priority(self, dispatch):
        return (self.rules_of(dispatch) > 1, dispatch.issued, dispatch.id)

    def left(self, dispatch):
        """The intervals that no other dispatch is paid for."""
        if self.rules_of(dispatch) == 1 or not self.claims(dispatch):
            return dispatch.cells()
        rivals = [
            other
            for other in self.dispatches
            if other is not dispatch and self.claims(other) and self.priority(other) < self.priority(dispatch)
        ]
        return [cell for cell in dispatch.cells() if not any(other.covers(cell) for other in rivals)]

    def counted(self, dispatch):
        return Counted(dispatch, self.left(dispatch))

    def lines(self):
        found = []
        for name, program in self.programs.items():
            terms = program["terms"].get(self.month)
            if terms is not None:
                found += self.lines_of(name, program, terms)
        return found

    def lines_of(self, name, program, terms):
        rules = program["rules"].get(self.month, 2)
        own = [
            self.counted(dispatch)
            for dispatch in sorted(self.dispatches, key=lambda each: (each.start, each.id))
            if dispatch.program == name and month_of(dispatch.start, program["zone"]) == self.month
        ]
        digits = terms["digits"]
        earned = self.capacity(name, program, terms, rules, own)
        if terms["energy"] is not None:
            earned += [line("energy", each.dispatch.id, each.paid(terms["energy"], rules), digits) for each in own]
        owed = []
        if terms["penalty"] is not None:
            owed = [line("penalty", each.dispatch.id, each.fined(terms["penalty"]), digits) for each in own]
        return [(name, *each) for each in [*earned, *owed, *caps(terms, earned, owed)]]

    # Capacity

    def capacity(self, name, program, terms, rules, own):
        if terms["capacity"] is None:
            return []
        kw = self.last_day(name, program) if rules == 1 else self.mean(name, program)
        if kw is None:
            return [line("capacity", None, Fraction(0), terms["digits"])]
        price = terms["capacity"]["price_per_kw"] * factor(terms["capacity"]["factor"], own, rules)
        return [line("capacity", None, kw * price, terms["digits"])]

    def held(self, program, moment):
        """The enrolment just before a moment."""
        for each in self.enrolments:
            if each["program"] == program and each["from"] < moment and (each["to"] is None or each["to"] >= moment):
                return each
        return None

    def last_day(self, name, program):
        held = self.held(name, ends_of_days(self.month, program["zone"])[-1])
        return None if held is None or held["kw"] is None else rounded(held["kw"], 3)

    def mean(self, name, program):
        ends = ends_of_days(self.month, program["zone"])
        return rounded(sum(self.counts(name, moment) for moment in ends) / Fraction(len(ends)), 3)

    def counts(self, name, moment):
        own = self.held(name, moment)
        if own is None or own["kw"] is None:
            return Fraction(0)
        before = [Fraction(0)]
        for other, program in self.programs.items():
            terms = program["terms"].get(self.month)
            held = self.held(other, moment)
            if other == name or terms is None or terms["capacity"] is None or held is None or held["kw"] is None:
                continue
            if (held["since"], other) < (own["since"], name):
                before.append(rounded(held["kw"], 3))
        return max(Fraction(0), rounded(own["kw"], 3) - max(before))


def factor(limits, own, rules):
    if limits is None:
        return Fraction(1)
    judged = [each for each in own if each.judged()]
    committed = sum((each.committed() for each in judged), Fraction(0))
    if committed == 0:
        share = Fraction(1)
        if rules == 1:
            return share
    else:
        delivered = sum((each.delivered("capped") for each in judged), Fraction(0))
        share = rounded(delivered / committed, 6)
    return max(limits["lowest"], min(limits["highest"], share))


class Counted:
    """A dispatch of the month in the intervals that are left to it."""

    def __init__(self, dispatch, cells):
        self.dispatch = dispatch
        self.cells = cells

    def elsewhere(self):
        return len(self.cells) == 0 and len(self.dispatch.cells()) > 0

    def committed(self):
        whole = self.dispatch.committed()
        count = len(self.dispatch.cells())
        if whole is None or len(self.cells) == count:
            return whole
        return rounded(whole * len(self.cells) / count, 3)

    def delivered(self, counted):
        """None where it is unknown."""
        if not self.dispatch.final:
            return None
        if self.dispatch.silent() or self.elsewhere():
            return Fraction(0)
        return energy(self.dispatch, self.cells, counted)

    def judged(self):
        known = self.committed() is not None and self.delivered("capped") is not None
        return known and self.dispatch.cancelled is None and not self.elsewhere()

    def paid(self, terms, rules):
        delivered = self.delivered(terms["counted"])
        if delivered is None:
            return Fraction(0)
        if terms["highest_share"] is not None:
            if self.committed() is None:
                return Fraction(0) if rules > 1 else delivered * terms["price_per_kwh"]
            delivered = min(delivered, rounded(self.committed() * terms["highest_share"], 3))
        return delivered * terms["price_per_kwh"]

    def fined(self, terms):
        delivered = self.delivered(terms["counted"])
        if self.dispatch.cancelled is not None or self.elsewhere() or delivered is None or self.committed() is None:
            return Fraction(0)
        missing = rounded(self.committed() * terms["below"], 3) - delivered
        return -max(Fraction(0), missing) * terms["price_per_kwh"]


def line(kind, dispatch, amount, digits):
    return (kind, dispatch, rounded(amount, digits))


def caps(terms, earned, owed):
    if terms["penalty"] is None:
        return []
    penalties = -sum((amount for _, _, amount in owed), Fraction(0))
    monthly = penalties
    if terms["penalty"]["highest_per_month"] is not None:
        monthly = min(penalties, rounded(terms["penalty"]["highest_per_month"], terms["digits"]))
    within = monthly
    if terms["penalty"]["within_earnings"]:
        within = min(monthly, max(Fraction(0), sum((amount for _, _, amount in earned), Fraction(0))))
    given = [penalties - monthly, monthly - within]
    return [("cap", None, amount) for amount in given if amount != 0]
