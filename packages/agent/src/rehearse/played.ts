import type { Cause, Phase } from "../control/site-control.js";
import type { Day } from "./day.js";

/** What the day led to, in the order of time. */
export type Entry =
  | { readonly kind: "event" | "note"; readonly atMs: number; readonly text: string }
  | SiteEntry
  | WriteEntry;

/** A site has another phase, cause or demand than before. */
export interface SiteEntry {
  readonly kind: "site";
  readonly atMs: number;
  readonly site: string;
  readonly phase: Phase;
  readonly cause: Cause;
  readonly dispatches: readonly string[];
  /** kW; null: as much as possible, or nothing is asked. */
  readonly commitmentKw: number | null;
}

/** An output gets another value than before; steps of a ramp are one entry. */
export interface WriteEntry {
  readonly kind: "write";
  readonly atMs: number;
  /** Of the last step. */
  readonly untilMs: number;
  readonly steps: number;
  readonly site: string;
  readonly output: string;
  /** Before `scale`. */
  readonly from: number | "released" | null;
  readonly value: number | "released";
  /** The device and the point. */
  readonly place: string;
  /** What the point is sent. */
  readonly sent: string;
  /** Why it is not written; null: it is. */
  readonly fault: string | null;
}

/** Readings of a meter over the day. */
export interface PlayedMeter {
  readonly site: string;
  readonly meter: string;
  /** Load that its source shows all day. */
  readonly kw: number;
  readonly intervalMs: number;
  readonly sent: number;
  /** Kept on disk without contact, and sent after it. */
  readonly kept: number;
  /** Intervals without a reading, by why. */
  readonly missing: Readonly<Record<string, number>>;
}

/** What was asked of a site, as the service has it at the end of the day. */
export interface AskedDispatch {
  readonly id: string;
  readonly startMs: number;
  /** When it ended or was cancelled. */
  readonly endMs: number;
}

export interface Played {
  readonly day: Day;
  readonly entries: readonly Entry[];
  readonly meters: readonly PlayedMeter[];
  readonly asked: readonly AskedDispatch[];
}
