import type { Clock } from "../../../platform/clock.js";
import type { Log } from "../../../platform/log.js";
import { modifiedBy, type TraceStore, type Tracing } from "../../../platform/tracing.js";
import type { DispatchToMeasure } from "../measurement-ports.js";
import type { SiteNumbers } from "../site-summary.js";

interface TracedTargetPorts {
  readonly tracing: Tracing;
  readonly store: Pick<TraceStore, "claimBelowTarget">;
  readonly clock: Clock;
  readonly log: Pick<Log, "warn">;
}

/** A dispatch as it is measured. */
interface Measured {
  readonly dispatch: Pick<DispatchToMeasure, "id" | "modificationNumber" | "startMs">;
  results(): readonly Pick<SiteNumbers, "siteId" | "accountId" | "performance">[];
}

interface FirstBelow {
  readonly siteId: string;
  readonly accountId: string;
  /** When its reading ended. */
  readonly atMs: number;
}

/** Records when the first site of a dispatch was at or below its target: once for each dispatch, whichever process sees it. */
export class TracedTargets {
  /** Those that need no further look. */
  private done: ReadonlySet<string> = new Set();

  constructor(private readonly ports: TracedTargetPorts) {}

  /** Never throws. */
  async look(measured: readonly Measured[]): Promise<void> {
    const done = new Set<string>();
    for (const each of measured) {
      const { id } = each.dispatch;
      const first = this.done.has(id) ? null : firstBelow(each);
      if (this.done.has(id) || (first !== null && (await this.record(each, first)))) done.add(id);
    }
    this.done = done;
  }

  private async record({ dispatch: { id, modificationNumber } }: Measured, first: FirstBelow): Promise<boolean> {
    const { tracing, store, clock, log } = this.ports;
    const endsAt = clock.now();
    try {
      if (!(await store.claimBelowTarget(id, endsAt))) return true;
    } catch (error) {
      log.warn({ err: error }, "the first reading below the target could not be traced; retrying");
      return false;
    }
    tracing.note(modifiedBy(id, modificationNumber), "first reading below target", {
      startsAt: new Date(first.atMs),
      endsAt,
      error: null,
      attributes: {
        "curtail.account.id": first.accountId,
        "curtail.dispatch.id": id,
        "curtail.site.id": first.siteId,
      },
    });
    return true;
  }
}

const firstBelow = (measured: Measured): FirstBelow | null => {
  const { startMs } = measured.dispatch;
  let first: FirstBelow | null = null;
  for (const { siteId, accountId, performance } of measured.results()) {
    if (performance.secondsToFull === null) continue;
    const atMs = startMs + performance.secondsToFull * 1000;
    if (first === null || atMs < first.atMs) first = { siteId, accountId, atMs };
  }
  return first;
};
