import { parse } from "csv-parse/sync";
import { expect } from "vitest";
import { newDisplayed } from "./display.js";
import { intervalsBetween, uploadIntervals } from "./measuring.js";
import { firstOf } from "./metering.js";
import { OPERATOR_TOKEN, type Participant, type Running, running } from "./running.js";

export let service: Running;
export let anna: Participant;

export const MINUS = '-solar, "roof"';

export const prepare = async () => {
  service = await running();
  service.clock.set(new Date("2026-06-10T12:00:00Z"));
  anna = await newDisplayed(service, { name: "Zoë's Mühle", sites: [["main", MINUS]] });
  const meters = anna.sites[0]?.meters ?? [];
  await upload(meters[0], ["2026-06-10T10:00:00Z", "2026-06-10T10:10:00Z"], () => 0.1);
  await upload(meters[1], ["2026-06-10T10:00:00Z", "2026-06-10T10:05:00Z"], () => -12.5);
  await upload(meters[1], ["2026-06-10T10:05:00Z", "2026-06-10T10:06:00Z"], () => 3);
};

const upload = (meter: string | undefined, between: readonly [string, string], kwAt: (endMs: number) => number) =>
  uploadIntervals(anna, meter ?? "", intervalsBetween(between, 30, kwAt));

export const authorization = `Bearer ${OPERATOR_TOKEN}`;
export const pathOf = (siteId: string, query: string) => `/operator/v1/sites/${siteId}/energy/download?${query}`;

export const download = async (query: string, siteId = firstOf(anna).siteId): Promise<Response> => {
  const response = await fetch(service.url + pathOf(siteId, query), { headers: { authorization } });
  expect(response.status).toBe(200);
  return response;
};

export const rowsOf = (csv: string): Array<Record<string, string>> => parse(csv, { columns: true });
