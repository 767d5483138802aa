import type { MeterKey } from "@curtail/measure";

const DAY_MS = 86_400_000;

/** A day (UTC) of a meter, counted from 1970. */
export interface MeterDay extends MeterKey {
  readonly day: number;
}

/** Days of a meter among which are some with hour rows to pack. */
export interface ClosedDays extends MeterKey {
  readonly firstDay: number;
  readonly lastDay: number;
}

export interface Packed {
  readonly days: number;
  /** Of their blocks. */
  readonly bytes: number;
}

export interface DayStore {
  /**
   * Looks at the next meters after the one numbered `after`: which have hour rows of days before `before` that are not
   * the meter's newest? Only days from `fromDay` on are looked at, by meter; all, of other meters. `last` is the last
   * meter that was looked at, null if there was none.
   */
  closedDays(looking: {
    readonly after: number;
    readonly before: number;
    readonly fromDay: ReadonlyMap<number, number>;
  }): Promise<{ readonly meters: readonly ClosedDays[]; readonly last: number | null }>;
  /** Packs days in one transaction, with what is packed of them already; null while another process does so. */
  pack(days: readonly MeterDay[]): Promise<Packed | null>;
}

/** Packed in one transaction: some milliseconds of work, and uploads of the same hours wait no longer. */
const DAYS_AT_ONCE = 16;
/** Taken of a meter before others have their turn. */
const DAYS_OF_A_METER = 16;

const NOTHING: Packed = { days: 0, bytes: 0 };

export interface PackingTerms {
  readonly store: DayStore;
  readonly now: () => Date;
  /** Days that ended this long ago are packed. */
  readonly afterDays: number;
}

/** Packs the days of all meters that are over, meter by meter, again and again. */
export class Packing {
  private after = 0;
  private waiting: MeterDay[] = [];
  private hasPacked = false;
  /** How many of the waiting days are packed one by one, because one of them failed. */
  private alone = 0;
  /** The days after those that had their turn: what was deleted before them is slow to look through until a vacuum. */
  private readonly fromDay = new Map<number, number>();
  /** Meters with a day that failed, and the day that was tried last: until the next rest, only later ones are. */
  private readonly failed = new Map<number, number>();

  constructor(private readonly terms: PackingTerms) {}

  /** Packs a few days. */
  async step(): Promise<Packed & { readonly isDone: boolean }> {
    const days = this.waiting.splice(0, this.alone > 0 ? 1 : DAYS_AT_ONCE);
    this.alone = Math.max(0, this.alone - 1);
    if (days.length === 0) return { ...NOTHING, isDone: await this.findMore() };
    const packed = await this.pack(days);
    if (packed === null) this.fromDay.clear();
    this.hasPacked ||= packed !== null && packed.days > 0;
    return { ...(packed ?? NOTHING), isDone: packed === null };
  }

  /** A damaged day must not keep others from being packed. */
  private async pack(days: readonly MeterDay[]): Promise<Packed | null> {
    try {
      return await this.terms.store.pack(days);
    } catch (error) {
      if (days.length > 1) {
        this.waiting.unshift(...days);
        this.alone = days.length;
        return NOTHING;
      }
      for (const { meter, day } of days) this.failed.set(meter, day);
      throw error;
    }
  }

  /** Takes the days of further meters; true if all meters had their turn without anything to pack. */
  private async findMore(): Promise<boolean> {
    const today = Math.floor(this.terms.now().getTime() / DAY_MS);
    const before = today - this.terms.afterDays;
    const { meters, last } = await this.terms.store.closedDays({ after: this.after, before, fromDay: this.fromDay });
    this.waiting = meters.flatMap((each) => this.daysOf(each));
    this.after = last ?? 0;
    if (last !== null) return false;
    const isDone = !this.hasPacked;
    this.hasPacked = false;
    if (isDone) this.forget();
    return isDone;
  }

  /** From now on, days that were uploaded late are found, and those that failed are tried again. */
  private forget(): void {
    this.failed.clear();
    this.fromDay.clear();
  }

  private daysOf({ site, meter, firstDay, lastDay }: ClosedDays): MeterDay[] {
    const tried = this.failed.get(meter);
    const from = tried === undefined ? firstDay : Math.max(firstDay, tried + 1);
    const length = Math.max(0, Math.min(lastDay - from + 1, DAYS_OF_A_METER));
    if (tried !== undefined) this.failed.set(meter, from + length - 1);
    this.fromDay.set(meter, from + length);
    return Array.from({ length }, (_, nth) => ({ site, meter, day: from + nth }));
  }
}
