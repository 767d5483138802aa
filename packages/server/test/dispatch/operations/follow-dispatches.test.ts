import { expect, test } from "vitest";
import type { KeyCaller } from "../../../src/access/operations/caller.js";
import { LiveDispatches } from "../../../src/dispatch/operations/follow-dispatches.js";
import { isRefusal } from "../../../src/platform/refusal.js";

const NOW = new Date("2026-07-01T18:00:00Z");

const caller = (keyId: string): KeyCaller => ({
  accountId: `account of ${keyId}`,
  actor: `key:${keyId}`,
  environment: "production",
  sees: "own sites",
  keyId,
  expiresAt: null,
});

const follower = (keyId: string) => {
  const seen: string[] = [];
  return {
    seen,
    caller: caller(keyId),
    listed: () => void seen.push("list"),
    refused: () => void seen.push("refused"),
  };
};

const ports = (most = 10) => {
  const looked: string[][] = [];
  const lists: { until: Date | null } = { until: null };
  let access = "first";
  const live = new LiveDispatches({
    readStamps: async () => ({ access, clients: "", dispatches: "", ven_events: "" }),
    listsOf: async (accountIds) => accountIds.map(() => ({ dispatches: [], until: lists.until })),
    keys: {
      accepted: async (ids) => {
        looked.push([...ids]);
        return ids.filter((id) => id !== "revoked");
      },
    },
    clock: { now: () => NOW },
    wake: () => {},
    most,
  });
  return { live, looked, lists, stamp: (to: string) => void (access = to) };
};

test("nothing is read while nobody follows", async () => {
  const { live, looked } = ports();
  await live.look();
  expect(looked).toEqual([]);
});

test("keys are looked up when a follower is new and when any key changed, all by one read", async () => {
  const { live, looked, stamp } = ports();
  live.follow(follower("one"));
  live.follow(follower("two"));
  await live.look();
  await live.look();
  expect(looked).toEqual([["one", "two"]]);
  stamp("second");
  live.follow(follower("three"));
  await live.look();
  expect(looked[1]).toEqual(["one", "two", "three"]);
});

test("a key that is not accepted ends its follower before it is shown anything", async () => {
  const { live } = ports();
  const [good, bad] = [follower("good"), follower("revoked")];
  live.follow(good);
  live.follow(bad);
  await live.look();
  await live.look();
  expect(bad.seen).toEqual(["refused"]);
  expect(good.seen).toEqual(["list", "list"]);
});

test("the number of followers is limited in all, and room is there again when one leaves", () => {
  const { live } = ports(2);
  const leave = live.follow(follower("one"));
  live.follow(follower("two"));
  const full = live.refuseWhenFull();
  expect(isRefusal(full) && full.message).toMatch(/2 streams of dispatches open, its maximum; wait 5 seconds/);
  leave();
  expect(live.refuseWhenFull()).toBeNull();
});

test("the next look is when a list or a key changes by itself, or after a minute", async () => {
  const { live, lists } = ports();
  const stop = live.follow(follower("one"));
  await live.look();
  expect(live.restMs()).toBe(60_000);
  lists.until = new Date(NOW.getTime() + 30_000);
  await live.look();
  expect(live.restMs()).toBe(30_000);
  const short = follower("short");
  live.follow({ ...short, caller: { ...short.caller, expiresAt: new Date(NOW.getTime() + 10_000) } });
  await live.look();
  expect(live.restMs()).toBe(10_000);
  stop();
});

test("a look that failed is repeated after a second", async () => {
  const { live } = ports();
  const failing = { ...follower("one"), listed: () => expect.fail("the reader is gone") };
  const stop = live.follow(failing);
  await expect(live.look()).rejects.toThrow("the reader is gone");
  expect(live.restMs()).toBe(1000);
  stop();
  await live.look();
  expect(live.restMs()).toBe(60_000);
});
