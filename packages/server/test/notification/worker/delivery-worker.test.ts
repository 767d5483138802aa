import { expect, test, vi } from "vitest";
import type { ClaimedDelivery } from "../../../src/notification/domain/delivery.js";
import type { DeliveryPorts } from "../../../src/notification/operations/deliver-notices.js";
import { DeliveryWorker } from "../../../src/notification/worker/worker.js";
import { sleep } from "../../../src/platform/database/database-clock.js";

/** Timers may end a little early by the clock of a test. */
const PAUSE_MS = 90;
const BATCHES = 8;
const LONG_MS = 60_000;
/** Half of the places to wait. */
const FEW = 512;
const clock = { now: () => new Date(), sleep, monotonicMs: () => performance.now() };

let made = 0;
const claimedNow = (): ClaimedDelivery => ({
  id: `dlv_${++made}`,
  webhookId: `wh_${made}`,
  dispatchId: "dis_1",
  event: "dispatch.create",
  url: "https://receiver.example",
  interfaceVersion: "2022-04-15",
  secrets: [],
  failures: 0,
  isResend: false,
  noticedAt: new Date(),
  leasedUntil: new Date(Date.now() + 60_000),
});

/** Makes as many deliveries as can be claimed, and has more for seven batches. */
const queueOf = (looked: (limit: number) => number): DeliveryPorts["queue"] => ({
  expandDue: async ({ limit }) => {
    const batches = looked(limit);
    return { claimed: Array.from({ length: limit }, claimedNow), left: 0, hasMore: batches < BATCHES };
  },
  expandBehind: async () => ({ left: 0, hasMore: false }),
  claim: async () => [],
  putBehind: async () => 0,
  claimBehind: async () => ({ claimed: [], reached: null }),
  record: async () => {},
});

test("deliveries of a notice whose webhooks hang are made without places for them, after a pause", async () => {
  const batches: Array<{ readonly limit: number; readonly atMs: number }> = [];
  const queue = queueOf((limit) => batches.push({ limit, atMs: performance.now() }));
  const end = new AbortController();
  const answered = clock.sleep(LONG_MS, end.signal);
  const send: DeliveryPorts["send"] = async () => {
    await answered;
    const response = { responseType: null, responseBody: null };
    return { ok: true, at: new Date(), durationMs: 1, status: 200, error: null, address: null, ...response };
  };
  const log = { error: () => {}, warn: () => {} };
  const worker = new DeliveryWorker({ queue, clock, send, random: () => 0 }, log, { observeAttempt() {} });
  worker.start();
  await vi.waitFor(() => expect(batches).toHaveLength(BATCHES), { timeout: 15_000 });
  const pauses = batches.slice(1).map(({ limit, atMs }, nth) => ({ limit, ms: atMs - (batches[nth]?.atMs ?? 0) }));
  const withoutRoom = pauses.filter(({ limit }) => limit < FEW);
  expect(withoutRoom.length).toBeGreaterThan(0);
  for (const { ms } of withoutRoom) expect(ms).toBeGreaterThan(PAUSE_MS);
  end.abort();
  await worker.stop();
});
