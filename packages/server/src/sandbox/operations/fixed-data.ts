import { CELLS_PER_HOUR, cellEndMs, firstCellOfHour, type HourRow } from "@curtail/measure";
import type { Dispatch, DispatchProgram, DispatchSite } from "../../dispatch/domain/dispatch.js";
import { AS_ISSUED } from "../../dispatch/domain/dispatch.js";
import type { NewTest } from "../../dispatch/operations/create-dispatch.js";
import type { Webhook } from "../../notification/domain/delivery.js";
import type { Clock } from "../../platform/clock.js";
import { quote } from "../../platform/quote.js";
import { invalid, type Result } from "../../platform/refusal.js";
import { wholeSecond } from "../../platform/timestamp.js";
import type { Site } from "../../portfolio/domain/site.js";
import type { TelemetryReader } from "../../telemetry/operations/read-telemetry.js";
import type { ScenarioRequest } from "../domain/scenario.js";
import { meterKeyOf } from "./site-directory.js";

/** Whether an id is of what everybody sees in the sandbox at any time; ids that are made have no second underscore. */
export const isFixedId = (id: string): boolean => /^[a-z]+_sandbox(?:_|$)/.test(id);

const MINUTE_MS = 60_000;
const LEAD_MS = 5 * MINUTE_MS; // G35
const LENGTH_MS = 60 * MINUTE_MS; // G35
const since = new Date("2022-04-15T00:00:00Z");
const commitmentKw = [120, 45];

/** The two sites that everybody sees in the sandbox (G35). */
export const fixedSites: readonly Site[] = [
  {
    id: "site_sandbox_lakeside",
    accountId: "",
    name: "Lakeside Store",
    customerLocationId: "STORE-0012",
    dispatchGroup: "north",
    timezone: "America/Chicago",
    latitude: null,
    longitude: null,
    createdAt: since,
    displayedSince: since,
    measuredMeters: null,
    isSimulated: false,
    meters: [{ id: "mtr_sandbox_lakeside", name: "main", assetType: "load", kwhMeans: "energy" }],
  },
  {
    id: "site_sandbox_harbour",
    accountId: "",
    name: "Harbour Warehouse",
    customerLocationId: "WH-0003",
    dispatchGroup: "",
    timezone: "America/Chicago",
    latitude: null,
    longitude: null,
    createdAt: since,
    displayedSince: since,
    measuredMeters: null,
    isSimulated: false,
    meters: [{ id: "mtr_sandbox_harbour", name: "main", assetType: "load", kwhMeans: "energy" }],
  },
];

export const dispatchedFixedSites: readonly DispatchSite[] = fixedSites.map(
  ({ id, accountId, name, customerLocationId, dispatchGroup }, index) => ({
    id,
    accountId,
    name,
    customerLocationId,
    dispatchGroup,
    commitmentKw: commitmentKw[index] ?? null,
  }),
);

const program: DispatchProgram = {
  id: "prg_sandbox_peak",
  name: "Sandbox Peak Relief",
  timezone: "America/Chicago",
  market: "ERCOT",
  programType: "capacity",
};

/** A participant's own test: a basic scenario of the fixed sites (G39), which are in the fixed program only (G59). */
export const testScenario = ({ start, end, programId }: NewTest): Result<ScenarioRequest> => {
  if (programId !== null && programId !== program.id) {
    return invalid(`program_id is ${quote(programId)}; in the sandbox, give ${program.id} or none`);
  }
  return { ...ownTest, start, end, ...(programId === null ? {} : { program }) };
};

const ownTest = {
  type: "basic",
  name: null,
  speed: 1,
  notification: null,
  cancel: null,
  minutesBetween: 0,
  test: true,
  program: { name: "Test dispatch", timezone: "UTC", market: "", programType: "not_specified" },
  sites: dispatchedFixedSites,
} as const;

/** Further ahead, it would no longer start in a short time: it begins again at now. */
const MOST_AHEAD_MS = 6 * 3_600_000;

/**
 * A dispatch that is always the same and always ahead: every call finds it later than the previous call did (G35), by
 * at least a second, since times are in whole seconds (G58).
 */
export const movingDispatch = (clock: Clock): (() => Dispatch) => {
  let lastMs = 0;
  return () => {
    const at = wholeSecond(clock.now());
    const nextMs = Math.max(at.getTime(), lastMs + 1000);
    lastMs = nextMs - at.getTime() > MOST_AHEAD_MS ? at.getTime() : nextMs;
    return {
      id: "dis_sandbox",
      program,
      ...AS_ISSUED,
      test: false,
      start: new Date(lastMs + LEAD_MS),
      end: new Date(lastMs + LEAD_MS + LENGTH_MS),
      notification: at,
      createdAt: at,
      changedAt: at,
      sites: dispatchedFixedSites,
    };
  };
};

/** The one webhook of the public key (G35). */
export const fixedWebhook: Webhook = {
  id: "wh_sandbox",
  accountId: "",
  url: "https://example.com/curtail/hook",
  events: ["dispatch.create", "dispatch.update"],
  secret: "",
  previousSecret: null,
  createdAt: since,
  interfaceVersion: "2022-04-15",
};

/** Readings of a fixed daily curve, for any past window (G35). */
export const fixedTelemetry = (clock: Clock): TelemetryReader => ({
  async metersOf(_accountId, siteIds) {
    const asked = fixedSites.flatMap((site, index) => (siteIds.includes(site.id) ? [{ site, index }] : []));
    return new Map(
      asked.map(({ site, index }) => [site.id, site.meters.map(({ id }) => ({ id, key: meterKeyOf(index) }))]),
    );
  },
  async rows(meters, from, to) {
    const nowMs = clock.now().getTime();
    // Generates nothing for the future, however far ahead the window reaches.
    const last = Math.min(to, Math.floor(nowMs / 3_600_000));
    const hours = Array.from({ length: Math.max(0, last - from + 1) }, (_, index) => from + index);
    return hours.flatMap((hour) =>
      meters.map((key): HourRow => ({ ...key, hour, cells: cellsOf(key.site, hour, nowMs) })),
    );
  },
});

const cellsOf = (site: number, hour: number, nowMs: number): Float64Array =>
  Float64Array.from({ length: CELLS_PER_HOUR }, (_, place) => {
    const endMs = cellEndMs(firstCellOfHour(hour) + place);
    return endMs > nowMs ? Number.NaN : loadKw(site, endMs);
  });

const DAY_MINUTES = 1440;
const loads = [
  { baseKw: 380, swingKw: 140 },
  { baseKw: 150, swingKw: 60 },
];

/** Lowest at four in the morning, highest at four in the afternoon, UTC. */
const loadKw = (site: number, atMs: number): number => {
  const { baseKw, swingKw } = loads[site] ?? { baseKw: 0, swingKw: 0 };
  const minute = Math.floor(atMs / MINUTE_MS) % DAY_MINUTES;
  const kw = baseKw - swingKw * Math.cos(((minute - 240) / DAY_MINUTES) * 2 * Math.PI);
  return Math.round(kw * 10) / 10;
};
