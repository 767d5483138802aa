import { expect, test } from "vitest";
import { earlyAnswers } from "./support/early-answer-proxy.js";
import { KEPT_BEFORE_KILL, killRounds } from "./support/kill-rounds.js";
import { soakRounds } from "./support/soak.js";

const ROUNDS = soakRounds(4);

test(
  `no reading that was answered 200 is missing after ${ROUNDS} kills of the service, half of them with its database, half while it appends to the log`,
  async () => {
    const results = await killRounds(ROUNDS);
    expect(results).toHaveLength(ROUNDS);
    expect(results.reduce((sum, { kept }) => sum + kept, 0)).toBeGreaterThanOrEqual(ROUNDS * KEPT_BEFORE_KILL);
    expect(results.filter(({ missing }) => missing > 0)).toEqual([]);
  },
  200_000 + ROUNDS * 25_000,
);

test("control: with answers given before the commit, the same harness finds readings missing", async () => {
  const [result] = await killRounds(1, earlyAnswers);
  expect(result?.missing).toBeGreaterThan(0);
}, 120_000);
