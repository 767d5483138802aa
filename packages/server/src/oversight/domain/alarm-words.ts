import { alarmWords, reasonSentence } from "../../platform/alarm.js";
import type { NamedAlarm, NamedDispatch } from "../../platform/alarm-ports.js";
import { localClock } from "../../portfolio/domain/timezone.js";

type Said = Pick<NamedAlarm, "kind" | "accountName" | "dispatch" | "reason">;

/** What is wrong, for people: names and local times, and why if that is known. */
export const sentenceOf = ({ kind, accountName, dispatch, reason }: Said): string => {
  const words = alarmWords(kind)?.words ?? `${kind.replaceAll("_", " ")}.`;
  const named = words
    .replace("{account}", () => accountName ?? "an account")
    .replace("{dispatch}", () => (dispatch === null ? "a dispatch" : dispatchWords(dispatch)));
  const why = reason === null ? null : reasonSentence(reason);
  return capital(why === null ? named : `${named} ${why}`);
};

/** `Peak relief on Wed 1 Jul from 13:00 to 15:00 (Central time)` */
const dispatchWords = ({ programName, timezone, start, end }: NamedDispatch): string => {
  const until =
    end === null
      ? ""
      : ` to ${localClock(end, timezone)}${isSameDay(start, end, timezone) ? "" : ` on ${day(end, timezone)}`}`;
  return `${programName} on ${day(start, timezone)} from ${localClock(start, timezone)}${until} (${zoneName(timezone, start)})`;
};

const day = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat("en-GB", { timeZone, weekday: "short", day: "numeric", month: "short" })
    .format(at)
    .replace(",", "");

const isSameDay = (a: Date, b: Date, timeZone: string): boolean => day(a, timeZone) === day(b, timeZone);

/** As people of the zone call it. */
const zoneName = (timeZone: string, at: Date): string => {
  const parts = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longGeneric" }).formatToParts(at);
  const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? timeZone;
  return name.replace(/ Time$/, " time");
};

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
