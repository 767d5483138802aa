"""Reads iCalendar from standard input with python3-icalendar and writes its events as JSON."""

import json
import sys

from icalendar import Calendar

calendar = Calendar.from_ical(sys.stdin.buffer.read())


def event(of):
    return {
        "uid": str(of["UID"]),
        "sequence": int(of["SEQUENCE"]),
        "status": str(of["STATUS"]),
        "start": of["DTSTART"].dt.isoformat(),
        "end": of["DTEND"].dt.isoformat(),
        "stamp": of["DTSTAMP"].dt.isoformat(),
        "changed": of["LAST-MODIFIED"].dt.isoformat(),
        "summary": str(of["SUMMARY"]),
        "location": str(of["LOCATION"]),
        "description": str(of["DESCRIPTION"]),
        "url": str(of["URL"]),
        "transparency": str(of["TRANSP"]),
        "alarms": [str(alarm["TRIGGER"].dt) for alarm in of.walk("VALARM")],
        "errors": [str(error) for error in of.errors],
    }


json.dump(
    {
        "name": str(calendar["X-WR-CALNAME"]),
        "refresh": str(calendar["REFRESH-INTERVAL"]),
        "method": calendar.get("METHOD"),
        "events": [event(each) for each in calendar.walk("VEVENT")],
    },
    sys.stdout,
)
