import { operator } from "@curtail/contract";
import { ENERGY_INTERVALS_SECONDS } from "@curtail/measure";
import { expect, test } from "vitest";
import { cellsAllowed, refuseEnergyPeriod, refuseRows } from "../../../src/telemetry/domain/energy.js";

const DAY_MS = 86_400_000;
const lasting = (ms: number) => ({ start: new Date(0), end: new Date(ms) });

test("a period has an end after its start, and at most 400 days", () => {
  expect(refuseEnergyPeriod(lasting(1))).toBeNull();
  expect(refuseEnergyPeriod(lasting(0))?.message).toBe("end_time must be after start_time");
  expect(refuseEnergyPeriod(lasting(400 * DAY_MS))).toBeNull();
  expect(refuseEnergyPeriod(lasting(400 * DAY_MS + 1))?.message).toMatch(/at most 400 days; choose/);
});

test("a file has at most three million rows as Parquet and twenty million as CSV", () => {
  expect(refuseRows(3_000_000, "parquet")).toBeNull();
  expect(refuseRows(3_000_001, "parquet")?.message).toBe(
    "the file would have 3000001 rows, and Parquet has at most 3000000; choose a shorter period or a longer interval_seconds",
  );
  expect(refuseRows(20_000_000, "csv")).toBeNull();
  expect(refuseRows(20_000_001, "csv")?.message).toMatch(/CSV has at most 20000000/);
});

test("a site of very many meters gets fewer cells, and always those of a period of days", () => {
  expect(cellsAllowed(5000, 0)).toBe(5000);
  expect(cellsAllowed(5000, 60)).toBe(5000);
  expect(cellsAllowed(5000, 61)).toBe(4918);
  expect(cellsAllowed(5000, 100_000)).toBe(500);
  expect(cellsAllowed(31, 100_000)).toBe(31);
});

test("the contract offers the intervals that there are", () => {
  expect(operator.ENERGY_INTERVALS_SECONDS).toEqual(ENERGY_INTERVALS_SECONDS);
});
