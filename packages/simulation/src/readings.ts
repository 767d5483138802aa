import type { Call } from "./load/response.js";
import type { Simulator } from "./load/simulator.js";

/** Readings after `fromMs` up to `untilMs`, one every `seconds`. */
export interface Span {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly seconds: number;
}

export interface SimulatedReading {
  /** Index of the meter in the site's specification. */
  readonly meter: number;
  /** End of the interval. */
  readonly endMs: number;
  readonly kw: number;
}

/** What the meters of a site measure in a period, interval by interval. */
export function* readingsOf(
  simulate: Simulator,
  { fromMs, untilMs, seconds }: Span,
  calls: readonly Call[],
): Generator<SimulatedReading> {
  for (let endMs = fromMs + seconds * 1000; endMs <= untilMs; endMs += seconds * 1000)
    for (const [meter, kw] of simulate({ endMs, seconds }, calls).entries()) yield { meter, endMs, kw };
}
