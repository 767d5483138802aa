import type { AlarmKind } from "../../platform/alarm.js";
import type { LoopClock } from "../../platform/clock.js";
import { Polling } from "../../platform/polling.js";
import { isRefusal } from "../../platform/refusal.js";
import { type AlarmPorts, judgeAlarms } from "../operations/watch-alarms.js";

const JUDGE_EVERY_MS = 5000;

export interface AlarmLog {
  error(details: object, message: string): void;
  info(details: object, message: string): void;
}

const words = (failed: AlarmKind | null): string =>
  failed === null
    ? "alarms could not be evaluated by one statement; each kind was evaluated by itself"
    : "alarms of a kind could not be evaluated; they stay as they are";

/** Raises and clears alarms every five seconds of database time, until stopped. */
export class AlarmWatch {
  private judgedAtMs = Number.NEGATIVE_INFINITY;
  private readonly polling: Polling;

  constructor(
    private readonly ports: AlarmPorts & { readonly clock: LoopClock },
    private readonly log: AlarmLog,
  ) {
    this.polling = new Polling({
      look: () => this.look(),
      onError: (error) => log.error({ err: error }, "alarms could not be evaluated; retrying"),
      clock: ports.clock,
    });
  }

  start(): void {
    this.polling.start();
  }

  /** Waits for the current check. */
  stop(): Promise<void> {
    return this.polling.stop();
  }

  private async look(): Promise<boolean> {
    const nowMs = this.ports.clock.now().getTime();
    // In either direction: setting back the database's clock must not stop the watch.
    if (Math.abs(nowMs - this.judgedAtMs) < JUDGE_EVERY_MS) return false;
    this.judgedAtMs = nowMs;
    const changes = await judgeAlarms(this.ports);
    if (isRefusal(changes)) return false;
    for (const { kind, error } of changes.faults) {
      this.log.error({ err: error, kind }, words(kind));
    }
    // Without the message: it may quote a mail server, which repeats addresses.
    for (const { id, kind, subject, accountId } of changes.raised) {
      this.log.error({ alarm: id, kind, subject, accountId }, "an alarm was raised; see curtail admin alarms list");
    }
    for (const { id, kind, subject, accountId } of changes.cleared) {
      this.log.info({ alarm: id, kind, subject, accountId }, "an alarm was cleared");
    }
    return false;
  }
}
