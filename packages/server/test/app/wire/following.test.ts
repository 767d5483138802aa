import { expect, onTestFinished, test } from "vitest";
import type { KeyCaller } from "../../../src/access/operations/caller.js";
import { wireFollowing } from "../../../src/app/wire/following.js";
import type { LoopClock } from "../../../src/platform/clock.js";
import { buildLogger } from "../../../src/platform/runtime/logger.js";

/** Loops rest until they are woken. */
const standing: LoopClock = {
  now: () => new Date("2026-07-01T18:00:00Z"),
  monotonicMs: () => 0,
  sleep: (_, signal) => new Promise((resolve) => signal?.addEventListener("abort", () => resolve(), { once: true })),
};

const caller: KeyCaller = {
  accountId: "acc_1",
  keyId: "key_1",
  expiresAt: null,
  actor: "key:key_1",
  environment: "production",
  sees: "own sites",
};

test("a committed dispatch makes the streams look at once", async () => {
  const wakers: Array<() => void> = [];
  const looks: string[] = [];
  let stamp = 0;
  const following = wireFollowing({
    readStamps: async () => ({ access: "1", clients: "", dispatches: String(stamp), ven_events: "1" }),
    listsOf: async (accountIds, { dispatches }) => {
      looks.push(dispatches);
      return accountIds.map(() => ({ dispatches: [], until: null }));
    },
    keys: { accepted: async (ids) => [...ids] },
    clock: standing,
    logger: buildLogger("silent"),
    tail: { wakeOn: (_, wake) => void wakers.push(wake) },
    kinds: ["dispatch.create"],
  });
  onTestFinished(() => following.stop());
  following.ports.live.follow({ caller, listed: () => {}, refused: () => {} });
  await expect.poll(() => looks).toEqual(["0"]);
  stamp = 1;
  for (const wake of wakers) wake();
  await expect.poll(() => looks).toEqual(["0", "1"]);
});
