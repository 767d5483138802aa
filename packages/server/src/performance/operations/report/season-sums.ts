import { paidElsewhere } from "../../domain/shared-energy.js";
import type { SiteSummary } from "../site-summary.js";
import type { CalledSite, CallOutcome } from "./called-sites.js";

/** The figures of calls. null: unknown or undefined, never zero. Energies and performance are of the measured calls. */
export interface SeasonFigures {
  readonly dispatches: number;
  /** Sites called, over all dispatches. */
  readonly calls: number;
  readonly outcomes: Readonly<Record<CallOutcome, number>>;
  /** Length of the measured calls. */
  readonly callHours: number;
  /** Sum of mean reductions × time divided by sum of commitments × time, over calls with both. */
  readonly performance: number | null;
  readonly lowest: number | null;
  readonly highest: number | null;
  /** Delivered divided by committed energy, over calls with both: what was not received counts as not delivered. */
  readonly deliveredShare: number | null;
  readonly deliveredKwh: number | null;
  readonly deliveredFlooredKwh: number | null;
  readonly deliveredCappedKwh: number | null;
  readonly committedKwh: number | null;
  readonly coverage: number | null;
  /** Calls with a status other than grey, and the share of them on commitment or above. */
  readonly judged: number;
  readonly shareOnCommitment: number | null;
  /** Calls of which other dispatches are paid for some of the energy. */
  readonly paidElsewhere: number;
  /** Of the length of the measured calls, what other dispatches are paid for. */
  readonly paidElsewhereHours: number;
}

const HOUR_MS = 3_600_000;
/** Of 30 seconds. */
const INTERVALS_AN_HOUR = 120;

const ENERGIES = ["deliveredKwh", "deliveredFlooredKwh", "deliveredCappedKwh", "committedKwh"] as const;
type Energy = (typeof ENERGIES)[number];

/** Adds up calls one by one, dispatch by dispatch. */
export class SeasonSums {
  private dispatches = 0;
  private lastDispatch: string | null = null;
  private readonly outcomes = { measured: 0, without_baseline: 0, cancelled: 0, voided: 0, not_final: 0 };
  private readonly energies: Record<Energy, number | null> = {
    deliveredKwh: null,
    deliveredFlooredKwh: null,
    deliveredCappedKwh: null,
    committedKwh: null,
  };
  private hours = 0;
  private paidElsewhere = 0;
  private paidElsewhereIntervals = 0;
  private expected = 0;
  private present = 0;
  private judged = 0;
  private onCommitment = 0;
  private lowest: number | null = null;
  private highest: number | null = null;
  /** Over calls with a performance: committed energy, alone and times performance. */
  private readonly compared = { committedKwh: 0, reachedKwh: 0 };
  /** Over calls with both energies. */
  private readonly both = { deliveredKwh: 0, committedKwh: 0 };

  add({ dispatch, site: { result }, outcome, endMs, shared }: CalledSite): void {
    if (dispatch.id !== this.lastDispatch) this.dispatches += 1;
    this.lastDispatch = dispatch.id;
    this.outcomes[outcome] += 1;
    if (shared.some(({ isPaidHere }) => !isPaidHere)) this.paidElsewhere += 1;
    if (outcome !== "measured" || result === null) return;
    this.hours += endMs === null ? 0 : (endMs - dispatch.startMs) / HOUR_MS;
    this.paidElsewhereIntervals += paidElsewhere(shared) ?? 0;
    this.addEnergies(result);
    this.addPerformance(result);
    this.addStatus(result);
  }

  figures(): SeasonFigures {
    const { outcomes, compared, both, judged, lowest, highest } = this;
    return {
      ...this.energies,
      dispatches: this.dispatches,
      calls: Object.values(outcomes).reduce((sum, count) => sum + count, 0),
      outcomes: { ...outcomes },
      callHours: this.hours,
      paidElsewhere: this.paidElsewhere,
      paidElsewhereHours: this.paidElsewhereIntervals / INTERVALS_AN_HOUR,
      performance: shareOf(compared.reachedKwh, compared.committedKwh),
      lowest,
      highest,
      deliveredShare: shareOf(both.deliveredKwh, both.committedKwh),
      coverage: shareOf(this.present, this.expected),
      judged,
      shareOnCommitment: shareOf(this.onCommitment, judged),
    };
  }

  private addEnergies({ performance: { toDate } }: SiteSummary): void {
    for (const name of ENERGIES) {
      const kwh = toDate[name];
      if (kwh !== null) this.energies[name] = (this.energies[name] ?? 0) + kwh;
    }
    this.expected += toDate.cellsExpected;
    this.present += toDate.cellsPresent;
    const { deliveredKwh, committedKwh } = toDate;
    if (deliveredKwh === null || committedKwh === null) return;
    this.both.deliveredKwh += deliveredKwh;
    this.both.committedKwh += committedKwh;
  }

  private addPerformance({ performance: { toDate } }: SiteSummary): void {
    const { performance, committedKwh } = toDate;
    if (performance === null || committedKwh === null) return;
    this.compared.committedKwh += committedKwh;
    this.compared.reachedKwh += performance * committedKwh;
    this.lowest = Math.min(this.lowest ?? performance, performance);
    this.highest = Math.max(this.highest ?? performance, performance);
  }

  private addStatus({ status: { colour } }: SiteSummary): void {
    if (colour === "grey") return;
    this.judged += 1;
    if (colour === "green" || colour === "blue") this.onCommitment += 1;
  }
}

/** null if there is nothing to divide by. */
const shareOf = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);
