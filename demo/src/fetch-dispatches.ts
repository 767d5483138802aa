import { setTimeout as delay } from "node:timers/promises";
import { type Dispatch, getDispatch, listDispatches } from "@curtail/contract";
import type { CallBook } from "./calls.js";
import type { Participant } from "./participants.js";
import { say } from "./say.js";

/** Fetches the dispatch of a notice and acts on it. */
export const hearOf = async (participant: Participant, dispatchId: string, book: CallBook): Promise<void> =>
  hear(participant, await participant.call(getDispatch, { params: { id: dispatchId } }), book);

/** Reads the current list. */
export const hearAll = async (participant: Participant, book: CallBook): Promise<void> => {
  const { dispatches } = await participant.call(listDispatches);
  for (const dispatch of dispatches) hear(participant, dispatch, book);
};

/** Polls until aborted. */
export const poll = async (
  participant: Participant,
  { book, everyMs, signal }: { readonly book: CallBook; readonly everyMs: number; readonly signal: AbortSignal },
): Promise<void> => {
  while (!signal.aborted) {
    await delay(everyMs, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    try {
      await hearAll(participant, book);
    } catch (error) {
      // The next poll finds what this one did not.
      if (!signal.aborted) say(`${participant.account.name} could not poll: ${String(error)}`);
    }
  }
};

const hear = ({ account, isTold }: Participant, dispatch: Dispatch, book: CallBook): void => {
  const nowMs = Date.now();
  const isOver = dispatch.end_time !== null && Date.parse(dispatch.end_time) < nowMs;
  const news = book.take(dispatch, nowMs);
  if (news === null || isOver) return;
  const until = dispatch.end_time === null ? "until further notice" : `until ${dispatch.end_time}`;
  const how = isTold ? "by webhook" : "by polling";
  say(
    `${account.name}: ${dispatch.id} ${news}, ${dispatch.sites.length} sites, from ${dispatch.start_time} ${until} (${how})`,
  );
};
