import { operator, participantConsole } from "@curtail/contract";
import { beforeAll, expect, test } from "vitest";
import { enableDisplay } from "../../support/display.js";
import { expectError } from "../../support/expect-error.js";
import { intervalsBetween, uploadIntervals } from "../../support/measuring.js";
import { type Browser, newBrowser } from "../../support/people.js";
import { type Participant, type Running, running } from "../../support/running.js";

let service: Running;
let anna: Participant;
let viewer: Browser;

beforeAll(async () => {
  service = await running();
  service.clock.set(new Date("2026-10-26T12:00:00Z"));
  anna = await service.newParticipant({ sites: [["main"], ["grid", "battery"]] });
  await enableDisplay(service, anna);
  viewer = await newBrowser(service, "participant-viewer", anna.accountId);
});

const siteId = (site: number): string => anna.sites[site]?.id ?? "";
const meterId = (site: number, meter = 0): string => anna.sites[site]?.meters[meter] ?? "";
const reads = (meter: string, between: readonly [string, string], kw: number) =>
  uploadIntervals(
    anna,
    meter,
    intervalsBetween(between, 300, () => kw),
  );
const bars = async (query: Record<string, string>) => {
  const answer = await viewer.console(participantConsole.getEnergyBars, { query: { by: "day", ...query } as never });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};
const berlin = { timezone: "Europe/Berlin" };

test("a day on which the clocks go back has 25 hours, and hours without readings are gaps", async () => {
  await reads(meterId(0), ["2026-10-24T22:00:00Z", "2026-10-25T10:00:00Z"], 12);
  const day = { from: "2026-10-25", to: "2026-10-25", by: "hour", site_id: siteId(0), ...berlin };
  const hours = await bars(day);
  expect(hours.bars).toHaveLength(25);
  expect(hours.start_time).toBe("2026-10-24T22:00:00Z");
  expect(hours.end_time).toBe("2026-10-25T23:00:00Z");
  expect(hours.bars[2]).toEqual({
    start_time: "2026-10-25T00:00:00Z",
    end_time: "2026-10-25T01:00:00Z",
    energy_kwh: 12,
    coverage: 1,
    sites: 1,
  });
  expect(hours.bars.at(-1)).toMatchObject({ energy_kwh: null, coverage: 0, sites: 0 });
  const days = await bars({ ...day, by: "day" });
  expect(days.bars).toMatchObject([{ energy_kwh: 144, coverage: 12 / 25 }]);
});

test("all sites are summed up, each by its point of interconnection if it has one", async () => {
  const asset = (meter: number, asset_type: "poi" | "battery") =>
    service.made(operator.changeMeter, { params: { id: meterId(1, meter) }, body: { asset_type } });
  await asset(0, "poi");
  await asset(1, "battery");
  await reads(meterId(1, 0), ["2026-10-25T00:00:00Z", "2026-10-25T01:00:00Z"], -30);
  await reads(meterId(1, 1), ["2026-10-25T00:00:00Z", "2026-10-25T01:00:00Z"], -40);
  await reads(meterId(0), ["2026-10-25T00:00:00Z", "2026-10-25T01:00:00Z"], 12);
  const day = await bars({ from: "2026-10-25", to: "2026-10-25", by: "hour", timezone: "UTC" });
  expect(day.bars[0]).toMatchObject({ energy_kwh: -18, sites: 2, coverage: 1 });
  expect(day.bars[1]).toMatchObject({ energy_kwh: 12, sites: 1, coverage: 0.5 });
  expect(day).toMatchObject({ exported_kwh: 30, hidden_sites: 0 });
  const months = await bars({ from: "2026-09-01", to: "2026-10-31", by: "month", timezone: "UTC" });
  expect(months.bars.map(({ start_time, sites }) => [start_time, sites])).toEqual([
    ["2026-09-01T00:00:00Z", 0],
    ["2026-10-01T00:00:00Z", 2],
  ]);
});

test("a site whose data is not visible is in no sum, and is refused alone", async () => {
  await service.made(operator.changeSite, { params: { id: siteId(1) }, body: { display_enabled: false } });
  const day = { from: "2026-10-25", to: "2026-10-25" };
  expect(await bars({ ...day, timezone: "UTC" })).toMatchObject({ hidden_sites: 1, sites: [{ site_id: siteId(0) }] });
  const query = (more: object) => ({ query: { by: "day", ...day, ...more } as never });
  expectError(
    await viewer.console(participantConsole.getEnergyBars, query({ site_id: siteId(1) })),
    404,
    /not visible/,
  );
  await service.made(operator.changeSite, { params: { id: siteId(1) }, body: { display_enabled: true } });
});

const refused = async (query: Record<string, string>, reason: RegExp) =>
  expectError(await viewer.console(participantConsole.getEnergyBars, { query: query as never }), 400, reason);

test("days that do not exist, other zones and periods that are too long are refused", async () => {
  await refused({ by: "day", from: "2026-02-30", to: "2026-03-01" }, /from is "2026-02-30"/);
  await refused({ by: "day", from: "2026-03-02", to: "2026-03-01" }, /to is before from/);
  await refused({ by: "day", from: "2025-01-01", to: "2026-03-01" }, /at most 400/);
  await refused({ by: "hour", from: "2026-01-01", to: "2026-03-01" }, /by hour/);
  await refused({ by: "day", from: "2026-01-01", to: "2026-01-01", timezone: "Mars/Base" }, /timezone is "Mars\/Base"/);
});
