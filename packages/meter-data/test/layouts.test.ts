import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { layoutKey, written } from "./support/layout.js";
import { files, hasChange, isEqual, verdictOf } from "./support/layout-check.js";
import { readFile } from "./support/read-file.js";

const LEAST_RUNS = 12;
const RUNS = propertyRuns(LEAST_RUNS, { atMost: 500 });
/** They take 4 s, and on a busy machine ten times as long. */
const LIMIT_MS = 120_000;

test(
  "what is written in any layout is read with the same energy in every hour, or its questions say what is open",
  () => {
    const keys = new Set<string>();
    const verdicts = new Map<string, number>();
    fc.assert(
      fc.property(files, ({ layout, load }) => {
        keys.add(layoutKey(layout));
        const { verdict, data } = verdictOf(layout, load);
        verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
        // An hour that clocks show twice is in a line of 24 hours once, and lines may not tell which of two is meant.
        if (verdict === "refused") {
          expect(hasChange(load), data.faults[0]?.message).toBe(true);
          for (const { message } of data.faults) expect(message).toMatch(/clocks|skipped|overlaps/);
        }
      }),
      { numRuns: RUNS },
    );
    // A long search ends early on a busy machine: shares of fewer files than a short one tries would be chance.
    const tried = [...verdicts.values()].reduce((sum, count) => sum + count, 0);
    if (tried < LEAST_RUNS) return;
    expect(keys.size).toBeGreaterThan(Math.min(40, tried / 2));
    // Most files ask nothing, and few nights cannot be told.
    expect(verdicts.get("right") ?? 0).toBeGreaterThan(tried * 0.5);
    expect(verdicts.get("refused") ?? 0).toBeLessThan(tried * 0.1);
  },
  LIMIT_MS,
);

test(
  "the check tells files apart that are read by the wrong mark of times",
  () => {
    let [wrong, read] = [0, 0];
    fc.assert(
      fc.property(files, ({ layout, load }) => {
        if (
          layout.shape.startsWith("matrix") ||
          layout.kind === "cumulative" ||
          layout.time !== "one" ||
          hasChange(load)
        )
          return;
        const { verdict, data } = verdictOf(layout, load);
        const mapping = data.table?.mapping;
        if (verdict === "refused" || mapping === undefined) return;
        const label = mapping.time.label === "start" ? "end" : "start";
        const turned = readFile(
          written(layout, load),
          { timezone: load.zone, mapping: { ...mapping, time: { ...mapping.time, label } } },
          65_536,
        );
        read += 1;
        if (!isEqual(turned, load)) wrong += 1;
      }),
      { numRuns: propertyRuns(250) },
    );
    expect(read).toBeGreaterThan(10);
    expect(wrong).toBe(read);
  },
  LIMIT_MS,
);
