import { beforeEach, describe, expect, test } from "vitest";
import type { Change, ChangeViewer, WatchedDispatch } from "../../../src/oversight/domain/change.js";
import { sendChanges } from "../../../src/oversight/http/change.js";
import { LiveChanges } from "../../../src/oversight/operations/watch-changes.js";
import type { ServerEvent } from "../../../src/platform/http/event-stream.js";
import type { JournalEntry, JournalKind } from "../../../src/platform/journal.js";

// Which changes are reported, and when, by what the journal tells of and by what time brings.
let nowMs: number;
let dispatches: WatchedDispatch[];
let asked: string[];
let woken: number;
let isAway: boolean;
let live: LiveChanges;

beforeEach(() => {
  nowMs = 0;
  dispatches = [dispatch("dis_1")];
  asked = [];
  woken = 0;
  isAway = false;
  live = new LiveChanges({
    async dispatches(accountIds) {
      if (isAway) throw new Error("the database is away");
      asked.push(`dispatches ${accountIds.join()}`);
      return dispatches;
    },
    clock: { now: () => new Date(nowMs), monotonicMs: () => nowMs },
    wake: () => void woken++,
  });
});

/** Of two accounts, in progress. */
const dispatch = (id: string, more: Partial<WatchedDispatch> = {}): WatchedDispatch => ({
  id,
  authorized: true,
  start: new Date(0),
  end: null,
  notification: new Date(0),
  modificationNumber: 0,
  changedAt: new Date(0),
  accountIds: ["acc_1", "acc_2"],
  ...more,
});

const entry = (kind: JournalKind, subject = "", accounts: readonly string[] | null = null): JournalEntry => ({
  seq: 1,
  environment: "production",
  at: new Date(nowMs),
  kind,
  subject,
  ref: null,
  accounts,
});
const committed = (...of: Parameters<typeof entry>): void => live.take([entry(...of)]);

const listening = (viewer: ChangeViewer) => {
  const heard: Array<"ready" | Change> = [];
  const stop = live.listen(viewer, { ready: () => heard.push("ready"), changed: (changes) => heard.push(...changes) });
  return { heard, stop };
};
const lookAfter = (ms: number): Promise<void> => {
  nowMs += ms;
  return live.look();
};
const delivered = (accounts: readonly string[] | null = null): void => committed("progress", "dis_1", accounts);
const delivery = { what: "delivery", dispatchId: "dis_1" };

test("nothing is read while nobody listens", async () => {
  await live.look();
  const { stop } = listening(null);
  stop();
  await lookAfter(1000);
  expect(asked).toEqual([]);
});

test("whoever comes first wakes the look and is ready after it; whoever comes then is ready at once", async () => {
  const first = listening(null);
  expect([woken, first.heard]).toEqual([1, []]);
  await live.look();
  const second = listening(null);
  expect([woken, first.heard, second.heard]).toEqual([1, ["ready"], ["ready"]]);
});

test("all who listen are read for at once", async () => {
  for (const viewer of [null, "acc_1", "acc_2", "acc_1"]) listening(viewer);
  await live.look();
  expect(asked).toEqual(["dispatches acc_1,acc_2"]);
});

describe("progress of deliveries", () => {
  test("is told of a second after the last look at it, and not before", async () => {
    const { heard } = listening(null);
    await live.look();
    delivered();
    await lookAfter(999);
    expect(heard).toEqual(["ready"]);
    await lookAfter(1);
    expect(heard).toEqual(["ready", delivery]);
    delivered();
    await lookAfter(999);
    expect(heard).toHaveLength(2);
    await lookAfter(1);
    expect(heard).toHaveLength(3);
  });

  test("is told no sooner because somebody else comes meanwhile", async () => {
    const { heard } = listening(null);
    await live.look();
    delivered();
    const late = listening("acc_1");
    await lookAfter(500);
    expect([heard, late.heard]).toEqual([["ready"], ["ready"]]);
    await lookAfter(500);
    expect([heard, late.heard]).toEqual([["ready", delivery], ["ready"]]);
  });

  test("of one account is told to it and to operators only", async () => {
    const [all, one, other] = [listening(null), listening("acc_1"), listening("acc_2")];
    await live.look();
    delivered(["acc_1"]);
    await lookAfter(1000);
    expect([all.heard.length, one.heard.length, other.heard.length]).toEqual([2, 2, 1]);
  });
});

