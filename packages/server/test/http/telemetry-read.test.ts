import { beforeAll, describe, expect, test } from "vitest";
import { ahead } from "../support/dispatching.js";
import { firstOf, kwReading, pointsOf, read, series, upload } from "../support/metering.js";
import { type Participant, type Running, running } from "../support/running.js";

// Specification, endpoint 9: GET /telemetry/kw; G23, G24, G25.
let service: Running;
let anna: Participant;
let siteId: string;
let meterId: string;

beforeAll(async () => {
  service = await running();
  service.clock.set(new Date("2026-07-03T00:00:00Z"));
  anna = await service.newParticipant({ sites: [["grid", "solar"], ["main"], []] });
  ({ siteId, meterId } = firstOf(anna));
  // 18:00:30 to 19:00:00 on the grid, each cell with its own number.
  const cells = Array.from({ length: 120 }, (_, index) =>
    kwReading(meterId, new Date(Date.UTC(2026, 6, 1, 18, 0, 30 * (index + 1))).toISOString(), index + 1),
  );
  await upload(anna, cells);
});

const at = (time: string): string => `2026-07-01T${time}Z`;
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
    await upload(anna, [kwReading(meterId, "2026-07-02T18:00:00Z", 5), kwReading(meterId, "2026-07-02T18:00:30Z", 6)]);
    const all = pointsOf(await read(anna, [siteId], { start_time: at("18:00:00") }), meterId);
    expect(all.at(-1)).toEqual(["2026-07-02T18:00:00Z", 5]);
    expect(all).toHaveLength(121);
  });

  test("may lie in the future, where nothing is", async () => {
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

  test("is told with its own length", async () => {
    const { body } = await read(anna, [siteId], {
      start_time: at("18:00:00"),
      end_time: at("19:00:00"),
      interval_seconds: 3600,
    });
    expect(body.data.sites[0].meters[0].telemetry).toEqual([
      { interval_seconds: 3600, timestamp: at("19:00:00"), value: 60.5, units: "kw" },
    ]);
  });
});

describe("the answer", () => {
  test("has exactly the four members of the specification in each reading", async () => {
    const { body } = await read(anna, [siteId], { start_time: at("18:00:00"), end_time: at("18:00:30") });
    expect(body.data.sites[0].meters[0].telemetry).toEqual([
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
