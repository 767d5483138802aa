import type pg from "pg";
import type { LoopClock } from "../platform/clock.js";
import { closePool, openTimetablePool } from "../platform/database/database.js";
import { type DueWork, dueTimes } from "../platform/database/due-work.js";
import type { Logger } from "../platform/runtime/logger.js";
import { Timetable } from "../platform/timetable.js";

import { logBroken } from "./log-broken.js";

/** What this process carries out when it is due. */
export type Due = Pick<Timetable<DueWork>, "on" | "onAll" | "wake">;

export interface WiredTimetable extends Due {
  /** Call when all kinds have been added: each number of kinds is a statement of its own, which takes long to plan. */
  start(): void;
  stop(): Promise<void>;
}

export interface TimetableWiring {
  readonly pool: pg.Pool;
  readonly logger: Logger;
  readonly clock: LoopClock;
}

/** Asks once a second for everything that this process carries out, and nothing in a process without any. */
export const wireTimetable = ({ pool, logger, clock }: TimetableWiring): WiredTimetable => {
  const own = openTimetablePool(pool, logBroken(logger));
  const timetable = new Timetable<DueWork>({
    read: dueTimes(own),
    clock,
    onError: (error) => logger.warn({ err: error }, "what is due could not be read; retrying"),
  });
  return {
    on: (work, carrier) => timetable.on(work, carrier),
    onAll: (works, carriers) => timetable.onAll(works, carriers),
    wake: () => timetable.wake(),
    start: () => timetable.start(),
    async stop() {
      await timetable.stop();
      await closePool(own);
    },
  };
};
