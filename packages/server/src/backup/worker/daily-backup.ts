import type { LoopClock } from "../../platform/clock.js";
import type { Log } from "../../platform/log.js";
import { Polling } from "../../platform/polling.js";
import { type BackupState, begunState, isDue } from "../domain/backup-state.js";
import { latestTurn } from "../domain/kept-backups.js";

export interface DailyBackupPorts {
  readonly clock: LoopClock;
  /** Minutes after midnight (UTC). */
  readonly atMinutes: number;
  /** Where they are made. */
  readonly directory: string;
  /** Of all processes, one makes them, and holds this for as long as it runs: the alarm is about its directory. */
  readonly lock: { isHeld(): Promise<boolean>; release(): Promise<void> };
  readonly state: { find(): Promise<BackupState | null>; save(state: BackupState): Promise<void> };
  readonly make: (now: Date, asked: AbortSignal) => Promise<void>;
  /** Deletes those that are not kept any more. */
  readonly prune: (now: Date) => Promise<void>;
  readonly log: Pick<Log, "error" | "info">;
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
    await this.ports.lock.release();
  }

  private async look(): Promise<void> {
    const { lock, clock, atMinutes, state, directory } = this.ports;
    if (!(await lock.isHeld())) return lock.release();
    const before = await state.find();
    const now = clock.now();
    if (isDue(before, latestTurn(atMinutes, now), now)) await this.make(before);
    // It has taken over from a process with another setting.
    else if (before !== null && before.directory !== directory) await state.save({ ...before, directory });
  }

  private async make(before: BackupState | null): Promise<void> {
    const { clock, state, make, log, directory } = this.ports;
    const triedAt = clock.now();
    const begun = begunState(before, triedAt, directory);
    await state.save(begun);
    try {
      await make(triedAt, this.stopping.signal);
    } catch (error) {
      if (this.stopping.signal.aborted) {
        // At the next start it is as due as it was.
        if (before !== null) await state.save({ ...before, directory });
        return;
      }
      log.error({ err: error }, "the daily backup failed; it is tried again in an hour");
      await state.save({ ...begun, failure: error instanceof Error ? error.message : String(error) });
      return;
    }
    await state.save({ madeAt: triedAt, triedAt, failure: null, directory });
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
