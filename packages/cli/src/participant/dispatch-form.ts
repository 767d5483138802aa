import type { Dispatch } from "@curtail/client";

export type DispatchState = "upcoming" | "in_progress" | "over" | "cancelled";

/** The specification: in progress from `start_time` until `end_time` has passed. */
export const stateOf = ({ authorized, start_time, end_time }: Dispatch, nowMs: number): DispatchState => {
  if (!authorized) return "cancelled";
  if (nowMs < Date.parse(start_time)) return "upcoming";
  return end_time !== null && Date.parse(end_time) < nowMs ? "over" : "in_progress";
};

/** Sum of the commitments in kW; null if a site has none and curtails as much as it can. */
export const commitmentOf = ({ sites }: Pick<Dispatch, "sites">): number | null =>
  sites.reduce<number | null>(
    (sum, { commitment }) => (sum === null || commitment === null ? null : sum + commitment),
    0,
  );

export const DISPATCH_COLUMNS = ["id", "state", "start", "end", "program", "sites", "commitment"] as const;

/** A row for people: times of their own zone. */
export const dispatchRow = (
  dispatch: Dispatch,
  nowMs: number,
): Readonly<Record<(typeof DISPATCH_COLUMNS)[number], string>> => {
  const commitment = commitmentOf(dispatch);
  return {
    id: dispatch.id,
    state: stateOf(dispatch, nowMs).replace("_", " ") + (dispatch.test ? " (test)" : ""),
    start: localTime(dispatch.start_time),
    end: dispatch.end_time === null ? "open" : localTime(dispatch.end_time),
    program: dispatch.program.name,
    sites: String(dispatch.sites.length),
    commitment: commitment === null ? "all it can" : `${commitment} kW`,
  };
};

/** Date, time and offset of this machine's time zone: `2026-07-01 13:00:00 -05:00`. */
export const localTime = (timestamp: string): string => {
  const at = new Date(timestamp);
  const offset = -at.getTimezoneOffset();
  const shifted = new Date(at.getTime() + offset * 60_000).toISOString();
  return `${shifted.slice(0, 10)} ${shifted.slice(11, 19)} ${offsetText(offset)}`;
};

const offsetText = (minutes: number): string => {
  const size = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
};

const two = (number: number): string => String(number).padStart(2, "0");
