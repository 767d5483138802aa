import type { Dispatch } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { countdown, period } from "../format/time.js";
import { knownSum } from "./known-sum.js";

export type DispatchState = "in_progress" | "upcoming" | "over" | "cancelled";
type Times = Pick<Dispatch, "authorized" | "start_time" | "end_time">;

/** State of a dispatch at a moment. */
export const stateOf = ({ authorized, start_time, end_time }: Times, now: Date): DispatchState => {
  if (!authorized) return "cancelled";
  if (Date.parse(start_time) > now.getTime()) return "upcoming";
  return end_time !== null && Date.parse(end_time) <= now.getTime() ? "over" : "in_progress";
};

/** `starts in 0:04:59`, `ends in 1:10:00`; null for an open end or a dispatch that is over. */
export const awaited = (dispatch: Times, now: Date): string | null => {
  switch (stateOf(dispatch, now)) {
    case "upcoming":
      return say("starts in {time}", { time: countdown(dispatch.start_time, now) });
    case "in_progress":
      return dispatch.end_time === null
        ? say("no end set yet")
        : say("ends in {time}", { time: countdown(dispatch.end_time, now) });
    case "over":
    case "cancelled":
      return null;
  }
};

/** Period in the time zone of the program. */
export const periodOf = ({ start_time, end_time }: Omit<Times, "authorized">, timeZone: string): string =>
  period(start_time, end_time, timeZone);

/** Sum of the sites' commitments; null if there are none. */
export const committedKw = ({ sites }: { readonly sites: readonly { readonly commitment: number | null }[] }) =>
  knownSum(sites.map(({ commitment }) => commitment));

/** What operators added to a dispatch, for its pages. */
export const detailFacts = ({ metadata }: Pick<Dispatch, "metadata">): ReadonlyArray<readonly [string, string]> =>
  Object.entries(metadata);
