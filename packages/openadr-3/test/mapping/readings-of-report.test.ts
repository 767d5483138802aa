import { describe, expect, test } from "vitest";
import type { Interval } from "../../src/contract/interval.js";
import type { ReportRequest, ReportResource } from "../../src/contract/report.js";
import type { ValuesMap } from "../../src/contract/values-map.js";
import { eventIntervals } from "../../src/mapping/event-intervals.js";
import { MAX_CELLS, type ReportContext, readingsOfReport } from "../../src/mapping/readings-of-report.js";

const now = new Date("2026-07-01T19:00:00Z");
const context = (given: Partial<ReportContext> = {}): ReportContext => ({
  resourceNames: new Set(["store-12", "store-13"]),
  metersOfSites: new Map(),
  eventIntervals: new Map(),
  reportDescriptors: [],
  now,
  ...given,
});

const report = (resources: ReportResource[], given: Partial<ReportRequest> = {}): ReportRequest => ({
  eventID: "evt_1",
  clientName: "ven-1",
  resources,
  ...given,
});

const demand = (...values: ValuesMap["values"]): ValuesMap => ({ type: "DEMAND", values });
const usage = (...values: ValuesMap["values"]): ValuesMap => ({ type: "USAGE", values });

const resource = (intervals: Interval[], given: Partial<ReportResource> = {}): ReportResource => ({
  resourceName: "store-12",
  intervalPeriod: { start: "2026-07-01T18:00:00Z", duration: "PT5M" },
  intervals,
  ...given,
});

const loadsOf = (resources: ReportResource[], given: Partial<ReportContext> = {}) => {
  const { readings, faults } = readingsOfReport(report(resources), context(given));
  expect(faults).toEqual([]);
  return readings.map(({ endMs, intervalSeconds, powerKw }) => [
    new Date(endMs).toISOString(),
    intervalSeconds,
    powerKw,
  ]);
};

const faultsOf = (resources: ReportResource[], given: Partial<ReportContext> = {}) =>
  readingsOfReport(report(resources), context(given)).faults;

