import { expect, test } from "vitest";
import { agentCheck, spoolCheck } from "../src/participant/machine-checks.js";

const NOW = Date.parse("2026-07-01T18:00:00Z");
const spool = { folder: "/s", waiting: 0, oldestMs: null, setAside: 0, usedBy: null };

test.for([
  [{}, "ok"],
  [{ waiting: 1, oldestMs: NOW }, "warning"],
  [{ waiting: 1, oldestMs: NOW - 60_000, usedBy: 7 }, "ok"],
  [{ waiting: 1, oldestMs: NOW - 16 * 60_000, usedBy: 7 }, "warning"],
  [{ setAside: 1 }, "warning"],
] as const)("a spool with %j is %s", ([change, result]) => {
  expect(spoolCheck({ ...spool, ...change }, NOW).result).toBe(result);
});

test("an agent whose page does not answer is named", () => {
  expect(agentCheck("process 7", null)).toMatchObject({
    result: "warning",
    detail: expect.stringContaining("process 7"),
  });
});
