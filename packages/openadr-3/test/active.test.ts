import { describe, expect, test } from "vitest";
import { transpiresAt } from "../src/index.js";

const programID = "program";
const payloads = [{ type: "PRICE", values: [1] }];
const interval = (id: number, intervalPeriod?: object) => ({
  id,
  payloads,
  ...(intervalPeriod === undefined ? {} : { intervalPeriod }),
});
const start = "2026-07-01T18:00:00Z";
const at = (time: string) => new Date(time);

describe("an event has transpired", () => {
  test("after its intervals, each with the default duration, one after the other", () => {
    const intervalPeriod = { start, duration: "PT1H" };
    expect(transpiresAt({ programID, intervalPeriod, intervals: [interval(0), interval(1)] })).toEqual(
      at("2026-07-01T20:00:00Z"),
    );
  });

  test("after the latest interval, with starts and durations of their own, gaps and overlaps", () => {
    const intervals = [
      interval(0, { duration: "PT6H" }),
      interval(1, { start: "2026-07-01T19:00:00+01:00", duration: "PT1H" }),
      interval(2, { start: "0001-01-01T00:00:00Z" }),
    ];
    expect(transpiresAt({ programID, intervalPeriod: { start, duration: "PT30M" }, intervals })).toEqual(
      at("2026-07-02T00:00:00Z"),
    );
  });

  test("after its own duration, which repeats intervals or cuts them off", () => {
    const intervalPeriod = { start, duration: "PT1H" };
    expect(transpiresAt({ programID, intervalPeriod, intervals: [interval(0)], duration: "P7D" })).toEqual(
      at("2026-07-08T18:00:00Z"),
    );
    expect(transpiresAt({ programID, intervalPeriod, intervals: [interval(0)], duration: "PT12M" })).toEqual(
      at("2026-07-01T18:12:00Z"),
    );
  });

  test("after its period if it has no intervals", () => {
    expect(transpiresAt({ programID, intervalPeriod: { start, duration: "PT1H" } })).toEqual(
      at("2026-07-01T19:00:00Z"),
    );
  });

  test("later by a random start, of either sign", () => {
    for (const randomizeStart of ["PT5M", "-PT5M"])
      expect(transpiresAt({ programID, intervalPeriod: { start, duration: "PT1H", randomizeStart } })).toEqual(
        at("2026-07-01T19:05:00Z"),
      );
  });

  test("long ago if it was cancelled by a minimal start and duration", () => {
    const intervalPeriod = { start: "0001-01-01T00:00:00Z", duration: "PT0S" };
    expect(transpiresAt({ programID, intervalPeriod, intervals: [interval(0)] })).toEqual(at("0001-01-01T00:00:00Z"));
  });

  test("never if it is endless, or does not tell its end", () => {
    expect(transpiresAt({ programID })).toBeNull();
    expect(transpiresAt({ programID, intervalPeriod: { start }, intervals: [interval(0)] })).toBeNull();
    expect(transpiresAt({ programID, intervalPeriod: { start, duration: "P9999Y" } })).toBeNull();
    expect(
      transpiresAt({ programID, intervalPeriod: { start: "0001-01-01T00:00:00Z", duration: "P9999Y" } }),
    ).toBeNull();
    expect(transpiresAt({ programID, intervals: [interval(0, { duration: "PT1H" })] })).toBeNull();
    expect(
      transpiresAt({
        programID,
        intervalPeriod: { start, duration: "PT1H" },
        intervals: [interval(0)],
        duration: "P9999Y",
      }),
    ).toBeNull();
  });
});
