import type { DispatchToMeasure, SiteToMeasure } from "../../src/performance/operations/measurement-ports.js";

/** A site of one meter, as measuring reads it. */
export const siteToMeasure = (index: number, facts: Partial<SiteToMeasure> = {}): SiteToMeasure => ({
  id: `sit_${String(index).padStart(4, "0")}`,
  accountId: "acc_1",
  name: `Store ${index}`,
  commitmentKw: 100,
  baseline: null,
  meters: [{ site: index, meter: index, id: `mtr_${index}`, name: "main" }],
  otherMeters: [],
  enrolledMs: null,
  decision: null,
  ...facts,
});

/** A dispatch of an hour that is notified at its start. */
export const dispatchToMeasure = (
  startMs: number,
  sites: readonly SiteToMeasure[],
  facts: Partial<DispatchToMeasure> = {},
): DispatchToMeasure => ({
  id: "dis_1",
  timezone: "UTC",
  startMs,
  endMs: startMs + 3_600_000,
  notificationMs: startMs,
  cancelledMs: null,
  isVoid: false,
  modificationNumber: 0,
  rulesVersion: 2,
  isSelfMade: false,
  baseline: null,
  holidays: [],
  statusLimits: null,
  sites,
  ...facts,
});
