import type { Dispatch } from "@curtail/contract";
import { count } from "../format/quantity.js";
import { stateOf } from "./dispatch-state.js";

type Times = Pick<Dispatch, "authorized" | "start_time" | "end_time">;

/** Between the name of the program and the numbers. */
export type HeadlineVerb =
  | "was not issued yet"
  | "was cancelled"
  | "was to deliver"
  | "will deliver"
  | "had to deliver"
  | "has to deliver"
  | "delivers"
  | "delivered";

/** What a dispatch delivers, or what is to be said in its place. */
export interface Headline {
  readonly verb: HeadlineVerb;
  /** null: nothing is measured, or is to be delivered. */
  readonly delivered: { readonly kw: number; readonly share: number | null } | null;
  readonly committedKw: number | null;
  /** What it lacks; 0 on its commitment, null if that is not known, or not judged. */
  readonly shortKw: number | null;
  /** Whether what it delivers is the mean of the whole dispatch. */
  readonly isMean: boolean;
}

interface Measured {
  /** null: unknown. */
  readonly deliveredKw: number | null;
  readonly committedKw: number | null;
}

const nothing = { delivered: null, shortKw: null } as const;

/** Of a moment before somebody issued it. */
export const NOT_ISSUED: Headline = { verb: "was not issued yet", ...nothing, committedKw: null, isMean: false };

/** The sentence that the page of a dispatch begins with. `isReplay`: in the past tense. */
export const dispatchHeadline = (
  dispatch: Times,
  { deliveredKw, committedKw }: Measured,
  { now, isReplay }: { readonly now: Date; readonly isReplay: boolean },
): Headline => {
  const state = stateOf(dispatch, now);
  const words = { committedKw, isMean: false };
  if (state === "cancelled") return { ...words, ...nothing, verb: "was cancelled", committedKw: null };
  if (state === "upcoming") return { ...words, ...nothing, verb: isReplay ? "was to deliver" : "will deliver" };
  const isOver = state === "over";
  if (deliveredKw === null)
    return { ...words, ...nothing, verb: isOver || isReplay ? "had to deliver" : "has to deliver" };
  const share = committedKw === null || committedKw === 0 ? null : deliveredKw / committedKw;
  const shortKw = committedKw === null ? null : Math.max(0, Math.round(committedKw - deliveredKw));
  return {
    verb: isOver || isReplay ? "delivered" : "delivers",
    delivered: { kw: deliveredKw, share },
    committedKw,
    shortKw,
    isMean: isOver && !isReplay,
  };
};

/** Rounded: 5,330. */
export const wholeKw = (kw: number): string => count(Math.round(kw));
