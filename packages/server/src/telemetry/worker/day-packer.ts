import type { LoopClock } from "../../platform/clock.js";
import { Polling } from "../../platform/polling.js";
import type { Packed, Packing } from "../operations/pack-days.js";

/** A day ends once a day, and late readings can be read whether they are packed or not. */
const IDLE_MS = 600_000;

export interface DayPackerPorts {
  readonly packing: Pick<Packing, "step">;
  readonly clock: LoopClock;
  /** Share of the time that may be spent packing, above 0 and up to 1. */
  readonly share: number;
  readonly observe: (packed: Packed) => void;
}

/** Packs days in the background until stopped. */
export class DayPacker {
  private readonly stopping = new AbortController();
  private readonly polling: Polling;

  constructor(
    private readonly ports: DayPackerPorts,
    onError: (error: unknown) => void,
  ) {
    this.polling = new Polling({ look: () => this.look(), onError, clock: ports.clock, everyMs: IDLE_MS });
  }

  start(): void {
    this.polling.start();
  }

  /** Waits for the current transaction. */
  stop(): Promise<void> {
    this.stopping.abort();
    return this.polling.stop();
  }

  /** The database's work is counted as well: the time of a step is that of both. */
  private async look(): Promise<boolean> {
    const { packing, clock, share, observe } = this.ports;
    const beganMs = clock.monotonicMs();
    const { isDone, ...packed } = await packing.step();
    observe(packed);
    if (isDone) return false;
    const workedMs = clock.monotonicMs() - beganMs;
    await clock.sleep(workedMs * (1 / share - 1), this.stopping.signal);
    return true;
  }
}
