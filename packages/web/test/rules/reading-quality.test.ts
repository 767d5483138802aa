import { expect, test } from "vitest";
import { readingWords } from "../../src/rules/reading-quality.js";

const START = Date.parse("2026-06-10T18:00:00Z");
const at = (cell: number): string => new Date(START + cell * 30_000).toISOString();

type Quality = Parameters<typeof readingWords>[0]["curve"][number]["quality"];

/** A final dispatch of five intervals, with one more before and after it. */
const wordsOf = (...[before, ...qualities]: readonly Quality[]) =>
  readingWords({
    state: "final",
    start_time: at(0),
    end_time: at(5),
    measured_until: at(5),
    curve: [before ?? null, ...qualities].map((quality, index) => ({
      baseline_kw: 1,
      unadjusted_kw: 1,
      load_kw: 1,
      reduction_kw: 0,
      target_kw: 1,
      timestamp: at(index),
      quality,
    })),
  });

test("readings that were late, corrected or missing in the dispatch are counted in words", () => {
  expect(wordsOf("gap", "late", "late", "corrected", "gap", "measured", "gap")).toBe(
    "Of 5 intervals of 30 s, 2 arrived late, 1 was corrected and 1 is missing.",
  );
  expect(wordsOf("measured", "late", "measured", "measured", "measured", "measured")).toBe(
    "Of 5 intervals of 30 s, 1 arrived late.",
  );
});

test("nothing is said of readings that are as they were, or not due", () => {
  expect(wordsOf("gap", "measured", "measured", "measured", "measured", "measured", "gap")).toBeNull();
  expect(wordsOf("measured", "measured", null, null, null, null)).toBeNull();
});
