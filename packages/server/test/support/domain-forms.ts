import { AS_ISSUED, type Dispatch, type DispatchSite } from "../../src/dispatch/domain/dispatch.js";
import type { StandingDispatch, StandingSite } from "../../src/performance/operations/final/standing-results.js";

const HOUR_MS = 3_600_000;

export const dispatchSite = (more: Partial<DispatchSite> = {}): DispatchSite => ({
  id: "site_1",
  accountId: "acc_1",
  name: "Mill",
  customerLocationId: "",
  dispatchGroup: "",
  commitmentKw: 940,
  ...more,
});

/** In the evening of a summer's day in Chicago, notified at once two hours before. */
export const dispatchWith = (more: Partial<Dispatch> = {}): Dispatch => {
  const issued = more.createdAt ?? new Date("2026-07-14T20:00:00Z");
  return {
    ...AS_ISSUED,
    id: "dis_1",
    program: { id: "prg_1", name: "Summer Peak", timezone: "America/Chicago", market: "", programType: "capacity" },
    test: false,
    start: new Date("2026-07-14T22:00:00Z"),
    end: new Date("2026-07-14T23:30:00Z"),
    notification: issued,
    createdAt: issued,
    changedAt: issued,
    sites: [dispatchSite()],
    ...more,
  };
};

/** A dispatch as results have it: an hour long, issued at its start. */
export const standingDispatch = (more: Partial<StandingDispatch> = {}): StandingDispatch => {
  const startMs = more.startMs ?? 0;
  return {
    id: "dis_1",
    programId: "prg_1",
    programName: "Summer Peak",
    timezone: "UTC",
    isTest: false,
    isRecord: false,
    startMs,
    endMs: startMs + HOUR_MS,
    cancelledMs: null,
    isVoid: false,
    issuedMs: startMs,
    ...more,
  };
};

/** A site of a dispatch without a result. */
export const standingSite = (more: Partial<StandingSite> = {}): StandingSite => ({
  siteId: "site_1",
  accountId: "acc_1",
  name: "Mill",
  commitmentKw: 40,
  result: null,
  ...more,
});
