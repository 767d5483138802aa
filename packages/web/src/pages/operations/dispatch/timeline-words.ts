import { channels } from "@curtail/contract/lists/channels";
import { say } from "@curtail/words/page";
import { count, counted } from "../../../format/quantity.js";
import { clock, dayAndClock, isSameDay, period } from "../../../format/time.js";
import type { Moment, TimelineEntry } from "../../../rules/timeline.js";
import type { Tone } from "../../../ui/badge.js";
import { alarmTitle } from "../alarms/alarm-title.js";
import { actorWords } from "../audit/words.js";

/** A moment of the timeline in one line. */
export const momentWords = (moment: Moment, timeZone: string): string => {
  switch (moment.kind) {
    case "start":
      return say("The dispatch began.");
    case "end":
      return say("The dispatch ended.");
    case "readings_stopped":
      return `Readings of ${counted(moment.sites, "site")} stopped.`;
    case "readings_back":
      return `Readings of ${counted(moment.sites, "site")} came again.`;
    case "entry":
      return entryWords(moment.entry, timeZone);
  }
};

const entryWords = (entry: TimelineEntry, timeZone: string): string => {
  const { what, count: number, start_time, end_time, account_name, channel, detail, version } = entry;
  const by = entry.actor === null ? "" : ` by ${actorWords(entry.actor, entry.actor_name)}`;
  const change = changeWords(entry);
  switch (what) {
    case "issued":
      return `Issued${by}: ${start_time === null ? "" : period(start_time, end_time, timeZone)}.`;
    case "changed":
      return `Changed${by} to ${start_time === null ? "" : period(start_time, end_time, timeZone)}.`;
    case "cancelled":
      return `Cancelled${by}.`;
    case "voided":
      return `Voided${by}${detail === null ? "" : `: ${detail}`}.`;
    case "notified":
      return `${counted(number, "account")} can see ${change === "" ? say("the dispatch") : change}.`;
    case "reached":
      return `${account_name ?? counted(number, "account")} notified ${channel === null ? "" : channels[channel].reach.notified}${ofChange(change)}${spanWords(entry, timeZone)}.`;
    case "phoned":
      return `${account_name ?? say("An account")} notified by phone${by}${ofChange(change)}. ${detail ?? ""}`;
    case "alarm":
      return `Alarm: ${alarmWords(entry)}${spanWords(entry, timeZone)}.`;
    case "alarm_cleared":
      return `Alarm cleared: ${alarmWords(entry)}${spanWords(entry, timeZone)}.`;
    case "result":
      return `Result, version ${version ?? ""}${by}: ${(detail ?? "").replaceAll("_", " ")}.`;
  }
};

const alarmWords = ({ detail, count: number, account_name }: TimelineEntry): string =>
  `${alarmTitle(detail ?? "")}${account_name === null ? (number === 1 ? "" : `, ${count(number)} times`) : `, ${account_name}`}`;

const changeWords = ({ modification_number }: TimelineEntry): string =>
  modification_number === null || modification_number === 0 ? "" : `change ${modification_number}`;
const ofChange = (change: string): string => (change === "" ? "" : ` of ${change}`);

const spanWords = ({ until }: TimelineEntry, timeZone: string): string =>
  until === null ? "" : `, the last at ${clock(until, timeZone)}`;

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
