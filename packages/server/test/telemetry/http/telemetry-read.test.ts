import { uploadTelemetry } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { ahead } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { firstOf, kwReading, pointsOf, read, series, upload } from "../../support/metering.js";
import { pointsIn } from "../../support/reading.js";
import { type Participant, type Running, running } from "../../support/running.js";

let service: Running;

beforeAll(async () => {
  service = await running();
});

const at = (time: string): string => `2026-07-01T${time}Z`;

// Specification, endpoint 9: GET /telemetry/kw; G23, G24, G25.
describe("readings that are read", () => {
  let anna: Participant;
  let siteId: string;
  let meterId: string;

  beforeAll(async () => {
    service.clock.set(new Date("2026-07-03T00:00:00Z"));
    anna = await service.newParticipant({ sites: [["grid", "solar"], ["main"], []] });
    ({ siteId, meterId } = firstOf(anna));
    // 18:00:30 to 19:00:00 on the grid, each cell with its own number.
    const cells = Array.from({ length: 120 }, (_, index) =>
      kwReading(meterId, new Date(Date.UTC(2026, 6, 1, 18, 0, 30 * (index + 1))).toISOString(), index + 1),
    );
    await upload(anna, cells);
  });

  const points = async (start: string, end: string, interval_seconds = 30) =>
    pointsOf(await read(anna, [siteId], { start_time: at(start), end_time: at(end), interval_seconds }), meterId);

  describe("a window", () => {
    test("excludes its start and includes its end", async () => {
      expect(await points("18:00:30", "18:01:30")).toEqual([
        [at("18:01:00"), 2],
        [at("18:01:30"), 3],
      ]);
      expect(await points("18:00:29", "18:01:00")).toEqual([
        [at("18:00:30"), 1],
        [at("18:01:00"), 2],
      ]);
    });

    test("need not be aligned", async () => {
      expect(await points("18:00:30.001", "18:01:29.999")).toEqual([[at("18:01:00"), 2]]);
      expect(await points("18:00:31", "18:00:59")).toEqual([]);
    });

    test("without an end reaches 24 hours from its start", async () => {
      await upload(anna, [
        kwReading(meterId, "2026-07-02T18:00:00Z", 5),
        kwReading(meterId, "2026-07-02T18:00:30Z", 6),
      ]);
      const all = pointsOf(await read(anna, [siteId], { start_time: at("18:00:00") }), meterId);
      expect(all.at(-1)).toEqual(["2026-07-02T18:00:00Z", 5]);
      expect(all).toHaveLength(121);
    });

    test("may be in the future, where there is nothing", async () => {
      const asked = { start_time: ahead(service, { days: 1 }), end_time: ahead(service, { days: 2 }) };
      expect(pointsOf(await read(anna, [siteId], asked), meterId)).toEqual([]);
    });

    test("across hours is whole and in order", async () => {
      const ben = await service.newParticipant();
      await upload(ben, series(firstOf(ben).meterId, at("15:00:00"), 60));
      const asked = { start_time: at("15:10:00"), end_time: at("18:10:00") };
      const labels = pointsOf(await read(ben, [firstOf(ben).siteId], asked), firstOf(ben).meterId).map(
        ([label]) => label,
      );
      expect(labels).toEqual(labels.toSorted());
      expect(labels).toHaveLength(360);
    });
  });

  describe("an offset in the query", () => {
    test.each([
      ["encoded", "2026-07-01T20:00:30%2B02:00", "2026-07-01T20:01:00%2B02:00"],
      ["plain, which arrives as a space", "2026-07-01T20:00:30+02:00", "2026-07-01T20:01:00+02:00"],
      ["negative", "2026-07-01T13:30:30-04:30", "2026-07-01T13:31:00-04:30"],
      ["Z", "2026-07-01T18:00:30Z", "2026-07-01T18:01:00Z"],
    ])("is read when it is %s", async (_, start, end) => {
      const answer = await anna.call("GET", `/telemetry/kw?site_id=${siteId}&start_time=${start}&end_time=${end}`);
      expect(pointsOf(answer, meterId)).toEqual([[at("18:01:00"), 2]]);
    });
  });

  describe("a coarser interval", () => {
    test.each([
      [60, "18:01:00", 1.5],
      [300, "18:05:00", 5.5],
      [900, "18:15:00", 15.5],
      [1800, "18:30:00", 30.5],
      [3600, "19:00:00", 60.5],
    ])("of %i seconds is the mean of its cells, labelled by its end", async (seconds, label, mean) => {
      expect((await points("18:00:00", "19:00:00", seconds))[0]).toEqual([at(label), mean]);
      expect(await points("18:00:00", "19:00:00", seconds)).toHaveLength(3600 / seconds);
    });

    test("of six hours is given when half of it is there", async () => {
      const ben = await service.newParticipant();
      await upload(ben, series(firstOf(ben).meterId, "2026-06-01T00:05:00Z", 36));
      await upload(ben, series(firstOf(ben).meterId, "2026-06-01T06:05:00Z", 35));
      const asked = { start_time: "2026-06-01T00:00:00Z", end_time: "2026-06-02T00:00:00Z", interval_seconds: 21_600 };
      const labels = pointsOf(await read(ben, [firstOf(ben).siteId], asked), firstOf(ben).meterId).map(
        ([label]) => label,
      );
      expect(labels).toEqual(["2026-06-01T06:00:00Z"]);
    });

    test("is the whole interval's, even where the window cuts it", async () => {
      expect(await points("18:04:30", "18:05:00", 300)).toEqual([[at("18:05:00"), 5.5]]);
      expect(await points("18:00:00", "18:04:59", 300)).toEqual([]);
    });

    test("has its own length", async () => {
      const { body } = await read(anna, [siteId], {
        start_time: at("18:00:00"),
        end_time: at("19:00:00"),
        interval_seconds: 3600,
      });
      expect(body.data.sites[0]?.meters[0]?.telemetry).toEqual([
        { interval_seconds: 3600, timestamp: at("19:00:00"), value: 60.5, units: "kw" },
      ]);
    });
  });

  describe("the answer", () => {
    test("has exactly the four members of the specification in each reading", async () => {
      const { body } = await read(anna, [siteId], { start_time: at("18:00:00"), end_time: at("18:00:30") });
      expect(body.data.sites[0]?.meters[0]?.telemetry).toEqual([
        { interval_seconds: 30, timestamp: at("18:00:30"), value: 1, units: "kw" },
      ]);
    });

    test("has the sites in the order asked, each once, and all their meters, also without data", async () => {
      const [first = "", second = "", third = ""] = anna.sites.map((site) => site.id);
      const asked = { start_time: at("10:00:00"), end_time: at("11:00:00") };
      const { body } = await read(anna, [third, first, second, first], asked);
      expect(body).toEqual({
        data: {
          sites: [third, first, second].map((site_id) => ({
            site_id,
            meters: anna.sites
              .find((site) => site.id === site_id)
              ?.meters.map((meter_id) => ({ meter_id, telemetry: [] })),
          })),
        },
      });
    });

    test("keeps the sign of a generator", async () => {
      const solar = anna.sites[0]?.meters[1] ?? "";
      await upload(anna, [kwReading(solar, at("12:00:30"), -250.25)]);
      const asked = { start_time: at("12:00:00"), end_time: at("13:00:00") };
      expect(pointsOf(await read(anna, [siteId], asked), solar)).toEqual([[at("12:00:30"), -250.25]]);
    });
  });
});

