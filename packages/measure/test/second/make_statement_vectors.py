"""Writes statement-vectors.json: months of a site with the lines that the second implementation (statements.py) finds.

    python3 packages/measure/test/second/make_statement_vectors.py
"""

import json
import random
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from pathlib import Path
from zoneinfo import ZoneInfo

import statements as second

ZONES = ["UTC", "America/New_York", "Asia/Kolkata"]
CURRENCIES = [("USD", 2), ("JPY", 0), ("KWD", 3)]
MONTHS = ["2026-06", "2026-07"]
BASELINE = 300


def second_of(text, zone="UTC"):
    return int(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp())


def decimal(units, places):
    return second.text(Fraction(units, 10**places), places)


def maybe(chance, value):
    return value if random.random() < chance else None


def terms_of(currency):
    lowest = random.choice([0, 25, 100])
    counted = lambda: random.choice(["net", "floored", "capped"])
    return {
        "currency": currency[0],
        "capacity": maybe(
            0.7,
            {
                "price_per_kw": decimal(random.randrange(1, 9_000_000), 6),
                "factor": maybe(0.7, {"lowest": decimal(lowest, 2), "highest": decimal(random.choice([100, 90, 120]) , 2)}),
            },
        ),
        "energy": maybe(
            0.8,
            {
                "price_per_kwh": decimal(random.randrange(1, 900_000), 6),
                "counted": counted(),
                "highest_share": maybe(0.4, decimal(random.choice([50, 80, 120]), 2)),
            },
        ),
        "penalty": maybe(
            0.6,
            {
                "below": decimal(random.choice([50, 80, 100]), 2),
                "price_per_kwh": decimal(random.randrange(1, 2_000_000), 6),
                "counted": counted(),
                "highest_per_month": maybe(0.3, decimal(random.randrange(0, 50_000), 3)),
                "within_earnings": random.random() < 0.3,
            },
        ),
    }


def program_of(rules):
    currency = random.choice(CURRENCIES)
    return {
        "zone": random.choice(ZONES),
        "terms": {month: terms for month in MONTHS if (terms := maybe(0.9, terms_of(currency))) is not None},
        "rules": rules,
    }


# Eighths of a kW: so are loads, and no program rounds them.
COMMITMENTS = [None, "0", "12.5", "33.25", "48", "100.125"]


def enrolments_of(program):
    """Periods of an enrolment: it may begin, change and end within the months."""
    moments = sorted(random.sample(range(second_of("2026-05-25"), second_of("2026-08-05"), 3600), random.randrange(1, 4)))
    periods = []
    since = None
    for index, moment in enumerate(moments):
        end = moments[index + 1] if index + 1 < len(moments) else None
        since = moment if since is None else since
        if random.random() < 0.15:
            since = None
            continue
        kw = random.choice(COMMITMENTS)
        periods.append({"program": program, "from": moment, "to": end, "kw": kw, "since": since})
    return periods


def dispatch_of(index, programs):
    start = random.choice([second_of("2026-06-30T22:00"), second_of("2026-06-30T18:30"), second_of("2026-07-01T03:00"), second_of("2026-06-10T10:00")])
    start += random.randrange(0, 5400)
    end = start + random.randrange(60, 5400)
    cancelled = maybe(0.15, random.randrange(start - 60, end))
    return {
        "id": f"dis_{index}",
        "program": random.choice(list(programs)),
        "start": start,
        "end": end,
        "cancelled": cancelled,
        "issued": start - random.randrange(0, 6) * 600,
        "test": random.random() < 0.08,
        "void": random.random() < 0.08,
        "final": random.random() < 0.9,
        "commitment": random.choice(COMMITMENTS),
        "baseline": random.random() < 0.9,
        # Every so manyth interval has no reading; all of them: silent.
        "gaps": random.choice([0, 0, 3, 7, 1]),
    }


def load_of(seed, cell):
    """kW that the site draws in an interval: whole eighths, so that every program computes the very same."""
    return BASELINE - 60 + Fraction(cell * 37 % (101 + seed), 1) - Fraction(cell * seed % 8, 8)


def read(scene):
    """A scene as the second implementation takes it."""
    fraction = lambda value: None if value is None else Fraction(str(value))
    part = lambda terms, name: terms[name] and {key: fraction(value) if isinstance(value, str) and key != "counted" else value for key, value in terms[name].items()}

    def terms(given):
        capacity = given["capacity"] and {
            "price_per_kw": fraction(given["capacity"]["price_per_kw"]),
            "factor": part(given["capacity"], "factor"),
        }
        digits = dict(CURRENCIES)[given["currency"]]
        return {"digits": digits, "capacity": capacity, "energy": part(given, "energy"), "penalty": part(given, "penalty")}

    programs = {
        name: {**program, "terms": {month: terms(given) for month, given in program["terms"].items()}}
        for name, program in scene["programs"].items()
    }
    dispatches = []
    for given in scene["dispatches"]:
        cells = range(given["start"] // 30 - 1, given["end"] // 30 + 3)
        kept = [cell for cell in cells if given["gaps"] == 0 or cell % given["gaps"] != 0]
        kw = {cell: BASELINE - load_of(scene["seed"], cell) for cell in kept}
        rest = {key: value for key, value in given.items() if key not in ("gaps", "commitment")}
        dispatches.append(second.Dispatch(**rest, commitment=fraction(given["commitment"]), kw=kw))
    enrolments = [{**each, "kw": fraction(each["kw"])} for each in scene["enrolments"]]
    return {"month": scene["month"], "programs": programs, "enrolments": enrolments, "dispatches": dispatches}


def scene_of(seed):
    random.seed(seed)
    before = random.random() < 0.2
    programs = {
        f"prg_{index}": program_of({month: 1 for month in MONTHS if month == "2026-06" or random.random() < 0.3} if before else {})
        for index in range(random.randrange(1, 4))
    }
    return {
        "seed": seed,
        "month": random.choice(MONTHS),
        "programs": programs,
        "enrolments": [period for program in programs for period in enrolments_of(program)],
        "dispatches": [dispatch_of(index, programs) for index in range(random.randrange(0, 8))],
    }


def case_of(seed):
    scene = scene_of(seed)
    month = second.Month(read(scene))
    digits = {name: dict(CURRENCIES)[next(iter(program["terms"].values()))["currency"]] for name, program in scene["programs"].items() if program["terms"]}
    lines = [
        {"program": program, "kind": kind, "dispatch": dispatch, "amount": second.text(amount, digits[program])}
        for program, kind, dispatch, amount in month.lines()
    ]
    return {**scene, "expected": lines}


if __name__ == "__main__":
    cases = [case_of(seed) for seed in range(1, 201)]
    path = Path(__file__).with_name("statement-vectors.json")
    path.write_text(json.dumps(cases, indent=1) + "\n")
    print(f"{len(cases)} months, {sum(len(case['expected']) for case in cases)} lines")