describe("when a reading is", () => {
  test("intervals follow each other from the start of the resource", () => {
    const intervals = [0, 1, 2].map((id) => ({ id, payloads: [demand(100 + id)] }));
    expect(loadsOf([resource(intervals)])).toEqual([
      ["2026-07-01T18:05:00.000Z", 300, 100],
      ["2026-07-01T18:10:00.000Z", 300, 101],
      ["2026-07-01T18:15:00.000Z", 300, 102],
    ]);
  });

  test("an interval may have a start or a duration of its own; the next one follows it", () => {
    const intervals: Interval[] = [
      { id: 0, payloads: [demand(1)] },
      { id: 1, intervalPeriod: { duration: "PT15M" }, payloads: [demand(2)] },
      { id: 2, intervalPeriod: { start: "2026-07-01T18:40:00Z" }, payloads: [demand(3)] },
      { id: 3, payloads: [demand(4)] },
    ];
    expect(loadsOf([resource(intervals)])).toEqual([
      ["2026-07-01T18:05:00.000Z", 300, 1],
      ["2026-07-01T18:20:00.000Z", 900, 2],
      ["2026-07-01T18:45:00.000Z", 300, 3],
      ["2026-07-01T18:50:00.000Z", 300, 4],
    ]);
  });

  test.each(["0001-01-01", "0001-01-01T00:00:00", "0001-01-01T00:00:00Z"])(
    "what begins at %s was just measured: it ends now",
    (start) => {
      const intervals = [0, 1].map((id) => ({ id, payloads: [demand(id)] }));
      expect(loadsOf([resource(intervals, { intervalPeriod: { start, duration: "PT1M" } })])).toEqual([
        ["2026-07-01T18:59:00.000Z", 60, 0],
        ["2026-07-01T19:00:00.000Z", 60, 1],
      ]);
      const own = [{ id: 0, intervalPeriod: { start, duration: "PT30S" }, payloads: [demand(5)] }];
      expect(loadsOf([{ resourceName: "store-12", intervals: own }])).toEqual([["2026-07-01T19:00:00.000Z", 30, 5]]);
    },
  );

  test("the beginning of time on an interval means the default start, and later that it follows", () => {
    const start = "0001-01-01";
    const intervals = [0, 1].map((id) => ({ id, intervalPeriod: { start }, payloads: [demand(id)] }));
    expect(loadsOf([resource(intervals)])).toEqual([
      ["2026-07-01T18:05:00.000Z", 300, 0],
      ["2026-07-01T18:10:00.000Z", 300, 1],
    ]);
  });

  test("without any time in the report, the intervals are those of the event with the same ids", () => {
    const event = {
      intervalPeriod: { start: "2026-07-01T16:00:00Z", duration: "PT1H" },
      intervals: [3, 4].map((id) => ({ id, payloads: [] })),
    };
    const intervals = [
      { id: 4, payloads: [usage(50)] },
      { id: 3, payloads: [usage(40)] },
    ];
    expect(loadsOf([{ resourceName: "store-12", intervals }], { eventIntervals: eventIntervals(event, now) })).toEqual([
      ["2026-07-01T18:00:00.000Z", 3600, 50],
      ["2026-07-01T17:00:00.000Z", 3600, 40],
    ]);
  });

  test("an interval without a time is named", () => {
    const intervals = [{ id: 0, payloads: [demand(1)] }];
    expect(faultsOf([{ resourceName: "store-12", intervals }])).toEqual([
      "resources[0].intervals[0].intervalPeriod has no start; give one there, or for the resource",
    ]);
    expect(
      faultsOf([resource(intervals, { intervalPeriod: { start: "2026-07-01T18:00:00Z", duration: "PT0S" } })]),
    ).toEqual(["resources[0].intervals[0].intervalPeriod has no duration; give one there, or for the resource"]);
  });

  test("a time that cannot be is named, and nothing is said of the intervals behind it", () => {
    const intervals = [
      { id: 0, intervalPeriod: { duration: "P1M" }, payloads: [demand(1)] },
      { id: 1, payloads: [demand(1)] },
      { id: 2, intervalPeriod: { start: "2026-02-30T00:00:00Z" }, payloads: [demand(1)] },
    ];
    expect(faultsOf([resource(intervals)])).toEqual([
      'resources[0].intervals[0].intervalPeriod.duration is "P1M"; give its days, hours, minutes and seconds, for example PT15M',
      'resources[0].intervals[2].intervalPeriod.start is "2026-02-30T00:00:00Z"; give RFC 3339 with an offset, for example 2026-07-01T18:00:00Z',
    ]);
  });

  test.each([
    ["PT15S", "15"],
    ["PT45S", "45"],
    ["P1DT30S", "86430"],
  ])("an interval of %s is refused", (duration, seconds) => {
    const intervals = [{ id: 0, payloads: [demand(1)] }];
    expect(faultsOf([resource(intervals, { intervalPeriod: { start: "2026-06-01T18:00:00Z", duration } })])).toEqual([
      `resources[0].intervals[0].payloads[0] covers ${seconds} seconds; give a multiple of 30, at most 86400`,
    ]);
  });

  test("30 seconds and a day are the shortest and the longest", () => {
    const intervals = [
      { id: 0, intervalPeriod: { duration: "PT30S" }, payloads: [demand(1)] },
      { id: 1, intervalPeriod: { duration: "P1D" }, payloads: [demand(1)] },
    ];
    expect(loadsOf([resource(intervals)]).map(([, seconds]) => seconds)).toEqual([30, 86_400]);
  });
});

const unitsOf = (payload: ValuesMap, descriptor: object, given: Partial<ReportContext> = {}) => {
  const payloadDescriptors = [
    { objectType: "REPORT_PAYLOAD_DESCRIPTOR" as const, payloadType: payload.type, ...descriptor },
  ];
  const resources = [resource([{ id: 0, payloads: [payload] }])];
  const { readings, faults } = readingsOfReport(report(resources, { payloadDescriptors }), context(given));
  return faults.length > 0 ? faults : readings.map(({ powerKw }) => powerKw);
};

