import type { RateWindows } from "../../access/domain/rate-limit.js";
import { type Refusal, tooMany } from "../../platform/refusal.js";

/** Counts the test messages to each contact and address. */
export type MessageTests = Pick<RateWindows, "count">;

const MAX_TESTS_A_MINUTE = 5;

/** Refuses one more test message to somebody who got many; counts it otherwise. */
export const refuseOften = (tests: MessageTests, id: string, now: Date): Refusal | null => {
  const verdict = tests.count(id, MAX_TESTS_A_MINUTE, now.getTime());
  return verdict.allowed
    ? null
    : tooMany(`${MAX_TESTS_A_MINUTE} test messages a minute were sent`, verdict.resetSeconds);
};
