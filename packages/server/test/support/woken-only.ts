import type { LoopClock } from "../../src/platform/clock.js";
import { sleep } from "../../src/platform/database/database-clock.js";

/** Rests that end by themselves only if they are short: what happens sooner was woken. */
export const wokenOnly: LoopClock = {
  now: () => new Date(),
  sleep: (ms, signal) => sleep(ms < 500 ? ms : 60_000, signal),
  monotonicMs: () => performance.now(),
};
