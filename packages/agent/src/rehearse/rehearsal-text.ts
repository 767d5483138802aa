import { type LocalTime, localTimestamp } from "@curtail/measure";
import { formatDuration } from "../config/duration.js";
import { clockOf } from "./day.js";
import type { Entry, Played, PlayedMeter, SiteEntry, WriteEntry } from "./played.js";

/** A day that was played, with what it shows. */
export interface Rehearsal extends Played {
  readonly date: string;
  readonly time: LocalTime;
  readonly findings: readonly string[];
}

/** The timeline in lines: events of the day with their time, and below each what the agent makes of it. */
export const rehearsalLines = (rehearsal: Rehearsal): readonly string[] => {
  const { date, time, meters, findings } = rehearsal;
  return [
    `Rehearsal of ${date}, times of ${time.timezone}. Nothing was connected, read or written.`,
    "",
    ...timelineLines(rehearsal),
    "",
    ...(meters.length === 0
      ? ["Readings: there is no meter."]
      : ["Readings, with a load of two fifths of each `range`:"]),
    ...meters.map(meterLine),
    "",
    ...(findings.length === 0 ? ["The day shows no dangerous setting."] : ["What the day shows:"]),
    ...findings.map((text) => `  - ${text}`),
  ];
};

/** When clocks are set back, a time comes twice: events have its offset. */
const timelineLines = ({ entries, time, date }: Rehearsal): readonly string[] => {
  let before = "";
  return entries.map((entry) => {
    const [day = "", clock = ""] = localTimestamp(entry.atMs, time).split("T");
    const stamp = `${day === date ? "" : `${day} `}${clock}`;
    if (entry.kind === "event") {
      before = stamp;
      return `${stamp}  ${entry.text}`;
    }
    const shown = stamp === before ? "" : clock.slice(0, 8);
    before = stamp;
    return `${shown.padEnd(18)}${textOf(entry, time)}`;
  });
};

const textOf = (entry: Entry, time: LocalTime): string => {
  switch (entry.kind) {
    case "event":
    case "note":
      return entry.text;
    case "site":
      return `${entry.site}: ${entry.phase} (${entry.cause})${entry.phase === "curtailing" ? `, ${askedWords(entry)}` : ""}`;
    case "write":
      return writeText(entry, time);
  }
};

const askedWords = ({ commitmentKw }: SiteEntry): string =>
  commitmentKw === null ? "as much as possible" : `${commitmentKw} kW`;

const writeText = (
  { site, output, from, value, steps, untilMs, place, sent, fault }: WriteEntry,
  time: LocalTime,
): string => {
  const ramp = steps > 1 ? ` in ${steps} steps until ${clockOf(untilMs, time)}` : "";
  const change = from === null ? `${value}` : `${from} to ${value}`;
  return `  ${site}, ${output}: ${change}${ramp}; ${fault === null ? `${place}: ${sent}` : `NOT WRITTEN: ${fault}`}`;
};

const meterLine = ({ site, meter, kw, intervalMs, sent, kept, missing }: PlayedMeter): string => {
  const missed = Object.entries(missing).map(([why, count]) => `${count} missing (${why})`);
  const parts = [`${sent} sent at once`, `${kept} kept without contact and sent after it`, ...missed];
  return `  ${site}, ${meter}: ${kw} kW, one every ${formatDuration(intervalMs)}; ${parts.join(", ")}`;
};

/** The same for programs; times are RFC 3339 with the offset of the site. */
export const rehearsalJson = ({ date, time, entries, meters, findings }: Rehearsal): string => {
  const stamped = entries.map(({ atMs, ...entry }) => ({
    at: localTimestamp(atMs, time),
    ...("untilMs" in entry
      ? (({ untilMs, ...rest }) => ({ ...rest, until: localTimestamp(untilMs, time) }))(entry)
      : entry),
  }));
  return JSON.stringify({ date, timezone: time.timezone, timeline: stamped, readings: meters, findings }, snaked, 2);
};

/** Names as in `/status.json`. */
const snaked = (_: string, value: unknown): unknown => {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
  const entries = Object.entries(value);
  // Reasons of missing readings are names of their own.
  if (entries.some(([name]) => name.includes(" "))) return value;
  return Object.fromEntries(entries.map(([name, each]) => snakedMember(name, each)));
};

const snakedMember = (name: string, value: unknown): readonly [string, unknown] =>
  name.endsWith("Ms") && typeof value === "number"
    ? [`${snake(name.slice(0, -2))}_seconds`, value / 1_000]
    : [snake(name), value];

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
