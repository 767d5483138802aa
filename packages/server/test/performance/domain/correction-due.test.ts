import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { correctedFromMs } from "../../../src/performance/domain/correction-due.js";

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;

interface Corrected {
  /** When a version was made, and of what: the first and the newest note in it. */
  readonly atMs: number;
  readonly firstMs: number;
  readonly newestMs: number;
}

/** Versions that a result gets whose worker looks once a second, when each note changes it. */
const versionsOf = (notes: readonly number[], versionMs: number | null): Corrected[] => {
  const versions: Corrected[] = [];
  let [waiting, left]: [number[], number[]] = [[], [...notes]];
  const endMs = Math.max(...notes) + 3 * MINUTE_MS;
  for (let nowMs = 0; nowMs <= endMs; nowMs += SECOND_MS) {
    waiting = [...waiting, ...left.filter((ms) => ms <= nowMs)];
    left = left.filter((ms) => ms > nowMs);
    const [firstMs] = waiting;
    const newestMs = waiting.at(-1);
    if (firstMs === undefined || newestMs === undefined) continue;
    if (correctedFromMs({ firstMs, newestMs, versionMs: versions.at(-1)?.atMs ?? versionMs }) > nowMs) continue;
    versions.push({ atMs: nowMs, firstMs, newestMs });
    waiting = [];
  }
  return versions;
};

/** Moments of notes, from some seconds after the start on. */
const moments = (longestGapMs: number) =>
  fc
    .array(fc.integer({ min: 0, max: longestGapMs }), { minLength: 1, maxLength: 300 })
    .map((gaps) => gaps.map((_, index) => gaps.slice(0, index + 1).reduce((sum, gap) => sum + gap, 0)));

describe("a result is corrected", () => {
  test("two seconds after the only note", () => {
    expect(correctedFromMs({ firstMs: 5000, newestMs: 5000, versionMs: null })).toBe(7000);
    expect(correctedFromMs({ firstMs: 5000, newestMs: 5000, versionMs: 5000 - MINUTE_MS })).toBe(7000);
  });

  test("ten seconds after the newest note where it has a version of the last minute", () => {
    expect(correctedFromMs({ firstMs: 5000, newestMs: 5000, versionMs: 0 })).toBe(15_000);
  });

  test("after each note, however they come: a minute and ten seconds after the first at the latest", () => {
    fc.assert(
      fc.property(moments(90_000), (notes) => {
        const versions = versionsOf(notes, null);
        expect(versions.at(-1)?.newestMs).toBe(notes.at(-1));
        for (const [index, { atMs, firstMs }] of versions.entries()) {
          const beforeMs = versions[index - 1]?.atMs ?? Number.NEGATIVE_INFINITY;
          expect(atMs).toBeLessThanOrEqual(Math.max(firstMs, beforeMs) + MINUTE_MS + SECOND_MS);
        }
      }),
      { numRuns: propertyRuns(30) },
    );
  });

  test("at most once a minute while notes keep coming", () => {
    fc.assert(
      fc.property(moments(9000), fc.option(fc.integer({ min: -MINUTE_MS, max: 0 })), (notes, before) => {
        const versions = versionsOf(notes, before);
        const lastNoteMs = notes.at(-1) ?? 0;
        for (const [index, { atMs }] of versions.entries()) {
          const beforeMs = versions[index - 1]?.atMs ?? before ?? Number.NEGATIVE_INFINITY;
          if (atMs < lastNoteMs) expect(atMs - beforeMs).toBeGreaterThanOrEqual(MINUTE_MS);
        }
      }),
      { numRuns: propertyRuns(30) },
    );
  });

  test("sooner than a minute after a version only after ten seconds without a note", () => {
    fc.assert(
      fc.property(moments(30_000), (notes) => {
        const versions = versionsOf(notes, null);
        for (const [index, { atMs, newestMs }] of versions.entries()) {
          const beforeMs = versions[index - 1]?.atMs ?? Number.NEGATIVE_INFINITY;
          if (atMs - beforeMs < MINUTE_MS) expect(atMs - newestMs).toBeGreaterThanOrEqual(10_000);
        }
      }),
      { numRuns: propertyRuns(30) },
    );
  });
});
