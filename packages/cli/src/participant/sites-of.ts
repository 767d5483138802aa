import { isPassing, type Participant, type Site } from "@curtail/client";
import type { Outage } from "./outage.js";

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
export const sitesOf = async (
  { participant, outage, signal, wait }: Asking,
  meanwhile: () => string,
): Promise<readonly Site[]> => {
  for (;;) {
    try {
      const { sites } = await participant.listSites({ signal });
      outage.ended();
      return sites;
    } catch (error) {
      signal.throwIfAborted();
      if (!isPassing(error)) throw error;
      outage.began(error, `${meanwhile()}; trying again`);
      await wait(Math.max(LOOK_MS, (error.retryAfter ?? 0) * 1000));
    }
  }
};
