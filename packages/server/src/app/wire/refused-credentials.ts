import { countRequest, rateWindow } from "../../access/domain/rate-limit.js";
import type { NoteRefused } from "../../access/operations/note-refused.js";
import type { Clock } from "../../platform/clock.js";
import type { Logger } from "../../platform/runtime/logger.js";
import type { Metrics } from "../../platform/runtime/metrics.js";

/** Refused clients must not fill the log; the metric keeps counting. */
const MAX_LINES_A_MINUTE = 60;

/** Logs and counts refused credentials, never their content. */
export const noteRefusedOver = (
  logger: Pick<Logger, "warn">,
  metrics: Pick<Metrics, "countRefused">,
  clock: Clock,
): NoteRefused => {
  const lines = rateWindow();
  return ({ kind, address, userId }) => {
    metrics.countRefused(kind);
    const { allowed, remaining } = countRequest(lines, MAX_LINES_A_MINUTE, clock.now().getTime());
    if (!allowed) return;
    const isLast = remaining === 0;
    logger.warn(
      { kind, address, userId },
      isLast
        ? "credentials were refused; further refusals in this minute are only counted"
        : "credentials were refused",
    );
  };
};
