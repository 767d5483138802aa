import type { Caller } from "../../access/operations/caller.js";
import type { Within } from "../../platform/answer-once.js";
import type { Clock } from "../../platform/clock.js";
import { earliest } from "../../platform/earliest.js";
import type { Ports } from "../../platform/ports.js";
import { notFound, type Result } from "../../platform/refusal.js";
import { type Dispatch, isListed, isNotified, LISTED_MS, nextListingChange } from "../domain/dispatch.js";
import { createTestDispatch, type IssuingStores, type NewTest } from "./create-dispatch.js";

/** Whether the caller sees the result: the response to a HEAD does not have the body that would prove it. */
export type Visibility = "seen" | "unseen";

/** Participants' requests about dispatches. */
export interface DispatchService {
  listDispatches(caller: Caller, visibility: Visibility): Promise<readonly Dispatch[]>;
  findDispatch(caller: Caller, id: string, visibility: Visibility): Promise<Result<Dispatch>>;
  /** @param within the transaction that stores the answer, if any */
  createTestDispatch(caller: Caller, test: NewTest, within: Partial<Within<IssuingStores>>): Promise<Result<Dispatch>>;
}

export type DispatchServicePorts = Ports<IssuingStores> & { readonly dispatches: DispatchView };

export const dispatchService = (ports: DispatchServicePorts): DispatchService => ({
  listDispatches: (caller) => listDispatches(ports, caller),
  findDispatch: (caller, id) => findDispatch(ports, caller, id),
  createTestDispatch: (caller, test, within) => createTestDispatch({ ...ports, ...within }, caller, test),
});

/** Dispatches as one account sees them: with its own sites only, and none without (G14). */
export interface DispatchView {
  /** A superset of the list: those that are not over, or changed since a moment. */
  recentOf(accountId: string, since: Date): Promise<readonly Dispatch[]>;
  findSeenBy(accountId: string, id: string): Promise<Dispatch | null>;
}

export interface DispatchReading {
  readonly dispatches: DispatchView;
  readonly clock: Clock;
}

/** Newest start first, then id (G11). */
export const listDispatches = async ({ dispatches, clock }: DispatchReading, caller: Caller): Promise<Dispatch[]> => {
  const now = clock.now();
  return listed(await dispatches.recentOf(caller.accountId, listedSince(now)), now);
};

/** Dispatches that are over and unchanged since then are no longer listed. */
export const listedSince = (now: Date): Date => new Date(now.getTime() - LISTED_MS);

/** Those of the recent dispatches that are listed, in the order of the list. */
export const listed = (recent: readonly Dispatch[], now: Date): Dispatch[] =>
  recent
    .filter((dispatch) => isListed(dispatch, now))
    .sort((a, b) => b.start.getTime() - a.start.getTime() || (a.id < b.id ? -1 : 1));

/** Until when the list of these dispatches holds if none changes; null: forever. */
export const listedUntil = (recent: readonly Dispatch[], now: Date): Date | null =>
  earliest(recent.map((dispatch) => nextListingChange(dispatch, now)));

export const findDispatch = async (
  { dispatches, clock }: DispatchReading,
  caller: Caller,
  id: string,
): Promise<Result<Dispatch>> => {
  const dispatch = await dispatches.findSeenBy(caller.accountId, id);
  return dispatch !== null && isNotified(dispatch, clock.now()) ? dispatch : notFound("dispatch");
};
