import { boundedCalls, type CallBounds } from "../../platform/outbound/bounded-calls.js";
import type { ProbeWebhook } from "../operations/manage-webhooks.js";

/** An account registers twenty webhooks at most (G34), but may do so at once and twice. */
export const ACCOUNT_TESTS: CallBounds = { inAll: 512, perCaller: 32, perCallerWhenCrowded: 4 };

/** Limits concurrent test requests. */
export const boundedTests = (probe: ProbeWebhook, bounds: CallBounds): ProbeWebhook =>
  boundedCalls(probe, ({ accountId }) => accountId, bounds);
