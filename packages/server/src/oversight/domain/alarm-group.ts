import { alarmKinds, alarmWords, causeWords, countedReason } from "../../platform/alarm.js";
import type { AlarmsInGroup } from "../../platform/alarm-ports.js";

/** 1: kW are at stake now, and a person can save them. 2: act within its time. 3: when there is time. */
export type Priority = 1 | 2 | 3;

/** The dispatch of a group, as far as it decides how urgent the group is. */
export interface GroupDispatch {
  readonly programName: string;
  readonly start: Date;
  readonly end: Date | null;
  readonly authorized: boolean;
  readonly commitmentKw: number;
}

/** A part of the commitment from which a shortfall is of priority 1, and the kW from which any is. */
const GREAT_SHARE = 0.1;
const GREAT_KW = 1000;
/** Less time than this saves little: a site takes some minutes to follow a call. */
const LEAST_LEFT_MS = 15 * 60_000;
/** Before its start, a dispatch is urgent from then on. */
const SOON_MS = 30 * 60_000;

interface Stakes {
  /** First of its kinds. */
  readonly kind: string;
  /** null: of no dispatch. */
  readonly dispatch: GroupDispatch | null;
  /** null: unknown, or the cause is none of a shortfall. */
  readonly atStakeKw: number | null;
}

/** How urgent a group is, by kW and the time that is left to save them. */
export const priorityOf = ({ kind, dispatch, atStakeKw }: Stakes, now: Date): Priority => {
  if (dispatch === null) return kindPriority(kind);
  if (isOver(dispatch, now)) return 3;
  if (atStakeKw === null) return kindPriority(kind);
  if (atStakeKw <= 0) return 3;
  const isGreat = atStakeKw >= Math.min(GREAT_KW, dispatch.commitmentKw * GREAT_SHARE);
  return isGreat && isTimely(dispatch, now) ? 1 : 2;
};

const kindPriority = (kind: string): Priority => alarmWords(kind)?.priority ?? 3;

/** Whether nothing can be saved any more. At its end itself a dispatch still counts. */
export const isOver = ({ authorized, end }: Pick<GroupDispatch, "authorized" | "end">, now: Date): boolean =>
  !authorized || (end !== null && end < now);

const isTimely = ({ start, end }: GroupDispatch, now: Date): boolean =>
  start.getTime() - now.getTime() <= SOON_MS && (end === null || end.getTime() - now.getTime() >= LEAST_LEFT_MS);

/** Who shelves alarms should be there when they return. */
export const MAX_SHELF_HOURS = 24;

/** What decides the order of groups. */
export interface RankedGroup {
  readonly id: string;
  readonly priority: Priority;
  /** How many alarms nobody has acknowledged. */
  readonly open: number;
  readonly atStakeKw: number | null;
  readonly since: Date;
}

/** The most urgent first; acknowledged groups after the others of their priority. */
export const byUrgency = (a: RankedGroup, b: RankedGroup): number =>
  a.priority - b.priority ||
  Number(a.open === 0) - Number(b.open === 0) ||
  (b.atStakeKw ?? 0) - (a.atStakeKw ?? 0) ||
  a.since.getTime() - b.since.getTime() ||
  (a.id < b.id ? -1 : 1);

/** `not_notified.dis_4f9k2m7q1x8c`; without a dispatch, the cause is the kind. */
export const groupId = (cause: string, dispatchId: string | null): string =>
  dispatchId === null ? cause : `${cause}.${dispatchId}`;

/** The parts of an id of a group; null if it is none. */
export const groupParts = (id: string): { readonly cause: string; readonly dispatchId: string | null } | null => {
  const [, cause, dispatchId = null] = /^([a-z0-9_]{1,50})(?:\.(dis_\w{1,60}))?$/.exec(id) ?? [];
  return cause === undefined ? null : { cause, dispatchId };
};

export const kindsOfCause = (cause: string): readonly string[] =>
  alarmKinds.filter((kind) => alarmWords(kind)?.cause === cause);

/** The alarms in a group: those of a cause only with a dispatch. */
export const inGroup = ({ cause, dispatchId }: NonNullable<ReturnType<typeof groupParts>>): AlarmsInGroup => {
  const kinds = dispatchId === null ? [] : kindsOfCause(cause);
  return { kinds: kinds.length > 0 ? kinds : [cause], dispatchId };
};

interface Counted {
  readonly cause: string;
  readonly kind: string;
  readonly programName: string | null;
  readonly accounts: number;
  readonly sites: number;
  readonly alarms: number;
}

/** What is wrong, in words: `Peak relief: 30 accounts not notified`. */
export const groupTitle = ({ cause, kind, programName, accounts, sites, alarms }: Counted): string => {
  const words = causeWords(cause);
  const title = alarmWords(kind)?.title ?? kind.replaceAll("_", " ");
  const counted = words === null ? 0 : words.of === "site" ? sites : accounts;
  const what = words === null || counted === 0 ? `${title}${several(accounts, alarms)}` : said(counted, words);
  return programName === null ? what : `${programName}: ${lowered(what)}`;
};

/** After a colon; names and abbreviations stay as they are. */
const lowered = (title: string): string => title.replace(/^[A-Z](?=[a-z]*\b)/, (letter) => letter.toLowerCase());

const said = (count: number, { of, words }: { readonly of: string; readonly words: string }): string =>
  `${grouped.format(count)} ${of}${count === 1 ? "" : "s"} ${words}`;

const several = (accounts: number, alarms: number): string => {
  if (accounts > 1) return `, ${grouped.format(accounts)} accounts`;
  return alarms > 1 ? `, ${grouped.format(alarms)} alarms` : "";
};

const grouped = new Intl.NumberFormat("en-US");

/** Why, counted: `12 emails bounced, 18 have no channel`; empty if nothing is known. */
export const groupWhy = (reasons: Readonly<Record<string, number>>): string =>
  Object.entries(reasons)
    .toSorted(([a, many], [b, more]) => more - many || (a < b ? -1 : 1))
    .flatMap(([reason, count]) => countedReason(reason, count) ?? [])
    .join(", ");
