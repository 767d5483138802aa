import { expect, test } from "vitest";
import { idleFolder, idleStatementsASecond } from "../support/idle-process.js";

// One that publishes to an outside broker: idle-publisher.process.long.test.ts.
test("a process with all roles that has nothing to do sends few statements", { timeout: 60_000 }, async () => {
  // Nearly three are expected, and loops that send one every four seconds may send one more.
  expect(await idleStatementsASecond(await idleFolder(), 10_000)).toBeLessThanOrEqual(4);
});
