import { isPassing, type Participant, type Site } from "@curtail/client";
import { type FileAccount, fileAccountOf } from "./kept-mappings.js";
import type { Outage } from "./outage.js";
import { restAfter } from "./rest.js";

export interface Asking {
  readonly participant: Participant;
  readonly outage: Outage;
  readonly signal: AbortSignal;
  readonly wait: (ms: number) => Promise<void>;
}

export const LOOK_MS = 2000;

/**
 * The sites of the account; waits for the service while it is away.
 *
 * @param meanwhile what happens to the readings until then
 */
export const sitesOf = async (asking: Asking, meanwhile: () => string): Promise<readonly Site[]> => {
  const { sites } = await answered(asking, meanwhile, ({ participant, signal }) => participant.listSites({ signal }));
  return sites;
};

/** What a file of meter data needs to know of the account; waits like `sitesOf`. */
export const accountOfFiles = (asking: Asking, meanwhile: () => string): Promise<FileAccount> =>
  answered(asking, meanwhile, ({ participant, signal }) => fileAccountOf(participant, { signal }));

const answered = async <T>(
  asking: Asking,
  meanwhile: () => string,
  ask: (of: Pick<Asking, "participant" | "signal">) => Promise<T>,
): Promise<T> => {
  const { participant, outage, signal, wait } = asking;
  for (;;) {
    try {
      const answer = await ask({ participant, signal });
      outage.ended();
      return answer;
    } catch (error) {
      signal.throwIfAborted();
      if (!isPassing(error)) throw error;
      outage.began(error, `${meanwhile()}; trying again`);
      await wait(restAfter(LOOK_MS, error.retryAfter));
    }
  }
};
