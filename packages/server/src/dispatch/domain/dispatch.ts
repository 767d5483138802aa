import { changesNothing } from "../../platform/changes-nothing.js";
import { DAY_MS, type Period, refusePeriod, sameMoment } from "../../platform/period.js";
import { invalid, type Refusal, type Result } from "../../platform/refusal.js";
import type { Program } from "../../portfolio/domain/program.js";
import type { Site } from "../../portfolio/domain/site.js";
import { type DispatchDetails, NO_DETAILS } from "./dispatch-members.js";

/** The program as of the creation of the dispatch, so that renaming it leaves dispatches unchanged. */
export type DispatchProgram = Pick<Program, "id" | "name" | "timezone" | "market" | "programType">;

/** A dispatched site, as of the creation of the dispatch. */
export interface DispatchSite extends Pick<Site, "id" | "accountId" | "name" | "customerLocationId" | "dispatchGroup"> {
  readonly commitmentKw: number | null;
}

/** The total commitment of sites; those without one add nothing. */
export const commitmentOf = (sites: ReadonlyArray<Pick<DispatchSite, "commitmentKw">>): number =>
  sites.reduce((sumKw, { commitmentKw }) => sumKw + (commitmentKw ?? 0), 0);

/** A state of a dispatch, and who made it. */
export interface DispatchRevision {
  readonly modificationNumber: number;
  readonly at: Date;
  readonly actor: string;
  readonly start: Date;
  readonly end: Date | null;
  readonly authorized: boolean;
}

export interface Dispatch extends Period, DispatchDetails {
  readonly id: string;
  readonly program: DispatchProgram;
  readonly test: boolean;
  readonly authorized: boolean;
  readonly notification: Date;
  readonly modificationNumber: number;
  readonly createdAt: Date;
  readonly changedAt: Date;
  /** Why an operator voided it after its end; null if not voided (G52). */
  readonly voidReason: string | null;
  /** It was over when it was created: it is measured, and nobody is notified of it (G61). */
  readonly isRecord: boolean;
  readonly sites: readonly DispatchSite[];
}

export interface DispatchChange {
  readonly start?: Date | undefined;
  readonly end?: Date | null | undefined;
  readonly cancel?: boolean | undefined;
  /** Cancelling a dispatch that is over voids it, which requires a reason. */
  readonly voidReason?: string | undefined;
  readonly details?: Partial<DispatchDetails>;
}

const MAX_DISPATCH_DAYS = 31;
const MAX_LEAD_DAYS = 366;
/** How long a dispatch stays listed after it was created, changed or ended (specification, GET /dispatches). */
export const LISTED_MS = DAY_MS;

const isOver = (dispatch: Pick<Dispatch, "end">, now: Date): boolean => dispatch.end !== null && dispatch.end < now;

/** The phase of a dispatch; it is still active at its end time. */
export type DispatchPhase = "upcoming" | "active" | "past" | "cancelled";

export const phaseOf = (dispatch: Pick<Dispatch, "authorized" | "start" | "end">, now: Date): DispatchPhase => {
  if (!dispatch.authorized) return "cancelled";
  if (dispatch.start > now) return "upcoming";
  return isOver(dispatch, now) ? "past" : "active";
};

export const inProgress = (dispatch: Dispatch, now: Date): boolean =>
  dispatch.authorized && dispatch.start <= now && !isOver(dispatch, now);

export const isUpcoming = (dispatch: Dispatch, now: Date): boolean => dispatch.authorized && dispatch.start > now;

/**
 * Before its notification time a dispatch does not exist for participants; if cancelled before that, it never does
 * (G16).
 */
export const isNotified = (dispatch: Pick<Dispatch, "notification" | "authorized" | "changedAt">, now: Date): boolean =>
  dispatch.notification <= now && (dispatch.authorized || dispatch.changedAt >= dispatch.notification);

/** Whether participants' systems learn of a dispatch by now: of a record they never do (G61). */
const isAnnounced = (
  dispatch: Pick<Dispatch, "notification" | "authorized" | "changedAt" | "isRecord">,
  now: Date,
): boolean => !dispatch.isRecord && isNotified(dispatch, now);

/** Upcoming, in progress, or created, changed or ended in the previous 24 hours; an active one at any age (G11). */
export const isListed = (dispatch: Dispatch, now: Date): boolean => {
  if (!isAnnounced(dispatch, now)) return false;
  const since = new Date(now.getTime() - LISTED_MS);
  if (dispatch.changedAt >= since || dispatch.notification >= since) return true;
  return dispatch.authorized && (dispatch.end === null || dispatch.end >= since);
};

