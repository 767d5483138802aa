import { readFile } from "node:fs/promises";
import { operator } from "@curtail/contract";
import { expect } from "vitest";
import { newDisplayed } from "./display.js";
import { firstOf } from "./metering.js";
import { type Participant, type Running, running } from "./running.js";

// Import of meter data from Green Button, NEM12 and CSV.
export let service: Running;

export const prepare = async () => {
  service = await running({ CURTAIL_KEEP_TELEMETRY: "400" });
  service.clock.set(new Date("2026-06-10T12:00:00Z"));
};

export const example = (name: string): Promise<string> =>
  readFile(new URL(`../../../../examples/meter-data/${name}`, import.meta.url), "utf8");

export const newSite = (meters: readonly string[] = ["main"]): Promise<Participant> =>
  newDisplayed(service, { sites: [meters] });

type Query = NonNullable<Parameters<typeof service.made<typeof operator.importMeterData>>[1]>["query"];

export const send = (participant: Participant, body: string, query: Query = {}) =>
  service.operator(operator.importMeterData, { params: { id: firstOf(participant).siteId }, query, body });

export const imported = async (participant: Participant, body: string, query: Query = {}) => {
  const answer = await send(participant, body, query);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};

export const energyOf = async (participant: Participant, [start_time, end_time]: readonly [string, string]) => {
  const params = { id: firstOf(participant).siteId };
  return service.made(operator.getAnySiteEnergy, { params, query: { start_time, end_time, points: 5000 } });
};

export const csv = (...rows: readonly string[]): string => ["timestamp,kw", ...rows, ""].join("\n");
export const DAY = ["2026-06-01T00:00:00Z", "2026-06-02T00:00:00Z"] as const;
const quarters = Array.from({ length: 96 }, (_, at) => new Date(Date.parse(DAY[0]) + (at + 1) * 900_000));

/** A site with other readings for each meter and quarter of an hour, and its file. */
export const downloaded = async (names: readonly string[]) => {
  const site = await newSite(names);
  const ids = site.sites[0]?.meters ?? [];
  const rows = quarters.map((time, at) => [time.toISOString(), ...ids.map((_, meter) => (at * 7 + meter * 31) % 50)]);
  await imported(site, [["timestamp", ...ids.map((id) => `${id} kw`)], ...rows].join("\n"));
  const path = `/sites/${firstOf(site).siteId}/energy/download?start_time=${DAY[0]}&end_time=${DAY[1]}`;
  return { site, ids, file: (await service.operator("GET", path)).text };
};

export const messages = async (participant: Participant, body: string, query: Query = {}) =>
  (await imported(participant, body, { ...query, dry_run: true })).faults.map(({ message }) => message);
export const TWO_SERIES = "timestamp,main kw,other kw\n2026-06-01T00:05:00Z,1,2\n2026-06-01T00:10:00Z,1,2\n";
export const UTILITY_TABLE = [
  "Zeit;Verbrauch (kWh)",
  ...["00:00", "00:15", "00:30"].map((time, at) => `06.05.2026 ${time};${at},5`),
].join("\n");
