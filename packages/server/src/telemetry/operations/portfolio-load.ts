import type { HourRow, MeterKey } from "@curtail/measure";
import type { Clock } from "../../platform/clock.js";
import { HOUR_MS } from "../../platform/period.js";
import { type Result, tooMany } from "../../platform/refusal.js";
import { LONG_MS, PATIENCE_MS, REST } from "../../platform/seldom.js";
import { within } from "../../platform/within.js";
import type { Hours } from "../domain/hours.js";
import { addToSlots, type LoadSlot, noSlots, SLOT_MS, SLOTS_PER_HOUR, slotOf } from "../domain/load-slots.js";

export interface LoadReader {
  /** Meters of accounts that are not disabled. */
  meters(): Promise<readonly MeterKey[]>;
  hours(meters: readonly MeterKey[], hours: Hours): Promise<readonly HourRow[]>;
}

/** Null where no meter has a reading. */
export interface LoadPoint {
  readonly endMs: number;
  readonly loadKw: number | null;
  readonly meters: number;
}

/** Hours that readings still arrive for. */
const OPEN_HOURS = 2;
const OPEN_MS = 10_000;
/** Late readings and changes of meters appear after this. */
const CLOSED_MS = 300_000;
/** Some 10 MB, and milliseconds of one turn. */
const METERS_AT_ONCE = 2000;
const HOURS_AT_ONCE = 4;
const LATER_SECONDS = 10;
/** A day with a change of the clock. */
const MOST_HOURS = 27;

interface KnownHour {
  readonly slots: readonly LoadSlot[];
  readonly readAtMs: number;
}

/** The load of all meters over the last day. Hours are summed once for everybody who looks. */
export class PortfolioLoad {
  private readonly known = new Map<number, KnownHour>();
  private reading: Promise<void> = Promise.resolve();
  /** How long the last reading took for each hour. */
  private hourTookMs = 0;

  /** @param patienceMs set by tests */
  constructor(
    private readonly reader: LoadReader,
    private readonly clock: Clock,
    private readonly patienceMs = PATIENCE_MS,
  ) {}

  /** Complete slots since a moment of the last day, oldest first; refuses while hours are read for the first time. */
  async since(start: Date): Promise<Result<readonly LoadPoint[]>> {
    const nowMs = this.clock.now().getTime();
    const hours = { from: Math.floor(start.getTime() / HOUR_MS), to: Math.floor(nowMs / HOUR_MS) };
    const read = this.reading.then(() => this.refresh(hours, nowMs));
    // The next one reads what this one could not.
    this.reading = read.catch(() => undefined);
    // Whoever comes while much is read sees the sums of before.
    if (!this.hasAll(hours) || OPEN_HOURS * this.hourTookMs < LONG_MS)
      await within(read, this.patienceMs, () => undefined);
    if (!this.hasAll(hours)) return tooMany("the load of all meters is still being summed", LATER_SECONDS);
    const points: LoadPoint[] = [];
    for (let slot = Math.ceil(start.getTime() / SLOT_MS); slot < slotOf(nowMs); slot++) {
      const sum = this.known.get(Math.floor(slot / SLOTS_PER_HOUR))?.slots[slot % SLOTS_PER_HOUR];
      const meters = sum?.meters ?? 0;
      points.push({ endMs: (slot + 1) * SLOT_MS, loadKw: meters === 0 ? null : (sum?.kw ?? null), meters });
    }
    return points;
  }

  private hasAll({ from, to }: Hours): boolean {
    for (let hour = from; hour <= to; hour++) if (!this.known.has(hour)) return false;
    return true;
  }

  private async refresh({ from, to }: Hours, nowMs: number): Promise<void> {
    const old: number[] = [];
    for (let hour = from; hour <= to; hour++) if (this.isOld(hour, { to, nowMs })) old.push(hour);
    if (old.length > 0) await this.readAll(old, nowMs);
    for (const hour of this.known.keys()) if (hour <= to - MOST_HOURS) this.known.delete(hour);
  }

  /** The newest hours first: the others are looked at less. */
  private async readAll(hours: readonly number[], nowMs: number): Promise<void> {
    const beganMs = performance.now();
    const meters = await this.reader.meters();
    for (const part of stretches(hours).toReversed()) await this.read(meters, part, nowMs);
    this.hourTookMs = (performance.now() - beganMs) / hours.length;
  }

  private isOld(hour: number, { to, nowMs }: { readonly to: number; readonly nowMs: number }): boolean {
    const known = this.known.get(hour);
    const isOpen = hour > to - OPEN_HOURS;
    const restMs = REST * this.hourTookMs * (isOpen ? OPEN_HOURS : MOST_HOURS);
    const keptMs = Math.max(isOpen ? OPEN_MS : CLOSED_MS, restMs);
    return known === undefined || nowMs - known.readAtMs >= keptMs || nowMs < known.readAtMs;
  }

  private async read(meters: readonly MeterKey[], hours: Hours, readAtMs: number): Promise<void> {
    const sums = noSlots(hours);
    for (let at = 0; at < meters.length; at += METERS_AT_ONCE) {
      const some = meters.slice(at, at + METERS_AT_ONCE);
      addToSlots(sums, await this.reader.hours(some, { from: hours.from - 1, to: hours.to }), hours);
    }
    for (let hour = hours.from; hour <= hours.to; hour++) {
      const slots = Array.from(
        { length: SLOTS_PER_HOUR },
        (_, place) => sums.get(hour * SLOTS_PER_HOUR + place) ?? { kw: 0, meters: 0 },
      );
      this.known.set(hour, { slots, readAtMs });
    }
  }
}

/** Consecutive hours together, a few at once. */
const stretches = (hours: readonly number[]): Hours[] => {
  const parts: Hours[] = [];
  for (const hour of hours) {
    const last = parts.at(-1);
    if (last !== undefined && last.to === hour - 1 && hour - last.from < HOURS_AT_ONCE)
      parts[parts.length - 1] = { from: last.from, to: hour };
    else parts.push({ from: hour, to: hour });
  }
  return parts;
};
