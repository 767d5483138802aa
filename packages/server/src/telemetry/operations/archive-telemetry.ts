import type { MeterKey } from "@curtail/measure";
import { hourOfMs, keptFromMs, type Month } from "../domain/retention.js";

/** The oldest month of a site that has readings. */
export interface SiteMonth extends Pick<MeterKey, "site"> {
  readonly month: Month;
}

export interface Archived {
  readonly readings: number;
  readonly bytes: number;
}

export interface ArchiveStore {
  /**
   * Looks at the next sites after the one numbered `after`: which have readings of hours before `before`? `last` is the
   * last site that was looked at, null if there was none.
   */
  oldMonths(
    after: number,
    before: number,
  ): Promise<{ readonly months: readonly SiteMonth[]; readonly last: number | null }>;
  /**
   * Writes the readings of the month to a file, then deletes them; null while another process archives, packs or
   * changes them.
   */
  archive(month: SiteMonth): Promise<Archived | null>;
}

export interface ArchivingTerms {
  readonly store: ArchiveStore;
  readonly now: () => Date;
  readonly keepDays: number;
}

const NOTHING: Archived = { readings: 0, bytes: 0 };
/** What another process has in hand is free in a moment, and the next look is an hour away. */
const MOST_VAIN_ROUNDS = 20;

/** Archives months that are not kept any more, one of each site in turn, again and again. */
export class Archiving {
  private after = 0;
  private waiting: SiteMonth[] = [];
  private hasArchived = false;
  private hasPutOff = false;
  /** Rounds in a row in which all was put off. */
  private vainRounds = 0;

  constructor(private readonly terms: ArchivingTerms) {}

  /** Archives one month of a site; one that is put off has its next turn with the others. */
  async step(): Promise<Archived & { readonly isDone: boolean }> {
    const next = this.waiting.shift();
    if (next === undefined) return { ...NOTHING, isDone: await this.findMore() };
    const archived = await this.terms.store.archive(next);
    this.hasArchived ||= archived !== null;
    this.hasPutOff ||= archived === null;
    return { ...(archived ?? NOTHING), isDone: false };
  }

  /** Takes months of further sites; true if all sites had their turn without anything to archive, or were put off again and again. */
  private async findMore(): Promise<boolean> {
    const before = hourOfMs(keptFromMs(this.terms.now(), this.terms.keepDays));
    const { months, last } = await this.terms.store.oldMonths(this.after, before);
    this.waiting = [...months];
    this.after = last ?? 0;
    if (last !== null) return false;
    return this.isRoundLast();
  }

  private isRoundLast(): boolean {
    const { hasArchived, hasPutOff } = this;
    this.hasArchived = false;
    this.hasPutOff = false;
    this.vainRounds = hasPutOff && !hasArchived ? this.vainRounds + 1 : 0;
    if (hasArchived || (hasPutOff && this.vainRounds < MOST_VAIN_ROUNDS)) return false;
    this.vainRounds = 0;
    return true;
  }
}
