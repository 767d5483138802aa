import { Batcher } from "../batcher.js";
import type { LoopClock } from "../clock.js";
import type { Leased, Sent } from "../lease.js";
import { isRefusedRecord } from "./recording.js";

/** How outcomes are recorded together. */
export interface Together<T, O> {
  readonly gatherMs: number;
  /** Each item occurs at most once. */
  readonly all: (sent: ReadonlyArray<Sent<T, O>>) => Promise<void>;
  /** Those that came late: they are recorded apart, so that thousands of them hold up no other. */
  readonly isLate?: (outcome: O) => boolean;
}

/** Late ones end by thousands at once: the statement of each batch stays short. */
const MOST_LATE = 500;

/** Records outcomes together; one that the database refuses does not cost the others, which would be sent again. */
export class OutcomeRecorder<T extends Leased, O> {
  private readonly inTime: Batcher<Sent<T, O>>;
  private readonly late: Batcher<Sent<T, O>>;

  constructor(
    private readonly together: Together<T, O>,
    clock: Pick<LoopClock, "sleep">,
  ) {
    const batcher = (most: number): Batcher<Sent<T, O>> =>
      new Batcher({
        work: together.all,
        most,
        gather: (signal) => clock.sleep(together.gatherMs, signal),
        // One that is sent again because its lease ended may wait here twice.
        keyOf: ({ item }) => item.id,
        isItemAtFault: isRefusedRecord,
      });
    [this.inTime, this.late] = [batcher(Number.POSITIVE_INFINITY), batcher(MOST_LATE)];
  }

  add(sent: Sent<T, O>): Promise<void> {
    const isLate = this.together.isLate?.(sent.outcome) === true;
    return (isLate ? this.late : this.inTime).add(sent);
  }

  /** Nothing more is to come soon. */
  flush(): void {
    this.inTime.flush();
    this.late.flush();
  }
}