/** When an unchanged dispatch may next begin or cease to be listed; null: never again. */
export const nextListingChange = (dispatch: Dispatch, now: Date): Date | null => {
  const { notification, changedAt, end } = dispatch;
  // At exactly 24 hours it is still listed.
  const ends = [changedAt, notification, ...(end === null ? [] : [end])].map((at) => at.getTime() + LISTED_MS + 1);
  const nextMs = Math.min(...[notification.getTime(), ...ends].filter((ms) => ms > now.getTime()));
  return Number.isFinite(nextMs) ? new Date(nextMs) : null;
};

/** The rules for the times of every new dispatch (G16). */
export const refuseTimes = (period: Period, now: Date): Refusal | null =>
  refuseLead(period, now) ?? refusePeriod(period, MAX_DISPATCH_DAYS, "a dispatch");

const refuseLead = ({ start }: Period, now: Date): Refusal | null =>
  start.getTime() > now.getTime() + MAX_LEAD_DAYS * DAY_MS
    ? invalid("start_time is more than a year ahead; a dispatch may start at most a year ahead")
    : null;

/** Whether a new dispatch of this period is only recorded (G61). */
export const isRecordAt = ({ end }: Period, now: Date): boolean => end !== null && end < now;

const UNASKED_PAST_MS = 5 * 60_000;

/** Whether the start of a new dispatch lies so far back that it may be a mistake (G61). */
export const startsInPast = ({ start }: Pick<Period, "start">, now: Date): boolean =>
  start.getTime() < now.getTime() - UNASKED_PAST_MS;

const refusePast = (period: Period, now: Date): Refusal | null => {
  if (period.start <= now) return invalid("start_time must be in the future");
  return period.end !== null && period.end <= now ? invalid("end_time must be in the future") : null;
};

/** Limits of an account's own unfinished tests: their number, and the duration of each (G47). */
const MAX_OWN_TESTS = 3;
const MAX_TEST_HOURS = 24;

/** The rules for participants' own tests (G15, G47); `unfinished` counts the account's existing ones. */
export const refuseTest = (period: Period, unfinished: number, now: Date): Refusal | null => {
  const refusal = refusePast(period, now) ?? refuseTimes(period, now);
  if (refusal !== null) return refusal;
  if (period.end === null || period.end.getTime() - period.start.getTime() > MAX_TEST_HOURS * 3_600_000) {
    return invalid(`a test dispatch lasts at most ${MAX_TEST_HOURS} hours; give an earlier end_time`);
  }
  if (unfinished < MAX_OWN_TESTS) return null;
  return invalid(
    `the account already has ${unfinished} unfinished test dispatches, the maximum; ` +
      "wait until one ends, or ask the operator to cancel one",
  );
};

/** Applies a change; returns the same object if nothing changes (G16). */
export const changed = (dispatch: Dispatch, change: DispatchChange, now: Date): Result<Dispatch> => {
  if (change.voidReason !== undefined) return voided(dispatch, { ...change, voidReason: change.voidReason }, now);
  const start = change.start ?? dispatch.start;
  const end = change.end === undefined ? dispatch.end : change.end;
  const authorized = change.cancel === true ? false : dispatch.authorized;
  const changing = { start, end, authorized, ...change.details };
  if (changesNothing(dispatch, changing)) return dispatch;
  const refusal = refuseChange(dispatch, { start, end }, now);
  if (refusal !== null) return refusal;
  const modificationNumber = dispatch.modificationNumber + 1;
  return { ...dispatch, ...changing, modificationNumber, changedAt: now };
};

type Voiding = DispatchChange & { readonly voidReason: string };

/** Voids the dispatch, as if it had never been (G52); returns the same object if it is already void for that reason. */
const voided = (dispatch: Dispatch, voiding: Voiding, now: Date): Result<Dispatch> => {
  const { cancel, voidReason } = voiding;
  if (cancel !== true) return invalid("void_reason is accepted only together with authorized: false");
  if (dispatch.voidReason === voidReason) return dispatch;
  const refusal = refuseVoiding(dispatch, voiding, now);
  if (refusal !== null) return refusal;
  const modificationNumber = dispatch.modificationNumber + 1;
  return { ...dispatch, authorized: false, voidReason, modificationNumber, changedAt: now };
};

