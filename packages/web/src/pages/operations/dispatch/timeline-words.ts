import { say } from "@curtail/words/page";
import { count } from "../../../format/quantity.js";
import { clock, dayAndClock, isSameDay, period } from "../../../format/time.js";
import type { versionReasons } from "../../../parts/version-reasons.js";
import type { Moment, TimelineEntry } from "../../../rules/timeline.js";
import type { Tone } from "../../../ui/badge.js";
import { alarmTitle } from "../alarms/alarm-title.js";
import { actorWords } from "../audit/words.js";
import { reachedWords } from "./timeline-reach.js";

/** A moment of the timeline in one line. */
export const momentWords = (moment: Moment, timeZone: string): string => {
  switch (moment.kind) {
    case "start":
      return say("The dispatch began.");
    case "end":
      return say("The dispatch ended.");
    case "readings_stopped":
      return say("{n, plural, one {Readings of # site stopped.} other {Readings of # sites stopped.}}", {
        n: moment.sites,
      });
    case "readings_back":
      return say("{n, plural, one {Readings of # site came again.} other {Readings of # sites came again.}}", {
        n: moment.sites,
      });
    case "entry":
      return entryWords(moment.entry, timeZone);
  }
};

const entryWords = (entry: TimelineEntry, timeZone: string): string => {
  const { what, count: n, account_name, detail } = entry;
  const change = entry.modification_number ?? 0;
  switch (what) {
    case "issued":
    case "changed":
    case "cancelled":
    case "voided":
      return changeWords(entry, what, timeZone);
    case "notified":
      return change === 0
        ? say("{n, plural, one {# account} other {# accounts}} can see the dispatch.", { n })
        : say("{n, plural, one {# account} other {# accounts}} can see change {change}.", { n, change });
    case "reached":
      return reachedWords(entry, timeZone);
    case "phoned":
      return `${phonedWords(account_name ?? say("An account"), actorOf(entry), change)} ${detail ?? ""}`;
    case "alarm":
      return say("Alarm: {alarm}.", { alarm: alarmWords(entry, timeZone) });
    case "alarm_cleared":
      return say("Alarm cleared: {alarm}.", { alarm: alarmWords(entry, timeZone) });
    case "result":
      return resultWords(entry);
  }
};

const actorOf = ({ actor, actor_name }: TimelineEntry): string | null =>
  actor === null ? null : actorWords(actor, actor_name);

const changeWords = (
  entry: TimelineEntry,
  what: "issued" | "changed" | "cancelled" | "voided",
  timeZone: string,
): string => {
  const { start_time, end_time, detail: reason } = entry;
  const actor = actorOf(entry);
  const time = start_time === null ? "" : period(start_time, end_time, timeZone);
  switch (what) {
    case "issued":
      return actor === null ? say("Issued: {time}.", { time }) : say("Issued by {actor}: {time}.", { actor, time });
    case "changed":
      return actor === null
        ? say("Changed to {time}.", { time })
        : say("Changed by {actor} to {time}.", { actor, time });
    case "cancelled":
      return actor === null ? say("Cancelled.", {}, "dispatch") : say("Cancelled by {actor}.", { actor });
    case "voided":
      if (reason === null)
        return actor === null ? say("Voided.", {}, "dispatch") : say("Voided by {actor}.", { actor });
      return actor === null
        ? say("Voided: {reason}.", { reason })
        : say("Voided by {actor}: {reason}.", { actor, reason });
  }
};

const phonedWords = (account: string, actor: string | null, change: number): string => {
  if (change === 0)
    return actor === null
      ? say("{account} notified by phone.", { account })
      : say("{account} notified by phone by {actor}.", { account, actor });
  return actor === null
    ? say("{account} notified by phone of change {change}.", { account, change })
    : say("{account} notified by phone by {actor} of change {change}.", { account, actor, change });
};

/** `Account not notified, 3 times, the last at 14:05` */
const alarmWords = ({ detail, count: n, account_name, until }: TimelineEntry, timeZone: string): string =>
  [
    alarmTitle(detail ?? ""),
    account_name ?? (n === 1 ? [] : say("{n} times", { n: count(n) })),
    until === null ? [] : say("the last at {time}", { time: clock(until, timeZone) }),
  ]
    .flat()
    .join(", ");

const resultWords = (entry: TimelineEntry): string => {
  const [actor, version] = [actorOf(entry), entry.version ?? ""];
  const reason = results.get(entry.detail ?? "") ?? (entry.detail ?? "").replaceAll("_", " ");
  return actor === null
    ? say("Result, version {version}: {reason}.", { version, reason })
    : say("Result, version {version} by {actor}: {reason}.", { version, actor, reason });
};

/** Why a version was made; one that another version of the service adds is shown by its name. */
const results: ReadonlyMap<string, string> = new Map(
  Object.entries({
    complete: say("complete", {}, "result"),
    overdue: say("overdue", {}, "result"),
    corrected: say("corrected", {}, "result"),
    event_days: say("event days"),
    rules: say("rules", {}, "noun"),
    decided: say("decided", {}, "result"),
    excluded_days: say("excluded days"),
    approved: say("approved", {}, "result"),
    withdrawn: say("withdrawn", {}, "result"),
  } satisfies Record<keyof typeof versionReasons, string>),
);

/** The time alone on the day of the viewer. */
export const momentTime = (at: string, timeZone: string, now: Date): string =>
  isSameDay(at, now, timeZone) ? clock(at, timeZone) : dayAndClock(at, timeZone, now);

export const momentTone = (moment: Moment): Tone => {
  if (moment.kind === "readings_stopped") return "warn";
  if (moment.kind === "readings_back") return "good";
  if (moment.kind !== "entry") return "accent";
  return entryTones[moment.entry.what];
};

const entryTones: Readonly<Record<TimelineEntry["what"], Tone>> = {
  issued: "accent",
  changed: "accent",
  cancelled: "bad",
  voided: "bad",
  notified: "neutral",
  reached: "good",
  phoned: "good",
  alarm: "bad",
  alarm_cleared: "good",
  result: "info",
};
