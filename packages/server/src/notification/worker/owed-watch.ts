import type { LoopClock } from "../../platform/clock.js";
import { Polling } from "../../platform/polling.js";
import { isRefusal } from "../../platform/refusal.js";
import { type Carrier, RARELY_MS } from "../../platform/timetable.js";
import { escalateOwed, type OwedPorts } from "../operations/escalate-owed.js";

export interface OwedLog {
  error(details: object, message: string): void;
}

/** Checks which accounts were not reached in time, and mails them. */
export class OwedWatch implements Carrier {
  private readonly polling: Polling;

  constructor(ports: OwedPorts & { readonly clock: LoopClock }, log: OwedLog) {
    this.polling = new Polling({
      look: async () => {
        const looked = await escalateOwed(ports);
        return !isRefusal(looked) && looked;
      },
      onError: (error) =>
        log.error({ err: error }, "accounts without a successful notification could not be read; retrying"),
      clock: ports.clock,
      everyMs: RARELY_MS,
      restsFirst: true,
    });
  }

  wake(): void {
    this.polling.wake();
  }

  start(): void {
    this.polling.start();
  }

  /** Waits for the current check. */
  stop(): Promise<void> {
    return this.polling.stop();
  }
}