describe("what a reading is", () => {
  test("demand is in kW and usage in kWh, unless the report or its request say otherwise", () => {
    expect(unitsOf(demand(12), {})).toEqual([12]);
    expect(unitsOf(demand(12_000), { units: "W" })).toEqual([12]);
    expect(unitsOf(usage(1), {})).toEqual([12]);
    expect(unitsOf(usage(1000), { units: "WH" })).toEqual([12]);
    const reportDescriptors = [{ payloadType: "DEMAND", units: "W" }];
    expect(unitsOf(demand(12_000), {}, { reportDescriptors })).toEqual([12]);
    expect(unitsOf(demand(12), { units: "KW" }, { reportDescriptors })).toEqual([12]);
  });

  test("other units are refused", () => {
    expect(unitsOf(demand(12), { units: "KVA" })).toEqual([
      'payloadDescriptors[0].units is "KVA"; give one of KW, W, MW for DEMAND',
    ]);
    expect(unitsOf(usage(12), { units: "KW" })).toEqual([
      'payloadDescriptors[0].units is "KW"; give one of KWH, WH, MWH for USAGE',
    ]);
  });

  test.each(["DIRECT_READ", "MEAN", "AVERAGE", "SUMMED", "x-private"])("a %s is recorded", (readingType) => {
    expect(unitsOf(demand(12), { readingType })).toEqual([12]);
  });

  test.each(["ESTIMATED", "FORECAST", "PEAK"])("a %s is no reading of the interval", (readingType) => {
    expect(unitsOf(demand(12), { readingType })).toEqual([]);
    expect(unitsOf(demand(12), { readingType, units: "KVA" })).toEqual([]);
    const payloadDescriptors = [{ payloadType: "DEMAND", readingType }];
    const resources = [{ resourceName: "heat pump", intervals: [{ id: 0, payloads: [demand("later")] }] }];
    expect(readingsOfReport(report(resources, { payloadDescriptors }), context())).toEqual({
      readings: [],
      faults: [],
    });
  });

  test("generation is negative", () => {
    expect(unitsOf(demand(-40), {})).toEqual([-40]);
  });

  test("energy tells the mean better than the power of a moment, so it comes last, and is given as it was sent", () => {
    const both = [resource([{ id: 0, payloads: [usage(1), demand(99)] }])];
    expect(readingsOfReport(report(both), context()).readings.map(({ energyKwh }) => energyKwh)).toEqual([null, 1]);
    expect(loadsOf([resource([{ id: 0, payloads: [demand(99), usage(1)] }])])).toEqual([
      ["2026-07-01T18:05:00.000Z", 300, 99],
      ["2026-07-01T18:05:00.000Z", 300, 12],
    ]);
  });

  test("several values share the interval", () => {
    expect(
      loadsOf([
        resource([{ id: 0, payloads: [usage(1, 2, 3)] }], {
          intervalPeriod: { start: "2026-07-01T18:00:00Z", duration: "PT3H" },
        }),
      ]),
    ).toEqual([
      ["2026-07-01T19:00:00.000Z", 3600, 1],
      ["2026-07-01T20:00:00.000Z", 3600, 2],
      ["2026-07-01T21:00:00.000Z", 3600, 3],
    ]);
    expect(faultsOf([resource([{ id: 0, payloads: [demand(...Array.from({ length: 11 }, () => 1))] }])])).toHaveLength(
      1,
    );
  });

  test.each(["MISSING", "BAD"])("data that is %s stays a gap, not a zero", (quality) => {
    const payloads = [demand(0), { type: "DATA_QUALITY", values: [quality] }];
    expect(
      loadsOf([
        resource([
          { id: 0, payloads },
          { id: 1, payloads: [demand(5)] },
        ]),
      ]),
    ).toEqual([["2026-07-01T18:10:00.000Z", 300, 5]]);
  });

  test.each(["OK", "ESTIMATED"])("data that is %s is recorded", (quality) => {
    const payloads = [demand(7), { type: "DATA_QUALITY", values: [quality] }];
    expect(loadsOf([resource([{ id: 0, payloads }])])).toEqual([["2026-07-01T18:05:00.000Z", 300, 7]]);
  });

  test("other payloads are no readings, whatever their times", () => {
    const payloads = [{ type: "STORAGE_CHARGE_LEVEL", values: [0.5] }];
    expect(loadsOf([{ resourceName: "store-12", intervals: [{ id: 0, payloads }] }])).toEqual([]);
  });

  test.each([
    [demand("12"), 'payloads[0].values[0] is "12"; give a number'],
    [demand({ x: 1, y: 2 }), 'payloads[0].values[0] is {"x":1,"y":2}; give a number'],
    [demand(1, true), "payloads[0].values[1] is true; give a number"],
    [demand(), "payloads[0].values is empty; give a number, or leave the payload out"],
    [demand(10_000_001), "payloads[0] is 10000001 kW; its magnitude may be at most 10000000 kW"],
  ])("%j is refused", (payload, fault) => {
    expect(faultsOf([resource([{ id: 0, payloads: [payload] }])])).toEqual([`resources[0].intervals[0].${fault}`]);
  });

  test("the same payload twice is refused: one of them would be lost", () => {
    expect(faultsOf([resource([{ id: 0, payloads: [usage(1), usage(2)] }])])).toEqual([
      "resources[0].intervals[0].payloads[1].type is USAGE again; give one payload of each type",
    ]);
  });
});

