import { expect, test } from "vitest";
import { KEPT_BEFORE_KILL, killRounds } from "./support/kill-rounds.js";

test("no reading that was answered 200 is missing after a kill of the service", async () => {
  const [result] = await killRounds(1);
  expect(result?.kept).toBeGreaterThanOrEqual(KEPT_BEFORE_KILL);
  expect(result?.missing).toBe(0);
});
