import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RateWindows } from "../../../src/access/domain/rate-limit.js";

const NOW = Date.UTC(2026, 6, 1, 18);

/** Processes whose words arrive at once. */
const processes = (count: number): { readonly all: readonly RateWindows[]; nowMs: number; told: number } => {
  const state = { all: [] as RateWindows[], nowMs: NOW, told: 0 };
  for (let index = 0; index < count; index++)
    state.all.push(
      new RateWindows((name, cost) => {
        state.told += 1;
        for (const [other, windows] of state.all.entries()) if (other !== index) windows.hear(name, cost, state.nowMs);
      }),
    );
  return state;
};

describe("a limit that processes share", () => {
  test("holds for all of them together, but for a twentieth for each further process", () => {
    const requests = fc.array(fc.record({ at: fc.nat(2), afterMs: fc.nat(400) }), { maxLength: 400 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 100 }), requests, (count, limit, sent) => {
        const { all, ...state } = processes(count);
        const shared = { all, ...state };
        const allowedMs: number[] = [];
        for (const { at, afterMs } of sent) {
          shared.nowMs += afterMs;
          const { allowed } = all[at % count]?.count("key", limit, shared.nowMs) ?? { allowed: false };
          if (allowed) allowedMs.push(shared.nowMs);
        }
        for (const until of allowedMs) {
          // Windows count by whole seconds.
          const within = allowedMs.filter((ms) => ms <= until && ms > until - 59_000).length;
          expect(within).toBeLessThanOrEqual(limit + (count - 1) * Math.max(0, Math.ceil(limit / 20) - 1));
        }
      }),
      { numRuns: propertyRuns(100) },
    );
  });

  test("refuses nobody earlier than one process would, however the requests are spread", () => {
    const { all } = processes(3);
    const verdicts = Array.from({ length: 60 }, (_, index) => all[index % 3]?.count("key", 60, NOW).allowed);
    expect(verdicts.every(Boolean)).toBe(true);
  });

  test("costs one word for each twentieth of the limit", () => {
    const shared = processes(2);
    for (let sent = 0; sent < 600; sent++) shared.all[0]?.count("key", 600, NOW);
    expect(shared.told).toBe(20);
  });

  test("forgets a minute later what others told", () => {
    const shared = processes(2);
    for (let sent = 0; sent < 10; sent++) shared.all[0]?.count("key", 10, NOW);
    expect(shared.all[1]?.count("key", 10, NOW).allowed).toBe(false);
    expect(shared.all[1]?.count("key", 10, NOW + 60_000).allowed).toBe(true);
  });

  test("tells nothing of requests that no window counts any more", () => {
    const shared = processes(2);
    const [first] = shared.all;
    for (let minute = 0; minute < 100; minute++) first?.count("key", 100, NOW + minute * 61_000);
    expect(shared.told).toBe(0);
  });
});
