import type { operator } from "@curtail/contract";
import { type AlarmCause, causeWords } from "@curtail/contract/lists/alarm-causes";
import { alarmWords } from "@curtail/contract/lists/alarms";
import { pageWords, say } from "@curtail/words/page";
import { count, power } from "../format/quantity.js";
import { clock, dayAndClock, duration, isSameDay } from "../format/time.js";
import { reasonsSaid } from "./alarm-reasons.js";
import { countedCause } from "./short-causes.js";

export type AlarmGroup = operator.AlarmGroup;
export type AlarmGroups = operator.AlarmGroups;

/** Less than this is no part of a shortfall that a person would look for. */
const LEAST_KW = 0.5;

/** `Peak relief: 30 accounts not notified, 2,310 kW`. */
export const groupHeading = (group: AlarmGroup): string => {
  const { at_stake_kw } = group;
  const title = groupTitle(group);
  return at_stake_kw !== null && at_stake_kw >= LEAST_KW ? `${title}, ${power(at_stake_kw)}` : title;
};

export const groupTitle = (group: AlarmGroup): string =>
  titleOf({ ...group, program_name: group.dispatch?.program_name ?? null });

interface Titled {
  readonly title: string;
  readonly cause: string;
  readonly kind: string;
  /** null: of no dispatch. */
  readonly program_name: string | null;
  readonly accounts: number;
  readonly sites: number;
  readonly alarms: number;
}

/** The title of the service, which is English, or the same in the language of the page. */
export const titleOf = (group: Titled): string => {
  if (pageWords().language === "en") return group.title;
  const what = causeOf(group) ?? kindOf(group);
  if (what === null) return group.title;
  return group.program_name === null ? what : `${group.program_name}: ${what}`;
};

const causeOf = ({ cause, accounts, sites }: Titled): string | null => {
  const words = causeWords(cause);
  const number = words?.of === "site" ? sites : accounts;
  return words === null || number === 0 ? null : countedCause(cause as AlarmCause, number);
};

const kindOf = ({ kind, accounts, alarms }: Titled): string | null => {
  const title = alarmWords(kind)?.title;
  if (title === undefined) return null;
  if (accounts > 1)
    return say("{title}, {n, plural, one {# account} other {# accounts}}", { title: say(title), n: accounts });
  return alarms > 1
    ? say("{title}, {n, plural, one {# alarm} other {# alarms}}", { title: say(title), n: alarms })
    : say(title);
};

/** The end of a dispatch is said once it is so near. */
const NEAR_END_MS = 30 * 60_000;

/** `Since 4:03 pm. 12 emails bounced, 18 have no channel. Ends in 12 min.` */
export const groupDetails = ({ since, why, dispatch }: AlarmGroup, now: Date, timeZone: string): string =>
  [
    say("Since {time}.", { time: clock(since, timeZone) }),
    why === "" ? "" : `${pageWords().language === "en" ? why : reasonsSaid(why)}.`,
    timeLeft(dispatch, now, timeZone),
  ]
    .filter((part) => part !== "")
    .join(" ");

/** What tells dispatches of a program apart; nothing of one that goes on for long. */
const timeLeft = (dispatch: AlarmGroup["dispatch"], now: Date, timeZone: string): string => {
  if (dispatch === null) return "";
  const leftMs = dispatch.end_time === null ? Number.POSITIVE_INFINITY : Date.parse(dispatch.end_time) - now.getTime();
  if (leftMs <= 0) return say("The dispatch is over.");
  if (Date.parse(dispatch.start_time) > now.getTime())
    return say("Starts {time}.", { time: startOf(dispatch.start_time, now, timeZone) });
  return leftMs <= NEAR_END_MS ? say("Ends in {time}.", { time: duration(leftMs) }) : "";
};

const startOf = (at: string, now: Date, timeZone: string): string =>
  isSameDay(at, now, timeZone) ? clock(at, timeZone) : dayAndClock(at, timeZone, now);

/** Who looks after a group: `Desk 2, 4:51 pm` once it is acknowledged; null if nobody does. */
export const groupAttendant = (
  { open, acknowledged_at, acknowledged_by_name, assigned_to }: AlarmGroup,
  timeZone: string,
): string | null => {
  if (open > 0 || acknowledged_at === null)
    return assigned_to === null ? null : say("Assigned to {name}", { name: assigned_to });
  return `${assigned_to ?? acknowledged_by_name ?? say("Operator")}, ${clock(acknowledged_at, timeZone)}`;
};

/** `51 alarms in 3 groups`; groups that are acknowledged as a whole are counted apart. */
export const groupsHeading = ({ open, acknowledged, groups, items }: AlarmGroups): string => {
  const openGroups = groups - items.filter((each) => each.open === 0).length;
  const words =
    open === 0
      ? say("No open alarms")
      : say("{open, plural, one {# alarm} other {# alarms}} in {groups, plural, one {# group} other {# groups}}", {
          open,
          groups: openGroups,
        });
  return acknowledged === 0 ? words : say("{alarms}, {n} acknowledged", { alarms: words, n: count(acknowledged) });
};

/** `1 shelved until 6:30 pm`; null if none is. */
export const shelvedWords = ({ shelved, shelved_until }: AlarmGroups, timeZone: string): string | null => {
  if (shelved === 0 || shelved_until === null) return null;
  return say("{n, plural, =1 {1 shelved until {time}} other {# shelved, the first until {time}}}", {
    n: shelved,
    time: clock(shelved_until, timeZone),
  });
};

/** Open alarms of each dispatch. */
export const openByDispatch = ({
  items,
}: {
  readonly items: ReadonlyArray<Pick<AlarmGroup, "dispatch" | "open">>;
}): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const { dispatch, open } of items)
    if (dispatch !== null) counts.set(dispatch.id, (counts.get(dispatch.id) ?? 0) + open);
  return counts;
};

const SHELF_MINUTES: readonly number[] = [30, 60, 120, 240, 480];
const MINUTE_MS = 60_000;
const LONGEST_MS = 480 * MINUTE_MS;

/** Times until which a group may be shelved: after some minutes, and at the end of its dispatch if that is within them. */
export const shelfEnds = (
  { dispatch }: Pick<AlarmGroup, "dispatch">,
  now: Date,
  timeZone: string,
): ReadonlyArray<{ readonly until: string; readonly label: string }> => {
  const nowMs = Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS;
  const timed = SHELF_MINUTES.map((minutes) => {
    const until = new Date(nowMs + minutes * MINUTE_MS).toISOString();
    const length = minutes < 60 ? `${minutes} min` : `${minutes / 60} h`;
    return { until, label: say("{time}, in {length}", { time: clock(until, timeZone), length }) };
  });
  const endMs = Date.parse(dispatch?.end_time ?? "");
  const isWithin = endMs > now.getTime() && endMs <= nowMs + LONGEST_MS;
  const end = new Date(isWithin ? endMs : 0).toISOString();
  return isWithin
    ? [{ until: end, label: say("{time}, the end of the dispatch", { time: clock(end, timeZone) }) }, ...timed]
    : timed;
};

/** `tel:` with the digits alone. */
export const dialled = (phone: string): string => `tel:${phone.replaceAll(/[^+\d]/g, "")}`;
