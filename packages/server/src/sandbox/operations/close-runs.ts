import type { Clock } from "../../platform/clock.js";
import { heldFrom, recentUntil } from "../domain/held-reading.js";
import { finalAt, isFinal } from "../domain/report.js";
import type { Scenario } from "../domain/scenario.js";
import type { SandboxReadings, ScenarioStore } from "./scenario-service.js";

interface ClosePorts {
  readonly scenarios: Pick<ScenarioStore, "unjudgedOf">;
  readonly readings: Pick<SandboxReadings, "accounts" | "forget">;
  readonly clock: Pick<Clock, "now">;
  /** Stores the report of a run that is final. */
  readonly reportOf: (run: Scenario) => Promise<unknown>;
}

/** A moment after everything. */
const LATER_MS = Number.POSITIVE_INFINITY;

/** Judges runs that became final without anybody looking, and forgets the readings that no report can use any more. */
export class RunCloser {
  /** By account that sent readings, when to look at it again. */
  private readonly dueMs = new Map<string, number>();
  private knowsAll = false;

  constructor(private readonly ports: ClosePorts) {}

  /** An account sent readings, or its run was replaced. */
  note(accountId: string, run: Scenario | null): void {
    const { clock } = this.ports;
    const now = clock.now();
    this.lookBy(accountId, run === null || isFinal(run, now) ? now : finalAt(run));
  }

  /** Asks the database for nothing while nothing is due. */
  async look(): Promise<void> {
    const nowMs = this.ports.clock.now().getTime();
    // What was sent before this process started.
    if (!this.knowsAll) for (const accountId of await this.ports.readings.accounts()) this.note(accountId, null);
    this.knowsAll = true;
    // All found first: what is noted meanwhile is for the next look.
    const due = [...this.dueMs].filter(([, dueMs]) => dueMs <= nowMs);
    for (const [accountId] of due) await this.lookAt(accountId);
  }

  private async lookAt(accountId: string): Promise<void> {
    const { clock } = this.ports;
    const now = clock.now();
    // Before the questions: what is noted while they are answered is looked at too.
    this.dueMs.delete(accountId);
    try {
      const next = await this.close(accountId, now);
      if (next !== null) this.lookBy(accountId, next);
    } catch (error) {
      this.lookBy(accountId, now);
      throw error;
    }
  }

  /** Returns when to look again; null: nothing is held for the account. */
  private async close(accountId: string, now: Date): Promise<Date | null> {
    const { scenarios, readings, reportOf } = this.ports;
    const unjudged = await scenarios.unjudgedOf(accountId);
    for (const run of unjudged) if (isFinal(run, now)) await reportOf(run);
    const open = unjudged.filter((run) => !isFinal(run, now));
    const remain = await readings.forget(accountId, heldFrom(open, now));
    if (open.length > 0) return open.map(finalAt).reduce((first, each) => (each < first ? each : first));
    return remain ? recentUntil(now) : null;
  }

  private lookBy(accountId: string, at: Date): void {
    this.dueMs.set(accountId, Math.min(at.getTime(), this.dueMs.get(accountId) ?? LATER_MS));
  }
}
