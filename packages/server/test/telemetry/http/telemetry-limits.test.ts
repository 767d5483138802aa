import { beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../../support/expect-error.js";
import { firstOf, kwReading, pointsOf, read, series, upload } from "../../support/metering.js";
import { type Participant, type Running, running } from "../../support/running.js";

let service: Running;

beforeAll(async () => {
  service = await running({ CURTAIL_MAX_READINGS: "2000", CURTAIL_RATE_LIMIT: "100000" });
});

// Specification, "Limits"; G10, G25.
describe("reads and uploads", () => {
  let anna: Participant;
  let siteId: string;
  let one: string;
  let two: string;

  const START = "2026-03-01T00:00:00Z";
  const after = (hours: number, seconds = 0): string =>
    new Date(Date.parse(START) + hours * 3_600_000 + seconds * 1000).toISOString();

  beforeAll(async () => {
    service.clock.set(new Date("2026-07-01T00:00:00Z"));
    anna = await service.newParticipant({ sites: [["one", "two"]] });
    siteId = firstOf(anna).siteId;
    [one = "", two = ""] = anna.sites[0]?.meters ?? [];
    // Exactly 10,000 cells of the first meter: 83 h 20 min. The second meter has the same cells of the first 40 hours.
    await upload(anna, series(one, after(0, 300), 1000));
    await upload(anna, series(two, after(0, 300), 480));
  });

  describe("the 10,000 points of a site", () => {
    const window = { start_time: START, end_time: after(2000) };

    test("are counted as distinct timestamps over its meters together", async () => {
      const answer = await read(anna, [siteId], window);
      expect(pointsOf(answer, one)).toHaveLength(10_000);
      expect(pointsOf(answer, two)).toHaveLength(4800);
    });

    test("count the received points, not the window", async () => {
      expect(
        (await read(anna, [siteId], { ...window, start_time: after(84), end_time: after(84 + 2000) })).status,
      ).toBe(200);
    });

    test("exceeded by one are refused with the limit and how to split", async () => {
      await upload(anna, [kwReading(two, after(1000), 1)]);
      const refused = await read(anna, [siteId], window);
      expectError(refused, 400, new RegExp(`site ${siteId} has more than 10000 points.*split.*83 hours`));
      expect((await read(anna, [siteId], { ...window, end_time: after(999) })).status).toBe(200);
    });

    test("are those of the interval asked, and each site's own", async () => {
      expect((await read(anna, [siteId], { ...window, interval_seconds: 60 })).status).toBe(200);
      const ben = await service.newParticipant({ sites: [["a"], ["b"]] });
      for (const site of ben.sites) await upload(ben, series(site.meters[0] ?? "", after(0, 300), 600));
      const answer = await read(
        ben,
        ben.sites.map((site) => site.id),
        window,
      );
      expect(ben.sites.map((site) => pointsOf(answer, site.meters[0] ?? "").length)).toEqual([6000, 6000]);
    });
  });

  describe("the window", () => {
    test("spans at most 90 days", async () => {
      const asked = { start_time: after(3000), end_time: after(3000 + 90 * 24) };
      expect((await read(anna, [siteId], asked)).status).toBe(200);
      expectError(
        await read(anna, [siteId], { ...asked, end_time: after(3000 + 90 * 24, 1) }),
        400,
        /more than 90 days; split/,
      );
    });

    test("ends after it starts", async () => {
      expectError(
        await read(anna, [siteId], { start_time: START, end_time: START }),
        400,
        /end_time must be after start_time/,
      );
    });
  });

  describe("the sites of a request", () => {
    // Those of 50 are read: telemetry-limits.long.test.ts.
    test("are at most 50, each counted once", async () => {
      const ids = Array.from({ length: 51 }, (_, index) => `site_${index}`);
      expectError(await read(anna, ids, { start_time: START }), 400, /names 51 sites; the maximum is 50 .*Split/);
      expectError(await read(anna, [...ids.slice(1), ...ids.slice(1)], { start_time: START }), 404, /No such site/);
    });

    test("are the caller's: a foreign one is not found, like one that is not there (G4)", async () => {
      const ben = await service.newParticipant();
      const mine = firstOf(ben).siteId;
      const foreign = await read(ben, [mine, siteId], { start_time: START });
      expectError(foreign, 404, /No such site/);
      expect(foreign.text).toBe((await read(ben, [mine, "site_0000000000000000"], { start_time: START })).text);
    });
  });

  describe("an upload", () => {
    test("holds at most as many readings as the setting says (G10)", async () => {
      const readings = series(one, after(0, 300), 2001);
      expect((await upload(anna, readings.slice(0, 2000))).body).toEqual({ received: 2000 });
      expectError(await upload(anna, readings), 400, /has more than 2000 readings.*split/);
    });
  });
});

const label = (cell: number): string =>
  new Date(Date.UTC(2026, 6, 1, 0, 0, 30 * (cell + 1))).toISOString().replace(".000", "");

// G22, G27: an upload answered with 200 is stored, however many arrive at once.
describe("uploads at the same time", () => {
  let anna: Participant;

  beforeAll(async () => {
    service.clock.set(new Date("2026-07-02T00:00:00Z"));
    anna = await service.newParticipant({ sites: [["main"], ["main"], ["main"]] });
  });

  const DAY = { start_time: "2026-07-01T00:00:00Z", end_time: "2026-07-02T00:00:00Z" };

  test("of the same meter lose no reading", async () => {
    const { siteId, meterId } = firstOf(anna);
    // Neighbouring cells go to different uploads, so that all of them write the same hours.
    const uploads = Array.from({ length: 240 }, (_, first) =>
      Array.from({ length: 12 }, (_, index) => kwReading(meterId, label(first + index * 240), first + index * 240)),
    );
    const answers = await Promise.all(uploads.map((readings) => upload(anna, readings)));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    const expected = Array.from({ length: 2880 }, (_, cell) => [label(cell), cell]);
    expect(pointsOf(await read(anna, [siteId], DAY), meterId)).toEqual(expected);
  });
});