test("a slow reader is told of each change once, when it has taken what it was sent", async () => {
  const sent: ServerEvent[] = [];
  const sink = { canTake: true, send: (event: ServerEvent) => sent.push(event), end: () => {} };
  const feed = sendChanges(live, null, sink);
  await live.look();
  sink.canTake = false;
  for (const alarm of ["alm_1", "alm_2", "alm_3"]) {
    committed("alarm.raise", alarm);
    delivered();
    await lookAfter(1000);
  }
  expect(sent.map(({ name }) => name)).toEqual(["ready"]);
  sink.canTake = true;
  feed.resume();
  expect(sent.slice(1)).toEqual([
    { name: "alarm", data: {} },
    { name: "delivery", data: { dispatch_id: "dis_1" } },
  ]);
});

test("dispatches are read again only after an entry about one, and other entries wake nothing", async () => {
  const { heard } = listening(null);
  await live.look();
  committed("key.claim", "key_1");
  live.take([{ ...entry("dispatch.change"), environment: "sandbox" }]);
  expect(woken).toBe(1);
  await lookAfter(500);
  dispatches = [dispatch("dis_1", { modificationNumber: 1 }), dispatch("dis_2")];
  await lookAfter(500);
  expect([heard, asked.length]).toEqual([["ready"], 1]);
  committed("dispatch.create", "dis_2");
  await live.look();
  expect(heard.slice(1)).toEqual([
    { what: "dispatch", dispatchId: "dis_1" },
    { what: "dispatch", dispatchId: "dis_2" },
  ]);
});

test("a dispatch is told of when it is notified, starts and ends, without being read again", async () => {
  dispatches = [dispatch("dis_1", { notification: new Date(1000), start: new Date(2000), end: new Date(3000) })];
  const [all, one] = [listening(null), listening("acc_1")];
  await live.look();
  const change = { what: "dispatch", dispatchId: "dis_1" };
  const looks: number[][] = [];
  for (let look = 0; look < 3; look++) {
    await lookAfter(live.restMs());
    looks.push([nowMs, all.heard.length, one.heard.length]);
  }
  expect(looks).toEqual([
    [1000, 1, 2],
    [2000, 2, 3],
    [3001, 3, 4],
  ]);
  expect(one.heard).toEqual(["ready", change, change, change]);
  expect([live.restMs(), asked.length]).toEqual([60_000, 1]);
});

test("an account is told nothing of dispatches that it is not in, and of no alarms", async () => {
  dispatches = [dispatch("dis_1", { accountIds: ["acc_1"] })];
  const [all, other] = [listening(null), listening("acc_2")];
  await live.look();
  delivered();
  committed("alarm.raise", "alm_1");
  committed("dispatch.change", "dis_1");
  dispatches = [dispatch("dis_1", { accountIds: ["acc_1"], modificationNumber: 1 })];
  await lookAfter(1000);
  expect([all.heard.length, other.heard]).toEqual([4, ["ready"]]);
});

test("everything is told of once the journal was lost sight of", async () => {
  const [all, one] = [listening(null), listening("acc_1")];
  await live.look();
  live.reset();
  dispatches = [dispatch("dis_1", { modificationNumber: 1 })];
  await lookAfter(1000);
  expect(all.heard.slice(1)).toEqual([{ what: "dispatch", dispatchId: "dis_1" }, { what: "alarm" }, delivery]);
  expect(one.heard.slice(1)).toEqual([{ what: "dispatch", dispatchId: "dis_1" }, delivery]);
});

test("dispatches that could not be read are read a second later", async () => {
  const { heard } = listening(null);
  isAway = true;
  await expect(live.look()).rejects.toThrow("the database is away");
  expect(live.restMs()).toBe(1000);
  isAway = false;
  await lookAfter(1000);
  expect(heard).toEqual(["ready"]);
});
