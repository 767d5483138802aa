import { ATTEMPT_MS } from "../../platform/attempt.js";
import { tooMany } from "../../platform/refusal.js";
import type { ProbeWebhook } from "../operations/manage-webhooks.js";

export interface TestBounds {
  readonly inAll: number;
  readonly perAccount: number;
  /** Applies once half of all are running: accounts whose tests hang leave room for the others. */
  readonly perAccountWhenCrowded: number;
}

/** An account registers twenty webhooks at most (G34), but may do so at once and twice. */
export const ACCOUNT_TESTS: TestBounds = { inAll: 512, perAccount: 32, perAccountWhenCrowded: 4 };

/** Limits concurrent test requests; more are refused, since each may take as long as an attempt. */
export const boundedTests = (probe: ProbeWebhook, bounds: TestBounds): ProbeWebhook => {
  const underWay = new Map<string, number>();
  let inAll = 0;
  const hasRoom = (own: number): boolean => {
    const isCrowded = inAll >= bounds.inAll / 2;
    return inAll < bounds.inAll && own < (isCrowded ? bounds.perAccountWhenCrowded : bounds.perAccount);
  };
  const enter = (accountId: string, step: 1 | -1): void => {
    const own = (underWay.get(accountId) ?? 0) + step;
    if (own === 0) underWay.delete(accountId);
    else underWay.set(accountId, own);
    inAll += step;
  };
  return async (webhook) => {
    const { accountId } = webhook;
    const own = underWay.get(accountId) ?? 0;
    if (!hasRoom(own)) return tooMany(`${own} test requests are still waiting for their answers`, ATTEMPT_MS / 1000);
    enter(accountId, 1);
    try {
      return await probe(webhook);
    } finally {
      enter(accountId, -1);
    }
  };
};