const inQuery = (members: Record<string, string | number>): string =>
  Object.entries(members)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join("&");

describe("GET /telemetry/kw", () => {
  const NOON = Date.parse("2026-07-01T12:00:00Z");

  let anna: Participant;
  let siteId: string;
  let meterId: string;

  beforeAll(async () => {
    service.clock.set(new Date("2026-07-20T00:00:00Z"));
    anna = await service.newParticipant({ sites: [["main"], ["main"]] });
    siteId = anna.sites[0]?.id ?? "";
    meterId = anna.sites[0]?.meters[0] ?? "";
  });

  const at = (seconds: number): string => new Date(NOON + seconds * 1000).toISOString().replace(".000", "");
  const read = (query: Record<string, string | number> | string) =>
    anna.call("GET", `/telemetry/kw?${typeof query === "string" ? query : inQuery(query)}`);
  const upload = async (...ends: number[]): Promise<void> => {
    const telemetry = ends.map((seconds) => ({
      interval_seconds: 30,
      meter_id: meterId,
      timestamp: at(seconds),
      kW: seconds,
    }));
    expect((await anna.call(uploadTelemetry, { body: { telemetry } })).status).toBe(200);
  };
  const good = () => ({ site_id: siteId, start_time: at(0), end_time: at(3600) });

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
