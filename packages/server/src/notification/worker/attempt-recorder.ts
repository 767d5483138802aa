import { Batcher } from "../../platform/batcher.js";
import type { LoopClock } from "../../platform/clock.js";
import { isRefusedRecord } from "../../platform/worker/recording.js";
import type { AttemptRecord } from "../domain/delivery.js";

/** Covers most attempts of a dispatch to a thousand webhooks; a commit for each took longer than sending them. */
const GATHER_MS = 200;

/** Records attempts together; one that the database refuses does not cost the others, which would be sent again. */
export const attemptRecorder = (
  record: (records: readonly AttemptRecord[]) => Promise<void>,
  clock: Pick<LoopClock, "sleep">,
): Batcher<AttemptRecord> =>
  new Batcher<AttemptRecord>({
    work: record,
    most: Number.POSITIVE_INFINITY,
    gather: (signal) => clock.sleep(GATHER_MS, signal),
    // A delivery that is sent again because its lease ended may wait here twice.
    keyOf: ({ delivery }) => delivery.id,
    isItemAtFault: isRefusedRecord,
  });
