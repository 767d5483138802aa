import type pg from "pg";
import type { SharedLimits } from "../access/caller/shared-limits.js";
import type { WordsFor } from "../access/domain/language.js";
import type { HeldStart } from "../backup/worker/held-start.js";
import type { Brand } from "../platform/brand.js";
import type { LoopClock } from "../platform/clock.js";
import type { DueWork } from "../platform/database/due-work.js";
import type { JournalTail } from "../platform/database/journal-tail.js";
import type { TailStamps } from "../platform/database/stamps.js";
import type { DatedIds } from "../platform/dated-ids.js";
import type { Config } from "../platform/runtime/config.js";
import type { Logger } from "../platform/runtime/logger.js";
import type { Metrics } from "../platform/runtime/metrics.js";
import type { SecretBox } from "../platform/secret-box.js";
import type { Timetable } from "../platform/timetable.js";
import type { Tracing } from "../platform/tracing.js";
import type { Disk } from "../telemetry/operations/refuse-when-full.js";

/** What every part of a process is wired with. */
export interface Basis {
  readonly config: Config;
  readonly brand: Brand;
  readonly pool: pg.Pool;
  readonly sandboxPool: pg.Pool;
  /** Of VENs: their polls never wait behind uploads. */
  readonly vtnPool: pg.Pool;
  readonly logger: Logger;
  readonly clock: LoopClock;
  readonly metrics: Metrics;
  /** null unless the settings say where spans go. */
  readonly tracing: Tracing | null;
  readonly disk: Disk;
  readonly limits: Pick<SharedLimits, "windowsOf" | "signIns">;
  readonly secretBox: SecretBox;
  readonly datedIds: DatedIds;
  /** Not started yet. */
  readonly tail: JournalTail;
  readonly stamps: TailStamps;
  /** What this process carries out when it is due. */
  readonly due: Pick<Timetable<DueWork>, "on" | "onAll" | "wake">;
  /** For people whose choice of a language is known, or who have none. */
  readonly wordsFor: WordsFor;
  readonly gate: Pick<HeldStart, "whenReleased">;
}

/** A part that runs until it is stopped. */
export interface Stopping {
  stop(): Promise<void>;
}

/** A part that this process does not have. */
export const NOTHING: Stopping = { stop: async () => {} };

/** Error handler of a pool: logs a broken idle connection. */
export const logBroken =
  (logger: Logger) =>
  (error: Error): void =>
    logger.warn({ err: error }, "an idle database connection broke; it is replaced");
