import type { MeterConfig } from "../config/config.js";
import { toKw } from "./convert.js";
import { endOfInterval, recentSamples, type Sample, valueOfInterval } from "./interval.js";

/** A reading to upload; `endMs` is the end of the interval. */
export interface Reading {
  readonly meterId: string;
  readonly endMs: number;
  readonly intervalMs: number;
  readonly kw: number;
}

/** An interval without a reading. */
export interface Gap {
  readonly meterId: string;
  readonly endMs: number;
  readonly why: string;
}

export interface Settled {
  readonly readings: readonly Reading[];
  readonly gaps: readonly Gap[];
}

/** The longest time for which the load before a curtailment is asked. */
const REMEMBERED_MS = 3_600_000;

/** Collects the values of a meter and makes readings of them. Times are arguments. */
export class MeterSampler {
  private samples: readonly Sample[] = [];
  private nextEndMs: number;
  private note: string | null = null;

  /** The interval that has begun already gives no reading, unless it is fully known. */
  constructor(
    readonly meter: MeterConfig,
    nowMs: number,
    /** Where its values come from, in words. */
    readonly place = "",
  ) {
    this.nextEndMs = endOfInterval(nowMs, meter.sampling.intervalMs);
  }

  /** Takes a raw value; one that is not plausible is left out. Returns its load in kW, or null. */
  add(raw: number, atMs: number): number | null {
    const converted = toKw(raw, this.meter.conversion);
    if ("why" in converted) {
      this.note = this.atPlace(converted.why);
      return null;
    }
    this.samples = inOrder(this.samples, { atMs, kw: converted.kw });
    this.note = null;
    return converted.kw;
  }

  /** Notes why there is no value, naming where it should come from; null: that is over. */
  miss(why: string | null): void {
    this.note = why;
  }

  get last(): Sample | null {
    return this.samples.at(-1) ?? null;
  }

  /** Why the newest value is missing; null: it is there. */
  get lastNote(): string | null {
    return this.note;
  }

  /** Mean load over the time before now; null if less than half of it is known. */
  loadBefore(nowMs: number, referenceMs: number): number | null {
    const { staleMs } = this.meter.sampling;
    const sampling = {
      ...this.meter.sampling,
      method: "average",
      intervalMs: referenceMs,
      staleMs,
      coverage: 0.5,
    } as const;
    const value = valueOfInterval(this.samples, nowMs, sampling);
    return "kw" in value ? value.kw : null;
  }

  /** The readings of the intervals that ended, each once. */
  settle(nowMs: number): Settled {
    const { intervalMs, settleMs } = this.meter.sampling;
    const readings: Reading[] = [];
    const gaps: Gap[] = [];
    // After a long pause, only intervals that samples may cover are looked at.
    this.nextEndMs = Math.max(this.nextEndMs, endOfInterval(nowMs - REMEMBERED_MS, intervalMs));
    for (; this.nextEndMs + settleMs <= nowMs; this.nextEndMs += intervalMs) {
      const value = valueOfInterval(this.samples, this.nextEndMs, this.meter.sampling);
      const interval = { meterId: this.meter.id, endMs: this.nextEndMs };
      if ("kw" in value) readings.push({ ...interval, intervalMs, kw: value.kw });
      else gaps.push({ ...interval, why: this.note ?? this.atPlace(value.why) });
    }
    this.samples = recentSamples(this.samples, nowMs - REMEMBERED_MS);
    return { readings, gaps };
  }

  private atPlace(why: string): string {
    return this.place === "" ? why : `${this.place}: ${why}`;
  }

  /**
   * The clock was set: values before and after cannot be put in order. The new time is taken for the right one, so
   * intervals that it reaches again are read again; the service replaces what it has.
   */
  clockJumped(nowMs: number): void {
    this.samples = [];
    this.nextEndMs = endOfInterval(nowMs, this.meter.sampling.intervalMs);
  }
}

/** By time; values of a file may be older than the last one. */
const inOrder = (samples: readonly Sample[], sample: Sample): readonly Sample[] => {
  const after = samples.findLastIndex(({ atMs }) => atMs <= sample.atMs) + 1;
  return after === samples.length ? [...samples, sample] : samples.toSpliced(after, 0, sample);
};
