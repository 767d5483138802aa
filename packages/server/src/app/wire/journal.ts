import type pg from "pg";
import { closePool, openJournalPool, openTimetablePool, sessionOptions } from "../../platform/database/database.js";
import { type DueWork, dueTimes } from "../../platform/database/due-work.js";
import { JournalTail } from "../../platform/database/journal-tail.js";
import { JOURNAL_KEPT_DAYS, oldEntries } from "../../platform/database/journal-upkeep.js";
import { COUNTS_CHANNEL, type NotifiedCounts } from "../../platform/database/notified-counts.js";
import { Pruning } from "../../platform/pruning.js";
import { NONE } from "../../platform/runtime/setting-types.js";
import { Timetable } from "../../platform/timetable.js";
import { type Basis, logBroken, type Stopping } from "../basis.js";
import { hourlyPruner } from "./upkeep.js";

type JournalWiring = Pick<Basis, "config" | "pool" | "logger" | "clock">;

/** The journal of a process: what reads it in memory, and in workers what removes old entries. */
interface WiredJournal extends Stopping {
  readonly tail: JournalTail;
  /** Call when all readers have been added. */
  start(): void;
}

/** How often the journal is read if no commit is announced. */
const UNHEARD_MS = 250;

/** How to connect for listening to commits; null: not at all. */
export const listenOptions = ({ config: { databaseListenUrl: url }, pool }: JournalWiring): pg.PoolOptions | null => {
  return url === NONE ? null : sessionOptions(pool);
};

export const wireJournal = (wiring: JournalWiring, counts: Pick<NotifiedCounts, "take">): WiredJournal => {
  const { config, pool, logger, clock } = wiring;
  // The connection that reads listens, too.
  const listens = config.databaseListenUrl !== NONE;
  const journal = openJournalPool(pool, logBroken(logger), { listens });
  const onError = (error: unknown) => logger.warn({ err: error }, "the journal could not be read; trying again");
  const everyMs = config.databaseListenUrl === NONE ? UNHEARD_MS : undefined;
  journal.on("connect", (client) => {
    client.on("notification", ({ channel, payload = "" }) => {
      if (channel === COUNTS_CHANNEL) counts.take(payload);
    });
  });
  const tail = new JournalTail({ journal, pool, clock, onError, everyMs });
  const pruner = config.roles.includes("worker") ? prunerOf(wiring) : null;
  return {
    tail,
    start() {
      tail.start();
      pruner?.start();
    },
    async stop() {
      await Promise.all([tail.stop(), pruner?.stop()]);
      await closePool(journal);
    },
  };
};

const prunerOf = (wiring: JournalWiring) => {
  const pruning = new Pruning(oldEntries(wiring.pool), wiring.clock, JOURNAL_KEPT_DAYS);
  return hourlyPruner(wiring, "old entries of the journal", pruning);
};

interface WiredTimetable extends Stopping {
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
