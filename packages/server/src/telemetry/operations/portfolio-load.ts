import type { HourRow, MeterKey } from "@curtail/measure";
import type { Clock } from "../../platform/clock.js";
import { HOUR_MS } from "../../platform/period.js";
import type { Hours } from "../domain/hours.js";
import { type LoadSlot, SLOT_MS, SLOTS_PER_HOUR, slotOf, sumSlots } from "../domain/load-slots.js";

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
/** 1,000 meters are about 5 MB at once. */
const HOURS_AT_ONCE = 4;
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

  constructor(
    private readonly reader: LoadReader,
    private readonly clock: Clock,
  ) {}

  /** Complete slots since a moment of the last day, oldest first. */
  async since(start: Date): Promise<readonly LoadPoint[]> {
    const nowMs = this.clock.now().getTime();
    const hours = { from: Math.floor(start.getTime() / HOUR_MS), to: Math.floor(nowMs / HOUR_MS) };
    const read = this.reading.then(() => this.refresh(hours, nowMs));
    // The next one reads what this one could not.
    this.reading = read.catch(() => undefined);
    await read;
    const points: LoadPoint[] = [];
    for (let slot = Math.ceil(start.getTime() / SLOT_MS); slot < slotOf(nowMs); slot++) {
      const sum = this.known.get(Math.floor(slot / SLOTS_PER_HOUR))?.slots[slot % SLOTS_PER_HOUR];
      const meters = sum?.meters ?? 0;
      points.push({ endMs: (slot + 1) * SLOT_MS, loadKw: meters === 0 ? null : (sum?.kw ?? null), meters });
    }
    return points;
  }

  private async refresh({ from, to }: Hours, nowMs: number): Promise<void> {
    const old: number[] = [];
    for (let hour = from; hour <= to; hour++) if (this.isOld(hour, { to, nowMs })) old.push(hour);
    const meters = old.length === 0 ? [] : await this.reader.meters();
    for (const part of stretches(old)) await this.read(meters, part, nowMs);
    for (const hour of this.known.keys()) if (hour <= to - MOST_HOURS) this.known.delete(hour);
  }

  private isOld(hour: number, { to, nowMs }: { readonly to: number; readonly nowMs: number }): boolean {
    const known = this.known.get(hour);
    const keptMs = hour > to - OPEN_HOURS ? OPEN_MS : CLOSED_MS;
    return known === undefined || nowMs - known.readAtMs >= keptMs || nowMs < known.readAtMs;
  }

  private async read(meters: readonly MeterKey[], hours: Hours, readAtMs: number): Promise<void> {
    const rows = await this.reader.hours(meters, { from: hours.from - 1, to: hours.to });
    const sums = sumSlots(rows, hours);
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
