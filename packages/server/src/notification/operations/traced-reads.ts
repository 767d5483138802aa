import type { Clock } from "../../platform/clock.js";
import { modifiedBy, type Tracing } from "../../platform/tracing.js";
import type { DispatchRead } from "./record-reads.js";

/** A span for each first read of a modification; null if nothing is traced. */
export const tracedReads = (
  tracing: Tracing | null,
  clock: Clock,
): ((reads: readonly DispatchRead[]) => void) | null =>
  tracing === null
    ? null
    : (reads) => {
        const endsAt = clock.now();
        for (const { accountId, dispatchId, modificationNumber, how, at } of reads)
          tracing.note(modifiedBy(dispatchId, modificationNumber), "participant poll", {
            startsAt: at,
            endsAt,
            error: null,
            attributes: {
              "curtail.account.id": accountId,
              "curtail.dispatch.id": dispatchId,
              "curtail.dispatch.modification": modificationNumber,
              "curtail.read": how,
              "http.request.method": "GET",
            },
          });
      };
