import { type Dispatch, LISTED_MS } from "../../dispatch/domain/dispatch.js";
import type { Polls } from "../../openadr/domain/polls.js";
import { MISSED_INTERVALS } from "../../openadr/domain/ven.js";
import type { WebhookEventName } from "./webhook.js";

/** A notice still owed to accounts of its dispatch until a first success for its modification or a later one (G45). */
export interface OwedNotice {
  readonly seq: number;
  readonly event: WebhookEventName;
  readonly modificationNumber: number;
  /** When the service could first send it: the time of the notice, or later if it was down then. */
  readonly since: Date;
}

/** Channels that may notify an account of a dispatch. */
export interface Channels {
  /** Events that its webhooks subscribe to. */
  readonly webhookEvents: readonly WebhookEventName[];
  /** VENs that receive one of its sites in the dispatch. */
  readonly vens: ReadonlyArray<{ readonly lastPollAt: Date | null; readonly pollIntervalSeconds: number }>;
  /** Clients of OpenADR 3 that receive one of its sites. */
  readonly clients: ReadonlyArray<{ readonly polls: Polls | null; readonly isCalledBack: boolean }>;
  /** Of GET /dispatches. */
  readonly polls: Polls | null;
}

/** An account, and the newest modification that reached it or was escalated; null: none. */
export interface OwedAccount {
  readonly accountId: string;
  readonly settledModification: number | null;
  readonly channels: Channels;
}

/** Time limit for accounts with a channel. */
export const OWED_MS = 60_000;
/** Time limit for accounts that poll rarely. */
const MAX_OWED_MS = 300_000;
/** An account that polled within this counts as polling: it is longer than outages of the service. */
const RECENT_MS = 3_600_000;
/** After a start, deliveries left by the previous process get this long before mails are sent. */
const RESUMING_MS = 15_000;

/** The start of a notice's time limit: after our own outage, nobody who can still be notified gets mail. */
export const owedSince = (dueAt: Date, servingSince: Date): Date => (servingSince > dueAt ? servingSince : dueAt);

/** The deadline for notifying an account; immediate if it has no channel. */
export const deadlineOf = ({ event, since }: OwedNotice, channels: Channels, servingSince: Date): Date => {
  const waitMs = waitMsOf(event, channels, since);
  if (waitMs === null) return since;
  return new Date(Math.max(since.getTime() + waitMs, servingSince.getTime() + RESUMING_MS));
};

const waitMsOf = (
  event: WebhookEventName,
  { webhookEvents, vens, clients, polls }: Channels,
  since: Date,
): number | null => {
  const waitsMs = [
    ...(webhookEvents.includes(event) ? [OWED_MS] : []),
    ...vens.map(({ lastPollAt, pollIntervalSeconds }) =>
      isRecent(lastPollAt, since) ? intervalsMs(pollIntervalSeconds) : OWED_MS,
    ),
    ...clients.map((client) =>
      !client.isCalledBack && client.polls !== null && isRecent(client.polls.lastAt, since)
        ? intervalsMs(client.polls.intervalSeconds)
        : OWED_MS,
    ),
    ...(polls !== null && isRecent(polls.lastAt, since) ? [intervalsMs(polls.intervalSeconds)] : []),
  ];
  return waitsMs.length === 0 ? null : Math.max(...waitsMs);
};

export const isRecent = (lastAt: Date | null, since: Date): boolean =>
  lastAt !== null && lastAt.getTime() > since.getTime() - RECENT_MS;

/** Three intervals, but long enough that a brief delay of a client that polls often causes no mail. */
const intervalsMs = (intervalSeconds: number | null): number =>
  Math.min(MAX_OWED_MS, Math.max(OWED_MS, (intervalSeconds ?? 0) * MISSED_INTERVALS * 1000));

/** Whether accounts with a channel are still within every deadline, so that only those without need checking. */
export const isEarly = (notices: readonly OwedNotice[], now: Date): boolean =>
  notices.every(({ since }) => now.getTime() < since.getTime() + OWED_MS);

/** A due mail: for the newest notice, with the text of the oldest one that has not reached the account. */
export interface Overdue {
  readonly accountId: string;
  readonly noticeSeq: number;
  readonly event: WebhookEventName;
}

export interface OwedVerdict {
  readonly overdue: readonly Overdue[];
  /** The next deadline; null if no account is owed a notice. */
  readonly nextAt: Date | null;
}

/** Which accounts missed their deadline, and the next deadline; notices in their order. */
export const judgeOwed = (
  notices: readonly OwedNotice[],
  accounts: readonly OwedAccount[],
  { now, servingSince }: { readonly now: Date; readonly servingSince: Date },
): OwedVerdict => {
  const overdue: Overdue[] = [];
  let nextMs = Number.POSITIVE_INFINITY;
  const newest = notices.at(-1);
  for (const { accountId, settledModification, channels } of accounts) {
    const owed = notices.filter(({ modificationNumber }) => modificationNumber > (settledModification ?? -1));
    const [oldest] = owed;
    if (oldest === undefined || newest === undefined) continue;
    const deadlineMs = Math.min(...owed.map((notice) => deadlineOf(notice, channels, servingSince).getTime()));
    if (deadlineMs > now.getTime()) nextMs = Math.min(nextMs, deadlineMs);
    else overdue.push({ accountId, noticeSeq: newest.seq, event: oldest.event });
  }
  return { overdue, nextAt: Number.isFinite(nextMs) ? new Date(nextMs) : null };
};

/**
 * Whether a dispatch still owes notices. Not once it has been over or cancelled for so long that no list shows it any
 * more (G11): a service that was down for days must not mail its history.
 */
export const owesNotices = (
  { authorized, end, changedAt }: Pick<Dispatch, "authorized" | "end" | "changedAt">,
  now: Date,
) => {
  const overAt = authorized ? end : changedAt;
  return overAt === null || overAt.getTime() >= now.getTime() - LISTED_MS;
};

/** A mail to an account that missed its deadline; it stays open until an alarm clears or a person acts. */
export interface OverdueMail {
  readonly id: string;
  readonly accountId: string;
  readonly dispatchId: string;
  readonly noticeSeq: number;
  readonly modificationNumber: number;
  /** Whether it is unlikely to arrive soon: it cannot be sent, or has failed often. */
  readonly isFailing: boolean;
  readonly isDisabled: boolean;
  /** Whether it is sent, or nobody needs it. */
  readonly isOver: boolean;
}

/** Mails that are settled: the account was reached, is disabled, or is owed a newer notice. */
export const settledMails = (
  mails: readonly OverdueMail[],
  reachedModification: (mail: OverdueMail) => number | null,
): readonly OverdueMail[] => {
  const newestFailing = new Map<string, number>();
  for (const mail of mails) {
    if (!mail.isFailing) continue;
    newestFailing.set(pairOf(mail), Math.max(mail.noticeSeq, newestFailing.get(pairOf(mail)) ?? 0));
  }
  return mails.filter(
    (mail) =>
      mail.isOver ||
      mail.isDisabled ||
      (reachedModification(mail) ?? -1) >= mail.modificationNumber ||
      (newestFailing.get(pairOf(mail)) ?? 0) > mail.noticeSeq,
  );
};

const pairOf = ({ accountId, dispatchId }: OverdueMail): string => `${accountId} ${dispatchId}`;
