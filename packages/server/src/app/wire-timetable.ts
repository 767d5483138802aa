import { closePool, openTimetablePool } from "../platform/database/database.js";
import { type DueWork, dueTimes } from "../platform/database/due-work.js";
import { Timetable } from "../platform/timetable.js";
import type { Basis, Stopping } from "./basis.js";
import { logBroken } from "./log-broken.js";

export interface WiredTimetable extends Stopping {
  /** Start it when all kinds have been added: each number of kinds is a statement of its own, which takes long to plan. */
  readonly due: Timetable<DueWork>;
}

/** Asks once a second for everything that this process carries out, and nothing in a process without any. */
export const wireTimetable = ({ pool, logger, clock }: Pick<Basis, "pool" | "logger" | "clock">): WiredTimetable => {
  const own = openTimetablePool(pool, logBroken(logger));
  const due = new Timetable<DueWork>({
    read: dueTimes(own),
    clock,
    onError: (error) => logger.warn({ err: error }, "what is due could not be read; retrying"),
  });
  return {
    due,
    async stop() {
      await due.stop();
      await closePool(own);
    },
  };
};
