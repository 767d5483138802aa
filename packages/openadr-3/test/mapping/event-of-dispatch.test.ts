import { describe, expect, test } from "vitest";
import { type Dispatch, eventOfDispatch, openPeriodEnd } from "../../src/mapping/event-of-dispatch.js";

const dispatch = (given: Partial<Dispatch> = {}): Dispatch => ({
  id: "dis_1",
  programId: "prog_1",
  programName: "Summer Peak",
  test: false,
  start: new Date("2026-07-01T18:00:00Z"),
  end: new Date("2026-07-01T20:00:00Z"),
  openEnd: new Date("2026-07-02T18:00:00Z"),
  level: 2,
  priority: 7,
  sites: [{ resourceName: "store-12", commitmentKw: 150 }],
  ...given,
});

const sites = (...commitmentsKw: ReadonlyArray<number | null>): Partial<Dispatch> => ({
  sites: commitmentsKw.map((commitmentKw, index) => ({ resourceName: `site-${index}`, commitmentKw })),
});

const payloadsOf = (given: Partial<Dispatch>) => eventOfDispatch(dispatch(given)).intervals?.[0]?.payloads;
const periodOf = (given: Partial<Dispatch>) => eventOfDispatch(dispatch(given)).intervalPeriod;

test("a dispatch is one event of its program with one interval", () => {
  expect(eventOfDispatch(dispatch())).toEqual({
    programID: "prog_1",
    eventName: "Summer Peak dis_1",
    priority: 7,
    targets: ["store-12"],
    reportDescriptors: [
      {
        payloadType: "OPERATING_STATE",
        readingType: "DIRECT_READ",
        frequency: 0,
        repeat: -1,
        reportIntervals: "OPEN_INTERVALS",
      },
    ],
    payloadDescriptors: [
      { objectType: "EVENT_PAYLOAD_DESCRIPTOR", payloadType: "DISPATCH_SETPOINT_RELATIVE", units: "KW" },
      { objectType: "EVENT_PAYLOAD_DESCRIPTOR", payloadType: "SIMPLE" },
    ],
    intervalPeriod: { start: "2026-07-01T18:00:00Z", duration: "PT2H" },
    intervals: [
      {
        id: 0,
        payloads: [
          { type: "DISPATCH_SETPOINT_RELATIVE", values: [-150] },
          { type: "SIMPLE", values: [2] },
        ],
      },
    ],
  });
});

test("a test says so in its name", () => {
  expect(eventOfDispatch(dispatch({ test: true })).eventName).toBe("TEST Summer Peak dis_1");
  expect(eventOfDispatch(dispatch({ test: true, programName: "" })).eventName).toBe("TEST dis_1");
});

describe("the setpoint", () => {
  test("is minus the sum of the commitments", () => {
    expect(payloadsOf(sites(100, 50))?.[0]).toEqual({ type: "DISPATCH_SETPOINT_RELATIVE", values: [-150] });
  });

  test("has no digits that nobody agreed on", () => {
    expect(payloadsOf(sites(0.1, 0.2))?.[0]?.values).toEqual([-0.3]);
  });

  test("leaves out sites without a commitment", () => {
    expect(payloadsOf(sites(100, null))?.[0]?.values).toEqual([-100]);
  });

  test("is missing if no site has a commitment: 0 would say that nothing changes", () => {
    expect(payloadsOf(sites(null, null))).toEqual([{ type: "SIMPLE", values: [2] }]);
  });

  test("is a positive zero for commitments of 0", () => {
    expect(Object.is(payloadsOf(sites(0))?.[0]?.values[0], 0)).toBe(true);
  });
});

describe("the period", () => {
  test("lasts to the end of the meantime while the end is unknown", () => {
    expect(periodOf({ end: null })).toEqual({ start: "2026-07-01T18:00:00Z", duration: "P1D" });
  });

  test("is shorter after an early end", () => {
    expect(periodOf({ end: new Date("2026-07-01T18:30:00Z") })?.duration).toBe("PT30M");
  });

  test("has whole seconds and never the length 0, which cancels an event", () => {
    const start = new Date("2026-07-01T18:00:00.400Z");
    expect(periodOf({ start, end: new Date("2026-07-01T18:00:00.900Z") })).toEqual({
      start: "2026-07-01T18:00:00Z",
      duration: "PT1S",
    });
    expect(periodOf({ start, end: new Date("2026-07-01T19:00:00.100Z") })?.duration).toBe("PT1H1S");
  });
});

test("the period of an open end grows by whole steps, and never has less left than half of one", () => {
  const start = new Date("2026-07-01T18:00:00Z");
  const [minute, hour] = [60_000, 3_600_000];
  for (const hours of [1, 2, 24, 8760]) {
    let [last, changes] = [0, 0];
    for (let step = -40; step < 400; step++) {
      const now = new Date(start.getTime() + step * hours * 6 * minute);
      const end = openPeriodEnd({ start, hours }, now).getTime();
      const [leftMs, lengthMs] = [end - Math.max(now.getTime(), start.getTime()), end - start.getTime()];
      expect(lengthMs % (hours * hour)).toBe(0);
      expect(leftMs).toBeGreaterThanOrEqual((hours * hour) / 2);
      expect(leftMs).toBeLessThan(1.5 * hours * hour);
      expect(end).toBeGreaterThanOrEqual(last);
      if (end !== last) changes++;
      last = end;
    }
    expect(changes).toBe(41);
  }
});