describe("which resource a reading is of", () => {
  const intervals = [{ id: 0, payloads: [demand(1)] }];

  test("it is named by its place, and so are all faults", () => {
    const { readings } = readingsOfReport(
      report([resource(intervals), resource(intervals, { resourceName: "store-13" })]),
      context(),
    );
    expect(readings.map(({ resourceName, place }) => [resourceName, place])).toEqual([
      ["store-12", "resources[0].intervals[0].payloads[0]"],
      ["store-13", "resources[1].intervals[0].payloads[0]"],
    ]);
  });

  test("an unknown one is refused", () => {
    const resources = [resource(intervals), resource(intervals, { resourceName: "heat pump" })];
    expect(faultsOf(resources)).toEqual([
      'resources[1].resourceName is "heat pump", which is no resource of this VEN; GET /resources lists them',
    ]);
  });

  test("an unknown one without load is no fault", () => {
    const payloads = [{ type: "OPERATING_STATE", values: ["NORMAL"] }];
    expect(faultsOf([resource([{ id: 0, payloads }], { resourceName: "heat pump" })])).toEqual([]);
  });

  test("an aggregated report is that of the only resource, and else of none", () => {
    const resources = [resource(intervals, { resourceName: "AGGREGATED_REPORT" })];
    expect(loadsOf(resources, { resourceNames: new Set(["store-12"]) })).toHaveLength(1);
    expect(faultsOf(resources)).toEqual([
      "resources[0].resourceName is AGGREGATED_REPORT, but loads are recorded by resource; give an entry for each",
    ]);
  });
});

test("a report fills at most as much of the grid as the largest upload", () => {
  const days = Math.ceil(MAX_CELLS / 2880);
  const intervals = Array.from({ length: days }, (_, id) => ({ id, payloads: [demand(1)] }));
  const resources = [resource(intervals, { intervalPeriod: { start: "2020-01-01T00:00:00Z", duration: "P1D" } })];
  expect(faultsOf(resources)).toEqual([
    `the report covers ${days * 2880} intervals of 30 seconds; at most ${MAX_CELLS}, split it`,
  ]);
  expect(
    loadsOf([resource(intervals.slice(1), { intervalPeriod: { start: "2020-01-01T00:00:00Z", duration: "P1D" } })]),
  ).toHaveLength(days - 1);
});
