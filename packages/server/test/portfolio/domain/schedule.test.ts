import { describe, expect, test } from "vitest";
import {
  type AvailabilityBlock,
  isWithin,
  limitedSites,
  refuseBlock,
  unavailableMs,
  unavailableSites,
} from "../../../src/portfolio/domain/schedule.js";

const NOW = new Date("2026-07-01T18:00:00Z");
const inHours = (hours: number): Date => new Date(NOW.getTime() + hours * 3_600_000);

const block = (siteId: string, from: number, to: number, availableKw: number | null = null): AvailabilityBlock => ({
  availableKw,
  seriesId: null,
  id: `blk_${siteId}`,
  siteId,
  start: inHours(from),
  end: inHours(to),
  createdAt: NOW,
});

const isLeftOut = (from: number, to: number, period: { start: Date; end: Date | null }): boolean =>
  unavailableSites([block("site_1", from, to)], period).has("site_1");

describe("a site is left out of a dispatch that meets its block (G18)", () => {
  const dispatch = { start: inHours(10), end: inHours(12) };

  test.each([
    ["the block lies within the dispatch", 10.5, 11],
    ["the dispatch lies within the block", 9, 13],
    ["the block runs into its start", 9, 10.001],
    ["the block begins before its end", 11.999, 20],
    ["they are the same", 10, 12],
  ])("when %s", (_, from, to) => {
    expect(isLeftOut(from, to, dispatch)).toBe(true);
  });

  test.each([
    ["the block ends when the dispatch starts", 8, 10],
    ["the block starts when the dispatch ends", 12, 14],
    ["they lie apart", 1, 2],
  ])("but not when %s", (_, from, to) => {
    expect(isLeftOut(from, to, dispatch)).toBe(false);
  });

  test("a dispatch without an end counts as 24 hours", () => {
    const open = { start: inHours(10), end: null };
    expect(isLeftOut(33.999, 40, open)).toBe(true);
    expect(isLeftOut(34, 40, open)).toBe(false);
  });

  test("only the sites whose blocks meet it", () => {
    const blocks = [block("site_1", 9, 11), block("site_2", 1, 2), block("site_3", 11, 13), block("site_1", 11, 12)];
    expect(unavailableSites(blocks, dispatch)).toEqual(new Set(["site_1", "site_3"]));
  });
});

describe("a block", () => {
  test("may start now where no program asks for more", () => {
    expect(refuseBlock({ start: NOW, end: inHours(1) }, 0, NOW)).toBeNull();
    expect(refuseBlock({ start: new Date(NOW.getTime() - 1), end: inHours(1) }, 0, NOW)?.message).toMatch(/too late/);
  });

  test("starts at the cut-off at the earliest", () => {
    expect(refuseBlock({ start: inHours(2), end: inHours(3) }, 7200, NOW)).toBeNull();
    const late = refuseBlock({ start: new Date(inHours(2).getTime() - 1), end: inHours(3) }, 7200, NOW);
    expect(late?.message).toMatch(/too late.*7200 seconds/);
  });

  test("lasts at most a year, and ends after it starts", () => {
    expect(refuseBlock({ start: inHours(1), end: inHours(1 + 366 * 24) }, 0, NOW)).toBeNull();
    expect(refuseBlock({ start: inHours(1), end: inHours(2 + 366 * 24) }, 0, NOW)?.message).toMatch(/at most 366 days/);
    expect(refuseBlock({ start: inHours(1), end: inHours(1) }, 0, NOW)?.message).toMatch(/after start_time/);
  });
});

const hours = (from: number, to: number) =>
  ({ start: new Date(from * 3_600_000), end: new Date(to * 3_600_000), availableKw: null }) as AvailabilityBlock;

const coveredBy = (...blocks: readonly AvailabilityBlock[]) =>
  unavailableMs(blocks, { fromMs: 10 * 3_600_000, toMs: 20 * 3_600_000 }) / 3_600_000;

describe("the unavailable part of a period", () => {
  test("counts what blocks cover of it, and what several cover once", () => {
    expect(coveredBy()).toBe(0);
    expect(coveredBy(hours(12, 13), hours(15, 16))).toBe(2);
    expect(coveredBy(hours(12, 15), hours(13, 14), hours(14, 17), hours(17, 18))).toBe(6);
    expect(coveredBy(hours(15, 16), hours(12, 13))).toBe(2);
  });

  test("ends where the period does", () => {
    expect(coveredBy(hours(0, 11), hours(19, 30))).toBe(2);
    expect(coveredBy(hours(0, 10), hours(20, 21))).toBe(0);
    expect(coveredBy(hours(0, 100))).toBe(10);
  });
});

test("a block with a power leaves its site available, for the least power of its blocks", () => {
  const dispatch = { start: inHours(10), end: inHours(12) };
  const blocks = [block("site_1", 9, 11, 20), block("site_1", 11, 13, 15), block("site_1", 12, 14, 1)];
  expect(limitedSites(blocks, dispatch)).toEqual(new Map([["site_1", 15]]));
  expect(unavailableSites(blocks, dispatch)).toEqual(new Set());
});

test("a block is within another if it is no longer and leaves as much power", () => {
  expect(isWithin(block("site_1", 9, 11), block("site_1", 9, 12))).toBe(true);
  expect(isWithin(block("site_1", 8, 11), block("site_1", 9, 12))).toBe(false);
  expect(isWithin(block("site_2", 9, 11), block("site_1", 9, 12))).toBe(false);
  expect(isWithin(block("site_1", 9, 11, 20), block("site_1", 9, 12, 10))).toBe(true);
  expect(isWithin(block("site_1", 9, 11, 10), block("site_1", 9, 12, 20))).toBe(false);
  expect(isWithin(block("site_1", 9, 11), block("site_1", 9, 12, 20))).toBe(false);
});
