import type { LoopClock } from "../../platform/clock.js";
import type { Log } from "../../platform/log.js";
import { Polling } from "../../platform/polling.js";
import type { DeliveryHold } from "../domain/delivery-hold.js";

export interface HeldStartPorts {
  readonly find: () => Promise<DeliveryHold | null>;
  readonly clock: LoopClock;
  readonly log: Pick<Log, "info" | "warn">;
}

/** Everything that sends by itself waits here while delivery is held (decision 85). */
export interface HeldStart {
  /** Calls `start` now, or once when delivery is released; never after a stop. */
  whenReleased(start: () => void): void;
  /** Whether delivery is held, as this process knows it. */
  readonly hold: DeliveryHold | null;
  stop(): Promise<void>;
}

/**
 * Reads once whether delivery is held, and if so, looks until it is released. Only a restore and `curtail backup hold` hold
 * it, before any process starts, so that what was found released stays so.
 */
export const heldStart = async ({ find, clock, log }: HeldStartPorts): Promise<HeldStart> => {
  let hold = await find();
  const waiting: Array<() => void> = [];
  const looking = new Polling({
    look: async () => {
      if (hold === null) return false;
      hold = await find();
      if (hold !== null) return false;
      log.info({}, "delivery was released: what waited is sent now");
      for (const start of waiting.splice(0)) start();
      return false;
    },
    onError: (error) => log.warn({ err: error }, "whether delivery is released could not be read; retrying"),
    clock,
  });
  if (hold !== null) {
    log.warn({ ...hold }, "delivery is held after a restore; nothing is sent until an operator releases it");
    looking.start();
  }
  return {
    get hold() {
      return hold;
    },
    whenReleased(start) {
      if (hold === null) start();
      else waiting.push(start);
    },
    async stop() {
      waiting.splice(0);
      await looking.stop();
    },
  };
};
