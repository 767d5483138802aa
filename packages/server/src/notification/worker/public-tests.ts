import type { RateWindows } from "../../access/domain/rate-limit.js";
import type { Clock } from "../../platform/clock.js";
import { type Admit, BlockedAddress } from "../../platform/outbound/address-guard.js";
import { boundedCalls, type CallBounds } from "../../platform/outbound/bounded-calls.js";
import { isRefusal, tooMany } from "../../platform/refusal.js";
import { MAX_PUBLIC_TESTS_A_MINUTE } from "../domain/webhook.js";
import type { ProbeWebhook } from "../operations/manage-webhooks.js";

const MINUTE_SECONDS = 60;
/** All callers of the public key share an account; each is already limited to ten per minute. */
const MAX_UNDER_WAY = 32;

/** Counts every address dialled, including redirect targets and addresses with several names (G35). */
export const dialLimit =
  (clock: Clock, dialled: Pick<RateWindows, "count">): Admit =>
  (addresses) => {
    const nowMs = clock.now().getTime();
    const often = addresses.find((address) => !dialled.count(address, MAX_PUBLIC_TESTS_A_MINUTE, nowMs).allowed);
    return often === undefined ? null : new BlockedAddress("dialled_too_often", often);
  };

/** The public sandbox key's test requests: few at a time, and 429 for an address that was dialled too often. */
export const publicTests = (probe: ProbeWebhook): ProbeWebhook => {
  const heeded: ProbeWebhook = async (webhook) => {
    const sent = await probe(webhook);
    if (isRefusal(sent) || sent.error !== "dialled_too_often") return sent;
    return tooMany(`${MAX_PUBLIC_TESTS_A_MINUTE} test requests a minute were sent there`, MINUTE_SECONDS);
  };
  return boundedTests(heeded, {
    inAll: MAX_UNDER_WAY,
    perCaller: MAX_UNDER_WAY,
    perCallerWhenCrowded: MAX_UNDER_WAY,
  });
};

/** An account registers twenty webhooks at most (G34), but may do so at once and twice. */
export const ACCOUNT_TESTS: CallBounds = { inAll: 512, perCaller: 32, perCallerWhenCrowded: 4 };

/** Limits concurrent test requests. */
export const boundedTests = (probe: ProbeWebhook, bounds: CallBounds): ProbeWebhook =>
  boundedCalls(probe, ({ accountId }) => accountId, bounds);
