import { expect, test } from "vitest";
import { readTelemetry } from "../src/read-telemetry.js";
import { telemetryRequests } from "../src/telemetry-requests.js";

const DAY_SECONDS = 86_400;
const requests = (start: string, end: string, intervalSeconds = 30, sites = 1) => [
  ...telemetryRequests({
    siteIds: Array.from({ length: sites }, (_, index) => `site_${index}`),
    startMs: Date.parse(start),
    endMs: Date.parse(end),
    intervalSeconds,
  }),
];
const secondsOf = ({ start_time, end_time }: { start_time: string; end_time: string }) =>
  (Date.parse(end_time) - Date.parse(start_time)) / 1000;

test("a period that fits is one request", () => {
  expect(requests("2026-07-01T00:00:00Z", "2026-07-02T00:00:00Z")).toEqual([
    { site_id: ["site_0"], start_time: "2026-07-01T00:00:00.000Z", end_time: "2026-07-02T00:00:00.000Z" },
  ]);
});

test("10,000 intervals are one request, one more makes two that touch", () => {
  expect(requests("2026-07-01T00:00:00Z", "2026-07-04T11:20:00Z")).toHaveLength(1);
  const [first, second] = requests("2026-07-01T00:00:00Z", "2026-07-04T11:20:30Z");
  expect(first?.end_time).toBe(second?.start_time);
  expect([first, second].map((each) => each && secondsOf(each))).toEqual([300_000, 30]);
});

test("no request is longer than 90 days", () => {
  const year = requests("2025-07-01T00:00:00Z", "2026-07-01T00:00:00Z", 21_600);
  expect(year.map(secondsOf)).toEqual([90, 90, 90, 90, 5].map((days) => days * DAY_SECONDS));
});

test("cuts lie on the grid, whenever the period starts", () => {
  const cut = requests("2026-07-01T00:10:17Z", "2026-12-31T00:00:00Z", 900);
  for (const { end_time } of cut.slice(0, -1)) expect((Date.parse(end_time) / 1000) % 900).toBe(0);
  expect(Math.max(...cut.map(secondsOf))).toBeLessThanOrEqual(90 * DAY_SECONDS);
  expect(cut.reduce((sum, each) => sum + secondsOf(each), 0)).toBe(
    (Date.parse("2026-12-31T00:00:00Z") - Date.parse("2026-07-01T00:10:17Z")) / 1000,
  );
});

test("50 sites are one request, one more makes two for each period", () => {
  expect(requests("2026-07-01T00:00:00Z", "2026-07-02T00:00:00Z", 30, 50)).toHaveLength(1);
  expect(requests("2026-07-01T00:00:00Z", "2026-07-05T00:00:00Z", 30, 51).map(({ site_id }) => site_id.length)).toEqual(
    [50, 1, 50, 1],
  );
});

test("an empty period asks for nothing", () => {
  expect(requests("2026-07-01T00:00:00Z", "2026-07-01T00:00:00Z")).toEqual([]);
});

test("a time that is none is refused before any request", async () => {
  const read = readTelemetry(
    { readTelemetry: () => Promise.reject(new Error("asked")) },
    { siteIds: ["a"], start: "yesterday", end: new Date() },
  );
  await expect(read.next()).rejects.toThrow("start is not a time: yesterday");
});
