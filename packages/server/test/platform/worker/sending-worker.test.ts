import { afterEach, expect, test, vi } from "vitest";
import type { Lease, Leased } from "../../../src/platform/lease.js";
import { type Sending, SendingWorker } from "../../../src/platform/worker/sending-worker.js";
import { fakeClock } from "../../support/fake-clock.js";

type Item = Leased;

afterEach(() => void vi.restoreAllMocks());

/** A worker over a queue in memory whose items are answered when the test says. */
const sending = (ids: readonly string[], given: Partial<Sending<Item, string>> = {}) => {
  const clock = fakeClock();
  const waiting = [...ids];
  const rooms: number[] = [];
  const answers = new Map<string, (outcome: string) => void>();
  const recorded: Array<{ id: string; outcome: string; leasedUntil: Date }> = [];
  const worker = new SendingWorker<Item, string>(
    {
      what: "items",
      inFlight: 2,
      async claim({ leasedUntil }: Lease, room) {
        rooms.push(room);
        return { claimed: waiting.splice(0, room).map((id) => ({ id, leasedUntil })) };
      },
      send: ({ id }) => new Promise((resolve) => answers.set(id, resolve)),
      async record({ item, outcome }) {
        recorded.push({ id: item.id, outcome, leasedUntil: item.leasedUntil });
      },
      facts: ({ id }) => ({ item: id }),
      ...given,
    },
    { clock, log: { warn: () => {}, error: () => {} } },
  );
  worker.start();
  worker.wake();
  return { clock, worker, answers, recorded, rooms, stop: () => worker.stop() };
};

test("as many are sent as there are places, and another once one of them was recorded", async () => {
  const { answers, recorded, rooms, stop } = sending(["1", "2", "3"]);
  await expect.poll(() => [...answers.keys()]).toEqual(["1", "2"]);
  answers.get("2")?.("taken");
  await expect.poll(() => [...answers.keys()]).toEqual(["1", "2", "3"]);
  expect(recorded.map(({ id }) => id)).toEqual(["2"]);
  expect(Math.max(...rooms)).toBe(2);
  for (const id of ["1", "3"]) answers.get(id)?.("taken");
  await stop();
  expect(recorded.map(({ id }) => id).toSorted()).toEqual(["1", "2", "3"]);
});

test("what takes longer than a lease is recorded under the lease that was renewed", async () => {
  const renewed: Date[] = [];
  const renew = async (items: readonly Item[], leasedUntil: Date) => {
    renewed.push(leasedUntil);
    return items.map(({ id }) => id);
  };
  const { clock, answers, recorded, stop } = sending(["1"], { renew });
  await expect.poll(() => answers.size).toBe(1);
  clock.advance({ seconds: 20 });
  await expect.poll(() => renewed.some((until) => until > clock.now())).toBe(true);
  answers.get("1")?.("taken");
  await stop();
  expect(recorded.map(({ leasedUntil }) => leasedUntil > clock.now())).toEqual([true]);
});

test("what is claimed again while it is sent is sent once, and recorded under the later lease", async () => {
  const waiting = ["1"];
  const { clock, worker, answers, recorded, stop } = sending([], {
    claim: async ({ leasedUntil }) => ({ claimed: waiting.splice(0).map((id) => ({ id, leasedUntil })) }),
  });
  await expect.poll(() => answers.size).toBe(1);
  const [answer] = answers.values();
  answers.clear();
  clock.advance({ seconds: 20 });
  waiting.push("1");
  worker.wake();
  await expect.poll(() => waiting).toEqual([]);
  answer?.("taken");
  await stop();
  expect(answers.size).toBe(0);
  expect(recorded.map(({ leasedUntil }) => leasedUntil > clock.now())).toEqual([true]);
});

test("what is due again before the worker knows that its outcome was recorded is sent", async () => {
  const waiting = ["1"];
  let sent = 0;
  const { worker, stop } = sending([], {
    claim: async ({ leasedUntil }) => ({ claimed: waiting.splice(0).map((id) => ({ id, leasedUntil })) }),
    send: async () => `attempt ${++sent}`,
    async record({ outcome }) {
      if (outcome !== "attempt 1") return;
      // Committed: another connection claims it before this one has its answer.
      waiting.push("1");
      worker.wake();
      await vi.waitUntil(() => waiting.length === 0);
    },
  });
  await expect.poll(() => sent).toBe(2);
  await stop();
});

test.for([
  [12_000, ["1"]],
  [14_000, []],
] as const)("what was claimed %d ms before it could be sent is sent only within its lease", async ([heldMs, sent]) => {
  let startedMs = 0;
  const own = sending(["1"], {
    async claim({ leasedUntil }, room) {
      if (room === 0 || startedMs > 0) return { claimed: [] };
      startedMs = performance.now();
      // The process stands still here.
      vi.spyOn(performance, "now").mockImplementation(() => startedMs + heldMs);
      return { claimed: [{ id: "1", leasedUntil }] };
    },
  });
  await expect.poll(() => startedMs).toBeGreaterThan(0);
  await Promise.resolve();
  vi.restoreAllMocks();
  expect([...own.answers.keys()]).toEqual(sent);
  for (const answer of own.answers.values()) answer("taken");
  await own.stop();
});
