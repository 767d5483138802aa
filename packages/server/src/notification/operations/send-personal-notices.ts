import type { Dispatch } from "../../dispatch/domain/dispatch.js";
import type { Clock } from "../../platform/clock.js";
import type { Claim } from "../../platform/lease.js";
import type { PersonalChannel } from "../domain/notice-preferences.js";
import {
  heldUntil,
  type NoticeSubject,
  outcomeOf,
  type PersonalNotice,
  type PersonalOutcome,
  type PersonalSent,
} from "../domain/personal-notice.js";

export interface PersonalClaim extends Claim {
  readonly channel: PersonalChannel;
  /** Push services with enough in flight. */
  readonly busyHosts: readonly string[];
}

export interface PersonalLook {
  readonly claimed: readonly ClaimedPersonalNotice[];
  /** Whether there may be more at once. */
  readonly hasMore: boolean;
}

export interface ClaimedPersonalNotice extends PersonalNotice {
  /** Of the push service; null for mail. */
  readonly host: string | null;
}

export interface PersonalRecord {
  readonly notice: ClaimedPersonalNotice;
  readonly outcome: PersonalOutcome;
}

/** The queue of notices to persons, shared by any number of workers. */
export interface PersonalNoticeQueue {
  /** Claims due ones until the lease ends, and drops those that are needless by now. */
  claim(claim: PersonalClaim): Promise<PersonalLook>;
  /** Removes the subscriptions of browsers that are gone. */
  record(records: readonly PersonalRecord[]): Promise<void>;
}

/** The dispatch as the person sees it: with the own account's sites only, for operators with all. */
export type FindNoticed = (accountId: string | null, dispatchId: string) => Promise<Dispatch | null>;

/** Current content of a notice's subject. */
export type Noticed =
  | (Extract<NoticeSubject, { of: "dispatch" }> & { readonly dispatch: Dispatch })
  | Extract<NoticeSubject, { of: "alarm" }>;

/** Never throws for failures of the network or the receiver. */
export type SendPersonalNotice = (notice: PersonalNotice, about: Noticed) => Promise<PersonalSent>;

export interface PersonalPorts {
  readonly clock: Clock;
  readonly random: () => number;
  readonly find: FindNoticed;
  readonly send: SendPersonalNotice;
}

/** Sends the current state of a notice's subject to the person, and returns the outcome. */
export const attemptPersonalNotice = async (
  { clock, random, find, send }: PersonalPorts,
  notice: PersonalNotice,
): Promise<PersonalOutcome> => {
  const held = heldUntil(notice, clock.now());
  if (held !== null) return { state: "waiting", nextAttemptAt: held, error: null };
  const about = await noticed(find, notice);
  const sent = await send(notice, about);
  const modificationNumber = about.of === "dispatch" ? about.dispatch.modificationNumber : null;
  return outcomeOf(notice, sent, { now: clock.now(), random: random(), modificationNumber });
};

const noticed = async (find: FindNoticed, { id, accountId, subject }: PersonalNotice): Promise<Noticed> => {
  if (subject.of === "alarm") return subject;
  const dispatch = await find(accountId, subject.dispatchId);
  if (dispatch === null) throw new Error(`notice ${id} is about a dispatch that the person cannot see`);
  return { ...subject, dispatch };
};
