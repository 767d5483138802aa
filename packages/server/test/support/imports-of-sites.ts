import { readFile } from "node:fs/promises";
import { operator } from "@curtail/contract";
import { wireProgram } from "@curtail/testing/wire-forms";
import { expect } from "vitest";
import { type Running, running } from "./running.js";

// The operator API: import of accounts, sites and meters.
export let service: Running;
export let example: string;

export const prepare = async () => {
  service = await running();
  example = await readFile(new URL("../../../../examples/import.csv", import.meta.url), "utf8");
  await service.made(operator.createProgram, {
    body: wireProgram({ name: "Peak hours", timezone: "America/Chicago", market: "ERCOT" }),
  });
};

export const send = (csv: string, dry_run = false) =>
  service.operator(operator.importSites, { body: { csv, dry_run } });
export const imported = async (csv: string, dryRun = false) => {
  const { status, body } = await send(csv, dryRun);
  expect(status).toBe(200);
  return body;
};
export const none = { accounts: 0, sites: 0, meters: 0, enrolments: 0 };
export const header = "account,site,customer_location_id,dispatch_group,timezone,meter,asset_type";
export const lines = (count: number, meter: string): string =>
  `${header}\n${Array.from({ length: count }, (_, at) => `Many,S${at},,,,${meter},load`).join("\n")}`;
export const file = (...rows: readonly string[]): string => [header, ...rows].join("\n");
