import { HUNG_MS } from "../../platform/attempt.js";
import { Batcher } from "../../platform/batcher.js";
import type { LoopClock } from "../../platform/clock.js";
import { isRefusedRecord } from "../../platform/worker/recording.js";
import type { AttemptRecord } from "../domain/delivery.js";

/** Covers most attempts of a dispatch to a thousand webhooks; a commit for each took longer than sending them. */
const GATHER_MS = 200;

/** Attempts that hung end by thousands at once: the statement of each batch stays short. */
const MOST_HUNG = 500;

/** Those of receivers that answer do not wait for those that hung, nor do their next deliveries. */
export class AttemptRecorder {
  private readonly answered: Batcher<AttemptRecord>;
  private readonly hung: Batcher<AttemptRecord>;

  constructor(record: (records: readonly AttemptRecord[]) => Promise<void>, clock: Pick<LoopClock, "sleep">) {
    this.answered = attemptRecorder(record, clock, Number.POSITIVE_INFINITY);
    this.hung = attemptRecorder(record, clock, MOST_HUNG);
  }

  add(record: AttemptRecord): Promise<void> {
    return (record.attempt.durationMs < HUNG_MS ? this.answered : this.hung).add(record);
  }

  flush(): void {
    this.answered.flush();
    this.hung.flush();
  }
}

/** Records attempts together; one that the database refuses does not cost the others, which would be sent again. */
const attemptRecorder = (
  record: (records: readonly AttemptRecord[]) => Promise<void>,
  clock: Pick<LoopClock, "sleep">,
  most: number,
): Batcher<AttemptRecord> =>
  new Batcher<AttemptRecord>({
    work: record,
    most,
    gather: (signal) => clock.sleep(GATHER_MS, signal),
    // A delivery that is sent again because its lease ended may wait here twice.
    keyOf: ({ delivery }) => delivery.id,
    isItemAtFault: isRefusedRecord,
  });
