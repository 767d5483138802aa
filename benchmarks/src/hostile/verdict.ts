import { percentile } from "../report.js";

/** What others experienced, in a quiet run or during an attack: milliseconds each; infinite for failures. */
export interface Experience {
  readonly polls: readonly number[];
  readonly uploads: readonly number[];
  /** From the operator's request to the arrival at the webhook. */
  readonly notices: readonly number[];
  /** How long a request without database access took, which shows a blocked event loop. */
  readonly probes: readonly number[];
}

export interface Strain {
  readonly peakMb: number;
  /** Some time after the end of the attack. */
  readonly afterMb: number;
  readonly isAlive: boolean;
}

export interface Judged {
  /** Of polls, uploads and notices. */
  readonly p95Ms: readonly number[];
  readonly worstMs: readonly number[];
  /** The same for the quiet run alone: how noisy the machine was. */
  readonly quietP95Ms: readonly number[];
  readonly quietWorstMs: readonly number[];
  readonly stallMs: number;
  /** Empty if everything is within its limit. */
  readonly faults: readonly string[];
}

const P95_BOUND_MS = 50;
const WORST_BOUND_MS = 250;
const PEAK_BOUND_MB = 700;

const streams = ["polls", "uploads", "notices"] as const;

/** A comparison with a lost answer exceeds every limit. */
const isBeyond = (bound: number) => (value: number) => !(value <= bound);

/** How much longer others waited than in the quiet run, and which limits that exceeds. */
export const judge = (quiet: Experience, attacked: Experience, { peakMb, isAlive }: Strain): Judged => {
  const [quietP95Ms, quietWorstMs] = [of(quiet, 0.95), of(quiet, 1)];
  const [p95Ms, worstMs] = [beyond(of(attacked, 0.95), quietP95Ms), beyond(of(attacked, 1), quietWorstMs)];
  const faults = [
    ...(isAlive ? [] : ["DIED"]),
    ...(p95Ms.some(isBeyond(P95_BOUND_MS)) ? ["p95"] : []),
    ...(worstMs.some(isBeyond(WORST_BOUND_MS)) ? ["worst"] : []),
    ...(peakMb <= PEAK_BOUND_MB ? [] : ["memory"]),
  ];
  return { p95Ms, worstMs, quietP95Ms, quietWorstMs, stallMs: percentile(attacked.probes, 1), faults };
};

const of = (experience: Experience, share: number): number[] =>
  streams.map((stream) => percentile(experience[stream], share));

const beyond = (attacked: readonly number[], quiet: readonly number[]): number[] =>
  attacked.map((value, index) => value - (quiet[index] ?? Number.NaN));

export const bounds =
  `bounds: ${P95_BOUND_MS} ms at p95 and ${WORST_BOUND_MS} ms at worst beyond the quiet run, ` +
  `${PEAK_BOUND_MB} MB at the peak, no restart`;
