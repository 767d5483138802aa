import { type Dispatch, later, wireEnd, wireStart } from "./dispatch.js";

/** Where the current time is in a dispatch's course, cancelled or not. */
export type Course = "far" | "near" | "active" | "completed";

export const courseOf = (dispatch: Dispatch, now: Date): Course => {
  const start = wireStart(dispatch);
  const end = wireEnd(dispatch);
  if (end !== null && now >= end) return "completed";
  if (now >= start) return "active";
  return now >= later(start, -dispatch.rampUpSeconds) ? "near" : "far";
};

export const statusOf = (dispatch: Dispatch, now: Date): Course | "cancelled" =>
  dispatch.cancelledAt === null ? courseOf(dispatch, now) : "cancelled";
