import type { AnsweredAttempt } from "../../platform/attempt.js";
import type { Clock } from "../../platform/clock.js";
import { noticedChange, type SpanEnd, type Tracing } from "../../platform/tracing.js";
import type { ClaimedDelivery } from "../domain/delivery.js";
import type { SendDelivery } from "../operations/deliver-notices.js";

/** Makes an attempt; its request has the `traceparent`, if there is one. */
type Attempt = (delivery: ClaimedDelivery, traceparent: string | null) => Promise<AnsweredAttempt>;

const NAME = "webhook attempt";

/** Attempts with a span each, below the request that changed the dispatch. */
export const tracedDelivery =
  (tracing: Tracing, clock: Clock, attempt: Attempt): SendDelivery =>
  async (delivery) => {
    const change = noticedChange(delivery.dispatchId, delivery.noticedAt);
    const startsAt = clock.now();
    const span = await tracing.begin(change, NAME, startsAt);
    const made = await attempt(delivery, span?.traceparent ?? null);
    const end = endOf(delivery, made, clock.now());
    // Beyond the limit, failures are still recorded.
    if (span === null) tracing.note(change, NAME, { startsAt, ...end });
    else span.end(end);
    return made;
  };

const endOf = (delivery: ClaimedDelivery, { error, status }: AnsweredAttempt, endsAt: Date): SpanEnd => ({
  endsAt,
  error,
  attributes: {
    "curtail.delivery.id": delivery.id,
    "curtail.dispatch.id": delivery.dispatchId,
    "curtail.event": delivery.event,
    "curtail.resend": delivery.isResend,
    "curtail.webhook.id": delivery.webhookId,
    "http.request.method": "POST",
    "http.request.resend_count": delivery.failures,
    "http.response.status_code": status,
  },
});
