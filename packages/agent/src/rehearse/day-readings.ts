import type { AgentConfig, MeterConfig } from "../config/config.js";
import { endOfInterval } from "../readings/interval.js";
import type { Gap, Reading } from "../readings/meter-sampler.js";
import type { Day } from "./day.js";
import { loadOf } from "./memory-meter.js";
import type { PlayedMeter } from "./played.js";

interface Counted {
  readonly site: string;
  readonly meter: MeterConfig;
  /** Ends of the intervals that have a reading. */
  readonly made: Set<number>;
  /** Of those, the ones that were kept without contact. */
  readonly kept: Set<number>;
  readonly why: Map<number, string>;
  waiting: number;
}

/** Counts the readings of a day: sent at once, kept and sent later, or missing. */
export class DayReadings {
  private readonly counted: ReadonlyMap<string, Counted>;
  private readonly offAt: number[] = [];

  constructor(
    config: AgentConfig,
    private readonly day: Day,
  ) {
    const all = config.sites.flatMap(({ name, meters }) =>
      meters.map((meter) => [meter.id, counted(name, meter)] as const),
    );
    this.counted = new Map(all);
  }

  take(readings: readonly Reading[], gaps: readonly Gap[], isReachable: boolean): void {
    for (const { meterId, endMs } of readings) {
      const each = this.counted.get(meterId);
      if (each === undefined) continue;
      if (!isReachable && !each.made.has(endMs)) each.kept.add(endMs);
      each.made.add(endMs);
      if (!isReachable) each.waiting++;
    }
    for (const { meterId, endMs, why } of gaps) this.counted.get(meterId)?.why.set(endMs, why);
  }

  /** No process runs at this second. */
  off(ms: number): void {
    this.offAt.push(ms);
  }

  /** The service has answered: what waited goes out. Says of each meter how much it was. */
  send(): readonly string[] {
    return [...this.counted.values()].flatMap((each) => {
      const { waiting } = each;
      each.waiting = 0;
      return waiting === 0 ? [] : [`${each.site}, ${each.meter.name}: ${waiting} readings that were kept are sent`];
    });
  }

  get meters(): readonly PlayedMeter[] {
    return [...this.counted.values()].map((each) => this.total(each));
  }

  private total({ site, meter, made, kept, why }: Counted): PlayedMeter {
    const { intervalMs } = meter.sampling;
    const missing: Record<string, number> = {};
    const last = this.day.toMs - meter.sampling.settleMs - 1_000;
    for (let endMs = endOfInterval(this.day.fromMs, intervalMs); endMs <= last; endMs += intervalMs) {
      if (made.has(endMs)) continue;
      const reason = this.wasOff(endMs, intervalMs) ? "the agent did not run" : (why.get(endMs) ?? "the clock was set");
      missing[reason] = (missing[reason] ?? 0) + 1;
    }
    return {
      site,
      meter: meter.name,
      kw: loadOf(meter),
      intervalMs,
      sent: made.size - kept.size,
      kept: kept.size,
      missing,
    };
  }

  private wasOff(endMs: number, intervalMs: number): boolean {
    const [first, last] = [this.offAt[0], this.offAt.at(-1)];
    return first !== undefined && last !== undefined && endMs > first && endMs - intervalMs <= last;
  }
}

const counted = (site: string, meter: MeterConfig): Counted => ({
  site,
  meter,
  made: new Set(),
  kept: new Set(),
  why: new Map(),
  waiting: 0,
});
