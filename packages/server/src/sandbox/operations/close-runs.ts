import { heldFrom, recentFrom } from "../domain/held-reading.js";
import { finalAt, isFinal } from "../domain/report.js";
import type { Scenario } from "../domain/scenario.js";
import { type RunReportPorts, reportOf } from "./report-scenario.js";

/** A moment after everything. */
const LATER_MS = Number.POSITIVE_INFINITY;

/** Judges runs that became final without anybody looking, and forgets the readings that no report can use any more. */
export class RunCloser {
  /** By account that sent readings, when to look at it again. */
  private readonly dueMs = new Map<string, number>();
  private knowsAll = false;

  constructor(private readonly ports: RunReportPorts) {}

  /** An account sent readings, or its run was replaced. */
  note(accountId: string, run: Scenario | null): void {
    const { clock } = this.ports;
    const now = clock.now();
    const dueMs = run === null || isFinal(run, now) ? now.getTime() : finalAt(run).getTime();
    this.dueMs.set(accountId, Math.min(dueMs, this.dueMs.get(accountId) ?? LATER_MS));
  }

  /** Asks the database for nothing while nothing is due. */
  async look(): Promise<void> {
    const nowMs = this.ports.clock.now().getTime();
    // What was sent before this process started.
    if (!this.knowsAll) for (const accountId of await this.ports.readings.accounts()) this.note(accountId, null);
    this.knowsAll = true;
    for (const [accountId, dueMs] of this.dueMs) if (dueMs <= nowMs) await this.lookAt(accountId);
  }

  private async lookAt(accountId: string): Promise<void> {
    const { scenarios, readings, clock } = this.ports;
    const now = clock.now();
    const unjudged = await scenarios.unjudgedOf(accountId);
    for (const run of unjudged) if (isFinal(run, now)) await reportOf(this.ports, run);
    const open = unjudged.filter((run) => !isFinal(run, now));
    const remain = await readings.forget(accountId, heldFrom(open, now));
    const dueMs = Math.min(...open.map((run) => finalAt(run).getTime()));
    if (open.length > 0) this.dueMs.set(accountId, dueMs);
    else if (remain) this.dueMs.set(accountId, now.getTime() * 2 - recentFrom(now).getTime());
    else this.dueMs.delete(accountId);
  }
}
