import type { Ports } from "../../platform/ports.js";
import type { Result } from "../../platform/refusal.js";
import {
  isEarly,
  judgeOwed,
  OWED_MS,
  type OwedNotice,
  type OwedVerdict,
  owedSince,
  owesNotices,
  settledMails,
} from "../domain/owed-notice.js";
import type { NotificationStores, OwedDispatch, OwedStore } from "./notification-stores.js";

export type OwedPorts = Pick<Ports<Pick<NotificationStores, "owed">>, "stores" | "transact" | "clock"> & {
  /** Since when this process has been able to notify. */
  readonly servingSince: Date;
};

/**
 * Checks the dispatch that has waited longest, and mails the accounts that no channel reached in time; true if there
 * may be more. Mails and the next check are written in one transaction, so a kill leaves nothing half done.
 */
export const escalateOwed = async (ports: OwedPorts): Promise<Result<boolean>> => {
  const { transact, clock } = ports;
  const now = clock.now();
  return transact(async ({ owed }) => {
    if (!(await owed.takeTurn())) return false;
    const dispatch = await owed.next(now);
    if (dispatch === null) return false;
    await check(owed, dispatch, { now, servingSince: ports.servingSince });
    return true;
  });
};

const check = async (
  owed: OwedStore,
  dispatch: OwedDispatch,
  { now, servingSince }: Pick<Looking, "now" | "servingSince">,
): Promise<void> => {
  const notices = dispatch.notices.map((notice) => ({
    ...notice,
    since: notice.since ?? owedSince(notice.dueAt, servingSince),
  }));
  const { overdue, nextAt } = await verdictOn(owed, { dispatch, notices, now, servingSince });
  await owed.mail(dispatch.id, overdue, now);
  await owed.saveLook({ dispatchId: dispatch.id, notices, nextAt });
};

interface Looking {
  readonly dispatch: OwedDispatch;
  readonly notices: readonly OwedNotice[];
  readonly now: Date;
  readonly servingSince: Date;
}

const verdictOn = async (owed: OwedStore, { dispatch, notices, now, servingSince }: Looking): Promise<OwedVerdict> => {
  if (!owesNotices(dispatch, now)) return { overdue: [], nextAt: null };
  if (!isEarly(notices, now)) return judgeOwed(notices, await owed.unreached(dispatch, now), { now, servingSince });
  // While most accounts are still within their deadline, checks only those without a channel.
  const { overdue, nextAt } = judgeOwed(notices, await owed.withoutChannel(dispatch, now), { now, servingSince });
  const firstMs = Math.min(...notices.map(({ since }) => since.getTime())) + OWED_MS;
  return { overdue, nextAt: nextAt !== null && nextAt.getTime() < firstMs ? nextAt : new Date(firstMs) };
};

/** Settles mails of accounts that were late but have been reached since; returns how many. */
export const settleOverdue = async (owed: OwedStore, now: Date): Promise<number> => {
  const mails = await owed.unsettled();
  if (mails.length === 0) return 0;
  const reached = await owed.reached([...new Set(mails.map(({ dispatchId }) => dispatchId))]);
  const newest = new Map(reached.map((each) => [`${each.accountId} ${each.dispatchId}`, each.modificationNumber]));
  const settled = settledMails(mails, ({ accountId, dispatchId }) => newest.get(`${accountId} ${dispatchId}`) ?? null);
  await owed.settle(
    settled.map(({ id }) => id),
    now,
  );
  return settled.length;
};
