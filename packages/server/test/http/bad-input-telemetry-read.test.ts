import { beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../support/expect-error.js";
import { pointsIn } from "../support/reading.js";
import { type Participant, type Running, running } from "../support/running.js";

const NOON = Date.parse("2026-07-01T12:00:00Z");

let service: Running;
let anna: Participant;
let siteId: string;
let meterId: string;

beforeAll(async () => {
  service = await running();
  service.clock.set(new Date("2026-07-20T00:00:00Z"));
  anna = await service.newParticipant({ sites: [["main"], ["main"]] });
  siteId = anna.sites[0]?.id ?? "";
  meterId = anna.sites[0]?.meters[0] ?? "";
});

const at = (seconds: number): string => new Date(NOON + seconds * 1000).toISOString().replace(".000", "");
const inQuery = (members: Record<string, string | number>): string =>
  Object.entries(members)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join("&");
const read = (query: Record<string, string | number> | string) =>
  anna.call("GET", `/telemetry/kw?${typeof query === "string" ? query : inQuery(query)}`);
const upload = async (...ends: number[]): Promise<void> => {
  const telemetry = ends.map((seconds) => ({
    interval_seconds: 30,
    meter_id: meterId,
    timestamp: at(seconds),
    kW: seconds,
  }));
  expect((await anna.call("POST", "/telemetry", { telemetry })).status).toBe(200);
};
const good = () => ({ site_id: siteId, start_time: at(0), end_time: at(3600) });

describe("GET /telemetry/kw", () => {
  test("K3: refuses to read without a site", async () => {
    const { site_id: _, ...rest } = good();
    expectError(await read(rest), 400, /^site_id/);
    expectError(await read({ ...rest, "site_id[]": siteId }), 400, /^site_id/);
  });

  test("K1: does not know an empty, odd or unknown site", async () => {
    for (const site_id of ["", " ", "site_0000000000000000", `${siteId},${siteId}`, meterId, "\0", "x".repeat(5000)])
      expectError(await read({ ...good(), site_id }), 404);
  });

  test("K5: takes 90 days exactly, and refuses one second more", async () => {
    const days = 90 * 86_400;
    expect((await read({ ...good(), end_time: at(days) })).status).toBe(200);
    expectError(await read({ ...good(), end_time: at(days + 1) }), 400, /90 days.*split/);
  });

  test("K7: refuses an end that is not after the start", async () => {
    expectError(await read({ ...good(), end_time: at(0) }), 400, /end_time/);
    expectError(await read({ ...good(), end_time: at(-1) }), 400, /end_time/);
  });

  test("K7: refuses times that are none, or sent twice", async () => {
    for (const text of [
      "",
      "now",
      "infinity",
      "2026-07-01",
      "2026-07-01T12:00:00",
      "2022-02-30T00:00:00Z",
      "1782907200",
    ]) {
      expectError(await read({ ...good(), start_time: text }), 400, /^start_time/);
      expectError(await read({ ...good(), end_time: text }), 400, /^end_time/);
    }
    const twice = `site_id=${siteId}&start_time=${at(0)}&start_time=${at(30)}`;
    expectError(await read(twice), 400, /^start_time/);
    expectError(await read({ site_id: siteId }), 400, /^start_time/);
  });

  test("G24: refuses an interval that is not offered", async () => {
    for (const interval_seconds of ["0", "31", "45", "-30", "1e3", "30.0", "", "x", "999999999999", "86400"])
      expectError(await read({ ...good(), interval_seconds }), 400, /^interval_seconds/);
    expectError(await read(`${inQuery({ ...good(), interval_seconds: 30 })}&interval_seconds=60`), 400);
  });

  test("G25: refuses more than 50 sites", async () => {
    const ids = Array.from({ length: 51 }, (_, index) => `site_id=site_${String(index).padStart(16, "0")}`);
    expectError(await read(`${ids.join("&")}&start_time=${at(0)}`), 400, /51.*50/);
  });

  test("K8: leaves out a reading at start_time and holds one at end_time", async () => {
    await upload(0, 30, 60);
    const points = pointsIn(await read({ ...good(), end_time: at(60) }), meterId);
    expect(points).toEqual([
      [at(30), 30],
      [at(60), 60],
    ]);
    const stepped = pointsIn(await read({ ...good(), start_time: at(-1), end_time: at(59) }), meterId);
    expect(stepped.map(([, kw]) => kw)).toEqual([0, 30]);
  });

  test("K16: answers exactly four members, units kw, times in UTC", async () => {
    await upload(0);
    const times = "start_time=2026-07-01T13:59:59%2B02:00&end_time=2026-07-01T14:00:00+02:00";
    const { body } = await read(`site_id=${siteId}&${times}`);
    const telemetry = [{ interval_seconds: 30, timestamp: "2026-07-01T12:00:00Z", value: 0, units: "kw" }];
    expect(body).toEqual({ data: { sites: [{ site_id: siteId, meters: [{ meter_id: meterId, telemetry }] }] } });
  });

  test("K6: gives 10,000 points of a site and refuses one more, never cutting silently", async () => {
    const meter_id = anna.sites[1]?.meters[0];
    const five = (index: number) => ({ interval_seconds: 300, meter_id, timestamp: at((index + 1) * 300), kW: 1 });
    const telemetry = Array.from({ length: 1000 }, (_, index) => five(index));
    expect((await anna.call("POST", "/telemetry", { telemetry })).status).toBe(200);
    const window = { site_id: anna.sites[1]?.id ?? "", start_time: at(0), end_time: at(84 * 3600) };
    expect(pointsIn(await read(window), meter_id ?? "")).toHaveLength(10_000);
    const more = [{ interval_seconds: 30, meter_id, timestamp: at(300_030), kW: 1 }];
    expect((await anna.call("POST", "/telemetry", { telemetry: more })).status).toBe(200);
    expectError(await read(window), 400, /10000 points.*split/);
    expect(pointsIn(await read({ ...window, interval_seconds: 60 }), meter_id ?? "")).toHaveLength(5001);
  });
});
