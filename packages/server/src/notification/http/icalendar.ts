import type { Words } from "../../platform/words.js";
import type { CalendarEvent } from "../domain/calendar-event.js";

const CRLF = "\r\n";
/** Longest line in octets, without its line break (RFC 5545, 3.1). */
const MAX_LINE_BYTES = 75;
const REFRESH = "PT15M";

/**
 * A calendar as iCalendar (RFC 5545). All times are in UTC, so it needs no time zones. It has no METHOD: DTSTAMP is then
 * when an event last changed (3.8.7.2), and the text stays the same until something changes.
 */
export const toICalendar = (
  { language }: Pick<Words, "language">,
  name: string,
  events: readonly CalendarEvent[],
): string =>
  [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    `PRODID:-//Curtail//Dispatches//${language.toUpperCase()}`,
    "CALSCALE:GREGORIAN",
    text("NAME", name),
    text("X-WR-CALNAME", name),
    `REFRESH-INTERVAL;VALUE=DURATION:${REFRESH}`,
    `X-PUBLISHED-TTL:${REFRESH}`,
    ...events.flatMap(eventLines),
    "END:VCALENDAR",
  ]
    .map((line) => folded(line) + CRLF)
    .join("");

const eventLines = (event: CalendarEvent): string[] => [
  "BEGIN:VEVENT",
  `UID:${event.uid}`,
  `DTSTAMP:${utc(event.changedAt)}`,
  `CREATED:${utc(event.createdAt)}`,
  `LAST-MODIFIED:${utc(event.changedAt)}`,
  `SEQUENCE:${event.sequence}`,
  `STATUS:${event.status}`,
  `DTSTART:${utc(event.start)}`,
  `DTEND:${utc(event.end)}`,
  text("SUMMARY", event.summary),
  text("LOCATION", event.location),
  text("DESCRIPTION", event.description),
  `URL:${event.url}`,
  `TRANSP:${event.isBusy ? "OPAQUE" : "TRANSPARENT"}`,
  ...alarmLines(event),
  "END:VEVENT",
];

const alarmLines = ({ alarm }: CalendarEvent): string[] =>
  alarm === null
    ? []
    : [
        "BEGIN:VALARM",
        "ACTION:DISPLAY",
        `TRIGGER:-PT${alarm.minutesBefore}M`,
        text("DESCRIPTION", alarm.text),
        "END:VALARM",
      ];

/** `20260701T180000Z` (3.3.5). */
const utc = (at: Date): string => at.toISOString().replaceAll(/[-:]|\.\d{3}/g, "");

/** Escapes a value of type TEXT (3.3.11); control characters cannot be written at all. */
const text = (name: string, value: string): string =>
  `${name}:${value
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
    .replaceAll("\n", String.raw`\n`)
    .replaceAll(/\p{Cc}/gu, "")}`;

/** Breaks a line into several of at most 75 octets, between characters; each further one begins with a space. */
const folded = (line: string): string => {
  const lines: string[] = [];
  let part = "";
  let bytes = 0;
  for (const character of line) {
    const length = Buffer.byteLength(character);
    if (bytes + length > MAX_LINE_BYTES) {
      lines.push(part);
      part = " ";
      bytes = 1;
    }
    part += character;
    bytes += length;
  }
  return [...lines, part].join(CRLF);
};
