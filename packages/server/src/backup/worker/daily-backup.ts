import type { LoopClock } from "../../platform/clock.js";
import { Polling } from "../../platform/polling.js";
import { type BackupState, begunState, isDue } from "../domain/backup-state.js";
import { latestTurn } from "../domain/kept-backups.js";

export interface DailyBackupPorts {
  readonly clock: LoopClock;
  /** Minutes after midnight (UTC). */
  readonly atMinutes: number;
  /** Of all processes, one makes it. */
  readonly lock: { isHeld(): Promise<boolean>; release(): Promise<void> };
  readonly state: { find(): Promise<BackupState | null>; save(state: BackupState): Promise<void> };
  readonly make: (now: Date, asked: AbortSignal) => Promise<void>;
  /** Deletes those that are not kept any more. */
  readonly prune: (now: Date) => Promise<void>;
  readonly log: { error(details: object, message: string): void; info(details: object, message: string): void };
}

const LOOK_MS = 60_000;

/** Makes a backup each day, until stopped. */
export class DailyBackup {
  private readonly stopping = new AbortController();
  private readonly polling: Polling;

  constructor(private readonly ports: DailyBackupPorts) {
    const { clock, log } = ports;
    this.polling = new Polling({
      look: async () => {
        await this.look();
        return false;
      },
      onError: (error) => log.error({ err: error }, "whether a daily backup is due could not be read; retrying"),
      clock,
      everyMs: LOOK_MS,
    });
  }

  start(): void {
    this.polling.start();
  }

  /** Ends a backup that is being made; its file is not kept. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.polling.stop();
  }

  private async look(): Promise<void> {
    const { lock } = this.ports;
    if (!(await this.isDue()) || !(await lock.isHeld())) return;
    try {
      // Another process may just have made it.
      if (await this.isDue()) await this.make();
    } finally {
      await lock.release();
    }
  }

  private async isDue(): Promise<boolean> {
    const { clock, atMinutes, state } = this.ports;
    const now = clock.now();
    return isDue(await state.find(), latestTurn(atMinutes, now), now);
  }

  private async make(): Promise<void> {
    const { clock, state, make, log } = this.ports;
    const triedAt = clock.now();
    const before = await state.find();
    const begun = begunState(before, triedAt);
    await state.save(begun);
    try {
      await make(triedAt, this.stopping.signal);
    } catch (error) {
      if (this.stopping.signal.aborted) {
        // At the next start it is as due as it was.
        if (before !== null) await state.save(before);
        return;
      }
      log.error({ err: error }, "the daily backup failed; it is tried again in an hour");
      await state.save({ ...begun, failure: error instanceof Error ? error.message : String(error) });
      return;
    }
    await state.save({ madeAt: triedAt, triedAt, failure: null });
    log.info({ madeAt: triedAt }, "the daily backup was made");
    await this.prune(triedAt);
  }

  /** The backup is made, whatever becomes of those before it. */
  private async prune(now: Date): Promise<void> {
    const { prune, log } = this.ports;
    try {
      await prune(now);
    } catch (error) {
      log.error({ err: error }, "old daily backups could not be deleted; the next one tries it again");
    }
  }
}
