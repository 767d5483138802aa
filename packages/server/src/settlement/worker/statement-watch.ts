import type { LoopClock } from "../../platform/clock.js";
import { Polling } from "../../platform/polling.js";

/** A result is restated within this, and the time that it takes to draw it up. */
const EVERY_MS = 20_000;

export interface StatementWatchPorts {
  /** Draws up anew what is due. */
  readonly look: () => Promise<boolean>;
  readonly clock: LoopClock;
  readonly onError: (error: unknown) => void;
}

/** Keeps statements up to date until stopped. */
export const statementWatch = ({ look, clock, onError }: StatementWatchPorts): Polling =>
  new Polling({ look, clock, onError, everyMs: EVERY_MS });
