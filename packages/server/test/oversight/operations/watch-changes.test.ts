import { beforeEach, describe, expect, test } from "vitest";
import type { Change, Progress, Viewer } from "../../../src/oversight/domain/change.js";
import { sendChanges } from "../../../src/oversight/http/change-stream.js";
import { LiveChanges } from "../../../src/oversight/operations/watch-changes.js";
import type { ServerEvent } from "../../../src/platform/http/event-stream.js";

// Which changes are reported, and when, by what each look finds.
let nowMs: number;
let found: { progress: Progress[]; alarms: string };
let asked: string[];
let woken: number;
let live: LiveChanges;

beforeEach(() => {
  nowMs = 0;
  found = { progress: [], alarms: "0" };
  asked = [];
  woken = 0;
  const note = <T>(what: string, answer: T): Promise<T> => {
    asked.push(what);
    return Promise.resolve(answer);
  };
  live = new LiveChanges({
    reader: {
      dispatches: () => note("dispatches", []),
      progress: (accountIds) => note(`progress ${accountIds.join()}`, found.progress),
      alarms: () => note("alarms", found.alarms),
    },
    clock: { now: () => new Date(nowMs), monotonicMs: () => nowMs },
    wake: () => void woken++,
  });
});

const listening = (viewer: Viewer) => {
  const heard: Array<"ready" | Change> = [];
  const stop = live.listen(viewer, { ready: () => heard.push("ready"), changed: (changes) => heard.push(...changes) });
  return { heard, stop };
};
const lookAfter = (ms: number): Promise<void> => {
  nowMs += ms;
  return live.look();
};
const delivered = (mark: string, accountId: string | null = null): void => {
  found = { ...found, progress: [{ dispatchId: "dis_1", accountId, mark }] };
};
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
  expect(asked).toEqual(["dispatches", "alarms", "progress acc_1,acc_2"]);
});

describe("progress of deliveries", () => {
  test("is told of a second after the last look at it, and not before", async () => {
    const { heard } = listening(null);
    await live.look();
    delivered("1");
    await lookAfter(999);
    expect(heard).toEqual(["ready"]);
    await lookAfter(1);
    expect(heard).toEqual(["ready", delivery]);
    delivered("2");
    await lookAfter(999);
    expect(heard).toHaveLength(2);
    await lookAfter(1);
    expect(heard).toHaveLength(3);
  });

  test("is told no sooner because somebody else comes meanwhile", async () => {
    const { heard } = listening(null);
    await live.look();
    delivered("1");
    const late = listening("acc_1");
    await lookAfter(500);
    expect([heard, late.heard]).toEqual([["ready"], ["ready"]]);
    await lookAfter(500);
    expect([heard, late.heard]).toEqual([["ready", delivery], ["ready"]]);
  });

  test("of one account is told to it and to operators only", async () => {
    const [all, one, other] = [listening(null), listening("acc_1"), listening("acc_2")];
    await live.look();
    delivered("1", "acc_1");
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
  for (const mark of ["1", "2", "3"]) {
    found.alarms = mark;
    delivered(mark);
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