const refuseVoiding = (dispatch: Dispatch, { start, end, voidReason }: Voiding, now: Date): Refusal | null => {
  if (voidReason.trim() === "") return invalid("void_reason is blank; give the reason for voiding the dispatch");
  if (dispatch.voidReason !== null) return invalid("the dispatch is already void; its reason cannot be changed");
  if (!dispatch.authorized)
    return invalid("the dispatch is already cancelled; only a dispatch that was not cancelled can be voided");
  if (!isOver(dispatch, now)) {
    return invalid("the dispatch is not over yet; to cancel it, send authorized: false without void_reason");
  }
  const isStartKept = start === undefined || sameMoment(start, dispatch.start);
  const isEndKept = end === undefined || sameMoment(end, dispatch.end);
  if (isStartKept && isEndKept) return null;
  return invalid("the dispatch is over and its times cannot be changed; omit them to void it");
};

const refuseChange = (dispatch: Dispatch, period: Period, now: Date): Refusal | null => {
  if (!dispatch.authorized) return invalid("the dispatch is cancelled and cannot be changed; issue a new one");
  if (isOver(dispatch, now)) {
    return invalid(
      "the dispatch is over and cannot be changed; issue a new one. To void it, send void_reason with authorized: false",
    );
  }
  if (period.end === null && dispatch.end !== null) {
    return invalid("end_time is known to participants and cannot become null again; give a later end_time instead");
  }
  return refuseLead(period, now) ?? refuseNewPeriod(dispatch, period, now);
};

/**
 * The length of a dispatch is bounded where its end is given in advance. One without an end may last any time: it can
 * end now, or at most 31 days ahead, and then earlier, too (G60).
 */
const refuseNewPeriod = (before: Period, period: Period, now: Date): Refusal | null => {
  const refusal = refusePeriod(period, Number.POSITIVE_INFINITY, "a dispatch");
  const isStartedEarlier = period.start < before.start;
  if (refusal !== null || period.end === null) return refusal;
  const longestFrom = isStartedEarlier || before.end !== null ? period.start : later(period.start, now);
  if (period.end.getTime() - longestFrom.getTime() <= MAX_DISPATCH_DAYS * DAY_MS) return null;
  if (!isStartedEarlier && before.end !== null && period.end <= before.end) return null;
  return invalid(`a dispatch lasts at most ${MAX_DISPATCH_DAYS} days; choose an earlier end_time`);
};

const later = (one: Date, other: Date): Date => (one > other ? one : other);

/** A site to dispatch; without a commitment, that of its enrolment applies. */
export interface RequestedSite {
  readonly siteId: string;
  readonly commitmentKw?: number | null | undefined;
}

export interface NewDispatch extends Period {
  readonly programId: string;
  readonly notification: Date | null;
  readonly test: boolean;
  /** null: every site enrolled in the program. */
  readonly sites: readonly RequestedSite[] | null;
  readonly details?: Partial<DispatchDetails>;
  /** Whether a start in the past is meant (G61). */
  readonly confirmPast: boolean;
}

/** A dispatch as issued, before any change. */
export const AS_ISSUED = {
  authorized: true,
  modificationNumber: 0,
  voidReason: null,
  isRecord: false,
  ...NO_DETAILS,
} as const;

/**
 * The audited state: what can change and, for a created dispatch, everything but its sites, which never change and are
 * only counted.
 */
type AuditedDispatch =
  | (Pick<Dispatch, "start" | "end" | "authorized" | "modificationNumber"> &
      Partial<DispatchDetails> & {
        readonly voidReason?: string;
        readonly approvedVersion?: number;
        /** The site that an operator decided about, and how it counts; null: by the rules. */
        readonly decidedSite?: string;
        readonly counts?: string | null;
        readonly note?: string;
      })
  | (Omit<Dispatch, "sites"> & { readonly siteCount: number; readonly commitmentKw: number });

declare module "../../access/domain/audit.js" {
  interface Audited {
    dispatch: {
      action: `dispatch.${"create" | "change" | "cancel" | "void" | "approve" | "decide_site"}`;
      state: AuditedDispatch;
    };
  }
}

declare module "../../platform/journal.js" {
  interface JournalKinds {
    /** A notice became due; `ref` is its number. */
    notice: "dispatch.notified";
    /** There is news of the evidence: deliveries, reads, what VENs were shown and answered. */
    evidence: "progress";
  }
}
